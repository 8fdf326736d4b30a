//! Chain of three integrators, $\dddot z_1 = \lambda$, with the constraint $z_1 \ge 0$.
//!
//! The multiplier acts on the third derivative of the constrained variable. If $z_1$ reaches zero with a
//! negative rate, the rate must jump, and the multiplier, which is the derivative of this jump, is not a
//! measure. From (1, -2, 1), $z_1 = 1 - 2 t + t^2 / 2$ decreases to zero at $t^* = 2 - \sqrt 2$, where its
//! rate jumps from $-\sqrt 2$ to 0; afterwards it grows as $(t - t^*)^2 / 2$ (Acary, Brogliato, Goeleven
//! 2008).
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_triple_integrator.svg"))]
//!
//! ```
//! let motion = siconos_examples::sweeping::triple_integrator::simulate([1.0, -2.0, 1.0], 3.0, 1000)?;
//! let lowest = motion.column("z1").unwrap().fold(f64::INFINITY, f64::min);
//! assert!(lowest >= 0.0);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::analysis::LinearSystem;
use siconos_sweeping::higher_order::HigherOrderSweeping;

use crate::{ExampleError, pairs};

/// Simulates the motion from a given initial state. The table has the state and, for each order, the sum of
/// the measures, in the columns t, z1, z2, z3, mu1, mu2, mu3.
///
/// # Errors
///
/// If `end` is not positive, or a step is not solved.
pub fn simulate(z0: [f64; 3], end: f64, steps: u32) -> Result<Table, ExampleError> {
    let system = LinearSystem::new(
        array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
        array![[0.0], [0.0], [1.0]],
        array![[1.0, 0.0, 0.0]],
        array![[0.0]],
    )?;
    let mut process = HigherOrderSweeping::of(&system)?;
    let mut state = process.state(&z0)?;
    let mut table = Table::new(["t", "z1", "z2", "z3", "mu1", "mu2", "mu3"]);
    let (h, mut sums) = (end / f64::from(steps), [0.0; 3]);
    table.push_row(&[0.0, z0[0], z0[1], z0[2], 0.0, 0.0, 0.0])?;
    for k in 1..=steps {
        let t = h * f64::from(k);
        let report = process.step(h, &mut state)?;
        if !report.info.status.is_success() {
            return Err(ExampleError::NoSolution { t });
        }
        sums.iter_mut().zip(report.mu.column(0)).for_each(|(sum, mu)| *sum += mu);
        let z = state.z();
        table.push_row(&[t, z[[0, 0]], z[[1, 0]], z[[2, 0]], sums[0], sums[1], sums[2]])?;
    }
    Ok(table)
}

/// Runs the example, prints the measures of each order, and writes `sweeping_triple_integrator.svg` and
/// `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let mut panels = Vec::new();
    for (title, z0) in [
        ("From (1, -2, 1): it leaves again", [1.0, -2.0, 1.0]),
        ("From (1, 0, -1): it rests", [1.0, 0.0, -1.0]),
    ] {
        let motion = simulate(z0, 3.0, 3000)?;
        if let Some([.., first, second, third]) = motion.rows().last() {
            println!("from {z0:?}: measures of order 1, 2, 3: {first:.4}, {second:.4}, {third:.4}");
        }
        let mut panel = Panel::new(title, "time t [s]", "z");
        for (name, label) in [("z1", "z1"), ("z2", "z2 = z1'"), ("z3", "z3 = z1''")] {
            panel = panel.with(Curve::line(label, pairs(&motion, "t", name)?));
        }
        panels.push(panel);
    }
    let figure = Figure::grid("A chain of three integrators with z1 at or above 0", 2, panels);
    crate::save(&figure, output, "sweeping_triple_integrator")
}
