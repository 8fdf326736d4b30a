//! Heavy loads on chains of light links: geometric stiffness of joint reactions in Newton's method.

use siconos_kernel::integrator::Projection;
use siconos_kernel::model::{Joint, JointBodies};
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;

use super::largest_gap;
use crate::common::{SI, Units};

const G: f64 = 9.81;
const H: f64 = 1e-3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Spherical,
    Revolute,
}

const BOTH: [Kind; 2] = [Kind::Spherical, Kind::Revolute];

/// Chain of links of 1 kg and 1 m that hangs from the origin. The last link has the mass of the load.
struct Chain {
    model: NonSmoothDynamicalSystem,
    bodies: Vec<DynamicalSystemId>,
    joints: Vec<InteractionId>,
    masses: Vec<f64>,
    units: Units,
}

impl Chain {
    /// Creates a chain from the angles of the links about y; an angle of 0 is the hanging position.
    fn new(kind: Kind, load: f64, angles: &[f64], units: Units) -> Result<Self, Error> {
        let Units { mass, length, time } = units;
        let masses: Vec<_> = (1..=angles.len()).map(|k| if k == angles.len() { load } else { 1.0 }).collect();
        let (mut bodies, mut points, mut point) = (Vec::new(), Vec::new(), [0.0; 3]);
        for (&m, &angle) in masses.iter().zip(angles) {
            let rotation = Quaternion::about([0.0, 1.0, 0.0], angle);
            let half = rotation.rotate([0.0, 0.0, -0.5]);
            let centre: [f64; 3] = std::array::from_fn(|i| point[i] + half[i]);
            let weight = -m * mass * G * length / (time * time);
            let body = NewtonEuler::new(
                m * mass,
                inertia(m) * mass * length * length,
                centre.map(|x| x * length),
                rotation,
            );
            bodies.push(body.with_constant_external_force([0.0, 0.0, weight]));
            points.push(point.map(|x| x * length));
            point = std::array::from_fn(|i| centre[i] + half[i]);
        }
        let joint = |k: usize| {
            let jointed: JointBodies<'_> = match k {
                0 => (&bodies[0]).into(),
                k => (&bodies[k], &bodies[k - 1]).into(),
            };
            match kind {
                Kind::Spherical => Joint::spherical(jointed, points[k]),
                Kind::Revolute => Joint::revolute(jointed, points[k], [0.0, 1.0, 0.0]),
            }
        };
        let made = (0..bodies.len()).map(joint).collect::<Result<Vec<_>, _>>()?;
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies = bodies.into_iter().map(|body| model.add_system(body)).collect::<Result<Vec<_>, _>>()?;
        let mut joints = Vec::new();
        for (k, joint) in made.into_iter().enumerate() {
            let condition = joint.condition()?;
            joints.push(match k {
                0 => model.add_interaction([bodies[0]], joint, condition)?,
                k => model.add_interaction([bodies[k], bodies[k - 1]], joint, condition)?,
            });
        }
        Ok(Self { model, bodies, joints, masses, units })
    }

    fn simulation(&self, steps: usize) -> Result<TimeStepping, Error> {
        self.projected(steps, None)
    }

    fn projected(&self, steps: usize, projection: Option<Projection>) -> Result<TimeStepping, Error> {
        let h = H * self.units.time;
        let grid = TimeDiscretisation::uniform(0.0, steps as f64 * h, h)?;
        let integrator = MoreauJean { projection, ..MoreauJean::default() };
        TimeStepping::builder(&self.model).discretisation(grid).integrator(integrator).build()
    }

    /// Returns the energy \[J\], converted from the units of the chain.
    fn energy(&self, state: &State) -> f64 {
        let of_body = |(&body, &m): (&DynamicalSystemId, &f64)| {
            let (q, v) = (state.q(body), state.v(body));
            let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
            0.5 * m * square(&v[..3]) + 0.5 * inertia(m) * square(&v[3..]) + m * G * q[2]
        };
        self.bodies.iter().zip(&self.masses).map(of_body).sum()
    }

    /// Returns the bits of positions and velocities in SI units.
    fn motion(&self, state: &State) -> Vec<u64> {
        let Units { length, time, .. } = self.units;
        let mut motion = Vec::new();
        for &body in &self.bodies {
            let (q, v) = (state.q(body), state.v(body));
            motion.extend(q[..3].iter().map(|x| x / length).chain(q[3..].iter().copied()));
            motion.extend(v[..3].iter().map(|x| x / length * time).chain(v[3..].iter().map(|x| x * time)));
        }
        motion.into_iter().map(f64::to_bits).collect()
    }
}

/// Returns the moment of inertia of a link about each axis \[kg m2\].
fn inertia(mass: f64) -> f64 {
    if mass == 1.0 { 1.0 / 12.0 } else { 0.1 * mass }
}

/// Without geometric stiffness, Newton's method fails in the first step of the first three cases, and takes
/// 13 iterations in some steps of the last case.
#[test]
fn heavy_loads_swing_in_three_iterations_a_step() -> Result<(), Error> {
    let cases = [(3, 1e6, 1000), (5, 1e5, 2000), (10, 1e6, 1000), (5, 1e4, 2000)];
    for kind in BOTH {
        for (links, load, steps) in cases {
            let chain = Chain::new(kind, load, &vec![0.5; links], SI)?;
            let mut simulation = chain.simulation(steps)?;
            let mut state = simulation.initial_state(&chain.model)?;
            let before = chain.energy(&state);
            let (mut most, mut off, mut gap) = (0, 0.0, 0.0);
            simulation.run(&chain.model, &mut state, |report, state| {
                most = most.max(report.newton_iterations);
                off = worse(off, (chain.energy(state) - before).abs());
                gap = worse(gap, largest_gap(&chain.joints, state));
            })?;
            let swing = load * G * links as f64 * (1.0 - 0.5_f64.cos());
            let named = format!("{kind:?}, {links} links, {load:e} kg");
            assert_eq!(state.step(), steps, "{named}");
            assert!(most <= 3, "{named}: {most} iterations");
            assert!(off < 2e-6 * swing, "{named}: energy off by {off:e} of {swing:e}");
            assert!(gap < 2e-7, "{named}: joints apart by {gap:e}");
        }
    }
    Ok(())
}

/// Returns the slowest mode of the chain, from $M \ddot\varphi + K \varphi = 0$ for small absolute angles:
/// its angular frequency, and its angles scaled to a maximum of 1.
fn slowest_mode(masses: &[f64]) -> (f64, Vec<f64>) {
    let n = masses.len();
    let lever = |body: usize, link: usize| match link.cmp(&body) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    let entry = |i: usize, j: usize| {
        let of_masses: f64 = (0..n).map(|body| masses[body] * lever(body, i) * lever(body, j)).sum();
        of_masses + if i == j { inertia(masses[i]) } else { 0.0 }
    };
    let stiffness = |i: usize| G * (0..n).map(|body| masses[body] * lever(body, i)).sum::<f64>();
    let (mut angles, mut largest) = (vec![1.0; n], 0.0);
    // The largest eigenvalue of K^-1 M is 1 / omega^2.
    for _ in 0..200 {
        let next: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| entry(i, j) * angles[j]).sum::<f64>() / stiffness(i)).collect();
        largest = next.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        angles = next.iter().map(|x| x / largest).collect();
    }
    (1.0 / largest.sqrt(), angles)
}

#[test]
fn the_slowest_mode_has_its_frequency() -> Result<(), Error> {
    const AMPLITUDE: f64 = 1e-3;
    for (links, load) in [(2, 1e5), (4, 1e6), (6, 1e5)] {
        let mut masses = vec![1.0; links];
        masses[links - 1] = load;
        let (omega, mode) = slowest_mode(&masses);
        let angles: Vec<_> = mode.iter().map(|angle| AMPLITUDE * angle).collect();
        let chain = Chain::new(Kind::Spherical, load, &angles, SI)?;
        let mut simulation = chain.simulation(4000)?;
        let mut state = simulation.initial_state(&chain.model)?;
        let mut off = 0.0;
        simulation.run(&chain.model, &mut state, |_, state| {
            for (&body, angle) in chain.bodies.iter().zip(&angles) {
                let own = Quaternion::of_body(state.q(body)).log()[1];
                off = worse(off, (own - angle * (omega * state.t).cos()).abs());
            }
        })?;
        assert!(off < 1e-5 * AMPLITUDE, "{links} links, {load:e} kg: off by {off:e}");
    }
    Ok(())
}

#[test]
fn a_load_at_rest_hangs_for_ten_thousand_steps() -> Result<(), Error> {
    for kind in BOTH {
        let chain = Chain::new(kind, 1e6, &[0.0; 4], SI)?;
        let mut simulation = chain.simulation(10_000)?;
        let mut state = simulation.initial_state(&chain.model)?;
        let before = state.positions(&chain.model)?;
        simulation.run(&chain.model, &mut state, |report, _| assert_eq!(report.newton_iterations, 1))?;
        let after = state.positions(&chain.model)?;
        let moved = after.iter().zip(&before).map(|(q, q_0)| (q - q_0).abs()).fold(0.0, worse);
        assert!(moved < 1e-10, "{kind:?}: moved by {moved:e}");
        for (k, &joint) in chain.joints.iter().enumerate() {
            let carried = G * chain.masses[k..].iter().sum::<f64>();
            let force = state.lambda(joint, Level::Acceleration)[2];
            assert!((force / carried - 1.0).abs() < 1e-9, "{kind:?}, joint {k}: {force} of {carried}");
        }
    }
    Ok(())
}

/// Returns the motion and the numbers of iterations of 120 steps of a chain.
fn record(chain: &Chain) -> Result<Vec<(usize, Vec<u64>)>, Error> {
    let mut simulation = chain.simulation(120)?;
    let mut state = simulation.initial_state(&chain.model)?;
    let mut steps = Vec::new();
    simulation.run(&chain.model, &mut state, |report, state| {
        steps.push((report.newton_iterations, chain.motion(state)));
    })?;
    Ok(steps)
}

#[test]
fn units_change_no_bit_of_a_loaded_chain() -> Result<(), Error> {
    let angles = [0.4, 0.1, -0.2, 0.3];
    for kind in BOTH {
        let expected = record(&Chain::new(kind, 1e5, &angles, SI)?)?;
        for (mass, length, time) in [(10, 0, 0), (0, -7, 0), (0, 0, 5), (-13, 4, -9)] {
            let [mass, length, time] = [mass, length, time].map(|exponent| 2.0_f64.powi(exponent));
            let chain = Chain::new(kind, 1e5, &angles, Units { mass, length, time })?;
            assert_eq!(record(&chain)?, expected, "{kind:?}, {mass} {length} {time}");
        }
    }
    Ok(())
}

#[test]
fn neither_strangers_nor_new_simulations_change_a_bit_of_a_loaded_chain() -> Result<(), Error> {
    let angles = [0.4, 0.1, -0.2, 0.3];
    for kind in BOTH {
        let mut chain = Chain::new(kind, 1e5, &angles, SI)?;
        let expected = record(&chain)?;
        let mut state = chain.simulation(120)?.initial_state(&chain.model)?;
        for (k, (_, motion)) in expected.iter().enumerate() {
            chain.simulation(120)?.step(&chain.model, &mut state)?;
            assert_eq!(chain.motion(&state), *motion, "{kind:?}, step {k}");
        }
        // Other bodies are added and removed during the motion. They have a joint and a load of their own.
        let mut simulation = chain.simulation(120)?;
        let mut state = simulation.initial_state(&chain.model)?;
        for (k, (_, motion)) in expected.iter().enumerate() {
            let link = NewtonEuler::new(1.0, 0.1, [9.0, 0.0, -0.5], Quaternion::IDENTITY)
                .with_twist([1.0, 0.0, 0.0], [0.0, -2.0, 0.0])
                .with_constant_external_force([0.0, 0.0, -1e7]);
            let joint = Joint::spherical(&link, [9.0, 0.0, 0.0])?;
            let condition = joint.condition()?;
            let link = chain.model.add_system(link)?;
            let joint = chain.model.add_interaction([link], joint, condition)?;
            simulation.step(&chain.model, &mut state)?;
            assert_eq!(chain.motion(&state), *motion, "{kind:?}, step {k}");
            if k % 3 == 0 {
                chain.model.remove_interaction(joint)?;
                chain.model.remove_system(link)?;
            }
            if k == 20 {
                break;
            }
        }
    }
    Ok(())
}

#[test]
fn a_step_of_a_loaded_chain_allocates_nothing() -> Result<(), Error> {
    let chain = Chain::new(Kind::Spherical, 1e6, &[0.3; 5], SI)?;
    let mut simulation = chain.simulation(60)?;
    let mut state = simulation.initial_state(&chain.model)?;
    for k in 0..60 {
        let allocations = count_allocations(|| {
            simulation.step(&chain.model, &mut state).expect("a step");
        });
        assert!(k < 10 || allocations == 0, "step {k}: {allocations}");
    }
    Ok(())
}

/// Projection closes the joints, with and without geometric stiffness in the step.
#[test]
fn projection_closes_the_joints_of_a_loaded_chain() -> Result<(), Error> {
    for projection in [Projection::Direct, Projection::Combined] {
        let chain = Chain::new(Kind::Spherical, 1e6, &[0.5; 4], SI)?;
        let mut simulation = chain.projected(1000, Some(projection))?;
        let mut state = simulation.initial_state(&chain.model)?;
        let (before, mut most, mut gap, mut off) = (chain.energy(&state), 0, 0.0, 0.0);
        simulation.run(&chain.model, &mut state, |report, state| {
            most = most.max(report.newton_iterations);
            gap = worse(gap, largest_gap(&chain.joints, state));
            off = worse(off, (chain.energy(state) - before).abs());
        })?;
        assert!(most <= 3 && gap < 1e-13, "{projection:?}: {most} iterations, gap {gap:e}");
        let swing = 1e6 * G * 4.0 * (1.0 - 0.5_f64.cos());
        assert!(off < 1e-6 * swing, "{projection:?}: energy off by {off:e} of {swing:e}");
    }
    Ok(())
}
