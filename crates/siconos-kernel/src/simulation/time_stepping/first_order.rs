//! The parts of a step that belong to relations of first-order systems.

use super::{Iterate, TimeStepping, Which};
use crate::error::{ModelError, SimulationError};
use crate::integrator::Scheme;
use crate::model::{InteractionId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{ContactKind, Tables};
use crate::state::State;

impl TimeStepping {
    /// Evaluates relations at the iterate, before the free motion: matrices where they may have changed, h and g, and the
    /// part of the inputs that they make known.
    pub(super) fn evaluate_relations(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        first: bool,
    ) -> Result<(), SimulationError> {
        if first && self.has_explicit_input {
            // r_k, from what the state keeps.
            let at = Iterate::standing(state.at(), &state.v, &state.lambda[0]);
            let jacobian = &mut self.kinematics.jacobian;
            self.input_output.matrices(model, &self.tables, Which::Variable, at, jacobian)?;
            self.input_output.functions(model, &self.tables, at)?;
            self.input_output.keep_inputs(&self.tables);
        }
        // After the first iteration, everything has been evaluated where the next one begins.
        if first {
            let work = &mut self.work;
            let at = Iterate {
                end: state.at().time(work.t_kp1),
                ..Iterate::standing(state.at(), &state.v, &state.lambda[0])
            };
            if !self.constant {
                let jacobian = &mut self.kinematics.jacobian;
                self.input_output.matrices(model, &self.tables, Which::Variable, at, jacobian)?;
            }
            if self.affine {
                self.input_output.offsets(model, &self.tables, Which::Variable, (at.begin, at.end))?;
            } else {
                self.input_output.functions(model, &self.tables, at)?;
                self.input_output.begin_iterates(&self.tables);
                work.v_before.copy_from_slice(&work.v);
                work.force_before.copy_from_slice(&state.lambda[0]);
            }
        }
        if !self.affine || self.has_explicit_input {
            self.input_output.update_known(&self.tables, self.work.h);
        }
        Ok(())
    }

    /// y and r at the end of the step; in an affine model y is the w of the one-step problem.
    pub(super) fn end_of_first_order(&mut self) -> Result<(), SimulationError> {
        let work = &mut self.work;
        if self.affine {
            self.input_output.add_linear_inputs(&self.tables, work.h, &work.force, &mut work.impulse);
        } else {
            self.input_output.write_outputs(&self.tables, &mut work.y);
            self.input_output.add_evaluated_inputs(&self.tables, work.h, &mut work.impulse);
        }
        for &place in self.input_output.interactions() {
            for row in self.tables.interactions[place].rows.clone() {
                work.lambda[row] = work.h * work.force[row];
            }
        }
        // A loop that is cut off has not used the last r.
        self.check_finite("integral of r", |work| &work.impulse)
    }

    pub(super) fn bounds_error(&self, interaction: InteractionId, source: ModelError) -> SimulationError {
        SimulationError::Bounds { interaction, step: self.work.step, t: self.work.t_k, source }
    }
}

/// Whether r at the beginning of a step acts in it.
pub(super) fn explicit_input(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::FirstOrder(scheme) if scheme.theta_r != 1.0)
}

impl super::StepWork {
    /// lambda of first-order systems from the unknowns of the one-step problem.
    pub(super) fn update_multipliers(&mut self, tables: &Tables) {
        for entry in &tables.interactions {
            if let ContactKind::FirstOrder(scheme) = entry.kind {
                let scale = scheme.scale(self.h);
                for row in entry.rows.clone() {
                    self.force[row] = self.lambda[row] / scale;
                }
            }
        }
    }
}
