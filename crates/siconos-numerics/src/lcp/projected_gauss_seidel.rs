//! Projected Gauss-Seidel: the nonsmooth Gauss-Seidel sweep with the complementarity law, relaxed or regularised.

use serde::{Deserialize, Serialize};

use super::{Lcp, LcpProblem, error_of_point};
use crate::box_rows::judge;
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, SingularMatrix, SmallMatrix, norm};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::nsgs::{LocalLaw, RowAccess, scalar_sweep};
use crate::own_response::mean;
use crate::own_response::solve_without_q;

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
    /// The proximal shift, as a multiple of the mean of the $|M_{ii}|$. Default 0, which asks for $M_{ii} > 0$;
    /// at least 0.
    pub regularisation: f64,
}

impl Default for ProjectedGaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, relaxation: 1.0, regularisation: 0.0 }
    }
}

impl ProjectedGaussSeidelSettings {
    /// Over-relaxation by 1.3, the rest by default.
    #[must_use]
    pub fn over_relaxed() -> Self {
        Self { relaxation: 1.3, ..Self::default() }
    }

    /// A proximal shift of 0.1, the rest by default.
    #[must_use]
    pub fn regularised() -> Self {
        Self { regularisation: 0.1, ..Self::default() }
    }

    pub(super) fn of_each_kind() -> [Self; 3] {
        [Self::default(), Self::over_relaxed(), Self::regularised()]
    }

    pub(super) fn description(&self) -> &'static MethodDescription {
        if self.regularisation > 0.0 {
            &REGULARISED
        } else if self.relaxation == 1.0 {
            &PLAIN
        } else {
            &OVER_RELAXED
        }
    }
}

/// Projected Gauss-Seidel; with a relaxation other than 1 projected SOR; with a regularisation above 0 the sweep that
/// also takes $M_{ii} = 0$.
///
/// **Problem.** [`LcpProblem`] with $M_{ii} > 0$, or with a regularisation.
///
/// **Method.** (1) Sweep: $z_i \leftarrow \max\bigl(0, z_i - \omega (M z + q)_i / (M_{ii} + \rho)\bigr)$ for i = 1, .., n
/// with the newest values, that is z_i <- max(0, z_i - omega (M z + q)_i / (M_ii + rho)). On the way the sweep adds up
/// the residuals $\min(M_{ii} z_i, (M z + q)_i)$ that it meets. (2) When their norm is near the tolerance, after sweep 1, 2, 4, 8,
/// .., and after the last, compute the full [`error`](super::error), and stop when it is at or below the tolerance.
/// A pass over the matrix is most of the work, so a sweep without the full measure takes half the time.
///
/// **Guarantee.** Without regularisation: converges for symmetric positive definite $M$ and $0 < \omega < 2$, and for
/// strictly diagonally dominant (more generally H-) matrices with positive diagonal and $\omega = 1$ (Cottle, Pang, Stone
/// 1992, section 5.3). With $\rho > 0$ and $0 < \omega < 2$: the splitting $M = B + C$ with
/// $B = L + (D + \rho I) / \omega$ is regular for symmetric positive semidefinite $M$, because $B - C$ is then positive
/// definite, and for these the iterates converge to a solution whenever there is one, isolated or not (Luo and Tseng
/// 1991, "On the convergence of a matrix splitting algorithm for the symmetric monotone linear complementarity
/// problem", SIAM J. Control Optim. 29). Nothing is proven for the regularised sweep where $M$ is not symmetric. The rate
/// is linear and gets worse with the condition number, and with $\rho$.
///
/// **Result.** `Converged`: `z >= 0`, error at or below the tolerance. `MaxIterations`: the last iterate.
/// `Stalled`: a sweep changed nothing although the error is above the tolerance. `Breakdown`: the iterates grew
/// beyond all numbers, as they may outside the guarantee, or the matrix holds something that is not finite; the guess
/// comes back. An error names the first $M_{ii} + \rho$ that is not positive.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = ProjectedGaussSeidel::default().solve(&LcpProblem::new(&m, &[-1.0, 4.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-8 && z[1] == 0.0);
///
/// // A row of zeros: any z[1] is a solution.
/// let m = array![[1.0, 0.0], [0.0, 0.0]];
/// let mut regularised = ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings::regularised())?;
/// let info = regularised.solve(&LcpProblem::new(&m, &[-1.0, 0.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "NLGS")]
#[doc(alias = "PSOR")]
#[doc(alias = "SICONOS_LCP_PGS (202)")]
#[doc(alias = "SICONOS_LCP_PSOR (210)")]
#[doc(alias = "SICONOS_LCP_RPGS (211)")]
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel {
    settings: ProjectedGaussSeidelSettings,
    rows: RowAccess,
    guess: Vec<f64>,
    scale: Vec<f64>,
}

impl ProjectedGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0, the relaxation not in (0, 2) or the regularisation below 0.
    pub fn new(settings: ProjectedGaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        let relaxation = settings.relaxation;
        if !(relaxation > 0.0 && relaxation < 2.0) {
            let must_be = "between 0 and 2, both excluded";
            return Err(SettingsError::OutOfRange { name: "relaxation", value: relaxation, must_be });
        }
        SettingsError::check_at_least("regularisation", settings.regularisation, 0.0, "at least 0")?;
        Ok(Self { settings, ..Self::default() })
    }

    /// The shift rho in the unit of M.
    fn shift(&self, m: MatrixRef<'_>) -> f64 {
        if self.settings.regularisation == 0.0 {
            return 0.0;
        }
        let mut sum = 0.0;
        m.for_each_diagonal(|_, d| sum += d.abs());
        let of_m = if sum > 0.0 { sum / m.rows() as f64 } else { mean(m) };
        self.settings.regularisation * of_m
    }
}

/// $0 \le w \perp z \ge 0$ for one unknown, relaxed and regularised.
struct Complementarity {
    relaxation: f64,
    shift: f64,
    /// A divisor that is not positive.
    bad_diagonal: Option<(usize, f64)>,
    /// The sum of the squares of min(M_ii z_i, w_i) before each update.
    seen: f64,
}

impl LocalLaw<1> for Complementarity {
    fn solve(&mut self, i: usize, diagonal: &SmallMatrix<1>, b: &[f64; 1], old: &[f64; 1]) -> [f64; 1] {
        let m_ii = diagonal.0[0][0];
        let divisor = m_ii + self.shift;
        if divisor.is_nan() || divisor <= 0.0 {
            self.bad_diagonal.get_or_insert((i, divisor));
            return *old;
        }
        let w = m_ii * old[0] + b[0];
        // Not `f64::min`, which would pass over a w that is NaN.
        let own = m_ii.abs() * old[0];
        let residual = if own < w { own } else { w };
        self.seen += residual * residual;
        [(old[0] - self.relaxation * w / divisor).max(0.0)]
    }
}

/// The full measure is computed when the residuals met in a sweep are below this times the tolerance.
const NEAR: f64 = 2.0;

impl Link for ProjectedGaussSeidel {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of one of the methods.
pub(super) const PLAIN: MethodDescription = MethodDescription {
    name: "projected-gauss-seidel",
    siconos: "PGS (202)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite, MatrixClass::HMatrix]),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
};

/// What a table says of one of the methods.
pub(super) const OVER_RELAXED: MethodDescription = MethodDescription {
    name: "projected-sor",
    siconos: "PSOR (210)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
};

/// What a table says of one of the methods.
pub(super) const REGULARISED: MethodDescription = MethodDescription {
    name: "regularised-gauss-seidel",
    siconos: "RPGS (211)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]),
    storage: "any",
    reference: "Luo, Tseng (1991)",
};

impl Solver for ProjectedGaussSeidel {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        self.settings.description().name
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
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let (tolerance, max_iterations) = (self.settings.tolerance, self.settings.max_iterations);
        for z in z.iter_mut() {
            *z = z.max(0.0);
        }
        let mut error = error_of_point(problem, z, w);
        if error <= tolerance && judge(problem, tolerance, z, w, error, &mut self.scale).is_success() {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error });
        }
        self.guess.clear();
        self.guess.extend_from_slice(z);
        self.rows.prepare(problem.m());
        let (relaxation, shift) = (self.settings.relaxation, self.shift(problem.m()));
        let mut law = Complementarity { relaxation, shift, bad_diagonal: None, seen: 0.0 };
        let norm_q = norm(problem.q());
        for iterations in 1..=max_iterations {
            // (1) sweep
            law.seen = 0.0;
            let change = scalar_sweep(problem.m(), &self.rows, problem.q(), &mut law, z);
            if let Some((column, pivot)) = law.bad_diagonal {
                let singular = SingularMatrix::Pivot { column, pivot };
                return Err(SolverError::Singular { what: "the diagonal of M", singular });
            }
            // (2) the full measure, where it may matter
            let seen = law.seen.sqrt();
            let is_far = seen > NEAR * tolerance * norm_q && seen.is_finite() && change > 0.0;
            if is_far && !iterations.is_power_of_two() && iterations < max_iterations {
                continue;
            }
            error = error_of_point(problem, z, w);
            let status = if error <= tolerance {
                judge(problem, tolerance, z, w, error, &mut self.scale)
            } else if !error.is_finite() {
                z.copy_from_slice(&self.guess);
                error = error_of_point(problem, z, w);
                Status::Breakdown
            } else if change == 0.0 {
                Status::Stalled
            } else {
                continue;
            };
            return Ok(SolveInfo { status, iterations, error });
        }
        Ok(SolveInfo { status: Status::MaxIterations, iterations: max_iterations, error })
    }
}
