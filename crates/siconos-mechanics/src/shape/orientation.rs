//! Exact sign of the volume of a tetrahedron.

use robust::{Coord3D, orient3d};

/// Returns six times the volume of a tetrahedron, except for rounding errors that do not change its sign. It
/// is positive if `a`, `b` and `c` are in counterclockwise order as seen from `d`.
pub(super) fn orientation(corners: [[f64; 3]; 4]) -> f64 {
    let [a, b, c, d] = corners.map(|[x, y, z]| Coord3D { x, y, z });
    // The predicate is positive if `d` is on the other side.
    -orient3d(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volumes of integers whose exact value is known.
    #[test]
    fn signs_are_exact() {
        let large = 2.0_f64.powi(50);
        for k in [-1.0, 0.0, 1.0] {
            let corners =
                [[large; 3], [large + 1.0, large, large], [large, large + 1.0, large], [3.0, 5.0, large + k]];
            assert_eq!(orientation(corners), k);
            // The volume is k, but its terms are about 2^99.
            let shear = [[0.0; 3], [large, 1.0, 0.0], [1.0, 0.0, 0.0], [large, large, 1.0]];
            assert_eq!(orientation(shear), -1.0);
            let nearly_flat =
                [[0.0; 3], [large, large - 1.0, 0.0], [large + 1.0, large + k, 0.0], [7.0, 9.0, 1.0]];
            // large (large + k) - (large - 1) (large + 1) = k large + 1
            assert_eq!(orientation(nearly_flat), k * large + 1.0);
        }
    }
}
