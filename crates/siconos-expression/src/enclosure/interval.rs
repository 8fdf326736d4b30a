//! Interval arithmetic with outward rounding. The result of an operation contains all of its values for
//! operands in the given intervals.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::{Add, Mul, Neg, Sub};

/// Bound on the relative error of functions of the standard library: a few units in the last place.
const FUNCTION_ERROR: f64 = 4.0 * f64::EPSILON;

/// Closed interval, possibly unbounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound, at least `lower`.
    pub upper: f64,
}

impl Interval {
    /// Interval that contains all real numbers.
    pub const ALL: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    pub(super) const ZERO: Self = Self::point(0.0);
    pub(super) const ONE: Self = Self::point(1.0);
    /// Bounds of an unknown condition, from 0 (false) to 1 (true).
    pub(super) const EITHER: Self = Self { lower: 0.0, upper: 1.0 };

    /// Returns the interval that contains only `value`.
    #[must_use]
    pub const fn point(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// Returns the interval between two bounds, or [`ALL`](Self::ALL) if a bound is NaN.
    #[must_use]
    pub fn new(lower: f64, upper: f64) -> Self {
        if lower.is_nan() || upper.is_nan() { Self::ALL } else { Self { lower, upper } }
    }

    /// Returns `true` if the value is in the interval.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Returns the smallest interval that contains both intervals.
    pub(super) fn hull(self, other: Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Rounds bounds outward: each bound is moved to the adjacent floating-point number.
    fn outward(lower: f64, upper: f64) -> Self {
        Self::new(lower.next_down(), upper.next_up())
    }

    /// Applies an increasing function of the standard library to both bounds.
    pub(super) fn grown(self, function: impl Fn(f64) -> f64) -> Self {
        let (lower, upper) = (function(self.lower), function(self.upper));
        Self::outward(lower - FUNCTION_ERROR * lower.abs(), upper + FUNCTION_ERROR * upper.abs())
    }

    pub(super) fn divided_by(self, divisor: Self) -> Self {
        if divisor.contains(0.0) {
            return Self::ALL;
        }
        let quotients = [
            self.lower / divisor.lower,
            self.lower / divisor.upper,
            self.upper / divisor.lower,
            self.upper / divisor.upper,
        ];
        of_corners(quotients)
    }

    pub(super) fn magnitude(self) -> Self {
        if self.lower >= 0.0 {
            self
        } else if self.upper <= 0.0 {
            -self
        } else {
            Self { lower: 0.0, upper: self.upper.max(-self.lower) }
        }
    }

    /// Raises the interval to a positive integer power.
    pub(super) fn power(self, exponent: u32) -> Self {
        let base = if exponent.is_multiple_of(2) { self.magnitude() } else { self };
        // Each factor causes one rounding error.
        let spread = f64::from(exponent) * f64::EPSILON;
        let exponent = exponent as i32;
        let (lower, upper) = (base.lower.powi(exponent), base.upper.powi(exponent));
        Self::new(lower - spread * lower.abs(), upper + spread * upper.abs())
    }

    pub(super) fn sine(self) -> Self {
        (self - Self::point(FRAC_PI_2)).cosine()
    }

    pub(super) fn cosine(self) -> Self {
        let width = self.upper - self.lower;
        // The width is NaN if both bounds are the same infinity.
        if width.is_nan() || width >= TAU || self.lower.abs().max(self.upper.abs()) > 1e15 {
            return Self { lower: -1.0, upper: 1.0 };
        }
        let (a, b) = (self.lower.cos(), self.upper.cos());
        // The cosine has a maximum at each multiple of 2 pi, and a minimum half a period later. Because the
        // bounds are rounded, an extremum just outside the interval counts as inside.
        let slack = 4.0 * f64::EPSILON * (1.0 + self.lower.abs().max(self.upper.abs()));
        let has = |phase: f64| {
            let turns = ((self.lower - slack - phase) / TAU).ceil();
            TAU * turns + phase <= self.upper + slack
        };
        let lower = if has(std::f64::consts::PI) { -1.0 } else { a.min(b) - 2.0 * slack };
        let upper = if has(0.0) { 1.0 } else { a.max(b) + 2.0 * slack };
        Self { lower: lower.max(-1.0), upper: upper.min(1.0) }
    }

    /// Applies an increasing step function to both bounds.
    pub(super) fn stepped(self, function: impl Fn(f64) -> f64) -> Self {
        Self::new(function(self.lower), function(self.upper))
    }

    pub(super) fn is_finite(self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }

    pub(super) fn is_point(self) -> bool {
        self.lower == self.upper
    }
}

fn of_corners(corners: [f64; 4]) -> Interval {
    if corners.iter().any(|corner| corner.is_nan()) {
        return Interval::ALL;
    }
    let lower = corners.into_iter().fold(f64::INFINITY, f64::min);
    let upper = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Interval::outward(lower, upper)
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::outward(self.lower + other.lower, self.upper + other.upper)
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::outward(self.lower - other.upper, self.upper - other.lower)
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self == Self::ZERO || other == Self::ZERO {
            return Self::ZERO;
        }
        of_corners([
            self.lower * other.lower,
            self.lower * other.upper,
            self.upper * other.lower,
            self.upper * other.upper,
        ])
    }
}
