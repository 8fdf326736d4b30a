//! Powers of two, used as scale factors because multiplication by them is exact.

/// Maximum magnitude of the exponents. The reciprocal of each power of two must be a normal number.
const LARGEST: i32 = 1000;

/// Returns the exponent of the largest power of two not above the magnitude of `x`, or `None` for zero.
///
/// The exponent is read from the bits, because a computed logarithm rounds up just below a power of two.
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

/// Returns $2^{exponent}$, with the exponent clamped to -1000 .. 1000, so that the reciprocal is a power of
/// two as well.
#[inline]
#[must_use]
pub fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-LARGEST, LARGEST) + 1023) as u64) << 52)
}

/// Returns the largest power of two not above |x|; division by it is exact.
///
/// The result is at most 2^1019, so that its reciprocal is a normal number. It is 1 for 0, subnormal numbers,
/// infinities and NaN.
///
/// ```
/// use siconos_linalg::power_of_two_below;
///
/// assert_eq!([5.0, -0.3, 0.0].map(power_of_two_below), [4.0, 0.25, 1.0]);
/// ```
#[must_use]
pub fn power_of_two_below(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    // The reciprocal of the largest power is still a normal number.
    const LARGEST: f64 = f64::from_bits((1023 + 1019) << 52);
    let power = f64::from_bits(x.to_bits() & EXPONENT);
    if power.is_normal() { power.min(LARGEST) } else { 1.0 }
}

/// Returns a power of two within a factor of about the square root of 2 of |x|, or 1 for 0, subnormal
/// numbers, infinities and NaN.
///
/// ```
/// use siconos_linalg::nearest_power_of_two;
///
/// assert_eq!([5.0, 6.0, 0.0].map(nearest_power_of_two), [4.0, 8.0, 1.0]);
/// ```
#[must_use]
pub fn nearest_power_of_two(x: f64) -> f64 {
    // Unlike a logarithm, a product is rounded in the same direction for x and for x times a power of two.
    power_of_two_below(x * std::f64::consts::SQRT_2)
}
