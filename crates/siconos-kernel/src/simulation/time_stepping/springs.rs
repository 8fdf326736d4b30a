//! Springs and dampers between systems ([`SpringDamper`](crate::model::SpringDamper)) in a step.
//!
//! The impulse of a spring is h times the mean of its forces at both ends of the step, with the weights 1 -
//! theta and theta:
//!
//! ```text
//! lambda = -h [(1 - theta) (k y_k + c ydot_k) + theta (k y_{k+1} + c ydot_{k+1})],
//! y_{k+1} = y^i + h theta (ydot_{k+1} - ydot^i)
//! ```
//!
//! Here y is linearised about the iterate i, which is exact if the relation is linear. Inserting the second
//! equation in the first and dividing by `h theta (h theta k + c)` gives
//! `0 = ydot_{k+1} + .. + lambda / (h theta (h theta k + c))`, which is a row of the one-step problem.

use super::problem::ProblemVectors;
use super::{Motion, TimeStepping};
use crate::index::RowIndex;
use crate::model::SpringDamper;
use crate::nonsmooth_problem::{ImposedVariables, InteractionIndex, Tables};
use crate::state::State;

impl ProblemVectors<'_> {
    /// Returns the constant term of the row of a spring. `free` is the time derivative of y in free motion.
    pub(super) fn of_spring(&self, row: RowIndex, spring: SpringDamper, theta: f64, free: f64) -> f64 {
        let Self { tables, kinematics, work, state, .. } = self;
        let place = row.index();
        let (y_k, y_dot_k) = (state.y[0][place], state.y[1][place]);
        let (before, after) = (work.h * (1.0 - theta), work.h * theta);
        // y at the end of the step if its time derivative were 0 there.
        let y = match tables.interactions[tables.rows[row].interaction].is_linear {
            true => y_k + before * y_dot_k,
            false => work.elongation[place] - after * kinematics.velocity(tables, row, &work.v),
        };
        let impulse = before * spring.force(y_k, y_dot_k) + after * spring.force(y, 0.0);
        free - impulse / (after * (after * spring.stiffness() + spring.damping()))
    }
}

impl TimeStepping {
    /// Evaluates y of springs on nonlinear relations at the iterate of a step.
    pub(super) fn measure_springs(&mut self, state: &State) {
        if !self.work.has_springs {
            return;
        }
        let mut elongation = std::mem::take(&mut self.work.elongation);
        let mut rate = std::mem::take(&mut self.work.elongation_rate);
        let work = &self.work;
        for &place in &self.unconverged.curved {
            if curved_spring(&self.tables, place).is_some() {
                let at = Motion { at: work.end(state), q: &work.q, v: &work.v, lambda: &work.force };
                self.kinematics.output(&self.tables, place, at, (&mut elongation, &mut rate));
            }
        }
        (self.work.elongation, self.work.elongation_rate) = (elongation, rate);
    }

    /// Sets the impulses of springs on nonlinear relations to their values at the iterate. They are needed
    /// for the residuals of the equations of motion.
    pub(super) fn load_springs(&mut self, state: &State) {
        if !self.work.has_springs {
            return;
        }
        self.measure_springs(state);
        let work = &mut self.work;
        for &place in &self.unconverged.curved {
            let Some((spring, theta)) = curved_spring(&self.tables, place) else { continue };
            for at in self.tables.interactions[place].rows.iter() {
                let row = at.index();
                let at_begin = spring.force(state.y[0][row], state.y[1][row]);
                let at_end = spring.force(work.elongation[row], work.elongation_rate[row]);
                let impulse = work.h * ((1.0 - theta) * at_begin + theta * at_end);
                // The elongation is known only up to rounding error, which a stiff spring amplifies.
                let rounding = self.kinematics.gap_rounding(&self.tables, at, work.t_kp1, &work.q);
                let change = (impulse - work.lambda[row]).abs();
                let is_rounding = change <= work.h * theta * spring.stiffness() * rounding;
                if !is_rounding {
                    work.lambda[row] = impulse;
                }
            }
        }
    }
}

/// Returns the spring of a relation that is not linear in the unknowns of a step, with theta.
fn curved_spring(tables: &Tables, place: InteractionIndex) -> Option<(SpringDamper, f64)> {
    let entry = &tables.interactions[place];
    match tables.kind(entry.kind).holds {
        ImposedVariables::Spring { spring, theta } if !entry.is_linear => Some((spring, theta)),
        _ => None,
    }
}
