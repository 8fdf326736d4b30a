//! Semismooth Newton on the middle of three, or on the Fischer-Burmeister function between bounds.

use serde::{Deserialize, Serialize};

use super::residual::solve_without_data;
use super::{Relay, RelayProblem};
use crate::box_rows::judge;
use crate::box_rows::newton::{BoxRowsNewton, Functions};
use crate::chain::{Allowance, Link};
use crate::cone::ConvexSet;
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::ncp_function::NcpFunction;
use crate::semismooth_newton::SemismoothNewtonSettings;

/// Settings of [`SemismoothNewton`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewtonSettings {
    /// Those of the loop; the tolerance is for the [`error`](super::error). Default: those of the loop.
    pub newton: SemismoothNewtonSettings,
    /// The complementarity function. Default [`NcpFunction::Minimum`], the active-set method.
    pub function: NcpFunction,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { newton: SemismoothNewtonSettings::default(), function: NcpFunction::Minimum }
    }
}

/// Steps for the last digits.
const POLISH_STEPS: usize = 3;

/// The semismooth Newton method for relay problems.
///
/// **Problem.** [`RelayProblem`] in any storage.
///
/// **Method.** Solve $\Phi(z) = 0$ with $\Phi_i = \varphi(c_i (z_i - l_i), -\varphi(c_i (u_i - z_i), -w_i))$, as plain
/// text phi(c (z - l), -phi(c (u - z), -w)), by the loop of [`crate::semismooth_newton`]. (1) The derivatives a, b of $\Phi_i$ with
/// respect to $z_i$, $w_i$ make the generalised Jacobian diag(a) + diag(b) M; where it is singular, 1e-12, 1e-8 and 1e-4 of the
/// largest c are added to the diagonal of M in turn. (2) Newton's direction, and a step
/// with enough decrease. The $c_i$, the $d_i$ of the [`error`](super::error), give both arguments the unit of w. (3) End when the [`error`](super::error) is at or below the tolerance. (4) Where the
/// Fischer-Burmeister function stalls, by its rounding say, take up to 3 steps with the minimum. With the minimum,
/// $\Phi_i$ is the middle one of c (z - l), c (z - u) and w: each step guesses which unknowns are at the lower bound, which at
/// the upper one and which between, and solves for the last: block pivoting, or the primal-dual active-set method
/// (Hintermueller, Ito, Kunisch 2003, sections 2 and 4). With the Fischer-Burmeister function the merit is smooth
/// (Billups 1995, section 3.2).
///
/// **Guarantee.** Minimum: ends in finitely many steps near a solution with regular generalised Jacobians; for
/// M-matrices with unilateral bounds from anywhere (the same paper, theorem 3.2). Fischer-Burmeister: for P0-matrices each stationary
/// point of the merit is a solution, so that each limit point of the iterates solves the problem; superlinear
/// (Facchinei and Pang 2003, theorem 9.1.29).
///
/// **Result.** `Converged`, and `AtRoundingLevel` when rounding keeps the error from the tolerance. `MaxIterations`,
/// `Stalled`: the best iterate. `Breakdown`: M z + q is not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{RelayProblem, SemismoothNewton};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let problem = RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[f64::INFINITY, 1.0])?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = SemismoothNewton::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-14 && z[1] == -1.0);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "block pivoting")]
#[doc(alias = "primal-dual active set")]
#[derive(Clone, Debug)]
pub struct SemismoothNewton {
    function: NcpFunction,
    newton: BoxRowsNewton,
    memory: Vec<f64>,
}

impl Default for SemismoothNewton {
    fn default() -> Self {
        Self::new(NewtonSettings::default()).expect("the default settings are in their ranges")
    }
}

impl SemismoothNewton {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: NewtonSettings) -> Result<Self, SettingsError> {
        let newton = BoxRowsNewton::new(settings.newton)?;
        Ok(Self { function: settings.function, newton, memory: Vec::new() })
    }

    /// One that sets right the last digits of a point from pivots: it solves once more for its active set.
    pub(super) fn for_polish(tolerance: f64) -> Result<Self, SettingsError> {
        let newton =
            SemismoothNewtonSettings { tolerance, max_iterations: POLISH_STEPS, ..Default::default() };
        Self::new(NewtonSettings { newton, ..NewtonSettings::default() })
    }
}

impl Link for SemismoothNewton {
    fn lend(&mut self, allowance: &Allowance) {
        self.newton.set_max_iterations(allowance.iterations);
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "semismooth-newton",
    siconos: "",
    guarantee: Guarantee::in_words("local").and("with Fischer-Burmeister global for P0"),
    storage: "any",
    reference: "Hintermueller, Ito, Kunisch (2003); Billups (1995), 3.2",
};

impl Solver for SemismoothNewton {
    type Class = Relay;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.newton.limits()
    }

    fn solve(
        &mut self,
        problem: &RelayProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_data(problem, z, w) {
            return Ok(solved);
        }
        problem.bounds().project(z);
        self.newton.prepare(problem);
        let mut info = self.newton.run(Functions::both(self.function), problem, z, w);
        if info.status == Status::Stalled && self.function != NcpFunction::Minimum {
            // (4)
            let most = self.newton.limits().max_iterations;
            self.newton.set_max_iterations(POLISH_STEPS);
            let polished = self.newton.run(Functions::both(NcpFunction::Minimum), problem, z, w);
            self.newton.set_max_iterations(most);
            info = SolveInfo { iterations: info.iterations + polished.iterations, ..polished };
        }
        let tolerance = self.newton.limits().tolerance;
        let judged = judge(problem, tolerance, z, w, info.error, &mut self.memory);
        if judged.is_success() || info.status == Status::Converged {
            info.status = judged;
        }
        Ok(info)
    }
}
