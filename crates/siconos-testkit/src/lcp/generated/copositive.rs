//! Copositive matrices that are not positive semidefinite.

use ndarray::{Array2, s};

use super::planted::{Planted, normal};
use super::semidefinite::low_rank;
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// Returns a problem with a strictly copositive matrix and a planted solution. The diagonal entries are in
/// [0.5, 1.5) and the others in [0, 2), so that $x^T M x \ge \sum M_{ii} x_i^2$ for $x \ge 0$. There can be
/// several solutions.
#[must_use]
pub fn strictly_copositive(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = without_negative_entry(n, &mut random);
    known("strictly copositive", n, seed, m, MatrixClass::StrictlyCopositive, &mut random)
}

/// Returns a problem with a copositive-plus matrix and a planted solution. The first diagonal block is
/// symmetric positive semidefinite of low rank, the second diagonal block is strictly copositive, and the
/// blocks $E$ and $-E^T$ couple the two halves of the unknowns.
///
/// The coupling cancels in $x^T M x$. If $x^T M x = 0$ for an $x \ge 0$, the second half of $x$ is 0, and the
/// first diagonal block maps the first half of $x$ to 0. Therefore $(M + M^T) x = 0$, as copositive-plus
/// requires.
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

/// Returns a problem with a copositive matrix that is not copositive-plus, and a planted solution. The matrix
/// has no negative entries, and its diagonal is zero. No method guarantees to find a solution.
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
