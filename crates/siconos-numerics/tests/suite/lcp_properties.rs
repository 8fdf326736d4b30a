//! Lemke's method and projected Gauss-Seidel on random problems.

use ndarray::Array2;
use proptest::prelude::*;
use siconos_numerics::lcp::{
    Lcp, LcpProblem, Lemke, LemkeSettings, LemkeStart, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
};
use siconos_numerics::{SolveInfo, Solver, SolverError, Status};
use siconos_testkit::lcp::strategy::{
    RandomLcp, copositive_plus_integers, degenerate_integers, diagonally_dominant, feasible_semidefinite,
    hyperstatic_integers, nonsymmetric_positive_definite, p_matrix, permutation, positive_definite,
};
use siconos_testkit::lcp::{Measures, enumerate_solutions};
use siconos_testkit::random::config;

/// Solves from `z = 0`. Returns the report of the solver and `z`.
fn solve(
    solver: &mut dyn Solver<Class = Lcp>,
    m: &Array2<f64>,
    q: &[f64],
) -> Result<(SolveInfo, Vec<f64>), SolverError> {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    let info = solver.solve(&LcpProblem::new(m, q)?, &mut z, &mut w)?;
    Ok((info, z))
}

fn cold_lemke() -> Lemke {
    let settings = LemkeSettings { start: LemkeStart::Cold, ..Default::default() };
    Lemke::new(settings).expect("valid settings")
}

/// Checks z >= 0, w >= 0 and z_i w_i = 0 with the arithmetic of the test kit.
fn check_solution(m: &Array2<f64>, q: &[f64], z: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    let point = Measures::of(m.view(), q, z);
    // The error is relative to the norm of q.
    let norm_q = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let scale = z.iter().chain(&point.w).fold(norm_q.max(1.0), |a, x| a.max(x.abs()));
    prop_assert!(point.least_z >= 0.0, "{:?}", point);
    prop_assert!(point.least_w >= -tolerance * scale, "{:?}", point);
    prop_assert!(point.complementarity <= tolerance * scale * scale, "{:?}", point);
    prop_assert!(point.natural <= tolerance, "{:?}", point);
    Ok(())
}

fn check_same(a: &[f64], b: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    let scale = a.iter().chain(b).fold(1.0_f64, |a, x| a.max(x.abs()));
    for (a, b) in a.iter().zip(b) {
        prop_assert!((a - b).abs() <= tolerance * scale, "{} against {}", a, b);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn lemke_solves_p_matrices(RandomLcp { m, q } in p_matrix(0..16)) {
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged);
        check_solution(&m, &q, &z, 1e-12)?;
    }

    #[test]
    fn lemke_finds_the_only_solution(RandomLcp { m, q } in p_matrix(0..7)) {
        let (_, z) = solve(&mut cold_lemke(), &m, &q)?;
        let all = enumerate_solutions(m.view(), &q);
        prop_assert_eq!(all.len(), 1);
        check_same(&z, &all[0], 1e-9)?;
    }

    #[test]
    fn lemke_solves_feasible_semidefinite_problems(RandomLcp { m, q } in feasible_semidefinite(0..12)) {
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged, "{:?}", info);
        check_solution(&m, &q, &z, 1e-12)?;
    }

    #[test]
    fn a_warm_start_anywhere_changes_nothing(
        (RandomLcp { m, q }, guess) in nonsymmetric_positive_definite(1..12).prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), proptest::collection::vec(-1.0..1.0, n))
        }),
    ) {
        let (_, cold) = solve(&mut cold_lemke(), &m, &q)?;
        let (mut z, mut w) = (guess, vec![0.0; q.len()]);
        let info = Lemke::default().solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
        prop_assert_eq!(info.status, Status::Converged);
        check_same(&z, &cold, 1e-9)?;
    }

    #[test]
    fn scaling_scales(RandomLcp { m, q } in p_matrix(1..10), a in -4.0..9.0, b in -9.0..9.0) {
        // The problem (b M, a q) has the solution (a / b) z. (Below norm(q) = 1e-16 the error is absolute,
        // and z = 0 is accepted.)
        let (a, b) = (10.0_f64.powf(a), 10.0_f64.powf(b));
        let (_, z) = solve(&mut cold_lemke(), &m, &q)?;
        let scaled_q: Vec<f64> = q.iter().map(|q| a * q).collect();
        let (info, scaled) = solve(&mut cold_lemke(), &(&m * b), &scaled_q)?;
        prop_assert_eq!(info.status, Status::Converged);
        let back: Vec<f64> = scaled.iter().map(|z| z * b / a).collect();
        check_same(&back, &z, 1e-9)?;
    }

    #[test]
    fn hyperstatic_contacts_in_any_unit(RandomLcp { m, q } in hyperstatic_integers(0..8), b in -9.0..9.0) {
        let m = m * 10.0_f64.powf(b);
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged);
        let point = Measures::of(m.view(), &q, &z);
        prop_assert!(point.natural <= 1e-12 && point.least_z >= 0.0, "{:?}", point);
    }

    #[test]
    fn light_and_heavy_bodies_in_one_problem(
        (RandomLcp { m, q }, d) in positive_definite(1..13).prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), proptest::collection::vec(-3.0..3.0, n))
        }),
    ) {
        // Inverse masses between 1e-6 and 1e6: (D M D, D q). Without scaling, the method would treat the
        // entries of heavy bodies as rounding errors, and end on a ray.
        let d: Vec<f64> = d.iter().map(|d: &f64| 10.0_f64.powf(*d)).collect();
        let m = Array2::from_shape_fn(m.dim(), |(i, j)| d[i] * m[[i, j]] * d[j]);
        let q: Vec<f64> = q.iter().zip(&d).map(|(q, d)| q * d).collect();
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged);
        prop_assert!(Measures::of(m.view(), &q, &z).natural <= 1e-12);
    }

    #[test]
    fn other_units_per_row_change_only_the_units(
        (RandomLcp { m, q }, d) in p_matrix(1..10).prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), proptest::collection::vec(0.1..10.0, n))
        }),
    ) {
        // The problem (D M D, D q) has the solution D^-1 z.
        let (_, z) = solve(&mut cold_lemke(), &m, &q)?;
        let scaled_m = Array2::from_shape_fn(m.dim(), |(i, j)| d[i] * m[[i, j]] * d[j]);
        let scaled_q: Vec<f64> = q.iter().zip(&d).map(|(q, d)| q * d).collect();
        let (_, scaled) = solve(&mut cold_lemke(), &scaled_m, &scaled_q)?;
        let back: Vec<f64> = scaled.iter().zip(&d).map(|(z, d)| z * d).collect();
        check_same(&back, &z, 1e-8)?;
    }

    #[test]
    fn the_order_of_contacts_does_not_matter(
        (RandomLcp { m, q }, order) in p_matrix(1..10).prop_flat_map(|problem| {
            let n = problem.q.len();
            (Just(problem), permutation(n))
        }),
    ) {
        let permuted_m = Array2::from_shape_fn(m.dim(), |(i, j)| m[[order[i], order[j]]]);
        let permuted_q: Vec<f64> = order.iter().map(|&i| q[i]).collect();
        let (_, z) = solve(&mut cold_lemke(), &m, &q)?;
        let (_, permuted) = solve(&mut cold_lemke(), &permuted_m, &permuted_q)?;
        let expected: Vec<f64> = order.iter().map(|&i| z[i]).collect();
        check_same(&permuted, &expected, 1e-9)?;
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// Up to 150 contacts on 50 degrees of freedom: in two thirds of the directions, the matrix contains only
    /// rounding errors.
    #[test]
    fn many_hyperstatic_contacts(RandomLcp { m, q } in hyperstatic_integers(20..51)) {
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged, "{:?}", info);
        prop_assert!(Measures::of(m.view(), &q, &z).natural <= 1e-12);
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn gauss_seidel_agrees_with_lemke(
        RandomLcp { m, q } in prop_oneof![positive_definite(1..10).boxed(), diagonally_dominant(1..30).boxed()],
    ) {
        // Definite matrices of this strategy have condition numbers of up to several hundred.
        let settings = ProjectedGaussSeidelSettings {
            tolerance: 1e-10,
            max_iterations: 100_000,
            ..Default::default()
        };
        let (info, z) = solve(&mut ProjectedGaussSeidel::new(settings).map_err(SolverError::from)?, &m, &q)?;
        prop_assert_eq!(info.status, Status::Converged);
        check_solution(&m, &q, &z, 1e-10)?;
        let (_, exact) = solve(&mut cold_lemke(), &m, &q)?;
        check_same(&z, &exact, 1e-7)?;
    }
}

proptest! {
    #![proptest_config(config(4000))]

    /// With n <= 8 there are at most a few thousand almost complementary bases, fewer than the iteration
    /// limit. Reaching the limit would indicate a cycle.
    #[test]
    fn lemke_does_not_cycle_on_ties(RandomLcp { m, q } in degenerate_integers(0..9)) {
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        match info.status {
            Status::Converged => check_solution(&m, &q, &z, 1e-12)?,
            // For a general matrix, a ray is not a proof.
            Status::RayTermination => prop_assert!(z.iter().all(|z| z.is_finite())),
            Status::NoSolution => prop_assert!(enumerate_solutions(m.view(), &q).is_empty()),
            other => prop_assert!(false, "{}", other),
        }
    }

    /// For copositive-plus matrices, every ray proves that the problem has no solution.
    #[test]
    fn a_ray_means_none_for_copositive_plus(RandomLcp { m, q } in copositive_plus_integers(0..6)) {
        let (info, z) = solve(&mut cold_lemke(), &m, &q)?;
        let solvable = !enumerate_solutions(m.view(), &q).is_empty();
        match info.status {
            Status::Converged => check_solution(&m, &q, &z, 1e-12)?,
            Status::NoSolution => prop_assert!(!solvable, "a proof of none, but there is a solution"),
            other => prop_assert!(false, "{}", other),
        }
        prop_assert_eq!(info.status.is_success(), solvable);
    }
}
