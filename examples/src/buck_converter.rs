//! Buck converter with an ideal diode and an ideal transistor: a switched DC-DC converter that reduces a
//! voltage.
//!
//! ```text
//!    V_in ──[ T ]──┬───L───┬─────┐
//!                  │       │     │
//!                  ▲ D     C     R
//!                  │       │     │
//!    ground ───────┴───────┴─────┘
//! ```
//!
//! The state is x = (i, v), the current of the inductor and the output voltage. With the voltage $v_s$ at the
//! node between transistor and diode,
//!
//! $$ L \dot i = v_s - v, \qquad C \dot v = i - v / R. $$
//!
//! **Pulse-width modulation** ([`Control::Pwm`]). The multipliers are $\lambda = (v_s, i_T)$ with the current
//! $i_T$ of the transistor. The outputs are $y = (i - i_T, v_s - V_{in})$, the current of the diode and the
//! voltage across the transistor. The diode is a complementarity condition, $0 \le i - i_T \perp v_s \ge 0$.
//! The transistor conducts in one direction while its gate is on, and blocks while the gate is off. It is a
//! relay with the bounds $0 \le i_T \le \bar i(t)$, where $\bar i$ is infinite or zero. Diode and transistor
//! form one law, $-y \in N_K(\lambda)$ with the box
//! $K = \lbrace v_s \ge 0, \thinspace 0 \le i_T \le \bar i(t) \rbrace$. The mode of the circuit is not
//! prescribed. With a light load, the current decreases to zero before the end of the period and stays at
//! zero (discontinuous conduction). This mode is a result of the law.
//!
//! With the duty cycle D, the switching frequency f and k = 2 L f / R, the mean output voltage is
//!
//! $$ \bar v = D V_{in} \text{ in continuous conduction}, \qquad
//!    \bar v = \frac{2 V_{in}}{1 + \sqrt{1 + 4 k / D^2}} \text{ in discontinuous conduction.} $$
//!
//! **Sliding mode** ([`Control::SlidingMode`]). In a synchronous converter, a second transistor replaces the
//! diode. Then $v_s$ is the multiplier of a relay with the bounds 0 and $V_{in}$ and the input
//! $y = v - v_{ref} + \tau \dot v$. After a start at full voltage, and again after the change of the load,
//! the state slides along y = 0. The output converges to the reference with the time constant tau for any
//! load, and $v_s / V_{in}$ is the duty cycle of an infinitely fast switch.
//!
//! The load becomes light at the time [`load_step`](BuckConverter::load_step).
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/buck_converter.svg"))]
//!
//! References: Acary, Bonnefon and Brogliato (2011), "Nonsmooth Modeling and Simulation for Switched
//! Circuits", on the buck converter; Erickson and Maksimovic (2001), "Fundamentals of Power Electronics",
//! chapters 2 and 5 for the mean outputs.
//!
//! ```
//! use siconos_examples::buck_converter::BuckConverter;
//!
//! let buck = BuckConverter::default();
//! let table = buck.simulate()?;
//! let mean = |end: f64| {
//!     let last_periods = table.rows().filter(|row| row[0] > end - 5e-5 + 1e-9 && row[0] <= end + 1e-9);
//!     let outputs: Vec<f64> = last_periods.map(|row| row[2]).collect();
//!     outputs.iter().sum::<f64>() / outputs.len() as f64
//! };
//! assert!((mean(buck.load_step) - 0.4 * 12.0).abs() < 0.02, "V_out = D V_in in continuous conduction");
//! let k = 2.0 * buck.inductance * buck.frequency / buck.light_load;
//! let light = 2.0 * 12.0 / (1.0 + (1.0 + 4.0 * k / (0.4 * 0.4)).sqrt());
//! assert!((mean(buck.t_end) / light - 1.0).abs() < 0.02, "in discontinuous conduction");
//! assert!(table.rows().all(|row| row[1] > -1e-9), "no current flows back through the diode");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, record, scaled_pairs};

/// Control of the switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// The transistor is on during a fraction `duty` of each period.
    Pwm {
        /// Fraction of the period, in \[0, 1\].
        duty: f64,
    },
    /// A relay with the input $v - v_{ref} + \tau \dot v$.
    SlidingMode {
        /// Reference $v_{ref}$ \[V\].
        reference: f64,
        /// Time constant tau on the sliding surface \[s\].
        tau: f64,
    },
}

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BuckConverter {
    /// Voltage of the source \[V\].
    pub source: f64,
    /// Inductance L \[H\].
    pub inductance: f64,
    /// Capacitance C \[F\].
    pub capacitance: f64,
    /// Initial resistance of the load \[ohm\].
    pub load: f64,
    /// Resistance of the light load \[ohm\].
    pub light_load: f64,
    /// Time at which the load changes \[s\].
    pub load_step: f64,
    /// Switching frequency \[Hz\].
    pub frequency: f64,
    /// Control of the switch.
    pub control: Control,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for BuckConverter {
    fn default() -> Self {
        Self {
            source: 12.0,
            inductance: 100e-6,
            capacitance: 10e-6,
            load: 5.0,
            light_load: 200.0,
            load_step: 2e-3,
            frequency: 100e3,
            control: Control::Pwm { duty: 0.4 },
            h: 0.2e-6,
            t_end: 8e-3,
        }
    }
}

impl BuckConverter {
    /// Creates a converter with sliding-mode control to 5 V, with a time constant of 50 microseconds.
    ///
    /// ```
    /// use siconos_examples::buck_converter::BuckConverter;
    ///
    /// let table = BuckConverter::sliding().simulate()?;
    /// let row = |t: f64| table.rows().find(|row| row[0] > t).unwrap();
    /// let decay = (5.0 - row(3e-4)[2]) / (5.0 - row(2e-4)[2]);
    /// assert!((decay / (-1e-4_f64 / 50e-6).exp() - 1.0).abs() < 0.01, "the time constant that was asked for");
    /// assert!((row(1.9e-3)[3] / 12.0 - 5.0 / 12.0).abs() < 1e-6, "the duty of the reference");
    /// # Ok::<(), siconos_examples::ExampleError>(())
    /// ```
    #[must_use]
    pub fn sliding() -> Self {
        Self { control: Control::SlidingMode { reference: 5.0, tau: 50e-6 }, t_end: 4e-3, ..Self::default() }
    }

    /// Returns the conductance 1 / R of the load at a time \[1/ohm\].
    fn conductance(&self, t: f64) -> f64 {
        1.0 / if t < self.load_step { self.load } else { self.light_load }
    }

    /// Builds the model and returns it with the ids of the filter (inductor, capacitor and load) and of the
    /// switch.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let buck = *self;
        let (l, c) = (self.inductance, self.capacitance);
        let mut model = NonSmoothDynamicalSystem::new();
        let filter =
            model.add_system(FirstOrderLinear::of_matrix_function(vec![0.0, 0.0], move |at, a| {
                (a[[0, 1]], a[[1, 0]]) = (-1.0 / l, 1.0 / c);
                a[[1, 1]] = -buck.conductance(at.t) / c;
            }))?;
        let switch = match self.control {
            Control::Pwm { duty } => {
                let relation = FirstOrderLinearRelation::new(
                    array![[1.0, 0.0], [0.0, 0.0]],
                    array![[1.0 / l, 0.0], [0.0, 0.0]],
                )
                .with_d(array![[0.0, -1.0], [1.0, 0.0]])
                .with_offset(vec![0.0, -self.source]);
                let law = Relay::of_time(2, move |at, _lower, upper| {
                    // The phase is evaluated at the midpoint of the step, away from the edges of the pulses.
                    let phase = ((at.t - 0.5 * buck.h) * buck.frequency).rem_euclid(1.0);
                    upper[0] = f64::INFINITY;
                    upper[1] = if phase < duty { f64::INFINITY } else { 0.0 };
                })?;
                model.add_interaction([filter], relation, law)?
            }
            Control::SlidingMode { reference, tau } => {
                let relation = FirstOrderLinearRelation::of_functions(
                    1,
                    move |at, output| {
                        output[[0, 0]] = tau / c;
                        output[[0, 1]] = 1.0 - tau * buck.conductance(at.t) / c;
                    },
                    move |_t, input| input[[0, 0]] = 1.0 / l,
                )
                .with_offset(vec![-reference]);
                model.add_interaction([filter], relation, Relay::new(vec![0.0], vec![self.source])?)?
            }
        };
        Ok((model, filter, switch))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(EulerMoreau::default())
            .build()?)
    }

    /// Simulates the circuit. The table has the current of the inductor and the voltages of output and
    /// switch, in the columns t, i, v, v_s.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, filter, switch) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "i", "v", "v_s"], |s| {
            let x = s.x(filter);
            [s.t, x[0], x[1], s.lambda(switch, Level::Position)[0]]
        })
    }
}

/// Runs the example, prints the mean outputs with the theoretical values, and writes `buck_converter.svg` and
/// `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let (pulsed, sliding) = (BuckConverter::default(), BuckConverter::sliding());
    let (pulses, slides) = (pulsed.simulate()?, sliding.simulate()?);
    let Control::Pwm { duty } = pulsed.control else { return Ok(Vec::new()) };
    let k = 2.0 * pulsed.inductance * pulsed.frequency / pulsed.light_load;
    let light = 2.0 * pulsed.source / (1.0 + (1.0 + 4.0 * k / (duty * duty)).sqrt());
    println!("buck converter, duty {duty}: means over ten periods before the time");
    println!("{:>8} {:>12} {:>12} {:>14}", "t [ms]", "output [V]", "theory [V]", "ripple [mV]");
    for (end, theory) in [(pulsed.load_step, duty * pulsed.source), (pulsed.t_end, light)] {
        let begin = end - 10.0 / pulsed.frequency;
        let slack = 0.5 * pulsed.h;
        let outputs: Vec<f64> = pulses
            .rows()
            .filter(|row| row[0] > begin + slack && row[0] < end + slack)
            .map(|row| row[2])
            .collect();
        let mean = outputs.iter().sum::<f64>() / outputs.len() as f64;
        let (low, high) = outputs.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
        println!("{:8.2} {mean:12.4} {theory:12.4} {:14.2}", end * 1e3, (high - low) * 1e3);
    }

    let ms = |table: &Table, column: &str, scale: f64| scaled_pairs(table, ("t", 1e3), (column, scale));
    let window = |points: Vec<(f64, f64)>, (from, to): (f64, f64)| -> Vec<(f64, f64)> {
        points.into_iter().filter(|p| (from..=to).contains(&p.0)).collect()
    };
    let (heavy, light) = ((1.94, 2.0), (7.94, 8.0));
    let until_four = |points| window(points, (0.0, 4.0));
    let panels = vec![
        Panel::new("Output", "t [ms]", "v [V]")
            .with(Curve::line("pulses", until_four(ms(&pulses, "v", 1.0)?)))
            .with(Curve::line("sliding mode", ms(&slides, "v", 1.0)?)),
        Panel::new("Current of the inductor", "t [ms]", "i [A]")
            .with(Curve::line("pulses", until_four(ms(&pulses, "i", 1.0)?)))
            .with(Curve::line("sliding mode", ms(&slides, "i", 1.0)?)),
        Panel::new("5 ohm: continuous conduction", "t [ms]", "i [A]")
            .with(Curve::line("", window(ms(&pulses, "i", 1.0)?, heavy))),
        Panel::new("200 ohm: discontinuous conduction", "t [ms]", "i [A]")
            .with(Curve::line("", window(ms(&pulses, "i", 1.0)?, light))),
        Panel::new("Voltage of the switch, 200 ohm", "t [ms]", "v_s [V]")
            .with(Curve::line("", window(ms(&pulses, "v_s", 1.0)?, light))),
        Panel::new("Duty of the sliding mode, v_s / V_in", "t [ms]", "duty")
            .with(Curve::line("", ms(&slides, "v_s", 1.0 / sliding.source)?.split_off(1))),
    ];
    let title = "Buck converter, 12 V, load from 5 to 200 ohm at 2 ms";
    crate::save(&Figure::grid(title, 2, panels).with_size(1000, 860), output, "buck_converter")
}
