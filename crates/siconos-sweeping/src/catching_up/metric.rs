//! Norms of sweeping processes, including the norm in which a linear complementarity system is a sweeping
//! process.

use ndarray::{Array2, ArrayView2};
use siconos_linalg::DenseCholesky;
use siconos_numerics::cone::{Polyhedron, definite_factors};

use super::super::{MovingPolyhedron, SweepingError};
use super::CatchingUp;
use siconos_kernel::analysis::LinearSystem;

/// Relative tolerance of the symmetry test of C B. The scale is the sum of the magnitudes of the terms of
/// both entries.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Norm $\sqrt{x^T P x}$.
#[derive(Debug)]
pub(super) enum Metric {
    /// Given matrix P, with its factors.
    Given(Array2<f64>, DenseCholesky),
    /// Matrix P that satisfies $P B = C^T$ but is not computed. The fields are B and the factors of C B.
    /// Steps over the set C x >= 0 need $P^{-1}$ only for rows of C, for which $P^{-1} C^T = B$.
    OfInputs(Array2<f64>, DenseCholesky),
}

impl Metric {
    pub(super) fn given(p: ArrayView2<'_, f64>, n: usize) -> Result<Self, SweepingError> {
        Ok(Self::Given(p.to_owned(), definite_factors("P", p, n)?))
    }

    /// Returns P, or `None` if it was not computed.
    pub(super) fn matrix(&self) -> Option<&Array2<f64>> {
        match self {
            Self::Given(p, _) => Some(p),
            Self::OfInputs(..) => None,
        }
    }

    /// Multiplies a face normal by $P^{-1}$ in place.
    pub(super) fn solve(&self, normal: &mut [f64]) {
        match self {
            Self::Given(_, factors) => factors.solve(normal),
            Self::OfInputs(b, factors) => {
                // For v = C^T s: P^-1 v = B (C B)^-1 B^T v = B s.
                let mut s: Vec<f64> = b
                    .columns()
                    .into_iter()
                    .map(|column| column.iter().zip(&*normal).map(|(b, v)| b * v).sum())
                    .collect();
                factors.solve(&mut s);
                for (to, row) in normal.iter_mut().zip(b.rows()) {
                    *to = row.iter().zip(&s).map(|(b, s)| b * s).sum();
                }
            }
        }
    }
}

impl CatchingUp<MovingPolyhedron> {
    /// Creates the sweeping process of a linear complementarity system,
    ///
    /// $$ \dot x = A x + B \lambda, \qquad 0 \le C x \perp \lambda \ge 0, $$
    ///
    /// in a metric P with $P B = C^T$. As plain text: x' = A x + B lambda, 0 <= C x perpendicular lambda >=
    /// 0. Such a metric P exists if and only if C B is symmetric and positive definite. Examples are passive
    ///    systems and circuits of capacitors, inductors and ideal diodes. The motion does not depend on the
    ///    choice of P. The [multipliers](Self::multipliers) of a step are h lambda. To add a source e(t) to
    ///    the rate of x, call [`with_linear_perturbation`](Self::with_linear_perturbation) with f = -A x - e.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::analysis::LinearSystem;
    /// use siconos_sweeping::CatchingUp;
    ///
    /// // Two masses of 1 kg and 4 kg on a line; the state is their velocities.
    /// // The first mass must not be slower than the second.
    /// let pushed = LinearSystem::new(
    ///     array![[0.0, 0.0], [0.0, 0.0]],
    ///     array![[1.0], [-0.25]],
    ///     array![[1.0, -1.0]],
    ///     array![[0.0]],
    /// )?;
    /// let mut v = [0.0, 5.0];
    /// assert!(CatchingUp::of(&pushed)?.begin(0.0, &mut v)?.status.is_success());
    /// assert_eq!(v, [4.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If D is not 0 ([`SweepingError::ActsOnOutput`]), if C B is not symmetric and positive definite
    /// ([`SweepingError::NoMetric`]), or if C has a row of zeros ([`SweepingError::Set`]).
    pub fn of(system: &LinearSystem) -> Result<Self, SweepingError> {
        if let Some(((row, column), &value)) = system.d().indexed_iter().find(|(_, d)| **d != 0.0) {
            return Err(SweepingError::ActsOnOutput { row, column, value });
        }
        let (b, c) = (system.b().to_owned(), system.c());
        let products = symmetric_products(c, b.view())?;
        let factors = definite_factors("C B", products.view(), b.ncols())
            .map_err(|source| SweepingError::NoMetric { why: source.to_string() })?;
        let set = Polyhedron::new(c.to_owned(), vec![0.0; c.nrows()])?;
        let mut sweep = Self::new(MovingPolyhedron::fixed(&set))
            .with_linear_perturbation(-&system.a(), |_t, _source| ())?;
        sweep.metric = Some(Metric::OfInputs(b, factors));
        Ok(sweep)
    }
}

/// Returns C B, symmetrised, or an error if C B is not symmetric up to rounding.
fn symmetric_products(c: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Result<Array2<f64>, SweepingError> {
    let m = c.nrows();
    let terms = |i: usize, j: usize| c.row(i).into_iter().zip(b.column(j)).map(|(c, b)| c * b);
    let mut products = Array2::from_shape_fn((m, m), |(i, j)| terms(i, j).sum::<f64>());
    for i in 0..m {
        for j in 0..i {
            let (entry, other) = (products[[i, j]], products[[j, i]]);
            let sizes = terms(i, j).chain(terms(j, i)).map(f64::abs).sum::<f64>();
            // NaN makes the comparison false, so NaN is rejected.
            let is_symmetric = (entry - other).abs() <= ROUNDING * sizes;
            if !is_symmetric {
                let why = format!("entry ({i}, {j}) is {entry}, but entry ({j}, {i}) is {other}");
                return Err(SweepingError::NoMetric { why });
            }
            let mean = 0.5 * entry + 0.5 * other;
            (products[[i, j]], products[[j, i]]) = (mean, mean);
        }
    }
    Ok(products)
}
