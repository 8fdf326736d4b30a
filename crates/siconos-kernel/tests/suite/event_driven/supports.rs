//! Contacts that close simultaneously, share a load redundantly, or open one by one.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;

use crate::event_driven::common::{run, simulation};

/// Creates a rigid beam, with the height of its centre and its tilt as coordinates, over supports at the
/// given positions. Its mass is 2 and its moment of inertia 0.5.
fn beam(
    supports: &[f64],
    e: f64,
    (z, tilt): (f64, f64),
) -> (NonSmoothDynamicalSystem, DynamicalSystemId, Vec<InteractionId>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let beam = LagrangianLinear::new(vec![z, tilt], vec![0.0; 2], array![2.0, 0.5])
        .with_external_force(|_t, f| f[0] = -2.0 * 10.0);
    let beam = model.add_system(beam).unwrap();
    let contacts = supports
        .iter()
        .map(|x| {
            let gap = LagrangianLinearRelation::new(array![[1.0, *x]]);
            model.add_interaction([beam], gap, NewtonImpact::new(e).unwrap()).unwrap()
        })
        .collect();
    (model, beam, contacts)
}

#[test]
fn a_beam_lands_on_two_plastic_supports_at_once() {
    let (model, beam, contacts) = beam(&[-1.0, 1.0], 0.0, (0.2, 0.0));
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let mut together = Vec::new();
    sim.run(&model, &mut state, |report, state| {
        if !report.impacts.is_empty() {
            together.push((
                report.t,
                report.impacts.len(),
                contacts.iter().map(|c| state.lambda(*c, Level::Velocity)[0]).sum::<f64>(),
            ));
        }
    })
    .unwrap();
    assert_eq!(together.len(), 1);
    let (t, count, impulse) = together[0];
    assert_eq!(count, 2);
    assert!((t - 0.2).abs() < 1e-13);
    // The impulse stops 2 kg at 2 m/s. The impact is located to 1e-13 s, in which the weight changes the
    // momentum by 2e-12 Ns.
    assert!((impulse - 4.0).abs() < 4e-12, "{impulse}");
    for v in state.v(beam) {
        assert!(v.abs() < 1e-14);
    }
    for contact in contacts {
        assert_eq!(state.closed(contact), [true]);
        assert!((state.lambda(contact, Level::Acceleration)[0] - 10.0).abs() < 1e-12);
    }
}

/// A tilted beam lands on one end first, rotates about it, and then lands on the other end.
#[test]
fn a_beam_lands_on_one_plastic_support_and_then_the_other() {
    let (z, tilt) = (0.2, 0.05);
    let (model, beam, contacts) = beam(&[-1.0, 1.0], 0.0, (z, tilt));
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let run = run(&model, &mut sim, &mut state, |_| {});
    let first = (2.0 * (z - tilt) / 10.0_f64).sqrt();
    assert!((run.impacts[0] - first).abs() < 1e-12);
    // At the left end: v = 10 t; p (1/2 + 2) = v; then y_left = 0. The gap on the right, z + tilt, decreases
    // from 2 tilt with the velocity -v + p (1/2 - 2) and the acceleration -10 + (1/2 - 2) * (10 / 2.5).
    let v = 10.0 * first;
    let (p, force) = (v / 2.5, 10.0 / 2.5);
    let (rate, acceleration) = (v + 1.5 * p, 10.0 + 1.5 * force);
    let tau = ((rate * rate + 2.0 * acceleration * 2.0 * tilt).sqrt() - rate) / acceleration;
    assert!((run.impacts[1] - first - tau).abs() < 1e-12, "{} {}", run.impacts[1] - first, tau);
    println!("beam on one end: {} impacts, {} releases", run.impacts.len(), run.released.len());
    // The second impact lifts the first end, since 2 < 4 m / I. The impacts of the two ends alternate and
    // accumulate.
    assert!(state.q(beam).iter().all(|q| q.abs() < 1e-12), "{:?}", state.q(beam));
    for contact in contacts {
        assert_eq!(state.closed(contact), [true]);
    }
}

/// Three and five supports carry a beam for which two are sufficient.
#[test]
fn a_beam_on_redundant_supports() {
    for (supports, e) in
        [(vec![-1.0, 0.0, 1.0], 0.0), (vec![-1.0, -0.5, 0.0, 0.5, 1.0], 0.0), (vec![-1.0, 0.0, 1.0], 0.5)]
    {
        let (model, beam, contacts) = beam(&supports, e, (0.2, 0.0));
        let mut sim = simulation(&model, 2.0, 0.05);
        let mut state = sim.initial_state(&model).unwrap();
        run(&model, &mut sim, &mut state, |_| {});
        assert!(state.q(beam).iter().chain(state.v(beam)).all(|x| x.abs() < 1e-12), "{:?}", state.q(beam));
        let forces: Vec<f64> = contacts.iter().map(|c| state.lambda(*c, Level::Acceleration)[0]).collect();
        let sum: f64 = forces.iter().sum();
        let moment: f64 = forces.iter().zip(&supports).map(|(f, x)| f * x).sum();
        assert!((sum - 20.0).abs() < 1e-11 && moment.abs() < 1e-11, "{forces:?}");
        assert!(forces.iter().all(|f| *f >= -1e-12), "{forces:?}");
        assert!(contacts.iter().all(|c| state.closed(*c) == [true]));
    }
}

/// A moment lifts one end of a beam on three supports. Contacts that carried no load have to detect their new
/// load.
#[test]
fn a_beam_on_three_supports_tips_over() {
    let mut model = NonSmoothDynamicalSystem::new();
    // The moment grows like 8 t. With the weight 20, the beam tips about its right end at x = 1 if the moment
    // exceeds 20.
    let beam = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0; 2], array![2.0, 0.5])
        .with_external_force(|at, f| (f[0], f[1]) = (-20.0, -8.0 * at.t));
    let beam = model.add_system(beam).unwrap();
    let contacts: Vec<_> = [-1.0, 0.0, 1.0]
        .iter()
        .map(|x| {
            let gap = LagrangianLinearRelation::new(array![[1.0, *x]]);
            model.add_interaction([beam], gap, NewtonImpact::new(0.0).unwrap()).unwrap()
        })
        .collect();
    let mut sim = simulation(&model, 3.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let mut released = Vec::new();
    sim.run(&model, &mut state, |report, state| {
        released.extend(report.released.iter().map(|_| report.t));
        for c in &contacts {
            assert!(state.y(*c, Level::Position)[0] > -1e-10, "t = {}", state.t);
        }
    })
    .unwrap();
    println!("released {released:?}");
    assert!(!released.is_empty() && (released.last().unwrap() - 2.5).abs() < 1e-9, "{released:?}");
    // Rotation about the right end with moment of inertia 0.5 + 2: 2.5 a = 8 t - 20, a = 3.2 (t - 2.5).
    let tau = 0.5_f64;
    let angle = 3.2 * tau.powi(3) / 6.0;
    assert!((-state.q(beam)[1] - angle).abs() < 1e-9, "{} {angle}", state.q(beam)[1]);
    assert_eq!(state.closed(contacts[2]), [true]);
}

/// A column of beads in contact lands: all contacts close simultaneously.
#[test]
fn a_column_of_many_beads_lands() {
    for (n, e) in [(8, 0.0), (40, 0.0), (40, 0.5)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies: Vec<_> = (0..n)
            .map(|_| {
                let bead = LagrangianLinear::new(vec![0.1], vec![0.0], array![1.0]);
                model.add_system(bead.with_external_force(|_t, f| f[0] = -10.0)).unwrap()
            })
            .collect();
        let law = NewtonImpact::new(e).unwrap();
        let mut contacts = vec![
            model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap(),
        ];
        for pair in bodies.windows(2) {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
            contacts.push(model.add_interaction([pair[0], pair[1]], gap, law).unwrap());
        }
        let mut sim = simulation(&model, 2.0, 0.1);
        let mut state = sim.initial_state(&model).unwrap();
        let run = run(&model, &mut sim, &mut state, |state| {
            for contact in &contacts {
                assert!(state.y(*contact, Level::Position)[0] > -1e-10);
            }
        });
        println!("{n} beads, e = {e}: {} impacts, {} events", run.impacts.len(), run.reports);
        for (k, contact) in contacts.iter().enumerate() {
            let force = state.lambda(*contact, Level::Acceleration)[0];
            assert!((force - 10.0 * (n - k) as f64).abs() < 1e-9 * n as f64, "contact {k}: {force}");
        }
        for body in &bodies {
            assert!(state.q(*body)[0].abs() < 1e-12 && state.v(*body)[0].abs() < 1e-12);
        }
    }
}

/// A mass in the plane moves over two floors that coincide except for their curvature. While both contacts
/// are closed, their rows are equal, and only one of them is active. The curved floor bends downwards or
/// upwards.
#[test]
fn rows_that_are_dependent_for_a_moment() {
    for bend in [-0.5, 0.5] {
        let mut model = NonSmoothDynamicalSystem::new();
        let mass = LagrangianLinear::new(vec![0.0, 0.0], vec![1.0, 0.0], array![1.0, 1.0])
            .with_external_force(|_t, f| f[1] = -10.0);
        let mass = model.add_system(mass).unwrap();
        let law = NewtonImpact::new(0.0).unwrap();
        let flat =
            model.add_interaction([mass], LagrangianLinearRelation::new(array![[0.0, 1.0]]), law).unwrap();
        let curved = LagrangianScleronomousRelation::new(1, move |_, q, y| y[0] = q[1] - bend * q[0] * q[0])
            .with_jacobian(move |_, q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * bend * q[0], 1.0));
        let curved = model.add_interaction([mass], curved, law).unwrap();
        let mut sim = simulation(&model, 0.4, 0.01);
        let mut state = sim.initial_state(&model).unwrap();
        run(&model, &mut sim, &mut state, |state| {
            for contact in [flat, curved] {
                let gap = state.y(contact, Level::Position)[0];
                assert!(gap > -1e-9, "bend {bend}, t = {}: gap {gap:e}", state.t);
            }
        });
        let held = if bend < 0.0 { flat } else { curved };
        assert_eq!(state.closed(held), [true], "bend {bend}");
        if bend < 0.0 {
            assert!((state.q(mass)[0] - 0.4).abs() < 1e-12 && state.q(mass)[1].abs() < 1e-12);
        } else {
            // Energy is conserved along the parabola.
            let (q, v) = (state.q(mass), state.v(mass));
            let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 10.0 * q[1];
            assert!((energy - 0.5).abs() < 1e-8, "{energy}");
        }
    }
}
