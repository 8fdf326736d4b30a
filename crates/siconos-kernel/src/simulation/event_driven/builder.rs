//! Building an event-driven simulation.

use siconos_ode::OdeError;

use super::modes::Modes;
use super::problems::{OneStepProblem, Problems};
use super::stages::Stage;
use super::{EventDriven, EventDrivenSettings, EventIntegrator, Repeats};
use crate::index::Table;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::OneStepSolver;
use crate::settings_error::SettingsError;
use crate::simulation::{Error, EventKind, EventSettings, EventsManager, TimeDiscretisation};

/// Collects the parts of an [`EventDriven`]; all but the time discretisation have defaults.
///
/// Made by [`EventDriven::builder`]; [`build`](Self::build) checks that the parts fit the model.
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

    /// The points of output. Required. They have no influence on the motion.
    #[must_use]
    pub fn discretisation(mut self, discretisation: TimeDiscretisation) -> Self {
        self.discretisation = Some(discretisation);
        self
    }

    /// All tolerances and policies.
    #[must_use]
    pub fn settings(mut self, settings: EventDrivenSettings) -> Self {
        self.settings = settings;
        self
    }

    /// The method of the smooth integration, as in [`EventDrivenSettings::integrator`]:
    /// [`OdeSettings`](siconos_ode::OdeSettings), [`NewmarkAlpha`](super::NewmarkAlpha) or
    /// [`HalfExplicit`](super::HalfExplicit).
    #[must_use]
    pub fn integrator(mut self, integrator: impl Into<EventIntegrator>) -> Self {
        self.settings.integrator = integrator.into();
        self
    }

    /// Ticks and gaps of the events.
    #[must_use]
    pub fn events(mut self, events: EventSettings) -> Self {
        self.events = events;
        self
    }

    /// The solver of one of the two problems at events; time steps that take over where impacts accumulate
    /// use that of the impacts. Default of both: [`OneStepSolver::Automatic`].
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

    /// Checks the parts against each other and against the model.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a parameter outside its range, or a missing discretisation;
    /// [`SimulationError`](crate::SimulationError) for what this scheme cannot carry: friction, compliant
    /// contacts, laws of first-order systems on Lagrangian ones.
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
            begins_anew: false,
            forces_may_change: false,
            jumped_before: false,
            ends_untold: false,
            impacts_before: Vec::new(),
            is_stopped: false,
            hand_over: None,
            pressing: None,
            is_interrupted: false,
            repeats: Repeats::default(),
        })
    }
}
