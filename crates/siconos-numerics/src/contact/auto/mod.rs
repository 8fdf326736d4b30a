//! Automatic choice of a method. It starts with cheap sweeps, monitors the decay of their error, and changes
//! to another method before the sweeps stagnate.

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
use super::units::ProblemScaling;
use super::{Contact, ContactProblem};
use crate::cascade::Cascade;
use crate::effort::EffortLimit;
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Maximum [`error`](super::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of Gauss-Seidel sweeps each time the sweeps start or resume. The other methods have
    /// their own limits. Default: 100 000.
    pub max_iterations: usize,
    /// `true` if the last and most expensive stage is enabled. Default: `true`.
    pub last_resorts: bool,
    /// Maximum number of operations for one problem. Default: [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        let effort = EffortLimit::default();
        Self { tolerance: 1e-8, max_iterations: 100_000, last_resorts: true, effort }
    }
}

/// Automatic choice among the methods of the module. Its [`trace`](Solver::trace) lists all methods that were
/// tried, with the reason for each and its result.
///
/// **Problem.** [`ContactProblem`] of any form, with any law. If W is not given, it is computed if there are
/// at most 300 unknowns, or if a sweep with W would read no more entries than a sweep with H. Otherwise, the
/// methods that do not need W are tried first. If they fail, and there are at most 4000 unknowns, W is
/// computed for the methods that need it.
///
/// **Method.** The first stage runs sweeps of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel) from the
/// initial guess. Then the stages in the following table are tried in order until one of them converges. Each
/// method may spend at most half of the remaining [`effort`](AutoSettings::effort), counted in operations.
///
/// | method | condition | limit |
/// |---|---|---|
/// | [`Newton`](super::Newton) | the predicted number of further sweeps after 48 sweeps costs more than these 8 steps; at least 7/8 of the contacts are closed; at most half of the closed contacts slide; and a step with W costs no more than a step with the bodies | 8 steps |
/// | [`VelocityInteriorPoint`](super::VelocityInteriorPoint) | the bodies are used; if the tolerance is at least 1e-4, at most half of the closed contacts slide; if it is smaller, the predicted number of further sweeps costs at most 50 steps | 15 steps |
/// | [`VelocityAdmm`](super::VelocityAdmm) | the bodies are used, and the tolerance is at least 1e-4 | 3000 iterations |
/// | enumeration of the sets of sticking contacts, then a coefficient of 1e6 instead of infinity | infinite friction | 12 contacts for the enumeration; 2000 steps with the coefficient |
/// | [`ProximalPoint`](super::ProximalPoint) | at most 100 unknowns | 1000 iterations |
/// | [`PlaneLemke`](super::PlaneLemke) | Coulomb friction in the plane, and at most 400 unknowns | 2400 pivots |
/// | [`InteriorPoint`](super::InteriorPoint), or [`VelocityInteriorPoint`](super::VelocityInteriorPoint) if the bodies are used | finite friction | 400 steps |
/// | [`ProximalPoint`](super::ProximalPoint), or [`VelocityProximalPoint`](super::VelocityProximalPoint) if W is not given or is too expensive | | 1000 iterations |
/// | Newton's method with two contact functions, [`Admm`](super::Admm), the proximal point method from zero, enumeration in the plane | [`last_resorts`](AutoSettings::last_resorts) is `true` | |
///
/// The bodies are used if $W = H^T M^{-1} H$ within the tolerance, if there are fewer degrees of freedom than
/// unknowns, and if friction is finite. A problem with a dense W and a single contact with Coulomb friction
/// is solved exactly, without sweeps.
///
/// The sweeps run in batches of 16, 32, 64, .. sweeps. The number of further sweeps is predicted from the
/// decay of the error during a batch. The sweeps end if the predicted sweeps cost more than 15 steps of the
/// next method that factorises matrices.
///
/// The sweeps can resume before a later stage. If the 15 interior-point steps were tried because convergence
/// of the sweeps had been predicted, the sweeps resume after these steps. Before each of the other stages,
/// the sweeps resume if their error has decreased since their first batch and the Newton stage was not tried.
/// The resumed sweeps may spend as much effort as all other methods have spent together. Piles with a loose
/// tolerance often need ten thousand sweeps, because the error decreases slowly at first and then suddenly.
///
/// **Steady problems.** If the error of the initial guess is at most 16 times the tolerance, `Auto` assumes
/// that the problem belongs to a simulation of bodies at rest or in uniform motion, in which every step poses
/// the same problem. The solution is then refined to an error of 1e-5 times the tolerance, with at most 15
/// factorisations of [`ProximalPoint`](super::ProximalPoint). Without the refinement, errors within the
/// tolerance would add up from step to step. The refinement is skipped if a factorisation takes more than 2e7
/// operations, or if the error of the solution is already below a limit. This limit is 0.1 times the
/// tolerance, divided by 1, 2, 4 or 8, depending on the last bits of the error.
///
/// **Guarantee.** `Auto` is known to solve the problems that at least one of its methods is known to solve.
/// The result is the pair (r, u) with the smallest error of all stages.
///
/// **Result.** With `Converged`, the error is at or below the tolerance. `AtRoundingLevel` and `NoSolution`
/// are explained in [`Status`](crate::Status). With `EffortSpent`, the limit on effort ended a method early.
/// With `NotFound`, all stages ended without a solution.
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
    /// `true` if the first sweeps ended early because the next stage is Newton's method.
    is_held: bool,
    methods: Methods,
    refinement: Refinement,
    units: ProblemScaling,
    /// Workspace to compute W if the bodies are given instead of W. It is created when it is first needed.
    forming: Option<Box<Forming>>,
    cascade: Cascade,
    terms: Vec<f64>,
}

impl Default for Auto {
    fn default() -> Self {
        Self::of_checked(AutoSettings::default())
    }
}

impl Auto {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        settings.effort.check()?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) accepts.
    pub(crate) fn of_checked(settings: AutoSettings) -> Self {
        Self {
            sweeps: StagedSweeps::of_checked(settings.tolerance),
            is_held: false,
            methods: Methods::of_checked(settings.tolerance),
            refinement: Refinement::of_checked(settings.tolerance),
            settings,
            units: ProblemScaling::default(),
            forming: None,
            cascade: Cascade::default(),
            terms: Vec::new(),
        }
    }

    /// Changes the limit on effort of subsequent solves.
    pub(crate) fn set_effort(&mut self, effort: EffortLimit) {
        self.settings.effort = effort;
    }

    /// Returns the number of operations of the most recent solve.
    pub(crate) fn effort_spent(&self) -> f64 {
        self.cascade.spent()
    }
}

/// Description of the method for tables of methods.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("the problems that its methods together are known to solve"),
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
        self.cascade.begin();
        match problem.form() {
            Form::Delassus(with_w) => {
                if let Some(error) = solve_alone(&with_w, self.settings.tolerance, r, u) {
                    let info = SolveInfo { status: Status::Converged, iterations: 1, error };
                    let effort = cost::of_sweep(problem);
                    self.cascade.note_effort(self.sweeps.name(), "one contact, solved exactly", info, effort);
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
        self.cascade.trace()
    }
}

impl Auto {
    /// Solves the problem in the form selected by `worth`: runs the sweeps and then the other stages of the
    /// cascade.
    fn search(
        &mut self,
        problem: &ContactProblem<'_>,
        worth: Worth,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let mut costs = Costs::of(problem);
        match (problem.form(), costs.in_velocities) {
            (Form::Delassus(problem), _) => self.cascade.limit(&self.settings.effort, problem.w()),
            (_, Some(steps)) => self.cascade.limit_by(&self.settings.effort, steps.factorising),
            _ => self.cascade.limit_by(&self.settings.effort, costs.sweep),
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
            // Other stages can solve contacts whose local problem is singular.
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
        self.cascade.begin_search(r, u, error);
        costs.check_bodies(problem, self.settings.tolerance);
        let info = self.follow_plan(problem, &costs, r, u)?;
        match singular {
            Some(error) if !info.status.is_success() && info.status != Status::NoSolution => Err(error),
            _ => Ok(self.refine(problem, &costs, info, r, u)),
        }
    }

    /// Solves a problem in the global formulation. W is computed if that reduces the cost, or if all methods
    /// without W have failed.
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

    /// Tries the stages that use W after all methods without W have failed.
    fn search_on(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.is_held = false;
        let costs = Costs { in_velocities: None, ..Costs::of(problem) };
        let error = error_of_point(problem, r, u);
        self.cascade.begin_search(r, u, error);
        self.follow_plan(problem, &costs, r, u)
    }

    /// Tries the stages of the cascade. If none of them succeeds, returns the best iterate.
    fn follow_plan(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let found = self.try_plan(problem, costs, r, u)?;
        let info = found.unwrap_or_else(|| {
            let ended = self.cascade.finish::<Contact>(problem, r, u);
            let stop = Stop { status: ended.status, iterations: ended.iterations };
            conclude(problem, r, u, self.settings.tolerance, stop, &mut self.terms)
        });
        Ok(SolveInfo { iterations: self.cascade.iterations(), ..info })
    }
}
