//! Lemke's method: ties without cycles, rays with proofs, many pivots, warm starts, memory, storage formats.

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixRef};
use siconos_numerics::lcp::{LcpProblem, Lemke, LemkeSettings, LemkeStart, is_infeasibility_certificate};
use siconos_numerics::{ProblemError, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::lcp::strategy::{
    RandomLcp, copositive_plus_integers, degenerate_integers, hyperstatic_integers, p_matrix,
};
use siconos_testkit::lcp::{Answer, Measures, enumerate_solutions, unsolvable};
use siconos_testkit::random::config;

fn lemke(start: LemkeStart) -> Lemke {
    Lemke::new(LemkeSettings { start, ..Default::default() }).expect("valid settings")
}

fn cold(m: &Array2<f64>, q: &[f64]) -> Result<(SolveInfo, Vec<f64>), SolverError> {
    let (mut z, mut w) = (vec![0.0; q.len()], vec![f64::NAN; q.len()]);
    let info = lemke(LemkeStart::Cold).solve(&LcpProblem::new(m, q)?, &mut z, &mut w)?;
    Ok((info, z))
}

/// Returns reproducible scattered entries between -1 and 1 (a golden-ratio sequence).
fn scattered(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        2.0 * ((i * columns + j + 1) as f64 * 0.618_033_988_749_894_9 * ((i + 3) as f64).sqrt()).fract() - 1.0
    })
}

/// Returns a symmetric positive definite problem with about half of the unknowns active.
fn definite(n: usize) -> (Array2<f64>, Vec<f64>) {
    let a = scattered(n, n);
    (a.dot(&a.t()) + Array2::<f64>::eye(n), scattered(1, n).into_raw_vec_and_offset().0)
}

#[test]
fn many_pivots_keep_the_accuracy() -> Result<(), SolverError> {
    for n in [40, 150, 300] {
        let (m, q) = definite(n);
        let (info, z) = cold(&m, &q)?;
        assert_eq!(info.status, Status::Converged, "{n}: {info:?}");
        let active = z.iter().filter(|z| **z > 0.0).count();
        assert!(active > n / 5 && info.iterations >= active, "{n}: {active} active, {info:?}");
        let point = Measures::of(m.view(), &q, &z);
        assert!(point.natural <= 1e-12 && point.least_z >= 0.0, "{n}: {point:?}");
    }
    Ok(())
}

#[test]
fn every_layout_gives_the_same_answer() -> Result<(), SolverError> {
    // A nonsymmetric matrix with 21 unknowns: two groups of eight rows and a remainder.
    let n = 21;
    let (m, q) = definite(n);
    let m = m + scattered(n, n) - scattered(n, n).t();
    let (expected, z) = cold(&m, &q)?;
    assert_eq!(expected.status, Status::Converged);
    let columns_first = m.t().as_standard_layout().into_owned();
    let mut larger = Array2::from_elem((2 * n, n + 5), f64::NAN);
    larger.slice_mut(ndarray::s![..;2, ..n]).assign(&m);
    for view in [columns_first.t(), larger.slice(ndarray::s![..;2, ..n])] {
        assert!(!view.is_standard_layout());
        let (mut other, mut w) = (vec![0.0; n], vec![0.0; n]);
        let info = lemke(LemkeStart::Cold).solve(&LcpProblem::new(view, &q)?, &mut other, &mut w)?;
        assert_eq!((info.status, info.iterations), (expected.status, expected.iterations));
        assert!(z.iter().zip(&other).all(|(a, b)| (a - b).abs() <= 1e-12), "{z:?} {other:?}");
    }
    Ok(())
}

#[test]
fn the_warm_start_needs_no_pivot_while_the_active_set_stays() -> Result<(), SolverError> {
    let (m, q) = definite(60);
    let mut solver = lemke(LemkeStart::WarmActiveSet);
    let (mut z, mut w) = (vec![0.0; 60], vec![0.0; 60]);
    let first = solver.solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
    assert!(first.iterations > 10);
    let more: Vec<f64> = q.iter().map(|q| 1.001 * q).collect();
    let second = solver.solve(&LcpProblem::new(&m, &more)?, &mut z, &mut w)?;
    assert_eq!((second.status, second.iterations), (Status::Converged, 0));
    // For the opposite q the active set differs, and the method starts again from the cold basis.
    let opposite: Vec<f64> = q.iter().map(|q| -q).collect();
    let third = solver.solve(&LcpProblem::new(&m, &opposite)?, &mut z, &mut w)?;
    let (from_cold, expected) = cold(&m, &opposite)?;
    assert_eq!((third.status, third.iterations), (Status::Converged, from_cold.iterations));
    assert!(z.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-12));
    Ok(())
}

#[test]
fn solving_again_allocates_nothing_whatever_the_active_set() -> Result<(), SolverError> {
    let sizes = [24, 7, 18, 1, 24];
    let problems: Vec<_> = sizes.into_iter().map(definite).collect();
    for start in [LemkeStart::Cold, LemkeStart::WarmActiveSet] {
        let mut solver = lemke(start);
        let (mut z, mut w) = ([0.0; 24], [0.0; 24]);
        // The first problem has no active contacts, later problems have many.
        let idle = [1.0; 24];
        let warm_up = solver.solve(&LcpProblem::new(&problems[0].0, &problems[0].1)?, &mut z, &mut w)?;
        assert!(warm_up.status.is_success());
        let mut round = || {
            for (m, q) in &problems {
                let n = q.len();
                for q in [q.as_slice(), &idle[..n]] {
                    z.fill(0.0);
                    let problem = LcpProblem::new(m, q).expect("it is square");
                    let info = solver.solve(&problem, &mut z[..n], &mut w[..n]).expect("it is finite");
                    assert!(info.status.is_success(), "{n}: {info:?}");
                }
            }
        };
        assert_eq!(count_allocations(&mut round), 0, "{start:?}");
    }
    Ok(())
}

#[test]
fn known_certificates_are_accepted_in_every_storage() -> Result<(), SolverError> {
    let mut accepted = 0;
    for known in unsolvable() {
        let Answer::Infeasible { certificate } = &known.answer else { continue };
        let n = known.size();
        let blocks = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let blocks =
            blocks.map(|(i, j)| (i, j, known.m.slice(ndarray::s![i..=i, j..=j]).to_owned())).collect();
        let block_rows =
            BlockCsr::from_blocks(&vec![1; n], &vec![1; n], blocks).map_err(ProblemError::from)?;
        let columns = Csc::from_matrix(MatrixRef::from(&known.m));
        for m in [(&known.m).into(), MatrixRef::BlockCsr(&block_rows), MatrixRef::Csc(&columns)] {
            let problem = LcpProblem::new(m, &known.q)?;
            assert!(is_infeasibility_certificate(&problem, certificate), "{}", known.name);
            let negated: Vec<f64> = certificate.iter().map(|s| -s).collect();
            assert!(!is_infeasibility_certificate(&problem, &negated), "{}", known.name);
            assert!(!is_infeasibility_certificate(&problem, &vec![0.0; n]), "{}", known.name);
            // The unit of the certificate does not matter.
            let scaled: Vec<f64> = certificate.iter().map(|s| 1e-7 * s).collect();
            assert!(is_infeasibility_certificate(&problem, &scaled), "{}", known.name);
        }
        accepted += 1;
    }
    assert!(accepted >= 3, "{accepted}");
    let diagonal = Matrix::from(array![0.0, 1.0]);
    let problem = LcpProblem::new(&diagonal, &[-1.0, 1.0])?;
    assert!(is_infeasibility_certificate(&problem, &[1.0, 0.0]));
    assert!(!is_infeasibility_certificate(&problem, &[1.0, 0.1]));
    Ok(())
}

#[test]
fn what_is_no_proof_is_refused() -> Result<(), SolverError> {
    // The problem has the solution z = 1e6: s^T M = 1e-6 is small, but not a rounding error.
    let m = array![[1e-6]];
    assert!(!is_infeasibility_certificate(&LcpProblem::new(&m, &[-1.0])?, &[1.0]));
    // The problem has the solution z = (1e15, 0). In s^T M = 1 - (1 - 1e-15) only rounding remains, and q^T s
    // is far from 0.
    let m = array![[1.0, 0.0], [-(1.0 - 1e-15), 0.0]];
    assert!(is_infeasibility_certificate(&LcpProblem::new(&m, &[-1.0, 0.9])?, &[1.0, 1.0]));
    // If q^T s is near 0 as well, a solution would be of ordinary size.
    assert!(!is_infeasibility_certificate(&LcpProblem::new(&m, &[-1.0, 1.0 - 1e-9])?, &[1.0, 1.0]));
    // Wrong lengths and values that are not finite.
    let problem = LcpProblem::new(&m, &[-1.0, 0.9])?;
    for s in [vec![1.0], vec![1.0, f64::NAN], vec![f64::INFINITY, 1.0], vec![]] {
        assert!(!is_infeasibility_certificate(&problem, &s), "{s:?}");
    }
    let m = array![[f64::NAN]];
    assert!(!is_infeasibility_certificate(&LcpProblem::new(&m, &[-1.0])?, &[1.0]));
    Ok(())
}

proptest! {
    #![proptest_config(config(10_000))]

    /// With exact ties at nearly every pivot, the method ends at a solution, with a proof, or on a ray. There
    /// are fewer almost complementary bases than the iteration limit, so that a cycle would be detected.
    #[test]
    fn never_cycles_on_degenerate_problems(RandomLcp { m, q } in degenerate_integers(1..9)) {
        let (info, z) = cold(&m, &q)?;
        match info.status {
            Status::Converged => {
                let point = Measures::of(m.view(), &q, &z);
                prop_assert!(point.natural <= 1e-12 && point.least_z >= 0.0, "{:?}", point);
            }
            Status::NoSolution => {
                prop_assert!(q.len() > 4 || enumerate_solutions(m.view(), &q).is_empty());
            }
            Status::RayTermination => prop_assert!(info.error > 1e-12),
            other => prop_assert!(false, "{}", other),
        }
    }

    /// In the class of its guarantee, the method finds a solution or proves that there is none.
    #[test]
    fn decides_copositive_plus_problems(RandomLcp { m, q } in copositive_plus_integers(1..5)) {
        let (info, z) = cold(&m, &q)?;
        if enumerate_solutions(m.view(), &q).is_empty() {
            prop_assert_eq!(info.status, Status::NoSolution);
        } else {
            prop_assert_eq!(info.status, Status::Converged);
            prop_assert!(Measures::of(m.view(), &q, &z).natural <= 1e-12);
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// Real data with rounding errors: w = M z + q, where M is a Delassus matrix of rank r and q is outside
    /// its range in a direction s >= 0 with M s = 0, q^T s < 0.
    #[test]
    fn proves_infeasibility_up_to_rounding(
        (n, entries) in (3_usize..20).prop_flat_map(|n| (Just(n), proptest::collection::vec(-1.0..1.0, n * n))),
    ) {
        let h = Array2::from_shape_fn((n, n - 1), |(i, j)| entries[i * n + j]);
        let s = Array1::from_shape_fn(n, |i| 1.0 + (i % 3) as f64);
        // The component along s is removed from each column.
        let along = h.t().dot(&s) / s.dot(&s);
        let h = Array2::from_shape_fn((n, n - 1), |(i, j)| h[[i, j]] - s[i] * along[j]);
        let m = h.dot(&h.t());
        let q = (h.dot(&Array1::from_elem(n - 1, 0.3)) - &s * 0.2).to_vec();
        let (info, _) = cold(&m, &q)?;
        prop_assert_eq!(info.status, Status::NoSolution, "{:?}", info);
    }

    #[test]
    fn finds_the_only_solution(RandomLcp { m, q } in p_matrix(1..7)) {
        let (info, z) = cold(&m, &q)?;
        prop_assert_eq!(info.status, Status::Converged);
        let oracle = enumerate_solutions(m.view(), &q);
        let scale = oracle[0].iter().fold(1.0_f64, |a, z| a.max(z.abs()));
        prop_assert!(z.iter().zip(&oracle[0]).all(|(a, b)| (a - b).abs() <= 1e-9 * scale));
    }

    /// Three times as many contacts as degrees of freedom: two thirds of the pivots consist of rounding
    /// errors.
    #[test]
    fn many_hyperstatic_contacts(RandomLcp { m, q } in hyperstatic_integers(10..40)) {
        let (info, z) = cold(&m, &q)?;
        prop_assert!(info.status.is_success(), "{:?}", info);
        prop_assert!(Measures::of(m.view(), &q, &z).backward <= 1e-12);
    }
}
