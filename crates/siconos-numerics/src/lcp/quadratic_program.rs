//! Linear complementarity problem as a convex quadratic program, solved by the interior-point method of the
//! crate `clarabel`.

use serde::{Deserialize, Serialize};

use super::divergence::Divergence;
use super::farkas::{find_farkas_vector, proves_no_feasible_point};
use super::refinement::{PointWithError, refine};
use super::scaled_program::{ACCURACIES, Scaled};
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, write_image};
use crate::box_constraints::{Polish, begin};
use crate::engine::check_finite_matrix;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::qp::interior_point::{Answer, Outcome, Program, upper_triangle};

/// Settings of [`QuadraticProgram`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuadraticProgramSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of interior-point iterations. Default: 200.
    pub max_iterations: usize,
}

impl Default for QuadraticProgramSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 200 }
    }
}

/// The linear complementarity problem as a convex quadratic program.
///
/// **Problem.** [`LcpProblem`] in any storage; sparse matrices stay sparse.
///
/// **Method.** (1) For symmetric $M$: minimise $\frac12 z^T M z + q^T z$ over $z \ge 0$. The optimality
/// conditions of this program are the complementarity problem (Cottle, Pang, Stone 1992, section 1.4).
/// Otherwise: minimise $z^T (M z + q)$ over $z \ge 0$, $M z + q \ge 0$. This program is convex if $M + M^T$
/// is positive semidefinite, and a point with objective value 0 is a solution (section 3.1). The data are
/// scaled so that the largest entries of M and q are 1. (2) Solve by the interior-point method of Goulart and
/// Chen (2024). (3) To gain the last digits, solve one linear system for the $z_i$ that are positive at the
/// point, and keep the result if the [`error`](super::error) decreases. If some $z_i$ and $w_i$ are both
/// nearly 0, it is in doubt which $z_i$ are positive. Then solve the program for the correction of the point,
/// in units of its residual (Weber, Sager, Gleixner 2019, "Solving quadratic programs to high precision using
/// scaled iterative refinement", algorithm 1). (4) If the interior-point method reports infeasibility, it
/// returns a vector $s$. Move $s$ to a nearby vector that satisfies the equations of a proof up to rounding,
/// and test whether it is a proof: $s \ge 0$, $M^T s \le 0$, $q^T s < 0$ proves that no point is feasible
/// (Farkas). If the test fails, search for a proof by a linear program.
///
/// **Guarantee.** For positive semidefinite $M$, symmetric or not: a solution, or a proof that none exists,
/// up to rounding. No guarantee for other matrices, but the status is reliable.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: a solution; rounding keeps the error above the
/// tolerance. `NoSolution`: proved infeasible; `z` is the initial guess. `NotFound`: infeasible according to
/// the interior-point method, but not proved. `Stalled`: the end point does not solve the problem, which can
/// happen if $M$ is not semidefinite. `MaxIterations`: the last iterate. `Breakdown`: the interior-point
/// method failed; `z` is the initial guess.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{LcpProblem, QuadraticProgram};
///
/// // Singular matrix: two contacts share a load.
/// let m = array![[1.0, 1.0], [1.0, 1.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let mut solver = QuadraticProgram::default();
/// let info = solver.solve(&LcpProblem::new(&m, &[-2.0, -2.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + z[1] - 2.0).abs() < 1e-9);
///
/// let m = array![[1.0, -1.0], [-1.0, 1.0]];
/// let info = solver.solve(&LcpProblem::new(&m, &[-1.0, 0.5])?, &mut z, &mut w)?;
/// assert_eq!(info.status, Status::NoSolution);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_LCP_QP (206)")]
#[derive(Clone, Debug, Default)]
pub struct QuadraticProgram {
    settings: QuadraticProgramSettings,
    polish: Polish,
    test: AcceptanceTest,
    divergence: Divergence,
}

impl QuadraticProgram {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: QuadraticProgramSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// Magnitude of an entry above which a point has diverged, in units in which the largest entries of M and q
/// are 1.
const FARTHEST: f64 = 1e7;

/// Solves `program`, the quadratic program of the problem. Returns the answer and, if it is not a usable
/// point, the status of the solve. The status is `NoSolution` only if a Farkas vector proves infeasibility.
pub(super) fn solve_program(
    problem: &LcpProblem<'_>,
    program: Program<'_>,
    max_iterations: usize,
) -> (Answer, Option<Status>) {
    let (n, m, q) = (problem.size(), problem.m(), problem.q());
    let [fine, rough] = ACCURACIES;
    let mut answer = program.solve(fine, max_iterations);
    for is_last in [false, true] {
        let is_near = answer.x.iter().all(|x| x.abs() <= FARTHEST);
        let claim = match answer.outcome {
            Outcome::Point | Outcome::MaxIterations if is_near || is_last => return (answer, None),
            Outcome::Infeasible => answer.multipliers.get_mut(n..).unwrap_or_default(),
            Outcome::Unbounded => &mut answer.x,
            _ => &mut [],
        };
        if proves_no_feasible_point(m, q, claim) {
            return (answer, Some(Status::NoSolution));
        }
        if !is_last {
            answer = program.solve(rough, max_iterations);
        }
    }
    let status = if find_farkas_vector(m, q).is_some() {
        Status::NoSolution
    } else if answer.outcome == Outcome::Failed {
        Status::Breakdown
    } else {
        Status::NotFound
    };
    (answer, Some(status))
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "quadratic-program",
    siconos: "QP (206)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), 1.4, 3.1",
};

impl Solver for QuadraticProgram {
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

impl QuadraticProgram {
    /// Runs the method from a nonnegative initial guess.
    fn iterate(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        let (n, m, tolerance) = (problem.size(), problem.m(), self.settings.tolerance);
        let guess = self.test.of_point(problem, z, w);
        let mut error = guess.error;
        if error <= tolerance {
            return SolveInfo { status: guess.status(tolerance), iterations: 0, error };
        }

        // (1), (2)
        let symmetric = m.is_symmetric();
        let scaled = Scaled::new(problem, !symmetric);
        let factor = if symmetric { 1.0 } else { 2.0 };
        let hessian = upper_triangle(m, factor / scaled.of_m, &vec![0.0; n]);
        let Scaled { linear, a, b, .. } = &scaled;
        let program = Program { hessian: &hessian, linear, a, b, equations: 0, second_order: &[] };
        // (4)
        let (answer, verdict) = solve_program(problem, program, self.settings.max_iterations);
        let iterations = answer.iterations;
        let ended = |status, error| SolveInfo { status, iterations, error };
        if let Some(status) = verdict {
            return ended(status, error);
        }

        // (3)
        scaled.write(&answer, z);
        write_image(problem, z, w);
        self.polish.prepare(m, symmetric);
        error = self.polish.improve(problem, tolerance, z, w);
        refine(problem, &scaled, program, &mut self.polish, tolerance, PointWithError { error, z, w });
        let tested = self.test.of(problem, z, w);
        let status = match answer.outcome {
            _ if tested.status(tolerance).is_success() => tested.status(tolerance),
            Outcome::MaxIterations => Status::MaxIterations,
            Outcome::Point => Status::Stalled,
            _ => Status::NotFound,
        };
        ended(status, tested.error)
    }
}
