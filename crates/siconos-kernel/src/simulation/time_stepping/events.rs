//! The events of the user under time-stepping.

use siconos_numerics::{SolveInfo, Status};

use super::free_motion::forget_forces;
use super::{TimeStepping, deepest_gap};
use crate::simulation::{ActiveRelations, EventsManager, StepReport};
use crate::state::State;

impl TimeStepping {
    /// The events of the user: sensors, actuators, observers. The current event is the point of the grid at
    /// which the last step ended; past events are those of the user.
    #[doc(alias = "eventsManager")]
    #[must_use]
    pub fn events(&self) -> &EventsManager {
        &self.events
    }

    /// The account of the events at the first point of the grid, where nothing moves.
    pub(super) fn report_start(&mut self, state: &State) -> StepReport<'_> {
        forget_forces(&mut self.systems);
        let solve = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        let deepest_gap = deepest_gap(&self.tables, state);
        StepReport {
            step: 0,
            t: state.t,
            h: 0.0,
            active: ActiveRelations::new(&self.tables, &[]),
            deepest_gap,
            events: self.events.process_start(),
            energy: None,
            solve,
            error: 0.0,
            newton_iterations: 0,
            is_converged: true,
            newton_error: 0.0,
        }
    }

    /// The events to be changed: scheduled, removed.
    ///
    /// An event with its time in $(t_k, t_{k+1}]$ takes place at the end of that step, as time-stepping knows
    /// no state in between, and one at $t_0$ before the first step (with single stages, in the first step).
    /// It is in [`StepReport::events`](crate::simulation::StepReport::events). Events follow the state: a
    /// step from another point of the grid than the last one ended at goes there first, as
    /// [`EventsManager::go_to`] does, which is also the way to schedule events for a state that has been set
    /// back.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0]))?;
    /// let mut sim = TimeStepping::builder(&model)
    ///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?)
    ///     .build()?;
    /// sim.events_mut().schedule_periodic(EventKind::Sensor, 0.25, 0.25)?;
    /// let mut state = sim.initial_state(&model)?;
    /// let mut samples = Vec::new();
    /// sim.run(&model, &mut state, |report, state| {
    ///     samples.extend(report.events.iter().map(|event| (event.time(), report.step, state.q(mass)[0])));
    /// })?;
    /// let steps: Vec<_> = samples.iter().map(|&(time, step, _)| (time, step)).collect();
    /// assert_eq!(steps, [(0.25, 3), (0.5, 5), (0.75, 8), (1.0, 10)]);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn events_mut(&mut self) -> &mut EventsManager {
        &mut self.events
    }
}
