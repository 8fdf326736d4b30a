//! Joints of planar scenes.

use std::f64::consts::PI;

use siconos_kernel::detection::ContactLaws;
use siconos_kernel::engine::vector::{difference, length};
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Contactor, JointId, JointMotion, Pose, Scene, SceneJoint, Shape};
use siconos_testkit::compare::worse;

use super::common::{check_servo, largest, run};

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
/// at angles to the x-axis. The hinges have friction \[N m\].
fn add_chain(
    scene: &mut Scene,
    is_planar: bool,
    angles: &[f64],
    friction: f64,
    is_exchanged: bool,
) -> Vec<BodyId> {
    let shape = bar(is_planar, [0.5, 0.05]);
    let stand = scene.add(Body::fixed(bar(is_planar, [0.1, 0.1]))).unwrap();
    let (mut end, mut before, mut bars) = ([0.0; 3], stand, Vec::new());
    for angle in angles {
        let (sine, cosine) = angle.sin_cos();
        let centre = [end[0] + 0.25 * cosine, end[1] + 0.25 * sine, 0.0];
        let own = Body::new(shape.clone()).with_mass(1.0).at(centre).turned(Quaternion::about(AXIS, *angle));
        let own = scene.add(own).unwrap();
        let bodies = if is_exchanged { [before, own] } else { [own, before] };
        scene.add_joint(SceneJoint::revolute(bodies, end, AXIS).with_friction(friction)).unwrap();
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
    let rod = add_chain(&mut scene, true, &[angle - 0.5 * PI], 0.0, false)[0];
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
    let worst = half.iter().map(|half| (half / exact - 1.0).abs()).fold(0.0, worse);
    assert!(worst < 1e-5, "{worst:e} {half:?} {exact}");
}

/// A double pendulum moves as in space, step by step.
#[test]
fn a_double_pendulum_moves_as_in_space() {
    let angles = [0.3, -0.9];
    let path = |is_planar: bool, is_exchanged: bool| {
        let mut scene = scene(is_planar);
        let bars = add_chain(&mut scene, is_planar, &angles, 0.0, is_exchanged);
        let mut path = Vec::new();
        run(scene, 1000, 1e-3, |parts, _, state| {
            path.push([0, 1].map(|k| parts.pose(state, bars[k]).position));
        });
        path
    };
    let [planar, exchanged, spatial] = [path(true, false), path(true, true), path(false, false)];
    let apart = |a: &[[[f64; 3]; 2]], b: &[[[f64; 3]; 2]]| {
        let pairs = a.as_flattened().as_flattened().iter().zip(b.as_flattened().as_flattened());
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, worse)
    };
    let (to_spatial, to_exchanged) = (apart(&planar, &spatial), apart(&planar, &exchanged));
    assert!(to_spatial < 1e-7 && to_exchanged < 1e-9, "{to_spatial:e} {to_exchanged:e}");
}

/// Returns a scene with a fixed body and a free body of 2 kg at the origin, which a joint connects.
fn pair(joint: impl FnOnce([BodyId; 2]) -> SceneJoint, is_exchanged: bool) -> (Scene, BodyId, JointId) {
    let mut scene = scene(true);
    let frame = scene.add(Body::fixed(Shape::ball(0.1).unwrap())).unwrap();
    let own = scene.add(Body::new(Shape::ball(0.2).unwrap()).with_mass(2.0)).unwrap();
    let joint = scene.add_joint(joint(if is_exchanged { [frame, own] } else { [own, frame] })).unwrap();
    (scene, own, joint)
}

/// A slider on an inclined direction rests if its friction exceeds the weight along the direction, and
/// otherwise has the difference as acceleration.
#[test]
fn friction_holds_or_brakes_a_slider() {
    for angle in (0..200).map(|k| 0.0317 * f64::from(k) - 3.1) {
        let (sine, cosine) = angle.sin_cos();
        let along = -20.0 * sine;
        for (limit, is_exchanged) in [(0.0, false), (0.5, true), (0.9, false), (1.1, true), (3.0, false)] {
            let limit = limit * along.abs();
            let slider = |bodies| {
                let slider = SceneJoint::prismatic(bodies, [0.3, -0.2, 0.0], [3.0 * cosine, 3.0 * sine, 0.0]);
                slider.with_friction(limit)
            };
            let (scene, own, joint) = pair(slider, is_exchanged);
            let acceleration = along.signum() * (along.abs() - limit).max(0.0) / 2.0;
            let sign = if is_exchanged { -1.0 } else { 1.0 };
            run(scene, 20, 1e-2, |parts, report, state| {
                let exact = 0.5 * acceleration * report.t * report.t;
                let JointMotion { coordinate, rate } = parts.joint_motion(state, joint).unwrap();
                let [x, y, _] = parts.pose(state, own).position;
                let what = format!("{angle} {limit} {}: {coordinate} {exact}", report.t);
                assert!((coordinate - sign * exact).abs() < 1e-9, "{what}");
                assert!((rate - sign * acceleration * report.t).abs() < 1e-9, "{what}");
                assert!((x - exact * cosine).abs() < 1e-9 && (y - exact * sine).abs() < 1e-9, "{what}");
            });
        }
    }
}

/// A motor accelerates a wheel with its moment up to its speed, which it reaches after I omega / M.
#[test]
fn a_motor_reaches_its_speed() {
    for is_exchanged in [false, true] {
        let wheel = |bodies| SceneJoint::revolute(bodies, [0.0; 3], AXIS).with_motor(6.0, 0.3);
        let (scene, own, joint) = pair(wheel, is_exchanged);
        let sign = if is_exchanged { -1.0 } else { 1.0 };
        let (parts, state) = run(scene, 1500, 1e-3, |parts, report, state| {
            // The moment of inertia is 0.04 kg m2.
            let exact = (7.5 * report.t).min(6.0);
            let rate = parts.joint_motion(state, joint).unwrap().rate;
            assert!((rate - exact).abs() < 1e-8, "{}: {rate} {exact}", report.t);
        });
        // More than one revolution.
        let turned = state.q(parts.system(own).unwrap())[2];
        assert!((sign * turned - 6.6).abs() < 1e-6, "{turned}");
        let angle = parts.joint_motion(&state, joint).unwrap().coordinate;
        assert!((angle - (6.6 - 2.0 * PI)).abs() < 1e-6, "{angle}");
    }
}

/// A servo approaches its speed with the time constant I / k.
#[test]
fn a_servo_approaches_its_speed() {
    let wheel = |bodies| SceneJoint::revolute(bodies, [0.0; 3], AXIS).with_velocity_servo(6.0, 0.2, 0.4);
    let (scene, _, joint) = pair(wheel, false);
    check_servo(scene, joint);
}

/// A wheel between two stops, which are more than a revolution apart, has the restitution of its stops.
#[test]
fn stops_have_a_restitution() {
    for is_exchanged in [false, true] {
        let sign = if is_exchanged { -1.0 } else { 1.0 };
        let [lower, upper] = if is_exchanged { [-7.5, 1.0] } else { [-1.0, 7.5] };
        let wheel = |bodies| SceneJoint::revolute(bodies, [0.0; 3], AXIS).with_stops(lower, upper, 0.5);
        let mut scene = scene(true);
        let frame = scene.add(Body::fixed(Shape::ball(0.1).unwrap())).unwrap();
        let own = Body::new(Shape::ball(0.2).unwrap()).with_angular_velocity([0.0, 0.0, 8.0]);
        let own = scene.add(own).unwrap();
        let bodies = if is_exchanged { [frame, own] } else { [own, frame] };
        let joint = scene.add_joint(wheel(bodies)).unwrap();
        let (mut rates, mut turned) = (vec![8.0], [0.0_f64; 2]);
        run(scene, 10_000, 1e-3, |parts, _, state| {
            let angle = state.q(parts.system(own).unwrap())[2];
            turned = [turned[0].min(angle), turned[1].max(angle)];
            let rate = sign * parts.joint_motion(state, joint).unwrap().rate;
            if (rate - rates[rates.len() - 1]).abs() > 1e-6 {
                rates.push(rate);
            }
        });
        assert!(rates.len() > 3, "{rates:?}");
        assert!(rates.windows(2).all(|pair| (pair[1] + 0.5 * pair[0]).abs() < 1e-6), "{rates:?}");
        assert!((turned[1] - 7.5).abs() < 1e-2 && (turned[0] + 1.0).abs() < 1e-2, "{turned:?}");
    }
}

/// Two bodies with a rigid connection move as one body with both shapes, in flight and on the ground.
#[test]
fn a_weld_holds_two_bodies_as_one() {
    let law = NewtonImpactFriction::in_plane(0.0, 0.4).unwrap();
    // A body that rotates about the point (0, 1) while this point moves.
    let thrown = |body: Body, at: [f64; 3], centre: [f64; 3]| {
        let spin = 3.0;
        body.at([at[0], 1.0 + at[1], 0.0])
            .with_velocity([0.5 - spin * centre[1], spin * centre[0], 0.0])
            .with_angular_velocity([0.0, 0.0, spin])
    };
    let (long, wide) = (Shape::rectangle([0.6, 0.1]).unwrap(), Shape::rectangle([0.2, 0.3]).unwrap());
    let at = [0.35, 0.1, 0.0];
    let path = |is_welded: bool, h: f64| {
        let mut scene = scene(true).with_laws(ContactLaws::new(law));
        scene.add(Body::fixed(Shape::half_space([0.0, 1.0, 0.0]).unwrap())).unwrap();
        let own = if is_welded {
            let own = scene.add(thrown(Body::new(long.clone()), [0.0; 3], [0.0; 3])).unwrap();
            let other = scene.add(thrown(Body::new(wide.clone()), at, at)).unwrap();
            scene.add_joint(SceneJoint::fixed([other, own])).unwrap();
            own
        } else {
            let wide = Contactor { pose: Pose::at(at), ..wide.clone().into() };
            // The areas are equal.
            let centre = at.map(|x| 0.5 * x);
            scene.add(thrown(Body::new(long.clone()).with_contactor(wide), [0.0; 3], centre)).unwrap()
        };
        let mut path = Vec::new();
        run(scene, (2.0 / h) as usize, h, |parts, _, state| path.push(parts.pose(state, own)));
        path
    };
    let apart = |h: f64, until: f64| {
        let [welded, whole] = [path(true, h), path(false, h)];
        let steps = (until / h) as usize;
        let distance = |k: usize| length(difference(welded[k].position, whole[k].position));
        ((0..steps).map(distance).fold(0.0, worse), distance(welded.len() - 1))
    };
    let [(coarse, _), (fine, at_rest)] = [2e-3, 1e-3].map(|h| apart(h, 0.2));
    assert!(fine < 1e-7 && (coarse / fine - 4.0).abs() < 0.5, "{coarse:e} {fine:e}");
    assert!(at_rest < 1e-3, "{at_rest:e}");
}

/// Checks that a chain of 20 links does not drift apart. Links that friction holds do not move.
fn assert_chain_holds(friction: f64, steps: usize) {
    let mut scene = scene(true);
    let angles: Vec<f64> = (0..20).map(|k| -0.5 * PI + if k % 2 == 0 { 0.4 } else { -0.4 }).collect();
    let bars = add_chain(&mut scene, true, &angles, friction, false);
    let (mut worst, mut start) = (0.0_f64, None);
    let (parts, state) = run(scene, steps, 1e-3, |parts, _, state| {
        start.get_or_insert_with(|| state.clone());
        let mut end = [0.0; 3];
        for bar in &bars {
            let pose = parts.pose(state, *bar);
            worst = worst.max(length(difference(pose.point([-0.25, 0.0, 0.0]), end)));
            end = pose.point([0.25, 0.0, 0.0]);
        }
    });
    let ids = bars.iter().filter_map(|bar| parts.system(*bar));
    let start = start.unwrap();
    let moved: Vec<f64> = ids
        .flat_map(|id| (0..3).map(move |i| (id, i)))
        .map(|(id, i)| state.q(id)[i] - start.q(id)[i])
        .collect();
    assert!(worst < 1e-12, "{friction}: {worst:e}");
    assert_eq!(largest(&moved) < 1e-9, friction > 0.0, "{friction}: {:e}", largest(&moved));
}

#[test]
fn chains_do_not_drift_apart() {
    assert_chain_holds(60.0, 500);
    assert_chain_holds(0.0, 500);
}

#[test]
#[ignore = "takes 20 s"]
fn a_chain_at_rest_does_not_drift_in_ten_thousand_steps() {
    assert_chain_holds(60.0, 10_000);
}

/// A cart on two wheels rolls down a slope: a = M g sin(alpha) / (M + 2 I / r^2).
#[test]
fn a_cart_rolls_down_a_slope() {
    for degrees in [5.0_f64, 20.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let mut scene = scene(true);
        scene.add(Body::fixed(Shape::half_space([sine, cosine, 0.0]).unwrap())).unwrap();
        // Along the slope and perpendicular to it.
        let place = |s: f64, h: f64| [s * cosine + h * sine, h * cosine - s * sine, 0.0];
        let turned = Quaternion::about(AXIS, -degrees.to_radians());
        let chassis = Body::new(Shape::rectangle([1.0, 0.1]).unwrap()).with_mass(3.0);
        let chassis = scene.add(chassis.at(place(0.0, 0.2)).turned(turned)).unwrap();
        let mut wheels = Vec::new();
        for s in [-0.4, 0.4] {
            let wheel = Body::new(Shape::ball(0.1).unwrap()).with_mass(1.0).at(place(s, 0.1));
            let wheel = scene.add(wheel).unwrap();
            scene.add_joint(SceneJoint::revolute([wheel, chassis], place(s, 0.1), AXIS)).unwrap();
            wheels.push(wheel);
        }
        let acceleration = 5.0 * 10.0 * sine / (5.0 + 1.0);
        run(scene, 1000, 1e-3, |parts, report, state| {
            let exact = 0.5 * acceleration * report.t * report.t;
            let [x, y, _] = parts.pose(state, chassis).position;
            let [u, v, _] = place(exact, 0.2);
            assert!((x - u).abs() < 1e-6 && (y - v).abs() < 1e-6, "{}: {x} {u} {y} {v}", report.t);
            for wheel in &wheels {
                let spin = state.v(parts.system(*wheel).unwrap())[2];
                assert!((0.1 * spin + acceleration * report.t).abs() < 1e-6, "{spin}");
            }
        });
    }
}

/// Units, and the presence of a body that touches nothing.
#[derive(Clone, Copy)]
struct Variant {
    length: f64,
    mass: f64,
    has_stranger: bool,
    is_exchanged: bool,
}

/// Returns the positions of an arm on a post, which a motor drives between two stops, and of a forearm on a
/// slider with friction. The positions are in units of the length.
fn arm(Variant { length, mass, has_stranger, is_exchanged }: Variant) -> Vec<f64> {
    let mut scene = Scene::planar().with_gravity([0.0, -10.0 * length, 0.0]);
    let at = |x: f64, y: f64| [length * x, length * y, 0.0];
    let rectangle = |a: f64, b: f64| Shape::rectangle([length * a, length * b]).unwrap();
    let post = scene.add(Body::fixed(rectangle(0.1, 0.1))).unwrap();
    let arm = scene.add(Body::new(rectangle(0.8, 0.1)).with_mass(2.0 * mass).at(at(0.4, 0.0))).unwrap();
    let forearm = Body::new(rectangle(0.4, 0.06)).with_mass(0.7 * mass).at(at(0.9, 0.1));
    let forearm = scene.add(forearm.turned(Quaternion::about(AXIS, 0.3))).unwrap();
    let (moment, force) = (mass * length * length, mass * length);
    let order = |bodies: [BodyId; 2]| if is_exchanged { [bodies[1], bodies[0]] } else { bodies };
    let sign = if is_exchanged { -1.0 } else { 1.0 };
    let [lower, upper] = if is_exchanged { [-0.4, 0.7] } else { [-0.7, 0.4] };
    let hinge = SceneJoint::revolute(order([arm, post]), at(0.0, 0.0), AXIS)
        .with_motor(sign, 30.0 * moment)
        .with_friction(2.0 * moment)
        .with_stops(lower, upper, 0.5);
    scene.add_joint(hinge).unwrap();
    let slider = SceneJoint::prismatic(order([forearm, arm]), at(0.8, 0.05), [0.9, 0.4, 0.0]);
    scene.add_joint(slider.with_friction(1.5 * force)).unwrap();
    if has_stranger {
        scene.add(Body::new(rectangle(0.3, 0.2)).with_mass(mass).at(at(9.0, 0.0))).unwrap();
    }
    let mut path = Vec::new();
    run(scene, 800, 1e-3, |parts, _, state| {
        for body in [arm, forearm] {
            let q = state.q(parts.system(body).unwrap());
            path.extend([q[0] / length, q[1] / length, q[2]]);
        }
    });
    path
}

#[test]
fn motion_does_not_depend_on_units_and_other_bodies() {
    let plain = Variant { length: 1.0, mass: 1.0, has_stranger: false, is_exchanged: false };
    let own = arm(plain);
    let bits = |path: &[f64]| path.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&own), bits(&arm(Variant { has_stranger: true, ..plain })));
    let apart = |other: &[f64]| largest(&own.iter().zip(other).map(|(a, b)| a - b).collect::<Vec<_>>());
    let exchanged = apart(&arm(Variant { is_exchanged: true, ..plain }));
    assert!(exchanged < 1e-12, "{exchanged:e}");
    // Powers of two change no bit.
    for (length, mass) in [(1024.0, 1.0), (1.0 / 1024.0, 1.0), (1.0, 4096.0), (0.125, 0.25)] {
        assert_eq!(bits(&own), bits(&arm(Variant { length, mass, ..plain })), "{length} {mass}");
    }
}

#[test]
fn joints_that_leave_the_plane_are_refused() {
    type Make = fn([BodyId; 2]) -> SceneJoint;
    let refused = |joint: Make| {
        let mut scene = scene(true);
        let ball = || Shape::ball(0.1).unwrap();
        let wall = scene.add(Body::fixed(ball()).named("wall")).unwrap();
        let door = scene.add(Body::new(ball()).named("door")).unwrap();
        scene.add_joint(joint([door, wall])).unwrap();
        scene.into_parts().unwrap_err().to_string()
    };
    let cases: [(Make, &str); 9] = [
        (
            |bodies| SceneJoint::spherical(bodies, [0.0; 3]),
            "joint 0 of bodies `door` and `wall`: planar bodies cannot have a spherical joint; use a revolute joint",
        ),
        (
            |bodies| SceneJoint::cylindrical(bodies, [0.0; 3], AXIS),
            "cannot have a cylindrical joint; use a revolute or a prismatic joint",
        ),
        (
            |bodies| SceneJoint::revolute(bodies, [0.0; 3], [0.0, 1.0, 0.0]),
            "the axis of a revolute joint is [0.0, 1.0, 0.0], but the bodies are in the plane z = 0; it must be \
             perpendicular to the plane, as [0, 0, 1]",
        ),
        (
            |bodies| SceneJoint::prismatic(bodies, [0.0; 3], AXIS),
            "the axis of a prismatic joint is [0.0, 0.0, 1.0], but the bodies are in the plane z = 0; its third \
             component must be 0",
        ),
        (
            |bodies| SceneJoint::revolute(bodies, [0.0, 0.0, 0.5], AXIS),
            "the point of a joint is [0.0, 0.0, 0.5]",
        ),
        (|bodies| SceneJoint::revolute(bodies, [0.0, 0.0, f64::NAN], AXIS), "point of a joint"),
        (
            |bodies| SceneJoint::revolute(bodies, [0.0; 3], [0.0, 0.0, f64::INFINITY]),
            "axis of a revolute joint",
        ),
        (|bodies| SceneJoint::prismatic(bodies, [0.0; 3], [0.0; 3]), "must have a nonzero length"),
        (|bodies| SceneJoint::revolute(bodies, [0.0; 3], AXIS).with_friction(f64::NAN), "NaN"),
    ];
    for (joint, expected) in cases {
        let found = refused(joint);
        assert!(found.contains(expected), "{found}");
    }
}
