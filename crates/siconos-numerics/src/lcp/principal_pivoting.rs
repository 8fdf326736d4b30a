//! Principal pivoting on one index at a time: Murty's least-index rule and Bard's largest violation.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::{UpdatedInverse, largest_magnitude};

use super::active_set::ActiveSet;
use super::scaled_matrix::ScaledMatrix;
use super::{Lcp, LcpProblem};
use crate::box_constraints::begin;
use crate::cancellation;
use crate::engine::require_dense;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};

/// Rule by which [`PrincipalPivoting`] selects the negative variable to exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PivotRule {
    /// The variable with the least index (Murty 1974).
    #[default]
    LeastIndex,
    /// The most negative variable (Bard 1974), in units that make the diagonal of $M$ about 1.
    LargestViolation,
}

/// Settings of [`PrincipalPivoting`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrincipalPivotingSettings {
    /// Rule that selects the negative variable to exchange. Default: [`PivotRule::LeastIndex`].
    pub rule: PivotRule,
    /// Tolerance on the [`error`](super::error) of the end point. Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of pivots. Default: 10 000.
    pub max_iterations: usize,
    /// A diagonal pivot counts as 0 if it is below this fraction of the sum of the magnitudes of its terms.
    /// $M$ is scaled so that its diagonal is about 1. Default: 1e-10. Must be positive.
    pub pivot_tolerance: f64,
}

impl Default for PrincipalPivotingSettings {
    fn default() -> Self {
        Self { rule: PivotRule::LeastIndex, tolerance: 1e-12, max_iterations: 10_000, pivot_tolerance: 1e-10 }
    }
}

impl PrincipalPivotingSettings {
    pub(super) fn of_each_rule() -> [Self; 2] {
        [PivotRule::LeastIndex, PivotRule::LargestViolation].map(|rule| Self { rule, ..Self::default() })
    }

    pub(super) fn description(&self) -> &'static MethodDescription {
        match self.rule {
            PivotRule::LeastIndex => &MURTY,
            PivotRule::LargestViolation => &BARD,
        }
    }
}

/// Principal pivoting from one complementary basis to the next.
///
/// **Problem.** [`LcpProblem`] with a dense matrix.
///
/// **Method.** Murty (1974); Bard (1974); Cottle, Pang, Stone (1992), section 4.2. A complementary basis is
/// given by the set $\alpha$ of the indices with basic $z_i$. (1) Start with
/// $\alpha = \lbrace i : z_i > 0 \rbrace$ of the initial guess, or with the empty set if the block of that
/// set is singular. (2) Solve $M_{\alpha\alpha} z_\alpha = -q_\alpha$ and compute $w = M z + q$. (3) Stop if
/// no basic variable is negative. (4) Select the negative variable with the least index, or the most negative
/// one, and exchange it with its complement: the index enters or leaves $\alpha$. (5) If the
/// [`error`](super::error) of the end point is above the tolerance, solve again for its active set.
///
/// The inverse of $M_{\alpha\alpha}$ is updated by bordering at each pivot, and recomputed if the relative
/// residual of the basic variables exceeds 1e-12. A pivot costs about $n k + 3 k^2$ multiplications for $k$
/// indices in $\alpha$.
///
/// **Guarantee.** With the least index: finite for P-matrices, from every initial guess (Murty 1974; section
/// 4.2), but exponential in the worst case. With the largest violation: no guarantee, because the method can
/// return to an earlier set, but it usually needs fewer pivots. Cycles are detected (Brent 1980).
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution; rounding keeps the error above the
/// tolerance. `Stalled`: the sets repeat, or the error of the last point is larger than rounding can explain.
/// `Breakdown`: a pivot vanishes, which does not happen for P-matrices. `MaxIterations`: too many pivots. In
/// the last three cases the point is the last basic point, with negative entries set to 0.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, PivotRule, PrincipalPivoting, PrincipalPivotingSettings};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// for rule in [PivotRule::LeastIndex, PivotRule::LargestViolation] {
///     let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
///     let mut solver = PrincipalPivoting::new(PrincipalPivotingSettings { rule, ..Default::default() })?;
///     let info = solver.solve(&LcpProblem::new(&m, &[-5.0, -1.0])?, &mut z, &mut w)?;
///     assert_eq!((info.status, z), (Status::Converged, [2.5, 0.0]));
/// }
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_MURTY")]
#[doc(alias = "SICONOS_LCP_MURTY (217)")]
#[doc(alias = "SICONOS_LCP_BARD")]
#[doc(alias = "SICONOS_LCP_BARD (216)")]
#[derive(Clone, Debug, Default)]
pub struct PrincipalPivoting {
    settings: PrincipalPivotingSettings,
    active_set: ActiveSet,
    matrix: ScaledMatrix,
    /// $S q$, with the diagonal matrix S of [`ScaledMatrix`].
    q: Vec<f64>,
    inverse: UpdatedInverse,
    /// Active set, in the order of the rows of the inverse.
    active: Vec<usize>,
    is_active: Vec<bool>,
    /// Earlier copy of [`is_active`](Self::is_active), to detect cycles; it is replaced at pivot
    /// `remember_at`.
    remembered: Vec<bool>,
    remember_at: usize,
    /// Values of the basic z, in the order of `active`; `w` holds all w.
    x: Vec<f64>,
    w: Vec<f64>,
    work: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    /// Relative residual above which the inverse is recomputed.
    drift: f64,
}

/// A value counts as nonnegative if it is above minus this multiple of the largest entry of q and z.
const NEGATIVE: f64 = 1e-13;

/// Residual of the equations, relative to the largest entry of the solution, above which the inverse is
/// recomputed. It must also exceed `WORSE` times the residual after the last recomputation.
const DRIFT: f64 = 1e-12;
const WORSE: f64 = 100.0;

impl PrincipalPivoting {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a tolerance is not above 0.
    pub fn new(settings: PrincipalPivotingSettings) -> Result<Self, SettingsError> {
        for (name, value) in
            [("tolerance", settings.tolerance), ("pivot_tolerance", settings.pivot_tolerance)]
        {
            SettingsError::check_at_least(name, value, f64::MIN_POSITIVE, "positive")?;
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Performs steps (1) to (4). Returns the status, which is `Converged` if no basic variable is negative,
    /// and the number of pivots.
    fn pivot(&mut self, m: ArrayView2<'_, f64>, q: &[f64], z: &[f64]) -> (Status, usize) {
        self.start(m, q, z);
        let mut pivots = 0;
        loop {
            self.solve_basis();
            let Some(index) = self.negative_index() else { return (Status::Converged, pivots) };
            if cancellation::is_over(pivots, self.settings.max_iterations, f64::NAN) {
                return (Status::MaxIterations, pivots);
            }
            if !self.exchange(index) {
                return (Status::Breakdown, pivots);
            }
            pivots += 1;
            if self.comes_back(pivots) {
                self.solve_basis();
                return (Status::Stalled, pivots);
            }
        }
    }

    /// Performs step (1).
    fn start(&mut self, m: ArrayView2<'_, f64>, q: &[f64], z: &[f64]) {
        let n = q.len();
        self.matrix.set(m);
        self.q.clear();
        self.q.extend(q.iter().zip(self.matrix.scale()).map(|(q, s)| q * s));
        self.drift = DRIFT;
        self.active.clear();
        self.active.extend((0..n).filter(|&i| z[i] > 0.0));
        self.matrix.copy_block(&self.active, &self.active, &mut self.work);
        self.inverse.reset(n);
        if self.inverse.set_inverse_of(&self.work, self.active.len()).is_err() {
            self.active.clear();
            self.inverse.reset(n);
        }
        self.is_active.clear();
        self.is_active.resize(n, false);
        self.active.iter().for_each(|&i| self.is_active[i] = true);
        self.remembered.clone_from(&self.is_active);
        self.remember_at = 1;
    }

    /// Performs step (2). Recomputes the inverse if the updates have made it too inaccurate.
    fn solve_basis(&mut self) {
        let missed = self.values();
        if missed > self.drift {
            self.matrix.copy_block(&self.active, &self.active, &mut self.work);
            let anew = self.inverse.set_inverse_of(&self.work, self.active.len()).is_ok();
            let missed = if anew { self.values() } else { missed };
            self.drift = DRIFT.max(WORSE * missed);
        }
    }

    /// Computes the values of the basic variables, with one step of iterative refinement if their residual is
    /// not small. Returns the residual before refinement, relative to the largest value.
    fn values(&mut self) -> f64 {
        self.work.clear();
        self.work.extend(self.active.iter().map(|&i| -self.q[i]));
        self.inverse.apply(&self.work, &mut self.x);
        self.w.clone_from(&self.q);
        self.matrix.add_columns(&self.active, &self.x, &mut self.w);
        self.work.clear();
        self.work.extend(self.active.iter().map(|&i| -self.w[i]));
        let (missed, largest) = (largest_magnitude(&self.work), largest_magnitude(&self.x));
        if missed > NEGATIVE * largest {
            self.inverse.apply(&self.work, &mut self.column);
            self.matrix.add_columns(&self.active, &self.column, &mut self.w);
            self.x.iter_mut().zip(&self.column).for_each(|(x, correction)| *x += correction);
        }
        self.active.iter().for_each(|&i| self.w[i] = 0.0);
        if largest > 0.0 { missed / largest } else { 0.0 }
    }

    /// Returns the index selected in step (4), or `None` if no basic variable is negative, step (3).
    fn negative_index(&self) -> Option<usize> {
        let rounding = NEGATIVE * largest_magnitude(&self.q).max(largest_magnitude(&self.x));
        let basic_z = self.active.iter().copied().zip(self.x.iter().copied());
        // The w with indices in the set are 0.
        let basic_w = self.w.iter().copied().enumerate();
        let negative = basic_z.chain(basic_w).filter(|(_, value)| *value < -rounding);
        let chosen = match self.settings.rule {
            PivotRule::LeastIndex => negative.min_by_key(|(index, _)| *index),
            PivotRule::LargestViolation => negative.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))),
        };
        chosen.map(|(index, _)| index)
    }

    /// Adds the index to the set or removes it. Returns `false` if the pivot vanishes.
    fn exchange(&mut self, index: usize) -> bool {
        if self.is_active[index] {
            let Some(slot) = self.active.iter().position(|&i| i == index) else { return false };
            // The pivot is the determinant of the active block without the index, divided by the one with the
            // index.
            let pivot = self.inverse.row(slot)[slot];
            if !self.is_regular(pivot, largest_magnitude(self.inverse.row(slot))) {
                return false;
            }
            self.inverse.remove(slot, slot);
            self.active.swap_remove(slot);
        } else {
            self.matrix.copy_of_column(index, &self.active, &mut self.work);
            self.inverse.apply(&self.work, &mut self.column);
            self.column.iter_mut().for_each(|x| *x = -*x);
            self.matrix.copy_of_row(index, &self.active, &mut self.work);
            let m_ii = self.matrix.column(index)[index];
            let terms = self.work.iter().zip(&self.column);
            let (pivot, size) =
                terms.fold((m_ii, m_ii.abs()), |(pivot, size), (m, x)| (pivot + m * x, size + (m * x).abs()));
            if !self.is_regular(pivot, size) {
                return false;
            }
            self.inverse.apply_transposed(&self.work, &mut self.row);
            self.inverse.grow(&self.column, &self.row, pivot);
            self.active.push(index);
        }
        self.is_active[index] = !self.is_active[index];
        true
    }

    fn is_regular(&self, pivot: f64, size: f64) -> bool {
        pivot.abs() > self.settings.pivot_tolerance * size && pivot.is_finite()
    }

    /// Returns `true` if the set has occurred before. The set is compared with a copy that is replaced
    /// whenever the number of pivots is a power of two (Brent 1980). This detects every cycle before its
    /// third round.
    fn comes_back(&mut self, pivots: usize) -> bool {
        if self.is_active == self.remembered {
            return true;
        }
        if pivots == self.remember_at {
            self.remembered.clone_from(&self.is_active);
            self.remember_at *= 2;
        }
        false
    }
}

/// Description of the method with the least-index rule.
pub(super) const MURTY: MethodDescription = MethodDescription {
    name: "murty",
    siconos: "MURTY (217)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]),
    storage: "dense",
    reference: "Murty (1974); Cottle, Pang, Stone (1992), 4.2",
};

/// Description of the method with the rule of the largest violation.
pub(super) const BARD: MethodDescription = MethodDescription {
    name: "bard",
    siconos: "BARD (216)",
    guarantee: Guarantee::NONE.and("cycles are recognised"),
    storage: "dense",
    reference: "Bard (1974)",
};

impl Solver for PrincipalPivoting {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        self.settings.description().name
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
        let m = require_dense(self.name(), problem.m())?;
        let (ended, iterations) = self.pivot(m, problem.q(), z);
        z.fill(0.0);
        for (&i, &x) in self.active.iter().zip(&self.x) {
            z[i] = self.matrix.unscaled(i, x.max(0.0));
        }
        let tolerance = self.settings.tolerance;
        let mut tested = self.active_set.test(problem, z, w);
        // (5)
        if ended == Status::Converged && tested.error > tolerance {
            tested = self.active_set.polish(problem, m, tolerance, tested, z, w);
        }
        let judged = tested.status(tolerance);
        let status = if judged.is_success() || ended == Status::Converged { judged } else { ended };
        Ok(SolveInfo { status, iterations, error: tested.error })
    }
}
