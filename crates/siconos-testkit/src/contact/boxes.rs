//! Stacked boxes: a tower, and a wall of bricks in running bond.

use super::assembly::{Assembly, GRAVITY, STEP, Side, columns_in_space};
use crate::random::RandomState;

/// Half lengths of the edges \[m\].
const HALF: [f64; 3] = [0.3, 0.2, 0.1];

/// Mass of a full-size box \[kg\], multiplied by a random number in [0.8, 1.25).
const MASS: f64 = 20.0;

/// Largest random velocity before the step \[m/s\], for each component.
const VELOCITY: f64 = 0.01;

/// Box that lies flat: index of its body, position of its centre along the course \[m\] and its half length
/// \[m\].
#[derive(Clone, Copy)]
struct Brick {
    body: usize,
    x: f64,
    half: f64,
}

/// Arrangement of boxes, and the loads on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laying {
    /// Largest random velocity before the step \[m/s\], for each component.
    pub velocity: f64,
    /// Largest random displacement of a box along the course, as a fraction of its half length.
    pub jitter: f64,
    /// Force along the courses, as a fraction of the weight.
    pub shear: f64,
    /// Ratio of the largest to the smallest mass. The mass increases with the height.
    pub mass_ratio: f64,
    /// `true` if masses also vary at random by up to a quarter.
    pub masses_vary: bool,
}

impl Laying {
    /// At rest, with equal boxes in their exact positions.
    pub const REST: Self =
        Self { velocity: 0.0, jitter: 0.0, shear: 0.0, mass_ratio: 1.0, masses_vary: false };

    /// Random velocities up to 1 cm/s and varying masses.
    const SHAKEN: Self = Self { velocity: VELOCITY, masses_vary: true, ..Self::REST };
}

/// Returns a stack of boxes. Each box rests on four contacts at its corners. Three contacts would be enough,
/// so the reactions are not unique.
pub(super) fn tower(boxes: usize, seed: u32) -> Assembly<3, 6> {
    laid_tower(boxes, &Laying::SHAKEN, seed)
}

/// Returns a stack of boxes with the given arrangement.
pub(super) fn laid_tower(boxes: usize, laying: &Laying, seed: u32) -> Assembly<3, 6> {
    let mut mason = Mason::new(laying, seed);
    let mut below = None;
    for level in 0..boxes {
        let brick = mason.push_brick((0.0, HALF[0]), level as f64 / (boxes.max(2) - 1) as f64);
        rest(&mut mason.assembly, below, brick);
        below = Some(brick);
    }
    mason.assembly
}

/// Returns one box on a grid of contacts with the floor, `along_edge` contacts along each edge.
pub(super) fn laid_box(along_edge: usize, laying: &Laying, seed: u32) -> Assembly<3, 6> {
    let mut mason = Mason::new(laying, seed);
    let brick = mason.push_brick((0.0, HALF[0]), 0.0);
    let place = |i: usize| 2.0 * i as f64 / (along_edge.max(2) - 1) as f64 - 1.0;
    for (i, j) in (0..along_edge).flat_map(|i| (0..along_edge).map(move |j| (i, j))) {
        let lever = [place(i) * HALF[0], place(j) * HALF[1], -HALF[2]];
        let columns = columns_in_space(&UPRIGHT, lever);
        mason.assembly.push_contact(None, Side { body: brick.body, columns });
    }
    mason.assembly
}

/// Returns a wall of bricks in running bond without mortar, with at least the given number of contacts. Each
/// brick rests on the halves of two bricks, with four contacts on each, and every second course ends in half
/// bricks. The number of courses equals the number of bricks in a course.
pub(super) fn wall(contacts: usize, seed: u32) -> Assembly<3, 6> {
    // The first course has 4 n contacts with the ground. Each of the other n - 1 courses has 8 n contacts
    // with the course below.
    let of_wall = |n: usize| 4 * n + (n - 1) * 8 * n;
    let bricks = (1..).find(|&n| of_wall(n) >= contacts).unwrap_or(1);
    laid_wall(bricks, &Laying::SHAKEN, seed)
}

/// Returns a wall with `bricks` in each course and the given arrangement.
pub(super) fn laid_wall(bricks: usize, laying: &Laying, seed: u32) -> Assembly<3, 6> {
    let mut mason = Mason::new(laying, seed);
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
        let height = course as f64 / (bricks.max(2) - 1) as f64;
        let laid: Vec<Brick> = places.into_iter().map(|place| mason.push_brick(place, height)).collect();
        for &brick in &laid {
            if course == 0 {
                rest(&mut mason.assembly, None, brick);
            }
            let touches = |other: &&Brick| (other.x - brick.x).abs() < other.half + brick.half - 1e-6;
            for &other in below.iter().filter(touches) {
                rest(&mut mason.assembly, Some(other), brick);
            }
        }
        below = laid;
    }
    mason.assembly
}

/// Builder that adds bricks with random masses and velocities to an assembly.
struct Mason<'a> {
    laying: &'a Laying,
    random: RandomState,
    assembly: Assembly<3, 6>,
}

impl<'a> Mason<'a> {
    fn new(laying: &'a Laying, seed: u32) -> Self {
        Self { laying, random: RandomState::new(seed), assembly: Assembly::new() }
    }

    /// Adds a brick. `(x, half)` are the position of its centre along the course and its half length \[m\];
    /// `height` is its relative height in the structure, from 0 to 1.
    fn push_brick(&mut self, (x, half): (f64, f64), height: f64) -> Brick {
        let Laying { velocity, jitter, shear, mass_ratio, masses_vary } = *self.laying;
        let mut mass = MASS * (half / HALF[0]) * mass_ratio.powf(height);
        if masses_vary {
            mass *= self.random.between(0.8, 1.25);
        }
        let half_edges = [half, HALF[1], HALF[2]];
        let inertia =
            |i: usize, j: usize| mass / 3.0 * (half_edges[i] * half_edges[i] + half_edges[j] * half_edges[j]);
        let mut velocity = [0.0; 6].map(|_| self.random.between(-velocity, velocity));
        velocity[0] += shear * GRAVITY * STEP;
        velocity[2] -= GRAVITY * STEP;
        let masses = [mass, mass, mass, inertia(1, 2), inertia(2, 0), inertia(0, 1)];
        let offset = if jitter > 0.0 { jitter * half * self.random.between(-1.0, 1.0) } else { 0.0 };
        Brick { body: self.assembly.push_body(masses, velocity), x: x + offset, half }
    }
}

/// Contact frame. The normal points up and the tangents are parallel to the edges.
const UPRIGHT: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// Adds four contacts at the corners of the common face of two bricks, or of a brick and the ground.
fn rest(assembly: &mut Assembly<3, 6>, below: Option<Brick>, above: Brick) {
    let ends = [-1.0, 1.0].map(|sign| {
        let own = above.x + sign * above.half;
        let other = below.map_or(own, |below| below.x + sign * below.half);
        if sign < 0.0 { own.max(other) } else { own.min(other) }
    });
    for (x, y) in [(ends[0], -1.0), (ends[0], 1.0), (ends[1], -1.0), (ends[1], 1.0)] {
        let side = |brick: Brick, z: f64| {
            let lever = [x - brick.x, y * HALF[1], z * HALF[2]];
            Side { body: brick.body, columns: columns_in_space(&UPRIGHT, lever) }
        };
        assembly.push_contact(below.map(|below| side(below, 1.0)), side(above, -1.0));
    }
}
