//! Bounds of a state component or a guard over a time interval.

/// Lower and upper bound of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl Bounds {
    /// Bounds of an unknown value: minus and plus infinity.
    pub const ALL: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Returns bounds that are both equal to `value`.
    #[must_use]
    pub const fn point(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// Returns the bounds of the negated value.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

/// Bounds of a value and of its time derivative over a time interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueBounds {
    /// Bounds of the values.
    pub range: Bounds,
    /// Bounds of the value at the middle of the time interval.
    pub middle: Bounds,
    /// Bounds of the time derivative between jumps of the value.
    pub slope: Bounds,
    /// `true` if the value is known to have no jump.
    pub is_continuous: bool,
}

impl ValueBounds {
    /// Bounds of a value about which nothing is known.
    pub const UNKNOWN: Self =
        Self { range: Bounds::ALL, middle: Bounds::ALL, slope: Bounds::ALL, is_continuous: false };

    /// Returns the bounds of the negated value.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            range: self.range.negated(),
            middle: self.middle.negated(),
            slope: self.slope.negated(),
            ..self
        }
    }

    /// Returns the bounds of the value plus a constant, rounded outward.
    #[must_use]
    pub fn shifted(self, by: f64) -> Self {
        let shifted = |bounds: Bounds| Bounds {
            lower: (bounds.lower + by).next_down(),
            upper: (bounds.upper + by).next_up(),
        };
        Self { range: shifted(self.range), middle: shifted(self.middle), ..self }
    }
}

/// Solution within a step. It is implemented for closures `(t, x)` that write the state at time t, and by
/// types that also provide bounds.
pub trait DenseSolution {
    /// Writes the state at a time \[s\] within the step.
    fn state(&self, t: f64, x: &mut [f64]);

    /// Writes the state at or near a fraction of the step from `first` to `last` \[s\]. Returns the fraction
    /// that corresponds exactly to the written state. Default: the state at the floating-point time nearest
    /// to the given fraction.
    fn state_near(&self, (first, last): (f64, f64), fraction: f64, x: &mut [f64]) -> f64 {
        let t = first + fraction * (last - first);
        self.state(t, x);
        // At a large time, the rounding error of the time makes the fraction inaccurate.
        if fraction == 1.0 { 1.0 } else { (t - first) / (last - first) }
    }

    /// Returns the bounds of a state component over the time interval `span` \[s\] of the step. Default:
    /// [`ValueBounds::UNKNOWN`].
    fn course(&self, span: (f64, f64), component: usize) -> ValueBounds {
        let _ = (span, component);
        ValueBounds::UNKNOWN
    }
}

impl<F: Fn(f64, &mut [f64])> DenseSolution for F {
    fn state(&self, t: f64, x: &mut [f64]) {
        self(t, x);
    }
}
