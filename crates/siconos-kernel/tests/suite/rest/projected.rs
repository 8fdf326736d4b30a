//! Boxes under a projection of positions. More points touch a face than a rigid body has degrees of freedom,
//! so that the gaps depend on each other.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use super::families::{box_on_grid, stack};
use super::scene::{Block, GRAVITY, Scene, Space};

/// A run over a number of seconds.
struct Projected {
    scene: Scene,
    restitution: f64,
    h: f64,
    seconds: f64,
    projection: Projection,
}

/// Measurements of a run.
#[derive(Debug, Default)]
struct Outcome {
    /// Largest gain of energy in a step, without the work of a gradual projection \[J\].
    gain: f64,
    /// Largest velocity in the last tenth of the time \[g h\].
    speed: f64,
    /// Largest overlap at the end of a step \[m\].
    overlap: f64,
    /// Largest overlap in the last tenth of the time \[m\].
    remains: f64,
}

impl Projected {
    fn run(&self) -> Result<Outcome, Error> {
        let Self { scene, restitution, h, seconds, projection } = self;
        let built = scene.build(*restitution)?;
        let mut simulation = TimeStepping::builder(&built.model)
            .discretisation(TimeDiscretisation::uniform(0.0, *seconds, *h)?)
            .integrator(MoreauJean { projection: Some(*projection), ..MoreauJean::default() })
            .energy_balance(true)
            .build()?;
        let mut state = simulation.initial_state(&built.model)?;
        let energy_of = |state: &State| -> f64 {
            let blocks = built.blocks.iter().zip(&scene.blocks);
            blocks.map(|(&id, block)| energy(block, (state.q(id), state.v(id)))).sum()
        };
        let (mut before, mut outcome) = (energy_of(&state), Outcome::default());
        while let Some(report) = simulation.step(&built.model, &mut state)? {
            let lifting = report.energy.map_or(f64::NAN, |energy| energy.projection);
            let now = energy_of(&state);
            outcome.gain = worse(outcome.gain, now - before - lifting);
            before = now;
            let gaps = built.contacts.iter().map(|&id| state.y(id, Level::Position)[0]);
            let overlap = gaps.map(|gap| -gap).fold(0.0, worse);
            outcome.overlap = worse(outcome.overlap, overlap);
            if state.t > 0.9 * seconds {
                let velocities = built.blocks.iter().flat_map(|&id| state.v(id));
                outcome.remains = worse(outcome.remains, overlap);
                outcome.speed = velocities.map(|v| v.abs() / (GRAVITY * h)).fold(outcome.speed, worse);
            }
        }
        Ok(outcome)
    }
}

fn energy(block: &Block, (q, v): (&[f64], &[f64])) -> f64 {
    let [x, y, z] = block.half.map(|half| 4.0 * half * half);
    let inertia = [y + z, x + z, x + y].map(|square| block.mass / 12.0 * square);
    let (linear, angular) = v.split_at(3);
    let turning: f64 = inertia.iter().zip(angular).map(|(moment, omega)| moment * omega * omega).sum();
    let moving: f64 = linear.iter().map(|v| block.mass * v * v).sum();
    0.5 * (moving + turning) + block.mass * GRAVITY * q[2]
}

fn boxes(space: Space, count: usize, mu: f64) -> Scene {
    if count == 1 { box_on_grid(space, 2, mu) } else { stack(space, count, mu, |_| 1.0) }
}

/// Runs boxes at rest and dropped. Nothing overlaps under a combined projection.
fn check(counts: &[usize], restitutions: &[f64], projection: Projection) -> Result<(), Error> {
    for &count in counts {
        for (space, mu) in
            [(Space::Plane, 0.0), (Space::Plane, 0.5), (Space::Space, 0.0), (Space::Space, 0.5)]
        {
            for height in [0.0, 0.01, 0.5] {
                for &restitution in restitutions {
                    for h in [4e-3, 1e-2] {
                        let scene = boxes(space, count, mu).raised(height);
                        let case = format!(
                            "{projection:?}, {count} boxes, {space:?}, mu {mu}, from {height} m, e {restitution}, h {h}"
                        );
                        let run = Projected { scene, restitution, h, seconds: 3.0, projection };
                        let outcome = run.run().unwrap_or_else(|error| panic!("{case}: {error}"));
                        assert!(outcome.speed < 1e-6, "{case}: {outcome:?}");
                        if projection == Projection::Combined {
                            assert!(outcome.overlap < 1e-12, "{case}: {outcome:?}");
                        }
                        if projection == Projection::Gradual {
                            let resolution = GRAVITY * h * h / 16_384.0;
                            assert!(outcome.remains < resolution, "{case}: {outcome:?}");
                        }
                        // A projection that moves a body against gravity after a rebound adds potential
                        // energy.
                        if restitution == 0.0 || height == 0.0 {
                            // A contact that closes late in a step gains at most m (g h)^2 / 8.
                            let late = match projection {
                                Projection::Gradual => count as f64 * (GRAVITY * h).powi(2) / 8.0,
                                Projection::Direct | Projection::Combined => 0.0,
                            };
                            assert!(outcome.gain < 1e-9 + late, "{case}: {outcome:?}");
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Frictional boxes on four corners have redundant contacts, which must not be reported as contradictory.
#[test]
fn boxes_come_to_rest_under_combined_projection() -> Result<(), Error> {
    check(&[2], &[0.0, 0.5], Projection::Combined)
}

/// The direct projection must not add energy to a stack of three boxes at rest.
#[test]
fn boxes_come_to_rest_under_direct_projection() -> Result<(), Error> {
    check(&[3], &[0.0], Projection::Direct)
}

/// The gradual projection lets stacks come to rest, also with restitution, and removes their overlaps.
#[test]
fn boxes_come_to_rest_under_gradual_projection() -> Result<(), Error> {
    check(&[3], &[0.0, 0.5], Projection::Gradual)
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_boxes_under_projections() -> Result<(), Error> {
    check(&[1, 2, 5, 10], &[0.0], Projection::Gradual)?;
    check(&[1, 2, 4], &[0.5], Projection::Gradual)?;
    check(&[1, 2, 5, 10], &[0.0], Projection::Direct)?;
    check(&[1, 3, 5, 10], &[0.0, 0.5], Projection::Combined)
}

/// Newton's method stalls above its tolerance if each iteration solves the one-step problem from a point
/// within the tolerance of the solver. In this symmetric scene, contact velocities across the plane of motion
/// change by 3e-15 m/s.
#[test]
fn a_stalled_loop_over_symmetric_boxes_ends() -> Result<(), Error> {
    let scene = boxes(Space::Space, 5, 0.5).raised(0.01);
    let run = Projected { scene, restitution: 0.5, h: 0.01, seconds: 0.2, projection: Projection::Combined };
    let outcome = run.run()?;
    assert!(outcome.overlap < 1e-12, "{outcome:?}");
    Ok(())
}

/// A body that is wider than the distance between two walls stays where it is, and each step has a solution.
#[test]
fn overlaps_on_both_sides_are_not_removed() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let bead = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let bead = model.add_system(bead.with_constant_external_force(vec![-10.0]))?;
    for direction in [1.0, -1.0] {
        let wall = LagrangianLinearRelation::new(array![[direction]]).with_offset(vec![-0.01]);
        model.add_interaction([bead], wall, NewtonImpact::new(0.0)?)?;
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?)
        .integrator(MoreauJean { projection: Some(Projection::Gradual), ..MoreauJean::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    while let Some(report) = simulation.step(&model, &mut state)? {
        assert!(report.is_converged && state.q(bead)[0].abs() < 1e-15, "{:e}", state.q(bead)[0]);
    }
    Ok(())
}
