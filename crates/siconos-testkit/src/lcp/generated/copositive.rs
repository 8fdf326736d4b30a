//! Copositive matrices that are not positive semidefinite.

use ndarray::{Array2, s};

use super::planted::{Planted, normal};
use super::semidefinite::low_rank;
use crate::lcp::{Answer, KnownLcp};
use crate::random::RandomState;
use siconos_numerics::method::MatrixClass;

/// No negative entry, diagonal in [0.5, 1.5), others in [0, 2): $x^T M x \ge \sum M_{ii} x_i^2$ for
/// $x \ge 0$. Any number of solutions, and one of them is planted.
#[must_use]
pub fn strictly_copositive(n: usize, seed: u32) -> KnownLcp {
    let mut random = RandomState::new(seed);
    let m = without_negative_entry(n, &mut random);
    known("strictly copositive", n, seed, m, MatrixClass::StrictlyCopositive, &mut random)
}

/// The first half symmetric positive semidefinite of low rank, the second half strictly copositive, $E$ and
/// $-E^T$ between them.
///
/// The coupling drops out of $x^T M x$. Where the rest vanishes for $x \ge 0$, the second half of $x$ does,
/// and the symmetric part maps the first half to 0: copositive-plus.
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

/// No negative entry, zeros on the diagonal: copositive, but not plus, and nothing is promised. A solution is
/// planted.
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
