//! Convex quadratic programs: closed forms, the oracle for complementarity problems, explicit optimality
//! conditions, and proofs of infeasibility.

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::cone::{ConvexSet, Interval, Orthant};
use siconos_numerics::qp::{
    Admm, AdmmSettings, ClarabelQp, ClarabelSettings, ConvexQuadraticProgram, ProjectedGradient,
    ProjectedGradientSettings, Qp, QpMethod, QpProblem, error,
};
use siconos_numerics::{Method, ProblemError, SettingsError, Solver, SolverError, Status};
use siconos_testkit::lcp::enumerate_solutions;
use siconos_testkit::lcp::strategy::{RandomLcp, positive_definite};
use siconos_testkit::random::{RandomState, config};

const INFINITY: f64 = f64::INFINITY;

fn solvers() -> Vec<Box<dyn Solver<Class = Qp>>> {
    QpMethod::all().iter().map(|method| method.build().expect("valid settings")).collect()
}

/// Solves from zero with each solver that supports the problem. Returns name, status, x and multipliers.
#[track_caller]
fn solve_all(problem: &QpProblem<'_>) -> Vec<(&'static str, Status, Vec<f64>, Vec<f64>)> {
    let takes = solvers().into_iter().filter(|solver| solver.supports(problem).is_ok());
    let solved = takes.map(|mut solver| {
        let (mut x, mut y) = (vec![0.0; problem.size()], vec![0.0; problem.multipliers()]);
        let info = solver.solve(problem, &mut x, &mut y).expect("good data");
        if info.status.is_success() {
            assert!(info.error <= solver.tolerance(), "{}: {info:?}", solver.name());
            assert!((error(problem, &x, &y) - info.error).abs() <= 1e-15, "{}: {info:?}", solver.name());
        }
        (solver.name(), info.status, x, y)
    });
    solved.collect()
}

#[track_caller]
fn assert_near(name: &str, found: &[f64], expected: &[f64], allowed: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= allowed, "{name}: {found:?}, expected {expected:?}");
    }
}

/// Returns the nearest point of the unit simplex, by sorting (Held, Wolfe, Crowder 1974).
fn on_simplex(c: &[f64]) -> Vec<f64> {
    let mut sorted = c.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut shift) = (0.0, 0.0);
    for (k, x) in sorted.iter().enumerate() {
        sum += x;
        let candidate = (sum - 1.0) / (k + 1) as f64;
        if x - candidate > 0.0 {
            shift = candidate;
        }
    }
    c.iter().map(|x| (x - shift).max(0.0)).collect()
}

#[test]
fn the_nearest_point_of_the_simplex() -> Result<(), ProblemError> {
    for c in [vec![0.4, 0.9, -0.2], vec![3.0, 1.0, 0.0, -5.0], vec![0.2; 5], vec![-1.0, -2.0]] {
        let n = c.len();
        let (m, q): (Array2<f64>, Vec<f64>) = (Array2::eye(n), c.iter().map(|c| -c).collect());
        let a = Array2::from_shape_fn((n + 1, n), |(i, j)| f64::from(u8::from(i == n || i == j)));
        let lower: Vec<f64> = (0..=n).map(|i| f64::from(u8::from(i == n))).collect();
        let upper: Vec<f64> = (0..=n).map(|i| if i == n { 1.0 } else { INFINITY }).collect();
        let expected = on_simplex(&c);
        let linear = solve_all(&QpProblem::linear(&m, &q, &a, &lower, &upper)?);
        assert_eq!(linear.len(), 2);
        let set = |x: &mut [f64]| x.copy_from_slice(&on_simplex(x));
        let by_projection = solve_all(&QpProblem::on_set(&m, &q, &set)?);
        assert_eq!(by_projection.len(), 2);
        for (name, status, x, y) in linear {
            assert_eq!(status, Status::Converged, "{name}");
            assert_near(name, &x, &expected, 1e-6);
            // Optimality: x - c + y_i + y_n = 0, and y_i <= 0 with y_i x_i = 0.
            for i in 0..n {
                assert!((x[i] - c[i] + y[i] + y[n]).abs() < 1e-6, "{name}: {y:?}");
                assert!(y[i] < 1e-7 && (x[i] * y[i]).abs() < 1e-6, "{name}: {x:?} {y:?}");
            }
        }
        for (name, status, x, _) in by_projection {
            assert_eq!(status, Status::Converged, "{name}");
            assert_near(name, &x, &expected, 1e-7);
        }
    }
    Ok(())
}

#[test]
fn a_diagonal_matrix_in_a_box() -> Result<(), ProblemError> {
    let (d, q) = ([2.0_f64, 0.5, 4.0, 1.0], [-1.0_f64, 3.0, -40.0, 0.0]);
    let (lower, upper) = ([-1.0, -2.0, -1.0, 0.5], [INFINITY, 2.0, 3.0, 1.0]);
    let expected: Vec<f64> = (0..4).map(|i| (-q[i] / d[i]).max(lower[i]).min(upper[i])).collect();
    let m = Matrix::from(Array1::from(d.to_vec()));
    let identity = Matrix::from(Array1::ones(4));
    let bounds = Interval::new(&lower, &upper)?;
    let problems =
        [QpProblem::linear(&m, &q, &identity, &lower, &upper)?, QpProblem::on_set(&m, &q, &bounds)?];
    for (name, status, x, y) in problems.iter().flat_map(solve_all) {
        assert_eq!(status, Status::Converged, "{name}");
        assert_near(name, &x, &expected, 1e-6);
        let normal: Vec<f64> = (0..4).map(|i| -(d[i] * expected[i] + q[i])).collect();
        assert_near(name, &y, &normal, 1e-5);
    }
    Ok(())
}

#[test]
fn a_disk_and_a_linear_objective_with_a_flat_direction() -> Result<(), ProblemError> {
    // min (x + y)^2 / 2 - x + y on the unit disc: along (1, -1), the objective decreases up to the boundary.
    let m = array![[1.0, 1.0], [1.0, 1.0]];
    let disk = |x: &mut [f64]| {
        let r = x[0].hypot(x[1]);
        if r > 1.0 {
            x.iter_mut().for_each(|x| *x /= r);
        }
    };
    let solved = solve_all(&QpProblem::on_set(&m, &[-1.0, 1.0], &disk)?);
    assert_eq!(solved.len(), 2);
    let half = 0.5_f64.sqrt();
    for (name, status, x, y) in solved {
        assert_eq!(status, Status::Converged, "{name}");
        assert_near(name, &x, &[half, -half], 1e-7);
        assert_near(name, &y, &[1.0, -1.0], 1e-6);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_orthant_is_the_complementarity_problem(RandomLcp { m, q } in positive_definite(1..6)) {
        let solutions = enumerate_solutions(m.view(), &q);
        prop_assert_eq!(solutions.len(), 1);
        let n = q.len();
        let (identity, lower, upper) = (Array2::eye(n), vec![0.0; n], vec![INFINITY; n]);
        let problem = QpProblem::linear(&m, &q, &identity, &lower, &upper).expect("it fits");
        let on_set = QpProblem::on_set(&m, &q, &Orthant).expect("it fits");
        let scale = 1.0 + solutions[0].iter().fold(0.0_f64, |a, x| a.max(*x));
        for (name, status, x, y) in [problem, on_set].iter().flat_map(solve_all) {
            prop_assert_eq!(status, Status::Converged, "{}", name);
            for (a, b) in x.iter().zip(&solutions[0]) {
                prop_assert!((a - b).abs() <= 1e-4 * scale, "{}: {:?} {:?}", name, x, solutions[0]);
            }
            for (i, y) in y.iter().enumerate() {
                let w = q[i] + (0..n).map(|j| m[[i, j]] * x[j]).sum::<f64>();
                prop_assert!((w + y).abs() <= 1e-5 * (1.0 + w.abs()), "{}: {} {}", name, w, y);
            }
        }
    }

    #[test]
    fn conditions_of_optimality_in_every_storage(
        RandomLcp { m, q } in positive_definite(4..5),
        entries in proptest::collection::vec(-3..=3_i32, 12),
        widths in proptest::collection::vec(0..4_i32, 3),
    ) {
        let a = Array2::from_shape_fn((3, 4), |(i, j)| f64::from(entries[4 * i + j]));
        // The bounds contain A applied to ones, so that this point is feasible. A width of 0 is an equation.
        let at_ones: Vec<f64> = a.rows().into_iter().map(|row| row.sum()).collect();
        let lower: Vec<f64> = (0..3).map(|i| at_ones[i] - f64::from(widths[i])).collect();
        let upper: Vec<f64> = (0..3).map(|i| if widths[i] == 3 { INFINITY } else { at_ones[i] }).collect();
        let blocks = |m: &Array2<f64>, rows: &[usize], columns: &[usize]| {
            let (mut list, mut i) = (Vec::new(), 0);
            for (k, r) in rows.iter().enumerate() {
                let mut j = 0;
                for (l, c) in columns.iter().enumerate() {
                    list.push((k, l, m.slice(ndarray::s![i..i + r, j..j + c]).to_owned()));
                    j += c;
                }
                i += r;
            }
            Matrix::from(BlockCsr::from_blocks(rows, columns, list).expect("it fits"))
        };
        let storages = [
            (Matrix::from(m.clone()), Matrix::from(a.clone())),
            (Matrix::from(Csc::from_matrix((&m).into())), Matrix::from(Csc::from_matrix((&a).into()))),
            (blocks(&m, &[1, 3], &[1, 3]), blocks(&a, &[1, 2], &[3, 1])),
            (Matrix::from(Csc::from_matrix((&m).into())), Matrix::from(a.clone())),
        ];
        for (m_stored, a_stored) in &storages {
            let problem = QpProblem::linear(m_stored, &q, a_stored, &lower, &upper).expect("it fits");
            for (name, status, x, y) in solve_all(&problem) {
                prop_assert_eq!(status, Status::Converged, "{} {:?}", name, a);
                let size = 1.0 + x.iter().chain(&y).chain(&q).fold(0.0_f64, |a, x| a.max(x.abs()));
                for j in 0..4 {
                    let gradient = q[j]
                        + (0..4).map(|k| m[[j, k]] * x[k]).sum::<f64>()
                        + (0..3).map(|i| a[[i, j]] * y[i]).sum::<f64>();
                    prop_assert!(gradient.abs() <= 1e-5 * size, "{}: {}", name, gradient);
                }
                for i in 0..3 {
                    let r: f64 = (0..4).map(|j| a[[i, j]] * x[j]).sum();
                    prop_assert!(r >= lower[i] - 1e-6 * size && r <= upper[i] + 1e-6 * size, "{}: {}", name, r);
                    if y[i] > 1e-5 * size {
                        prop_assert!((r - upper[i]).abs() <= 1e-5 * size, "{}", name);
                    }
                    if y[i] < -1e-5 * size {
                        prop_assert!((r - lower[i]).abs() <= 1e-5 * size, "{}", name);
                    }
                }
            }
        }
    }
}

#[test]
fn contradictory_constraints_are_proven_so() -> Result<(), ProblemError> {
    let m = array![[1.0, 0.0], [0.0, 0.0]];
    for (a, lower, upper) in [
        (array![[1.0, 1.0], [1.0, 1.0]], vec![3.0, -INFINITY], vec![INFINITY, 2.0]),
        (array![[1.0, 2.0], [2.0, 4.0]], vec![1.0, 1.0], vec![1.0, 1.0]),
        (
            array![[1.0, 0.0], [0.0, 1.0], [3.0, 7.0]],
            vec![0.0, 0.0, -INFINITY],
            vec![INFINITY, INFINITY, -0.5],
        ),
        (array![[0.0, 0.0]], vec![1.0], vec![2.0]),
    ] {
        let solved = solve_all(&QpProblem::linear(&m, &[1.0, 1.0], &a, &lower, &upper)?);
        assert_eq!(solved.len(), 2);
        for (name, status, _, y) in solved {
            assert_eq!(status, Status::NoSolution, "{name} {a:?}");
            // Proof: A^T y = 0, and y^T r < 0 for every r within the bounds.
            let combined = a.t().dot(&Array1::from(y.clone()));
            assert!(combined.iter().all(|x| x.abs() < 1e-12), "{name}: {combined:?}");
            let bound = |(y, (l, u)): (&f64, (&f64, &f64))| {
                if *y > 0.0 {
                    y * u
                } else if *y < 0.0 {
                    y * l
                } else {
                    0.0
                }
            };
            let largest: f64 = y.iter().zip(lower.iter().zip(&upper)).map(bound).sum();
            assert!(largest < -1e-3, "{name}: {y:?}");
        }
    }
    Ok(())
}

#[test]
fn objectives_without_a_lower_bound_are_proven_so() -> Result<(), ProblemError> {
    for (m, q, a, lower, upper) in [
        (array![[0.0, 0.0], [0.0, 0.0]], [-1.0, 0.0], array![[1.0, 0.0]], vec![0.0], vec![INFINITY]),
        (
            array![[1.0, -1.0], [-1.0, 1.0]],
            [-1.0, 0.5],
            array![[1.0, 0.0], [0.0, 1.0]],
            vec![0.0; 2],
            vec![INFINITY; 2],
        ),
        (array![[1.0, 0.0], [0.0, 0.0]], [0.0, 1.0], array![[1.0, 1.0]], vec![-INFINITY], vec![4.0]),
    ] {
        let solved = solve_all(&QpProblem::linear(&m, &q, &a, &lower, &upper)?);
        for (name, status, x, _) in solved {
            assert_eq!(status, Status::NoSolution, "{name} {m:?}");
            let x = Array1::from(x);
            assert!(m.dot(&x).iter().all(|x| x.abs() < 1e-12), "{name}: {x:?}");
            assert!(q[0] * x[0] + q[1] * x[1] < -1e-3, "{name}: {x:?}");
            for (i, r) in a.dot(&x).iter().enumerate() {
                assert!(lower[i].is_infinite() || *r > -1e-12, "{name}: {x:?}");
                assert!(upper[i].is_infinite() || *r < 1e-12, "{name}: {x:?}");
            }
        }
        // For projections onto a set, the solvers give no proof, but they must not report a wrong solution
        // either.
        let orthant = QpProblem::on_set(&m, &q, &Orthant)?;
        let unbounded = !(m[[0, 0]] == 1.0 && m[[0, 1]] == 0.0);
        for (name, status, ..) in solve_all(&orthant) {
            assert_eq!(status.is_success(), !unbounded, "{name}, {status} {m:?}");
        }
    }
    Ok(())
}

#[test]
fn solutions_that_are_not_unique_are_found() -> Result<(), ProblemError> {
    // A linear program with an edge of solutions: x_1 + x_2 = 1.
    let (m, a) = (Array2::zeros((2, 2)), array![[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
    let (lower, upper) = ([1.0, 0.0, 0.0], [INFINITY; 3]);
    for (name, status, x, y) in solve_all(&QpProblem::linear(&m, &[2.0, 2.0], &a, &lower, &upper)?) {
        assert_eq!(status, Status::Converged, "{name}");
        assert!((x[0] + x[1] - 1.0).abs() < 1e-6 && x[0] > -1e-7 && x[1] > -1e-7, "{name}: {x:?}");
        assert_near(name, &y, &[-2.0, 0.0, 0.0], 1e-6);
    }
    Ok(())
}

#[test]
fn a_matrix_that_is_not_semidefinite_gives_no_false_minimum() -> Result<(), ProblemError> {
    // A saddle point. The conditions hold at 0; a solver may find this point or not, but no other point may
    // be reported.
    let m = array![[-10.0, 0.0], [0.0, 1.0]];
    let (lower, upper) = ([-1.0, -1.0], [INFINITY, 1.0]);
    let problem = QpProblem::linear(&m, &[-1.0, 0.0], &Array2::eye(2), &lower, &upper)
        .map(|problem| solve_all(&problem))?;
    for (name, status, x, y) in problem {
        if status.is_success() {
            // Points that satisfy the conditions: x_1 = -1 or x_1 = -1/10.
            assert!((x[0] + 1.0).abs() < 1e-6 || (x[0] + 0.1).abs() < 1e-6, "{name}: {x:?} {y:?}");
        }
    }
    Ok(())
}

#[test]
fn the_measure() -> Result<(), ProblemError> {
    let m = array![[2.0, 0.0], [0.0, 2.0]];
    let q = [-3.0, 4.0];
    let on_set = QpProblem::on_set(&m, &q, &Orthant)?;
    // At (2, 2), w = M x + q = (1, 8) and d = 2: d (P(x - w / d) - x) = (-1, -4), and norm(q) = 5.
    assert!((error(&on_set, &[2.0, 2.0], &[0.0; 2]) - 17.0_f64.sqrt() / 5.0).abs() < 1e-15);
    assert!(error(&on_set, &[f64::NAN, 0.0], &[0.0; 2]).is_nan());
    let a = array![[1.0, 1.0]];
    let linear = QpProblem::linear(&m, &q, &a, &[0.0], &[1.0])?;
    // Gradient (1, 8) + y relative to norm(M x) = sqrt(32). The row has length sqrt(2) and exceeds its upper
    // bound by 3, relative to norm(x) = sqrt(8); its multiplier is -2 sqrt(2 / 32).
    let expected = (37.0_f64 / 32.0).sqrt() + 0.75;
    assert!((error(&linear, &[2.0, 2.0], &[-2.0]) - expected).abs() < 1e-15);
    // A multiplier of an inactive row.
    let expected = (29.0_f64.sqrt() + 8.0_f64.sqrt()) / 5.0;
    let at = error(&QpProblem::linear(&m, &q, &a, &[-1e9], &[1e9])?, &[0.0, 0.0], &[-2.0]);
    assert!((at - expected).abs() < 1e-15, "{at} {expected}");
    // For any size of x, a multiplier of an inactive constraint is detected.
    let flat = Array2::zeros((1, 1));
    let far = QpProblem::linear(&flat, &[-1.0], &flat, &[0.0], &[INFINITY])?;
    assert!(error(&far, &[1e30], &[1.0]) > 0.1);
    assert!(error(&QpProblem::on_set(&flat, &[-1.0], &Orthant)?, &[1e30], &[1.0]) > 0.1);
    assert!(error(&linear, &[f64::INFINITY, 0.0], &[0.0]).is_nan());
    Ok(())
}

#[test]
fn a_guess_that_is_the_solution_is_kept() -> Result<(), SolverError> {
    let (m, q, lower, upper) = (array![[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0], [0.0; 2], [INFINITY; 2]);
    let bounds = Interval::new(&lower, &upper)?;
    let problem = QpProblem::on_set(&m, &q, &bounds)?;
    for mut solver in solvers().into_iter().filter(|solver| solver.supports(&problem).is_ok()) {
        let (mut x, mut y) = ([4.0 / 3.0, 7.0 / 3.0], [0.0; 2]);
        let info = solver.solve(&problem, &mut x, &mut y)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, 0), "{}", solver.name());
        assert!((x[0] - 4.0 / 3.0).abs() < 1e-15);
    }
    Ok(())
}

#[test]
fn one_solver_over_problems_of_changing_size() -> Result<(), SolverError> {
    for mut solver in solvers() {
        // Without constraints, the program is a linear system.
        let (m, none) = (array![[2.0, 1.0], [1.0, 3.0]], Array2::zeros((0, 2)));
        let free = QpProblem::linear(&m, &[-3.0, -4.0], &none, &[], &[])?;
        if solver.supports(&free).is_ok() {
            let mut x = [0.0; 2];
            assert_eq!(solver.solve(&free, &mut x, &mut [])?.status, Status::Converged, "{}", solver.name());
            assert_near(solver.name(), &x, &[1.0, 1.0], 1e-6);
        }
        for n in [3, 1, 0, 12, 5] {
            let m =
                Array2::from_shape_fn((n, n), |(i, j)| if i == j { 3.0 } else { 1.0 / (1 + i + j) as f64 });
            let q: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { -1.0 } else { 2.0 }).collect();
            let (identity, lower, upper) = (Array2::eye(n), vec![0.0; n], vec![INFINITY; n]);
            let linear = QpProblem::linear(&m, &q, &identity, &lower, &upper)?;
            let on_set = QpProblem::on_set(&m, &q, &Orthant)?;
            let problem = if solver.supports(&linear).is_ok() { linear } else { on_set };
            let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
            let info = solver.solve(&problem, &mut x, &mut y)?;
            assert!(info.status.is_success(), "{} {n}: {info:?}", solver.name());
            assert!(n > 0 || info.error == 0.0);
        }
    }
    Ok(())
}

#[test]
fn without_iterations_left_the_status_says_so() -> Result<(), SolverError> {
    let m = array![[2.0, 1.9], [1.9, 2.0]];
    let (identity, lower, upper) = (Array2::eye(2), [0.0; 2], [1.0; 2]);
    let linear = QpProblem::linear(&m, &[-1.0, -1.1], &identity, &lower, &upper)?;
    let on_set = QpProblem::on_set(&m, &[-1.0, -1.1], &Orthant)?;
    for method in QpMethod::all() {
        let mut method = method;
        method.set_max_iterations(2);
        let mut solver = method.build()?;
        let problem = if solver.supports(&linear).is_ok() { linear } else { on_set };
        let info = solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 2])?;
        assert_eq!((info.status, info.iterations), (Status::MaxIterations, 2), "{}", solver.name());
    }
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result<(), ProblemError> {
    let (m, a) = (Array2::<f64>::eye(2), array![[1.0, 1.0]]);
    let wrong = |what, expected, found| Err(ProblemError::WrongLength { what, expected, found });
    let made =
        |q: &[f64], a: &Array2<f64>, l: &[f64], u: &[f64]| QpProblem::linear(&m, q, a, l, u).map(|_| ());
    assert_eq!(made(&[1.0], &a, &[0.0], &[1.0]), wrong("q", 2, 1));
    assert_eq!(made(&[1.0; 2], &array![[1.0]], &[0.0], &[1.0]), wrong("columns of A", 2, 1));
    assert_eq!(made(&[1.0; 2], &a, &[0.0; 2], &[1.0; 2]), wrong("lower", 1, 2));
    assert_eq!(made(&[1.0; 2], &a, &[0.0], &[]), wrong("upper", 1, 0));
    assert!(matches!(made(&[1.0; 2], &a, &[2.0], &[1.0]), Err(ProblemError::Bounds { index: 0, .. })));
    assert!(matches!(made(&[1.0; 2], &a, &[f64::NAN], &[1.0]), Err(ProblemError::Bounds { .. })));

    let linear = QpProblem::linear(&m, &[1.0; 2], &a, &[0.0], &[1.0])?;
    let on_set = QpProblem::on_set(&m, &[1.0; 2], &Orthant)?;
    let clarabel = ClarabelQp::default().supports(&on_set).expect_err("no set");
    assert_eq!(
        (clarabel.found, clarabel.takes),
        ("a set that is given by its projection", "linear constraints")
    );
    let refused = ClarabelQp::default().solve(&on_set, &mut [0.0; 2], &mut [0.0; 2]);
    assert_eq!(refused, Err(SolverError::Unsupported(clarabel)));
    assert!(ProjectedGradient::default().supports(&linear).is_err());
    for mut solver in solvers() {
        let (problem, rows) = if solver.supports(&linear).is_ok() { (linear, 1) } else { (on_set, 2) };
        let y = &mut vec![0.0; rows];
        let refused = solver.solve(&problem, &mut [0.0; 3], y);
        assert_eq!(
            refused,
            Err(SolverError::Problem(ProblemError::WrongLength { what: "x", expected: 2, found: 3 }))
        );
        let refused = solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 7]);
        assert!(matches!(refused, Err(SolverError::Problem(ProblemError::WrongLength { what: "y", .. }))));
        let refused = solver.solve(&problem, &mut [0.0, f64::NAN], y);
        assert!(matches!(
            refused,
            Err(SolverError::Problem(ProblemError::NotFinite { what: "x", index: 1, .. }))
        ));
        for bad in [f64::NAN, INFINITY] {
            let (bad_m, bad_q) = (array![[1.0, 0.0], [bad, 1.0]], [0.0, bad]);
            let set: &dyn ConvexSet = &Orthant;
            let make = |m, q| match rows {
                1 => QpProblem::linear(m, q, &a, &[0.0], &[1.0]),
                _ => QpProblem::on_set(m, q, set),
            };
            let refused = solver.solve(&make(&bad_m, &[1.0; 2])?, &mut [0.0; 2], y);
            assert!(matches!(
                refused,
                Err(SolverError::Problem(ProblemError::NotFinite { what: "M", index: 2, .. }))
            ));
            let refused = solver.solve(&make(&m, &bad_q)?, &mut [0.0; 2], y);
            assert!(matches!(
                refused,
                Err(SolverError::Problem(ProblemError::NotFinite { what: "q", index: 1, .. }))
            ));
        }
    }
    Ok(())
}

#[test]
fn settings_outside_their_range_are_refused() {
    let name = |SettingsError::OutOfRange { name, .. }| name;
    for mut method in QpMethod::all() {
        for tolerance in [0.0, -1.0, f64::NAN, INFINITY] {
            method.set_tolerance(tolerance);
            assert_eq!(name(method.build().expect_err("it must be positive")), "tolerance");
        }
    }
    let admm = AdmmSettings::default();
    assert_eq!(name(Admm::new(AdmmSettings { penalty: 0.0, ..admm.clone() }).expect_err("0")), "penalty");
    assert_eq!(name(Admm::new(AdmmSettings { relaxation: 2.0, ..admm }).expect_err("2")), "relaxation");
    let gradient = ProjectedGradientSettings { memory: 0, ..Default::default() };
    assert_eq!(name(ProjectedGradient::new(gradient).expect_err("0")), "memory");
    assert!(ClarabelQp::new(ClarabelSettings { max_iterations: 0, ..Default::default() }).is_ok());
}

#[test]
fn methods_and_programs_survive_a_file() {
    for method in QpMethod::all() {
        let text = serde_json::to_string(&method).expect("it can be written");
        assert_eq!(serde_json::from_str::<QpMethod>(&text).expect("it can be read"), method);
        assert_eq!(QpMethod::from_name(method.description().name), Some(method));
    }
    assert_eq!(QpMethod::from_name("simplex"), None);
    let (lower, upper) = (array![0.0, -INFINITY], array![INFINITY, 2.0]);
    let a = Matrix::from(array![1.0, 1.0]);
    let program =
        ConvexQuadraticProgram::new(array![[1.0, 0.5], [0.5, 1.0]], array![-1.0, 2.0], a, lower, upper)
            .expect("it fits");
    let text = serde_json::to_string(&program).expect("it can be written");
    assert_eq!(serde_json::from_str::<ConvexQuadraticProgram>(&text).expect("it can be read"), program);
    assert!(text.contains("\"lower\":[0.0,null]"), "{text}");
    let crossed = text.replace("\"lower\":[0.0,null]", "\"lower\":[0.0,3.0]");
    assert!(serde_json::from_str::<ConvexQuadraticProgram>(&crossed).is_err());
}

/// The minimum of k (x^2 / 2 - s x) between -2 s and 2 s is at x = s, for all k and s.
#[test]
fn one_unknown_in_all_units() -> Result<(), ProblemError> {
    for k in [1e-16, 1e-12, 1e-8, 1.0, 1e8, 1e16] {
        for s in [1e-12, 1e-9, 1.0, 1e9, 1e12] {
            let (m, q, lower, upper) = (array![[k]], [-k * s], [-2.0 * s], [2.0 * s]);
            let bounds = Interval::new(&lower, &upper)?;
            for row in [1e-6, 1.0, 1e6] {
                let (a, lower, upper) = (array![[row]], [row * lower[0]], [row * upper[0]]);
                let linear = QpProblem::linear(&m, &q, &a, &lower, &upper)?;
                let on_set = QpProblem::on_set(&m, &q, &bounds)?;
                for (name, status, x, _) in solve_all(&linear).into_iter().chain(solve_all(&on_set)) {
                    assert_eq!(status, Status::Converged, "{name}: {k:e}, {s:e}");
                    assert!((x[0] / s - 1.0).abs() < 1e-6, "{name}: {k:e}, {s:e}: {x:?}");
                }
            }
        }
    }
    Ok(())
}

/// Random program with M = B^T B and constraints that hold at some point.
struct RandomProgram {
    m: Array2<f64>,
    q: Vec<f64>,
    a: Array2<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl RandomProgram {
    fn new(draw: &mut RandomState) -> Self {
        let n = 2 + (28.0 * draw.uniform()) as usize;
        let (rank, rows) =
            (1 + (n as f64 * draw.uniform()) as usize, 1 + (1.5 * n as f64 * draw.uniform()) as usize);
        let mut drawn = |shape| Array2::from_shape_simple_fn(shape, || draw.standard_normal());
        let (b, a, point) = (drawn((rank, n)), drawn((rows, n)), drawn((n, 1)));
        let (slack, pull) = (drawn((rows, 2)).mapv(f64::abs), drawn((rank, 1)));
        // q is in the range of M, so that a minimum exists.
        let q = b.t().dot(&pull).into_raw_vec_and_offset().0;
        let at = a.dot(&point);
        let bound = |side: usize, sign: f64| {
            (0..rows)
                .map(|i| if i % 3 == side { sign * INFINITY } else { at[[i, 0]] + sign * slack[[i, side]] })
                .collect()
        };
        Self { m: b.t().dot(&b), q, lower: bound(0, -1.0), upper: bound(1, 1.0), a }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let x = Array1::from(x.to_vec());
        0.5 * x.dot(&self.m.dot(&x)) + x.dot(&Array1::from(self.q.clone()))
    }

    /// Returns the program with factors for the objective, all unknowns, and each row, optionally with an
    /// unrelated unknown of another size.
    fn in_other_units(&self, objective: f64, unit: f64, rows: &[f64], beside: Option<f64>) -> Self {
        let (n, count) = (self.q.len(), self.lower.len());
        let more = usize::from(beside.is_some());
        let size = beside.unwrap_or(0.0);
        let m = Array2::from_shape_fn((n + more, n + more), |(i, j)| match (i < n, j < n) {
            (true, true) => objective * unit * unit * self.m[[i, j]],
            (false, false) => size,
            _ => 0.0,
        });
        let a = Array2::from_shape_fn((count + more, n + more), |(i, j)| match (i < count, j < n) {
            (true, true) => unit * rows[i] * self.a[[i, j]],
            (false, false) => 1.0,
            _ => 0.0,
        });
        let with =
            |values: Vec<f64>, last: f64| values.into_iter().chain(beside.map(|_| last)).collect::<Vec<_>>();
        let scaled =
            |bounds: &[f64]| bounds.iter().zip(rows).map(|(bound, row)| bound * row).collect::<Vec<_>>();
        Self {
            m,
            q: with(self.q.iter().map(|q| objective * unit * q).collect(), -size),
            a,
            lower: with(scaled(&self.lower), 0.0),
            upper: with(scaled(&self.upper), size),
        }
    }
}

/// Status and minimum do not depend on the units of the objective, x and the rows, or on an unrelated unknown
/// of another size.
#[test]
fn random_programs_in_all_units() -> Result<(), SolverError> {
    let mut draw = RandomState::new(5);
    for k in 0..60 {
        let program = RandomProgram::new(&mut draw);
        let plain = vec![1.0; program.lower.len()];
        let rows: Vec<f64> = plain.iter().map(|_| 10.0_f64.powf(16.0 * draw.uniform() - 8.0)).collect();
        let mut best = None;
        let others = [
            (1.0, 1.0, &plain, None),
            (1e-8, 1.0, &plain, None),
            (1e8, 1.0, &plain, None),
            (1.0, 1e-6, &plain, None),
            (1.0, 1e6, &plain, None),
            (1e-3, 1e3, &rows, None),
            (1.0, 1.0, &plain, Some(1e8)),
            (1e8, 1.0, &plain, Some(1.0)),
        ];
        for (objective, unit, rows, beside) in others {
            let other = program.in_other_units(objective, unit, rows, beside);
            let problem = QpProblem::linear(&other.m, &other.q, &other.a, &other.lower, &other.upper)?;
            let (mut x, mut y) = (vec![0.0; other.q.len()], vec![0.0; other.lower.len()]);
            let info = ClarabelQp::default().solve(&problem, &mut x, &mut y)?;
            assert_eq!(info.status, Status::Converged, "{k}: {objective:e}, {unit:e}, {beside:?}: {info:?}");
            let own: Vec<f64> = x[..program.q.len()].iter().map(|x| x * unit).collect();
            let value = program.objective(&own);
            let best = *best.get_or_insert(value);
            assert!((value - best).abs() <= 1e-5 * (1.0 + best.abs()), "{k}: {value} and {best}");
            if let Some(size) = beside {
                assert!((x[program.q.len()] - 1.0_f64.min(size)).abs() < 1e-6, "{k}: {x:?}");
            }
        }
    }
    Ok(())
}
