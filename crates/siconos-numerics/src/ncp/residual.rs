//! The stopping measure of the nonlinear complementarity problem.

use crate::mcp;

/// The error of a pair $(z, w)$ with $w = F(z)$: $\lVert \min(z, w) \rVert_2$, that is norm(min(z, w)),
/// absolute. NaN when an entry is not finite.
///
/// It vanishes exactly at solutions, and it is the measure `ncp_compute_error` of Siconos.
#[doc(alias = "ncp_compute_error")]
#[must_use]
pub fn error(z: &[f64], w: &[f64]) -> f64 {
    mcp::error(0, z, w)
}
