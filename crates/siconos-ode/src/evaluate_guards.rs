//! The functions whose signs are watched, with a look at what they return.

use super::{OdeError, OdeSystem, Statistics};

/// Writes the guards at a point.
pub(super) fn evaluate(
    system: &mut dyn OdeSystem,
    statistics: &mut Statistics,
    t: f64,
    x: &[f64],
    g: &mut [f64],
) -> Result<(), OdeError> {
    statistics.guard_evaluations += 1;
    system.compute_guards(t, x, g);
    match g.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(guard) => Err(OdeError::Guard { guard, value: g[guard], t }),
    }
}
