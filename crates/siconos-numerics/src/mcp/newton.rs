//! Semismooth Newton for mixed nonlinear complementarity.

use super::{McpProblem, McpSolver, error};
use crate::cone::Interval;
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::ncp::NewtonSettings;
use crate::ncp_function::NcpFunction;
use crate::semismooth_newton::SemismoothNewton;
use crate::vi::box_newton::{BoxNewton, Task};

/// The semismooth Newton method with line search.
///
/// **Problem.** [`McpProblem`].
///
/// **Method.** That of [`crate::ncp::Newton`], with $\Phi_i = F_i(z)$ in the rows that are equations (Facchinei and Pang 2003,
/// section 9.4, on mixed problems).
///
/// **Guarantee.** Quadratic near a solution with regular generalised Jacobians. From afar, each limit point makes the
/// gradient of the merit vanish; with the Fischer-Burmeister function it is a solution when the Jacobian block of
/// the equations is regular and its Schur complement P0.
///
/// **Result.** `Converged`. `MaxIterations`, `Stalled`: the best iterate. `Breakdown`: F is not finite at the guess.
///
/// ```
/// use siconos_numerics::mcp::{McpProblem, McpSolver, Newton};
/// use siconos_numerics::ncp::FromFunctions;
///
/// // The smallest x^2 / 2 with x >= 1: x - y = 0 for the multiplier y, and 0 <= y _|_ x - 1 >= 0.
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
    function: NcpFunction,
    newton: SemismoothNewton,
    system: BoxNewton,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Newton {
    /// Makes a solver; the tolerance is for the [`error`] of this class.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        let newton = SemismoothNewton::new(settings.newton)?;
        Ok(Self { function: settings.function, newton, ..Self::default() })
    }
}

impl McpSolver for Newton {
    fn name(&self) -> &'static str {
        match self.function {
            NcpFunction::Minimum => "Newton, minimum",
            NcpFunction::FischerBurmeister => "Newton, Fischer-Burmeister",
        }
    }

    fn tolerance(&self) -> f64 {
        self.newton.settings().tolerance
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
        let task = Task { map: problem.map(), bounds, function: self.function, error, scaled: false };
        self.system.solve(&task, &mut self.newton, None, z, w)
    }
}
