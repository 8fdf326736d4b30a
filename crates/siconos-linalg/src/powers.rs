//! Powers of two: units in which nothing rounds.

/// Beyond, the inverse of a power of two is no longer a number.
const LARGEST: i32 = 1000;

/// The exponent of the power of two at or below the magnitude of a number; none of zero.
///
/// From its bits: a logarithm rounds up just below a power of two.
///
/// ```
/// use siconos_linalg::{exponent, power_of_two};
///
/// assert_eq!(exponent(-5.0), Some(2));
/// assert_eq!(exponent(0.0), None);
/// assert_eq!(power_of_two(-3), 0.125);
/// ```
#[inline]
#[must_use]
pub fn exponent(x: f64) -> Option<i32> {
    let biased = (x.to_bits() >> 52) & 0x7ff;
    if x == 0.0 { None } else { Some(biased as i32 - 1023) }
}

/// $2^{exponent}$, with the exponent brought to -1000 .. 1000, so that the inverse is a power of two as well.
#[inline]
#[must_use]
pub fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-LARGEST, LARGEST) + 1023) as u64) << 52)
}

/// The power of two at or below |x|, by which a division rounds nothing; at most 2^1019, whose inverse is
/// normal as well. 1 for what has none: 0, subnormal numbers, infinities and NaN.
///
/// ```
/// use siconos_linalg::power_of_two_below;
///
/// assert_eq!([5.0, -0.3, 0.0].map(power_of_two_below), [4.0, 0.25, 1.0]);
/// ```
#[must_use]
pub fn power_of_two_below(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    // The inverse of the largest one is normal as well.
    const LARGEST: f64 = f64::from_bits((1023 + 1019) << 52);
    let power = f64::from_bits(x.to_bits() & EXPONENT);
    if power.is_normal() { power.min(LARGEST) } else { 1.0 }
}

/// The power of two within a factor of about the root of 2 of |x|; 1 for what has none.
///
/// ```
/// use siconos_linalg::nearest_power_of_two;
///
/// assert_eq!([5.0, 6.0, 0.0].map(nearest_power_of_two), [4.0, 8.0, 1.0]);
/// ```
#[must_use]
pub fn nearest_power_of_two(x: f64) -> f64 {
    // A product rounds in the same way whatever power of two x is multiplied by, which a logarithm does not.
    power_of_two_below(x * std::f64::consts::SQRT_2)
}
