//! Bodies with prescribed motions, and bodies that come and go.

use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, Contactor, Motion, Pose, Scene, Shape};

use super::common::{ground, largest, run};

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
/// it. Without friction the ball then slides outwards, as r cosh(omega t) + radius sinh(omega t), and keeps
/// the distance of its radius from the wall. The errors are of first order.
#[test]
fn a_turning_half_space_hits_a_ball() {
    let (omega, arm, radius, offset, end) = (2.0_f64, 10.0_f64, 0.1_f64, 0.15_f64, 0.4_f64);
    // The wall touches the ball where arm sin(angle) = offset cos(angle) - radius.
    let angle = offset.atan2(arm) - (radius / arm.hypot(offset)).asin();
    let at_impact = arm * angle.cos() + offset * angle.sin();
    let time = end - angle / omega;
    let (sinh, cosh) = ((omega * time).sinh(), (omega * time).cosh());
    let along = at_impact * cosh + radius * sinh;
    let (sine, cosine) = (omega * end).sin_cos();
    let (normal, tangential) = (omega * along, omega * at_impact * sinh + radius * omega * (cosh - 1.0));
    let expected = [tangential * cosine - normal * sine, tangential * sine + normal * cosine];
    let place = [along * cosine - radius * sine, along * sine + radius * cosine];
    for steps in [40, 160, 640, 2560] {
        let h = end / f64::from(steps);
        let law = NewtonImpactFriction::in_space(0.0, 0.0).unwrap();
        let mut scene = Scene::new().with_laws(ContactLaws::new(law)).with_gravity([0.0; 3]);
        let turning = Motion { omega: [0.0, 0.0, omega], ..Motion::default() };
        scene.add(Body::driven(Shape::half_space([0.0, 1.0, 0.0]).unwrap(), turning)).unwrap();
        let ball = scene.add(Body::new(Shape::ball(radius).unwrap()).at([arm, offset, 0.0])).unwrap();
        let mut first = None;
        let (parts, state) = run(scene, steps as usize, h, |_, report, state| {
            if !state.contacts().is_empty() && !report.active.is_empty() && first.is_none() {
                first = Some(report.step);
            }
        });
        let of_impact = (angle / omega / h).ceil();
        let is_near = first.is_some_and(|step| (0.0..=1.0).contains(&(step as f64 - of_impact)));
        assert!(is_near, "{steps} steps: {first:?} {of_impact}");
        let (v, position) = (state.v(parts.system(ball).unwrap()), parts.pose(&state, ball).position);
        let speed = omega * along;
        for axis in 0..2 {
            let errors = [(v[axis] - expected[axis]) / speed, (position[axis] - place[axis]) / along];
            assert!(largest(&errors) < 2.0 * omega * h, "{steps} steps: {errors:?}");
        }
    }
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
