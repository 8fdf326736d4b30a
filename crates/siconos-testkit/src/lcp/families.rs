//! Problems of any size, with solutions in closed form.

use std::cmp::Ordering;

use ndarray::{Array2, array};

use super::{Answer, KnownLcp};
use siconos_numerics::method::MatrixClass;

/// Returns Murty's problem. The matrix is upper triangular with 1 on the diagonal and 2 above it, and q =
/// (-1, .., -1). The solution is z = (0, .., 0, 1).
///
/// With this z, $w$ = (1, .., 1, 0).
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn murty(n: usize) -> KnownLcp {
    assert!(n > 0, "the family begins at n = 1");
    let mut z = vec![0.0; n];
    z[n - 1] = 1.0;
    KnownLcp {
        name: format!("murty {n}"),
        source: "Murty (1988), chapter 6; Floudas, Pardalos et al. (1999), problem 10.2.1; closed form",
        m: Array2::from_shape_fn((n, n), |(i, j)| match i.cmp(&j) {
            Ordering::Less => 2.0,
            Ordering::Equal => 1.0,
            Ordering::Greater => 0.0,
        }),
        q: vec![-1.0; n],
        class: MatrixClass::PMatrix,
        answer: Answer::Unique(z),
    }
}

/// Returns Murty's problem with the unknowns in reverse order. The matrix is lower triangular, and the
/// solution is z = (1, 0, .., 0).
///
/// Lemke's method with a covering vector of ones visits all complementary bases, which takes $2^n$ pivots.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn murty_reversed(n: usize) -> KnownLcp {
    let KnownLcp { mut m, q, class, source, .. } = murty(n);
    m.swap_axes(0, 1);
    let mut z = vec![0.0; n];
    z[0] = 1.0;
    let m = m.as_standard_layout().into_owned();
    KnownLcp { name: format!("murty reversed {n}"), source, m, q, class, answer: Answer::Unique(z) }
}

/// Returns Fathi's problem: $M_{ii} = 4 i + 1$, $M_{ij} = 4 \min(i, j) + 2$, with indices from 0, and q =
/// (-1, .., -1). The solution is z = (1, 0, .., 0).
///
/// The matrix is $U^T U$ with Murty's matrix $U$, so it is symmetric positive definite. Its first column is
/// (1, 2, .., 2), so $w$ = (0, 1, .., 1). Lemke's method takes $2^n$ pivots in exact arithmetic, and slightly
/// fewer in floating point if n is at least 8.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn fathi(n: usize) -> KnownLcp {
    assert!(n > 0, "the family begins at n = 1");
    let mut z = vec![0.0; n];
    z[0] = 1.0;
    KnownLcp {
        name: format!("fathi {n}"),
        source: "Fathi, Mathematical Programming 17 (1979), 335-344; closed form",
        m: Array2::from_shape_fn((n, n), |(i, j)| 4.0 * i.min(j) as f64 + if i == j { 1.0 } else { 2.0 }),
        q: vec![-1.0; n],
        class: MatrixClass::SymmetricPositiveDefinite,
        answer: Answer::Unique(z),
    }
}

/// Returns the contact problem of a column of `n` equal beads at rest on the floor, for one time step.
/// Contact 0 is between the floor and bead 0, contact i is between bead i and the bead below it.
///
/// M = tridiag(-1, 2, -1), except that the first entry is 1, because the floor does not move. q = (-1, 0, ..,
/// 0), because gravity accelerates all beads equally, so that only the contact with the floor closes. Each
/// contact carries the weight of the beads above it: $z_i = n - i$. All $w_i$ are 0.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn bead_column(n: usize) -> KnownLcp {
    assert!(n > 0, "a column has a bead");
    let mut q = vec![0.0; n];
    q[0] = -1.0;
    KnownLcp {
        name: format!("bead column {n}"),
        source: "statics: contact i bears the weight of n - i beads",
        m: tridiagonal(n, 1.0),
        q,
        class: MatrixClass::SymmetricPositiveDefinite,
        answer: Answer::Unique((0..n).map(|i| (n - i) as f64).collect()),
    }
}

/// Returns the contact problem of a row of `n - 1` beads between two walls. All contacts close at speed 1.
///
/// M = tridiag(-1, 2, -1) and q = (-1, .., -1) form the discrete Poisson equation. Its solution is
/// $z_i = (i + 1)(n - i) / 2$, with $w = 0$.
///
/// # Panics
///
/// If `n` is 0.
#[track_caller]
#[must_use]
pub fn clamped_chain(n: usize) -> KnownLcp {
    assert!(n > 0, "a chain has a contact");
    KnownLcp {
        name: format!("clamped chain {n}"),
        source: "discrete Poisson equation in one dimension; closed form",
        m: tridiagonal(n, 2.0),
        q: vec![-1.0; n],
        class: MatrixClass::SymmetricPositiveDefinite,
        answer: Answer::Unique((0..n).map(|i| ((i + 1) * (n - i)) as f64 / 2.0).collect()),
    }
}

fn tridiagonal(n: usize, first: f64) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
        0 if i == 0 => first,
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    })
}

/// Returns the optimality conditions of a quadratic program that plans the production of three products, with
/// the parameter `l` in $q$. For $l \le 23$ all three are produced, for larger $l$ only two.
///
/// # Panics
///
/// If `l` is neither in [0, 23] nor 100. The source gives the solution for these values only.
#[track_caller]
#[must_use]
pub fn parametric_quadratic_program(l: f64) -> KnownLcp {
    let z = if (0.0..=23.0).contains(&l) {
        vec![(l + 16.0) / 13.0, (l + 16.0) / 13.0, 2.0 * (23.0 - l) / 13.0, (1286.0 - 9.0 * l) / 13.0]
    } else {
        assert_eq!(l, 100.0, "no answer is known for this parameter");
        vec![3.0, 3.0, 0.0, 83.0]
    };
    KnownLcp {
        name: format!("parametric quadratic program {l}"),
        source: "Floudas, Pardalos et al. (1999), problem 10.2.9, with the entry (4, 4) set right",
        m: array![
            [11.0, 0.0, 10.0, -1.0],
            [0.0, 11.0, 10.0, -1.0],
            [10.0, 10.0, 21.0, -1.0],
            [1.0, 1.0, 1.0, 0.0]
        ],
        q: vec![50.0, 50.0, l, -6.0],
        class: MatrixClass::PositiveSemidefinite,
        answer: Answer::Unique(z),
    }
}
