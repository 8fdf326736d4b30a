//! The dense output of an accepted step as a polynomial of our own, so that nothing of the stepper is needed later.
//!
//! With $s$ the fraction of the step and $r = 1 - s$, every method is written in the form of Hairer, Norsett, Wanner
//! (1993), section II.6: $p(s) = c_0 + s (c_1 + r (c_2 + s (c_3 + r q(s))))$. The first four terms are a cubic; the
//! methods of higher order add $s^2 r^2 q(s)$, with $q$ of degree 0 or 3.

/// Where a cubic $q$ is given.
pub(super) const NODES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];

/// The largest degree of a segment.
pub(super) const LARGEST_DEGREE: usize = 7;

/// A polynomial in the fraction of a step, for each component of the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Segment {
    terms: [Vec<f64>; LARGEST_DEGREE + 1],
    degree: usize,
}

impl Segment {
    /// The zero polynomial of n components.
    pub(super) fn reset(&mut self, n: usize) {
        for term in &mut self.terms {
            term.clear();
            term.resize(n, 0.0);
        }
        self.degree = 3;
    }

    /// 3, 4 or 7.
    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// The cubic with the states and slopes at both ends of a step of length h.
    pub(super) fn set_ends(&mut self, h: f64, (x, f): (&[f64], &[f64]), (x_new, f_new): (&[f64], &[f64])) {
        let [start, chord, bend, skew, ..] = &mut self.terms;
        for i in 0..x.len() {
            start[i] = x[i];
            chord[i] = x_new[i] - x[i];
            bend[i] = h * f[i] - chord[i];
            skew[i] = chord[i] - h * f_new[i] - bend[i];
        }
        self.degree = 3;
    }

    /// The cubic with the states at both ends, and at one and two thirds of the step.
    pub(super) fn set_thirds(&mut self, (x, x_new): (&[f64], &[f64]), (first, second): (&[f64], &[f64])) {
        let [start, chord, bend, skew, ..] = &mut self.terms;
        for i in 0..x.len() {
            start[i] = x[i];
            chord[i] = x_new[i] - x[i];
            // What is left after the chord, divided by s r = 2/9.
            let left = [first[i] - x[i] - chord[i] / 3.0, second[i] - x[i] - 2.0 * chord[i] / 3.0];
            let [left, right] = left.map(|value| 4.5 * value);
            bend[i] = 2.0 * left - right;
            skew[i] = 3.0 * (right - left);
        }
        self.degree = 3;
    }

    /// Adds $s^2 r^2 q$ with one number q for each component.
    pub(super) fn add_quartic(&mut self, q: impl Fn(usize) -> f64) {
        for (i, term) in self.terms[4].iter_mut().enumerate() {
            *term = q(i);
        }
        self.degree = 4;
    }

    /// Adds $s^2 r^2 q(s)$ with the cubic q that makes `values` what the polynomial is at the [`NODES`]. `values` may be
    /// changed.
    pub(super) fn add_septic(&mut self, values: &mut [Vec<f64>; 4]) {
        let n = self.terms[0].len();
        for (values, s) in values.iter_mut().zip(NODES) {
            for (i, value) in values.iter_mut().enumerate() {
                let r = 1.0 - s;
                *value = (*value - self.cubic(i, s)) / (s * s * r * r);
            }
        }
        // Newton's divided differences.
        for i in 0..n {
            let mut column: [f64; 4] = std::array::from_fn(|k| values[k][i]);
            for order in 1..4 {
                for k in (order..4).rev() {
                    column[k] = (column[k] - column[k - 1]) / (NODES[k] - NODES[k - order]);
                }
            }
            for (term, value) in self.terms[4..].iter_mut().zip(column) {
                term[i] = value;
            }
        }
        self.degree = LARGEST_DEGREE;
    }

    /// One component of the cubic part.
    pub(super) fn cubic(&self, i: usize, s: f64) -> f64 {
        let [start, chord, bend, skew, ..] = &self.terms;
        start[i] + s * (chord[i] + (1.0 - s) * (bend[i] + s * skew[i]))
    }

    /// Writes the state at the fraction `s` of the step.
    pub(super) fn interpolate(&self, s: f64, x: &mut [f64]) {
        let r = 1.0 - s;
        let [start, chord, bend, skew, q0, q1, q2, q3] = &self.terms;
        for (i, value) in x.iter_mut().enumerate() {
            let q = match self.degree {
                3 => 0.0,
                4 => q0[i],
                _ => q0[i] + (s - NODES[0]) * (q1[i] + (s - NODES[1]) * (q2[i] + (s - NODES[2]) * q3[i])),
            };
            *value = start[i] + s * (chord[i] + r * (bend[i] + s * (skew[i] + r * q)));
        }
    }
}
