//! Sleep of systems on which interactions act.

use ndarray::array;
use siconos_kernel::integrator::Projection;
use siconos_kernel::model::{Joint, NewtonEulerRelation, NonSmoothLaw, Relation, Relay, SpringDamper};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AdaptiveSettings, AdaptiveStepping, Sleeping};

use super::balls::{Ball, Balls};

const H: f64 = 1e-3;

/// Time at which the load changes \[s\].
const PUSH: f64 = 0.3;

/// Settings with which bodies fall asleep after 20 ms.
fn soon() -> Sleeping {
    Sleeping { steps: 20, ..Sleeping::default() }
}

fn contacts() -> Balls {
    Balls::new(NewtonImpactFriction::in_space(0.0, 0.5).unwrap(), [])
}

fn simulation(model: &NonSmoothDynamicalSystem, sleeping: Option<Sleeping>) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 1.0, H).unwrap();
    let mut builder = TimeStepping::builder(model).discretisation(grid).contacts(contacts());
    if let Some(sleeping) = sleeping {
        builder = builder.sleeping(sleeping);
    }
    builder.build().unwrap()
}

/// Arm of 2 kg, whose centre of mass is at x.
fn arm(x: f64) -> NewtonEuler {
    NewtonEuler::new(2.0, Inertia::of_ball(2.0, 0.1), [x, 0.0, 0.0], Quaternion::IDENTITY)
        .with_constant_external_force([0.0, 0.0, -20.0])
}

/// Chain of two arms with friction in their hinges. A load pushes the second arm from the time [`PUSH`].
/// Returns the two arms, and the joints and the relations of friction.
fn chain() -> (NonSmoothDynamicalSystem, [DynamicalSystemId; 2], [InteractionId; 4]) {
    let mut model = NonSmoothDynamicalSystem::new();
    let bodies = [
        arm(0.2),
        arm(0.6).with_external_force(|at: At<'_>, force: &mut [f64]| {
            force.copy_from_slice(&[0.0, 0.0, if at.t > PUSH { -100.0 } else { -20.0 }]);
        }),
    ];
    let axis = [0.0, 1.0, 0.0];
    let joints = [
        Joint::revolute(&bodies[0], [0.0; 3], axis).unwrap(),
        Joint::revolute((&bodies[1], &bodies[0]), [0.4, 0.0, 0.0], axis).unwrap(),
    ];
    let ids = bodies.map(|body| model.add_system(body).unwrap());
    let mut of = Vec::new();
    for (joint, ids) in joints.into_iter().zip([vec![ids[0]], vec![ids[1], ids[0]]]) {
        let (angle, condition) = (joint.angle().unwrap(), joint.condition().unwrap());
        of.push(model.add_interaction(ids.clone(), joint, condition).unwrap());
        of.push(model.add_interaction(ids, angle, Relay::symmetric(1, 50.0).unwrap()).unwrap());
    }
    (model, ids, of.try_into().unwrap())
}

/// A load moves a sleeping chain in the step in which it begins.
#[test]
fn a_load_wakes_a_chain_in_time() {
    let (model, bodies, _) = chain();
    let (mut awake, mut asleep) = (simulation(&model, None), simulation(&model, Some(soon())));
    let mut expected = awake.initial_state(&model).unwrap();
    let mut state = asleep.initial_state(&model).unwrap();
    while state.t < 0.5 {
        awake.step(&model, &mut expected).unwrap();
        let report = asleep.step(&model, &mut state).unwrap().unwrap();
        let is_pushed = report.t > PUSH + 1e-9;
        if report.t > 0.1 {
            assert_eq!(report.active.len(), if is_pushed { 4 } else { 0 });
            assert!(bodies.iter().all(|id| state.is_asleep(*id) != is_pushed), "t = {}", state.t);
        }
        for id in &bodies {
            for (found, expected) in state.q(*id).iter().zip(expected.q(*id)) {
                assert!((found - expected).abs() < 1e-9, "t = {}: {found} {expected}", state.t);
            }
        }
    }
    assert!(state.q(bodies[1])[2] < -0.01);
}

/// In adaptive steps, a sleeping chain keeps the forces in its joints.
#[test]
fn adaptive_steps_keep_forces() {
    let (model, bodies, joints) = chain();
    let mut sim = simulation(&model, Some(soon()));
    let settings = AdaptiveSettings { largest_step: 2e-3, ..AdaptiveSettings::of_tolerance(1e-5) };
    let mut stepping = AdaptiveStepping::new(settings).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.2 {
        stepping.step(&mut sim, &model, &mut state, 0.2).unwrap();
    }
    assert!(bodies.iter().all(|id| state.is_asleep(*id)));
    let levels = [Level::Position, Level::Velocity, Level::Acceleration];
    let of = |state: &State| joints.map(|id| levels.map(|level| state.lambda(id, level).to_vec()));
    let before = of(&state);
    let mut lengths = Vec::new();
    for t in [0.2003, 0.201, 0.204, 0.25] {
        while state.t < t {
            lengths.push(stepping.step(&mut sim, &model, &mut state, t).unwrap().step.h);
        }
    }
    assert!(lengths.iter().any(|h| (h - lengths[0]).abs() > 1e-4));
    assert!(of(&state) == before);
    let weight: f64 = state.lambda(joints[0], Level::Acceleration)[..3].iter().map(|f| f * f).sum();
    assert!((weight.sqrt() - 40.0).abs() < 1e-6, "{weight}");
}

/// A change of the model wakes the bodies on which the changed interaction acts, also if the removal of
/// other objects causes a new layout of the model. A step that fails undoes this.
#[test]
fn changes_of_the_model_wake_bodies() {
    let (mut model, bodies, joints) = chain();
    let others: Vec<_> = (0..100).map(|i| model.add_system(arm(10.0 + f64::from(i))).unwrap()).collect();
    let mut sim = simulation(&model, Some(soon()));
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.1 {
        sim.step(&model, &mut state).unwrap();
    }
    assert!(bodies.iter().all(|id| state.is_asleep(*id)));
    let added = model.add_interaction([others[0]], arm_stays(), EqualityCondition::new(3).unwrap()).unwrap();
    model.remove_interaction(added).unwrap();
    others.into_iter().for_each(|id| drop(model.remove_system(id).unwrap()));
    sim.step(&model, &mut state).unwrap();
    assert!(bodies.iter().all(|id| state.is_asleep(*id)), "other bodies were removed");

    let more: Vec<_> = (0..100).map(|i| model.add_system(arm(10.0 + f64::from(i))).unwrap()).collect();
    model.set_law(joints[3], Relay::symmetric(1, 1.0).unwrap()).unwrap();
    more.into_iter().for_each(|id| drop(model.remove_system(id).unwrap()));
    let record = state.record(&model).unwrap();
    let mut failing =
        TimeStepping::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 1.0, H).unwrap());
    failing = failing.contacts(Balls { fails_at: 0.0, ..contacts() }).sleeping(soon());
    assert!(failing.build().unwrap().step(&model, &mut state).is_err());
    assert!(bodies.iter().all(|id| state.is_asleep(*id)));
    let mut resumed = State::restore(&model, &record).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert!(bodies.iter().all(|id| !state.is_asleep(*id)));
    assert!(state.v(bodies[1])[2] < -1e-3);
    let mut sim = simulation(&model, Some(soon()));
    sim.step(&model, &mut resumed).unwrap();
    assert!(resumed.record(&model).unwrap() == state.record(&model).unwrap());
}

fn arm_stays() -> NewtonEulerRelation {
    NewtonEulerRelation::new(3, |_, q, y| y.copy_from_slice(&[q[0], q[1], q[2]]))
}

/// Bodies stay awake if the reaction of an interaction could change with time.
#[test]
fn other_interactions_keep_bodies_awake() {
    let is_asleep = |relation: &dyn Fn(&Joint) -> Relation, law: NonSmoothLaw| {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = arm(0.0);
        let joint = Joint::revolute(&body, [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
        let id = model.add_system(body).unwrap();
        let condition = joint.condition().unwrap();
        let relation = relation(&joint);
        model.add_interaction([id], joint, condition).unwrap();
        model.add_interaction([id], relation, law).unwrap();
        let mut sim = simulation(&model, Some(soon()));
        let mut state = sim.initial_state(&model).unwrap();
        for _ in 0..100 {
            sim.step(&model, &mut state).unwrap();
        }
        state.is_asleep(id)
    };
    let angle = |joint: &Joint| joint.angle().unwrap();
    let equality = || EqualityCondition::new(1).unwrap().into();
    let friction = || Relay::symmetric(1, 5.0).unwrap().into();
    assert!(is_asleep(&|joint| angle(joint).into(), friction()));
    assert!(is_asleep(
        &|joint| angle(joint).stops(-1.0, 1.0).unwrap().into(),
        NewtonImpact::new(0.0).unwrap().into()
    ));
    assert!(is_asleep(&|joint| angle(joint).at_speed(0.0).unwrap().into(), equality()));
    assert!(is_asleep(&|joint| angle(joint).into(), SpringDamper::new(10.0, 1.0).unwrap().into()));

    assert!(!is_asleep(&|joint| angle(joint).at_speed(1e-6).unwrap().into(), equality()));
    assert!(!is_asleep(&|joint| angle(joint).prescribed(|_| 0.0, |_| 0.0).into(), equality()));
    assert!(!is_asleep(&|_| NewtonEulerRelation::new(1, |_, q, y| y[0] = q[2]).into(), equality()));
    let of_time = Relay::of_time(1, |_, lower, upper| (lower[0], upper[0]) = (-5.0, 5.0)).unwrap();
    assert!(!is_asleep(&|joint| angle(joint).into(), of_time.into()));
    assert!(
        angle(&Joint::revolute(&arm(0.0), [0.0; 3], [0.0, 1.0, 0.0]).unwrap()).at_speed(f64::NAN).is_err()
    );
}

/// Blocks on a line that declared contacts, springs and rods connect: linear systems, for all projections.
#[test]
fn linear_systems_sleep() {
    let projections = [None, Some(Projection::Direct), Some(Projection::Combined), Some(Projection::Gradual)];
    for projection in projections {
        for has_gaps in [false, true] {
            let mut model = NonSmoothDynamicalSystem::new();
            let block = |z: f64| {
                LagrangianLinear::new(vec![z], vec![0.0], array![2.0]).with_external_force(
                    move |at: At<'_>, force: &mut [f64]| {
                        force[0] = if at.t > PUSH && z == 2.0 { 60.0 } else { -20.0 };
                    },
                )
            };
            let ids = [0.0, 1.0, 2.0].map(|z| model.add_system(block(z)).unwrap());
            let between =
                |a: usize, b: usize| ([ids[b], ids[a]], LagrangianLinearRelation::new(array![[1.0, -1.0]]));
            let ground = LagrangianLinearRelation::new(array![[1.0]]);
            match has_gaps {
                true => model.add_interaction([ids[0]], ground, NewtonImpact::new(0.0).unwrap()).unwrap(),
                false => model.add_interaction([ids[0]], ground, EqualityCondition::new(1).unwrap()).unwrap(),
            };
            let (pair, rod) = between(0, 1);
            let rod = rod.with_offset(vec![-1.0]);
            model.add_interaction(pair, rod, EqualityCondition::new(1).unwrap()).unwrap();
            let (pair, contact) = between(1, 2);
            // The spring carries the weight of the upper block.
            let contact = contact.with_offset(vec![if has_gaps { -1.0 } else { -1.002 }]);
            match has_gaps {
                true => model.add_interaction(pair, contact, NewtonImpact::new(0.0).unwrap()).unwrap(),
                false => {
                    model.add_interaction(pair, contact, SpringDamper::new(1e4, 400.0).unwrap()).unwrap()
                }
            };
            let run = |sleeping: Option<Sleeping>| {
                let grid = TimeDiscretisation::uniform(0.0, 0.5, H).unwrap();
                let scheme = MoreauJean { projection, ..MoreauJean::default() };
                let builder = TimeStepping::builder(&model).discretisation(grid).integrator(scheme);
                let builder = builder.contacts(contacts());
                let mut sim =
                    sleeping.iter().fold(builder, |own, sleeping| own.sleeping(*sleeping)).build().unwrap();
                let (mut state, mut count) = (sim.initial_state(&model).unwrap(), 0);
                while sim.step(&model, &mut state).unwrap().is_some() {
                    count += usize::from(ids.iter().all(|id| state.is_asleep(*id)));
                }
                (state, count)
            };
            let ((found, count), (expected, _)) = (run(Some(soon())), run(None));
            assert!(count > 50 && count < 300, "{projection:?} {has_gaps}: {count}");
            for id in ids {
                let off = (found.q(id)[0] - expected.q(id)[0]).abs();
                assert!(off < 1e-6, "{projection:?} {has_gaps}: {off:e}");
            }
            assert!(found.q(ids[2])[0] > 2.0 + if has_gaps { 0.1 } else { 1e-3 });
        }
    }
}

/// A body that is connected with a body in a contact sleeps and wakes with it.
#[test]
fn joints_connect_bodies_in_contact() {
    let mut model = NonSmoothDynamicalSystem::new();
    let at = |z: f64| {
        NewtonEuler::new(1.0, Inertia::of_ball(1.0, 0.1), [0.0, 0.0, z], Quaternion::IDENTITY)
            .with_constant_external_force([0.0, 0.0, -10.0])
    };
    let bodies = [at(0.2), at(0.5)];
    let joint = Joint::fixed((&bodies[1], &bodies[0])).unwrap();
    let ids = bodies.map(|body| model.add_system(body).unwrap());
    let condition = joint.condition().unwrap();
    model.add_interaction([ids[1], ids[0]], joint, condition).unwrap();
    let corners = [[0.1, 0.0, -0.1], [-0.05, 0.08, -0.1], [-0.05, -0.08, -0.1]];
    let balls = corners.map(|centre| Ball { body: ids[0], centre, radius: 0.1 });
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, H).unwrap();
    let builder = TimeStepping::builder(&model).discretisation(grid).contacts(Balls::new(law, balls));
    let mut sim = builder.sleeping(soon()).energy_balance(true).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.1 {
        let energy = sim.step(&model, &mut state).unwrap().unwrap().energy.unwrap();
        let sum = energy.forces + energy.reactions() + energy.scheme;
        assert!((energy.change - sum).abs() < 1e-12);
    }
    assert!(ids.iter().all(|id| state.is_asleep(*id)));
    state.set_velocity(ids[1], &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    assert!(state.is_asleep(ids[0]) && !state.is_asleep(ids[1]));
    sim.step(&model, &mut state).unwrap();
    assert!(ids.iter().all(|id| !state.is_asleep(*id)));
    assert!((state.v(ids[0])[2] - (0.5 - 10.0 * H)).abs() < 1e-9, "{:?}", state.v(ids[0]));
}
