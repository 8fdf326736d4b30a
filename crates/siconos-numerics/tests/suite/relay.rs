//! Relay problems: random problems compared with the oracle for linear complementarity, comparison of all
//! methods, storage formats, and invalid input.

use ndarray::{Array1, Array2, array};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::relay::{
    Auto, CaoFerris, Enumeration, EnumerationSettings, Lemke, Newton, NewtonSettings, ProjectedGaussSeidel,
    Relay, RelayMethod, RelayProblem, error_of_point, siconos_error,
};
use siconos_numerics::{Method, ProblemError, Solver, SolverError, Status};
use siconos_testkit::lcp::enumerate_solutions;

const INFINITY: f64 = f64::INFINITY;

/// Reproducible sequence of numbers in [-1, 1) (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Returns a small integer, so that ties and singular blocks occur.
    fn integer(&mut self, largest: f64) -> f64 {
        (self.next() * (largest + 0.5)).round()
    }

    fn matrix(&mut self, n: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((n, n), || self.next())
    }

    /// Returns a symmetric positive definite matrix.
    fn definite(&mut self, n: usize) -> Array2<f64> {
        let a = self.matrix(n);
        a.t().dot(&a) + Array2::<f64>::eye(n) * 0.1
    }

    /// Returns a pair of bounds of any kind: finite, one-sided, none (with `free`), equal.
    fn bounds(&mut self, free: bool) -> (f64, f64) {
        let (a, b) = (self.next(), self.next());
        let (l, u) = (a.min(b), a.max(b));
        match (self.next() * 5.0) as i32 {
            4 if free => (-INFINITY, INFINITY),
            3 => (l, INFINITY),
            -3 => (-INFINITY, u),
            -4 => (l, l),
            _ => (l, u),
        }
    }
}

fn methods() -> Vec<Box<dyn Solver<Class = Relay>>> {
    let smooth = NewtonSettings::default();
    let mut solvers: Vec<Box<dyn Solver<Class = Relay>>> =
        RelayMethod::all().iter().map(|method| method.build().unwrap()).collect();
    solvers.push(Box::new(Newton::new(smooth).unwrap()));
    solvers
}

/// Returns the equivalent linear complementarity problem of size 2 n in (z - l, v) of a problem with finite
/// bounds.
fn as_lcp(m: &Array2<f64>, q: &[f64], lower: &[f64], upper: &[f64]) -> (Array2<f64>, Vec<f64>) {
    let n = q.len();
    let mut matrix = Array2::zeros((2 * n, 2 * n));
    let mut vector = vec![0.0; 2 * n];
    for i in 0..n {
        for j in 0..n {
            matrix[[i, j]] = m[[i, j]];
            vector[i] += m[[i, j]] * lower[j];
        }
        vector[i] += q[i];
        matrix[[i, n + i]] = 1.0;
        matrix[[n + i, i]] = -1.0;
        vector[n + i] = upper[i] - lower[i];
    }
    (matrix, vector)
}

/// With finite bounds, a solution exists for every matrix, and the path-following method finds one. Integers
/// lead to ties.
#[test]
fn between_finite_bounds_the_path_solves_whatever_the_matrix_is() {
    let mut numbers = Numbers(1);
    let (mut path, mut auto) = (CaoFerris::default(), Auto::default());
    let mut checked = 0;
    for case in 0..400 {
        let n = 1 + case % 4;
        let m = Array2::from_shape_simple_fn((n, n), || numbers.integer(2.0));
        let q: Vec<f64> = (0..n).map(|_| numbers.integer(3.0)).collect();
        let lower: Vec<f64> = (0..n).map(|_| numbers.integer(2.0) - 1.0).collect();
        let upper: Vec<f64> = lower.iter().map(|l| l + 1.0 + numbers.integer(1.0).abs()).collect();
        let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
        for solver in [&mut path as &mut dyn Solver<Class = Relay>, &mut auto] {
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let info = solver.solve(&problem, &mut z, &mut w).unwrap();
            assert!(info.status.is_success(), "{} {info:?} {m:?} {q:?} {lower:?}", solver.name());
            assert!(error_of_point(&problem, &z, &mut w) <= 1e-10);
        }
        if n <= 3 {
            // The oracle finds basic solutions. The point of the path-following method has to be one of them
            // if the solution is unique.
            let (matrix, vector) = as_lcp(&m, &q, &lower, &upper);
            let all = enumerate_solutions(matrix.view(), &vector);
            assert!(!all.is_empty());
            if let [only] = &all[..] {
                let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
                let info = path.solve(&problem, &mut z, &mut w).unwrap();
                assert!(info.status.is_success());
                for i in 0..n {
                    assert!((z[i] - lower[i] - only[i]).abs() < 1e-9, "{z:?} {only:?}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

/// For positive definite matrices, the solution is unique for any bounds, and all methods have to find it.
#[test]
fn all_methods_agree_on_definite_matrices_with_bounds_of_every_kind() {
    let mut numbers = Numbers(2);
    for case in 0..150 {
        let n = case % 8;
        let m = numbers.definite(n);
        let q: Vec<f64> = (0..n).map(|_| 2.0 * numbers.next()).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) = (0..n).map(|_| numbers.bounds(true)).unzip();
        let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
        let mut first: Option<Vec<f64>> = None;
        for mut solver in methods() {
            let mut z: Vec<f64> = (0..n).map(|_| numbers.next()).collect();
            let mut w = vec![0.0; n];
            let info = solver.solve(&problem, &mut z, &mut w).unwrap();
            if solver.name() == "semismooth-newton" && !info.status.is_success() {
                // The method converges only locally. It has to report its failure.
                assert!(error_of_point(&problem, &z, &mut w) > 1e-10);
                continue;
            }
            let name = solver.name();
            assert!(
                info.status.is_success(),
                "case {case}, {name}: {info:?} {m:?} {q:?} {lower:?} {upper:?}"
            );
            let told = info.error;
            assert_eq!(error_of_point(&problem, &z, &mut w), told);
            assert!(z.iter().zip(&lower).zip(&upper).all(|((z, l), u)| (l..=u).contains(&z)));
            let expected = first.get_or_insert_with(|| z.clone());
            for (z, expected) in z.iter().zip(expected) {
                assert!((*z - *expected).abs() <= 2e-6, "case {case}, {name}: {z} {expected}");
            }
        }
    }
}

/// For any matrix and any bounds, reported solutions are solutions, and problems reported as unsolvable are
/// unsolvable.
#[test]
fn no_method_claims_what_is_not_so() {
    let mut numbers = Numbers(3);
    let (mut proved, mut solved) = (0, 0);
    for case in 0..300 {
        let n = 1 + case % 4;
        let integers = case % 2 == 0;
        let mut number = || if integers { numbers.integer(2.0) } else { numbers.next() };
        let m = Array2::from_shape_simple_fn((n, n), &mut number);
        let q: Vec<f64> = (0..n).map(|_| number()).collect();
        let (lower, upper): (Vec<f64>, Vec<f64>) = (0..n).map(|_| numbers.bounds(false)).unzip();
        let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
        let (mut any_solved, mut any_proved) = (false, false);
        for mut solver in methods() {
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let Ok(info) = solver.solve(&problem, &mut z, &mut w) else { continue };
            let error = error_of_point(&problem, &z, &mut w);
            match info.status {
                Status::Converged => assert!(error <= solver.tolerance(), "{}: {error}", solver.name()),
                Status::AtRoundingLevel => assert!(error <= 1e-9),
                Status::NoSolution => any_proved = true,
                _ => {}
            }
            any_solved |= info.status.is_success();
        }
        assert!(!(any_solved && any_proved), "{m:?} {q:?} {lower:?} {upper:?}");
        solved += u32::from(any_solved);
        proved += u32::from(any_proved);
    }
    assert!(solved > 200 && proved > 3, "{solved} {proved}");
}

#[test]
fn storages_agree() {
    let mut numbers = Numbers(4);
    let n = 12;
    let mut m = numbers.definite(n);
    for ((i, j), entry) in m.indexed_iter_mut() {
        if i / 3 != j / 3 {
            *entry = 0.0;
        } else if i == j {
            *entry += 3.0;
        }
    }
    let q: Vec<f64> = (0..n).map(|_| 4.0 * numbers.next()).collect();
    let (lower, upper) = (vec![-0.5; n], vec![0.5; n]);
    let blocks = (0..4)
        .map(|b| {
            let range = 3 * b..3 * (b + 1);
            (b, b, m.slice(ndarray::s![range.clone(), range]).to_owned())
        })
        .collect();
    let sparse = m.indexed_iter().map(|((i, j), x)| (i, j, *x)).filter(|(_, _, x)| *x != 0.0);
    let matrices = [
        Matrix::from(m.clone()),
        Matrix::from(Csc::from_triplets(n, n, sparse).unwrap()),
        Matrix::from(BlockCsr::from_blocks(&[3; 4], &[3; 4], blocks).unwrap()),
    ];
    let mut first: Option<Vec<f64>> = None;
    for matrix in &matrices {
        let problem = RelayProblem::new(matrix, &q, &lower, &upper).unwrap();
        for mut solver in methods() {
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            if let Err(refused) = solver.supports(&problem) {
                let error = solver.solve(&problem, &mut z, &mut w).unwrap_err();
                assert_eq!(error, SolverError::Unsupported(refused));
                continue;
            }
            assert!(solver.solve(&problem, &mut z, &mut w).unwrap().status.is_success());
            let expected = first.get_or_insert_with(|| z.clone());
            for (z, expected) in z.iter().zip(expected) {
                assert!((*z - *expected).abs() <= 1e-7, "{}", solver.name());
            }
        }
    }
    // For a diagonal matrix, the unknowns are independent.
    let diagonal = Matrix::from(Array1::from_elem(n, 2.0));
    let problem = RelayProblem::new(&diagonal, &q, &lower, &upper).unwrap();
    for mut solver in [
        Box::new(Auto::default()) as Box<dyn Solver<Class = Relay>>,
        Box::new(ProjectedGaussSeidel::default()),
    ] {
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        assert!(solver.solve(&problem, &mut z, &mut w).unwrap().status.is_success());
        for i in 0..n {
            assert!((z[i] - (-q[i] / 2.0).clamp(-0.5, 0.5)).abs() < 1e-12);
        }
    }
}

#[test]
fn a_large_sparse_problem_goes_through_the_automatic_choice() {
    // An elastic string with 2000 nodes between two obstacles.
    let n = 2000;
    let entries = (0..n).flat_map(|i| {
        [(i, i, 2.0)]
            .into_iter()
            .chain((i > 0).then(|| (i, i - 1, -1.0)))
            .chain((i + 1 < n).then(|| (i, i + 1, -1.0)))
    });
    let m = Csc::from_triplets(n, n, entries).unwrap();
    let q: Vec<f64> = (0..n).map(|i| 1e-3 * (i as f64 / 100.0).sin()).collect();
    let (lower, upper) = (vec![-1.0; n], vec![1.5; n]);
    let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    let mut auto = Auto::default();
    let info = auto.solve(&problem, &mut z, &mut w).unwrap();
    assert!(info.status.is_success(), "{info:?} {:?}", auto.trace());
    assert!(z.contains(&-1.0) && z.contains(&1.5), "both obstacles touch");
}

#[test]
fn bad_input_is_refused_and_nothing_is_no_problem() {
    let m = array![[2.0]];
    let problem = RelayProblem::new(&m, &[f64::NAN], &[0.0], &[1.0]).unwrap();
    let infinite = array![[INFINITY]];
    let broken = RelayProblem::new(&infinite, &[1.0], &[-1.0], &[1.0]).unwrap();
    let nothing = Array2::zeros((0, 0));
    let empty = RelayProblem::new(&nothing, &[], &[], &[]).unwrap();
    for mut solver in methods() {
        let refused = solver.solve(&problem, &mut [0.0], &mut [0.0]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::NotFinite { what: "q", .. })));
        let refused = solver.solve(&problem, &mut [0.0, 0.0], &mut [0.0]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::WrongLength { what: "z", .. })));
        if let Ok(info) = solver.solve(&broken, &mut [0.5], &mut [0.0]) {
            assert!(!info.status.is_success(), "{}", solver.name());
        }
        let info = solver.solve(&empty, &mut [], &mut []).unwrap();
        assert_eq!((info.status, info.error), (Status::Converged, 0.0), "{}", solver.name());
    }
    for (lower, upper) in [(1.0, 0.0), (f64::NAN, 0.0), (INFINITY, INFINITY), (-INFINITY, -INFINITY)] {
        let refused = RelayProblem::new(&m, &[0.0], &[lower], &[upper]).unwrap_err();
        assert!(matches!(refused, ProblemError::Bounds { index: 0, .. }));
    }
}

#[test]
fn enumeration_stops_where_it_is_told_to() {
    let n = 16;
    let m = Array2::<f64>::eye(n);
    let (q, lower, upper) = (vec![0.3; n], vec![-1.0; n], vec![1.0; n]);
    let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
    let (mut z, mut w) = (vec![2.0; n], vec![0.0; n]);
    let info = Enumeration::default().solve(&problem, &mut z, &mut w).unwrap();
    assert_eq!((info.status, info.iterations), (Status::NotFound, 0));
    assert_eq!(z, vec![1.0; n], "the guess, clamped");
    let settings = EnumerationSettings { largest_size: 16, max_iterations: 1000, ..Default::default() };
    let info = Enumeration::new(settings).unwrap().solve(&problem, &mut z, &mut w).unwrap();
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 1000));
    // With finite bounds a solution always exists, which excludes a proof of the contrary.
    let m = array![[0.0, 1.0], [-1.0, 0.0]];
    let problem = RelayProblem::new(&m, &[0.5, 0.5], &[-1.0; 2], &[1.0; 2]).unwrap();
    let info = Enumeration::default().solve(&problem, &mut [0.0; 2], &mut [0.0; 2]).unwrap();
    assert!(info.status.is_success());
}

#[test]
fn unknowns_without_bounds_are_eliminated_or_the_singular_block_is_named() {
    let bounds = ([-INFINITY, -1.0], [INFINITY, 1.0]);
    let m = array![[2.0, 1.0], [1.0, 1.0]];
    for mut solver in methods() {
        let problem = RelayProblem::new(&m, &[-2.0, -4.0], &bounds.0, &bounds.1).unwrap();
        let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
        assert!(solver.solve(&problem, &mut z, &mut w).unwrap().status.is_success(), "{}", solver.name());
        // z_2 is at its upper bound 1, so that 2 z_1 + 1 - 2 = 0.
        assert!((z[0] - 0.5).abs() < 1e-7 && (z[1] - 1.0).abs() < 1e-7, "{}: {z:?}", solver.name());
    }
    let m = array![[0.0, 1.0], [-1.0, 1.0]];
    let problem = RelayProblem::new(&m, &[-0.5, 0.0], &bounds.0, &bounds.1).unwrap();
    let pivots: [Box<dyn Solver<Class = Relay>>; 2] =
        [Box::new(Lemke::default()), Box::new(CaoFerris::default())];
    for mut solver in pivots {
        let refused = solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 2]).unwrap_err();
        assert!(matches!(refused, SolverError::Singular { .. }), "{}", solver.name());
    }
    // The automatic choice has other methods: z = (0.5, 0.5).
    let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
    assert!(Auto::default().solve(&problem, &mut z, &mut w).unwrap().status.is_success());
    assert!((z[0] - 0.5).abs() < 1e-9 && (z[1] - 0.5).abs() < 1e-9);
}

#[test]
fn the_names_are_distinct_and_lead_back() {
    let all = RelayMethod::all();
    for method in &all {
        assert_eq!(RelayMethod::from_name(method.description().name).as_ref(), Some(method));
        let mut changed = method.clone();
        changed.set_tolerance(1e-3);
        changed.set_max_iterations(7);
        assert_eq!(changed.build().unwrap().tolerance(), 1e-3);
        changed.set_tolerance(0.0);
        assert!(changed.build().is_err());
    }
}

/// Time steps of a simulation: small problems started from the previous solution, compared with enumeration.
/// The matrix is definite, so that the solution is unique. Nearly all problems are solved with the active set
/// of the initial guess.
#[test]
fn small_steps_are_solved_by_the_faces_of_the_guess() {
    let mut numbers = Numbers(31);
    let mut by_faces = 0;
    let mut steps = 0;
    for n in [1, 2, 3, 4, 6, 8] {
        // Very different units: a factor of 1e-6 for the matrix.
        for size in [1.0, 1e-6] {
            let m = numbers.definite(n) * size;
            let bounds: Vec<(f64, f64)> = (0..n).map(|_| numbers.bounds(true)).collect();
            let (lower, upper): (Vec<f64>, Vec<f64>) = bounds.into_iter().unzip();
            let (mut auto, mut all) = (Auto::default(), Enumeration::default());
            let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
            let phases: Vec<f64> = (0..n).map(|_| 3.0 * numbers.next()).collect();
            for step in 0..200 {
                let time = f64::from(step) * 0.05;
                let q: Vec<f64> = phases.iter().map(|p| size * ((1.0 + p.abs()) * time + p).sin()).collect();
                let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
                let info = auto.solve(&problem, &mut z, &mut w).unwrap();
                assert!(info.status.is_success(), "n = {n}, step {step}: {info:?}");
                assert_eq!(info.error, error_of_point(&problem, &z, &mut w));
                by_faces += usize::from(auto.trace().len() == 1);
                steps += 1;
                // The solution is exact up to rounding, also if w is so small that the error would accept
                // larger deviations.
                for i in 0..n {
                    let terms: f64 = (0..n).map(|j| (m[[i, j]] * z[j]).abs()).sum::<f64>() + q[i].abs();
                    let allowed = 1e-13 * terms.max(f64::MIN_POSITIVE);
                    assert!((lower[i]..=upper[i]).contains(&z[i]));
                    assert!(w[i] >= -allowed || z[i] == upper[i], "n = {n}, step {step}");
                    assert!(w[i] <= allowed || z[i] == lower[i], "n = {n}, step {step}");
                }
                if n <= 4 {
                    let (mut other, mut v) = (vec![0.0; n], vec![0.0; n]);
                    assert!(all.solve(&problem, &mut other, &mut v).unwrap().status.is_success());
                    let distance = z.iter().zip(&other).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                    assert!(distance < 1e-8, "n = {n}, step {step}: {distance:e}");
                }
            }
        }
    }
    assert!(by_faces * 100 >= steps * 99, "{by_faces} of {steps}");
}

/// Zero diagonals, zero and semidefinite matrices, and a product that cancels. The method must not divide by
/// zero, and the next stages of the cascade solve the problems that the active set does not solve.
#[test]
fn degenerate_small_matrices_fall_through() {
    let mut auto = Auto::default();
    for (m, q) in [
        (array![[0.0]], vec![0.5]),
        (array![[0.0]], vec![0.0]),
        (array![[-1.0]], vec![0.2]),
        (array![[0.0, 1.0], [-1.0, 0.0]], vec![0.3, -0.2]),
        (array![[0.0, 1.0], [-1.0, 0.0]], vec![3.0, -2.0]),
        (array![[1.0, 1.0], [1.0, 1.0]], vec![0.3, 0.3]),
        (array![[1.0, 1.0], [1.0, 1.0]], vec![0.3, -0.3]),
        (array![[1.0, -1.0], [-1.0, 1.0]], vec![1e-300, 0.0]),
        (Array2::zeros((3, 3)), vec![1.0, 0.0, -1.0]),
        (array![[1e-200, 0.0], [0.0, 1e200]], vec![1e-200, -1e199]),
    ] {
        let n = q.len();
        let (lower, upper) = (vec![-1.0; n], vec![1.0; n]);
        let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
        for guess in [-1.0, 0.0, 0.5, 1.0, 7.0] {
            let (mut z, mut w) = (vec![guess; n], vec![0.0; n]);
            let info = auto.solve(&problem, &mut z, &mut w).unwrap();
            assert!(info.status.is_success(), "{m} {q:?} from {guess}: {:?}", auto.trace());
            assert_eq!(info.error, error_of_point(&problem, &z, &mut w));
            assert!(z.iter().all(|z| (-1.0..=1.0).contains(z)));
        }
    }
    // A matrix that is not finite is never reported as solved.
    for bad in [f64::NAN, f64::INFINITY] {
        let m = array![[bad, 0.0], [0.0, 1.0]];
        let problem = RelayProblem::new(&m, &[0.1, 0.1], &[-1.0; 2], &[1.0; 2]).unwrap();
        let (mut z, mut w) = ([0.5; 2], [0.0; 2]);
        match auto.solve(&problem, &mut z, &mut w) {
            Ok(info) => assert!(!info.status.is_success(), "{info:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn both_measures_by_hand() {
    let m = array![[2.0, 0.0], [0.0, 1.0]];
    let problem = RelayProblem::new(&m, &[-3.0, 4.0], &[-1.0; 2], &[1.0; 2]).unwrap();
    // At 0, the distances to the bounds are smaller than w: 2 * 1 and 1 * 1, relative to 3 and 4. Without
    // scaling they are 1 and 1, relative to 6.
    let mut w = [0.0; 2];
    assert_eq!(error_of_point(&problem, &[0.0; 2], &mut w), 2.0 / 3.0);
    assert_eq!(siconos_error(&problem, &[0.0; 2], &w), 2.0_f64.sqrt() / 6.0);
    assert_eq!(error_of_point(&problem, &[1.0, -1.0], &mut w), 0.0);
    assert_eq!(siconos_error(&problem, &[1.0, -1.0], &w), 0.0);
    assert!(error_of_point(&problem, &[f64::NAN, 0.0], &mut w).is_nan());
}
