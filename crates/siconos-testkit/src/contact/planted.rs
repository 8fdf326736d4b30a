//! Small random problems with a known solution. The solution is drawn first, and q is computed from it.

use ndarray::Array2;
use siconos_linalg::Matrix;
use siconos_numerics::contact::ContactLawData;

use super::KnownContact;
use super::law::{name_of_law, parts, shift};
use super::measure::nearest;
use crate::random::RandomState;

/// Properties of a random matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Rank of the symmetric part divided by the number of unknowns, in (0, 1].
    pub rank: f64,
    /// Norm of the skew part divided by the norm of the symmetric part.
    pub skew: f64,
    /// Shift subtracted from the diagonal, as a fraction of the mean eigenvalue. A positive shift that
    /// exceeds the smallest eigenvalue makes the matrix indefinite.
    pub indefinite: f64,
}

impl Shape {
    /// Symmetric positive definite.
    pub const DEFINITE: Self = Self { rank: 1.0, skew: 0.0, indefinite: 0.0 };
    /// Symmetric positive semidefinite with half the rank, so that the reactions are not unique.
    pub const HYPERSTATIC: Self = Self { rank: 0.5, skew: 0.0, indefinite: 0.0 };

    /// Returns `true` if the matrix is symmetric positive definite.
    #[must_use]
    pub fn is_definite(self) -> bool {
        self == Self::DEFINITE
    }

    fn name(self) -> String {
        let mut name = if self.rank < 1.0 { format!("rank {}", self.rank) } else { "definite".to_owned() };
        if self.skew > 0.0 {
            name += &format!(", skew {}", self.skew);
        }
        if self.indefinite > 0.0 {
            name += &format!(", indefinite {}", self.indefinite);
        }
        name
    }
}

/// Returns a random matrix $W = A A^T / n$ with the given properties. If it has full rank, the identity is
/// added.
#[must_use]
pub fn random_matrix(n: usize, shape: Shape, random: &mut RandomState) -> Array2<f64> {
    let rank = ((shape.rank * n as f64).round() as usize).clamp(1, n.max(1));
    let a = Array2::from_shape_simple_fn((n, rank), || random.standard_normal());
    let mut w = a.dot(&a.t()) / n.max(1) as f64;
    if rank == n {
        w.diag_mut().iter_mut().for_each(|x| *x += 1.0);
    }
    if shape.skew > 0.0 {
        let b = Array2::from_shape_simple_fn((n, n), || random.standard_normal());
        let skew = &b - &b.t();
        let norm = |m: &Array2<f64>| m.iter().map(|x| x * x).sum::<f64>().sqrt();
        let factor = shape.skew * norm(&w) / norm(&skew).max(f64::MIN_POSITIVE);
        w = w + skew * factor;
    }
    if shape.indefinite > 0.0 {
        let mean = w.diag().sum() / n.max(1) as f64;
        w.diag_mut().iter_mut().for_each(|x| *x -= shape.indefinite * mean);
    }
    w
}

/// Returns a problem with the given law, a random matrix and a planted solution. For each block a random
/// vector is drawn. Its projection on the cone is the reaction, and the projection minus the vector is the
/// velocity before the shift $s(u)$ is subtracted (Moreau's decomposition). Some contacts open, some stick
/// and some slide.
#[must_use]
pub fn planted(law: ContactLawData, shape: Shape, seed: u32) -> KnownContact {
    let mut random = RandomState::new(seed);
    let n = law.view().size();
    let w = random_matrix(n, shape, &mut random);
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..law.view().blocks() {
        let range = law.view().range(i);
        // The normal component is shifted by -1.5, 0 or 1.5. A vector with a low normal component is in the
        // polar cone, so its contact opens.
        let lift = f64::from(random.integer(-1, 1)) * 1.5;
        let mut x: Vec<f64> = range.clone().map(|_| random.standard_normal()).collect();
        x[0] += lift;
        let foot = nearest(&parts(&law, i), &x);
        for (k, at) in range.clone().enumerate() {
            r[at] = foot[k];
            u[at] = foot[k] - x[k];
        }
        u[range.start] -= shift(&law, i, &u[range.clone()]);
    }
    let product = w.dot(&ndarray::ArrayView1::from(&r));
    let q = u.iter().zip(product).map(|(u, p)| u - p).collect();
    let name = format!("planted {}, {}, {seed}", name_of_law(&law), shape.name());
    KnownContact { name, w: Matrix::from(w), q, law, r: Some(r), shape: Some(shape) }
}
