//! The best point that an iterative method in global form has measured.

/// The reactions and velocities with the least error.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    r: Vec<f64>,
    v: Vec<f64>,
    error: f64,
}

impl Best {
    /// Forgets everything but this point.
    pub(super) fn begin(&mut self, r: &[f64], v: &[f64], error: f64) {
        self.error = f64::NAN;
        self.offer(r, v, error);
        self.error = error;
    }

    /// Keeps the point when it is better.
    pub(super) fn offer(&mut self, r: &[f64], v: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.error = error;
            for (kept, given) in [(&mut self.r, r), (&mut self.v, v)] {
                kept.clear();
                kept.extend_from_slice(given);
            }
        }
    }

    /// Its error.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Writes the point.
    pub(super) fn copy_to(&self, r: &mut [f64], v: &mut [f64]) {
        r.copy_from_slice(&self.r);
        v.copy_from_slice(&self.v);
    }
}
