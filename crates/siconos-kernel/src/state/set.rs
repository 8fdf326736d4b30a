//! Setters of the state.

use std::ops::Range;

use super::State;
use super::whole::{first_order_states, velocities};
use crate::model::{DynamicalSystemId, InteractionId, ModelError, ParameterId, check_finite, check_shape};

impl State {
    /// Sets the position of a system. If the configuration space is not a vector space, the position is
    /// projected onto it. For example, a quaternion is normalised, with a warning if its norm differs from 1
    /// by more than 1e-6. If the system is [asleep](Self::is_asleep), it wakes.
    ///
    /// # Errors
    ///
    /// If the id is stale, the length is wrong, an entry is not finite, or a quaternion is 0: [`ModelError`].
    pub fn set_position(&mut self, id: DynamicalSystemId, q: &[f64]) -> Result<(), ModelError> {
        let places = self.known(id)?;
        let range = checked("q", places.q.clone(), q)?;
        let (mut q, dofs) = (q.to_vec(), places.v.clone());
        places.restore(&mut q)?;
        self.q[range].copy_from_slice(&q);
        self.forget_mean_velocity(dofs);
        self.rest.remove(id);
        self.expire_outputs();
        Ok(())
    }

    /// Sets the velocity of a system. If the system is [asleep](Self::is_asleep), it wakes.
    ///
    /// # Errors
    ///
    /// If the id is stale, the length is wrong, or an entry is not finite: [`ModelError`].
    pub fn set_velocity(&mut self, id: DynamicalSystemId, v: &[f64]) -> Result<(), ModelError> {
        let range = checked("v", velocities(self.known(id)?), v)?;
        self.v[range.clone()].copy_from_slice(v);
        self.forget_mean_velocity(range);
        self.rest.remove(id);
        self.expire_outputs();
        Ok(())
    }

    /// Sets the state x of a first-order system.
    ///
    /// # Errors
    ///
    /// If the id is stale, the length is wrong, or an entry is not finite: [`ModelError`].
    pub fn set_x(&mut self, id: DynamicalSystemId, x: &[f64]) -> Result<(), ModelError> {
        let range = checked("x", first_order_states(self.known(id)?), x)?;
        self.v[range].copy_from_slice(x);
        self.expire_outputs();
        Ok(())
    }

    /// Sets the multiplier lambda of an interaction at [`Level::Position`](super::Level::Position). For
    /// first-order systems, it is the initial guess for the next step. In addition,
    /// [`FullyImplicit`](crate::integrator::FullyImplicit) with `theta_r` below 1 uses it as the input at the
    /// start of the step. For a compliant contact, it is the force. In an initial state, it is 0 by default.
    ///
    /// # Errors
    ///
    /// If the id is stale, the length is wrong, or an entry is not finite: [`ModelError`].
    pub fn set_lambda(&mut self, id: InteractionId, lambda: &[f64]) -> Result<(), ModelError> {
        let range = self.layout.rows(id).cloned().ok_or(ModelError::UnknownInteraction { id })?;
        let range = checked("lambda", range, lambda)?;
        self.lambda[0][range].copy_from_slice(lambda);
        self.expire_outputs();
        Ok(())
    }

    /// Sets the values of a parameter from the current time onwards. The next step already uses them for the
    /// forces at its start.
    ///
    /// # Errors
    ///
    /// If the id is unknown, the length is wrong, or a value is not finite: [`ModelError`].
    pub fn set_parameter(&mut self, id: ParameterId, values: &[f64]) -> Result<(), ModelError> {
        self.parameters_set |= self.parameters.set(id, values)?;
        Ok(())
    }
}

/// Checks the length and the values of a vector, and returns `range`.
fn checked(what: &'static str, range: Range<usize>, x: &[f64]) -> Result<Range<usize>, ModelError> {
    check_shape(what, (range.len(), 1), (x.len(), 1))?;
    check_finite(what, x)?;
    Ok(range)
}
