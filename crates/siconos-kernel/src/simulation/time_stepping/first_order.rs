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
        let work = &self.work;
        if first && self.tables.systems.iter().any(|entry| explicit_input(entry.scheme)) {
            // r_k, from what the state keeps.
            let (t, x, lambda) = (state.t, &state.v[..], &state.lambda[0][..]);
            let at = Iterate { t_k: t, t_kp1: t, x_k: x, x, lambda };
            let jacobian = &mut self.kinematics.jacobian;
            self.input_output.matrices(model, &self.tables, Which::Variable, at, jacobian)?;
            self.input_output.functions(model, &self.tables, at)?;
            self.input_output.keep_inputs(&self.tables);
        }
        let at = Iterate {
            t_k: work.t_k,
            t_kp1: work.t_kp1,
            x_k: &state.v,
            x: if self.affine { &state.v } else { &work.v },
            lambda: if first { &state.lambda[0] } else { &work.force },
        };
        // After the first iteration, `newton_error` has evaluated everything where the next one begins.
        if first {
            if !self.constant {
                let jacobian = &mut self.kinematics.jacobian;
                self.input_output.matrices(model, &self.tables, Which::Variable, at, jacobian)?;
            }
            self.input_output.functions(model, &self.tables, at)?;
            if !self.affine {
                self.input_output.begin_iterates(&self.tables);
                self.work.v_before.copy_from_slice(&self.work.v);
                self.work.force_before.copy_from_slice(&state.lambda[0]);
            }
        }
        self.input_output.update_known(&self.tables, self.work.h);
        Ok(())
    }

    /// y and r at the end of the step.
    pub(super) fn end_of_first_order(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), SimulationError> {
        let work = &mut self.work;
        if self.affine {
            let (t_k, t_kp1) = (work.t_k, work.t_kp1);
            let at = Iterate { t_k, t_kp1, x_k: &state.v, x: &work.v, lambda: &work.force };
            self.input_output.functions(model, &self.tables, at)?;
        }
        self.input_output.write_outputs(&self.tables, &mut work.y);
        self.input_output.add_evaluated_inputs(&self.tables, work.h, &mut work.impulse);
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
fn explicit_input(scheme: Scheme) -> bool {
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
