//! Vectors in space.

use siconos_linalg::{exponent, power_of_two};

/// Coordinate axes.
pub const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Returns the cross product.
#[must_use]
pub fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// Returns the scalar product.
#[must_use]
pub fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

/// Returns a multiple of a vector.
#[must_use]
pub fn scaled(factor: f64, x: [f64; 3]) -> [f64; 3] {
    x.map(|x| factor * x)
}

/// Returns the sum.
#[must_use]
pub fn add([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

/// Returns the difference.
#[must_use]
pub fn difference([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a - x, b - y, c - z]
}

/// Returns the length.
#[must_use]
pub fn length(x: [f64; 3]) -> f64 {
    dot(x, x).sqrt()
}

/// Returns two unit vectors that are perpendicular to a unit axis and to each other. The first one is also
/// perpendicular to the coordinate axis with the largest angle to the axis. The first, the second and the
/// axis form a right-handed frame.
#[must_use]
pub fn perpendiculars(axis: [f64; 3]) -> [[f64; 3]; 2] {
    let smallest = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let first = cross(axis, AXES[smallest]);
    let first = scaled(1.0 / length(first), first);
    [first, cross(axis, first)]
}

/// Returns the unit vector along `direction`; `None` if its length is 0 or not finite.
#[must_use]
pub fn unit(direction: [f64; 3]) -> Option<[f64; 3]> {
    // Scaled so that no square overflows or underflows.
    let largest = direction.into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let near_one = scaled(power_of_two(-exponent(largest)?), direction);
    let length = length(near_one);
    length.is_finite().then(|| scaled(1.0 / length, near_one))
}
