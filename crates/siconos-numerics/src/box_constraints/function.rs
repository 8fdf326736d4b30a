//! Functions with zeros at the solutions of a box-constrained complementarity problem.
//!
//! For one unknown, $l \le z \le u$ and $-w \in N_{[l, u]}(z)$ hold if and only if
//!
//! $$ \varphi\bigl(z - l, -\varphi(u - z, -w)\bigr) = 0 $$
//!
//! (as plain text: phi(z - l, -phi(u - z, -w)) = 0) for a complementarity function $\varphi$. Without an
//! upper bound this is $\varphi(z - l, w)$, without a lower bound $-\varphi(u - z, -w)$, and without bounds
//! $w$ (Billups 1995, "Algorithms for complementarity problems and generalized equations", section 3.2). For
//! the minimum function, it is the median of z - l, z - u and w.

use crate::ncp_function::NcpFunction;

/// Returns $\varphi(z - l, -\varphi(u - z, -w))$ for one unknown `z` with its `w` and its bounds, which can
/// be infinite. `z` and `w` must have the same unit.
///
/// ```
/// use siconos_numerics::box_constraints::box_value;
/// use siconos_numerics::ncp_function::NcpFunction;
///
/// // At the lower bound w can be positive; between the bounds it must be 0.
/// assert_eq!(box_value(NcpFunction::Minimum, -1.0, 3.0, -1.0, 1.0), 0.0);
/// assert_eq!(box_value(NcpFunction::Minimum, 0.0, 0.5, -1.0, 1.0), 0.5);
/// ```
#[must_use]
pub fn box_value(phi: NcpFunction, z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    let inner = if upper.is_finite() { -phi.value(upper - z, -w) } else { w };
    if lower.is_finite() { phi.value(z - lower, inner) } else { inner }
}

/// Returns an element of the generalised gradient of [`box_value`] with respect to (z, w). Neither entry is
/// negative.
///
/// ```
/// use siconos_numerics::box_constraints::box_derivative;
/// use siconos_numerics::ncp_function::NcpFunction;
///
/// assert_eq!(box_derivative(NcpFunction::Minimum, 0.0, 0.5, -1.0, 1.0), (0.0, 1.0));
/// ```
#[must_use]
pub fn box_derivative(phi: NcpFunction, z: f64, w: f64, lower: f64, upper: f64) -> (f64, f64) {
    let (inner, of_z, of_w) = if upper.is_finite() {
        let (of_z, of_w) = phi.derivative(upper - z, -w);
        (-phi.value(upper - z, -w), of_z, of_w)
    } else {
        (w, 0.0, 1.0)
    };
    if lower.is_finite() {
        let (of_distance, of_inner) = phi.derivative(z - lower, inner);
        (of_distance + of_inner * of_z, of_inner * of_w)
    } else {
        (of_z, of_w)
    }
}
