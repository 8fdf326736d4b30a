//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

use serde::{Deserialize, Serialize};

use super::best_iterate::BestIterate;
use super::cost;
use super::residual::error_of_point;
use super::units::OwnUnits;
use super::{
    Admm, AdmmSettings, Contact, ContactFunction, ContactProblem, InteriorPoint, Newton, NewtonSettings,
    NonsmoothGaussSeidel, ProximalPoint,
};
use crate::chain::Chain;
use crate::effort::{EffortLimit, factorisation, product};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

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
    /// The work that one problem may cost before the chain ends. Default 2e9 operations, or 5000 factorisations where that is more.
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        let effort = EffortLimit { factorisations: FACTORISATIONS, ..EffortLimit::default() };
        Self { tolerance: 1e-8, max_iterations: 100_000, last_resorts: true, effort }
    }
}

/// Chooses among the methods of the module, and tells in its [`trace`](Solver::trace) what it tried and why.
///
/// **Problem.** [`ContactProblem`], every law, every storage.
///
/// **Method.** (1) Sweeps of [`NonsmoothGaussSeidel`] from the guess, with the exact solution of each contact: one or a few are
/// enough for a warm start and for contacts that hardly touch each other. From zero nothing is computed before the first sweep
/// but the diagonal blocks; of a guess the error is. (2) After 48, 112, 240, .. sweeps the decay of the error is extrapolated; where some
/// hundreds more (for large matrices: more than that) would be needed, the sweeps end. (3) [`InteriorPoint`], which does not mind contacts that outnumber the degrees of freedom; its
/// steps cost a factorisation each. (4) [`ProximalPoint`] around Newton from the best point so far: fast near a solution, and
/// the most robust of all far away. (5) The last resorts: Newton on another function from zero, [`Admm`], proximal points from
/// the best point and from zero, and sweeps without looking at the decay. Each gets at most half of the [`effort`](AutoSettings::effort) that is left, counted in operations and not by a clock.
///
/// **Guarantee.** That of the methods together; none in general. What is returned is the best point that any of them has seen.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`, `NoSolution`: see
/// [`Status`](crate::Status). `EffortSpent`: the limit on effort cut a method short. `NotFound`: every method has ended
/// without a solution. The point is the best of all.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{Auto, ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 3, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 3.0, 4.0], law)?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let mut solver = Auto::default();
/// assert!(solver.solve(&problem, &mut r, &mut u)?.status.is_success());
/// assert_eq!(solver.trace()[0].method, "nonsmooth-gauss-seidel");
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
    units: OwnUnits,
    chain: Chain,
}

/// Sweeps of the first stage; each stage after it has twice as many.
const FIRST_STAGE: usize = 16;

/// Stages whose decay is not looked at: in the first one the error has not settled to its rate.
const UNJUDGED: usize = 1;

/// Further sweeps that may be expected before the methods that factorise are cheaper, for a matrix of [`USUAL_ENTRIES`]
/// entries. A factorisation grows faster than a sweep, about with the square of the entries.
const MOST_EXPECTED: f64 = 500.0;
const USUAL_ENTRIES: f64 = 12_000.0;

/// Steps of the interior-point method: where it has not come far by then it is jammed.
const INTERIOR_STEPS: usize = 60;

/// Sweeps at the very end.
const LAST_SWEEPS: usize = 10_000;

/// Factorisations that one problem may cost. The proximal point method takes some thousand where it is the last to help.
pub(super) const FACTORISATIONS: f64 = 5000.0;

/// Outer iterations of the proximal point method times unknowns: it wanders for long on the worst problems before it arrives,
/// which cannot be waited for when they are large.
const PROXIMAL_EFFORT: usize = 1_500_000;

impl Auto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        settings.effort.check()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Gauss-Seidel in stages, for as long as its decay promises an end.
    fn sweep(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        let most_expected = MOST_EXPECTED * (problem.w().stored_entries() as f64 / USUAL_ENTRIES).max(1.0);
        let of_sweep = cost::of_sweep(problem);
        let allowance = self.chain.allow(of_sweep, self.settings.max_iterations);
        let most = allowance.as_ref().map_or(1, |allowed| allowed.iterations);
        let has_successor = Self::has_successor(problem);
        let mut total = 0;
        let mut before = f64::NAN;
        let mut stage = 0;
        let info = loop {
            let sweeps = (FIRST_STAGE << stage.min(40)).min(most - total);
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
            let is_slow = !(decay < 0.0 && expected <= most_expected);
            let is_hopeless = stage >= UNJUDGED && is_slow && has_successor;
            let is_over = info.status != Status::MaxIterations || total >= most;
            if is_over || is_hopeless {
                break SolveInfo { iterations: total, ..info };
            }
            before = info.error;
            stage += 1;
        };
        if let Some(allowance) = &allowance {
            self.chain.note_limit(&info, allowance);
        }
        self.chain.note_effort(
            self.sweeps.name(),
            "cheap, and starts from the guess",
            info,
            of_sweep * total as f64,
        );
        Ok(info)
    }

    fn interior(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let mut solver = self.interior.take().unwrap_or_default();
        let allowance = self.chain.allow(cost::of_step(problem), INTERIOR_STEPS);
        let allowance = allowance.filter(|_| solver.supports(problem).is_ok());
        let mut is_solved = false;
        if let Some(allowance) = allowance {
            solver.set_limits(self.settings.tolerance, allowance.iterations);
            let info = solver.solve(problem, r, u)?;
            self.chain.note(solver.name(), "the sweeps would take too long", info, allowance);
            self.best.offer(r, info.error);
            is_solved = info.status.is_success();
        }
        self.interior = Some(solver);
        Ok(is_solved)
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
        let of_step = cost::of_step(problem);
        let allowance = self.chain.allow(of_step, usize::MAX).filter(|_| solver.supports(problem).is_ok());
        let mut is_solved = false;
        if let Some(allowance) = allowance {
            solver.set_limits(self.settings.tolerance, steps, of_step * allowance.iterations as f64);
            let info = solver.solve(problem, r, u)?;
            self.chain.note_effort(solver.name(), why, info, solver.effort());
            self.best.offer(r, info.error);
            is_solved = info.status.is_success();
        }
        self.proximal = Some(solver);
        Ok(is_solved)
    }

    /// Whether a method that factorises takes problems with this law. None takes infinite rolling friction, which is left to sweeps.
    fn has_successor(problem: &ContactProblem<'_>) -> bool {
        ContactFunction::NaturalMap.supports(&problem.law())
    }

    /// What is left when everything else has failed.
    fn last_resorts(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        if self.other_newton(problem, r, u)? {
            return Ok(true);
        }
        self.best.copy_to(r);
        if self.admm(problem, r, u)? {
            return Ok(true);
        }
        self.best.copy_to(r);
        if self.proximal("from the best point of all", problem, r, u)? {
            return Ok(true);
        }
        r.fill(0.0);
        if self.proximal("from zero, should the guess or the sweeps have led astray", problem, r, u)? {
            return Ok(true);
        }
        self.best.copy_to(r);
        self.last_sweeps(problem, r, u)
    }

    /// Newton on a function with other kinks and other points where it stalls, from zero.
    fn other_newton(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let mut settings =
            NewtonSettings { function: ContactFunction::JeanMoreau, ..NewtonSettings::default() };
        let allowance = self.chain.allow(cost::of_step(problem), settings.newton.max_iterations);
        let Some(allowance) = allowance.filter(|_| settings.function.supports(&problem.law())) else {
            return Ok(false);
        };
        settings.newton.tolerance = self.settings.tolerance;
        settings.newton.max_iterations = allowance.iterations;
        let mut newton = Newton::of_checked(settings);
        r.fill(0.0);
        let info = newton.solve(problem, r, u)?;
        let effort = newton.effort(problem, info.iterations);
        self.chain.note_limit(&info, &allowance);
        self.chain.note_effort(newton.name(), "another function of the law, from zero", info, effort);
        self.best.offer(r, info.error);
        Ok(info.status.is_success())
    }

    fn admm(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let (tolerance, most) = (self.settings.tolerance, AdmmSettings::default().max_iterations);
        // A step solves with the factors at hand, which are about as full as the matrix.
        let Some(mut allowance) = self.chain.allow(2.0 * product(problem.w()), most) else {
            return Ok(false);
        };
        let max_iterations = allowance.iterations;
        let mut admm = Admm::new(AdmmSettings { tolerance, max_iterations, ..AdmmSettings::default() })?;
        if admm.supports(problem).is_err() {
            return Ok(false);
        }
        let info = match admm.solve(problem, r, u) {
            // What it factorises is singular: no problem for it.
            Err(SolverError::Singular { .. }) => {
                SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
            }
            ended => ended?,
        };
        allowance.extra = admm.factorisations() as f64 * factorisation(problem.w());
        self.chain.note(admm.name(), "a last resort", info, allowance);
        self.best.offer(r, info.error);
        Ok(info.status.is_success())
    }

    /// Sweeps once more, slow as they are: on some problems with much friction nothing else arrives.
    fn last_sweeps(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<bool, SolverError> {
        let most = LAST_SWEEPS.min(self.settings.max_iterations);
        let Some(allowance) = self.chain.allow(cost::of_sweep(problem), most) else { return Ok(false) };
        self.sweeps.set_limits(self.settings.tolerance, allowance.iterations);
        let info = match self.sweeps.solve(problem, r, u) {
            Err(SolverError::Singular { .. }) => return Ok(false),
            ended => ended?,
        };
        self.chain.note(self.sweeps.name(), "slow, but sometimes the only way", info, allowance);
        self.best.offer(r, info.error);
        Ok(info.status.is_success())
    }

    /// The methods that factorise, one after the other, each from the best point so far.
    fn factorise(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.best.begin(r, error_of_point(problem, r, u));
        let mut is_solved = self.interior(problem, r, u)?;
        if !is_solved {
            self.best.copy_to(r);
            is_solved = self.proximal("from the best point so far", problem, r, u)?;
        }
        if !is_solved && self.settings.last_resorts {
            is_solved = self.last_resorts(problem, r, u)?;
        }
        let last = self.chain.trace().last().map_or(Status::NotFound, |attempt| attempt.info.status);
        if is_solved {
            let error = error_of_point(problem, r, u);
            return Ok(SolveInfo { status: last, iterations: 0, error });
        }
        let status = self.chain.status_at_its_end();
        Ok(self.best.finish(problem, (r, u), self.settings.tolerance, (status, 0)))
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("what its methods together are known to solve"),
    storage: "any",
    reference: "see the page",
};

impl Solver for Auto {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), r, u)?;
        self.chain.begin();
        self.chain.limit(&self.settings.effort, problem.w());
        let mut info = self.sweep(problem, r, u)?;
        if !info.status.is_success() && info.status != Status::NoSolution {
            // What the other methods factorise and add up they are handed in units of the problem's own.
            let mut units = std::mem::take(&mut self.units);
            let own = (problem, self.settings.tolerance);
            let ended = units.solve(own, r, u, |problem, r, u| self.factorise(problem, r, u));
            self.units = units;
            info = ended?;
        }
        Ok(SolveInfo { iterations: self.chain.iterations(), ..info })
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}
