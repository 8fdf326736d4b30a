//! LATIN method, which alternates between a complementarity stage and a linear stage.

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, NewtonMatrix, norm};

use super::divergence::Divergence;
use super::{Lcp, LcpProblem};
use crate::box_constraints::{AcceptanceTest, begin, write_image};
use crate::cancellation;
use crate::engine::check_finite_matrix;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response;

/// Settings of [`Latin`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LatinSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Default: 10 000.
    pub max_iterations: usize,
    /// Search direction k in the unit of M. Must be positive. Default: `None`, for which k starts at the mean
    /// of the $|M_{ii}|$ and is then adjusted at most 20 times, each time with a new factorisation.
    pub search_direction: Option<f64>,
    /// `true` to multiply the search direction of unknown i by the ratio of $M_{ii}$ to the mean of the
    /// $|M_{jj}|$. Default: `false`.
    pub weighted: bool,
    /// Relaxation $\mu$: fraction of the step to the new iterate, in (0, 1]. Semidefinite matrices require a
    /// value below 1. Default: 0.9.
    pub relaxation: f64,
}

impl Default for LatinSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 10_000,
            search_direction: None,
            weighted: false,
            relaxation: 0.9,
        }
    }
}

impl LatinSettings {
    /// Returns default settings with a search direction for each unknown.
    #[must_use]
    pub fn weighted() -> Self {
        Self { weighted: true, ..Self::default() }
    }

    pub(super) fn description(&self) -> &'static MethodDescription {
        if self.weighted { &WEIGHTED } else { &PLAIN }
    }
}

/// The LATIN method of Ladeveze with a diagonal search direction.
///
/// **Problem.** [`LcpProblem`] in any storage; $M + K$ is factorised once per search direction
/// $K = \mathrm{diag}(k)$.
///
/// **Method.** Ladeveze (1999), "Nonlinear computational structural mechanics", chapter 5; for contact
/// Champaney, Cognard, Dureisseix, Ladeveze (1997), section 3. (1) Local stage, with $p = K z - w$ from the
/// previous linear stage: $\hat z = K^{-1} \max(0, p)$ and $\hat w = \max(0, -p)$, the complementary pair on
/// the line $\hat w - w = K (\hat z - z)$. (2) Linear stage: $w = M z + q$ on the conjugate line
/// $w - \hat w = -K (z - \hat z)$, which gives $(M + K) z = K \hat z + \hat w - q$. (3) Relaxation:
/// $p \leftarrow (1 - \mu) p + \mu (K z - w)$. (4) Compute the full [`error`](super::error) of $\hat z$ if
/// the two stages are close to each other, and every 10 iterations. (5) Unless $k$ is given: if the relative
/// change of $\hat z$ and the relative distance between the stages differ by a factor of more than 25,
/// multiply $k$ by the square root of their ratio (Boyd et al. 2011, section 3.4.1), at most 20 times.
///
/// **Guarantee.** With constant $K$ this is the splitting of Peaceman and Rachford ($\mu = 1$) or of Douglas
/// and Rachford ($\mu = 1/2$). For a problem with a solution it converges if $M$ is positive semidefinite,
/// symmetric or not, and $\mu < 1$. It also converges if $M$ is positive definite and $\mu = 1$ (Lions and
/// Mercier 1979, section 2; Eckstein and Bertsekas 1992, theorem 8). The rate is linear for definite $M$.
///
/// **Result.** `Converged`: $\hat z$, nonnegative. `AtRoundingLevel`: a solution; rounding keeps the error
/// above the tolerance. `MaxIterations`: the last iterate. `Stalled`: $p$ no longer changes in floating-point
/// arithmetic. `Breakdown`: $M + K$ is singular, which can happen if $M$ is not semidefinite, or the iterates
/// are not finite; in the latter case `z` is the initial guess. `NoSolution`: the iterates diverged along a
/// direction that proves that no point is feasible (Farkas); `z` is the initial guess.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{Latin, LcpProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = Latin::default().solve(&LcpProblem::new(&m, &[-1.0, 4.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-7 && z[1] == 0.0);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "Peaceman-Rachford")]
#[doc(alias = "SICONOS_LCP_LATIN (204)")]
#[doc(alias = "SICONOS_LCP_LATIN_W (205)")]
#[derive(Clone, Debug, Default)]
pub struct Latin {
    settings: LatinSettings,
    newton: NewtonMatrix,
    weights: Vec<f64>,
    k: Vec<f64>,
    ones: Vec<f64>,
    /// K z - w.
    p: Vec<f64>,
    /// z of the linear stage.
    linear: Vec<f64>,
    previous: Vec<f64>,
    test: AcceptanceTest,
    divergence: Divergence,
}

/// Multiple of norm(q) above which a change of p counts as divergence.
const FARTHEST: f64 = 1e40;
/// Number of iterations between two checks of the full error and of the search direction.
const CHECK: usize = 10;
/// The full error is computed if the distance between the stages is below this multiple of the tolerance.
const MEASURE_BELOW: f64 = 2.0;
/// The search direction is changed if it differs from the balanced search direction by more than this factor.
/// `CHANGES` is the maximum number of changes.
const IMBALANCE: f64 = 5.0;
const CHANGES: usize = 20;

impl Latin {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance or the search direction is not above 0, or if the relaxation is not in (0, 1].
    pub fn new(settings: LatinSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        if let Some(k) = settings.search_direction {
            SettingsError::check_at_least("search_direction", k, f64::MIN_POSITIVE, "positive")?;
        }
        let value = settings.relaxation;
        if !(value > 0.0 && value <= 1.0) {
            let must_be = "positive and at most 1";
            return Err(SettingsError::OutOfRange { name: "relaxation", value, must_be });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Sets the weights and returns the first search direction.
    fn begin(&mut self, m: MatrixRef<'_>) -> f64 {
        let n = m.rows();
        self.weights.clear();
        self.weights.resize(n, 0.0);
        m.copy_diagonal(&mut self.weights);
        let mean = own_response::mean(m);
        let weighted = self.settings.weighted;
        let weight = |d: f64| if weighted && d > 0.0 { d / mean } else { 1.0 };
        self.weights.iter_mut().for_each(|d| *d = weight(*d));
        self.settings.search_direction.unwrap_or(mean)
    }

    /// Factorises M + K. Returns `false` if it is singular.
    fn factor(&mut self, m: MatrixRef<'_>, k: f64) -> bool {
        self.k.clear();
        self.k.extend(self.weights.iter().map(|weight| k * weight));
        self.newton.factor(m, &self.k, &self.ones).is_ok()
    }

    /// Computes the z of the local stage, step (1).
    fn local(&self, z: &mut [f64]) {
        for ((z, p), k) in z.iter_mut().zip(&self.p).zip(&self.k) {
            *z = p.max(0.0) / k;
        }
    }

    /// Performs steps (2) and (3). Returns the norm of the change of p, or `None` if the iterates have
    /// diverged.
    fn linear_stage(&mut self, problem: &LcpProblem<'_>, norm_q: f64) -> Option<f64> {
        let relaxation = self.settings.relaxation;
        self.linear.clear();
        self.linear.extend(self.p.iter().zip(problem.q()).map(|(p, q)| p.abs() - q));
        self.newton.solve(problem.m(), &mut self.linear).ok()?;
        let mut change = 0.0;
        for ((p, z), k) in self.p.iter_mut().zip(&self.linear).zip(&self.k) {
            let step = relaxation * (2.0 * k * z - p.abs() - *p);
            *p += step;
            change += step * step;
        }
        Some(change.sqrt()).filter(|change| *change <= FARTHEST * norm_q)
    }

    /// Returns the distance between the points of the two stages, in the unit of w.
    fn distance(&self, local: &[f64]) -> f64 {
        let terms = self.linear.iter().zip(local).zip(&self.k);
        terms.map(|((a, b), k)| (k * (a - b)).powi(2)).sum::<f64>().sqrt()
    }

    /// Returns the factor that balances the search direction, step (5). `w` belongs to the local stage and
    /// can be 0; the scale is therefore the larger of norm(w) and norm(q).
    fn imbalance(&self, local: &[f64], w: &[f64], norm_q: f64) -> f64 {
        let moved = self.previous.iter().zip(local).zip(&self.k);
        let moved = moved.map(|((a, b), k)| (k * (a - b)).powi(2)).sum::<f64>().sqrt();
        let weighted: f64 = local.iter().zip(&self.k).map(|(z, k)| (k * z).powi(2)).sum();
        if weighted == 0.0 {
            return 1.0;
        }
        let apart = self.distance(local) / weighted.sqrt();
        let moved = moved / norm(w).max(norm_q);
        let factor = (apart.max(f64::EPSILON) / moved.max(f64::EPSILON)).sqrt();
        if factor.is_finite() { factor.clamp(1e-3, 1e3) } else { 1.0 }
    }
}

/// Description of the method with one search direction for all unknowns.
pub(super) const PLAIN: MethodDescription = MethodDescription {
    name: "latin",
    siconos: "LATIN (204)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]),
    storage: "any",
    reference: "Ladeveze (1999), 5; Lions, Mercier (1979)",
};

/// Description of the method with one search direction for each unknown.
pub(super) const WEIGHTED: MethodDescription = MethodDescription {
    name: "latin-weighted",
    siconos: "LATIN_W (205)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]),
    storage: "any",
    reference: "Ladeveze (1999), 5; Lions, Mercier (1979)",
};

impl Solver for Latin {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        self.settings.description().name
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

impl Latin {
    /// Runs the method from a nonnegative initial guess.
    fn iterate(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        let (m, tolerance) = (problem.m(), self.settings.tolerance);
        let guess = self.test.of_point(problem, z, w);
        let mut error = guess.error;
        if error <= tolerance {
            return SolveInfo { status: guess.status(tolerance), iterations: 0, error };
        }
        self.ones.clear();
        self.ones.resize(z.len(), 1.0);
        let mut k = self.begin(m);
        self.newton.prepare(m, m.is_symmetric());
        if !self.factor(m, k) {
            return SolveInfo { status: Status::Breakdown, iterations: 0, error };
        }
        self.p.clear();
        self.p.extend(z.iter().zip(&*w).zip(&self.k).map(|((z, w), k)| k * z - w));
        let norm_q = norm(problem.q());
        let mut changes = 0;
        self.local(z);
        for iterations in 1..=self.settings.max_iterations {
            self.previous.clear();
            self.previous.extend_from_slice(z);
            // (2), (3), and (1) of the next iteration, which gives the candidate point
            let Some(change) = self.linear_stage(problem, norm_q) else {
                error = self.test.of_point(problem, z, w).error;
                return SolveInfo { status: Status::Breakdown, iterations, error };
            };
            let near = self.distance(z) <= MEASURE_BELOW * tolerance * norm_q;
            self.local(z);
            // (4)
            let in_place = change <= f64::EPSILON * norm(&self.p);
            let is_look = iterations % CHECK == 0;
            let is_last = cancellation::is_over(iterations, self.settings.max_iterations, error);
            if near || is_look || in_place || is_last {
                write_image(problem, z, w);
                error = self.test.error_by(tolerance, problem, z, w);
                if error <= tolerance {
                    let tested = self.test.of(problem, z, w);
                    return SolveInfo { status: tested.status(tolerance), iterations, error: tested.error };
                }
            }
            if in_place || is_last {
                let tested = self.test.of(problem, z, w);
                let status = match tested.status(tolerance) {
                    Status::Stalled if !in_place => Status::MaxIterations,
                    status => status,
                };
                return SolveInfo { status, iterations, error: tested.error };
            }
            // (5)
            if is_look && self.settings.search_direction.is_none() && changes < CHANGES {
                let factor = self.imbalance(z, w, norm_q);
                if !(1.0 / IMBALANCE..=IMBALANCE).contains(&factor) {
                    k *= factor;
                    changes += 1;
                    if !self.factor(m, k) {
                        return SolveInfo { status: Status::Breakdown, iterations, error };
                    }
                    // Rescale p so that the pair of the local stage stays the same with the new direction.
                    self.p.iter_mut().filter(|p| **p > 0.0).for_each(|p| *p *= factor);
                }
            }
        }
        let tested = self.test.of(problem, z, w);
        let status = match tested.status(tolerance) {
            Status::Stalled => Status::MaxIterations,
            status => status,
        };
        SolveInfo { status, iterations: 0, error: tested.error }
    }
}
