//! Interior-point method of the crate `clarabel` for programs with linear constraints.

use serde::{Deserialize, Serialize};
use siconos_linalg::{Csc, MatrixRef};

use super::certificate::{Sign, has_signs};
use super::interior_point::{Answer, Outcome, Program, upper_triangle};
use super::polish::polish;
use super::residual::ErrorFunction;
use super::units::{ErrorEvaluator, ErrorWorkspace, ScaledProblem};
use super::{Constraints, Qp, QpProblem};
use crate::cancellation;
use crate::convex_set::Interval;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`ClarabelQp`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClarabelSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of interior-point iterations. Default: 200.
    pub max_iterations: usize,
}

impl Default for ClarabelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 200 }
    }
}

/// The interior-point method of Goulart and Chen, for linear constraints.
///
/// **Problem.** [`QpProblem`] with linear constraints. The matrices can have any storage and are converted to
/// sparse matrices.
///
/// **Method.** (1) Multiply unknowns, rows and objective by powers of two, so that the entries of M and A and
/// the characteristic magnitudes of x and q are near 1. (2) Rows with $l_i = u_i$ become equations; each
/// finite bound of another row becomes an inequality. (3) Apply the primal-dual interior-point method to the
/// homogeneous embedding (Goulart and Chen 2024, "Clarabel: an interior-point solver for conic programs with
/// quadratic objectives", sections 2 to 4), with a hundredth of the tolerance. (4) Compute the
/// [`error`](super::error). If it is above the tolerance, as happens if an active constraint has a zero
/// multiplier, solve again for the active constraints (Stellato et al. 2020, section 4). (5) If the method
/// claims that no solution exists, check the vector that it returns as a certificate: move it to the nearest
/// vector that satisfies the equations of a certificate up to rounding, and test its signs.
///
/// **Guarantee.** For positive semidefinite $M$ it finds a solution or a proof that none exists, up to
/// rounding. The number of iterations is usually between 5 and 50, at any size.
///
/// **Result.** `Converged`: x and multipliers y with $M x + q + A^T y = 0$, $y_i > 0$ only at the upper bound
/// and $y_i < 0$ only at the lower bound. `NoSolution`: the constraints are inconsistent (y is the proof:
/// $A^T y = 0$ and $\sum_i \max(l_i y_i, u_i y_i) < 0$), or the objective has no lower bound (x is the
/// direction). `NotFound`: a claim that no solution exists failed the check. `MaxIterations`, `Stalled`: the
/// best point. `Breakdown`: the interior-point method failed.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::qp::{ClarabelQp, QpProblem};
///
/// // The nearest point to the origin on x_1 + x_2 >= 2.
/// let (m, a) = (array![[1.0, 0.0], [0.0, 1.0]], array![[1.0, 1.0]]);
/// let (mut x, mut y) = ([0.0; 2], [0.0]);
/// let problem = QpProblem::linear(&m, &[0.0, 0.0], &a, &[2.0], &[f64::INFINITY])?;
/// let info = ClarabelQp::default().solve(&problem, &mut x, &mut y)?;
/// assert!(info.status.is_success());
/// assert!((x[0] - 1.0).abs() < 1e-7 && (y[0] + 1.0).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClarabelQp {
    settings: ClarabelSettings,
    units: ScaledProblem,
    measure: ErrorFunction,
    memory: ErrorWorkspace,
}

impl ClarabelQp {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: ClarabelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// Variant of the scaled program that one run solves.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    /// Magnitude above which bounds are omitted.
    farthest: f64,
    /// Multiple of the identity that is added to M.
    shift: f64,
}

/// Magnitude above which bounds are omitted in the first attempt.
const FAR: f64 = 1e6;

/// Maximum number of iterations without shift. If an attempt needs more iterations, its iterates usually
/// diverge along a direction in which the objective is constant.
const MOST_WITHOUT_SHIFT: usize = 70;

/// Shift that prevents the iterates from diverging where the objective is flat. For x near 1, its
/// contribution to the gradient is within the tolerance.
const SHIFT: f64 = 1e-9;

/// Row of the constraints from which an equation or an inequality comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Equation(usize),
    Upper(usize),
    Lower(usize),
}

/// Returns the rows in the order of the interior-point method, equations first. Bounds beyond `farthest` are
/// omitted.
fn rows(bounds: Interval<'_>, farthest: f64) -> Vec<Row> {
    let pairs = || bounds.lower().iter().zip(bounds.upper()).enumerate();
    let equations = pairs().filter(|(_, (l, u))| l == u).map(|(i, _)| Row::Equation(i));
    let inequalities = pairs().filter(|(_, (l, u))| l != u).flat_map(|(i, (l, u))| {
        let is_near = |bound: &f64| bound.is_finite() && bound.abs() <= farthest;
        let upper = is_near(u).then_some(Row::Upper(i));
        upper.into_iter().chain(is_near(l).then_some(Row::Lower(i)))
    });
    equations.chain(inequalities).collect()
}

fn solve_program(
    problem: &QpProblem<'_>,
    a: MatrixRef<'_>,
    bounds: Interval<'_>,
    settings: &ClarabelSettings,
    attempt: Attempt,
) -> Answer {
    let rows = rows(bounds, attempt.farthest);
    let mut transposed = Csc::default();
    transposed.copy_transposed(&Csc::from_matrix(a));
    let (mut entries, mut b, mut equations) = (Vec::new(), Vec::new(), 0);
    for (k, row) in rows.iter().enumerate() {
        let (i, sign, bound) = match *row {
            Row::Equation(i) => (i, 1.0, bounds.upper()[i]),
            Row::Upper(i) => (i, 1.0, bounds.upper()[i]),
            Row::Lower(i) => (i, -1.0, -bounds.lower()[i]),
        };
        equations += usize::from(matches!(row, Row::Equation(_)));
        entries.extend(transposed.column(i).map(|(j, a_ij)| (k, j, sign * a_ij)));
        b.push(bound);
    }
    let n = problem.size();
    let a = Csc::from_triplets(rows.len(), n, entries).unwrap_or_default();
    let hessian = upper_triangle(problem.m(), 1.0, &vec![attempt.shift; n]);
    let program =
        Program { hessian: &hessian, linear: problem.q(), a: &a, b: &b, equations, second_order: &[] };
    let mut answer = program.solve(1e-2 * settings.tolerance, settings.max_iterations);
    let mut y = vec![0.0; bounds.lower().len()];
    for (row, multiplier) in rows.iter().zip(&answer.multipliers) {
        match *row {
            Row::Equation(i) | Row::Upper(i) => y[i] += multiplier,
            Row::Lower(i) => y[i] -= multiplier,
        }
    }
    answer.multipliers = y;
    answer
}

/// Corrects `y` so that it satisfies the equations of a certificate up to rounding. Returns `true` if the
/// corrected `y` proves that the constraints are inconsistent.
pub(super) fn proves_infeasible(a: MatrixRef<'_>, bounds: Interval<'_>, y: &mut [f64]) -> bool {
    let pairs = || bounds.lower().iter().zip(bounds.upper());
    for (y, (l, u)) in y.iter_mut().zip(pairs()) {
        let has_no_bound = if *y > 0.0 { u.is_infinite() } else { l.is_infinite() };
        if has_no_bound {
            *y = 0.0;
        }
    }
    // The support function of the bounds is linear as long as no multiplier changes its sign.
    let before: Vec<_> = y.iter().map(|y| y.signum()).collect();
    let bound = |(y, (l, u)): (&f64, (&f64, &f64))| match y.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Greater) => *u,
        Some(std::cmp::Ordering::Less) => *l,
        _ => 0.0,
    };
    let support: Vec<f64> = y.iter().zip(pairs()).map(bound).collect();
    let mut columns = Csc::from_matrix(a);
    if columns.columns() == 0 {
        columns = Csc::from_triplets(y.len(), 0, []).unwrap_or_default();
    }
    has_signs(&columns, &vec![Sign::Zero; a.columns()], &support, true, y)
        && y.iter().zip(&before).all(|(y, before)| *y == 0.0 || y.signum() == *before)
}

/// Corrects `x` so that it satisfies the equations of a certificate up to rounding. Returns `true` if the
/// corrected `x` is a direction along which the objective decreases without bound.
pub(super) fn proves_unbounded(
    m: MatrixRef<'_>,
    q: &[f64],
    a: MatrixRef<'_>,
    bounds: Interval<'_>,
    x: &mut [f64],
) -> bool {
    let n = q.len();
    let mut transposed = Csc::default();
    transposed.copy_transposed(&Csc::from_matrix(a));
    let m = Csc::from_matrix(m);
    let of_m = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)));
    let of_a = (0..a.rows()).flat_map(|i| transposed.column(i).map(move |(j, x)| (j, n + i, x)));
    let Ok(columns) = Csc::from_triplets(n, n + a.rows(), of_m.chain(of_a)) else { return false };
    let of_bounds =
        bounds.lower().iter().zip(bounds.upper()).map(|(l, u)| match (l.is_finite(), u.is_finite()) {
            (true, true) => Sign::Zero,
            (true, false) => Sign::Nonnegative,
            (false, true) => Sign::Nonpositive,
            (false, false) => Sign::Any,
        });
    let signs: Vec<_> = std::iter::repeat_n(Sign::Zero, n).chain(of_bounds).collect();
    has_signs(&columns, &signs, q, false, x)
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "clarabel",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite])
        .only(Scope::Words("with linear constraints")),
    storage: "any",
    reference: "Goulart, Chen (2024), 2 to 4",
};

impl Solver for ClarabelQp {
    type Class = Qp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &QpProblem<'_>) -> Result<(), Unsupported> {
        linear(problem).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &QpProblem<'_>,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        problem.check(x, y)?;
        let (a, bounds) = linear(problem)?;
        let Self { settings, units, measure, memory } = self;
        measure.prepare(problem);
        // (1)
        units.find(problem, a, bounds)?;
        let program = units.program()?;
        let (a, bounds) = linear(&program)?;
        let mut judge = ErrorEvaluator { problem, units, measure, memory };
        let is_far = |bound: &f64| bound.is_finite() && bound.abs() > FAR;
        let has_far = bounds.lower().iter().chain(bounds.upper()).any(is_far);
        let attempts = [
            Attempt { farthest: FAR, shift: 0.0 },
            Attempt { farthest: f64::INFINITY, shift: 0.0 },
            Attempt { farthest: f64::INFINITY, shift: SHIFT },
        ];
        let (mut best, mut iterations) = (None::<Run>, 0);
        for attempt in attempts.into_iter().skip(usize::from(!has_far)) {
            let left = settings.max_iterations - iterations;
            let max_iterations = if attempt.shift > 0.0 { left } else { left.min(MOST_WITHOUT_SHIFT) };
            let settings_of_run = ClarabelSettings { max_iterations, ..settings.clone() };
            let run = Run::of(&program, a, bounds, &settings_of_run, attempt, &mut judge);
            iterations += run.iterations;
            let is_over = iterations >= settings.max_iterations || cancellation::is_cancelled();
            let is_decided =
                run.is_decided(settings.tolerance) && !(attempt.farthest == FAR && run.is_claim());
            if is_decided || best.as_ref().is_none_or(|best| run.error < best.error || best.error.is_nan()) {
                best = Some(run);
            }
            if is_decided || is_over {
                break;
            }
        }
        let Some(mut best) = best else { unreachable!("at least two attempts are made") };
        units.take_back(&mut best.x, &mut best.y);
        x.copy_from_slice(&best.x);
        y.copy_from_slice(&best.y);
        Ok(SolveInfo { status: best.status(settings.tolerance), iterations, error: best.error })
    }
}

/// Run of the method on the scaled program, with the error of its point.
#[derive(Clone, Debug)]
struct Run {
    x: Vec<f64>,
    y: Vec<f64>,
    outcome: Outcome,
    /// `true` if x or y proves that no solution exists.
    is_proof: bool,
    iterations: usize,
    error: f64,
}

impl Run {
    fn of(
        program: &QpProblem<'_>,
        a: MatrixRef<'_>,
        bounds: Interval<'_>,
        settings: &ClarabelSettings,
        attempt: Attempt,
        judge: &mut ErrorEvaluator<'_, '_>,
    ) -> Self {
        // (2), (3)
        let answer = solve_program(program, a, bounds, settings, attempt);
        let Answer { outcome, mut x, multipliers: mut y, iterations } = answer;
        if outcome == Outcome::Failed {
            [&mut x, &mut y].into_iter().for_each(|point| point.fill(0.0));
        }
        // (5) If a claim fails the check, its point is treated like any other point.
        let is_proof = match outcome {
            Outcome::Infeasible => proves_infeasible(a, bounds, &mut y),
            Outcome::Unbounded => proves_unbounded(program.m(), program.q(), a, bounds, &mut x),
            _ => false,
        };
        // (4)
        let mut error = judge.error(&x, &y);
        if error > settings.tolerance && matches!(outcome, Outcome::Point | Outcome::MaxIterations) {
            error = polish(program, a, bounds, judge, error, &mut x, &mut y);
        }
        Self { x, y, outcome, is_proof, iterations, error }
    }

    fn is_claim(&self) -> bool {
        matches!(self.outcome, Outcome::Infeasible | Outcome::Unbounded) && !self.is_proof
    }

    /// Returns `true` if no other run is needed.
    fn is_decided(&self, tolerance: f64) -> bool {
        self.error <= tolerance || self.is_proof || self.is_claim()
    }

    fn status(&self, tolerance: f64) -> Status {
        match self.outcome {
            _ if self.error <= tolerance => Status::Converged,
            _ if self.is_proof => Status::NoSolution,
            Outcome::Infeasible | Outcome::Unbounded => Status::NotFound,
            Outcome::MaxIterations => Status::MaxIterations,
            Outcome::Point => Status::Stalled,
            Outcome::Failed => Status::Breakdown,
        }
    }
}

fn linear<'a>(problem: &QpProblem<'a>) -> Result<(MatrixRef<'a>, Interval<'a>), Unsupported> {
    match problem.constraints() {
        Constraints::Linear { a, bounds } => Ok((a, bounds)),
        other => {
            Err(Unsupported { solver: DESCRIPTION.name, found: other.kind(), takes: "linear constraints" })
        }
    }
}
