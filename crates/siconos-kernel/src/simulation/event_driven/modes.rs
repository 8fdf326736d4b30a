//! The two kinds of dynamics between events, and what the driver asks of both.

use std::ops::{Deref, DerefMut};

use siconos_ode::OdeSystem;

use super::first_order::FirstOrderModes;
use super::lagrangian::LagrangianModes;
use super::outcome::Outcome;
use super::problems::Problems;
use super::{EventDrivenSettings, EventIntegrator};
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::{Tables, UnitaryPlace, UnitaryRelation};
use crate::simulation::SimulationError;
use crate::state::State;

/// What the driver asks of the dynamics of a model: a system with guards in its present mode, and what is
/// done at events, at the point that is worked on. First-order systems have no contacts.
pub(super) trait Dynamics: OdeSystem {
    fn tables(&self) -> &Tables;

    /// The two problems with their solvers.
    fn problems(&mut self) -> &mut Problems;

    /// Fits the solvers to the model.
    fn adapt_problems(&mut self) -> Result<(), SimulationError>;

    /// What the last event did.
    fn outcome(&self) -> &Outcome;

    /// The error that a callback of the system has met since the last call.
    fn take_error(&mut self) -> Option<SimulationError>;

    /// All unitary relations, each with whether it is in I_1 and in I_2; of first-order systems by row, with
    /// whether its multiplier is active for both.
    fn index_sets(&self) -> Vec<(UnitaryRelation, [bool; 2])>;

    /// Takes over a state as the point to work on.
    fn read(&mut self, state: &State);

    /// Writes the point that is worked on into a state.
    fn write(&mut self, state: &mut State) -> Result<(), SimulationError>;

    /// Takes over parameters, with which functions of the model are evaluated from now on; whether they are
    /// other ones than before.
    fn set_parameters(&mut self, parameters: &Parameters) -> bool;

    /// Takes over a time and what an integration has come to.
    fn move_to(&mut self, t: f64, x: &[f64]);

    /// Writes from where an integration goes on.
    fn x_into(&self, x: &mut [f64]);

    /// Takes the drift out of the work point.
    fn remove_drift(&mut self) -> Result<(), SimulationError>;

    /// Forgets what the last event did: the work point has come to the next.
    fn begin_event(&mut self);

    /// Index sets of contacts, or the next mode of first-order systems. `fired` are the guards that did, in
    /// increasing order. At the horizon \[s\] functions of the model may next have a kink or a jump; it is
    /// infinite if they have none.
    fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError>;

    /// Evaluates accelerations and forces, or rates, at the work point.
    fn evaluate_point(&mut self) -> Result<(), SimulationError>;

    /// Whether I_1 - I_2 holds a contact that closes.
    fn needs_impact(&self) -> bool {
        false
    }

    /// Whether I_2 holds anything.
    fn has_lasting_contacts(&self) -> bool {
        false
    }

    /// The problem at velocity level, and index sets from the velocities after it.
    fn solve_impact(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// The problem at acceleration level.
    fn solve_acceleration(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Takes contacts with positive acceleration out of I_2 and I_1.
    fn update_index_sets_with_double_condition(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Makes the closed contacts those that f holds.
    fn hold_closed_contacts(&mut self) -> Result<(), SimulationError> {
        Ok(())
    }

    /// Closes contacts where impacts accumulate.
    fn stick(&mut self, _contacts: &[UnitaryPlace]) -> Result<(), SimulationError> {
        Ok(())
    }
}

/// The dynamics of a model: Lagrangian systems with contacts, or first-order systems with complementarity.
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
    /// The two problems, to be looked at.
    pub(super) fn problems_as_they_are(&self) -> &Problems {
        match self {
            Self::Lagrangian(modes) => &modes.problems,
            Self::FirstOrder(modes) => &modes.problems,
        }
    }

    /// Lays out a model, and takes the solvers, which keep their memory; on an error they stay where they
    /// are.
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

    /// Whether the vectors of a state have the lengths of the tables.
    pub(super) fn fits(&self, state: &State) -> bool {
        let tables = self.tables();
        (state.q.len(), state.v.len(), state.y[0].len()) == (tables.positions, tables.dofs, tables.rows.len())
    }
}

/// Whether the model has first-order systems only; of a model with both, the Lagrangian scheme says what does
/// not fit.
fn is_first_order(model: &NonSmoothDynamicalSystem) -> bool {
    let mut systems = model.systems().iter().map(|(_, system)| system).peekable();
    systems.peek().is_some() && systems.all(crate::model::DynamicalSystem::is_first_order)
}
