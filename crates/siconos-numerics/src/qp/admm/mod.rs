//! Alternating direction method of multipliers (ADMM), in the form of OSQP.

mod step;

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, norm};

use self::step::AdmmSystem;
use super::clarabel_qp::{proves_infeasible, proves_unbounded};
use super::residual::ErrorFunction;
use super::units::{ErrorEvaluator, ErrorWorkspace, ScaledProblem};
use super::{Constraints, Qp, QpProblem};
use crate::cancellation;
use crate::convex_set::{ConvexSet, Interval};
use crate::error::{ProblemError, SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::own_response;

/// Settings of [`Admm`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdmmSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Default: 20 000.
    pub max_iterations: usize,
    /// Initial penalty as a multiple of the mean diagonal entry of M; the iteration adapts it. Default: 0.1.
    /// Must be positive.
    pub penalty: f64,
    /// Over-relaxation factor in (0, 2). Default: 1.6.
    pub relaxation: f64,
}

impl Default for AdmmSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000, penalty: 0.1, relaxation: 1.6 }
    }
}

/// Alternating direction method of multipliers (ADMM).
///
/// **Problem.** [`QpProblem`] in any storage, with linear constraints or over a set. Over a set, A is the
/// identity.
///
/// **Method.** Stellato, Banjac, Goulart, Bemporad, Boyd (2020), "OSQP: an operator splitting solver for
/// quadratic programs", algorithm 1; over a set, Boyd, Parikh, Chu, Peleato, Eckstein (2011), section 5.2.
/// (1) Solve $(M + \sigma I + A^T R A) \tilde x = \sigma x - q + A^T (R z - y)$; the matrix is factorised
/// once per penalty. (2) With the over-relaxed $\hat x = \alpha \tilde x + (1 - \alpha) x$ and
/// $\hat z = \alpha A \tilde x + (1 - \alpha) z$, set $x = \hat x$, $z = P(\hat z + R^{-1} y)$ and
/// $y \leftarrow y + R (\hat z - z)$. (3) Every 10 iterations compute the [`error`](super::error) and stop if
/// it is at or below the tolerance; over a set, the error is computed for z, which is in the set. (4) Every
/// 50 iterations multiply the penalty by the square root of the ratio of the relative residuals if this
/// factor is above 5 or below 1/5, at most 30 times (Stellato et al., section 5.2). The penalty is eventually
/// constant, as the convergence proof requires. (5) Every 50 iterations, with linear constraints, examine the
/// changes of x and y. A change that roughly satisfies the conditions of a certificate that no solution
/// exists (Stellato et al., section 3.4) is moved to the nearest vector that satisfies them up to rounding;
/// only that vector counts as a proof. With linear constraints the data are first multiplied by powers of
/// two, as in [`ClarabelQp`](super::ClarabelQp).
///
/// **Guarantee.** For positive semidefinite $M$ the iterates converge to a solution if one exists; otherwise
/// the changes of x and y converge to a certificate. The rate is eventually linear and depends on the
/// penalty.
///
/// **Result.** `Converged`: x and y as with [`ClarabelQp`](super::ClarabelQp). `NoSolution`: the constraints
/// are inconsistent (y is the certificate), or the objective has no lower bound on the feasible set (x is the
/// direction). `MaxIterations`: the last iterate. `Breakdown`: the matrix of (1) could not be factorised, so
/// $M$ is not positive semidefinite, or the iterates are not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::qp::{Admm, QpProblem};
///
/// let (m, a) = (array![[1.0, 0.0], [0.0, 0.0]], array![[1.0, 1.0], [1.0, -1.0]]);
/// let (mut x, mut y) = ([0.0; 2], [0.0; 2]);
/// let problem = QpProblem::linear(&m, &[1.0, 1.0], &a, &[0.0, 0.0], &[2.0, 2.0])?;
/// let info = Admm::default().solve(&problem, &mut x, &mut y)?;
/// assert!(info.status.is_success());
/// assert!(x[0].abs() < 1e-6 && x[1].abs() < 1e-6);
///
/// // x_1 + x_2 cannot be both above 3 and below 2.
/// let a = array![[1.0, 1.0], [1.0, 1.0]];
/// let (lower, upper) = ([3.0, f64::NEG_INFINITY], [f64::INFINITY, 2.0]);
/// let problem = QpProblem::linear(&m, &[1.0, 1.0], &a, &lower, &upper)?;
/// assert_eq!(Admm::default().solve(&problem, &mut x, &mut y)?.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "OSQP")]
#[doc(alias = "SICONOS_CONVEXQP_ADMM")]
#[derive(Clone, Debug, Default)]
pub struct Admm {
    settings: AdmmSettings,
    measure: ErrorFunction,
    units: ScaledProblem,
    memory: ErrorWorkspace,
    step: AdmmSystem,
    z: Vec<f64>,
    rho: Vec<f64>,
    /// Right-hand side of (1), then $\tilde x$.
    point: Vec<f64>,
    /// $R z - y$, then $\hat z$.
    rows: Vec<f64>,
    previous_x: Vec<f64>,
    previous_y: Vec<f64>,
}

/// Value of sigma in the paper, as a multiple of the mean diagonal entry of M.
const SIGMA: f64 = 1e-6;
/// `CHECK` is the number of iterations between computations of the error, and `BALANCE` the number of
/// iterations between adaptations of the penalty.
const CHECK: usize = 10;
const BALANCE: usize = 50;
/// Minimum factor by which the penalty is changed, because each change costs a factorisation. `CHANGES` is
/// the maximum number of changes.
const IMBALANCE: f64 = 5.0;
const CHANGES: usize = 30;
/// Penalty of an equation as a multiple of the penalty of an inequality (section 5.2 of the paper).
const EQUATION: f64 = 1e3;
/// Minimum and maximum penalty, as multiples of the initial penalty.
const PENALTIES: (f64, f64) = (1e-11, 1e13);

impl Admm {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance or the penalty is not above 0, or the relaxation is not in (0, 2).
    pub fn new(settings: AdmmSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_at_least("penalty", settings.penalty, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_relaxation("relaxation", settings.relaxation)?;
        Ok(Self { settings, ..Self::default() })
    }

    fn set_penalty(&mut self, problem: &QpProblem<'_>, penalty: f64, (least, most): (f64, f64)) {
        self.rho.clear();
        match problem.constraints() {
            Constraints::Set(_) => self.rho.resize(problem.size(), penalty),
            Constraints::Linear { bounds, .. } => {
                let pairs = bounds.lower().iter().zip(bounds.upper());
                self.rho.extend(pairs.map(|(l, u)| {
                    let rho = if l == u { EQUATION * penalty } else { penalty };
                    rho.clamp(least, most)
                }));
            }
        }
    }

    /// Performs steps (1) and (2).
    fn iterate(&mut self, problem: &QpProblem<'_>, sigma: f64, x: &mut [f64], y: &mut [f64]) {
        let alpha = self.settings.relaxation;
        let Self { point, rows, z, rho, .. } = self;
        point.clear();
        point.extend(x.iter().zip(problem.q()).map(|(x, q)| sigma * x - q));
        rows.clear();
        rows.extend(z.iter().zip(&*rho).zip(&*y).map(|((z, rho), y)| rho * z - y));
        add_transposed(problem, rows, point);
        self.step.solve(point);
        rows.fill(0.0);
        add_direct(problem, point, rows);
        for (x, new) in x.iter_mut().zip(&*point) {
            *x = alpha * new + (1.0 - alpha) * *x;
        }
        for (row, z) in rows.iter_mut().zip(&*z) {
            *row = alpha * *row + (1.0 - alpha) * z;
        }
        for (((z, row), rho), y) in z.iter_mut().zip(&*rows).zip(&*rho).zip(&*y) {
            *z = row + y / rho;
        }
        match problem.constraints() {
            Constraints::Set(set) => set.project(z),
            Constraints::Linear { bounds, .. } => bounds.project(z),
        }
        for (((y, row), z), rho) in y.iter_mut().zip(&*rows).zip(&*z).zip(&*rho) {
            *y += rho * (row - z);
        }
    }

    /// Returns the factor by which the penalty should be multiplied, the square root of the ratio of the
    /// relative residuals.
    fn imbalance(&mut self, problem: &QpProblem<'_>, x: &[f64], y: &[f64]) -> f64 {
        let Self { point, rows, z, .. } = self;
        rows.fill(0.0);
        add_direct(problem, x, rows);
        let primal_scale = norm(rows).max(norm(z));
        rows.iter_mut().zip(&*z).for_each(|(r, z)| *r -= z);
        let primal = norm(rows);
        point.fill(0.0);
        problem.m().add_product(1.0, x, point);
        let dual_scale = norm(point).max(norm(problem.q()));
        add_transposed(problem, y, point);
        point.iter_mut().zip(problem.q()).for_each(|(p, q)| *p += q);
        let dual = norm(point);
        let relative =
            |residual: f64, scale: f64| (residual / scale.max(f64::MIN_POSITIVE)).max(f64::EPSILON);
        (relative(primal, primal_scale) / relative(dual, dual_scale)).sqrt()
    }

    /// Tests the last changes of x and y as certificates, step (5). On success x or y is the certificate.
    fn proves_no_solution(&mut self, problem: &QpProblem<'_>, x: &mut [f64], y: &mut [f64]) -> bool {
        let Constraints::Linear { a, bounds } = problem.constraints() else { return false };
        let Self { previous_x, previous_y, point, .. } = self;
        previous_y.iter_mut().zip(&*y).for_each(|(old, y)| *old = y - *old);
        previous_x.iter_mut().zip(&*x).for_each(|(old, x)| *old = x - *old);
        // The cheap test comes first; a vector that passes it by accident fails the proof.
        let is_rough = |product: &[f64], change: &[f64]| {
            norm(change) > f64::MIN_POSITIVE && norm(product) <= ROUGHLY_A_PROOF * norm(change)
        };
        point.fill(0.0);
        a.add_transposed_product(1.0, previous_y, point);
        if is_rough(point, previous_y) && proves_infeasible(a, bounds, previous_y) {
            y.copy_from_slice(previous_y);
            return true;
        }
        point.fill(0.0);
        problem.m().add_product(1.0, previous_x, point);
        if is_rough(point, previous_x) && proves_unbounded(problem.m(), problem.q(), a, bounds, previous_x) {
            x.copy_from_slice(previous_x);
            return true;
        }
        false
    }
}

/// Tolerance to which a change must satisfy the conditions of a certificate before it is corrected.
const ROUGHLY_A_PROOF: f64 = 1e-3;

fn add_direct(problem: &QpProblem<'_>, x: &[f64], into: &mut [f64]) {
    match problem.constraints() {
        Constraints::Linear { a, .. } => a.add_product(1.0, x, into),
        Constraints::Set(_) => into.iter_mut().zip(x).for_each(|(into, x)| *into += x),
    }
}

fn add_transposed(problem: &QpProblem<'_>, y: &[f64], into: &mut [f64]) {
    match problem.constraints() {
        Constraints::Linear { a, .. } => a.add_transposed_product(1.0, y, into),
        Constraints::Set(_) => into.iter_mut().zip(y).for_each(|(into, y)| *into += y),
    }
}

fn matrix<'a>(problem: &QpProblem<'a>) -> Option<MatrixRef<'a>> {
    match problem.constraints() {
        Constraints::Linear { a, .. } => Some(a),
        Constraints::Set(_) => None,
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "admm",
    siconos: "CONVEXQP_ADMM",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite])
        .only(Scope::Words("with linear constraints or on any convex set")),
    storage: "any",
    reference: "Stellato et al. (2020), 3; Boyd et al. (2011), 5.2",
};

impl Solver for Admm {
    type Class = Qp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &QpProblem<'_>,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        problem.check(x, y)?;
        let mut measure = std::mem::take(&mut self.measure);
        measure.prepare(problem);
        let solved = match problem.constraints() {
            Constraints::Set(_) => {
                Ok(self.run(problem, |x: &[f64], y: &[f64]| measure.of(problem, x, y), x, y))
            }
            Constraints::Linear { a, bounds } => {
                self.run_in_own_units(problem, a, bounds, &mut measure, x, y)
            }
        };
        self.measure = measure;
        Ok(solved?)
    }
}

impl Admm {
    fn run_in_own_units(
        &mut self,
        problem: &QpProblem<'_>,
        a: MatrixRef<'_>,
        bounds: Interval<'_>,
        measure: &mut ErrorFunction,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<SolveInfo, ProblemError> {
        let (mut units, mut memory) = (std::mem::take(&mut self.units), std::mem::take(&mut self.memory));
        units.find(problem, a, bounds)?;
        units.take(x, y);
        let mut judge = ErrorEvaluator { problem, units: &units, measure, memory: &mut memory };
        let info = self.run(&units.program()?, |x: &[f64], y: &[f64]| judge.error(x, y), x, y);
        units.take_back(x, y);
        (self.units, self.memory) = (units, memory);
        Ok(info)
    }

    /// Solves a program; `judge` computes the error of a point.
    fn run(
        &mut self,
        problem: &QpProblem<'_>,
        mut judge: impl FnMut(&[f64], &[f64]) -> f64,
        x: &mut [f64],
        y: &mut [f64],
    ) -> SolveInfo {
        let (m, a) = (problem.m(), matrix(problem));
        let is_set = a.is_none();
        if let Constraints::Set(set) = problem.constraints() {
            set.project(x);
        }
        let mut error = judge(x, y);
        self.z.clear();
        self.z.resize(y.len(), 0.0);
        add_direct(problem, x, &mut self.z);
        if error <= self.settings.tolerance {
            return self.end(problem, judge, Status::Converged, 0, x, y);
        }
        self.point.clear();
        self.point.resize(x.len(), 0.0);
        m.copy_diagonal(&mut self.point);
        let mean = self.point.iter().map(|d| d.abs()).sum::<f64>() / x.len().max(1) as f64;
        let sigma = SIGMA * if mean > 0.0 { mean } else { 1.0 };
        let mut penalty = self.settings.penalty * own_response::mean(m);
        let penalties = (PENALTIES.0 * penalty, PENALTIES.1 * penalty);
        self.set_penalty(problem, penalty, penalties);
        self.step.prepare(m, a);
        if self.step.factor(m, a, sigma, &self.rho).is_err() {
            return self.end(problem, judge, Status::Breakdown, 0, x, y);
        }
        let mut changes = 0;
        let keep = |from: &[f64], into: &mut Vec<f64>| {
            into.clear();
            into.extend_from_slice(from);
        };
        keep(x, &mut self.previous_x);
        keep(y, &mut self.previous_y);
        for iterations in 1..=self.settings.max_iterations {
            self.iterate(problem, sigma, x, y);
            let is_last = cancellation::is_over(iterations, self.settings.max_iterations, error);
            // (3)
            if iterations % CHECK == 0 || is_last {
                error = if is_set { judge(&self.z, y) } else { judge(x, y) };
                if error <= self.settings.tolerance {
                    return self.end(problem, judge, Status::Converged, iterations, x, y);
                }
                if !error.is_finite() {
                    return SolveInfo { status: Status::Breakdown, iterations, error };
                }
            }
            if is_last {
                return self.end(problem, judge, Status::MaxIterations, iterations, x, y);
            }
            if iterations % BALANCE == 0 {
                // (5)
                if self.proves_no_solution(problem, x, y) {
                    error = judge(x, y);
                    return SolveInfo { status: Status::NoSolution, iterations, error };
                }
                // (4)
                let off = self.imbalance(problem, x, y);
                let next = (penalty * off).clamp(penalties.0, penalties.1);
                if (next > IMBALANCE * penalty || IMBALANCE * next < penalty) && changes < CHANGES {
                    penalty = next;
                    changes += 1;
                    self.set_penalty(problem, penalty, penalties);
                    if self.step.factor(m, a, sigma, &self.rho).is_err() {
                        return self.end(problem, judge, Status::Breakdown, iterations, x, y);
                    }
                }
            }
            // The difference of two successive iterates converges to a certificate.
            if (iterations + 1) % BALANCE == 0 {
                keep(x, &mut self.previous_x);
                keep(y, &mut self.previous_y);
            }
        }
        self.end(problem, judge, Status::MaxIterations, 0, x, y)
    }
}

impl Admm {
    /// Returns the result with its error. For a program over a set, first copies z, which is in the set, to
    /// `x`, and computes its multipliers `y`.
    fn end(
        &mut self,
        problem: &QpProblem<'_>,
        mut judge: impl FnMut(&[f64], &[f64]) -> f64,
        status: Status,
        iterations: usize,
        x: &mut [f64],
        y: &mut [f64],
    ) -> SolveInfo {
        if let Constraints::Set(_) = problem.constraints() {
            x.copy_from_slice(&self.z);
            y.fill(0.0);
            problem.m().add_product(-1.0, x, y);
            y.iter_mut().zip(problem.q()).for_each(|(y, q)| *y -= q);
        }
        SolveInfo { status, iterations, error: judge(x, y) }
    }
}
