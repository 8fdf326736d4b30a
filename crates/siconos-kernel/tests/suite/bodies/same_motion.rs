//! What must not change a bit of the motion of bodies: units, threads, a record, a model built anew, a second
//! run. And that a step allocates nothing.

use siconos_kernel::model::{ContactRows, Frame, Joint, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;
use std::num::NonZeroUsize;

use siconos_testkit::allocation::count_allocations;

/// Units as powers of two: of mass, length and time.
#[derive(Clone, Copy)]
struct Units {
    mass: f64,
    length: f64,
    time: f64,
}

const SI: Units = Units { mass: 1.0, length: 1.0, time: 1.0 };

/// A box on a spring, hinged to another that falls on the floor, beside a ball; all with friction.
struct World {
    model: NonSmoothDynamicalSystem,
    bodies: Vec<DynamicalSystemId>,
}

fn world(of: Units) -> Result<World, Error> {
    let Units { mass, length, time } = of;
    let (inertia, force) = (mass * length * length, mass * length / (time * time));
    let scaled = |x: [f64; 3], unit: f64| x.map(|x| unit * x);
    let weight = |m: f64| scaled([0.0, 0.0, -9.81 * m], force);
    let spring = move |_: At<'_>, q: &[f64], v: &[f64], f: &mut [f64]| {
        for i in 0..3 {
            f[i] = force / length * 40.0 * q[i] + force * time / length * 0.5 * v[i];
            // A damper of the rotation, along the axes of the body.
            f[3 + i] = inertia / time * 0.02 * v[3 + i];
        }
    };
    let stiffness = move |_: At<'_>, _: &[f64], _: &[f64], j: &mut ndarray::ArrayViewMut2<'_, f64>| {
        (0..3).for_each(|i| j[[i, i]] = force / length * 40.0);
    };
    let damping = move |_: At<'_>, _: &[f64], _: &[f64], j: &mut ndarray::ArrayViewMut2<'_, f64>| {
        (0..3).for_each(|i| j[[i, i]] = force * time / length * 0.5);
        (3..6).for_each(|i| j[[i, i]] = inertia / time * 0.02);
    };
    let tilt = Quaternion::about([1.0, 2.0, 0.5], 0.7);
    let first = NewtonEuler::new(
        1.5 * mass,
        [0.02, 0.05, 0.06].map(|i| inertia * i),
        scaled([0.1, 0.2, 0.5], length),
        tilt,
    )
    .with_twist(scaled([0.3, -0.2, 0.0], length / time), scaled([2.0, 1.0, -3.0], 1.0 / time))
    .with_constant_external_force(weight(1.5))
    .with_internal_force(Frame::Body, spring, Jacobian::function(stiffness), Jacobian::function(damping));
    let second = NewtonEuler::new(
        0.75 * mass,
        [0.01, 0.02, 0.015].map(|i| inertia * i),
        scaled([0.4, 0.2, 0.5], length),
        Quaternion::IDENTITY,
    )
    .with_constant_external_force(weight(0.75))
    .with_external_moment(Frame::Space, move |at, m| {
        m[1] = inertia / (time * time) * 0.03 * (3.0 * at.t / time).sin();
    });
    let ball =
        NewtonEuler::new(0.5 * mass, inertia * 0.002, scaled([0.7, 0.0, 0.3], length), Quaternion::IDENTITY)
            .with_twist(scaled([-1.0, 0.5, 0.0], length / time), [0.0; 3])
            .with_constant_external_force(weight(0.5));
    let hinge = Joint::revolute((&first, &second), scaled([0.25, 0.2, 0.5], length), [0.0, 1.0, 0.0])?;
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(first)?, model.add_system(second)?, model.add_system(ball)?];
    let condition = hinge.condition()?;
    model.add_interaction([ids[0], ids[1]], hinge, condition)?;
    for (id, radius) in [(ids[1], 0.1), (ids[2], 0.1)] {
        let plane = PointContact::of_ball_and_plane(
            ContactRows::Friction,
            radius * length,
            [0.0; 3],
            [0.0, 0.0, 1.0],
        )?;
        let law = NewtonImpactFriction::in_space(0.5, 0.3)?;
        model.add_interaction([id], plane, law)?;
    }
    Ok(World { model, bodies: ids.to_vec() })
}

fn simulation(world: &World, of: Units, threads: usize) -> Result<TimeStepping, Error> {
    TimeStepping::builder(&world.model)
        .discretisation(TimeDiscretisation::uniform(0.0, of.time, of.time / 256.0)?)
        .threads(NonZeroUsize::new(threads).expect("at least one"))
        .build()
}

/// Positions and velocities of all bodies, in SI units.
fn motion(world: &World, state: &State, of: Units) -> Vec<u64> {
    let units = |k: usize| if k < 3 { of.length } else { 1.0 };
    let mut bits = Vec::new();
    for &body in &world.bodies {
        bits.extend(state.q(body).iter().enumerate().map(|(k, q)| (q / units(k)).to_bits()));
        bits.extend(state.v(body).iter().enumerate().map(|(k, v)| (v / units(k) * of.time).to_bits()));
    }
    bits
}

fn run(of: Units, threads: usize) -> Result<Vec<Vec<u64>>, Error> {
    let world = world(of)?;
    let mut simulation = simulation(&world, of, threads)?;
    let mut state = simulation.initial_state(&world.model)?;
    let mut track = Vec::new();
    simulation.run(&world.model, &mut state, |_, state| track.push(motion(&world, state, of)))?;
    Ok(track)
}

#[test]
fn units_and_threads_change_no_bit() -> Result<(), Error> {
    let expected = run(SI, 1)?;
    assert_eq!(expected.len(), 256);
    assert_eq!(run(SI, 1)?, expected, "a second run");
    for threads in [2, 3, 8] {
        assert_eq!(run(SI, threads)?, expected, "{threads} threads");
    }
    for units in [
        Units { mass: f64::powi(2.0, 20), ..SI },
        Units { length: f64::powi(2.0, -30), ..SI },
        Units { time: f64::powi(2.0, 9), ..SI },
        Units { mass: f64::powi(2.0, -40), length: f64::powi(2.0, 10), time: f64::powi(2.0, -10) },
    ] {
        let Units { mass, length, time } = units;
        let found = run(units, 1)?;
        let first = found.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!(first, None, "units {mass:e}, {length:e}, {time:e}");
    }
    Ok(())
}

#[test]
fn a_record_goes_on_in_a_model_built_anew() -> Result<(), Error> {
    let first = world(SI)?;
    let mut simulated = simulation(&first, SI, 1)?;
    let mut state = simulated.initial_state(&first.model)?;
    for _ in 0..128 {
        simulated.step(&first.model, &mut state)?;
    }
    let other = world(SI)?;
    let mut again = State::restore(&other.model, &state.record(&first.model)?)?;
    let mut anew = simulation(&other, SI, 1)?;
    let mut steps = 0;
    while simulated.step(&first.model, &mut state)?.is_some() {
        anew.step(&other.model, &mut again)?;
        assert_eq!(motion(&other, &again, SI), motion(&first, &state, SI));
        steps += 1;
    }
    assert_eq!(steps, 128);
    Ok(())
}

#[test]
fn a_step_of_bodies_allocates_nothing() -> Result<(), Error> {
    let world = world(SI)?;
    let mut simulation = simulation(&world, SI, 1)?;
    let mut state = simulation.initial_state(&world.model)?;
    for _ in 0..200 {
        simulation.step(&world.model, &mut state)?;
    }
    let count = count_allocations(|| {
        for _ in 0..50 {
            simulation.step(&world.model, &mut state).expect("a step");
        }
    });
    assert_eq!(count, 0);
    Ok(())
}
