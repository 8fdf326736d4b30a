//! The conjugate projected gradient method of Renouf and Alart.

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, dot, norm};

use super::divergence::Divergence;
use super::farkas::proves_no_feasible_point;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, begin, write_image};
use crate::cancellation;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response::mean;

/// Settings of [`ConjugateProjectedGradient`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConjugateProjectedGradientSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations, each with one or two matrix-vector products. Default: 20 000.
    pub max_iterations: usize,
}

impl Default for ConjugateProjectedGradientSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000 }
    }
}

/// Conjugate projected gradient method.
///
/// **Problem.** [`LcpProblem`] in any storage, for symmetric positive semidefinite $M$: minimise
/// $f(z) = \frac12 z^T M z + q^T z$ over $z \ge 0$.
///
/// **Method.** Renouf and Alart (2005), "Conjugate gradient type algorithms for frictional multi-contact
/// problems: applications to granular materials", Comput. Methods Appl. Mech. Engrg. 194, section 4. Let
/// $r = -(M z + q)$, and let $P_T$ be the projection onto the tangent cone at z, which sets negative entries
/// to 0 where $z_i = 0$. (1) $t = P_T(r)$, $\beta = -t^T M p / p^T M p$, $p \leftarrow t + \beta P_T(p)$. (2)
/// $\alpha = r^T p / p^T M p$, $z \leftarrow \max(0, z + \alpha p)$. If $p^T M p = 0$, move to the point
/// where the first $z_i$ reaches 0. (3) Safeguard: if $r^T p \le 0$, set p = t. If the step does not decrease
/// f, and every 20 iterations, take a projected gradient step by Armijo's rule along the projection arc
/// instead (Bertsekas 1976), and restart the conjugate directions. (4) Update the product $M z$ with $M p$ if
/// the step changed no entry to 0, and recompute it otherwise. Also recompute it before a point counts as a
/// solution.
///
/// **Guarantee.** For symmetric positive semidefinite $M$, f never increases, and the steps of (3) make every
/// limit point a solution (the theorem on spacer steps, Luenberger and Ye 2016, section 7.11). Convergence is
/// not proved without the safeguard, nor for a matrix that is not symmetric. The status is reliable even
/// then.
///
/// **Result.** `Converged`: the solution, `z >= 0`. `AtRoundingLevel`: a solution; rounding keeps the error
/// above the tolerance. `NoSolution`: f decreases without bound along a search direction, or the iterates
/// diverged along a direction, and this direction proves that no point is feasible (Farkas). `MaxIterations`:
/// the last iterate. `Stalled`: no step decreases f, which can happen if $M$ is not symmetric. `Breakdown`: f
/// decreases without bound along a direction that proves nothing, as can happen if $M$ is not semidefinite,
/// or the iterates are not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{ConjugateProjectedGradient, LcpProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let mut solver = ConjugateProjectedGradient::default();
/// let info = solver.solve(&LcpProblem::new(&m, &[-5.0, -6.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 4.0 / 3.0).abs() < 1e-8 && (z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "CPG")]
#[doc(alias = "SICONOS_LCP_CPG (203)")]
#[derive(Clone, Debug, Default)]
pub struct ConjugateProjectedGradient {
    settings: ConjugateProjectedGradientSettings,
    /// Projected gradient t.
    tangent: Vec<f64>,
    /// Direction p; `image` is M p.
    direction: Vec<f64>,
    image: Vec<f64>,
    next: Vec<f64>,
    next_w: Vec<f64>,
    test: AcceptanceTest,
    divergence: Divergence,
}

/// Number of iterations between two projected gradient steps.
const SPACING: usize = 20;
/// Required fraction of the decrease that the slope predicts.
const DECREASE: f64 = 1e-4;
/// Maximum number of halvings of a step.
const HALVINGS: usize = 60;
/// Number of updates of M z + q after which it is recomputed.
const REFRESH: usize = 50;
/// Curvatures p^T M p up to this multiple of norm(p) norm(M p) count as 0.
const FLAT: f64 = 1e-14;

/// Outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepOutcome {
    /// The step leads to `next` and `next_w`. `fresh` is `true` if `next_w` was recomputed rather than
    /// updated.
    Taken { fresh: bool },
    /// No step decreases f.
    None,
    /// f decreases without bound along the direction.
    Unbounded,
}

impl ConjugateProjectedGradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: ConjugateProjectedGradientSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Computes the search direction of step (1). `conjugate` is the curvature along the previous direction,
    /// or `None` to use the projected gradient t.
    fn set_direction(&mut self, z: &[f64], w: &[f64], conjugate: Option<f64>) {
        let cut = |z: f64, x: f64| if z > 0.0 { x } else { x.max(0.0) };
        self.tangent.clear();
        self.tangent.extend(z.iter().zip(w).map(|(z, w)| cut(*z, -w)));
        if let Some(curvature) = conjugate {
            let beta = -dot(&self.tangent, &self.image) / curvature;
            for ((p, t), z) in self.direction.iter_mut().zip(&self.tangent).zip(z) {
                *p = t + beta * cut(*z, *p);
            }
            if beta.is_finite() && dot(&self.direction, w) < 0.0 {
                return;
            }
        }
        self.direction.clear();
        self.direction.extend_from_slice(&self.tangent);
    }

    /// Computes M p. Returns p^T M p, or 0 if the product is at the level of rounding errors.
    fn curvature(&mut self, m: MatrixRef<'_>) -> f64 {
        self.image.clear();
        self.image.resize(self.direction.len(), 0.0);
        m.add_product(1.0, &self.direction, &mut self.image);
        let curvature = dot(&self.direction, &self.image);
        if curvature <= FLAT * norm(&self.direction) * norm(&self.image) { 0.0 } else { curvature }
    }

    /// Performs step (2).
    fn conjugate_step(
        &mut self,
        problem: &LcpProblem<'_>,
        curvature: f64,
        z: &[f64],
        w: &[f64],
    ) -> StepOutcome {
        let alpha = if curvature > 0.0 {
            -dot(&self.direction, w) / curvature
        } else {
            let ends = z.iter().zip(&self.direction).filter(|(_, p)| **p < 0.0).map(|(z, p)| -z / p);
            ends.fold(f64::INFINITY, f64::min)
        };
        if alpha.is_infinite() {
            return StepOutcome::Unbounded;
        }
        let mut is_cut = false;
        for ((next, z), p) in self.next.iter_mut().zip(z).zip(&self.direction) {
            let x = z + alpha * p;
            is_cut |= x < 0.0;
            *next = x.max(0.0);
        }
        if is_cut {
            write_image(problem, &self.next, &mut self.next_w);
        } else {
            for ((next, w), image) in self.next_w.iter_mut().zip(w).zip(&self.image) {
                *next = w + alpha * image;
            }
        }
        if self.change(z, w) < 0.0 { StepOutcome::Taken { fresh: is_cut } } else { StepOutcome::None }
    }

    /// Returns $f(z_{next}) - f(z)$ in the form $\frac12 (z_{next} - z)^T (w + w_{next})$, which avoids
    /// cancellation.
    fn change(&self, z: &[f64], w: &[f64]) -> f64 {
        let moved = self.next.iter().zip(z).zip(w.iter().zip(&self.next_w));
        moved.map(|((next, z), (w, next_w))| 0.5 * (next - z) * (w + next_w)).sum()
    }

    /// Performs the projected gradient step of (3), by Armijo's rule along the projection arc.
    fn gradient_step(&mut self, problem: &LcpProblem<'_>, z: &[f64], w: &[f64]) -> StepOutcome {
        self.set_direction(z, w, None);
        let curvature = self.curvature(problem.m());
        let square = dot(&self.tangent, &self.tangent);
        // If the curvature is 0, start with the reciprocal of the mean of the factors d of the error.
        let mut alpha = if curvature > 0.0 { square / curvature } else { 1.0 / mean(problem.m()) };
        for _ in 0..HALVINGS {
            for ((next, z), w) in self.next.iter_mut().zip(z).zip(w) {
                *next = (z - alpha * w).max(0.0);
            }
            write_image(problem, &self.next, &mut self.next_w);
            let slope: f64 = self.next.iter().zip(z).zip(w).map(|((next, z), w)| (next - z) * w).sum();
            if slope < 0.0 && self.change(z, w) <= DECREASE * slope {
                return StepOutcome::Taken { fresh: true };
            }
            alpha *= 0.5;
        }
        StepOutcome::None
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "conjugate-projected-gradient",
    siconos: "CPG (203)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]),
    storage: "any",
    reference: "Renouf, Alart (2005), 4",
};

impl Solver for ConjugateProjectedGradient {
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
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        self.divergence.begin(z);
        let info = self.iterate(problem, z, w);
        Ok(self.divergence.end(problem, info, z, w))
    }
}

impl ConjugateProjectedGradient {
    /// Runs the method from a nonnegative initial guess.
    fn iterate(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        let (m, q, tolerance) = (problem.m(), problem.q(), self.settings.tolerance);
        for memory in [&mut self.next, &mut self.next_w] {
            memory.clear();
            memory.resize(z.len(), 0.0);
        }
        write_image(problem, z, w);
        let mut current = self.test.error_by(tolerance, problem, z, w);
        let (mut updates, mut conjugate) = (0, None);
        for iterations in 0..=self.settings.max_iterations {
            // (4)
            let is_last = cancellation::is_over(iterations, self.settings.max_iterations, current);
            if updates > 0 && (current <= tolerance || updates >= REFRESH || is_last) {
                write_image(problem, z, w);
                current = self.test.error_by(tolerance, problem, z, w);
                updates = 0;
            }
            let ended = |status, error| SolveInfo { status, iterations, error };
            if current <= tolerance {
                let tested = self.test.of(problem, z, w);
                return ended(tested.status(tolerance), tested.error);
            }
            if !current.is_finite() {
                current = self.test.of_point(problem, z, w).error;
                return ended(Status::Breakdown, current);
            }
            if is_last {
                return ended(Status::MaxIterations, self.test.of(problem, z, w).error);
            }

            // (1), (2)
            let mut step = StepOutcome::None;
            if (iterations + 1) % SPACING != 0 {
                self.set_direction(z, w, conjugate);
                let curvature = self.curvature(m);
                conjugate = Some(curvature).filter(|curvature| *curvature > 0.0);
                step = self.conjugate_step(problem, curvature, z, w);
            }
            // (3)
            if step == StepOutcome::None {
                conjugate = None;
                step = self.gradient_step(problem, z, w);
            }
            match step {
                StepOutcome::Taken { fresh } => {
                    z.copy_from_slice(&self.next);
                    w.copy_from_slice(&self.next_w);
                    updates = if fresh { 0 } else { updates + 1 };
                    current = self.test.error_by(tolerance, problem, z, w);
                }
                StepOutcome::None => {
                    write_image(problem, z, w);
                    let tested = self.test.of(problem, z, w);
                    return ended(tested.status(tolerance), tested.error);
                }
                StepOutcome::Unbounded => {
                    current = self.test.of_point(problem, z, w).error;
                    let proven = proves_no_feasible_point(m, q, &mut self.direction);
                    return ended(if proven { Status::NoSolution } else { Status::Breakdown }, current);
                }
            }
        }
        unreachable!("the loop returns at its last pass")
    }
}
