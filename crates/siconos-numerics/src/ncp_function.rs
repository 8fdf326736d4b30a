//! Complementarity functions: $\varphi(a, b) = 0$ if and only if $0 \le a \perp b \ge 0$.
//!
//! One function for each pair $(z_i, F_i(z))$ turns a complementarity problem into a system of equations,
//! which the semismooth Newton method ([`crate::engine::semismooth_newton`]) solves with the generalised
//! derivatives given here.

use serde::{Deserialize, Serialize};

/// Complementarity function of two numbers.
///
/// ```
/// use siconos_numerics::ncp_function::NcpFunction;
///
/// for f in [NcpFunction::Minimum, NcpFunction::FischerBurmeister] {
///     assert_eq!(f.value(3.0, 0.0), 0.0);
///     assert!(f.value(3.0, 1.0) > 0.0 && f.value(-1.0, 2.0) < 0.0);
/// }
/// assert_eq!(NcpFunction::Minimum.derivative(3.0, 1.0), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NcpFunction {
    /// $\min(a, b)$. The function is piecewise linear. On a linear complementarity problem, Newton's method
    /// therefore terminates after finitely many steps if it converges. The square of the function is not
    /// differentiable.
    #[doc(alias = "natural map")]
    Minimum,
    /// $a + b - \sqrt{a^2 + b^2}$ (Fischer 1992). The function is differentiable except at (0, 0). Its square
    /// is differentiable everywhere, so a line search can globalise Newton's method.
    #[default]
    #[doc(alias = "phi_FB")]
    FischerBurmeister,
}

impl NcpFunction {
    /// Returns $\varphi(a, b)$, computed without cancellation.
    #[must_use]
    pub fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Minimum => a.min(b),
            Self::FischerBurmeister => {
                let radius = a.hypot(b);
                if a + b > 0.0 {
                    // The product is equal to a + b - radius but has no cancellation. Its factors are
                    // multiplied in this order to avoid overflow.
                    2.0 * a * (b / (a + b + radius))
                } else {
                    a + b - radius
                }
            }
        }
    }

    /// Returns an element $(\partial_a \varphi, \partial_b \varphi)$ of the generalised gradient (Clarke).
    /// Where the function has a kink, the element is the limit of gradients from one side: for the minimum at
    /// $a = b$, the gradient of $b$; for Fischer-Burmeister at (0, 0), the limit along the direction (1, 1).
    #[must_use]
    pub fn derivative(self, a: f64, b: f64) -> (f64, f64) {
        match self {
            Self::Minimum => {
                if a < b {
                    (1.0, 0.0)
                } else {
                    (0.0, 1.0)
                }
            }
            Self::FischerBurmeister => {
                let radius = a.hypot(b);
                if radius == 0.0 {
                    let of_diagonal = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
                    return (of_diagonal, of_diagonal);
                }
                (complement(a, b, radius), complement(b, a, radius))
            }
        }
    }
}

/// Derivatives below this value are set to 0. Products with smaller derivatives can underflow, and this
/// underflow would depend on the units of a and b.
const SMALLEST: f64 = 1e-200;

/// Returns $1 - x / r$ with $r = \sqrt{x^2 + y^2}$, without cancellation where $x$ is near $r$.
fn complement(x: f64, y: f64, radius: f64) -> f64 {
    if x <= 0.0 {
        return 1.0 - x / radius;
    }
    let derivative = (y / radius) * (y / (radius + x));
    if derivative < SMALLEST { 0.0 } else { derivative }
}
