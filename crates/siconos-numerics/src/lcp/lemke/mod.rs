//! Lemke's complementary pivoting with lexicographic tie-breaking: settings, interface, warm start.

mod basis;
mod exact;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::cost::product;

use self::basis::{Basis, Outcome};
use self::exact::ExactPivots;
use super::active_set::ActiveSet;
use super::farkas::CertificateCheck;
use super::{Lcp, LcpProblem};
use crate::cascade::{Budget, Stage};
use crate::engine::{check_solve, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};

/// Starting basis of [`Lemke`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LemkeStart {
    /// The complementary basis $\lbrace i : z_i > 0 \rbrace$ of the initial guess, solved by one
    /// factorisation. Pivots from the basis of all $w$ follow only if the result is not a solution. In
    /// time-stepping the active set mostly stays the same, and no pivots are needed.
    #[default]
    WarmActiveSet,
    /// The basis of all $w$, regardless of the initial guess.
    Cold,
}

/// Settings of [`Lemke`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LemkeSettings {
    /// Tolerance on the [`error`](super::error) of the end point. Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of pivots per run. A ray is confirmed by a second run with a smaller pivot tolerance.
    /// Pivots in integer arithmetic are limited by `exact_operations`. Default: 10 000.
    pub max_iterations: usize,
    /// Entries of the driving column below this multiple of its largest entry are not used as pivots.
    /// Default: 1e-10. Must be positive. With 1e-12, a rounding error was used as a pivot in about one of
    /// several hundred hyperstatic problems with 150 contacts.
    pub pivot_tolerance: f64,
    /// Starting basis. Default: [`LemkeStart::WarmActiveSet`].
    pub start: LemkeStart,
    /// Maximum number of operations on 64-bit digits for pivots in integer arithmetic. These pivots are used
    /// if ties make the pivots in floating point fail. Default: 3e8, which takes a few tenths of a second. 0
    /// disables integer arithmetic.
    pub exact_operations: f64,
}

impl Default for LemkeSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            max_iterations: 10_000,
            pivot_tolerance: 1e-10,
            start: LemkeStart::default(),
            exact_operations: 3e8,
        }
    }
}

/// Lemke's method with a covering vector of ones.
///
/// **Problem.** [`LcpProblem`] with a dense matrix.
///
/// **Method.** Cottle, Pang, Stone (1992), algorithm 4.4.1 with the lexicographic rule of section 4.9. (0) By
/// default, solve $M_{\alpha\alpha} z_\alpha = -q_\alpha$ for $\alpha = \lbrace i : z_i > 0 \rbrace$ of the
/// initial guess, and stop if that point is a solution. (1) If $q \ge 0$, then $z = 0$. (2) In
/// $w = q + M z + d z_0$, d = (1, .., 1), let $z_0$ replace the most negative $w_r$. (3) Increase the
/// complement of the variable that left last until a basic variable blocks. Ties are broken
/// lexicographically, except that $z_0$ leaves as soon as possible. (4) Exchange the two variables; stop when
/// $z_0$ has left. (5) If the [`error`](super::error) of the end point is above the tolerance, solve once
/// more for its active set, to remove the rounding errors of the pivots. (6) On a ray, take as $s$ first the
/// entries of $z$ in the direction of the ray, then the coefficients of $w$ in the dictionary row of $z_0$.
/// Test whether either [$s$ proves](super::is_infeasibility_certificate) that the problem has no solution. A
/// ray without a proof is confirmed by a second run with a pivot tolerance 1e-5 times as large. The result of
/// this run is used only if it is a solution or a proof. (7) If ties were broken and the pivots failed,
/// rounding may have decided between tied rows. The same holds if a basis was repeated, which the exact
/// lexicographic rule excludes. In both cases, restart from the beginning with pivots in integer arithmetic,
/// in which ties are exact (a double is an integer times a power of two).
///
/// Only the inverse of the block of the $k$ basic $z$ is stored, and updated at each pivot (the revised form
/// of the method). A pivot costs about $n k + 3 k^2$ multiplications. A driving column is refined if its
/// relative residual exceeds 1e-13, and the inverse is recomputed if the residual exceeds 1e-12.
///
/// **Guarantee.** Finite, without cycles. If ties occur, this holds within the limit
/// [`exact_operations`](LemkeSettings::exact_operations). Ends at a solution for P-matrices, for strictly
/// copositive matrices, and for feasible problems with copositive-plus matrices (section 4.4). For
/// copositive-plus matrices the direction of a ray is a proof (theorem 4.4.12), up to rounding. For other
/// matrices a ray without a proof is not conclusive.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution; rounding keeps the error above the
/// tolerance. `NoSolution`: no $z \ge 0$ has $M z + q \ge 0$. `RayTermination`: a ray without a proof. In the
/// last two cases the point is the end point of the run in floating point. `MaxIterations`: the point of the
/// last basis. `Stalled`: $z_0$ left, but the error of the point is larger than rounding can explain.
///
/// **Memory.** Up to $2 n^2$ doubles: the matrix by columns, and the inverse. Step (7) needs $n^2$ integers,
/// each with up to n times as many digits as the data.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, Lemke, LemkeSettings};
///
/// let mut lemke = Lemke::new(LemkeSettings { max_iterations: 100, ..LemkeSettings::default() })?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let m = array![[2.0, -1.0], [-1.0, 2.0]];
/// let info = lemke.solve(&LcpProblem::new(&m, &[-1.0, -1.0])?, &mut z, &mut w)?;
/// assert_eq!(info.status, Status::Converged);
/// assert!(z.iter().all(|z| (z - 1.0).abs() < 1e-15));
///
/// // w = -z - 1 is negative for every z >= 0: this problem has no solution.
/// let info = lemke.solve(&LcpProblem::new(&array![[-1.0]], &[-1.0])?, &mut [0.0], &mut [0.0])?;
/// assert_eq!(info.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "LexicoLemke")]
#[doc(alias = "SICONOS_LCP_LEMKE")]
#[doc(alias = "SICONOS_LCP_LEMKE (200)")]
#[doc(alias = "SICONOS_LCP_PIVOT (215)")]
#[doc(alias = "SICONOS_LCP_PIVOT_LUMOD (220)")]
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    settings: LemkeSettings,
    basis: Basis,
    exact: ExactPivots,
    active_set: ActiveSet,
    certificate: CertificateCheck,
    /// End point of the first ray, kept during the second run.
    ray: Vec<f64>,
    /// Point before the pivots in integer arithmetic.
    before: Vec<f64>,
    /// Candidate for a Farkas vector.
    multipliers: Vec<f64>,
}

/// Arithmetic of the pivots that found a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ray {
    Rounded,
    Exact,
}

/// Factor by which the pivot tolerance is multiplied in the second run, which confirms a ray.
const SHARPER: f64 = 1e-5;

impl Lemke {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a tolerance is not above 0 or `exact_operations` is negative.
    pub fn new(settings: LemkeSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_at_least(
            "pivot_tolerance",
            settings.pivot_tolerance,
            f64::MIN_POSITIVE,
            "positive",
        )?;
        SettingsError::check_at_least("exact_operations", settings.exact_operations, 0.0, "nonnegative")?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Returns the Farkas vector of the last [`Status::NoSolution`].
    pub(super) fn certificate(&self) -> &[f64] {
        &self.multipliers
    }

    /// Returns the number of operations of all pivots since the budget was set, including the pivots in
    /// integer arithmetic of the last solve.
    pub(crate) fn operations(&self) -> f64 {
        self.basis.operations() + self.exact.operations()
    }

    /// Performs steps (1) to (5). Returns the status, the number of pivots and the error.
    fn pivot(
        &mut self,
        problem: &LcpProblem<'_>,
        m: ArrayView2<'_, f64>,
        covering: &[f64],
        pivot_tolerance: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> (Status, usize, f64) {
        let (q, tolerance) = (problem.q(), self.settings.tolerance);
        // (1) to (4)
        let max_iterations = self.settings.max_iterations;
        let (mut outcome, mut iterations) = self.basis.solve(m, q, covering, pivot_tolerance, max_iterations);
        if outcome == Outcome::Repeats {
            if let Some((status, more, error)) = self.pivot_exactly(problem, m, z, w) {
                return (status, iterations + more, error);
            }
            outcome = self.basis.continue_pivots(pivot_tolerance, max_iterations, false);
            (iterations, _) = self.basis.pivots();
        }
        self.basis.point(z);
        let mut tested = self.active_set.test(problem, z, w);

        // (5): solve for the last basis again, by one factorisation
        if outcome == Outcome::Solved && tested.error > tolerance {
            tested = self.active_set.polish(problem, m, tolerance, tested, z, w);
        }
        let status = match (outcome, tested.status(tolerance)) {
            (_, success) if success.is_success() => success,
            (Outcome::Solved, _) => Status::Stalled,
            (Outcome::Ray, _) if self.ray_proves_infeasible(problem, Ray::Rounded) => Status::NoSolution,
            (Outcome::Ray, _) => Status::RayTermination,
            (Outcome::MaxIterations, _) if self.basis.is_spent() => Status::EffortSpent,
            (Outcome::MaxIterations | Outcome::Repeats, _) => Status::MaxIterations,
        };
        (status, iterations, tested.error)
    }

    /// Solves the problem with the covering vector d of step (2). An empty slice means a vector of ones.
    ///
    /// The entries of d must be nonnegative. q must be nonnegative where an entry of d is 0, so that the
    /// first basis is feasible.
    pub(crate) fn solve_covered(
        &mut self,
        problem: &LcpProblem<'_>,
        covering: &[f64],
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        let m = require_dense(DESCRIPTION.name, problem.m())?;
        let q = problem.q();

        self.exact.forget();

        // (0): the basis of the initial guess
        if self.settings.start == LemkeStart::WarmActiveSet && self.active_set.solve(m, q, z) {
            let tested = self.active_set.test(problem, z, w);
            let status = tested.status(self.settings.tolerance);
            if status.is_success() {
                return Ok(SolveInfo { status, iterations: 0, error: tested.error });
            }
        }

        let (status, iterations, error) =
            self.pivot(problem, m, covering, self.settings.pivot_tolerance, z, w);
        if status != Status::RayTermination {
            if status == Status::Stalled
                && let Some((status, more, error)) = self.pivot_exactly(problem, m, z, w)
            {
                return Ok(SolveInfo { status, iterations: iterations + more, error });
            }
            let error =
                if status == Status::Stalled { self.active_set.test(problem, z, w).error } else { error };
            return Ok(SolveInfo { status, iterations, error });
        }

        // (6): the ray can be due to small entries that were mistaken for rounding errors
        tracing::debug!(n = q.len(), iterations, error, "a ray; pivoting again with a smaller tolerance");
        self.ray.clear();
        self.ray.extend_from_slice(z);
        let sharper = self.settings.pivot_tolerance * SHARPER;
        let (second, more, second_error) = self.pivot(problem, m, covering, sharper, z, w);
        let iterations = iterations + more;
        // Pivots on rounding errors can end at a point so large that q is lost in it. Rounding can also
        // explain the error of such a point, so only `Converged` is accepted here.
        if second == Status::Converged {
            return Ok(SolveInfo { status: second, iterations, error: second_error });
        }
        let status = if second == Status::NoSolution { second } else { status };
        // (7)
        if status == Status::RayTermination
            && let Some((status, yet_more, error)) = self.pivot_exactly(problem, m, z, w)
        {
            return Ok(SolveInfo { status, iterations: iterations + yet_more, error });
        }
        z.copy_from_slice(&self.ray);
        let error = self.active_set.test(problem, z, w).error;
        Ok(SolveInfo { status, iterations, error })
    }

    /// Performs step (7), unless it has already been performed or no tie was broken. Returns the status, the
    /// number of pivots and the error of a solution or of a proof of infeasibility. Otherwise returns `None`
    /// and leaves `z` unchanged.
    fn pivot_exactly(
        &mut self,
        problem: &LcpProblem<'_>,
        m: ArrayView2<'_, f64>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<(Status, usize, f64)> {
        let (limit, (_, has_tied)) = (self.settings.exact_operations, self.basis.pivots());
        if !has_tied || limit == 0.0 || self.exact.operations() > 0.0 {
            return None;
        }
        let (outcome, pivots) = self.basis.solve_exactly(&mut self.exact, limit);
        let operations = self.exact.operations();
        tracing::debug!(n = z.len(), ?outcome, pivots, operations, "ties: pivots in integers");
        match outcome {
            exact::Outcome::Spent => None,
            exact::Outcome::Solved => {
                self.before.clear();
                self.before.extend_from_slice(z);
                self.exact.point(z);
                let matrix = self.basis.matrix();
                z.iter_mut().enumerate().for_each(|(i, z)| *z = matrix.unscaled(i, *z));
                let tolerance = self.settings.tolerance;
                let mut tested = self.active_set.test(problem, z, w);
                if !tested.status(tolerance).is_success() {
                    tested = self.active_set.polish(problem, m, tolerance, tested, z, w);
                }
                let status = tested.status(tolerance);
                if !status.is_success() {
                    z.copy_from_slice(&self.before);
                    return None;
                }
                Some((status, pivots, tested.error))
            }
            exact::Outcome::Ray => {
                let is_proven = self.ray_proves_infeasible(problem, Ray::Exact);
                is_proven.then(|| (Status::NoSolution, pivots, self.active_set.test(problem, z, w).error))
            }
        }
    }

    /// Returns `true` if the ray just found proves that the problem has no solution.
    fn ray_proves_infeasible(&mut self, problem: &LcpProblem<'_>, ray: Ray) -> bool {
        let (s, scale) = (&mut self.multipliers, self.basis.matrix().scale());
        s.clear();
        s.resize(problem.size(), 0.0);
        match ray {
            Ray::Rounded => self.basis.ray_direction(s),
            Ray::Exact => self.exact.ray_direction(scale, s),
        }
        if self.certificate.accepts(problem, s) {
            return true;
        }
        match ray {
            Ray::Rounded => self.basis.row_of_artificial(s),
            Ray::Exact => self.exact.row_of_artificial(scale, s),
        }
        self.certificate.accepts(problem, s)
    }
}

impl Stage for Lemke {
    /// Limits the number of operations instead of the number of pivots, because a pivot costs less while few
    /// variables are basic.
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.most;
        self.basis.begin_account(budget.operations);
    }

    fn effort(&self, problem: &LcpProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        product(problem.m()) + self.operations()
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "lemke",
    siconos: "LEMKE (200)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix, MatrixClass::CopositivePlus])
        .and_recognises_unsolvable(),
    storage: "dense",
    reference: "Cottle, Pang, Stone (1992), 4.4, 4.9",
};

impl Solver for Lemke {
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
        self.solve_covered(problem, &[], z, w)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// With a large pivot tolerance, relevant entries are mistaken for rounding errors, and the first run
    /// ends on a spurious ray. The problems have solutions, because their matrices are positive definite.
    #[test]
    fn a_ray_of_small_entries_is_not_believed() {
        let (n, blunt) = (8, 0.1);
        // Squares times an irrational number are spread evenly, without a pattern.
        let mut count = 0.0;
        let mut random = || {
            count += 1.0;
            2.0 * (count * count * std::f64::consts::SQRT_2).fract() - 1.0
        };
        let mut rays = 0;
        for _ in 0..200 {
            let a = Array2::from_shape_fn((n, n), |_| random());
            let m = a.dot(&a.t()) + 0.01 * Array2::<f64>::eye(n);
            let q: Vec<f64> = (0..n).map(|_| random()).collect();
            let problem = LcpProblem::new(&m, &q).expect("a good problem");
            let settings = LemkeSettings { pivot_tolerance: blunt, ..LemkeSettings::default() };
            let mut lemke = Lemke::new(settings).expect("good settings");
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let (first, ..) = lemke.pivot(&problem, m.view(), &[], blunt, &mut z, &mut w);
            if first != Status::RayTermination {
                continue;
            }
            rays += 1;
            z.fill(0.0);
            let info = lemke.solve(&problem, &mut z, &mut w).expect("a good problem");
            assert!(info.status.is_success(), "{info:?}");
        }
        assert!(rays > 0, "no ray was met: nothing is tested");
    }
}
