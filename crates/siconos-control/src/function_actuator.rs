//! A closure as an actuator.

use std::fmt;

use super::{Actuator, ControlError, Ports};
use siconos_kernel::model::At;

/// The function of a controller: of time and parameters, what was measured, and u to be written.
type Feedback = dyn FnMut(At<'_>, &[f64], &mut [f64]) + Send;

/// An actuator whose u is a function of time, parameters and what was measured.
///
/// ```
/// use siconos_control::{Actuator, FunctionActuator};
///
/// // u = -2 q - 3 v for one input and a sensor of (q, v).
/// let mut feedback = FunctionActuator::new(2, 1, |_at, y, u| u[0] = -2.0 * y[0] - 3.0 * y[1]);
/// let mut u = [0.0];
/// feedback.act(0.0.into(), &[1.0, -1.0], &mut u)?;
/// assert_eq!(u, [1.0]);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
pub struct FunctionActuator {
    ports: Ports,
    feedback: Box<Feedback>,
}

impl FunctionActuator {
    /// An actuator that takes so many numbers, sets so many, and computes them by a function `(at, y, u)`,
    /// which writes u; on entry u is what it was. What the function keeps is not reset by a
    /// [restart](super::ControlLoop::restart).
    #[must_use]
    pub fn new(
        takes: usize,
        gives: usize,
        feedback: impl FnMut(At<'_>, &[f64], &mut [f64]) + Send + 'static,
    ) -> Self {
        Self { ports: Ports { takes, gives, period: None }, feedback: Box::new(feedback) }
    }
}

impl fmt::Debug for FunctionActuator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionActuator").field("ports", &self.ports).finish_non_exhaustive()
    }
}

impl Actuator for FunctionActuator {
    fn ports(&self) -> Ports {
        self.ports
    }

    fn act(&mut self, at: At<'_>, measured: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
        (self.feedback)(at, measured, u);
        Ok(())
    }
}
