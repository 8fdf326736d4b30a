//! Inputs that depend on x couple systems in W. A model that is split into several systems moves like the
//! model with one system.

use ndarray::{Array2, array, s};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::largest_difference;

/// Relation of a few local states, independent of their distribution over systems.
#[derive(Clone, Copy)]
struct Physics {
    size: usize,
    h: fn(&[f64], &[f64], &mut [f64]),
    g: fn(&[f64], &[f64], &mut [f64]),
    c: fn(&[f64]) -> Array2<f64>,
    d: fn() -> Array2<f64>,
    k: fn(&[f64], &[f64]) -> Array2<f64>,
    b: fn(&[f64]) -> Array2<f64>,
}

/// Relation of (u0, u1, w), with entries of K between u and w in both directions.
const FIRST: Physics = Physics {
    size: 2,
    h: |x, l, y| {
        y[0] = x[0] + 0.3 * x[2] * x[2] + 2.0 * l[0] - 0.5;
        y[1] = x[1] * x[2] + l[1] + 0.2 * l[0] - 0.1;
    },
    g: |x, l, r| {
        r[0] = l[0] * (1.0 + 0.2 * x[1] * x[2]);
        r[1] = l[1] * x[2].cos();
        r[2] = -0.3 * l[0] * x[0] + 0.5 * l[1];
    },
    c: |x| array![[1.0, 0.0, 0.6 * x[2]], [0.0, x[2], x[1]]],
    d: || array![[2.0, 0.0], [0.2, 1.0]],
    k: |x, l| {
        array![
            [0.0, 0.2 * l[0] * x[2], 0.2 * l[0] * x[1]],
            [0.0, 0.0, -l[1] * x[2].sin()],
            [-0.3 * l[0], 0.0, 0.0]
        ]
    },
    b: |x| array![[1.0 + 0.2 * x[1] * x[2], 0.0], [0.0, x[2].cos()], [-0.3 * x[0], 0.5]],
};

/// Relation of (w, s).
const SECOND: Physics = Physics {
    size: 1,
    h: |x, l, y| y[0] = x[0] - x[1] * x[1] + 1.5 * l[0] - 0.8,
    g: |x, l, r| (r[0], r[1]) = (-l[0] * x[1], l[0] * (1.0 + x[0])),
    c: |x| array![[1.0, -2.0 * x[1]]],
    d: || array![[1.5]],
    k: |_, l| array![[0.0, -l[0]], [l[0], 0.0]],
    b: |x| array![[-x[1]], [1.0 + x[0]]],
};

/// Creates the relation for states at the given indices of x.
fn relation(physics: Physics, places: &'static [usize]) -> FirstOrderNonlinearRelation {
    let local = move |x: &[f64]| -> Vec<f64> { places.iter().map(|&i| x[i]).collect() };
    FirstOrderNonlinearRelation::new(
        physics.size,
        move |at, y| (physics.h)(&local(at.x), at.lambda, y),
        move |at, r| {
            let mut of_places = vec![0.0; places.len()];
            (physics.g)(&local(at.x), at.lambda, &mut of_places);
            for (value, &i) in of_places.iter().zip(places) {
                r[i] = *value;
            }
        },
    )
    .with_c(RelationJacobian::function(move |at, c| {
        for (column, &j) in (physics.c)(&local(at.x)).columns().into_iter().zip(places) {
            c.column_mut(j).assign(&column);
        }
    }))
    .with_d(RelationJacobian::Constant((physics.d)()))
    .with_k(RelationJacobian::function(move |at, k| {
        let of_places = (physics.k)(&local(at.x), at.lambda);
        for ((row, column), value) in of_places.indexed_iter() {
            k[[places[row], places[column]]] = *value;
        }
    }))
    .with_b(RelationJacobian::function(move |at, b| {
        for (row, &i) in (physics.b)(&local(at.x)).rows().into_iter().zip(places) {
            b.row_mut(i).assign(&row);
        }
    }))
}

const X0: [f64; 4] = [-0.4, 0.6, -0.7, 0.3];

fn field(at: At<'_>, x: &[f64], f: &mut [f64]) {
    f[0] = -x[0] + x[1];
    f[1] = -2.0 * x[0] - 0.5 * x[1].powi(3);
    f[2] = -x[2] + 0.5;
    f[3] = -x[3] + (3.0 * at.t).sin();
}

fn derivative(x: &[f64]) -> Array2<f64> {
    array![
        [-1.0, 1.0, 0.0, 0.0],
        [-2.0, -1.5 * x[1] * x[1], 0.0, 0.0],
        [0.0, 0.0, -1.0, 0.0],
        [0.0, 0.0, 0.0, -1.0]
    ]
}

fn of_u() -> FirstOrderNonlinear {
    let f = |at: At<'_>, x: &[f64], f: &mut [f64]| {
        let mut all = [0.0; 4];
        field(at, &[x[0], x[1], 0.0, 0.0], &mut all);
        f.copy_from_slice(&all[..2]);
    };
    FirstOrderNonlinear::new(
        X0[..2].to_vec(),
        f,
        Jacobian::of_state(|_, x, j| j.assign(&derivative(&[x[0], x[1]]).slice(s![..2, ..2]))),
    )
}

fn of_w() -> FirstOrderLinearTi {
    FirstOrderLinearTi::new(vec![X0[2]], array![[-1.0]]).with_source(vec![0.5])
}

fn of_s() -> FirstOrderLinear {
    FirstOrderLinear::new(vec![X0[3]], array![[-1.0]]).with_source_function(|at, b| b[0] = (3.0 * at.t).sin())
}

fn joined() -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(X0.to_vec(), field, Jacobian::of_state(|_, x, j| j.assign(&derivative(x))))
}

fn other(x0: f64) -> FirstOrderLinearTi {
    FirstOrderLinearTi::new(vec![x0, -x0], array![[-0.3, 2.0], [-2.0, -0.3]])
}

/// Returns x, y and lambda after every step, in the order u0, u1, w, s.
fn run(
    model: &NonSmoothDynamicalSystem,
    systems: &[DynamicalSystemId],
    interactions: &[InteractionId],
    integrator: Integrator,
) -> Vec<f64> {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 3.0, 0.05).unwrap())
        .integrator(integrator)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    let (mut out, mut most) = (Vec::new(), 0);
    simulation
        .run(model, &mut state, |report, state| {
            most = most.max(report.newton_iterations);
            out.extend(systems.iter().flat_map(|&id| state.x(id)));
            for &id in interactions {
                out.extend(state.y(id, Level::Position).iter().chain(state.lambda(id, Level::Position)));
            }
        })
        .unwrap();
    assert!((2..10).contains(&most), "{most} Newton iterations");
    out
}

fn assert_same(name: &str, a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let worst = largest_difference(a, b);
    assert!(worst <= 2e-13, "{name}: {worst:e}");
}

fn integrators() -> Vec<Integrator> {
    vec![
        EulerMoreau::default().into(),
        BackwardEuler.into(),
        ThetaGamma::default().into(),
        ThetaGamma { theta: 0.5, gamma: 1.0 }.into(),
        MeasureEuler { theta: 0.5 }.into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
    ]
}

fn law(size: usize) -> ComplementarityCondition {
    ComplementarityCondition::new(size).unwrap()
}

#[test]
fn the_jacobians_of_these_tests_are_right() {
    for x in [&X0[..3], &[0.2, -0.8, 1.1]] {
        relation(FIRST, &[0, 1, 2]).check_jacobians(0.0, x, &[0.4, 0.7], 1e-8).unwrap();
        relation(FIRST, &[2, 0, 1]).check_jacobians(0.0, x, &[0.4, 0.7], 1e-8).unwrap();
        relation(SECOND, &[1, 0]).check_jacobians(0.0, &x[..2], &[0.4], 1e-8).unwrap();
    }
    joined().check_jacobians(0.3, &X0, &[0.0; 4], 1e-8).unwrap();
    of_u().check_jacobians(0.3, &X0[..2], &[0.0; 2], 1e-8).unwrap();
}

#[test]
fn two_systems_under_one_relation_move_as_one() {
    for integrator in integrators() {
        let mut whole = NonSmoothDynamicalSystem::new();
        let all = whole.add_system(joined()).unwrap();
        let one = whole.add_interaction([all], relation(FIRST, &[0, 1, 2]), law(2)).unwrap();
        let expected = run(&whole, &[all], &[one], integrator);
        assert!(expected.chunks(8).any(|row| row[6] > 1e-3), "the law must be active");
        assert!(expected.chunks(8).any(|row| row[7] > 1e-3), "the law must be active");

        let mut split = NonSmoothDynamicalSystem::new();
        let (u, w, s) = (
            split.add_system(of_u()).unwrap(),
            split.add_system(of_w()).unwrap(),
            split.add_system(of_s()).unwrap(),
        );
        let two = split.add_interaction([u, w], relation(FIRST, &[0, 1, 2]), law(2)).unwrap();
        assert_same("in order", &run(&split, &[u, w, s], &[two], integrator), &expected);

        // Between other systems, and with the systems in reverse order.
        let mut mixed = NonSmoothDynamicalSystem::new();
        mixed.add_system(other(1.0)).unwrap();
        let w = mixed.add_system(of_w()).unwrap();
        mixed.add_system(other(2.0)).unwrap();
        let s = mixed.add_system(of_s()).unwrap();
        let u = mixed.add_system(of_u()).unwrap();
        mixed.add_system(other(3.0)).unwrap();
        let two = mixed.add_interaction([u, w], relation(FIRST, &[0, 1, 2]), law(2)).unwrap();
        assert_same("interleaved", &run(&mixed, &[u, w, s], &[two], integrator), &expected);
        mixed.remove_interaction(two).unwrap();
        let two = mixed.add_interaction([w, u], relation(FIRST, &[1, 2, 0]), law(2)).unwrap();
        assert_same("reversed", &run(&mixed, &[u, w, s], &[two], integrator), &expected);
    }
}

#[test]
fn three_systems_under_two_relations_move_as_one() {
    for integrator in integrators() {
        let mut whole = NonSmoothDynamicalSystem::new();
        let all = whole.add_system(joined()).unwrap();
        let first = whole.add_interaction([all], relation(FIRST, &[0, 1, 2]), law(2)).unwrap();
        let second = whole.add_interaction([all], relation(SECOND, &[2, 3]), law(1)).unwrap();
        let expected = run(&whole, &[all], &[first, second], integrator);
        assert!(expected.chunks(10).any(|row| row[9] > 1e-3), "the second law must be active");

        let mut split = NonSmoothDynamicalSystem::new();
        let s = split.add_system(of_s()).unwrap();
        split.add_system(other(1.0)).unwrap();
        let u = split.add_system(of_u()).unwrap();
        split.add_system(other(2.0)).unwrap();
        let w = split.add_system(of_w()).unwrap();
        let second = split.add_interaction([s, w], relation(SECOND, &[1, 0]), law(1)).unwrap();
        let first = split.add_interaction([u, w], relation(FIRST, &[0, 1, 2]), law(2)).unwrap();
        assert_same("split", &run(&split, &[u, w, s], &[first, second], integrator), &expected);
    }
}

/// Returns y of all relations after one step, and the matrix of the last iteration. Relays with equal bounds
/// prescribe lambda.
fn step_with(lambda: [f64; 3], integrator: Integrator, h: f64) -> ([f64; 3], Array2<f64>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let w = model.add_system(of_w()).unwrap();
    let u = model.add_system(of_u()).unwrap();
    let s = model.add_system(of_s()).unwrap();
    let held = |lambda: &[f64]| Relay::new(lambda.to_vec(), lambda.to_vec()).unwrap();
    let first = model.add_interaction([w, u], relation(FIRST, &[1, 2, 0]), held(&lambda[..2])).unwrap();
    let second = model.add_interaction([s, w], relation(SECOND, &[1, 0]), held(&lambda[2..])).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, h, h).unwrap())
        .integrator(integrator)
        .newton(NewtonSettings { tolerance: 1e-14, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.step(&model, &mut state).unwrap().unwrap();
    let (y, z) = (state.y(first, Level::Position), state.y(second, Level::Position));
    ([y[0], y[1], z[0]], simulation.one_step_matrix().unwrap())
}

/// The matrix of the linearised problem, K included, is the derivative of y after the step.
#[test]
fn the_matrix_is_the_derivative_of_the_step() {
    let (h, lambda) = (0.1, [0.7, 0.4, 0.9]);
    for (integrator, unknown) in integrators().into_iter().zip([1.0, 1.0, 1.0, 1.0, h, 1.0]) {
        let (_, matrix) = step_with(lambda, integrator, h);
        for column in 0..3 {
            let step = 1e-5;
            let [plus, minus] = [step, -step].map(|step| {
                let mut moved = lambda;
                moved[column] += step;
                step_with(moved, integrator, h).0
            });
            for row in 0..3 {
                let difference = (plus[row] - minus[row]) / (2.0 * step * unknown);
                let off = (matrix[[row, column]] - difference).abs();
                assert!(off < 1e-8 / unknown, "{}: ({row}, {column}) {off:e}", integrator.name());
            }
        }
    }
}
