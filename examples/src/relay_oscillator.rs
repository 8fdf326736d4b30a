//! Third-order plant under relay feedback: a self-oscillation with sliding segments.
//!
//! $$ \dot x = A x + b \lambda, \quad y = x_1, \quad -\lambda \in \operatorname{Sgn}(y), \qquad
//!    A = \begin{pmatrix} -(2 \xi \omega + 1) & 1 & 0 \cr -(2 \xi \omega + \omega^2) & 0 & 1 \cr
//!    -\omega^2 & 0 & 0 \end{pmatrix}, \quad b = \begin{pmatrix} 1 \cr -2 \sigma \cr 1 \end{pmatrix}. $$
//!
//! The transfer function is $(s^2 - 2 \sigma s + 1) / ((s + 1) (s^2 + 2 \xi \omega s + \omega^2))$. It has a
//! slow pole, a fast resonance with little damping, and two zeros in the right half plane. The values omega =
//! 25, xi = 0.05, sigma = 1 and the initial state (0, -0.001, -0.02) are taken from the benchmark of
//! Piiroinen and Kuznetsov (2008), equation (32), after di Bernardo, Johansson and Vasca (2001).
//!
//! The relative degree is 1 (the first entry of b is 1), so that y = 0 is a sliding surface wherever the
//! relay is strong enough. There $\dot y = x_2 + \lambda$, and the trajectory stays on the surface with
//!
//! $$ \lambda = -x_2 \quad \text{as long as} \quad |x_2| < 1. $$
//!
//! The poles of the motion on the surface are the zeros of the plant. They are unstable, so the trajectory
//! slides outwards to $|x_2| = 1$ and leaves the surface. It returns in a sequence of damped arches on one
//! side of the surface, with a short sliding segment between successive arches, and then slides to the other
//! side. The result is a limit cycle with many sliding segments per period.
//!
//! A relay that is evaluated at the start of each step switches at every step while the trajectory slides.
//! This numerical chattering is not a property of the model. The implicit relay finds the value between -1
//! and 1. On sliding segments this value is a smooth function of time, and y is zero up to rounding. The
//! second figure shows both relays.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/relay_oscillator.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/relay_oscillator_sliding.svg"))]
//!
//! References: di Bernardo, Johansson and Vasca (2001), "Self-oscillations and sliding in relay feedback
//! systems: symmetry and bifurcations"; Johansson, Barabanov and Astrom (2002), "Limit cycles with chattering
//! in relay feedback systems"; Piiroinen and Kuznetsov (2008), "An event-driven method to simulate Filippov
//! systems with accurate computing of sliding motions".
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // A plant with a lightly damped resonance at 25 rad/s, under relay feedback.
//! let (resonance, square) = (2.0 * 0.05 * 25.0, 25.0 * 25.0);
//! let a = array![[-(resonance + 1.0), 1.0, 0.0], [-(resonance + square), 0.0, 1.0], [-square, 0.0, 0.0]];
//! let mut model = NonSmoothDynamicalSystem::new();
//! let plant = model.add_system(FirstOrderLinearTi::new(vec![0.0, -1e-3, -2e-2], a))?;
//! let output = FirstOrderLinearRelation::new(array![[1.0, 0.0, 0.0]], array![[1.0], [-2.0], [1.0]]);
//! let relay = model.add_interaction([plant], output, Relay::symmetric(1, 1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 10.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let (mut sliding, mut before) = (0, [1.0; 3]);
//! while simulation.step(&model, &mut state)?.is_some() {
//!     let (x, lambda) = (state.x(plant), state.lambda(relay, Level::Position)[0]);
//!     // A step that begins and ends on the surface y = 0, where the relay is between its values.
//!     if x[0].abs() < 1e-12 && f64::abs(before[0]) < 1e-12 {
//!         sliding += 1;
//!         assert!((lambda + 0.5 * (x[1] + before[1])).abs() < 1e-9, "lambda = -x2 in the middle of the step");
//!     }
//!     before = [x[0], x[1], x[2]];
//! }
//! assert!(sliding > 5000, "it slides a good part of the time, and does not chatter");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2, array};
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct RelayOscillator {
    /// Natural frequency omega of the resonance \[rad/s\].
    pub omega: f64,
    /// Damping ratio xi of the resonance.
    pub damping: f64,
    /// Parameter sigma of the zeros, the roots of $s^2 - 2 \sigma s + 1$.
    pub sigma: f64,
    /// Initial state.
    pub x0: [f64; 3],
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for RelayOscillator {
    fn default() -> Self {
        Self { omega: 25.0, damping: 0.05, sigma: 1.0, x0: [0.0, -1e-3, -2e-2], h: 1e-3, t_end: 10.0 }
    }
}

impl RelayOscillator {
    /// Returns the matrix A of the plant.
    #[must_use]
    pub fn plant(&self) -> Array2<f64> {
        let (resonance, square) = (2.0 * self.damping * self.omega, self.omega * self.omega);
        array![[-(resonance + 1.0), 1.0, 0.0], [-(resonance + square), 0.0, 1.0], [-square, 0.0, 0.0]]
    }

    /// Returns the input vector b.
    #[must_use]
    pub fn input(&self) -> Array1<f64> {
        array![1.0, -2.0 * self.sigma, 1.0]
    }

    /// Builds the model and returns it with the ids of the plant and its relay.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let mut model = NonSmoothDynamicalSystem::new();
        let plant = model.add_system(FirstOrderLinearTi::new(self.x0.to_vec(), self.plant()))?;
        let output = array![[1.0, 0.0, 0.0]];
        let relay = model.add_interaction(
            [plant],
            FirstOrderLinearRelation::new(output, self.input().insert_axis(ndarray::Axis(1))),
            Relay::symmetric(1, 1.0)?,
        )?;
        Ok((model, plant, relay))
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

    /// Simulates the oscillator. The table has state and relay, in the columns t, y, x2, x3, lambda, where y
    /// is the first state. In the first row, before any step, lambda is 0.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, plant, relay) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "y", "x2", "x3", "lambda"], |s| {
            let x = s.x(plant);
            [s.t, x[0], x[1], x[2], s.lambda(relay, Level::Position)[0]]
        })
    }

    /// Simulates by the explicit Euler method, with a relay that is evaluated at the start of each step. The
    /// table has the columns of [`simulate`](Self::simulate) and shows numerical chattering.
    ///
    /// # Errors
    ///
    /// If a row cannot be added to the table.
    pub fn simulate_explicitly(&self) -> Result<Table, ExampleError> {
        let (a, b) = (self.plant(), self.input());
        let mut x = Array1::from(self.x0.to_vec());
        let mut table = Table::new(["t", "y", "x2", "x3", "lambda"]);
        for k in 0..=(self.t_end / self.h).round() as usize {
            let lambda = if x[0] > 0.0 { -1.0 } else { 1.0 };
            table.push_row(&[k as f64 * self.h, x[0], x[1], x[2], lambda])?;
            x = &x + &(self.h * (a.dot(&x) + lambda * &b));
        }
        Ok(table)
    }
}

/// Runs the example, prints the number of switches of each relay, and writes `relay_oscillator.svg`,
/// `relay_oscillator_sliding.svg` and both as `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = RelayOscillator::default();
    let (implicit, explicit) = (example.simulate()?, example.simulate_explicitly()?);
    println!("relay oscillator, 10 s\n{:>10} {:>22} {:>18}", "relay", "changes of sign", "sliding steps");
    for (name, table) in [("implicit", &implicit), ("explicit", &explicit)] {
        let rows: Vec<&[f64]> = table.rows().collect();
        let switches = rows.windows(2).filter(|pair| pair[0][4] * pair[1][4] < 0.0).count();
        let sliding = rows.iter().skip(1).filter(|row| row[4].abs() < 1.0 - 1e-9).count();
        println!("{name:>10} {switches:22} {sliding:18}");
    }
    let figure = Figure::grid(
        "Relay oscillator, implicit relay, h = 1 ms",
        2,
        vec![
            Panel::new("Output", "t [s]", "y").with(Curve::line("", pairs(&implicit, "t", "y")?)),
            Panel::new("Output and second state", "y", "x2")
                .with(Curve::line("", pairs(&implicit, "y", "x2")?)),
            Panel::new("Relay", "t [s]", "lambda")
                .with(Curve::line("", pairs(&implicit, "t", "lambda")?.split_off(1))),
            Panel::new("Second and third state", "x2", "x3")
                .with(Curve::line("", pairs(&implicit, "x2", "x3")?)),
        ],
    );
    let mut files = crate::save(&figure.with_size(1000, 680), output, "relay_oscillator")?;

    let within = |points: Vec<(f64, f64)>, (from, to): (f64, f64)| -> Vec<(f64, f64)> {
        points.into_iter().filter(|p| (from..=to).contains(&p.0)).collect()
    };
    let (half_a_cycle, moment) = ((3.5, 8.5), (5.3, 5.35));
    let minus_x2: Vec<_> = pairs(&implicit, "t", "x2")?.into_iter().map(|(t, x2)| (t, -x2)).collect();
    let mut relay = Panel::new("Implicit relay", "t [s]", "lambda")
        .with(Curve::underlay("-x2, the sliding value", within(minus_x2, half_a_cycle)))
        .with(Curve::line("lambda", within(pairs(&implicit, "t", "lambda")?, half_a_cycle)));
    let mut chattering = Panel::new("Explicit relay, 50 ms of sliding", "t [s]", "lambda")
        .with(Curve::line("", within(pairs(&explicit, "t", "lambda")?, moment)));
    relay.y_range = Some((-1.5, 1.5));
    chattering.y_range = Some((-1.5, 1.5));
    let title = "The relay on sliding segments: a value between, or numerical chattering";
    files.extend(crate::save(
        &Figure::new(title, vec![relay, chattering]),
        output,
        "relay_oscillator_sliding",
    )?);
    Ok(files)
}
