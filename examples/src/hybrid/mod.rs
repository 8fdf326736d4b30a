//! Hybrid systems with sampled variables, switches, resets, controllers and a state machine.
//!
//! Each example is a [`HybridSystem`], which consists of equations, discrete variables, and events that
//! change states and discrete variables.
//!
//! | example | events |
//! |---|---|
//! | [`sample_and_hold`] | a controller samples the state and holds its output |
//! | [`thermostat`] | a heater is switched when the temperature leaves its band |
//! | [`neuron`] | a voltage is reset when it reaches its threshold |
//! | [`sampled_pid`] | a sampled PID controller sets the voltage of a motor, within bounds |
//! | [`two_tanks`] | a state machine of discrete events sets the valves of two tanks |
//! | [`counted_bounces`] | a ball is caught after a given number of bounces |

pub mod counted_bounces;
pub mod neuron;
pub mod sample_and_hold;
pub mod sampled_pid;
pub mod thermostat;
pub mod two_tanks;

use siconos_hybrid::{HybridError, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome};
use siconos_io::trajectory::Table;
use siconos_kernel::EventSide;

use crate::ExampleError;

/// Returns the solution from time 0 up to `end` \[s\], or up to the event that halts the integration.
fn solve(
    system: &HybridSystem,
    x0: &[f64],
    end: f64,
) -> Result<(HybridSolution, IntegrationOutcome), HybridError> {
    let mut solution = HybridSolution::new(system, 0.0, x0, HybridSettings::default())?;
    let answer = solution.at(end)?;
    Ok((solution, answer))
}

/// Returns a table of all variables at the ends of `parts` equal intervals and on both sides of each event.
/// The columns are t, the continuous variables and the discrete variables.
fn table(solution: &HybridSolution, parts: u32) -> Result<Table, ExampleError> {
    let system = solution.system();
    let names =
        system.names().iter().map(String::as_str).chain(system.discrete_variables().map(|(name, _)| name));
    let mut table = Table::new(std::iter::once("t").chain(names));
    let trajectory = solution.trajectory();
    let (start, end) = trajectory.span();
    let spaced = (0..=parts).map(|k| start + (end - start) * f64::from(k) / f64::from(parts));
    let mut times: Vec<(f64, EventSide)> = spaced.map(|t| (t, EventSide::After)).collect();
    times.extend(
        trajectory.events().flat_map(|mark| [(mark.t, EventSide::Before), (mark.t, EventSide::After)]),
    );
    times.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1 == EventSide::After).cmp(&(b.1 == EventSide::After))));
    times.dedup();
    let mut row = vec![0.0; table.columns().len()];
    for (t, side) in times {
        row[0] = t;
        trajectory.write(t, side, &mut row[1..])?;
        table.push_row(&row)?;
    }
    Ok(table)
}
