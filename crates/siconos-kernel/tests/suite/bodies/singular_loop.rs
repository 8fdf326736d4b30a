//! Closed loops of joints that pass through singular configurations.

use siconos_kernel::integrator::Projection;
use siconos_kernel::model::Joint;
use siconos_kernel::prelude::*;

use super::largest_gap;
use crate::common::{SI, Units};

const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// Angular velocity of the cranks \[rad/s\].
const SPIN: f64 = 5.0;
/// Length of the cranks \[m\]; `COUPLER` is the length of the coupler \[m\].
const CRANK: f64 = 0.5;
const COUPLER: f64 = 2.0;
const PROJECTIONS: [Option<Projection>; 3] = [None, Some(Projection::Direct), Some(Projection::Combined)];

/// Rod with its mass \[kg\] and length \[m\].
#[derive(Clone, Copy)]
struct Rod {
    mass: f64,
    length: f64,
}

impl Rod {
    /// Returns the moment of inertia about a transverse axis through the centre \[kg m2\].
    fn inertia(self) -> f64 {
        self.mass * self.length * self.length / 12.0
    }
}

/// Parallelogram of two cranks and a coupler in the plane x, y. It is flat if the crank angle is 0.
struct Parallelogram {
    bodies: [DynamicalSystemId; 3],
    joints: [InteractionId; 4],
    rods: [Rod; 3],
    units: Units,
}

impl Parallelogram {
    fn add(
        model: &mut NonSmoothDynamicalSystem,
        angle: f64,
        masses: [f64; 3],
        units: Units,
    ) -> Result<Self, Error> {
        let Units { mass, length, time } = units;
        let rods = [(masses[0], CRANK), (masses[1], COUPLER), (masses[2], CRANK)];
        let rods = rods.map(|(mass, length)| Rod { mass, length });
        let (along, across) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
        let speed = CRANK * SPIN * length / time;
        let ends = [[0.0, 0.0], along.map(|x| CRANK * x), [0.0; 2], [COUPLER, 0.0]];
        let ends = [ends[0], ends[1], [ends[1][0] + COUPLER, ends[1][1]], ends[3]];
        let ends = ends.map(|[x, y]| [x * length, y * length, 0.0]);
        let centre = |k: usize| std::array::from_fn(|i| 0.5 * (ends[k][i] + ends[k + 1][i]));
        let body = |k: usize, rotation: f64, share: f64, omega: f64| {
            let across = across.map(|x| share * speed * x);
            let inertia = rods[k].inertia() * mass * length * length;
            let rotation = Quaternion::about(Z, rotation);
            NewtonEuler::new(rods[k].mass * mass, [0.1 * inertia, inertia, inertia], centre(k), rotation)
                .with_twist([across[0], across[1], 0.0], [0.0, 0.0, omega])
        };
        let bodies =
            [body(0, angle, 0.5, SPIN / time), body(1, 0.0, 1.0, 0.0), body(2, angle, 0.5, SPIN / time)];
        let joints = [
            Joint::revolute(&bodies[0], ends[0], Z)?,
            Joint::revolute((&bodies[0], &bodies[1]), ends[1], Z)?,
            Joint::revolute((&bodies[1], &bodies[2]), ends[2], Z)?,
            Joint::revolute(&bodies[2], ends[3], Z)?,
        ];
        let mut ids = Vec::new();
        for body in bodies {
            ids.push(model.add_system(body)?);
        }
        let bodies = [ids[0], ids[1], ids[2]];
        let mut ids = Vec::new();
        for (joint, between) in joints.into_iter().zip([&[0][..], &[0, 1], &[1, 2], &[2]]) {
            let condition = joint.condition()?;
            ids.push(model.add_interaction(between.iter().map(|&k: &usize| bodies[k]), joint, condition)?);
        }
        Ok(Self { bodies, joints: [ids[0], ids[1], ids[2], ids[3]], rods, units })
    }

    /// Returns the kinetic energy \[J\].
    fn energy(&self, state: &State) -> f64 {
        let Units { length, time, .. } = self.units;
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let of_body = |(&body, rod): (&DynamicalSystemId, &Rod)| {
            let v = state.v(body);
            let speed = time / length;
            0.5 * rod.mass * square(&v[..3]) * speed * speed
                + 0.5 * rod.inertia() * square(&v[3..]) * time * time
        };
        self.bodies.iter().zip(&self.rods).map(of_body).sum()
    }

    /// Returns the sine of the difference between the two crank angles: 0 on the branch of the parallelogram.
    fn twist(&self, state: &State) -> f64 {
        let angle = |body| 2.0 * state.q(body)[6].atan2(state.q(body)[3]);
        (angle(self.bodies[0]) - angle(self.bodies[2])).sin()
    }

    /// Returns the bits of the velocities in SI units.
    fn motion(&self, state: &State) -> Vec<u64> {
        let Units { length, time, .. } = self.units;
        let of_body = |&body: &DynamicalSystemId| {
            let v = state.v(body);
            let scaled = v[..3].iter().map(|x| x / length * time).chain(v[3..].iter().map(|x| x * time));
            scaled.map(f64::to_bits).collect::<Vec<_>>()
        };
        self.bodies.iter().flat_map(of_body).collect()
    }
}

fn simulation(
    model: &NonSmoothDynamicalSystem,
    h: f64,
    steps: usize,
    projection: Option<Projection>,
) -> Result<TimeStepping, Error> {
    TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, steps as f64 * h, h)?)
        .integrator(MoreauJean { projection, ..MoreauJean::default() })
        .build()
}

/// Returns the initial angle for which grid point 20 is a fraction of a step before the flat position.
fn start(h: f64, fraction: f64) -> f64 {
    -(20.0 + fraction) * h * SPIN
}

/// The energy is conserved, and the mechanism stays on its branch, when it passes the flat position.
#[test]
fn a_flat_parallelogram_keeps_its_branch_and_energy() -> Result<(), Error> {
    for (h, phases) in [(1e-2, 40), (1e-3, 40), (1e-4, 12)] {
        for projection in PROJECTIONS {
            for masses in [[0.5, 2.0, 0.5], [0.5, 2.0, 1.5]] {
                for phase in 0..phases {
                    let mut model = NonSmoothDynamicalSystem::new();
                    let fraction = f64::from(phase) / f64::from(phases);
                    let mechanism = Parallelogram::add(&mut model, start(h, fraction), masses, SI)?;
                    let mut simulation = simulation(&model, h, 40, projection)?;
                    let mut state = simulation.initial_state(&model)?;
                    let before = mechanism.energy(&state);
                    simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
                    let change = (mechanism.energy(&state) - before) / before;
                    let (twist, gap) = (mechanism.twist(&state), largest_gap(&mechanism.joints, &state));
                    let what = format!("h {h}, {projection:?}, {masses:?}, phase {phase}: {change:e}");
                    let rotation = h * SPIN;
                    assert!(change.abs() < (0.01 * rotation * rotation).max(5e-6), "{what}");
                    assert!(twist.abs() < 1e-6, "{what}, angle between the cranks {twist:e}");
                    let largest = if projection.is_some() { 1e-12 } else { 0.05 * rotation * rotation };
                    assert!(gap < largest, "{what}, gap {gap:e}");
                }
            }
        }
    }
    Ok(())
}

/// The mechanism passes the flat position 32 times. Without projection, the joints drift, so that the
/// effective lengths of the bars change and the angle between the cranks grows with each passage. In the
/// twelfth passage, the branches cannot be distinguished, and the step fails.
#[test]
fn a_parallelogram_turns_for_long() -> Result<(), Error> {
    for projection in PROJECTIONS {
        let mut model = NonSmoothDynamicalSystem::new();
        let mechanism = Parallelogram::add(&mut model, start(2e-3, 0.0), [0.5, 2.0, 0.5], SI)?;
        let mut simulation = simulation(&model, 2e-3, 10_000, projection)?;
        let mut state = simulation.initial_state(&model)?;
        let before = mechanism.energy(&state);
        let end = simulation.run(&model, &mut state, |report, _| assert!(report.is_converged));
        let change = (mechanism.energy(&state) - before) / before;
        if projection.is_some() {
            end?;
            assert!(change.abs() < 2e-5 && mechanism.twist(&state).abs() < 1e-12, "{change:e}");
        } else {
            let Err(SimulationError::SingularLoop { joint, .. }) = end else { panic!("{end:?}") };
            assert!(mechanism.joints.iter().any(|own| joint == *own));
            assert!(change.abs() < 1e-3, "{change:e}");
        }
    }
    Ok(())
}

/// A crank and a rod of equal length. The slider passes over the pivot of the crank, where the rod could also
/// rotate together with the crank.
#[test]
fn a_slider_passes_over_the_pivot_of_its_crank() -> Result<(), Error> {
    for (h, phases) in [(1e-2, 20), (1e-3, 20)] {
        for projection in PROJECTIONS {
            for phase in 0..phases {
                let fraction = f64::from(phase) / f64::from(phases);
                let angle = std::f64::consts::FRAC_PI_2 + start(h, fraction);
                let [change, slope] = slide_over_pivot(angle, h, projection)?;
                let what = format!("h {h}, {projection:?}, phase {phase}: {change:e}, {slope:e}");
                let rotation = h * SPIN;
                assert!(change.abs() < 0.2 * rotation * rotation, "{what}");
                assert!(slope.abs() < 0.1 * rotation * rotation, "{what}");
            }
        }
    }
    Ok(())
}

/// Returns the relative change of the kinetic energy over 40 steps, and the final sum of the angles of the
/// crank and the rod \[rad\], which is 0 on the branch of the motion.
fn slide_over_pivot(angle: f64, h: f64, projection: Option<Projection>) -> Result<[f64; 2], Error> {
    let (along, across) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
    let rod = Rod { mass: 1.0, length: CRANK };
    let inertia = [0.1 * rod.inertia(), rod.inertia(), rod.inertia()];
    let at = |x: f64, y: f64| [x * along[0], y * along[1], 0.0];
    let body = |x: f64, y: f64, angle: f64, omega: f64| {
        NewtonEuler::new(rod.mass, inertia, at(x, y), Quaternion::about(Z, angle))
            .with_twist([x * SPIN * across[0], y * SPIN * across[1], 0.0], [0.0, 0.0, omega])
    };
    let crank = body(0.5 * CRANK, 0.5 * CRANK, angle, SPIN);
    let rod_body = body(1.5 * CRANK, 0.5 * CRANK, -angle, -SPIN);
    let slider = body(2.0 * CRANK, 0.0, 0.0, 0.0);
    let joints = [
        Joint::revolute(&crank, [0.0; 3], Z)?,
        Joint::revolute((&crank, &rod_body), at(CRANK, CRANK), Z)?,
        Joint::revolute((&rod_body, &slider), at(2.0 * CRANK, 0.0), Z)?,
        Joint::prismatic(&slider, at(2.0 * CRANK, 0.0), [1.0, 0.0, 0.0])?,
    ];
    let mut model = NonSmoothDynamicalSystem::new();
    let bodies = [model.add_system(crank)?, model.add_system(rod_body)?, model.add_system(slider)?];
    for (joint, between) in joints.into_iter().zip([&[0][..], &[0, 1], &[1, 2], &[2]]) {
        let condition = joint.condition()?;
        model.add_interaction(between.iter().map(|&k: &usize| bodies[k]), joint, condition)?;
    }
    let mut simulation = simulation(&model, h, 40, projection)?;
    let mut state = simulation.initial_state(&model)?;
    let energy = |state: &State| {
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let of_body = |&body: &DynamicalSystemId| {
            let v = state.v(body);
            0.5 * rod.mass * square(&v[..3]) + 0.5 * rod.inertia() * square(&v[3..])
        };
        bodies.iter().map(of_body).sum::<f64>()
    };
    let before = energy(&state);
    simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
    let angle = |body| 2.0 * state.q(body)[6].atan2(state.q(body)[3]);
    Ok([(energy(&state) - before) / before, (angle(bodies[0]) + angle(bodies[1])).sin()])
}

/// A step that is restarted for one loop does not change the motion of another loop to the last bit.
#[test]
fn a_singular_loop_changes_no_bit_of_another() -> Result<(), Error> {
    let masses = [0.5, 2.0, 0.5];
    let run = |angles: &[f64]| -> Result<Vec<Vec<u64>>, Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let mut mechanisms = Vec::new();
        for &angle in angles {
            mechanisms.push(Parallelogram::add(&mut model, angle, masses, SI)?);
        }
        let mut simulation = simulation(&model, 1e-2, 30, None)?;
        let mut state = simulation.initial_state(&model)?;
        simulation.run(&model, &mut state, |_, _| {})?;
        Ok(mechanisms.iter().map(|mechanism| mechanism.motion(&state)).collect())
    };
    let (singular, other) = (start(1e-2, 0.0), 0.3);
    let together = run(&[singular, other])?;
    assert_eq!(together[0], run(&[singular])?[0]);
    assert_eq!(together[1], run(&[other])?[0]);
    Ok(())
}

#[test]
fn a_singular_loop_does_not_depend_on_units() -> Result<(), Error> {
    let run = |units: Units| -> Result<Vec<u64>, Error> {
        let mut model = NonSmoothDynamicalSystem::new();
        let mechanism = Parallelogram::add(&mut model, start(1e-2, 0.0), [0.5, 2.0, 0.5], units)?;
        let mut simulation = simulation(&model, 1e-2 * units.time, 30, None)?;
        let mut state = simulation.initial_state(&model)?;
        simulation.run(&model, &mut state, |_, _| {})?;
        Ok(mechanism.motion(&state))
    };
    let expected = run(SI)?;
    let two = |exponent: i32| f64::from(exponent).exp2();
    for (mass, length, time) in [(10, 0, 0), (0, -20, 0), (0, 0, -12), (-8, 9, 10)] {
        let units = Units { mass: two(mass), length: two(length), time: two(time) };
        assert_eq!(run(units)?, expected, "2^{mass} kg, 2^{length} m, 2^{time} s");
    }
    Ok(())
}

/// The parallelogram with adaptive steps.
#[test]
fn adaptive_steps_pass_a_flat_parallelogram() -> Result<(), Error> {
    for (tolerance, largest) in [(1e-3, 1e-2), (1e-5, 1e-4)] {
        for projection in PROJECTIONS {
            for phase in 0..5 {
                let mut model = NonSmoothDynamicalSystem::new();
                let angle = start(1e-2, 0.2 * f64::from(phase));
                let mechanism = Parallelogram::add(&mut model, angle, [0.5, 2.0, 0.5], SI)?;
                let mut simulation = simulation(&model, 2.0, 1, projection)?;
                let mut state = simulation.initial_state(&model)?;
                let before = mechanism.energy(&state);
                let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(tolerance))?;
                adaptive.run(&mut simulation, &model, &mut state, 2.0, |_, _, _| {})?;
                let change = (mechanism.energy(&state) - before) / before;
                assert!(change.abs() < largest, "{tolerance}, {projection:?}, phase {phase}: {change:e}");
                assert!(mechanism.twist(&state).abs() < 1e-12, "{tolerance}, {projection:?}, phase {phase}");
            }
        }
    }
    Ok(())
}

/// Four locomotive wheels on one coupling rod, two more than necessary, so that the joints are redundant. At
/// dead centre, where all cranks are flat, the equations of a step are inconsistent.
#[test]
fn a_locomotive_passes_its_dead_centre() -> Result<(), Error> {
    const WHEELS: i32 = 4;
    let h = 1e-2;
    for projection in PROJECTIONS {
        for fraction in [0.0, 0.05, 0.5] {
            let angle = start(h, fraction);
            let (along, across) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
            let body = |rod: Rod, x: f64, share: f64, rotation: f64, omega: f64| {
                let inertia = [0.1 * rod.inertia(), rod.inertia(), rod.inertia()];
                let place = [x + share * CRANK * along[0], share * CRANK * along[1], 0.0];
                let velocity = across.map(|x| share * CRANK * SPIN * x);
                NewtonEuler::new(rod.mass, inertia, place, Quaternion::about(Z, rotation))
                    .with_twist([velocity[0], velocity[1], 0.0], [0.0, 0.0, omega])
            };
            let length = COUPLER * f64::from(WHEELS - 1);
            let coupling_rod = body(Rod { mass: 2.0, length }, 0.5 * length, 1.0, 0.0, 0.0);
            let mut model = NonSmoothDynamicalSystem::new();
            let rod = model.add_system(coupling_rod.clone())?;
            let mut cranks = Vec::new();
            for wheel in 0..WHEELS {
                let x = COUPLER * f64::from(wheel);
                let crank = body(Rod { mass: 0.5, length: CRANK }, x, 0.5, angle, SPIN);
                let pivot = Joint::revolute(&crank, [x, 0.0, 0.0], Z)?;
                let pin = [x + CRANK * along[0], CRANK * along[1], 0.0];
                let pin = Joint::revolute((&crank, &coupling_rod), pin, Z)?;
                let crank = model.add_system(crank)?;
                cranks.push(crank);
                let condition = pivot.condition()?;
                model.add_interaction([crank], pivot, condition)?;
                let condition = pin.condition()?;
                model.add_interaction([crank, rod], pin, condition)?;
            }
            let mut simulation = simulation(&model, h, 40, projection)?;
            let mut state = simulation.initial_state(&model)?;
            simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
            for &crank in &cranks {
                let speed = state.v(crank)[5];
                assert!((speed / SPIN - 1.0).abs() < 1e-3, "{projection:?}, {fraction}: {speed}");
            }
        }
    }
    Ok(())
}
