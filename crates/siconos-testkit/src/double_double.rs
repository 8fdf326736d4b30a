//! Double-double arithmetic, in which a number is the unevaluated sum of two doubles, with about 32 digits.
//!
//! Two doubles are added by Knuth's error-free sum and multiplied by a fused multiply-add. The operations on
//! pairs follow Dekker (1971), *A floating-point technique for extending the available precision*, and
//! Joldes, Muller, Popescu (2017), *Tight and rigorous error bounds for basic building blocks of double-word
//! arithmetic*. The precision is sufficient to add a velocity to a term that is $10^{16}$ times as large.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Unevaluated sum of two doubles. The second is at most half a unit in the last place of the first.
///
/// ```
/// use siconos_testkit::double_double::DoubleDouble;
///
/// let (large, small) = (DoubleDouble::from(1e17), DoubleDouble::from(0.25));
/// assert_eq!((large + small - large).to_f64(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

/// Returns the sum of two doubles and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_in_sum = sum - a;
    (sum, (a - (sum - b_in_sum)) + (b - b_in_sum))
}

/// Returns the product of two doubles and its rounding error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };
    /// One.
    pub const ONE: Self = Self { high: 1.0, low: 0.0 };

    fn normal(high: f64, low: f64) -> Self {
        let sum = high + low;
        // The low part of a number that is not finite would be NaN, so it is set to 0.
        if sum.is_finite() {
            Self { high: sum, low: low - (sum - high) }
        } else {
            Self { high: sum, low: 0.0 }
        }
    }

    /// Returns the nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.high
    }

    /// Returns the absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// Returns the larger of two numbers, or `self` if one is NaN.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// Returns the smaller of two numbers, or `self` if one is NaN.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// Returns the square root, by one Newton step from the root of the high part; NaN for a negative number.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        if root == 0.0 || !root.is_finite() {
            return Self::from(root);
        }
        let rest = self - Self::from(root) * Self::from(root);
        Self::from(root) + Self::from(rest.high / (2.0 * root))
    }

    /// Returns the Euclidean norm.
    #[must_use]
    pub fn norm(x: &[Self]) -> Self {
        // The entries are divided by the largest magnitude, so that their squares neither overflow nor
        // underflow.
        let largest = x.iter().fold(Self::ZERO, |largest, x| largest.max(x.abs()));
        if largest == Self::ZERO || !largest.high.is_finite() {
            return largest;
        }
        let unit = Self::from(2.0_f64.powi(largest.high.log2().floor() as i32));
        unit * x.iter().map(|x| (*x / unit) * (*x / unit)).sum::<Self>().sqrt()
    }
}

impl From<f64> for DoubleDouble {
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
}

impl PartialOrd for DoubleDouble {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.high.partial_cmp(&other.high)? {
            Ordering::Equal => self.low.partial_cmp(&other.low),
            order => Some(order),
        }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, rest) = two_sum(self.high, other.high);
        let (low, last) = two_sum(self.low, other.low);
        let first = Self::normal(high, rest + low);
        Self::normal(first.high, first.low + last)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Add::add(self, -other)
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (high, rest) = two_product(self.high, other.high);
        Self::normal(high, rest + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        if !first.is_finite() || first == 0.0 {
            return Self::from(first);
        }
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::normal(first, second) + Self::from(rest.high / other.high)
    }
}

impl Sum for DoubleDouble {
    fn sum<I: Iterator<Item = Self>>(iterator: I) -> Self {
        iterator.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::DoubleDouble as D;

    fn of(x: f64) -> D {
        D::from(x)
    }

    #[test]
    fn what_a_double_loses_is_kept() {
        let tiny = 2.0_f64.powi(-90);
        assert_eq!(((D::ONE + of(tiny)) - D::ONE).to_f64(), tiny);
        // (1 + 2^-30)^2 - 1 - 2^-29 = 2^-60.
        let x = D::ONE + of(2.0_f64.powi(-30));
        assert_eq!((x * x - D::ONE - of(2.0_f64.powi(-29))).to_f64(), 2.0_f64.powi(-60));
    }

    #[test]
    fn quotients_and_roots_are_good_to_thirty_digits() {
        for k in 1..200 {
            let x = of(f64::from(k) * 0.37 + 1e-3);
            let third = x / of(3.0);
            assert!(((third * of(3.0) - x) / x).abs().to_f64() < 1e-31, "{k}");
            let root = x.sqrt();
            assert!(((root * root - x) / x).abs().to_f64() < 1e-30, "{k}");
        }
        assert_eq!(of(0.0).sqrt(), of(0.0));
        assert!(of(-1.0).sqrt().to_f64().is_nan());
    }

    #[test]
    fn norms_do_not_overflow() {
        for unit in [2.0_f64.powi(900), 2.0_f64.powi(-900)] {
            assert_eq!(D::norm(&[of(3.0 * unit), of(4.0 * unit)]).to_f64(), 5.0 * unit);
        }
        assert_eq!(D::norm(&[]), D::ZERO);
        assert_eq!(D::norm(&[of(f64::INFINITY), D::ONE]).to_f64(), f64::INFINITY);
    }

    #[test]
    fn order_looks_at_both_parts() {
        let x = D::ONE + of(1e-25);
        assert!(x > D::ONE && x.max(D::ONE) == x && x.min(D::ONE) == D::ONE);
    }
}
