//! Iterative and optimisation-based methods for linear complementarity problems.

use crate::support::lcp_files;
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::lcp::{
    ConjugateProjectedGradient, ConjugateProjectedGradientSettings, Latin, LatinSettings, Lcp, LcpMethod,
    LcpProblem, ProjectedGaussSeidel, ProjectedGaussSeidelSettings, error,
};
use siconos_numerics::method::MatrixClass;
use siconos_numerics::{Method, SettingsError, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::lcp::strategy::{
    RandomLcp, copositive_plus_integers, degenerate_integers, feasible_semidefinite, hyperstatic_integers,
    nonsymmetric_positive_definite, p_matrix, positive_definite,
};
use siconos_testkit::lcp::{
    Answer, BatteryReport, Capability, Measures, all, check_lcp_solver, clamped_chain, enumerate_solutions,
};
use siconos_testkit::random::config;

/// Methods of this file, by the classes of matrices for which they converge.
const SYMMETRIC_DEFINITE: [&str; 1] = ["projected-sor"];
const SYMMETRIC_SEMIDEFINITE: [&str; 3] =
    ["regularised-gauss-seidel", "conjugate-projected-gradient", "projected-gradient"];
const ANY_SEMIDEFINITE: [&str; 4] =
    ["latin", "latin-weighted", "quadratic-program", "sequential-quadratic-program"];

fn names() -> impl Iterator<Item = &'static str> {
    SYMMETRIC_DEFINITE.into_iter().chain(SYMMETRIC_SEMIDEFINITE).chain(ANY_SEMIDEFINITE)
}

fn build(name: &str) -> Box<dyn Solver<Class = Lcp>> {
    LcpMethod::from_name(name).expect("a known name").build().expect("valid settings")
}

/// Solves from zero.
fn solve(name: &str, m: &Array2<f64>, q: &[f64]) -> (SolveInfo, Vec<f64>) {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    let problem = LcpProblem::new(m, q).expect("it is square");
    let info = build(name).solve(&problem, &mut z, &mut w).expect("good data");
    (info, z)
}

const SYMMETRIC: Capability = Capability {
    classes: &[MatrixClass::SymmetricPositiveDefinite],
    tolerance: 1e-8,
    largest_condition: 2000.0,
    recognises_unsolvable: false,
};

const SEMIDEFINITE: Capability = Capability {
    classes: &[MatrixClass::PositiveSemidefinite],
    tolerance: 1e-10,
    largest_condition: f64::INFINITY,
    recognises_unsolvable: true,
};

#[track_caller]
fn battery(name: &str, capability: &Capability) -> BatteryReport {
    let method = LcpMethod::from_name(name).expect("a known name");
    check_lcp_solver(method.build().expect("valid settings").as_mut(), capability)
}

#[test]
fn projected_sor() {
    let report = battery("projected-sor", &SYMMETRIC);
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn regularised_gauss_seidel() {
    let report = battery("regularised-gauss-seidel", &Capability { largest_condition: 600.0, ..SYMMETRIC });
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn conjugate_projected_gradient() {
    let report = battery(
        "conjugate-projected-gradient",
        &Capability { largest_condition: f64::INFINITY, ..SYMMETRIC },
    );
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn projected_gradient() {
    let report = battery("projected-gradient", &Capability { largest_condition: f64::INFINITY, ..SYMMETRIC });
    assert!(report.solved >= 80, "{report:?}");
}

#[test]
fn latin() {
    for name in ["latin", "latin-weighted"] {
        let capability = Capability { tolerance: 1e-8, recognises_unsolvable: false, ..SEMIDEFINITE };
        let report = battery(name, &capability);
        assert!(report.solved >= 80, "{report:?}");
    }
}

#[test]
fn quadratic_program() {
    let report = battery("quadratic-program", &SEMIDEFINITE);
    assert!(report.solved >= 80 && report.unsolvable > 12, "{report:?}");
}

#[test]
fn sequential_quadratic_program() {
    let capability =
        Capability { classes: &[MatrixClass::PositiveSemidefinite, MatrixClass::PMatrix], ..SEMIDEFINITE };
    let report = battery("sequential-quadratic-program", &capability);
    assert!(report.solved >= 80 && report.unsolvable > 12, "{report:?}");
}

/// Checks a report: a success must be a solution, and `NoSolution` is permitted only if there is none.
fn judge(
    name: &str,
    m: &Array2<f64>,
    q: &[f64],
    info: SolveInfo,
    z: &[f64],
    solvable: bool,
) -> Result<(), String> {
    let point = Measures::of(m.view(), q, z);
    if info.status.is_success() && !solvable {
        return Err(format!("{name}: {} with {z:?}, but there is no solution", info.status));
    }
    if info.status == Status::Converged && (point.natural > 1.01e-8 || point.least_z < 0.0) {
        return Err(format!("{name}: converged with {point:?}"));
    }
    if info.status == Status::NoSolution && solvable {
        return Err(format!("{name}: no solution, but there is one"));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn symmetric_definite_problems_are_solved(RandomLcp { m, q } in positive_definite(1..7)) {
        let expected = &enumerate_solutions(m.view(), &q)[0];
        for name in names() {
            let (info, z) = solve(name, &m, &q);
            prop_assert!(info.status.is_success(), "{}: {:?}", name, info);
            for (a, b) in z.iter().zip(expected) {
                prop_assert!((a - b).abs() <= 1e-5, "{}: {:?}, the solution is {:?}", name, z, expected);
            }
        }
    }

    #[test]
    fn definite_problems_are_solved(RandomLcp { m, q } in nonsymmetric_positive_definite(1..7)) {
        let expected = &enumerate_solutions(m.view(), &q)[0];
        for name in ANY_SEMIDEFINITE {
            let (info, z) = solve(name, &m, &q);
            prop_assert!(info.status.is_success(), "{}: {:?}", name, info);
            for (a, b) in z.iter().zip(expected) {
                prop_assert!((a - b).abs() <= 1e-5, "{}: {:?}, the solution is {:?}", name, z, expected);
            }
        }
    }

    #[test]
    fn hyperstatic_contacts_are_solved(RandomLcp { m, q } in hyperstatic_integers(1..5)) {
        for name in SYMMETRIC_SEMIDEFINITE.into_iter().chain(ANY_SEMIDEFINITE) {
            let (info, z) = solve(name, &m, &q);
            // If the solution set is unbounded, the interior-point method for programs with w >= 0 may
            // diverge along it.
            let may_fail = name == "sequential-quadratic-program";
            prop_assert!(info.status.is_success() || may_fail, "{}: {:?} {:?} {:?}", name, info, m, q);
            prop_assert_eq!(judge(name, &m, &q, info, &z, true), Ok(()));
        }
    }

    #[test]
    fn feasible_semidefinite_problems_are_solved(RandomLcp { m, q } in feasible_semidefinite(1..7)) {
        for name in ["quadratic-program", "sequential-quadratic-program"] {
            let (info, z) = solve(name, &m, &q);
            prop_assert!(info.status.is_success(), "{}: {:?} {:?} {:?}", name, info, m, q);
            prop_assert_eq!(judge(name, &m, &q, info, &z, true), Ok(()));
        }
        for name in ["latin", "latin-weighted"] {
            let (info, z) = solve(name, &m, &q);
            prop_assert_eq!(judge(name, &m, &q, info, &z, true), Ok(()));
        }
    }

    #[test]
    fn p_matrices_are_solved_by_the_sequence_of_programs(RandomLcp { m, q } in p_matrix(1..7)) {
        let (info, z) = solve("sequential-quadratic-program", &m, &q);
        prop_assert!(info.status.is_success(), "{:?} {:?} {:?}", info, m, q);
        for (a, b) in z.iter().zip(&enumerate_solutions(m.view(), &q)[0]) {
            prop_assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()));
        }
    }

    #[test]
    fn no_false_verdict_on_any_integers(RandomLcp { m, q } in degenerate_integers(1..5)) {
        let solvable = !enumerate_solutions(m.view(), &q).is_empty();
        for name in names() {
            // Gauss-Seidel refuses matrices with nonpositive diagonal entries.
            let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
            let problem = LcpProblem::new(&m, &q).expect("it is square");
            if let Ok(info) = build(name).solve(&problem, &mut z, &mut w) {
                prop_assert_eq!(judge(name, &m, &q, info, &z, solvable), Ok(()), "{:?} {:?}", m, q);
            }
        }
    }

    #[test]
    fn semidefinite_integers_are_decided(RandomLcp { m, q } in copositive_plus_integers(1..5)) {
        let solvable = !enumerate_solutions(m.view(), &q).is_empty();
        let symmetric_part = &m + &m.t();
        let is_semidefinite = smallest_eigenvalue(&symmetric_part) > -1e-9;
        for name in names() {
            let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
            let problem = LcpProblem::new(&m, &q).expect("it is square");
            let Ok(info) = build(name).solve(&problem, &mut z, &mut w) else { continue };
            prop_assert_eq!(judge(name, &m, &q, info, &z, solvable), Ok(()), "{:?} {:?}", m, q);
            if is_semidefinite && name.ends_with("quadratic-program") {
                let decided = if solvable { info.status.is_success() } else { info.status == Status::NoSolution };
                prop_assert!(decided, "{}: {:?}, solvable: {}, {:?} {:?}", name, info, solvable, m, q);
            }
        }
    }

    #[test]
    fn sparse_columns_give_what_dense_rows_give(RandomLcp { m, q } in positive_definite(1..7)) {
        let sparse = Matrix::from(Csc::from_matrix((&m).into()));
        for name in names() {
            let (dense_info, dense) = solve(name, &m, &q);
            let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
            let problem = LcpProblem::new(&sparse, &q).expect("it is square");
            let info = build(name).solve(&problem, &mut z, &mut w).expect("good data");
            prop_assert_eq!(info.status, dense_info.status, "{}", name);
            for (a, b) in z.iter().zip(&dense) {
                prop_assert!((a - b).abs() <= 1e-5, "{}: {:?} {:?}", name, z, dense);
            }
        }
    }
}

/// Returns the smallest eigenvalue, by cyclic Jacobi rotations (Golub and Van Loan 2013, section 8.5).
fn smallest_eigenvalue(a: &Array2<f64>) -> f64 {
    let (mut a, n) = (a.clone(), a.nrows());
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[[p, q]].abs() < 1e-14 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[[p, q]]).atan2(a[[q, q]] - a[[p, p]]);
                let (s, c) = angle.sin_cos();
                for k in 0..n {
                    let (x, y) = (a[[k, p]], a[[k, q]]);
                    a[[k, p]] = c * x - s * y;
                    a[[k, q]] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (a[[p, k]], a[[q, k]]);
                    a[[p, k]] = c * x - s * y;
                    a[[q, k]] = s * x + c * y;
                }
            }
        }
    }
    a.diag().iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn the_known_infeasible_problems_are_proven_so() {
    let mut proven = 0;
    for known in all() {
        let Answer::Infeasible { .. } = known.answer else { continue };
        for name in ["quadratic-program", "sequential-quadratic-program"] {
            // The first method needs a semidefinite matrix, the second only a feasible point.
            if name == "quadratic-program" && !known.class.is_within(MatrixClass::PositiveSemidefinite) {
                continue;
            }
            let (info, z) = solve(name, &known.m, &known.q);
            assert_eq!(info.status, Status::NoSolution, "{name} on {}", known.name);
            assert_eq!(z, vec![0.0; z.len()], "the guess stays");
            proven += 1;
        }
    }
    assert!(proven >= 10, "{proven}");
}

#[test]
fn nothing_is_called_converged_that_is_none() {
    for known in all() {
        for name in names() {
            let (mut z, mut w) = (vec![1.0; known.size()], vec![f64::NAN; known.size()]);
            let problem = LcpProblem::new(&known.m, &known.q).expect("it is square");
            let Ok(info) = build(name).solve(&problem, &mut z, &mut w) else { continue };
            let verdict = judge(name, &known.m, &known.q, info, &z, known.has_solution());
            assert_eq!(verdict, Ok(()), "{}", known.name);
            let again = error(&problem, &z, &w);
            assert!(again == info.error || again.is_nan(), "{name} on {}: {again} {info:?}", known.name);
        }
    }
}

#[test]
fn reference_files() {
    let mut solved = 0;
    for (file, symmetric) in
        [("lcp_trivial.dat", true), ("lcp_deudeu.dat", true), ("lcp_mmc.dat", true), ("lcp_ortiz.dat", false)]
    {
        let Some((m, q)) = lcp_files::problem(file) else { return };
        for name in names() {
            let (info, z) = solve(name, &m, &q);
            let has_guarantee = symmetric || ANY_SEMIDEFINITE.contains(&name);
            println!(
                "{file}, {name}: {}, {} iterations, error {:e}",
                info.status, info.iterations, info.error
            );
            assert!(info.status.is_success() || !has_guarantee, "{name} on {file}: {info:?}");
            assert_eq!(judge(name, &m, &q, info, &z, true), Ok(()), "{file}");
            solved += 1;
        }
    }
    assert_eq!(solved, 32);
}

#[test]
fn the_regularised_sweep_takes_a_zero_on_the_diagonal() -> Result<(), SolverError> {
    // Two rods on one support, and a body without constraints and without load.
    let m = array![[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    let q = [-1.0, -1.0, 0.5];
    let problem = LcpProblem::new(&m, &q)?;
    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
    let refused = ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w);
    assert!(matches!(refused, Err(SolverError::Singular { what: "the diagonal of M", .. })), "{refused:?}");
    z = [0.0, 0.0, 3.0];
    let mut solver = ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings::regularised())?;
    let info = solver.solve(&problem, &mut z, &mut w)?;
    assert_eq!(info.status, Status::Converged);
    assert!((z[0] + z[1] - 1.0).abs() < 1e-8 && z[2] == 0.0, "{z:?}");
    // One sweep computed by hand, with a shift of 0.1 times the mean 2/3.
    let mut one = ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings {
        max_iterations: 1,
        relaxation: 0.5,
        ..ProjectedGaussSeidelSettings::regularised()
    })?;
    z = [0.0, 0.0, 3.0];
    let info = one.solve(&problem, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 1));
    let rho = 0.1 * 2.0 / 3.0;
    let first = 0.5 / (1.0 + rho);
    let expected = [first, 0.5 * (1.0 - first) / (1.0 + rho), (3.0_f64 - 0.5 * 0.5 / rho).max(0.0)];
    for (a, b) in z.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-14, "{z:?} {expected:?}");
    }
    Ok(())
}

#[test]
fn conjugation_ends_after_as_many_steps_as_there_are_eigenvalues() -> Result<(), SolverError> {
    // With three eigenvalues and an interior solution, the method is plain conjugate gradients with three
    // steps.
    let n = 30;
    let m = Matrix::from(Array1::from_shape_fn(n, |i| [1.0, 4.0, 9.0][i % 3]));
    let q = vec![-1.0; n];
    let solution = |i: usize| 1.0 / [1.0, 4.0, 9.0][i % 3];
    for off in [None, Some(0.05), Some(-0.05)] {
        let mut z: Vec<f64> = (0..n).map(|i| off.map_or(0.0, |off| solution(i) + off)).collect();
        let mut w = vec![0.0; n];
        let info = ConjugateProjectedGradient::default().solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
        assert_eq!((info.status, info.iterations), (Status::Converged, 3), "{off:?}");
        assert!((0..n).all(|i| (z[i] - solution(i)).abs() < 1e-12), "{z:?}");
    }
    // On a chain, it needs far fewer steps than a gradient method.
    let known = clamped_chain(30);
    let (fast, _) = solve("conjugate-projected-gradient", &known.m, &known.q);
    let (slow, _) = solve("regularised-gauss-seidel", &known.m, &known.q);
    assert!(fast.status.is_success() && 5 * fast.iterations < slow.iterations, "{fast:?} {slow:?}");
    Ok(())
}

#[test]
fn one_stage_of_latin_by_hand() -> Result<(), SolverError> {
    // For M = 2, q = -3, k = 1, mu = 1/2, z = 1, w = -1: p = 2; (M + k) z = |p| - q = 5; p' = 2 k z - |p| =
    // 4/3; p = (2 + 4/3) / 2 = 5/3 = z.
    let settings = LatinSettings {
        search_direction: Some(1.0),
        relaxation: 0.5,
        max_iterations: 1,
        ..LatinSettings::default()
    };
    let (m, mut z, mut w) = (array![[2.0]], [1.0], [0.0]);
    let info = Latin::new(settings.clone())?.solve(&LcpProblem::new(&m, &[-3.0])?, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 1));
    assert!((z[0] - 5.0 / 3.0).abs() < 1e-15 && (w[0] - 1.0 / 3.0).abs() < 1e-15, "{z:?} {w:?}");
    // For constant k and a positive solution, the convergence rate in z is 1 - mu + mu (k - M) / (k + M) =
    // 1/3.
    for (iterations, off) in [(2, 1.0 / 18.0), (3, 1.0 / 54.0)] {
        let settings = LatinSettings { max_iterations: iterations, ..settings.clone() };
        z = [1.0];
        let _ = Latin::new(settings)?.solve(&LcpProblem::new(&m, &[-3.0])?, &mut z, &mut w)?;
        assert!(((z[0] - 1.5).abs() - off).abs() < 1e-14, "{z:?}");
    }
    Ok(())
}

#[test]
fn without_relaxation_latin_may_go_round_on_a_skew_matrix() -> Result<(), SolverError> {
    // For a semidefinite matrix that is not definite, Peaceman-Rachford reflections rotate the point, and
    // their mean converges.
    let m = array![[0.0, 1.0], [-1.0, 0.0]];
    let q = [-1.0, 1.0];
    let solve_with = |relaxation| {
        let settings = LatinSettings { relaxation, search_direction: Some(1.0), ..LatinSettings::default() };
        let (mut z, mut w) = ([0.3, 0.4], [0.0; 2]);
        let info = Latin::new(settings)?.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
        Ok::<_, SolverError>((info, z))
    };
    let (info, z) = solve_with(0.5)?;
    assert!(
        info.status.is_success() && (z[0] - 1.0).abs() < 1e-7 && (z[1] - 1.0).abs() < 1e-7,
        "{info:?} {z:?}"
    );
    assert!(!solve_with(1.0)?.0.status.is_success());
    Ok(())
}

#[test]
fn no_unknowns_and_no_iterations() -> Result<(), SolverError> {
    for name in names() {
        let (info, _) = solve(name, &Array2::zeros((0, 0)), &[]);
        assert_eq!((info.status, info.iterations, info.error), (Status::Converged, 0, 0.0), "{name}");
        if name == "quadratic-program" {
            // The final step on the active set of the initial guess may be sufficient.
            continue;
        }
        let mut method = LcpMethod::from_name(name).expect("a known name");
        method.set_max_iterations(0);
        let m = array![[1.0, 0.5], [0.5, 1.0]];
        let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
        let info = method.build()?.solve(&LcpProblem::new(&m, &[-1.0, -1.0])?, &mut z, &mut w)?;
        assert_eq!((info.status, info.error), (Status::MaxIterations, 1.0), "{name}");
    }
    Ok(())
}

#[test]
fn a_matrix_that_is_not_finite_never_converges() {
    for name in names() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in [(0, 0), (0, 2), (1, 0), (2, 2)] {
                for q in [[-1.0; 3], [1.0; 3], [-1.0, 2.0, 0.0]] {
                    let mut m = Array2::eye(3);
                    m[place] = bad;
                    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
                    let problem = LcpProblem::new(&m, &q).expect("it is square");
                    let result = build(name).solve(&problem, &mut z, &mut w);
                    let converged = result.as_ref().is_ok_and(|info| info.status.is_success());
                    assert!(!converged, "{name}, {bad} at {place:?}: {result:?} {z:?}");
                }
            }
        }
    }
}

#[test]
fn data_of_extreme_size_neither_panic_nor_mislead() {
    for exponent in [-300, -150, -20, 20, 100, 150, 300] {
        for (of_m, of_q) in [(exponent, 0), (0, exponent), (exponent, exponent), (exponent, -exponent)] {
            let m = array![[2.0, 1.0], [1.0, 2.0]] * 10.0_f64.powi(of_m);
            let q = [-1.0, 4.0].map(|q| q * 10.0_f64.powi(of_q));
            for name in names() {
                let (info, z) = solve(name, &m, &q);
                let expected = 0.5 * 10.0_f64.powi(of_q) / 10.0_f64.powi(of_m);
                // For a large M, z is so small compared with q that the error hardly depends on it.
                if info.status.is_success() && expected.is_finite() && of_m <= 0 && of_q > -20 {
                    let near = (z[0] - expected).abs() <= 1e-6 * expected && z[1] == 0.0;
                    assert!(
                        near || expected < 1e-290,
                        "{name} {of_m} {of_q}: {z:?}, expected {expected:e}, {info:?}"
                    );
                }
                assert_ne!(info.status, Status::NoSolution, "{name} {of_m} {of_q}");
            }
        }
    }
}

#[test]
fn settings_outside_their_range_are_refused() {
    let field = |SettingsError::OutOfRange { name, .. }| name;
    for name in names() {
        let mut method = LcpMethod::from_name(name).expect("a known name");
        for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            method.set_tolerance(tolerance);
            assert_eq!(field(method.build().expect_err("it must be positive")), "tolerance");
        }
    }
    let sweep = ProjectedGaussSeidelSettings::default();
    let below = ProjectedGaussSeidelSettings { regularisation: -0.1, ..sweep };
    assert_eq!(field(ProjectedGaussSeidel::new(below).expect_err("below 0")), "regularisation");
    let latin = LatinSettings { search_direction: Some(0.0), ..LatinSettings::default() };
    assert_eq!(field(Latin::new(latin).expect_err("0")), "search_direction");
    let latin = LatinSettings { relaxation: 1.1, ..LatinSettings::default() };
    assert_eq!(field(Latin::new(latin).expect_err("above 1")), "relaxation");
    assert!(ConjugateProjectedGradient::new(ConjugateProjectedGradientSettings::default()).is_ok());
}

#[test]
fn methods_survive_a_file() {
    for name in names() {
        let method = LcpMethod::from_name(name).expect("a known name");
        assert_eq!(method.description().name, name);
        let text = serde_json::to_string(&method).expect("it can be written");
        assert_eq!(serde_json::from_str::<LcpMethod>(&text).expect("it can be read"), method);
    }
}
