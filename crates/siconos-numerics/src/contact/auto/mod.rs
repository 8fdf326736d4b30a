//! The default: begins with what is cheap, watches the decay, and changes the method before it stagnates.

mod alone;
mod begin;
mod costs;
mod forming;
mod large_friction;
mod methods;
mod plan;
mod refine;
mod sliding;
mod step_costs;
mod sticking;
mod sweeps;

use serde::{Deserialize, Serialize};

use self::alone::solve_alone;
use self::costs::Costs;
use self::forming::{Forming, Worth};
use self::methods::Methods;
use self::refine::Refinement;
use self::sweeps::StagedSweeps;
use super::bodies::BodiesProblem;
use super::cost;
use super::error::{conclude, error_of_point};
use super::problem::Form;
use super::units::OwnUnits;
use super::{Contact, ContactProblem};
use crate::chain::Chain;
use crate::effort::EffortLimit;
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// Largest number of Gauss-Seidel sweeps in each stage; other methods have limits of their own. Default
    /// 100 000.
    pub max_iterations: usize,
    /// Enables the last and most expensive stage. Default true.
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

/// Automatic choice among the methods of the module. Its [`trace`](Solver::trace) lists the methods that were
/// tried, with the reason and the result of each.
///
/// **Problem.** [`ContactProblem`] with every law, operator and storage. If W is not at hand, it is formed
/// for at most 300 unknowns, or if a sweep reads no more entries of it than of H. Otherwise the methods that
/// need no W come first, and those with W last, for at most 4000 unknowns.
///
/// **Method.** Sweeps of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel) from the guess, then the rows
/// of this table in order, until one converges. A method gets at most half of the
/// [`effort`](AutoSettings::effort) that is left, counted in operations.
///
/// | method | condition | limit |
/// |---|---|---|
/// | [`Newton`](super::Newton) | 48 sweeps predict more than the cost of these steps, 7/8 of the contacts are closed, at most half of these slide, and a step with W costs no more than one with the bodies | 8 steps |
/// | [`VelocityInteriorPoint`](super::VelocityInteriorPoint) | bodies; at a tolerance of at least 1e-4, if at most half of the closed contacts slide; at a smaller one, if the sweeps predict convergence within the cost of 50 steps | 15 steps |
/// | [`VelocityAdmm`](super::VelocityAdmm) | bodies; the tolerance is at least 1e-4 | 3000 iterations |
/// | enumeration of sticking contacts, then a coefficient of 1e6 | infinite friction | 12 contacts; 2000 steps |
/// | [`ProximalPoint`](super::ProximalPoint) | at most 100 unknowns | 1000 iterations |
/// | [`InteriorPoint`](super::InteriorPoint), in velocities if the bodies are known | finite friction | 400 steps |
/// | [`ProximalPoint`](super::ProximalPoint), in velocities if W is not at hand or too expensive | | 1000 iterations |
/// | Newton's method on two functions of the law, [`Admm`](super::Admm), proximal points from zero, enumeration in the plane | [`last_resorts`](AutoSettings::last_resorts) | |
///
/// The bodies are used if $W = H^T M^{-1} H$ within the tolerance, if they have fewer degrees of freedom than
/// there are unknowns, and if friction is finite. One contact with Coulomb friction and a dense W is solved
/// exactly, without sweeps.
///
/// Sweeps run in stages of 16, 32, 64, .. sweeps. The decay of the error over a stage predicts the number of
/// further sweeps. They end if this number costs more than 15 steps of the next method that factorises. They
/// resume after the 15 steps of interior points if that was why these were due. Before other rows they resume
/// if their error has fallen since their first stage, for as much effort as all other methods have spent
/// together, unless most contacts are held. Piles to a loose tolerance often need ten thousand sweeps, over
/// which the error falls slowly and then at once.
///
/// **Steady problems.** If the error of the guess is within 16 tolerances, the problem belongs to a
/// simulation of bodies at rest or in uniform motion, which poses the same problem in every step. Its
/// solution is refined to 1e-5 of the tolerance, by 16 sweeps and at most 15 factorisations of
/// [`ProximalPoint`](super::ProximalPoint), if a factorisation takes at most 2e7 operations and the error
/// exceeds 1e-2 of the tolerance (down to an eighth of that, depending on the last bits of the error).
/// Without it, errors within the tolerance add up from step to step.
///
/// **Guarantee.** None in general; that of the methods together. The result is the point with the least error
/// of all stages.
///
/// **Result.** `Converged`: error at or below the tolerance. `AtRoundingLevel`, `NoSolution`: see
/// [`Status`](crate::Status). `EffortSpent`: the limit on effort stopped a method. `NotFound`: all stages
/// ended without a solution.
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
    is_held: bool,
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
            is_held: false,
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
        let mut costs = Costs::of(problem);
        match (problem.form(), costs.in_velocities) {
            (Form::Delassus(problem), _) => self.chain.limit(&self.settings.effort, problem.w()),
            (_, Some(steps)) => self.chain.limit_by(&self.settings.effort, steps.factorising),
            _ => self.chain.limit_by(&self.settings.effort, costs.sweep),
        }
        self.refinement.reserve(problem);
        self.sweeps.reserve(problem);
        self.is_held = false;
        let begun = if worth == Worth::Steps {
            self.begin_without_sweeps()
        } else {
            self.begin(problem, &costs, r, u)
        };
        let (info, singular) = match begun {
            // Contacts that cannot be solved alone may be at zero, or together.
            Err(error @ SolverError::Singular { .. }) if costs.has_w() => {
                (SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }, Some(error))
            }
            info => (info?, None),
        };
        if info.status.is_success() {
            return Ok(self.refine(problem, &costs, info, r, u));
        }
        if info.status == Status::NoSolution {
            return Ok(info);
        }
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        costs.check_bodies(problem, self.settings.tolerance);
        let info = self.follow_plan(problem, &costs, r, u)?;
        match singular {
            Some(error) if !info.status.is_success() && info.status != Status::NoSolution => Err(error),
            _ => Ok(self.refine(problem, &costs, info, r, u)),
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
        self.is_held = false;
        let costs = Costs { in_velocities: None, ..Costs::of(problem) };
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        self.follow_plan(problem, &costs, r, u)
    }

    /// Tries the rows of the plan, and returns the best point if none succeeds.
    fn follow_plan(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let found = self.try_plan(problem, costs, r, u)?;
        let info = found.unwrap_or_else(|| {
            let ended = self.chain.finish::<Contact>(problem, r, u);
            let stop = Stop { status: ended.status, iterations: ended.iterations };
            conclude(problem, r, u, self.settings.tolerance, stop, &mut self.terms)
        });
        Ok(SolveInfo { iterations: self.chain.iterations(), ..info })
    }
}
