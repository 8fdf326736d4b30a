//! The stopping measures of variational inequalities.

use super::{BoxViProblem, ViProblem};
use crate::box_rows::natural;
use crate::linalg::norm;

/// The error of a point of the set:
///
/// $$ e = \frac{\lVert P_X(z - F(z)) - z \rVert_2}{\lVert F(0) \rVert_2}, $$
///
/// that is norm(P(z - F(z)) - z) / norm(F(0)); without the division when norm(F(0)) does not exceed the
/// machine precision or is not finite. NaN when z or F(z) is not finite.
///
/// It vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8), and it is the measure
/// `variationalInequality_computeError` of Siconos.
#[doc(alias = "variationalInequality_computeError")]
#[must_use]
pub fn error(problem: &ViProblem<'_>, z: &[f64]) -> f64 {
    let mut f = vec![0.0; z.len()];
    problem.map(z, &mut f);
    natural_error(problem, scale(problem), z, &f, &mut Vec::new())
}

/// What the error is divided by.
pub(super) fn scale(problem: &ViProblem<'_>) -> f64 {
    let (zero, mut f) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    problem.map(&zero, &mut f);
    let scale = norm(&f);
    if scale > f64::EPSILON && scale.is_finite() { scale } else { 1.0 }
}

/// The error, with F(z) and the scale at hand. `memory` is that.
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
    memory.clear();
    memory.extend(z.iter().zip(f).map(|(z, f)| z - f));
    problem.set().project(memory);
    memory.iter().zip(z).map(|(p, z)| (p - z).powi(2)).sum::<f64>().sqrt() / scale
}

/// The error of a pair (z, w) with w = F(z) between bounds: $\lVert P_{[l, u]}(z - w) - z \rVert_2$,
/// absolute. NaN when an entry is not finite.
///
/// It is the measure `variationalInequality_compute_error_box` of Siconos.
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
