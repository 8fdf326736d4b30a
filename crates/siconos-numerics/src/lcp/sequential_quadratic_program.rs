//! Sequence of convex quadratic programs, for matrices that are not semidefinite.

use serde::{Deserialize, Serialize};
use siconos_linalg::{Csc, DenseCholesky, MatrixRef, dot};

use super::divergence::Divergence;
use super::quadratic_program::solve_program;
use super::refinement::{PointWithError, refine};
use super::scaled_program::Scaled;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, write_image};
use crate::box_constraints::{Polish, begin};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::engine::check_finite_matrix;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::qp::interior_point::{Program, upper_triangle};

/// Settings of [`SequentialQuadraticProgram`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SequentialQuadraticProgramSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of quadratic programs. Default: 500.
    pub max_iterations: usize,
}

impl Default for SequentialQuadraticProgramSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 500 }
    }
}

/// Sequence of convex quadratic programs that solves the problem as a nonconvex quadratic program.
///
/// **Problem.** [`LcpProblem`] in any storage.
///
/// **Method.** Minimise $f(z) = z^T (M z + q)$ over $z \ge 0$, $M z + q \ge 0$ (Cottle, Pang, Stone 1992,
/// section 3.1). The Hessian of f, $H = M + M^T$, need not be semidefinite. (1) Choose a diagonal matrix
/// $D \ge 0$ that makes $H + D$ positive semidefinite. $D$ is a fraction of the diagonal matrix that makes
/// the sum diagonally dominant. For dense $M$, the fraction is the smallest of 0, 1/64, 1/16, 1/4, 1 that a
/// Cholesky factorisation accepts; otherwise it is 1. (2) $z_{k+1}$ minimises
/// $f(z) + \frac12 (z - z_k)^T D (z - z_k)$. This program is convex, and therefore
/// $f(z_{k+1}) + \frac12 (z_{k+1} - z_k)^T D (z_{k+1} - z_k) \le f(z_k)$. This is the algorithm for
/// differences of convex functions (Pham Dinh and Le Thi 1997, section 4; the convex-concave procedure of
/// Lipp and Boyd 2016). (3) After each program, solve one linear system for the $z_i$ that are positive at
/// its solution, and near a solution refine the point as [`QuadraticProgram`](super::QuadraticProgram) does;
/// stop if the result is a solution. (4) Stop if $z$ no longer changes. (5) If a program claims that no point
/// is feasible, test the proof as [`QuadraticProgram`](super::QuadraticProgram) does.
///
/// **Guarantee.** $f$ decreases from program to program, and limit points satisfy the Karush-Kuhn-Tucker
/// conditions of the nonconvex program. For row-sufficient $M$, and therefore for P-matrices and positive
/// semidefinite matrices, these points are solutions (Cottle, Pang, Stone 1992, theorem 3.5.4). For other
/// matrices the method can end at a point with $f > 0$. The number of programs is not bounded. If the
/// solution set is unbounded (more contacts than degrees of freedom), the interior-point method can diverge
/// along this set, which the status reports.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution; rounding keeps the error above the
/// tolerance. `NoSolution`: proved infeasible; `z` is the initial guess. `NotFound`: infeasible according to
/// the interior-point method, but not proved. `Stalled`: a stationary point that does not solve the problem.
/// `MaxIterations`: the last iterate. `Breakdown`: the interior-point method failed.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, SequentialQuadraticProgram};
///
/// // A P-matrix that is far from semidefinite.
/// let m = array![[1.0, 0.0], [8.0, 1.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let mut solver = SequentialQuadraticProgram::default();
/// let info = solver.solve(&LcpProblem::new(&m, &[-1.0, -9.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-8 && (z[1] - 1.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_NSQP (207)")]
#[derive(Clone, Debug, Default)]
pub struct SequentialQuadraticProgram {
    settings: SequentialQuadraticProgramSettings,
    polish: Polish,
    cholesky: DenseCholesky,
    test: AcceptanceTest,
    divergence: Divergence,
    /// Iterate of the method. The returned point can differ from the iterate, because it is polished.
    point: Vec<f64>,
}

/// Fractions of the shift that makes the matrix diagonally dominant. They are tried in turn for a dense
/// matrix.
const FRACTIONS: [f64; 4] = [0.0, 1.0 / 64.0, 1.0 / 16.0, 1.0 / 4.0];
/// Shift of the diagonal in the test of definiteness, relative to the largest entry.
const SLACK: f64 = 1e-9;
/// Error below which the point is refined.
const ERROR_FOR_REFINEMENT: f64 = 1e-4;
/// Relative length below which a step counts as 0.
const IN_PLACE: f64 = 1e-9;

impl SequentialQuadraticProgram {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: SequentialQuadraticProgramSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Returns the diagonal D of step (1) for $H = (M + M^T) / c$, where c is the largest entry of M.
    fn shift(&mut self, m: MatrixRef<'_>, of_m: f64) -> Vec<f64> {
        let n = m.rows();
        let upper = upper_triangle(m, 2.0 / of_m, &vec![0.0; n]);
        let (mut diagonal, mut others) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            for (i, x) in upper.column(j) {
                if i == j {
                    diagonal[j] = x;
                } else {
                    others[i] += x.abs();
                    others[j] += x.abs();
                }
            }
        }
        let mut shift: Vec<_> = others.iter().zip(&diagonal).map(|(o, d)| (o - d).max(0.0)).collect();
        if matches!(m, MatrixRef::Dense(_)) {
            let accepted = FRACTIONS.into_iter().find(|fraction| self.is_definite(&upper, &shift, *fraction));
            if let Some(fraction) = accepted {
                shift.iter_mut().for_each(|d| *d *= fraction);
            }
        }
        shift
    }

    fn is_definite(&mut self, upper: &Csc, shift: &[f64], fraction: f64) -> bool {
        let n = shift.len();
        let entries = self.cholesky.entries_mut(n);
        entries.fill(0.0);
        for j in 0..n {
            // The lower triangle by columns is the upper triangle by rows.
            upper.column(j).for_each(|(i, x)| entries[i * n + j] = x);
            entries[j * n + j] += fraction * shift[j] + SLACK;
        }
        self.cholesky.factor().is_ok()
    }
}

impl Stage for SequentialQuadraticProgram {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "sequential-quadratic-program",
    siconos: "NSQP (207)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix, MatrixClass::PositiveSemidefinite]),
    storage: "any",
    reference: "Pham Dinh, Le Thi (1997), 4; Cottle, Pang, Stone (1992), 3.5",
};

impl Solver for SequentialQuadraticProgram {
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
        check_finite_matrix("M", problem.m())?;
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        self.divergence.begin(z);
        let info = self.iterate(problem, z, w);
        Ok(self.divergence.end(problem, info, z, w))
    }
}

impl SequentialQuadraticProgram {
    /// Runs the method from a nonnegative initial guess.
    fn iterate(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        let (m, tolerance) = (problem.m(), self.settings.tolerance);
        let guess = self.test.of_point(problem, z, w);
        let mut error = guess.error;
        if error <= tolerance {
            return SolveInfo { status: guess.status(tolerance), iterations: 0, error };
        }
        // (1)
        let mut scaled = Scaled::new(problem, true);
        let shift = self.shift(m, scaled.of_m);
        let hessian = upper_triangle(m, 2.0 / scaled.of_m, &shift);
        self.polish.prepare(m, m.is_symmetric());
        self.point.clear();
        self.point.extend(z.iter().map(|z| z * scaled.of_m / scaled.of_q));
        for iterations in 1..=self.settings.max_iterations {
            // (2)
            for (((linear, q), d), z) in
                scaled.linear.iter_mut().zip(problem.q()).zip(&shift).zip(&self.point)
            {
                *linear = q / scaled.of_q - d * z;
            }
            let Scaled { linear, a, b, .. } = &scaled;
            let program = Program { hessian: &hessian, linear, a, b, equations: 0, second_order: &[] };
            // (5)
            let (answer, verdict) = solve_program(problem, program, INTERIOR_ITERATIONS);
            let ended = |status, error| SolveInfo { status, iterations, error };
            if let Some(status) = verdict {
                return ended(status, error);
            }
            // (3)
            scaled.write(&answer, z);
            write_image(problem, z, w);
            error = self.polish.improve(problem, tolerance, z, w);
            if error <= ERROR_FOR_REFINEMENT {
                error = refine(
                    problem,
                    &scaled,
                    program,
                    &mut self.polish,
                    tolerance,
                    PointWithError { error, z, w },
                );
            }
            let tested = self.test.of(problem, z, w);
            let status = tested.status(tolerance);
            if status.is_success() {
                return ended(status, tested.error);
            }
            if cancellation::is_asked_to_end(iterations, error) {
                return ended(Status::MaxIterations, error);
            }
            // (4)
            let moved: f64 = answer.x.iter().zip(&self.point).map(|(x, z)| (x.max(0.0) - z).powi(2)).sum();
            let stays = moved.sqrt() <= IN_PLACE * (1.0 + dot(&self.point, &self.point).sqrt());
            if stays || shift.iter().all(|d| *d == 0.0) {
                return ended(Status::Stalled, error);
            }
            self.point.iter_mut().zip(&answer.x).for_each(|(z, x)| *z = x.max(0.0));
        }
        SolveInfo { status: Status::MaxIterations, iterations: self.settings.max_iterations, error }
    }
}

/// Maximum number of interior-point iterations per program.
const INTERIOR_ITERATIONS: usize = 200;
