//! Springs and dampers between systems as laws of relations, compared with internal forces, with closed forms
//! and with the order of the scheme.

use ndarray::array;
use siconos_kernel::model::{Distance, Inertia, Joint};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::common::grid;

/// Returns positions and velocities at the end of a run.
fn end(
    model: &NonSmoothDynamicalSystem,
    systems: &[DynamicalSystemId],
    (theta, grid): (f64, TimeDiscretisation),
) -> Result<Vec<f64>, Error> {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(grid)
        .integrator(MoreauJean::new(theta)?)
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(model)?;
    simulation.run(model, &mut state, |report, _| assert!(report.solve.status.is_success(), "{report:?}"))?;
    Ok(systems
        .iter()
        .flat_map(|&id| state.q(id).iter().chain(state.v(id)).copied().collect::<Vec<_>>())
        .collect())
}

/// Two masses with a spring and a damper. The motion is the same for matrices of one system and for a law
/// between two systems, in flight and on a floor.
#[test]
fn a_spring_between_two_masses_is_the_stiffness_of_one_system() -> Result<(), Error> {
    let (k, c) = (300.0, 2.0);
    for theta in [0.5, 0.7, 1.0] {
        for (k, c) in [(k, c), (k, 0.0), (0.0, c)] {
            let mut one = NonSmoothDynamicalSystem::new();
            let coupled = array![[1.0, -1.0], [-1.0, 1.0]];
            let whole =
                LagrangianLinear::new(vec![0.5, 0.9], vec![0.0, -1.0], array![[2.0, 0.0], [0.0, 1.0]])
                    .with_stiffness(&coupled * k)
                    .with_damping(&coupled * c)
                    // The force of the spring vanishes at the rest length of 0.3 m.
                    .with_constant_external_force(vec![-2.0 * 9.81 - 0.3 * k, -9.81 + 0.3 * k]);
            let whole = one.add_system(whole)?;
            let floor = LagrangianLinearRelation::new(array![[1.0, 0.0]]);
            one.add_interaction([whole], floor, NewtonImpact::new(0.5)?)?;
            let expected = end(&one, &[whole], (theta, grid(2.0, 1e-3)))?;

            let mut two = NonSmoothDynamicalSystem::new();
            let mass = |q: f64, v: f64, m: f64| {
                LagrangianLinear::new(vec![q], vec![v], array![m])
                    .with_constant_external_force(vec![-9.81 * m])
            };
            let masses = [two.add_system(mass(0.5, 0.0, 2.0))?, two.add_system(mass(0.9, -1.0, 1.0))?];
            let between = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.3]);
            two.add_interaction(masses, between, SpringDamper::new(k, c)?)?;
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            two.add_interaction([masses[0]], floor, NewtonImpact::new(0.5)?)?;
            let found = end(&two, &masses, (theta, grid(2.0, 1e-3)))?;
            let places = [0, 2, 1, 3];
            for (own, place) in found.iter().zip(places) {
                assert!((own - expected[place]).abs() < 1e-10, "{theta} {k} {c}: {found:?} {expected:?}");
            }
        }
    }
    Ok(())
}

/// Simulates a spinning dumbbell with a stretched spring, in multiples of SI units. Returns its final state.
fn dumbbell(h: f64, (k, c): (f64, f64), [mass, length, time]: [f64; 3]) -> Result<(Vec<f64>, f64), Error> {
    let force = mass * length / (time * time);
    let (speed, radius) = (length / time, 0.1 * length);
    let ball = |m: f64, x: f64, v: f64| {
        let inertia = Inertia::from([0.01, 0.02, 0.015].map(|moment| moment * mass * length * length));
        NewtonEuler::new(m * mass, inertia, [x * length, 0.0, 0.0], Quaternion::IDENTITY)
            .with_twist([0.0, v * speed, 0.2 * v * speed], [1.0, -2.0, 0.5].map(|omega| omega / time))
    };
    let (left, right) = (ball(1.0, 0.0, -1.0), ball(2.0, 1.0, 0.7));
    // The ends of the spring are on the surfaces of the balls.
    let hooks = ([radius, 0.0, 0.0], [length - radius, 0.0, 0.0]);
    let spring = Distance::between((&left, &right), hooks.0, hooks.1)?.with_length(0.7 * length)?;
    let mut model = NonSmoothDynamicalSystem::new();
    let balls = [model.add_system(left)?, model.add_system(right)?];
    model.add_interaction(balls, spring, SpringDamper::new(k * force / length, c * force / speed)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, time, h * time)?)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .energy_balance(true)
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut of_forces = 0.0;
    simulation.run(&model, &mut state, |report, _| {
        let energy = report.energy.expect("asked for");
        of_forces += energy.forces;
        assert!(energy.scheme.abs() < 1e-10 * energy.kinetic.max(of_forces.abs()), "{energy:?}");
    })?;
    let mut motion = Vec::new();
    for ball in balls {
        motion.extend(state.q(ball).iter().enumerate().map(|(i, q)| if i < 3 { q / length } else { *q }));
        let unit = |i: usize| if i < 3 { speed } else { 1.0 / time };
        motion.extend(state.v(ball).iter().enumerate().map(|(i, v)| v / unit(i)));
    }
    Ok((motion, of_forces / (force * length)))
}

#[test]
fn a_spring_between_bodies_is_of_order_two_and_keeps_the_energy() -> Result<(), Error> {
    let spring = (200.0, 0.0);
    let runs = [1.0 / 128.0, 1.0 / 256.0, 1.0 / 512.0, 1.0 / 4096.0]
        .map(|h| dumbbell(h, spring, [1.0; 3]).expect("it runs"));
    let error = |k: usize| {
        let pairs = runs[k].0.iter().zip(&runs[3].0);
        pairs.fold(0.0, |worst, (a, b)| worse(worst, (a - b).abs()))
    };
    let errors = [error(0), error(1), error(2)];
    assert!(errors[0] / errors[1] > 3.5 && errors[1] / errors[2] > 3.5 && errors[2] < 1e-2, "{errors:?}");

    // The work of the spring equals the decrease of its energy.
    let distance = |motion: &[f64]| {
        let point = |ball: usize, hook: f64| {
            let q = &motion[13 * ball..13 * ball + 7];
            let turned = Quaternion([q[3], q[4], q[5], q[6]]).rotate([hook, 0.0, 0.0]);
            [q[0] + turned[0], q[1] + turned[1], q[2] + turned[2]]
        };
        let (a, b) = (point(0, 0.1), point(1, -0.1));
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    };
    let potential = |length: f64| 0.5 * spring.0 * (length - 0.7_f64).powi(2);
    let off = |k: usize| {
        let (motion, work) = &runs[k];
        (work - potential(0.8) + potential(distance(motion))).abs()
    };
    assert!(off(1) / off(2) > 3.5 && off(2) < 1e-3, "{} {}", off(1), off(2));
    Ok(())
}

#[test]
fn springs_between_bodies_scale_to_the_last_bit() -> Result<(), Error> {
    let (own, work) = dumbbell(1.0 / 256.0, (200.0, 1.0), [1.0; 3])?;
    for units in [[256.0, 1.0, 1.0], [1.0, 0.125, 1.0], [1.0, 1.0, 64.0], [0.5, 16.0, 0.25]] {
        let (other, other_work) = dumbbell(1.0 / 256.0, (200.0, 1.0), units)?;
        assert!(own.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()), "{units:?}");
        assert_eq!(work.to_bits(), other_work.to_bits());
    }
    Ok(())
}

/// The motion with a spring approaches the motion with a massless rod as the stiffness increases.
#[test]
fn a_stiff_spring_comes_to_a_rod() -> Result<(), Error> {
    let pendulum = |law: siconos_kernel::model::NonSmoothLaw| -> Result<Vec<f64>, Error> {
        let bob = NewtonEuler::new(1.0, 0.01, [f64::sin(1.0), 0.0, -f64::cos(1.0)], Quaternion::IDENTITY)
            .with_constant_external_force([0.0, 0.0, -9.81]);
        let rod = Distance::between(&bob, [f64::sin(1.0), 0.0, -f64::cos(1.0)], [0.0; 3])?;
        let mut model = NonSmoothDynamicalSystem::new();
        let bob = model.add_system(bob)?;
        model.add_interaction([bob], rod, law)?;
        end(&model, &[bob], (1.0, grid(1.0, 1e-3)))
    };
    let rod = pendulum(EqualityCondition::new(1)?.into())?;
    let mut before = f64::INFINITY;
    for k in [1e4, 1e6, 1e8, 1e12] {
        let spring = pendulum(SpringDamper::new(k, 0.0)?.into())?;
        let off = rod.iter().zip(&spring).fold(0.0, |worst, (a, b)| worse(worst, (a - b).abs()));
        // The length of the rod drifts with the error of the scheme; the length of the spring does not.
        assert!(off < before || off < 2e-2, "{k}: {off}");
        before = off;
    }
    assert!(before < 2e-2, "{before}");
    Ok(())
}

/// A hinge with a torsion spring and a damper: omega^2 = k / I, decay rate c / (2 I).
#[test]
fn a_hinge_swings_on_its_torsion_spring() -> Result<(), Error> {
    let (k, c, inertia) = (4.0, 0.05, 0.1);
    let flap =
        NewtonEuler::new(1.0, inertia, [0.0; 3], Quaternion::IDENTITY).with_twist([0.0; 3], [0.0, 2.0, 0.0]);
    let hinge = Joint::revolute(&flap, [0.0; 3], [0.0, 1.0, 0.0])?;
    let angle = hinge.angle().expect("a hinge turns");
    let mut model = NonSmoothDynamicalSystem::new();
    let flap = model.add_system(flap)?;
    let condition = hinge.condition()?;
    model.add_interaction([flap], hinge, condition)?;
    let spring = model.add_interaction([flap], angle, SpringDamper::new(k, c)?)?;
    let run = |h: f64| -> Result<f64, Error> {
        let mut simulation = TimeStepping::builder(&model).discretisation(grid(2.0, h)).build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut worst = 0.0;
        simulation.run(&model, &mut state, |report, state| {
            let decay: f64 = 0.5 * c / inertia;
            let omega = (k / inertia - decay * decay).sqrt();
            let expected = 2.0 / omega * (-decay * report.t).exp() * (omega * report.t).sin();
            worst = worse(worst, (state.y(spring, Level::Position)[0] - expected).abs());
        })?;
        Ok(worst)
    };
    let (coarse, fine) = (run(4e-3)?, run(2e-3)?);
    assert!(fine < 1e-4 && coarse / fine > 3.8, "{coarse} {fine}");
    Ok(())
}

/// A load on a rope is released above its lowest point, falls freely, and is stopped by the rope.
#[test]
fn a_rope_pulls_and_does_not_push() -> Result<(), Error> {
    let load = NewtonEuler::new(2.0, 0.01, [0.0, 0.0, -0.5], Quaternion::IDENTITY)
        .with_constant_external_force([0.0, 0.0, -2.0 * 9.81]);
    let rope = Distance::between(&load, [0.0, 0.0, -0.5], [0.0; 3])?.with_length(1.0)?.slack();
    let mut model = NonSmoothDynamicalSystem::new();
    let load = model.add_system(load)?;
    let rope = model.add_interaction([load], rope, NewtonImpact::new(0.0)?)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build()?;
    let mut state = simulation.initial_state(&model)?;
    let taut = f64::sqrt(2.0 * 0.5 / 9.81);
    let mut worst = 0.0;
    simulation.run(&model, &mut state, |report, state| {
        let (v, pull) = (state.v(load)[2], state.lambda(rope, Level::Velocity)[0] / report.h);
        if report.t < taut - 1e-3 {
            worst = worse(worst, (v + 9.81 * report.t).abs() + pull);
        } else if report.t > taut + 2e-3 {
            worst = worse(worst, v.abs() + (pull - 2.0 * 9.81).abs());
        }
    })?;
    assert!(worst < 1e-11, "{worst}");
    Ok(())
}

#[test]
fn springs_are_refused_where_they_mean_nothing() -> Result<(), Error> {
    for (k, c) in [(0.0, 0.0), (-1.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 0.0)] {
        let error = SpringDamper::new(k, c).expect_err("refused").to_string();
        assert!(error.contains("not both 0"), "{error}");
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = model.add_system(LagrangianLinear::new(vec![0.1], vec![0.0], array![1.0]))?;
    model.add_interaction(
        [mass],
        LagrangianLinearRelation::new(array![[1.0]]),
        SpringDamper::new(1.0, 0.0)?,
    )?;
    let of = |integrator: Integrator| {
        let built =
            TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).integrator(integrator).build();
        built.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(of(MoreauJean::new(0.0)?.into()).contains("theta above 0"));
    assert!(of(D1MinusLinear::default().into()).contains("use MoreauJean"));
    let error = EventDriven::builder(&model).discretisation(grid(1.0, 0.1)).build();
    assert!(error.is_err_and(|error| error.to_string().contains("internal force of one system")));

    let body = NewtonEuler::new(1.0, 0.1, [0.0; 3], Quaternion::IDENTITY);
    assert!(matches!(Distance::between(&body, [0.0; 3], [0.0; 3]), Err(ModelError::NoDirection { .. })));
    let length = Distance::between(&body, [0.0; 3], [1.0, 0.0, 0.0])?.with_length(-0.1);
    assert!(matches!(length, Err(ModelError::Length { value }) if value == -0.1), "{length:?}");

    // If the end points coincide, the error names the interaction.
    let mut model = NonSmoothDynamicalSystem::new();
    let to_origin = Distance::between(&body, [0.0; 3], [1.0, 0.0, 0.0])?;
    let body = model.add_system(NewtonEuler::new(1.0, 0.1, [1.0, 0.0, 0.0], Quaternion::IDENTITY))?;
    let spring = model.add_interaction([body], to_origin, SpringDamper::new(1.0, 0.0)?)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build()?;
    let error = simulation.initial_state(&model).expect_err("no direction").to_string();
    assert!(error.contains(&spring.to_string()), "{error}");
    Ok(())
}
