//! Test oracle for small problems. It finds all basic solutions by trying every support.

use ndarray::{Array2, ArrayView2};

use super::elimination::solve_exactly;

/// Maximum number of unknowns for [`enumerate_solutions`], with 3^8 supports.
pub const LARGEST_ENUMERATED: usize = 8;

/// Number above which values count as nonnegative.
const NEGATIVE: f64 = -1e-9;

/// Returns all basic solutions, each once. The result is empty if and only if the problem has no solution.
///
/// A solution expresses $q$ by the columns of $I$, with the coefficients $w$, and of $-M$, with the
/// coefficients $z$. For each i, at most one of $w_i$ and $z_i$ is nonzero. A solution is basic if the
/// columns with nonzero coefficients are linearly independent. If there is a solution, there is a basic
/// solution (Caratheodory). For each of the $3^n$ choices of $w_i$, $z_i$ or neither, the columns are tested
/// for independence and the system is solved. The $2^n$ complementary bases alone would miss solutions that
/// belong only to singular bases.
///
/// The result is reliable for data of moderate size, such as small integers, for which rounding errors are
/// far below 1e-9.
///
/// # Panics
///
/// If `n` exceeds [`LARGEST_ENUMERATED`], or if the sizes differ.
#[track_caller]
#[must_use]
pub fn enumerate_solutions(m: ArrayView2<'_, f64>, q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    assert_eq!(m.dim(), (n, n), "the matrix must be n x n");
    assert!(n <= LARGEST_ENUMERATED, "n = {n} is above {LARGEST_ENUMERATED}");
    let mut solutions: Vec<Vec<f64>> = Vec::new();
    let mut support = vec![Use::Neither; n];
    loop {
        if let Some(z) = solution_on(m, q, &support)
            && !solutions.iter().any(|known| same(known, &z))
        {
            solutions.push(z);
        }
        if !advance(&mut support) {
            return solutions;
        }
    }
}

/// Variable of a complementary pair that may be nonzero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Neither,
    W,
    Z,
}

/// Advances to the next support, like a counter in base 3. Returns `false` after the last support.
fn advance(support: &mut [Use]) -> bool {
    for place in support {
        match place {
            Use::Neither => *place = Use::W,
            Use::W => *place = Use::Z,
            Use::Z => {
                *place = Use::Neither;
                continue;
            }
        }
        return true;
    }
    false
}

fn solution_on(m: ArrayView2<'_, f64>, q: &[f64], support: &[Use]) -> Option<Vec<f64>> {
    let n = q.len();
    let used: Vec<usize> = (0..n).filter(|&i| support[i] != Use::Neither).collect();
    let columns = Array2::from_shape_fn((n, used.len()), |(i, k)| match support[used[k]] {
        Use::W => f64::from(u8::from(i == used[k])),
        _ => -m[[i, used[k]]],
    });
    let x = solve_exactly(columns, q.to_vec())?;
    if x.iter().any(|&x| x < NEGATIVE) {
        return None;
    }
    let mut z = vec![0.0; n];
    for (&i, &x) in used.iter().zip(&x) {
        if support[i] == Use::Z {
            z[i] = x.max(0.0);
        }
    }
    Some(z)
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-8 * a.abs().max(b.abs()).max(1.0))
}
