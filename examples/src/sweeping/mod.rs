//! Sweeping processes: moving sets, hysteresis, a crowd, springs that yield, a chain of integrators with a
//! constraint, and differential variational inequalities.
//!
//! | example | process |
//! |---|---|
//! | [`moving_sets`] | a point in a translating disc, and a point in a rotating square |
//! | [`hysteresis`] | the play of a gear, and the stress of a plastic spring |
//! | [`crowd`] | people who leave a room through a door |
//! | [`plastic_chain`] | the stresses of a chain of springs that yield |
//! | [`triple_integrator`] | a chain of three integrators with a nonnegative output |
//! | [`bridge_rectifier`] | a circuit as a differential variational inequality, and its periodic motion |
//! | [`bounded_control`] | optimal control with a bound, as a boundary value problem |
//! | [`filippov_sliding`] | sliding modes to high order: a state at rest on a surface, stick-slip |

pub mod bounded_control;
pub mod bridge_rectifier;
pub mod crowd;
pub mod filippov_sliding;
pub mod hysteresis;
pub mod moving_sets;
pub mod plastic_chain;
pub mod triple_integrator;

use siconos_io::trajectory::Table;
use siconos_sweeping::{CatchingUp, MovingSet};

use crate::ExampleError;

/// Returns the closed outline of a regular polygon from the number of corners, the radius and the angle of
/// the first corner, and the centre.
fn outline(corners: u32, (radius, angle): (f64, f64), centre: (f64, f64)) -> Vec<(f64, f64)> {
    (0..=corners)
        .map(|k| {
            let at = angle + std::f64::consts::TAU * f64::from(k) / f64::from(corners);
            (centre.0 + radius * at.cos(), centre.1 + radius * at.sin())
        })
        .collect()
}

/// Returns a table of the states at the points of a uniform grid from time 0. The first row contains the
/// state after the jump at the start. The columns are t and `names`.
fn table<S: MovingSet>(
    sweep: &mut CatchingUp<S>,
    u0: &[f64],
    (h, steps): (f64, u32),
    names: &[&str],
) -> Result<Table, ExampleError> {
    let mut table = Table::new(std::iter::once("t").chain(names.iter().copied()));
    let mut u = u0.to_vec();
    let mut row = Vec::new();
    for k in 0..=steps {
        let t = h * f64::from(k);
        let report = if k == 0 { sweep.begin(t, &mut u)? } else { sweep.step(t - h, h, &mut u)? };
        if !report.status.is_success() {
            return Err(ExampleError::NoSolution { t });
        }
        row.clear();
        row.push(t);
        row.extend_from_slice(&u);
        table.push_row(&row)?;
    }
    Ok(table)
}
