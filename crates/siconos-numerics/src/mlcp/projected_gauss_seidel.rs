//! Projected Gauss-Seidel for mixed problems: the nonsmooth Gauss-Seidel sweep with a law per kind of row.

use serde::{Deserialize, Serialize};

use super::{Mlcp, MlcpProblem, MlcpRow};
use crate::box_rows::Verdict;
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{SingularMatrix, SmallMatrix};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::nsgs::{LocalLaw, RowAccess, scalar_sweep};
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
    /// The $\rho$ that is added to the diagonal, in the unit of M. Default 0, at least 0.
    pub regularization: f64,
}

impl Default for ProjectedGaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, relaxation: 1.0, regularization: 0.0 }
    }
}

/// Projected Gauss-Seidel; with a relaxation other than 1 projected SOR, with a regularisation above 0 their proximal forms.
///
/// **Problem.** [`MlcpProblem`] in any storage, with $M_{ii} + \rho \ne 0$ in equality rows and $M_{ii} + \rho > 0$ in the others.
///
/// **Method.** (1) Sweep over all rows with the newest values:
///
/// $$ z_i \leftarrow z_i - \omega \frac{(M z + q)_i}{M_{ii} + \rho} \ (i \in E), \qquad z_i \leftarrow \max\Bigl(0, z_i - \omega \frac{(M z + q)_i}{M_{ii} + \rho}\Bigr) \ (i \notin E). $$
///
/// As plain text: z_i becomes z_i - omega (M z + q)_i / (M_ii + rho), and at least 0 in a complementarity row. The $\rho$ slows the
/// steps down and moves no solution: each step is the exact one for $M + \rho I$ and $q - \rho z^{old}$, the proximal
/// point idea of Rockafellar (1976) row by row. (2) Compute the full [`error`](super::error), and sweep again while it is
/// above the tolerance.
///
/// **Guarantee.** Converges for symmetric positive definite $M$ and $0 < \omega < 2$, and for strictly diagonally
/// dominant matrices with positive diagonal and $\omega = 1$ (Cottle, Pang, Stone 1992, section 5.3, whose proofs hold for rows
/// without projection as well). Circuits, with zeros on the diagonal, are outside.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`: above, but rounding allows no better.
/// `MaxIterations`: the last iterate. `Stalled`: a sweep
/// changed nothing although the error is above the tolerance. `Breakdown`: the iterates grew beyond all numbers. A row
/// whose $M_{ii} + \rho$ does not do is refused with [`SolverError::Singular`] and its index.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{MlcpProblem, MlcpRow, ProjectedGaussSeidel};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = MlcpProblem::new(&m, &[2.0, -4.0], &rows)?;
/// let info = ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-7 && (z[1] - 2.0).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_PGS (100)")]
#[doc(alias = "SICONOS_MLCP_RPGS (101)")]
#[doc(alias = "SICONOS_MLCP_PSOR (102)")]
#[doc(alias = "SICONOS_MLCP_RPSOR (103)")]
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel {
    settings: ProjectedGaussSeidelSettings,
    rows: RowAccess,
    verdict: Verdict,
}

impl ProjectedGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0, the relaxation not in (0, 2), or the regularisation below 0.
    pub fn new(settings: ProjectedGaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("regularization", settings.regularization, 0.0, "at least 0")?;
        let relaxation = settings.relaxation;
        if !(relaxation > 0.0 && relaxation < 2.0) {
            let must_be = "between 0 and 2, both excluded";
            return Err(SettingsError::OutOfRange { name: "relaxation", value: relaxation, must_be });
        }
        Ok(Self { settings, ..Self::default() })
    }
}

/// The law of one row; remembers a diagonal entry that does not do.
struct Law<'a> {
    rows: &'a [MlcpRow],
    relaxation: f64,
    regularization: f64,
    bad_diagonal: Option<(usize, f64)>,
}

impl LocalLaw<1> for Law<'_> {
    fn solve(&mut self, i: usize, diagonal: &SmallMatrix<1>, b: &[f64; 1], old: &[f64; 1]) -> [f64; 1] {
        let m_ii = diagonal.0[0][0];
        let divisor = m_ii + self.regularization;
        let is_free = self.rows[i] == MlcpRow::Equality;
        if divisor.is_nan() || divisor == 0.0 || (!is_free && divisor < 0.0) {
            self.bad_diagonal.get_or_insert((i, m_ii));
            return *old;
        }
        let new = old[0] - self.relaxation * (m_ii * old[0] + b[0]) / divisor;
        [if is_free { new } else { new.max(0.0) }]
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "projected-gauss-seidel",
    siconos: "PGS (100), RPGS (101), PSOR (102), RPSOR (103)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite, MatrixClass::DiagonallyDominant]),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
};

impl Solver for ProjectedGaussSeidel {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        for (z, row) in z.iter_mut().zip(problem.rows()) {
            if *row == MlcpRow::Complementarity {
                *z = z.max(0.0);
            }
        }
        self.rows.prepare(problem.m());
        let ProjectedGaussSeidelSettings { tolerance, max_iterations, relaxation, regularization } =
            self.settings;
        let mut law = Law { rows: problem.rows(), relaxation, regularization, bad_diagonal: None };
        let mut iterations = 0;
        let mut still = false;
        loop {
            // (2) the full measure
            let (status, error) = self.verdict.of(problem, z, w, tolerance);
            let status = match status {
                Status::Converged => status,
                _ if !error.is_finite() => Status::Breakdown,
                // Rounding level is only of interest where nothing better is to come.
                status if still || iterations == max_iterations => match status {
                    Status::Stalled if !still => Status::MaxIterations,
                    status => status,
                },
                _ => {
                    // (1) sweep
                    still = scalar_sweep(problem.m(), &self.rows, problem.q(), &mut law, z) == 0.0;
                    if let Some((column, pivot)) = law.bad_diagonal {
                        let singular = SingularMatrix::Pivot { column, pivot };
                        return Err(SolverError::Singular { what: "the diagonal of M", singular });
                    }
                    iterations += 1;
                    continue;
                }
            };
            return Ok(SolveInfo { status, iterations, error });
        }
    }
}
