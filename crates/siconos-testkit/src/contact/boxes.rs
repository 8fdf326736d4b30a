//! Boxes on each other: a tower, and a wall of bricks.

use super::assembly::{Assembly, GRAVITY, STEP, columns_in_space};
use crate::random::RandomState;

/// Half the edges \[m\].
const HALF: [f64; 3] = [0.3, 0.2, 0.1];

/// Mass of a whole box \[kg\], times a number of [0.8, 1.25).
const MASS: f64 = 20.0;

/// Largest random velocity before the step \[m/s\].
const VELOCITY: f64 = 0.01;

/// A box that lies flat: its number, the middle of it along the course, and half its length \[m\].
#[derive(Clone, Copy)]
struct Brick {
    body: usize,
    x: f64,
    half: f64,
}

/// Boxes on top of each other, each on four contacts at its corners: three would hold it, so the reactions
/// are not unique.
pub(super) fn tower(boxes: usize, seed: u32) -> Assembly<3, 6> {
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let mut below = None;
    for _ in 0..boxes {
        let brick = push_brick(&mut assembly, &mut random, (0.0, HALF[0]));
        rest(&mut assembly, below, brick);
        below = Some(brick);
    }
    assembly
}

/// Courses in running bond with dry joints: bricks rest on the halves of two, with four contacts on each, and
/// every second course ends in halves of bricks. As many courses as bricks in one.
pub(super) fn wall(contacts: usize, seed: u32) -> Assembly<3, 6> {
    // The first course has 4 n contacts with the ground, the others 8 n with the one below.
    let of_wall = |n: usize| 4 * n + (n - 1) * 8 * n;
    let bricks = (1..).find(|&n| of_wall(n) >= contacts).unwrap_or(1);
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let mut below: Vec<Brick> = Vec::new();
    for course in 0..bricks {
        let length = 2.0 * HALF[0];
        let places: Vec<(f64, f64)> = if course % 2 == 0 {
            (0..bricks).map(|i| (length * (i as f64 + 0.5), HALF[0])).collect()
        } else {
            let ends = [0.25, bricks as f64 - 0.25].map(|x| (length * x, 0.5 * HALF[0]));
            let between = (1..bricks).map(|i| (length * i as f64, HALF[0]));
            ends[..1].iter().copied().chain(between).chain(ends[1..].iter().copied()).collect()
        };
        let laid: Vec<Brick> =
            places.into_iter().map(|place| push_brick(&mut assembly, &mut random, place)).collect();
        for &brick in &laid {
            if course == 0 {
                rest(&mut assembly, None, brick);
            }
            let touches = |other: &&Brick| (other.x - brick.x).abs() < other.half + brick.half - 1e-6;
            for &other in below.iter().filter(touches) {
                rest(&mut assembly, Some(other), brick);
            }
        }
        below = laid;
    }
    assembly
}

fn push_brick(assembly: &mut Assembly<3, 6>, random: &mut RandomState, (x, half): (f64, f64)) -> Brick {
    let mass = MASS * (half / HALF[0]) * random.between(0.8, 1.25);
    let half_edges = [half, HALF[1], HALF[2]];
    let inertia =
        |i: usize, j: usize| mass / 3.0 * (half_edges[i] * half_edges[i] + half_edges[j] * half_edges[j]);
    let mut velocity = [0.0; 6].map(|_| random.between(-VELOCITY, VELOCITY));
    velocity[2] -= GRAVITY * STEP;
    let masses = [mass, mass, mass, inertia(1, 2), inertia(2, 0), inertia(0, 1)];
    Brick { body: assembly.push_body(masses, velocity), x, half }
}

/// Four contacts at the corners of the face that two bricks share, or a brick and the ground.
fn rest(assembly: &mut Assembly<3, 6>, below: Option<Brick>, above: Brick) {
    // Normal up, tangents along the edges.
    let frame = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let ends = [-1.0, 1.0].map(|sign| {
        let own = above.x + sign * above.half;
        let other = below.map_or(own, |below| below.x + sign * below.half);
        if sign < 0.0 { own.max(other) } else { own.min(other) }
    });
    for (x, y) in [(ends[0], -1.0), (ends[0], 1.0), (ends[1], -1.0), (ends[1], 1.0)] {
        let columns =
            |brick: Brick, z: f64| columns_in_space(&frame, [x - brick.x, y * HALF[1], z * HALF[2]]);
        let below = below.map(|below| (below.body, columns(below, 1.0)));
        assembly.push_contact(below, (above.body, columns(above, -1.0)));
    }
}
