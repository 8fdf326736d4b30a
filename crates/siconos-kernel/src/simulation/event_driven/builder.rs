//! Builder of an event-driven simulation.

use siconos_ode::OdeError;

use super::modes::Modes;
use super::problems::{OneStepProblem, Problems};
use super::stages::Stage;
use super::{EventDriven, EventDrivenSettings, EventIntegrator, FiringCounter};
use crate::index::Table;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::OneStepSolver;
use crate::settings_error::SettingsError;
use crate::simulation::{Error, EventKind, EventSettings, EventsManager, TimeDiscretisation};

/// Builder of an [`EventDriven`] simulation.
///
/// Only the time discretisation is required; all other settings have defaults. Created by
/// [`EventDriven::builder`].
#[derive(Debug)]
pub struct EventDrivenBuilder<'a> {
    model: &'a NonSmoothDynamicalSystem,
    discretisation: Option<TimeDiscretisation>,
    settings: EventDrivenSettings,
    events: EventSettings,
    problems: Problems,
}

impl<'a> EventDrivenBuilder<'a> {
    pub(super) fn new(model: &'a NonSmoothDynamicalSystem) -> Self {
        Self {
            model,
            discretisation: None,
            settings: EventDrivenSettings::default(),
            events: EventSettings::default(),
            problems: Problems::default(),
        }
    }

    /// Sets the time grid, which consists of the output points. Required. The output points do not influence
    /// the motion.
    #[must_use]
    pub fn discretisation(mut self, discretisation: TimeDiscretisation) -> Self {
        self.discretisation = Some(discretisation);
        self
    }

    /// Sets all tolerances and policies, and the integrator.
    #[must_use]
    pub fn settings(mut self, settings: EventDrivenSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the method of the smooth integration ([`EventDrivenSettings::integrator`]):
    /// [`OdeSettings`](siconos_ode::OdeSettings), [`NewmarkAlpha`](super::NewmarkAlpha) or
    /// [`HalfExplicit`](super::HalfExplicit).
    #[must_use]
    pub fn integrator(mut self, integrator: impl Into<EventIntegrator>) -> Self {
        self.settings.integrator = integrator.into();
        self
    }

    /// Sets the length of a tick, the maximum distance of events that are processed together, and the number
    /// of past events to keep.
    #[must_use]
    pub fn events(mut self, events: EventSettings) -> Self {
        self.events = events;
        self
    }

    /// Sets the solver of `problem`, one of the two one-step problems of an event. Default for both:
    /// [`OneStepSolver::Automatic`]. The time steps that are taken when impacts accumulate use the solver of
    /// the impact problem.
    ///
    /// ```
    /// # use ndarray::array;
    /// use siconos_kernel::prelude::*;
    /// use siconos_kernel::simulation::OneStepProblem;
    /// use siconos_numerics::lcp::Lemke;
    ///
    /// # let mut model = NonSmoothDynamicalSystem::new();
    /// # let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))?;
    /// # model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.5)?)?;
    /// let sim = EventDriven::builder(&model)
    ///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?)
    ///     .solver(OneStepProblem::Impact, Lemke::default())
    ///     .solver(OneStepProblem::Acceleration, Lemke::default())
    ///     .build()?;
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    #[doc(alias = "insertNonSmoothProblem")]
    #[must_use]
    pub fn solver(mut self, problem: OneStepProblem, solver: impl Into<OneStepSolver>) -> Self {
        self.problems.of(problem).set_solver(solver.into());
        self
    }

    /// Checks the settings against each other and against the model, and creates the simulation.
    ///
    /// # Errors
    ///
    /// If a parameter is outside its range or the discretisation is missing: [`SettingsError`]. If the model
    /// has friction, compliant contacts, rigid bodies, or Lagrangian systems with a law for first-order
    /// systems: [`SimulationError`](crate::SimulationError), which names a supported alternative.
    pub fn build(mut self) -> Result<EventDriven, Error> {
        let discretisation = self.discretisation.ok_or(SettingsError::NoTimeDiscretisation)?;
        self.settings.validate()?;
        let integrator = self.settings.integrator.build()?;
        let mut events = EventsManager::new(discretisation, self.events)?;
        if let Some(every) = self.settings.restart_every {
            let first = events.discretisation().t0() + every;
            events.schedule_periodic(EventKind::Restart, first, every)?;
        }
        let modes = Modes::new(self.model, &mut self.problems, &self.settings)?;
        if let EventIntegrator::Ode(settings) = &self.settings.integrator {
            settings.check_lengths(modes.dimension()).map_err(|error| match error {
                OdeError::Settings(error) => Error::from(SettingsError::Solver(error)),
                source => {
                    crate::SimulationError::Integration { t: events.discretisation().t0(), source }.into()
                }
            })?;
        }
        Ok(EventDriven {
            impacts: Table::default(),
            x: vec![0.0; modes.dimension()],
            committed_x: vec![0.0; modes.dimension()],
            modes,
            settings: self.settings,
            events,
            integrator,
            stage: Stage::Idle,
            fired: Vec::new(),
            root: None,
            committed: None,
            needs_restart: false,
            forces_may_change: false,
            jumped_before: false,
            has_unreported_start: false,
            impacts_before: Vec::new(),
            is_stopped: false,
            hand_over: None,
            pressing: None,
            is_interrupted: false,
            repeats: FiringCounter::default(),
        })
    }
}
