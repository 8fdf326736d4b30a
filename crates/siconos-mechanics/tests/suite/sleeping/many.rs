//! Sleep in scenes with many bodies, in long runs, and with many settings.

use siconos_kernel::detection::ContactLaws;
use siconos_kernel::integrator::Projection;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AdaptiveSettings, AdaptiveStepping, Sleeping};
use siconos_mechanics::{Body, BodyId, Motion, Scene, SceneParts, Shape};
use siconos_testkit::compare::worse;

use super::super::common::{ground, largest};
use super::{H, Run, grid, sleeping_stack, soon, stack};

/// Bits of everything that the state contains about its bodies and contacts, except the ages of contacts.
pub(super) fn data(parts: &SceneParts, state: &State) -> Vec<u64> {
    let mut data = Vec::new();
    for id in parts.model.systems().ids() {
        data.extend([state.q(id), state.v(id), state.impulse(id), state.acceleration(id)].concat());
    }
    for contact in state.contacts() {
        data.extend([contact.gap, contact.gap_at_end]);
        data.extend([contact.impulse, contact.moment, contact.velocity, contact.reaction].concat());
    }
    data.into_iter().map(f64::to_bits).collect()
}

/// Nothing moves in ten thousand steps.
#[test]
fn a_sleeping_stack_does_not_change() {
    let (mut run, bodies) = sleeping_stack();
    let builder = run.parts.simulation(grid(20_000)).energy_balance(true);
    run.simulation = builder.sleeping(soon()).build().unwrap();
    run.step();
    let before = data(&run.parts, &run.state);
    for _ in 0..10_000 {
        let report = run.step();
        assert!(report.active.is_empty() && report.energy.unwrap().kinetic == 0.0);
    }
    assert!(data(&run.parts, &run.state) == before);
    assert!(bodies.iter().all(|body| run.is_asleep(*body)));
}

/// Stacks of four cubes in a square with `side` stacks at each edge.
fn stacks(side: usize) -> (Scene, Vec<BodyId>) {
    let mut scene = ground();
    let cube = Shape::cuboid([0.2; 3]).unwrap();
    let mut bodies = Vec::new();
    for i in 0..side * side {
        let [x, y] = [i % side, i / side].map(|k| 0.3 * k as f64);
        for level in 0..4 {
            let z = 0.1 + 0.2 * f64::from(level);
            bodies.push(scene.add(Body::new(cube.clone()).at([x, y, z])).unwrap());
        }
    }
    (scene, bodies)
}

/// Among a thousand bodies, only the stack wakes of which a body is disturbed.
#[test]
fn a_disturbance_wakes_only_its_island() {
    let (scene, bodies) = stacks(16);
    let mut run = Run::new(scene, 1000, Some(soon()));
    run.steps(30);
    assert!(bodies.iter().all(|body| run.is_asleep(*body)));
    let count = |run: &Run| bodies.iter().filter(|body| !run.is_asleep(**body)).count();
    let disturbed = run.parts.system(bodies[bodies.len() / 2]).unwrap();
    let others = |run: &Run| {
        let ids = run.parts.model.systems().ids();
        let asleep = ids.filter(|id| run.state.is_asleep(*id));
        asleep.flat_map(|id| run.state.q(id).to_vec()).map(f64::to_bits).collect::<Vec<_>>()
    };
    run.state.set_velocity(disturbed, &[0.0, 0.0, 0.05, 0.0, 0.0, 0.0]).unwrap();
    assert_eq!(count(&run), 1);
    let report = run.step();
    assert!(report.active.len() >= 8 && report.active.len() <= 16, "{}", report.active.len());
    assert_eq!(count(&run), 4);
    let before = others(&run);
    run.steps(10);
    assert_eq!(count(&run), 4);
    assert!(others(&run) == before);
    run.steps(100);
    assert_eq!(count(&run), 0);
}

/// A fast body far away changes no bit of sleeping bodies.
#[test]
fn other_bodies_change_no_bit_of_a_sleeping_stack() {
    let (mut run, bodies) = sleeping_stack();
    let before = bodies.iter().map(|body| run.state.q(run.parts.system(*body).unwrap()).to_vec());
    let before: Vec<_> = before.collect();
    let ball = Body::new(Shape::ball(0.1).unwrap()).at([-20.0, 5.0, 2.0]);
    run.parts.add(&mut run.simulation, ball.with_velocity([100.0, 0.0, 0.0])).unwrap();
    run.steps(400);
    for (body, before) in bodies.iter().zip(before) {
        assert!(run.is_asleep(*body));
        assert_eq!(run.state.q(run.parts.system(*body).unwrap()), before);
    }
}

/// Heap of five bodies in a box.
fn heap(law: NewtonImpactFriction, mass_ratio: f64) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new().with_laws(ContactLaws::new(law));
    for normal in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
        let at = if normal[2] > 0.0 { [0.0; 3] } else { normal.map(|n| -0.25 * n) };
        scene.add(Body::fixed(Shape::half_space(normal).unwrap()).at(at)).unwrap();
    }
    let shapes = [Shape::cuboid([0.16, 0.12, 0.1]).unwrap(), Shape::prism(5, 0.08, 0.1).unwrap()];
    let mut bodies = Vec::new();
    for i in 0..5 {
        let shape = shapes[i % 2].clone();
        let turned = Quaternion::about([1.0, 0.3 * i as f64, 0.5], 0.7 * i as f64);
        let [x, y] = [i % 2, i / 2 % 2].map(|k| 0.2 * k as f64 - 0.1);
        let at = [x + 0.003 * i as f64, y - 0.002 * i as f64, 0.15 + 0.1 * i as f64];
        let density = if i < 3 { 1000.0 } else { 1000.0 * mass_ratio };
        bodies.push(scene.add(Body::new(shape).with_density(density).turned(turned).at(at)).unwrap());
    }
    (scene, bodies)
}

/// Settings of one heap.
#[derive(Clone, Copy, Debug)]
struct Setting {
    mu: f64,
    restitution: f64,
    mass_ratio: f64,
    h: f64,
    projection: Option<Projection>,
}

/// Largest distance between the places of bodies in two runs: the first with sleep, and the second without
/// from the moment at which the first heap has fallen asleep. `None` if it does not fall asleep.
fn off_by(setting: Setting, most: f64) -> Option<f64> {
    let Setting { mu, restitution, mass_ratio, h, projection } = setting;
    let law = NewtonImpactFriction::in_space(restitution, mu).unwrap();
    let (scene, bodies) = heap(law, mass_ratio);
    let parts = scene.into_parts().unwrap();
    let build = |sleeping: Option<Sleeping>| {
        let scheme = MoreauJean { projection, ..MoreauJean::default() };
        let grid = TimeDiscretisation::equal_steps(0.0, most, (most / h) as usize).unwrap();
        let builder = parts.simulation(grid).integrator(scheme);
        sleeping.iter().fold(builder, |builder, own| builder.sleeping(*own)).build().unwrap()
    };
    let (mut asleep, mut awake) = (build(Some(Sleeping::default())), build(None));
    let mut state = asleep.initial_state(&parts.model).unwrap();
    let mut other = awake.initial_state(&parts.model).unwrap();
    let count =
        |state: &State| bodies.iter().filter(|body| state.is_asleep(parts.system(**body).unwrap())).count();
    let off = |a: &State, b: &State| {
        let of = |body: &BodyId| {
            let (a, b) = (parts.pose(a, *body).position, parts.pose(b, *body).position);
            largest(&[0, 1, 2].map(|axis| a[axis] - b[axis]))
        };
        bodies.iter().map(of).fold(0.0, worse)
    };
    let mut since = 0;
    loop {
        let has_step = asleep.step(&parts.model, &mut state).unwrap_or_else(|e| panic!("{setting:?}: {e}"));
        has_step?;
        // Once bodies sleep, the places differ by the motion of the bodies that sleep.
        if count(&state) == 0 {
            other = State::restore(&parts.model, &state.record(&parts.model).unwrap()).unwrap();
            continue;
        }
        awake.step(&parts.model, &mut other).unwrap_or_else(|e| panic!("{setting:?}: {e}"));
        if count(&state) == bodies.len() {
            since += 1;
        }
        if since == 300 {
            return Some(off(&state, &other));
        }
    }
}

fn settings(count: usize) -> impl Iterator<Item = Setting> {
    let projections = [Some(Projection::Gradual), None];
    (0..count).map(move |i| Setting {
        mu: [0.3, 0.5, 0.7, 0.9, 1.2][i % 5],
        restitution: [0.0, 0.3, 0.6][i % 3],
        mass_ratio: [1.0, 10.0, 0.1, 100.0, 0.01][i / 5 % 5],
        h: [2e-3, 1e-3][i / 2 % 2],
        projection: projections[i / 7 % 2],
    })
}

fn compare_heaps(settings: impl Iterator<Item = Setting>) -> (usize, usize) {
    let (mut asleep, mut count) = (0, 0);
    for setting in settings {
        count += 1;
        let off = off_by(setting, 3.0);
        assert!(off.is_none_or(|off| off < 1e-6), "{setting:?}: {off:?}");
        asleep += usize::from(off.is_some());
    }
    (asleep, count)
}

#[test]
fn heaps_sleep_where_they_rest() {
    assert_eq!(compare_heaps(settings(1)), (1, 1));
}

#[test]
#[ignore = "takes ten minutes"]
fn two_hundred_heaps_sleep_where_they_rest() {
    let (asleep, count) = compare_heaps(settings(200));
    assert!(2 * asleep > count, "{asleep} of {count}");
}

/// Sleep does not depend on the projection, and works in adaptive steps.
#[test]
fn stacks_sleep_with_all_schemes() {
    for projection in [None, Some(Projection::Direct), Some(Projection::Combined), Some(Projection::Gradual)]
    {
        for is_adaptive in [false, true] {
            let mut scene = ground();
            let bodies = stack(&mut scene, 3);
            let parts = scene.into_parts().unwrap();
            let scheme = MoreauJean { projection, ..MoreauJean::default() };
            let grid = TimeDiscretisation::uniform(0.0, 0.2, H).unwrap();
            let mut simulation = parts.simulation(grid).integrator(scheme).sleeping(soon()).build().unwrap();
            let mut state = simulation.initial_state(&parts.model).unwrap();
            let settings = AdaptiveSettings { largest_step: 4e-3, ..AdaptiveSettings::of_tolerance(1e-5) };
            let mut stepping = AdaptiveStepping::new(settings).unwrap();
            while state.t < 0.2 {
                match is_adaptive {
                    true => drop(stepping.step(&mut simulation, &parts.model, &mut state, 0.2).unwrap()),
                    false => drop(simulation.step(&parts.model, &mut state).unwrap()),
                }
            }
            for (i, body) in bodies.iter().enumerate() {
                assert!(state.is_asleep(parts.system(*body).unwrap()), "{projection:?} {is_adaptive}");
                let off = parts.pose(&state, *body).position[2] - 0.5 - i as f64;
                assert!(off.abs() < 1e-6, "{projection:?} {is_adaptive}: {off:e}");
            }
        }
    }
}

/// A stack next to a conveyor and to a rotating drum sleeps, and wakes when a pusher reaches it. A body in
/// the drum stays awake.
#[test]
fn driven_obstacles_wake_only_bodies_that_they_reach() {
    let mut scene = ground();
    let belt = Motion { velocity: [0.5, 0.0, 0.0], ..Motion::default() };
    let [beside, onto] = [1.3, -3.0];
    let conveyor = Shape::cuboid([1000.0, 0.4, 0.1]).unwrap();
    scene.add(Body::driven(conveyor, belt).at([0.0, beside, 0.05])).unwrap();
    let spin = Motion { omega: [0.0, 1.0, 0.0], ..Motion::default() };
    scene.add(Body::driven(Shape::ball(0.5).unwrap(), spin).at([onto, 0.0, 0.5])).unwrap();
    let push = Motion { velocity: [0.5, 0.0, 0.0], ..Motion::default() };
    let pusher = Shape::cuboid([0.1, 0.3, 0.3]).unwrap();
    scene.add(Body::driven(pusher, push).at([-0.8, 0.0, 0.3])).unwrap();
    let bodies = stack(&mut scene, 3);
    let carried = scene.add(Body::new(Shape::cuboid([0.2; 3]).unwrap()).at([2.0, beside, 0.2])).unwrap();
    let mut run = Run::new(scene, 1000, Some(soon()));
    let start = run.position(bodies[0])[0];
    let mut has_slept = false;
    for step in 0..1000 {
        run.step();
        let is_asleep = bodies.iter().all(|body| run.is_asleep(*body));
        has_slept |= is_asleep;
        // The pusher reaches the stack after 0.5 s.
        assert!(!(30..=400).contains(&step) || is_asleep, "step {step}");
        assert!(!run.is_asleep(carried));
    }
    assert!(has_slept && !run.is_asleep(bodies[0]));
    assert!(run.position(bodies[0])[0] > start + 0.1, "{:?}", run.position(bodies[0]));
    assert!(run.position(carried)[0] > 2.2);
}

/// A ball that rolls more slowly than the limit is stopped; a faster one rolls on.
#[test]
fn slow_rolling_is_stopped() {
    let mut scene = ground();
    let ball = Body::new(Shape::ball(0.1).unwrap());
    // The limit is a thousandth of the speed that gravity causes in a step, about 1e-5 m/s.
    let [slow, fast] = [(0.0, 5e-6), (1.0, 2e-5)].map(|(x, speed)| {
        let ball = ball.clone().at([x, 0.0, 0.1]).with_velocity([speed, 0.0, 0.0]);
        scene.add(ball.with_angular_velocity([0.0, speed / 0.1, 0.0])).unwrap()
    });
    let mut run = Run::new(scene, 500, Some(Sleeping::default()));
    run.steps(500);
    assert!(run.is_asleep(slow) && !run.is_asleep(fast));
    assert!((run.speed(fast) / 2e-4 - 1.0).abs() < 1e-3, "{}", run.speed(fast));
}
