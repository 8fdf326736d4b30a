//! Dense output of an accepted step as a polynomial that is independent of the stepper.
//!
//! With $s$ the fraction of the step and $r = 1 - s$, the dense output of every method is written in the form
//! of Hairer, Norsett, Wanner (1993), section II.6: $p(s) = c_0 + s (c_1 + r (c_2 + s (c_3 + r q(s))))$. The
//! first four terms are a cubic. Methods of higher order add $s^2 r^2 q(s)$, where $q$ has degree 0 or 3. A
//! step that was repeated in sevenths is represented by the states after each seventh:
//! $p(s) = c_0 + s (c_1 + r q(s))$, where $q$ has degree 5.

use super::course::{Bounds, ValueBounds};

/// Fractions of the step at which values determine a cubic $q$.
pub(super) const NODES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];

/// Fractions of the step at which values determine the polynomial of degree 7 of
/// [`set_sevenths`](Segment::set_sevenths).
pub(super) const SEVENTHS: [f64; 6] = [1.0 / 7.0, 2.0 / 7.0, 3.0 / 7.0, 4.0 / 7.0, 5.0 / 7.0, 6.0 / 7.0];

/// Maximum degree of a segment.
pub(super) const LARGEST_DEGREE: usize = 7;

/// Bound on the rounding errors in [`Segment::course`], relative to the sum of the magnitudes of the terms.
const COURSE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Polynomial in the fraction of a step, for each component of the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Segment {
    /// Terms of the polynomial, multiplied by the scale factor of the segment.
    terms: [Vec<f64>; LARGEST_DEGREE + 1],
    form: Form,
    unit: Unit,
}

/// Scale factor of states and slopes: a power of two below 1 if differences of the states might overflow, and
/// 1 otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    factor: f64,
    inverse: f64,
}

impl Default for Unit {
    fn default() -> Self {
        Self { factor: 1.0, inverse: 1.0 }
    }
}

impl Unit {
    /// Returns the unit for two vectors of states or slopes.
    pub(super) fn between(x: &[f64], x_new: &[f64]) -> Self {
        let is_huge = x.iter().chain(x_new).any(|value| value.abs() > 1e290);
        if is_huge {
            Self { factor: 2.0_f64.powi(-200), inverse: 2.0_f64.powi(200) }
        } else {
            Self::default()
        }
    }

    /// Converts a state or a slope to this unit.
    pub(super) fn scaled(self, value: f64) -> f64 {
        self.factor * value
    }

    /// Converts a value in this unit back to a state.
    pub(super) fn restored(self, value: f64) -> f64 {
        self.inverse * value
    }
}

/// Form of a segment: the terms that are used, and how they are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Cubic,
    Quartic,
    Septic,
    Sevenths,
}

impl Form {
    /// Returns the degree: 3, 4 or 7.
    pub(super) fn degree(self) -> usize {
        match self {
            Self::Cubic => 3,
            Self::Quartic => 4,
            Self::Septic | Self::Sevenths => LARGEST_DEGREE,
        }
    }

    /// Evaluates one component at the fraction `s` of the step from the terms of the component.
    pub(super) fn value(self, term: impl Fn(usize) -> f64 + Copy, s: f64) -> f64 {
        term(0) + s * (term(1) + (1.0 - s) * self.bow(term, s).0)
    }

    /// Divides the deviation of a component from its chord by s r. Returns the quotient and the derivative of
    /// the quotient with respect to s.
    fn bow(self, term: impl Fn(usize) -> f64 + Copy, s: f64) -> (f64, f64) {
        let r = 1.0 - s;
        let cubic = |(q, slope): (f64, f64)| {
            let inner = term(3) + r * q;
            (term(2) + s * inner, inner + s * (r * slope - q))
        };
        match self {
            Self::Cubic => cubic((0.0, 0.0)),
            Self::Quartic => cubic((term(4), 0.0)),
            Self::Septic => cubic(newton(|k| term(4 + k), &NODES, s)),
            Self::Sevenths => newton(|k| term(2 + k), &SEVENTHS, s),
        }
    }
}

impl Segment {
    /// Sets the segment to the zero polynomial with n components.
    pub(super) fn reset(&mut self, n: usize) {
        for term in &mut self.terms {
            term.clear();
            term.resize(n, 0.0);
        }
        (self.form, self.unit) = (Form::Cubic, Unit::default());
    }

    /// Returns the unit of the terms.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the degree: 3, 4 or 7.
    pub(super) fn degree(&self) -> usize {
        self.form.degree()
    }

    /// Returns the form of the polynomial.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Returns the terms that are used, each with all components.
    pub(super) fn terms(&self) -> &[Vec<f64>] {
        &self.terms[..=self.degree()]
    }

    /// Sets the segment to the cubic that interpolates the states and slopes at both ends of a step of length
    /// h.
    pub(super) fn set_ends(&mut self, h: f64, (x, f): (&[f64], &[f64]), (x_new, f_new): (&[f64], &[f64])) {
        self.unit = Unit::between(x, x_new);
        let scaled = |value: f64| self.unit.scaled(value);
        let [start, chord, bend, skew, ..] = &mut self.terms;
        for i in 0..x.len() {
            start[i] = scaled(x[i]);
            chord[i] = scaled(x_new[i]) - scaled(x[i]);
            bend[i] = h * scaled(f[i]) - chord[i];
            skew[i] = chord[i] - h * scaled(f_new[i]) - bend[i];
        }
        self.form = Form::Cubic;
    }

    /// Sets the segment to the straight line between the states at both ends.
    pub(super) fn set_line(&mut self, x: &[f64], x_new: &[f64]) {
        self.unit = Unit::between(x, x_new);
        let [start, chord, bend, skew, ..] = &mut self.terms;
        for i in 0..x.len() {
            let [x, x_new] = [x[i], x_new[i]].map(|value| self.unit.scaled(value));
            (start[i], chord[i], bend[i], skew[i]) = (x, x_new - x, 0.0, 0.0);
        }
        self.form = Form::Cubic;
    }

    /// Sets the segment to the cubic that interpolates the states at both ends and at one and two thirds of
    /// the step.
    pub(super) fn set_thirds(&mut self, (x, x_new): (&[f64], &[f64]), (first, second): (&[f64], &[f64])) {
        self.unit = Unit::between(x, x_new);
        let [start, chord, bend, skew, ..] = &mut self.terms;
        for i in 0..x.len() {
            let [x, x_new, first, second] =
                [x[i], x_new[i], first[i], second[i]].map(|value| self.unit.scaled(value));
            start[i] = x;
            chord[i] = x_new - x;
            // Deviation from the chord, divided by s r = 2/9.
            let left = [first - x - chord[i] / 3.0, second - x - 2.0 * chord[i] / 3.0];
            let [left, right] = left.map(|value| 4.5 * value);
            bend[i] = 2.0 * left - right;
            skew[i] = 3.0 * (right - left);
        }
        self.form = Form::Cubic;
    }

    /// Returns `true` if the segment has been set by a function other than
    /// [`set_sevenths`](Self::set_sevenths).
    pub(super) fn is_of_whole_step(&self) -> bool {
        self.form != Form::Sevenths && !self.terms[0].is_empty()
    }

    /// Sets the segment to the polynomial of degree 7 that interpolates the states at both ends and at the
    /// [`SEVENTHS`] of the step. Overwrites `values`.
    pub(super) fn set_sevenths(&mut self, (x, x_new): (&[f64], &[f64]), values: &mut [Vec<f64>; 6]) {
        self.unit = Unit::between(x, x_new);
        let unit = self.unit;
        for i in 0..x.len() {
            self.terms[0][i] = unit.scaled(x[i]);
            self.terms[1][i] = unit.scaled(x_new[i]) - unit.scaled(x[i]);
        }
        for (values, s) in values.iter_mut().zip(SEVENTHS) {
            for (i, value) in values.iter_mut().enumerate() {
                *value = (unit.scaled(*value) - self.terms[0][i] - s * self.terms[1][i]) / (s * (1.0 - s));
            }
        }
        set_newton(&mut self.terms[2..], values, SEVENTHS);
        self.form = Form::Sevenths;
    }

    /// Adds $s^2 r^2 q$ with a constant q for each component, in the unit of the segment.
    pub(super) fn add_quartic(&mut self, q: impl Fn(usize) -> f64) {
        for (i, term) in self.terms[4].iter_mut().enumerate() {
            *term = q(i);
        }
        self.form = Form::Quartic;
    }

    /// Adds $s^2 r^2 q(s)$ with the cubic q for which the polynomial has the given `values` at the [`NODES`],
    /// in the unit of the segment. Overwrites `values`.
    pub(super) fn add_septic(&mut self, values: &mut [Vec<f64>; 4]) {
        for (values, s) in values.iter_mut().zip(NODES) {
            for (i, value) in values.iter_mut().enumerate() {
                let r = 1.0 - s;
                *value = (*value - self.cubic(i, s)) / (s * s * r * r);
            }
        }
        set_newton(&mut self.terms[4..], values, NODES);
        self.form = Form::Septic;
    }

    /// Evaluates one component of the cubic terms, multiplied by the scale factor of the segment.
    pub(super) fn cubic(&self, i: usize, s: f64) -> f64 {
        let [start, chord, bend, skew, ..] = &self.terms;
        start[i] + s * (chord[i] + (1.0 - s) * (bend[i] + s * skew[i]))
    }

    /// Writes the state at the fraction `s` of the step.
    pub(super) fn interpolate(&self, s: f64, x: &mut [f64]) {
        for (i, value) in x.iter_mut().enumerate() {
            *value = self.unit.restored(self.form.value(|k| self.terms[k][i], s));
        }
    }

    /// Returns bounds of component `i` between two fractions of a step of length `h` \[s\]. The bounds follow
    /// from the Taylor polynomial about the middle and the magnitudes of its terms.
    pub(super) fn course(&self, i: usize, (from, to): (f64, f64), h: f64) -> ValueBounds {
        let (middle, reach) = (0.5 * (from + to), 0.5 * (to - from));
        let terms = self.taylor(i, middle);
        let (mut range, mut slope, mut sum, mut power) = (0.0, 0.0, terms[0].abs(), 1.0);
        for (k, term) in terms.iter().enumerate().skip(1) {
            if k > 1 {
                slope += k as f64 * term.abs() * power;
            }
            power *= reach;
            range += term.abs() * power;
            sum += term.abs();
        }
        let rounding = COURSE_ROUNDING * sum;
        let about = |value: f64, size: f64| {
            let bounds = Bounds {
                lower: self.unit.restored(value - size - rounding),
                upper: self.unit.restored(value + size + rounding),
            };
            if bounds.lower.is_nan() || bounds.upper.is_nan() { Bounds::ALL } else { bounds }
        };
        let slope = about(terms[1], slope);
        ValueBounds {
            range: about(terms[0], range),
            middle: about(terms[0], 0.0),
            slope: Bounds { lower: slope.lower / h, upper: slope.upper / h },
            is_continuous: true,
        }
    }

    /// Returns the coefficients of a component in powers of the distance from the fraction `at` of the step.
    fn taylor(&self, i: usize, at: f64) -> Powers {
        let term = |k: usize| self.terms[k][i];
        // Linear functions s and 1 - s, given by their values and slopes at `at`.
        let (s, r) = ((at, 1.0), (1.0 - at, -1.0));
        let newton = |first: usize, nodes: &[f64]| {
            let last = nodes.len() - 1;
            nodes[..last].iter().enumerate().rev().fold(constant(term(first + last)), |q, (k, node)| {
                plus(times(q, (at - node, 1.0)), term(first + k))
            })
        };
        let bow = match self.form {
            Form::Sevenths => newton(2, &SEVENTHS),
            Form::Cubic | Form::Quartic | Form::Septic => {
                let inner = match self.form {
                    Form::Quartic => constant(term(4)),
                    Form::Septic => newton(4, &NODES),
                    Form::Cubic | Form::Sevenths => constant(0.0),
                };
                plus(times(plus(times(inner, r), term(3)), s), term(2))
            }
        };
        plus(times(plus(times(bow, r), term(1)), s), term(0))
    }

    /// Returns the derivative of a component with respect to the fraction of the step.
    pub(super) fn slope(&self, i: usize, s: f64) -> f64 {
        let (bow, slope) = self.form.bow(|k| self.terms[k][i], s);
        self.unit.restored(self.terms[1][i] + (1.0 - 2.0 * s) * bow + s * (1.0 - s) * slope)
    }
}

/// Coefficients of a polynomial in powers of one variable.
type Powers = [f64; LARGEST_DEGREE + 1];

fn constant(value: f64) -> Powers {
    let mut powers = [0.0; LARGEST_DEGREE + 1];
    powers[0] = value;
    powers
}

/// Adds a constant.
fn plus(mut powers: Powers, value: f64) -> Powers {
    powers[0] += value;
    powers
}

/// Multiplies a polynomial by a linear function, which is given by its value at 0 and its slope. The degree
/// of the polynomial must be less than the maximum.
fn times(powers: Powers, (value, slope): (f64, f64)) -> Powers {
    std::array::from_fn(|k| value * powers[k] + if k > 0 { slope * powers[k - 1] } else { 0.0 })
}

/// Evaluates a polynomial in Newton form with one term per node, and its derivative.
fn newton(term: impl Fn(usize) -> f64, nodes: &[f64], s: f64) -> (f64, f64) {
    let last = nodes.len() - 1;
    nodes[..last]
        .iter()
        .enumerate()
        .rev()
        .fold((term(last), 0.0), |(q, slope), (k, node)| (term(k) + (s - node) * q, q + (s - node) * slope))
}

/// Computes the Newton form of the polynomials with the given values at the nodes, by divided differences.
fn set_newton<const N: usize>(terms: &mut [Vec<f64>], values: &[Vec<f64>; N], nodes: [f64; N]) {
    for i in 0..values[0].len() {
        let mut column: [f64; N] = std::array::from_fn(|k| values[k][i]);
        for order in 1..N {
            for k in (order..N).rev() {
                column[k] = (column[k] - column[k - 1]) / (nodes[k] - nodes[k - order]);
            }
        }
        for (term, value) in terms.iter_mut().zip(column) {
            term[i] = value;
        }
    }
}
