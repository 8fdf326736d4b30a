//! What a user writes into a state.

use std::ops::Range;

use super::State;
use super::whole::{first_order_states, velocities};
use crate::model::{DynamicalSystemId, InteractionId, ModelError, ParameterId, check_finite, check_shape};

impl State {
    /// Puts a system elsewhere. A position that is no vector is put into its space: a quaternion is divided
    /// by its length, with a warning where that is off 1 by more than 1e-6.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, an entry that is not finite, or a quaternion 0.
    pub fn set_position(&mut self, id: DynamicalSystemId, q: &[f64]) -> Result<(), ModelError> {
        let places = self.known(id)?;
        let range = checked("q", places.q.clone(), q)?;
        let (mut q, dofs) = (q.to_vec(), places.v.clone());
        places.restore(&mut q)?;
        self.q[range].copy_from_slice(&q);
        self.forget_mean_velocity(dofs);
        self.expire_outputs();
        Ok(())
    }

    /// Gives a system another velocity.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, or an entry that is not finite.
    pub fn set_velocity(&mut self, id: DynamicalSystemId, v: &[f64]) -> Result<(), ModelError> {
        let range = checked("v", velocities(self.known(id)?), v)?;
        self.v[range.clone()].copy_from_slice(v);
        self.forget_mean_velocity(range);
        self.expire_outputs();
        Ok(())
    }

    /// Gives a first-order system another state.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, or an entry that is not finite.
    pub fn set_x(&mut self, id: DynamicalSystemId, x: &[f64]) -> Result<(), ModelError> {
        let range = checked("x", first_order_states(self.known(id)?), x)?;
        self.v[range].copy_from_slice(x);
        self.expire_outputs();
        Ok(())
    }

    /// Gives an interaction of first-order systems another multiplier lambda: the guess of the next step, and
    /// what [`FullyImplicit`](crate::integrator::FullyImplicit) with `theta_r` below 1 takes as the input
    /// before it. It is 0 in an initial state. Of a compliant contact it is the force.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for a stale id, a wrong length, or an entry that is not finite.
    pub fn set_lambda(&mut self, id: InteractionId, lambda: &[f64]) -> Result<(), ModelError> {
        let range = self.layout.rows(id).cloned().ok_or(ModelError::UnknownInteraction { id })?;
        let range = checked("lambda", range, lambda)?;
        self.lambda[0][range].copy_from_slice(lambda);
        self.expire_outputs();
        Ok(())
    }

    /// Sets a parameter. The values hold from the present time on: the step that comes next evaluates the
    /// forces at its beginning with them.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for an unknown id, a wrong length, or an entry that is not finite.
    pub fn set_parameter(&mut self, id: ParameterId, values: &[f64]) -> Result<(), ModelError> {
        self.parameters_set |= self.parameters.set(id, values)?;
        Ok(())
    }
}

/// Checks what is to be written into a range.
fn checked(what: &'static str, range: Range<usize>, x: &[f64]) -> Result<Range<usize>, ModelError> {
    check_shape(what, (range.len(), 1), (x.len(), 1))?;
    check_finite(what, x)?;
    Ok(range)
}
