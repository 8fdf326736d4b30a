//! Random scenes of all shapes.

use std::ops::Range;

use siconos_kernel::integrator::Projection;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{Sleeping, TimeSteppingBuilder};
use siconos_mechanics::{Body, BodyId, Scene, SceneParts, Shape};
use siconos_testkit::random::RandomState;

use super::common::{bits, ground, largest};

fn shape(random: &mut RandomState) -> Shape {
    let mut side = || 0.1 + 0.05 * random.between(-1.0, 1.0);
    match (side() * 1e6) as u64 % 8 {
        0 => Shape::ball(0.5 * side()).unwrap(),
        1 => Shape::cuboid([side(), side(), side()]).unwrap(),
        2 => Shape::capsule(0.5 * side(), 0.3 * side()).unwrap(),
        3 => Shape::prism(3 + (side() * 1e5) as usize % 9, 0.5 * side(), side()).unwrap(),
        4 => Shape::cylinder(0.5 * side(), side()).unwrap(),
        5 => Shape::cone(0.5 * side(), side()).unwrap(),
        6 => Shape::ellipsoid([0.6 * side(), 0.5 * side(), 0.4 * side()]).unwrap(),
        _ => {
            let mut points: Vec<_> = (0..10).map(|_| random.vector(0.08)).collect();
            // The origin is inside the hull, so it stays above the ground.
            let tetrahedron = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
            points.extend(tetrahedron.map(|corner| corner.map(|x: f64| 0.03 * x)));
            Shape::hull(&points).unwrap()
        }
    }
}

/// Adds bodies on a grid, with random velocities towards the centre.
fn add_bodies(
    scene: &mut Scene,
    random: &mut RandomState,
    count: usize,
    height: f64,
    speed: f64,
) -> Vec<BodyId> {
    (0..count)
        .map(|k| {
            let place = [k % 2, (k / 2) % 2, k / 4].map(|x| 0.35 * x as f64);
            let at = [place[0] - 0.17, place[1] - 0.17, place[2] + height];
            let centre = [0.0, 0.0, height + 0.1 * (count as f64 / 4.0)];
            let towards = [0, 1, 2].map(|i| speed * (centre[i] - at[i]));
            let turned = Quaternion::exp(random.vector(2.0));
            let body = Body::new(shape(random)).at(at).turned(turned).with_velocity(towards);
            scene.add(body.with_angular_velocity(random.vector(3.0))).unwrap()
        })
        .collect()
}

fn momentum(parts: &SceneParts, state: &State) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (id, system) in parts.model.systems().iter() {
        let siconos_kernel::model::dynamical_system::DynamicalSystem::NewtonEuler(body) = system else {
            continue;
        };
        (0..3).for_each(|i| sum[i] += body.mass() * state.v(id)[i]);
    }
    sum
}

/// Bodies that collide in free space conserve momentum, and contacts do no positive work.
#[test]
fn collisions_conserve_momentum() {
    collide(0..20);
}

/// Bodies that fall on the ground: every step is solved, and nothing falls through.
#[test]
fn heaps_are_solved_in_every_step() {
    fall(0..6, 600, |builder| builder);
}

/// The same heaps with the other projection. Bodies have more contacts than can be closed at once.
#[test]
fn heaps_are_projected_in_every_step() {
    fall(8..12, 600, with_combined_projection);
}

/// The same heaps, with bodies that sleep and wake when others hit them.
#[test]
fn heaps_of_sleeping_bodies_are_solved_in_every_step() {
    assert!(fall(0..4, 1500, |builder| builder.sleeping(Sleeping::default())) > 10);
}

#[test]
#[ignore = "takes five minutes"]
fn five_hundred_scenes() {
    collide(0..500);
    fall(0..500, 600, |builder| builder);
    fall(0..100, 1500, |builder| builder.sleeping(Sleeping::default()));
    fall(0..40, 600, with_combined_projection);
}

fn with_combined_projection(builder: TimeSteppingBuilder<'_>) -> TimeSteppingBuilder<'_> {
    builder.integrator(MoreauJean { projection: Some(Projection::Combined), ..MoreauJean::default() })
}

fn collide(seeds: Range<u32>) {
    for seed in seeds {
        let mut random = RandomState::new(seed);
        let law = NewtonImpactFriction::in_space(0.0, 0.4).unwrap();
        let mut scene =
            Scene::new().with_laws(siconos_kernel::detection::ContactLaws::new(law)).with_gravity([0.0; 3]);
        add_bodies(&mut scene, &mut random, 8, 0.0, 3.0);
        let parts = scene.into_parts().unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 0.4, 2e-3).unwrap();
        let mut simulation = parts.simulation(grid).energy_balance(true).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        let (before, mut touched) = (momentum(&parts, &state), 0);
        let size: f64 = 8.0 * 3.0;
        while let Some(report) = simulation.step(&parts.model, &mut state).unwrap() {
            touched += report.active.len();
            let energy = report.energy.unwrap();
            let contacts = energy.normal + energy.tangential;
            // The solvers have the tolerance 1e-8. A contact that moves a body out of an overlap can close
            // others.
            assert!(contacts <= 1e-8 * energy.kinetic + energy.projection, "seed {seed}: {contacts:e}");
            let now = momentum(&parts, &state);
            let change = [0, 1, 2].map(|i| now[i] - before[i]);
            assert!(largest(&change) < 1e-10 * size, "seed {seed}: {change:?}");
        }
        assert!(touched > 10, "seed {seed}: {touched}");
    }
}

/// Returns the number of bodies that sleep at the end of all scenes.
fn fall(
    seeds: Range<u32>,
    steps: u32,
    with_settings: impl Fn(TimeSteppingBuilder<'_>) -> TimeSteppingBuilder<'_>,
) -> usize {
    let mut asleep = 0;
    for seed in seeds {
        let mut random = RandomState::new(1000 + seed);
        let mut scene = ground();
        let bodies = add_bodies(&mut scene, &mut random, 12, 0.3, 0.5);
        let parts = scene.into_parts().unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 2e-3 * f64::from(steps), 2e-3).unwrap();
        let mut simulation = with_settings(parts.simulation(grid)).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        loop {
            match simulation.step(&parts.model, &mut state) {
                Ok(Some(report)) => assert!(report.is_converged),
                Ok(None) => break,
                Err(error) => panic!("seed {seed}: {error}"),
            }
        }
        for &body in &bodies {
            let [x, y, z] = parts.pose(&state, body).position;
            assert!(z > -0.02 && z < 2.0 && x.is_finite() && y.is_finite(), "seed {seed}: {z}");
            asleep += usize::from(state.is_asleep(parts.system(body).unwrap()));
        }
    }
    asleep
}

/// Threads, copies, records and rebuilt simulations change no bit.
#[test]
fn runs_agree_to_the_last_bit() {
    let mut random = RandomState::new(5);
    let mut scene = ground();
    add_bodies(&mut scene, &mut random, 12, 0.3, 0.5);
    let parts = scene.into_parts().unwrap();
    let grid = || TimeDiscretisation::uniform(0.0, 0.6, 2e-3).unwrap();
    let build =
        |threads: usize| parts.simulation(grid()).threads(threads.try_into().unwrap()).build().unwrap();
    let end = |threads: usize, is_rebuilt: bool| {
        let mut simulation = build(threads);
        let mut state = simulation.initial_state(&parts.model).unwrap();
        while simulation.step(&parts.model, &mut state).unwrap().is_some() {
            if is_rebuilt && state.step() % 7 == 0 {
                simulation = build(threads);
                state = State::restore(&parts.model, &serde_json::from_str(&bits(&parts, &state)).unwrap())
                    .unwrap();
            }
        }
        bits(&parts, &state)
    };
    let expected = end(1, false);
    assert!(end(2, false) == expected, "2 threads");
    assert!(end(4, false) == expected, "4 threads");
    assert!(end(1, true) == expected, "rebuilt and restored");
}

/// Bodies that are added and removed during a run change no bit of the motion of others.
#[test]
fn births_and_removals_change_no_other_body() {
    let scene = || {
        let mut random = RandomState::new(9);
        let mut scene = ground();
        let bodies = add_bodies(&mut scene, &mut random, 8, 0.3, 0.5);
        (scene, bodies)
    };
    let grid = || TimeDiscretisation::uniform(0.0, 0.8, 2e-3).unwrap();
    let end = |changes: bool| {
        let (scene, bodies) = scene();
        let mut parts = scene.into_parts().unwrap();
        let mut simulation = parts.simulation(grid()).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        let mut guests = Vec::new();
        while simulation.step(&parts.model, &mut state).unwrap().is_some() {
            let far = |k: usize| Body::new(Shape::cuboid([0.1; 3]).unwrap()).at([9.0 + k as f64, 0.0, 0.06]);
            match state.step() % 20 {
                3 if changes => guests.push(parts.add(&mut simulation, far(state.step())).unwrap()),
                15 if changes && guests.len() > 3 => {
                    let gone = guests.remove(0);
                    parts.remove(&mut simulation, gone).unwrap();
                    assert!(
                        parts.find_pose(&state, gone).is_none()
                            && parts.remove(&mut simulation, gone).is_err()
                    );
                }
                _ => {}
            }
        }
        let bits =
            |id: &BodyId| state.q(parts.system(*id).unwrap()).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        (bodies.iter().map(bits).collect::<Vec<_>>(), state.contacts().len())
    };
    let (expected, contacts) = end(false);
    let (found, more) = end(true);
    assert!(found == expected && more > contacts);
}

/// A body that is removed wakes what rested on it.
#[test]
fn what_rests_on_a_removed_body_falls() {
    let mut scene = ground();
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let [lower, upper] = [0.5, 1.5].map(|z| scene.add(Body::new(cube.clone()).at([0.0, 0.0, z])).unwrap());
    let mut parts = scene.into_parts().unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
    let mut simulation = parts.simulation(grid).build().unwrap();
    let mut state = simulation.initial_state(&parts.model).unwrap();
    let third = Body::new(cube).at([0.2, 0.0, 1.3]);
    let overlaps = parts.overlaps(&state, &third).unwrap();
    assert_eq!(overlaps.iter().map(|overlap| overlap.body).collect::<Vec<_>>(), [lower, upper]);
    assert!((overlaps[0].depth - 0.2).abs() < 1e-12, "{overlaps:?}");
    while simulation.step(&parts.model, &mut state).unwrap().is_some() {
        if state.step() == 300 {
            parts.remove(&mut simulation, lower).unwrap();
        }
    }
    assert!((parts.pose(&state, upper).position[2] - 0.5).abs() < 6e-3);
}

/// The default projection removes the overlaps that impacts leave. Single scenes depend on rounding errors,
/// so the mean of two scenes is tested.
#[test]
fn a_projection_removes_overlaps() {
    let mean_overlap = |seed, projection| {
        let mut random = RandomState::new(seed);
        let mut scene = ground();
        add_bodies(&mut scene, &mut random, 12, 0.3, 0.5);
        let parts = scene.into_parts().unwrap();
        let scheme = MoreauJean { projection, ..MoreauJean::default() };
        let builder = parts.simulation(TimeDiscretisation::uniform(0.0, 2.0, 2e-3).unwrap());
        let mut simulation = builder.integrator(scheme).build().unwrap();
        let mut state = simulation.initial_state(&parts.model).unwrap();
        let mut sum = 0.0;
        while let Some(report) = simulation.step(&parts.model, &mut state).unwrap() {
            if state.t > 1.8 {
                sum -= report.deepest_gap.map_or(0.0, |(_, gap)| gap);
            }
        }
        sum / 100.0
    };
    let mean_overlap =
        |projection| (1003..1005).map(|seed| mean_overlap(seed, projection)).sum::<f64>() / 2.0;
    assert!(mean_overlap(None) > 2e-3);
    for projection in [Projection::Direct, Projection::Gradual] {
        let remains = mean_overlap(Some(projection));
        assert!(remains < 5e-4, "{projection:?}: {remains:e}");
    }
}
