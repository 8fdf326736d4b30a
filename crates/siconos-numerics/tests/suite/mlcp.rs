//! Mixed problems: elimination compared with direct solves, with pure complementarity problems, and with the
//! conditions of a solution.

use ndarray::{Array1, Array2, array};
use proptest::collection::vec;
use proptest::prelude::*;
use siconos_linalg::{DenseLu, Matrix, SingularMatrix};
use siconos_numerics::lcp::{LcpMethod, LcpProblem, Lemke, ProjectedGaussSeidelSettings};
use siconos_numerics::mlcp::{
    Elimination, EliminationSettings, MlcpMethod, MlcpProblem, MlcpRow, error, error_of_point, siconos_error,
};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::lcp::strategy::{RandomLcp, nonsymmetric_positive_definite};
use siconos_testkit::random::config;

use MlcpRow::{Complementarity, Equality};

fn solve(
    m: &Array2<f64>,
    q: &[f64],
    rows: &[MlcpRow],
) -> Result<(SolveInfo, Vec<f64>, Vec<f64>), SolverError> {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![f64::NAN; q.len()]);
    let info = Elimination::default().solve(&MlcpProblem::new(m, q, rows)?, &mut z, &mut w)?;
    Ok((info, z, w))
}

/// Generates a random problem with a tag per row.
fn tagged(sizes: std::ops::Range<usize>) -> impl Strategy<Value = (RandomLcp, Vec<MlcpRow>)> {
    nonsymmetric_positive_definite(sizes).prop_flat_map(|problem| {
        let n = problem.q.len();
        let row = prop_oneof![Just(Equality), Just(Complementarity)];
        (Just(problem), vec(row, n))
    })
}

proptest! {
    #![proptest_config(config(200))]

    /// For positive definite matrices, every mixed problem has exactly one solution. The result satisfies its
    /// conditions.
    #[test]
    fn mixed_problems_are_solved((RandomLcp { m, q }, rows) in tagged(0..15)) {
        let (info, z, w) = solve(&m, &q, &rows)?;
        prop_assert_eq!(info.status, Status::Converged);
        let expected = m.dot(&Array1::from(z.clone())) + Array1::from(q.clone());
        let scale = z.iter().chain(&q).fold(1.0_f64, |a, x| a.max(x.abs()));
        for i in 0..q.len() {
            prop_assert!((w[i] - expected[i]).abs() <= 1e-13 * scale * 10.0, "w is M z + q");
            match rows[i] {
                Equality => prop_assert!(w[i].abs() <= 1e-11 * scale, "w[{}] = {:e}", i, w[i]),
                Complementarity => {
                    prop_assert!(z[i] >= 0.0 && w[i] >= -1e-11 * scale, "{:e} {:e}", z[i], w[i]);
                    prop_assert!((z[i] * w[i]).abs() <= 1e-11 * scale * scale);
                }
            }
        }
    }

    #[test]
    fn without_equalities_it_is_the_pure_problem(RandomLcp { m, q } in nonsymmetric_positive_definite(0..15)) {
        let (info, z, w) = solve(&m, &q, &vec![Complementarity; q.len()])?;
        let (mut pure_z, mut pure_w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        let pure = Lemke::default().solve(&LcpProblem::new(&m, &q)?, &mut pure_z, &mut pure_w)?;
        prop_assert_eq!((info.status, info.iterations), (pure.status, pure.iterations));
        prop_assert_eq!((z, w), (pure_z, pure_w));
    }

    /// Sizes below and above the size from which LAPACK replaces the built-in factorisation.
    #[test]
    fn with_equalities_only_it_is_a_linear_system(RandomLcp { m, q } in nonsymmetric_positive_definite(1..40)) {
        let (info, z, _) = solve(&m, &q, &vec![Equality; q.len()])?;
        prop_assert_eq!((info.status, info.iterations), (Status::Converged, 0));
        let mut lu = DenseLu::default();
        prop_assert!(lu.factor(m.view()).is_ok());
        let mut direct: Vec<f64> = q.iter().map(|q| -q).collect();
        lu.solve(&mut direct);
        let scale = direct.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for (z, x) in z.iter().zip(&direct) {
            prop_assert!((z - x).abs() <= 1e-11 * scale, "{} against {}", z, x);
        }
    }

    /// The order of the rows does not matter.
    #[test]
    fn the_order_of_rows_does_not_matter((RandomLcp { m, q }, rows) in tagged(1..10)) {
        let n = q.len();
        let reversed_m = Array2::from_shape_fn((n, n), |(i, j)| m[[n - 1 - i, n - 1 - j]]);
        let reversed_q: Vec<f64> = q.iter().rev().copied().collect();
        let reversed_rows: Vec<MlcpRow> = rows.iter().rev().copied().collect();
        let (_, z, _) = solve(&m, &q, &rows)?;
        let (_, reversed, _) = solve(&reversed_m, &reversed_q, &reversed_rows)?;
        let scale = z.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for (a, b) in z.iter().zip(reversed.iter().rev()) {
            prop_assert!((a - b).abs() <= 1e-9 * scale, "{} against {}", a, b);
        }
    }
}

#[test]
fn a_joint_and_a_contact_by_hand() -> Result<(), SolverError> {
    // w_1 = 2 z_1 + z_2 + 2 = 0, w_2 = z_1 + 3 z_2 - 4: with z_1 = -(z_2 + 2) / 2, w_2 = 2.5 z_2 - 5.
    let m = array![[2.0, 1.0], [1.0, 3.0]];
    let (info, z, w) = solve(&m, &[2.0, -4.0], &[Equality, Complementarity])?;
    assert_eq!(info.status, Status::Converged);
    assert_close("z", &z, &[-2.0, 2.0], 1e-15, 0.0);
    assert_close("w", &w, &[0.0, 0.0], 1e-15, 0.0);
    // With q_2 = 4 the contact opens: z_2 = 0, z_1 = -1, w_2 = 3.
    let (_, z, w) = solve(&m, &[2.0, 4.0], &[Equality, Complementarity])?;
    assert_close("z", &z, &[-1.0, 0.0], 1e-15, 0.0);
    assert_close("w", &w, &[0.0, 3.0], 1e-15, 0.0);
    Ok(())
}

#[test]
fn a_singular_equality_block_is_refused_with_its_pivot() -> Result<(), SolverError> {
    // The same joint is stated twice.
    let m = array![[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]];
    let refused = solve(&m, &[1.0, 1.0, -1.0], &[Equality, Equality, Complementarity]);
    let Err(SolverError::Singular { what, singular: SingularMatrix::Pivot { column, pivot } }) = refused
    else {
        panic!("{refused:?}");
    };
    assert_eq!((what, column, pivot), ("the block of the equality rows", 1, 0.0));
    let text = refused.map(|_| ()).expect_err("it is refused").to_string();
    assert!(text.contains("equality rows") && text.contains("column 1"), "{text}");
    // As contacts, the same two rows can be solved.
    let (info, ..) = solve(&m, &[1.0, 1.0, -1.0], &[Complementarity; 3])?;
    assert!(info.status.is_success());
    Ok(())
}

#[test]
fn the_status_of_what_remains_is_handed_on() -> Result<(), SolverError> {
    // After elimination of z_1 = -q_1, the row w_2 = -z_2 - 1 remains, which has no solution.
    let (info, ..) = solve(&array![[1.0, 0.0], [0.0, -1.0]], &[1.0, -1.0], &[Equality, Complementarity])?;
    assert_eq!(info.status, Status::NoSolution);
    assert!(info.error > 0.1, "{info:?}");
    Ok(())
}

#[test]
fn the_inner_solver_is_a_choice() -> Result<(), SolverError> {
    let sweeps = LcpMethod::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default());
    let sharp = EliminationSettings { tolerance: 1e-12, lcp: sweeps, ..Default::default() };
    let method = MlcpMethod::Elimination(sharp);
    let mut solver = method.build()?;
    let m = array![[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]];
    let problem = MlcpProblem::new(&m, &[2.0, -4.0, 1.0], &[Equality, Complementarity, Complementarity])?;
    let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
    let info = solver.solve(&problem, &mut z, &mut w)?;
    assert_eq!((solver.name(), info.status), ("elimination", Status::Converged));
    // z_2 = 2 leads to w_3 = 2 + 1 > 0, so that z_3 = 0, and the solution of the two-row problem remains
    // valid.
    assert_close("z", &z, &[-2.0, 2.0, 0.0], 1e-12, 0.0);
    Ok(())
}

#[test]
fn the_measure_by_hand() -> Result<(), SolverError> {
    // d = (2, 5, 4), where the last entry is the mean of |-2|, 5 and 5. Rows 1 and 3 are coupled: w = 3 is
    // relative to the q of the equation, since z = 0 violates no other row, and min(4 * -2, 6) = -8 is
    // relative to both q. Row 2 contributes min(5 * 0.2, 4) = 1 relative to its q = 2, which is smaller.
    let m = array![[-2.0, 0.0, 1.0, 0.0], [0.0, 5.0, 0.0, 0.0], [7.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 5.0]];
    let rows = [Equality, Complementarity, Complementarity, Equality];
    let problem = MlcpProblem::new(&m, &[1.0, 2.0, 2.0, 4.0], &rows)?;
    let measured = error(&problem, &[9.0, 0.2, -2.0, 9.0], &[3.0, 4.0, 6.0, 0.0]);
    assert_close_scalar("error", measured, (9.0_f64 + 64.0 / 5.0).sqrt(), 1e-15, 0.0);
    // With q = 0, the error is relative to the larger of norm(w) and norm(d z).
    let problem = MlcpProblem::new(&m, &[0.0; 4], &rows)?;
    assert_eq!(error(&problem, &[0.0; 4], &[0.0; 4]), 0.0);
    assert_eq!(error(&problem, &[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, 0.0, 5.0]), 1.0);
    Ok(())
}

#[test]
fn the_measure_of_siconos_by_hand_when_the_contacts_are_worse() {
    // Equality rows: norm(w) = norm(3e-3, 4e-3) = 5e-3 relative to 1 + norm(q) = 1 + norm(3, 4) = 6.
    // Complementarity rows: z = (-0.5, 2, -1), w = (4, 3, -1) give 0.5, 6, and 1 + 1 + 1 (equal signs): 9.5
    // relative to 1 + norm(w) = 1 + sqrt(16 + 9 + 1).
    let rows = [Equality, Complementarity, Equality, Complementarity, Complementarity];
    let q = [3.0, 100.0, 4.0, 100.0, 100.0];
    let z = [7.0, -0.5, 7.0, 2.0, -1.0];
    let w = [3e-3, 4.0, -4e-3, 3.0, -1.0];
    let expected = 9.5 / (2.0 + 26.0_f64.sqrt());
    assert_close_scalar("error", siconos_error(&q, &rows, &z, &w), expected, 1e-15, 0.0);
}

#[test]
fn the_measure_of_siconos_by_hand_when_the_equalities_are_worse() {
    // norm(w) = 5 relative to 1 + norm(q) = 6 exceeds 0.1 relative to 1 + norm(w) = 1.5, so that the error is
    // 5 / (1 + 6).
    let rows = [Equality, Equality, Complementarity];
    let measured = siconos_error(&[3.0, 4.0, 9.0], &rows, &[1.0, 1.0, -0.1], &[3.0, -4.0, 0.5]);
    assert_close_scalar("error", measured, 5.0 / 7.0, 1e-15, 0.0);
}

#[test]
fn the_measure_of_siconos_of_opposite_signs_counts_no_product() {
    // For z = 2, w = -3, the negative part 3 counts, and no product, relative to 1 + 1 + 3.
    assert_close_scalar("error", siconos_error(&[0.0], &[Complementarity], &[2.0], &[-3.0]), 0.6, 1e-15, 0.0);
    // Exact points have the error 0.
    assert_eq!(siconos_error(&[5.0, 1.0], &[Equality, Complementarity], &[1.0, 0.0], &[0.0, 2.0]), 0.0);
    assert_eq!(siconos_error(&[], &[], &[], &[]), 0.0);
}

#[test]
fn a_nan_never_looks_good() -> Result<(), SolverError> {
    let m = array![[1.0]];
    for row in [Equality, Complementarity] {
        let rows = [row];
        let problem = MlcpProblem::new(&m, &[1.0], &rows)?;
        for (z, w) in [(0.0, f64::NAN), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
            assert!(error(&problem, &[z], &[w]).is_nan(), "{row:?} {z} {w}");
        }
        assert!(siconos_error(&[1.0], &rows, &[0.0], &[f64::NAN]).is_nan(), "{row:?}");
    }
    Ok(())
}

#[test]
fn the_measure_of_a_point_forms_w_in_any_storage() -> Result<(), SolverError> {
    let diagonal = Matrix::from(array![2.0, 4.0]);
    let problem = MlcpProblem::new(&diagonal, &[-2.0, 1.0], &[Equality, Complementarity])?;
    let mut w = [f64::NAN; 2];
    assert_eq!(error_of_point(&problem, &[1.0, 0.0], &mut w), 0.0);
    assert_eq!(w, [0.0, 1.0]);
    Ok(())
}
