//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

use serde::{Deserialize, Serialize};

use super::best_iterate::BestIterate;
use super::residual::error_of_point;
use super::{
    Admm, AdmmSettings, ContactProblem, ContactSolver, InteriorPoint, InteriorPointSettings,
    NonsmoothGaussSeidel, ProximalPoint,
};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{Attempt, SolveInfo, Status};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps of Gauss-Seidel before the methods that factorise; they have limits of their own.
    /// Default 100 000, of which few are made where the decay does not promise an end.
    pub max_iterations: usize,
    /// Whether the methods for hopeless cases may be tried in the end, at much cost. Default true.
    pub last_resorts: bool,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 100_000, last_resorts: true }
    }
}

/// Chooses among the methods of the module, and tells in its [`trace`](ContactSolver::trace) what it tried and why.
///
/// **Problem.** [`ContactProblem`], every law, every storage.
///
/// **Method.** (1) Sweeps of [`NonsmoothGaussSeidel`] from the guess, with the exact solution of each contact: one or a few are
/// enough for a warm start and for contacts that hardly touch each other. Nothing is computed before the first sweep
/// but the diagonal blocks. (2) After 16, 48, 112, .. sweeps the decay of the error is extrapolated; where it would take more than
/// some hundreds (more for large matrices), the sweeps end. (3) [`InteriorPoint`], which does not mind contacts that outnumber the degrees of freedom; its
/// steps cost a factorisation each. (4) [`ProximalPoint`] around Newton from the best point so far: fast near a solution, and
/// the most robust of all far away. (5) The last resort: [`Admm`], and proximal points from where it ends and from zero.
///
/// **Guarantee.** That of the methods together; none in general. What is returned is the best point that any of them has seen.
///
/// **Result.** `Converged`: error at or below the tolerance. Otherwise the status of the last method and the best point.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{Auto, ContactLaw, ContactProblem, ContactSolver};
///
/// let w = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 3, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 3.0, 4.0], law)?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let mut solver = Auto::default();
/// assert!(solver.solve(&problem, &mut r, &mut u)?.status.is_success());
/// assert_eq!(solver.trace()[0].method, "nonsmooth Gauss-Seidel");
/// assert!((r[1] + 0.3).abs() < 1e-12 && (r[2] + 0.4).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug, Default)]
pub struct Auto {
    settings: AutoSettings,
    sweeps: NonsmoothGaussSeidel,
    /// Made when they are needed first: most problems never do.
    interior: Option<Box<InteriorPoint>>,
    proximal: Option<Box<ProximalPoint>>,
    best: BestIterate,
    trace: Vec<Attempt>,
}

/// Sweeps of the first stage; each stage after it has twice as many.
const FIRST_STAGE: usize = 16;

/// Stages whose decay is looked at. In the first one the error has not settled to its rate.
const UNJUDGED: usize = 1;

/// Sweeps that may be expected in total before the methods that factorise are cheaper, for a matrix of [`USUAL_ENTRIES`]
/// entries. A factorisation grows faster than a sweep, about with the square of the entries.
const MOST_EXPECTED: f64 = 500.0;
const USUAL_ENTRIES: f64 = 12_000.0;

/// Steps of the interior-point method: where it has not come far by then it is jammed.
const INTERIOR_STEPS: usize = 60;

/// Outer iterations of the proximal point method times unknowns: it wanders for long on the worst problems before it arrives,
/// which cannot be waited for when they are large.
const PROXIMAL_EFFORT: usize = 1_500_000;

impl Auto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Notes an attempt and its point; says whether it is a solution.
    fn note(&mut self, attempt: Attempt, r: &[f64]) -> bool {
        tracing::debug!(method = attempt.method, why = attempt.why, status = ?attempt.info.status, error = attempt.info.error);
        // What has run off along W r = 0 has a small error, but is no beginning for the next method.
        if attempt.info.status != Status::NotFound {
            self.best.offer(r, attempt.info.error);
        }
        self.trace.push(attempt);
        attempt.info.status.is_success()
    }

    /// Gauss-Seidel in stages, for as long as its decay promises an end.
    fn sweep(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let tolerance = self.settings.tolerance;
        let most_expected = MOST_EXPECTED * (problem.w().stored_entries() as f64 / USUAL_ENTRIES).max(1.0);
        let mut total = 0;
        let mut before = f64::NAN;
        let mut stage = 0;
        let info = loop {
            let sweeps = (FIRST_STAGE << stage.min(40)).min(self.settings.max_iterations - total);
            self.sweeps.set_limits(tolerance, sweeps);
            let info = match self.sweeps.solve(problem, r, u) {
                Ok(info) => info,
                // A cone whose diagonal entry is not positive is nothing for sweeps; a contact without compliance is an error.
                Err(SolverError::Singular { .. }) if !problem.law().has_shift() => {
                    SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
                }
                Err(error) => return Err(error),
            };
            total += info.iterations;
            let decay = (info.error / before).ln() / info.iterations.max(1) as f64;
            let expected = (tolerance / info.error).ln() / decay;
            let is_hopeless = stage >= UNJUDGED && !(decay < 0.0 && expected <= most_expected);
            let is_over = info.status != Status::MaxIterations || total >= self.settings.max_iterations;
            if is_over || is_hopeless {
                break SolveInfo { iterations: total, ..info };
            }
            before = info.error;
            stage += 1;
        };
        Ok(self.note(
            Attempt {
                method: self.sweeps.name(),
                why: "cheap, and starts from the guess",
                info,
                effort: 0.0,
            },
            r,
        ))
    }

    fn interior(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let mut solver = match self.interior.take() {
            Some(solver) => solver,
            None => Box::new(InteriorPoint::new(InteriorPointSettings {
                max_iterations: INTERIOR_STEPS,
                ..InteriorPointSettings::default()
            })?),
        };
        solver.set_tolerance(self.settings.tolerance);
        let attempt = solver.supports(problem).is_ok().then(|| solver.solve(problem, r, u)).transpose()?;
        self.interior = Some(solver);
        let why = "the sweeps would take too long";
        Ok(attempt
            .is_some_and(|info| self.note(Attempt { method: "interior point", why, info, effort: 0.0 }, r)))
    }

    fn proximal(
        &mut self,
        why: &'static str,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let mut solver = self.proximal.take().unwrap_or_default();
        let steps = (PROXIMAL_EFFORT / problem.size()).clamp(30, 1000);
        solver.set_limits(self.settings.tolerance, steps);
        let info = solver.solve(problem, r, u)?;
        self.proximal = Some(solver);
        Ok(self.note(Attempt { method: "proximal point", why, info, effort: 0.0 }, r))
    }

    /// What is left when everything else has failed.
    fn last_resorts(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let mut admm =
            Admm::new(AdmmSettings { tolerance: self.settings.tolerance, ..AdmmSettings::default() })?;
        self.best.copy_to(r);
        let info = admm.solve(problem, r, u)?;
        if self.note(Attempt { method: admm.name(), why: "a last resort", info, effort: 0.0 }, r) {
            return Ok(true);
        }
        self.best.copy_to(r);
        if self.proximal("from the best point of all", problem, r, u)? {
            return Ok(true);
        }
        r.fill(0.0);
        self.proximal("from zero, should the guess or the sweeps have led astray", problem, r, u)
    }
}

impl ContactSolver for Auto {
    fn name(&self) -> &'static str {
        "Auto"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn supports(&self, _: &ContactProblem<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), r, u)?;
        self.trace.clear();
        if problem.size() == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        self.best.begin(r, f64::NAN);
        let mut is_solved = self.sweep(problem, r, u)?;
        if !is_solved {
            self.best.copy_to(r);
            is_solved = self.interior(problem, r, u)?;
        }
        if !is_solved {
            self.best.copy_to(r);
            is_solved = self.proximal("from the best point so far", problem, r, u)?;
        }
        if !is_solved && self.settings.last_resorts {
            is_solved = self.last_resorts(problem, r, u)?;
        }
        let iterations = self.trace.iter().map(|attempt| attempt.info.iterations).sum();
        if is_solved {
            let error = error_of_point(problem, r, u);
            return Ok(SolveInfo { status: Status::Converged, iterations, error });
        }
        let status = self.trace.last().map_or(Status::NotFound, |attempt| attempt.info.status);
        Ok(self.best.finish(problem, r, u, status, iterations))
    }

    fn trace(&self) -> &[Attempt] {
        &self.trace
    }
}
