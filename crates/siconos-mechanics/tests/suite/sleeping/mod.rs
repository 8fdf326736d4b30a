//! Bodies that sleep.

mod joints;
mod many;
mod random;

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Sleeping;
use siconos_mechanics::{Body, BodyId, Motion, Scene, SceneParts, Shape};

use super::common::{bits, ground, largest};

const H: f64 = 1e-3;

fn grid(steps: usize) -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, steps as f64 * H, H).unwrap()
}

/// Stack of cubes with an edge of 1 m, from the bottom.
fn stack(scene: &mut Scene, count: usize) -> Vec<BodyId> {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let mut place = |i: usize| scene.add(Body::new(cube.clone()).at([0.0, 0.0, 0.5 + i as f64])).unwrap();
    (0..count).map(&mut place).collect()
}

/// Settings with which bodies fall asleep after 20 ms.
fn soon() -> Sleeping {
    Sleeping { steps: 20, ..Sleeping::default() }
}

/// Stack of three cubes that sleep, from the bottom.
fn sleeping_stack() -> (Run, Vec<BodyId>) {
    let mut scene = ground();
    let bodies = stack(&mut scene, 3);
    let mut run = Run::new(scene, 1000, Some(soon()));
    run.steps(60);
    assert!(bodies.iter().all(|body| run.is_asleep(*body)));
    (run, bodies)
}

/// Simulation of a scene whose bodies sleep.
struct Run {
    parts: SceneParts,
    simulation: TimeStepping,
    state: State,
}

impl Run {
    fn new(scene: Scene, steps: usize, sleeping: Option<Sleeping>) -> Self {
        let parts = scene.into_parts().unwrap();
        let mut builder = parts.simulation(grid(steps)).energy_balance(true);
        if let Some(sleeping) = sleeping {
            builder = builder.sleeping(sleeping);
        }
        let mut simulation = builder.build().unwrap();
        let state = simulation.initial_state(&parts.model).unwrap();
        Self { parts, simulation, state }
    }

    fn step(&mut self) -> StepReport<'_> {
        let report = self.simulation.step(&self.parts.model, &mut self.state).unwrap().expect("a step");
        let energy = report.energy.unwrap();
        let sum = energy.forces + energy.reactions() + energy.scheme;
        assert!((energy.change - sum).abs() <= 1e-12 * energy.kinetic.abs().max(1.0));
        report
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    fn is_asleep(&self, body: BodyId) -> bool {
        self.state.is_asleep(self.parts.system(body).unwrap())
    }

    fn position(&self, body: BodyId) -> [f64; 3] {
        self.parts.pose(&self.state, body).position
    }

    fn speed(&self, body: BodyId) -> f64 {
        largest(self.state.v(self.parts.system(body).unwrap()))
    }
}

/// Bodies that were dropped fall asleep at the places where they rest without sleep.
#[test]
fn sleep_does_not_move_bodies() {
    let scene = || {
        let mut scene = ground();
        let mut bodies = stack(&mut scene, 4);
        let prism = Shape::prism(5, 0.3, 0.5).unwrap();
        bodies.push(scene.add(Body::new(prism).at([3.0, 0.0, 0.6])).unwrap());
        bodies.push(scene.add(Body::new(Shape::ball(0.2).unwrap()).at([-2.0, 0.0, 0.21])).unwrap());
        (scene, bodies)
    };
    let (awake, bodies) = scene();
    let (mut awake, mut asleep) =
        (Run::new(awake, 2000, None), Run::new(scene().0, 2000, Some(Sleeping::default())));
    awake.steps(2000);
    asleep.steps(2000);
    for body in bodies {
        assert!(asleep.is_asleep(body) && !awake.is_asleep(body), "{body:?}");
        let off = [0, 1, 2].map(|axis| awake.position(body)[axis] - asleep.position(body)[axis]);
        assert!(largest(&off) < 1e-8, "{body:?}: {off:?}");
        assert_eq!(asleep.speed(body), 0.0);
    }
    // The contacts of sleeping bodies remain known.
    let weight = |run: &Run| run.state.contacts().iter().map(|own| own.reaction[0]).sum::<f64>();
    assert_eq!(asleep.state.contacts().len(), awake.state.contacts().len());
    assert!((weight(&asleep) / weight(&awake) - 1.0).abs() < 1e-6);
}

/// A wall of bricks in running bond falls asleep as a whole.
#[test]
fn a_wall_sleeps() {
    let scene = || {
        let mut scene = ground();
        let brick = Shape::cuboid([0.2, 0.1, 0.06]).unwrap();
        let mut bricks = Vec::new();
        for row in 0..4 {
            for column in 0..4 {
                let place =
                    [f64::from(column) * 0.2 + f64::from(row % 2) * 0.1, 0.0, 0.03 + 0.06 * f64::from(row)];
                bricks.push(scene.add(Body::new(brick.clone()).at(place)).unwrap());
            }
        }
        (scene, bricks)
    };
    let (own, bricks) = scene();
    let (mut asleep, mut awake) =
        (Run::new(own, 500, Some(Sleeping::default())), Run::new(scene().0, 500, None));
    asleep.steps(500);
    awake.steps(500);
    for brick in bricks {
        let off = [0, 1, 2].map(|axis| awake.position(brick)[axis] - asleep.position(brick)[axis]);
        assert!(asleep.is_asleep(brick) && largest(&off) < 1e-9, "{off:?}");
    }
}

/// A body that falls on a sleeping stack wakes it before the impact.
#[test]
fn an_impact_wakes_a_stack() {
    let scene = || {
        let mut scene = ground();
        let bodies = stack(&mut scene, 3);
        let ball = Body::new(Shape::ball(0.1).unwrap()).with_density(1e4).at([0.4, 0.0, 3.6]);
        let ball = scene.add(ball).unwrap();
        (scene, bodies, ball)
    };
    let (own, bodies, ball) = scene();
    let sleeping = soon();
    let (mut asleep, mut awake) = (Run::new(own, 700, Some(sleeping)), Run::new(scene().0, 700, None));
    let mut was_asleep = false;
    for _ in 0..700 {
        asleep.step();
        awake.step();
        was_asleep |= asleep.is_asleep(bodies[0]);
        if asleep.state.contacts().iter().any(|contact| contact.key.bodies.contains(&ball.number())) {
            break;
        }
    }
    assert!(was_asleep && !asleep.is_asleep(bodies[0]) && !asleep.is_asleep(bodies[2]));
    for body in bodies.iter().chain([&ball]) {
        let off = [0, 1, 2].map(|axis| awake.position(*body)[axis] - asleep.position(*body)[axis]);
        assert!(largest(&off) < 1e-9, "{body:?}: {off:?}");
    }
}

/// Bodies wake when the body or the obstacle below them is removed, when their velocity is set, and when a
/// joint is added.
#[test]
fn changes_wake_bodies() {
    let sleeping = Some(soon());
    let build = || {
        let mut scene = Scene::new();
        let ground =
            scene.add(Body::fixed(Shape::cuboid([3.0, 3.0, 1.0]).unwrap()).at([0.0, 0.0, -0.5])).unwrap();
        let bodies = stack(&mut scene, 3);
        let mut run = Run::new(scene, 1000, sleeping);
        run.steps(60);
        assert!(bodies.iter().all(|body| run.is_asleep(*body)));
        (run, ground, bodies)
    };
    let (mut run, ground, bodies) = build();
    run.parts.remove(&mut run.simulation, ground).unwrap();
    run.step();
    let fall =
        |run: &Run, body| (run.state.v(run.parts.system(body).unwrap())[2] / (-9.806_65 * H) - 1.0).abs();
    assert!(fall(&run, bodies[0]) < 1e-9 && fall(&run, bodies[2]) < 1e-9);

    let (mut run, _, bodies) = build();
    run.parts.remove(&mut run.simulation, bodies[0]).unwrap();
    run.step();
    assert!(fall(&run, bodies[1]) < 1e-9 && fall(&run, bodies[2]) < 1e-9);

    let (mut run, _, bodies) = build();
    let top = run.parts.system(bodies[2]).unwrap();
    run.state.set_velocity(top, &[0.0, 0.0, 0.1, 0.0, 0.0, 0.0]).unwrap();
    run.step();
    assert!((run.state.v(top)[2] - (0.1 - 9.806_65 * H)).abs() < 1e-9);
    run.steps(500);
    assert!(bodies.iter().all(|body| run.is_asleep(*body)), "they fall asleep again");
}

/// Bodies that are added and removed elsewhere do not wake a stack, and a body that is added on it does.
#[test]
fn only_near_additions_wake_bodies() {
    let (mut run, bodies) = sleeping_stack();
    let places = bodies.iter().map(|body| run.position(*body)).collect::<Vec<_>>();
    let ball = Body::new(Shape::ball(0.1).unwrap());
    for _ in 0..40 {
        let far = ball.clone().at([5.0, 0.0, 0.3]);
        let far = run.parts.add(&mut run.simulation, far).unwrap();
        run.steps(2);
        run.parts.remove(&mut run.simulation, far).unwrap();
        assert!(bodies.iter().all(|body| run.is_asleep(*body)));
    }
    assert_eq!(places, bodies.iter().map(|body| run.position(*body)).collect::<Vec<_>>());
    run.parts.add(&mut run.simulation, ball.at([0.0, 0.0, 3.1])).unwrap();
    run.step();
    assert!(bodies.iter().all(|body| !run.is_asleep(*body)));
    run.steps(300);
    assert!(bodies.iter().all(|body| run.is_asleep(*body)));
}

/// A simulation without sleep wakes the bodies of a state, which then carry their loads.
#[test]
fn other_simulations_wake_bodies() {
    let (mut run, bodies) = sleeping_stack();
    run.simulation = run.parts.simulation(grid(1000)).energy_balance(true).build().unwrap();
    run.steps(200);
    for (i, body) in bodies.iter().enumerate() {
        assert!(!run.is_asleep(*body) && (run.position(*body)[2] - 0.5 - i as f64).abs() < 1e-9);
    }
    let weight: f64 = run.state.contacts().iter().map(|own| own.reaction[0]).sum();
    assert!((weight / (6.0 * 1000.0 * 9.806_65 * H) - 1.0).abs() < 1e-6, "{weight}");

    // Without contacts, the bodies fall.
    run.simulation = TimeStepping::builder(&run.parts.model).discretisation(grid(1000)).build().unwrap();
    run.simulation.step(&run.parts.model, &mut run.state).unwrap();
    assert!(run.speed(bodies[0]) > 0.9 * 9.8 * H);
}

/// A body on a conveyor moves, and does not sleep while the conveyor drives it against a wall.
#[test]
fn moving_obstacles_keep_bodies_awake() {
    let mut scene = Scene::new();
    let belt = Motion { velocity: [0.5, 0.0, 0.0], ..Motion::default() };
    scene.add(Body::driven(Shape::cuboid([100.0, 1.0, 1.0]).unwrap(), belt).at([0.0, 0.0, -0.5])).unwrap();
    scene.add(Body::fixed(Shape::half_space([-1.0, 0.0, 0.0]).unwrap()).at([0.7, 0.0, 0.0])).unwrap();
    let body = scene.add(Body::new(Shape::cuboid([0.2; 3]).unwrap()).at([0.0, 0.0, 0.1])).unwrap();
    let mut run = Run::new(scene, 2000, Some(Sleeping::default()));
    run.steps(2000);
    assert!(!run.is_asleep(body) && run.speed(body) < 1e-9 && (run.position(body)[0] - 0.6).abs() < 1e-3);
}

/// Units of a scene, as multiples of SI units.
#[derive(Clone, Copy)]
struct Units {
    length: f64,
    time: f64,
    density: f64,
}

/// Checks that bodies move, fall asleep in the same steps of H units of time, and have the same places in
/// units of length, bit for bit. `create` returns a scene in the given units, and its bodies.
fn check_units(steps: usize, create: impl Fn(Units) -> (Scene, [BodyId; 3])) {
    let motion = |length: f64, time: f64, density: f64| {
        let (scene, bodies) = create(Units { length, time, density });
        let parts = scene.into_parts().unwrap();
        let grid = TimeDiscretisation::uniform(0.0, steps as f64 * H * time, H * time).unwrap();
        let mut simulation = parts.simulation(grid).sleeping(soon()).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        let mut steps = Vec::new();
        let all = |_: &StepReport<'_>, state: &State| {
            steps.push(bodies.map(|body| {
                let asleep = state.is_asleep(parts.system(body).unwrap());
                (asleep, parts.pose(state, body).position.map(|x| x / length))
            }));
        };
        simulation.run(&parts.model, &mut state, all).unwrap();
        steps
    };
    let expected = motion(1.0, 1.0, 1.0);
    assert!(expected.last().unwrap().iter().all(|(asleep, _)| *asleep));
    assert!(expected.last() != expected.first());
    assert!(motion(16.0, 2.0, 0.125) == expected && motion(0.0625, 0.25, 64.0) == expected);
}

/// In other units, bodies fall asleep in the same steps and at the same places, bit for bit.
#[test]
fn sleep_does_not_depend_on_units() {
    check_units(600, |Units { length, time, density }| {
        let mut scene = Scene::new().with_gravity([0.0, 0.0, -9.81 * length / (time * time)]);
        scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0]).unwrap())).unwrap();
        let cube = Body::new(Shape::cuboid([length; 3]).unwrap()).with_density(1000.0 * density);
        let heights = [0.5, 1.5, 2.625].map(|z| z * length);
        let bodies = heights.map(|z| scene.add(cube.clone().at([0.0, 0.0, z])).unwrap());
        (scene, bodies)
    });
}

/// Copies, records and threads change no bit.
#[test]
fn runs_with_sleep_agree_to_the_last_bit() {
    let mut scene = ground();
    stack(&mut scene, 3);
    scene.add(Body::new(Shape::ball(0.1).unwrap()).at([0.2, 0.1, 3.5])).unwrap();
    let parts = scene.into_parts().unwrap();
    let sleeping = soon();
    let build = |threads: usize| {
        let builder = parts.simulation(grid(600)).sleeping(sleeping);
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
        assert!(count > 500);
        bits(&parts, &state)
    };
    let expected = end(1, false);
    assert!(end(3, false) == expected, "3 threads");
    assert!(end(1, true) == expected, "rebuilt and restored");
}
