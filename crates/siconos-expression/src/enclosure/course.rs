//! Interval arithmetic for values and their time derivatives (slopes). The bounds of the result of each
//! operation are computed from the bounds of its operands.

use super::interval::Interval;
use crate::expression::{Binary, Unary};

/// Bounds of a value and of its time derivative over a time interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAndSlopeBounds {
    /// Interval that contains all values.
    pub range: Interval,
    /// Interval that contains the value at the middle of the time interval.
    pub middle: Interval,
    /// Interval that contains all time derivatives. It contains both one-sided derivatives at a kink, and
    /// excludes jumps.
    pub slope: Interval,
    /// `true` if the value is known to be continuous over the time interval.
    pub is_continuous: bool,
}

impl ValueAndSlopeBounds {
    /// Returns the bounds of a constant function.
    #[must_use]
    pub const fn constant(value: f64) -> Self {
        let value = Interval::point(value);
        Self { range: value, middle: value, slope: Interval::point(0.0), is_continuous: true }
    }

    /// Returns these bounds restricted to the middle of the time interval.
    pub(super) fn at_middle(self) -> Self {
        Self { range: self.middle, slope: Interval::ZERO, ..self }
    }

    /// Sets `middle`. If the value is continuous, also narrows the range by the mean value form: the value
    /// differs from the value at the middle by at most the slope times `reach`, which is half the length of
    /// the time interval.
    pub(super) fn about(self, middle: Interval, reach: f64) -> Self {
        if !self.is_continuous {
            return Self { middle, ..self };
        }
        let near = middle + self.slope * Interval { lower: -reach, upper: reach };
        let (lower, upper) = (self.range.lower.max(near.lower), self.range.upper.min(near.upper));
        // Both intervals contain the values, so only rounding errors can make the intersection empty.
        let range = if lower <= upper { Interval { lower, upper } } else { self.range };
        Self { range, middle, ..self }
    }

    /// Returns the bounds of a constant that can be NaN.
    pub(super) fn number(value: f64) -> Self {
        if value.is_nan() { Self::UNKNOWN } else { Self::constant(value) }
    }

    /// Bounds of a value about which nothing is known.
    const UNKNOWN: Self =
        Self { range: Interval::ALL, middle: Interval::ALL, slope: Interval::ALL, is_continuous: false };

    /// Returns the bounds of a condition. If neither argument is `true`, the condition is unknown.
    fn condition(is_true: bool, is_false: bool) -> Self {
        match (is_true, is_false) {
            (true, false) => Self::constant(1.0),
            (false, true) => Self::constant(0.0),
            _ => Self::of(Interval::EITHER, Interval::ZERO, false),
        }
    }

    fn is_constant(self) -> bool {
        self.range.is_point() && self.is_continuous
    }

    fn is_true(self) -> bool {
        !self.range.contains(0.0)
    }

    fn is_false(self) -> bool {
        self.range == Interval::ZERO
    }

    /// Returns bounds with `middle` equal to the range. [`about`](Self::about) narrows `middle` later.
    fn of(range: Interval, slope: Interval, is_continuous: bool) -> Self {
        Self { range, middle: range, slope, is_continuous }
    }

    fn with(self, range: Interval, slope: Interval) -> Self {
        Self::of(range, slope, self.is_continuous)
    }

    /// Applies a step function. The result is continuous if the function has one value over the whole range.
    fn step(self, function: impl Fn(f64) -> f64) -> Self {
        let range = self.range.stepped(function);
        Self::of(range, Interval::ZERO, self.is_continuous && range.is_point())
    }

    pub(super) fn unary(self, unary: Unary) -> Self {
        let Self { range, slope, .. } = self;
        match unary {
            Unary::Not => Self::condition(self.is_false(), self.is_true()),
            _ if !range.is_finite() => Self::UNKNOWN,
            Unary::Negate => self.with(-range, -slope),
            Unary::Sin => self.with(range.sine(), range.cosine() * slope),
            Unary::Cos => self.with(range.cosine(), -range.sine() * slope),
            Unary::Tan if range.cosine().contains(0.0) => Self::UNKNOWN,
            Unary::Tan => {
                let value = range.grown(f64::tan);
                self.with(value, (Interval::ONE + value.power(2)) * slope)
            }
            Unary::Asin | Unary::Acos if range.lower < -1.0 || range.upper > 1.0 => Self::UNKNOWN,
            Unary::Asin => self.steep(range.grown(f64::asin), rest_of_one(range).grown(f64::sqrt)),
            Unary::Acos => {
                let value = (-range).grown(|x| (-x).acos());
                self.steep(value, -rest_of_one(range).grown(f64::sqrt))
            }
            Unary::Atan => {
                let divisor = Interval::ONE + range.power(2);
                self.with(range.grown(f64::atan), slope.divided_by(divisor))
            }
            Unary::Sinh => self.with(range.grown(f64::sinh), range.magnitude().grown(f64::cosh) * slope),
            Unary::Cosh => self.with(range.magnitude().grown(f64::cosh), range.grown(f64::sinh) * slope),
            Unary::Tanh => {
                let divisor = range.magnitude().grown(f64::cosh).power(2);
                self.with(range.grown(f64::tanh), slope.divided_by(divisor))
            }
            Unary::Asinh => {
                let divisor = range.magnitude().grown(|x| x.hypot(1.0));
                self.with(range.grown(f64::asinh), slope.divided_by(divisor))
            }
            Unary::Acosh if range.lower < 1.0 => Self::UNKNOWN,
            Unary::Acosh => {
                let square = (range - Interval::ONE) * (range + Interval::ONE);
                self.steep(range.grown(f64::acosh), square.magnitude().grown(f64::sqrt))
            }
            Unary::Atanh if range.lower <= -1.0 || range.upper >= 1.0 => Self::UNKNOWN,
            Unary::Atanh => self.with(range.grown(f64::atanh), slope.divided_by(rest_of_one(range))),
            Unary::Exp => {
                let value = range.grown(f64::exp);
                self.with(value, value * slope)
            }
            Unary::Ln | Unary::Log2 | Unary::Log10 if range.lower <= 0.0 => Self::UNKNOWN,
            Unary::Ln => self.with(range.grown(f64::ln), slope.divided_by(range)),
            Unary::Log2 => {
                let divisor = Interval::point(std::f64::consts::LN_2) * range;
                self.with(range.grown(f64::log2), slope.divided_by(divisor))
            }
            Unary::Log10 => {
                let divisor = Interval::point(std::f64::consts::LN_10) * range;
                self.with(range.grown(f64::log10), slope.divided_by(divisor))
            }
            Unary::Sqrt if range.lower < 0.0 => Self::UNKNOWN,
            Unary::Sqrt => {
                let value = range.grown(f64::sqrt).magnitude();
                self.steep(value, value + value)
            }
            Unary::Cbrt => {
                let value = range.grown(f64::cbrt);
                self.steep(value, Interval::point(3.0) * value.power(2))
            }
            Unary::Abs => {
                let slope = if range.lower >= 0.0 {
                    slope
                } else if range.upper <= 0.0 {
                    -slope
                } else {
                    slope.hull(-slope)
                };
                self.with(range.magnitude(), slope)
            }
            Unary::Sign => self.step(|x| if x == 0.0 { 0.0 } else { x.signum() }),
            Unary::Floor => self.step(f64::floor),
            Unary::Ceil => self.step(f64::ceil),
            Unary::Round => self.step(f64::round),
        }
    }

    /// Applies a function with the values `value` and the derivative 1 / `divisor`. The interval `divisor`
    /// can contain zero. If this operand is constant, the slope of the result is zero.
    fn steep(self, value: Interval, divisor: Interval) -> Self {
        let slope =
            if self.slope == Interval::ZERO { Interval::ZERO } else { self.slope.divided_by(divisor) };
        self.with(value, slope)
    }

    pub(super) fn binary(self, binary: Binary, other: Self) -> Self {
        let (a, b) = (self, other);
        let both = a.is_continuous && b.is_continuous;
        let course = |range, slope| Self::of(range, slope, both);
        if !(a.range.is_finite() && b.range.is_finite()) {
            // An operand can be NaN. Every comparison with NaN is false, so the result is unknown.
            return if binary.is_condition() { Self::condition(false, false) } else { Self::UNKNOWN };
        }
        match binary {
            Binary::Add => course(a.range + b.range, a.slope + b.slope),
            Binary::Subtract => course(a.range - b.range, a.slope - b.slope),
            Binary::Multiply => course(a.range * b.range, a.slope * b.range + a.range * b.slope),
            Binary::Divide if b.range.contains(0.0) => Self::UNKNOWN,
            Binary::Divide => {
                let value = a.range.divided_by(b.range);
                course(value, (a.slope - value * b.slope).divided_by(b.range))
            }
            Binary::Remainder => a.remainder(b, f64::trunc),
            Binary::Modulo => a.remainder(b, f64::floor),
            Binary::Power if b.is_constant() && b.range.lower == 0.5 => a.unary(Unary::Sqrt),
            // exp(b ln a).
            Binary::Power => a.unary(Unary::Ln).binary(Binary::Multiply, b).unary(Unary::Exp),
            Binary::Less => Self::condition(a.range.upper < b.range.lower, a.range.lower >= b.range.upper),
            Binary::LessEqual => {
                Self::condition(a.range.upper <= b.range.lower, a.range.lower > b.range.upper)
            }
            Binary::Greater => b.binary(Binary::Less, a),
            Binary::GreaterEqual => b.binary(Binary::LessEqual, a),
            Binary::Equal => {
                let is_apart = a.range.upper < b.range.lower || b.range.upper < a.range.lower;
                Self::condition(a.range == b.range && a.range.is_point(), is_apart)
            }
            Binary::NotEqual => a.binary(Binary::Equal, b).unary(Unary::Not),
            Binary::And => Self::condition(a.is_true() && b.is_true(), a.is_false() || b.is_false()),
            Binary::Or => Self::condition(a.is_true() || b.is_true(), a.is_false() && b.is_false()),
            Binary::Xor => {
                let differ = (a.is_true() && b.is_false()) || (a.is_false() && b.is_true());
                let agree = (a.is_true() && b.is_true()) || (a.is_false() && b.is_false());
                Self::condition(differ, agree)
            }
            Binary::Implies => a.unary(Unary::Not).binary(Binary::Or, b),
            Binary::Atan2 => a.angle(b),
            Binary::Hypot => {
                let value = (a.range.power(2) + b.range.power(2)).magnitude().grown(f64::sqrt).magnitude();
                let slope = if value.contains(0.0) {
                    let reach = a.slope.magnitude() + b.slope.magnitude();
                    reach.hull(-reach)
                } else {
                    (a.range * a.slope + b.range * b.slope).divided_by(value)
                };
                course(value, slope)
            }
            Binary::Max if a.range.lower > b.range.upper => a,
            Binary::Max if b.range.lower > a.range.upper => b,
            Binary::Min if a.range.upper < b.range.lower => a,
            Binary::Min if b.range.upper < a.range.lower => b,
            Binary::Max => course(
                Interval::new(a.range.lower.max(b.range.lower), a.range.upper.max(b.range.upper)),
                a.slope.hull(b.slope),
            ),
            Binary::Min => course(
                Interval::new(a.range.lower.min(b.range.lower), a.range.upper.min(b.range.upper)),
                a.slope.hull(b.slope),
            ),
        }
    }

    /// Returns the bounds of a - n b, where n is the quotient a / b rounded to an integer by `cut`.
    fn remainder(self, divisor: Self, cut: impl Fn(f64) -> f64) -> Self {
        let quotient = self.binary(Binary::Divide, divisor).step(cut);
        let exact = self.binary(Binary::Subtract, quotient.binary(Binary::Multiply, divisor));
        if exact.is_continuous || !divisor.is_constant() {
            return exact;
        }
        // The divisor is constant. The remainder is smaller in magnitude than the divisor. Between two jumps,
        // its slope is the slope of the dividend.
        let size = divisor.range.lower.abs();
        if size == 0.0 {
            return Self::UNKNOWN;
        }
        Self::of(Interval { lower: -size, upper: size }, self.slope, false)
    }

    /// Returns the bounds of atan2(y, x), where y is `self` and x is `abscissa`.
    fn angle(self, abscissa: Self) -> Self {
        let (y, x) = (self, abscissa);
        let squares = y.range.power(2) + x.range.power(2);
        if squares.contains(0.0) || squares.lower <= 0.0 {
            return Self::UNKNOWN;
        }
        let slope = (x.range * y.slope - y.range * x.slope).divided_by(squares);
        if x.range.lower <= 0.0 && y.range.contains(0.0) {
            let half = std::f64::consts::PI;
            return Self::of(Interval { lower: -half, upper: half }, slope, false);
        }
        let corners = [
            y.range.lower.atan2(x.range.lower),
            y.range.lower.atan2(x.range.upper),
            y.range.upper.atan2(x.range.lower),
            y.range.upper.atan2(x.range.upper),
        ];
        let lower = corners.into_iter().fold(f64::INFINITY, f64::min);
        let upper = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let range = Interval { lower, upper }.grown(|angle| angle);
        Self::of(range, slope, x.is_continuous && y.is_continuous)
    }

    /// Raises the value to an integer power other than 0 and 1.
    pub(super) fn power(self, exponent: i32) -> Self {
        let size = exponent.unsigned_abs();
        if !self.range.is_finite() {
            return Self::UNKNOWN;
        }
        let lower = if size == 1 { Interval::ONE } else { self.range.power(size - 1) };
        let product =
            self.with(self.range.power(size), Interval::point(f64::from(size)) * lower * self.slope);
        if exponent > 0 { product } else { Self::constant(1.0).binary(Binary::Divide, product) }
    }

    /// Returns the bounds of `then` or `otherwise`, selected by the condition `self`. If the condition is
    /// unknown, the result contains both.
    pub(super) fn chosen(self, then: Self, otherwise: Self) -> Self {
        if self.is_true() {
            then
        } else if self.is_false() {
            otherwise
        } else {
            Self::of(then.range.hull(otherwise.range), then.slope.hull(otherwise.slope), false)
        }
    }
}

/// Returns 1 - x^2, computed as (1 - x) (1 + x).
fn rest_of_one(x: Interval) -> Interval {
    ((Interval::ONE - x) * (Interval::ONE + x)).magnitude()
}
