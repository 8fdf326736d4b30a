//! Spectral projected gradient method for linear complementarity problems with symmetric matrices.

use siconos_linalg::norm;

use super::divergence::Divergence;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, begin, write_image};
use crate::convex_set::Orthant;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response::mean;
use crate::qp::{ProjectedGradientSettings, SpectralGradient, Stopping};

/// Spectral projected gradient method.
///
/// **Problem.** [`LcpProblem`] in any storage, for symmetric positive semidefinite $M$: minimise
/// $\frac12 z^T M z + q^T z$ over $z \ge 0$.
///
/// **Method.** As in [`qp::ProjectedGradient`](crate::qp::ProjectedGradient) over the nonnegative orthant,
/// until the [`error`](super::error) of the linear complementarity problem is at or below the tolerance
/// (Birgin, Martinez, Raydan 2000, algorithm SPG2). The first step length is the reciprocal of the mean of
/// the $|M_{ii}|$.
///
/// **Guarantee.** For symmetric positive semidefinite $M$ every limit point is a solution. For a matrix that
/// is not symmetric, convergence is not proved, but the status is reliable.
///
/// **Result.** `Converged`: the solution, `z >= 0`. `MaxIterations`: the last iterate. `Stalled`: no step
/// makes progress in floating-point arithmetic. `NoSolution`: the iterates diverged along a direction that
/// proves that no point is feasible (Farkas); `z` is the initial guess. `Breakdown`: the iterates are not
/// finite; `z` is the initial guess.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, ProjectedGradient};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = LcpProblem::new(&m, &[-5.0, -6.0])?;
/// let info = ProjectedGradient::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 4.0 / 3.0).abs() < 1e-7 && (z[1] - 7.0 / 3.0).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SPG")]
#[doc(alias = "SICONOS_LCP_CONVEXQP_PG (222)")]
#[derive(Clone, Debug, Default)]
pub struct ProjectedGradient {
    settings: ProjectedGradientSettings,
    iteration: SpectralGradient,
    divergence: Divergence,
    test: AcceptanceTest,
}

/// Multiple of norm(q) above which the norm of w counts as divergence.
const FARTHEST: f64 = 1e40;

impl ProjectedGradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0 or `memory` is 0.
    pub fn new(settings: ProjectedGradientSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "projected-gradient",
    siconos: "CONVEXQP_PG (222)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]),
    storage: "any",
    reference: "Birgin, Martinez, Raydan (2000), SPG2",
};

impl Solver for ProjectedGradient {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        self.divergence.begin(z);
        let unit = 1.0 / mean(problem.m());
        let (tolerance, test) = (self.settings.tolerance, &mut self.test);
        let measure = |z: &[f64], w: &[f64], _: f64| test.error_by(tolerance, problem, z, w);
        let farthest = FARTHEST * norm(problem.q());
        let stopping = Stopping { settings: &self.settings, unit, farthest, error: measure };
        let mut info = self.iteration.run(problem.m(), problem.q(), &Orthant, stopping, z, w);
        write_image(problem, z, w);
        let tested = self.test.of(problem, z, w);
        info.error = tested.error;
        // The acceptance test of the end point decides on `Converged`, not the stopping test of the
        // iteration.
        info.status = match info.status {
            _ if tested.status(tolerance) == Status::Converged => Status::Converged,
            Status::Converged => Status::Stalled,
            other => other,
        };
        Ok(self.divergence.end(problem, info, z, w))
    }
}
