//! Guards whose sign has changed and whose roots have not been located.

/// Guard whose sign has changed within a part of a step. It is treated as a function that decreases from
/// positive to negative values: `flip` times the guard, plus `shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) guard: usize,
    pub(super) flip: f64,
    pub(super) shift: f64,
    /// Latest known time before the sign change, and the value at that time.
    pub(super) before: (f64, f64),
    /// Earliest known time at which the value is strictly negative, and the value at that time.
    pub(super) after: (f64, f64),
    /// `true` if the guard is exactly zero at the end of the integration.
    pub(super) is_zero: bool,
}

impl Candidate {
    pub(super) fn value(&self, g: &[f64]) -> f64 {
        self.flip * g[self.guard] + self.shift
    }

    /// Narrows the bracket with the guards `g` at a time inside it.
    pub(super) fn narrow(&mut self, t: f64, g: &[f64]) {
        if self.is_zero || t <= self.before.0 || t >= self.after.0 {
            return;
        }
        let value = self.value(g);
        *(if value < 0.0 { &mut self.after } else { &mut self.before }) = (t, value);
    }
}
