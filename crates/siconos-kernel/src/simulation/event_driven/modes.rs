//! The two kinds of dynamics between events, as the driver sees them.

use siconos_numerics::ode::OdeSystem;

use super::first_order::FirstOrderModes;
use super::lagrangian::LagrangianModes;
use super::outcome::Outcome;
use super::problems::Problems;
use super::{EventDrivenSettings, EventIntegrator};
use crate::error::SimulationError;
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::nonsmooth_problem::Tables;
use crate::simulation::UnitaryRelation;
use crate::state::State;

/// The dynamics of a model: Lagrangian systems with contacts, or first-order systems with complementarity.
#[derive(Debug)]
pub(super) enum Modes {
    Lagrangian(Box<LagrangianModes>),
    FirstOrder(Box<FirstOrderModes>),
}

impl Modes {
    /// Lays out a model, with the solvers of the user.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        problems: Problems,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        let mut modes = Self::lay_out(model, settings)?;
        *modes.problems() = problems;
        modes.adapt_problems()?;
        Ok(modes)
    }

    /// Makes all tables anew for a model that has changed; the solvers keep their memory.
    pub(super) fn rebuild(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        settings: &EventDrivenSettings,
    ) -> Result<(), SimulationError> {
        let mut fresh = Self::lay_out(model, settings)?;
        std::mem::swap(fresh.problems(), self.problems());
        let adapted = fresh.adapt_problems();
        // Where the solvers do not take the laws, they go back.
        if adapted.is_ok() {
            *self = fresh;
        } else {
            std::mem::swap(fresh.problems(), self.problems());
        }
        adapted
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

    fn adapt_problems(&mut self) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.problems.adapt(&modes.tables),
            Self::FirstOrder(modes) => modes.problems.adapt_to_matrices(),
        }
    }

    /// The two problems with their solvers.
    pub(super) fn problems(&mut self) -> &mut Problems {
        match self {
            Self::Lagrangian(modes) => &mut modes.problems,
            Self::FirstOrder(modes) => &mut modes.problems,
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        match self {
            Self::Lagrangian(modes) => &modes.tables,
            Self::FirstOrder(modes) => &modes.tables,
        }
    }

    /// What the last event did.
    pub(super) fn outcome(&self) -> &Outcome {
        match self {
            Self::Lagrangian(modes) => &modes.outcome,
            Self::FirstOrder(modes) => &modes.outcome,
        }
    }

    /// Whether the vectors of a state have the lengths of the tables.
    pub(super) fn fits(&self, state: &State) -> bool {
        let tables = self.tables();
        (state.q.len(), state.v.len(), state.y[0].len()) == (tables.positions, tables.dofs, tables.rows)
    }

    /// The number of states of the smooth dynamics.
    pub(super) fn dimension(&self) -> usize {
        self.tables().positions + self.tables().dofs
    }

    /// The smooth dynamics in the present mode.
    pub(super) fn system(&mut self) -> &mut dyn OdeSystem {
        match self {
            Self::Lagrangian(modes) => &mut **modes,
            Self::FirstOrder(modes) => &mut **modes,
        }
    }

    /// The error that a callback of the system has met since the last call.
    pub(super) fn take_error(&mut self) -> Option<SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.error.take(),
            Self::FirstOrder(modes) => modes.error.take(),
        }
    }

    pub(super) fn read(&mut self, state: &State) {
        match self {
            Self::Lagrangian(modes) => modes.read(state),
            Self::FirstOrder(modes) => modes.read(state),
        }
    }

    /// Takes over parameters; whether they are other ones than before.
    pub(super) fn set_parameters(&mut self, parameters: &Parameters) -> bool {
        match self {
            Self::Lagrangian(modes) => modes.set_parameters(parameters),
            Self::FirstOrder(modes) => modes.set_parameters(parameters),
        }
    }

    pub(super) fn move_to(&mut self, t: f64, x: &[f64]) {
        match self {
            Self::Lagrangian(modes) => modes.move_to(t, x),
            Self::FirstOrder(modes) => modes.move_to(t, x),
        }
    }

    pub(super) fn x_into(&self, x: &mut [f64]) {
        match self {
            Self::Lagrangian(modes) => modes.x_into(x),
            Self::FirstOrder(modes) => x.copy_from_slice(&modes.x),
        }
    }

    /// Takes the drift out of the work point.
    pub(super) fn project(&mut self) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.project(),
            Self::FirstOrder(modes) => modes.complete(),
        }
    }

    pub(super) fn begin_event(&mut self) {
        match self {
            Self::Lagrangian(modes) => modes.begin_event(),
            Self::FirstOrder(modes) => modes.begin_event(),
        }
    }

    /// Index sets of contacts, or the next mode of first-order systems; functions of the model may jump at
    /// the horizon.
    pub(super) fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.update_index_sets(fired, horizon),
            Self::FirstOrder(modes) => modes.settle(fired, horizon),
        }
    }

    pub(super) fn needs_impact(&self) -> bool {
        self.contacts().is_some_and(LagrangianModes::needs_impact)
    }

    pub(super) fn has_lasting_contacts(&self) -> bool {
        self.contacts().is_some_and(LagrangianModes::has_lasting_contacts)
    }

    /// The contacts of Lagrangian systems; first-order systems have none.
    pub(super) fn contacts(&self) -> Option<&LagrangianModes> {
        match self {
            Self::Lagrangian(modes) => Some(modes),
            Self::FirstOrder(_) => None,
        }
    }

    /// Does a piece of work on the contacts, where there are such.
    pub(super) fn on_contacts(
        &mut self,
        work: impl FnOnce(&mut LagrangianModes) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => work(modes),
            Self::FirstOrder(_) => Ok(()),
        }
    }

    /// Evaluates accelerations and forces, or rates, at the work point.
    pub(super) fn evaluate_point(&mut self) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.evaluate_point(),
            Self::FirstOrder(modes) => modes.evaluate(),
        }
    }

    pub(super) fn write(&mut self, state: &mut State) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.write(state),
            Self::FirstOrder(modes) => modes.write(state),
        }
    }

    /// All unitary relations, each with whether it is in I_1 and in I_2; of first-order systems by row, with
    /// whether its multiplier is active for both.
    pub(super) fn index_sets(&self) -> Box<dyn Iterator<Item = (UnitaryRelation, [bool; 2])> + '_> {
        match self {
            Self::Lagrangian(modes) => Box::new(modes.index_sets()),
            Self::FirstOrder(modes) => Box::new(modes.rows().map(|(name, active)| (name, [active; 2]))),
        }
    }
}

/// Whether the model has first-order systems only; of a model with both, the Lagrangian scheme says what does
/// not fit.
fn is_first_order(model: &NonSmoothDynamicalSystem) -> bool {
    let mut systems = model.systems().iter().map(|(_, system)| system).peekable();
    systems.peek().is_some() && systems.all(crate::model::DynamicalSystem::is_first_order)
}
