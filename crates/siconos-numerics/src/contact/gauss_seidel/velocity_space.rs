//! Gauss-Seidel sweeps in velocity space, for problems without W.

use super::contact_columns::ContactColumns;
use super::{GaussSeidelSettings, Measured, SweepResult, SweepWorkspace, check_diagonal, iterate};
use crate::contact::best_iterate::BestIterate;
use crate::contact::bodies::{BodiesError, BodiesProblem};
use crate::contact::scales::BlockScale;
use crate::contact::units::begin_guess;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status, Stop};
use crate::own_response::solved_by_zero;

/// Sweeps that update the velocities of the bodies. For each contact c, a sweep (1) computes
/// $u_c = H_c^T v + q_c$ from the velocities v of the bodies, (2) solves the law of the contact with
/// $W_{cc} = H_c^T M^{-1} H_c$ for the reaction $r_{new}$, and (3) replaces $v$ by
/// $v + M^{-1} H_c (r_{new} - r_c)$.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocitySpaceSweeps {
    measure: BodiesError,
    scales: Vec<BlockScale>,
    immovable: Vec<usize>,
    columns: ContactColumns,
    moving: Vec<f64>,
}

/// Number of sweeps between two recomputations of the velocities from the reactions. The recomputation
/// removes accumulated rounding errors.
const RENEWED_AFTER: usize = 16;

impl VelocitySpaceSweeps {
    pub(super) fn solve<const D: usize>(
        &mut self,
        problem: &BodiesProblem<'_>,
        settings: &GaussSeidelSettings,
        memory: &mut SweepWorkspace,
        best: &mut BestIterate,
        (r, u): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let Self { measure, scales, immovable, columns, moving } = self;
        let (law, contacts) = (problem.law(), problem.law().blocks());
        measure.prepare(problem)?;
        scales.clear();
        scales.extend_from_slice(measure.scales().blocks());
        immovable.clear();
        immovable.extend_from_slice(measure.scales().immovable());
        let (m, h) = (problem.m(), problem.h());
        let is_finite = || m.first_non_finite().is_none() && h.first_non_finite().is_none();
        match begin_guess(&law, problem.q(), is_finite, immovable, r) {
            Some(Status::NoSolution) => {
                let error = measure.of(problem, r, u);
                return Ok(SolveInfo { status: Status::NoSolution, iterations: 0, error });
            }
            Some(_) => return Ok(solved_by_zero(r, u)),
            None => {}
        }
        columns.prepare(problem, measure.mass());
        let diagonals = || columns.diagonals().chunks_exact(D * D);
        check_diagonal(&law, immovable, diagonals())?;
        let mut sweeps = memory.begin(law, settings, scales, diagonals());
        let measured = BodiesErrors { problem, measure };
        let sweep = |number: usize, estimates: bool, r: &mut [f64]| {
            let is_renewed = number.is_multiple_of(RENEWED_AFTER);
            if is_renewed {
                moving.clear();
                moving.resize(problem.degrees_of_freedom(), 0.0);
                columns.add_responses::<D>(r, moving);
            }
            let order = sweeps.next_order(number);
            let mut law = sweeps.observed(estimates);
            let change = match &order {
                None => columns.sweep::<D>(0..contacts, problem.q(), &mut law, (r, moving)),
                Some(order) => columns.sweep::<D>(order.iter().copied(), problem.q(), &mut law, (r, moving)),
            };
            let estimate = law.estimate;
            let swept = sweeps.swept(order, (change, estimate));
            // The velocities contain rounding errors unless they have just been recomputed. Therefore only a
            // sweep directly after a recomputation can show that the reactions no longer change.
            SweepResult { all: swept.all && is_renewed, ..swept }
        };
        Ok(iterate(measured, settings.limits(), settings.stopping, best, (r, u), sweep))
    }
}

/// Problem with the data to compute the error of reactions.
struct BodiesErrors<'a, 'p> {
    problem: &'a BodiesProblem<'p>,
    measure: &'a mut BodiesError,
}

impl Measured for BodiesErrors<'_, '_> {
    fn free_velocity(&self) -> f64 {
        self.measure.free_velocity()
    }

    fn error_of(&mut self, r: &[f64], u: &mut [f64]) -> f64 {
        self.measure.of(self.problem, r, u)
    }

    fn judge(&mut self, r: &[f64], error: f64, tolerance: f64) -> Status {
        self.measure.judge(self.problem, r, error, tolerance)
    }

    fn finish(
        &mut self,
        best: &mut BestIterate,
        point: (&mut [f64], &mut [f64]),
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo {
        self.measure.finish(self.problem, best, point, tolerance, stop)
    }
}
