//! Enumeration of all complementary bases of a small problem.

mod basis_result;
mod nonnegative;
mod null_space;
mod scaling;
mod solution_set;
mod tableau;

use serde::{Deserialize, Serialize};
use siconos_linalg::{DenseLu, dot, square};

use self::basis_result::{Basis, BasisResult, SearchResult, Solution};
use self::nonnegative::{NonnegativeLeastSquares, Outcome};
use self::null_space::null_space;
use self::scaling::Scaled;
use self::solution_set::is_same;
pub use self::solution_set::{SolutionPiece, SolutionSet};
use self::tableau::Tableau;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, begin};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::engine::{check_finite, check_finite_matrix, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`Enumeration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnumerationSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of bases to visit. Default: $2^{24}$.
    pub max_iterations: usize,
    /// Maximum number of unknowns n. A problem has $2^n$ bases. Default: 24. Must be at most 60.
    pub largest_size: usize,
}

impl Default for EnumerationSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 1 << 24, largest_size: 24 }
    }
}

/// Enumeration of the complementary bases.
///
/// **Problem.** [`LcpProblem`] with a dense matrix and at most
/// [`largest_size`](EnumerationSettings::largest_size) unknowns.
///
/// **Method.** A solution has a complementary basis $\alpha$: $z_i = 0$ outside $\alpha$, $w_i = 0$ inside.
/// (1) Scale rows and columns with the same factors, so that the diagonal entries have magnitudes near 1. (2)
/// Visit all $2^n$ bases in Gray-code order (Knuth 2011, section 7.2.1.1), starting with
/// $\lbrace i : z_i > 0 \rbrace$ of the initial guess. Consecutive bases differ in one index, and the
/// principal pivot transform moves from one to the next by a rank-one exchange in $O(n^2)$ operations. The
/// transform is recomputed after 40 exchanges, and whenever a pivot is small. (3) A basis with a clearly
/// negative variable does not hold a solution. For any other basis, solve by LU and check the
/// [`error`](super::error) of the point. (4) If $M_{\alpha\alpha}$ is singular or nearly singular, the basis
/// may hold no solution or a whole face of solutions. Nonnegative least squares (Lawson and Hanson 1974)
/// finds a point of the face, or a Farkas vector that proves that the basis holds no solution.
///
/// **Guarantee.** Finds a solution of every solvable problem, with any matrix, after at most $2^n$ bases.
///
/// **Result.** `Converged`, `AtRoundingLevel`: the first solution found. `NoSolution`: every basis was
/// excluded by a margin above rounding errors. `NotFound`: no solution was found, but rounding left some
/// bases undecided. `MaxIterations`: the problem has more bases than `max_iterations`. In the last three
/// cases `z` is the initial guess, with negative entries set to 0. The iteration count is the number of bases
/// visited.
///
/// [`enumerate_all`](Self::enumerate_all) finds all solutions.
///
/// References: Murty (1988), chapter 1 (the total enumeration method); Cottle, Pang, Stone (1992),
/// section 2.3.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{Enumeration, LcpProblem};
///
/// // Two contacts support one body. The solutions are a segment and its two end points.
/// let m = array![[1.0, 1.0], [1.0, 1.0]];
/// let all = Enumeration::default().enumerate_all(&LcpProblem::new(&m, &[-1.0, -1.0])?)?;
/// let faces: Vec<usize> = all.pieces.iter().map(|piece| piece.directions.len()).collect();
/// assert_eq!((faces, all.undecided), (vec![0, 1, 0], 0));
///
/// let none = array![[-1.0]];
/// let info = Enumeration::default().solve(&LcpProblem::new(&none, &[-1.0])?, &mut [0.0], &mut [0.0])?;
/// assert_eq!(info.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_ENUM")]
#[doc(alias = "SICONOS_LCP_ENUM (213)")]
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    settings: EnumerationSettings,
    tableau: Tableau,
    nonnegative: NonnegativeLeastSquares,
    /// Problem after the scaling of step (1).
    scaled: Scaled,
    columns: Vec<f64>,
    x: Vec<f64>,
    values: Vec<f64>,
    indices: Vec<usize>,
    block: Vec<f64>,
    right_hand_side: Vec<f64>,
    lu: DenseLu,
    z: Vec<f64>,
    w: Vec<f64>,
    error: f64,
    start: Vec<bool>,
    test: AcceptanceTest,
}

/// A negative variable excludes a basis without a closer check if its magnitude exceeds this fraction of the
/// largest variable. Rounding errors in the tableau stay below this threshold.
const CLEARLY_NEGATIVE: f64 = 1e-4;

/// Threshold for the closer check, as a fraction of the largest variable. Ill-conditioned bases use a larger
/// threshold.
const DISTINCTLY: f64 = 1e-11;

/// Maximum number of refinement steps for a basis.
const REFINEMENTS: usize = 2;

impl Enumeration {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0 or `largest_size` is above 60.
    pub fn new(settings: EnumerationSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        if settings.largest_size > 60 {
            let value = settings.largest_size as f64;
            return Err(SettingsError::OutOfRange { name: "largest_size", value, must_be: "at most 60" });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Returns all solutions, as a list of points and faces.
    ///
    /// # Errors
    ///
    /// If the matrix is not dense, if the data are not finite, or if the problem has more unknowns than
    /// [`largest_size`](EnumerationSettings::largest_size).
    pub fn enumerate_all(&mut self, problem: &LcpProblem<'_>) -> Result<SolutionSet, SolverError> {
        check_finite("q", problem.q())?;
        let n = problem.size();
        let mut pieces: Vec<SolutionPiece> = Vec::new();
        self.start.clear();
        self.start.resize(n, false);
        let visit = self.visit(problem, |this, solution| {
            let basis: Vec<usize> = (0..n).filter(|&i| this.tableau.active()[i]).collect();
            let directions = match solution.basis {
                Basis::Regular => Vec::new(),
                Basis::Singular => null_space(&this.scaled.m, n, &basis, &this.scaled.units),
            };
            let same = |piece: &SolutionPiece| piece.directions.is_empty() && is_same(&piece.point, &this.z);
            if !(directions.is_empty() && pieces.iter().any(same)) {
                pieces.push(SolutionPiece { basis, point: this.z.clone(), directions });
            }
            false
        })?;
        Ok(SolutionSet { pieces, undecided: visit.undecided, is_exhaustive: visit.is_exhaustive })
    }

    /// Visits all bases, starting with `start`. Calls `found` for each basis with a solution until `found`
    /// returns `true`.
    fn visit(
        &mut self,
        problem: &LcpProblem<'_>,
        mut found: impl FnMut(&Self, Solution) -> bool,
    ) -> Result<SearchResult, SolverError> {
        let n = problem.size();
        let m = require_dense(DESCRIPTION.name, problem.m())?;
        check_finite_matrix("M", problem.m())?;
        let largest = self.settings.largest_size;
        if n > largest {
            let must_be = "at least the number of unknowns";
            let value = largest as f64;
            return Err(SettingsError::OutOfRange { name: "largest_size", value, must_be }.into());
        }
        self.scaled.set(m, problem.q());
        let (mut undecided, bases) = (0, 1_u64 << n);
        for k in 0..bases {
            if cancellation::is_over(k as usize, self.settings.max_iterations, f64::NAN) {
                return Ok(SearchResult { bases: k as usize, undecided, is_exhaustive: false });
            }
            let is_regular = if k == 0 {
                self.tableau.begin(&self.scaled.m, &self.scaled.q, &self.start)
            } else {
                // The reflected Gray code flips the index that equals the number of trailing zeros of k.
                self.tableau.exchange(&self.scaled.m, &self.scaled.q, k.trailing_zeros() as usize)
            };
            let verdict = if is_regular { self.judge_regular(problem) } else { self.judge_singular(problem) };
            match verdict {
                BasisResult::None => {}
                BasisResult::Undecided => undecided += 1,
                BasisResult::Solution(status, basis) => {
                    if found(self, Solution { status, basis }) {
                        return Ok(SearchResult { bases: k as usize + 1, undecided, is_exhaustive: false });
                    }
                }
            }
        }
        Ok(SearchResult { bases: bases as usize, undecided, is_exhaustive: true })
    }

    /// Decides whether a regular basis holds a solution, step (3).
    fn judge_regular(&mut self, problem: &LcpProblem<'_>) -> BasisResult {
        if is_negative(self.tableau.values(), CLEARLY_NEGATIVE) {
            return BasisResult::None;
        }
        let n = problem.size();
        self.indices.clear();
        self.indices.extend((0..n).filter(|&i| self.tableau.active()[i]));
        let k = self.indices.len();
        self.block.clear();
        self.right_hand_side.clear();
        for &i in &self.indices {
            self.block.extend(self.indices.iter().map(|&j| self.scaled.m[i * n + j]));
            self.right_hand_side.push(-self.scaled.q[i]);
        }
        if k > 0 {
            if self.lu.factor(square(&self.block, k)).is_err() {
                return self.judge_singular(problem);
            }
            self.lu.solve(&mut self.right_hand_side);
        }
        self.x.clear();
        self.x.resize(n, 0.0);
        for (&i, &x) in self.indices.iter().zip(&self.right_hand_side) {
            self.x[i] = x;
        }
        for _ in 0..REFINEMENTS {
            if let Some(status) = self.accept(problem) {
                return BasisResult::Solution(status, Basis::Regular);
            }
            self.right_hand_side.clear();
            for &i in &self.indices {
                self.right_hand_side
                    .push(-self.scaled.q[i] - dot(&self.scaled.m[i * n..(i + 1) * n], &self.x));
            }
            if k > 0 {
                self.lu.solve(&mut self.right_hand_side);
            }
            for (&i, d) in self.indices.iter().zip(&self.right_hand_side) {
                self.x[i] += d;
            }
        }
        if let Some(status) = self.accept(problem) {
            return BasisResult::Solution(status, Basis::Regular);
        }
        let outside = |i: usize| self.scaled.q[i] + dot(&self.scaled.m[i * n..(i + 1) * n], &self.x);
        self.values.clear();
        self.values.extend((0..n).map(|i| if self.tableau.active()[i] { self.x[i] } else { outside(i) }));
        let rounding = 8.0 * f64::EPSILON * self.tableau.condition();
        if is_negative(&self.values, rounding.max(DISTINCTLY)) {
            BasisResult::None
        } else {
            BasisResult::Undecided
        }
    }

    /// Decides whether a singular basis holds a solution, step (4): whether q = C x has a solution x >= 0,
    /// where the columns of C are the unit columns of the basic w and the columns of -M of the basic z.
    fn judge_singular(&mut self, problem: &LcpProblem<'_>) -> BasisResult {
        let n = problem.size();
        self.columns.clear();
        for (j, is_active) in self.tableau.active().iter().enumerate() {
            let entry =
                |i: usize| if *is_active { -self.scaled.m[i * n + j] } else { f64::from(u8::from(i == j)) };
            self.columns.extend((0..n).map(entry));
        }
        self.x.clear();
        self.x.resize(n, 0.0);
        if self.nonnegative.solve(&self.columns, &self.scaled.q, &mut self.x) == Outcome::Infeasible {
            return BasisResult::None;
        }
        self.x
            .iter_mut()
            .zip(self.tableau.active())
            .filter(|(_, active)| !**active)
            .for_each(|(x, _)| *x = 0.0);
        self.accept(problem)
            .map_or(BasisResult::Undecided, |status| BasisResult::Solution(status, Basis::Singular))
    }

    /// Computes `z` and `w` from `x`. Returns the status if they are a solution.
    fn accept(&mut self, problem: &LcpProblem<'_>) -> Option<Status> {
        self.z.clear();
        self.z.extend(self.x.iter().zip(&self.scaled.units).map(|(x, unit)| (x * unit).max(0.0)));
        self.w.resize(problem.size(), 0.0);
        let tested = self.test.of_point(problem, &self.z, &mut self.w);
        self.error = tested.error;
        let status = tested.status(self.settings.tolerance);
        status.is_success().then_some(status)
    }
}

/// Returns `true` if an entry is below 0 by more than the fraction `part` of the largest magnitude.
fn is_negative(x: &[f64], part: f64) -> bool {
    let largest = x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    largest.is_finite() && x.iter().any(|x| *x < -part * largest)
}

impl Stage for Enumeration {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "enumeration",
    siconos: "ENUM (213)",
    guarantee: Guarantee::of(&[MatrixClass::General]).only(Scope::FewUnknowns).and_recognises_unsolvable(),
    storage: "dense",
    reference: "Murty (1988), 1",
};

impl Solver for Enumeration {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &LcpProblem<'_>) -> Result<(), Unsupported> {
        require_dense(self.name(), problem.m()).map(|_| ())
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
        self.start.clear();
        self.start.extend(z.iter().map(|z| *z > 0.0));
        let mut first = None;
        let visit = self.visit(problem, |this, solution| {
            first = Some((solution, this.error));
            true
        })?;
        let iterations = visit.bases;
        if let Some((Solution { status, .. }, error)) = first {
            z.copy_from_slice(&self.z);
            w.copy_from_slice(&self.w);
            return Ok(SolveInfo { status, iterations, error });
        }
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        let error = self.test.of_point(problem, z, w).error;
        let status = match (visit.is_exhaustive, visit.undecided) {
            (false, _) => Status::MaxIterations,
            (true, 0) => Status::NoSolution,
            (true, _) => Status::NotFound,
        };
        Ok(SolveInfo { status, iterations, error })
    }
}
