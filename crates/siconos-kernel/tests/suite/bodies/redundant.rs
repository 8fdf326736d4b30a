//! Joints with more equations than they need.

use siconos_kernel::model::{ContactRows, Joint, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// Radius of the crank and length of the rod \[m\].
const CRANK: f64 = 0.15;
const ROD: f64 = 0.4;

/// What is made twice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Twice {
    Nothing,
    Hinge,
    Slide,
}

/// A slider-crank in the plane x, y, at dead centre and turning with 20 rad/s: three hinges about z and a
/// slide along x, twenty equations of rank seventeen. With a wall the slider bounces off x = 0.35.
fn slider_crank(h: f64, twice: Twice, with_wall: bool) -> Result<Vec<([f64; 2], f64)>, Error> {
    let spin = 20.0;
    let weight = |body: NewtonEuler, m: f64| body.with_constant_external_force([0.0, -0.3 * m * G, -m * G]);
    let body = |m: f64, x: f64| {
        NewtonEuler::new(m, [0.002, 0.004, 0.003].map(|i| m * i), [x, 0.0, 0.0], Quaternion::IDENTITY)
    };
    let crank =
        weight(body(1.0, 0.5 * CRANK), 1.0).with_twist([0.0, 0.5 * CRANK * spin, 0.0], [0.0, 0.0, spin]);
    let back = -CRANK * spin / ROD;
    let rod = weight(body(0.5, CRANK + 0.5 * ROD), 0.5)
        .with_twist([0.0, 0.5 * CRANK * spin, 0.0], [0.0, 0.0, back]);
    let slider = weight(body(2.0, CRANK + ROD), 2.0);
    let ends = [0.0, CRANK, CRANK + ROD].map(|x| [x, 0.0, 0.0]);
    let joints = [
        (Joint::revolute(&crank, ends[0], Z)?, vec![0]),
        (Joint::revolute((&crank, &rod), ends[1], Z)?, vec![0, 1]),
        (Joint::revolute((&rod, &slider), ends[2], Z)?, vec![1, 2]),
        (Joint::prismatic(&slider, ends[2], [1.0, 0.0, 0.0])?, vec![2]),
    ];
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(crank)?, model.add_system(rod)?, model.add_system(slider)?];
    let again = match twice {
        Twice::Nothing => None,
        Twice::Hinge => Some(joints[1].clone()),
        Twice::Slide => Some(joints[3].clone()),
    };
    for (joint, between) in joints.into_iter().chain(again) {
        let condition = joint.condition()?;
        model.add_interaction(between.into_iter().map(|k: usize| ids[k]), joint, condition)?;
    }
    if with_wall {
        let wall =
            PointContact::of_ball_and_plane(ContactRows::Friction, 0.05, [0.3, 0.0, 0.0], [1.0, 0.0, 0.0])?;
        model.add_interaction([ids[2]], wall, NewtonImpactFriction::in_space(0.5, 0.2)?)?;
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.5, h)?)
        .tolerance(1e-14)
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut track = Vec::new();
    simulation.run(&model, &mut state, |report, state| {
        assert!(report.solve.status.is_success(), "{report:?}");
        let q = state.q(ids[0]);
        let angle = 2.0 * q[6].atan2(q[3]);
        track.push(([angle, state.q(ids[2])[0]], state.v(ids[2])[0]));
    })?;
    Ok(track)
}

#[test]
fn a_slider_crank_goes_as_its_angle_says() -> Result<(), Error> {
    let steps = [2e-3, 1e-3, 5e-4];
    let mut errors = Vec::new();
    for h in steps {
        let track = slider_crank(h, Twice::Nothing, false)?;
        let off = track.iter().map(|([angle, x], _)| {
            let (sine, cosine) = angle.sin_cos();
            (x - CRANK * cosine - (ROD * ROD - (CRANK * sine).powi(2)).sqrt()).abs()
        });
        errors.push(off.fold(0.0, worse));
    }
    let observed = observed_order(&steps, &errors);
    assert!((observed.order - 2.0).abs() < 0.1 && errors[2] < 1e-5, "{observed:?} of {errors:?}");
    Ok(())
}

#[test]
fn a_joint_made_twice_changes_no_motion() -> Result<(), Error> {
    for with_wall in [false, true] {
        let expected = slider_crank(1e-3, Twice::Nothing, with_wall)?;
        let bounces = expected.windows(2).filter(|pair| pair[0].1 < -0.1 && pair[1].1 > 0.05).count();
        assert!((bounces > 0) == with_wall, "{bounces} bounces");
        for twice in [Twice::Hinge, Twice::Slide] {
            let found = slider_crank(1e-3, twice, with_wall)?;
            assert_eq!(found.len(), expected.len());
            let off = found
                .iter()
                .zip(&expected)
                .map(|((a, v), (b, w))| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()).max((v - w).abs()));
            let worst = off.fold(0.0, worse);
            println!("{twice:?}, wall {with_wall}: {worst:e}");
            assert!(worst < 1e-10, "{twice:?}, wall {with_wall}: {worst}");
        }
    }
    Ok(())
}
