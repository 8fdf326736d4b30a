//! Elimination of the free unknowns of a mixed problem.

mod contradiction;
pub(super) mod reduction;

use serde::{Deserialize, Serialize};
use siconos_linalg::{SingularMatrix, square};

use self::reduction::{Reduced, Reduction};
use super::{Mlcp, MlcpProblem};
use crate::box_constraints::{AcceptanceTest, begin};
use crate::cascade::{Budget, Stage};
use crate::engine::{check_finite_matrix, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Contradiction, SolveInfo, Status};
use crate::lcp::{Lcp, LcpMethod, LcpProblem, Lemke};
use crate::method::{Guarantee, Limits, Method, MethodDescription, Solver};

/// Settings of [`Elimination`] with an inner method that is chosen at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EliminationSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-9. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations of the inner method. Default: the default of the inner method.
    pub max_iterations: usize,
    /// Method for the remaining linear complementarity problem. Its tolerance is set to a tenth of
    /// `tolerance`, and its iteration limit to `max_iterations`. Default: [`LcpMethod::Auto`].
    pub lcp: LcpMethod,
}

impl Default for EliminationSettings {
    fn default() -> Self {
        let lcp = crate::lcp::AutoSettings::default();
        Self {
            tolerance: Elimination::ABOVE_INNER * lcp.tolerance,
            max_iterations: lcp.max_iterations,
            lcp: LcpMethod::Auto(lcp),
        }
    }
}

/// Elimination of the free unknowns, followed by a solver for the remaining linear complementarity problem.
///
/// **Problem.** [`MlcpProblem`] with a dense matrix.
///
/// **Method.** (1) Read w = M z + q as a dictionary, and pivot on the equality rows and free unknowns. The
/// free unknowns become functions of the others, and the w of equality rows become 0. With $M = [A, C; D, B]$
/// and regular $A$ this is Gaussian elimination, and leaves the Schur complement $B - D A^{-1} C$ (Cottle,
/// Pang, Stone 1992, section 1.2 on mixed problems). (2) If $A$ is singular, some equality rows are left
/// without a pivot. Find complementary pairs whose rows and columns, together with the remaining rows and
/// columns, form a regular block, and pivot on this block. In these pairs z and w change roles, which does
/// not change the solutions (section 2.3 of the same book). A shortest augmenting path for each remaining row
/// finds such a block whenever one exists (Lawler 1976, chapter 8, on the intersection of two matroids). Free
/// unknowns enter the basis first and never leave it, as in the crash procedures of Dirkse and Ferris (1995)
/// and Cao and Ferris (1996). (3) Solve the remaining linear complementarity problem. (4) Compute the free
/// unknowns from the dictionary.
///
/// **Guarantee.** As for the inner solver on the remaining problem, whose matrix is a P-matrix if $M$ is a
/// P-matrix. Steps (1) and (2) succeed if and only if some complementary basis that contains all free
/// unknowns is regular. Circuits often have such a basis although $A$ is singular.
///
/// **Result.** The status of the inner solver, with these exceptions. `Converged`: the
/// [`error`](super::error) of the whole point is at or below the tolerance, by default ten times the
/// tolerance of the inner solver and at least 1e-10. `AtRoundingLevel`: the error is above the tolerance, but
/// every row is satisfied up to rounding. `NoSolution` is also returned if the equality rows are inconsistent
/// (a linear combination of them is 0 on the left but not on the right). In this case
/// [`contradiction`](Solver::contradiction) returns one of these rows, and `z` is unchanged. If no
/// complementary basis is regular (redundant joints), the error [`SolverError::Singular`] is returned. Its
/// column is the rank, that is the number of pivots found. See
/// [`with_redundant_rows`](Self::with_redundant_rows) for equality rows that only repeat other rows.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::ProjectedGaussSeidel;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow};
///
/// // Two equations and no complementarity: a linear system.
/// let mut solver = Elimination::new(Box::new(ProjectedGaussSeidel::default()));
/// let (m, rows) = (array![[2.0, 0.0], [1.0, 1.0]], [MlcpRow::Equality; 2]);
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = solver.solve(&MlcpProblem::new(&m, &[-4.0, 1.0], &rows)?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!(z, [2.0, -3.0]);
///
/// // The equality block is 0: z_1 = 3 from the first row, and z_0 = -2 makes the second one 0.
/// let (m, rows) = (array![[0.0, 1.0], [1.0, 0.0]], [MlcpRow::Equality, MlcpRow::Complementarity]);
/// let problem = MlcpProblem::new(&m, &[-3.0, 2.0], &rows)?;
/// let info = Elimination::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, w), ([-2.0, 3.0], [0.0, 0.0]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_LCP_LEMKE")]
#[doc(alias = "SICONOS_MLCP_LCP_LEMKE (115)")]
#[derive(Debug)]
pub struct Elimination {
    lcp: Box<dyn Solver<Class = Lcp>>,
    tolerance: f64,
    redundant_rows: bool,
    reduction: Reduction,
    schur: Vec<f64>,
    rhs: Vec<f64>,
    v: Vec<f64>,
    w: Vec<f64>,
    guess: Vec<f64>,
    test: AcceptanceTest,
    contradiction: Option<Contradiction>,
}

/// Minimum default tolerance.
const LEAST_TOLERANCE: f64 = 1e-10;

impl Default for Elimination {
    fn default() -> Self {
        Self::new(Box::new(Lemke::default()))
    }
}

impl Elimination {
    /// Default tolerance as a multiple of the tolerance of the inner solver, because the elimination
    /// magnifies the error of the inner solver.
    const ABOVE_INNER: f64 = 10.0;

    /// Creates a solver from settings.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn from_settings(settings: EliminationSettings) -> Result<Self, SettingsError> {
        let EliminationSettings { tolerance, max_iterations, mut lcp } = settings;
        lcp.set_tolerance((tolerance / Self::ABOVE_INNER).max(f64::MIN_POSITIVE));
        lcp.set_max_iterations(max_iterations);
        Self::new(lcp.build()?).with_tolerance(tolerance)
    }

    /// Creates a solver from an inner solver for linear complementarity problems.
    #[must_use]
    pub fn new(lcp: Box<dyn Solver<Class = Lcp>>) -> Self {
        let tolerance = LEAST_TOLERANCE.max(Self::ABOVE_INNER * lcp.tolerance());
        Self {
            lcp,
            tolerance,
            redundant_rows: false,
            reduction: Reduction::default(),
            schur: Vec::new(),
            rhs: Vec::new(),
            v: Vec::new(),
            w: Vec::new(),
            guess: Vec::new(),
            test: AcceptanceTest::default(),
            contradiction: None,
        }
    }

    /// Removes the recorded contradiction.
    pub(super) fn forget_contradiction(&mut self) {
        self.contradiction = None;
    }

    /// Sets the [`error`](super::error) at which a point counts as a solution.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn with_tolerance(mut self, tolerance: f64) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(tolerance)?;
        self.tolerance = tolerance;
        Ok(self)
    }

    /// Sets whether equality rows that repeat other rows up to rounding are left out, as for a joint that is
    /// defined twice. Free unknowns that are left without a row are then 0. By default such problems are
    /// rejected, because the forces in redundant joints are not unique and the redundancy is often a mistake
    /// in the model.
    #[must_use]
    pub fn with_redundant_rows(mut self, left_out: bool) -> Self {
        self.redundant_rows = left_out;
        self
    }

    /// Returns the inner solver for linear complementarity problems.
    #[must_use]
    pub fn into_inner(self) -> Box<dyn Solver<Class = Lcp>> {
        self.lcp
    }
}

impl Stage for Elimination {
    /// Sets no limit: the inner solver counts the pivots and has limits of its own.
    fn set_budget(&mut self, _: &Budget) {}
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "elimination",
    siconos: "LCP_LEMKE (115)",
    guarantee: Guarantee::in_words("as the inner solver, with one regular complementary basis"),
    storage: "dense",
    reference: "Cottle, Pang, Stone (1992), 1.2, 2.3",
};

impl Solver for Elimination {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.lcp.limits().max_iterations }
    }

    fn supports(&self, problem: &MlcpProblem<'_>) -> Result<(), Unsupported> {
        require_dense(self.name(), problem.m()).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.forget_contradiction();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let (m, q) = (require_dense(DESCRIPTION.name, problem.m())?, problem.q());
        // Pivots would turn a NaN into inconsistent equations.
        check_finite_matrix("M", problem.m())?;
        // (1), (2)
        let refused = |rank| {
            let singular = SingularMatrix::Pivot { column: rank, pivot: 0.0 };
            Err(SolverError::Singular { what: "the block of the equality rows", singular })
        };
        match self.reduction.reduce(m, q, problem.rows()) {
            Reduced::Regular => {}
            Reduced::Redundant { .. } if self.redundant_rows => {}
            Reduced::Redundant { rank } | Reduced::Deficient { rank } => return refused(rank),
            Reduced::Inconsistent { row } => {
                self.contradiction = Some(Contradiction { row, block: row });
                let error = self.test.of_point(problem, z, w).error;
                return Ok(SolveInfo { status: Status::NoSolution, iterations: 0, error });
            }
        }
        self.reduction.copy_lcp(&mut self.schur, &mut self.rhs);

        // (3): the initial guess of an exchanged pair is its w
        let size = self.reduction.size();
        if self.reduction.pairs().any(|(_, exchanged)| exchanged) {
            w.copy_from_slice(q);
            problem.m().add_product(1.0, z, w);
        }
        let (unit_of_z, unit_of_w) = (self.reduction.unit_of_z(), self.reduction.unit_of_w());
        self.v.clear();
        self.v.extend(self.reduction.pairs().map(|(i, exchanged)| match exchanged {
            false => z[i] / unit_of_z,
            true if z[i] > 0.0 || !w[i].is_finite() => 0.0,
            true => w[i] / unit_of_w,
        }));
        self.w.clear();
        self.w.resize(size, 0.0);
        let schur = LcpProblem::new(square(&self.schur, size), &self.rhs)?;
        let inner = self.lcp.solve(&schur, &mut self.v, &mut self.w)?;
        self.guess.clear();
        self.guess.extend_from_slice(z);

        // (4)
        self.reduction.recover(&self.v, &self.w, z);
        if z.iter().any(|z| !z.is_finite()) {
            z.copy_from_slice(&self.guess);
        }
        let tested = self.test.of_point(problem, z, w);
        let (judged, error) = (tested.status(self.tolerance), tested.error);
        let status = match inner.status {
            // A solution of the mixed problem takes precedence over a proof about the remaining problem,
            // because the entries of the remaining problem contain the rounding errors of the pivots.
            _ if judged.is_success() => judged,
            Status::NoSolution if self.reduction.is_restricted() => Status::NotFound,
            inner if !inner.is_success() => inner,
            _ => judged,
        };
        Ok(SolveInfo { status, iterations: inner.iterations, error })
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }
}
