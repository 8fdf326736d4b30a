//! Elastic bar that hits a wall, with a hundred degrees of freedom, one contact, and waves in the bar.
//!
//! The bar is discretised by one-dimensional finite elements with a consistent mass matrix. The bar starts 50
//! um from the wall, and all nodes move towards it with 0.1 m/s. The bar stays in contact for the time 2 L /
//! c, in which the compression wave travels to the free end and back, and then leaves the wall. The contact
//! has no restitution. The rebound results from the waves.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/impacting_bar.svg"))]
//!
//! ```
//! use ndarray::Array2;
//! use siconos_kernel::prelude::*;
//!
//! // Ten springs of 1 N/m between eleven masses of 0.1 kg, moving towards a wall at 0.1 m/s.
//! let n = 11;
//! let mass = Array2::from_diag_elem(n, 0.1);
//! let mut stiffness = Array2::zeros((n, n));
//! for i in 1..n {
//!     for (row, column, k) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
//!         stiffness[[row, column]] += k;
//!     }
//! }
//! let mut model = NonSmoothDynamicalSystem::new();
//! let bar = LagrangianLinear::new(vec![0.05; n], vec![-0.1; n], mass).with_stiffness(stiffness);
//! let bar = model.add_system(bar)?;
//! let first = Array2::from_shape_fn((1, n), |(_, j)| if j == 0 { 1.0 } else { 0.0 });
//! let wall = model.add_interaction([bar], LagrangianLinearRelation::new(first), NewtonImpact::new(0.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 20.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut pushed = 0.0;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     pushed += state.lambda(wall, Level::Velocity)[0];
//! }
//! let momentum = 0.1 * state.v(bar).iter().sum::<f64>();
//! assert!((momentum + 0.1 * 0.1 * n as f64 - pushed).abs() < 1e-12, "the wall is all that pushes");
//! assert!(momentum > 0.0 && state.q(bar)[0] > 0.0, "and the bar flies back");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::Array2;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct ImpactingBar {
    /// Number of nodes.
    pub nodes: usize,
    /// Length \[m\] of the bar. The length of an element is this length divided by the number of nodes.
    pub length: f64,
    /// Young's modulus \[Pa\].
    pub modulus: f64,
    /// Cross-section \[m2\].
    pub section: f64,
    /// Density \[kg/m3\].
    pub density: f64,
    /// Initial distance from the wall \[m\].
    pub gap: f64,
    /// Initial velocity \[m/s\].
    pub velocity: f64,
    /// Start of the simulation \[s\].
    pub t0: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for ImpactingBar {
    fn default() -> Self {
        Self {
            nodes: 100,
            length: 1.0,
            modulus: 210e9,
            section: 0.000_314,
            density: 7800.0,
            gap: 5e-5,
            velocity: -0.1,
            t0: 1e-8,
            h: 2e-6,
            t_end: 1.5e-3,
        }
    }
}

impl ImpactingBar {
    /// Returns `factor` times a tridiagonal matrix. Its diagonal entries are `inside`, except for half this
    /// value in the first and last entry, and the last argument is the entry next to the diagonal.
    fn elements(&self, factor: f64, inside: f64, beside: f64) -> Array2<f64> {
        let n = self.nodes;
        Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
            0 if i == 0 || i == n - 1 => 0.5 * inside * factor,
            0 => inside * factor,
            1 => beside * factor,
            _ => 0.0,
        })
    }

    /// Returns the mass and stiffness matrices.
    #[must_use]
    pub fn matrices(&self) -> (Array2<f64>, Array2<f64>) {
        let l = self.length / self.nodes as f64;
        let mass = self.elements(self.density * self.section * l, 2.0 / 3.0, 1.0 / 6.0);
        let stiffness = self.elements(self.modulus * self.section / l, 2.0, -1.0);
        (mass, stiffness)
    }

    /// Builds the model and returns it with the ids of the bar and its contact with the wall.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let (mass, stiffness) = self.matrices();
        let mut model = NonSmoothDynamicalSystem::new();
        let (q0, v0) = (vec![self.gap; self.nodes], vec![self.velocity; self.nodes]);
        let bar = model.add_system(LagrangianLinear::new(q0, v0, mass).with_stiffness(stiffness))?;
        let first = Array2::from_shape_fn((1, self.nodes), |(_, j)| if j == 0 { 1.0 } else { 0.0 });
        let wall =
            model.add_interaction([bar], LagrangianLinearRelation::new(first), NewtonImpact::new(0.0)?)?;
        Ok((model, bar, wall))
    }

    /// Builds the simulation of a model created by [`model`](Self::model). A contact is active in a step if
    /// it is closed at the start of the step (gamma = 0).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(self.t0, self.t_end, self.h)?)
            .integrator(MoreauJean { gamma: 0.0, ..MoreauJean::default() })
            .build()?)
    }

    /// Simulates the motion. The table has the motion of the contact node, the middle node and the free end,
    /// the impulse and the energies, in the columns t, q, v, force, lambda, q_k_q (twice the elastic energy),
    /// v_m_v (twice the kinetic energy), q_end, v_end, q_mid, v_mid, work (of the contact in the step).
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, bar, wall) = self.model()?;
        let (mass, stiffness) = self.matrices();
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new([
            "t", "q", "v", "force", "lambda", "q_k_q", "v_m_v", "q_end", "v_end", "q_mid", "v_mid", "work",
        ]);
        let (end, mid) = (self.nodes - 1, self.nodes / 2);
        let mut v_before = self.velocity;
        // The published run ends one row before the end time.
        let rows = ((self.t_end - self.t0) / self.h).floor() as usize;
        for _ in 0..rows {
            let (q, v) = (state.q(bar), state.v(bar));
            let lambda = state.lambda(wall, Level::Velocity)[0];
            let (q_k_q, v_m_v) = (quadratic(&stiffness, q), quadratic(&mass, v));
            let work = 0.5 * (v[0] + v_before) * lambda;
            let contact = [state.t, q[0], v[0], lambda / self.h, lambda];
            let elsewhere = [q[end], v[end], q[mid], v[mid], work];
            table.push_row(&[&contact[..], &[q_k_q, v_m_v], &elsewhere].concat())?;
            v_before = v[0];
            simulation.step(&model, &mut state)?;
        }
        Ok(table)
    }
}

fn quadratic(a: &Array2<f64>, x: &[f64]) -> f64 {
    let x = ndarray::ArrayView1::from(x);
    x.dot(&a.dot(&x))
}

/// Runs the example, prints the energies, and writes `impacting_bar.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = ImpactingBar { h: 2e-7, ..ImpactingBar::default() };
    let table = example.simulate()?;
    println!(
        "impacting bar\n{:>10} {:>14} {:>14} {:>14}",
        "t [ms]", "elastic [J]", "kinetic [J]", "force [N]"
    );
    for row in table.rows().step_by(table.len() / 10) {
        println!("{:10.4} {:14.6} {:14.6} {:14.3}", 1e3 * row[0], 0.5 * row[5], 0.5 * row[6], row[3]);
    }
    let figure = Figure::new(
        "Elastic bar at a wall, 100 nodes, h = 0.2 µs",
        vec![
            Panel::new("Position", "t [s]", "q [m]")
                .with(Curve::line("at the wall", pairs(&table, "t", "q")?))
                .with(Curve::line("free end", pairs(&table, "t", "q_end")?)),
            Panel::new("Velocity of the free end", "t [s]", "v [m/s]")
                .with(Curve::line("", pairs(&table, "t", "v_end")?)),
        ],
    );
    crate::save(&figure, output, "impacting_bar")
}
