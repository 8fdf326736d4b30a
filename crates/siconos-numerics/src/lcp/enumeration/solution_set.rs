//! All solutions of a problem, as points and faces.

use serde::{Deserialize, Serialize};

/// Piece of the solution set: all $z = p + \sum_k t_k d_k$ with $z \ge 0$ and $M z + q \ge 0$, for a point
/// $p$, directions $d_k$ and any coefficients $t_k$. Without directions, the piece is the single point $p$.
///
/// All points of a piece are solutions that are complementary with respect to `basis`. A vertex of a piece
/// with directions is also a piece of its own if it has a regular basis. Two pieces can have common points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionPiece {
    /// Indices of the basic $z_i$, in ascending order.
    pub basis: Vec<usize>,
    /// A solution $z$.
    pub point: Vec<f64>,
    /// Directions $d_k$: a basis of the null space of $M_{\alpha\alpha}$, where $\alpha$ is the set `basis`,
    /// with zeros outside $\alpha$. The number of directions is an upper bound on the dimension of the face.
    /// The dimension is smaller if one of the inequalities holds with equality on the whole face.
    pub directions: Vec<Vec<f64>>,
}

/// Result of [`Enumeration::enumerate_all`](super::Enumeration::enumerate_all).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionSet {
    /// Pieces, in the order in which they were found. Each isolated point is listed only once.
    pub pieces: Vec<SolutionPiece>,
    /// Number of bases that rounding left undecided. If it is 0 and the search was exhaustive, `pieces` holds
    /// all solutions; if `pieces` is then empty, the problem is proved to have no solution.
    pub undecided: usize,
    /// `true` if all bases were visited.
    pub is_exhaustive: bool,
}

/// Returns `true` if two points agree to nine significant digits.
pub(super) fn is_same(a: &[f64], b: &[f64]) -> bool {
    let largest = a.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * largest)
}
