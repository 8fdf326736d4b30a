//! Simulation schemes for the figures of the cam-follower.
//!
//! A scheme is a function that takes the parameters and a [`Sampling`] and returns a [`Run`]. Each figure has
//! one curve or one panel for each entry of [`SCHEMES`].

use siconos_figure::Panel;
use siconos_kernel::prelude::*;

use super::event_driven::run_event_driven;
use super::{CamFollower, Form};
use crate::ExampleError;

/// Impact of the follower on the cam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CamImpact {
    /// Time \[s\].
    pub t: f64,
    /// Velocity relative to the cam before the impact \[m/s\].
    pub v_minus: f64,
    /// Velocity relative to the cam after the impact \[m/s\].
    pub v_plus: f64,
}

/// Result of a simulation: samples relative to the cam, and all impacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Times of the samples \[s\].
    pub t: Vec<f64>,
    /// Distances from the cam, u - c \[m\].
    pub q: Vec<f64>,
    /// Velocities relative to the cam, u' - c' \[m/s\].
    pub v: Vec<f64>,
    /// Impacts after the first sample.
    pub impacts: Vec<CamImpact>,
}

/// Times of the samples, with equal intervals. The first `skipped` intervals, starting at t = 0, have no
/// samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Number of intervals before the first sample. They are simulated, but their states are not stored.
    pub skipped: usize,
    /// Interval between samples \[s\].
    pub interval: f64,
    /// Number of samples.
    pub count: usize,
}

/// Gives all panels the same axes, so that they can be compared. `margin` is a fraction of the range.
pub(super) fn share_axes(panels: &mut [Panel], margin: f64) {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let values = panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points).map(of);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let room = margin * (high - low);
        // Without points, or if all points are equal, each panel has its own range.
        (low < high).then_some((low - room, high + room))
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    for panel in panels {
        (panel.x_range, panel.y_range) = (x, y);
    }
}

impl Sampling {
    /// Creates samples from 0 to `t_end`, about `interval` apart.
    #[must_use]
    pub fn over(t_end: f64, interval: f64) -> Self {
        let intervals = (t_end / interval).round().max(1.0);
        Self { skipped: 0, interval: t_end / intervals, count: intervals as usize + 1 }
    }

    /// Creates samples once per turn of the cam: `turns` samples after `transient` turns.
    #[must_use]
    pub fn stroboscopic(example: &CamFollower, transient: usize, turns: usize) -> Self {
        Self { skipped: transient, interval: example.cam.turn(), count: turns }
    }

    /// Returns the time of sample `k`, counted from 0 \[s\].
    #[must_use]
    pub fn time(&self, k: usize) -> f64 {
        (self.skipped + k) as f64 * self.interval
    }

    /// Returns the time of the last sample \[s\].
    #[must_use]
    pub fn end(&self) -> f64 {
        self.time(self.count.saturating_sub(1))
    }
}

/// Simulation scheme and its names in figures.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// Name in legends.
    pub name: &'static str,
    /// Name in file names.
    pub key: &'static str,
    /// Function that simulates from t = 0 to the last sample. [`CamFollower::t_end`] is not used.
    pub simulate: fn(&CamFollower, Sampling) -> Result<Run, ExampleError>,
}

/// Schemes that the figures compare.
pub const SCHEMES: [Scheme; 2] = [
    Scheme { name: "time-stepping", key: "time_stepping", simulate: run_time_stepping },
    Scheme { name: "event-driven", key: "event_driven", simulate: run_event_driven },
];

/// Simulates by time-stepping, in the coordinate relative to the cam. The step is [`CamFollower::h`], or
/// slightly less, so that samples coincide with steps.
///
/// A step with an impulse counts as an impact if the impulse reverses the relative velocity, and if this
/// velocity exceeds the change of velocity in a step without contact. At lower velocities, the scheme does
/// not distinguish impacts from a persistent contact.
///
/// # Errors
///
/// If a step fails.
pub fn run_time_stepping(example: &CamFollower, sampling: Sampling) -> Result<Run, ExampleError> {
    let (model, follower, contact) = example.model(Form::Translated)?;
    let per_sample = (sampling.interval / example.h * (1.0 - 1e-9)).ceil().max(1.0) as usize;
    let last = sampling.skipped + sampling.count.saturating_sub(1);
    let h = sampling.interval / per_sample as f64;
    let mut run = Run::default();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, sampling.end() + 0.5 * h, h)?)
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    for sample in 0..=last {
        if sample >= sampling.skipped {
            run.t.push(state.t);
            run.q.push(state.q(follower)[0]);
            run.v.push(state.v(follower)[0]);
        }
        if sample == last {
            break;
        }
        for _ in 0..per_sample {
            let v_minus = state.v(follower)[0];
            if simulation.step(&model, &mut state)?.is_none() {
                return Ok(run);
            }
            let v_plus = state.v(follower)[0];
            let gained = h * (example.translated_force(state.t) / example.mass).abs();
            let hit = state.lambda(contact, Level::Velocity)[0] > 0.0 && v_minus < -gained && v_plus > 0.0;
            if hit && sample >= sampling.skipped {
                run.impacts.push(CamImpact { t: state.t, v_minus, v_plus });
            }
        }
    }
    Ok(run)
}
