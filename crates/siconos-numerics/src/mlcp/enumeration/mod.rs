//! Enumeration of all complementary bases of a mixed problem.

mod basis;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::square;

use self::basis::{Basis, Solved};
use super::elimination::reduction::{Reduced, Reduction};
use super::warm_active_set::History;
use super::{Mlcp, MlcpProblem, MlcpRow};
use crate::box_constraints::{AcceptanceTest, begin};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::engine::{check_finite_matrix, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Enumeration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnumerationSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of bases to visit. Default: 2^25, which exceeds the number of bases of a problem with
    /// 24 complementarity rows.
    pub max_iterations: usize,
    /// Maximum number of complementarity rows. Each additional row doubles the work. Default: 24. Must be at
    /// most 62.
    pub largest_size: usize,
}

impl Default for EnumerationSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 1 << 25, largest_size: 24 }
    }
}

/// Enumeration of all active sets, that is of all sets of complementary unknowns that are allowed to be
/// positive.
///
/// **Problem.** [`MlcpProblem`] with a dense matrix and at most
/// [`largest_size`](EnumerationSettings::largest_size) complementarity rows, 24 by default.
///
/// **Method.** (1) Eliminate the free unknowns once, as [`Elimination`](super::Elimination) does, if that is
/// possible. (2) Try the active sets of the last three problems. (3) Visit all sets in the order of a Gray
/// code, in which neighbours differ by one row, starting with the set of the initial guess. For each set,
/// solve the equations $w_i = 0$ inside and $z_i = 0$ outside the set by elimination with complete pivoting.
/// If the equations are singular but consistent, unknowns without a pivot are 0. (4) Stop at the first point
/// whose [`error`](super::error) in the whole problem is at or below the tolerance. (Murty 1988, section 1.1;
/// Gray 1953.)
///
/// **Guarantee.** Finds a solution if a solution with a regular basis exists.
///
/// **Result.** `Converged`: a solution. `NoSolution`: every basis was excluded, by a sign that is wrong by
/// more than rounding error or by inconsistent equations. `NotFound`: no basis held a solution, but some
/// bases were singular with more than one point, or undecided because of rounding. `MaxIterations`: the
/// problem has more bases than `max_iterations`. Without success, `z` is the best point found. Problems with
/// more than `largest_size` complementarity rows are rejected with [`SolverError::Unsupported`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{Enumeration, MlcpProblem, MlcpRow};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let mut solver = Enumeration::default();
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let info = solver.solve(&MlcpProblem::new(&m, &[2.0, -4.0], &rows)?, &mut z, &mut w)?;
/// assert_eq!((info.status, z), (Status::Converged, [-2.0, 2.0]));
///
/// // z_0 = -1 leaves w_1 = -z_1 - 1, which is negative for every z_1 >= 0.
/// let m = array![[1.0, 0.0], [0.0, -1.0]];
/// let info = solver.solve(&MlcpProblem::new(&m, &[1.0, -1.0], &rows)?, &mut z, &mut w)?;
/// assert_eq!(info.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_MLCP_ENUM (105)")]
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    settings: EnumerationSettings,
    reduction: Reduction,
    is_reduced: bool,
    schur: Vec<f64>,
    rhs: Vec<f64>,
    basis: Basis,
    active: Vec<bool>,
    history: History,
    point: Vec<f64>,
    best: Vec<f64>,
    best_error: f64,
    test: AcceptanceTest,
}

impl Enumeration {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0 or `largest_size` is above 62.
    pub fn new(settings: EnumerationSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        if settings.largest_size > 62 {
            let value = settings.largest_size as f64;
            return Err(SettingsError::OutOfRange { name: "largest_size", value, must_be: "at most 62" });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Removes the stored bases of earlier solutions.
    pub(super) fn forget(&mut self) {
        self.history = History::default();
    }

    /// Solves for the active set in `self.active` and tests the point, steps (3) and (4). Returns a solution
    /// if the basis holds one. Otherwise the error value is `true` if the basis is excluded, and `false` if
    /// it is undecided.
    fn try_basis(
        &mut self,
        problem: &MlcpProblem<'_>,
        m: ArrayView2<'_, f64>,
        w: &mut [f64],
    ) -> Result<SolveInfo, bool> {
        let rows = problem.rows();
        let solved = if self.is_reduced {
            let size = self.rhs.len();
            self.basis.solve(square(&self.schur, size), &self.rhs, &self.active, |_| false)
        } else {
            self.basis.solve(m, problem.q(), &self.active, |i| rows[i] == MlcpRow::Equality)
        };
        if solved != Solved::Candidate {
            return Err(true);
        }
        if self.is_reduced {
            self.reduction.recover(self.basis.z(), self.basis.w(), &mut self.point);
        } else {
            self.point.copy_from_slice(self.basis.z());
        }
        for (z, row) in self.point.iter_mut().zip(rows) {
            if *row == MlcpRow::Complementarity {
                *z = z.max(0.0);
            }
        }
        let tested = self.test.of_point(problem, &self.point, w);
        let (status, error) = (tested.status(self.settings.tolerance), tested.error);
        if error < self.best_error || self.best_error.is_nan() {
            self.best_error = error;
            self.best.copy_from_slice(&self.point);
        }
        if status.is_success() { Ok(SolveInfo { status, iterations: 0, error }) } else { Err(false) }
    }

    /// Writes an active set of the whole problem to `self.active`, which has one entry per pair for reduced
    /// problems.
    fn set_active(&mut self, of: impl Fn(usize) -> bool, n: usize) {
        self.active.clear();
        if self.is_reduced {
            self.active.extend(self.reduction.pairs().map(|(i, exchanged)| of(i) != exchanged));
        } else {
            self.active.extend((0..n).map(of));
        }
    }

    /// Performs steps (2) to (4). Returns the status and the number of bases visited.
    fn visit(
        &mut self,
        problem: &MlcpProblem<'_>,
        m: ArrayView2<'_, f64>,
        z: &[f64],
        w: &mut [f64],
    ) -> (Status, usize) {
        let (rows, n) = (problem.rows(), problem.size());
        let history = std::mem::take(&mut self.history);
        let mut visited = 0;
        let mut known = None;
        for set in history.of_size(n) {
            self.set_active(|i| set[i] || rows[i] == MlcpRow::Equality, n);
            visited += 1;
            known = self.try_basis(problem, m, w).ok();
            if known.is_some() {
                break;
            }
        }
        self.history = history;
        if let Some(info) = known {
            return (info.status, visited);
        }
        self.set_active(|i| z[i] > 0.0 || rows[i] == MlcpRow::Equality, n);
        let places: Vec<usize> = match self.is_reduced {
            true => (0..self.active.len()).collect(),
            false => (0..n).filter(|&i| rows[i] == MlcpRow::Complementarity).collect(),
        };
        let mut all_decided = true;
        for count in 1..=1_u64 << places.len() {
            if cancellation::is_over(visited, self.settings.max_iterations, f64::NAN) {
                return (Status::MaxIterations, visited);
            }
            visited += 1;
            match self.try_basis(problem, m, w) {
                Ok(info) => return (info.status, visited),
                Err(decided) => all_decided &= decided,
            }
            // Flip the bit in which the next word of the code differs; the last word has no successor.
            if let Some(&place) = places.get(count.trailing_zeros() as usize) {
                self.active[place] = !self.active[place];
            }
        }
        (if all_decided { Status::NoSolution } else { Status::NotFound }, visited)
    }
}

impl Stage for Enumeration {
    fn set_budget(&mut self, budget: &Budget) {
        self.forget();
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "enumeration",
    siconos: "ENUM (105)",
    guarantee: Guarantee::in_words("one regular complementary basis").and_recognises_unsolvable(),
    storage: "dense",
    reference: "Murty (1988), 1.1",
};

impl Solver for Enumeration {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
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
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let m = require_dense(DESCRIPTION.name, problem.m())?;
        check_finite_matrix("M", problem.m())?;
        let pairs = problem.rows().iter().filter(|row| **row == MlcpRow::Complementarity).count();
        if pairs > self.settings.largest_size {
            let found = "this number of complementarity rows";
            let takes = "at most `largest_size` rows, 24 by default";
            return Err(Unsupported { solver: DESCRIPTION.name, found, takes }.into());
        }
        for list in [&mut self.point, &mut self.best] {
            list.clear();
            list.extend_from_slice(z);
        }
        self.best_error = self.test.of_point(problem, z, w).error;
        // (1)
        let reduced = self.reduction.reduce(m, problem.q(), problem.rows());
        self.is_reduced = reduced == Reduced::Regular;
        self.reduction.copy_lcp(&mut self.schur, &mut self.rhs);

        let (status, iterations) = match reduced {
            Reduced::Inconsistent { .. } => (Status::NoSolution, 0),
            _ => self.visit(problem, m, z, w),
        };
        z.copy_from_slice(if status.is_success() { &self.point } else { &self.best });
        let error = self.test.of_point(problem, z, w).error;
        if status.is_success() {
            self.history.remember(problem, z, w);
        }
        Ok(SolveInfo { status, iterations, error })
    }
}
