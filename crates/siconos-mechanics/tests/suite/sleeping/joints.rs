//! Sleep of bodies that are connected by joints.

use siconos_kernel::model::Relay;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Sleeping;
use siconos_mechanics::{Body, BodyId, JointId, Scene, SceneJoint, Shape};

use super::super::common::{bits, ground, largest};
use super::{Run, Units, check_units, grid, soon};

/// Chain of five links that hangs from a fixed body, with friction in its hinges. It starts stretched
/// obliquely.
fn chain() -> (Scene, Vec<BodyId>, Vec<JointId>) {
    let mut scene = ground();
    let direction = [0.5_f64.sin(), 0.0, -0.5_f64.cos()];
    let along = |s: f64| [direction[0] * s, 0.0, 3.0 + direction[2] * s];
    let mut before = scene.add(Body::fixed(Shape::ball(0.05).unwrap()).at(along(0.0))).unwrap();
    let link = Shape::cuboid([0.04, 0.04, 0.2]).unwrap();
    let turned = Quaternion::about([0.0, 1.0, 0.0], -0.5);
    let (mut links, mut joints) = (Vec::new(), Vec::new());
    for i in 0..5 {
        let start = 0.1 + 0.25 * f64::from(i);
        let body = Body::new(link.clone()).turned(turned).at(along(start + 0.1));
        let body = scene.add(body).unwrap();
        let hinge = SceneJoint::revolute([body, before], along(start - 0.02), [0.0, 1.0, 0.0]);
        joints.push(scene.add_joint(hinge.with_stops(-2.0, 2.0, 0.0).with_friction(2.0)).unwrap());
        links.push(body);
        before = body;
    }
    (scene, links, joints)
}

fn offset(a: &Run, b: &Run, body: BodyId) -> f64 {
    let (a, b) = (a.position(body), b.position(body));
    largest(&[0, 1, 2].map(|axis| a[axis] - b[axis]))
}

/// A chain falls asleep where it comes to rest without sleep. Its joints keep their reactions.
#[test]
fn a_chain_sleeps() {
    let (scene, links, joints) = chain();
    let mut asleep = Run::new(scene, 4000, Some(Sleeping::default()));
    let mut awake = Run::new(chain().0, 4000, None);
    let swung = asleep.position(links[4]);
    asleep.steps(4000);
    awake.steps(4000);
    assert!((asleep.position(links[4])[0] - swung[0]).abs() > 0.1, "it moved");
    for link in &links {
        assert!(asleep.is_asleep(*link) && asleep.speed(*link) == 0.0);
        assert!(offset(&asleep, &awake, *link) < 1e-6, "{:e}", offset(&asleep, &awake, *link));
    }
    for joint in joints {
        let lambda = |run: &Run, level| {
            let of = run.parts.joint(joint).unwrap();
            let ids = [Some(of.joint), of.stops, of.friction].into_iter().flatten();
            ids.flat_map(|id| run.state.lambda(id, level).to_vec()).collect::<Vec<_>>()
        };
        for level in [Level::Velocity, Level::Acceleration] {
            let [found, expected] = [&asleep, &awake].map(|run| lambda(run, level));
            for (own, other) in found.iter().zip(&expected) {
                assert!((own - other).abs() < 1e-5 * largest(&expected), "{level:?}: {own} {other}");
            }
        }
    }
}

/// Nothing changes while a chain sleeps, except the time and the number of steps.
#[test]
fn a_sleeping_chain_does_not_change() {
    let (scene, links, joints) = chain();
    let mut run = Run::new(scene, 20_000, Some(Sleeping::default()));
    while !run.is_asleep(links[0]) {
        run.step();
    }
    run.steps(2);
    let data = |run: &Run| {
        let of = joints.iter().flat_map(|joint| {
            let of = run.parts.joint(*joint).unwrap();
            [Some(of.joint), of.stops, of.friction].into_iter().flatten()
        });
        let levels = [Level::Position, Level::Velocity, Level::Acceleration];
        let rows = of.flat_map(|id| levels.map(|level| (id, level)));
        let mut data: Vec<u64> = rows
            .flat_map(|(id, level)| [run.state.y(id, level), run.state.lambda(id, level)].concat())
            .map(f64::to_bits)
            .collect();
        for link in &links {
            let id = run.parts.system(*link).unwrap();
            let state = &run.state;
            let own = [state.q(id), state.v(id), state.impulse(id), state.acceleration(id)].concat();
            data.extend(own.iter().map(|x| x.to_bits()));
        }
        data
    };
    let before = data(&run);
    for _ in 0..10_000 {
        let report = run.step();
        assert!(report.active.is_empty());
        assert_eq!(report.energy.unwrap().change, 0.0);
    }
    assert!(data(&run) == before);
}

/// A ball that hits a sleeping chain wakes it before the impact.
#[test]
fn an_impact_wakes_a_chain() {
    let hit = |sleeping| {
        let (scene, links, _) = chain();
        let mut run = Run::new(scene, 6000, sleeping);
        run.steps(4000);
        assert_eq!(run.is_asleep(links[0]), sleeping.is_some());
        let [x, y, z] = run.position(links[2]);
        let ball = Body::new(Shape::ball(0.05).unwrap()).with_density(1e4).at([x + 0.4, y, z]);
        let ball = run.parts.add(&mut run.simulation, ball.with_velocity([-4.0, 0.0, 0.5])).unwrap();
        run.steps(300);
        (run, links, ball)
    };
    let (asleep, links, ball) = hit(Some(Sleeping::default()));
    let (awake, ..) = hit(None);
    for body in links.iter().chain([&ball]) {
        assert!(!asleep.is_asleep(*body), "{body:?}");
        assert!(offset(&asleep, &awake, *body) < 1e-6, "{:e}", offset(&asleep, &awake, *body));
    }
}

/// Change of a chain of two links.
type Change = dyn Fn(&mut Run, [BodyId; 2], [JointId; 2]);

/// A chain wakes when the law of a hinge is set, a joint is removed or added, and a position or velocity is
/// set. Another chain continues to sleep.
#[test]
fn changes_wake_a_chain() {
    let asleep = || {
        let mut scene = ground();
        let link = Body::new(Shape::cuboid([0.04, 0.04, 0.2]).unwrap());
        let mut chains = Vec::new();
        for x in [0.0, 2.0] {
            let base = scene.add(Body::fixed(Shape::ball(0.05).unwrap()).at([x, 0.0, 3.0])).unwrap();
            let ends = [0.15, 0.4].map(|z| scene.add(link.clone().at([x + z, 0.0, 3.0])).unwrap());
            let hinge = |bodies, z| SceneJoint::revolute(bodies, [x + z, 0.0, 3.0], [0.0, 1.0, 0.0]);
            let upper = scene.add_joint(hinge([ends[0], base], 0.05).with_friction(100.0)).unwrap();
            let lower = scene.add_joint(hinge([ends[1], ends[0]], 0.275).with_friction(100.0)).unwrap();
            chains.push((ends, [upper, lower]));
        }
        let mut run = Run::new(scene, 1000, Some(soon()));
        run.steps(60);
        assert!(chains.iter().all(|(ends, _)| ends.iter().all(|body| run.is_asleep(*body))));
        (run, chains)
    };
    let check = |name: &str, change: &Change| {
        let (mut run, chains) = asleep();
        change(&mut run, chains[0].0, chains[0].1);
        run.step();
        assert!(chains[0].0.iter().all(|body| !run.is_asleep(*body)), "{name}");
        assert!(chains[1].0.iter().all(|body| run.is_asleep(*body)), "{name}");
        run.steps(5);
        let moves = chains[0].0.iter().any(|body| run.speed(*body) > 1e-3);
        assert_eq!(moves, ["law", "removal"].contains(&name), "{name}");
    };
    check("law", &|run, _, [_, lower]| {
        let friction = run.parts.joint(lower).unwrap().friction.unwrap();
        run.parts.model.set_law(friction, Relay::symmetric(1, 0.0).unwrap()).unwrap();
    });
    check("removal", &|run, _, [upper, _]| {
        let of = run.parts.joint(upper).unwrap();
        for id in [of.friction.unwrap(), of.joint] {
            run.parts.model.remove_interaction(id).unwrap();
        }
    });
    check("velocity", &|run, [_, lower], _| {
        let lower = run.parts.system(lower).unwrap();
        run.state.set_velocity(lower, &[0.0, 0.0, 0.0, 0.0, 30.0, 0.0]).unwrap();
    });
    check("position", &|run, [first, _], _| {
        let system = run.parts.system(first).unwrap();
        let mut q = run.state.q(system).to_vec();
        q[2] += 0.01;
        run.state.set_position(system, &q).unwrap();
    });
}

/// Vehicle of a box and four wheels on hinges with friction. Motors on the rear wheels are weaker than the
/// friction.
fn vehicle() -> (Scene, Vec<BodyId>, [JointId; 4]) {
    let mut scene = ground();
    let chassis = Body::new(Shape::cuboid([1.0, 0.4, 0.2]).unwrap()).with_mass(50.0).at([0.0, 0.0, 0.35]);
    let mut bodies = vec![scene.add(chassis).unwrap()];
    let wheel = Body::new(Shape::ball(0.2).unwrap()).with_mass(5.0);
    let joints = [[-0.4, -0.45], [-0.4, 0.45], [0.4, -0.45], [0.4, 0.45]].map(|[x, y]| {
        let own = scene.add(wheel.clone().at([x, y, 0.2])).unwrap();
        bodies.push(own);
        let axle = SceneJoint::revolute([own, bodies[0]], [x, y, 0.2], [0.0, 1.0, 0.0]).with_friction(0.5);
        let axle = if x < 0.0 { axle.with_velocity_servo(10.0, 2.0, 0.2) } else { axle };
        scene.add_joint(axle).unwrap()
    });
    (scene, bodies, joints)
}

/// A parked vehicle sleeps, and drives off when its motors become stronger than the friction.
#[test]
fn a_parked_vehicle_sleeps_and_drives_off() {
    let drive = |sleeping| {
        let (scene, bodies, joints) = vehicle();
        let mut run = Run::new(scene, 3000, sleeping);
        run.steps(500);
        for body in &bodies {
            assert_eq!(run.is_asleep(*body), sleeping.is_some());
        }
        for joint in &joints[..2] {
            let motor = run.parts.joint(*joint).unwrap().motor.unwrap();
            let law = Relay::symmetric(1, 5.0).unwrap().with_gain(2.0).unwrap();
            run.parts.model.set_law(motor, law).unwrap();
        }
        run.steps(1000);
        (run, bodies)
    };
    let ((asleep, bodies), (awake, _)) = (drive(Some(Sleeping::default())), drive(None));
    assert!(asleep.position(bodies[0])[0] > 0.05, "{:?}", asleep.position(bodies[0]));
    for body in bodies {
        assert!(offset(&asleep, &awake, body) < 1e-6, "{:e}", offset(&asleep, &awake, body));
    }
}

/// The enforced motion of a joint keeps its bodies awake, and so does a motor that moves them.
#[test]
fn driven_joints_stay_awake() {
    let mut scene = ground();
    let base = scene.add(Body::fixed(Shape::ball(0.05).unwrap()).at([0.0, 0.0, 3.0])).unwrap();
    let arm = |x: f64| Body::new(Shape::cuboid([0.4, 0.04, 0.04]).unwrap()).at([x, 0.0, 3.0]);
    let [motor, brake] = [0.3, -0.3].map(|x| scene.add(arm(x)).unwrap());
    let hinge =
        |body, x: f64| SceneJoint::revolute([body, base], [x.signum() * 0.1, 0.0, 3.0], [0.0, 1.0, 0.0]);
    // 1e-6 rad/s is slower than a body in free fall after a thousandth of a step.
    scene.add_joint(hinge(motor, 0.3).with_motor(1e-6, 100.0)).unwrap();
    scene.add_joint(hinge(brake, -0.3).with_motor(0.0, 100.0)).unwrap();
    let mut run = Run::new(scene, 2000, Some(soon()));
    run.steps(1000);
    assert!(run.is_asleep(brake));
    assert!(run.is_asleep(motor), "a motor of limited force permits sleep");
}

/// Copies, records and threads change no bit of a chain that sleeps and wakes.
#[test]
fn runs_with_joints_agree_to_the_last_bit() {
    let (mut scene, ..) = chain();
    scene.add(Body::new(Shape::ball(0.05).unwrap()).at([0.05, 0.0, 6.0])).unwrap();
    let parts = scene.into_parts().unwrap();
    let steps = 1500;
    let build = |threads: usize| {
        let builder = parts.simulation(grid(steps)).sleeping(soon());
        builder.threads(threads.try_into().unwrap()).build().unwrap()
    };
    let end = |threads: usize, is_rebuilt: bool| {
        let mut simulation = build(threads);
        let mut state = simulation.initial_state(&parts.model).unwrap();
        let mut count = 0;
        while simulation.step(&parts.model, &mut state).unwrap().is_some() {
            count += parts.model.systems().ids().filter(|id| state.is_asleep(*id)).count();
            if is_rebuilt && state.step() % 7 == 0 {
                simulation = build(threads);
                let record = bits(&parts, &state);
                state = State::restore(&parts.model, &serde_json::from_str(&record).unwrap()).unwrap();
            }
        }
        assert!(count > 500, "{count}");
        bits(&parts, &state)
    };
    let expected = end(1, false);
    assert!(end(3, false) == expected, "3 threads");
    assert!(end(1, true) == expected, "rebuilt and restored");
}

/// In other units, a chain falls asleep in the same steps and at the same places, bit for bit.
#[test]
fn sleep_of_joints_does_not_depend_on_units() {
    check_units(2000, |Units { length, time, density }| {
        let gravity = 9.81 * length / (time * time);
        let mut scene = Scene::new().with_gravity([0.0, 0.0, -gravity]);
        let moment = density * length.powi(4) * gravity;
        let mut before = scene.add(Body::fixed(Shape::ball(0.125 * length).unwrap())).unwrap();
        let link = Body::new(Shape::cuboid([0.125, 0.125, 0.5].map(|x| x * length)).unwrap());
        let link = link.with_density(1000.0 * density);
        let links = [0.375, 1.0, 1.625].map(|x| {
            let turned = Quaternion::about([0.0, 1.0, 0.0], 0.75 * std::f64::consts::FRAC_PI_2);
            let own = scene.add(link.clone().turned(turned).at([x * length, 0.0, 0.0])).unwrap();
            let at = [(x - 0.3125) * length, 0.0, 0.0];
            let hinge = SceneJoint::revolute([own, before], at, [0.0, 1.0, 0.0]);
            scene.add_joint(hinge.with_stops(-1.0, 1.0, 0.5).with_friction(8.0 * moment)).unwrap();
            before = own;
            own
        });
        (scene, links)
    });
}
