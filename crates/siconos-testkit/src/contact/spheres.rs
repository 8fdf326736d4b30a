//! Equal spheres on the ground: a pile, a row, and a plate on spheres.

use super::assembly::{Assembly, GRAVITY, STEP, Side, columns_in_space, frame_of};
use crate::random::RandomState;

/// Radius \[m\].
const RADIUS: f64 = 0.1;

/// Mass \[kg\], multiplied by a random number in [0.8, 1.25).
const MASS: f64 = 4.0;

/// Largest random velocity before the step \[m/s\], about a fifth of the change of velocity by gravity in a
/// step.
const VELOCITY: f64 = 0.01;

/// Returns spheres in square layers in close packing: each sphere rests on four spheres below and touches its
/// neighbours in the layer. Spheres are added from the ground upwards until there are at least `contacts`
/// contacts.
///
/// All contacts can open at the same time, so there is a solution for every friction coefficient (Acary,
/// Cadoux, Lemarechal, Malick 2011). The number of contact unknowns is one and a half times the number of
/// degrees of freedom, so W is singular.
pub(super) fn pile(contacts: usize, seed: u32) -> Assembly<3, 6> {
    let side = (1..).find(|&side| contacts_of_pyramid(side) >= contacts).unwrap_or(1);
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    // Indices of the spheres of the layer below, row by row.
    let mut below: Vec<usize> = Vec::new();
    for layer in 0..side {
        let size = side - layer;
        let mut spheres: Vec<usize> = Vec::new();
        for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
            if assembly.contacts() >= contacts {
                return assembly;
            }
            let sphere = push_sphere(&mut assembly, &mut random);
            if layer == 0 {
                touch(&mut assembly, None, sphere, [0.0, 0.0, 1.0]);
            } else {
                let up = 0.5_f64.sqrt();
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let other = below[(i + a) * (size + 1) + j + b];
                    let normal = [0.5 - a as f64, 0.5 - b as f64, up];
                    touch(&mut assembly, Some(other), sphere, normal);
                }
            }
            if i > 0 {
                touch(&mut assembly, Some(spheres[(i - 1) * size + j]), sphere, [1.0, 0.0, 0.0]);
            }
            if j > 0 {
                touch(&mut assembly, Some(spheres[i * size + j - 1]), sphere, [0.0, 1.0, 0.0]);
            }
            spheres.push(sphere);
        }
        below = spheres;
    }
    assembly
}

/// Returns spheres in a row on the ground, each in contact with its neighbours. The largest random velocity
/// is `jitter` times the change of velocity by gravity in a step.
pub(super) fn chain(spheres: usize, jitter: f64, seed: u32) -> Assembly<3, 6> {
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let inertia = 0.4 * MASS * RADIUS * RADIUS;
    let most = jitter * GRAVITY * STEP;
    let mut last = None;
    for _ in 0..spheres {
        let mut velocity = [0.0; 6].map(|_| random.between(-most, most));
        velocity[2] -= GRAVITY * STEP;
        velocity[3..].iter_mut().for_each(|turn| *turn /= RADIUS);
        let sphere = assembly.push_body([MASS, MASS, MASS, inertia, inertia, inertia], velocity);
        touch(&mut assembly, None, sphere, [0.0, 0.0, 1.0]);
        if last.is_some() {
            touch(&mut assembly, last, sphere, [1.0, 0.0, 0.0]);
        }
        last = Some(sphere);
    }
    assembly
}

/// Speed of the plate along the ground \[m/s\], about six times the change of velocity by gravity in a step.
const SPEED: f64 = 0.3;

/// Returns spheres on the ground that carry a sliding plate and do not touch each other. Each sphere touches
/// the ground and the plate, so the degrees of freedom of the plate affect half of the contacts.
pub(super) fn under_a_plate(spheres: usize, seed: u32) -> Assembly<3, 6> {
    let side = (1..).find(|side| side * side >= spheres).unwrap_or(1);
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let distance = 2.5 * RADIUS;
    let half = 0.5 * distance * side as f64;
    let mass = MASS * spheres as f64;
    let inertia = mass / 3.0 * half * half;
    let mut velocity = [0.0; 6].map(|_| random.between(-VELOCITY, VELOCITY));
    velocity[0] += SPEED;
    velocity[2] -= GRAVITY * STEP;
    velocity[3..].iter_mut().for_each(|turn| *turn /= half);
    let plate = assembly.push_body([mass, mass, mass, inertia, inertia, 2.0 * inertia], velocity);
    for place in 0..spheres {
        let sphere = push_sphere(&mut assembly, &mut random);
        touch(&mut assembly, None, sphere, [0.0, 0.0, 1.0]);
        let [x, y] = [place / side, place % side].map(|k| distance * (k as f64 + 0.5) - half);
        let frame = frame_of([0.0, 0.0, 1.0]);
        let below = Side { body: sphere, columns: columns_in_space(&frame, [0.0, 0.0, RADIUS]) };
        let above = Side { body: plate, columns: columns_in_space(&frame, [x, y, 0.0]) };
        assembly.push_contact(Some(below), above);
    }
    assembly
}

/// Returns the pile with two more components for each contact: the relative angular velocities about both
/// tangents.
pub(super) fn rolling_pile(contacts: usize, seed: u32) -> Assembly<5, 6> {
    pile(contacts, seed).with_components(|columns, _| {
        let mut more = [[0.0; 5]; 6];
        for (row, of_row) in more.iter_mut().zip(&columns) {
            row[..3].copy_from_slice(of_row);
        }
        // The translational entries of a side are the tangents, already multiplied by the sign of the side.
        for k in 0..3 {
            more[3 + k][3..].copy_from_slice(&columns[k][1..]);
        }
        more
    })
}

fn contacts_of_pyramid(side: usize) -> usize {
    let of_layer =
        |size: usize| 2 * size * (size - 1) + if size == side { size * size } else { 4 * size * size };
    (1..=side).map(of_layer).sum()
}

fn push_sphere(assembly: &mut Assembly<3, 6>, random: &mut RandomState) -> usize {
    let mass = MASS * random.between(0.8, 1.25);
    let inertia = 0.4 * mass * RADIUS * RADIUS;
    let mut velocity = [0.0; 6].map(|_| random.between(-VELOCITY, VELOCITY));
    velocity[2] -= GRAVITY * STEP;
    velocity[3..].iter_mut().for_each(|turn| *turn /= RADIUS);
    assembly.push_body([mass, mass, mass, inertia, inertia, inertia], velocity)
}

/// Adds a contact whose normal points to the second sphere.
fn touch(assembly: &mut Assembly<3, 6>, first: Option<usize>, second: usize, normal: [f64; 3]) {
    let frame = frame_of(normal);
    let side = |body: usize, sign: f64| Side {
        body,
        columns: columns_in_space(&frame, normal.map(|x| sign * RADIUS * x)),
    };
    assembly.push_contact(first.map(|first| side(first, 1.0)), side(second, -1.0));
}
