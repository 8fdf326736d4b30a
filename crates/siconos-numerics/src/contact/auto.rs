//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

use serde::{Deserialize, Serialize};

use super::cost;
use super::in_velocities::InVelocities;
use super::residual::{conclude, error_of_point};
use super::units::OwnUnits;
use super::{
    Admm, AdmmSettings, Contact, ContactFunction, ContactProblem, GaussSeidelSettings, InteriorPoint,
    InteriorPointSettings, Newton, NewtonSettings, NonsmoothGaussSeidel, ProximalPoint,
    ProximalPointSettings,
};
use crate::chain::{Allowance, Chain, Link, Plan, Start};
use crate::effort::{EffortLimit, product};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::watch;

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps of Gauss-Seidel before the methods that factorise; they have limits of
    /// their own. Default 100 000, of which few are made where the decay does not promise an end.
    pub max_iterations: usize,
    /// Whether the methods for hopeless cases may be tried in the end, at much cost. Default true.
    pub last_resorts: bool,
    /// The work that one problem may cost before the chain ends. Default 2e9 operations, or 5000
    /// factorisations where that is more.
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
/// **Method.** (1) Sweeps of [`NonsmoothGaussSeidel`] from the guess, with the exact solution of each
/// contact: one or a few are enough for a warm start and for contacts that hardly touch each other. From zero
/// nothing is computed before the first sweep but the diagonal blocks; of a guess the error is. (2) After 48,
/// 112, 240, .. sweeps the decay of the error is extrapolated; where some hundreds more (for large matrices:
/// more than that) would be needed, the sweeps end. (3) [`InteriorPoint`], which does not mind contacts that
/// outnumber the degrees of freedom; its steps cost a factorisation each. Where the bodies are
/// [known](ContactProblem::with_motion) and have fewer degrees of freedom than there are unknowns,
/// [`GlobalInteriorPoint`](super::GlobalInteriorPoint) in its place. (4) [`ProximalPoint`] around Newton
/// from the best point so far: fast near a solution, and the most robust of all far away. (5) The last
/// resorts: Newton on another function from zero, [`Admm`], proximal points from the best point and from
/// zero, and sweeps without looking at the decay. Each gets at most half of the
/// [`effort`](AutoSettings::effort) that is left, counted in operations and not by a clock.
///
/// **Guarantee.** That of the methods together; none in general. What is returned is the best point that any
/// of them has seen.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`, `NoSolution`: see
/// [`Status`](crate::Status). `EffortSpent`: the limit on effort cut a method short. `NotFound`: every method
/// has ended without a solution. The point is the best of all.
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
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    sweeps: NonsmoothGaussSeidel,
    /// Made when they are needed first: most problems never do.
    in_velocities: Option<Box<InVelocities>>,
    interior: Option<Box<InteriorPoint>>,
    proximal: Option<Box<ProximalPoint>>,
    units: OwnUnits,
    chain: Chain,
    terms: Vec<f64>,
}

/// Settings of methods in a chain whose own were checked.
const CHECKED: &str = "the tolerance has been checked, the rest is by default";

/// Sweeps of the first stage; each stage after it has twice as many.
const FIRST_STAGE: usize = 16;

/// Stages whose decay is not looked at: in the first one the error has not settled to its rate.
const UNJUDGED: usize = 1;

/// Further sweeps that may be expected before the methods that factorise are cheaper, for a matrix of
/// [`USUAL_ENTRIES`] entries. A factorisation grows faster than a sweep, about with the square of the
/// entries.
const MOST_EXPECTED: f64 = 500.0;
const USUAL_ENTRIES: f64 = 12_000.0;

/// Steps in the velocities that sweeps may be expected to cost as much as: some twenty, whose operations, on
/// dense blocks, take a quarter of the time of those of a sweep.
const STEPS: f64 = 5.0;

/// Where the steps of interior points jam at an error below this, proximal points are nearer to the end than
/// the central path is.
const NEAR: f64 = 1e-3;

/// Sweeps at the very end.
const LAST_SWEEPS: usize = 10_000;

/// Factorisations that one problem may cost. The proximal point method takes some thousand where it is the
/// last to help.
pub(super) const FACTORISATIONS: f64 = 5000.0;

/// Outer iterations of the proximal point method times unknowns: it wanders for long on the worst problems
/// before it arrives, which cannot be waited for when they are large.
const PROXIMAL_EFFORT: usize = 1_500_000;

impl Default for Auto {
    fn default() -> Self {
        Self::new(AutoSettings::default()).expect("the default settings are in their ranges")
    }
}

impl Auto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        settings.effort.check()?;
        let sweeps = GaussSeidelSettings { tolerance: settings.tolerance, ..GaussSeidelSettings::default() };
        Ok(Self {
            sweeps: NonsmoothGaussSeidel::new(sweeps)?,
            settings,
            in_velocities: None,
            interior: None,
            proximal: None,
            units: OwnUnits::default(),
            chain: Chain::default(),
            terms: Vec::new(),
        })
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
        let in_velocities = InVelocities::motion(problem).map_or(f64::INFINITY, |motion| {
            STEPS * InVelocities::cost(motion, problem.law().blocks()) / of_sweep
        });
        let most_expected = most_expected.min(in_velocities.max(MOST_EXPECTED));
        let allowance = self.chain.allow(of_sweep, self.settings.max_iterations);
        let most = allowance.as_ref().map_or(1, |allowed| allowed.iterations);
        let has_successor = Self::has_successor(problem);
        let mut total = 0;
        let mut before = f64::NAN;
        let mut stage = 0;
        let info = loop {
            let sweeps = (FIRST_STAGE << stage.min(40)).min(most - total);
            self.sweeps.lend(&Allowance::of(sweeps, of_sweep));
            let info = match self.sweeps.solve(problem, r, u) {
                Ok(info) => info,
                // A cone whose diagonal entry is not positive is nothing for sweeps; a contact without
                // compliance is an error.
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
            let is_over = info.status != Status::MaxIterations || total >= most || watch::is_stopped();
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

    /// Interior points in the velocities of the bodies, where these are known and worth it.
    fn in_velocities(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let motion = InVelocities::motion(problem)?;
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        let tolerance = self.settings.tolerance;
        let link = self.in_velocities.get_or_insert_with(|| Box::new(InVelocities::of_checked(tolerance)));
        let plan = Plan {
            why: "the sweeps would take too long, and the bodies are known",
            start: Start::Best,
            cost: InVelocities::cost(motion, problem.law().blocks()),
            most: InteriorPointSettings::default().max_iterations,
        };
        let found = self.chain.attempt(plan, &mut **link, problem, r, u);
        if found.is_none() {
            self.chain.place(Start::Best, r, u);
        }
        found
    }

    fn interior(&mut self, problem: &ContactProblem<'_>, r: &mut [f64], u: &mut [f64]) -> Option<SolveInfo> {
        let tolerance = self.settings.tolerance;
        let interior = self.interior.get_or_insert_with(|| {
            let settings = InteriorPointSettings { tolerance, ..InteriorPointSettings::default() };
            let mut interior = InteriorPoint::new(settings).expect(CHECKED);
            interior.hurry(NEAR);
            Box::new(interior)
        });
        let plan = Plan {
            why: "the sweeps would take too long",
            start: Start::Best,
            cost: cost::of_step(problem),
            most: InteriorPointSettings::default().max_iterations,
        };
        self.chain.attempt(plan, &mut **interior, problem, r, u)
    }

    fn proximal(
        &mut self,
        (start, why): (Start, &'static str),
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let tolerance = self.settings.tolerance;
        let proximal = self.proximal.get_or_insert_with(|| {
            let settings = ProximalPointSettings { tolerance, ..ProximalPointSettings::default() };
            Box::new(ProximalPoint::new(settings).expect(CHECKED))
        });
        proximal.set_max_iterations((PROXIMAL_EFFORT / problem.size()).clamp(30, 1000));
        let plan = Plan { why, start, cost: cost::of_step(problem), most: usize::MAX };
        self.chain.attempt(plan, &mut **proximal, problem, r, u)
    }

    /// Whether a method that factorises takes problems with this law. None takes infinite rolling friction,
    /// which is left to sweeps.
    fn has_successor(problem: &ContactProblem<'_>) -> bool {
        ContactFunction::NaturalMap.supports(&problem.law())
    }

    /// What is left when everything else has failed.
    fn last_resorts(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let proximal = [
            (Start::Best, "from the best point of all"),
            (Start::Here, "from zero, should the guess or the sweeps have led astray"),
        ];
        self.other_newton(problem, r, u)
            .or_else(|| self.admm(problem, r, u))
            .or_else(|| self.proximal(proximal[0], problem, r, u))
            .or_else(|| {
                r.fill(0.0);
                self.proximal(proximal[1], problem, r, u)
            })
            .or_else(|| self.last_sweeps(problem, r, u))
    }

    /// Newton on a function with other kinks and other points where it stalls, from zero.
    fn other_newton(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let mut settings =
            NewtonSettings { function: ContactFunction::JeanMoreau, ..NewtonSettings::default() };
        settings.newton.tolerance = self.settings.tolerance;
        let most = settings.newton.max_iterations;
        r.fill(0.0);
        let why = "another function of the law, from zero";
        let plan = Plan { why, start: Start::Here, cost: cost::of_step(problem), most };
        self.chain.attempt(plan, &mut Newton::of_checked(settings), problem, r, u)
    }

    fn admm(&mut self, problem: &ContactProblem<'_>, r: &mut [f64], u: &mut [f64]) -> Option<SolveInfo> {
        let settings = AdmmSettings { tolerance: self.settings.tolerance, ..AdmmSettings::default() };
        // A step solves with the factors at hand, which are about as full as the matrix.
        let (cost, most) = (2.0 * product(problem.w()), settings.max_iterations);
        let plan = Plan { why: "a last resort", start: Start::Best, cost, most };
        let mut admm = Admm::new(settings).expect(CHECKED);
        self.chain.attempt(plan, &mut admm, problem, r, u)
    }

    /// Sweeps once more, slow as they are: on some problems with much friction nothing else arrives.
    fn last_sweeps(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let most = LAST_SWEEPS.min(self.settings.max_iterations);
        let why = "slow, but sometimes the only way";
        let plan = Plan { why, start: Start::Best, cost: cost::of_sweep(problem), most };
        self.chain.attempt(plan, &mut self.sweeps, problem, r, u)
    }

    /// The methods that factorise, one after the other, each from the best point so far; without interior
    /// points where these have been tried in the velocities.
    fn factorise(
        &mut self,
        with_interior: bool,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> SolveInfo {
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        let mut found = if with_interior { self.interior(problem, r, u) } else { None };
        found = found.or_else(|| self.proximal((Start::Best, "from the best point so far"), problem, r, u));
        if found.is_none() && self.settings.last_resorts {
            found = self.last_resorts(problem, r, u);
        }
        found.unwrap_or_else(|| {
            let ended = self.chain.finish::<Contact>(problem, r, u);
            conclude(
                problem,
                (r, u),
                self.settings.tolerance,
                (ended.status, ended.iterations),
                &mut self.terms,
            )
        })
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
        let is_ended = |info: &SolveInfo| info.status.is_success() || info.status == Status::NoSolution;
        let has_bodies = InVelocities::motion(problem).is_some() && Self::has_successor(problem);
        if !is_ended(&info) && has_bodies {
            info = self.in_velocities(problem, r, u).unwrap_or(info);
        }
        if !is_ended(&info) {
            // What the other methods factorise and add up they are handed in units of the problem's own.
            let mut units = std::mem::take(&mut self.units);
            let own = (problem, self.settings.tolerance);
            let ended =
                units.solve(own, r, u, |problem, r, u| Ok(self.factorise(!has_bodies, problem, r, u)));
            self.units = units;
            info = ended?;
        }
        Ok(SolveInfo { iterations: self.chain.iterations(), ..info })
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}
