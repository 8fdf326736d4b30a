//! Sample and hold: $\dot x = -u$, and u is set to x every half second.
//!
//! Between two samples u is constant and x is a linear function of time. Each interval halves x, so
//! $x(n / 2) = 2^{-n}$. With the continuous controller $u = x$, x would be $e^{-t}$. The sampling times are
//! multiples of the period, starting at 0.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_sample_and_hold.svg"))]
//!
//! ```
//! use siconos_examples::hybrid::sample_and_hold::simulate;
//!
//! let table = simulate(0.5, 5.0)?;
//! let last = table.column("x").expect("a column").last().expect("a row");
//! assert!((last - 0.5_f64.powi(10)).abs() < 1e-12);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_hybrid::{Action, DiscreteId, HybridSystem, Trigger, VariableType, View};
use siconos_io::trajectory::Table;

use super::{solve, table};
use crate::{ExampleError, pairs};

/// Simulates with samples every `period` \[s\] up to `end` \[s\]. The table has the state and the held value,
/// in the columns t, x, u.
///
/// # Errors
///
/// If the period or the end is invalid.
pub fn simulate(period: f64, end: f64) -> Result<Table, ExampleError> {
    const U: DiscreteId = DiscreteId::new(0);
    let mut system = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p[U])?;
    system.discrete("u", VariableType::Float, 0.0)?;
    system.event(Trigger::periodic(0.0, period), Action::set(|p| p.set(U, p.x()[0])))?;
    let (solution, _) = solve(&system, &[1.0], end)?;
    table(&solution, 200)
}

/// Runs the example, prints the samples, and writes `hybrid_sample_and_hold.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let end = 5.0;
    let mut of_state = Panel::new("State", "time t [s]", "x");
    let mut of_input = Panel::new("Held input", "time t [s]", "u");
    println!("x' = -u with u sampled from x: x after {end} s");
    for (period, label) in [(0.5, "every 0.5 s"), (1.5, "every 1.5 s")] {
        let table = simulate(period, end)?;
        println!("  {label}: {:.6}", table.column("x").and_then(Iterator::last).unwrap_or(f64::NAN));
        of_state = of_state.with(Curve::line(label, pairs(&table, "t", "x")?));
        of_input = of_input.with(Curve::line(label, pairs(&table, "t", "u")?));
    }
    let continuous = (0..=200).map(|k| 0.025 * f64::from(k)).map(|t| (t, (-t).exp())).collect();
    of_state = of_state.with(Curve::dashed("never held: exp(-t)", continuous));
    let figure = Figure::new("Sample and hold", vec![of_state, of_input]);
    crate::save(&figure, output, "hybrid_sample_and_hold")
}
