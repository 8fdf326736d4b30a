//! Spectral projected gradients on the quadratic program of the problem.

use super::{LcpProblem, LcpSolver, error_of_point};
use crate::cone::Orthant;
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::MatrixRef;
use crate::qp::certificate::proves_no_feasible_point;
use crate::qp::{ProjectedGradientSettings, SpectralGradient};

/// Spectral projected gradients.
///
/// **Problem.** [`LcpProblem`] in any storage, for symmetric positive semidefinite $M$: minimise
/// $\frac12 z^T M z + q^T z$ over $z \ge 0$.
///
/// **Method.** That of [`qp::ProjectedGradient`](crate::qp::ProjectedGradient) over the nonnegative orthant, where its
/// measure is the [`error`](super::error) of this class. (Birgin, Martinez, Raydan 2000, algorithm SPG2.)
///
/// **Guarantee.** For symmetric positive semidefinite $M$ every limit point is a solution. For a matrix that is not
/// symmetric nothing is proven; the status is honest.
///
/// **Result.** `Converged`: `z >= 0`. `MaxIterations`: the last iterate. `Stalled`: no step makes progress in floating point.
/// `NoSolution`: the iterates ran off along a direction that proves that no point is feasible (Farkas). `Breakdown`: they
/// ran off otherwise, or are not finite; `z` is the guess then.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::{LcpProblem, LcpSolver, ProjectedGradient};
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
    guess: Vec<f64>,
    direction: Vec<f64>,
}

/// Iterates that grow beyond this, from data of order 1, have run off.
const FAR: f64 = 1e8;

impl ProjectedGradient {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0 or the memory is empty.
    pub fn new(settings: ProjectedGradientSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }
}

impl LcpSolver for ProjectedGradient {
    fn name(&self) -> &'static str {
        "projected gradient"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn supports(&self, _m: MatrixRef<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        let (m, q) = (problem.m(), problem.q());
        self.guess.clear();
        self.guess.extend(z.iter().map(|z| z.max(0.0)));
        let mut info = self.iteration.run(m, q, &Orthant, &self.settings, z, w);
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let has_run_off = z.iter().any(|z| !z.is_finite()) || largest(z) > FAR * (1.0 + largest(&self.guess));
        if info.status.is_success() {
            // The measure over a set is the length of a step, which is lost beside a huge z, as w is in M z + q.
            info.error = error_of_point(problem, z, w);
            if info.error <= self.settings.tolerance && !has_run_off {
                return Ok(info);
            }
            info.status = Status::Breakdown;
        }
        if has_run_off {
            self.direction.clear();
            self.direction.extend_from_slice(z);
            if proves_no_feasible_point(m, q, &mut self.direction) {
                info.status = Status::NoSolution;
            }
        }
        if info.status == Status::Breakdown {
            z.copy_from_slice(&self.guess);
        }
        info.error = error_of_point(problem, z, w);
        Ok(info)
    }
}
