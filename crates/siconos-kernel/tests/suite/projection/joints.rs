//! Joints of all kinds with projection, over many steps.

use siconos_kernel::model::{Frame, Joint, NewtonEuler, Quaternion};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::common::grid;

const G: f64 = 9.81;
/// Stiffness of the spring [N/m].
const STIFFNESS: f64 = 40.0;

/// Simulates two tumbling bodies under their weight. The first body has a spherical joint with space, and the
/// second body is connected to the first by a joint of the given kind. Returns the largest y of all joints
/// after all steps.
fn tumbling(kind: &str, steps: usize, projection: Option<Projection>) -> f64 {
    let body = |x: f64| {
        NewtonEuler::new(1.5, [0.02, 0.05, 0.04], [x, 0.0, 0.0], Quaternion::IDENTITY)
            .with_constant_external_force([0.0, 0.0, -1.5 * G])
    };
    // Both bodies initially rotate about the spherical joint as one rigid body.
    let turning = |x: f64| {
        let omega = [0.3, -1.0, 0.7];
        body(x).with_twist([0.0, omega[2] * x, -omega[1] * x], omega)
    };
    // A spring to the spherical joint keeps the second body from sliding away.
    let spring = Jacobian::function(|_, _, _, out| (0..3).for_each(|i| out[[i, i]] = STIFFNESS));
    let (first, second) = (turning(0.4), turning(1.1));
    let second = second.with_internal_force(
        Frame::Space,
        |_: At<'_>, q: &[f64], _: &[f64], out: &mut [f64]| (0..3).for_each(|i| out[i] = STIFFNESS * q[i]),
        spring,
        Jacobian::Zero,
    );
    let axis = [0.6, 0.0, 0.8];
    let at = [0.8, 0.0, 0.0];
    let joint = match kind {
        "spherical" => Joint::spherical((&first, &second), at),
        "revolute" => Joint::revolute((&first, &second), at, axis),
        "cylindrical" => Joint::cylindrical((&first, &second), at, axis),
        "prismatic" => Joint::prismatic((&first, &second), at, axis),
        _ => Joint::fixed((&first, &second)),
    };
    let joint = joint.unwrap();
    let ball = Joint::spherical(&first, [0.0; 3]).unwrap();
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(first).unwrap();
    let b = model.add_system(second).unwrap();
    let mut joints = Vec::new();
    for (joint, between) in [(ball, vec![a]), (joint, vec![a, b])] {
        let condition = joint.condition().unwrap();
        joints.push(model.add_interaction(between, joint, condition).unwrap());
    }
    let h = 1e-3;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(h * steps as f64, h))
        .integrator(MoreauJean { projection, ..MoreauJean::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut largest = 0.0;
    simulation
        .run(&model, &mut state, |_, state| {
            for &joint in &joints {
                largest = state.y(joint, Level::Position).iter().map(|y| y.abs()).fold(largest, worse);
            }
        })
        .unwrap();
    largest
}

const KINDS: [&str; 5] = ["spherical", "revolute", "cylindrical", "prismatic", "fixed"];

#[test]
fn joints_of_every_kind_hold_at_position_level() {
    for kind in KINDS {
        let drifts = tumbling(kind, 1000, None);
        assert!(drifts > 1e-9, "{kind}: {drifts}");
        for projection in [Projection::Direct, Projection::Combined] {
            let largest = tumbling(kind, 1000, Some(projection));
            assert!(largest < 1e-12, "{kind}, {projection:?}: {largest}");
        }
    }
}

#[test]
#[ignore = "half a minute: cargo xtask battery"]
fn battery_of_joints_over_a_hundred_thousand_steps() {
    for kind in KINDS {
        let largest = tumbling(kind, 100_000, Some(Projection::Direct));
        println!("{kind}: {largest:e}");
        assert!(largest < 1e-10, "{kind}: {largest}");
    }
}
