//! The stopping measure of convex quadratic programs.

use super::{Constraints, QpProblem};
use crate::cone::ConvexSet;
use crate::linalg::norm;

/// The error of a point $x$ with multipliers $y$.
///
/// Over a set, where $y$ is not looked at:
///
/// $$ e = \frac{\lVert P_C(x - (M x + q)) - x \rVert}{\lVert q \rVert}, $$
///
/// that is norm(P_C(x - (M x + q)) - x) / norm(q); for the nonnegative orthant this is the measure of the
/// [linear complementarity problem](crate::lcp::error). With linear constraints, the residuals of the conditions of
/// Karush, Kuhn and Tucker, $M x + q + A^T y = 0$ and $A x = P_{[l, u]}(A x + y)$:
///
/// $$ e = \frac{\lVert M x + q + A^T y \rVert}{\max(\lVert q \rVert, \lVert M x \rVert, \lVert A^T y \rVert)}
///     + \frac{\lVert A x - P_{[l, u]}(A x + y) \rVert}{\max(\lVert A x \rVert, \lVert y \rVert)}. $$
///
/// Each division is left out when its divisor does not exceed the square root of the machine precision (over a set, the
/// machine precision). NaN when an entry is not finite.
///
/// # Panics
///
/// When `x` or `y` has not the size that the problem asks for.
#[doc(alias = "convexQP_compute_error")]
#[track_caller]
#[must_use]
pub fn error(problem: &QpProblem<'_>, x: &[f64], y: &[f64]) -> f64 {
    Measure::default().of(problem, x, y)
}

/// The measure with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    product: Vec<f64>,
    transposed: Vec<f64>,
    rows: Vec<f64>,
    projected: Vec<f64>,
}

fn zeros(x: &mut Vec<f64>, n: usize) {
    x.clear();
    x.resize(n, 0.0);
}

fn divide(residual: f64, scale: f64, least: f64) -> f64 {
    if scale > least { residual / scale } else { residual }
}

impl Measure {
    /// See [`error`].
    #[track_caller]
    pub(super) fn of(&mut self, problem: &QpProblem<'_>, x: &[f64], y: &[f64]) -> f64 {
        assert_eq!((x.len(), y.len()), (problem.size(), problem.multipliers()), "lengths of x and y");
        let Self { product, transposed, rows, projected } = self;
        zeros(product, x.len());
        problem.m().add_product(1.0, x, product);
        let norm_q = norm(problem.q());
        let error = match problem.constraints() {
            Constraints::Set(set) => {
                projected.clear();
                projected.extend(
                    x.iter().zip(&*product).zip(problem.q()).map(|((x, product), q)| x - (product + q)),
                );
                if projected.iter().any(|x| !x.is_finite()) {
                    return f64::NAN;
                }
                set.project(projected);
                projected.iter_mut().zip(x).for_each(|(p, x)| *p -= x);
                divide(norm(projected), norm_q, f64::EPSILON)
            }
            Constraints::Linear { a, bounds } => {
                zeros(rows, y.len());
                a.add_product(1.0, x, rows);
                zeros(transposed, x.len());
                a.add_transposed_product(1.0, y, transposed);
                let scale = norm_q.max(norm(product)).max(norm(transposed));
                let gradient = product.iter().zip(&*transposed).zip(problem.q()).map(|((m, a), q)| m + q + a);
                let stationarity = gradient.map(|g| g * g).sum::<f64>().sqrt();
                projected.clear();
                projected.extend(rows.iter().zip(y).map(|(r, y)| r + y));
                if projected.iter().any(|x| !x.is_finite()) {
                    return f64::NAN;
                }
                bounds.project(projected);
                projected.iter_mut().zip(&*rows).for_each(|(p, r)| *p -= r);
                let least = f64::EPSILON.sqrt();
                divide(stationarity, scale, least) + divide(norm(projected), norm(rows).max(norm(y)), least)
            }
        };
        if error.is_finite() { error } else { f64::NAN }
    }
}
