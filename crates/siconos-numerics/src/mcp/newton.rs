//! Semismooth Newton method for mixed nonlinear complementarity problems.

use super::{Mcp, McpProblem, error};
use crate::box_constraints::NewtonSettings;
use crate::convex_set::Interval;
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::map::{MapNewton, Task};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;

/// Semismooth Newton method with line search.
///
/// **Problem.** [`McpProblem`].
///
/// **Method.** As in [`crate::ncp::Newton`], with $\Phi_i = F_i(z)$ in the equality rows (Facchinei and Pang
/// 2003, section 9.4, on mixed problems).
///
/// **Guarantee.** Quadratic convergence near a solution with regular generalised Jacobians. From any initial
/// guess, the gradient of the merit function vanishes at every limit point. With the Fischer-Burmeister
/// function, a limit point is a solution if the Jacobian block of the equations is regular and its Schur
/// complement is a P0-matrix.
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Stalled`: the best iterate. `Breakdown`: F is not
/// finite at the initial guess.
///
/// ```
/// use siconos_numerics::Solver;
/// use siconos_numerics::mcp::{McpProblem, Newton};
/// use siconos_numerics::ncp::FromFunctions;
///
/// // Minimise x^2 / 2 for x >= 1: x - y = 0 with the multiplier y, and 0 <= y _|_ x - 1 >= 0.
/// let map = FromFunctions::new(
///     2,
///     |z, f| f.copy_from_slice(&[z[0] - z[1], z[0] - 1.0]),
///     |_, mut j| {
///         (j[[0, 0]], j[[0, 1]], j[[1, 0]]) = (1.0, -1.0, 1.0);
///     },
/// );
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = Newton::default().solve(&McpProblem::new(&map, 1)?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-9 && (z[1] - 1.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MCP_NEWTON_FB_FBLSA (700)")]
#[doc(alias = "SICONOS_MCP_NEWTON_MIN_FBLSA (701)")]
#[derive(Clone, Debug, Default)]
pub struct Newton {
    newton: MapNewton,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Newton {
    /// Creates a solver; the tolerance applies to the [`error`] of this class.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        Ok(Self { newton: MapNewton::new(settings)?, ..Self::default() })
    }
}

/// Returns the description of Newton's method with this complementarity function. `siconos` is the name of
/// the method in Siconos, which depends on the problem class.
pub(crate) const fn of_function(function: NcpFunction, siconos: &'static str) -> MethodDescription {
    let (name, guarantee, reference) = match function {
        NcpFunction::FischerBurmeister => (
            "newton-fischer-burmeister",
            Guarantee::in_words("P0-functions, for limit points").and("quadratic near a regular solution"),
            "De Luca, Facchinei, Kanzow (1996)",
        ),
        NcpFunction::Minimum => {
            ("newton-minimum", Guarantee::in_words("near a regular solution"), "Facchinei, Pang (2003), 9.2")
        }
    };
    MethodDescription { name, siconos, guarantee, storage: "dense", reference }
}

const FISCHER_BURMEISTER: MethodDescription =
    of_function(NcpFunction::FischerBurmeister, "NEWTON_FB_FBLSA (700)");
const MINIMUM: MethodDescription = of_function(NcpFunction::Minimum, "NEWTON_MIN_FBLSA (701)");

pub(super) fn describe(settings: &NewtonSettings) -> &'static MethodDescription {
    settings.pick([&FISCHER_BURMEISTER, &MINIMUM, &MINIMUM])
}

impl Solver for Newton {
    type Class = Mcp;

    fn name(&self) -> &'static str {
        describe(self.newton.settings()).name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &McpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let equalities = problem.equalities();
        self.lower.clear();
        self.lower.resize(equalities, f64::NEG_INFINITY);
        self.lower.resize(problem.size(), 0.0);
        self.upper.clear();
        self.upper.resize(problem.size(), f64::INFINITY);
        let bounds = Interval::new(&self.lower, &self.upper)?;
        let error = |z: &[f64], w: &[f64]| error(equalities, z, w);
        let task = Task { map: problem.map(), bounds, error, scaled: false };
        self.newton.solve(&task, None, z, w)
    }
}
