//! Random problems for property tests, one function per matrix class.
//!
//! Each function draws a matrix that belongs to the class by construction and is well enough conditioned for
//! the tolerances of the tests, and a $q$ with entries of both signs. Some functions draw small integers, for
//! which ties are exact and frequent.

use ndarray::{Array2, ArrayView1, s};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ops::Range;

/// Random linear complementarity problem.
#[derive(Clone, Debug)]
pub struct RandomLcp {
    /// Matrix M.
    pub m: Array2<f64>,
    /// Vector q.
    pub q: Vec<f64>,
}

/// Draws symmetric positive definite matrices $A A^T + D$. The entries of $A$ are in [-1, 1] and the entries
/// of the diagonal matrix $D$ in [0.2, 1].
pub fn positive_definite(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    sizes
        .prop_flat_map(|n| (square(n, -1.0, 1.0), vec(0.2..1.0, n), vec(-1.0..1.0, n)))
        .prop_map(|(a, d, q)| RandomLcp { m: a.dot(&a.t()) + Array2::from_diag(&ArrayView1::from(&d)), q })
}

/// Draws nonsymmetric positive definite matrices: matrices of [`positive_definite`] plus a skew matrix
/// $B - B^T$.
pub fn nonsymmetric_positive_definite(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    positive_definite(sizes)
        .prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), square(n, -1.0, 1.0))
        })
        .prop_map(|(problem, b)| RandomLcp { m: problem.m + &b - b.t(), q: problem.q })
}

/// Draws P-matrices, which are in general not positive definite. They are $D_1 M D_2$ with a positive
/// definite $M$ and positive diagonal matrices $D_1$, $D_2$ with entries in [0.3, 3]. Every principal minor
/// is the minor of $M$ times a positive number.
pub fn p_matrix(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    nonsymmetric_positive_definite(sizes)
        .prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), vec(0.3..3.0, n), vec(0.3..3.0, n))
        })
        .prop_map(|(RandomLcp { mut m, q }, left, right)| {
            for ((i, j), entry) in m.indexed_iter_mut() {
                *entry *= left[i] * right[j];
            }
            RandomLcp { m, q }
        })
}

/// Draws matrices that are strictly diagonally dominant by rows with a positive diagonal. Each diagonal entry
/// is at least 1.1 times the sum of the magnitudes of the other entries in its row, plus 0.1.
pub fn diagonally_dominant(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    sizes.prop_flat_map(|n| (square(n, -1.0, 1.0), vec(1.1..2.0, n), vec(-1.0..1.0, n))).prop_map(
        |(mut m, margin, q)| {
            for (i, margin) in margin.iter().enumerate() {
                m[[i, i]] = 0.0;
                let sum: f64 = m.row(i).iter().map(|x| x.abs()).sum();
                m[[i, i]] = margin * sum + 0.1;
            }
            RandomLcp { m, q }
        },
    )
}

/// Draws feasible problems with a positive semidefinite matrix whose symmetric part is singular. These
/// problems are solvable. The matrix is $A A^T + B - B^T$, where $A$ has fewer columns than rows. The vector
/// is $q = w - M z$ for some $w, z \ge 0$, which need not be complementary.
pub fn feasible_semidefinite(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    sizes
        .prop_flat_map(|n| {
            (square(n, -1.0, 1.0), 0..n.max(1), square(n, -1.0, 1.0), vec(0.0..1.0, n), vec(0.0..1.0, n))
        })
        .prop_map(|(a, rank, b, z, w)| {
            let a = a.slice(s![.., ..rank]).to_owned();
            let m = a.dot(&a.t()) + &b - b.t();
            let q = (ArrayView1::from(&w).to_owned() - m.dot(&ArrayView1::from(&z))).to_vec();
            RandomLcp { m, q }
        })
}

/// Draws Delassus matrices $H H^T$ with three times as many contacts as degrees of freedom. The entries of
/// $H$ are in {-1, 0, 1}, and $q = H v$ with entries of the velocity $v$ from -2 to 2. The matrix is positive
/// semidefinite. The problem is always solvable, because it is the projection of a velocity on a convex cone.
/// The impulses are not unique, and ties are frequent.
pub fn hyperstatic_integers(dofs: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    dofs.prop_flat_map(|n| (vec(-1..=1_i8, 3 * n * n), vec(-2..=2_i8, n))).prop_map(|(h, v)| {
        let n = v.len();
        let h = Array2::from_shape_fn((3 * n, n), |(i, j)| f64::from(h[i * n + j]));
        let q = h.dot(&ArrayView1::from(&floats(&v))).to_vec();
        RandomLcp { m: h.dot(&h.t()), q }
    })
}

/// Draws arbitrary matrices and vectors with integer entries from -2 to 2.
pub fn degenerate_integers(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    sizes
        .prop_flat_map(|n| (vec(-2..=2_i8, n * n), vec(-2..=2_i8, n)))
        .prop_map(|(m, q)| RandomLcp { m: from_integers(q.len(), &m), q: floats(&q) })
}

/// Draws copositive-plus matrices of small integers, with arbitrary small integers in $q$. The problems are
/// solvable or not. Half of the matrices are $A A^T + B - B^T$, which is positive semidefinite. The other
/// half are nonnegative with a positive diagonal, which is strictly copositive.
pub fn copositive_plus_integers(sizes: Range<usize>) -> impl Strategy<Value = RandomLcp> {
    let semidefinite = |n: usize| {
        (vec(-1..=1_i8, n * n), 0..n.max(1), vec(-1..=1_i8, n * n)).prop_map(move |(a, rank, b)| {
            let a = from_integers(n, &a).slice(s![.., ..rank]).to_owned();
            let b = from_integers(n, &b);
            a.dot(&a.t()) + &b - b.t()
        })
    };
    let strictly_copositive = |n: usize| {
        (vec(0..=2_i8, n * n), vec(1..=2_i8, n)).prop_map(move |(m, diagonal)| {
            let mut m = from_integers(n, &m);
            m.diag_mut().assign(&ArrayView1::from(&floats(&diagonal)));
            m
        })
    };
    sizes
        .prop_flat_map(move |n| {
            (prop_oneof![semidefinite(n).boxed(), strictly_copositive(n).boxed()], vec(-2..=2_i8, n))
        })
        .prop_map(|(m, q)| RandomLcp { m, q: floats(&q) })
}

/// Draws a random permutation of 0, .., n - 1.
pub fn permutation(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<_>>()).prop_shuffle()
}

fn square(n: usize, least: f64, greatest: f64) -> impl Strategy<Value = Array2<f64>> {
    vec(least..greatest, n * n)
        .prop_map(move |entries| Array2::from_shape_fn((n, n), |(i, j)| entries[i * n + j]))
}

fn from_integers(n: usize, entries: &[i8]) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| f64::from(entries[i * n + j]))
}

fn floats(entries: &[i8]) -> Vec<f64> {
    entries.iter().map(|&x| f64::from(x)).collect()
}
