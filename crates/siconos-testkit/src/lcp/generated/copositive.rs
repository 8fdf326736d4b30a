//! Copositive matrices that are not positive semidefinite.

use ndarray::{Array2, s};

use super::planted::{Planted, normal};
use super::semidefinite::low_rank;
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with a strictly copositive matrix: no negative entries, the diagonal in [0.5, 1.5), the
/// other entries in [0, 2), so that $x^T M x \ge \sum M_{ii} x_i^2$ for $x \ge 0$. It can have several
/// solutions; one of them is planted.
#[must_use]
pub fn strictly_copositive(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = without_negative_entry(n, &mut random);
    known("strictly copositive", n, seed, m, MatrixClass::StrictlyCopositive, &mut random)
}

/// Returns a problem with a copositive-plus matrix. The first diagonal block is symmetric positive
/// semidefinite of low rank, the second diagonal block is strictly copositive, and the blocks $E$ and $-E^T$
/// couple the two halves of the unknowns.
///
/// The coupling cancels in $x^T M x$. If the other terms are 0 for an $x \ge 0$, the second half of $x$ is 0,
/// and the first diagonal block maps the first half of $x$ to 0.
#[must_use]
pub fn copositive_plus(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let half = n / 2;
    let mut m = Array2::zeros((n, n));
    m.slice_mut(s![..half, ..half]).assign(&low_rank(half, &mut random));
    m.slice_mut(s![half.., half..]).assign(&without_negative_entry(n - half, &mut random));
    let coupling = normal(half, n - half, &mut random) / (n.max(1) as f64).sqrt();
    m.slice_mut(s![..half, half..]).assign(&coupling);
    m.slice_mut(s![half.., ..half]).assign(&(-&coupling.t()));
    known("copositive-plus", n, seed, m, MatrixClass::CopositivePlus, &mut random)
}

/// Returns a problem with a copositive matrix that is not copositive-plus: no negative entries, zeros on the
/// diagonal. No method guarantees a solution; one is planted.
#[must_use]
pub fn copositive(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let mut m = without_negative_entry(n, &mut random);
    m.diag_mut().fill(0.0);
    known("copositive", n, seed, m, MatrixClass::General, &mut random)
}

fn without_negative_entry(n: usize, random: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_fn(
        (n, n),
        |(i, j)| if i == j { random.between(0.5, 1.5) } else { random.between(0.0, 2.0) },
    )
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
