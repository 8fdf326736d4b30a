//! List of structures, each with a step length and a coefficient of restitution.

use std::fmt;

use super::families::{arch, belt, box_on_grid, pyramid, sliding, slope, stack, table, wall};
use super::scene::{Scene, Space};

/// Scene with the parameters of its simulation.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) name: &'static str,
    pub(super) scene: Scene,
    pub(super) restitution: f64,
    /// Step length \[s\].
    pub(super) h: f64,
    /// `true` for structures at rest on level ground, which are also dropped.
    pub(super) can_fall: bool,
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, scene, restitution, h, .. } = self;
        write!(f, "{name} ({:?}, {} contacts, e = {restitution}, h = {h})", scene.space, scene.touches.len())
    }
}

const STEPS: [f64; 4] = [1e-2, 5e-3, 1e-3, 1e-4];

/// Returns all structures, in the plane and in space.
pub(super) fn all() -> Vec<Structure> {
    let mut structures = Vec::new();
    for space in [Space::Plane, Space::Space] {
        let mut add = |name, can_fall, scene| {
            let number = structures.len();
            let (restitution, h) = ([0.0, 0.5][number % 2], STEPS[(number / 2) % STEPS.len()]);
            structures.push(Structure { name, scene, restitution, h, can_fall });
        };
        let equal = |_: usize| 1.0;
        add("box on 2 contacts per edge", true, box_on_grid(space, 2, 0.5));
        add("box on 3 contacts per edge", true, box_on_grid(space, 3, 0.5));
        add("box on 10 contacts per edge", false, box_on_grid(space, 10, 0.5));
        add("box with friction of 0.001", true, box_on_grid(space, 2, 1e-3));
        add("2 boxes", true, stack(space, 2, 0.5, equal));
        add("3 boxes", true, stack(space, 3, 0.5, equal));
        add("5 boxes", true, stack(space, 5, 0.5, equal));
        add("10 boxes", true, stack(space, 10, 0.5, equal));
        add("20 boxes", false, stack(space, 20, 0.5, equal));
        add("50 boxes", false, stack(space, 50, 0.5, equal));
        add("10 boxes with friction of 0.001", true, stack(space, 10, 1e-3, equal));
        add("10 boxes, each twice as heavy as the one below", false, {
            stack(space, 10, 0.5, |k| (k as f64).exp2())
        });
        add("10 boxes, each half as heavy as the one below", true, {
            stack(space, 10, 0.5, |k| (-(k as f64)).exp2())
        });
        add("a ton on a kilogram", true, stack(space, 2, 0.5, |k| [1.0, 1e3][k]));
        add("a kilogram on a ton", true, stack(space, 2, 0.5, |k| [1e3, 1.0][k]));
        add("pyramid of 3 boxes", true, pyramid(space, 2, 0.5));
        add("pyramid of 6 boxes", true, pyramid(space, 3, 0.5));
        add("pyramid of 10 boxes", true, pyramid(space, 4, 0.5));
        add("pyramid of 15 boxes", false, pyramid(space, 5, 0.5));
        add("wall of 2 courses", true, wall(space, 2, 2, 0.5));
        add("wall of 3 courses", true, wall(space, 3, 3, 0.5));
        add("wall of 4 courses", false, wall(space, 4, 4, 0.5));
        add("wall of 5 courses", false, wall(space, 5, 5, 0.5));
        add("wall of 6 courses", false, wall(space, 6, 6, 0.5));
        add("table", true, table(space, 10.0, 0.5));
        add("arch of 7 voussoirs", false, arch(space, 7, 0.8));
        add("arch of 13 voussoirs", false, arch(space, 13, 0.8));
        add("box on a slope", false, slope(space, 0.3, 0.5));
        add("box that slides down a slope", false, sliding(space, 0.3));
        add("box on a belt", false, belt(space, 1, 0.5));
        add("5 boxes on a belt", false, belt(space, 5, 0.5));
    }
    structures
}
