//! Thermostat: $\dot T = -T + 2 u$, and the heater u is switched when T leaves the band from 1/2 to 1.
//!
//! The temperature tends to 2 while the heater is on and to 0 while it is off, so that a period lasts
//! $\ln (3/2) + \ln 2 = \ln 3$. The event is triggered by a range. It fires when the temperature leaves the
//! band, and can fire again only after the temperature has returned into the band.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_thermostat.svg"))]
//!
//! ```
//! let switches = siconos_examples::hybrid::thermostat::Thermostat::default().switches(8.0)?;
//! assert!((switches[2] - switches[0] - 3.0_f64.ln()).abs() < 1e-9);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_hybrid::{Action, DiscreteId, HybridSolution, HybridSystem, Trigger, VariableType, View};
use siconos_io::trajectory::Table;

use super::{solve, table};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Thermostat {
    /// Temperature below which the heater is switched on, and temperature above which it is switched off.
    pub band: (f64, f64),
    /// Initial temperature, with the heater on.
    pub start: f64,
}

impl Default for Thermostat {
    fn default() -> Self {
        Self { band: (0.5, 1.0), start: 0.2 }
    }
}

impl Thermostat {
    fn solution(&self, end: f64) -> Result<HybridSolution, ExampleError> {
        const ON: DiscreteId = DiscreteId::new(0);
        let rate = |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[ON];
        let mut system = HybridSystem::first_order(["T"], rate)?;
        system.discrete("u", VariableType::Boolean, true)?;
        let (lower, upper) = self.band;
        system.event(Trigger::range("T", lower, upper), Action::set(|p| p.set(ON, !p.is(ON))))?;
        Ok(solve(&system, &[self.start], end)?.0)
    }

    /// Simulates up to `end` \[s\]. The table has temperature and heater, in the columns t, T, u.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a hybrid system that can be integrated.
    pub fn simulate(&self, end: f64) -> Result<Table, ExampleError> {
        table(&self.solution(end)?, 200)
    }

    /// Returns the times at which the heater is switched \[s\].
    ///
    /// # Errors
    ///
    /// If the parameters do not define a hybrid system that can be integrated.
    pub fn switches(&self, end: f64) -> Result<Vec<f64>, ExampleError> {
        Ok(self.solution(end)?.trajectory().events().map(|mark| mark.t).collect())
    }
}

/// Runs the example, prints the switching times, and writes `hybrid_thermostat.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let (room, end) = (Thermostat::default(), 6.0);
    println!("a thermostat switches at");
    for t in room.switches(end)? {
        println!("{t:12.6} s");
    }
    let table = room.simulate(end)?;
    let ends = |level: f64| vec![(0.0, level), (end, level)];
    let of_temperature = Panel::new("Temperature", "time t [s]", "T")
        .with(Curve::line("T", pairs(&table, "t", "T")?))
        .with(Curve::dashed("band", ends(room.band.0)).coloured(Colour::Grey))
        .with(Curve::dashed("", ends(room.band.1)).coloured(Colour::Grey));
    let of_heater = Panel::new("Heater", "time t [s]", "u").with(Curve::line("", pairs(&table, "t", "u")?));
    let figure = Figure::new("Thermostat", vec![of_temperature, of_heater]);
    crate::save(&figure, output, "hybrid_thermostat")
}
