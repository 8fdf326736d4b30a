//! Block assembly compared with dense matrices of the whole problem.
//!
//! The model follows the developer's notes of Siconos, section 2.2: systems of 3, 2 and 1 degrees of freedom,
//! linear with damping and stiffness, and interactions between one, two and three of them. One interaction
//! has two unitary relations. All contacts are closed, so that the problem of the first step is known: w = H
//! W^-1 H^T lambda + H v_free + e H v_0.

use ndarray::linalg::Dot;
use ndarray::{Array1, Array2, array, s};
use siconos_kernel::prelude::*;
use siconos_numerics::Solver;
use siconos_numerics::lcp::{
    LcpProblem, Lemke, LemkeSettings, LemkeStart, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
};
use siconos_testkit::compare::assert_close;

const H: f64 = 0.01;
const THETA: [f64; 3] = [0.5, 0.75, 1.0];
const SIZES: [usize; 3] = [3, 2, 1];

struct Parts {
    mass: [Array2<f64>; 3],
    damping: [Array2<f64>; 3],
    stiffness: [Array2<f64>; 3],
    v0: [Array1<f64>; 3],
    /// Indices of the systems, matrix H, coefficient of restitution.
    contacts: Vec<(Vec<usize>, Array2<f64>, f64)>,
}

/// Returns a reproducible, irregular number for an index.
fn number(i: usize) -> f64 {
    ((i * 7919 + 13) % 101) as f64 / 50.0 - 1.0
}

fn parts() -> Parts {
    let matrix = |seed: usize, n: usize, diagonal: f64| {
        let a = Array2::from_shape_fn((n, n), |(i, j)| number(seed + 10 * i + j));
        a.dot(&a.t()) + Array2::<f64>::eye(n) * diagonal
    };
    let each =
        |seed: usize, diagonal: f64| std::array::from_fn(|i| matrix(seed + 100 * i, SIZES[i], diagonal));
    let contact = |systems: &[usize], rows: usize, seed: usize, e: f64| {
        let columns = systems.iter().map(|&i| SIZES[i]).sum();
        (systems.to_vec(), Array2::from_shape_fn((rows, columns), |(i, j)| number(seed + 17 * i + 3 * j)), e)
    };
    Parts {
        mass: each(1, 2.0),
        damping: each(5, 0.1),
        stiffness: each(9, 3.0),
        v0: std::array::from_fn(|i| Array1::from_shape_fn(SIZES[i], |j| number(31 * i + j))),
        contacts: vec![
            contact(&[0], 1, 3, 0.3),
            contact(&[1, 0], 2, 11, 0.8),
            contact(&[2, 0, 1], 1, 23, 0.5),
            contact(&[2], 1, 41, 0.0),
        ],
    }
}

fn solve_with_the_kernel(parts: &Parts, solver: impl Into<OneStepSolver>) -> (Vec<f64>, Vec<f64>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let ids: Vec<_> = (0..3)
        .map(|i| {
            let system =
                LagrangianLinear::new(Array1::zeros(SIZES[i]), parts.v0[i].clone(), parts.mass[i].clone())
                    .with_damping(parts.damping[i].clone())
                    .with_stiffness(parts.stiffness[i].clone())
                    .with_external_force(move |at, f| f.fill(1.0 + i as f64 + at.t));
            model.add_system(system).unwrap()
        })
        .collect();
    let contacts: Vec<_> = parts
        .contacts
        .iter()
        .map(|(systems, h, e)| {
            let relation = LagrangianLinearRelation::new(h.clone());
            let law = NewtonImpact::new(*e).unwrap();
            model.add_interaction(systems.iter().map(|&i| ids[i]), relation, law).unwrap()
        })
        .collect();
    let mut builder = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, H, H).unwrap())
        .solver(solver);
    for (id, theta) in ids.iter().zip(THETA) {
        // An activation threshold that keeps all contacts in the problem.
        let always = MoreauJean { theta, activation_threshold: Some(1e9), ..MoreauJean::default() };
        builder = builder.integrator_for(*id, always);
    }
    let mut simulation = builder.build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let report = simulation.step(&model, &mut state).unwrap().unwrap();
    assert_eq!(report.active.len(), 5, "four interactions, one of them with two unitary relations");
    let v = ids.iter().flat_map(|&id| state.v(id).to_vec()).collect();
    let lambda = contacts.iter().flat_map(|&id| state.lambda(id, Level::Velocity).to_vec()).collect();
    (v, lambda)
}

/// Computes the first step with dense matrices of the whole problem, and an inverse by Gauss-Jordan
/// elimination.
fn solve_written_out(parts: &Parts) -> (Vec<f64>, Vec<f64>) {
    let starts = [0, 3, 5, 6];
    let (mut w_inverse, mut v_free, mut v0) = (Array2::zeros((6, 6)), Array1::zeros(6), Array1::zeros(6));
    for i in 0..3 {
        let (m, c, k) = (&parts.mass[i], &parts.damping[i], &parts.stiffness[i]);
        let w = m + &(c * (H * THETA[i])) + k * (H * THETA[i]).powi(2);
        let force = |t: f64| Array1::from_elem(SIZES[i], 1.0 + i as f64 + t);
        let v = &parts.v0[i];
        // q_0 = 0
        let rhs = force(H) * (H * THETA[i]) + force(0.0) * (H * (1.0 - THETA[i]))
            - c.dot(v) * H
            - k.dot(v) * (H * H * THETA[i]);
        let inverse = gauss_jordan(&w);
        let range = starts[i]..starts[i + 1];
        v_free.slice_mut(s![range.clone()]).assign(&(v + &inverse.dot(&rhs)));
        v0.slice_mut(s![range.clone()]).assign(v);
        w_inverse.slice_mut(s![range.clone(), range]).assign(&inverse);
    }
    let rows: usize = parts.contacts.iter().map(|(_, h, _)| h.nrows()).sum();
    let (mut h, mut e) = (Array2::zeros((rows, 6)), Array1::zeros(rows));
    let mut row = 0;
    for (systems, block, restitution) in &parts.contacts {
        let mut column = 0;
        for &i in systems {
            let target = s![row..row + block.nrows(), starts[i]..starts[i + 1]];
            h.slice_mut(target).assign(&block.slice(s![.., column..column + SIZES[i]]));
            column += SIZES[i];
        }
        e.slice_mut(s![row..row + block.nrows()]).fill(*restitution);
        row += block.nrows();
    }
    let delassus = h.dot(&w_inverse).dot(&h.t());
    let q = h.dot(&v_free) + e * h.dot(&v0);
    let cold = LemkeSettings { start: LemkeStart::Cold, ..LemkeSettings::default() };
    let (mut lambda, mut w) = (vec![0.0; rows], vec![0.0; rows]);
    let problem = LcpProblem::new(&delassus, q.as_slice().unwrap()).unwrap();
    let info = Lemke::new(cold).unwrap().solve(&problem, &mut lambda, &mut w).unwrap();
    assert!(info.status.is_success());
    assert!(lambda.iter().filter(|x| **x > 1e-6).count() >= 2, "an interesting problem: {lambda:?}");
    let v = v_free + w_inverse.dot(&h.t().dot(&Array1::from(lambda.clone())));
    (v.to_vec(), lambda)
}

fn gauss_jordan(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let (mut a, mut inverse) = (a.clone(), Array2::eye(n));
    for k in 0..n {
        let pivot = a[[k, k]];
        assert!(pivot.abs() > 1e-9);
        for j in 0..n {
            a[[k, j]] /= pivot;
            inverse[[k, j]] /= pivot;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[[i, k]];
            for j in 0..n {
                a[[i, j]] -= factor * a[[k, j]];
                inverse[[i, j]] -= factor * inverse[[k, j]];
            }
        }
    }
    inverse
}

#[test]
fn blocks_over_one_two_and_three_systems_agree_with_full_matrices() {
    let parts = parts();
    let (v, lambda) = solve_written_out(&parts);
    let (kernel_v, kernel_lambda) = solve_with_the_kernel(&parts, Lemke::default());
    assert_close("lambda", &kernel_lambda, &lambda, 1e-12, 1e-12);
    assert_close("v", &kernel_v, &v, 1e-12, 1e-12);
}

#[test]
fn block_rows_and_the_full_matrix_give_the_same_step() {
    // Projected Gauss-Seidel uses block rows, Lemke's method the dense matrix.
    let settings =
        ProjectedGaussSeidelSettings { tolerance: 1e-13, max_iterations: 100_000, ..Default::default() };
    let parts = parts();
    let (v, _) = solve_with_the_kernel(&parts, Lemke::default());
    let (sweeps, _) = solve_with_the_kernel(&parts, ProjectedGaussSeidel::new(settings).unwrap());
    assert_close("v", &sweeps, &v, 1e-10, 1e-10);
}

#[test]
fn a_nonlinear_model_assembles_the_same_blocks() {
    // A nonlinear system with a constant mass function q -> M uses the other code path.
    let run = |nonlinear: bool, solver: OneStepSolver| {
        let mut model = NonSmoothDynamicalSystem::new();
        let ids: Vec<_> = (0..3)
            .map(|i| {
                let (q0, v0) = (vec![0.05 + 0.3 * i as f64], vec![0.0]);
                if nonlinear {
                    let ball = Lagrangian::of_mass_function(q0, v0, |_, _, m| m[[0, 0]] = 2.0)
                        .with_external_force(|_, f| f[0] = -20.0);
                    model.add_system(ball).unwrap()
                } else {
                    let ball =
                        LagrangianLinear::new(q0, v0, array![2.0]).with_external_force(|_, f| f[0] = -20.0);
                    model.add_system(ball).unwrap()
                }
            })
            .collect();
        let law = NewtonImpact::new(0.4).unwrap();
        model.add_interaction([ids[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
        for pair in ids.windows(2) {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
            model.add_interaction([pair[0], pair[1]], gap, law).unwrap();
        }
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();
        let mut simulation =
            TimeStepping::builder(&model).discretisation(grid).solver(solver).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        ids.iter().map(|&id| state.q(id)[0]).collect::<Vec<_>>()
    };
    let expected = run(false, OneStepSolver::default());
    assert_close("q", &run(true, OneStepSolver::default()), &expected, 1e-12, 0.0);
    // The sparsity pattern of the block rows is kept during the Newton iterations; only the values change.
    let settings = ProjectedGaussSeidelSettings { tolerance: 1e-13, ..Default::default() };
    let sweeps = || ProjectedGaussSeidel::new(settings.clone()).unwrap().into();
    assert_close("q in block rows", &run(true, sweeps()), &expected, 1e-9, 0.0);
    assert_close("q in block rows, linear", &run(false, sweeps()), &expected, 1e-9, 0.0);
}
