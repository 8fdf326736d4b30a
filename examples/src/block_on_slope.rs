//! Blocks on a slope that is tilted slowly. Each block sticks until the angle of the slope reaches its angle
//! of friction, and then slides.
//!
//! This is a standard measurement of friction. Three blocks of 1 kg with $\mu = 0.2, 0.4, 0.6$ lie next to
//! each other on a plate that is tilted by 3 degrees per second, so slowly that the rotation has no dynamic
//! effect. With N along the normal of the plate and T downhill,
//!
//! $$ m \dot v = m g (-\cos \alpha, \sin \alpha) + \lambda, \qquad
//!    0 \le v_N \perp \lambda_N \ge 0, \quad |\lambda_T| \le \mu \lambda_N, \quad v_T \ne 0 \Rightarrow
//!    \lambda_T = -\mu \lambda_N \operatorname{sign} v_T. $$
//!
//! While a block sticks, the friction force grows with the slope: $|\lambda_T| / \lambda_N = \tan \alpha$.
//! The block starts to slide at $\tan \alpha = \mu$. During sliding the ratio is $\mu$, and the acceleration
//! is $g (\sin \alpha - \mu \cos \alpha)$. The figure shows the displacements and the ratios as functions of
//! the angle.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/block_on_slope.svg"))]
//!
//! ```
//! use ndarray::{Array2, array};
//! use siconos_kernel::prelude::*;
//!
//! // Coordinates normal to and along a plate that is tilted by one degree per second; mu = 0.4.
//! let (rate, g) = (1.0_f64.to_radians(), 9.81);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let block = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0]).with_external_force(
//!     move |at, f| (f[0], f[1]) = (-g * (rate * at.t).cos(), g * (rate * at.t).sin()),
//! );
//! let block = model.add_system(block)?;
//! let law = NewtonImpactFriction::in_plane(0.0, 0.4)?;
//! model.add_interaction([block], LagrangianLinearRelation::new(Array2::eye(2)), law)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 30.0, 0.01)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while state.q(block)[1] < 1e-9 && simulation.step(&model, &mut state)?.is_some() {}
//! assert!(((rate * state.t).tan() - 0.4).abs() < 1e-3, "it slides where the slope is the coefficient of friction");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BlockOnSlope {
    /// Coefficients of friction of the blocks.
    pub mu: [f64; 3],
    /// Angular velocity of the plate \[degrees/s\].
    pub rate: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for BlockOnSlope {
    fn default() -> Self {
        Self { mu: [0.2, 0.4, 0.6], rate: 3.0, gravity: 9.81, h: 0.01, t_end: 12.0 }
    }
}

impl BlockOnSlope {
    /// Builds the model and returns it with the ids of each block and its contact.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, Vec<(DynamicalSystemId, InteractionId)>), ExampleError> {
        let (rate, g) = (self.rate.to_radians(), self.gravity);
        let mut model = NonSmoothDynamicalSystem::new();
        let blocks = self.mu.map(|mu| {
            let block = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])
                .with_external_force(move |at, f| {
                    (f[0], f[1]) = (-g * (rate * at.t).cos(), g * (rate * at.t).sin());
                });
            let block = model.add_system(block)?;
            let gap = LagrangianLinearRelation::new(Array2::eye(2));
            let plate = model.add_interaction([block], gap, NewtonImpactFriction::in_plane(0.0, mu)?)?;
            Ok((block, plate))
        });
        let blocks = blocks.into_iter().collect::<Result<_, ExampleError>>()?;
        Ok((model, blocks))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .build()?)
    }

    /// Simulates the motion. The table has the angle in degrees, the displacements of the blocks and their
    /// ratios of friction to normal impulse, in the columns t, angle, x0, x1, x2, f0, f1, f2. The ratios of
    /// the first row are 0.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, blocks) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "angle", "x0", "x1", "x2", "f0", "f1", "f2"]);
        let sample = |s: &State| {
            let ways = blocks.iter().map(|&(block, _)| s.q(block)[1]);
            let ratios = blocks.iter().map(|&(_, plate)| match s.lambda(plate, Level::Velocity) {
                [n, t] if *n > 0.0 => t.abs() / n,
                _ => 0.0,
            });
            [s.t, self.rate * s.t].into_iter().chain(ways).chain(ratios).collect::<Vec<_>>()
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the angles at which the blocks start to slide, and writes `block_on_slope.svg`
/// and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = BlockOnSlope::default();
    let table = example.simulate()?;
    println!("block on a slope\n{:>6} {:>18} {:>18}", "mu", "slides from [deg]", "atan mu [deg]");
    let mut ways = Panel::new("Way downhill", "angle [deg]", "x [m]");
    let mut ratios = Panel::new("Friction over normal impulse", "angle [deg]", "ratio");
    for (i, mu) in example.mu.iter().enumerate() {
        let starts = table.rows().find(|row| row[2 + i] > 1e-9).map_or(f64::NAN, |row| row[1]);
        println!("{mu:6} {starts:18.2} {:18.2}", mu.atan().to_degrees());
        let name = format!("mu = {mu}");
        ways = ways.with(Curve::line(&name, pairs(&table, "angle", &format!("x{i}"))?));
        ratios = ratios.with(Curve::line(&name, pairs(&table, "angle", &format!("f{i}"))?));
    }
    let title = "Blocks on a plate that is tilted by 3 degrees per second";
    crate::save(&Figure::new(title, vec![ways, ratios]), output, "block_on_slope")
}
