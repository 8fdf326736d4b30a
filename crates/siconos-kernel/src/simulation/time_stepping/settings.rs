//! Settings of a simulation, and their changes between steps.

use super::TimeStepping;
use crate::integrator::Integrator;
use crate::model::{DynamicalSystemId, ModelError, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::OneStepSolver;
use crate::simulation::{Error, NewtonSettings, OnNonConvergence, TimeDiscretisation};

impl TimeStepping {
    /// Sets the integrator of one system, starting with the next step, for example for a system that was
    /// added after the simulation was built. The next step checks that the integrator suits the system.
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
    /// If a parameter is outside its range: [`SettingsError`](crate::settings_error::SettingsError).
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

    /// Sets the solver of the one-step problem, starting with the next step. The next step checks that the
    /// solver supports the laws of the model.
    pub fn set_solver(&mut self, solver: impl Into<OneStepSolver>) {
        self.problem.set_solver(solver.into());
        self.tables.expire();
    }

    /// Replaces the time grid, for example to change the step length or to continue beyond the end of the old
    /// grid. Events that have not taken place keep their times.
    ///
    /// [`step`](Self::step) requires a state at a point of the new grid. If the state is between grid points,
    /// use [`step_to`](Self::step_to) to reach one.
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

    /// Returns the integrator of a system of the model.
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
    /// If the model has no system with this id: [`ModelError::UnknownSystem`].
    pub fn integrator_of(
        &self,
        model: &NonSmoothDynamicalSystem,
        system: DynamicalSystemId,
    ) -> Result<Integrator, ModelError> {
        Ok(self.integrators.of(system, model.system(system)?.is_first_order()))
    }

    /// Returns the settings of the Newton iteration.
    #[must_use]
    pub fn newton(&self) -> &NewtonSettings {
        &self.newton
    }

    /// Returns the policy for solvers and Newton iterations that do not converge.
    #[must_use]
    pub fn on_non_convergence(&self) -> OnNonConvergence {
        self.on_non_convergence
    }

    /// Returns the name of the solver of the one-step problem, as returned by [`OneStepSolver::name`]. The
    /// settings of the solver are not available.
    #[must_use]
    pub fn solver(&self) -> &'static str {
        self.problem.solver()
    }

    /// Returns `true` if the user has not set a solver. Each class of problems then has its default solver.
    #[must_use]
    pub fn has_default_solver(&self) -> bool {
        self.problem.is_automatic()
    }

    /// Returns the tolerance of automatic solvers, if it was set.
    #[must_use]
    pub fn tolerance(&self) -> Option<f64> {
        self.problem.tolerance()
    }

    /// Returns `true` if doubtful schemes and initial states are rejected with an error; see
    /// [`strict`](crate::simulation::TimeSteppingBuilder::strict).
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// Returns `true` if the energy balance of each step is computed.
    #[must_use]
    pub fn has_energy_balance(&self) -> bool {
        self.energy.is_some()
    }

    /// Returns the number of threads that share the work of a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// Sets the tolerance of automatic solvers, before the tables are created.
    pub(in crate::simulation) fn set_tolerance(&mut self, tolerance: f64) {
        self.problem.set_tolerance(tolerance);
    }
}
