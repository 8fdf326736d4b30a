//! The two kinds of dynamics between events, as the driver sees them.

use siconos_numerics::ode::OdeSystem;

use super::EventDrivenSettings;
use super::first_order::FirstOrderMotion;
use super::lagrangian::LagrangianModes;
use super::outcome::OutcomeRef;
use super::problems::Problems;
use crate::error::SimulationError;
use crate::model::{NonSmoothDynamicalSystem, Parameters};
use crate::state::State;

/// The dynamics of a model: Lagrangian systems with contacts, or first-order systems with complementarity.
#[derive(Debug)]
pub(super) enum Modes {
    Lagrangian(Box<LagrangianModes>),
    FirstOrder(Box<FirstOrderMotion>),
}

impl Modes {
    /// Lays out a model, with the solvers of the user.
    pub(super) fn new(
        model: &NonSmoothDynamicalSystem,
        mut problems: Problems,
        settings: &EventDrivenSettings,
    ) -> Result<Self, SimulationError> {
        let mut modes = Self::lay_out(model, settings)?;
        std::mem::swap(modes.problems(), &mut problems);
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
        Ok(match is_first_order(model) {
            true => Self::FirstOrder(Box::new(FirstOrderMotion::new(model, settings)?)),
            false => Self::Lagrangian(Box::new(LagrangianModes::new(model, settings)?)),
        })
    }

    /// The two problems with their solvers.
    pub(super) fn problems(&mut self) -> &mut Problems {
        match self {
            Self::Lagrangian(modes) => modes.problems(),
            Self::FirstOrder(motion) => motion.modes().problems(),
        }
    }

    fn adapt_problems(&mut self) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.adapt_problems(),
            Self::FirstOrder(motion) => motion.modes().problems().adapt_to_matrices(),
        }
    }

    pub(super) fn epoch(&self) -> u64 {
        match self {
            Self::Lagrangian(modes) => modes.epoch(),
            Self::FirstOrder(motion) => motion.epoch(),
        }
    }

    pub(super) fn fits(&self, state: &State) -> bool {
        match self {
            Self::Lagrangian(modes) => modes.fits(state),
            Self::FirstOrder(motion) => motion.fits(state),
        }
    }

    /// The number of states of the smooth dynamics.
    pub(super) fn dimension(&self) -> usize {
        match self {
            Self::Lagrangian(modes) => modes.dimension(),
            Self::FirstOrder(motion) => motion.dimension(),
        }
    }

    /// The smooth dynamics in the present mode, for a piece of work.
    pub(super) fn with_system<T>(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        work: impl FnOnce(&mut dyn OdeSystem) -> T,
    ) -> T {
        match self {
            Self::Lagrangian(modes) => work(&mut **modes),
            Self::FirstOrder(motion) => work(&mut motion.modes().system(model)),
        }
    }

    pub(super) fn take_error(&mut self) -> Option<SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.take_error(),
            Self::FirstOrder(motion) => motion.modes().take_error(),
        }
    }

    pub(super) fn read(&mut self, state: &State) {
        match self {
            Self::Lagrangian(modes) => modes.read(state),
            Self::FirstOrder(motion) => motion.read(state),
        }
    }

    /// Takes over parameters; whether they are other ones than before.
    pub(super) fn set_parameters(&mut self, parameters: &Parameters) -> bool {
        let own = match self {
            Self::Lagrangian(modes) => &mut modes.parameters,
            Self::FirstOrder(motion) => motion.modes().parameters(),
        };
        if own.same(parameters) {
            return false;
        }
        own.copy_from(parameters);
        if let Self::Lagrangian(modes) = self {
            modes.was_set = true;
        }
        true
    }

    pub(super) fn move_to(&mut self, t: f64, x: &[f64]) {
        match self {
            Self::Lagrangian(modes) => modes.move_to(t, x),
            Self::FirstOrder(motion) => motion.move_to(t, x),
        }
    }

    pub(super) fn x_into(&self, x: &mut [f64]) {
        match self {
            Self::Lagrangian(modes) => modes.x_into(x),
            Self::FirstOrder(motion) => x.copy_from_slice(motion.x()),
        }
    }

    /// Takes the drift out of the work point.
    pub(super) fn project(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.project(),
            Self::FirstOrder(motion) => motion.complete(model),
        }
    }

    pub(super) fn begin_event(&mut self) {
        match self {
            Self::Lagrangian(modes) => modes.begin_event(),
            Self::FirstOrder(motion) => motion.begin_event(),
        }
    }

    /// Index sets of contacts, or the next mode of first-order systems; functions of the model may jump at
    /// the horizon.
    pub(super) fn update_index_sets(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        fired: &[usize],
        horizon: f64,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => {
                modes.set_horizon(horizon);
                modes.update_index_sets(fired)
            }
            Self::FirstOrder(motion) => motion.settle(model, fired, horizon),
        }
    }

    pub(super) fn needs_impact(&self) -> bool {
        matches!(self, Self::Lagrangian(modes) if modes.needs_impact())
    }

    pub(super) fn has_lasting_contacts(&self) -> bool {
        matches!(self, Self::Lagrangian(modes) if modes.has_lasting_contacts())
    }

    pub(super) fn solve_impact(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.solve_impact(),
            Self::FirstOrder(_) => Ok(()),
        }
    }

    pub(super) fn solve_acceleration(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.solve_acceleration(),
            Self::FirstOrder(_) => Ok(()),
        }
    }

    pub(super) fn update_index_sets_with_double_condition(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.update_index_sets_with_double_condition(),
            Self::FirstOrder(_) => Ok(()),
        }
    }

    pub(super) fn hold_closed_contacts(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.hold_closed_contacts(),
            Self::FirstOrder(_) => Ok(()),
        }
    }

    /// Evaluates accelerations and forces, or rates, at the work point.
    pub(super) fn evaluate_point(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => modes.evaluate_point(),
            Self::FirstOrder(motion) => motion.evaluate(model),
        }
    }

    pub(super) fn write(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        match self {
            Self::Lagrangian(modes) => {
                modes.write(state);
                Ok(())
            }
            Self::FirstOrder(motion) => motion.write(model, state),
        }
    }

    pub(super) fn outcome(&self) -> OutcomeRef<'_> {
        match self {
            Self::Lagrangian(modes) => modes.outcome.view(),
            Self::FirstOrder(motion) => OutcomeRef {
                impacts: &[],
                released: &motion.released,
                undetermined: &[],
                closed: &motion.active,
                jumped: motion.jumped,
                impact_solve: motion.impact_solve(),
                acceleration_solve: motion.acceleration_solve(),
            },
        }
    }
}

/// Whether the model has first-order systems only; of a model with both, the Lagrangian scheme says what does
/// not fit.
fn is_first_order(model: &NonSmoothDynamicalSystem) -> bool {
    let mut systems = model.systems().iter().map(|(_, system)| system).peekable();
    systems.peek().is_some() && systems.all(crate::model::DynamicalSystem::is_first_order)
}
