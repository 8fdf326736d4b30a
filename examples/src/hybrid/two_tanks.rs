//! Two tanks, one above the other, with valves that are controlled by a state machine.
//!
//! Water flows into the upper tank, from there into the lower tank, and out of the lower tank (Torricelli's
//! law):
//!
//! $$ A \dot h_1 = q s_1 - c_1 s_2 \sqrt{h_1}, \qquad
//!    A \dot h_2 = c_1 s_2 \sqrt{h_1} - c_2 s_3 \sqrt{h_2}. $$
//!
//! As plain text: A h1' = q s1 - c1 s2 sqrt(h1), A h2' = c1 s2 sqrt(h1) - c2 s3 sqrt(h2). Each valve s is
//! open (1) or closed (0), depending on the phase of the state machine. The machine fills the upper tank to
//! its mark, drains it into the lower tank, waits, empties the lower tank, and starts again. The levels and a
//! clock trigger continuous events, which change the phase. A discrete event in the same event iteration then
//! sets the valves.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_two_tanks.svg"))]
//!
//! ```
//! let table = siconos_examples::hybrid::two_tanks::simulate(100.0)?;
//! let highest = table.column("h1").expect("a column").fold(0.0, f64::max);
//! assert!((highest - 0.8).abs() < 1e-9, "filled to its mark");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_hybrid::{Action, Condition, DiscreteId, HybridSystem, Trigger, VariableType, View};
use siconos_io::trajectory::Table;

use super::{solve, table};
use crate::{ExampleError, pairs};

/// Cross-section of both tanks \[m^2\], inflow \[m^3/s\], and coefficients of the outlets \[m^2.5/s\].
const AREA: f64 = 0.1;
const INFLOW: f64 = 0.01;
const OUTLETS: (f64, f64) = (0.012, 0.008);

/// Level of a full tank \[m\], level of an empty tank \[m\], and duration of the wait \[s\].
const FULL: f64 = 0.8;
const EMPTY: f64 = 0.05;
const WAIT: f64 = 5.0;

/// Discrete variables in the order of their declaration.
const PHASE: DiscreteId = DiscreteId::new(0);
const VALVES: [DiscreteId; 3] = [DiscreteId::new(1), DiscreteId::new(2), DiscreteId::new(3)];
const ALARM: DiscreteId = DiscreteId::new(4);

/// Phases of the state machine, each with its open valves and its name.
const PHASES: [([bool; 3], &str); 4] = [
    ([true, false, false], "fill"),
    ([false, true, false], "run down"),
    ([false, false, false], "wait"),
    ([false, false, true], "empty"),
];

/// Returns the action that starts a phase.
fn go_to(phase: usize) -> Action {
    Action::set(move |p| p.set(PHASE, phase as f64))
}

fn is_in(phase: usize) -> Condition {
    Condition::new(move |p| p[PHASE] == phase as f64)
}

/// Simulates up to `end` \[s\]. The table has levels \[m\], clock of the wait \[s\], phase, valves and alarm,
/// in the columns t, h1, h2, wait, phase, s1, s2, s3, alarm.
///
/// # Errors
///
/// If the system cannot be integrated up to `end`.
pub fn simulate(end: f64) -> Result<Table, ExampleError> {
    let flows = |p: View, rate: &mut [f64]| {
        let is_open = VALVES.map(|valve| p[valve]);
        let upper = OUTLETS.0 * is_open[1] * p.x[0].max(0.0).sqrt();
        let lower = OUTLETS.1 * is_open[2] * p.x[1].max(0.0).sqrt();
        rate[0] = (INFLOW * is_open[0] - upper) / AREA;
        rate[1] = (upper - lower) / AREA;
        // A clock that runs while the machine waits.
        rate[2] = f64::from(p[PHASE] == 2.0);
    };
    let mut system = HybridSystem::first_order(["h1", "h2", "wait"], flows)?;
    system.discrete("phase", VariableType::Integer, 0.0)?;
    for (name, is_open) in ["s1", "s2", "s3"].into_iter().zip(PHASES[0].0) {
        system.discrete(name, VariableType::Boolean, is_open)?;
    }
    system.discrete("alarm", VariableType::Boolean, false)?;
    system.event(Trigger::increasing(|p: View| p.x[0] - FULL).when(is_in(0)), go_to(1))?;
    system.event(Trigger::decreasing(|p: View| p.x[0] - EMPTY).when(is_in(1)), go_to(2))?;
    system.event(Trigger::increasing(|p: View| p.x[2] - WAIT).when(is_in(2)), go_to(3))?;
    system.event(Trigger::decreasing(|p: View| p.x[1] - EMPTY).when(is_in(3)), go_to(0))?;
    // In the event iteration in which the phase changes, the valves are set and the clock is reset.
    let changes = Trigger::discrete(Condition::new(|p| p.change(PHASE)));
    let follow = Action::set(|p| {
        let phase = PHASES[p[PHASE] as usize % PHASES.len()];
        for (valve, is_open) in VALVES.into_iter().zip(phase.0) {
            p.set(valve, is_open);
        }
        p.set(2, 0.0);
    });
    system.event(changes, follow)?;
    system.event(Trigger::increasing(|p: View| p.x[1] - FULL), Action::set(|p| p.set(ALARM, true)))?;
    let (solution, _) = solve(&system, &[0.1, 0.05, 0.0], end)?;
    table(&solution, 500)
}

/// Runs the example, prints the phases, and writes `hybrid_two_tanks.svg` and `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = simulate(120.0)?;
    println!("two tanks under a state machine");
    let phases = pairs(&table, "t", "phase")?;
    for pair in phases.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
        println!("{:10.4} s  {}", pair[1].0, PHASES[pair[1].1 as usize % PHASES.len()].1);
    }
    let of_levels = Panel::new("Levels", "time t [s]", "h [m]")
        .with(Curve::line("upper tank", pairs(&table, "t", "h1")?))
        .with(Curve::line("lower tank", pairs(&table, "t", "h2")?));
    let of_phases = Panel::new("Phase: 0 fill, 1 run down, 2 wait, 3 empty", "time t [s]", "phase")
        .with(Curve::line("", phases));
    let figure = Figure::new("Two tanks and a state machine", vec![of_levels, of_phases]);
    crate::save(&figure, output, "hybrid_two_tanks")
}
