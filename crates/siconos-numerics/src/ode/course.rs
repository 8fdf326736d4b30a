//! Bounds of what a state or a guard does over a span of time.

/// Bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
}

impl Bounds {
    /// All numbers.
    pub const ALL: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// The bounds of a number that is known.
    #[must_use]
    pub const fn point(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// The bounds of minus the number.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

/// How a value changes over a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Bounds of its values.
    pub range: Bounds,
    /// Bounds of its value at the middle of the span.
    pub middle: Bounds,
    /// Bounds of its derivative by time, without jumps.
    pub slope: Bounds,
    /// Whether it is known to have no jump.
    pub is_continuous: bool,
}

impl Course {
    /// The course of a value of which nothing is known.
    pub const UNKNOWN: Self =
        Self { range: Bounds::ALL, middle: Bounds::ALL, slope: Bounds::ALL, is_continuous: false };

    /// The course of minus the value.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            range: self.range.negated(),
            middle: self.middle.negated(),
            slope: self.slope.negated(),
            ..self
        }
    }

    /// The course of the value and a constant, up to rounding.
    #[must_use]
    pub fn shifted(self, by: f64) -> Self {
        let shifted = |bounds: Bounds| Bounds {
            lower: (bounds.lower + by).next_down(),
            upper: (bounds.upper + by).next_up(),
        };
        Self { range: shifted(self.range), middle: shifted(self.middle), ..self }
    }
}

/// The solution along a step: a function `(t, x)` that writes the state at a time of the step, or a type that
/// knows bounds as well.
pub trait DenseSolution {
    /// Writes the state at a time \[s\] of the step.
    fn state(&self, t: f64, x: &mut [f64]);

    /// The course of a component of the state over a span of the step \[s\]. Default: nothing is known.
    fn course(&self, span: (f64, f64), component: usize) -> Course {
        let _ = (span, component);
        Course::UNKNOWN
    }
}

impl<F: Fn(f64, &mut [f64])> DenseSolution for F {
    fn state(&self, t: f64, x: &mut [f64]) {
        self(t, x);
    }
}
