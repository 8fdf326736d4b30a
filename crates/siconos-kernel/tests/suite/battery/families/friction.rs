//! Bodies that slide, roll and stick.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use crate::battery::draw::Draw;
use crate::battery::scene::{LinearBody, LinearRows, Scene, Wave};
use crate::battery::units::{ANGLE, LENGTH};

const GRAVITY: f64 = 9.81;

fn coefficients(draw: &mut Draw) -> (f64, f64) {
    (draw.one_of(&[0.0, 0.5, 0.8]), draw.one_of(&[0.0, 0.1, 0.3, 1.0]))
}

fn rows(h: Array2<f64>, offset: f64) -> LinearRows {
    let dimension = h.nrows();
    let mut offsets = vec![0.0; dimension];
    offsets[0] = offset;
    LinearRows { rows: vec![LENGTH; dimension], h, offset: offsets, compliance: None }
}

/// Adds discs in the plane (x, z, angle) that are thrown on the floor with a spin. Some rest on others.
pub(crate) fn discs(scene: &mut Scene, draw: &mut Draw) {
    let mut below: Option<(DynamicalSystemId, f64, f64)> = None;
    for _ in 0..draw.count(1, 3) {
        let (m, radius) = (draw.magnitude(0.1, 10.0), draw.between(0.05, 0.2));
        let pile = below.filter(|_| draw.chance(0.6));
        let (height, fall) = match pile {
            None => (radius + draw.one_of(&[0.0, 0.02]), draw.between(-1.0, 0.0)),
            Some((_, top, _)) => (top + radius, 0.0),
        };
        let disc = scene.linear_body(&LinearBody {
            coordinates: vec![LENGTH, LENGTH, ANGLE],
            q0: vec![0.0, height, 0.0],
            v0: vec![draw.between(-1.0, 1.0), fall, draw.between(-10.0, 10.0)],
            mass: Array2::from_diag(&array![m, m, 0.5 * m * radius * radius]),
            force: vec![Wave::default(), Wave::constant(-GRAVITY * m), Wave::default()],
            ..LinearBody::default()
        });
        let (e, mu) = coefficients(draw);
        let law = NewtonImpactFriction::in_plane(e, mu).expect("coefficients in range");
        match pile {
            None => {
                let floor = rows(array![[0.0, 1.0, 0.0], [1.0, 0.0, radius]], -radius);
                scene.linear_contact(&[disc], &floor, law);
            }
            Some((lower, _, other)) => {
                let h = array![[0.0, -1.0, 0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, other, 1.0, 0.0, radius]];
                scene.linear_contact(&[lower, disc], &rows(h, -(radius + other)), law);
            }
        }
        below = Some((disc, height + radius, radius));
    }
}

/// Adds balls in space, with three positions and three small rotations, that are thrown on a floor.
pub(crate) fn balls_in_space(scene: &mut Scene, draw: &mut Draw) {
    for _ in 0..draw.count(1, 2) {
        let (m, radius) = (draw.magnitude(0.1, 10.0), draw.between(0.05, 0.2));
        let inertia = 0.4 * m * radius * radius;
        let mut v0: Vec<f64> = (0..6).map(|_| draw.between(-1.0, 1.0)).collect();
        v0[3..].iter_mut().for_each(|w| *w *= 10.0);
        let height = radius + draw.one_of(&[0.0, 0.02]);
        let ball = scene.linear_body(&LinearBody {
            coordinates: vec![LENGTH, LENGTH, LENGTH, ANGLE, ANGLE, ANGLE],
            q0: vec![0.0, 0.0, height, 0.0, 0.0, 0.0],
            v0,
            mass: Array2::from_diag(&array![m, m, m, inertia, inertia, inertia]),
            force: vec![Wave::default(), Wave::default(), Wave::constant(-GRAVITY * m)],
            ..LinearBody::default()
        });
        let (e, mu) = coefficients(draw);
        let h = array![
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0, -radius, 0.0],
            [0.0, 1.0, 0.0, radius, 0.0, 0.0],
        ];
        let law = NewtonImpactFriction::in_space(e, mu).expect("coefficients in range");
        scene.linear_contact(&[ball], &rows(h, -radius), law);
    }
}
