//! Ball between floor and ceiling, event-driven.
//!
//! A ball of 1 kg starts upwards with 10 m/s from a height of 1 m in a box of height 1.5 m. There are two
//! contacts,
//!
//! $$ y_0 = q \ge 0, \qquad y_1 = 1.5 - q \ge 0, $$
//!
//! both with restitution 0.8; g = 10 m/s². The ball hits ceiling and floor alternately until its energy is
//! too low to reach the ceiling. It then bounces on the floor until its impacts accumulate, and rests.
//!
//! Between impacts $v^2 / 2 + g q$ is constant, so that all velocities are known in closed form. The doc test
//! compares the simulation with them.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/two_contacts_ed.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![1.0], vec![10.0], array![1.0]).with_constant_external_force(vec![-9.81]);
//! let ball = model.add_system(ball)?;
//! let law = NewtonImpact::new(0.8)?;
//! let floor = model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law)?;
//! let above = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(vec![1.5]);
//! let ceiling = model.add_interaction([ball], above, law)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut hit = Vec::new();
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     hit.extend(report.impacts.iter().map(|contact| (contact.relation, state.v_before(ball)[0])));
//! }
//! // Up to the ceiling, half a metre above, and down to the floor.
//! let up = (100.0_f64 - 2.0 * 9.81 * 0.5).sqrt();
//! let down = ((0.8 * up).powi(2) + 2.0 * 9.81 * 1.5).sqrt();
//! assert!(hit[0].0 == ceiling && (hit[0].1 - up).abs() < 1e-9);
//! assert!(hit[1].0 == floor && (hit[1].1 + down).abs() < 1e-9);
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct TwoContactsEd {
    /// Initial height \[m\] and velocity \[m/s\].
    pub start: (f64, f64),
    /// Height of the ceiling \[m\].
    pub box_height: f64,
    /// Coefficient of restitution of both contacts.
    pub restitution: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Interval between output points \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for TwoContactsEd {
    fn default() -> Self {
        Self { start: (1.0, 10.0), box_height: 1.5, restitution: 0.8, gravity: 10.0, h: 0.01, t_end: 10.0 }
    }
}

/// Impact on the floor or on the ceiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxImpact {
    /// Time \[s\].
    pub t: f64,
    /// Velocity before the impact \[m/s\].
    pub v_minus: f64,
    /// `true` for an impact on the ceiling.
    pub at_ceiling: bool,
}

impl TwoContactsEd {
    /// Builds the model and returns it with the ids of the ball and its contacts with floor and ceiling.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, [InteractionId; 2]), ExampleError> {
        let gravity = self.gravity;
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = LagrangianLinear::new(vec![self.start.0], vec![self.start.1], array![1.0]);
        let ball = model.add_system(ball.with_external_force(move |_t, f| f[0] = -gravity))?;
        let law = NewtonImpact::new(self.restitution)?;
        let floor = LagrangianLinearRelation::new(array![[1.0]]);
        let ceiling = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(vec![self.box_height]);
        let floor = model.add_interaction([ball], floor, law)?;
        let ceiling = model.add_interaction([ball], ceiling, law)?;
        Ok((model, ball, [floor, ceiling]))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        Ok(EventDriven::builder(model).discretisation(grid).build()?)
    }

    /// Simulates the motion. The table has height, velocity, impulses and force at the output points, and
    /// before and after each impact, in the columns t, q, v, p_floor, p_ceiling, force.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, ball, contacts) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "q", "v", "p_floor", "p_ceiling", "force"]);
        let sample = |state: &State| {
            let [floor, ceiling] = contacts.map(|contact| state.lambda(contact, Level::Velocity)[0]);
            let force = state.lambda(contacts[0], Level::Acceleration)[0];
            [state.t, state.q(ball)[0], state.v(ball)[0], floor, ceiling, force]
        };
        table.push_row(&sample(&state))?;
        while let Some(report) = simulation.step(&model, &mut state)? {
            if !report.impacts.is_empty() {
                table.push_row(&[state.t, state.q(ball)[0], state.v_before(ball)[0], 0.0, 0.0, 0.0])?;
            }
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }

    /// Returns all impacts.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn impacts(&self) -> Result<Vec<BoxImpact>, ExampleError> {
        let (model, ball, [_, ceiling]) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut impacts = Vec::new();
        simulation.run(&model, &mut state, |report, state| {
            impacts.extend(report.impacts.iter().map(|contact| BoxImpact {
                t: report.t,
                v_minus: state.v_before(ball)[0],
                at_ceiling: contact.relation == ceiling,
            }));
        })?;
        Ok(impacts)
    }
}

/// Runs the example, prints the first impacts, and writes `two_contacts_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = TwoContactsEd::default();
    let impacts = example.impacts()?;
    println!("ball between floor and ceiling, event-driven\n{:>14} {:>9} {:>16}", "t [s]", "at", "v- [m/s]");
    for impact in impacts.iter().take(10) {
        let place = if impact.at_ceiling { "ceiling" } else { "floor" };
        println!("{:14.9} {place:>9} {:16.9}", impact.t, impact.v_minus);
    }
    let ceiling = impacts.iter().filter(|impact| impact.at_ceiling).count();
    println!("{} impacts, {ceiling} of them on the ceiling; then the ball rests", impacts.len());
    let table = example.simulate()?;
    let figure = Figure::new(
        "Ball between floor and ceiling, e = 0.8, event-driven",
        vec![
            Panel::new("Height", "t [s]", "q [m]").with(Curve::line("", pairs(&table, "t", "q")?)),
            Panel::new("Velocity", "t [s]", "v [m/s]").with(Curve::line("", pairs(&table, "t", "v")?)),
        ],
    );
    crate::save(&figure, output, "two_contacts_ed")
}
