//! Actuator made from a closure.

use std::fmt;

use super::{Actuator, ControlError, Ports};
use siconos_kernel::model::At;

/// Function that computes u from the time, the parameters and the measurement, and writes it to the last
/// argument.
type Feedback = dyn FnMut(At<'_>, &[f64], &mut [f64]) + Send;

/// Actuator that computes u as a function of time, parameters and measurement.
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
    /// Creates an actuator that reads a signal with `takes` entries and sets an input with `gives` entries.
    /// The function `feedback(at, y, u)` writes u; on entry, u has its previous value. A
    /// [restart](super::ControlLoop::restart) does not reset the variables that the function has captured.
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
