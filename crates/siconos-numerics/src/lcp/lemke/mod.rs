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
use crate::chain::{Allowance, Link};
use crate::engine::{check_solve, require_dense};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};

/// Where [`Lemke`] begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LemkeStart {
    /// Tries the complementary basis $\lbrace i : z_i > 0 \rbrace$ of the guess first, by one factorisation,
    /// and pivots only when that is no solution. In time-stepping the active set mostly stays, and no pivot
    /// is needed.
    #[default]
    WarmActiveSet,
    /// Always pivots from the basis of all $w$.
    Cold,
}

/// Settings of [`Lemke`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LemkeSettings {
    /// The [`error`](super::error) at which the end point counts as a solution. Default 1e-12, above 0.
    pub tolerance: f64,
    /// The largest number of pivots in each run: one, and a second with sharper pivots before a ray is
    /// believed. Pivots in integers are limited by `exact_operations`. Default 10 000.
    pub max_iterations: usize,
    /// Entries of the driving column below this times its largest entry do not block. Default 1e-10: at
    /// 1e-12, one in some hundred hyperstatic problems of 150 contacts pivots on rounding.
    pub pivot_tolerance: f64,
    /// Where to begin. Default [`LemkeStart::WarmActiveSet`].
    pub start: LemkeStart,
    /// Operations on digits that pivots in integers may cost, where those in floating point lost their way
    /// among ties. Default 3e8, some tenths of a second; with 0 there are none.
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

/// Lemke's method, with the covering vector of ones.
///
/// **Problem.** [`LcpProblem`] with a dense matrix.
///
/// **Method.** Cottle, Pang, Stone (1992), algorithm 4.4.1 with the lexicographic rule of section 4.9. (0)
/// Unless told otherwise, solve $M_{\alpha\alpha} z_\alpha = -q_\alpha$ for
/// $\alpha = \lbrace i : z_i > 0 \rbrace$ of the guess and stop when that point is a solution. (1) If
/// $q \ge 0$, then $z = 0$. (2) In $w = q + M z + d z_0$, d = (1, .., 1), let $z_0$ replace the $w_r$ that is
/// most negative. (3) Drive the complement of the variable that left last, until a basic variable blocks;
/// ties are broken lexicographically, except that $z_0$ leaves as soon as it may. (4) Exchange the two; stop
/// when $z_0$ has left. (5) If the [`error`](super::error) of the end point is above the tolerance, solve
/// once more for its active set to shake off the rounding of the pivots. (6) On a ray, take the $z$ of its
/// direction, or the coefficients of $w$ in the row of $z_0$, for $s$: when [they
/// prove](super::is_infeasibility_certificate) that there is no solution, say so. Before any other ray is
/// believed, pivot once more with a pivot tolerance 1e-5 times as large, and believe that only if it ends at
/// a solution or a proof. (7) Where ties were broken and that came to nothing, or to a basis that was there
/// before, which the rule excludes, rounding has decided over them: pivot once more from the beginning in
/// integers (a double is one, times a power of two), where ties are ties.
///
/// Only the inverse of the block of the $k$ basic $z$ is kept, and updated at each pivot (the revised form of
/// the method): a pivot costs about $n k + 3 k^2$ multiplications. Driving columns are refined, and the
/// inverse is computed anew, as soon as they miss their equations by more than 1e-13 and 1e-12.
///
/// **Guarantee.** Finite, without cycles, as far as [`exact_operations`](LemkeSettings::exact_operations) go
/// where there are ties. Ends at a solution for P-matrices, strictly copositive matrices, and copositive-plus
/// ones with a feasible point (section 4.4). For copositive-plus matrices the direction of a ray is a proof
/// (theorem 4.4.12), up to rounding; for others a ray without proof means nothing.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution that rounding keeps from the
/// tolerance. `NoSolution`: no $z \ge 0$ has $M z + q \ge 0$. `RayTermination`: a ray without a proof. With
/// both the point is where the run in floating point ended. `MaxIterations`: the point of the last basis.
/// `Stalled`: $z_0$ left, but the point is worse than rounding explains.
///
/// **Memory.** Up to $2 n^2$ numbers: the matrix by columns, and the inverse. In step (7) $n^2$ integers of
/// up to n times the length of the data.
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
/// // w = -z - 1 is never positive: this one has no solution.
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
    /// The point where the first ray began, while another is looked for.
    ray: Vec<f64>,
    /// The point before pivots in integers.
    before: Vec<f64>,
    /// What may prove that there is no solution.
    multipliers: Vec<f64>,
}

/// Which pivots have found a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ray {
    Rounded,
    Exact,
}

/// By how much the pivot tolerance is lowered before a ray is believed.
const SHARPER: f64 = 1e-5;

impl Lemke {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when a tolerance is not above 0.
    pub fn new(settings: LemkeSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_at_least(
            "pivot_tolerance",
            settings.pivot_tolerance,
            f64::MIN_POSITIVE,
            "above 0",
        )?;
        SettingsError::check_at_least("exact_operations", settings.exact_operations, 0.0, "at least 0")?;
        Ok(Self { settings, ..Self::default() })
    }

    /// The Farkas vector behind the last [`Status::NoSolution`].
    pub(super) fn certificate(&self) -> &[f64] {
        &self.multipliers
    }

    /// Operations of pivots since an allowance was granted, those of the last solve in integers included.
    pub(crate) fn operations(&self) -> f64 {
        self.basis.operations() + self.exact.operations()
    }

    /// Steps (1) to (5); returns status, pivots and error.
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
            outcome = self.basis.go_on(pivot_tolerance, max_iterations, false);
            (iterations, _) = self.basis.pivots();
        }
        self.basis.point(z);
        let mut tested = self.active_set.test(problem, z, w);

        // (5) the last basis once more, by one factorisation
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

    /// The method with the covering vector d of step (2); an empty one stands for ones.
    ///
    /// Its entries are not negative. Where one vanishes q must not be negative, so that the first basis is
    /// feasible.
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

        // (0) the basis of the guess
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

        // (6) a ray may be one of small entries that were taken for rounding
        tracing::debug!(n = q.len(), iterations, error, "a ray; pivoting once more with a sharper tolerance");
        self.ray.clear();
        self.ray.extend_from_slice(z);
        let sharper = self.settings.pivot_tolerance * SHARPER;
        let (second, more, second_error) = self.pivot(problem, m, covering, sharper, z, w);
        let iterations = iterations + more;
        // Pivots on rounding may end at a point so large that nothing is left of q in it: rounding explains
        // that too.
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

    /// Step (7), unless it was done before or there were no ties: a solution or a proof that there is none,
    /// with the pivots and the error. Otherwise `z` is as it was.
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

    /// Whether the ray just found proves that there is no solution.
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

impl Link for Lemke {
    /// A pivot costs less while few variables are basic, so that operations are limited and not pivots.
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.most;
        self.basis.begin_account(allowance.operations);
    }

    fn effort(&self, problem: &LcpProblem<'_>, _: &SolveInfo, _: &Allowance) -> f64 {
        product(problem.m()) + self.operations()
    }
}

/// What a table says of the method.
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

    /// With a pivot tolerance so blunt that entries which matter are taken for rounding, the first pivots end
    /// on a ray where there is none: these problems have a solution, their matrices are positive definite.
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
