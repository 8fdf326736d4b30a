//! Hysteresis: a gear with play, and a plastic spring.
//!
//! The position u of a gear with play r is swept by the interval from v - r to v + r around the input v: the
//! gear moves only when an end of the interval pushes it. The difference v - u stays between -r and r. If v
//! is a strain and v - u a stress, the difference describes an elastic spring that yields at r (Prandtl's
//! element; Krasnosel'skii and Pokrovskii 1989, "Systems with Hysteresis"). Both elements remember the last
//! turning points of the input, and do not depend on its rate.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_hysteresis.svg"))]
//!
//! ```
//! let motion = siconos_examples::sweeping::hysteresis::Gear::default().simulate(1000)?;
//! let largest = motion.column("stress").unwrap().fold(0.0_f64, |most, x| most.max(x.abs()));
//! assert!((largest - 0.5).abs() < 1e-12);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_sweeping::{CatchingUp, FunctionSet};

use super::table;
use crate::{ExampleError, pairs};

/// Gear with play under an oscillating input whose amplitude increases and decreases.
#[derive(Clone, Copy, Debug)]
pub struct Gear {
    /// Half the play, r.
    pub play: f64,
    /// Amplitude of the input.
    pub amplitude: f64,
    /// Duration of the input \[s\], in which there are ten oscillations.
    pub end: f64,
}

impl Default for Gear {
    fn default() -> Self {
        Self { play: 0.5, amplitude: 2.0, end: 10.0 }
    }
}

impl Gear {
    /// Returns the input v at time `t`.
    #[must_use]
    pub fn input(&self, t: f64) -> f64 {
        let part = t / self.end;
        self.amplitude * (std::f64::consts::PI * part).sin() * (10.0 * std::f64::consts::TAU * part).sin()
    }

    /// Simulates with equal steps. The table has the columns t, v, u, stress.
    ///
    /// # Errors
    ///
    /// If `end` is not a positive time.
    pub fn simulate(&self, steps: u32) -> Result<Table, ExampleError> {
        let gear = *self;
        let within = FunctionSet::new(1, move |t: f64, x: &mut [f64]| {
            let v = gear.input(t);
            x[0] = x[0].clamp(v - gear.play, v + gear.play);
        });
        let h = self.end / f64::from(steps);
        let swept = table(&mut CatchingUp::new(within), &[0.0], (h, steps), &["u"])?;
        let mut motion = Table::new(["t", "v", "u", "stress"]);
        for (t, u) in pairs(&swept, "t", "u")? {
            let v = self.input(t);
            motion.push_row(&[t, v, u, v - u])?;
        }
        Ok(motion)
    }
}

/// Runs the example, prints the largest positions, and writes `sweeping_hysteresis.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let gear = Gear::default();
    let motion = gear.simulate(4000)?;
    let largest = |name: &str| -> Result<f64, ExampleError> {
        Ok(pairs(&motion, "t", name)?.iter().fold(0.0, |most, (_, x)| most.max(x.abs())))
    };
    println!("a gear with play {} under an input up to {:.4}", gear.play, largest("v")?);
    println!("goes up to {:.4}; the spring yields at {:.4}", largest("u")?, largest("stress")?);
    let over_time = Panel::new("Input and gear", "time t [s]", "v, u")
        .with(Curve::dashed("input v", pairs(&motion, "t", "v")?))
        .with(Curve::line("gear u", pairs(&motion, "t", "u")?));
    let play = Panel::new("Play", "input v", "gear u").with(Curve::line("", pairs(&motion, "v", "u")?));
    let stop = Panel::new("Stress of a plastic spring", "strain v", "stress v - u")
        .with(Curve::line("", pairs(&motion, "v", "stress")?));
    let figure = Figure::grid("Hysteresis", 3, vec![over_time, play, stop]);
    crate::save(&figure, output, "sweeping_hysteresis")
}
