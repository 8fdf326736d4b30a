//! What a user changes of a simulation between steps, and the settings that it has.

use super::TimeStepping;
use crate::integrator::Integrator;
use crate::model::{DynamicalSystemId, ModelError, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::OneStepSolver;
use crate::simulation::{Error, NewtonSettings, OnNonConvergence, TimeDiscretisation};

impl TimeStepping {
    /// Gives one system an integrator, from the next step on: one that was added after the simulation was
    /// built, say. Whether it fits the system is checked there.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))?;
    /// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
    /// let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    /// let mut state = simulation.initial_state(&model)?;
    /// simulation.step(&model, &mut state)?;
    ///
    /// let late = model.add_system(LagrangianLinear::new(vec![2.0], vec![0.0], array![1.0]))?;
    /// simulation.set_integrator_for(late, MoreauJean { theta: 1.0, ..MoreauJean::default() })?;
    /// simulation.step(&model, &mut state)?;
    /// assert_eq!(simulation.theta(late)?, 1.0);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SettingsError`](crate::settings_error::SettingsError) for a parameter outside its range.
    pub fn set_integrator_for(
        &mut self,
        system: DynamicalSystemId,
        integrator: impl Into<Integrator>,
    ) -> Result<(), Error> {
        let integrator = integrator.into();
        integrator.validate()?;
        self.integrators.set(system, integrator);
        self.tables.expire();
        Ok(())
    }

    /// Solves the one-step problems from the next step on with another solver; whether it takes the laws of
    /// the model is checked there.
    pub fn set_solver(&mut self, solver: impl Into<OneStepSolver>) {
        self.problem.set_solver(solver.into());
        self.tables.expire();
    }

    /// Goes on over another grid: with other steps, or beyond the end of this one. The events to come take
    /// place at their times. A state has to be at a point of the new grid for [`step`](Self::step);
    /// [`step_to`](Self::step_to) takes it there from any other time.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0]))?;
    /// let grid = |t_end, h| TimeDiscretisation::uniform(0.0, t_end, h);
    /// let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 0.25)?).build()?;
    /// let mut state = simulation.initial_state(&model)?;
    /// simulation.run(&model, &mut state, |_, _| {})?;
    ///
    /// simulation.set_discretisation(grid(2.0, 0.125)?)?;
    /// simulation.run(&model, &mut state, |report, _| assert_eq!(report.h, 0.125))?;
    /// assert_eq!((state.t, state.q(mass)), (2.0, &[2.0][..]));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`EventsManager::set_discretisation`](crate::simulation::EventsManager::set_discretisation).
    pub fn set_discretisation(&mut self, discretisation: TimeDiscretisation) -> Result<(), Error> {
        self.events.set_discretisation(discretisation)
    }

    /// The integrator of a system of the model.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0]))?;
    /// let simulation = TimeStepping::builder(&model)
    ///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.25)?)
    ///     .integrator(MoreauJean { theta: 0.75, ..MoreauJean::default() })
    ///     .build()?;
    /// let scheme = MoreauJean { theta: 0.75, ..MoreauJean::default() };
    /// assert_eq!(simulation.integrator_of(&model, mass)?, scheme.into());
    /// assert_eq!((simulation.newton(), simulation.solver()), (&NewtonSettings::default(), "auto"));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownSystem`] for an id that the model does not know.
    pub fn integrator_of(
        &self,
        model: &NonSmoothDynamicalSystem,
        system: DynamicalSystemId,
    ) -> Result<Integrator, ModelError> {
        Ok(self.integrators.of(system, model.system(system)?.is_first_order()))
    }

    /// When Newton's loop ends.
    #[must_use]
    pub fn newton(&self) -> &NewtonSettings {
        &self.newton
    }

    /// What is done when the solver or Newton's loop does not converge.
    #[must_use]
    pub fn on_non_convergence(&self) -> OnNonConvergence {
        self.on_non_convergence
    }

    /// The name of the solver of the one-step problems, as of [`OneStepSolver::name`]. Its own settings are
    /// not known to the simulation.
    #[must_use]
    pub fn solver(&self) -> &'static str {
        self.problem.solver()
    }

    /// Whether no solver was given, and each class of problems gets the usual one. A method that chooses by
    /// itself and was given counts as a solver, whatever its name.
    #[must_use]
    pub fn has_usual_solver(&self) -> bool {
        self.problem.is_automatic()
    }

    /// The tolerance of automatic solvers, where one was given.
    #[must_use]
    pub fn tolerance(&self) -> Option<f64> {
        self.problem.tolerance()
    }

    /// Whether what is doubtful is refused: see
    /// [`strict`](crate::simulation::TimeSteppingBuilder::strict).
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Whether each step measures what becomes of the kinetic energy.
    #[must_use]
    pub fn measures_energy(&self) -> bool {
        self.energy.is_some()
    }

    /// How many threads share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Sets the tolerance of automatic solvers, before the tables are made.
    pub(in crate::simulation) fn set_tolerance(&mut self, tolerance: f64) {
        self.problem.set_tolerance(tolerance);
    }
}
