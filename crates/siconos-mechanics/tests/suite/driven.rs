//! Bodies with prescribed motions, and bodies that come and go.

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Contactor, Motion, Pose, Scene, Shape};

use super::common::{ground, run};

/// A belt carries a box along. The part of its surface velocity across the belt is ignored.
#[test]
fn a_belt_carries_a_box() {
    let mut scene = Scene::new();
    let belt = Motion { surface: [0.5, 0.0, 3.0], ..Motion::default() };
    scene.add(Body::driven(Shape::cuboid([4.0, 1.0, 0.2]).unwrap(), belt).at([0.0, 0.0, 0.9])).unwrap();
    let cube = scene.add(Body::new(Shape::cuboid([0.2; 3]).unwrap()).at([0.0, 0.0, 1.1])).unwrap();
    let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
    let v = state.v(parts.system(cube).unwrap());
    assert!((v[0] - 0.5).abs() < 1e-12 && v[2].abs() < 1e-12, "{v:?}");
    // It slides for the time v / (mu g).
    let expected = 0.5 - 0.5 * 0.5 * 0.5 / (0.5 * 9.806_65);
    let [x, _, z] = parts.pose(&state, cube).position;
    assert!((x - expected).abs() < 1e-3 && (z - 1.1).abs() < 1e-12, "{x} {expected} {z}");
}

/// A lift that moves up accelerates a ball to its speed.
#[test]
fn a_lift_carries_a_ball() {
    let mut scene = Scene::new();
    let up = Motion { velocity: [0.0, 0.0, 0.3], ..Motion::default() };
    let floor =
        Contactor { pose: Pose::at([0.0, 0.0, -0.1]), ..Shape::cuboid([1.0, 1.0, 0.2]).unwrap().into() };
    let lift = scene.add(Body::driven(floor, up).at([2.0, 0.0, 1.0])).unwrap();
    let ball = scene.add(Body::new(Shape::ball(0.1).unwrap()).at([2.0, 0.0, 1.1])).unwrap();
    let (parts, state) = run(scene, 1000, 1e-3, |_, _, _| {});
    assert_eq!(parts.pose(&state, lift).position, [2.0, 0.0, 1.3]);
    let [x, _, z] = parts.pose(&state, ball).position;
    assert!((z - 1.4).abs() < 1e-3 && (x - 2.0).abs() < 1e-12, "{x} {z}");
    assert!((state.v(parts.system(ball).unwrap())[2] - 0.3).abs() < 1e-12);
}

/// A wall that turns about the z-axis hits a ball that is far from the axis in the first step that reaches
/// it.
#[test]
fn a_turning_half_space_hits_a_ball() {
    let (omega, arm, radius) = (2.0, 10.0, 0.1);
    let mut scene = Scene::new().with_gravity([0.0; 3]);
    let turning = Motion { omega: [0.0, 0.0, omega], ..Motion::default() };
    scene.add(Body::driven(Shape::half_space([0.0, 1.0, 0.0]).unwrap(), turning)).unwrap();
    let ball = scene.add(Body::new(Shape::ball(radius).unwrap()).at([arm, 0.15, 0.0])).unwrap();
    let mut first = None;
    let (parts, state) = run(scene, 40, 1e-2, |_, report, state| {
        if !state.contacts().is_empty() && !report.active.is_empty() && first.is_none() {
            first = Some(report.step);
        }
    });
    // The wall moves by 0.2 m in a step, and the gap is 0.05 m.
    assert_eq!(first, Some(1));
    let speed = state.v(parts.system(ball).unwrap())[1];
    assert!(speed > 0.9 * omega * arm, "{speed}");
}

/// Balls fall in and are removed again and again: memory and results are those of a scene of few balls.
#[test]
fn bodies_that_come_and_go_leave_nothing_behind() {
    let mut parts = ground().into_parts().unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 10.0, 1e-2).unwrap();
    let mut simulation = parts.simulation(grid).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    let ball = Shape::ball(0.1).unwrap();
    let mut alive = Vec::new();
    let mut ends = Vec::new();
    while simulation.step(&parts.model, &mut state).unwrap().is_some() {
        if state.step().is_multiple_of(10) {
            for x in [0.0, 0.5] {
                let body = Body::new(ball.clone()).at([x, 0.0, 0.2]).with_velocity([0.0, 10.0, 0.0]);
                alive.push(parts.add(&mut simulation, body).unwrap());
            }
        }
        if alive.len() > 8 {
            for old in alive.drain(..2) {
                ends.push(parts.pose(&state, old).position);
                parts.remove(&mut simulation, old).unwrap();
            }
        }
    }
    assert_eq!(parts.bodies().count(), 9);
    // All balls have the same life, each at its x.
    let [_, y, z] = ends[0];
    let is_same = |end: &[f64; 3]| (end[1] - y).abs() < 1e-12 && (end[2] - z).abs() < 1e-12;
    assert!(ends.len() > 180 && ends.iter().all(is_same), "{:?}", &ends[..4]);
}
