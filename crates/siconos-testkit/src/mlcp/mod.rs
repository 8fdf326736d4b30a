//! Mixed linear complementarity problems with a planted solution, and errors of a candidate solution.
//!
//! With $w = M z + q$, an equality row requires $w_i = 0$, and $z_i$ is free. The other rows require
//! $0 \le w_i \perp z_i \ge 0$.

mod families;
mod measure;

use ndarray::Array2;
use siconos_numerics::mlcp::MlcpRow;

pub use families::{definite, diode_ladder, redundant_equations, saddle_point, singular_equations};
pub use measure::{mixed_backward_error, mixed_error};

/// Mixed linear complementarity problem with a known solution.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMlcp {
    /// Short unique name.
    pub name: String,
    /// Matrix M.
    pub m: Array2<f64>,
    /// Vector q.
    pub q: Vec<f64>,
    /// Type of each row.
    pub rows: Vec<MlcpRow>,
    /// Solution.
    pub z: Vec<f64>,
    /// `true` if `z` is the only solution.
    pub is_unique: bool,
    /// `true` if the submatrix of the equality rows and their unknowns is regular.
    pub has_regular_equations: bool,
}

impl KnownMlcp {
    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }
}

/// Returns one problem of each family, with about `n` unknowns.
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
