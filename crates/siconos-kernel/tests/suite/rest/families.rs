//! Structures with an equilibrium, or a uniform motion, at which no contact is about to change its state.

use std::f64::consts::PI;

use super::scene::{Block, Face, GROUND, Scene, Space};

/// Returns a box on a grid of contacts.
pub(super) fn box_on_grid(space: Space, side: usize, mu: f64) -> Scene {
    let mut scene = Scene::new(space);
    let block = scene.add(Block::new([0.5, 0.5, 0.25], 1.0, [0.0, 0.0, 0.25]));
    let along = |k: usize| if side == 1 { 0.0 } else { k as f64 / (side - 1) as f64 - 0.5 };
    let rows = if space == Space::Plane { 1 } else { side };
    let points: Vec<_> = (0..side)
        .flat_map(|i| (0..rows).map(move |j| [along(i), if rows == 1 { 0.0 } else { along(j) }, -0.25]))
        .collect();
    scene.touch(block, &points, GROUND, mu);
    scene
}

/// Returns a stack of boxes. `mass` gives the mass of each box by its number from below.
pub(super) fn stack(space: Space, count: usize, mu: f64, mass: impl Fn(usize) -> f64) -> Scene {
    let mut scene = Scene::new(space);
    for k in 0..count {
        // Offset from the neighbours, so that no two faces have the same corners.
        let centre = [0.02 * (k % 2) as f64, 0.0, 0.25 + 0.5 * k as f64];
        let block = scene.add(Block::new([0.5, 0.5, 0.25], mass(k), centre));
        scene.rest_on(block, k.checked_sub(1), mu);
    }
    scene
}

/// Returns a wall in running bond: courses of `bricks` bricks alternate with courses that have half a brick
/// at each end.
pub(super) fn wall(space: Space, courses: usize, bricks: usize, mu: f64) -> Scene {
    let course = |number: usize| match number % 2 {
        0 => (0..bricks).map(|k| [k as f64, k as f64 + 1.0]).collect(),
        _ => {
            let joints = (0..bricks).map(|k| k as f64 + 0.5);
            let ends: Vec<f64> =
                std::iter::once(0.0).chain(joints).chain(std::iter::once(bricks as f64)).collect();
            ends.windows(2).map(|pair| [pair[0], pair[1]]).collect()
        }
    };
    layers(space, (0..courses).map(course).collect(), mu)
}

/// Returns a pyramid, each course one brick shorter than the course below.
pub(super) fn pyramid(space: Space, courses: usize, mu: f64) -> Scene {
    let course = |number: usize| {
        let begin = 0.5 * number as f64;
        (0..courses - number).map(|k| [begin + k as f64, begin + k as f64 + 1.0]).collect()
    };
    layers(space, (0..courses).map(course).collect(), mu)
}

/// Returns courses of bricks of 1 kg/m, each brick between two x coordinates. The contacts of a brick are the
/// corners of the rectangles that it shares with the bricks below.
fn layers(space: Space, courses: Vec<Vec<[f64; 2]>>, mu: f64) -> Scene {
    let (depth, height) = (0.25, 0.125);
    let mut scene = Scene::new(space);
    let mut below: Vec<(usize, [f64; 2])> = Vec::new();
    for (number, course) in courses.into_iter().enumerate() {
        let mut own = Vec::new();
        for ends in course {
            let [begin, end] = ends;
            let (x, half) = (0.5 * (begin + end), 0.5 * (end - begin));
            let centre = [x, 0.0, height * (1 + 2 * number) as f64];
            let block = scene.add(Block::new([half, depth, height], 2.0 * half, centre));
            own.push((block, ends));
            if number == 0 {
                scene.rest_on(block, None, mu);
            }
            for &(lower, [from, to]) in &below {
                let shared = [from.max(begin), to.min(end)];
                if shared[0] < shared[1] {
                    let corners = scene.corners(block, shared.map(|at| at - x), -height);
                    let face = scene.top_of(Some(lower));
                    scene.touch(block, &corners, face, mu);
                }
            }
        }
        below = own;
    }
    scene
}

/// Returns a table: four legs (two in the plane), a plate on them, and a load on the plate.
pub(super) fn table(space: Space, load: f64, mu: f64) -> Scene {
    let mut scene = Scene::new(space);
    let depths: &[f64] = if space == Space::Plane { &[0.0] } else { &[-0.4, 0.4] };
    let mut legs = Vec::new();
    for &x in &[-0.8, 0.8] {
        for &y in depths {
            let leg = scene.add(Block::new([0.05, 0.05, 0.35], 1.0, [x, y, 0.35]));
            scene.rest_on(leg, None, mu);
            legs.push(leg);
        }
    }
    let plate = scene.add(Block::new([1.0, 0.5, 0.02], 5.0, [0.0, 0.0, 0.72]));
    for leg in legs {
        // Points of the leg on the lower face of the plate.
        let corners = scene.corners(leg, [-0.05, 0.05], 0.35);
        let face = Face { block: Some(plate), point: [0.0, 0.0, -0.02], normal: [0.0, 0.0, -1.0] };
        scene.touch(leg, &corners, face, mu);
    }
    let load = scene.add(Block::new([0.2, 0.2, 0.1], load, [0.3, 0.0, 0.84]));
    scene.rest_on(load, Some(plate), mu);
    scene
}

/// Returns a semicircular arch of voussoirs between springings. Its thickness relative to the mean radius is
/// well above 0.1075, the minimum for stability (Heyman 1969, "The safety of masonry arches").
pub(super) fn arch(space: Space, voussoirs: usize, mu: f64) -> Scene {
    let (radius, thickness, depth) = (1.0, 0.25, 0.2);
    let mut scene = Scene::new(space);
    let angle = PI / voussoirs as f64;
    // The joints of the blocks are radial planes; the inertia is computed for a cuboid of the mean length.
    for k in 0..voussoirs {
        let middle = (k as f64 + 0.5) * angle;
        let centre = [-radius * middle.cos(), 0.0, radius * middle.sin()];
        let mut block = Block::new([0.5 * radius * angle, depth, 0.5 * thickness], 1.0, centre);
        block.angle = middle - 0.5 * PI;
        scene.add(block);
    }
    // Point of the joint at an end of a voussoir, in its frame; `end` is -1 or 1, `side` is along the radius.
    let corner = |end: f64, side: f64, y: f64| {
        let r = radius + side * 0.5 * thickness;
        [end * r * (0.5 * angle).sin(), y, r * (0.5 * angle).cos() - radius]
    };
    let joint = |end: f64| -> Vec<[f64; 3]> {
        let depths: &[f64] = if space == Space::Plane { &[0.0] } else { &[-depth, depth] };
        depths.iter().flat_map(|&y| [corner(end, -1.0, y), corner(end, 1.0, y)]).collect()
    };
    for k in 0..voussoirs {
        let face = match k {
            0 => GROUND,
            _ => Face {
                block: Some(k - 1),
                point: corner(1.0, 0.0, 0.0),
                normal: [(0.5 * angle).cos(), 0.0, -(0.5 * angle).sin()],
            },
        };
        scene.touch(k, &joint(-1.0), face, mu);
    }
    scene.touch(voussoirs - 1, &joint(1.0), GROUND, mu);
    scene
}

/// Returns a box that friction holds on a slope, at a fraction of the angle of friction.
pub(super) fn slope(space: Space, angle: f64, mu: f64) -> Scene {
    on_slope(space, angle, 0.0, mu)
}

/// Returns a box that slides down a slope at the angle of friction, at a constant speed.
pub(super) fn sliding(space: Space, mu: f64) -> Scene {
    on_slope(space, mu.atan(), 0.1, mu)
}

fn on_slope(space: Space, angle: f64, speed: f64, mu: f64) -> Scene {
    let mut scene = Scene::new(space);
    // The slope falls towards +x.
    let (sin, cos) = angle.sin_cos();
    let normal = [sin, 0.0, cos];
    let mut block = Block::new([0.5, 0.5, 0.1], 1.0, normal.map(|n| 0.1 * n));
    block.angle = angle;
    block.velocity = [speed * cos, 0.0, -speed * sin];
    let block = scene.add(block);
    let corners = scene.corners(block, [-0.5, 0.5], -0.1);
    scene.touch(block, &corners, Face { block: None, point: [0.0; 3], normal }, mu);
    scene
}

/// Returns a stack on a plank that moves at a constant speed on a smooth floor.
pub(super) fn belt(space: Space, count: usize, mu: f64) -> Scene {
    let mut scene = Scene::new(space);
    let velocity = [0.05, 0.0, 0.0];
    let plank = scene.add(Block { velocity, ..Block::new([2.0, 1.0, 0.05], 10.0, [0.0, 0.0, 0.05]) });
    scene.rest_on(plank, None, 0.0);
    let mut below = plank;
    for k in 0..count {
        let centre = [0.0, 0.0, 0.1 + 0.25 + 0.5 * k as f64];
        let block = scene.add(Block { velocity, ..Block::new([0.5, 0.5, 0.25], 1.0, centre) });
        scene.rest_on(block, Some(below), mu);
        below = block;
    }
    scene
}
