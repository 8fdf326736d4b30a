//! Interface between the event-driven driver and the two kinds of dynamics.

use std::ops::{Deref, DerefMut};

use siconos_ode::OdeSystem;

use super::first_order::FirstOrderModes;
use super::lagrangian::LagrangianModes;
use super::outcome::Outcome;
use super::problems::Problems;
use super::{EventDrivenSettings, EventIntegrator};
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::{Tables, UnitaryIndex, UnitaryRelation};
use crate::simulation::SimulationError;
use crate::state::State;

/// Interface between the driver and the dynamics of a model. The dynamics is an ODE system with the guards of
/// the current mode, and has additional operations at events. These operations act on the current time and
/// state, which the dynamics stores. The operations on contacts do nothing for first-order systems.
pub(super) trait Dynamics: OdeSystem {
    fn tables(&self) -> &Tables;

    /// Returns the two one-step problems with their solvers.
    fn problems(&mut self) -> &mut Problems;

    /// Adapts the solvers to the model.
    fn adapt_problems(&mut self) -> Result<(), SimulationError>;

    /// Returns the outcome of the last event.
    fn outcome(&self) -> &Outcome;

    /// Returns the error that a callback has stored since the last call, and removes it.
    fn take_error(&mut self) -> Option<SimulationError>;

    /// Returns all unitary relations, each with its membership in I_1 and I_2. For first-order systems,
    /// returns one entry per row, with the active flag of the row for both sets.
    fn index_sets(&self) -> Vec<(UnitaryRelation, [bool; 2])>;

    /// Copies the current time and state from `state`.
    fn read(&mut self, state: &State);

    /// Writes the current time and state, and the results of the event, to `state`.
    fn write(&mut self, state: &mut State) -> Result<(), SimulationError>;

    /// Sets the parameters of the functions of the model. Returns `true` if they have changed.
    fn set_parameters(&mut self, parameters: &Parameters) -> bool;

    /// Sets the current time to `t` and the current state to the state `x` of the integrator.
    fn move_to(&mut self, t: f64, x: &[f64]);

    /// Writes to `x` the state from which the integrator continues.
    fn x_into(&self, x: &mut [f64]);

    /// Removes the drift of the current state.
    fn remove_drift(&mut self) -> Result<(), SimulationError>;

    /// Starts an event at the current time, and clears the outcome of the last event.
    fn begin_event(&mut self);

    /// Updates the index sets of contacts, or chooses the next mode of first-order systems. `fired` contains
    /// the guards that fired, in increasing order. `horizon` \[s\] is the next time at which functions of the
    /// model can have a kink or a jump; it is infinite if they stay smooth.
    fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError>;

    /// Evaluates accelerations and forces, or the rates of first-order systems, at the current time and
    /// state.
    fn evaluate_point(&mut self) -> Result<(), SimulationError>;

    /// Returns `true` if a contact of I_1 that does not belong to I_2 closes.
    fn needs_impact(&self) -> bool {
        false
    }

    /// Returns `true` if I_2 is not empty.
    fn has_lasting_contacts(&self) -> bool {
        false
    }

    /// Solves the problem at velocity level, and updates the index sets from the velocities after the impact.
    fn solve_impact(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Solves the problem at acceleration level.
    fn solve_acceleration(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Removes contacts with positive acceleration from I_2 and I_1.
    fn update_index_sets_with_double_condition(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Imposes the closed contacts as constraints on the smooth dynamics.
    fn hold_closed_contacts(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Adds contacts at which impacts accumulate to I_2.
    fn stick(&mut self, _contacts: &[UnitaryIndex]) -> Result<(), SimulationError> {
        Ok(())
    }
}

/// Dynamics of a model: either Lagrangian systems with contacts, or first-order systems with complementarity
/// conditions.
#[derive(Debug)]
pub(super) enum Modes {
    Lagrangian(Box<LagrangianModes>),
    FirstOrder(Box<FirstOrderModes>),
}

impl Deref for Modes {
    type Target = dyn Dynamics;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Lagrangian(modes) => &**modes,
            Self::FirstOrder(modes) => &**modes,
        }
    }
}

impl DerefMut for Modes {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Lagrangian(modes) => &mut **modes,
            Self::FirstOrder(modes) => &mut **modes,
        }
    }
}

impl Modes {
    /// Returns a shared reference to the two one-step problems.
    pub(super) fn problems_as_they_are(&self) -> &Problems {
        match self {
            Self::Lagrangian(modes) => &modes.problems,
            Self::FirstOrder(modes) => &modes.problems,
        }
    }

    /// Creates the dynamics of a model. The solvers and their workspaces are moved out of `problems`. If
    /// there is an error, they stay in `problems`.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        problems: &mut Problems,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        let mut fresh = Self::lay_out(model, settings)?;
        std::mem::swap(fresh.problems(), problems);
        let adapted = fresh.adapt_problems();
        if adapted.is_err() {
            std::mem::swap(fresh.problems(), problems);
        }
        adapted.map(|()| fresh)
    }

    fn lay_out(
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        if !is_first_order(model) {
            return Ok(Self::Lagrangian(Box::new(LagrangianModes::new(model, settings)?)));
        }
        let EventIntegrator::Ode(integration) = &settings.integrator else {
            return Err(SimulationError::MechanicalIntegrator);
        };
        Ok(Self::FirstOrder(Box::new(FirstOrderModes::new(model, integration)?)))
    }

    /// Returns `true` if the vectors of a state have the lengths that the tables require.
    pub(super) fn fits(&self, state: &State) -> bool {
        let tables = self.tables();
        (state.q.len(), state.v.len(), state.y[0].len()) == (tables.positions, tables.dofs, tables.rows.len())
    }
}

/// Returns `true` if the model has only first-order systems. Mixed models are passed to the Lagrangian
/// dynamics, which reports the unsupported system.
fn is_first_order(model: &NonSmoothDynamicalSystem) -> bool {
    let mut systems = model.systems().iter().map(|(_, system)| system).peekable();
    systems.peek().is_some() && systems.all(crate::model::DynamicalSystem::is_first_order)
}
