//! Multipliers of first-order systems that alternate from step to step.
//!
//! If $y = 0$ holds over many steps and lambda acts on the second derivative of y, the theta scheme
//! multiplies the error of lambda by $-(1 - \theta) / \theta$ in each step. With theta = 1/2, the factor is
//! -1, and lambda alternates about its exact value indefinitely.

use crate::model::InteractionId;
use crate::nonsmooth_problem::Tables;

/// Number of successive alternations after which a multiplier is reported. A nonsmooth solution rarely has
/// more than two.
const REPORTED_AFTER: u32 = 32;

/// Minimum change of a reported multiplier in a step, as a fraction of its magnitude.
const LEAST_CHANGE: f64 = 1e-3;

/// Minimum ratio of a change to the previous change for which the alternation counts as undamped.
const UNDAMPED: f64 = 0.9;

/// Counters of the successive alternations of the multipliers whose alternation the scheme does not damp.
#[derive(Clone, Debug, Default)]
pub(super) struct AlternationMonitor {
    rows: Vec<RowHistory>,
    alternating: Vec<InteractionId>,
}

/// Recent changes of one multiplier.
#[derive(Clone, Copy, Debug)]
struct RowHistory {
    row: usize,
    interaction: InteractionId,
    theta: f64,
    last_change: f64,
    alternations: u32,
}

impl AlternationMonitor {
    /// Creates the counters for the interactions whose scheme does not damp the alternation.
    pub(super) fn new(tables: &Tables) -> Self {
        let mut rows = Vec::new();
        for entry in tables.interactions.iter().filter(|entry| !entry.is_gone()) {
            if let Some(weights) = tables.kind(entry.kind).weights()
                && weights.hold.is_none()
                && weights.theta <= 0.5
                && let Some(interaction) = entry.id.interaction()
            {
                rows.extend(entry.rows.range().map(|row| RowHistory {
                    row,
                    interaction,
                    theta: weights.theta,
                    last_change: 0.0,
                    alternations: 0,
                }));
            }
        }
        Self { rows, alternating: Vec::new() }
    }

    /// Returns the interactions that have been reported, in the order in which they were reported.
    pub(super) fn alternating(&self) -> &[InteractionId] {
        &self.alternating
    }

    /// Records the multipliers at both ends of a step that ends at time `t`. Emits a `tracing` warning the
    /// first time that an interaction is reported.
    pub(super) fn follow(&mut self, before: &[f64], after: &[f64], t: f64) {
        for history in &mut self.rows {
            let RowHistory { row, interaction, theta, .. } = *history;
            if history.follow(before[row], after[row]) && !self.alternating.contains(&interaction) {
                self.alternating.push(interaction);
                tracing::warn!(
                    "the multiplier of interaction {interaction} alternates from step to step (t = {t:e}): theta = {theta} \
                     does not damp it where lambda acts on the second derivative of y; use theta above 1/2, or 1 to damp \
                     it in one step"
                );
            }
        }
    }
}

impl RowHistory {
    /// Records the multiplier at both ends of a step. Returns `true` in the step in which the number of
    /// alternations reaches [`REPORTED_AFTER`].
    fn follow(&mut self, before: f64, after: f64) -> bool {
        let change = after - before;
        let last_change = std::mem::replace(&mut self.last_change, change);
        // Fast path: most changes have the same sign as the previous change.
        if change * last_change >= 0.0 {
            self.alternations = 0;
            return false;
        }
        let is_large = change.abs() > LEAST_CHANGE * before.abs().max(after.abs());
        let is_undamped = change.abs() >= UNDAMPED * last_change.abs();
        self.alternations = if is_large && is_undamped { self.alternations + 1 } else { 0 };
        self.alternations == REPORTED_AFTER
    }
}
