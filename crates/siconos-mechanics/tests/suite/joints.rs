//! Joints of scenes.

use std::f64::consts::PI;

use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, JointMotion, Motion, Scene, SceneError, SceneJoint, Shape};

use super::common::{check_servo, ground, run};

/// A rod on a hinge swings with the period of a physical pendulum, and hits nothing although it overlaps its
/// stand.
#[test]
fn a_rod_on_a_hinge_is_a_pendulum() {
    let mut scene = Scene::new().with_gravity([0.0, 0.0, -10.0]);
    let stand = scene.add(Body::fixed(Shape::cuboid([0.2; 3]).unwrap())).unwrap();
    let angle: f64 = 0.05;
    let at = [0.5 * angle.sin(), 0.0, -0.5 * angle.cos()];
    let rod = Body::new(Shape::cuboid([0.02, 0.02, 1.0]).unwrap()).at(at);
    let rod = scene.add(rod.turned(Quaternion::about([0.0, 1.0, 0.0], -angle))).unwrap();
    scene.add_joint(SceneJoint::revolute([rod, stand], [0.0; 3], [0.0, 1.0, 0.0])).unwrap();
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
    let exact = PI * f64::sqrt((1.0004 / 12.0 + 0.25) / 5.0) * (1.0 + angle * angle / 16.0);
    assert!(
        half.len() > 3 && half.iter().all(|half| (half - exact).abs() < 1e-4 * exact),
        "{half:?} {exact}"
    );
}

/// A slider with a motor pushes a box along the ground up to a stop, in both orders of the bodies.
#[test]
fn a_motor_drives_a_slider_to_its_stop() {
    for is_first in [true, false] {
        let mut scene = ground();
        let frame = scene.add(Body::fixed(Shape::cuboid([0.1; 3]).unwrap()).at([-1.0, 0.0, 0.5])).unwrap();
        let cart = scene
            .add(Body::new(Shape::cuboid([0.2; 3]).unwrap()).with_mass(2.0).at([0.0, 0.0, 0.1]))
            .unwrap();
        let bodies = if is_first { [cart, frame] } else { [frame, cart] };
        // The coordinate is the displacement of the first body.
        let sign = if is_first { 1.0 } else { -1.0 };
        let [lower, upper] = if is_first { [-0.1, 0.3] } else { [-0.3, 0.1] };
        let guide = SceneJoint::prismatic(bodies, [0.0, 0.0, 0.1], [1.0, 0.0, 0.0])
            .with_motor(0.5 * sign, 30.0)
            .with_stops(lower, upper, 0.0);
        let guide = scene.add_joint(guide).unwrap();
        let mut fastest = 0.0_f64;
        let (parts, state) = run(scene, 1500, 1e-3, |parts, _, state| {
            fastest = fastest.max(state.v(parts.system(cart).unwrap())[0]);
            let JointMotion { coordinate, rate } = parts.joint_motion(state, guide).unwrap();
            let x = parts.pose(state, cart).position[0];
            let v = state.v(parts.system(cart).unwrap())[0];
            assert!((sign * coordinate - x).abs() < 1e-9 && (sign * rate - v).abs() < 1e-9);
        });
        let x = parts.pose(&state, cart).position[0];
        assert!((x - 0.3).abs() < 1e-3 && (fastest - 0.5).abs() < 1e-6, "{is_first}: {x} {fastest}");
        let motor = parts.joint(guide).unwrap().motor.unwrap();
        assert!((state.lambda(motor, Level::Velocity)[0].abs() - 30e-3).abs() < 1e-6);
    }
}

/// A servo accelerates a wheel with its largest moment, and then with its gain times the missing speed.
#[test]
fn a_servo_approaches_its_speed() {
    let mut scene = Scene::new();
    let stand = scene.add(Body::fixed(Shape::cuboid([0.1; 3]).unwrap())).unwrap();
    let wheel = Body::new(Shape::cylinder(0.2, 0.05).unwrap()).with_mass(2.0);
    let wheel = scene.add(wheel).unwrap();
    let axle = SceneJoint::revolute([wheel, stand], [0.0; 3], [0.0, 0.0, 1.0]);
    let axle = scene.add_joint(axle.with_velocity_servo(6.0, 0.2, 0.4)).unwrap();
    check_servo(scene, axle);
}

/// Friction at a hinge holds a bar up to its limit.
#[test]
fn friction_holds_a_bar() {
    for (limit, holds) in [(5.1, true), (4.9, false)] {
        let mut scene = Scene::new().with_gravity([0.0, 0.0, -10.0]);
        let wall = scene.add(Body::fixed(Shape::cuboid([0.2; 3]).unwrap()).at([-0.1, 0.0, 0.0])).unwrap();
        let bar = Body::new(Shape::cuboid([1.0, 0.02, 0.02]).unwrap()).with_mass(1.0).at([0.5, 0.0, 0.0]);
        let bar = scene.add(bar).unwrap();
        let hinge = SceneJoint::revolute([bar, wall], [0.0; 3], [0.0, 1.0, 0.0]).with_friction(limit);
        let hinge = scene.add_joint(hinge).unwrap();
        let (parts, state) = run(scene, 500, 1e-3, |_, _, _| {});
        let z = parts.pose(&state, bar).position[2];
        assert_eq!(z.abs() < 1e-9, holds, "{limit}: {z:e}");
        // The bar turns about y by an angle with sin(angle) = -z / 0.5.
        let JointMotion { coordinate, rate } = parts.joint_motion(&state, hinge).unwrap();
        let spin = state.v(parts.system(bar).unwrap())[4];
        assert!((coordinate.sin() + 2.0 * z).abs() < 1e-9 && (rate - spin).abs() < 1e-9, "{coordinate}");
    }
}

/// Bodies with a joint touch each other only if this is requested.
#[test]
fn jointed_bodies_touch_on_request() {
    let contacts = |is_colliding: bool| {
        let mut scene = Scene::new().with_gravity([0.0; 3]);
        let cube = || Body::new(Shape::cuboid([1.0; 3]).unwrap());
        let [a, b] = [scene.add(cube()).unwrap(), scene.add(cube().at([1.0, 0.0, 0.0])).unwrap()];
        let hinge = SceneJoint::revolute([a, b], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]);
        scene.add_joint(if is_colliding { hinge.colliding() } else { hinge }).unwrap();
        run(scene, 1, 1e-3, |_, _, _| {}).1.contacts().len()
    };
    assert_eq!((contacts(false), contacts(true)), (0, 4));
}

#[test]
fn joints_are_checked() {
    let cube = || Shape::cuboid([1.0; 3]).unwrap();
    let scene = |joint: &dyn Fn(&mut Scene) -> Result<SceneJoint, SceneError>| {
        let mut scene = Scene::new();
        let joint = joint(&mut scene)?;
        scene.add_joint(joint)?;
        scene.into_parts().map(|_| ())
    };
    let fixed = scene(&|scene| {
        let [a, b] = [scene.add(Body::fixed(cube()))?, scene.add(Body::fixed(cube()))?];
        Ok(SceneJoint::fixed([a, b]))
    });
    assert_eq!(fixed, Err(SceneError::JointOfFixed { bodies: [0, 1] }));
    let driven = scene(&|scene| {
        let moving = Motion { omega: [0.0, 0.0, 1.0], ..Motion::default() };
        let [a, b] = [scene.add(Body::new(cube()))?, scene.add(Body::driven(cube(), moving).named("drum"))?];
        Ok(SceneJoint::spherical([a, b], [0.0; 3]))
    });
    assert_eq!(driven, Err(SceneError::JointOfDriven { body: "drum".to_owned() }));
    let ball = scene(&|scene| {
        let [a, b] = [scene.add(Body::new(cube()))?, scene.add(Body::fixed(cube()))?];
        Ok(SceneJoint::spherical([a, b], [0.0; 3]).with_motor(1.0, 1.0))
    });
    assert_eq!(ball, Err(SceneError::JointWithoutCoordinate { what: "a motor" }));
    let servo = scene(&|scene| {
        let [a, b] = [scene.add(Body::new(cube()))?, scene.add(Body::fixed(cube()))?];
        Ok(SceneJoint::revolute([a, b], [0.0; 3], [0.0, 0.0, 1.0]).with_velocity_servo(1.0, 0.0, 1.0))
    });
    let bodies = ["#0", "#1"].map(str::to_owned);
    let source = ModelError::Gain { value: 0.0 };
    assert_eq!(servo, Err(SceneError::Joint { joint: 0, bodies, source }));
    let axis = scene(&|scene| {
        let [a, b] = [scene.add(Body::new(cube()))?, scene.add(Body::fixed(cube()))?];
        Ok(SceneJoint::revolute([a, b], [0.0; 3], [0.0; 3]))
    });
    assert!(axis.unwrap_err().to_string().contains("axis of a revolute joint"));
}
