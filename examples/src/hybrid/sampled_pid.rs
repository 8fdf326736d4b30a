//! Motor that follows a step of its target angle, under a sampled PID controller with a bounded voltage.
//!
//! The motor with time constant T and gain K is $T \ddot \varphi + \dot \varphi = K u$. At intervals of h,
//! the controller samples the angle and sets the voltage
//!
//! $$ u = k_p e + i - k_d \frac{\varphi - \varphi_{-}}{h}, \qquad i_{+} = i + k_i h e, $$
//!
//! with the error $e = 1 - \varphi$ and the angle $\varphi_{-}$ of the previous sample. As plain text: u = kp
//! e + i - kd (phi - phi_last) / h, and i grows by ki h e. The voltage is clipped at the bounds of the
//! supply. While it is clipped, the integral does not grow, because the accumulated integral would cause an
//! overshoot. The figure shows the motion with and without this limit of the integral.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_sampled_pid.svg"))]
//!
//! ```
//! use siconos_examples::hybrid::sampled_pid::EventPid;
//!
//! let highest = |table: siconos_io::trajectory::Table| table.column("phi").expect("a column").fold(0.0, f64::max);
//! let with = highest(EventPid::default().simulate()?);
//! let without = highest(EventPid { stops_integral: false, ..EventPid::default() }.simulate()?);
//! assert!(with < 1.1 && without > 1.2, "{with} {without}");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_hybrid::{Action, DiscreteId, EventPoint, HybridSystem, Trigger, VariableType, View};
use siconos_io::trajectory::Table;

use super::{solve, table};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct EventPid {
    /// Time constant of the motor \[s\], and its speed \[rad/s\] at 1 V.
    pub motor: (f64, f64),
    /// Gains: proportional \[V/rad\], integral \[V/(rad s)\], derivative \[V s/rad\].
    pub gains: (f64, f64, f64),
    /// Supply voltage \[V\]: bound of the absolute value of the motor voltage.
    pub supply: f64,
    /// Sampling period \[s\].
    pub period: f64,
    /// `true` if the integral does not grow while the voltage is clipped.
    pub stops_integral: bool,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for EventPid {
    fn default() -> Self {
        Self {
            motor: (0.5, 1.0),
            gains: (8.0, 6.0, 2.5),
            supply: 1.0,
            period: 0.05,
            stops_integral: true,
            t_end: 8.0,
        }
    }
}

/// Voltage, integral and last sample, in the order in which they are declared.
const U: DiscreteId = DiscreteId::new(0);
const INTEGRAL: DiscreteId = DiscreteId::new(1);
const LAST: DiscreteId = DiscreteId::new(2);

impl EventPid {
    /// Applies the control law at a sample.
    fn control(&self, p: &mut EventPoint<'_>) {
        let ((kp, ki, kd), h) = (self.gains, self.period);
        let (angle, error) = (p.x()[0], 1.0 - p.x()[0]);
        let wanted = kp * error + p[INTEGRAL] - kd * (angle - p[LAST]) / h;
        let voltage = wanted.clamp(-self.supply, self.supply);
        p.set(U, voltage);
        p.set(LAST, angle);
        if voltage == wanted || !self.stops_integral {
            p.set(INTEGRAL, p[INTEGRAL] + ki * h * error);
        }
    }

    /// Simulates the motor. The table has angle, speed, voltage, integral and last sample, in the columns t,
    /// phi, phi', u, integral, last.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a hybrid system that can be integrated.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (time_constant, gain) = self.motor;
        let motor = move |p: View, a: &mut [f64]| a[0] = (gain * p[U] - p.x[1]) / time_constant;
        let mut system = HybridSystem::second_order(["phi"], motor)?;
        for name in ["u", "integral", "last"] {
            system.discrete(name, VariableType::Float, 0.0)?;
        }
        let controller = *self;
        let action = Action::set(move |p| controller.control(p));
        system.event(Trigger::periodic(0.0, self.period), action)?;
        let (solution, _) = solve(&system, &[0.0, 0.0], self.t_end)?;
        table(&solution, 400)
    }
}

/// Runs the example, prints the overshoot, and writes `hybrid_sampled_pid.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let mut of_angle = Panel::new("Angle", "time t [s]", "\u{3c6} [rad]");
    let mut of_voltage = Panel::new("Voltage", "time t [s]", "u [V]");
    println!("overshoot of a motor under a sampled PID controller with a voltage that saturates");
    for (stops_integral, label) in [(true, "integral stops at saturation"), (false, "integral goes on")] {
        let table = EventPid { stops_integral, ..EventPid::default() }.simulate()?;
        let highest = table.column("phi").map_or(f64::NAN, |angles| angles.fold(0.0, f64::max));
        println!("  {label:30} {:5.1} %", 100.0 * (highest - 1.0));
        of_angle = of_angle.with(Curve::line(label, pairs(&table, "t", "phi")?));
        of_voltage = of_voltage.with(Curve::line(label, pairs(&table, "t", "u")?));
    }
    let figure = Figure::new("A motor under a sampled PID controller", vec![of_angle, of_voltage]);
    crate::save(&figure, output, "hybrid_sampled_pid")
}
