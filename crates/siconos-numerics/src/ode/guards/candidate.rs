//! A guard that has changed its side, until its root is located.

/// A guard that has changed its side within a part of a step, as a function that falls from positive to
/// negative: `flip` times the guard, shifted by `shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) guard: usize,
    pub(super) flip: f64,
    pub(super) shift: f64,
    /// Where it has not changed yet, and where it is strictly on the other side, with the values there.
    pub(super) before: (f64, f64),
    pub(super) after: (f64, f64),
    /// The guard is exactly zero at the end of the integration.
    pub(super) is_zero: bool,
}

impl Candidate {
    pub(super) fn value(&self, g: &[f64]) -> f64 {
        self.flip * g[self.guard] + self.shift
    }

    /// Learns from the guards at a time between.
    pub(super) fn narrow(&mut self, t: f64, g: &[f64]) {
        if self.is_zero || t <= self.before.0 || t >= self.after.0 {
            return;
        }
        let value = self.value(g);
        *(if value < 0.0 { &mut self.after } else { &mut self.before }) = (t, value);
    }
}
