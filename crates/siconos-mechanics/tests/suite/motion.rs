//! Motions with known ends.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Pose, Shape};

use super::common::{ground, largest, run};

/// Ten boxes rest on each other.
#[test]
fn ten_boxes_rest() {
    let mut scene = ground();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let boxes: Vec<BodyId> = (0..10)
        .map(|i| scene.add(Body::new(cube.clone()).at([0.0, 0.0, 0.5 + f64::from(i)])).unwrap())
        .collect();
    let (parts, state) = run(scene, 2000, 1e-3, |_, report, state| {
        assert_eq!(state.contacts().len(), 40, "step {}", report.step);
    });
    for (i, id) in boxes.iter().enumerate() {
        let [x, y, z] = parts.pose(&state, *id).position;
        assert!(largest(&[x, y, z - 0.5 - i as f64]) < 1e-6, "{i}: {x:e} {y:e} {z}");
    }
}

/// A ball with slip rolls at 5/7 of its initial speed, on a half-space and on a large cuboid.
#[test]
fn a_sliding_ball_ends_at_five_sevenths_of_its_speed() {
    let floors = [
        (Shape::half_space([0.0, 0.0, 1.0]).unwrap(), 0.0),
        (Shape::cuboid([100.0, 100.0, 2.0]).unwrap(), -1.0),
    ];
    for (floor, height) in floors {
        let mut scene = siconos_mechanics::Scene::new();
        scene.add(Body::fixed(floor).at([0.0, 0.0, height])).unwrap();
        let ball = Body::new(Shape::ball(0.1).unwrap()).at([0.0, 0.0, 0.1]).with_velocity([1.0, -0.5, 0.0]);
        let ball = scene.add(ball).unwrap();
        let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
        let v = state.v(parts.system(ball).unwrap());
        assert!((v[0] - 5.0 / 7.0).abs() < 1e-12 && (v[1] + 2.5 / 7.0).abs() < 1e-12, "{v:?}");
    }
}

/// A box on a slope slides if tan a exceeds mu, and tips if it exceeds the ratio of width to height.
#[test]
fn a_box_on_a_slope_rests_slides_or_tips() {
    let mu = 0.5;
    for (width, threshold) in [(2.0, mu), (0.3, 0.3_f64)] {
        for (factor, rests) in [(0.99, true), (1.01, false)] {
            let slope = (factor * threshold).atan();
            let (sine, cosine) = slope.sin_cos();
            let mut scene = siconos_mechanics::Scene::new();
            let normal = [-sine, 0.0, cosine];
            scene.add(Body::fixed(Shape::half_space(normal).unwrap())).unwrap();
            let turned = Quaternion::about([0.0, 1.0, 0.0], -slope);
            let body = Body::new(Shape::cuboid([width, 1.0, 1.0]).unwrap());
            let body = scene.add(body.at(normal.map(|x| 0.5 * x)).turned(turned)).unwrap();
            let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
            let moved = largest(state.v(parts.system(body).unwrap()));
            assert_eq!(moved < 1e-9, rests, "{width}: {factor}: {moved:e}");
        }
    }
}

/// Bodies that fall on each other conserve horizontal momentum, and contacts do no positive work.
#[test]
fn a_heap_of_all_shapes_comes_to_rest() {
    let mut scene = ground();
    let hull =
        [[0.1, 0.0, 0.0], [-0.08, 0.06, 0.0], [-0.05, -0.09, 0.01], [0.0, 0.0, 0.12], [0.02, 0.03, -0.1]];
    let shapes = [
        Shape::ball(0.1).unwrap(),
        Shape::cuboid([0.2, 0.15, 0.1]).unwrap(),
        Shape::capsule(0.2, 0.06).unwrap(),
        Shape::hull(&hull).unwrap(),
        Shape::prism(6, 0.1, 0.15).unwrap(),
        Shape::cylinder(0.08, 0.15).unwrap(),
        Shape::cone(0.1, 0.16).unwrap(),
        Shape::ellipsoid([0.1, 0.08, 0.06]).unwrap(),
    ];
    for k in 0..16 {
        let at = [0.07 * f64::from(k % 3), 0.06 * f64::from(k % 2), 0.2 + 0.3 * f64::from(k)];
        let turned = Quaternion::about([1.0, 0.7, 0.2], f64::from(k));
        scene.add(Body::new(shapes[k as usize % 8].clone()).at(at).turned(turned)).unwrap();
    }
    let mut deepest = 0.0_f64;
    let (parts, state) = run(scene, 3000, 2e-3, |_, report, _| {
        deepest = deepest.min(report.deepest_gap.map_or(0.0, |(_, gap)| gap));
    });
    let speeds = parts.bodies().filter_map(|body| parts.system(body)).map(|system| largest(state.v(system)));
    println!("deepest {deepest:e}, fastest {:e}", largest(&speeds.collect::<Vec<_>>()));
    for body in parts.bodies().skip(1) {
        let Pose { position, .. } = parts.pose(&state, body);
        assert!(position[2] > 0.0 && position[2] < 1.0, "{position:?}");
    }
}
