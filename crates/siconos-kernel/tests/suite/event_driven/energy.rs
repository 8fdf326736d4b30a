//! Conservation laws of impacts: energy does not increase, and momentum is conserved for free bodies.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use crate::event_driven::common::{run, simulation};

/// Creates a row of free beads with random masses and one coefficient of restitution. Some of the beads are
/// in contact.
fn row(
    random: &mut RandomState,
    n: usize,
    e: f64,
) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Vec<f64>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let (mut x, mut masses, mut bodies) = (0.0, Vec::new(), Vec::new());
    for _ in 0..n {
        let mass = random.between(0.1, 3.0);
        let v = random.between(-1.0, 1.0);
        bodies.push(model.add_system(LagrangianLinear::new(vec![x], vec![v], array![mass])).unwrap());
        masses.push(mass);
        x += if random.uniform() < 0.5 { 0.0 } else { random.between(0.05, 0.3) };
    }
    for pair in bodies.windows(2) {
        let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
        model.add_interaction([pair[0], pair[1]], gap, NewtonImpact::new(e).unwrap()).unwrap();
    }
    (model, bodies, masses)
}

#[test]
fn free_beads_keep_their_momentum_and_gain_no_energy() {
    let mut random = RandomState::new(6);
    let mut impacts = 0;
    for case in 0..60 {
        let e = [0.0, 0.3, 1.0][case % 3];
        let n = 3 + case % 6;
        let (model, bodies, masses) = row(&mut random, n, e);
        let momentum = |v: &dyn Fn(DynamicalSystemId) -> f64| -> f64 {
            bodies.iter().zip(&masses).map(|(id, m)| m * v(*id)).sum()
        };
        let energy = |v: &dyn Fn(DynamicalSystemId) -> f64| -> f64 {
            bodies.iter().zip(&masses).map(|(id, m)| 0.5 * m * v(*id).powi(2)).sum()
        };
        let start = State::new(&model, 0.0);
        let p0 = momentum(&|id| start.v(id)[0]);
        let e0 = energy(&|id| start.v(id)[0]);
        let mut sim = simulation(&model, 3.0, 0.1);
        let mut state = sim.initial_state(&model).unwrap();
        let mut last = e0;
        let mut check = |state: &State| {
            let now = energy(&|id| state.v(id)[0]);
            assert!(now <= last + 1e-13 * e0, "case {case}, e = {e}, t = {}: {last} to {now}", state.t);
            if e == 1.0 {
                assert!((now - e0).abs() < 1e-12 * e0, "case {case}: {now} {e0}");
            }
            last = now;
            let p = momentum(&|id| state.v(id)[0]);
            assert!((p - p0).abs() < 1e-13, "case {case}, t = {}: {p} {p0}", state.t);
        };
        check(&state);
        impacts += run(&model, &mut sim, &mut state, check).impacts.len();
    }
    println!("{impacts} events with impacts");
    assert!(impacts > 200, "{impacts}");
}

/// A bead on a line between two plastic walls, with and without a force towards one of them.
#[test]
fn a_bead_between_two_plastic_walls() {
    for force in [0.0, -2.0, 2.0] {
        let mut model = NonSmoothDynamicalSystem::new();
        let bead = LagrangianLinear::new(vec![0.3], vec![1.0], array![2.0])
            .with_external_force(move |_t, f| f[0] = force);
        let bead = model.add_system(bead).unwrap();
        let walls: Vec<_> = [(1.0, 0.0), (-1.0, 1.0)]
            .into_iter()
            .map(|(j, b)| {
                let wall = LagrangianLinearRelation::new(array![[j]]).with_offset(array![b]);
                model.add_interaction([bead], wall, NewtonImpact::new(0.0).unwrap()).unwrap()
            })
            .collect();
        let mut sim = simulation(&model, 3.0, 0.1);
        let mut state = sim.initial_state(&model).unwrap();
        run(&model, &mut sim, &mut state, |_| {});
        let at = if force < 0.0 { 0.0 } else { 1.0 };
        assert!((state.q(bead)[0] - at).abs() < 1e-14, "{force}: {}", state.q(bead)[0]);
        assert_eq!(state.v(bead), [0.0]);
        let forces: Vec<f64> = walls.iter().map(|w| state.lambda(*w, Level::Acceleration)[0]).collect();
        let expected = [(-force).max(0.0), force.max(0.0)];
        for (found, expected) in forces.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "{force}: {forces:?}");
        }
    }
}

/// A double pendulum of point masses with a wall for the lower mass, with angles measured from the hanging
/// position. The mass matrix depends on the position. Energy decreases at impacts, and only there.
#[test]
fn a_double_pendulum_with_a_wall() {
    let (l, g) = (1.0, 9.81);
    for e in [0.0, 0.6, 1.0] {
        let mut model = NonSmoothDynamicalSystem::new();
        let pendulum = Lagrangian::of_mass_function(vec![0.3, 1.2], vec![0.0, 0.0], move |_, q, m| {
            let c = (q[0] - q[1]).cos();
            (m[[0, 0]], m[[0, 1]], m[[1, 0]], m[[1, 1]]) = (2.0 * l * l, l * l * c, l * l * c, l * l);
        })
        .with_gyroscopic_force(
            move |_, q, v, f| {
                let s = (q[0] - q[1]).sin();
                (f[0], f[1]) = (l * l * s * v[1] * v[1], -l * l * s * v[0] * v[0]);
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        )
        .with_internal_force(
            move |_t, q, _v, f| (f[0], f[1]) = (2.0 * g * l * q[0].sin(), g * l * q[1].sin()),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        let pendulum = model.add_system(pendulum).unwrap();
        let wall = LagrangianScleronomousRelation::new(1, move |_, q, y| {
            y[0] = 0.2 + l * q[0].sin() + l * q[1].sin();
        })
        .with_jacobian(move |_, q, j| (j[[0, 0]], j[[0, 1]]) = (l * q[0].cos(), l * q[1].cos()));
        let wall = model.add_interaction([pendulum], wall, NewtonImpact::new(e).unwrap()).unwrap();
        let energy = |state: &State| {
            let (q, v) = (state.q(pendulum), state.v(pendulum));
            let kinetic =
                0.5 * l * l * (2.0 * v[0] * v[0] + v[1] * v[1] + 2.0 * v[0] * v[1] * (q[0] - q[1]).cos());
            kinetic - g * l * (2.0 * q[0].cos() + q[1].cos())
        };
        let mut sim = simulation(&model, 8.0, 0.01);
        let mut state = sim.initial_state(&model).unwrap();
        let (start, mut last) = (energy(&state), energy(&state));
        let mut lowest = 0.0_f64;
        let run = run(&model, &mut sim, &mut state, |state| {
            let now = energy(state);
            assert!(now <= last + 1e-7, "e = {e}, t = {}: {last} to {now}", state.t);
            let impact = state.lambda(wall, Level::Velocity)[0] > 0.0;
            assert!(impact || (now - last).abs() < 1e-7, "e = {e}, t = {}: {last} to {now}", state.t);
            last = now;
            lowest = lowest.min(state.y(wall, Level::Position)[0]);
        });
        println!(
            "double pendulum, e = {e}: {} impacts, {} releases, energy {start} to {last}, gap {lowest:e}",
            run.impacts.len(),
            run.released.len()
        );
        assert!(!run.impacts.is_empty());
        assert!(lowest > -1e-10, "{lowest:e}");
        if e == 1.0 {
            assert!((last - start).abs() < 1e-7, "{start} {last}");
        }
    }
}

/// Elastic impacts on several constraints conserve the energy, with a full mass matrix.
#[test]
fn elastic_impacts_with_full_masses_keep_the_energy() {
    let mut random = RandomState::new(11);
    for case in 0..40 {
        let n = 2 + case % 4;
        let root = Array2::from_shape_fn((n, n), |_| random.between(-1.0, 1.0));
        let mass = root.dot(&root.t()) + Array2::<f64>::eye(n) * 0.5;
        let v0: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(LagrangianLinear::new(vec![0.0; n], v0.clone(), mass.clone())).unwrap();
        for _ in 0..n {
            let row = Array2::from_shape_fn((1, n), |_| random.between(-1.0, 1.0));
            model
                .add_interaction([body], LagrangianLinearRelation::new(row), NewtonImpact::new(1.0).unwrap())
                .unwrap();
        }
        let energy = |v: &[f64]| {
            let v = ndarray::Array1::from(v.to_vec());
            0.5 * v.dot(&mass.dot(&v))
        };
        // All contacts are closed at the start.
        let mut sim = simulation(&model, 1.0, 0.1);
        let state = sim.initial_state(&model).unwrap();
        let (before, after) = (energy(&v0), energy(state.v(body)));
        assert!((before - after).abs() < 1e-12 * before, "case {case}: {before} {after}");
    }
}
