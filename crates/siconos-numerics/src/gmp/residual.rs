//! The stopping measure.

use super::{GenericMechanicalProblem, MechanicalLaw};
use crate::contact::residual::natural_map_norm;
use crate::linalg::norm;

/// The error of a pair $(z, w)$ with $w = M z + q$: the largest of the errors of the blocks, which are
///
/// $$ \lVert w_i \rVert_\infty \text{ (equality)}, \qquad
///    \frac{\lVert z_i - P(z_i - w_i) \rVert_2}{1 + \lVert q_i \rVert_2} \text{ (all others)}, $$
///
/// as plain text max-norm(w) for equality and norm(z - P(z - w)) / (1 + norm(q)) for the others: P is the projection onto
/// the positive numbers, the bounds of a relay or Coulomb's cone, with w shifted by $\mu \lVert w_T \rVert$ for friction. NaN
/// when an entry is not finite.
///
/// It vanishes exactly at solutions. The equality part is absolute, in the units of w.
#[doc(alias = "gmp_compute_error")]
#[must_use]
pub fn error(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    (0..problem.blocks()).map(|i| error_of_block(problem, i, z, w)).fold(0.0, f64::max)
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &GenericMechanicalProblem, z: &[f64], w: &mut [f64]) -> f64 {
    // The product first: where huge terms cancel, q added to one of them would be lost with it.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem, z, w)
}

fn error_of_block(problem: &GenericMechanicalProblem, block: usize, z: &[f64], w: &[f64]) -> f64 {
    let (law, range) = (&problem.laws()[block], problem.range(block));
    let (z, w, q) = (&z[range.clone()], &w[range.clone()], &problem.q()[range]);
    let map = match law {
        MechanicalLaw::Equality { .. } => return w.iter().fold(0.0, |a, w| w.abs().max(a)),
        MechanicalLaw::Complementarity { .. } => {
            z.iter().zip(w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt()
        }
        MechanicalLaw::Relay { lower, upper } => {
            let bounds = lower.iter().zip(upper);
            let parts = z.iter().zip(w).zip(bounds);
            parts.map(|((z, w), (l, u))| w.min(z - l).max(z - u).powi(2)).sum::<f64>().sqrt()
        }
        MechanicalLaw::Friction2 { .. } | MechanicalLaw::Friction3 { .. } => {
            law.friction().map_or(f64::NAN, |law| natural_map_norm(&law, z, w))
        }
    };
    map / (1.0 + norm(q))
}
