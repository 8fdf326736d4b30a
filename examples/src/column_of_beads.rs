//! Column of ten beads that fall on the floor and on each other, and come to rest as a stack.
//!
//! The beads have the mass 1 kg and the radius 0.1 m, and move on a vertical line. Bead i starts at the
//! height $1 + i/4$. The gaps are $y_0 = q_0 - R$ and $y_i = q_i - q_{i-1} - 2 R$, all with restitution 0.9.
//! All contacts of a step are solved together as one linear complementarity problem. A contact is added to
//! the model when two beads come near each other, because a model may change between steps.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/column_of_beads.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // Ten beads of radius 0.1 m, 5 cm apart.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let mut beads = Vec::new();
//! for i in 0..10 {
//!     let bead = LagrangianLinear::new(vec![1.0 + 0.25 * f64::from(i)], vec![0.0], array![1.0]);
//!     beads.push(model.add_system(bead.with_constant_external_force(vec![-9.81]))?);
//! }
//! let law = NewtonImpact::new(0.9)?;
//! model.add_interaction([beads[0]], LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![-0.1]), law)?;
//! for pair in beads.windows(2) {
//!     let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
//!     model.add_interaction([pair[0], pair[1]], gap, law)?;
//! }
//!
//! let grid = TimeDiscretisation::uniform(0.0, 0.6, 5e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     for pair in beads.windows(2) {
//!         let distance = state.q(pair[1])[0] - state.q(pair[0])[0];
//!         assert!(distance > 0.19, "beads never pass through each other");
//!     }
//! }
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
#[doc(inline)]
pub use siconos_models::ColumnOfBeads;
use siconos_models::RADIUS;

use crate::{ExampleError, pairs};

/// Simulates the motion. The table has heights and velocities, in the columns t, q0, v0, q1, v1, ..
///
/// # Errors
///
/// If a step fails.
pub fn simulate(column: &ColumnOfBeads) -> Result<Table, ExampleError> {
    let names = (0..column.beads).flat_map(|i| [format!("q{i}"), format!("v{i}")]);
    let mut table = Table::new(std::iter::once("t".to_owned()).chain(names));
    let mut rows: Vec<Vec<f64>> = Vec::new();
    column.run(|state, beads| {
        let states = beads.iter().flat_map(|&bead| [state.q(bead)[0], state.v(bead)[0]]);
        rows.push(std::iter::once(state.t).chain(states).collect());
    })?;
    for row in &rows {
        table.push_row(row)?;
    }
    Ok(table)
}

/// Runs the example, prints the heights at the end, and writes `column_of_beads.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = ColumnOfBeads::default();
    let table = simulate(&example)?;
    println!(
        "column of beads: heights at t = {} s\n{:>6} {:>12} {:>16}",
        example.t_end, "bead", "q [m]", "stacked at [m]"
    );
    let last = table.rows().next_back().unwrap_or_default();
    let mut panel = Panel::new("Heights", "t [s]", "q [m]");
    for i in 0..example.beads {
        println!("{i:6} {:12.6} {:16.6}", last[1 + 2 * i], RADIUS * (1 + 2 * i) as f64);
        let label = match i {
            0 => "lowest bead",
            i if i + 1 == example.beads => "highest bead",
            _ => "",
        };
        let height = Curve::line(label, pairs(&table, "t", &format!("q{i}"))?);
        panel = panel.with(height.coloured(Colour::of_row(i, example.beads)));
    }
    let figure = Figure::new("Column of ten beads, e = 0.9, h = 0.5 ms", vec![panel]).with_size(900, 600);
    crate::save(&figure, output, "column_of_beads")
}
