//! Enumeration of solutions: compared with an oracle that tries all supports and with each basis separately,
//! and its proofs.

use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_linalg::{Csc, DenseLu, MatrixRef};
use siconos_numerics::lcp::{Enumeration, EnumerationSettings, LcpProblem, SolutionPiece, SolutionSet};
use siconos_numerics::{SettingsError, Solver, SolverError, Status};
use siconos_testkit::lcp::strategy::{degenerate_integers, hyperstatic_integers, p_matrix};
use siconos_testkit::lcp::{Measures, all, enumerate_solutions, murty};
use siconos_testkit::random::config;

fn enumerate(m: &Array2<f64>, q: &[f64]) -> Result<SolutionSet, SolverError> {
    Enumeration::default().enumerate_all(&LcpProblem::new(m, q)?)
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns `true` if z is the point plus a combination of the directions, by least squares with Gram-Schmidt
/// orthogonalisation.
fn is_in_span(piece: &SolutionPiece, z: &[f64]) -> bool {
    let mut rest: Vec<f64> = z.iter().zip(&piece.point).map(|(z, p)| z - p).collect();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for direction in &piece.directions {
        let mut d = direction.clone();
        for _ in 0..2 {
            for b in &basis {
                let along: f64 = d.iter().zip(b).map(|(d, b)| d * b).sum();
                d.iter_mut().zip(b).for_each(|(d, b)| *d -= along * b);
            }
        }
        let length = norm(&d);
        assert!(length > 1e-9, "directions are independent");
        basis.push(d.iter().map(|x| x / length).collect());
    }
    for b in &basis {
        let along: f64 = rest.iter().zip(b).map(|(d, b)| d * b).sum();
        rest.iter_mut().zip(b).for_each(|(d, b)| *d -= along * b);
    }
    norm(&rest) <= 1e-7 * (1.0 + norm(z))
}

/// Checks that every basic solution of the oracle is in a piece, that pieces contain only solutions, and that
/// each face has its basis.
fn check_set(m: &Array2<f64>, q: &[f64], set: &SolutionSet) -> Result<(), TestCaseError> {
    prop_assert!(set.is_exhaustive);
    let known = enumerate_solutions(m.view(), q);
    for z in &known {
        prop_assert!(
            set.pieces.iter().any(|piece| is_in_span(piece, z)),
            "{:?} is in no piece of {:?}",
            z,
            set
        );
    }
    for piece in &set.pieces {
        prop_assert!(Measures::of(m.view(), q, &piece.point).natural <= 1e-10, "{:?}", piece);
        for direction in &piece.directions {
            let moved = m.dot(&ndarray::ArrayView1::from(direction));
            for i in 0..q.len() {
                let is_basic = piece.basis.contains(&i);
                prop_assert!(is_basic || direction[i] == 0.0, "{:?}", piece);
                prop_assert!(!is_basic || moved[i].abs() <= 1e-9 * norm(direction), "{:?}", piece);
            }
            // The points up to the sign limits are solutions.
            for sign in [-1.0, 1.0] {
                let w = Measures::of(m.view(), q, &piece.point).w;
                let mut furthest = 1.0_f64;
                for i in 0..q.len() {
                    for (x, d) in [(piece.point[i], sign * direction[i]), (w[i], sign * moved[i])] {
                        if d < -1e-12 {
                            furthest = furthest.min(x.max(0.0) / -d);
                        }
                    }
                }
                let z: Vec<f64> = piece
                    .point
                    .iter()
                    .zip(direction)
                    .map(|(p, d)| (p + sign * furthest * d).max(0.0))
                    .collect();
                prop_assert!(Measures::of(m.view(), q, &z).natural <= 1e-8, "{:?} {}", piece, furthest);
            }
        }
    }
    prop_assert!(!known.is_empty() || set.pieces.is_empty(), "{:?}", set);
    let mut z = vec![0.0; q.len()];
    let mut w = z.clone();
    let problem = LcpProblem::new(m, q).expect("square");
    let info = Enumeration::default().solve(&problem, &mut z, &mut w).expect("small and finite");
    if known.is_empty() {
        prop_assert!(info.status == Status::NoSolution || set.undecided > 0, "{:?}", info);
    } else {
        prop_assert!(info.status.is_success(), "{:?}", info);
    }
    Ok(())
}

#[test]
fn known_problems_with_their_proofs() -> Result<(), SolverError> {
    let mut solver = Enumeration::default();
    let (mut solved, mut proved) = (0, 0);
    for known in all().into_iter().filter(|known| known.size() <= 12) {
        for guess in [0.0, 1.0] {
            let (mut z, mut w) = (vec![guess; known.size()], vec![0.0; known.size()]);
            let info = solver.solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
            if known.has_solution() {
                assert!(info.status.is_success(), "{}: {info:?}", known.name);
                let point = Measures::of(known.m.view(), &known.q, &z);
                assert!(point.natural <= 1e-12 || info.status == Status::AtRoundingLevel, "{}", known.name);
                solved += 1;
            } else {
                assert_eq!(info.status, Status::NoSolution, "{}", known.name);
                assert_eq!(info.iterations, 1 << known.size(), "{}", known.name);
                proved += 1;
            }
        }
    }
    assert!(solved > 60 && proved >= 12, "{solved} {proved}");
    Ok(())
}

#[test]
fn a_segment_has_two_ends_and_an_inside() -> Result<(), SolverError> {
    let set = enumerate(&array![[1.0, 1.0], [1.0, 1.0]], &[-1.0, -1.0])?;
    let [first, face, last] = &set.pieces[..] else { panic!("{set:?}") };
    assert_eq!((&first.basis, &first.point), (&vec![0], &vec![1.0, 0.0]));
    assert_eq!((&last.basis, &last.point), (&vec![1], &vec![0.0, 1.0]));
    assert_eq!((&face.basis, face.directions.len()), (&vec![0, 1], 1));
    assert!((face.directions[0][0] + face.directions[0][1]).abs() < 1e-15, "along the segment");
    // For M = 0 and q = 0, every z >= 0 is a solution: the last of the four faces is the quadrant.
    let set = enumerate(&Array2::zeros((2, 2)), &[0.0, 0.0])?;
    assert_eq!(set.pieces.iter().map(|piece| piece.directions.len()).max(), Some(2));
    assert_eq!(set.undecided, 0);
    Ok(())
}

#[test]
fn as_many_solutions_as_complementary_cones_hold_q() -> Result<(), SolverError> {
    // With ones on the diagonal and twos elsewhere, every nonempty set of indices is the basis of a solution
    // for q = -1 (Murty 1988).
    let n = 7;
    let m = Array2::from_shape_fn((n, n), |(i, j)| if i == j { 1.0 } else { 2.0 });
    let set = enumerate(&m, &vec![-1.0; n])?;
    assert_eq!((set.pieces.len(), set.undecided, set.is_exhaustive), ((1 << n) - 1, 0, true));
    for piece in &set.pieces {
        // The k equal entries z satisfy (1 + 2 (k - 1)) z = 1.
        let z = 1.0 / (2 * piece.basis.len() - 1) as f64;
        assert!(piece.basis.iter().all(|&i| (piece.point[i] - z).abs() < 1e-14), "{piece:?}");
    }
    Ok(())
}

#[test]
fn every_basis_by_itself() -> Result<(), SolverError> {
    // An indefinite matrix without structure. Each basis is solved separately.
    let n = 10;
    let m = Array2::from_shape_fn((n, n), |(i, j)| {
        ((17 * i * i + 23 * j + 9 * i * j + 3) as f64).sin() + if i == j { 1.0 } else { 0.5 }
    });
    let q: Vec<f64> = (0..n).map(|i| ((3 * i * i + 1) as f64).cos()).collect();
    let mut by_hand = Vec::new();
    let mut lu = DenseLu::default();
    for bits in 0..1_usize << n {
        let active: Vec<usize> = (0..n).filter(|i| bits >> i & 1 == 1).collect();
        let k = active.len();
        let block = Array2::from_shape_fn((k, k), |(a, b)| m[[active[a], active[b]]]);
        let mut x: Vec<f64> = active.iter().map(|&i| -q[i]).collect();
        if k > 0 {
            lu.factor(block.view()).expect("no basis of these numbers is singular");
            lu.solve(&mut x);
        }
        let mut z = vec![0.0; n];
        active.iter().zip(&x).for_each(|(&i, x)| z[i] = *x);
        let w = Measures::of(m.view(), &q, &z).w;
        if x.iter().all(|x| *x >= 0.0) && (0..n).all(|i| active.contains(&i) || w[i] >= 0.0) {
            by_hand.push(active);
        }
    }
    let set = enumerate(&m, &q)?;
    let mut found: Vec<Vec<usize>> = set.pieces.into_iter().map(|piece| piece.basis).collect();
    found.sort();
    by_hand.sort();
    assert!(!by_hand.is_empty());
    assert_eq!(set.undecided, 0);
    assert_eq!(found, by_hand);
    Ok(())
}

#[test]
fn too_many_unknowns_and_too_few_bases() -> Result<(), SolverError> {
    let known = murty(25);
    let (mut z, mut w) = (vec![0.0; 25], vec![0.0; 25]);
    let problem = LcpProblem::new(&known.m, &known.q)?;
    let refused = Enumeration::default().solve(&problem, &mut z, &mut w);
    assert!(matches!(
        refused,
        Err(SolverError::Settings(SettingsError::OutOfRange { name: "largest_size", .. }))
    ));
    let settings = EnumerationSettings { largest_size: 25, max_iterations: 1000, ..Default::default() };
    let info = Enumeration::new(settings)?.solve(&problem, &mut z, &mut w)?;
    // The result is the solution z = (1, 0, .., 0) or its mirror image, or the limit of a thousand bases, but
    // never `NoSolution`.
    assert!(
        info.status == Status::Converged || (info.status, info.iterations) == (Status::MaxIterations, 1000)
    );
    assert!(Enumeration::new(EnumerationSettings { largest_size: 61, ..Default::default() }).is_err());
    assert!(Enumeration::new(EnumerationSettings { tolerance: 0.0, ..Default::default() }).is_err());
    Ok(())
}

#[test]
fn from_the_solution_one_basis_is_enough() -> Result<(), SolverError> {
    let known = murty(20);
    let mut z = known.unique_solution().expect("a P-matrix").to_vec();
    let mut w = vec![0.0; 20];
    let info = Enumeration::default().solve(&LcpProblem::new(&known.m, &known.q)?, &mut z, &mut w)?;
    assert_eq!((info.status, info.iterations), (Status::Converged, 1));
    Ok(())
}

#[test]
fn other_storages_and_numbers_that_are_not_finite() -> Result<(), SolverError> {
    let m = array![[1.0, f64::NAN], [0.0, 1.0]];
    let q = [-1.0, -1.0];
    let refused = Enumeration::default().solve(&LcpProblem::new(&m, &q)?, &mut [0.0; 2], &mut [0.0; 2]);
    assert!(matches!(refused, Err(SolverError::Problem(_))));
    let csc = Csc::from_matrix(MatrixRef::from(&array![[1.0, 0.0], [0.0, 1.0]]));
    let refused = Enumeration::default().solve(&LcpProblem::new(&csc, &q)?, &mut [0.0; 2], &mut [0.0; 2]);
    assert!(matches!(refused, Err(SolverError::Unsupported(_))));
    let empty = Array2::zeros((0, 0));
    let info = Enumeration::default().solve(&LcpProblem::new(&empty, &[])?, &mut [], &mut [])?;
    assert_eq!((info.status, info.error), (Status::Converged, 0.0));
    Ok(())
}

#[test]
fn units_do_not_matter() -> Result<(), SolverError> {
    // The same problem in other units: rows and columns are multiplied by powers of ten.
    let m = array![[2.0, -1.0, 0.5], [-1.0, 3.0, -2.0], [0.5, -2.0, 4.0]];
    let q = [-1.0, 2.0, -3.0];
    let units = [1e-9, 1.0, 1e7];
    let scaled = Array2::from_shape_fn((3, 3), |(i, j)| m[[i, j]] * units[i] * units[j]);
    let scaled_q: Vec<f64> = q.iter().zip(units).map(|(q, u)| q * u).collect();
    let (plain, other) = (enumerate(&m, &q)?, enumerate(&scaled, &scaled_q)?);
    assert_eq!((plain.pieces.len(), other.pieces.len(), other.undecided), (1, 1, 0));
    assert_eq!(plain.pieces[0].basis, other.pieces[0].basis);
    for ((z, unit), exact) in other.pieces[0].point.iter().zip(units).zip(&plain.pieces[0].point) {
        let z = z * unit;
        assert!((z - exact).abs() <= 1e-12 * z.abs(), "{other:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn integers_of_any_sign(
        (m, q) in (1..5_usize).prop_flat_map(|n| (
            proptest::collection::vec(-2..3_i32, n * n),
            proptest::collection::vec(-2..3_i32, n),
        ))
    ) {
        let n = q.len();
        let m = Array2::from_shape_fn((n, n), |(i, j)| f64::from(m[i * n + j]));
        let q: Vec<f64> = q.into_iter().map(f64::from).collect();
        let set = enumerate(&m, &q).expect("small");
        check_set(&m, &q, &set)?;
        prop_assert_eq!(set.undecided, 0);
    }

    #[test]
    fn degenerate_problems(problem in degenerate_integers(1..6)) {
        let set = enumerate(&problem.m, &problem.q).expect("small");
        check_set(&problem.m, &problem.q, &set)?;
    }

    #[test]
    fn hyperstatic_problems(problem in hyperstatic_integers(2..4)) {
        let set = enumerate(&problem.m, &problem.q).expect("small");
        if problem.q.len() <= 6 {
            check_set(&problem.m, &problem.q, &set)?;
        }
    }

    #[test]
    fn p_matrices_have_one_solution(problem in p_matrix(1..8)) {
        let set = enumerate(&problem.m, &problem.q).expect("small");
        prop_assert_eq!((set.pieces.len(), set.undecided), (1, 0));
        prop_assert!(Measures::of(problem.m.view(), &problem.q, &set.pieces[0].point).natural <= 1e-11);
    }
}
