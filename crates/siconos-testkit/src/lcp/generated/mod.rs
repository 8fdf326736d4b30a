//! Random problems of any size. Each function takes a size and the seed of a random stream, and returns a
//! problem whose matrix class is known by construction. In most problems the solution is known as well.
//!
//! | class | functions |
//! |---|---|
//! | symmetric positive definite, no planted solution | [`gram`], [`gram_over_n`] |
//! | symmetric positive definite | [`definite`], [`degenerate_definite`] |
//! | positive definite, not symmetric | [`nonsymmetric_definite`] |
//! | P-matrix, not definite | [`block_triangular`], [`quotient_of_dominant`] |
//! | H-matrix with positive diagonal | [`scaled_m_matrix`], [`h_matrix`] |
//! | positive semidefinite | [`hyperstatic`], [`nonsymmetric_semidefinite`] |
//! | copositive | [`strictly_copositive`], [`copositive_plus`], [`copositive`] |
//! | without a solution | [`infeasible_laplacian`], [`infeasible`], [`feasible_without_solution`] |
//! | chains of contacts, sparse | [`Chain`] |

mod chain;
mod copositive;
mod definite;
mod p_matrix;
mod planted;
mod semidefinite;
mod unsolvable;

use super::KnownLcp;

pub use chain::Chain;
pub use copositive::{copositive, copositive_plus, strictly_copositive};
pub use definite::{definite, degenerate_definite, gram, gram_over_n, nonsymmetric_definite};
pub use p_matrix::{block_triangular, h_matrix, quotient_of_dominant, scaled_m_matrix};
pub use semidefinite::{hyperstatic, nonsymmetric_semidefinite};
pub use unsolvable::{feasible_without_solution, infeasible, infeasible_laplacian};

/// Returns one problem of each family with a known answer. Each has `n` unknowns, or slightly more if the
/// family requires it.
#[must_use]
pub fn every_family(n: usize, seed: u32) -> Vec<KnownLcp> {
    vec![
        definite(n, seed),
        degenerate_definite(n, seed),
        nonsymmetric_definite(n, seed),
        block_triangular(n, seed),
        quotient_of_dominant(n, seed),
        scaled_m_matrix(n, seed),
        h_matrix(n, seed),
        hyperstatic(n, seed),
        nonsymmetric_semidefinite(n, seed),
        strictly_copositive(n, seed),
        copositive_plus(n, seed),
        copositive(n, seed),
        infeasible_laplacian(n, seed),
        infeasible(n, seed),
        feasible_without_solution(n, seed),
    ]
}
