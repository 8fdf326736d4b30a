//! P-matrices that are in general not positive definite. By construction, all principal minors are positive.

use ndarray::{Array2, s};

use super::planted::Planted;
use crate::lcp::elimination::inverse;
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with a block upper triangular matrix. Its diagonal blocks are (1, 4; -1/4, 1), followed
/// by a block of 1 if `n` is odd.
///
/// A principal minor is the product of the minors of its diagonal blocks, each 1 or 2, so the matrix is a
/// P-matrix. For a block and x = (1, -1), $x^T M x = 2 - 3.75 < 0$, so the matrix is not positive definite.
/// The entries above the diagonal have both signs and decrease with the distance from the diagonal, so that
/// the condition number stays moderate.
#[must_use]
pub fn block_triangular(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = Array2::from_shape_fn((n, n), |(i, j)| match (i % 2, j) {
        _ if i == j => 1.0,
        (0, j) if j == i + 1 => 4.0,
        (1, j) if j + 1 == i => -0.25,
        (_, j) if j > i => random.between(-0.5, 0.5) / (1 + (j - i) * (j - i)) as f64,
        _ => 0.0,
    });
    known("block triangular", n, seed, m, MatrixClass::PMatrix, &mut random)
}

/// Returns a problem with the matrix $D_1 B C^{-1} D_2$. $B$ and $C$ are strictly diagonally dominant by rows
/// with positive diagonals. $D_1$ and $D_2$ are positive diagonal matrices, which do not change the sign of a
/// minor.
///
/// The matrix $N = B C^{-1}$ is a P-matrix if and only if $I - T + T N$ is regular for every diagonal $T$
/// with entries in [0, 1]. This matrix equals $((I - T) C + T B) C^{-1}$. The rows of its first factor are
/// averages of diagonally dominant rows with positive diagonal entries, so the factor is strictly diagonally
/// dominant and therefore regular (Johnson and Tsatsomeros 1995, Linear and Multilinear Algebra 38).
#[must_use]
pub fn quotient_of_dominant(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let (b, c) = (dominant(n, &mut random), dominant(n, &mut random));
    let m = b.dot(&inverse(c).expect("a dominant matrix is regular"));
    let m = scaled(m, &mut random);
    known("quotient of dominant", n, seed, m, MatrixClass::PMatrix, &mut random)
}

/// Returns a problem with the M-matrix $D_1 (1.2 I - B) D_2$. $B \ge 0$ has row sums 1, and the diagonal
/// matrices $D_1$ and $D_2$ have entries in [0.2, 5). The product is in general neither definite nor
/// diagonally dominant.
#[must_use]
pub fn scaled_m_matrix(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let mut m = Array2::zeros((n, n));
    for i in 0..n {
        let row: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
        let sum: f64 = row.iter().sum();
        m.slice_mut(s![i, ..]).iter_mut().zip(row).for_each(|(m, b)| *m = -b / sum);
        m[[i, i]] += 1.2;
    }
    let m = scaled(m, &mut random);
    known("scaled M-matrix", n, seed, m, MatrixClass::HMatrix, &mut random)
}

/// Returns a problem with the matrix $D_1 B D_2$. $B$ is strictly diagonally dominant with a positive
/// diagonal and entries of both signs, and $D_1$ and $D_2$ are positive diagonal matrices. The product is an
/// H-matrix with a positive diagonal.
#[must_use]
pub fn h_matrix(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = dominant(n, &mut random);
    let m = scaled(m, &mut random);
    known("H-matrix", n, seed, m, MatrixClass::HMatrix, &mut random)
}

/// Returns a matrix with 1 on the diagonal. In each row, the magnitudes of the other entries have the sum
/// 0.8.
fn dominant(n: usize, random: &mut RandomState) -> Array2<f64> {
    let mut m = Array2::zeros((n, n));
    for i in 0..n {
        let mut row: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        row[i] = 0.0;
        let sum: f64 = row.iter().map(|x| x.abs()).sum();
        m.slice_mut(s![i, ..])
            .iter_mut()
            .zip(row)
            .for_each(|(m, x)| *m = 0.8 * x / sum.max(f64::MIN_POSITIVE));
        m[[i, i]] = 1.0;
    }
    m
}

fn scaled(mut m: Array2<f64>, random: &mut RandomState) -> Array2<f64> {
    let mut diagonal =
        || (0..m.nrows()).map(|_| 5.0_f64.powf(random.between(-1.0, 1.0))).collect::<Vec<f64>>();
    let (left, right) = (diagonal(), diagonal());
    m.indexed_iter_mut().for_each(|((i, j), m)| *m *= left[i] * right[j]);
    m
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
        answer: Answer::Unique(planted.z),
    }
}
