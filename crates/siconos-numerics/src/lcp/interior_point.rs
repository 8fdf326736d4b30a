//! A path-following interior-point method with Mehrotra's predictor and corrector.

use serde::{Deserialize, Serialize};

use super::polish::Polish;
use super::{Lcp, LcpProblem, error_of_point};
use crate::box_rows::is_lost;
use crate::box_rows::judge;
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, NewtonMatrix, dot, norm};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response;
use crate::own_response::solve_without_q;

/// Settings of [`InteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InteriorPointSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of steps, each of which costs one factorisation. Default 100.
    pub max_iterations: usize,
    /// Part of the way to the boundary that a step goes at most. Default 0.995, in (0, 1).
    pub step_fraction: f64,
    /// The products $z_i w_i$ stay above this part of their mean. Default 1e-4, in (0, 1).
    pub centrality: f64,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 100, step_fraction: 0.995, centrality: 1e-4 }
    }
}

/// The infeasible-start path-following method for monotone problems.
///
/// **Problem.** [`LcpProblem`] with a matrix in any storage.
///
/// **Method.** From positive $z$ and $w$ that need not satisfy $w = M z + q$, follow the central path
/// $z_i w_i = \mu$ (z_i w_i = mu for all i) to $\mu = 0$. (1) Predictor: solve
/// $(W + Z M) d_z = -Z W e - Z r$, $d_w = M d_z + r$, with the residual $r = M z + q - w$ and the diagonal matrices Z, W. (2) With
/// $\mu_a$ the mean product at the end of that step, $\sigma = (\mu_a / \mu)^3$ (Mehrotra 1992). (3) Corrector: add
/// $\sigma \mu e - D_z D_w e$ to the right-hand side and solve with the same factors. (4) Go that way, up to a part of the distance to the
/// boundary, and less while a product falls far below the mean (the wide neighbourhood of the path). (5) Near the end, solve for the
/// complementary basis $\lbrace i : z_i > w_i \rbrace$, which makes the point exact when the solution is strictly
/// complementary (Ye 1992). Repeat until the [`error`](super::error) of $z$ is within the tolerance.
///
/// **Guarantee.** For a positive semidefinite $M$, symmetric or not, with a strictly feasible point the path exists and leads
/// to a solution (Kojima, Mizuno, Yoshise 1989); the matrices of the steps are regular for P0-matrices; convergence extends to
/// P*-matrices (Kojima, Megiddo, Noma, Yoshise 1991). The number of steps hardly grows with n. The guess in `z` is not used, since
/// a point on the boundary is a bad start.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: as exact as rounding allows. `Stalled`: the steps got too short,
/// as when there is no solution. `MaxIterations`, `Breakdown` (the matrix of a step is singular: M is no P0-matrix):
/// the best point. It never proves that there is no solution.
///
/// References: Wright (1997), chapter 8; Kojima, Megiddo, Noma, Yoshise (1991); Mehrotra (1992); Potra and Sheng (1997) for
/// the infeasible start.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{InteriorPoint, LcpProblem};
///
/// // Two contacts that bear one body together: any split of the load is a solution.
/// let m = array![[1.0, 1.0], [1.0, 1.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = InteriorPoint::default().solve(&LcpProblem::new(&m, &[-1.0, -1.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + z[1] - 1.0).abs() < 1e-9 && z[0] > 0.1 && z[1] > 0.1);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    settings: InteriorPointSettings,
    matrix: NewtonMatrix,
    point: Point,
    /// What each z does to its own row.
    responses: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    residual: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    products: Vec<f64>,
    /// The best point so far.
    best: Vec<f64>,
    polish: Polish,
    scale: Vec<f64>,
}

/// The interior pair.
#[derive(Clone, Debug, Default)]
struct Point {
    z: Vec<f64>,
    w: Vec<f64>,
}

/// Below this error the complementary basis is tried.
const NEAR: f64 = 1e-4;

/// Steps shorter than this, this often in a row, lead nowhere.
const SHORTEST: f64 = 1e-6;
const SHORT_STEPS: usize = 5;

impl Point {
    fn mean_product(&self) -> f64 {
        dot(&self.z, &self.w) / self.z.len() as f64
    }

    /// The mean product after a step.
    fn mean_product_after(&self, step: f64, dz: &[f64], dw: &[f64]) -> f64 {
        let n = self.z.len() as f64;
        dot(&self.z, &self.w) / n
            + step * (dot(&self.z, dw) + dot(dz, &self.w)) / n
            + step * step * dot(dz, dw) / n
    }

    /// The longest step, at most 1, that goes no further than `fraction` of the way to the boundary.
    fn longest_step(&self, fraction: f64, dz: &[f64], dw: &[f64]) -> f64 {
        let pairs = self.z.iter().zip(dz).chain(self.w.iter().zip(dw));
        pairs.filter(|(_, d)| **d < 0.0).fold(1.0, |step: f64, (x, d)| step.min(-fraction * x / d))
    }

    fn least_product_after(&self, step: f64, dz: &[f64], dw: &[f64]) -> f64 {
        let z = self.z.iter().zip(dz).map(|(z, d)| z + step * d);
        let w = self.w.iter().zip(dw).map(|(w, d)| w + step * d);
        z.zip(w).fold(f64::INFINITY, |least, (z, w)| least.min(z * w))
    }
}

impl InteriorPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: InteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        for (name, value) in [("step_fraction", settings.step_fraction), ("centrality", settings.centrality)]
        {
            if !(value > 0.0 && value < 1.0) {
                return Err(SettingsError::OutOfRange {
                    name,
                    value,
                    must_be: "between 0 and 1, both excluded",
                });
            }
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// A positive pair in the units of the problem.
    fn start(&mut self, problem: &LcpProblem<'_>, w: &mut [f64]) {
        let (m, q) = (problem.m(), problem.q());
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let largest_q = match largest(q) {
            0.0 => 1.0,
            q => q,
        };
        w.fill(0.0);
        self.point.z.clear();
        self.point.z.resize(q.len(), 1.0);
        // The row sums of |M| take the place of a norm.
        m.add_absolute_product(&self.point.z, w);
        let mean_row = w.iter().sum::<f64>() / w.len() as f64;
        let size = if mean_row > 0.0 { largest_q / mean_row } else { largest_q };
        self.point.z.fill(size);
        w.copy_from_slice(q);
        m.add_product(1.0, &self.point.z, w);
        self.point.w.clear();
        self.point.w.extend(w.iter().map(|w| w.max(largest_q)));
    }

    /// Overwrites `dz`, on entry what the products shall change by, with the step, and computes `dw`.
    fn solve_step(&mut self, m: MatrixRef<'_>) -> bool {
        let Point { z, w } = &self.point;
        for (i, d) in self.dz.iter_mut().enumerate() {
            let response = self.responses[i];
            *d = (*d - z[i] * self.residual[i]) * (response / (response * z[i] + w[i]));
        }
        if self.matrix.solve(m, &mut self.dz).is_err() {
            return false;
        }
        self.dw.copy_from_slice(&self.residual);
        m.add_product(1.0, &self.dz, &mut self.dw);
        true
    }

    /// Steps (1) to (4); returns the length of the step, nothing when arithmetic breaks down.
    fn step(&mut self, problem: &LcpProblem<'_>) -> Option<f64> {
        let (m, n) = (problem.m(), problem.size());
        let Point { z, w } = &self.point;
        self.a.clear();
        // Row i of W + Z M, divided by z_i + w_i / d_i: that has one unit.
        self.a.extend(z.iter().zip(w).zip(&self.responses).map(|((z, w), d)| w * (d / (d * z + w))));
        self.b.clear();
        self.b.extend(z.iter().zip(w).zip(&self.responses).map(|((z, w), d)| d * z / (d * z + w)));
        self.matrix.factor(m, &self.a, &self.b).ok()?;
        self.residual.clear();
        self.residual.extend(problem.q().iter().zip(w).map(|(q, w)| q - w));
        m.add_product(1.0, z, &mut self.residual);
        // (1) predictor
        self.dz.clear();
        self.dz.extend(z.iter().zip(w).map(|(z, w)| -z * w));
        self.dw.clear();
        self.dw.resize(n, 0.0);
        self.solve_step(m).then_some(())?;
        // (2)
        let mean = self.point.mean_product();
        let step = self.point.longest_step(1.0, &self.dz, &self.dw);
        let sigma = (self.point.mean_product_after(step, &self.dz, &self.dw) / mean).clamp(0.0, 1.0).powi(3);
        // (3) corrector
        self.products.clear();
        self.products.extend(self.dz.iter().zip(&self.dw).map(|(dz, dw)| dz * dw));
        let target = sigma * mean;
        let Point { z, w } = &self.point;
        for (i, d) in self.dz.iter_mut().enumerate() {
            *d = target - z[i] * w[i] - self.products[i];
        }
        self.solve_step(m).then_some(())?;
        // (4)
        let mut step = self.point.longest_step(self.settings.step_fraction, &self.dz, &self.dw);
        let is_central = |step: f64| {
            let mean = self.point.mean_product_after(step, &self.dz, &self.dw);
            self.point.least_product_after(step, &self.dz, &self.dw) >= self.settings.centrality * mean
        };
        while step > SHORTEST && !is_central(step) {
            step *= 0.8;
        }
        let Point { z, w } = &mut self.point;
        z.iter_mut().zip(&self.dz).for_each(|(z, d)| *z += step * d);
        w.iter_mut().zip(&self.dw).for_each(|(w, d)| *w += step * d);
        let is_inside = z.iter().chain(&*w).all(|x| *x > 0.0 && x.is_finite());
        is_inside.then_some(step)
    }

    /// Leaves the best point in `best`; returns status and steps.
    fn follow(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> (Status, usize) {
        let (mut short, mut least) = (0, f64::INFINITY);
        for iterations in 0..self.settings.max_iterations {
            z.copy_from_slice(&self.point.z);
            let mut error = error_of_point(problem, z, w);
            // (5)
            if error > self.settings.tolerance && error <= NEAR {
                error = self.polish.improve(problem, self.settings.tolerance, error, z, w);
            }
            if error < least && !is_lost(problem, z, &mut self.scale) {
                least = error;
                self.best.copy_from_slice(z);
            }
            if error <= NEAR {
                match judge(problem, self.settings.tolerance, z, w, error, &mut self.scale) {
                    Status::Stalled => {}
                    success => return (success, iterations),
                }
            }
            let Some(step) = self.step(problem) else { return (Status::Breakdown, iterations + 1) };
            tracing::trace!(iterations, step, error, mean = self.point.mean_product(), "interior point");
            short = if step <= SHORTEST.sqrt() { short + 1 } else { 0 };
            if step <= SHORTEST || short == SHORT_STEPS || norm(&self.point.z).is_infinite() {
                return (Status::Stalled, iterations + 1);
            }
        }
        (Status::MaxIterations, self.settings.max_iterations)
    }
}

impl Link for InteriorPoint {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "interior-point",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix])
        .and("positive semidefinite and P* where strictly feasible"),
    storage: "any",
    reference: "Wright (1997), 8",
};

impl Solver for InteriorPoint {
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
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let m = problem.m();
        // With q >= 0 the path would lead to z = 0 only in the limit.
        z.fill(0.0);
        let error = error_of_point(problem, z, w);
        if error <= self.settings.tolerance {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error });
        }
        self.best.clear();
        self.best.extend_from_slice(z);
        // Sparse LU takes no notice of symmetry.
        let is_symmetric = matches!(m, MatrixRef::Dense(_)) && m.is_symmetric();
        self.matrix.prepare(m, is_symmetric);
        own_response::write(m.reborrow(), &mut self.responses);
        self.polish.prepare(m, is_symmetric);
        self.start(problem, w);
        let (mut status, iterations) = self.follow(problem, z, w);
        z.copy_from_slice(&self.best);
        let mut error = error_of_point(problem, z, w);
        if !status.is_success() {
            error = self.polish.improve(problem, self.settings.tolerance, error, z, w);
            let last = judge(problem, self.settings.tolerance, z, w, error, &mut self.scale);
            if last.is_success() {
                status = last;
            }
        }
        Ok(SolveInfo { status, iterations, error })
    }
}
