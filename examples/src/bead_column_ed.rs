//! Column of ten beads, event-driven: sequential and simultaneous impacts.
//!
//! The beads of [`column_of_beads`](crate::column_of_beads) have all contacts in the model from the start. If
//! they are released with gaps of 5 cm, the beads reach the floor one after the other, and waves of impacts
//! between pairs of beads run up and down the column. If they are released in contact with each other
//! ([`BeadColumnEd::touching`]), the beads fall together, and all ten contacts take part in one impact.
//! Newton's law with restitution e then has the solution in which all beads rebound with e times the speed of
//! the column, because beads that do not approach each other before the impact may stay in contact after it.
//!
//! The figure shows the heights in both cases, less the diameters of the beads below, so that curves meet
//! when beads touch.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/bead_column_ed.svg"))]
//!
//! ```
//! use siconos_examples::bead_column_ed::BeadColumnEd;
//!
//! let table = BeadColumnEd::touching().simulate()?;
//! // The fall of 0.9 m, and the rebound.
//! let (g, fall) = (9.81, (2.0_f64 * 0.9 / 9.81).sqrt());
//! let last = table.rows().next_back().unwrap();
//! for bead in 0..10 {
//!     let v = 0.9 * g * fall - g * (0.5 - fall);
//!     assert!((last[2 + 2 * bead] - v).abs() < 1e-9, "bead {bead}: {} and {v}", last[2 + 2 * bead]);
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_models::RADIUS;

use crate::column_of_beads::ColumnOfBeads;
use crate::{ExampleError, pairs};

/// Start of the figure \[s\], shortly before the first impact.
const FROM: f64 = 0.4;

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BeadColumnEd {
    /// Column of beads. Its time step is used as the interval between output points.
    /// [`ColumnOfBeads::detection`] is not used.
    pub column: ColumnOfBeads,
}

impl Default for BeadColumnEd {
    fn default() -> Self {
        Self { column: ColumnOfBeads { h: 1e-3, t_end: 0.5, ..ColumnOfBeads::default() } }
    }
}

impl BeadColumnEd {
    /// Creates a column of beads that touch each other initially.
    #[must_use]
    pub fn touching() -> Self {
        let Self { column } = Self::default();
        Self { column: ColumnOfBeads { spacing: 0.2, ..column } }
    }

    /// Builds the model and returns it with the ids of the beads.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, Vec<DynamicalSystemId>), ExampleError> {
        let (mut model, beads) = self.column.model()?;
        for i in 0..beads.len() {
            self.column.add_contact(&mut model, &beads, i)?;
        }
        Ok((model, beads))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.column.t_end, self.column.h)?;
        Ok(EventDriven::builder(model).discretisation(grid).build()?)
    }

    /// Simulates the motion. The table has heights and velocities at the output points, in the columns t, q0,
    /// v0, q1, v1, ..
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (table, _) = self.simulate_with_impacts()?;
        Ok(table)
    }

    /// Simulates the motion. Returns the table of [`simulate`](Self::simulate), and for each event with
    /// impacts its time \[s\] and the number of contacts that took part.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate_with_impacts(&self) -> Result<(Table, Vec<(f64, usize)>), ExampleError> {
        let (model, beads) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let names = (0..beads.len()).flat_map(|i| [format!("q{i}"), format!("v{i}")]);
        let mut table = Table::new(std::iter::once("t".to_owned()).chain(names));
        let mut impacts = Vec::new();
        let row = |state: &State| {
            let states = beads.iter().flat_map(|&bead| [state.q(bead)[0], state.v(bead)[0]]);
            std::iter::once(state.t).chain(states).collect::<Vec<_>>()
        };
        table.push_row(&row(&state))?;
        while let Some(report) = simulation.step(&model, &mut state)? {
            if !report.impacts.is_empty() {
                impacts.push((report.t, report.impacts.len()));
            }
            if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
                table.push_row(&row(&state))?;
            }
        }
        Ok((table, impacts))
    }
}

/// Runs the example, prints the impacts, and writes `bead_column_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    println!("column of ten beads, event-driven, to 0.5 s");
    println!("{:<16} {:>8} {:>16} {:>20}", "start", "impacts", "first at [s]", "v9 at the end [m/s]");
    let mut panels = Vec::new();
    for (name, example) in [("gaps of 5 cm", BeadColumnEd::default()), ("touching", BeadColumnEd::touching())]
    {
        let (table, impacts) = example.simulate_with_impacts()?;
        let last = table.rows().next_back().and_then(|row| row.last().copied()).unwrap_or(f64::NAN);
        let first = impacts.first().map_or(f64::NAN, |(t, _)| *t);
        println!("{name:<16} {:8} {first:16.12} {last:20.9}", impacts.len());
        // The diameters of the beads below are subtracted, so that curves meet when beads touch.
        let mut panel = Panel::new(format!("Heights less the beads below, {name}"), "t [s]", "q - 2 R i [m]");
        for i in 0..example.column.beads {
            let below = 2.0 * RADIUS * i as f64;
            let heights = pairs(&table, "t", &format!("q{i}"))?.into_iter().filter(|(t, _)| *t >= FROM);
            let curve = Curve::line("", heights.map(|(t, q)| (t, q - below)).collect());
            panel = panel.with(curve.coloured(Colour::of_row(i, example.column.beads)));
        }
        panels.push(panel);
    }
    let figure =
        Figure::new("Column of ten beads, blue to orange from the floor up, e = 0.9, event-driven", panels)
            .with_size(900, 800);
    crate::save(&figure, output, "bead_column_ed")
}
