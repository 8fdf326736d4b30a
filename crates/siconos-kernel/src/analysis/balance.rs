//! Units of state, multiplier and time in which the entries of A and B are near 1.

use ndarray::{Array2, ArrayView2};

use super::equilibration::LogarithmicFit;

/// Pair (A, B) in balanced units: the matrices $T^{-1} A T / \rho$ and $T^{-1} B S / \rho$, where T and S are
/// diagonal and $\rho$ is a rate. All factors are powers of two, so the scaling has no rounding errors.
pub(super) struct BalancedPair {
    pub(super) a: Array2<f64>,
    pub(super) b: Array2<f64>,
    /// Diagonal of T as exponents of 2.
    pub(super) states: Vec<i32>,
    /// Diagonal of S as exponents of 2.
    pub(super) inputs: Vec<i32>,
    /// Rate $\rho$ \[1/s\] as an exponent of 2.
    pub(super) rate: i32,
}

impl BalancedPair {
    /// Chooses T, S and rho to minimise the sum of the squared logarithms of all nonzero entries. This is the
    /// method of `equilibration` (Curtis and Reid 1972), applied to a similarity transformation.
    ///
    /// A change of units changes only T, S and rho. The balanced matrices therefore do not depend on the
    /// units, except for the rounding of the factors to powers of two.
    pub(super) fn of(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Self {
        let (n, m) = b.dim();
        let exponents: Vec<i32> = least_squares_logarithms(a, b).iter().map(|x| x.round() as i32).collect();
        let (states, inputs, rate) = (&exponents[..n], &exponents[n..n + m], exponents[n + m]);
        Self {
            a: Array2::from_shape_fn(a.dim(), |(i, j)| {
                times_power_of_two(a[[i, j]], states[j] - states[i] - rate)
            }),
            b: Array2::from_shape_fn(b.dim(), |(i, j)| {
                times_power_of_two(b[[i, j]], inputs[j] - states[i] - rate)
            }),
            states: states.to_vec(),
            inputs: inputs.to_vec(),
            rate,
        }
    }
}

/// Returns the base-2 logarithms t, s and rho of the diagonal of T, the diagonal of S and the rate, in this
/// order. They minimise the sum of the squares of `log|a_ij| - t_i + t_j - rho` and
/// `log|b_ij| - t_i + s_j - rho` over the nonzero entries of A and B.
pub fn least_squares_logarithms(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Vec<f64> {
    let (n, m) = b.dim();
    let mut fit = LogarithmicFit::new(n + m + 1);
    let of_a = a.indexed_iter().map(|((i, j), x)| (i, j, x.abs()));
    let of_b = b.indexed_iter().map(|((i, j), x)| (i, n + j, x.abs()));
    for (i, j, x) in of_a.chain(of_b).filter(|(_, _, x)| *x > 0.0) {
        if i == j {
            fit.ask(&[(n + m, 1.0)], x.log2());
        } else {
            fit.ask(&[(i, 1.0), (j, -1.0), (n + m, 1.0)], x.log2());
        }
    }
    fit.solve()
}

/// Returns $x 2^e$. The power is split into several factors, so that each factor is finite.
pub(super) fn times_power_of_two(x: f64, exponent: i32) -> f64 {
    let (mut x, mut left) = (x, exponent);
    while left != 0 && x != 0.0 && x.is_finite() {
        let part = left.clamp(-1000, 1000);
        x *= f64::from(part).exp2();
        left -= part;
    }
    x
}
