//! Error and work of adaptive and fixed time steps.
//!
//! Four of the examples are simulated by time-stepping, with fixed steps and with [`AdaptiveStepping`] at
//! tolerances from 1e-2 to 1e-6. The error is the mean error of one position (for the bridge, of the voltage)
//! at 400 times. The reference is an event-driven simulation. The work is the number of one-step problems,
//! including rejected steps. The time at which a fixed step applies an impact is wrong by a fraction of the
//! step length, so that the error is inversely proportional to the work, even for the midpoint rule. Adaptive
//! steps are short only near impacts.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/adaptive_steps.svg"))]
//!
//! ```
//! use siconos_examples::adaptive_steps::Problem;
//!
//! for problem in [Problem::ball()?, Problem::cam()?] {
//!     let adaptive = problem.adaptive(1e-3)?;
//!     let fixed = problem.fixed((5 * adaptive.work).next_multiple_of(400))?;
//!     assert!(adaptive.error < fixed.error, "five times as many fixed steps");
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel, Scale};
use siconos_kernel::prelude::*;
use siconos_models::pendulum_with_stop;

use crate::ExampleError;
use crate::bouncing_ball::BouncingBall;
use crate::cam_follower::{CamFollower, Form};
use crate::diode_bridge::DiodeBridge;

/// Number of times at which the error is evaluated.
const SAMPLES: usize = 400;

/// Model of a comparison, with the reference values of its first coordinate.
#[derive(Debug)]
pub struct Problem {
    title: &'static str,
    unit: &'static str,
    model: NonSmoothDynamicalSystem,
    system: DynamicalSystemId,
    integrator: Integrator,
    /// End of the simulation \[s\].
    t_end: f64,
    /// Time scale \[s\], to which the lengths of the first and the shortest adaptive step are proportional.
    time_scale: f64,
    reference: Vec<f64>,
}

/// Error and work of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Mean error, in the unit of the coordinate.
    pub error: f64,
    /// Number of one-step problems.
    pub work: usize,
}

fn coordinate(state: &State, system: DynamicalSystemId) -> f64 {
    state.q(system).first().or(state.x(system).first()).copied().unwrap_or(f64::NAN)
}

impl Problem {
    fn new(
        (title, unit): (&'static str, &'static str),
        (model, system): (NonSmoothDynamicalSystem, DynamicalSystemId),
        integrator: Integrator,
        (t_end, time_scale): (f64, f64),
    ) -> Result<Self, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, t_end, t_end / SAMPLES as f64)?;
        let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut reference = Vec::with_capacity(SAMPLES);
        simulation.run(&model, &mut state, |report, state| {
            if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
                reference.push(coordinate(state, system));
            }
        })?;
        Ok(Self { title, unit, model, system, integrator, t_end, time_scale, reference })
    }

    /// Creates the problem of a ball that bounces nine times.
    ///
    /// # Errors
    ///
    /// If the reference simulation fails.
    pub fn ball() -> Result<Self, ExampleError> {
        let (model, ball, _) = BouncingBall::default().model()?;
        Self::new(("Bouncing ball", "m"), (model, ball), MoreauJean::default().into(), (5.5, 1.0))
    }

    /// Creates the problem of a follower that leaves its cam.
    ///
    /// # Errors
    ///
    /// If the reference simulation fails.
    pub fn cam() -> Result<Self, ExampleError> {
        let (model, follower, _) = CamFollower::default().model(Form::Translated)?;
        Self::new(("Cam and follower", "m"), (model, follower), MoreauJean::default().into(), (1.0, 1.0))
    }

    /// Creates the problem of a pendulum that swings against a stop.
    ///
    /// # Errors
    ///
    /// If the reference simulation fails.
    pub fn pendulum() -> Result<Self, ExampleError> {
        let built = pendulum_with_stop(9.81, 1.0, 1.5, 0.8)?;
        let pendulum = (built.model, built.bodies[0]);
        Self::new(("Pendulum at a stop", "rad"), pendulum, MoreauJean::default().into(), (4.0, 1.0))
    }

    /// Creates the problem of a bridge of four diodes, with the midpoint rule.
    ///
    /// # Errors
    ///
    /// If the reference simulation fails.
    pub fn bridge() -> Result<Self, ExampleError> {
        let (model, oscillator, _) = DiodeBridge::default().model()?;
        Self::new(("Diode bridge", "V"), (model, oscillator), ThetaGamma::default().into(), (4e-3, 1e-3))
    }

    fn simulation(&self, steps: usize) -> Result<TimeStepping, ExampleError> {
        let grid = TimeDiscretisation::of_steps(0.0, self.t_end / steps as f64, steps)?;
        Ok(TimeStepping::builder(&self.model).discretisation(grid).integrator(self.integrator).build()?)
    }

    /// Simulates with `steps` equal steps. The number of steps must be a multiple of 400.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn fixed(&self, steps: usize) -> Result<Precision, ExampleError> {
        let mut simulation = self.simulation(steps)?;
        let mut state = simulation.initial_state(&self.model)?;
        let every = steps / SAMPLES;
        let mut sum = 0.0;
        simulation.run(&self.model, &mut state, |report, state| {
            if report.step % every == 0 {
                sum += (coordinate(state, self.system) - self.reference[report.step / every - 1]).abs();
            }
        })?;
        Ok(Precision { error: sum / SAMPLES as f64, work: steps })
    }

    /// Simulates with adaptive steps, and interpolates between the ends of the steps.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn adaptive(&self, tolerance: f64) -> Result<Precision, ExampleError> {
        let mut simulation = self.simulation(SAMPLES)?;
        let times = simulation.discretisation().clone();
        let t_end = times.time(SAMPLES).unwrap_or(self.t_end);
        let mut state = simulation.initial_state(&self.model)?;
        let mut adaptive = AdaptiveStepping::new(AdaptiveSettings {
            first_step: 1e-6 * self.time_scale,
            smallest_step: 1e-9 * self.time_scale,
            ..AdaptiveSettings::of_tolerance(tolerance)
        })?;
        let (mut sum, mut next) = (0.0, 1);
        adaptive.run(&mut simulation, &self.model, &mut state, t_end, |adaptive, _, state| {
            while let Some(t) = times.time(next).filter(|&t| t <= state.t) {
                let q = adaptive.position_at(state, self.system, t).filter(|q| !q.is_empty());
                let value = q.or_else(|| adaptive.velocity_at(state, self.system, t));
                let value = value.and_then(|value| value.first().copied()).unwrap_or(f64::NAN);
                sum += (value - self.reference[next - 1]).abs();
                next += 1;
            }
        })?;
        let (taken, refused) = adaptive.steps();
        Ok(Precision { error: sum / SAMPLES as f64, work: taken + refused })
    }
}

/// Runs the example, prints errors and work, and writes `adaptive_steps.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let mut panels = Vec::new();
    println!("{:>20} {:>10} {:>10} {:>10} {:>10}", "", "adaptive", "error", "fixed", "error");
    for problem in [Problem::ball()?, Problem::cam()?, Problem::pendulum()?, Problem::bridge()?] {
        let (mut fixed, mut adaptive) = (Vec::new(), Vec::new());
        for k in 0..7 {
            let by_steps = problem.fixed(SAMPLES << k)?;
            let by_tolerance = problem.adaptive(10f64.powf(-2.0 - f64::from(k) * 4.0 / 6.0))?;
            println!(
                "{:>20} {:>10} {:>10.1e} {:>10} {:>10.1e}",
                problem.title, by_tolerance.work, by_tolerance.error, by_steps.work, by_steps.error
            );
            fixed.push((by_steps.work as f64, by_steps.error));
            adaptive.push((by_tolerance.work as f64, by_tolerance.error));
        }
        let label = format!("mean error [{}]", problem.unit);
        let panel = Panel {
            x_scale: Scale::Logarithmic,
            y_scale: Scale::Logarithmic,
            ..Panel::new(problem.title, "one-step problems [1]", label)
        };
        let adaptive = Curve::line("adaptive", adaptive).coloured(Colour::Vermillion);
        panels.push(panel.with(Curve::line("fixed", fixed).coloured(Colour::Blue)).with(adaptive));
    }
    let figure = Figure::grid("Adaptive and fixed steps", 2, panels).with_size(1000, 720);
    crate::save(&figure, output, "adaptive_steps")
}
