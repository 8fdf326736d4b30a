//! Dry friction with given bounds, modelled by a relay between Lagrangian systems or in a joint, compared
//! with closed forms.

use ndarray::array;
use siconos_kernel::model::{Joint, NonSmoothLaw};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::common::grid;

const AXIS: [f64; 3] = [0.0, 1.0, 0.0];

/// Creates a block of 2 kg with a velocity of 3 m/s, a friction force of up to 5 N, and an applied force.
fn block(pull: f64) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let block = LagrangianLinear::new(vec![0.0], vec![3.0], array![2.0]);
    let block = model.add_system(block.with_constant_external_force(vec![pull]))?;
    let slide = LagrangianLinearRelation::new(array![[1.0]]);
    let friction = model.add_interaction([block], slide, Relay::symmetric(1, 5.0)?)?;
    Ok((model, block, friction))
}

#[test]
fn a_block_slides_until_it_sticks_and_is_pulled_off_only_by_more() -> Result<(), Error> {
    let h = 1e-2;
    for pull in [0.0, 4.0, -4.9, 5.5] {
        let (model, block, friction) = block(pull)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid(10.0, h)).build()?;
        let mut state = simulation.initial_state(&model)?;
        let stop = if pull < 5.0 { 3.0 * 2.0 / (5.0 - pull) } else { f64::INFINITY };
        let mut worst = 0.0;
        simulation.run(&model, &mut state, |report, state| {
            let v = (3.0 + (pull - 5.0) / 2.0 * report.t).max(0.0);
            worst = worse(worst, (state.v(block)[0] - v).abs());
            let force = state.lambda(friction, Level::Position)[0];
            // In the step in which the block stops, the force is a mean of the two values.
            if (report.t - stop).abs() > h {
                let expected = if report.t < stop { -5.0 } else { -pull };
                worst = worse(worst, (force - expected).abs());
            }
            worst = worse(worst, (state.lambda(friction, Level::Velocity)[0] - report.h * force).abs());
        })?;
        assert!(worst < 1e-11, "{pull}: {worst}");
    }
    Ok(())
}

/// Simulates a rod on a hinge with dry friction, released at an angle, in multiples of SI units. Returns the
/// angle at each step, the energy loss, and the friction moment times the total angle.
fn rod(angle: f64, moment: f64, [mass, length, time]: [f64; 3]) -> Result<(Vec<f64>, f64, f64), Error> {
    let force = mass * length / (time * time);
    let half = 0.5 * length;
    let inertia = [1.0 / 12.0, 1.0 / 12.0, 1e-4].map(|it| it * mass * length * length);
    let place = [half * angle.sin(), 0.0, -half * angle.cos()];
    let rod = NewtonEuler::new(mass, inertia, place, Quaternion::about(AXIS, -angle))
        .with_constant_external_force([0.0, 0.0, -9.81 * force]);
    let hinge = Joint::revolute(&rod, [0.0; 3], AXIS)?;
    let turn = hinge.angle().expect("a hinge turns");
    let mut model = NonSmoothDynamicalSystem::new();
    let rod = model.add_system(rod)?;
    let condition = hinge.condition()?;
    model.add_interaction([rod], hinge, condition)?;
    model.add_interaction([rod], turn, Relay::symmetric(1, moment * force * length)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 4.0 * time, time / 512.0)?)
        .energy_balance(true)
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let (mut angles, mut lost, mut turned, mut before) = (Vec::new(), 0.0, 0.0, 0.0);
    simulation.run(&model, &mut state, |report, state| {
        let q = state.q(rod);
        angles.push(q[0].atan2(-q[2]));
        lost -= report.energy.expect("asked for").tangential;
        turned += (0.5 * time / 512.0 * (state.v(rod)[4] + before)).abs();
        before = state.v(rod)[4];
    })?;
    Ok((angles, lost, moment * force * length * turned))
}

#[test]
fn a_hinge_holds_a_rod_up_to_its_moment_of_friction() -> Result<(), Error> {
    let sine = 0.8 / (0.5 * 9.81);
    let holds = f64::asin(sine);
    let at = |angle: f64| rod(angle, 0.8, [1.0; 3]);
    let (held, lost, _) = at(holds - 1e-6)?;
    let worst = held.iter().fold(0.0, |worst, angle| worse(worst, (angle - holds + 1e-6).abs()));
    assert!(worst < 1e-12 && lost.abs() < 1e-15, "{worst} {lost}");
    // Released above that angle, the rod falls and stops about equally far below it.
    let (fallen, ..) = at(holds + 1e-2)?;
    let end = fallen[fallen.len() - 1] - holds;
    assert!((end + 1e-2).abs() < 1e-4, "{end}");

    // The energy loss of a swing is the moment times the total angle. The rod stops at an angle at which the
    // hinge can hold it.
    let (swung, lost, of_way) = at(1.2)?;
    let end = swung.len() - 1;
    assert!(swung[end].abs() < holds && (swung[end] - swung[end - 256]).abs() < 1e-9, "{}", swung[end]);
    assert!((lost - of_way).abs() < 1e-2 * lost && lost > 1.0, "{lost} {of_way}");
    let fall = 0.5 * 9.81 * (swung[end].cos() - f64::cos(1.2));
    assert!((lost - fall).abs() < 5e-3 * fall, "{lost} {fall}");
    Ok(())
}

#[test]
fn friction_of_a_hinge_scales_to_the_last_bit() -> Result<(), Error> {
    let (own, ..) = rod(1.2, 0.8, [1.0; 3])?;
    for units in [[1024.0, 1.0, 1.0], [1.0, 0.0625, 1.0], [1.0, 1.0, 256.0], [8.0, 32.0, 0.125]] {
        let (other, ..) = rod(1.2, 0.8, units)?;
        assert!(own.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{units:?}");
        assert_eq!(own.len(), other.len());
    }
    Ok(())
}

/// A wheel rolls on the ground under a cart in a guide, with friction in the axle. The problem has laws of
/// three kinds, and v' = -M / R / (m + m_c + I / R^2).
#[test]
fn friction_in_the_axle_of_a_wheel_slows_a_cart() -> Result<(), Error> {
    for [mass, length, time] in [[1.0, 1.0, 1.0], [4.0, 0.125, 32.0]] {
        let (radius, speed) = (0.2 * length, 2.0 * length / time);
        let moment = 0.05 * mass * length * length / (time * time);
        let weight = |m: f64| [0.0, 0.0, -9.81 * m * mass * length / (time * time)];
        let centre = [0.0, 0.0, radius];
        let inertia = 0.02 * mass * length * length;
        let wheel = NewtonEuler::new(mass, inertia, centre, Quaternion::IDENTITY)
            .with_twist([speed, 0.0, 0.0], [0.0, speed / radius, 0.0])
            .with_constant_external_force(weight(1.0));
        let cart = NewtonEuler::new(3.0 * mass, inertia, centre, Quaternion::IDENTITY)
            .with_twist([speed, 0.0, 0.0], [0.0; 3])
            .with_constant_external_force(weight(3.0));
        let axle = Joint::revolute((&wheel, &cart), centre, AXIS)?;
        let guide = cart_guide(&cart)?;
        let rubbing = axle.angle().expect("an axle turns");
        let mut model = NonSmoothDynamicalSystem::new();
        let (wheel, cart) = (model.add_system(wheel)?, model.add_system(cart)?);
        let condition = axle.condition()?;
        model.add_interaction([wheel, cart], axle, condition)?;
        model.add_interaction([cart], guide, EqualityCondition::new(3)?)?;
        model.add_interaction([wheel, cart], rubbing, Relay::symmetric(1, moment)?)?;
        let ground =
            PointContact::of_ball_and_plane(ContactRows::Friction, radius, [0.0; 3], [0.0, 0.0, 1.0])?;
        model.add_interaction([wheel], ground, NewtonImpactFriction::in_space(0.0, 0.5)?)?;
        let h = time / 128.0;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, time, h)?)
            .tolerance(1e-13)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let slowing = moment / radius / (4.0 * mass + inertia / (radius * radius));
        let mut worst = 0.0;
        simulation.run(&model, &mut state, |report, state| {
            let expected = speed - slowing * report.t;
            worst = worse(worst, (state.v(cart)[0] - expected).abs() / speed);
        })?;
        assert!(worst < 1e-9, "{worst}");
    }
    Ok(())
}

/// Creates a relation that prevents rotations of a cart.
fn cart_guide(cart: &NewtonEuler) -> Result<NewtonEulerRelation, Error> {
    let orientation = cart.q0()[3..].to_vec();
    Ok(NewtonEulerRelation::new(3, move |_, q, y| {
        (0..3).for_each(|i| y[i] = q[4 + i] * orientation[0] - orientation[1 + i] * q[3]);
    }))
}

#[test]
fn steps_that_follow_the_motion_stop_the_block_where_it_stops() -> Result<(), Error> {
    for (pull, stop) in [(0.0, 1.2), (-3.0, 0.75)] {
        let (model, block, _) = block(pull)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid(2.0, 2.0)).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-5))?;
        let mut steps = 0;
        while state.t < 2.0 {
            adaptive.step(&mut simulation, &model, &mut state, 2.0)?;
            steps += 1;
        }
        let expected = 0.5 * 3.0 * stop;
        let (q, v) = (state.q(block)[0], state.v(block)[0]);
        assert!((q - expected).abs() < 1e-4 && v.abs() < 1e-12 && steps < 200, "{pull}: {q} {v} {steps}");
    }
    Ok(())
}

#[test]
fn a_brake_is_let_go_and_pulled_again() -> Result<(), Error> {
    let (mut model, block, friction) = block(4.0)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(10.0, 0.5)).build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut run = |model: &NonSmoothDynamicalSystem, state: &mut State, steps: usize| -> Result<_, Error> {
        for _ in 0..steps {
            simulation.step(model, state)?;
        }
        Ok((state.v(block)[0], state.lambda(friction, Level::Position)[0]))
    };
    assert_eq!(run(&model, &mut state, 2)?, (2.5, -5.0));
    model.set_law(friction, Relay::symmetric(1, 0.0)?)?;
    assert_eq!(run(&model, &mut state, 2)?, (4.5, 0.0));
    model.set_law(friction, NonSmoothLaw::from(EqualityCondition::new(1)?))?;
    assert_eq!(run(&model, &mut state, 2)?, (0.0, 0.0));
    model.set_law(friction, Relay::symmetric(1, 3.0)?)?;
    assert_eq!(run(&model, &mut state, 2)?, (0.5, -3.0));
    Ok(())
}

/// A motor with a gain accelerates a mass with its stall force, and then decays to its speed without load.
/// The error is of first order.
#[test]
fn a_motor_with_a_gain_approaches_its_speed() -> Result<(), Error> {
    // 2 kg, 6 N at most, 4 m/s without load, 3 N s/m: saturated up to 2 m/s, which is reached after 2/3 s.
    let exact = |t: f64| {
        let linear = 2.0 / 3.0;
        if t < linear { 3.0 * t } else { 4.0 - 2.0 * (-1.5 * (t - linear)).exp() }
    };
    let worst = |h: f64| -> Result<f64, Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![2.0]))?;
        let motion = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - 4.0 * at.t)
            .with_jacobian(|_, _, jacobian| jacobian[[0, 0]] = 1.0)
            .with_time_derivative(|_, _, out| out[0] = -4.0);
        let motor = model.add_interaction([mass], motion, Relay::symmetric(1, 6.0)?.with_gain(3.0)?)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid(3.0, h)).build()?;
        let mut state = simulation.initial_state(&model)?;
        let (mut off, mut before) = (0.0, 0.0);
        simulation.run(&model, &mut state, |_, state| {
            let (v, force) = (state.v(mass)[0], state.lambda(motor, Level::Position)[0]);
            off = worse(off, (v - exact(state.t)).abs());
            // Each step is solved exactly.
            let residual = (2.0 * (v - before) - h * force).abs() + (force - (12.0 - 3.0 * v).min(6.0)).abs();
            assert!(residual < 1e-9, "{residual:e}");
            before = v;
        })?;
        Ok(off)
    };
    let [coarse, fine] = [worst(2e-2)?, worst(1e-2)?];
    assert!(coarse < 0.02 && (1.8..2.2).contains(&(coarse / fine)), "{coarse} {fine}");
    Ok(())
}

/// A gain can be changed during a run, and must be positive.
#[test]
fn the_gain_of_a_relay_changes() -> Result<(), Error> {
    let (mut model, block, friction) = block(0.0)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(10.0, 0.5)).build()?;
    let mut state = simulation.initial_state(&model)?;
    for gain in [0.5, 4.0, f64::INFINITY] {
        let before = state.v(block)[0];
        model.set_law(friction, Relay::symmetric(1, 5.0)?.with_gain(gain)?)?;
        simulation.step(&model, &mut state)?;
        // 2 (v - before) = 0.5 max(-gain v, -5).
        let expected = (before / (1.0 + 0.25 * gain)).max(before - 1.25).max(0.0);
        assert!((state.v(block)[0] - expected).abs() < 1e-12, "{gain}: {:?} {expected}", state.v(block));
    }
    for gain in [0.0, -1.0, f64::NAN] {
        let refused = Relay::symmetric(1, 5.0)?.with_gain(gain).unwrap_err();
        assert!(refused.to_string().contains("the gain of a relay must be positive"), "{refused}");
    }
    Ok(())
}

/// First-order systems: x' = a + lambda with lambda = -sat(gain x), by implicit Euler steps.
#[test]
fn a_saturation_acts_on_first_order_systems() -> Result<(), Error> {
    for is_linear in [true, false] {
        let mut model = NonSmoothDynamicalSystem::new();
        let x = FirstOrderLinearTi::new(vec![2.0], array![[0.0]]).with_source(vec![0.5]);
        let x = model.add_system(x)?;
        let law = Relay::symmetric(1, 1.0)?.with_gain(3.0)?;
        if is_linear {
            model.add_interaction([x], FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]), law)?;
        } else {
            let relation =
                FirstOrderNonlinearRelation::new(1, |at, y| y[0] = at.x[0], |at, r| r[0] = at.lambda[0])
                    .with_c(RelationJacobian::Constant(array![[1.0]]))
                    .with_b(RelationJacobian::Constant(array![[1.0]]))
                    .with_d(RelationJacobian::Constant(array![[0.0]]))
                    .with_k(RelationJacobian::Constant(array![[0.0]]));
            model.add_interaction([x], relation, law)?;
        }
        let scheme = EulerMoreau { theta: 1.0 };
        let h = 0.1;
        let builder = TimeStepping::builder(&model).discretisation(grid(8.0, h)).integrator(scheme);
        let mut simulation = builder.build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut before = 2.0;
        simulation.run(&model, &mut state, |_, state| {
            let now = state.x(x)[0];
            let residual = now - before - h * (0.5 + (-3.0 * now).clamp(-1.0, 1.0));
            assert!(residual.abs() < 1e-9, "{is_linear}, t = {}: {residual:e}", state.t);
            before = now;
        })?;
        assert!((before - 0.5 / 3.0).abs() < 1e-6, "{before}");
    }
    Ok(())
}

#[test]
fn a_relay_is_refused_where_no_scheme_carries_it() -> Result<(), Error> {
    let (model, ..) = block(0.0)?;
    let error = EventDriven::builder(&model).discretisation(grid(1.0, 0.1)).build();
    assert!(error.is_err_and(|error| error.to_string().contains("a relay, whose switches would be events")));
    for integrator in [Integrator::from(D1MinusLinear::default()), SchatzmanPaoli::default().into()] {
        let error =
            TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).integrator(integrator).build();
        assert!(error.is_err_and(|error| error.to_string().contains("use MoreauJean")));
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = model.add_system(LagrangianLinear::new(vec![0.0], vec![3.0], array![2.0]))?;
    let soft = LagrangianLinearRelation::new(array![[1.0]]).with_compliance(array![[0.1]]);
    model.add_interaction([mass], soft, Relay::symmetric(1, 5.0)?)?;
    let error = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build();
    assert!(error.is_err_and(|error| error.to_string().contains("a relay on a compliant relation")));
    Ok(())
}
