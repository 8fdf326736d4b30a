//! The hyperplane projection method.

use serde::{Deserialize, Serialize};
use siconos_linalg::dot;

use super::residual::{natural_error, scale};
use super::{Vi, ViProblem};
use crate::engine::{check_finite, check_length};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::watch;

/// Settings of [`HyperplaneProjection`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HyperplaneProjectionSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-6, above 0. Step (2)
    /// compares squares of lengths: below the root of the machine precision rounding decides.
    pub tolerance: f64,
    /// The largest number of iterations. Default 20 000.
    pub max_iterations: usize,
    /// The first step $\mu$ of the trial. Default 1, above 0.
    pub step: f64,
    /// How much of the decrease a point of the segment has to show. Default 0.3, in (0, 1).
    pub sufficient: f64,
    /// Factor between the points of the segment that are tried. Default 0.5, in (0, 1).
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
/// **Method.** (1) $r = z - P_X(z - \mu F(z))$. (2) The first $v = z - \alpha r$,
/// $\alpha = 1, \eta, \eta^2, ..$ with $F(v)^T r \ge \frac{\sigma}{\mu} \lVert r \rVert^2$. The hyperplane
/// through v with the normal F(v) then parts z from all solutions. (3) Project z onto the part of the set
/// beyond the hyperplane: that is $P_X(z - \tau F(v))$, with the $\tau \ge 0$ for which
/// $F(v)^T (P_X(z - \tau F(v)) - v) = 0$, found by doubling and halving intervals with projections alone. (4)
/// End when the [`error`](super::error) is at or below the tolerance. After a step with $\alpha = 1$ the next
/// $\mu$ is twice as long, after a shorter one it is that much shorter (as the authors recommend for
/// practice).
///
/// **Guarantee.** Converges for continuous pseudo-monotone maps, without a Lipschitz constant, whenever there
/// is a solution (Solodov and Svaiter 1999, theorem 2.1; Facchinei and Pang 2003, section 12.1, project onto
/// the hyperplane first and then onto the set, which needs one projection, and many more iterations where F
/// does not vanish at the solution).
///
/// **Result.** `Converged`; `MaxIterations`, `Stalled` (no point of the segment will do: the map is not
/// pseudo-monotone, or rounding), `Breakdown`: the best iterate.
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

/// Projections in step (3), the relative length of the last interval, and how much longer than the way to the
/// hyperplane the way may get.
const MOST_INTERVALS: usize = 60;
const INTERVAL: f64 = 1e-3;
const LONGEST: f64 = 1e12;

/// Points of the segment after which none is left.
const MOST_TRIED: usize = 200;

impl HyperplaneProjection {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: HyperplaneProjectionSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("step", s.step, f64::MIN_POSITIVE, "above 0")?;
        for (name, value) in [("sufficient", s.sufficient), ("factor", s.factor)] {
            SettingsError::check_part(name, value)?;
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Steps (1) and (2); returns $\alpha$, with v and F(v) in place.
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

    /// Step (3). Of the interval that holds $\tau$ the lower end is taken: from there on this side of the
    /// hyperplane every point is nearer to all solutions.
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

    /// $F(v)^T (P_X(z - \tau F(v)) - v)$, with the projection left in memory.
    fn beyond(&mut self, problem: &ViProblem<'_>, z: &[f64], tau: f64) -> f64 {
        self.memory.clear();
        self.memory.extend(z.iter().zip(&self.f_v).map(|(z, f)| z - tau * f));
        problem.set().project(&mut self.memory);
        self.memory.iter().zip(&self.v).zip(&self.f_v).map(|((x, v), f)| (x - v) * f).sum()
    }
}

/// What a table says of the method.
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
            if watch::is_over(iterations, self.settings.max_iterations, error) {
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
