//! The cam-follower by event-driven simulation.

use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_numerics::ode::{Method, OdeSettings};

use super::scheme::{CamImpact, Run, Sampling};
use super::{Cam, CamFollower, Form};
use crate::ExampleError;

impl CamFollower {
    /// An event-driven simulation of a model made by [`model`](Self::model): with events at the
    /// [switch times](super::Cam::switch_times), where the acceleration of the cam jumps, since an integration of high order
    /// cannot go over them.
    ///
    /// # Errors
    ///
    /// Parameters that make no simulation.
    pub fn event_driven(
        &self,
        model: &NonSmoothDynamicalSystem,
        grid: TimeDiscretisation,
    ) -> Result<EventDriven, ExampleError> {
        let (begin, turn) = (grid.t0(), self.cam.turn());
        let mut simulation = EventDriven::builder(model)
            .discretisation(grid)
            .integrator(OdeSettings { method: Method::HighOrder, ..OdeSettings::default() })
            .build()?;
        let switches = self.cam.switch_times(begin, begin + 1.5 * turn).into_iter();
        for first in switches.take(2 * Cam::switch_angles().len()) {
            simulation
                .events_mut()
                .schedule_periodic(EventKind::Custom, first, turn)
                .map_err(SimulationError::from)?;
        }
        Ok(simulation)
    }

    /// The motion by events at points of output [`h`](Self::h) apart: columns t, q = u - c \[m\], w = u' - c' \[m/s\].
    ///
    /// # Errors
    ///
    /// A step that fails.
    pub fn simulate_event_driven(&self) -> Result<Table, ExampleError> {
        let run = run_event_driven(self, Sampling::over(self.t_end, self.h))?;
        let mut table = Table::with_capacity(["t", "q", "w"], run.t.len());
        for ((t, q), w) in run.t.iter().zip(&run.q).zip(&run.v) {
            table.push_row(&[*t, *q, *w])?;
        }
        Ok(table)
    }
}

/// Simulates event by event, in the coordinate relative to the cam; all impacts are located, and [`CamFollower::h`] is
/// not used.
///
/// # Errors
///
/// A step that fails.
pub fn run_event_driven(example: &CamFollower, sampling: Sampling) -> Result<Run, ExampleError> {
    run_in(Form::Translated, example, sampling)
}

pub fn run_in(form: Form, example: &CamFollower, sampling: Sampling) -> Result<Run, ExampleError> {
    let (model, follower, _) = example.model(form)?;
    // One more point, so that a grid of a single sample has a step as well.
    let grid = TimeDiscretisation::uniform(0.0, sampling.end() + 0.5 * sampling.interval, sampling.interval)?;
    let mut simulation = example.event_driven(&model, grid)?;
    let mut state = simulation.initial_state(&model)?;
    let begin = sampling.time(0);
    let mut run = Run::default();
    let relative = |q: f64, v: f64, t: f64| match form {
        Form::Translated => (q, v),
        Form::Rheonomic => {
            let lift = example.cam.lift(t);
            (q - lift.c, v - lift.c_dot)
        }
    };
    let sample = |state: &State, run: &mut Run| {
        if state.step() >= sampling.skipped {
            let (q, v) = relative(state.q(follower)[0], state.v(follower)[0], state.t);
            run.t.push(state.t);
            run.q.push(q);
            run.v.push(v);
        }
    };
    sample(&state, &mut run);
    simulation.run(&model, &mut state, |report, state| {
        if !report.impacts.is_empty() && report.t >= begin {
            let (_, v_minus) = relative(state.q(follower)[0], state.v_before(follower)[0], report.t);
            let (_, v_plus) = relative(state.q(follower)[0], state.v(follower)[0], report.t);
            run.impacts.push(CamImpact { t: report.t, v_minus, v_plus });
        }
        if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
            sample(state, &mut run);
        }
    })?;
    eprintln!("{:?}", simulation.statistics());
    Ok(run)
}
