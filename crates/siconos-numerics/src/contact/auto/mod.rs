//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

mod alone;
mod forming;
mod large_friction;
mod methods;
mod reach;
mod refine;
mod sliding;
mod step_costs;
mod sticking;
mod sweeps;
mod turns;

use serde::{Deserialize, Serialize};

use self::alone::solve_alone;
use self::forming::{Forming, Worth};
use self::methods::Methods;
use self::reach::Reach;
use self::refine::Refinement;
use self::sweeps::StagedSweeps;
use super::bodies::BodiesProblem;
use super::cost;
use super::error::{conclude, error_of_point};
use super::problem::Form;
use super::units::OwnUnits;
use super::{Contact, ContactProblem, DelassusProblem};
use crate::chain::Chain;
use crate::effort::EffortLimit;
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps of Gauss-Seidel in each turn; other methods have limits of their own.
    /// Default 100 000, of which few are made where no end is in sight.
    pub max_iterations: usize,
    /// Whether the methods for hopeless cases may be tried in the end, at much cost. Default true.
    pub last_resorts: bool,
    /// Largest number of operations for one problem. Default [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        let effort = EffortLimit::default();
        Self { tolerance: 1e-8, max_iterations: 100_000, last_resorts: true, effort }
    }
}

/// Chooses among the methods of the module, and tells in its [`trace`](Solver::trace) what it tried and why.
///
/// **Problem.** [`ContactProblem`], every law, every operator, every storage. Of bodies that come without W
/// this is formed where there are at most 300 unknowns or it has at most 32 times the entries of M and H,
/// about; else the methods without W come first, and those with W, up to 4000 unknowns, last. Elastic bodies
/// get no sweeps.
///
/// **Method.** One contact with Coulomb friction and a dense W is solved exactly, whatever the guess is.
/// Otherwise: (1) Sweeps of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel) from the guess, with the
/// exact solution of each contact: one or a few are enough for a warm start and for contacts that hardly
/// touch each other. From zero nothing is computed before the first sweep but the diagonal blocks; of a guess
/// the error is. (2) After 48, 112, 240, .. sweeps the decay of the error is extrapolated; where the rest
/// would cost more operations than what comes next, the sweeps end; where bodies are known, not before half
/// of these operations, unless far more are expected. Where a step with W is no longer than one in the
/// velocities of known bodies, where 48 sweeps expect to cost more than six such steps, and where seven
/// eighths of the contacts press and at most half of these slide, the sweeps may have found which: three
/// steps of [`Newton`](super::Newton) come next, and five more where these have brought something. (3) Where
/// the bodies behind W are [known](ContactProblem::with_bodies), are those of W within the tolerance, have
/// fewer degrees of freedom than there are unknowns, and no friction is infinite:
/// [`VelocityInteriorPoint`](super::VelocityInteriorPoint) with 15 steps, in which it solves bodies that
/// friction holds at rest, if the sweeps have promised an end within the cost of 50 of them, or, at a
/// tolerance of 1e-4 or looser, if not most of the contacts slide. At such a tolerance
/// [`VelocityAdmm`](super::VelocityAdmm) is next, as long as every 300 iterations reduce the error to three
/// quarters or less, then sweeps that promise an end, and 3000 iterations more. Then interior points get all
/// their steps, and [`VelocityProximalPoint`](super::VelocityProximalPoint) has its turn where a step with W
/// is too dear for (5) and (6): more than twice as long as one in the velocities, and sixty of them some
/// seconds (600 unknowns, dense). (4) Up to 12 contacts, all with infinite friction: every set of contacts
/// that may stick. With infinite friction: the same problem with a coefficient of 1e6. In other problems
/// [`InteriorPoint`](super::InteriorPoint), which does not mind contacts that outnumber the degrees of
/// freedom; its steps cost a factorisation each. Up to 100 unknowns proximal points come first. (5)
/// [`ProximalPoint`](super::ProximalPoint) around Newton from the best point so far, fast near a solution,
/// and the most robust of all far away. (6) The last resorts: Newton from the best point and from zero, on
/// another function of the law too, [`Admm`](super::Admm), proximal points from the best point and from zero;
/// and, where W is too dear as well, sweeps without looking at the decay.
///
/// Sweeps have further turns. Where the last ones have promised an end that costs less than what comes next
/// usually does, they have one before (5) and between the methods of (3). Where the error falls along a power
/// law that puts an end in sight, they get as many as all other methods together have cost, and as the search
/// that comes next may cost: before (5), before and after (6), before proximal points in the velocities, and
/// at a tolerance of 1e-4 or looser before interior points get all their steps. Then they go on from where
/// they stood and not from the best point: piles of discs to 1e-4 are often solved first by some ten thousand
/// sweeps, whose error falls little for long. Each method gets at most half of the
/// [`effort`](AutoSettings::effort) that is left, counted in operations and not by a clock.
///
/// **Steady problems.** A guess whose error is within 16 tolerances belongs to a simulation of bodies at rest
/// or in uniform motion, which poses the same problem in every step. Its solution is refined to 1e-5 of the
/// tolerance, by a few sweeps and at most 20 factorisations of [`ProximalPoint`](super::ProximalPoint), if a
/// factorisation takes no more than 2e7 operations and the error is above 1e-2 of the tolerance (down to an
/// eighth of that, as the last bits of the error decide): otherwise errors within the tolerance would add up
/// from step to step.
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
    /// True if the first sweeps ended early so that Newton can be tried.
    is_newton_due: bool,
    methods: Methods,
    refinement: Refinement,
    units: OwnUnits,
    /// W of bodies that come without; made when such bodies come first.
    forming: Option<Box<Forming>>,
    chain: Chain,
    terms: Vec<f64>,
}

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
            is_newton_due: false,
            methods: Methods::of_checked(settings.tolerance),
            refinement: Refinement::of_checked(settings.tolerance),
            settings,
            units: OwnUnits::default(),
            forming: None,
            chain: Chain::default(),
            terms: Vec::new(),
        })
    }

    /// Changes the limit on effort between solves.
    pub(super) fn set_effort(&mut self, effort: EffortLimit) {
        self.settings.effort = effort;
    }

    /// Operations of the last solve.
    pub(super) fn effort_spent(&self) -> f64 {
        self.chain.spent()
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
        match problem.form() {
            Form::Delassus(with_w) => {
                if let Some(error) = solve_alone(&with_w, self.settings.tolerance, r, u) {
                    let info = SolveInfo { status: Status::Converged, iterations: 1, error };
                    let effort = cost::of_sweep(problem);
                    self.chain.note_effort(self.sweeps.name(), "one contact, solved exactly", info, effort);
                    return Ok(info);
                }
                self.search(problem, Worth::W, r, u)
            }
            Form::Bodies(bodies) => {
                let mut forming = self.forming.take().unwrap_or_default();
                let solved = self.solve_bodies(&bodies, &mut forming, r, u);
                self.forming = Some(forming);
                solved
            }
        }
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}

impl Auto {
    /// The methods in turn, on a problem in the form in which it is worth it.
    fn search(
        &mut self,
        problem: &ContactProblem<'_>,
        worth: Worth,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let mut reach = Reach::of(problem);
        match (problem.form(), reach.in_velocities) {
            (Form::Delassus(problem), _) => self.chain.limit(&self.settings.effort, problem.w()),
            (_, Some(steps)) => self.chain.limit_by(&self.settings.effort, steps.factorising),
            _ => self.chain.limit_by(&self.settings.effort, reach.sweep),
        }
        self.refinement.reserve(problem);
        self.sweeps.reserve(problem);
        let begun = if worth == Worth::Steps {
            reach.takes_sweeps = false;
            self.begin_without_sweeps()
        } else {
            self.begin(problem, &reach, r, u)
        };
        let (info, singular) = match begun {
            // Contacts that cannot be solved alone may be at zero, or together.
            Err(error @ SolverError::Singular { .. }) if reach.has_w() => {
                (SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }, Some(error))
            }
            info => (info?, None),
        };
        if info.status.is_success() {
            return Ok(self.refine((problem, &reach), info, r, u));
        }
        if info.status == Status::NoSolution {
            return Ok(info);
        }
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        reach.check_bodies(problem, self.settings.tolerance);
        let steps = reach.in_velocities;
        let mut found = None;
        if self.is_newton_due {
            found = self.in_own_units(problem, r, u, Methods::first_newton)?;
            let before_searches = reach.of_first_sweeps() * reach.sweep;
            found = found.or_else(|| self.sweep_as_promised(problem, &reach, before_searches, r, u));
        }
        found = found.or_else(|| steps.and_then(|steps| self.in_velocities(problem, (&reach, steps), r, u)));
        let info = self.take_turns(found, (problem, &reach), r, u)?;
        match singular {
            Some(error) if !info.status.is_success() && info.status != Status::NoSolution => Err(error),
            _ => Ok(self.refine((problem, &reach), info, r, u)),
        }
    }

    /// The methods in turn for bodies without W, which is formed where that is worth it, or where nothing
    /// else has helped.
    fn solve_bodies(
        &mut self,
        bodies: &BodiesProblem<'_>,
        forming: &mut Forming,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let worth = forming.worth(bodies);
        if worth == Worth::W {
            return self.search(&forming.form(bodies)?, worth, r, u);
        }
        let solved = self.search(&bodies.into(), worth, r, u)?;
        if solved.status == Status::NotFound && Forming::has_room(bodies) {
            return self.search_on(&forming.form(bodies)?, r, u);
        }
        Ok(solved)
    }

    /// The methods with W, where nothing has helped without.
    fn search_on(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let reach = Reach { in_velocities: None, ..Reach::of(problem) };
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        self.take_turns(None, (problem, &reach), r, u)
    }

    /// What follows where nothing was found, and the end of the chain.
    fn take_turns(
        &mut self,
        mut found: Option<SolveInfo>,
        (problem, reach): (&ContactProblem<'_>, &Reach),
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        for turn in self.turns(reach, problem.law().has_infinite_friction()) {
            if found.is_some() {
                break;
            }
            found = self.take_turn(turn, (problem, reach), r, u)?;
        }
        let info = found.unwrap_or_else(|| {
            let ended = self.chain.finish::<Contact>(problem, r, u);
            let how = (ended.status, ended.iterations);
            conclude(problem, (r, u), self.settings.tolerance, how, &mut self.terms)
        });
        Ok(SolveInfo { iterations: self.chain.iterations(), ..info })
    }
}
