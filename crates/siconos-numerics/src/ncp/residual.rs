//! Error of a candidate solution of the nonlinear complementarity problem.

use crate::mcp;

/// Returns the error of a pair $(z, w)$ with $w = F(z)$: $\lVert \min(z, w) \rVert_2$, that is norm(min(z,
/// w)). The error is absolute. It is NaN if an entry is not finite.
///
/// The error vanishes exactly at solutions, and equals `ncp_compute_error` of Siconos.
#[doc(alias = "ncp_compute_error")]
#[must_use]
pub fn error(z: &[f64], w: &[f64]) -> f64 {
    mcp::error(0, z, w)
}
