//! Time steps with Moreau's scheme after an accumulation of impacts, and the return to event-driven
//! integration.

use super::EventDriven;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{Error, SimulationError, TimeDiscretisation, TimeStepping};
use crate::state::State;

impl EventDriven {
    /// Takes time steps of at most the length `h` from the state to the time `t` of the next event, and
    /// continues the event-driven dynamics from the resulting state. Contacts with a reaction in the last
    /// time step are then closed: they belong to I_2, and their gaps and gap velocities are projected to
    /// zero.
    pub(super) fn step_through(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        (h, t): (f64, f64),
    ) -> Result<(), SimulationError> {
        let failed = |source: Error| match source {
            Error::Simulation(error) => error,
            other => SimulationError::HandOver { t: state.t, source: Box::new(other) },
        };
        // The cast saturates; no run takes `usize::MAX` steps.
        let steps = ((t - state.t) / h).ceil().max(1.0) as usize;
        let grid = TimeDiscretisation::equal_steps(state.t, t, steps).map_err(|e| failed(e.into()))?;
        let mut stepping = TimeStepping::builder(model).discretisation(grid).build().map_err(failed)?;
        let mut moved = state.clone();
        moved.step = 0;
        moved.expire_outputs();
        // The time steps use the solver of the impact problem.
        let impacts = &mut self.modes.problems().impact;
        stepping.exchange_solvers(impacts);
        let run = stepping.run(model, &mut moved, |_, _| {});
        stepping.exchange_solvers(impacts);
        run?;
        moved.close_gaps(model);
        let (q, v) = self.x.split_at_mut(moved.q.len());
        q.copy_from_slice(&moved.q);
        v.copy_from_slice(&moved.v);
        self.impacts.iter_mut().for_each(|history| history.hands_over = false);
        let mut pressing = Vec::new();
        for (place, unitary) in self.modes.tables().unitary.entries() {
            let row = unitary.rows.start().index();
            if moved.lambda[1][row] > 0.0 {
                pressing.push(place);
            } else if moved.y[0][row] <= 0.0 {
                self.fired.push(place.index());
            }
        }
        self.pressing = Some(pressing);
        Ok(())
    }

    /// Closes the contacts with a reaction in the last time step if time steps were taken before this event.
    pub(super) fn come_back(&mut self) -> Result<(), SimulationError> {
        let Some(pressing) = self.pressing.take() else { return Ok(()) };
        self.needs_restart = true;
        self.modes.stick(&pressing)
    }
}
