//! Builder of time-stepping simulations.

use std::num::NonZeroUsize;

use crate::arena::SideTable;
use crate::detection::ContactSource;
use crate::integrator::{EulerMoreau, Integrator, MoreauJean};
use crate::model::{DynamicalSystem, DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::{OneStepSolver, check_tolerance};
use crate::settings_error::SettingsError;
use crate::simulation::{Error, SimulationError};

use super::scheme_check::check_schemes;
use super::{
    EventSettings, EventsManager, NewtonSettings, OnNonConvergence, Sleeping, TimeDiscretisation,
    TimeStepping,
};
use crate::threads::Threads;

/// Builder of a [`TimeStepping`] simulation.
///
/// Only the time discretisation is required; all other settings have defaults. Created by
/// [`TimeStepping::builder`].
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
    contacts: Option<Box<dyn ContactSource>>,
    sleeping: Option<Sleeping>,
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
            contacts: None,
            sleeping: None,
            threads: NonZeroUsize::MIN,
        }
    }

    /// Sets the time grid. Required.
    #[must_use]
    pub fn discretisation(mut self, discretisation: TimeDiscretisation) -> Self {
        self.discretisation = Some(discretisation);
        self
    }

    /// Sets the time resolution of user events and the number of past events to keep. Default:
    /// [`EventSettings::default`].
    #[must_use]
    pub fn events(mut self, settings: EventSettings) -> Self {
        self.events = settings;
        self
    }

    /// Sets the integrator of all Lagrangian systems or of all first-order systems, depending on the type of
    /// the integrator. Systems with an integrator of their own ([`integrator_for`](Self::integrator_for)) are
    /// not affected. Defaults: [`MoreauJean`] for Lagrangian systems and [`EulerMoreau`] for first-order
    /// systems, both with theta = 1/2.
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

    /// Sets the integrator of one system.
    #[must_use]
    pub fn integrator_for(mut self, system: DynamicalSystemId, integrator: impl Into<Integrator>) -> Self {
        self.of_systems.push((system, integrator.into()));
        self
    }

    /// Sets the solver of the one-step nonsmooth problem. Default: [`OneStepSolver::Automatic`], which
    /// selects solvers based on the laws of the model.
    #[must_use]
    pub fn solver(mut self, solver: impl Into<OneStepSolver>) -> Self {
        self.solver = solver.into();
        self
    }

    /// Sets the tolerance of automatic solvers. A one-step problem counts as solved if its error is at most
    /// the tolerance. Each class of problems defines its own relative error. Default: the tolerance of the
    /// automatic solver of each class, which is 1e-8 for contacts with friction. Must be positive. A solver
    /// set by [`solver`](Self::solver) keeps its own tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Sets the tolerance and the other settings of the Newton iteration.
    #[must_use]
    pub fn newton(mut self, newton: NewtonSettings) -> Self {
        self.newton = newton;
        self
    }

    /// Sets the policy for one-step problems, Newton iterations and projections of positions that do not
    /// converge. Default: [`OnNonConvergence::Fail`].
    #[doc(alias = "checkSolverOutput")]
    #[must_use]
    pub fn on_non_convergence(mut self, policy: OnNonConvergence) -> Self {
        self.on_non_convergence = policy;
        self
    }

    /// Enables strict checks: doubtful schemes and initial states are then rejected with an error. Default:
    /// `false`.
    ///
    /// First-order systems that are connected by interactions form a part of the model, and each part has its
    /// own relative degree. [`build`](Self::build) computes the relative degrees once, at the initial state,
    /// and checks that the schemes suit them. A strict simulation is not built if
    ///
    /// - a scheme does not suit the relative degree ([`SchemeMismatch`](crate::analysis::SchemeMismatch)).
    ///   Without `strict`, the mismatch is reported as a `tracing` warning and in
    ///   [`TimeStepping::build_report`];
    /// - the relative degree of a part cannot be computed, because its mass matrix M is singular (a
    ///   descriptor system, which the schemes themselves can integrate) or because it has more than 500
    ///   states and multipliers.
    ///
    /// [`TimeStepping::initial_state`] of a strict simulation rejects joints that are violated at the start.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Enables the energy balance of each step, which is reported in
    /// [`StepReport::energy`](super::StepReport::energy). Default: `false`, which has no cost.
    /// [`build`](Self::build) returns an error if the balance is enabled and a system is integrated by
    /// [`SchatzmanPaoli`](crate::integrator::SchatzmanPaoli) or
    /// [`D1MinusLinear`](crate::integrator::D1MinusLinear).
    #[must_use]
    pub fn energy_balance(mut self, is_wanted: bool) -> Self {
        self.energy_balance = is_wanted;
        self
    }

    /// Sets a source of contacts that are detected in each step, in addition to the interactions of the
    /// model. Default: none. The bodies of detected contacts need [`MoreauJean`], with or without projection.
    #[must_use]
    pub fn contacts(mut self, source: impl ContactSource + 'static) -> Self {
        self.contacts = Some(Box::new(source));
        self
    }

    /// Lets bodies fall asleep: groups of bodies at rest, connected by detected contacts and interactions,
    /// are held in place until something acts on them. Default: no body sleeps. Without a source of
    /// [`contacts`](Self::contacts), this setting has no effect.
    #[must_use]
    pub fn sleeping(mut self, sleeping: Sleeping) -> Self {
        self.sleeping = Some(sleeping);
        self
    }

    /// Sets the number of threads that share the work of a step: the free motion, the residuals, the
    /// relations, the detection of contacts, and the one-step problems with their matrices. Default: 1, the
    /// calling thread.
    ///
    /// The results are bit-identical for any number of threads. More than one thread is faster only for
    /// models with at least several thousand systems. Automatic solvers solve the islands of the one-step
    /// problem in parallel; a solver set by [`solver`](Self::solver) solves them one after another.
    #[must_use]
    pub fn threads(mut self, count: NonZeroUsize) -> Self {
        self.threads = count;
        self
    }

    /// Checks the settings against each other and against the model, and builds the simulation.
    ///
    /// # Errors
    ///
    /// If a parameter is outside its range or the discretisation is missing: [`SettingsError`]. If systems,
    /// laws, solver and integrators cannot be combined, or if a [`strict`](Self::strict) simulation rejects a
    /// scheme: [`SimulationError`].
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
        simulation.set_contacts(self.contacts);
        self.sleeping.iter().try_for_each(Sleeping::validate)?;
        simulation.set_sleeping(self.sleeping);
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

/// Integrators of a simulation: one for Lagrangian systems, one for first-order systems, and exceptions for
/// single systems.
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

    /// Returns the integrator of a system.
    pub(super) fn of(&self, system: DynamicalSystemId, first_order: bool) -> Integrator {
        let default = if first_order { self.first_order } else { self.lagrangian };
        self.of_systems.get(system).copied().unwrap_or(default)
    }
}
