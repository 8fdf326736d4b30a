//! Exact sign of the volume of a tetrahedron.
//!
//! The method is that of Shewchuk (1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates"): numbers are sums of floating-point numbers that do not overlap.

use siconos_kernel::engine::vector::{cross, difference, dot};

/// Bound of the rounding errors of the volume, as a fraction of the sum of the absolute values of its terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Permutations of the axes with the signs of their terms in a determinant.
const PERMUTATIONS: [([usize; 3], f64); 6] = [
    ([0, 1, 2], 1.0),
    ([1, 2, 0], 1.0),
    ([2, 0, 1], 1.0),
    ([0, 2, 1], -1.0),
    ([1, 0, 2], -1.0),
    ([2, 1, 0], -1.0),
];

/// Returns six times the volume of a tetrahedron, except for rounding errors that do not change its sign. It
/// is positive if `a`, `b` and `c` are in counterclockwise order as seen from `d`.
pub(super) fn orientation([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|point| difference(point, a));
    let volume = dot(u, cross(v, w));
    let [x, y, z] = [u, v, w].map(|row| row.map(f64::abs));
    let bound = PERMUTATIONS.iter().map(|([i, j, k], _)| x[*i] * y[*j] * z[*k]).sum::<f64>();
    if volume.abs() > ROUNDING * bound { volume } else { exact([a, b, c, d]) }
}

fn exact([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|point| [0, 1, 2].map(|axis| two_sum(point[axis], -a[axis])));
    let mut sum = Vec::new();
    for ([i, j, k], sign) in PERMUTATIONS {
        for x in u[i] {
            for y in v[j] {
                for (z, product) in w[k].into_iter().flat_map(|z| two_product(x, y).map(|xy| (z, xy))) {
                    two_product(sign * z, product).into_iter().for_each(|term| add_to(&mut sum, term));
                }
            }
        }
    }
    sum.last().copied().unwrap_or(0.0)
}

/// Adds a number to an expansion, whose numbers are in increasing order.
fn add_to(sum: &mut Vec<f64>, mut term: f64) {
    sum.retain_mut(|own| {
        let [high, low] = two_sum(*own, term);
        (term, *own) = (high, low);
        low != 0.0
    });
    if term != 0.0 {
        sum.push(term);
    }
}

/// Returns a sum and its rounding error.
fn two_sum(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let of_b = sum - a;
    [sum, (a - (sum - of_b)) + (b - of_b)]
}

/// Returns a product and its rounding error.
fn two_product(a: f64, b: f64) -> [f64; 2] {
    let product = a * b;
    [product, a.mul_add(b, -product)]
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
