//! The hyperplane projection method.

use serde::{Deserialize, Serialize};
use siconos_linalg::dot;

use super::residual::{natural_error, scale};
use super::{Vi, ViProblem};
use crate::cancellation;
use crate::engine::{check_finite, check_length};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`HyperplaneProjection`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HyperplaneProjectionSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-6. Must be positive. Step (2) compares squared
    /// lengths, so errors below the square root of the machine precision are mostly rounding errors.
    pub tolerance: f64,
    /// Maximum number of iterations. Default: 20 000.
    pub max_iterations: usize,
    /// Initial step length $\mu$. Default: 1. Must be positive.
    pub step: f64,
    /// Sufficient decrease parameter $\sigma$ of the line search. Default: 0.3. Must be in (0, 1).
    pub sufficient: f64,
    /// Reduction factor $\eta$ of the line search. Default: 0.5. Must be in (0, 1).
    pub factor: f64,
}

impl Default for HyperplaneProjectionSettings {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 20_000, step: 1.0, sufficient: 0.3, factor: 0.5 }
    }
}

/// The projection method of Solodov and Svaiter.
///
/// **Problem.** [`ViProblem`].
///
/// **Method.** (1) $r = z - P_X(z - \mu F(z))$. (2) Line search: $v = z - \alpha r$ with the first
/// $\alpha = 1, \eta, \eta^2, ..$ for which $F(v)^T r \ge \frac{\sigma}{\mu} \lVert r \rVert^2$. The
/// hyperplane through v with the normal F(v) then separates z from all solutions. (3) Project z onto the
/// subset of X that lies beyond the hyperplane. The result is $P_X(z - \tau F(v))$, where $\tau \ge 0$ solves
/// $F(v)^T (P_X(z - \tau F(v)) - v) = 0$. $\tau$ is found by doubling and bisection, which need only
/// projections onto X. (4) Stop when the [`error`](super::error) is at or below the tolerance. After a step
/// with $\alpha = 1$ the next $\mu$ is doubled, otherwise it is multiplied by $\alpha$ (as the authors
/// recommend for practice).
///
/// **Guarantee.** Converges for continuous pseudo-monotone maps, without a Lipschitz constant, if a solution
/// exists (Solodov and Svaiter 1999, theorem 2.1). Facchinei and Pang (2003, section 12.1) project onto the
/// hyperplane first and then onto the set. Their variant needs only one projection per iteration, but many
/// more iterations if F does not vanish at the solution.
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Breakdown`: the best iterate. `Stalled`: the best
/// iterate; the line search failed, because the map is not pseudo-monotone or because of rounding.
///
/// ```
/// use siconos_numerics::cone::Orthant;
/// use siconos_numerics::Solver;
/// use siconos_numerics::vi::{HyperplaneProjection, ViProblem};
///
/// let map = |z: &[f64], f: &mut [f64]| f.copy_from_slice(&[z[0] - 1.0 + z[1], z[1] + 1.0 - z[0]]);
/// let (mut z, mut w) = ([5.0, 5.0], [0.0; 2]);
/// let info = HyperplaneProjection::default().solve(&ViProblem::new(2, &map, &Orthant), &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-5 && z[1] < 1e-5);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
///
/// Reference: M. V. Solodov and B. F. Svaiter (1999), "A new projection method for variational inequality
/// problems", SIAM Journal on Control and Optimization 37, 765-776.
#[doc(alias = "SICONOS_VI_HP (1002)")]
#[derive(Clone, Debug, Default)]
pub struct HyperplaneProjection {
    settings: HyperplaneProjectionSettings,
    f: Vec<f64>,
    r: Vec<f64>,
    v: Vec<f64>,
    f_v: Vec<f64>,
    best: Vec<f64>,
    memory: Vec<f64>,
}

/// Limits of step (3). `MOST_INTERVALS` is the maximum number of projections, `INTERVAL` the relative length
/// of the final interval, and `LONGEST` the maximum $\tau$ as a multiple of its first value.
const MOST_INTERVALS: usize = 60;
const INTERVAL: f64 = 1e-3;
const LONGEST: f64 = 1e12;

/// Maximum number of points that the line search tries.
const MOST_TRIED: usize = 200;

impl HyperplaneProjection {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: HyperplaneProjectionSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("step", s.step, f64::MIN_POSITIVE, "positive")?;
        for (name, value) in [("sufficient", s.sufficient), ("factor", s.factor)] {
            SettingsError::check_fraction(name, value)?;
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Computes v and F(v), steps (1) and (2). Returns $\alpha$, or `None` if the line search fails.
    fn find_hyperplane(&mut self, problem: &ViProblem<'_>, z: &[f64], step: f64) -> Option<f64> {
        self.r.clear();
        self.r.extend(z.iter().zip(&self.f).map(|(z, f)| z - step * f));
        problem.set().project(&mut self.r);
        self.r.iter_mut().zip(z).for_each(|(r, z)| *r = z - *r);
        let enough = self.settings.sufficient / step * dot(&self.r, &self.r);
        if enough == 0.0 {
            return None;
        }
        let mut alpha = 1.0;
        for _ in 0..MOST_TRIED {
            for ((v, z), r) in self.v.iter_mut().zip(z).zip(&self.r) {
                *v = z - alpha * r;
            }
            problem.map(&self.v, &mut self.f_v);
            if dot(&self.f_v, &self.r) >= enough {
                return Some(alpha);
            }
            alpha *= self.settings.factor;
        }
        None
    }

    /// Projects z onto the subset of X beyond the hyperplane, step (3). $\tau$ is rounded down to the lower
    /// end of the final interval of the bisection. The new point is then on the same side of the hyperplane
    /// as z, and closer to every solution than z.
    fn project_beyond(&mut self, problem: &ViProblem<'_>, z: &mut [f64], alpha: f64) {
        let mut lower = alpha * dot(&self.f_v, &self.r) / dot(&self.f_v, &self.f_v);
        if !lower.is_finite() {
            return;
        }
        let first = lower;
        let mut upper = f64::INFINITY;
        for _ in 0..MOST_INTERVALS {
            let middle = if upper.is_finite() { 0.5 * (lower + upper) } else { 2.0 * lower };
            if upper - lower <= INTERVAL * lower || middle > LONGEST * first {
                break;
            }
            if self.beyond(problem, z, middle) >= 0.0 {
                lower = middle;
            } else {
                upper = middle;
            }
        }
        self.beyond(problem, z, lower);
        z.copy_from_slice(&self.memory);
    }

    /// Returns $F(v)^T (P_X(z - \tau F(v)) - v)$ and leaves the projection in `memory`.
    fn beyond(&mut self, problem: &ViProblem<'_>, z: &[f64], tau: f64) -> f64 {
        self.memory.clear();
        self.memory.extend(z.iter().zip(&self.f_v).map(|(z, f)| z - tau * f));
        problem.set().project(&mut self.memory);
        self.memory.iter().zip(&self.v).zip(&self.f_v).map(|((x, v), f)| (x - v) * f).sum()
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "hyperplane-projection",
    siconos: "HP (1002)",
    guarantee: Guarantee::in_words("continuous pseudo-monotone maps"),
    storage: "any set with a projection",
    reference: "Solodov, Svaiter (1999)",
};

impl Solver for HyperplaneProjection {
    type Class = Vi;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &ViProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_length("z", problem.size(), z.len())?;
        check_length("w", problem.size(), w.len())?;
        check_finite("z", z)?;
        for memory in [&mut self.f, &mut self.v, &mut self.f_v] {
            memory.clear();
            memory.resize(z.len(), 0.0);
        }
        let scale = scale(problem);
        problem.set().project(z);
        problem.map(z, &mut self.f);
        let mut error = natural_error(problem, scale, z, &self.f, &mut self.memory);
        let mut best = error;
        self.best.clear();
        self.best.extend_from_slice(z);
        let mut step = self.settings.step;
        let mut iterations = 0;
        let status = loop {
            if error <= self.settings.tolerance {
                break Status::Converged;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            iterations += 1;
            let Some(alpha) = self.find_hyperplane(problem, z, step) else { break Status::Stalled };
            self.project_beyond(problem, z, alpha);
            problem.map(z, &mut self.f);
            error = natural_error(problem, scale, z, &self.f, &mut self.memory);
            if error < best {
                best = error;
                self.best.copy_from_slice(z);
            }
            step = if alpha == 1.0 { (2.0 * step).min(1e100) } else { (step * alpha).max(1e-100) };
        };
        if status != Status::Converged {
            z.copy_from_slice(&self.best);
            error = best;
        }
        problem.map(z, w);
        Ok(SolveInfo { status, iterations, error })
    }
}
