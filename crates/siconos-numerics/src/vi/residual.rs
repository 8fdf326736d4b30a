//! Errors of candidate solutions of variational inequalities.

use siconos_linalg::{largest_magnitude, norm};

use super::{BoxViProblem, ViProblem};
use crate::box_constraints::natural;

/// Returns the error of a point z in the set:
///
/// $$ e = \frac{\lVert P_X(z - F(z)) - z \rVert_2}{\lVert F(0) \rVert_2}, $$
///
/// as plain text norm(P(z - F(z)) - z) / norm(F(0)). The division is omitted if norm(F(0)) does not exceed
/// the machine precision or is not finite. The error is NaN if z or F(z) is not finite. If z is so large that
/// z - F(z) rounds to z, norm(P(z - rho F(z)) - z) / rho is computed for several $\rho \ge 1$, and the
/// largest value replaces the numerator.
///
/// The error vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8). It corresponds to
/// `variationalInequality_computeError` of Siconos.
#[doc(alias = "variationalInequality_computeError")]
#[must_use]
pub fn error(problem: &ViProblem<'_>, z: &[f64]) -> f64 {
    let mut f = vec![0.0; z.len()];
    problem.map(z, &mut f);
    natural_error(problem, scale(problem), z, &f, &mut Vec::new())
}

/// Returns the divisor of the error: norm(F(0)), or 1 if this norm is not finite or does not exceed the
/// machine precision.
pub(super) fn scale(problem: &ViProblem<'_>) -> f64 {
    let (zero, mut f) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    problem.map(&zero, &mut f);
    let scale = norm(&f);
    if scale > f64::EPSILON && scale.is_finite() { scale } else { 1.0 }
}

/// Returns the error for given F(z) and scale. `memory` is workspace.
pub(super) fn natural_error(
    problem: &ViProblem<'_>,
    scale: f64,
    z: &[f64],
    f: &[f64],
    memory: &mut Vec<f64>,
) -> f64 {
    if z.iter().chain(f).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let negligible = f64::EPSILON * scale;
    let hidden = z.iter().zip(f).filter(|(_, f)| f.abs() > negligible).map(|(z, f)| z.abs() / f.abs());
    let longest = hidden.fold(1.0, f64::max).min(LONGEST_WAY / largest_magnitude(f));
    let mut step = 1.0;
    let mut error = natural_step(problem, step, z, f, memory);
    while STEP_GROWTH * step < longest {
        step *= STEP_GROWTH;
        error = error.max(natural_step(problem, step, z, f, memory));
    }
    error / scale
}

/// Factor between successive steps. It is 2^26, which corresponds to half of the digits of a double. As long
/// as the norm of z is at most this factor times the norm of F, z - F(z) keeps at least half of the digits of
/// F.
const STEP_GROWTH: f64 = (1_u64 << 26) as f64;

/// Maximum magnitude of the entries of $\rho F$, which keeps them finite.
const LONGEST_WAY: f64 = 1e300;

/// Returns $\lVert P_X(z - \rho F) - z \rVert_2 / \rho$ for a step $\rho \ge 1$. For $\rho = 1$ this is the
/// norm of the natural map, and for a longer step it is never larger (Calamai and Moré 1987, lemma 2.2).
///
/// If z is so large that z - F rounds to z, only a longer step shows whether -F points into the set.
fn natural_step(problem: &ViProblem<'_>, step: f64, z: &[f64], f: &[f64], memory: &mut Vec<f64>) -> f64 {
    memory.clear();
    memory.extend(z.iter().zip(f).map(|(z, f)| z - step * f));
    problem.set().project(memory);
    memory.iter_mut().zip(z).for_each(|(p, z)| *p = (*p - z) / step);
    norm(memory)
}

/// Returns the error of a pair (z, w) with w = F(z) over a box: $\lVert P_{[l, u]}(z - w) - z \rVert_2$. The
/// error is absolute. It is NaN if an entry is not finite.
///
/// The error corresponds to `variationalInequality_compute_error_box` of Siconos.
#[doc(alias = "variationalInequality_compute_error_box")]
#[must_use]
pub fn box_error(problem: &BoxViProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let bounds = problem.bounds().lower().iter().zip(problem.bounds().upper());
    z.iter()
        .zip(w)
        .zip(bounds)
        .map(|((z, w), (l, u))| natural(1.0, *z, *w, *l, *u).powi(2))
        .sum::<f64>()
        .sqrt()
}
