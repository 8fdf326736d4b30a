//! Stack of ten boxes, at rest and after a fall.
//!
//! Ten cubes with a side of 0.1 m lie on each other. Each box has four contacts with the box below it, so
//! the forces of the contacts are not unique, but their sums are. The floor carries the weight W of the
//! stack:
//!
//! $$ F = \sum_i \frac{p_i}{h} = W, $$
//!
//! as plain text: F = sum of p_i / h = W, with the normal impulses p_i of a step h on the floor. The stack
//! does not move.
//!
//! In the second case, the stack falls from a height of 1 cm, and all contacts have the coefficient of
//! restitution e = 0.5. The boxes do not approach each other before the impact, so Newton's law gives them no
//! relative velocity after it: the stack bounces as one body. The heights of the bounces are $e^2$, $e^4$
//! (as plain text: e^2, e^4) and so on of the first height, and the bounces end after
//!
//! $$ t_\infty = \sqrt{\frac{2 z_0}{g}} \frac{1 + e}{1 - e}, $$
//!
//! as plain text: t_inf = sqrt(2 z_0 / g) (1 + e) / (1 - e), which is 0.135 s for z_0 = 1 cm. The impulse on
//! the floor equals the change of momentum, so the mean of F over time approaches W.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/box_stack.svg"))]
//!
//! ```
//! use siconos_examples::scenes::box_stack::BoxStack;
//!
//! let stack = BoxStack { boxes: 3, t_end: 0.05, ..BoxStack::default() };
//! let table = stack.simulate()?;
//! assert!(table.column("F").expect("a column").skip(1).all(|force| (force - 1.0).abs() < 1e-9));
//! assert!(table.column("moved").expect("a column").all(|moved| moved < 1e-9));
//! // The stack bounces as one body, to a quarter of the height.
//! let dropped = BoxStack { boxes: 3, t_end: 0.08, ..BoxStack::dropped() }.simulate()?;
//! let bounce = dropped.rows().filter(|row| row[0] > 0.05).map(|row| row[3]).fold(0.0, f64::max);
//! assert!((bounce - 0.0025).abs() < 1e-4);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel, Scale};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Scene, SceneParts, Shape};

use crate::{ExampleError, pairs, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BoxStack {
    /// Number of boxes.
    pub boxes: usize,
    /// Side length of a box \[m\].
    pub side: f64,
    /// Height of the lowest box above the floor at the start \[m\].
    pub drop: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for BoxStack {
    fn default() -> Self {
        Self {
            boxes: 10,
            side: 0.1,
            drop: 0.0,
            restitution: 0.0,
            mu: 0.5,
            gravity: 9.81,
            h: 1e-3,
            t_end: 0.3,
        }
    }
}

impl BoxStack {
    /// Creates a stack that falls from 1 cm, with the coefficient of restitution 0.5.
    #[must_use]
    pub fn dropped() -> Self {
        Self { drop: 0.01, restitution: 0.5, ..Self::default() }
    }

    /// Returns the height of the centre of a box if the stack rests on the floor \[m\].
    fn height(&self, number: usize) -> f64 {
        self.side * (number as f64 + 0.5)
    }

    /// Returns the weight of the stack \[N\].
    #[must_use]
    pub fn weight(&self) -> f64 {
        1000.0 * self.side.powi(3) * self.gravity * self.boxes as f64
    }

    /// Builds the scene. The second element contains the boxes from bottom to top.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<(SceneParts, Vec<BodyId>), ExampleError> {
        let laws = ContactLaws::new(NewtonImpactFriction::in_space(self.restitution, self.mu)?);
        let mut scene = Scene::new().with_laws(laws).with_gravity([0.0, 0.0, -self.gravity]);
        scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
        let cube = Shape::cuboid([self.side; 3])?;
        let mut boxes = Vec::new();
        for k in 0..self.boxes {
            boxes.push(scene.add(Body::new(cube.clone()).at([0.0, 0.0, self.drop + self.height(k)]))?);
        }
        Ok((scene.into_parts()?, boxes))
    }

    /// Simulates the stack. The columns of the table are the time t, the force F on the floor divided by the
    /// weight, the largest distance `moved` of a box from its position in the stack at rest \[m\], and the
    /// heights z1, z2 and so on of the boxes above this position \[m\].
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (parts, boxes) = self.scene()?;
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let mut simulation = parts.simulation(grid).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let heights = (1..=self.boxes).map(|k| format!("z{k}"));
        let mut table = Table::new(["t", "F", "moved"].map(str::to_owned).into_iter().chain(heights));
        let sample = |state: &State| {
            let on_floor = state.contacts().iter().filter(|contact| contact.second.is_none());
            let force = on_floor.map(|contact| contact.reaction[0] / self.h).sum::<f64>();
            let offsets = boxes.iter().enumerate().map(|(k, id)| {
                let [x, y, z] = parts.pose(state, *id).position;
                [x, y, z - self.height(k)]
            });
            let offsets: Vec<[f64; 3]> = offsets.collect();
            let moved = offsets.iter().map(|[x, y, z]| x.hypot(*y).hypot(*z)).fold(0.0, f64::max);
            let row = [state.t, force / self.weight(), moved].into_iter();
            row.chain(offsets.into_iter().map(|[_, _, z]| z)).collect::<Vec<_>>()
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&parts.model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }
}

/// Runs the example, prints forces and displacements, and writes `box_stack.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let rest = BoxStack::default().simulate()?;
    let dropped = BoxStack::dropped().simulate()?;
    println!(
        "ten boxes\n{:>8} {:>12} {:>12} {:>14} {:>14}",
        "t [s]", "|F/W - 1|", "moved [m]", "F/W, dropped", "moved [m]"
    );
    for (own, other) in rest.rows().zip(dropped.rows()).skip(1).step_by(23) {
        println!(
            "{:8.3} {:12.1e} {:12.1e} {:14.4} {:14.3e}",
            own[0],
            (own[1] - 1.0).abs(),
            own[2],
            other[1],
            other[2]
        );
    }
    let force = pairs(&rest, "t", "F")?.split_off(1);
    let error = force.iter().map(|(t, force)| (*t, (force - 1.0).abs().max(1e-17))).collect();
    let moved = pairs(&rest, "t", "moved")?.into_iter().map(|(t, x)| (t, x.max(1e-17))).collect();
    let of_errors = Panel { y_scale: Scale::Logarithmic, ..Panel::new("At rest: errors", "t [s]", "error") }
        .with(Curve::line("|F/W - 1|", error))
        .with(Curve::line("largest displacement [m]", moved));
    let of_heights = Panel::new(
        "After a fall of 1 cm, e = 0.5: height above the position at rest",
        "t [s]",
        "height [mm]",
    )
    .with(Curve::underlay("highest box", scaled_pairs(&dropped, ("t", 1.0), ("z10", 1e3))?))
    .with(Curve::line("lowest box", scaled_pairs(&dropped, ("t", 1.0), ("z1", 1e3))?));
    let mut impulse = 0.0;
    let mut mean = Vec::new();
    let h = BoxStack::dropped().h;
    for (t, force) in pairs(&dropped, "t", "F")?.into_iter().skip(1) {
        impulse += h * force;
        mean.push((t, impulse / t));
    }
    let of_force = Panel::new("Force on the floor divided by the weight", "t [s]", "F/W")
        .with(Curve::line("at rest", force))
        .with(Curve::line("after a fall, mean from 0 to t", mean));
    let figure = Figure::new("A stack of ten boxes, h = 1 ms", vec![of_force, of_errors, of_heights]);
    crate::save(&figure, output, "box_stack")
}
