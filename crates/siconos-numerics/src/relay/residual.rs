//! The stopping measure of the relay problem.

use ndarray::ArrayView1;

use super::RelayProblem;
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, are_finite, largest_magnitude, norm};
use crate::own_response::{for_each, relative, size_of_point, solve_without_q};
use crate::rounding::{LOST, allowances};

/// The error of a pair $(z, w)$ with $w = M z + q$, for the bounds $l \le z \le u$ (`lower` and `upper`):
///
/// $$ e = \frac{\lVert r \rVert_2}{\lVert q \rVert_2 + \lVert d P(0) \rVert_2}, \qquad
///    r_i = \mathrm{mid}\bigl(d_i (z_i - l_i), w_i, d_i (z_i - u_i)\bigr), $$
///
/// that is norm(r) / (norm(q) + norm(d P(0))), with r_i the middle one of d_i (z_i - l_i), w_i and d_i (z_i - u_i): the natural map of the
/// problem in d z. $d_i = |M_{ii}|$ is what $z_i$ does to its own row, so that $d_i z_i$ has the unit of $w_i$, and the error is the
/// same in every unit of z and of w, as that of [`lcp::error`](crate::lcp::error), which it is where l = 0 and u is infinite. Where
/// $M_{ii}$ is 0 or next to nothing, the mean of the others stands in for it as there; where all are 0, the mean of the $|M_{ij}|$ that are not. P(0) is the
/// point between the bounds nearest to 0, and mostly 0. Where it is 0, and q too, so that z = 0 is a solution, the error is relative to the
/// larger of norm(w) and norm(d z). NaN when an entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8: the natural map). The measure of Siconos, which takes
/// z and w as they are, is [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    assert_eq!((z.len(), w.len()), (problem.size(), problem.size()), "lengths of z and w");
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let mut sums = Sums::default();
    for_each(problem.m(), |i, d| sums.add(d, z[i], w[i], problem.lower()[i], problem.upper()[i]));
    sums.error(problem, z, w)
}

/// The [`error`] with the $d_i$ at hand.
pub(super) fn error_by(responses: &[f64], problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let mut sums = Sums::default();
    let bounds = problem.lower().iter().zip(problem.upper());
    for (((d, z), w), (l, u)) in responses.iter().zip(z).zip(w).zip(bounds) {
        sums.add(*d, *z, *w, *l, *u);
    }
    sums.error(problem, z, w)
}

/// The squares of the residuals and of what the point nearest to 0 does, summed up row by row.
#[derive(Default)]
struct Sums {
    residual: f64,
    of_bounds: f64,
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, d: f64, z: f64, w: f64, lower: f64, upper: f64) {
        self.residual += natural(d, z, w, lower, upper).powi(2);
        if lower > 0.0 || upper < 0.0 {
            self.of_bounds += (d * nearest_to_zero(lower, upper)).powi(2);
        }
    }

    fn error(&self, problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
        let scale = norm(problem.q()) + self.of_bounds.sqrt();
        relative(self.residual.sqrt(), scale, || size_of_point(problem.m(), z, w))
    }
}

/// The error as `relay_compute_error` of Siconos has it, so that results are comparable: norm(Proj(z - w) - z) / (norm(q) + 1), with the
/// projection onto the bounds. NaN when an entry of the pair is not finite.
///
/// It adds up z and w, and so depends on their units. No solver stops by it.
#[doc(alias = "relay_compute_error")]
#[must_use]
pub fn siconos_error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let bounds = problem.lower().iter().zip(problem.upper());
    let squares = z.iter().zip(w).zip(bounds).map(|((z, w), (l, u))| natural(1.0, *z, *w, *l, *u).powi(2));
    squares.sum::<f64>().sqrt() / (1.0 + norm(problem.q()))
}

/// $z - P_{[l, u]}(z - w)$ in the unit of w, which z has when multiplied by `response`: the middle one of d (z - l), d (z - u) and
/// w, which cancels nothing.
#[inline]
pub(crate) fn natural(response: f64, z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    w.min(response * (z - lower)).max(response * (z - upper))
}

/// The number between two bounds that is nearest to 0.
pub(crate) fn nearest_to_zero(lower: f64, upper: f64) -> f64 {
    0.0_f64.max(lower).min(upper)
}

/// z = 0 where it is a solution because q = 0 and all bounds let it be; see [`own_response::solve_without_q`](solve_without_q).
pub(super) fn solve_without_data(
    problem: &RelayProblem<'_>,
    z: &mut [f64],
    w: &mut [f64],
) -> Option<SolveInfo> {
    let may_be_zero = |(l, u): (&f64, &f64)| *l <= 0.0 && 0.0 <= *u;
    let is_without =
        problem.q().iter().all(|q| *q == 0.0) && problem.lower().iter().zip(problem.upper()).all(may_be_zero);
    if is_without { solve_without_q(problem.q(), z, w) } else { None }
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    // The product first: where huge terms cancel, q added to one of them would be lost with it, and w = 0 seem exact.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem, z, w)
}

/// The status of a point that a method took for a solution; any other but success means that it was mistaken. `scale` is memory.
pub(super) fn judge(
    problem: &RelayProblem<'_>,
    z: &[f64],
    w: &[f64],
    error: f64,
    tolerance: f64,
    scale: &mut Vec<f64>,
) -> Status {
    if !error.is_finite() {
        return Status::Breakdown;
    }
    if is_lost(problem, z, scale) {
        return Status::Stalled;
    }
    if error <= tolerance {
        return Status::Converged;
    }
    allowances(problem.m(), problem.q(), z, scale);
    let bounds = problem.lower().iter().zip(problem.upper());
    let exact = z.iter().zip(w).zip(&*scale).zip(bounds).all(|(((&z, &w), &allowed), (&l, &u))| {
        (l..=u).contains(&z) && (w <= allowed || z == l) && (w >= -allowed || z == u)
    });
    if exact { Status::AtRoundingLevel } else { Status::Stalled }
}

/// Whether unknowns between their bounds are so large that rounding in their part of M z covers a thousandth of what the others and q
/// make: whatever w is then, it says nothing. `memory` is memory.
fn is_lost(problem: &RelayProblem<'_>, z: &[f64], memory: &mut Vec<f64>) -> bool {
    let n = z.len();
    let is_held = |i: usize| z[i] == problem.lower()[i] || z[i] == problem.upper()[i];
    let largest_q = largest_magnitude(problem.q());
    if let MatrixRef::Dense(m) = problem.m() {
        // Without memory, since every step of a small circuit comes here.
        let terms = |row: ArrayView1<'_, f64>| -> f64 {
            let parts = row.iter().zip(z).enumerate();
            parts.map(|(j, (m, z))| if is_held(j) { 0.0 } else { (m * z).abs() }).sum()
        };
        if m.rows().into_iter().all(|row| f64::EPSILON * terms(row) <= LOST * largest_q) {
            return false;
        }
    }
    memory.clear();
    memory.extend(z.iter().enumerate().map(|(i, z)| if is_held(i) { 0.0 } else { *z }));
    memory.resize(2 * n, 0.0);
    let (part, terms) = memory.split_at_mut(n);
    problem.m().add_absolute_product(part, terms);
    let rounding = f64::EPSILON * largest_magnitude(terms);
    if rounding <= LOST * largest_q {
        return false;
    }
    part.iter_mut().zip(z).for_each(|(part, z)| *part = z - *part);
    terms.iter_mut().zip(problem.q()).for_each(|(terms, q)| *terms = q.abs());
    problem.m().add_absolute_product(part, terms);
    let given = largest_magnitude(terms);
    given > 0.0 && rounding > LOST * given
}
