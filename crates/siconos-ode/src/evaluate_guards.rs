//! Evaluation of the guards, with a check that they are finite.

use super::{OdeError, OdeSystem, Statistics};

/// Writes the values of all guards to `g`.
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
