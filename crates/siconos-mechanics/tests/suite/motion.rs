//! Motions with known ends.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Pose, Shape};

use super::common::{ground, largest, run};

/// Ten boxes rest on each other.
#[test]
fn ten_boxes_rest() {
    rest(1000);
}

#[test]
#[ignore = "takes ten seconds"]
fn ten_boxes_rest_for_ten_thousand_steps() {
    rest(10_000);
}

fn rest(steps: usize) {
    let mut scene = ground();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let boxes: Vec<BodyId> = (0..10)
        .map(|i| scene.add(Body::new(cube.clone()).at([0.0, 0.0, 0.5 + f64::from(i)])).unwrap())
        .collect();
    let (parts, state) = run(scene, steps, 1e-3, |_, report, state| {
        assert_eq!(state.contacts().len(), 40, "step {}", report.step);
    });
    for (i, id) in boxes.iter().enumerate() {
        let [x, y, z] = parts.pose(&state, *id).position;
        assert!(largest(&[x, y, z - 0.5 - i as f64]) < 1e-9, "{i}: {x:e} {y:e} {z}");
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
    let mu: f64 = 0.5;
    for (width, threshold) in [(2.0, mu), (0.3, 0.3)] {
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
    ];
    for k in 0..15 {
        let at = [0.07 * f64::from(k % 3), 0.06 * f64::from(k % 2), 0.2 + 0.3 * f64::from(k)];
        let turned = Quaternion::about([1.0, 0.7, 0.2], f64::from(k));
        scene.add(Body::new(shapes[k as usize % 5].clone()).at(at).turned(turned)).unwrap();
    }
    let mut deepest = 0.0_f64;
    let (parts, state) = run(scene, 3000, 2e-3, |_, report, _| {
        deepest = deepest.min(report.deepest_gap.map_or(0.0, |(_, gap)| gap));
    });
    assert!(deepest > -0.02, "{deepest:e}");
    for body in parts.bodies().skip(1) {
        let Pose { position, .. } = parts.pose(&state, body);
        assert!(position[2] > 0.0 && position[2] < 1.0, "{position:?}");
    }
}

/// A fast ball does not pass a thin wall.
#[test]
fn a_fast_ball_does_not_pass_a_thin_wall() {
    let mut scene = siconos_mechanics::Scene::new();
    scene.add(Body::fixed(Shape::cuboid([1e-3, 2.0, 2.0]).unwrap())).unwrap();
    let ball = Body::new(Shape::ball(0.01).unwrap()).at([-0.73, 0.0, 0.0]).with_velocity([100.0, 0.0, 0.0]);
    let ball = scene.add(ball).unwrap();
    let (parts, state) = run(scene, 20, 5e-3, |_, _, _| {});
    let x = parts.pose(&state, ball).position[0];
    assert!(x < 0.3 && state.v(parts.system(ball).unwrap())[0].abs() < 1e-9, "{x}");
}

/// Five boxes that fall 1 cm with e = 0.5 come to rest and stay.
#[test]
fn a_stack_that_rebounds_comes_to_rest() {
    let mut scene = ground();
    let law = NewtonImpactFriction::in_space(0.5, 0.5).unwrap();
    *scene.laws_mut() = siconos_kernel::detection::ContactLaws::new(law);
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let at = |i: u32| [0.0, 0.0, 0.51 + 1.01 * f64::from(i)];
    let boxes: Vec<BodyId> = (0..5).map(|i| scene.add(Body::new(cube.clone()).at(at(i))).unwrap()).collect();
    let mut heights = Vec::new();
    let (parts, state) = run(scene, 3000, 1e-3, |parts, report, state| {
        if report.step % 500 == 0 && report.step >= 2000 {
            heights.push(boxes.iter().map(|id| parts.pose(state, *id).position[2]).collect::<Vec<_>>());
        }
    });
    for id in &boxes {
        let v = state.v(parts.system(*id).unwrap());
        assert!(largest(v) < 1e-7, "{v:?}");
    }
    let moved = heights[0].iter().zip(&heights[2]).map(|(a, b)| a - b).collect::<Vec<_>>();
    assert!(largest(&moved) < 1e-9, "{moved:?}");
}

/// Lengths, masses and times in other units, by powers of two, give the same bits.
#[test]
fn units_change_no_bit() {
    let end = |length: f64, mass: f64, time: f64| {
        let acceleration = length / (time * time);
        let law = NewtonImpactFriction::in_space(0.25, 0.5).unwrap();
        let laws = siconos_kernel::detection::ContactLaws::new(law);
        let mut scene =
            siconos_mechanics::Scene::new().with_laws(laws).with_gravity([0.0, 0.0, -9.81 * acceleration]);
        scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap())).unwrap();
        let hull =
            [[0.1, 0.0, 0.0], [-0.08, 0.06, 0.0], [-0.05, -0.09, 0.01], [0.0, 0.0, 0.12], [0.02, 0.03, -0.1]];
        let hull = hull.map(|p: [f64; 3]| p.map(|x| length * x));
        let shapes = [
            Shape::ball(0.1 * length).unwrap(),
            Shape::cuboid([0.2 * length, 0.15 * length, 0.1 * length]).unwrap(),
            Shape::capsule(0.2 * length, 0.06 * length).unwrap(),
            Shape::hull(&hull).unwrap(),
        ];
        for k in 0..8 {
            let at = [0.07 * f64::from(k % 3), 0.06 * f64::from(k % 2), 0.2 + 0.3 * f64::from(k)];
            let turned = Quaternion::about([1.0, 0.7, 0.2], f64::from(k));
            let body = Body::new(shapes[k as usize % 4].clone()).with_mass(mass * f64::from(k + 1));
            scene.add(body.at(at.map(|x| length * x)).turned(turned)).unwrap();
        }
        let (parts, state) = run(scene, 600, time / 512.0, |_, _, _| {});
        let coordinates = |id| {
            let Pose { position, orientation } = parts.pose(&state, id);
            (position.map(|x| (x / length).to_bits()), orientation.vector().map(f64::to_bits))
        };
        parts.bodies().map(coordinates).collect::<Vec<_>>()
    };
    let expected = end(1.0, 1.0, 1.0);
    for (length, mass, time) in
        [(2_f64.powi(-20), 1.0, 1.0), (1024.0, 2_f64.powi(-12), 1.0), (1.0, 64.0, 2_f64.powi(-8))]
    {
        assert!(end(length, mass, time) == expected, "{length:e} {mass:e} {time:e}");
    }
}

/// A body far away changes no bit of the motion of others.
#[test]
fn a_stranger_changes_no_bit() {
    let end = |strangers: u32| {
        let mut scene = ground();
        let bodies: Vec<BodyId> = (0..4)
            .map(|k| {
                let at = [0.05 * f64::from(k), 0.0, 0.2 + 0.25 * f64::from(k)];
                scene.add(Body::new(Shape::cuboid([0.2, 0.15, 0.1]).unwrap()).at(at)).unwrap()
            })
            .collect();
        for k in 0..strangers {
            let at = [20.0 + 3.0 * f64::from(k), 7.0, 0.7];
            scene.add(Body::new(Shape::ball(0.5).unwrap()).at(at)).unwrap();
        }
        let (parts, state) = run(scene, 500, 2e-3, |_, _, _| {});
        let bits =
            |id: &BodyId| state.q(parts.system(*id).unwrap()).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        bodies.iter().map(bits).collect::<Vec<_>>()
    };
    let expected = end(0);
    assert!(end(1) == expected && end(40) == expected);
}
