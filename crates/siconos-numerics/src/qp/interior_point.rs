//! Interior-point method of the crate `clarabel` (Goulart and Chen 2024), in the form that the solvers use.
//!
//! Minimise $\frac12 x^T P x + c^T x$ subject to $A x + s = b$, with $s = 0$ in the first group of rows,
//! $s \ge 0$ in the second group, and second-order cones $\lVert \bar s \rVert \le s_0$ in the third group.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use siconos_linalg::{Csc, MatrixRef};

use crate::cancellation;

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A point and multipliers of any accuracy.
    Point,
    /// Unverified claim that `multipliers` prove the constraints infeasible.
    Infeasible,
    /// Unverified claim that `x` is a direction along which the objective decreases without bound.
    Unbounded,
    /// The iteration limit was reached, or a stop was requested.
    MaxIterations,
    /// No usable result.
    Failed,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) x: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) iterations: usize,
}

/// Program in the form of the [module](self). `hessian` is the upper triangle of $P$.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    pub(crate) hessian: &'a Csc,
    pub(crate) linear: &'a [f64],
    pub(crate) a: &'a Csc,
    pub(crate) b: &'a [f64],
    /// Number of rows with s = 0. The rows between them and the cones have s >= 0.
    pub(crate) equations: usize,
    /// Sizes of the second-order cones, which are the last rows.
    pub(crate) second_order: &'a [usize],
}

impl Program<'_> {
    /// Runs the method with `tolerance` in its own stopping criteria.
    pub(crate) fn solve(&self, tolerance: f64, max_iterations: usize) -> Answer {
        if self.linear.is_empty() {
            // The crate requires at least one unknown.
            let multipliers = vec![0.0; self.b.len()];
            return Answer { outcome: Outcome::Point, x: Vec::new(), multipliers, iterations: 0 };
        }
        let settings = DefaultSettings {
            verbose: false,
            max_iter: u32::try_from(max_iterations).unwrap_or(u32::MAX),
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            tol_infeas_abs: tolerance,
            tol_infeas_rel: tolerance,
            max_threads: 1,
            ..DefaultSettings::default()
        };
        let in_cones: usize = self.second_order.iter().sum();
        let mut cones = vec![
            SupportedConeT::ZeroConeT(self.equations),
            SupportedConeT::NonnegativeConeT(self.b.len() - self.equations - in_cones),
        ];
        cones.extend(self.second_order.iter().map(|&size| SupportedConeT::SecondOrderConeT(size)));
        let (hessian, a) = (copied(self.hessian), copied(self.a));
        let Ok(mut solver) = DefaultSolver::new(&hessian, self.linear, &a, self.b, &cones, settings) else {
            let (x, multipliers) = (vec![0.0; self.linear.len()], vec![0.0; self.b.len()]);
            return Answer { outcome: Outcome::Failed, x, multipliers, iterations: 0 };
        };
        solver.set_termination_callback(|_| cancellation::is_cancelled());
        solver.solve();
        let solution = solver.solution;
        let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        let outcome = match solution.status {
            _ if !finite(&solution.x) || !finite(&solution.z) => Outcome::Failed,
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => Outcome::Infeasible,
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => Outcome::Unbounded,
            SolverStatus::MaxIterations | SolverStatus::CallbackTerminated => Outcome::MaxIterations,
            _ => Outcome::Point,
        };
        tracing::debug!(status = ?solution.status, iterations = solution.iterations, "interior point");
        let iterations = usize::try_from(solution.iterations).unwrap_or(usize::MAX);
        Answer { outcome, x: solution.x, multipliers: solution.z, iterations }
    }
}

fn copied(a: &Csc) -> CscMatrix<f64> {
    CscMatrix {
        m: a.rows(),
        n: a.columns(),
        colptr: a.starts().to_vec(),
        rowval: a.row_indices().to_vec(),
        nzval: a.values().to_vec(),
    }
}

/// Returns the upper triangle of $\alpha (M + M^T) / 2 + \mathrm{diag}(d)$, with all diagonal entries.
pub(crate) fn upper_triangle(m: MatrixRef<'_>, alpha: f64, d: &[f64]) -> Csc {
    let n = m.rows();
    let m = Csc::from_matrix(m);
    let entries = (0..n).flat_map(|j| {
        let column = m.column(j).map(move |(i, x)| {
            let x = if i == j { alpha * x } else { 0.5 * alpha * x };
            (i.min(j), i.max(j), x)
        });
        column.chain([(j, j, d[j])])
    });
    Csc::from_triplets(n, n, entries).unwrap_or_default()
}
