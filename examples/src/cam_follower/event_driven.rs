//! The cam-follower by event-driven simulation.

use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings};

use super::scheme::{CamImpact, Run, Sampling};
use super::{CamFollower, Form};
use crate::ExampleError;

impl CamFollower {
    /// An event-driven simulation of a model made by [`model`](Self::model).
    ///
    /// The rheonomic form suits it best. There the follower does not feel the cam until it hits it, so that
    /// its flight is smooth, and integrated in few steps of high order. In the translated form the
    /// acceleration of the cam acts on it as a force, which jumps where two arcs of the cam meet: the
    /// integration has to feel its way to each jump, with some twenty times the work.
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

    /// The motion by events at points of output [`h`](Self::h) apart: columns t, q = u - c \[m\], w = u' - c'
    /// \[m/s\].
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

/// Simulates event by event: every impact is located, and [`CamFollower::h`] is not used. Samples at the time
/// of an impact are those after it.
///
/// # Errors
///
/// If a step fails.
pub fn run_event_driven(example: &CamFollower, sampling: Sampling) -> Result<Run, ExampleError> {
    let (model, follower, _) = example.model(Form::Rheonomic)?;
    // A little longer, so that rounding does not cost the last sample; a grid has a step at least.
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
