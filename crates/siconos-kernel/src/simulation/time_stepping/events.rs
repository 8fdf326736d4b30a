//! User events in time-stepping.

use siconos_numerics::{SolveInfo, Status};

use super::free_motion::forget_forces;
use super::{TimeStepping, deepest_gap};
use crate::simulation::{ActiveRelations, EventsManager, StepReport};
use crate::state::State;

impl TimeStepping {
    /// Returns the events manager of the user events, such as sensors, actuators and observers. The current
    /// event is the end of the last step. The past events contain only user events.
    #[doc(alias = "eventsManager")]
    #[must_use]
    pub fn events(&self) -> &EventsManager {
        &self.events
    }

    /// Returns the report of the user events at the first grid point. The state does not change.
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

    /// Returns the events manager, to schedule and remove user events.
    ///
    /// An event at a time in $(t_k, t_{k+1}]$ takes place at the end of the step, because time-stepping
    /// computes no state within a step. An event at $t_0$ takes place before the first step. If the stages of
    /// the first step are called one by one, it takes place in this step. Events are listed in
    /// [`StepReport::events`](crate::simulation::StepReport::events).
    ///
    /// The events manager follows the time of the state. If a step does not start at the end of the last
    /// step, the manager first moves to the start of the step, as with [`EventsManager::go_to`]. Call `go_to`
    /// before scheduling events for a state that has been set back in time.
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
