//! Positive definite matrices, symmetric and nonsymmetric.

use ndarray::Array2;

use super::planted::{Planted, normal, skew, times_transposed};
use crate::lcp::strategy::RandomLcp;
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with $M = A A^T + I$ and $q$. First the entries of $A$, row by row, and then $q$ are
/// drawn from the standard normal distribution with `RandomState(20240 + n)`. The condition number is about
/// $4 n$. The solution is unique but not known in advance.
///
/// The same draws in numpy result in the same problem, up to rounding of the product.
#[must_use]
pub fn gram(n: usize) -> RandomLcp {
    drawn_gram(n, 1.0)
}

/// Returns the problem of [`gram`] with $M = A A^T / n + I$. The condition number is about 5 for every size.
#[must_use]
pub fn gram_over_n(n: usize) -> RandomLcp {
    drawn_gram(n, n.max(1) as f64)
}

fn drawn_gram(n: usize, divisor: f64) -> RandomLcp {
    let mut random = RandomState::new(20240 + n as u32);
    let a = normal(n, n, &mut random);
    let m = times_transposed(&a) / divisor + Array2::<f64>::eye(n);
    RandomLcp { m, q: (0..n).map(|_| random.standard_normal()).collect() }
}

/// Returns a problem with the symmetric positive definite matrix $A A^T / n + I$ and a strictly complementary
/// solution.
#[must_use]
pub fn definite(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = gram_matrix(n, &mut random);
    known("definite", n, seed, m, MatrixClass::SymmetricPositiveDefinite, &Planted::strict(n, &mut random))
}

/// Returns a problem like [`definite`], but with $z_i = w_i = 0$ for about two fifths of the indices.
#[must_use]
pub fn degenerate_definite(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = gram_matrix(n, &mut random);
    let planted = Planted::with_both_zero(n, 0.4, &mut random);
    known("degenerate definite", n, seed, m, MatrixClass::SymmetricPositiveDefinite, &planted)
}

/// Returns a problem with a positive definite matrix whose symmetric and skew parts have comparable norms.
#[must_use]
pub fn nonsymmetric_definite(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = gram_matrix(n, &mut random) + skew(n, &mut random);
    known(
        "nonsymmetric definite",
        n,
        seed,
        m,
        MatrixClass::PositiveDefinite,
        &Planted::strict(n, &mut random),
    )
}

fn gram_matrix(n: usize, random: &mut RandomState) -> Array2<f64> {
    let a = normal(n, n, random);
    times_transposed(&a) / n.max(1) as f64 + Array2::<f64>::eye(n)
}

fn known(
    family: &str,
    n: usize,
    seed: u32,
    m: Array2<f64>,
    class: MatrixClass,
    planted: &Planted,
) -> KnownLcp {
    let q = planted.q(&m);
    KnownLcp {
        name: format!("{family} {n}, {seed}"),
        source: "drawn: z and w chosen, q = w - M z",
        m,
        q,
        class,
        answer: Answer::Unique(planted.z.clone()),
    }
}
