//! The spectral projected gradient method.

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, dot, norm};

use super::{Constraints, Qp, QpProblem};
use crate::cancellation;
use crate::convex_set::ConvexSet;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::own_response::{self, relative};

/// Settings of [`ProjectedGradient`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProjectedGradientSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations, each with one matrix-vector product. Default: 20 000.
    pub max_iterations: usize,
    /// Number of previous objective values that the line search considers; 1 requires descent in every step.
    /// Default: 10. Must be at least 1.
    pub memory: usize,
}

impl Default for ProjectedGradientSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000, memory: 10 }
    }
}

impl ProjectedGradientSettings {
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check_tolerance(self.tolerance)?;
        SettingsError::check_at_least("memory", self.memory as f64, 1.0, "at least 1")
    }
}

/// Spectral projected gradient method (SPG) with nonmonotone line search.
///
/// **Problem.** [`QpProblem`] over a set given by its projection; $M$ in any storage.
///
/// **Method.** Birgin, Martinez, Raydan (2000), "Nonmonotone spectral projected gradient methods on convex
/// sets", algorithm SPG2. (1) $d = P_C(x - \lambda g) - x$ with the gradient $g = M x + q$. (2)
/// $x \leftarrow x + \alpha d$ with $\alpha = 1$ if the objective is then at most the largest of its last
/// values plus $10^{-4} g^T d$; otherwise with the $\alpha$ that minimises the objective on the segment. The
/// objective is quadratic, so its change $\alpha g^T d + \frac12 \alpha^2 d^T M d$ needs no further product.
/// (3) $\lambda = d^T d / d^T M d$, the Barzilai-Borwein step length. (4) If the [`error`](super::error) with
/// the updated gradient is at or below the tolerance, recompute the gradient, and stop if the error is still
/// at or below the tolerance.
///
/// **Guarantee.** For positive semidefinite $M$ every limit point is a solution (theorem 2.4). A solution
/// exists if the objective is bounded from below on $C$ and, for example, $M$ is definite or $C$ polyhedral.
/// The rate depends on the condition number of $M$, on average like its square root.
///
/// **Result.** `Converged`: the point, in the set, and y = -(M x + q), which is normal to the set there.
/// `MaxIterations`: the last iterate. `Stalled`: no step makes progress in floating-point arithmetic.
/// `Breakdown`: the iterates diverged to values that are not finite, which is possible if the objective has
/// no lower bound.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::Interval;
/// use siconos_numerics::Solver;
/// use siconos_numerics::qp::{ProjectedGradient, QpProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (lower, upper) = ([0.0, 0.0], [1.0, 1.0]);
/// let bounds = Interval::new(&lower, &upper)?;
/// let (mut x, mut y) = ([0.0; 2], [0.0; 2]);
/// let problem = QpProblem::on_set(&m, &[-4.0, 1.0], &bounds)?;
/// let info = ProjectedGradient::default().solve(&problem, &mut x, &mut y)?;
/// assert!(info.status.is_success());
/// assert_eq!((x, y), ([1.0, 0.0], [2.0, -2.0]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SPG")]
#[doc(alias = "SICONOS_CONVEXQP_PG")]
#[derive(Clone, Debug, Default)]
pub struct ProjectedGradient {
    settings: ProjectedGradientSettings,
    iteration: SpectralGradient,
}

impl ProjectedGradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0 or `memory` is 0.
    pub fn new(settings: ProjectedGradientSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "projected-gradient",
    siconos: "CONVEXQP_PG",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite])
        .only(Scope::Words("on any convex set")),
    storage: "any",
    reference: "Birgin, Martinez, Raydan (2000), SPG2",
};

impl Solver for ProjectedGradient {
    type Class = Qp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &QpProblem<'_>) -> Result<(), Unsupported> {
        set(problem).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &QpProblem<'_>,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        problem.check(x, y)?;
        let set = set(problem)?;
        let (scale, response) = (norm(problem.q()), own_response::mean(problem.m()));
        let error = |x: &[f64], gradient: &[f64], map: f64| {
            relative(map, scale, || norm(gradient).max(response * norm(x)))
        };
        let stopping = Stopping { settings: &self.settings, unit: 1.0 / response, farthest: f64::MAX, error };
        let info = self.iteration.run(problem.m(), problem.q(), set, stopping, x, y);
        y.iter_mut().for_each(|y| *y = -*y);
        Ok(info)
    }
}

fn set<'a>(problem: &QpProblem<'a>) -> Result<&'a dyn ConvexSet, Unsupported> {
    match problem.constraints() {
        Constraints::Set(set) => Ok(set),
        other => {
            let takes = "a set that is given by its projection";
            Err(Unsupported { solver: DESCRIPTION.name, found: other.kind(), takes })
        }
    }
}

/// Stopping criterion of the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping<'a, F> {
    pub(crate) settings: &'a ProjectedGradientSettings,
    /// Step length that converts the gradient to the unit of x.
    pub(crate) unit: f64,
    /// Norm of the gradient above which the iteration has diverged.
    pub(crate) farthest: f64,
    /// Error as a function of x, its gradient g, and the norm of (P(x - unit g) - x) / unit.
    pub(crate) error: F,
}

/// Iteration with its workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpectralGradient {
    direction: Vec<f64>,
    image: Vec<f64>,
    /// Last objective values minus the value at the initial guess.
    values: Vec<f64>,
}

/// Required fraction of the decrease that the slope predicts (gamma in the paper).
const DECREASE: f64 = 1e-4;
/// Bounds of the step length as multiples of the unit step (alpha_min, alpha_max in the paper).
const STEPS: (f64, f64) = (1e-30, 1e30);
/// Number of updates of the gradient after which it is recomputed, so that rounding errors do not add up.
const REFRESH: usize = 50;

impl SpectralGradient {
    /// Iterates from `x`. On return `gradient` is M x + q.
    pub(crate) fn run<S: ConvexSet + ?Sized>(
        &mut self,
        m: MatrixRef<'_>,
        q: &[f64],
        set: &S,
        stopping: Stopping<'_, impl FnMut(&[f64], &[f64], f64) -> f64>,
        x: &mut [f64],
        gradient: &mut [f64],
    ) -> SolveInfo {
        let Stopping { settings, unit, farthest, error: mut measure } = stopping;
        let (shortest, longest) = (STEPS.0 * unit, STEPS.1 * unit);
        set.project(x);
        refresh(m, q, x, gradient);
        let mut step = unit;
        let (mut value, mut is_fresh) = (0.0, true);
        self.values.clear();
        self.values.push(value);
        for iterations in 0..=settings.max_iterations {
            // (4)
            if !is_fresh && iterations % REFRESH == 0 {
                refresh(m, q, x, gradient);
                is_fresh = true;
            }
            let mut error = measure(x, gradient, self.residual(set, unit, x, gradient) / unit);
            if !is_fresh && (error <= settings.tolerance || iterations == settings.max_iterations) {
                refresh(m, q, x, gradient);
                is_fresh = true;
                error = measure(x, gradient, self.residual(set, unit, x, gradient) / unit);
            }
            let ended = |status| SolveInfo { status, iterations, error };
            if error <= settings.tolerance {
                return ended(Status::Converged);
            }
            let has_run_off = norm(gradient) > farthest || norm(x) > farthest * unit;
            if !error.is_finite() || has_run_off {
                return SolveInfo { error: f64::NAN, ..ended(Status::Breakdown) };
            }
            if cancellation::is_over(iterations, settings.max_iterations, error) {
                if !is_fresh {
                    // If the solve is cancelled, report the error of the recomputed gradient.
                    refresh(m, q, x, gradient);
                    error = measure(x, gradient, self.residual(set, unit, x, gradient) / unit);
                }
                return SolveInfo { status: Status::MaxIterations, iterations, error };
            }

            // (1) In the first iteration, `residual` has already computed the direction for the unit step.
            if iterations > 0 {
                self.residual(set, step, x, gradient);
            }
            let slope = dot(gradient, &self.direction);
            if slope.is_nan() || slope >= 0.0 {
                if is_fresh {
                    return ended(Status::Stalled);
                }
                refresh(m, q, x, gradient);
                is_fresh = true;
                continue;
            }
            self.image.clear();
            self.image.resize(x.len(), 0.0);
            m.add_product(1.0, &self.direction, &mut self.image);
            let curvature = dot(&self.direction, &self.image);

            // (2)
            let change = |alpha: f64| alpha * slope + 0.5 * alpha * alpha * curvature;
            let largest = self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let is_enough = value + change(1.0) <= largest + DECREASE * slope;
            let alpha = if is_enough || curvature <= 0.0 { 1.0 } else { (-slope / curvature).min(1.0) };
            value += change(alpha);
            x.iter_mut().zip(&self.direction).for_each(|(x, d)| *x += alpha * d);
            gradient.iter_mut().zip(&self.image).for_each(|(g, h)| *g += alpha * h);
            is_fresh = false;
            if self.values.len() == settings.memory {
                self.values.remove(0);
            }
            self.values.push(value);

            // (3)
            let square = dot(&self.direction, &self.direction);
            step = if curvature > 0.0 { (square / curvature).clamp(shortest, longest) } else { longest };
        }
        unreachable!("the loop returns at its last pass")
    }

    /// Sets the direction to P(x - step g) - x. Returns its norm, but at least the rounding error of x.
    fn residual<S: ConvexSet + ?Sized>(&mut self, set: &S, step: f64, x: &[f64], gradient: &[f64]) -> f64 {
        let direction = &mut self.direction;
        direction.clear();
        direction.extend(x.iter().zip(gradient).map(|(x, g)| x - step * g));
        // A projection can turn entries that are not finite into finite entries.
        if direction.iter().any(|d| !d.is_finite()) {
            return f64::NAN;
        }
        set.project(direction);
        direction.iter_mut().zip(x).for_each(|(d, x)| *d -= x);
        norm(direction).max(f64::EPSILON * norm(x))
    }
}

fn refresh(m: MatrixRef<'_>, q: &[f64], x: &[f64], gradient: &mut [f64]) {
    gradient.copy_from_slice(q);
    m.add_product(1.0, x, gradient);
}
