//! Polishing: one linear system on the active constraints of an approximate solution.
//!
//! If an active constraint has a zero multiplier, an interior-point method finds only half of the digits.

use siconos_linalg::{Csc, MatrixRef, SparseLu};

use super::QpProblem;
use super::units::ErrorEvaluator;
use crate::convex_set::Interval;

/// Regularisation as a multiple of the largest entry. Iterative refinement removes its effect.
const SHIFT: f64 = 1e-9;
/// Number of refinement steps.
const STEPS: usize = 5;

/// Solves $M x + q + A_\alpha^T y_\alpha = 0$, $A_\alpha x = b_\alpha$ for the active rows. These are the
/// rows in which $|y_i|$ exceeds the distance to the bound. Replaces x and y if this reduces the error, and
/// returns the error. The program, x and y are scaled. (Stellato et al. 2020, section 4.)
pub(super) fn polish(
    problem: &QpProblem<'_>,
    a: MatrixRef<'_>,
    bounds: Interval<'_>,
    judge: &mut ErrorEvaluator<'_, '_>,
    mut error: f64,
    x: &mut [f64],
    y: &mut [f64],
) -> f64 {
    let n = x.len();
    let mut products = vec![0.0; y.len()];
    a.add_product(1.0, x, &mut products);
    let pairs = bounds.lower().iter().zip(bounds.upper());
    let bound = |((y, r), (l, u)): ((&f64, &f64), (&f64, &f64))| {
        if l == u || *y > u - r {
            Some(*u)
        } else if -*y > r - l {
            Some(*l)
        } else {
            None
        }
    };
    let active = y.iter().zip(&products).zip(pairs).map(bound).enumerate();
    let active: Vec<(usize, f64)> = active.filter_map(|(i, bound)| bound.map(|b| (i, b))).collect();
    let Some(mut lu) = factor(problem, a, &active) else { return error };

    let (mut next, mut multipliers) = (x.to_vec(), vec![0.0; y.len()]);
    active.iter().for_each(|(i, _)| multipliers[*i] = y[*i]);
    let mut step = vec![0.0; n + active.len()];
    for _ in 0..STEPS {
        let (gradient, rest) = step.split_at_mut(n);
        gradient.copy_from_slice(problem.q());
        problem.m().add_product(1.0, &next, gradient);
        a.add_transposed_product(1.0, &multipliers, gradient);
        gradient.iter_mut().for_each(|g| *g = -*g);
        products.fill(0.0);
        a.add_product(1.0, &next, &mut products);
        rest.iter_mut().zip(&active).for_each(|(r, (i, b))| *r = b - products[*i]);
        lu.solve(&mut step);
        next.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
        active.iter().zip(&step[n..]).for_each(|((i, _), step)| multipliers[*i] += step);
        let polished = judge.error(&next, &multipliers);
        if polished < error {
            error = polished;
            x.copy_from_slice(&next);
            y.copy_from_slice(&multipliers);
        } else if polished.is_nan() || polished > 1e3 * error {
            break;
        }
    }
    error
}

/// Factorises the matrix of the active rows. The regularisation makes it quasidefinite, hence regular.
fn factor(problem: &QpProblem<'_>, a: MatrixRef<'_>, active: &[(usize, f64)]) -> Option<SparseLu> {
    let n = problem.size();
    let (m, mut rows) = (Csc::from_matrix(problem.m()), Csc::default());
    rows.copy_transposed(&Csc::from_matrix(a));
    let largest = |m: &Csc| m.values().iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let shift = SHIFT * Some(largest(&m).max(largest(&rows))).filter(|x| *x > 0.0).unwrap_or(1.0);
    let of_m = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)).chain([(j, j, shift)]));
    let of_a = active.iter().enumerate().flat_map(|(k, (i, _))| {
        let entries = rows.column(*i).flat_map(move |(j, x)| [(n + k, j, x), (j, n + k, x)]);
        entries.chain([(n + k, n + k, -shift)])
    });
    let size = n + active.len();
    let matrix = Csc::from_triplets(size, size, of_m.chain(of_a)).ok()?;
    let mut lu = SparseLu::default();
    lu.factor(&matrix).ok()?;
    Some(lu)
}
