//! A ball that is caught after a given number of bounces.
//!
//! An integer variable counts the bounces. A discrete event with a condition on the count halts the
//! integration at the given bounce. If the halt is cleared, the ball continues to bounce.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hybrid_counted_bounces.svg"))]
//!
//! ```
//! use siconos_examples::hybrid::counted_bounces::Ball;
//!
//! let table = Ball::default().simulate()?;
//! let last = table.column("n").and_then(Iterator::last);
//! assert_eq!(last, Some(5.0));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_hybrid::{
    Action, Condition, EventOptions, HybridSolution, HybridSystem, Trigger, VariableType, View,
};
use siconos_io::trajectory::Table;

use super::{solve, table};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Acceleration of gravity \[m/s^2\].
    pub gravity: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Initial height \[m\].
    pub height: f64,
    /// Horizontal velocity \[m/s\].
    pub speed: f64,
    /// Number of bounces after which the ball is caught.
    pub bounces: u32,
}

impl Default for Ball {
    fn default() -> Self {
        Self { gravity: 9.81, restitution: 0.85, height: 1.0, speed: 0.6, bounces: 5 }
    }
}

impl Ball {
    fn solution(&self) -> Result<HybridSolution, ExampleError> {
        let (gravity, restitution, most) = (self.gravity, self.restitution, f64::from(self.bounces));
        let acceleration = move |_p: View, a: &mut [f64]| a.copy_from_slice(&[0.0, -gravity]);
        let mut system = HybridSystem::second_order(["x", "y"], acceleration)?;
        let n = system.discrete("n", VariableType::Integer, 0.0)?;
        let bounce = Action::set(move |p| {
            p.set(3, -restitution * p.x()[3]);
            p.set(n, p[n] + 1.0);
        });
        system.event(Trigger::decreasing("y"), bounce)?;
        let caught = Trigger::discrete(Condition::new(move |p| p[n] == most));
        let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
        system.event_with(caught, Action::halt(), once)?;
        Ok(solve(&system, &[0.0, self.height, self.speed, 0.0], 100.0)?.0)
    }

    /// Simulates the motion up to the bounce at which the ball is caught. The table has the columns t, x, y,
    /// x', y', n.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a hybrid system that can be integrated.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        table(&self.solution()?, 400)
    }
}

/// Runs the example, prints the time at which the ball is caught, and writes `hybrid_counted_bounces.svg` and
/// `.png`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let ball = Ball::default();
    let solution = ball.solution()?;
    println!("a ball is caught at bounce {} after {:.6} s", ball.bounces, solution.t());
    let table = table(&solution, 400)?;
    let path = Panel::new("Path", "x [m]", "y [m]").with(Curve::line("", pairs(&table, "x", "y")?));
    let count = Panel::new("Bounces", "time t [s]", "n").with(Curve::line("", pairs(&table, "t", "n")?));
    let figure = Figure::new("A ball that is caught after five bounces", vec![path, count]);
    crate::save(&figure, output, "hybrid_counted_bounces")
}
