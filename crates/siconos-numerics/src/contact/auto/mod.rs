//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

mod methods;
mod reach;
mod sweeps;

use serde::{Deserialize, Serialize};

use self::methods::Methods;
use self::reach::Reach;
use self::sweeps::StagedSweeps;
use super::residual::{conclude, error_of_point};
use super::units::OwnUnits;
use super::{Contact, ContactProblem, InteriorPointSettings};
use crate::chain::{Chain, Plan, Start};
use crate::effort::EffortLimit;
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps of Gauss-Seidel in each turn; other methods have limits of their own.
    /// Default 100 000, of which few are made where the decay does not promise an end.
    pub max_iterations: usize,
    /// Whether the methods for hopeless cases may be tried in the end, at much cost. Default true.
    pub last_resorts: bool,
    /// The work that one problem may cost before the chain ends. Default 2e9 operations, or 5000
    /// factorisations where that is more. The factorisations are those of a problem of up to 1500 unknowns;
    /// larger ones get fewer in proportion, but not less than 4 percent.
    pub effort: EffortLimit,
}

impl AutoSettings {
    /// The limit on effort for so many unknowns.
    fn limit_of(&self, unknowns: usize) -> EffortLimit {
        let part = (ALL_FACTORISATIONS_UP_TO / unknowns as f64).clamp(LEAST_PART, 1.0);
        EffortLimit { factorisations: part * self.effort.factorisations, ..self.effort }
    }
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
/// **Method.** (1) Sweeps of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel) from the guess, with the
/// exact solution of each contact: one or a few are enough for a warm start and for contacts that hardly
/// touch each other. From zero nothing is computed before the first sweep but the diagonal blocks; of a guess
/// the error is. (2) After 48, 112, 240, .. sweeps the decay of the error is extrapolated; where the rest
/// would cost more operations than what comes next, the sweeps end; where bodies are known, not before half
/// of these operations, unless far more are expected. (3) Where the bodies behind W are
/// [known](ContactProblem::with_motion), are those of W within the tolerance, have fewer degrees of freedom
/// than there are unknowns, and no friction is infinite: [`GlobalInteriorPoint`](super::GlobalInteriorPoint).
/// If the sweeps have promised an end within the cost of 50 of its steps, or the tolerance is 1e-4 or looser,
/// it gets 15, in which it solves bodies that friction holds at rest, then the sweeps have another turn, at
/// such a tolerance [`GlobalAdmm`](super::GlobalAdmm) is next, and then it gets all its steps. After more
/// sweeps, if they promise an end, it is the turn of [`GlobalProximalPoint`](super::GlobalProximalPoint)
/// where a step with W is too dear for (5) to (7): more than twice as long as one in the velocities, and
/// sixty of them some seconds (600 unknowns, dense). (4) In other problems
/// [`InteriorPoint`](super::InteriorPoint), which does not mind contacts that outnumber the degrees of
/// freedom; its steps cost a factorisation each. Up to 100 unknowns proximal points come first. (5) Sweeps
/// again, if they have promised an end that costs less than (6): [`ProximalPoint`](super::ProximalPoint)
/// around Newton from the best point so far, fast near a solution, and the most robust of all far away. (7)
/// The last resorts: Newton from the best point and from zero, on another function of the law too,
/// [`Admm`](super::Admm), proximal points from the best point and from zero, and sweeps without looking at
/// the decay. Where W is too dear, the sweeps alone follow (3). Each method gets at most half of the
/// [`effort`](AutoSettings::effort) that is left, counted in operations and not by a clock.
///
/// **Guarantee.** That of the methods together; none in general. What is returned is the best point that any
/// of them has seen.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`, `NoSolution`: see
/// [`Status`](crate::Status). `EffortSpent`: the limit on effort cut a method short. `NotFound`: every method
/// that is affordable has ended without a solution. The point is the best of all.
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
    sweeps: StagedSweeps,
    methods: Methods,
    units: OwnUnits,
    chain: Chain,
    terms: Vec<f64>,
}

/// Factorisations that one problem may cost. The proximal point method takes some thousand where it is the
/// last to help.
pub(super) const FACTORISATIONS: f64 = 5000.0;

/// Unknowns up to which all factorisations are allowed, and the part that is allowed however many there are.
const ALL_FACTORISATIONS_UP_TO: f64 = 1500.0;
const LEAST_PART: f64 = 0.04;

/// Where the error need not be smaller than this, alternating directions get there before interior points.
const LOOSE: f64 = 1e-4;

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
        Ok(Self {
            sweeps: StagedSweeps::of_checked(settings.tolerance),
            methods: Methods::of_checked(settings.tolerance),
            settings,
            units: OwnUnits::default(),
            chain: Chain::default(),
            terms: Vec::new(),
        })
    }

    /// The first sweeps, from the guess.
    fn begin(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let allowance = self.chain.allow(reach.sweep, self.settings.max_iterations);
        let most = allowance.as_ref().map_or(1, |allowed| allowed.iterations);
        let expected = reach.of_first_sweeps();
        let least = if reach.step_in_velocities.is_some() { Reach::TRIED_FIRST * expected } else { 0.0 };
        self.sweeps.begin(expected, least);
        let info = match self.sweeps.run(problem, most, r, u) {
            Ok(info) => info,
            // A cone whose diagonal entry is not positive is nothing for sweeps; a contact without compliance
            // is an error.
            Err(SolverError::Singular { .. }) if !problem.law().has_shift() => {
                SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
            }
            Err(error) => return Err(error),
        };
        if let Some(allowance) = &allowance {
            self.chain.note_limit(&info, allowance);
        }
        let effort = reach.sweep * info.iterations as f64;
        self.chain.note_effort(self.sweeps.name(), "cheap, and starts from the guess", info, effort);
        Ok(info)
    }

    /// More sweeps from the best point, where they have promised an end for less than this many operations.
    fn sweep_again(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        operations: f64,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        if !self.sweeps.would_end_within(operations / reach.sweep) {
            return None;
        }
        self.sweeps.go_on(operations / reach.sweep);
        let plan = Plan {
            why: "the sweeps promise an end after all",
            start: Start::Best,
            cost: reach.sweep,
            most: self.settings.max_iterations,
        };
        self.chain.attempt(plan, &mut self.sweeps, problem, r, u)
    }

    /// The methods in the velocities of the bodies. Bodies that friction holds at rest take few steps of
    /// interior points; where the sweeps have promised an end within the many that sliding ones take, they
    /// get the turn after the few.
    fn in_velocities(
        &mut self,
        problem: &ContactProblem<'_>,
        (reach, step): (&Reach, f64),
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let operations = Reach::STEPS_ALONG_THE_PATH as f64 * step;
        let is_loose = self.settings.tolerance >= LOOSE;
        if is_loose || self.sweeps.would_end_within(operations / reach.sweep) {
            let few = (step, Reach::STEPS_AT_REST, "they may be enough where friction holds the bodies");
            let mut found = self
                .methods
                .interior_in_velocities(&mut self.chain, few, problem, r, u)
                .or_else(|| self.sweep_again(problem, reach, operations, r, u));
            if is_loose {
                let Self { methods, chain, .. } = self;
                found = found.or_else(|| methods.admm_in_velocities(chain, step, problem, r, u));
            }
            if found.is_some() {
                return found;
            }
        }
        let why = "the sweeps would take too long, and the bodies are known";
        let most = (step, InteriorPointSettings::default().max_iterations, why);
        let found = self.methods.interior_in_velocities(&mut self.chain, most, problem, r, u);
        let operations = Reach::FACTORISATIONS_OF_PROXIMAL_POINTS as f64 * step;
        let found = found.or_else(|| self.sweep_again(problem, reach, operations, r, u));
        if found.is_some() || reach.is_w_affordable() {
            return found;
        }
        self.methods.proximal_in_velocities(&mut self.chain, step, problem, r, u)
    }

    /// The methods that factorise W, one after the other, each from the best point so far.
    fn factorise(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let Self { methods, chain, .. } = self;
        let mut found = None;
        if reach.is_small {
            found = methods.proximal(chain, (Start::Best, "the problem is small"), problem, r, u);
        }
        if reach.step_in_velocities.is_none() {
            found = found.or_else(|| methods.interior(chain, problem, r, u));
        }
        found = found.or_else(|| self.sweep_again(problem, reach, reach.of_proximal_points(), r, u));
        let Self { methods, chain, settings, .. } = self;
        found = found
            .or_else(|| methods.proximal(chain, (Start::Best, "from the best point so far"), problem, r, u));
        if found.is_none() && settings.last_resorts {
            found = methods.last_resorts(chain, problem, r, u);
        }
        found
    }

    /// Everything that factorises, in units of the problem's own.
    fn in_own_units(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let mut units = std::mem::take(&mut self.units);
        let own = (problem, self.settings.tolerance);
        let ended = units.solve(own, r, u, |problem, r, u| {
            let error = error_of_point(problem, r, u);
            self.chain.begin_search(r, u, error);
            let mut found = None;
            if reach.is_w_affordable() {
                found = self.factorise(problem, reach, r, u);
            }
            if found.is_none() && self.settings.last_resorts {
                let sweeps = (self.sweeps.solver(), self.settings.max_iterations);
                found = self.methods.last_sweeps(&mut self.chain, sweeps, problem, r, u);
            }
            Ok(found.unwrap_or_else(|| {
                let ended = self.chain.finish::<Contact>(problem, r, u);
                let how = (ended.status, ended.iterations);
                conclude(problem, (r, u), self.settings.tolerance, how, &mut self.terms)
            }))
        });
        self.units = units;
        ended
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
        self.chain.limit(&self.settings.limit_of(problem.size()), problem.w());
        let mut reach = Reach::of(problem);
        let info = self.begin(problem, &reach, r, u)?;
        if info.status.is_success() || info.status == Status::NoSolution {
            return Ok(info);
        }
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        reach.check_bodies(problem, self.settings.tolerance);
        let step = reach.step_in_velocities;
        let found = step.and_then(|step| self.in_velocities(problem, (&reach, step), r, u));
        let info = match found {
            Some(info) => info,
            None => {
                self.chain.place(Start::Best, r, u);
                self.in_own_units(problem, &reach, r, u)?
            }
        };
        Ok(SolveInfo { iterations: self.chain.iterations(), ..info })
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}
