//! Affine variational inequalities: closed forms, optimality, twisting control, empty polyhedra.

use ndarray::{Array2, array};
use siconos_linalg::{Csc, Matrix, MatrixRef};
use siconos_numerics::avi::{
    AffineVariationalInequality, Auto, AutoSettings, AviMethod, AviProblem, CaoFerris, error,
};
use siconos_numerics::{Method, ProblemError, Solver, SolverError, Status};

fn solve(problem: &AviProblem<'_>) -> (Status, Vec<f64>, Vec<f64>) {
    let (mut z, mut lambda) = (vec![0.0; problem.size()], vec![0.0; problem.inequalities()]);
    let info = CaoFerris::default().solve(problem, &mut z, &mut lambda).unwrap();
    if info.status == Status::Converged {
        assert!(error(problem, &z, &lambda) <= 1e-10);
    }
    (info.status, z, lambda)
}

/// Returns a reproducible sequence of numbers in [-1, 1).
fn numbers(start: u64) -> impl FnMut() -> f64 {
    let mut state = start;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Problems over compact polyhedra have a solution for every matrix.
#[test]
fn over_a_compact_polyhedron_a_solution_is_found_whatever_the_matrix_is() {
    let mut number = numbers(5);
    for case in 0..200 {
        let n = 1 + case % 4;
        let integers = case % 2 == 0;
        let mut entry = || if integers { (2.4 * number()).round() } else { number() };
        let m = Array2::from_shape_simple_fn((n, n), &mut entry);
        let q: Vec<f64> = (0..n).map(|_| entry()).collect();
        // A box with a centre, cut by planes that leave the centre inside.
        let centre: Vec<f64> = (0..n).map(|_| entry()).collect();
        let cuts = 3;
        let mut h = Array2::zeros((2 * n + cuts, n));
        let mut k = Vec::new();
        for i in 0..n {
            h[[2 * i, i]] = 1.0;
            h[[2 * i + 1, i]] = -1.0;
            k.extend([centre[i] - 1.0, -centre[i] - 2.0]);
        }
        for c in 0..cuts {
            let mut at_centre = 0.0;
            for i in 0..n {
                h[[2 * n + c, i]] = entry();
                at_centre += h[[2 * n + c, i]] * centre[i];
            }
            k.push(at_centre - if c == 0 { 0.0 } else { entry().abs() });
        }
        let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
        let (status, z, _) = solve(&problem);
        assert_eq!(status, Status::Converged, "case {case}: {m:?} {q:?} {h:?} {k:?}");
        // Check of the definition, at the vertices of the box that are in the polyhedron and at the centre.
        let w: Vec<f64> =
            (0..n).map(|i| q[i] + m.row(i).iter().zip(&z).map(|(m, z)| m * z).sum::<f64>()).collect();
        for vertex in 0..=1 << n {
            let y: Vec<f64> = (0..n)
                .map(|i| match vertex {
                    v if v == 1 << n => centre[i],
                    v if v >> i & 1 == 1 => centre[i] + 2.0,
                    _ => centre[i] - 1.0,
                })
                .collect();
            let inside =
                (0..k.len()).all(|r| h.row(r).iter().zip(&y).map(|(h, y)| h * y).sum::<f64>() >= k[r]);
            let product: f64 = w.iter().zip(y.iter().zip(&z)).map(|(w, (y, z))| w * (y - z)).sum();
            assert!(!inside || product >= -1e-8, "case {case}: {product}");
        }
    }
}

/// The nearest point of a polyhedron that contains lines: the strip 0 <= z_1 + z_2 <= 1 in the plane.
#[test]
fn a_polyhedron_with_lines_has_no_extreme_point_and_is_solved_all_the_same() {
    let (m, h) = (Array2::eye(2), array![[1.0, 1.0], [-1.0, -1.0]]);
    let problem = AviProblem::new(&m, &[-3.0, -1.0], h.view(), &[0.0, -1.0]).unwrap();
    let (status, z, lambda) = solve(&problem);
    assert_eq!(status, Status::Converged);
    // The solution is (3, 1) minus 1.5 times the normal (1, 1).
    assert!((z[0] - 1.5).abs() < 1e-14 && (z[1] + 0.5).abs() < 1e-14, "{z:?}");
    assert!(lambda[0] == 0.0 && (lambda[1] - 1.5).abs() < 1e-14);
    // Without inequalities, the problem is a linear system.
    let m = array![[2.0, 1.0], [-1.0, 2.0]];
    let none = Array2::zeros((0, 2));
    let (status, z, _) = solve(&AviProblem::new(&m, &[-4.0, -3.0], none.view(), &[]).unwrap());
    assert_eq!(status, Status::Converged);
    assert!((z[0] - 1.0).abs() < 1e-14 && (z[1] - 2.0).abs() < 1e-14);
    // A singular system is reported.
    let singular = array![[1.0, 1.0], [1.0, 1.0]];
    let problem = AviProblem::new(&singular, &[1.0, 0.0], none.view(), &[]).unwrap();
    let refused = CaoFerris::default().solve(&problem, &mut [0.0; 2], &mut []).unwrap_err();
    assert!(matches!(refused, SolverError::Singular { .. }));
}

#[test]
fn an_empty_polyhedron_is_proved_to_be_empty() {
    let m: Array2<f64> = Array2::eye(2);
    // The constraints z_1 >= 1, z_2 >= 1, z_1 + z_2 <= 1 are infeasible.
    let h = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
    let (status, ..) = solve(&AviProblem::new(&m, &[0.0; 2], h.view(), &[1.0, 1.0, -1.0]).unwrap());
    assert_eq!(status, Status::NoSolution);
    // With z_1 + z_2 <= 2, only the corner (1, 1) is feasible.
    let (status, z, _) = solve(&AviProblem::new(&m, &[0.0; 2], h.view(), &[1.0, 1.0, -2.0]).unwrap());
    assert_eq!(status, Status::Converged);
    assert!((z[0] - 1.0).abs() < 1e-14 && (z[1] - 1.0).abs() < 1e-14);
    // A row of zeros with a positive bound is infeasible.
    let h = array![[0.0, 0.0], [1.0, 0.0]];
    let (status, ..) = solve(&AviProblem::new(&m, &[0.0; 2], h.view(), &[1.0, 0.0]).unwrap());
    assert_eq!(status, Status::NoSolution);
    let (status, ..) = solve(&AviProblem::new(&m, &[0.0; 2], h.view(), &[-1.0, 0.0]).unwrap());
    assert_eq!(status, Status::Converged);
}

/// Random polyhedra that are empty or not by construction.
#[test]
fn phase_one_tells_empty_from_not_empty() {
    let mut number = numbers(6);
    for case in 0..200 {
        let (n, p) = (1 + case % 4, 6);
        let mut h = Array2::from_shape_simple_fn((p, n), &mut number);
        let mut k: Vec<f64> = (0..p).map(|_| 2.0 * number()).collect();
        let empty = case % 2 == 0;
        if empty {
            // The last row is minus the sum of all others, with a right-hand side that contradicts them.
            for j in 0..n {
                h[[p - 1, j]] = -(0..p - 1).map(|i| h[[i, j]]).sum::<f64>();
            }
            k[p - 1] = -k[..p - 1].iter().sum::<f64>() + 0.1;
        } else {
            let point: Vec<f64> = (0..n).map(|_| number()).collect();
            for (i, k) in k.iter_mut().enumerate() {
                let at_point: f64 = h.row(i).iter().zip(&point).map(|(h, x)| h * x).sum();
                *k = at_point - if i % 2 == 0 { 0.0 } else { 0.3 };
            }
        }
        let m: Array2<f64> = Array2::eye(n);
        let q = vec![0.5; n];
        let (status, ..) = solve(&AviProblem::new(&m, &q, h.view(), &k).unwrap());
        let expected = if empty { Status::NoSolution } else { Status::Converged };
        assert_eq!(status, expected, "case {case}: {h:?} {k:?}");
    }
}

/// Implicit twisting controller: 2000 steps of the double integrator with an input in a parallelogram.
///
/// With the two relays s = -(r1 sgn(x1) + r2 sgn(x2)) of the twisting algorithm and the implicit Euler
/// scheme, the signs solve a variational inequality over the square [-1, 1]^2. The state has to reach the
/// origin and stay there.
#[test]
fn the_twisting_controller_reaches_the_origin_without_chattering() {
    let (h, r1, r2) = (1e-2_f64, 2.0, 1.0);
    // x_{k+1} = A x_k - h B G s, s in sgn(x_{k+1}), B = (h / 2, 1), G = (r1, r2).
    let b = [0.5 * h * h, h];
    let square = array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let k = [-1.0; 4];
    // Since s is in sgn(x_{k+1}), -x_{k+1} is the negative of a normal of the square at s, with x_{k+1} = q +
    // M s.
    let m = array![[b[0] * r1, b[0] * r2], [b[1] * r1, b[1] * r2]];
    let mut solver = CaoFerris::default();
    let mut x = [1.0_f64, 1.0];
    for step in 0..2000 {
        let free = [x[0] + h * x[1], x[1]];
        // F(s) = M s - free = -x_{k+1}: normal cone inclusion x_{k+1} in N(s).
        let q = [-free[0], -free[1]];
        let problem = AviProblem::new(&m, &q, square.view(), &k).unwrap();
        let (mut s, mut lambda) = ([0.0; 2], [0.0; 4]);
        let info = solver.solve(&problem, &mut s, &mut lambda).unwrap();
        assert!(info.status.is_success(), "step {step}: {info:?}");
        x = [free[0] - m[[0, 0]] * s[0] - m[[0, 1]] * s[1], free[1] - m[[1, 0]] * s[0] - m[[1, 1]] * s[1]];
        // s is the sign of the new state, up to rounding.
        for (s, x) in s.iter().zip(x) {
            assert!(s.abs() <= 1.0 + 1e-12);
            assert!(x.abs() <= 1e-12 || (s - x.signum()).abs() <= 1e-9, "step {step}: {s} {x}");
        }
    }
    assert!(x[0].abs() < 1e-2 && x[1].abs() < 2e-2, "{x:?}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_no_problem() {
    let m = array![[1.0]];
    let h = array![[1.0]];
    assert!(matches!(
        AviProblem::new(&m, &[0.0], array![[1.0, 0.0]].view(), &[0.0]).unwrap_err(),
        ProblemError::WrongLength { .. }
    ));
    for (q, k) in [(f64::NAN, 0.0), (0.0, f64::NEG_INFINITY)] {
        let (q, k) = ([q], [k]);
        let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
        let refused = CaoFerris::default().solve(&problem, &mut [0.0], &mut [0.0]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::NotFinite { .. })));
    }
    let problem = AviProblem::new(&m, &[0.0], h.view(), &[0.0]).unwrap();
    assert!(CaoFerris::default().solve(&problem, &mut [0.0], &mut [0.0; 2]).is_err());
    let (nothing, no_rows) = (Array2::zeros((0, 0)), Array2::zeros((0, 0)));
    let (status, ..) = solve(&AviProblem::new(&nothing, &[], no_rows.view(), &[]).unwrap());
    assert_eq!(status, Status::Converged);
    assert!(
        AffineVariationalInequality::new(array![[f64::NAN]], array![0.0], array![[1.0]], array![0.0])
            .is_err()
    );
    for method in AviMethod::all() {
        assert_eq!(AviMethod::from_name(method.description().name), Some(method));
    }
}

/// w = -z on z >= 1 has no solution. F(1) = -1 points outwards, and the ray on which the path ends is a
/// proof.
#[test]
fn where_there_is_no_solution_the_ray_proves_it() {
    let (m, h) = (array![[-1.0]], array![[1.0]]);
    let (status, ..) = solve(&AviProblem::new(&m, &[0.0], h.view(), &[1.0]).unwrap());
    assert_eq!(status, Status::NoSolution);
}

/// Draws a random problem over a box with cuts, which has its centre inside.
fn over_a_cut_box(
    number: &mut impl FnMut() -> f64,
    n: usize,
) -> (Array2<f64>, Vec<f64>, Array2<f64>, Vec<f64>) {
    let m = Array2::from_shape_simple_fn((n, n), &mut *number);
    let q: Vec<f64> = (0..n).map(|_| 3.0 * number()).collect();
    let centre: Vec<f64> = (0..n).map(|_| number()).collect();
    let mut h = Array2::zeros((2 * n + 2, n));
    let mut k = Vec::new();
    for i in 0..n {
        (h[[2 * i, i]], h[[2 * i + 1, i]]) = (1.0, -1.0);
        k.extend([centre[i] - 1.0, -centre[i] - 1.0]);
    }
    for c in 2 * n..2 * n + 2 {
        h.row_mut(c).map_inplace(|h| *h = number());
        k.push(h.row(c).iter().zip(&centre).map(|(h, x)| h * x).sum::<f64>() - 0.2);
    }
    (m, q, h, k)
}

/// The automatic choice solves the same problems as the path-following method. If the map is strictly
/// monotone, the solutions agree.
#[test]
fn the_automatic_choice_agrees_with_the_path() {
    let mut number = numbers(17);
    let (mut auto, mut path) = (Auto::default(), CaoFerris::default());
    let mut by_the_set = 0;
    for case in 0..300 {
        let n = 1 + case % 5;
        let (mut m, q, h, k) = over_a_cut_box(&mut number, n);
        let monotone = case % 2 == 0;
        if monotone {
            m = m.t().dot(&m) + Array2::<f64>::eye(n) * 0.1 + (&m - &m.t());
        }
        let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
        let (mut z, mut lambda) = (vec![0.0; n], vec![0.0; k.len()]);
        let (mut other, mut multipliers) = (z.clone(), lambda.clone());
        let info = auto.solve(&problem, &mut z, &mut lambda).unwrap();
        assert_eq!(info.status, Status::Converged, "case {case}: {:?}", auto.trace());
        assert!(info.error <= 1e-10 && info.error == error(&problem, &z, &lambda));
        assert!(lambda.iter().all(|l| *l >= 0.0));
        by_the_set += usize::from(auto.trace().len() == 1);
        assert!(path.solve(&problem, &mut other, &mut multipliers).unwrap().status.is_success());
        let distance = z.iter().zip(&other).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(!monotone || distance < 1e-8, "case {case}: {distance:e}");
        // A solve from the solution needs one linear system.
        let again = auto.solve(&problem, &mut z, &mut lambda).unwrap();
        assert_eq!((again.status, auto.trace().len()), (Status::Converged, 1), "case {case}");
        if monotone {
            assert_eq!(again.iterations, 1, "case {case}");
        }
    }
    // The remaining problems are solved by the path-following method, and there are enough of them.
    assert!((100..300).contains(&by_the_set), "{by_the_set}");
}

/// Statuses for polyhedra that are empty, unbounded, or the whole space.
#[test]
fn the_automatic_choice_tells_what_is_not_there() {
    let mut auto = Auto::default();
    let mut status = |m: &Array2<f64>, q: &[f64], h: &Array2<f64>, k: &[f64]| {
        let problem = AviProblem::new(m, q, h.view(), k).unwrap();
        let (mut z, mut lambda) = (vec![0.0; q.len()], vec![0.0; k.len()]);
        let info = auto.solve(&problem, &mut z, &mut lambda).unwrap();
        assert_eq!(info.status == Status::Converged, info.error <= 1e-10, "{info:?}");
        (info.status, z)
    };
    let identity = Array2::eye(2);
    // The constraints z_1 >= 1, z_2 >= 1, z_1 + z_2 <= 1 are infeasible, and feasible with z_1 + z_2 <= 2.
    let h = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
    assert_eq!(status(&identity, &[0.0; 2], &h, &[1.0, 1.0, -1.0]).0, Status::NoSolution);
    assert_eq!(status(&identity, &[0.0; 2], &h, &[1.0, 1.0, -2.0]), (Status::Converged, vec![1.0, 1.0]));
    // 0 z >= 1.
    let impossible = array![[0.0, 0.0], [1.0, 0.0]];
    assert_eq!(status(&identity, &[0.0; 2], &impossible, &[1.0, 0.0]).0, Status::NoSolution);
    // An unbounded set: F = q over z >= 0 has the solution 0 for q >= 0, and no solution for q_1 < 0.
    let (zero, orthant) = (Array2::zeros((2, 2)), Array2::eye(2));
    assert_eq!(status(&zero, &[1.0, 2.0], &orthant, &[0.0; 2]), (Status::Converged, vec![0.0, 0.0]));
    assert_eq!(status(&zero, &[-1.0, 2.0], &orthant, &[0.0; 2]).0, Status::NoSolution);
    // w = -z on z >= 1.
    assert_eq!(status(&array![[-1.0]], &[0.0], &array![[1.0]], &[1.0]).0, Status::NoSolution);
    // The whole plane with a singular M, which the path-following method refuses: with and without a
    // solution.
    let (singular, none) = (array![[1.0, 1.0], [1.0, 1.0]], Array2::zeros((0, 2)));
    let (found, z) = status(&singular, &[-1.0, -1.0], &none, &[]);
    assert_eq!(found, Status::Converged);
    assert!((z[0] + z[1] - 1.0).abs() < 1e-12);
    assert_eq!(status(&singular, &[1.0, 0.0], &none, &[]).0, Status::NoSolution);
}

/// Small problems are solved by the path-following method with dense matrices, large problems with sparse
/// columns.
#[test]
fn the_automatic_choice_takes_every_storage() {
    let mut number = numbers(23);
    let (m, q, h, k) = over_a_cut_box(&mut number, 4);
    let m = m.t().dot(&m) + Array2::<f64>::eye(4);
    let mut first: Option<Vec<f64>> = None;
    for m in [Matrix::from(m.clone()), Matrix::from(Csc::from_matrix(MatrixRef::from(&m)))] {
        let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
        let (mut z, mut lambda) = (vec![0.0; 4], vec![f64::NAN; k.len()]);
        assert!(Auto::default().solve(&problem, &mut z, &mut lambda).unwrap().status.is_success());
        let first = first.get_or_insert_with(|| z.clone());
        assert!(z.iter().zip(first).all(|(a, b)| (a - *b).abs() < 1e-14));
    }
    // A loaded string between supports with lower bounds on sums of neighbours: 150 unknowns in sparse
    // columns.
    let n = 150;
    let spring = (0..n).flat_map(|i| {
        let beside = (i + 1 < n).then_some([(i, i + 1, -1.0), (i + 1, i, -1.0)]);
        beside.into_iter().flatten().chain([(i, i, 2.1)])
    });
    let m = Csc::from_triplets(n, n, spring).unwrap();
    let q = vec![0.2; n];
    // The sums of neighbours are at least -1.
    let h = Array2::from_shape_fn((n / 2, n), |(i, j)| f64::from(u8::from(j / 2 == i)));
    let k = vec![-1.0; n / 2];
    let (mut z, mut lambda) = (vec![0.0; n], vec![0.0; n / 2]);
    let mut auto = Auto::default();
    let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
    let info = auto.solve(&problem, &mut z, &mut lambda).unwrap();
    assert!(info.status.is_success(), "{info:?} {:?}", auto.trace());
    let dense = m.to_dense();
    let problem = AviProblem::new(&dense, &q, h.view(), &k).unwrap();
    assert!(error(&problem, &z, &lambda) <= 1e-10);
    assert!(lambda.iter().any(|l| *l > 1e-3), "some pairs lie on the table");
    let (mut other, mut multipliers) = (vec![0.0; n], vec![0.0; n / 2]);
    assert!(CaoFerris::default().solve(&problem, &mut other, &mut multipliers).unwrap().status.is_success());
    assert!(z.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-7));
}

#[test]
fn the_automatic_choice_refuses_bad_input() {
    let (m, h) = (array![[1.0]], array![[1.0]]);
    for (q, k, z) in [(f64::NAN, 0.0, 0.0), (0.0, f64::INFINITY, 0.0), (0.0, 0.0, f64::NAN)] {
        let (q, k) = ([q], [k]);
        let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
        let refused = Auto::default().solve(&problem, &mut [z], &mut [0.0]).unwrap_err();
        assert!(matches!(refused, SolverError::Problem(ProblemError::NotFinite { .. })));
    }
    let problem = AviProblem::new(&m, &[0.0], h.view(), &[0.0]).unwrap();
    assert!(Auto::default().solve(&problem, &mut [0.0], &mut [0.0; 2]).is_err());
    assert!(Auto::new(AutoSettings { tolerance: 0.0, ..AutoSettings::default() }).is_err());
    let mut method = AviMethod::default();
    method.set_tolerance(1e-6);
    assert_eq!((method.build().unwrap().name(), method.build().unwrap().tolerance()), ("auto", 1e-6));
}

/// The twisting controller, with each step started from the previous solution. A step needs one linear system
/// until the state is near the origin, where the active set changes with a matrix of rank one, and the
/// path-following method is used as well.
#[test]
fn steps_of_a_simulation_keep_their_active_set() {
    let (h, r1, r2) = (1e-2_f64, 2.0, 1.0);
    let b = [0.5 * h * h, h];
    let square = array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let m = array![[b[0] * r1, b[0] * r2], [b[1] * r1, b[1] * r2]];
    let mut solver = Auto::default();
    let (mut s, mut lambda, mut x) = ([0.0; 2], [0.0; 4], [1.0_f64, 1.0]);
    let mut one_system = 0;
    for step in 0..2000 {
        let free = [x[0] + h * x[1], x[1]];
        let q = [-free[0], -free[1]];
        let problem = AviProblem::new(&m, &q, square.view(), &[-1.0; 4]).unwrap();
        let info = solver.solve(&problem, &mut s, &mut lambda).unwrap();
        assert!(info.status.is_success(), "step {step}: {info:?}");
        one_system += usize::from(solver.trace()[0].info.iterations == 1 && solver.trace().len() == 1);
        x = [free[0] - m.row(0).dot(&ndarray::aview1(&s)), free[1] - m.row(1).dot(&ndarray::aview1(&s))];
        for (s, x) in s.iter().zip(x) {
            assert!(s.abs() <= 1.0 + 1e-12);
            assert!(x.abs() <= 1e-11 || (s - x.signum()).abs() <= 1e-9, "step {step}: {s} {x}");
        }
    }
    assert!(x[0].abs() < 1e-2 && x[1].abs() < 2e-2, "{x:?}");
    assert!(one_system > 400, "{one_system}");
}

/// Each row of M is a multiple of another row, and q is as small as in the last steps before rest: one
/// unknown is at a face, and the other cancels it up to the last digits.
#[test]
fn a_matrix_of_rank_one_with_next_to_no_q_is_solved() {
    let mut auto = Auto::default();
    let mut solve = |problem: &AviProblem<'_>| {
        let (mut z, mut lambda) = ([0.0; 2], [0.0; 4]);
        let info = auto.solve(problem, &mut z, &mut lambda).unwrap();
        (info.status, z, lambda)
    };
    let faces = array![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let minus_one = [-1.0; 4];
    let published = array![[0.364, 0.364 * 0.2], [14.39, 14.39 * 0.2]];
    for factor in [1.0, 1e2, 1e6] {
        let q = [-5.6e-14 * factor, -1.1e-12 * factor];
        let problem = AviProblem::new(&published, &q, faces.view(), &minus_one).unwrap();
        let (status, z, _) = solve(&problem);
        assert!(status.is_success() && (z[0] - 0.2).abs() < 1e-6 && z[1] == -1.0, "{status:?}, {z:?}");
    }
    let mut draw = numbers(17);
    for i in 0..200 {
        let (tall, wide) = ([draw(), 20.0 * draw()], [1.0 + draw(), draw()]);
        let m = Array2::from_shape_fn((2, 2), |(i, j)| tall[i] * wide[j]);
        let size = 10.0_f64.powf(-8.0 - 8.0 * draw());
        let near = 1.0 + 1e-3 * draw();
        let q = if i % 2 == 0 {
            [-tall[0] * size * near, -tall[1] * size]
        } else {
            [draw() * size, draw() * size]
        };
        let problem = AviProblem::new(&m, &q, faces.view(), &minus_one).unwrap();
        let (status, z, lambda) = solve(&problem);
        assert!(status.is_success(), "{i}: {m}, {q:?}: {status:?}, {z:?}, {lambda:?}");
        assert!(
            z.iter().all(|z| z.abs() <= 1.0 + 1e-12) && lambda.iter().all(|l| *l >= 0.0),
            "{z:?}, {lambda:?}"
        );
    }
}
