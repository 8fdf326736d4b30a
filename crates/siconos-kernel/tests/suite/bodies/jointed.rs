//! Motions of jointed bodies, compared with exact solutions.

use siconos_kernel::model::{Joint, NewtonEuler, Quaternion};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::JointReaction;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

const G: f64 = 9.81;

/// Returns the largest error of the cosine of the inclination of a heavy top in steady precession, over 1 s.
fn top(h: f64, reaction: JointReaction) -> Result<f64, Error> {
    const ANGLE: f64 = 1.0;
    const ARM: f64 = 0.5;
    let axis = [ANGLE.sin(), 0.0, ANGLE.cos()];
    let orientation = Quaternion::about([0.0, 1.0, 0.0], ANGLE);
    // Slow root of I1 p^2 cos a - I3 w3 p + m g l = 0, with I1 about the pivot and a total rate of 60 rad/s
    // about the axis.
    let (about_pivot, about_axis, spin) = (0.3, 0.1, 60.0);
    let (a, b) = (about_pivot * ANGLE.cos(), about_axis * spin);
    let precession = 2.0 * G * ARM / (b + (b * b - 4.0 * a * G * ARM).sqrt());
    assert!((precession - 0.836399).abs() < 1e-6, "{precession}");
    // The precession vector is vertical; in the body frame its component along the axis is cos a times the
    // rate.
    let mut omega = orientation.rotate_back([0.0, 0.0, precession]);
    omega[2] = spin;
    // The centre of mass moves on a circle about the vertical.
    let velocity = [0.0, precession * ARM * ANGLE.sin(), 0.0];
    let body = NewtonEuler::new(1.0, [0.05, 0.05, 0.1], axis.map(|x| ARM * x), orientation)
        .with_twist(velocity, omega)
        .with_constant_external_force([0.0, 0.0, -G]);
    let joint = Joint::spherical(&body, [0.0; 3])?;
    let mut model = NonSmoothDynamicalSystem::new();
    let top = model.add_system(body)?;
    let condition = joint.condition()?;
    model.add_interaction([top], joint, condition)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h)?)
        .newton(NewtonSettings { tolerance: 1e-13, joint_reaction: reaction, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut worst = 0.0;
    simulation.run(&model, &mut state, |_, state| {
        let q = state.q(top);
        let [_, _, z] = Quaternion::of_body(q).rotate([0.0, 0.0, 1.0]);
        worst = worse(worst, (z - ANGLE.cos()).abs());
    })?;
    Ok(worst)
}

#[test]
fn a_heavy_top_precesses_steadily() -> Result<(), Error> {
    let steps = [4e-3, 2e-3, 1e-3];
    for (reaction, order, error) in [(JointReaction::Middle, 2.0, 1.8e-5), (JointReaction::End, 1.0, 1.8e-2)]
    {
        let errors: Vec<f64> = steps.iter().map(|&h| top(h, reaction)).collect::<Result<_, _>>()?;
        let observed = observed_order(&steps, &errors);
        assert!((observed.order - order).abs() < 0.1, "{reaction:?}: {observed:?} of {errors:?}");
        assert!((errors[2] / error - 1.0).abs() < 0.1, "{reaction:?}: {errors:?}");
    }
    Ok(())
}

/// Returns the angle at 1 s of a rod on a hinge about y at the origin, released at 1 rad, for steps of length
/// h.
fn rod(h: f64) -> Result<f64, Error> {
    let orientation = Quaternion::about([0.0, 1.0, 0.0], -1.0);
    let centre = orientation.rotate([0.0, 0.0, -0.5]);
    let rod = NewtonEuler::new(2.0, [1.0 / 6.0, 1.0 / 6.0, 0.001], centre, orientation)
        .with_constant_external_force([0.0, 0.0, -2.0 * G]);
    let hinge = Joint::revolute(&rod, [0.0; 3], [0.0, 1.0, 0.0])?;
    let mut model = NonSmoothDynamicalSystem::new();
    let rod = model.add_system(rod)?;
    let condition = hinge.condition()?;
    model.add_interaction([rod], hinge, condition)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h)?)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    simulation.run(&model, &mut state, |_, state| {
        let q = state.q(rod);
        assert!(q[1].abs() < 1e-12, "it stays in its plane");
    })?;
    let q = state.q(rod);
    Ok(Quaternion::of_body(q).log()[1])
}

#[test]
fn a_rod_on_a_hinge_is_a_pendulum() -> Result<(), Error> {
    // m l^2 / 3 a'' = -m g l / 2 sin a is a pendulum of length 2/3 m.
    let exact = siconos_testkit::exact::Pendulum::new(G, 2.0 / 3.0, 1.0);
    let expected = -exact.state(1.0).0;
    let steps = [8e-3, 4e-3, 2e-3, 1e-3];
    let mut errors = Vec::new();
    for h in steps {
        errors.push((rod(h)? - expected).abs());
    }
    let observed = observed_order(&steps, &errors);
    assert!((observed.order - 2.0).abs() < 0.05 && errors[3] < 1e-5, "{observed:?} of {errors:?}");
    Ok(())
}
