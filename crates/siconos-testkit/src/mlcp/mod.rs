//! Mixed linear complementarity problems with a planted solution, and a measure of a point.
//!
//! $w = M z + q$; in an equality row $w_i = 0$ and $z_i$ is free, in every other $0 \le w_i \perp z_i \ge 0$.

mod families;
mod measure;

use ndarray::Array2;
use siconos_numerics::mlcp::MlcpRow;

pub use families::{definite, diode_ladder, redundant_equations, saddle_point, singular_equations};
pub use measure::{mixed_backward_error, mixed_error};

/// A mixed problem with a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMlcp {
    /// Short and unique.
    pub name: String,
    /// The matrix.
    pub m: Array2<f64>,
    /// The vector.
    pub q: Vec<f64>,
    /// What each row asks for.
    pub rows: Vec<MlcpRow>,
    /// A solution.
    pub z: Vec<f64>,
    /// Whether it is the only one.
    pub is_unique: bool,
    /// Whether the matrix of the equality rows and free unknowns is regular.
    pub has_regular_equations: bool,
}

impl KnownMlcp {
    /// Number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }
}

/// One problem of each family with about `n` unknowns.
#[must_use]
pub fn every_family(n: usize, seed: u32) -> Vec<KnownMlcp> {
    vec![
        definite(n, seed),
        saddle_point(n, seed),
        singular_equations(n, seed),
        redundant_equations(n, seed),
        diode_ladder(n.div_ceil(2), seed),
    ]
}
