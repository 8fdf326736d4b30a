//! Problem at velocity level: impacts.

use siconos_numerics::SolveInfo;

use super::super::OneStepProblem;
use super::super::modes::Dynamics;
use super::{Constraint, LagrangianModes, MotionPoint};
use crate::nonsmooth_problem::UnitaryIndex;
use crate::simulation::SimulationError;

/// Maximum number of successive impacts at the same time. More impacts count as an accumulation.
const MOST_IMPACTS_AT_ONCE: usize = 200;

impl LagrangianModes {
    /// Solves the problem at velocity level over I_1, $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ with
    /// $\dot y^+ = J M^{-1} J^T \lambda + \dot y^-$, and updates velocities, I_1 and I_2.
    ///
    /// A contact that touches but is opening is not included. If the impact makes it close, another impact
    /// follows at the same time, which includes it. Each impact therefore includes only contacts with
    /// $\dot y^- \le 0$. If the coefficients of restitution are equal, no impact then gains energy. An impact
    /// law over closing and opening contacts together can gain energy.
    ///
    /// If there are [`MOST_IMPACTS_AT_ONCE`] impacts at the same time, they count as an accumulation, and a
    /// plastic impact removes the remaining velocities. Impacts by compression include all touching contacts,
    /// because an opening contact can close again within the impact.
    pub(super) fn impinge(&mut self) -> Result<(), SimulationError> {
        let mut round = 0;
        while self.needs_impact() && round <= MOST_IMPACTS_AT_ONCE {
            let settles = self.multiple.is_some() && self.settles();
            let is_plastic = settles || round == MOST_IMPACTS_AT_ONCE;
            self.outcome.impact_solve = self.on_point(|it, point| it.solve_impact_at(point, is_plastic))?;
            round += 1;
        }
        // Opening contacts leave I_1 as well: I_1 - I_2 is empty after an impact.
        self.update_lasting_contacts();
        let lifts = |place: &UnitaryIndex| self.touching[*place] && !self.closed[*place];
        self.outcome.lifted_places.extend(self.closed.places().filter(lifts));
        self.touching.copy_from_slice(&self.closed);
        Ok(())
    }

    fn solve_impact_at(
        &mut self,
        point: &mut MotionPoint,
        is_plastic: bool,
    ) -> Result<SolveInfo, SimulationError> {
        self.factor_masses(point.t, &point.q)?;
        let tolerance = self.settings.velocity_tolerance;
        self.members.clear();
        for (place, unitary) in self.tables.unitary.entries() {
            let opens = !self.is_bilateral(place) && point.y_dot[unitary.rows.start().index()] > tolerance;
            let is_in_turn = is_plastic || self.multiple.is_some() || !opens;
            if self.touching[place] && is_in_turn {
                self.members.push(place);
            }
        }
        let solved = if self.multiple.is_some() && !is_plastic {
            self.solve_by_compression(point)
        } else {
            self.solve_by_velocities(point, is_plastic)
        };
        for &place in &self.members {
            let unitary = &self.tables.unitary[place];
            for at in unitary.rows.iter() {
                let row = at.index();
                let percussion = self.posed.z[row];
                point.percussion[row] += percussion;
                self.add_response(at, percussion, &mut point.v);
                let j = self.kinematics.row(&self.tables, at);
                j.add_to(percussion, &mut point.impulse);
                let speed = -point.y_dot[row];
                if speed > tolerance && !self.is_bilateral(place) {
                    self.outcome.note_impact(place, self.tables.name(unitary), speed);
                }
            }
        }
        self.evaluate_outputs(point);
        solved
    }

    /// Solves the impact problem of the selected contacts (`members`) by Newton's law, which relates the
    /// velocities before and after the impact.
    fn solve_by_velocities(
        &mut self,
        point: &MotionPoint,
        is_plastic: bool,
    ) -> Result<SolveInfo, SimulationError> {
        self.solve_over_members(OneStepProblem::Impact, point.t, |it, place, at| {
            let before = point.y_dot[at.index()];
            match it.constraints[place] {
                Constraint::Unilateral { restitution } if !is_plastic => (before + restitution * before, 0.0),
                _ => (before, 0.0),
            }
        })
    }
}
