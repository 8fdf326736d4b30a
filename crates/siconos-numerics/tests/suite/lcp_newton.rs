//! Newton-type methods and the interior-point method for linear complementarity problems.

use crate::support::lcp_files;
use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, DenseLu, Matrix, MatrixRef};
use siconos_numerics::engine::semismooth_newton::SemismoothNewtonSettings;
use siconos_numerics::lcp::{
    InteriorPoint, InteriorPointSettings, Lcp, LcpMethod, LcpProblem, Newton, NewtonMin, NewtonMinSettings,
    NewtonSettings,
};
use siconos_numerics::method::MatrixClass;
use siconos_numerics::ncp_function::NcpFunction;
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::lcp::strategy::{
    RandomLcp, feasible_semidefinite, hyperstatic_integers, nonsymmetric_positive_definite, p_matrix,
    permutation, positive_definite,
};
use siconos_testkit::lcp::{
    Capability, Measures, all, bead_column, check_lcp_solver, clamped_chain, enumerate_solutions,
};
use siconos_testkit::random::config;

const DEFINITE: &[MatrixClass] = &[MatrixClass::PMatrix, MatrixClass::PositiveSemidefinite];

fn solvers() -> [Box<dyn Solver<Class = Lcp>>; 4] {
    [
        Box::new(NewtonMin::default()),
        Box::new(Newton::new(NewtonSettings::minimum_with_line_search()).unwrap()),
        Box::new(Newton::default()),
        Box::new(InteriorPoint::default()),
    ]
}

/// Solves from `z = 0`.
fn solve<'m>(
    solver: &mut dyn Solver<Class = Lcp>,
    m: impl Into<MatrixRef<'m>>,
    q: &'m [f64],
) -> Result<(SolveInfo, Vec<f64>), SolverError> {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    let info = solver.solve(&LcpProblem::new(m, q)?, &mut z, &mut w)?;
    Ok((info, z))
}

/// Returns tridiag(-1, 2, -1) with `first` as first diagonal entry, in block rows and in columns.
fn sparse_chain(n: usize, first: f64) -> [Matrix; 2] {
    let diagonal = |i: usize| if i == 0 { first } else { 2.0 };
    let neighbours = move |i: usize| i.saturating_sub(1)..(i + 2).min(n);
    let entry = |i: usize, j: usize| if i == j { diagonal(i) } else { -1.0 };
    let mut blocks = BlockCsr::default();
    blocks.begin((0..n).map(|_| 1));
    for i in 0..n {
        blocks.push_block_row(1);
        for j in neighbours(i) {
            blocks.push_block(j)[0] = entry(i, j);
        }
    }
    let triplets = (0..n).flat_map(|i| neighbours(i).map(move |j| (i, j, entry(i, j))));
    [Matrix::from(blocks), Matrix::from(Csc::from_triplets(n, n, triplets).expect("inside"))]
}

#[test]
fn newton_min_passes_the_battery() {
    let capability = Capability {
        classes: DEFINITE,
        tolerance: 1e-12,
        largest_condition: f64::INFINITY,
        recognises_unsolvable: false,
    };
    let report = check_lcp_solver(&mut NewtonMin::default(), &capability);
    assert!(report.solved >= 200 && report.unsolvable >= 12 && report.storages[1] >= 9, "{report:?}");
}

#[test]
fn line_search_and_interior_point_pass_the_battery() {
    let mut solvers = solvers();
    for solver in &mut solvers[1..] {
        let capability = Capability {
            classes: DEFINITE,
            tolerance: 1e-10,
            largest_condition: f64::INFINITY,
            recognises_unsolvable: false,
        };
        let report = check_lcp_solver(solver.as_mut(), &capability);
        assert!(report.solved >= 200 && report.storages[1] >= 9, "{}: {report:?}", solver.name());
    }
}

#[test]
fn every_storage_gives_the_same_answer() -> Result<(), SolverError> {
    let mut tried = 0;
    for known in all().into_iter().filter(|known| known.class.is_within(MatrixClass::PMatrix)) {
        let csc = Csc::from_matrix(MatrixRef::from(&known.m));
        for solver in &mut solvers() {
            let (of_dense, dense) = solve(solver.as_mut(), &known.m, &known.q)?;
            let (of_columns, columns) = solve(solver.as_mut(), &csc, &known.q)?;
            assert!(of_dense.status.is_success() && of_columns.status.is_success(), "{}", known.name);
            let largest = dense.iter().fold(1.0_f64, |a, z| a.max(z.abs()));
            for (a, b) in dense.iter().zip(&columns) {
                assert!((a - b).abs() <= 1e-6 * largest, "{}, {}: {a} {b}", solver.name(), known.name);
            }
            tried += 1;
        }
    }
    assert!(tried > 80, "{tried}");
    Ok(())
}

#[test]
fn no_point_is_called_a_solution_that_is_none() -> Result<(), SolverError> {
    for known in all() {
        for guess in [0.0, 1.0, 1e8] {
            for solver in &mut solvers() {
                let (mut z, mut w) = (vec![guess; known.size()], vec![0.0; known.size()]);
                let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
                let point = Measures::of(known.m.view(), &known.q, &z);
                if info.status == Status::Converged {
                    assert!(point.natural <= 2e-10, "{}, {}: {point:?}", solver.name(), known.name);
                }
                assert!(
                    known.has_solution() || !info.status.is_success(),
                    "{}, {} from {guess}: {info:?}, {z:?}",
                    solver.name(),
                    known.name
                );
            }
        }
    }
    Ok(())
}

/// A P-matrix of order 3 on which the plain Newton-min iteration cycles (Ben Gharbia and Gilbert 2012).
#[test]
fn where_plain_newton_min_cycles_this_one_ends() -> Result<(), SolverError> {
    let a = 2.0;
    let m = array![[1.0, 0.0, a], [a, 1.0, 0.0], [0.0, a, 1.0]];
    let q = [-1.0; 3];
    // Plain Newton-min iteration: from the basis of z to the set of all indices with z > w.
    let mut active = vec![0, 2];
    let mut seen = Vec::new();
    while !seen.contains(&active) {
        seen.push(active.clone());
        let block = Array2::from_shape_fn((active.len(), active.len()), |(k, l)| m[[active[k], active[l]]]);
        let mut lu = DenseLu::default();
        lu.factor(block.view()).expect("a P-matrix");
        let mut x = vec![1.0; active.len()];
        lu.solve(&mut x);
        let mut z = [0.0; 3];
        active.iter().zip(&x).for_each(|(&i, x)| z[i] = *x);
        let w: Vec<f64> = (0..3).map(|i| (0..3).map(|j| m[[i, j]] * z[j]).sum::<f64>() + q[i]).collect();
        active = (0..3).filter(|&i| z[i] > w[i] + 1e-12).collect();
    }
    assert_eq!((seen.len(), &active), (3, &seen[0]), "it comes back to where it began");

    for solver in &mut solvers() {
        let (mut z, mut w) = (vec![1.0, 0.0, 1.0], vec![0.0; 3]);
        let info = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        z.iter().for_each(|z| assert!((z - 1.0 / (1.0 + a)).abs() < 1e-9, "{}: {z}", solver.name()));
    }
    // Without grace steps, single exchanges have to find the solution.
    let mut strict = NewtonMin::new(NewtonMinSettings { grace: 0, ..Default::default() })?;
    let (mut z, mut w) = (vec![1.0, 0.0, 1.0], vec![0.0; 3]);
    assert!(strict.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?.status.is_success());
    Ok(())
}

#[test]
fn ten_thousand_contacts_in_a_row() -> Result<(), SolverError> {
    let n = 10_000;
    let mut solver = NewtonMin::default();
    for matrix in &sparse_chain(n, 2.0) {
        // All contacts are closed, with z_i = (i + 1)(n - i) / 2: see `clamped_chain`.
        let q = vec![-1.0; n];
        let (info, z) = solve(&mut solver, matrix, &q)?;
        assert!(info.status.is_success() && info.iterations <= 2, "{info:?}");
        for (i, z) in z.iter().enumerate() {
            let exact = ((i + 1) * (n - i)) as f64 / 2.0;
            assert!((z - exact).abs() <= 1e-9 * exact, "z[{i}] is {z}, {exact}");
        }
        // Blocks of 100 contacts with pressure alternate with blocks of 100 with tension. Each closed block
        // has the same parabola.
        let q: Vec<f64> = (0..n).map(|i| if i / 100 % 2 == 0 { -1.0 } else { 60.0 }).collect();
        let (info, z) = solve(&mut solver, matrix, &q)?;
        assert!(info.status.is_success() && info.error <= 1e-10, "{info:?}");
        for (i, z) in z.iter().enumerate() {
            let k = i % 100;
            let exact = if i / 100 % 2 == 0 { ((k + 1) * (100 - k)) as f64 / 2.0 } else { 0.0 };
            assert!((z - exact).abs() <= 1e-9 * exact.max(1.0), "z[{i}] is {z}, {exact}");
        }
    }
    for matrix in &sparse_chain(n, 1.0) {
        // The weight of the beads above each bead: see `bead_column`.
        let mut q = vec![0.0; n];
        q[0] = -1.0;
        let (info, z) = solve(&mut solver, matrix, &q)?;
        assert!(info.status.is_success(), "{info:?}");
        for (i, z) in z.iter().enumerate() {
            let exact = (n - i) as f64;
            assert!((z - exact).abs() <= 1e-9 * n as f64, "z[{i}] is {z}, {exact}");
        }
    }
    Ok(())
}

#[test]
fn long_chains_by_the_other_methods() -> Result<(), SolverError> {
    let n = 2000;
    let q: Vec<f64> = (0..n).map(|i| if i / 50 % 2 == 0 { -1.0 } else { 30.0 }).collect();
    for solver in &mut solvers() {
        for matrix in &sparse_chain(n, 2.0) {
            let (info, z) = solve(solver.as_mut(), matrix, &q)?;
            assert!(info.status.is_success() && info.iterations < 60, "{}: {info:?}", solver.name());
            for (i, z) in z.iter().enumerate() {
                let k = i % 50;
                let exact = if i / 50 % 2 == 0 { ((k + 1) * (50 - k)) as f64 / 2.0 } else { 0.0 };
                assert!((z - exact).abs() <= 1e-5 * exact.max(1.0), "{}: z[{i}] {z} {exact}", solver.name());
            }
        }
    }
    Ok(())
}

#[test]
fn from_the_solution_newton_min_needs_one_basis() -> Result<(), SolverError> {
    for known in [bead_column(40), clamped_chain(30)] {
        let mut z = known.unique_solution().expect("definite").to_vec();
        let mut w = vec![0.0; z.len()];
        let info = NewtonMin::default().solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, 1), "{}", known.name);
    }
    Ok(())
}

/// Test problems of Siconos, from Cottle, Pang, Stone and from Pang.
#[test]
fn reference_problems_by_fischer_and_burmeister() -> Result<(), Box<dyn std::error::Error>> {
    for name in ["CPS_1", "CPS_2", "CPS_3", "CPS_4", "CPS_5", "Pang_isolated_sol", "ortiz", "mmc"] {
        let Some((m, q)) = lcp_files::problem(&format!("lcp_{name}.dat")) else { return Ok(()) };
        let (n, q) = (q.len(), &q[..]);
        for solver in &mut solvers()[1..3] {
            for guess in [0.0, 1.0] {
                let (mut z, mut w) = (vec![guess; n], vec![0.0; n]);
                let info = solver.solve(&LcpProblem::new(&m, q)?, &mut z, &mut w)?;
                let point = Measures::of(m.view(), q, &z);
                assert!(point.natural <= 1e-10, "{name} by {} from {guess}: {info:?}", solver.name());
                // CPS_5 has a ray of solutions in addition to its only vertex.
                let is_known = n > 6
                    || name == "CPS_5"
                    || enumerate_solutions(m.view(), q).len() > 1
                    || enumerate_solutions(m.view(), q).iter().any(|known| {
                        known.iter().zip(&z).all(|(a, b)| (a - b).abs() <= 1e-6 * a.abs().max(1.0))
                    });
                assert!(is_known, "{name} by {}: {z:?}", solver.name());
            }
        }
    }
    Ok(())
}

#[test]
fn a_matrix_that_is_not_finite_is_never_solved() -> Result<(), SolverError> {
    for bad in [f64::NAN, f64::INFINITY] {
        let m = array![[2.0, bad, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let csc = Csc::from_matrix(MatrixRef::from(&m));
        for solver in &mut solvers() {
            for matrix in [MatrixRef::from(&m), MatrixRef::from(&csc)] {
                if let Ok((info, _)) = solve(solver.as_mut(), matrix, &[-1.0, -1.0, 1.0]) {
                    assert!(!info.status.is_success(), "{}: {info:?}", solver.name());
                }
            }
        }
    }
    Ok(())
}

#[test]
fn nothing_to_solve_and_nothing_left_to_do() -> Result<(), SolverError> {
    let empty = Array2::zeros((0, 0));
    for solver in &mut solvers() {
        let (info, _) = solve(solver.as_mut(), &empty, &[])?;
        assert_eq!(
            (info.status, info.iterations, info.error),
            (Status::Converged, 0, 0.0),
            "{}",
            solver.name()
        );
        let wrong = solver.solve(&LcpProblem::new(&array![[1.0]], &[1.0])?, &mut [0.0; 2], &mut [0.0]);
        assert!(matches!(wrong, Err(SolverError::Problem(_))), "{}", solver.name());
    }
    for method in LcpMethod::all() {
        let name = method.description().name;
        assert_eq!(LcpMethod::from_name(name), Some(method.clone()));
        let mut hasty = method;
        hasty.set_max_iterations(0);
        hasty.set_tolerance(1e-9);
        let mut solver = hasty.build()?;
        assert_eq!(solver.tolerance(), 1e-9, "{name}");
        let (info, _) = solve(solver.as_mut(), &array![[1.0, 0.5], [0.5, 1.0]], &[-1.0, 1.0])?;
        assert!(info.status == Status::MaxIterations || info.iterations == 0, "{name}: {info:?}");
    }
    Ok(())
}

#[test]
fn settings_outside_their_range_are_refused() {
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(NewtonMin::new(NewtonMinSettings { tolerance, ..Default::default() }).is_err());
        assert!(InteriorPoint::new(InteriorPointSettings { tolerance, ..Default::default() }).is_err());
        let newton = SemismoothNewtonSettings { tolerance, ..Default::default() };
        assert!(Newton::new(NewtonSettings { newton, ..Default::default() }).is_err());
    }
    for part in [0.0, 1.0, f64::NAN] {
        assert!(
            InteriorPoint::new(InteriorPointSettings { step_fraction: part, ..Default::default() }).is_err()
        );
        assert!(
            InteriorPoint::new(InteriorPointSettings { centrality: part, ..Default::default() }).is_err()
        );
    }
}

#[test]
fn newton_min_allocates_nothing_the_second_time() {
    let problems: Vec<_> =
        [16, 3, 10, 1, 16].into_iter().flat_map(|n| [bead_column(n), clamped_chain(n)]).collect();
    let skew = array![[2.0, 1.0, 0.0], [-1.0, 2.0, 1.0], [0.0, -1.0, 2.0]];
    let mut solver = NewtonMin::default();
    let (mut z, mut w) = ([0.0; 16], [0.0; 16]);
    let mut round = || {
        for known in &problems {
            let n = known.size();
            z.fill(0.0);
            for _ in ["cold", "warm"] {
                let problem = LcpProblem::new(&known.m, &known.q).expect("square");
                let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("finite");
                assert!(info.status.is_success(), "{}: {info:?}", known.name);
            }
        }
        z.fill(0.0);
        let problem = LcpProblem::new(&skew, &[-1.0, -2.0, 3.0]).expect("square");
        let info = solver.solve(&problem, &mut z[..3], &mut w[..3]).expect("finite");
        assert!(info.status.is_success(), "{info:?}");
    };
    round();
    assert_eq!(count_allocations(round), 0);
}

/// Derivatives are compared with central differences away from the kinks, and with the chain rule for an
/// entry of the generalised Jacobian.
#[test]
fn derivatives_of_complementarity_functions() {
    let values = [-3.0, -1.0, -0.3, 0.2, 0.9, 2.5];
    for function in [NcpFunction::Minimum, NcpFunction::FischerBurmeister] {
        for a in values {
            for b in values.map(|b| b + 0.05) {
                let h = 1e-6;
                let (of_a, of_b) = function.derivative(a, b);
                let difference_a = (function.value(a + h, b) - function.value(a - h, b)) / (2.0 * h);
                let difference_b = (function.value(a, b + h) - function.value(a, b - h)) / (2.0 * h);
                assert!((of_a - difference_a).abs() < 1e-8, "{function:?} at ({a}, {b})");
                assert!((of_b - difference_b).abs() < 1e-8, "{function:?} at ({a}, {b})");
            }
        }
    }
}

#[test]
fn values_of_complementarity_functions() {
    let f = NcpFunction::FischerBurmeister;
    // Pythagorean triples.
    for (a, b, r) in [(3.0, 4.0, 5.0), (5.0, 12.0, 13.0), (8.0, 15.0, 17.0), (20.0, 21.0, 29.0)] {
        for scale in [1e-200, 1e-8, 1.0, 1e150] {
            let exact: f64 = scale * (a + b - r);
            assert!((f.value(scale * a, scale * b) - exact).abs() <= 4.0 * f64::EPSILON * exact);
            assert!((f.value(-scale * a, -scale * b) + scale * (a + b + r)).abs() <= 1e-14 * scale * r);
        }
    }
    // For small a, a + 1 - sqrt(a^2 + 1) = a - a^2 / 2 + .., which a direct evaluation would round to 0.
    for a in [1e-20, 1e-12, 1e-9] {
        assert!((f.value(a, 1.0) - (a - a * a / 2.0)).abs() <= 4.0 * f64::EPSILON * a, "{a}");
        assert!((f.value(a, 1.0) - f.value(1.0, a)).abs() <= f64::EPSILON * a, "symmetric");
    }
    // In magnitude, the function is between (2 - sqrt 2) times the minimum and the minimum (Tseng 1996, lemma
    // 3.1).
    for a in [-2.0, -0.5, 0.1, 3.0] {
        for b in [-1.0, 0.2, 2.0] {
            let (fischer, minimum) = (f.value(a, b), NcpFunction::Minimum.value(a, b));
            let ratio = fischer / minimum;
            assert!(
                ratio >= 2.0 - 2.0_f64.sqrt() - 1e-14 && ratio <= 2.0 + 2.0_f64.sqrt() + 1e-14,
                "{ratio}"
            );
        }
    }
}

fn check_against_oracle(problem: &RandomLcp) -> Result<(), TestCaseError> {
    let known = enumerate_solutions(problem.m.view(), &problem.q);
    prop_assert_eq!(known.len(), 1);
    for solver in &mut solvers() {
        let (info, z) = solve(solver.as_mut(), &problem.m, &problem.q).expect("finite");
        prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
        for (a, b) in z.iter().zip(&known[0]) {
            prop_assert!((a - b).abs() <= 1e-6 * b.abs().max(1.0), "{}: {:?} {:?}", solver.name(), z, known);
        }
    }
    Ok(())
}

fn permuted(problem: &RandomLcp, order: &[usize]) -> RandomLcp {
    let n = order.len();
    RandomLcp {
        m: Array2::from_shape_fn((n, n), |(i, j)| problem.m[[order[i], order[j]]]),
        q: order.iter().map(|&i| problem.q[i]).collect(),
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn symmetric_problems_against_all_supports(problem in positive_definite(1..6)) {
        check_against_oracle(&problem)?;
    }

    #[test]
    fn p_matrices_against_all_supports(problem in p_matrix(1..6)) {
        check_against_oracle(&problem)?;
    }

    #[test]
    fn larger_problems(problem in nonsymmetric_positive_definite(20..60)) {
        for solver in &mut solvers() {
            let (info, z) = solve(solver.as_mut(), &problem.m, &problem.q).expect("finite");
            prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
            prop_assert!(Measures::of(problem.m.view(), &problem.q, &z).natural <= 1e-9);
        }
    }

    #[test]
    fn semidefinite_problems(problem in feasible_semidefinite(2..8)) {
        for solver in &mut solvers()[2..] {
            let (info, z) = solve(solver.as_mut(), &problem.m, &problem.q).expect("finite");
            prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
            prop_assert!(Measures::of(problem.m.view(), &problem.q, &z).natural <= 1e-9);
        }
    }

    #[test]
    fn hyperstatic_problems(problem in hyperstatic_integers(2..5)) {
        for solver in &mut solvers()[2..] {
            let (info, z) = solve(solver.as_mut(), &problem.m, &problem.q).expect("finite");
            prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
            prop_assert!(Measures::of(problem.m.view(), &problem.q, &z).natural <= 1e-9);
        }
    }

    #[test]
    fn the_order_of_the_unknowns_does_not_matter(
        (problem, order) in p_matrix(2..12).prop_flat_map(|p| { let n = p.q.len(); (Just(p), permutation(n)) })
    ) {
        let other = permuted(&problem, &order);
        for solver in &mut solvers() {
            let (_, z) = solve(solver.as_mut(), &problem.m, &problem.q).expect("finite");
            let (_, y) = solve(solver.as_mut(), &other.m, &other.q).expect("finite");
            for (&i, y) in order.iter().zip(&y) {
                prop_assert!((z[i] - y).abs() <= 1e-6 * z[i].abs().max(1.0), "{}", solver.name());
            }
        }
    }
}

/// A circulant P-matrix with the solution z = 0 (Ben Gharbia and Gilbert 2012, "Nonconvergence of the plain
/// Newton-min algorithm for linear complementarity problems with a P-matrix").
#[test]
fn plain_newton_cycles_where_block_pivoting_ends() {
    let m = array![[1.0, 0.0, 2.0], [2.0, 1.0, 0.0], [0.0, 2.0, 1.0]];
    let problem = LcpProblem::new(&m, &[1.0; 3]).expect("a good problem");
    // The plain method takes all z_i with z_i > w_i as the next basis.
    let mut active = [true, false, false];
    let mut bases = Vec::new();
    while !bases.contains(&active) {
        bases.push(active);
        let chosen: Vec<usize> = (0..3).filter(|&i| active[i]).collect();
        let block = Array2::from_shape_fn((chosen.len(), chosen.len()), |(i, j)| m[[chosen[i], chosen[j]]]);
        let mut x = vec![-1.0; chosen.len()];
        let mut lu = DenseLu::default();
        lu.factor(block.view()).expect("a principal submatrix of a P-matrix");
        lu.solve(&mut x);
        let mut z = [0.0; 3];
        chosen.iter().zip(&x).for_each(|(&i, x)| z[i] = *x);
        let w = m.dot(&ndarray::aview1(&z)) + 1.0;
        active = [0, 1, 2].map(|i| z[i] > w[i]);
    }
    assert_eq!(bases.len(), 3, "{bases:?}");
    assert_eq!(active, bases[0], "it comes back to where it began");

    let settings = NewtonMinSettings { sweeps: 0, ..NewtonMinSettings::default() };
    let mut solver = NewtonMin::new(settings).expect("good settings");
    let (mut z, mut w) = ([1.0, 0.0, 0.0], [0.0; 3]);
    let info = solver.solve(&problem, &mut z, &mut w).expect("a good problem");
    assert_eq!((info.status, z, w), (Status::Converged, [0.0; 3], [1.0; 3]));
}
