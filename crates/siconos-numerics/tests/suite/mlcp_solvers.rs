//! All methods for mixed problems: compared with all bases of small problems, on positive definite problems
//! in every storage, with singular equality blocks, and on problems without a solution.

use ndarray::{Array2, array, s};
use proptest::collection::vec;
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, DenseLu, Matrix, MatrixRef, SingularMatrix};
use siconos_numerics::mlcp::{
    Auto, Elimination, Enumeration, EnumerationSettings, Mlcp, MlcpMethod, MlcpProblem, MlcpRow,
    ProjectedGaussSeidel, ProjectedGaussSeidelSettings, WarmActiveSet, error_of_point,
};
use siconos_numerics::{Method, SettingsError, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::compare::assert_close;
use siconos_testkit::lcp::strategy::{RandomLcp, nonsymmetric_positive_definite};
use siconos_testkit::random::{RandomState, config};

use MlcpRow::{Complementarity, Equality};

type Data = (Array2<f64>, Vec<f64>, Vec<MlcpRow>);

/// Returns all solutions with a regular basis, by trying every basis.
fn solutions(m: &Array2<f64>, q: &[f64], rows: &[MlcpRow]) -> Vec<Vec<f64>> {
    let n = q.len();
    let bound: Vec<usize> = (0..n).filter(|&i| rows[i] == Complementarity).collect();
    let mut found = Vec::new();
    for set in 0..1_u32 << bound.len() {
        let is_active = |i: usize| bound.iter().position(|&b| b == i).is_none_or(|k| set >> k & 1 == 1);
        let basis = Array2::from_shape_fn((n, n), |(i, j)| match is_active(i) {
            true => m[[i, j]],
            false => f64::from(u8::from(i == j)),
        });
        let mut lu = DenseLu::default();
        if lu.factor(basis.view()).is_err() {
            continue;
        }
        let mut z: Vec<f64> = (0..n).map(|i| if is_active(i) { -q[i] } else { 0.0 }).collect();
        lu.solve(&mut z);
        let w = |i: usize| q[i] + (0..n).map(|j| m[[i, j]] * z[j]).sum::<f64>();
        if bound.iter().all(|&i| z[i] >= -1e-9 && w(i) >= -1e-9) {
            found.push(z);
        }
    }
    found
}

/// Generates small integers with many zeros, so that degenerate, singular and unsolvable problems are common.
fn any_problem() -> impl Strategy<Value = Data> {
    (0..4_usize, 0..5_usize).prop_flat_map(|(n, m)| {
        let size = n + m;
        let entry = prop_oneof![2 => Just(0.0), 3 => (-3..=3_i32).prop_map(f64::from)];
        let rows = Just([vec![Equality; n], vec![Complementarity; m]].concat()).prop_shuffle();
        let q = vec((-5..=5_i32).prop_map(f64::from), size);
        (vec(entry, size * size), q, rows).prop_map(move |(entries, q, rows)| {
            (Array2::from_shape_vec((size, size), entries).expect("as many entries"), q, rows)
        })
    })
}

/// Generates problems with a zero equality block, most of which have regular bases.
fn without_equality_block() -> impl Strategy<Value = Data> {
    any_problem().prop_map(|(mut m, q, rows)| {
        for i in (0..q.len()).filter(|&i| rows[i] == Equality) {
            for j in (0..q.len()).filter(|&j| rows[j] == Equality) {
                m[[i, j]] = 0.0;
            }
        }
        (m, q, rows)
    })
}

/// Gauss-Seidel methods. They divide by diagonal entries, and do not converge for all nonsymmetric positive
/// definite matrices.
const SWEEPS: [&str; 3] = ["projected-gauss-seidel", "projected-sor", "regularised-gauss-seidel"];

fn definite(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Data> {
    nonsymmetric_positive_definite(sizes).prop_flat_map(|RandomLcp { m, q }| {
        let n = q.len();
        let rows = vec(prop_oneof![Just(Equality), Just(Complementarity)], n);
        (Just(m), Just(q), rows)
    })
}

fn solve<'a>(
    solver: &mut dyn Solver<Class = Mlcp>,
    m: MatrixRef<'a>,
    q: &'a [f64],
    rows: &'a [MlcpRow],
) -> Result<(SolveInfo, Vec<f64>), SolverError> {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![f64::NAN; q.len()]);
    let problem = MlcpProblem::new(m, q, rows)?;
    let info = solver.solve(&problem, &mut z, &mut w)?;
    let mut again = w.clone();
    let error = error_of_point(&problem, &z, &mut again);
    assert!(info.error == error || (info.error.is_nan() && error.is_nan()), "{info:?} {error}");
    assert!(w == again || w.iter().any(|w| w.is_nan()), "w is M z + q");
    if info.status == Status::Converged {
        assert!(error <= solver.tolerance(), "{}: {info:?}", solver.name());
        for i in 0..q.len() {
            let scale = 1.0 + q.iter().chain(&z).chain(&w).fold(0.0_f64, |a, x| a.max(x.abs()));
            match rows[i] {
                Equality => assert!(w[i].abs() <= 1e-6 * scale, "{}: w[{i}] = {:e}", solver.name(), w[i]),
                Complementarity => {
                    assert!(z[i].min(w[i]).abs() <= 1e-3 * scale, "{} {:e} {:e}", solver.name(), z[i], w[i]);
                }
            }
        }
    }
    Ok((info, z))
}

/// Returns all methods with a tolerance that is tight enough to compare points: if z and w of a pair are both
/// small, the error is proportional to their product, and the distance of the point to its root.
fn solvers() -> Vec<Box<dyn Solver<Class = Mlcp>>> {
    let build = |mut method: MlcpMethod| {
        method.set_tolerance(1e-11);
        method.build().expect("valid settings")
    };
    MlcpMethod::all().into_iter().map(build).collect()
}

proptest! {
    #![proptest_config(config(300))]

    /// No method contradicts the enumeration of all bases.
    #[test]
    fn no_method_is_wrong((m, q, rows) in prop_oneof![any_problem(), without_equality_block()]) {
        let known = solutions(&m, &q, &rows);
        for solver in &mut solvers() {
            if let Ok((info, z)) = solve(solver.as_mut(), (&m).into(), &q, &rows) {
                let name = solver.name();
                prop_assert!(info.status != Status::NoSolution || known.is_empty(), "{}: {:?} but {:?}", name, info, known);
                prop_assert!(z.iter().all(|z| z.is_finite()), "{}: {:?}", name, z);
            }
        }
    }

    /// Enumeration, and with it the automatic choice, finds a solution if there is one with a regular basis.
    #[test]
    fn what_exists_is_found((m, q, rows) in prop_oneof![any_problem(), without_equality_block()]) {
        let known = solutions(&m, &q, &rows);
        for solver in [&mut Enumeration::default() as &mut dyn Solver<Class = Mlcp>, &mut Auto::default()] {
            let (info, _) = solve(solver, (&m).into(), &q, &rows)?;
            prop_assert!(info.status.is_success() || known.is_empty(), "{}: {:?} but {:?}", solver.name(), info, known);
        }
    }

    /// If elimination refuses a problem, it has no regular basis.
    #[test]
    fn elimination_finds_every_regular_reduction((m, q, rows) in without_equality_block()) {
        let refused = matches!(solve(&mut Elimination::default(), (&m).into(), &q, &rows), Err(SolverError::Singular { .. }));
        let n = q.len();
        let bound: Vec<usize> = (0..n).filter(|&i| rows[i] == Complementarity).collect();
        let some_regular = (0..1_u32 << bound.len()).any(|set| {
            let is_active = |i: usize| bound.iter().position(|&b| b == i).is_none_or(|k| set >> k & 1 == 1);
            let basis = Array2::from_shape_fn((n, n), |(i, j)| match is_active(i) {
                true => m[[i, j]],
                false => f64::from(u8::from(i == j)),
            });
            DenseLu::default().factor(basis.view()).is_ok()
        });
        prop_assert!(!(refused && some_regular));
    }

    #[test]
    fn every_method_solves_positive_definite_problems((m, q, rows) in definite(0..12)) {
        let (_, expected) = solve(&mut Elimination::default(), (&m).into(), &q, &rows)?;
        let scale = expected.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for solver in &mut solvers() {
            // Gauss-Seidel does not converge for all nonsymmetric positive definite matrices.
            if SWEEPS.contains(&solver.name()) {
                continue;
            }
            let (info, z) = solve(solver.as_mut(), (&m).into(), &q, &rows)?;
            prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
            for (z, x) in z.iter().zip(&expected) {
                prop_assert!((z - x).abs() <= 1e-5 * scale, "{}: {} against {}", solver.name(), z, x);
            }
        }
    }

    /// Diagonally dominant problems with rows of any kind are within the guarantee of Gauss-Seidel, with and
    /// without relaxation.
    #[test]
    fn gauss_seidel_solves_dominant_problems((mut m, q, rows) in definite(1..12), regularisation in 0.0..3.0) {
        for i in 0..q.len() {
            m[[i, i]] = 1.0 + m.row(i).iter().map(|x| x.abs()).sum::<f64>();
        }
        let (_, expected) = solve(&mut Elimination::default(), (&m).into(), &q, &rows)?;
        let settings = ProjectedGaussSeidelSettings { regularisation, ..Default::default() };
        let (info, z) = solve(&mut ProjectedGaussSeidel::new(settings)?, (&m).into(), &q, &rows)?;
        prop_assert_eq!(info.status, Status::Converged);
        let scale = expected.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        prop_assert!(z.iter().zip(&expected).all(|(z, x)| (z - x).abs() <= 1e-5 * scale), "{:?} {:?}", z, expected);
    }

    #[test]
    fn the_storage_does_not_matter((m, q, rows) in definite(1..12)) {
        let n = q.len();
        let sparse = Matrix::from(Csc::from_matrix((&m).into()));
        let cut = n / 2;
        let pieces = [0..cut, cut..n];
        let mut blocks = Vec::new();
        for (i, r) in pieces.iter().enumerate() {
            for (j, c) in pieces.iter().enumerate() {
                blocks.push((i, j, m.slice(s![r.clone(), c.clone()]).to_owned()));
            }
        }
        let sizes = [cut, n - cut];
        let blocks = Matrix::from(BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("blocks fit"));
        let (_, expected) = solve(&mut Elimination::default(), (&m).into(), &q, &rows)?;
        let scale = expected.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for matrix in [&sparse, &blocks] {
            let problem = MlcpProblem::new(matrix, &q, &rows)?;
            for solver in solvers().iter_mut().filter(|solver| solver.supports(&problem).is_ok()) {
                if SWEEPS.contains(&solver.name()) {
                    continue;
                }
                let (info, z) = solve(solver.as_mut(), matrix.view(), &q, &rows)?;
                prop_assert!(info.status.is_success(), "{}: {:?}", solver.name(), info);
                prop_assert!(z.iter().zip(&expected).all(|(z, x)| (z - x).abs() <= 1e-5 * scale), "{}", solver.name());
            }
        }
    }

    /// The order of rows and unknowns does not matter.
    #[test]
    fn the_order_does_not_matter((m, q, rows) in definite(1..9), turn in 0..9_usize) {
        let n = q.len();
        let place = |i: usize| (i + turn) % n;
        let turned_m = Array2::from_shape_fn((n, n), |(i, j)| m[[place(i), place(j)]]);
        let turned_q: Vec<f64> = (0..n).map(|i| q[place(i)]).collect();
        let turned_rows: Vec<MlcpRow> = (0..n).map(|i| rows[place(i)]).collect();
        for solver in &mut solvers() {
            if SWEEPS.contains(&solver.name()) {
                continue;
            }
            let (_, z) = solve(solver.as_mut(), (&m).into(), &q, &rows)?;
            let (_, turned) = solve(solver.as_mut(), (&turned_m).into(), &turned_q, &turned_rows)?;
            let scale = z.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
            for i in 0..n {
                prop_assert!((turned[i] - z[place(i)]).abs() <= 1e-5 * scale, "{}", solver.name());
            }
        }
    }
}

#[test]
fn a_zero_equality_block_by_hand() -> Result<(), SolverError> {
    // z_1 = 3 from row 0, then w_1 = z_0 + 2 = 0: one path of length one.
    let rows = [Equality, Complementarity];
    let (info, z) =
        solve(&mut Elimination::default(), (&array![[0.0, 1.0], [1.0, 0.0]]).into(), &[-3.0, 2.0], &rows)?;
    assert_eq!((info.status, z), (Status::Converged, vec![-2.0, 3.0]));
    // Row 0 contains only z_1, and z_0 is in row 2 only: the path goes through both pairs and M_12. z_1 = 3;
    // w_1 = 2 z_2 - 4 = 0 gives z_2 = 2; w_2 = 5 z_0 + z_1 + z_2 - 10 = 0 gives z_0 = 1.
    let m = array![[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [5.0, 1.0, 1.0]];
    let rows = [Equality, Complementarity, Complementarity];
    let (info, z) = solve(&mut Elimination::default(), (&m).into(), &[-3.0, -4.0, -10.0], &rows)?;
    assert_eq!(info.status, Status::Converged);
    assert_close("z", &z, &[1.0, 3.0, 2.0], 1e-14, 0.0);
    Ok(())
}

#[test]
fn the_automatic_choice_ends_at_an_exact_point_in_sparse_storage_too() -> Result<(), SolverError> {
    // Newton's method alone stops below the tolerance; the active set of its point is then solved exactly.
    // Copies of the same three unknowns make the problem too large for dense storage.
    const COPIES: usize = 12;
    let m = array![[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]];
    let (q, rows) = ([2.0, -4.0, 1.0], [Equality, Complementarity, Complementarity]);
    let entries =
        (0..COPIES).flat_map(|k| m.indexed_iter().map(move |((i, j), x)| (3 * k + i, 3 * k + j, *x)));
    let sparse = Csc::from_triplets(3 * COPIES, 3 * COPIES, entries).expect("they fit");
    let mut auto = Auto::default();
    let (info, z) = solve(&mut auto, (&sparse).into(), &q.repeat(COPIES), &rows.repeat(COPIES))?;
    assert_eq!(auto.trace().last().map(|attempt| attempt.method), Some("newton-fischer-burmeister"));
    assert!(info.error <= 1e-15, "{info:?}");
    assert_close("z", &z, &[-2.0, 2.0, 0.0].repeat(COPIES), 1e-15, 0.0);
    Ok(())
}

#[test]
fn redundant_rows_are_refused_left_out_or_contradictory() -> Result<(), SolverError> {
    let m = array![[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]];
    let (q, rows) = ([1.0, 1.0, -1.0], [Equality, Equality, Complementarity]);
    let refused = solve(&mut Elimination::default(), (&m).into(), &q, &rows).map(|_| ());
    let singular = SingularMatrix::Pivot { column: 1, pivot: 0.0 };
    assert_eq!(refused, Err(SolverError::Singular { what: "the block of the equality rows", singular }));

    // z_0 + z_1 = -(1 + z_2 / 2), so that w_2 = 0.75 z_2 - 1.5.
    let mut tolerant = Elimination::default().with_redundant_rows(true);
    for solver in [&mut tolerant as &mut dyn Solver<Class = Mlcp>, &mut Auto::default()] {
        let (info, z) = solve(solver, (&m).into(), &q, &rows)?;
        assert!(info.status.is_success(), "{}: {info:?}", solver.name());
        assert_close("z", &[z[0] + z[1], z[2]], &[-2.0, 2.0], 1e-9, 0.0);
    }
    // Two rows with equal left-hand sides and different right-hand sides.
    for solver in [
        &mut tolerant as &mut dyn Solver<Class = Mlcp>,
        &mut Elimination::default(),
        &mut Auto::default(),
        &mut Enumeration::default(),
    ] {
        let (info, _) = solve(solver, (&m).into(), &[1.0, 2.0, -1.0], &rows)?;
        assert_eq!(info.status, Status::NoSolution, "{}", solver.name());
    }
    Ok(())
}

#[test]
fn a_free_unknown_without_a_row_spoils_no_proof() -> Result<(), SolverError> {
    // Row 0 is 0 = 0. w_1 = z_0 - 1 vanishes at z_0 = 1 (and the contact is open for larger z_0), but no
    // solution has z_0 = 0.
    let (m, rows) = (array![[0.0, 0.0], [1.0, 0.0]], [Equality, Complementarity]);
    let mut tolerant = Elimination::default().with_redundant_rows(true);
    let (info, _) = solve(&mut tolerant, (&m).into(), &[0.0, -1.0], &rows)?;
    assert!(info.status != Status::NoSolution && !info.status.is_success(), "{info:?}");
    let mut auto = Auto::default();
    let (info, z) = solve(&mut auto, (&m).into(), &[0.0, -1.0], &rows)?;
    assert!(info.status.is_success(), "{:?}", auto.trace());
    assert!(z[0] >= 1.0 - 1e-8, "{z:?}");
    Ok(())
}

#[test]
fn without_a_solution_there_is_a_proof_or_a_failure() -> Result<(), SolverError> {
    // z_0 = -1, and then w_1 = -z_1 - 1.
    let (m, rows) = (array![[1.0, 0.0], [0.0, -1.0]], [Equality, Complementarity]);
    for solver in &mut solvers() {
        match solve(solver.as_mut(), (&m).into(), &[1.0, -1.0], &rows) {
            Ok((info, _)) => assert!(!info.status.is_success(), "{}: {info:?}", solver.name()),
            Err(error) => assert!(SWEEPS.contains(&solver.name()), "{}: {error}", solver.name()),
        }
    }
    let mut auto = Auto::default();
    let (info, _) = solve(&mut auto, (&m).into(), &[1.0, -1.0], &rows)?;
    assert_eq!(info.status, Status::NoSolution);
    assert!(
        auto.trace().len() > 1 || auto.trace()[0].info.status == Status::NoSolution,
        "{:?}",
        auto.trace()
    );
    Ok(())
}

#[test]
fn a_zero_on_the_diagonal_is_refused_by_gauss_seidel_unless_regularised() -> Result<(), SolverError> {
    let m = array![[2.0, 0.0], [0.0, 0.0]];
    for rows in [[Equality; 2], [Complementarity; 2]] {
        let refused =
            solve(&mut ProjectedGaussSeidel::default(), (&m).into(), &[1.0, 0.0], &rows).map(|_| ());
        let refused = match refused {
            // If the initial point is already a solution, the method makes no sweep, and only sweeps divide
            // by the diagonal.
            Ok(()) => continue,
            Err(refused) => refused,
        };
        let singular = SingularMatrix::Pivot { column: 1, pivot: 0.0 };
        assert_eq!(refused, SolverError::Singular { what: "the diagonal of M", singular });
    }
    let settings = ProjectedGaussSeidelSettings { regularisation: 0.5, ..Default::default() };
    let (info, z) =
        solve(&mut ProjectedGaussSeidel::new(settings)?, (&m).into(), &[1.0, 0.0], &[Equality; 2])?;
    assert_eq!(info.status, Status::Converged);
    assert_close("z", &z, &[-0.5, 0.0], 1e-7, 0.0);
    // A negative diagonal entry is admissible in equality rows only.
    let m = array![[-2.0]];
    assert!(
        solve(&mut ProjectedGaussSeidel::default(), (&m).into(), &[1.0], &[Equality])?.0.status.is_success()
    );
    assert!(solve(&mut ProjectedGaussSeidel::default(), (&m).into(), &[-1.0], &[Complementarity]).is_err());
    Ok(())
}

#[test]
fn enumeration_remembers_and_has_a_limit() -> Result<(), SolverError> {
    let n = 10;
    let (m, rows) = (Array2::eye(n), vec![Complementarity; n]);
    let q: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { -1.0 } else { 1.0 }).collect();
    let mut solver = Enumeration::default();
    let (first, z) = solve(&mut solver, (&m).into(), &q, &rows)?;
    let (second, again) = solve(&mut solver, (&m).into(), &q, &rows)?;
    assert!(first.iterations > 100 && second.iterations == 1, "{first:?} {second:?}");
    assert_eq!(z, again);
    let limited = EnumerationSettings { max_iterations: 5, ..Default::default() };
    let (info, _) = solve(&mut Enumeration::new(limited)?, (&m).into(), &q, &rows)?;
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 5));
    let small = EnumerationSettings { largest_size: 9, ..Default::default() };
    let refused = solve(&mut Enumeration::new(small)?, (&m).into(), &q, &rows);
    assert!(matches!(refused, Err(SolverError::Unsupported(_))), "{refused:?}");
    Ok(())
}

#[test]
fn a_known_active_set_is_one_linear_system() -> Result<(), SolverError> {
    let m = array![[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]];
    let rows = [Equality, Complementarity, Complementarity];
    let mut solver = WarmActiveSet::new(Box::new(Elimination::default()));
    let mut statuses = Vec::new();
    for load in [4.0, 5.0, 6.0, -1.0, 4.5] {
        let (info, z) = solve(&mut solver, (&m).into(), &[2.0, -load, 1.0], &rows)?;
        let (_, cold) = solve(&mut Elimination::default(), (&m).into(), &[2.0, -load, 1.0], &rows)?;
        assert!(info.status.is_success());
        assert_close("z", &z, &cold, 1e-13, 0.0);
        statuses.push(info.iterations > 0 || z[1] == 0.0);
    }
    // Only the first load and the load that opens the contact need more than one linear system.
    assert_eq!(statuses, [true, false, false, true, false]);
    // For another matrix, the same active set is factorised again.
    let stiffer = &m * 2.0;
    let (info, z) = solve(&mut solver, (&stiffer).into(), &[2.0, -4.0, 1.0], &rows)?;
    assert_eq!(info.iterations, 0);
    let (_, cold) = solve(&mut Elimination::default(), (&stiffer).into(), &[2.0, -4.0, 1.0], &rows)?;
    assert_close("z", &z, &cold, 1e-13, 0.0);
    Ok(())
}

#[test]
fn nothing_to_solve_and_nothing_finite() -> Result<(), SolverError> {
    for solver in &mut solvers() {
        let name = solver.name();
        let info = solver.solve(&MlcpProblem::new(&Array2::zeros((0, 0)), &[], &[])?, &mut [], &mut [])?;
        assert_eq!(
            (info.status, info.iterations, info.error),
            (Status::Converged, info.iterations, 0.0),
            "{name}"
        );
        let (m, rows) = (array![[2.0, 1.0], [1.0, 3.0]], [Equality, Complementarity]);
        for bad in [f64::NAN, f64::INFINITY] {
            let problem_q = [1.0, bad];
            let refused =
                solver.solve(&MlcpProblem::new(&m, &problem_q, &rows)?, &mut [0.0; 2], &mut [0.0; 2]);
            assert!(matches!(refused, Err(SolverError::Problem(_))), "{name}: {refused:?}");
            let refused =
                solver.solve(&MlcpProblem::new(&m, &[1.0; 2], &rows)?, &mut [0.0, bad], &mut [0.0; 2]);
            assert!(matches!(refused, Err(SolverError::Problem(_))), "{name}: {refused:?}");
            for place in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let mut broken = m.clone();
                broken[place] = bad;
                let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
                let result = solver.solve(&MlcpProblem::new(&broken, &[1.0, -1.0], &rows)?, &mut z, &mut w);
                let success = result.as_ref().is_ok_and(|info| info.status.is_success());
                assert!(!success, "{name}: {bad} at {place:?}: {result:?} {z:?} {w:?}");
            }
        }
        // Afterwards, the same solver solves a valid problem.
        let (info, z) = solve(solver.as_mut(), (&m).into(), &[2.0, -4.0], &rows)?;
        assert!(info.status.is_success(), "{name}: {info:?}");
        assert_close("z", &z, &[-2.0, 2.0], 1e-6, 0.0);
    }
    Ok(())
}

#[test]
fn the_automatic_choice_remembers_nothing() {
    // One solver is used for a sequence of problems, each from the previous point. It is compared with a new
    // solver for each.
    let mut draw = RandomState::new(13);
    let mut one = Auto::default();
    let mut guess = Vec::new();
    let mut solved = 0;
    for k in 0..400 {
        let n = 2 + k % 5;
        let root = Array2::from_shape_fn((n, n), |_| draw.between(-1.0, 1.0));
        let m = root.dot(&root.t()) + 0.1 * Array2::<f64>::eye(n);
        let q: Vec<f64> = (0..n).map(|_| draw.between(-1.0, 1.0)).collect();
        let rows: Vec<_> = (0..n).map(|i| if i % 3 == 0 { Equality } else { Complementarity }).collect();
        // Some problems have degenerate rows.
        let q: Vec<f64> = q.iter().map(|q| if k % 7 == 0 { (4.0 * q).round() } else { *q }).collect();
        let problem = MlcpProblem::new(&m, &q, &rows).expect("it fits");
        guess.resize(n, 0.0);
        let answers = [&mut one, &mut Auto::default()].map(|solver| {
            let (mut z, mut w) = (guess.clone(), vec![0.0; n]);
            let info = solver.solve(&problem, &mut z, &mut w).expect("a problem");
            solved += usize::from(info.status.is_success());
            (z, w)
        });
        let bits =
            |(z, w): &(Vec<f64>, Vec<f64>)| -> Vec<u64> { z.iter().chain(w).map(|x| x.to_bits()).collect() };
        assert_eq!(bits(&answers[0]), bits(&answers[1]), "problem {k}: {answers:?}");
        guess.clone_from(&answers[0].0);
    }
    assert_eq!(solved, 800);
}

#[test]
fn methods_have_names_settings_and_survive_a_file() {
    for mut method in MlcpMethod::all() {
        let description = method.description();
        assert_eq!(MlcpMethod::from_name(description.name).as_ref(), Some(&method));
        let text = serde_json::to_string(&method).expect("it can be written");
        assert_eq!(serde_json::from_str::<MlcpMethod>(&text).expect("it can be read"), method);
        method.set_tolerance(1e-6);
        method.set_max_iterations(7);
        let solver = method.build().expect("valid settings");
        assert!(
            (solver.tolerance() / 1e-6 - 1.0).abs() < 1e-12,
            "{}: {:e}",
            description.name,
            solver.tolerance()
        );
        method.set_tolerance(f64::NAN);
        let refused = method.build().map(|_| ());
        assert!(matches!(refused, Err(SettingsError::OutOfRange { name: "tolerance", .. })), "{refused:?}");
    }
    assert_eq!(MlcpMethod::from_name("simplex"), None);
    assert_eq!(MlcpMethod::default().description().name, "auto");
}
