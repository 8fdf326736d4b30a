//! Principal pivoting on one index at a time: Murty's least-index rule and Bard's largest violation.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::{UpdatedInverse, largest_magnitude};

use super::active_set::ActiveSet;
use super::scaled_matrix::ScaledMatrix;
use super::{Lcp, LcpProblem};
use crate::box_rows::begin;
use crate::engine::require_dense;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::watch;

/// Which of the negative variables [`PrincipalPivoting`] exchanges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PivotRule {
    /// The one of least index (Murty 1974).
    #[default]
    LeastIndex,
    /// The most negative one (Bard 1974), in units that make the diagonal of $M$ about 1.
    LargestViolation,
}

/// Settings of [`PrincipalPivoting`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrincipalPivotingSettings {
    /// Which of the negative variables is exchanged. Default [`PivotRule::LeastIndex`].
    pub rule: PivotRule,
    /// The [`error`](super::error) at which the end point counts as a solution. Default 1e-12, above 0.
    pub tolerance: f64,
    /// The largest number of pivots. Default 10 000.
    pub max_iterations: usize,
    /// A diagonal pivot below this part of its terms counts as 0, with the diagonal of $M$ scaled to about 1.
    /// Default 1e-10, above 0.
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
/// the set $\alpha$ of the indices whose $z_i$ is basic. (1) Begin with
/// $\alpha = \lbrace i : z_i > 0 \rbrace$ of the guess, or with the empty set where that block is singular.
/// (2) Solve $M_{\alpha\alpha} z_\alpha = -q_\alpha$ and form $w = M z + q$. (3) Stop when no basic variable
/// is negative. (4) Of the negative ones choose that of least index, or the most negative, and exchange it
/// with its complement: the index enters or leaves $\alpha$. (5) If the [`error`](super::error) of the end
/// point is above the tolerance, solve once more for its active set.
///
/// The inverse of $M_{\alpha\alpha}$ is updated by one bordering at each pivot, and computed anew when it
/// misses its equations by more than 1e-12; a pivot costs about $n k + 3 k^2$ multiplications for $k$ indices
/// in $\alpha$.
///
/// **Guarantee.** With the least index: finite for P-matrices, from every guess (Murty 1974; section 4.2). No
/// better than exponential in the worst case. With the largest violation: none, it may come back to a set
/// that it has left; mostly it takes fewer pivots. Coming back is recognised (Brent 1980).
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution that rounding keeps from the
/// tolerance. `Stalled`: the sets repeat, or the last point is worse than rounding explains. `Breakdown`: the
/// pivot vanishes, as it does for no P-matrix. `MaxIterations`: too many pivots. With these three the point
/// is the positive part of the last basis.
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
    /// $S q$.
    q: Vec<f64>,
    inverse: UpdatedInverse,
    /// The set, in the order of the rows of the inverse.
    active: Vec<usize>,
    is_active: Vec<bool>,
    /// What [`is_active`](Self::is_active) was a while ago, and when to look anew.
    remembered: Vec<bool>,
    remember_at: usize,
    /// The values of the basic z, in the order of the set, and of all w.
    x: Vec<f64>,
    w: Vec<f64>,
    work: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    /// When to compute the inverse anew.
    drift: f64,
}

/// Values down to this times the largest term of their sums, in q and in z, count as not negative.
const NEGATIVE: f64 = 1e-13;

/// When a solution misses its equations by more than this beside its largest entry, and this many times more
/// than after the last time, the inverse is computed anew.
const DRIFT: f64 = 1e-12;
const WORSE: f64 = 100.0;

impl PrincipalPivoting {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when a tolerance is not above 0.
    pub fn new(settings: PrincipalPivotingSettings) -> Result<Self, SettingsError> {
        for (name, value) in
            [("tolerance", settings.tolerance), ("pivot_tolerance", settings.pivot_tolerance)]
        {
            SettingsError::check_at_least(name, value, f64::MIN_POSITIVE, "above 0")?;
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Steps (1) to (4); returns how it ended, `Converged` where no basic variable is negative, and the
    /// pivots.
    fn pivot(&mut self, m: ArrayView2<'_, f64>, q: &[f64], z: &[f64]) -> (Status, usize) {
        self.start(m, q, z);
        let mut pivots = 0;
        loop {
            self.solve_basis();
            let Some(index) = self.negative_index() else { return (Status::Converged, pivots) };
            if watch::is_over(pivots, self.settings.max_iterations, f64::NAN) {
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

    /// (1)
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

    /// (2), from a new inverse when the updates have spoilt the present one.
    fn solve_basis(&mut self) {
        let missed = self.values();
        if missed > self.drift {
            self.matrix.copy_block(&self.active, &self.active, &mut self.work);
            let anew = self.inverse.set_inverse_of(&self.work, self.active.len()).is_ok();
            let missed = if anew { self.values() } else { missed };
            self.drift = DRIFT.max(WORSE * missed);
        }
    }

    /// The values of the basic variables, with one step of iterative refinement where the equations of the
    /// set are missed. Returns by how much they were, beside the largest value.
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

    /// (3), (4)
    fn negative_index(&self) -> Option<usize> {
        let rounding = NEGATIVE * largest_magnitude(&self.q).max(largest_magnitude(&self.x));
        let basic_z = self.active.iter().copied().zip(self.x.iter().copied());
        // The w of the set are 0.
        let basic_w = self.w.iter().copied().enumerate();
        let negative = basic_z.chain(basic_w).filter(|(_, value)| *value < -rounding);
        let chosen = match self.settings.rule {
            PivotRule::LeastIndex => negative.min_by_key(|(index, _)| *index),
            PivotRule::LargestViolation => negative.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))),
        };
        chosen.map(|(index, _)| index)
    }

    /// Lets the index enter or leave the set; false when the pivot vanishes.
    fn exchange(&mut self, index: usize) -> bool {
        if self.is_active[index] {
            let Some(slot) = self.active.iter().position(|&i| i == index) else { return false };
            // The ratio of the determinants without and with the index.
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

    /// Whether the set is one that was there before: compares with one that is remembered anew at every power
    /// of two (Brent 1980), and so notices every cycle before its third round.
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

/// What a table says of one of the methods.
pub(super) const MURTY: MethodDescription = MethodDescription {
    name: "murty",
    siconos: "MURTY (217)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]),
    storage: "dense",
    reference: "Murty (1974); Cottle, Pang, Stone (1992), 4.2",
};

/// What a table says of one of the methods.
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
