//! The stopping measure of the nonlinear complementarity problem.

/// The error of a pair $(z, w)$ with $w = F(z)$: $\lVert \min(z, w) \rVert_2$, that is norm(min(z, w)),
/// absolute. NaN when an entry is not finite.
///
/// It vanishes exactly at solutions, and it is the measure `ncp_compute_error` of Siconos.
#[doc(alias = "ncp_compute_error")]
#[must_use]
pub fn error(z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    z.iter().zip(w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt()
}
