//! Error of a candidate solution of a convex quadratic program.

use siconos_linalg::{MatrixRef, are_finite, norm};

use super::scales::Scales;
use super::{Constraints, QpProblem};
use crate::convex_set::{ConvexSet, Interval};
use crate::own_response::{self, relative};

/// Returns the error of a point $x$ with multipliers $y$.
///
/// For a program over a set, the error does not depend on $y$:
///
/// $$ e = \frac{d \lVert P_C(x - (M x + q) / d) - x \rVert}{\lVert q \rVert}, $$
///
/// as plain text d norm(P_C(x - (M x + q) / d) - x) / norm(q), where $d$, the mean of the $|M_{ii}|$,
/// converts x to the unit of M x. If q = 0, the error is relative to the larger of norm(M x) and d norm(x).
/// Rounding of x hides small differences, so the norm of the difference counts as at least the machine
/// precision times norm(x).
///
/// For linear constraints, the error is the residual of the Karush-Kuhn-Tucker conditions. It is computed
/// separately for each set of unknowns and constraints that M and A couple, directly or through other
/// unknowns and constraints, and the largest result is used:
///
/// $$ e = \frac{\lVert M x + q + A^T y \rVert}{F} + \lVert c \rVert, \qquad
/// c_i = P_{[(l_i - a_i^T x) / (\lVert a_i \rVert X), (u_i - a_i^T x) / (\lVert a_i \rVert X)]}
/// \Bigl( \frac{\lVert a_i \rVert y_i}{F} \Bigr), $$
///
/// as plain text: the norm of the gradient divided by a force F, plus the norm of c. For each row of A, c
/// holds the value that lies between the relative distances to the bounds and is nearest to the relative
/// multiplier. Depending on the row, this is the distance by which a bound is violated, or the distance from
/// the bound to which a multiplier belongs, or a multiplier without an active bound.
///
/// $F$ is the largest of norm(q), norm(M x), norm(A^T y) and $d D$, where $D$ is the norm of the distances by
/// which constraints exclude x = 0. $X$ is the largest of norm(x), $D$ and, if $D = 0$, the smaller of
/// norm(q) / d and the distance of the nearest bound that does not pass through 0. If the data determine
/// neither force nor length, as for cones through 0 without a quadratic term, F and X are at least 1. The
/// error does not depend on the units of x, of the objective, or of the rows of A.
///
/// The error is NaN if an entry is not finite.
///
/// # Panics
///
/// If `x` or `y` has the wrong length.
#[doc(alias = "convexQP_compute_error")]
#[track_caller]
#[must_use]
pub fn error(problem: &QpProblem<'_>, x: &[f64], y: &[f64]) -> f64 {
    let mut measure = ErrorFunction::default();
    measure.prepare(problem);
    measure.of(problem, x, y)
}

/// Computation of the error, with its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct ErrorFunction {
    scales: Scales,
    product: Vec<f64>,
    transposed: Vec<f64>,
    rows: Vec<f64>,
    projected: Vec<f64>,
    sums: Vec<Sums>,
}

/// Sums of squares over a set of coupled unknowns and constraints, with the scales of the set.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    gradient: f64,
    of_product: f64,
    of_multipliers: f64,
    of_x: f64,
    cut: f64,
    force: f64,
    length: f64,
}

fn zeros(x: &mut Vec<f64>, n: usize) {
    x.clear();
    x.resize(n, 0.0);
}

impl ErrorFunction {
    /// Computes the scales of a problem.
    pub(super) fn prepare(&mut self, problem: &QpProblem<'_>) {
        self.scales.find(problem);
    }

    /// Returns the [`error`] of a point.
    #[track_caller]
    pub(super) fn of(&mut self, problem: &QpProblem<'_>, x: &[f64], y: &[f64]) -> f64 {
        assert_eq!((x.len(), y.len()), (problem.size(), problem.multipliers()), "lengths of x and y");
        zeros(&mut self.product, x.len());
        problem.m().add_product(1.0, x, &mut self.product);
        let error = match problem.constraints() {
            Constraints::Set(set) => self.over_set(problem, set, x),
            Constraints::Linear { a, bounds } => self.of_conditions(problem.q(), a, bounds, x, y),
        };
        if error.is_finite() { error } else { f64::NAN }
    }

    fn over_set(&mut self, problem: &QpProblem<'_>, set: &dyn ConvexSet, x: &[f64]) -> f64 {
        let Self { product, projected, .. } = self;
        // The operations are in the same order as in the projected gradient method, so that the error
        // reported by that method is bit-identical.
        let response = own_response::mean(problem.m());
        let unit = 1.0 / response;
        let gradient = product.iter().zip(problem.q()).map(|(product, q)| product + q);
        projected.clear();
        projected.extend(x.iter().zip(gradient).map(|(x, g)| x - unit * g));
        if projected.iter().any(|x| !x.is_finite()) {
            return f64::NAN;
        }
        set.project(projected);
        projected.iter_mut().zip(x).for_each(|(p, x)| *p -= x);
        let residual = norm(projected).max(f64::EPSILON * norm(x)) / unit;
        relative(residual, norm(problem.q()), || norm(product).max(response * norm(x)))
    }

    fn of_conditions(
        &mut self,
        q: &[f64],
        a: MatrixRef<'_>,
        bounds: Interval<'_>,
        x: &[f64],
        y: &[f64],
    ) -> f64 {
        let Self { scales, product, transposed, rows, sums, .. } = self;
        zeros(rows, y.len());
        a.add_product(1.0, x, rows);
        zeros(transposed, x.len());
        a.add_transposed_product(1.0, y, transposed);
        if ![&*product, &*rows, &*transposed].into_iter().all(|terms| are_finite(terms)) {
            return f64::NAN;
        }
        let (of_unknowns, of_rows) = scales.labels();
        sums.clear();
        sums.resize(scales.sets().len(), Sums::default());
        for ((((x, q), m), a), set) in x.iter().zip(q).zip(&*product).zip(&*transposed).zip(of_unknowns) {
            let set = &mut sums[*set];
            set.gradient += (m + q + a).powi(2);
            set.of_product += m * m;
            set.of_multipliers += a * a;
            set.of_x += x * x;
        }
        for (set, given) in sums.iter_mut().zip(scales.sets()) {
            set.force = given.force().max(set.of_product.sqrt()).max(set.of_multipliers.sqrt());
            set.length = given.length().max(set.of_x.sqrt());
        }
        let pairs = bounds.lower().iter().zip(bounds.upper());
        for ((((r, y), (l, u)), length), set) in
            rows.iter().zip(y).zip(pairs).zip(scales.lengths()).zip(of_rows)
        {
            let set = &mut sums[*set];
            let distance = |bound: &f64| (bound - r) / length / set.length;
            // P(r + y) - r would hide y if r is so large that r + y rounds to r.
            set.cut += (y * length / set.force).min(distance(u)).max(distance(l)).powi(2);
        }
        let of_set = |set: &Sums| set.gradient.sqrt() / set.force + set.cut.sqrt();
        sums.iter().map(of_set).fold(0.0, f64::max)
    }
}
