//! Error of a candidate solution of the mixed nonlinear complementarity problem.

use siconos_linalg::norm;

/// Returns the error of a pair $(z, w)$ with $w = F(z)$, in which the first `equalities` rows are equations:
/// $\lVert w_E \rVert_2 + \lVert \min(z_I, w_I) \rVert_2$, that is norm(w_E) + norm(min(z_I, w_I)). The error
/// is absolute. It is NaN if an entry is not finite.
///
/// The error vanishes exactly at solutions, and equals `mcp_compute_error` of Siconos.
///
/// # Panics
///
/// If `equalities` exceeds the number of entries.
#[doc(alias = "mcp_compute_error")]
#[track_caller]
#[must_use]
pub fn error(equalities: usize, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let pairs = z[equalities..].iter().zip(&w[equalities..]);
    norm(&w[..equalities]) + pairs.map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt()
}
