//! Projected Gauss-Seidel: the nonsmooth Gauss-Seidel sweep with the law of a relay.

use serde::{Deserialize, Serialize};

use super::residual::solve_without_data;
use super::{Relay, RelayProblem, error_of_point};
use crate::box_rows::judge;
use crate::chain::{Allowance, Link};
use crate::cone::{ConvexSet, Interval};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{SingularMatrix, SmallMatrix};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::nsgs::{LocalLaw, RowAccess, scalar_sweep};

/// Settings of [`ProjectedGaussSeidel`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectedGaussSeidelSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// Over-relaxation in (0, 2); 1 is plain Gauss-Seidel. Default 1.
    pub relaxation: f64,
}

impl Default for ProjectedGaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, relaxation: 1.0 }
    }
}

/// Projected Gauss-Seidel between bounds and, with a relaxation other than 1, projected SOR.
///
/// **Problem.** [`RelayProblem`] with $M_{ii} > 0$, in any storage.
///
/// **Method.** (1) Sweep: $z_i \leftarrow \mathrm{clamp}\bigl(z_i - \omega (M z + q)_i / M_{ii}, l_i, u_i\bigr)$ for
/// i = 1, .., n with the newest values. (2) Compute the full [`error`](super::error), and sweep again while it is above
/// the tolerance. (Cryer 1971, "The solution of a quadratic programming problem using systematic overrelaxation", for
/// bounds; Cottle, Pang, Stone 1992, section 5.2.)
///
/// **Guarantee.** Converges for symmetric positive definite $M$ and $0 < \omega < 2$, and for strictly diagonally
/// dominant (more generally H-) matrices with positive diagonal and $\omega = 1$: clamping is nonexpansive, so the
/// argument of Cottle, Pang, Stone (1992), section 5.3, holds between two bounds as well.
///
/// **Result.** `Converged`: `z` between the bounds, error at or below the tolerance. `MaxIterations`: the last iterate.
/// `Stalled`: a sweep changed nothing although the error is above the tolerance. `Breakdown`: the iterates grew beyond
/// all numbers, as they may outside the guarantee where there is no bound, or the matrix is not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{ProjectedGaussSeidel, RelayProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let problem = RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[1.0; 2])?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, w), ([1.0, -1.0], [0.0, 5.0]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_RELAY_PGS (300)")]
#[doc(alias = "NLGS")]
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel {
    settings: ProjectedGaussSeidelSettings,
    rows: RowAccess,
    scale: Vec<f64>,
}

impl ProjectedGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0 or the relaxation not in (0, 2).
    pub fn new(settings: ProjectedGaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        let relaxation = settings.relaxation;
        if !(relaxation > 0.0 && relaxation < 2.0) {
            let must_be = "between 0 and 2, both excluded";
            return Err(SettingsError::OutOfRange { name: "relaxation", value: relaxation, must_be });
        }
        Ok(Self { settings, ..Self::default() })
    }
}

/// The relay law of one unknown, with relaxation; remembers a diagonal entry that is not positive.
struct Saturation<'a> {
    bounds: Interval<'a>,
    relaxation: f64,
    bad_diagonal: Option<(usize, f64)>,
}

impl LocalLaw<1> for Saturation<'_> {
    fn solve(&mut self, i: usize, diagonal: &SmallMatrix<1>, b: &[f64; 1], old: &[f64; 1]) -> [f64; 1] {
        let m_ii = diagonal.0[0][0];
        if m_ii.is_nan() || m_ii <= 0.0 {
            self.bad_diagonal.get_or_insert((i, m_ii));
            return *old;
        }
        let w = m_ii * old[0] + b[0];
        let new = old[0] - self.relaxation * w / m_ii;
        [new.max(self.bounds.lower()[i]).min(self.bounds.upper()[i])]
    }
}

impl ProjectedGaussSeidel {
    fn is_solution(&mut self, problem: &RelayProblem<'_>, z: &[f64], w: &[f64], error: f64) -> bool {
        let tolerance = self.settings.tolerance;
        error <= tolerance && judge(problem, tolerance, z, w, error, &mut self.scale) == Status::Converged
    }
}

impl Link for ProjectedGaussSeidel {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "projected-gauss-seidel",
    siconos: "PGS (300)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite, MatrixClass::HMatrix]),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
};

impl Solver for ProjectedGaussSeidel {
    type Class = Relay;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
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
        self.rows.prepare(problem.m());
        let relaxation = self.settings.relaxation;
        let mut law = Saturation { bounds: problem.bounds(), relaxation, bad_diagonal: None };
        let mut error = error_of_point(problem, z, w);
        for iterations in 0..self.settings.max_iterations {
            if self.is_solution(problem, z, w, error) {
                return Ok(SolveInfo { status: Status::Converged, iterations, error });
            }
            // (1) sweep
            let change = scalar_sweep(problem.m(), &self.rows, problem.q(), &mut law, z);
            if let Some((column, pivot)) = law.bad_diagonal {
                let singular = SingularMatrix::Pivot { column, pivot };
                return Err(SolverError::Singular { what: "the diagonal of M", singular });
            }
            // (2) the full measure
            error = error_of_point(problem, z, w);
            if !error.is_finite() {
                return Ok(SolveInfo { status: Status::Breakdown, iterations: iterations + 1, error });
            }
            if change == 0.0 && !self.is_solution(problem, z, w, error) {
                return Ok(SolveInfo { status: Status::Stalled, iterations: iterations + 1, error });
            }
        }
        let is_solved = self.is_solution(problem, z, w, error);
        let status = if is_solved { Status::Converged } else { Status::MaxIterations };
        Ok(SolveInfo { status, iterations: self.settings.max_iterations, error })
    }
}
