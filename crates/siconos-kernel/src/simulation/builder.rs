//! Building a time-stepping simulation.

use std::num::NonZeroUsize;

use crate::arena::SideTable;
use crate::integrator::{EulerMoreau, Integrator, MoreauJean};
use crate::model::{DynamicalSystem, DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{OneStepSolver, check_tolerance};
use crate::settings_error::SettingsError;
use crate::simulation::{Error, SimulationError};

use super::scheme_check::check_schemes;
use super::{
    EventSettings, EventsManager, NewtonSettings, OnNonConvergence, TimeDiscretisation, TimeStepping,
};
use crate::threads::Threads;

/// Collects the parts of a [`TimeStepping`]; all but the time discretisation have defaults.
///
/// Made by [`TimeStepping::builder`]; [`build`](Self::build) checks that the parts fit the model.
#[derive(Debug)]
pub struct TimeSteppingBuilder<'a> {
    model: &'a NonSmoothDynamicalSystem,
    discretisation: Option<TimeDiscretisation>,
    events: EventSettings,
    integrators: Integrators,
    of_systems: Vec<(DynamicalSystemId, Integrator)>,
    solver: OneStepSolver,
    tolerance: Option<f64>,
    newton: NewtonSettings,
    on_non_convergence: OnNonConvergence,
    strict: bool,
    energy_balance: bool,
    threads: NonZeroUsize,
}

impl<'a> TimeSteppingBuilder<'a> {
    pub(super) fn new(model: &'a NonSmoothDynamicalSystem) -> Self {
        Self {
            model,
            discretisation: None,
            events: EventSettings::default(),
            integrators: Integrators::default(),
            of_systems: Vec::new(),
            solver: OneStepSolver::default(),
            tolerance: None,
            newton: NewtonSettings::default(),
            on_non_convergence: OnNonConvergence::default(),
            strict: false,
            energy_balance: false,
            threads: NonZeroUsize::MIN,
        }
    }

    /// The grid in time. Required.
    #[must_use]
    pub fn discretisation(mut self, discretisation: TimeDiscretisation) -> Self {
        self.discretisation = Some(discretisation);
        self
    }

    /// How finely the events of the user are told apart, and how many of the past are kept.
    #[must_use]
    pub fn events(mut self, settings: EventSettings) -> Self {
        self.events = settings;
        self
    }

    /// The integrator of every system of its family (Lagrangian, or first-order) that is not given another.
    /// Defaults: [`MoreauJean`] and [`EulerMoreau`], both with theta 1/2.
    #[must_use]
    pub fn integrator(mut self, integrator: impl Into<Integrator>) -> Self {
        let integrator = integrator.into();
        if integrator.is_first_order() {
            self.integrators.first_order = integrator;
        } else {
            self.integrators.lagrangian = integrator;
        }
        self
    }

    /// The integrator of one system.
    #[must_use]
    pub fn integrator_for(mut self, system: DynamicalSystemId, integrator: impl Into<Integrator>) -> Self {
        self.of_systems.push((system, integrator.into()));
        self
    }

    /// The solver of the one-step problem. Default: [`OneStepSolver::Automatic`], which follows the laws of
    /// the model.
    #[must_use]
    pub fn solver(mut self, solver: impl Into<OneStepSolver>) -> Self {
        self.solver = solver.into();
        self
    }

    /// The error at which a one-step problem counts as solved, relative as its class measures it, above 0.
    /// Default: that of the automatic choice of each class, 1e-8 for contacts with friction. A solver that is
    /// given by [`solver`](Self::solver) keeps its own.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// When Newton's loop ends.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.newton = newton;
        self
    }

    /// What to do when the solver or Newton's loop does not converge. Default: fail.
    #[doc(alias = "checkSolverOutput")]
    #[must_use]
    pub fn on_non_convergence(mut self, policy: OnNonConvergence) -> Self {
        self.on_non_convergence = policy;
        self
    }

    /// Whether a scheme that does not fit the relative degree of the first-order part of the model is
    /// refused. Default: it is warned of, as a `tracing` event and in [`TimeStepping::build_report`]. See
    /// [`SchemeMismatch`](crate::analysis::SchemeMismatch). Each part that interactions connect has a
    /// relative degree of its own. A strict simulation also refuses what has no relative degree to look at: a
    /// singular mass matrix M (a descriptor system), which the schemes as such can carry, or a part of more
    /// than 500 states and multipliers. The model is looked at once, at its initial state. Joints that do not
    /// hold in the [initial state](TimeStepping::initial_state) are refused as well.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether each step measures what becomes of the kinetic energy, for
    /// [`StepReport::energy`](super::StepReport::energy). Default: no, which costs nothing. With other
    /// integrators of second-order systems than [`MoreauJean`] it is refused.
    #[must_use]
    pub fn energy_balance(mut self, is_wanted: bool) -> Self {
        self.energy_balance = is_wanted;
        self
    }

    /// How many threads share the free motion, residuals, relations and one-step problems of a step with
    /// their matrices. Default: 1, that of the caller. Their number changes no bit of the motion, and pays
    /// for models of many systems, from some thousands on. One-step problems are shared by island, with
    /// automatic solvers; one of the user solves them all.
    #[must_use]
    pub fn threads(mut self, count: NonZeroUsize) -> Self {
        self.threads = count;
        self
    }

    /// Checks the parts against each other and against the model.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a parameter outside its range or a missing discretisation, [`SimulationError`]
    /// for parts that do not fit together; under [`strict`](Self::strict) a scheme that is not for the
    /// solutions of the model.
    pub fn build(self) -> Result<TimeStepping, Error> {
        let discretisation = self.discretisation.ok_or(SettingsError::NoTimeDiscretisation)?;
        self.newton.validate()?;
        let t0 = discretisation.t0();
        let mut integrators = self.integrators;
        integrators.lagrangian.validate()?;
        integrators.first_order.validate()?;
        for (system, integrator) in self.of_systems {
            integrator.validate()?;
            self.model.system(system).map_err(SimulationError::Model)?;
            integrators.set(system, integrator);
        }
        let mut simulation = TimeStepping::assemble(
            EventsManager::new(discretisation, self.events)?,
            integrators,
            self.solver,
            self.newton,
            self.on_non_convergence,
        );
        if let Some(tolerance) = self.tolerance {
            check_tolerance(tolerance).map_err(SettingsError::from)?;
            simulation.set_tolerance(tolerance);
        }
        simulation.measure_energy(self.energy_balance);
        simulation.set_threads(Threads::new(self.threads)?);
        simulation.fit(self.model)?;
        let report = check_schemes(self.model, simulation.integrators(), t0);
        if let Some((_, mismatch)) = report.mismatches.first() {
            if self.strict {
                return Err(SimulationError::from(mismatch.clone()).into());
            }
            tracing::warn!("{mismatch}");
        }
        if let Some(error) = &report.unchecked {
            if self.strict {
                return Err(SimulationError::from(error.clone()).into());
            }
            tracing::debug!(%error, "the relative degree was not checked");
        }
        simulation.set_build_report(report, self.strict);
        Ok(simulation)
    }
}

/// The integrators of a simulation: one per family, and those of single systems.
#[derive(Clone, Debug)]
pub(super) struct Integrators {
    lagrangian: Integrator,
    first_order: Integrator,
    of_systems: SideTable<DynamicalSystem, Integrator>,
}

impl Default for Integrators {
    fn default() -> Self {
        Self {
            lagrangian: MoreauJean::default().into(),
            first_order: EulerMoreau::default().into(),
            of_systems: SideTable::default(),
        }
    }
}

impl Integrators {
    pub(super) fn set(&mut self, system: DynamicalSystemId, integrator: Integrator) {
        self.of_systems.insert(system, integrator);
    }

    /// The integrator of a system.
    pub(super) fn of(&self, system: DynamicalSystemId, first_order: bool) -> Integrator {
        let default = if first_order { self.first_order } else { self.lagrangian };
        self.of_systems.get(system).copied().unwrap_or(default)
    }
}
