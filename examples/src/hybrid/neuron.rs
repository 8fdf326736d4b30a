//! Integrate-and-fire neuron: $\dot v = i - v$, and v is reset to 0 when it reaches the threshold 1.
//!
//! With the current i = 2 the period is $\ln 2$, and with any $i > 1$ it is $\ln (i / (i - 1))$. With
//! $i \le 1$ the neuron does not fire. In the figure, the current increases slowly, so that the neuron starts
//! to fire at some time and then fires at increasing frequency.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_neuron.svg"))]
//!
//! ```
//! let spikes = siconos_examples::hybrid::neuron::spikes(|_t| 2.0, 5.0)?;
//! assert!(spikes.iter().zip(1..).all(|(t, n)| (t - f64::from(n) * 2.0_f64.ln()).abs() < 1e-9));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_hybrid::{Action, HybridSolution, HybridSystem, Trigger, View};

use super::{solve, table};
use crate::{ExampleError, pairs};

fn solution(current: fn(f64) -> f64, end: f64) -> Result<HybridSolution, ExampleError> {
    let rate = move |p: View, rate: &mut [f64]| rate[0] = current(p.t()) - p.x[0];
    let mut system = HybridSystem::first_order(["v"], rate)?;
    let threshold = Trigger::increasing(|p: View| p.x[0] - 1.0);
    system.event(threshold, Action::set(|p| p.set(0, 0.0)))?;
    Ok(solve(&system, &[0.0], end)?.0)
}

/// Returns the times up to `end` at which the neuron fires \[s\]. The current can depend on time.
///
/// # Errors
///
/// If the current is not finite.
pub fn spikes(current: fn(f64) -> f64, end: f64) -> Result<Vec<f64>, ExampleError> {
    Ok(solution(current, end)?.trajectory().events().map(|mark| mark.t).collect())
}

/// Runs the example, prints the number of spikes, and writes `hybrid_neuron.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let end = 12.0;
    let current = |t: f64| 0.25 * t;
    let spikes = spikes(current, end)?;
    println!("a neuron under a rising current fires {} times in {end} s", spikes.len());
    let table = table(&solution(current, end)?, 400)?;
    let of_voltage = Panel::new("Voltage", "time t [s]", "v").with(Curve::line("", pairs(&table, "t", "v")?));
    let rates: Vec<_> = spikes.windows(2).map(|pair| (pair[1], 1.0 / (pair[1] - pair[0]))).collect();
    let steady = |t: f64| (current(t) / (current(t) - 1.0)).ln().recip();
    let law = (0..=200).map(|k| end * f64::from(k) / 200.0).filter(|t| current(*t) > 1.0);
    let of_rate = Panel::new("Rate", "time t [s]", "spikes per second [1/s]")
        .with(Curve::line("under the current of the moment", law.map(|t| (t, steady(t))).collect()))
        .with(Curve::points("between the last two spikes", rates));
    let figure = Figure::new("A neuron under a rising current", vec![of_voltage, of_rate]);
    crate::save(&figure, output, "hybrid_neuron")
}
