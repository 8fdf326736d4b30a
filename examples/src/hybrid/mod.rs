//! Systems with events: variables that are sampled, switches, resets, controllers, a state machine.
//!
//! Each is a [`HybridSystem`]: equations, discrete variables, and
//! events that change both.
//!
//! | example | what happens at the events |
//! |---|---|
//! | [`sample_and_hold`] | a controller samples the state, and holds what it commands |
//! | [`thermostat`] | a heater is switched where the temperature leaves its band |
//! | [`neuron`] | a voltage is reset where it reaches its threshold |
//! | [`sampled_pid`] | a motor follows a step: a PID controller with a voltage that saturates |
//! | [`two_tanks`] | valves of two tanks, worked by a state machine of discrete events |
//! | [`counted_bounces`] | a ball is caught after so many bounces |

pub mod counted_bounces;
pub mod neuron;
pub mod sample_and_hold;
pub mod sampled_pid;
pub mod thermostat;
pub mod two_tanks;

use siconos_hybrid::{Answer, HybridError, HybridSettings, HybridSolution, HybridSystem};
use siconos_io::trajectory::Table;
use siconos_kernel::EventSide;

use crate::ExampleError;

/// The solution from time 0 up to `end` \[s\], or where an event halts it before.
fn solve(system: &HybridSystem, x0: &[f64], end: f64) -> Result<(HybridSolution, Answer), HybridError> {
    let mut solution = HybridSolution::new(system, 0.0, x0, HybridSettings::default())?;
    let answer = solution.at(end)?;
    Ok((solution, answer))
}

/// The times of the solution, of all variables: `parts` evenly spaced ones, and both sides of each event.
/// Columns t and one for each variable, continuous ones first.
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
