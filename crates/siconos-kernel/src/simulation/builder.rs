//! Building a time-stepping simulation.

use crate::arena::SideTable;
use crate::error::{Error, SettingsError, SimulationError};
use crate::integrator::MoreauJean;
use crate::model::{DynamicalSystem, DynamicalSystemId, NonSmoothDynamicalSystem};
use crate::nonsmooth_problem::OneStepSolver;

use super::{NewtonSettings, OnNonConvergence, TimeDiscretisation, TimeStepping};

/// Collects the parts of a [`TimeStepping`]; all but the time discretisation have defaults.
///
/// Made by [`TimeStepping::builder`]; [`build`](Self::build) checks that the parts fit the model.
#[derive(Debug)]
pub struct TimeSteppingBuilder<'a> {
    model: &'a NonSmoothDynamicalSystem,
    discretisation: Option<TimeDiscretisation>,
    integrator: MoreauJean,
    integrators: Vec<(DynamicalSystemId, MoreauJean)>,
    solver: OneStepSolver,
    newton: NewtonSettings,
    on_non_convergence: OnNonConvergence,
}

impl<'a> TimeSteppingBuilder<'a> {
    pub(super) fn new(model: &'a NonSmoothDynamicalSystem) -> Self {
        Self {
            model,
            discretisation: None,
            integrator: MoreauJean::default(),
            integrators: Vec::new(),
            solver: OneStepSolver::default(),
            newton: NewtonSettings::default(),
            on_non_convergence: OnNonConvergence::default(),
        }
    }

    /// The grid in time. Required.
    #[must_use]
    pub fn discretisation(mut self, discretisation: TimeDiscretisation) -> Self {
        self.discretisation = Some(discretisation);
        self
    }

    /// The integrator of every system that is not given another. Default: [`MoreauJean`] with theta 1/2.
    #[must_use]
    pub fn integrator(mut self, integrator: MoreauJean) -> Self {
        self.integrator = integrator;
        self
    }

    /// The integrator of one system.
    #[must_use]
    pub fn integrator_for(mut self, system: DynamicalSystemId, integrator: MoreauJean) -> Self {
        self.integrators.push((system, integrator));
        self
    }

    /// The solver of the one-step problem. Default: [`OneStepSolver::Automatic`], which follows the laws of the model.
    #[must_use]
    pub fn solver(mut self, solver: impl Into<OneStepSolver>) -> Self {
        self.solver = solver.into();
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

    /// Checks the parts against each other and against the model.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a parameter outside its range or a missing discretisation, [`SimulationError`] for parts
    /// that do not fit together.
    pub fn build(self) -> Result<TimeStepping, Error> {
        let discretisation = self.discretisation.ok_or(SettingsError::NoTimeDiscretisation)?;
        self.newton.validate()?;
        self.integrator.validate()?;
        let mut integrators = SideTable::<DynamicalSystem, MoreauJean>::default();
        for (system, integrator) in self.integrators {
            integrator.validate()?;
            self.model.system(system).map_err(SimulationError::Model)?;
            integrators.insert(system, integrator);
        }
        let mut simulation = TimeStepping::assemble(
            discretisation,
            self.integrator,
            integrators,
            self.solver,
            self.newton,
            self.on_non_convergence,
        );
        simulation.rebuild(self.model)?;
        Ok(simulation)
    }
}
