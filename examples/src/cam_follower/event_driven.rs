//! Event-driven simulation of the cam-follower.

use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings};

use super::scheme::{CamImpact, Run, Sampling};
use super::{CamFollower, Form};
use crate::ExampleError;

impl CamFollower {
    /// Builds an event-driven simulation of a model created by [`model`](Self::model).
    ///
    /// The rheonomic form is better suited. In this form the cam does not act on the follower between
    /// impacts, so the flight is smooth and is integrated in few steps of high order. In the translated form,
    /// the acceleration of the cam acts as a force, which jumps at the boundaries between arcs of the cam.
    /// The integration must approach each jump in short steps, which takes about twenty times the work.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn event_driven(
        &self,
        model: &NonSmoothDynamicalSystem,
        grid: TimeDiscretisation,
    ) -> Result<EventDriven, ExampleError> {
        Ok(EventDriven::builder(model)
            .discretisation(grid)
            .integrator(OdeSettings { method: Method::HighOrder, ..OdeSettings::default() })
            .build()?)
    }

    /// Simulates by events, with an interval of [`h`](Self::h) between output points. The table has the
    /// columns t, q = u - c \[m\], w = u' - c' \[m/s\].
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate_event_driven(&self) -> Result<Table, ExampleError> {
        let run = run_event_driven(self, Sampling::over(self.t_end, self.h))?;
        let mut table = Table::with_capacity(["t", "q", "w"], run.t.len());
        for ((t, q), w) in run.t.iter().zip(&run.q).zip(&run.v) {
            table.push_row(&[*t, *q, *w])?;
        }
        Ok(table)
    }
}

/// Runs an event-driven simulation, which locates every impact. [`CamFollower::h`] is not used. A sample at
/// the time of an impact contains the state after the impact.
///
/// # Errors
///
/// If a step fails.
pub fn run_event_driven(example: &CamFollower, sampling: Sampling) -> Result<Run, ExampleError> {
    let (model, follower, _) = example.model(Form::Rheonomic)?;
    // The grid is slightly longer, so that rounding does not remove the last sample, and has at least one
    // step.
    let end = sampling.end().max(sampling.interval) + 0.5 * sampling.interval;
    let grid = TimeDiscretisation::uniform(0.0, end, sampling.interval)?;
    let mut simulation = example.event_driven(&model, grid)?;
    let mut state = simulation.initial_state(&model)?;
    let (begin, last) = (sampling.time(0), sampling.skipped + sampling.count.saturating_sub(1));
    let mut run = Run::default();
    let sample = |state: &State, run: &mut Run| {
        if (sampling.skipped..=last).contains(&state.step()) {
            let lift = example.cam.lift(state.t);
            run.t.push(state.t);
            run.q.push(state.q(follower)[0] - lift.c);
            run.v.push(state.v(follower)[0] - lift.c_dot);
        }
    };
    sample(&state, &mut run);
    simulation.run(&model, &mut state, |report, state| {
        if !report.impacts.is_empty() && (begin..=sampling.end()).contains(&report.t) {
            let lift = example.cam.lift(report.t);
            let (v_minus, v_plus) = (state.v_before(follower)[0], state.v(follower)[0]);
            run.impacts.push(CamImpact {
                t: report.t,
                v_minus: v_minus - lift.c_dot,
                v_plus: v_plus - lift.c_dot,
            });
        }
        if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
            sample(state, &mut run);
        }
    })?;
    Ok(run)
}
