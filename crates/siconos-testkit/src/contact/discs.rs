//! Pile of equal discs in the plane.

use super::assembly::{Assembly, GRAVITY, STEP, Side, columns_in_the_plane};
use crate::random::RandomState;

/// Radius \[m\].
const RADIUS: f64 = 0.1;

/// Mass \[kg\], multiplied by a random number in [0.8, 1.25).
const MASS: f64 = 2.0;

/// Largest random velocity before the step \[m/s\], for each component.
const VELOCITY: f64 = 0.01;

/// Returns rows of discs. Each disc touches two discs below and its neighbours in the row. Discs are added
/// from the ground upwards until there are `contacts` contacts.
pub(super) fn pile(contacts: usize, seed: u32) -> Assembly<2, 3> {
    // A triangle with a base of n discs has n + (n - 1) contacts in the first row and 2 k + (k - 1) in a row
    // of k.
    let contacts_of_triangle = |base: usize| 2 * base - 1 + (1..base).map(|k| 3 * k - 1).sum::<usize>();
    let base = (1..).find(|&base| contacts_of_triangle(base) >= contacts).unwrap_or(1);
    let mut random = RandomState::new(seed);
    let mut assembly = Assembly::new();
    let mut below: Vec<usize> = Vec::new();
    for size in (1..=base).rev() {
        let mut discs: Vec<usize> = Vec::new();
        for i in 0..size {
            if assembly.contacts() >= contacts {
                return assembly;
            }
            let mass = MASS * random.between(0.8, 1.25);
            let mut velocity = [0.0; 3].map(|_| random.between(-VELOCITY, VELOCITY));
            velocity[1] -= GRAVITY * STEP;
            velocity[2] /= RADIUS;
            let disc = assembly.push_body([mass, mass, 0.5 * mass * RADIUS * RADIUS], velocity);
            if size == base {
                touch(&mut assembly, None, disc, [0.0, 1.0]);
            } else {
                let up = 0.75_f64.sqrt();
                touch(&mut assembly, Some(below[i]), disc, [0.5, up]);
                touch(&mut assembly, Some(below[i + 1]), disc, [-0.5, up]);
            }
            if let Some(&beside) = discs.last() {
                touch(&mut assembly, Some(beside), disc, [1.0, 0.0]);
            }
            discs.push(disc);
        }
        below = discs;
    }
    assembly
}

/// Returns the pile with the relative angular velocity of the contact as a third component.
pub(super) fn rolling_pile(contacts: usize, seed: u32) -> Assembly<3, 3> {
    pile(contacts, seed).with_components(|columns, sign| {
        let turn = |k: usize| if k == 2 { sign } else { 0.0 };
        std::array::from_fn(|k| [columns[k][0], columns[k][1], turn(k)])
    })
}

/// Adds a contact whose normal points to the second disc.
fn touch(assembly: &mut Assembly<2, 3>, first: Option<usize>, second: usize, normal: [f64; 2]) {
    let frame = [normal, [-normal[1], normal[0]]];
    let side = |body: usize, sign: f64| Side {
        body,
        columns: columns_in_the_plane(&frame, normal.map(|x| sign * RADIUS * x)),
    };
    assembly.push_contact(first.map(|first| side(first, 1.0)), side(second, -1.0));
}
