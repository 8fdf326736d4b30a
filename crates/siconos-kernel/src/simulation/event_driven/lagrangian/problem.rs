//! Formulation and solution of the one-step problems at events, in particular of the problem at acceleration
//! level.

use siconos_numerics::SolveInfo;

use super::super::OneStepProblem;
use super::{LagrangianModes, MotionPoint};
use crate::index::RowIndex;
use crate::model::At;
use crate::nonsmooth_problem::{Assembly, Coefficients, UnitaryIndex};
use crate::simulation::SimulationError;
use crate::threads::Threads;

/// Vectors of the last problem, by row.
#[derive(Clone, Debug, Default)]
pub(super) struct ProblemVectors {
    q: Vec<f64>,
    pub(super) z: Vec<f64>,
    w: Vec<f64>,
}

impl ProblemVectors {
    pub(super) fn new(rows: usize) -> Self {
        let zeros = || vec![0.0; rows];
        Self { q: zeros(), z: zeros(), w: zeros() }
    }
}

impl LagrangianModes {
    /// Solves the problem at acceleration level over I_2, $0 \le \ddot y \perp \lambda \ge 0$ with
    /// $\ddot y = J M^{-1} J^T \lambda + J M^{-1} F + \dot J v$. Writes the fields `force`, `y_ddot` and
    /// `acceleration` of `point`.
    pub(super) fn solve_acceleration_at(
        &mut self,
        point: &mut MotionPoint,
    ) -> Result<SolveInfo, SimulationError> {
        self.evaluate_free(point)?;
        self.evaluate_jacobians(point);
        self.evaluate_convective(point);
        self.members.clear();
        self.members.extend(self.closed.places().filter(|&place| self.closed[place]));
        let solved = self.solve_over_members(OneStepProblem::Acceleration, point.t, |it, _, at| {
            let row = at.index();
            (it.row_product(at, &point.free_acceleration) + point.convective[row], point.force[row])
        });
        point.force.fill(0.0);
        point.acceleration.copy_from_slice(&point.free_acceleration);
        for &place in &self.members {
            for at in self.tables.unitary[place].rows.iter() {
                let row = at.index();
                (point.force[row], point.y_ddot[row]) = (self.posed.z[row], self.posed.w[row]);
                self.add_response(at, point.force[row], &mut point.acceleration);
            }
        }
        solved
    }

    /// Solves one of the two problems at events for the selected unitary relations (`members`), at the time
    /// `t`. For each row of a relation, `pose` returns the constant term q and the initial guess of z.
    pub(super) fn solve_over_members(
        &mut self,
        which: OneStepProblem,
        t: f64,
        pose: impl Fn(&Self, UnitaryIndex, RowIndex) -> (f64, f64),
    ) -> Result<SolveInfo, SimulationError> {
        for k in 0..self.members.len() {
            let member = self.members[k];
            for at in self.tables.unitary[member].rows.iter() {
                let row = at.index();
                (self.posed.q[row], self.posed.z[row]) = pose(self, member, at);
            }
        }
        let Self { tables, kinematics, delassus, masses, problems, members, .. } = self;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        let at = At::new(t, &self.parameters);
        let ProblemVectors { q, z, w } = &mut self.posed;
        let vectors = |row: RowIndex, guess| (q[row.index()], guess);
        let threads = &Threads::default();
        let from = Assembly { tables, threads, delassus, systems: masses, coefficients, h: 1.0 };
        let solved = problems.of(which).solve_over(from, members, (at, at), vectors, (z, w));
        let info = solved.map_err(|unsolved| unsolved.at(0, t))?;
        if info.status.is_success() {
            return Ok(info);
        }
        let SolveInfo { status, iterations, error } = info;
        Err(SimulationError::NotConverged { step: 0, t, status, iterations, error })
    }
}
