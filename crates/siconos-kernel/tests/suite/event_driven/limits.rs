//! Limits of event-driven motions: accumulations of impacts, grazing, undetermined contacts.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AccumulationPolicy, EventDrivenSettings};
use siconos_models::ball;
use siconos_testkit::exact::BouncingBall;

use crate::event_driven::common::{run, simulation, simulation_with};

const G: f64 = 9.81;

fn policy(policy: AccumulationPolicy) -> EventDrivenSettings {
    let mut settings = EventDrivenSettings::default();
    settings.accumulation.policy = policy;
    settings
}

#[test]
fn stop_ends_the_simulation_with_the_time_of_the_accumulation() {
    let built = ball(G, 0.9, 1.0, 0.0).unwrap();
    let exact = BouncingBall::new(G, 0.9, 1.0, 0.0).accumulation_time().unwrap();
    let mut sim = simulation_with(&built.model, 20.0, 0.5, policy(AccumulationPolicy::Stop));
    let mut state = sim.initial_state(&built.model).unwrap();
    let run = run(&built.model, &mut sim, &mut state, |_| {});
    let (t, estimate) = run.accumulations[0];
    assert_eq!((run.accumulations.len(), state.t), (1, t));
    assert!((estimate - exact).abs() < 1e-9 && t < exact, "{estimate} {exact}");
    for _ in 0..3 {
        assert!(sim.step(&built.model, &mut state).unwrap().is_none());
    }
    // The ball keeps its velocity, and the simulation can continue.
    assert!(state.v(built.bodies[0])[0] > 0.0);
    state.set_velocity(built.bodies[0], &[1.0]).unwrap();
    let report = sim.step(&built.model, &mut state).unwrap().unwrap();
    assert_eq!(report.impacts.len(), 1);
    assert!((report.t - t - 2.0 / G).abs() < 1e-9);
}

#[test]
fn stick_closes_the_contact_at_any_restitution() {
    for e in [0.0, 0.1, 0.5, 0.9, 0.99] {
        let built = ball(G, e, 1.0, 0.0).unwrap();
        let exact = BouncingBall::new(G, e, 1.0, 0.0).accumulation_time().unwrap();
        let mut sim = simulation(&built.model, (1.1 * exact).ceil(), 0.5);
        let mut state = sim.initial_state(&built.model).unwrap();
        let run = run(&built.model, &mut sim, &mut state, |_| {});
        println!(
            "e = {e}: {} impacts, accumulation {:?}, exact {exact}",
            run.impacts.len(),
            run.accumulations
        );
        assert_eq!((state.q(built.bodies[0]), state.v(built.bodies[0])), (&[0.0][..], &[0.0][..]));
        assert_eq!(state.closed(built.contacts[0]), [true]);
        if e > 0.0 {
            assert_eq!(run.accumulations.len(), 1);
            let (t, estimate) = run.accumulations[0];
            assert!((estimate - exact).abs() < 1e-9 * exact.max(1.0), "e = {e}: {estimate} {exact}");
            assert!((t - exact).abs() <= 1.001e-6);
        } else {
            assert_eq!((run.impacts.len(), run.accumulations.len()), (1, 0));
        }
    }
}

/// Two inertially coupled coordinates, each above a floor with a plastic law. The impact of one lifts the
/// other with half the impact speed, again and again. With M = [[1, -1/2], [-1/2, 1]] and unit forces, the
/// lifted one falls at 1 m/s^2, so that the motion ends 2 s after the first impact, which has a speed of 1
/// m/s.
#[test]
fn plastic_contacts_that_lift_each_other_come_to_rest() {
    for origin in [0.0, -0.0171, 17.3] {
        let mut model = NonSmoothDynamicalSystem::new();
        let mass = array![[1.0, -0.5], [-0.5, 1.0]];
        let body = LagrangianLinear::new(vec![origin, origin + 0.5], vec![0.0, 0.0], mass)
            .with_external_force(|_t, f| f.fill(-1.0));
        let body = model.add_system(body).unwrap();
        let floors = LagrangianLinearRelation::new(array![[1.0, 0.0], [0.0, 1.0]])
            .with_offset(array![-origin, -origin]);
        let floors = model.add_interaction([body], floors, NewtonImpact::new(0.0).unwrap()).unwrap();
        let mut sim = simulation(&model, 4.0, 0.5);
        let mut state = sim.initial_state(&model).unwrap();
        let run = run(&model, &mut sim, &mut state, |_| {});
        assert_eq!(state.closed(floors), [true, true]);
        assert!(state.v(body).iter().all(|v| v.abs() < 1e-15), "{:?}", state.v(body));
        assert!(run.impacts.len() < 60, "{origin}: {} impacts", run.impacts.len());
        let first = run.impacts.iter().copied().find(|t| *t > 0.0).unwrap();
        assert!((first - 1.0).abs() < 1e-9, "{first}");
        let (_, estimate) = run.accumulations[0];
        assert!((estimate - 3.0).abs() < 2e-6, "{estimate}");
    }
}

/// A floor far above the origin, where the rounding errors of gaps are larger than the last bounces.
#[test]
fn a_ball_comes_to_rest_on_a_high_floor() {
    for height in [10.0, 1e4] {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![height + 0.1], vec![0.0], array![1.0])
            .with_external_force(|_t, f| f[0] = -G);
        let body = model.add_system(body).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]).with_offset(array![-height]);
        let floor = model.add_interaction([body], floor, NewtonImpact::new(0.8).unwrap()).unwrap();
        let mut sim = simulation(&model, 3.0, 0.5);
        let mut state = sim.initial_state(&model).unwrap();
        let run = run(&model, &mut sim, &mut state, |_| {});
        println!("floor at {height}: {} impacts, {:?}", run.impacts.len(), run.accumulations);
        let exact = BouncingBall::new(G, 0.8, 0.1, 0.0).accumulation_time().unwrap();
        let (_, estimate) = run.accumulations[0];
        assert!((estimate - exact).abs() < 1e-6 * height.sqrt(), "{estimate} {exact}");
        assert_eq!(state.closed(floor), [true]);
        assert!((state.q(body)[0] - height).abs() <= 1e-15 * height && state.v(body)[0] == 0.0);
    }
}

#[test]
fn a_ball_between_floor_and_ceiling_comes_to_rest() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body =
        LagrangianLinear::new(vec![0.5], vec![8.0], array![1.0]).with_external_force(|_t, f| f[0] = -G);
    let body = model.add_system(body).unwrap();
    let walls: Vec<_> = [(1.0, 0.0), (-1.0, 1.0)]
        .into_iter()
        .map(|(j, b)| {
            let wall = LagrangianLinearRelation::new(array![[j]]).with_offset(array![b]);
            model.add_interaction([body], wall, NewtonImpact::new(0.7).unwrap()).unwrap()
        })
        .collect();
    // Exact impact times: the ball moves from wall to wall until it no longer reaches the ceiling.
    let (mut t, mut y, mut v, mut times) = (0.0, 0.5_f64, 8.0_f64, Vec::new());
    let e = 0.7;
    for _ in 0..30 {
        let at_ceiling = v * v - 2.0 * G * (1.0 - y);
        if v > 0.0 && at_ceiling >= 0.0 {
            let after = at_ceiling.sqrt();
            t += (v - after) / G;
            (y, v) = (1.0, -e * after);
        } else {
            let before = (v * v + 2.0 * G * y).sqrt();
            t += (v + before) / G;
            (y, v) = (0.0, e * before);
        }
        times.push(t);
    }
    let mut sim = simulation(&model, 6.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let run = run(&model, &mut sim, &mut state, |state| {
        for wall in &walls {
            assert!(state.y(*wall, Level::Position)[0] > -1e-12);
        }
    });
    for (found, exact) in run.impacts.iter().zip(&times) {
        assert!((found - exact).abs() < 1e-11, "{found} {exact}");
    }
    assert!(run.impacts.len() >= times.len());
    assert_eq!((state.q(body), state.v(body)), (&[0.0][..], &[0.0][..]));
}

/// Two balls above each other bounce on a floor. The motion is chaotic, so that only invariants are checked.
#[test]
fn two_balls_on_each_other_come_to_rest() {
    for (e, mass) in [(0.5, 1.0), (0.8, 0.3), (0.8, 5.0)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies: Vec<_> = [(1.0, 1.0), (1.3, mass)]
            .into_iter()
            .map(|(q, m)| {
                let body = LagrangianLinear::new(vec![q], vec![0.0], array![m]);
                model.add_system(body.with_external_force(move |_t, f| f[0] = -m * G)).unwrap()
            })
            .collect();
        let law = NewtonImpact::new(e).unwrap();
        let floor =
            model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
        let between = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
        let between = model.add_interaction([bodies[0], bodies[1]], between, law).unwrap();
        let energy = |state: &State| -> f64 {
            let of = |k: usize, m: f64| {
                let (q, v) = (state.q(bodies[k])[0], state.v(bodies[k])[0]);
                m * (0.5 * v * v + G * q)
            };
            of(0, 1.0) + of(1, mass)
        };
        let mut sim = simulation(&model, 15.0, 0.01);
        let mut state = sim.initial_state(&model).unwrap();
        let (mut last, mut lowest) = (energy(&state), 0.0_f64);
        let run = run(&model, &mut sim, &mut state, |state| {
            let now = energy(state);
            assert!(now <= last + 1e-10, "t = {}: {last} to {now}", state.t);
            last = now;
            for contact in [floor, between] {
                lowest = lowest.min(state.y(contact, Level::Position)[0]);
            }
        });
        println!(
            "e = {e}, mass {mass}: {} impacts, {} accumulations, gap {lowest:e}",
            run.impacts.len(),
            run.accumulations.len()
        );
        assert!(lowest > -1e-10, "{lowest:e}");
        assert!(energy(&state).abs() < 1e-9, "{}", energy(&state));
        assert!((state.lambda(floor, Level::Acceleration)[0] - (1.0 + mass) * G).abs() < 1e-9);
    }
}

/// Creates a mass of 1 kg at rest at y = 0 under the force f(t).
fn resting(
    force: impl Fn(f64) -> f64 + Send + Sync + 'static,
) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
        .with_external_force(move |at, f| f[0] = force(at.t));
    let body = model.add_system(body).unwrap();
    let contact = model
        .add_interaction(
            [body],
            LagrangianLinearRelation::new(array![[1.0]]),
            NewtonImpact::new(0.5).unwrap(),
        )
        .unwrap();
    (model, body, contact)
}

#[test]
fn the_next_derivative_decides_where_acceleration_and_force_vanish() {
    // The contact opens: q = t^3 / 6.
    let (model, body, contact) = resting(|t| t);
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(state.closed(contact), [false]);
    run(&model, &mut sim, &mut state, |state| {
        assert!((state.q(body)[0] - state.t.powi(3) / 6.0).abs() < 1e-10);
    });
    assert!((state.v(body)[0] - 0.5).abs() < 1e-10);
    // The contact stays closed, with the force t.
    let (model, body, contact) = resting(|t| -t);
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(state.closed(contact), [true]);
    let run = run(&model, &mut sim, &mut state, |state| {
        assert_eq!(state.q(body), [0.0]);
        assert!((state.lambda(contact, Level::Acceleration)[0] - state.t).abs() < 1e-13);
    });
    assert_eq!(run.reports, 10);
}

/// The contact force vanishes and increases again. The closed contact must not open at this moment, or opens
/// later.
#[test]
fn a_force_that_touches_zero() {
    let (model, body, contact) = resting(|t| -(t - 0.5).powi(2));
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    run(&model, &mut sim, &mut state, |state| assert!(state.q(body)[0].abs() < 1e-12));
    assert_eq!(state.closed(contact), [true]);
    // The force vanishes to third order: the contact opens at 0.5 with q = (t - 0.5)^5 / 20.
    let (model, body, _) = resting(|t| (t - 0.5).powi(3));
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    run(&model, &mut sim, &mut state, |state| {
        let exact = (state.t - 0.5).max(0.0).powi(5) / 20.0;
        assert!((state.q(body)[0] - exact).abs() < 1e-9, "{}: {}", state.t, state.q(body)[0] - exact);
    });
}

/// The acceleration that presses the body down is below the tolerance, and briefly pulls it up. The motion is
/// the same for all units of mass.
#[test]
fn the_unit_of_mass_does_not_change_when_a_contact_opens() {
    let motion = |mass: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![mass])
            .with_external_force(move |at, f| f[0] = mass * (1e-12 * (8.0 * at.t).sin() - 5e-13));
        let body = model.add_system(body).unwrap();
        let (plane, law) = (LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.5).unwrap());
        let contact = model.add_interaction([body], plane, law).unwrap();
        let mut sim = simulation(&model, 1.0, 0.1);
        let mut state = sim.initial_state(&model).unwrap();
        let mut points = Vec::new();
        let run = run(&model, &mut sim, &mut state, |state| {
            points.push((state.t, state.q(body)[0], state.closed(contact)[0]));
        });
        (points, run.reports)
    };
    let one = motion(1.0);
    for power in [-30, 10, 30] {
        assert_eq!(motion(2.0_f64.powi(power)), one, "2^{power}");
    }
}

#[test]
fn a_contact_on_which_nothing_acts_is_undetermined_and_stays() {
    let (model, body, contact) = resting(|_| 0.0);
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(state.closed(contact), [true]);
    run(&model, &mut sim, &mut state, |state| {
        assert_eq!((state.q(body), state.v(body)), (&[0.0][..], &[0.0][..]));
    });
    assert_eq!(state.closed(contact), [true]);
    // A plastic impact without a force afterwards: the report of the event contains it.
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::new(vec![1.0], vec![-2.0], array![1.0])).unwrap();
    model
        .add_interaction(
            [body],
            LagrangianLinearRelation::new(array![[1.0]]),
            NewtonImpact::new(0.0).unwrap(),
        )
        .unwrap();
    let mut sim = simulation(&model, 1.0, 0.3);
    let mut state = sim.initial_state(&model).unwrap();
    let (mut undetermined, mut closed) = (Vec::new(), 0);
    sim.run(&model, &mut state, |report, _| {
        if !report.undetermined.is_empty() {
            undetermined.push(report.t);
        }
        closed = report.closed.len();
    })
    .unwrap();
    assert_eq!((undetermined.len(), closed), (1, 1));
    assert!((undetermined[0] - 0.5).abs() < 1e-12);
    assert!(state.q(body)[0].abs() < 1e-15);
}

/// A ball that is thrown up to a ceiling narrowly reaches, misses or hits it.
#[test]
fn grazing() {
    for miss in [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3] {
        for e in [0.0, 0.5, 1.0] {
            let mut model = NonSmoothDynamicalSystem::new();
            let v = (2.0 * G).sqrt();
            let body =
                LagrangianLinear::new(vec![0.0], vec![v], array![1.0]).with_external_force(|_t, f| f[0] = -G);
            let body = model.add_system(body).unwrap();
            let ceiling = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(array![1.0 + miss]);
            model.add_interaction([body], ceiling, NewtonImpact::new(e).unwrap()).unwrap();
            let mut sim = simulation(&model, 0.8, 0.1);
            let mut state = sim.initial_state(&model).unwrap();
            let run = run(&model, &mut sim, &mut state, |_| {});
            let exact_impact = (miss < 0.0).then(|| (-2.0 * G * miss).sqrt());
            // After an impact, the velocity of the body differs from the free motion by the velocity change
            // of the impact.
            let (free_q, free_v) = (v * 0.8 - 0.5 * G * 0.64, v - G * 0.8);
            let (mut q, mut w) = (free_q, free_v);
            if let Some(speed) = exact_impact {
                let t = (v - speed) / G;
                w = free_v - (1.0 + e) * speed;
                q = free_q - (1.0 + e) * speed * (0.8 - t);
            }
            // The gap tolerance of 1e-10 corresponds to a velocity of sqrt(2 g 1e-10).
            let allowed = if miss.abs() < 1e-9 { 4.0 * (2.0 * G * 2e-10_f64).sqrt() } else { 1e-8 };
            let (found_q, found_v) = (state.q(body)[0], state.v(body)[0]);
            println!(
                "miss {miss:e}, e = {e}: {} impacts, q {:.1e}, v {:.1e}",
                run.impacts.len(),
                found_q - q,
                found_v - w
            );
            assert!((found_q - q).abs() < allowed && (found_v - w).abs() < allowed, "{miss:e}, e = {e}");
            if miss.abs() >= 1e-9 {
                assert_eq!(run.impacts.len(), usize::from(miss < 0.0), "{miss:e}, e = {e}");
            }
            assert!(run.reports < 20);
        }
    }
}
