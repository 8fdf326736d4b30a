//! What the two methods have in common: the outcome of a trial step, and the norm of its error.

use super::OdeSettings;
use super::right_hand_side::NotFinite;

/// The outcome of a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trial {
    /// The step stands; the next may have this length.
    Accepted { next: f64 },
    /// To be tried again with this length.
    Rejected { next: f64 },
    /// f was not finite somewhere in the step.
    NotFinite(NotFinite),
}

/// Root mean square of an error divided by the tolerances at the larger of two states.
pub(super) fn error_norm(settings: &OdeSettings, error: &[f64], x: &[f64], x_new: &[f64]) -> f64 {
    let squares = error.iter().zip(x).zip(x_new).enumerate().map(|(i, ((e, a), b))| {
        let size = a.abs().max(b.abs());
        (e / (settings.absolute_tolerance.of(i) + settings.relative_tolerance.of(i) * size)).powi(2)
    });
    (squares.sum::<f64>() / error.len().max(1) as f64).sqrt()
}
