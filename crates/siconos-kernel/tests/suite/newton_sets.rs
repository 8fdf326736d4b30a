//! Convergence of Newton's method for each island of systems separately, independently of units.

use ndarray::{ArrayViewMut2, array};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::NewtonDamping;

/// Returns the bits of the motion of one system, and the number of iterations.
fn motion(
    model: &NonSmoothDynamicalSystem,
    id: DynamicalSystemId,
    newton: NewtonSettings,
) -> (Vec<u64>, usize) {
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2).unwrap();
    let mut sim = TimeStepping::builder(model).discretisation(grid).newton(newton).build().unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let (mut bits, mut iterations) = (Vec::new(), 0);
    sim.run(model, &mut state, |report, state| {
        iterations += report.newton_iterations;
        // Finite-difference Jacobians have errors of about 1e-10.
        assert!(report.newton_error <= 100.0 * newton.tolerance, "{}", report.newton_error);
        let x = if state.x(id).is_empty() { state.q(id) } else { state.x(id) };
        bits.extend(x.iter().chain(state.v(id)).chain(state.impulse(id)).map(|x| x.to_bits()));
    })
    .unwrap();
    (bits, iterations)
}

/// Creates a pendulum of length 1 with drag and the given mass in kilograms.
fn pendulum(mass: f64) -> Lagrangian {
    Lagrangian::new(vec![1.2], vec![0.0], array![mass]).with_internal_force(
        move |_, q, v, f| f[0] = mass * (9.81 * q[0].sin() + 0.3 * v[0] * v[0].abs()),
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    )
}

type AddSubject = fn(&mut NonSmoothDynamicalSystem) -> DynamicalSystemId;
type AddStranger = fn(&mut NonSmoothDynamicalSystem);

/// Returns the systems to be observed, each with its contacts.
fn subjects() -> [(&'static str, AddSubject); 5] {
    [
        ("pendulum", |model| model.add_system(pendulum(1e-3)).unwrap()),
        ("pendulum at a stop", |model| {
            let id = model.add_system(pendulum(1e-3)).unwrap();
            let stop = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin() + 0.2);
            model.add_interaction([id], stop, NewtonImpact::new(0.7).unwrap()).unwrap();
            id
        }),
        ("mass on a rod", |model| {
            let mass =
                LagrangianLinear::new(vec![1.0_f64.sin(), 1.0_f64.cos()], vec![0.0; 2], array![2.0, 2.0])
                    .with_external_force(|_, f| f[1] = 2.0 * 9.81);
            let id = model.add_system(mass).unwrap();
            let rod = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].hypot(q[1]) - 1.0);
            model.add_interaction([id], rod, EqualityCondition::new(1).unwrap()).unwrap();
            id
        }),
        ("ball", |model| {
            let ball = LagrangianLinear::new(vec![0.3], vec![0.0], array![1e-3])
                .with_external_force(|_, f| f[0] = -9.81e-3);
            let id = model.add_system(ball).unwrap();
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            model.add_interaction([id], floor, NewtonImpact::new(0.8).unwrap()).unwrap();
            id
        }),
        ("circuit", |model| {
            let system = FirstOrderNonlinear::new(
                vec![1.5],
                |_, x, f| f[0] = 0.5 - x[0].powi(3),
                Jacobian::of_state(|_, x, j: &mut ArrayViewMut2<'_, f64>| j[[0, 0]] = -3.0 * x[0] * x[0]),
            );
            let id = model.add_system(system).unwrap();
            let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[-1.0]]).with_d(array![[0.1]]);
            model.add_interaction([id], relation, Relay::new(vec![-1.0], vec![1.0]).unwrap()).unwrap();
            id
        }),
    ]
}

/// Returns unrelated bodies, without contacts to the observed systems.
fn strangers() -> [(&'static str, AddStranger); 3] {
    [
        ("heavy pendulum", |model| {
            model.add_system(pendulum(1e6)).unwrap();
        }),
        ("heavy ball", |model| {
            let ball = LagrangianLinear::new(vec![3.0], vec![1e3], array![1e6]);
            model.add_system(ball).unwrap();
        }),
        ("stiff circuit", |model| {
            let system = FirstOrderNonlinear::new(
                vec![2e3],
                |_, x, f| f[0] = -1e3 * (1e-3 * x[0]).sinh(),
                Jacobian::FiniteDifference,
            );
            model.add_system(system).unwrap();
        }),
    ]
}

#[test]
fn a_body_that_has_nothing_to_do_with_another_changes_not_one_bit_of_it() {
    for (name, subject) in subjects() {
        for damping in [NewtonDamping::None, NewtonDamping::Backtracking] {
            let newton = NewtonSettings { damping, ..NewtonSettings::default() };
            let mut model = NonSmoothDynamicalSystem::new();
            let id = subject(&mut model);
            let (alone, _) = motion(&model, id, newton);
            for (other, stranger) in strangers() {
                for before in [false, true] {
                    let mut model = NonSmoothDynamicalSystem::new();
                    if before {
                        stranger(&mut model);
                    }
                    let id = subject(&mut model);
                    if !before {
                        stranger(&mut model);
                    }
                    assert!(motion(&model, id, newton).0 == alone, "{name} beside {other}");
                }
            }
        }
    }
}

/// Creates a bead on a rotating rod, held by a spring, with stops for the angle and the distance. The
/// coordinates are the distance r in a unit of 1 / `per_metre` metres and the angle. The unit of time is 1 s,
/// the unit of mass 1 / `per_kilogram` kg.
fn bead(per_metre: f64, per_kilogram: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId) {
    // All data are in metres and kilograms, multiplied by powers of two.
    let (mass, spring, length, g) = (0.7 * per_kilogram, 40.0 * per_kilogram, 0.8, 9.81);
    let metres = move |r: f64| r / per_metre;
    let system = Lagrangian::of_mass_function(vec![per_metre, 0.9], vec![0.0, 1.5], move |_, q, m| {
        m[[0, 0]] = mass / (per_metre * per_metre);
        m[[1, 1]] = mass * metres(q[0]).powi(2);
    })
    .with_internal_force(
        move |_, q, v, f| {
            let (r, r_dot) = (metres(q[0]), metres(v[0]));
            f[0] = (spring * (r - length) - mass * g * q[1].cos() - mass * r * v[1] * v[1]) / per_metre;
            f[1] = mass * g * r * q[1].sin() + 2.0 * mass * r * r_dot * v[1];
        },
        Jacobian::function(move |_, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let (r, r_dot) = (metres(q[0]), metres(v[0]));
            j[[0, 0]] = (spring - mass * v[1] * v[1]) / (per_metre * per_metre);
            j[[0, 1]] = mass * g * q[1].sin() / per_metre;
            j[[1, 0]] = (mass * g * q[1].sin() + 2.0 * mass * r_dot * v[1]) / per_metre;
            j[[1, 1]] = mass * g * r * q[1].cos();
        }),
        Jacobian::function(move |_, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let (r, r_dot) = (metres(q[0]), metres(v[0]));
            j[[0, 1]] = -2.0 * mass * r * v[1] / per_metre;
            j[[1, 0]] = 2.0 * mass * r * v[1] / per_metre;
            j[[1, 1]] = 2.0 * mass * r * r_dot;
        }),
    );
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    let law = NewtonImpact::new(0.6).unwrap();
    let stop = LagrangianLinearRelation::new(array![[0.0, 1.0]]).with_offset(vec![0.4]);
    model.add_interaction([id], stop, law).unwrap();
    let end = LagrangianLinearRelation::new(array![[-1.0, 0.0]]).with_offset(vec![1.25 * per_metre]);
    model.add_interaction([id], end, law).unwrap();
    (model, id)
}

#[test]
fn metres_and_millimetres_take_the_same_iterations_to_the_same_angle() {
    let run = |per_metre: f64, per_kilogram: f64| {
        let (model, id) = bead(per_metre, per_kilogram);
        let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-2).unwrap();
        let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let (mut bits, mut iterations, mut impacts) = (Vec::new(), 0, 0);
        sim.run(&model, &mut state, |report, state| {
            iterations += report.newton_iterations;
            impacts += usize::from(state.impulse(id).iter().any(|p| *p != 0.0));
            let (q, v) = (state.q(id), state.v(id));
            bits.extend([q[0] / per_metre, q[1], v[0] / per_metre, v[1]].map(f64::to_bits));
        })
        .unwrap();
        assert!(impacts > 2 && iterations > 400, "{impacts} {iterations}");
        (bits, iterations)
    };
    let metres = run(1.0, 1.0);
    for (per_metre, per_kilogram) in
        [(1024.0, 1.0), (1.0, 32.0), (2.0_f64.powi(-9), 1024.0), (8.0, 2.0_f64.powi(-21))]
    {
        let other = run(per_metre, per_kilogram);
        assert_eq!(other.1, metres.1, "iterations at {per_metre} per metre");
        assert!(other.0 == metres.0, "{per_metre} per metre, {per_kilogram} per kilogram");
    }
}

#[test]
fn the_report_keeps_the_largest_error_of_all_sets() {
    let mut model = NonSmoothDynamicalSystem::new();
    for mass in [1e-3, 1.0, 1e6] {
        model.add_system(pendulum(mass)).unwrap();
    }
    let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-2).unwrap();
    let newton = NewtonSettings { max_iterations: 1, ..NewtonSettings::default() };
    let mut sim = TimeStepping::builder(&model)
        .discretisation(grid)
        .newton(newton)
        .on_non_convergence(OnNonConvergence::Continue)
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |report, _| {
        assert_eq!(report.newton_iterations, 1);
        assert!(
            report.newton_error > newton.tolerance,
            "one iteration is not enough: {}",
            report.newton_error
        );
    })
    .unwrap();
}
