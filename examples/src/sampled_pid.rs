//! Sampled PID controller with a bounded force: integral windup and back-calculation.
//!
//! A motor moves a cart of mass m to the position r. The cart is simulated as a mechanical system by the
//! Moreau-Jean scheme. The controller is sampled at every fifth step, and its force is bounded:
//!
//! $$ m \ddot q = u, \qquad |u| \le u_{max}, \qquad u = K_p e + K_i \int e + K_d \dot e, \qquad e = r - q. $$
//!
//! As plain text: m q'' = u with |u| at most u_max, u a PID controller of e = r - q. If the integral
//! continues to grow while the motor is at its bound, it winds up: it keeps the motor at the bound long after
//! the cart has passed the target. With back-calculation, the integral follows the bounded force with the
//! tracking time as time constant, and the overshoot is small. The figure shows both variants.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/sampled_pid.svg"))]
//!
//! Reference: K. J. Astrom, T. Hagglund (2006), "Advanced PID Control", ISA, section 3.5.
//!
//! ```
//! use siconos_examples::sampled_pid::SampledPid;
//!
//! let overshoot = |example: SampledPid| -> Result<f64, siconos_examples::ExampleError> {
//!     let table = example.simulate()?;
//!     Ok(table.column("q").unwrap().fold(0.0, f64::max) - example.place)
//! };
//! assert!(overshoot(SampledPid::default())? < 0.3 * overshoot(SampledPid::wound_up())?);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_control::{ControlLoop, LinearSensor, Pid, PidGains, Sampling};
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct SampledPid {
    /// Mass of the cart \[kg\].
    pub mass: f64,
    /// Target position of the cart \[m\].
    pub place: f64,
    /// Largest force of the motor \[N\].
    pub largest_force: f64,
    /// Gains \[N/m\], \[N/(m s)\], \[N s/m\] and time constants \[s\] of the controller.
    pub gains: PidGains,
    /// Sampling period of the controller \[s\].
    pub period: f64,
    /// Time step \[s\]. The sampling period must be a multiple of the time step.
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for SampledPid {
    /// Back-calculation with a tracking time of 0.5 s.
    fn default() -> Self {
        let gains = PidGains {
            proportional: 6.0,
            integral: 3.0,
            derivative: 5.0,
            filter_time: 0.05,
            tracking_time: Some(0.5),
        };
        Self { mass: 1.0, place: 2.0, largest_force: 1.5, gains, period: 0.05, h: 0.01, t_end: 10.0 }
    }
}

impl SampledPid {
    /// Creates the example with a tracking time that is far longer than the run, which is practically without
    /// back-calculation.
    #[must_use]
    pub fn wound_up() -> Self {
        let example = Self::default();
        Self { gains: PidGains { tracking_time: Some(1e12), ..example.gains }, ..example }
    }

    /// Simulates the motion. The table has a row for each sample, with the columns t, q, u, integral.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid controller, or a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let mut model = NonSmoothDynamicalSystem::new();
        let motor = model.add_parameter("motor [N]", vec![0.0])?;
        let cart = LagrangianLinear::new(vec![0.0], vec![0.0], array![self.mass]);
        let cart = model.add_system(cart.with_external_force(move |at, f| f[0] = at[motor][0]))?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .build()?;

        let sampling = Sampling::every(self.period);
        let mut control = ControlLoop::default();
        let position = control.add_sensor(sampling, LinearSensor::new([cart], array![[1.0, 0.0]])?);
        let pid = Pid::new(self.gains, self.period)?
            .with_reference(self.place)?
            .with_bounds(-self.largest_force, self.largest_force)?;
        let force = control.add_actuator(sampling, pid, position, motor)?;
        control.schedule(&model, simulation.events_mut())?;
        let mut state = simulation.initial_state(&model)?;
        while let Some(report) = simulation.step(&model, &mut state)? {
            control.process(report.events, &model, &mut state)?;
        }

        let (q, u) = (control.sensor(position)?.samples(), control.actuator(force)?.samples());
        let mut table = Table::with_capacity(["t", "q", "u", "integral"], q.len());
        for (q, u) in q.iter().zip(u.iter()) {
            table.push_row(&[q.t, q.value[0], u.value[0], u.terms[1]])?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the overshoots, and writes `sampled_pid.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = SampledPid::default();
    let (tracked, wound_up) = (example.simulate()?, SampledPid::wound_up().simulate()?);
    println!("a cart under a PID controller with a limited motor\n{:>18} {:>14}", "", "overshoot [m]");
    for (name, table) in [("back-calculation", &tracked), ("winds up", &wound_up)] {
        let farthest = table.rows().map(|row| row[1]).fold(0.0, f64::max);
        println!("{name:>18} {:14.3}", farthest - example.place);
    }
    let panel = |title: &str, label: &str, column: &str| -> Result<Panel, ExampleError> {
        Ok(Panel::new(title, "t [s]", label)
            .with(Curve::line("winds up", pairs(&wound_up, "t", column)?))
            .with(Curve::line("back-calculation", pairs(&tracked, "t", column)?)))
    };
    let place = vec![(0.0, example.place), (example.t_end, example.place)];
    let panels = vec![
        panel("Position", "q [m]", "q")?.with(Curve::dashed("place", place)),
        panel("Force of the motor", "u [N]", "u")?,
        panel("Integral", "I [N]", "integral")?,
    ];
    let figure = Figure::new("A cart under a sampled PID controller, motor of 1.5 N", panels);
    crate::save(&figure.with_size(900, 900), output, "sampled_pid")
}
