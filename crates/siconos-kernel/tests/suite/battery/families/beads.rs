//! Balls and beads on a line, coupled by contacts, rods, springs and soft stops.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use crate::battery::draw::Draw;
use crate::battery::scene::{LinearBody, LinearRows, Scene, Wave};
use crate::battery::units::LENGTH;

const GRAVITY: f64 = 9.81;

fn restitution(draw: &mut Draw) -> NewtonImpact {
    NewtonImpact::new(draw.one_of(&[0.0, 0.3, 0.5, 0.8, 1.0])).expect("between 0 and 1")
}

/// Adds a body with one coordinate, with its weight if `gravity` is not zero.
pub(crate) fn bead(scene: &mut Scene, (m, q0, v0): (f64, f64, f64), gravity: f64) -> DynamicalSystemId {
    scene.linear_body(&LinearBody {
        coordinates: vec![LENGTH],
        q0: vec![q0],
        v0: vec![v0],
        mass: array![[m]],
        force: if gravity == 0.0 { Vec::new() } else { vec![Wave::constant(-gravity * m)] },
        ..LinearBody::default()
    })
}

fn gap(h: Array2<f64>, offset: f64) -> LinearRows {
    LinearRows { rows: vec![LENGTH], h, offset: vec![offset], ..LinearRows::default() }
}

/// Adds independent bouncing balls. Some rest on the floor, and some are below a ceiling.
pub(crate) fn bouncing_balls(scene: &mut Scene, draw: &mut Draw) {
    for _ in 0..draw.count(1, 3) {
        let m = draw.magnitude(1e-3, 1e3);
        let (height, velocity) =
            if draw.chance(0.2) { (0.0, 0.0) } else { (draw.between(0.0, 0.3), draw.between(-2.0, 2.0)) };
        let ball = bead(scene, (m, height, velocity), GRAVITY);
        scene.linear_contact(&[ball], &gap(array![[1.0]], 0.0), restitution(draw));
        if draw.chance(0.4) {
            let ceiling = height + draw.between(0.05, 0.3);
            scene.linear_contact(&[ball], &gap(array![[-1.0]], ceiling), restitution(draw));
        }
    }
}

/// Adds a column of balls above the floor, in contact with each other or not.
pub(crate) fn column(scene: &mut Scene, draw: &mut Draw) {
    let (count, radius) = (draw.count(2, 6), draw.between(0.02, 0.2));
    let free = if draw.chance(0.5) { 0.0 } else { draw.between(0.0, 0.1) };
    let masses = if draw.chance(0.5) { (1.0, 1.0) } else { (1e-2, 1e2) };
    let mut below = None;
    for k in 0..count {
        let height = radius + k as f64 * (2.0 * radius + free);
        let m = draw.magnitude(masses.0, masses.1);
        let ball = bead(scene, (m, height, if free == 0.0 { 0.0 } else { draw.between(-1.0, 0.5) }), GRAVITY);
        let law = restitution(draw);
        match below {
            None => scene.linear_contact(&[ball], &gap(array![[1.0]], -radius), law),
            Some(below) => {
                scene.linear_contact(&[below, ball], &gap(array![[-1.0, 1.0]], -2.0 * radius), law)
            }
        };
        below = Some(ball);
    }
}

/// Adds Newton's cradle: beads at rest on a line, in contact up to rounding, hit by one or two moving beads.
pub(crate) fn cradle(scene: &mut Scene, draw: &mut Draw) {
    let count = draw.count(2, 6);
    let (law, equal) = (restitution(draw), draw.chance(0.5));
    let distance = draw.one_of(&[0.2, 0.1, 0.25]);
    let hitting = draw.count(1, 2.min(count - 1));
    let mut before: Option<DynamicalSystemId> = None;
    for k in 0..count {
        let m = if equal { 1.0 } else { draw.magnitude(0.1, 10.0) };
        let moving = k < hitting;
        let q = k as f64 * distance - if moving { 0.05 } else { 0.0 };
        let bead = bead(scene, (m, q, if moving { 1.0 } else { 0.0 }), 0.0);
        if let Some(before) = before {
            scene.linear_contact(&[before, bead], &gap(array![[-1.0, 1.0]], -distance), law);
        }
        before = Some(bead);
    }
}

/// Adds groups of beads that are connected by rods. The groups hit each other and the floor.
pub(crate) fn rods(scene: &mut Scene, draw: &mut Draw) {
    let (count, distance) = (draw.count(2, 6), draw.between(0.1, 0.3));
    let law = restitution(draw);
    let start = draw.between(0.0, 0.2);
    let mut below = None;
    for k in 0..count {
        let m = draw.magnitude(0.1, 10.0);
        let is_rod = k > 0 && draw.chance(0.5);
        let bead = bead(scene, (m, start + k as f64 * distance, 0.0), GRAVITY);
        match below {
            None => scene.linear_contact(&[bead], &gap(array![[1.0]], 0.0), law),
            Some(below) => {
                let rows = gap(array![[-1.0, 1.0]], -distance);
                if is_rod {
                    scene.linear_contact(&[below, bead], &rows, EqualityCondition::new(1).expect("one row"))
                } else {
                    scene.linear_contact(&[below, bead], &rows, law)
                }
            }
        };
        below = Some(bead);
    }
}

/// Adds beads on compliant stops and rods, with forces that are functions of the deformation.
pub(crate) fn soft_stops(scene: &mut Scene, draw: &mut Draw) {
    let mut before: Option<DynamicalSystemId> = None;
    for _ in 0..draw.count(1, 3) {
        let m = draw.magnitude(0.1, 10.0);
        let bead = bead(scene, (m, draw.between(0.0, 0.1), draw.between(-1.0, 0.0)), GRAVITY);
        let stiffness = draw.magnitude(1e2, 1e5);
        let mut rows = gap(array![[1.0]], 0.0);
        rows.compliance = Some(array![[1.0 / stiffness]]);
        let law = ComplementarityCondition::new(1).expect("one row");
        scene.linear_contact(&[bead], &rows, law);
        if let Some(before) = before.filter(|_| draw.chance(0.5)) {
            let mut rod = gap(array![[-1.0, 1.0]], 0.0);
            rod.compliance = Some(array![[1.0 / draw.magnitude(1e2, 1e5)]]);
            scene.linear_contact(&[before, bead], &rod, EqualityCondition::new(1).expect("one row"));
        }
        before = Some(bead);
    }
}

/// Returns a positive definite matrix with entries of a given size.
fn positive_definite(draw: &mut Draw, n: usize, size: f64) -> Array2<f64> {
    let root = Array2::from_shape_fn((n, n), |_| draw.between(-1.0, 1.0));
    let mut product = root.dot(&root.t()) * (size / n as f64);
    product.diag_mut().iter_mut().for_each(|x| *x += size);
    product
}

/// Adds a structure with full mass, damping and stiffness matrices, between stops that are components of one
/// relation.
pub(crate) fn structure(scene: &mut Scene, draw: &mut Draw) {
    let n = draw.count(1, 4);
    let size = draw.magnitude(1e-2, 1e2);
    let body = LinearBody {
        coordinates: vec![LENGTH; n],
        q0: (0..n).map(|_| draw.between(0.0, 0.05)).collect(),
        v0: (0..n).map(|_| draw.between(-1.0, 1.0)).collect(),
        mass: positive_definite(draw, n, size),
        stiffness: Some(positive_definite(draw, n, 100.0 * size)),
        damping: draw.chance(0.5).then(|| positive_definite(draw, n, 0.1 * size)),
        force: (0..n)
            .map(|_| Wave { constant: -size, amplitude: 10.0 * size, frequency: draw.between(1.0, 10.0) })
            .collect(),
    };
    let id = scene.linear_body(&body);
    let stops = draw.count(1, n);
    let rows = LinearRows {
        rows: vec![LENGTH; stops],
        h: Array2::from_shape_fn((stops, n), |(i, j)| if i == j { 1.0 } else { 0.0 }),
        offset: (0..stops).map(|_| draw.between(0.0, 0.02)).collect(),
        compliance: None,
    };
    if draw.chance(0.5) {
        scene.linear_contact(&[id], &rows, restitution(draw));
    } else {
        scene.linear_contact(&[id], &rows, ComplementarityCondition::new(stops).expect("a row at least"));
    }
}

/// Adds a hub that satellites hit from both sides.
pub(crate) fn star(scene: &mut Scene, draw: &mut Draw) {
    let hub = bead(scene, (draw.magnitude(0.1, 10.0), 0.0, draw.between(-0.2, 0.2)), 0.0);
    for k in 0..draw.count(3, 6) {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let (distance, speed) = (draw.between(0.0, 0.3), draw.between(0.0, 2.0));
        let satellite = bead(scene, (draw.magnitude(0.1, 10.0), side * (0.1 + distance), -side * speed), 0.0);
        let rows = gap(array![[-side, side]], -0.1);
        scene.linear_contact(&[hub, satellite], &rows, restitution(draw));
    }
}
