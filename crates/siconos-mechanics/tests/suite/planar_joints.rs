//! Joints of planar scenes.

use std::f64::consts::PI;

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Scene, SceneJoint, Shape};

use super::common::run;

const AXIS: [f64; 3] = [0.0, 0.0, 1.0];

/// Returns a scene without a body, in the plane or in space, with gravity along -y.
fn scene(is_planar: bool) -> Scene {
    let scene = if is_planar { Scene::planar() } else { Scene::new() };
    scene.with_gravity([0.0, -10.0, 0.0])
}

/// Returns a bar along x with the moment of inertia of a rectangle about z, in the plane or in space.
fn bar(is_planar: bool, [length, width]: [f64; 2]) -> Shape {
    match is_planar {
        true => Shape::rectangle([length, width]).unwrap(),
        false => Shape::cuboid([length, width, 1.0]).unwrap(),
    }
}

/// Adds bars of 0.5 m and 1 kg, joined by hinges in a row, with the first hinge at the origin. The bars start
/// at angles to the x-axis.
fn add_chain(scene: &mut Scene, is_planar: bool, angles: &[f64], is_exchanged: bool) -> Vec<BodyId> {
    let shape = bar(is_planar, [0.5, 0.05]);
    let stand = scene.add(Body::fixed(bar(is_planar, [0.1, 0.1]))).unwrap();
    let (mut end, mut before, mut bars) = ([0.0; 3], stand, Vec::new());
    for angle in angles {
        let (sine, cosine) = angle.sin_cos();
        let centre = [end[0] + 0.25 * cosine, end[1] + 0.25 * sine, 0.0];
        let own = Body::new(shape.clone()).with_mass(1.0).at(centre).turned(Quaternion::about(AXIS, *angle));
        let own = scene.add(own).unwrap();
        let bodies = if is_exchanged { [before, own] } else { [own, before] };
        scene.add_joint(SceneJoint::revolute(bodies, end, AXIS)).unwrap();
        end = [end[0] + 0.5 * cosine, end[1] + 0.5 * sine, 0.0];
        before = own;
        bars.push(own);
    }
    bars
}

/// A rod on a hinge has the period of a physical pendulum.
#[test]
fn a_rod_on_a_hinge_is_a_pendulum() {
    let mut scene = scene(true);
    let angle: f64 = 0.05;
    let rod = add_chain(&mut scene, true, &[angle - 0.5 * PI], false)[0];
    let mut crossings = Vec::new();
    let mut before = 1.0;
    run(scene, 4000, 1e-3, |parts, report, state| {
        let x = parts.pose(state, rod).position[0];
        if x * before < 0.0 {
            crossings.push(report.t - 1e-3 * x / (x - before));
        }
        before = x;
    });
    let half: Vec<f64> = crossings.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // 2 pi sqrt(I / (m g l)) with I = m (L^2 + a^2) / 12 + m l^2, and the first term of the amplitude.
    let moment = (0.5_f64.powi(2) + 0.05_f64.powi(2)) / 12.0 + 0.25_f64.powi(2);
    let exact = PI * f64::sqrt(moment / 2.5) * (1.0 + angle * angle / 16.0);
    assert!(half.len() > 3, "{half:?}");
    let worst = half.iter().map(|half| (half / exact - 1.0).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-5, "{worst:e} {half:?} {exact}");
}

/// A double pendulum moves as in space, step by step.
#[test]
fn a_double_pendulum_moves_as_in_space() {
    let angles = [0.3, -0.9];
    let path = |is_planar: bool, is_exchanged: bool| {
        let mut scene = scene(is_planar);
        let bars = add_chain(&mut scene, is_planar, &angles, is_exchanged);
        let mut path = Vec::new();
        run(scene, 1000, 1e-3, |parts, _, state| {
            path.push([0, 1].map(|k| parts.pose(state, bars[k]).position));
        });
        path
    };
    let [planar, exchanged, spatial] = [path(true, false), path(true, true), path(false, false)];
    let apart = |a: &[[[f64; 3]; 2]], b: &[[[f64; 3]; 2]]| {
        let pairs = a.as_flattened().as_flattened().iter().zip(b.as_flattened().as_flattened());
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let (to_spatial, to_exchanged) = (apart(&planar, &spatial), apart(&planar, &exchanged));
    assert!(to_spatial < 1e-7 && to_exchanged < 1e-9, "{to_spatial:e} {to_exchanged:e}");
}
