//! Lengths of a set of points.

use siconos_kernel::engine::vector::{add, difference, length, scaled};

/// Lengths of a set of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Largest distance of a point from the middle of the bounds, which does not depend on the origin.
    pub(crate) size: f64,
    /// Largest distance of a point from the origin.
    pub(crate) reach: f64,
}

impl Extent {
    /// Returns the lengths of points.
    pub(crate) fn of(points: impl Iterator<Item = [f64; 3]> + Clone) -> Self {
        let [low, high] =
            points.clone().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], p| {
                [[0, 1, 2].map(|i| p[i].min(low[i])), [0, 1, 2].map(|i| p[i].max(high[i]))]
            });
        let middle = scaled(0.5, add(low, high));
        let farthest = |from: [f64; 3]| {
            points.clone().map(|p| length(difference(p, from))).fold(0.0, |most: f64, x| most.max(x))
        };
        Self { size: farthest(middle), reach: farthest([0.0; 3]) }
    }
}
