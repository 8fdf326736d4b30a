//! The stopping measure of convex quadratic programs.

use super::{Constraints, QpProblem};
use crate::linalg::norm;

/// The error of a point $x$ with multipliers $y$.
///
/// Over a set, where $y$ is not looked at:
///
/// $$ e = \frac{\lVert P_C(x - (M x + q)) - x \rVert}{\lVert q \rVert}, $$
///
/// that is norm(P_C(x - (M x + q)) - x) / norm(q), without the division where norm(q) does not exceed the
/// machine precision; for the nonnegative orthant this is the measure of the [linear complementarity
/// problem](crate::lcp::error). The difference hides what is smaller than the rounding of x, so it counts as
/// at least the machine precision times norm(x).
///
/// With linear constraints, the residuals of the conditions of Karush, Kuhn and Tucker:
///
/// $$ e = \frac{\lVert M x + q + A^T y \rVert}{\max(\lVert q \rVert, \lVert M x \rVert, \lVert A^T y \rVert)}
///     + \frac{\lVert a \rVert}{1 + \lVert A x \rVert} + \frac{\lVert b \rVert}{1 + \lVert y \rVert}, $$
///
/// the first without the division where the divisor does not exceed the square root of the machine precision.
/// $a + b$ is $P_{[l, u]}(A x + y) - A x$, whose entries are $y_i$ cut to the interval from $l_i - (A x)_i$
/// to $u_i - (A x)_i$: $b$ has those where nothing is cut (a multiplier without a constraint that touches),
/// $a$ the others (a distance to a bound).
///
/// NaN when an entry is not finite.
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
                divide(norm(projected).max(f64::EPSILON * norm(x)), norm_q, f64::EPSILON)
            }
            Constraints::Linear { a, bounds } => {
                zeros(rows, y.len());
                a.add_product(1.0, x, rows);
                zeros(transposed, x.len());
                a.add_transposed_product(1.0, y, transposed);
                let scale = norm_q.max(norm(product)).max(norm(transposed));
                let gradient = product.iter().zip(&*transposed).zip(problem.q()).map(|((m, a), q)| m + q + a);
                let stationarity = gradient.map(|g| g * g).sum::<f64>().sqrt();
                let (mut distance, mut multiplier) = (0.0, 0.0);
                let pairs = bounds.lower().iter().zip(bounds.upper());
                for ((r, y), (l, u)) in rows.iter().zip(y).zip(pairs) {
                    // Not P(r + y) - r: where r is so large that r + y rounds to r, that hides y.
                    let cut = y.min(u - r).max(l - r);
                    if cut == *y {
                        multiplier += y * y;
                    } else {
                        distance += cut * cut;
                    }
                }
                divide(stationarity, scale, f64::EPSILON.sqrt())
                    + distance.sqrt() / (1.0 + norm(rows))
                    + multiplier.sqrt() / (1.0 + norm(y))
            }
        };
        if error.is_finite() { error } else { f64::NAN }
    }
}
