//! All solutions of a problem, as points and faces.

use serde::{Deserialize, Serialize};

/// One piece of the solution set: all $z = p + \sum_k t_k d_k$, with the point $p$ and the directions $d_k$,
/// that have $z \ge 0$ and $M z + q \ge 0$. The numbers $t_k$ are free; without directions the piece is the
/// point.
///
/// All points of a piece are solutions, complementary on the same `basis`. The corners of a piece with
/// directions are pieces of their own wherever they have a regular basis; two pieces may share points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionPiece {
    /// The indices whose $z_i$ is basic, in rising order.
    pub basis: Vec<usize>,
    /// A solution $z$.
    pub point: Vec<f64>,
    /// A basis of the null space of $M_{\alpha\alpha}$, with zeros outside of $\alpha$: as many as the face
    /// may have dimensions (it has fewer when a bound touches all of it).
    pub directions: Vec<Vec<f64>>,
}

/// What [`Enumeration::enumerate_all`](super::Enumeration::enumerate_all) found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionSet {
    /// The pieces in the order in which they were found, each isolated point once.
    pub pieces: Vec<SolutionPiece>,
    /// Bases of which rounding did not let it say whether they hold a solution. With none, the pieces are all
    /// solutions there are; with neither pieces nor these, it is proved that there is none.
    pub undecided: usize,
    /// Whether all bases were looked at.
    pub is_exhaustive: bool,
}

/// Whether two points agree to nine digits.
pub(super) fn is_same(a: &[f64], b: &[f64]) -> bool {
    let largest = a.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * largest)
}
