//! Steps of systems with two-step schemes, in which velocities are differences of positions.

use super::StepWorkspace;
use crate::integrator::ConstraintLevel;
use crate::nonsmooth_problem::Tables;
use crate::state::State;

impl StepWorkspace {
    /// Reads the mean velocities over the previous step from the state. In the first step, uses the
    /// velocities of the state.
    #[inline(never)]
    pub(super) fn begin_two_step(&mut self, tables: &Tables, state: &State) {
        self.mean_velocity.clone_from(&state.v);
        for entry in tables.systems.iter().filter(|entry| entry.scheme.is.has_equal_steps) {
            if let Some(known) = state.known_mean_velocity(entry.dofs.range()) {
                self.mean_velocity[entry.dofs.range()].copy_from_slice(known);
            }
        }
    }

    /// Computes the velocities at the end of the step, as the average of the mean velocities over the
    /// previous step and over this step. Stores the mean velocities over this step.
    #[inline(never)]
    pub(super) fn end_two_step(&mut self, tables: &Tables) {
        for entry in tables.systems.iter() {
            let dofs = entry.dofs.range();
            let (v, u) = (&mut self.v[dofs.clone()], &mut self.mean_velocity[dofs]);
            let is = entry.scheme.is;
            if !is.has_equal_steps {
                u.fill(f64::NAN);
            } else if is.level == ConstraintLevel::Velocities {
                // The laws of these systems hold for the mean velocity.
                u.copy_from_slice(v);
            } else {
                for (v, u) in v.iter_mut().zip(u) {
                    (*v, *u) = (0.5 * (*v + *u), *v);
                }
            }
        }
    }
}
