//! Vectors in space.

use siconos_linalg::{exponent, power_of_two};

/// Coordinate axes.
pub(crate) const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub(crate) fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(crate) fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

pub(crate) fn scaled(factor: f64, x: [f64; 3]) -> [f64; 3] {
    x.map(|x| factor * x)
}

pub(crate) fn add([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a + x, b + y, c + z]
}

pub(crate) fn difference([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a - x, b - y, c - z]
}

pub(crate) fn length(x: [f64; 3]) -> f64 {
    dot(x, x).sqrt()
}

/// Returns the unit vector along `direction`; `None` if its length is 0 or not finite.
pub(crate) fn unit(direction: [f64; 3]) -> Option<[f64; 3]> {
    // Scaled so that no square overflows or underflows.
    let largest = direction.into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let near_one = scaled(power_of_two(-exponent(largest)?), direction);
    let length = length(near_one);
    length.is_finite().then(|| scaled(1.0 / length, near_one))
}
