//! Positive semidefinite matrices of low rank, with a planted solution.

use ndarray::Array2;

use super::planted::{Planted, normal, skew, times_transposed};
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with the Delassus matrix $A A^T / r$ of `n` contacts and about $r = n / 3$ degrees of
/// freedom. The matrix is symmetric with rank $r$. There are many solutions, all with the same $w$; one is
/// planted.
#[must_use]
pub fn hyperstatic(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = low_rank(n, &mut random);
    known("hyperstatic", n, seed, m, MatrixClass::SymmetricPositiveSemidefinite, &mut random)
}

/// Returns a problem with the matrix of [`hyperstatic`] plus a skew part.
#[must_use]
pub fn nonsymmetric_semidefinite(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = low_rank(n, &mut random) + skew(n, &mut random);
    known("nonsymmetric semidefinite", n, seed, m, MatrixClass::PositiveSemidefinite, &mut random)
}

pub(super) fn low_rank(n: usize, random: &mut RandomState) -> Array2<f64> {
    let rank = n.div_ceil(3);
    let a = normal(n, rank, random);
    times_transposed(&a) / rank.max(1) as f64
}

fn known(
    family: &str,
    n: usize,
    seed: u32,
    m: Array2<f64>,
    class: MatrixClass,
    random: &mut RandomState,
) -> KnownLcp {
    let planted = Planted::strict(n, random);
    KnownLcp {
        name: format!("{family} {n}, {seed}"),
        source: "drawn: z and w chosen, q = w - M z",
        q: planted.q(&m),
        m,
        class,
        answer: Answer::Several(vec![planted.z]),
    }
}
