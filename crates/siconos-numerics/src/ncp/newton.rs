//! Semismooth Newton method for nonlinear complementarity problems.

use super::{DifferentiableMap, Ncp};
use crate::box_constraints::NewtonSettings;
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::mcp::{self, McpProblem, of_function};
use crate::method::{Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;

/// Semismooth Newton method with line search.
///
/// **Problem.** $0 \le z \perp F(z) \ge 0$ for a [`DifferentiableMap`].
///
/// **Method.** (1) With $\Phi_i = \varphi(z_i, F_i(z))$ and the derivatives a, b of $\varphi$, the
/// generalised Jacobian is diag(a) + diag(b) J, where J is the Jacobian of F. (2) The direction is Newton's
/// direction, or the negative gradient of $\frac{1}{2} \lVert \Phi \rVert^2$ if Newton's direction is not a
/// descent direction. (3) Halve the step until the decrease is sufficient
/// ([`crate::engine::semismooth_newton`]). (4) Stop when the [`error`](super::error) is at or below the
/// tolerance.
///
/// **Guarantee.** With the Fischer-Burmeister function and a P0-function F, every limit point solves the
/// problem, and the convergence is quadratic near a strongly regular solution (De Luca, Facchinei, Kanzow
/// 1996; Facchinei and Pang 2003, theorem 9.1.29). The minimum function converges faster near a solution,
/// without a guarantee from a distant initial guess.
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Stalled` (rounding, or a minimum of the merit
/// function that is not a solution): the best iterate. `Breakdown`: F is not finite at the initial guess.
///
/// ```
/// use siconos_numerics::Solver;
/// use siconos_numerics::ncp::{FromFunctions, Newton};
///
/// // F(z) = z^3 - 8 has its zero at 2.
/// let cube = FromFunctions::new(
///     1,
///     |z, f| f[0] = z[0].powi(3) - 8.0,
///     |z, mut j| j[[0, 0]] = 3.0 * z[0] * z[0],
/// );
/// let (mut z, mut w) = ([1.0], [0.0]);
/// let info = Newton::default().solve(&cube, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 2.0).abs() < 1e-10);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_NCP_NEWTON_FB_FBLSA (900)")]
#[doc(alias = "SICONOS_NCP_NEWTON_MIN_FBLSA (901)")]
#[derive(Clone, Debug, Default)]
pub struct Newton(mcp::Newton);

impl Newton {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        mcp::Newton::new(settings).map(Self)
    }
}

const FISCHER_BURMEISTER: MethodDescription =
    of_function(NcpFunction::FischerBurmeister, "NEWTON_FB_FBLSA (900)");
const MINIMUM: MethodDescription = of_function(NcpFunction::Minimum, "NEWTON_MIN_FBLSA (901)");

pub(super) fn describe(settings: &NewtonSettings) -> &'static MethodDescription {
    settings.pick([&FISCHER_BURMEISTER, &MINIMUM, &MINIMUM])
}

impl Solver for Newton {
    type Class = Ncp;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    /// Solves the problem as a mixed problem without equations.
    fn solve(
        &mut self,
        map: &dyn DifferentiableMap,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.0.solve(&McpProblem::new(map, 0)?, z, w)
    }
}
