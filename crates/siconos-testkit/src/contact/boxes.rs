//! A tower of boxes.

use super::assembly::{Assembly, GRAVITY, STEP, columns_in_space};
use crate::random::RandomState;

/// Half the edges \[m\].
const HALF: [f64; 3] = [0.3, 0.2, 0.1];

/// Mass \[kg\], times a number of [0.8, 1.25).
const MASS: f64 = 20.0;

/// Largest random velocity before the step \[m/s\].
const VELOCITY: f64 = 0.01;

/// Boxes on top of each other, each on four contacts at its corners: three would hold it, so the reactions
/// are not unique.
pub(super) fn tower(boxes: usize, seed: u32) -> Assembly<3, 6> {
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let mut below = None;
    for _ in 0..boxes {
        let mass = MASS * random.between(0.8, 1.25);
        let inertia = |i: usize, j: usize| mass / 3.0 * (HALF[i] * HALF[i] + HALF[j] * HALF[j]);
        let mut velocity = [0.0; 6].map(|_| random.between(-VELOCITY, VELOCITY));
        velocity[2] -= GRAVITY * STEP;
        let masses = [mass, mass, mass, inertia(1, 2), inertia(2, 0), inertia(0, 1)];
        let body = assembly.push_body(masses, velocity);
        // Normal up, tangents along the edges.
        let frame = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let columns = |z: f64| columns_in_space(&frame, [x * HALF[0], y * HALF[1], z * HALF[2]]);
            assembly.push_contact(below.map(|below| (below, columns(1.0))), (body, columns(-1.0)));
        }
        below = Some(body);
    }
    assembly
}
