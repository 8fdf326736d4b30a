//! Newton's method on min(z, w) = 0, with block principal pivoting to prevent cycles.

mod basis;

use serde::{Deserialize, Serialize};
use siconos_linalg::norm;

use self::basis::Basis;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, begin, write_image};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};

/// Settings of [`NewtonMin`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonMinSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of bases, each of which costs one factorisation. Default: 1000.
    pub max_iterations: usize,
    /// Maximum number of consecutive full exchanges that do not reduce the number of wrong signs. After that,
    /// indices are exchanged one at a time. Default: 10.
    pub grace: usize,
    /// Maximum number of projected Gauss-Seidel sweeps that choose the first basis for a dense matrix if no
    /// entry of the initial guess is positive. The sweeps end early when a sweep changes no unknown from 0 to
    /// a positive value or back. Default: 24; with 0, the first basis is $\lbrace i : q_i < 0 \rbrace$.
    pub sweeps: usize,
}

impl Default for NewtonMinSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 1000, grace: 10, sweeps: 24 }
    }
}

/// Newton's method for $\min(z, M z + q) = 0$, with block principal pivoting to prevent cycles.
///
/// **Problem.** [`LcpProblem`] with a matrix in any storage.
///
/// **Method.** In each row, a generalised Jacobian of the minimum selects either $z_i$ or $w_i$. A Newton
/// step therefore solves for a complementary basis: $M_{\alpha\alpha} z_\alpha = -q_\alpha$, $z = 0$
/// elsewhere. The next $\alpha$ is $\lbrace i : z_i > w_i \rbrace$, which exchanges every index with a wrong
/// sign (primal-dual active set method). This usually takes a handful of steps, but it can cycle even for a
/// P-matrix (Ben Gharbia and Gilbert 2012). The method prevents cycles as follows.
///
/// (0) Start with $\alpha = \lbrace i : z_i > 0 \rbrace$ of the initial guess. If all of these $z_i$ are 0,
/// start with $\lbrace i : M_{ii} z_i > w_i \rbrace$ after some sweeps of projected Gauss-Seidel if $M$ is
/// dense, and otherwise with $\lbrace i : M_{ii} > 0 \rbrace$. The search restarts once from the largest
/// basis $\lbrace i : M_{ii} > 0 \rbrace$: after 12 bases, or after 3 consecutive bases in which indices were
/// missing and none was superfluous. (1) Solve for the basis and count the wrong signs, $z_i < 0$ in $\alpha$
/// and $w_i < 0$ outside. (2) Stop if there are none, or if the [`error`](super::error) is at or below the
/// tolerance after the negative $z_i$ are set to 0. The point is refined by one step of iterative refinement
/// if the tolerance requires it. (3) Exchange all indices with wrong signs if there are fewer than in every
/// previous basis, or if this condition has failed at most `grace` times in a row. (4) Otherwise exchange
/// only the least index with a wrong sign (Murty 1974), until there are fewer wrong signs than in every
/// previous basis. (5) If the matrix of a basis is singular, solve with $M + \epsilon I$ and
/// $q - \epsilon z_k$, where $z_k$ is the previous point, for k = 0, 1, .. (proximal point method,
/// Rockafellar 1976).
///
/// **Guarantee.** Finite for P-matrices (Judice and Pires 1994, theorem 1), up to rounding and within the
/// iteration limit. Murty's rule alone can need $2^n$ bases. Problems with positive semidefinite matrices and
/// a solution are mostly solved through step (5). No guarantee for other matrices.
///
/// **Result.** `Converged`: the solution of a basis. `AtRoundingLevel`: the solution of a basis; rounding
/// keeps its error above the tolerance. `MaxIterations`, `Breakdown` (the matrix of a basis is singular even
/// in step (5), and therefore M is not a P0-matrix): the best point found. `Stalled`: all signs are right,
/// but the error is larger than rounding can explain, or step (5) no longer approaches a solution. The
/// iteration count is the number of bases.
///
/// **Cost.** One factorisation of the size of the basis per iteration: Cholesky if $M$ is symmetric, LU
/// otherwise. For block and sparse storage, no array of size $n^2$ is formed. If $M$ is symmetric, the
/// factors of the last basis are updated where rows enter or leave the basis, even from one problem to the
/// next if the matrix stays the same. Otherwise sparse LU is used, with one symbolic factorisation.
///
/// References: Kostreva (1978), Judice and Pires (1994), section 3; Portugal, Judice, Vicente (1994), section
/// 3; Facchinei and Pang (2003), section 7.2; Hintermueller, Ito, Kunisch (2003).
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, NewtonMin};
///
/// let m = array![[4.0, 1.0], [1.0, 4.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = NewtonMin::default().solve(&LcpProblem::new(&m, &[-2.0, 4.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, w), ([0.5, 0.0], [0.0, 4.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_NEWTONMIN")]
#[doc(alias = "SICONOS_LCP_NEWTONMIN (208)")]
#[doc(alias = "primal-dual active set")]
#[derive(Clone, Debug, Default)]
pub struct NewtonMin {
    settings: NewtonMinSettings,
    basis: Basis,
    /// Indices with a wrong sign.
    wrong: Vec<usize>,
    candidate: Vec<f64>,
    /// Best point so far: the norm of its entries with wrong signs is the smallest.
    best: Vec<f64>,
    test: AcceptanceTest,
}

/// A point with wrong signs is tested if the norm of the entries with wrong signs is at most this multiple of
/// norm(q). If rows are tied, rounding determines the signs.
const NEARLY: f64 = 1e-9;

/// Number of bases after which the search restarts from the largest basis.
const REFILL: usize = 12;

/// The search restarts after this number of consecutive bases if each of them was too small. If only
/// neighbouring rows are coupled, as in a row of bodies that transmits an impact, a growing basis gains one
/// index per step.
const TOO_SMALL: usize = 3;

/// Shift of the diagonal in step (5), relative to its largest entry; `PROXIMAL_STEPS` limits the number of
/// steps.
const SHIFT: f64 = 1e-7;
const PROXIMAL_STEPS: usize = 30;

impl NewtonMin {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: NewtonMinSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Lists the indices with a wrong sign in the pair (z, w) of a basis. Returns the norm of the wrong
    /// entries in the unit of w, relative to norm(q).
    fn list_wrong(&mut self, q: &[f64], z: &[f64], w: &[f64]) -> f64 {
        self.wrong.clear();
        let mut sum = 0.0;
        for (i, is_active) in self.basis.active().iter().enumerate() {
            let value = if *is_active { self.basis.response(i) * z[i] } else { w[i] };
            // A NaN counts as wrong.
            if value.is_nan() || value < 0.0 {
                self.wrong.push(i);
                sum += value * value;
            }
        }
        if sum == 0.0 { 0.0 } else { sum.sqrt() / norm(q) }
    }

    /// Sets negative entries to 0 and refines the point if the tolerance requires it. Writes the point before
    /// or after refinement, whichever has the smaller error, to `z` and `w`. Returns its status and its
    /// error.
    fn judge(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> (Status, f64) {
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        let tolerance = self.settings.tolerance;
        let mut tested = self.test.of_point(problem, z, w);
        if tested.error > tolerance {
            self.candidate.clear();
            self.candidate.extend_from_slice(z);
            if self.basis.refine(problem.m(), w, &mut self.candidate) {
                self.candidate.iter_mut().for_each(|z| *z = z.max(0.0));
                let refined = self.test.of_point(problem, &self.candidate, w);
                if refined.error < tested.error {
                    z.copy_from_slice(&self.candidate);
                    tested = refined;
                } else {
                    write_image(problem, z, w);
                }
            }
        }
        (tested.status(tolerance), tested.error)
    }

    /// Performs steps (1) to (4) after `before` bases. Returns the status, the total number of bases, and the
    /// error of `z` and `w` if the point was accepted or all signs are right.
    fn iterate(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
        before: usize,
    ) -> (Status, usize, Option<f64>) {
        let n = problem.size();
        let (mut fewest, mut grace, mut least) = (n + 1, self.settings.grace, f64::INFINITY);
        let (mut too_small, mut has_refilled) = (0, false);
        for iterations in before + 1..=self.settings.max_iterations {
            // (1)
            if !self.basis.solve(problem, z, w) {
                tracing::debug!(n, iterations, "the matrix of a complementary basis is singular");
                return (Status::Breakdown, iterations, None);
            }
            let size = self.list_wrong(problem.q(), z, w);
            let count = self.wrong.len();
            tracing::trace!(iterations, count, size, "basis");
            if cancellation::is_asked_to_end(iterations, size) {
                return (Status::MaxIterations, iterations, None);
            }
            if size < least {
                least = size;
                self.best.clear();
                self.best.extend(z.iter().map(|z| z.max(0.0)));
            }
            // (2)
            if count == 0 || size <= self.settings.tolerance.max(NEARLY) {
                let (status, error) = self.judge(problem, z, w);
                if count == 0 || status.is_success() {
                    return (status, iterations, Some(error));
                }
            }
            // (3), (4)
            let active = self.basis.active();
            too_small = if self.wrong.iter().any(|&i| active[i]) { 0 } else { too_small + 1 };
            if !has_refilled && (iterations == before + REFILL || too_small == TOO_SMALL) {
                has_refilled = true;
                self.basis.fill();
                (fewest, grace) = (n + 1, self.settings.grace);
                continue;
            }
            let is_fewer = count < fewest;
            if is_fewer {
                fewest = count;
                grace = self.settings.grace;
            }
            if is_fewer || grace > 0 {
                grace -= usize::from(!is_fewer);
                self.basis.exchange(&self.wrong);
            } else {
                self.basis.exchange(&self.wrong[..1]);
            }
        }
        (Status::MaxIterations, self.settings.max_iterations, None)
    }
}

impl NewtonMin {
    /// Performs step (5).
    fn regularise(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
        before: usize,
    ) -> (Status, usize, Option<f64>) {
        let (mut iterations, mut least) = (before, f64::INFINITY);
        for _ in 0..PROXIMAL_STEPS {
            self.basis.shift(SHIFT, &self.best);
            let (status, total, error) = self.iterate(problem, z, w, iterations);
            iterations = total;
            match error {
                Some(error) if !status.is_success() => {
                    self.best.copy_from_slice(z);
                    if error.is_nan() || error > 0.5 * least {
                        return (Status::Stalled, iterations, Some(error));
                    }
                    least = error;
                }
                _ => return (status, iterations, error),
            }
        }
        (Status::Stalled, iterations, None)
    }
}

impl Stage for NewtonMin {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "newton-min",
    siconos: "NEWTONMIN (208)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]),
    storage: "any",
    reference: "Judice, Pires (1994)",
};

impl Solver for NewtonMin {
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
        let q = problem.q();
        // The point z = 0 needs neither a factorisation nor a product with M.
        if q.iter().all(|q| *q >= 0.0) {
            z.fill(0.0);
            let tested = self.test.of_point(problem, z, w);
            if tested.status(self.settings.tolerance) == Status::Converged {
                return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: tested.error });
            }
        }
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        self.best.clear();
        self.best.extend_from_slice(z);
        // (0)
        self.basis.begin(problem, self.settings.sweeps, z, w);
        let (mut status, mut iterations, mut error_of_basis) = self.iterate(problem, z, w, 0);
        // (5)
        if status == Status::Breakdown {
            (status, iterations, error_of_basis) = self.regularise(problem, z, w, iterations);
        }
        if let Some(error) = error_of_basis {
            return Ok(SolveInfo { status, iterations, error });
        }
        z.copy_from_slice(&self.best);
        let tested = self.test.of_point(problem, z, w);
        if tested.status(self.settings.tolerance) == Status::Converged {
            status = Status::Converged;
        }
        Ok(SolveInfo { status, iterations, error: tested.error })
    }
}
