//! Points that must not be reported as solutions: diverging reactions, units, large friction, immovable
//! bodies.

use ndarray::{Array2, array};
use siconos_linalg::{Matrix, MatrixRef};
use siconos_numerics::contact::{
    Contact, ContactLawData, ContactMethod, GaussSeidelSettings, LocalSolver, NonsmoothGaussSeidel,
    error_of_point, siconos_error,
};
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::contact::{
    KnownContact, Shape, cones, contact_error, coulomb, name_of_law, planted, rolling, velocity_error,
    violation,
};
use siconos_testkit::random::RandomState;

/// Returns every method with a limited number of iterations, since many solves diverge.
fn methods(iterations: usize) -> Vec<(&'static str, Box<dyn Solver<Class = Contact>>)> {
    let methods = ContactMethod::all().into_iter().map(|mut method| {
        if !matches!(method, ContactMethod::Auto(_)) {
            method.set_max_iterations(iterations);
        }
        (method.description().name, method.build().expect("the settings are valid"))
    });
    methods.collect()
}

fn problem(w: Array2<f64>, q: Vec<f64>, law: ContactLawData) -> KnownContact {
    KnownContact { name: name_of_law(&law), w: Matrix::from(w), q, law, r: None, shape: None }
}

/// Report of a solver, with reactions and velocities.
type Solved = (Result<SolveInfo, SolverError>, Vec<f64>, Vec<f64>);

/// Solves from zero. Returns `None` if the solver does not support the problem.
fn solve(solver: &mut dyn Solver<Class = Contact>, problem: &KnownContact) -> Option<Solved> {
    let n = problem.q.len();
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    solver.supports(&problem.view()).ok()?;
    let outcome = solver.solve(&problem.view(), &mut r, &mut u);
    Some((outcome, r, u))
}

/// The sum of u_N of the two contacts is -2 for all reactions: the problem has no solution.
#[test]
fn reactions_that_run_off_solve_nothing() {
    let mut w = Array2::<f64>::eye(6);
    for k in 0..3 {
        (w[[k, 3 + k]], w[[3 + k, k]]) = (-1.0, -1.0);
    }
    let problem = problem(w, vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], coulomb(3, 2, 0.5));
    for (name, mut solver) in methods(2000) {
        let Some((outcome, r, _)) = solve(solver.as_mut(), &problem) else { continue };
        let is_success = outcome.as_ref().is_ok_and(|info| info.status.is_success());
        assert!(!is_success, "{name}: {outcome:?} {r:?}");
    }
    // The error detects the violation for reactions of any size.
    for size in [0.0, 1.0, 1e8, 4e17, 1e100] {
        let r = [size, 0.0, 0.0, size, 0.0, 0.0];
        let error = error_of_point(&problem.view(), &r, &mut [0.0; 6]);
        assert!(error >= 1.0 - 1e-12, "{size:e}: {error:e}");
    }
}

/// Sticking needs r = (1, -3, -4), which is admissible for every large friction coefficient.
#[test]
fn large_friction_holds() {
    for mu in [5.0, 1e3, 1e6, 1e8, 1e12, 1e300, f64::INFINITY] {
        for (q, dimension) in [(vec![-1.0, 3.0, 4.0], 3), (vec![-1.0, 3.0], 2)] {
            let n = q.len();
            let problem = problem(Array2::eye(n), q.clone(), coulomb(dimension, 1, mu));
            let exact: Vec<f64> = q.iter().map(|q| -q).collect();
            let mut solved = 0;
            for (name, mut solver) in methods(10_000) {
                let Some((outcome, r, _)) = solve(solver.as_mut(), &problem) else { continue };
                if !outcome.as_ref().is_ok_and(|info| info.status.is_success()) {
                    assert!(
                        !["auto", "nonsmooth-gauss-seidel", "newton"].contains(&name),
                        "{name}, {mu:e}: {outcome:?}"
                    );
                    continue;
                }
                solved += 1;
                let off = r.iter().zip(&exact).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
                assert!(off <= 1e-6, "{name}, mu = {mu:e}: {r:?}");
            }
            assert!(solved >= 4, "mu = {mu:e}: {solved} methods");
            // The point r = 0 is not a solution.
            let error = error_of_point(&problem.view(), &vec![0.0; n], &mut vec![0.0; n]);
            assert!(error > 0.1, "{mu:e}: {error:e}");
        }
    }
}

/// With infinite friction, a contact opens with r = 0 or sticks with u = 0. One of the two cases is planted
/// at every contact.
#[test]
fn infinite_friction_opens_or_sticks() {
    let (mut asked, mut solved) = (0, 0);
    for dimension in [2, 3] {
        for number in 0..40 {
            let law = coulomb(dimension, 5, 3.0);
            let mut problem = planted(law, Shape::DEFINITE, number);
            let mut r = problem.r.take().expect("planted");
            let mut u = problem.velocity(&r);
            for (r, u) in r.chunks_mut(dimension).zip(u.chunks_mut(dimension)) {
                if r[0] > 0.0 {
                    u.fill(0.0);
                } else {
                    r.fill(0.0);
                }
                u[0] = u[0].max(0.0);
            }
            let mut product = vec![0.0; r.len()];
            problem.w.add_product(1.0, &r, &mut product);
            problem.q = u.iter().zip(&product).map(|(u, p)| u - p).collect();
            problem.law = coulomb(dimension, 5, f64::INFINITY);
            assert!(problem.error(&r) < 1e-14, "{}", problem.name);
            for name in ["auto", "nonsmooth-gauss-seidel", "newton"] {
                let mut solver =
                    ContactMethod::from_name(name).expect("it exists").build().expect("defaults");
                let (outcome, r, u) = solve(solver.as_mut(), &problem).expect("it takes infinite friction");
                let info = outcome.expect("the data fit");
                if name == "auto" {
                    asked += 1;
                    solved += usize::from(info.status.is_success());
                }
                for (r, u) in
                    r.chunks(dimension).zip(u.chunks(dimension)).filter(|_| info.status.is_success())
                {
                    let largest = u.iter().fold(0.0_f64, |a, u| a.max(u.abs()));
                    let is_open = r.iter().all(|r| r.abs() <= 1e-7) && u[0] >= -1e-7;
                    assert!(is_open || (r[0] >= 0.0 && largest <= 1e-7), "{name}: {r:?} {u:?}");
                }
            }
        }
    }
    println!("auto solves {solved} of {asked}");
    assert!(100 * solved >= 95 * asked, "{solved} of {asked}");
}

/// The first contact is between two immovable bodies.
#[test]
fn a_contact_that_nothing_moves() {
    let w = Array2::from_diag(&array![0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    let law = coulomb(3, 2, 0.5);
    for free in [0.0, 0.3] {
        let problem = problem(w.clone(), vec![free, 0.4, 0.0, -1.0, 0.1, 0.0], law.clone());
        for (name, mut solver) in methods(10_000) {
            let Some((outcome, r, _)) = solve(solver.as_mut(), &problem) else { continue };
            let info = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(info.status.is_success(), "{name}: {info:?}");
            assert!(r[..3] == [0.0; 3] && (r[3] - 0.5).abs() < 1e-6, "{name}: {r:?}");
        }
    }
    let approaching = problem(w, vec![-1e-3, 0.4, 0.0, -1.0, 0.1, 0.0], law);
    assert_eq!(approaching.view().immovable_and_approaching(), [0]);
    for (name, mut solver) in methods(100) {
        let Some((outcome, ..)) = solve(solver.as_mut(), &approaching) else { continue };
        assert_eq!(outcome.expect("the data fit").status, Status::NoSolution, "{name}");
    }
}

/// If the free velocity is zero, r = 0 is the solution, for any initial guess.
#[test]
fn without_free_velocity_nothing_is_held() {
    let problem = problem(Array2::eye(3), vec![0.0; 3], coulomb(3, 1, 0.5));
    for (name, mut solver) in methods(100) {
        let (mut r, mut u) = ([1.0, 0.1, 0.0], [0.0; 3]);
        if solver.supports(&problem.view()).is_ok() {
            let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            assert_eq!((info.status, info.error, r), (Status::Converged, 0.0, [0.0; 3]), "{name}");
        }
    }
    assert!(error_of_point(&problem.view(), &[1.0, 0.0, 0.0], &mut [0.0; 3]).is_infinite());
}

/// A wheel with infinite friction does not slide. It rolls if the moment is at its bound: r = -q except for
/// the moment.
#[test]
fn infinite_friction_holds_a_wheel() {
    for (spin, moment, left) in [(0.05, -0.05, 0.0), (0.5, -0.1, 0.4)] {
        for dimension in [3, 5] {
            let (mut q, mut exact, mut velocity) =
                (vec![0.0; dimension], vec![0.0; dimension], vec![0.0; dimension]);
            let turn = dimension.div_ceil(2);
            (q[0], q[1], q[turn]) = (-1.0, 3.0, spin);
            (exact[0], exact[1], exact[turn]) = (1.0, -3.0, moment);
            velocity[turn] = left;
            let law = rolling(dimension, 1, f64::INFINITY, 0.1);
            let problem = problem(Array2::eye(dimension), q, law);
            let mut solved = 0;
            for (name, mut solver) in methods(10_000) {
                let Some((outcome, r, u)) = solve(solver.as_mut(), &problem) else { continue };
                let info = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(info.status.is_success(), "{name}: {info:?}");
                let off = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-6);
                assert!(off(&r, &exact) && off(&u, &velocity), "{name}: {r:?} {u:?}");
                solved += 1;
            }
            assert!(solved >= 2, "{solved} methods");
        }
    }
}

/// Free velocities without approach lead to r = 0, also from initial guesses with tension.
#[test]
fn infinite_rolling_friction_begins_from_any_guess() {
    for dimension in [3, 5] {
        let law = rolling(dimension, 1, f64::INFINITY, 0.1);
        for pull in [-1.0, -1e-300, 0.0] {
            for slip in [0.0, 0.3] {
                let mut r = vec![0.0; dimension];
                (r[0], r[1], r[dimension - 1]) = (pull, slip, 0.2);
                law.view().project(0, &mut r);
                assert_eq!(r, vec![0.0; dimension]);
            }
        }
        let mut q = vec![0.0; dimension];
        (q[0], q[1]) = (-1.0, 3.0);
        let problem = problem(Array2::eye(dimension), q, law);
        let mut solved = 0;
        for (name, mut solver) in methods(10_000) {
            if solver.supports(&problem.view()).is_err() {
                continue;
            }
            let (mut r, mut u) = (vec![0.0; dimension], vec![0.0; dimension]);
            (r[0], r[1]) = (-1.0, 1.0);
            let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            assert!(info.status.is_success(), "{name}: {info:?}");
            assert!((r[0] - 1.0).abs() < 1e-6 && (r[1] + 3.0).abs() < 1e-6, "{name}: {r:?}");
            solved += 1;
        }
        assert!(solved >= 2, "{solved} methods");
    }
}

/// Gauss-Seidel sweeps with any local solver support infinite friction, also if the solver stops after one
/// step.
#[test]
fn sweeps_take_infinite_friction_or_refuse_it() {
    let w = array![[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]];
    let problem = problem(w, vec![-1.0, 0.5, 0.3], coulomb(3, 1, f64::INFINITY));
    for local in LocalSolver::ALL {
        for local_iterations in [1, 100] {
            let settings = GaussSeidelSettings { local, local_iterations, ..GaussSeidelSettings::default() };
            let mut solver = NonsmoothGaussSeidel::new(settings).expect("the settings are in their ranges");
            if solver.supports(&problem.view()).is_err() {
                continue;
            }
            let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
            let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            assert!(info.status.is_success() && r[0] > 0.1, "{local:?}, {local_iterations}: {info:?} {r:?}");
        }
    }
}

/// The error as Siconos defines it does not exist for infinite friction.
#[test]
fn the_error_of_siconos_is_no_number_at_infinite_friction() {
    let problem = problem(Array2::eye(2), vec![-1.0, 1.0], coulomb(2, 1, f64::INFINITY));
    assert!(siconos_error(&problem.view(), &[0.0; 2], &[-1.0, 1.0]).is_nan());
}

/// A cone with a row of zeros may need a reaction in this row, in contrast to a contact: W = diag(0, 1), r =
/// (4, -4), w = (1, 1).
#[test]
fn a_cone_with_a_row_of_zeros_may_have_a_reaction() {
    let law = cones(&[2], 1.0);
    let w = array![[0.0, 0.0], [0.0, 1.0]];
    let solvable = problem(w.clone(), vec![1.0, 5.0], law.clone());
    let exact = error_of_point(&solvable.view(), &[4.0, -4.0], &mut [0.0; 2]);
    assert!(exact < 1e-15, "{exact:e}");
    assert!(solvable.view().immovable_and_approaching().is_empty());
    let mut solved = Vec::new();
    for (name, mut solver) in methods(10_000) {
        let Some((Ok(info), r, _)) = solve(solver.as_mut(), &solvable) else { continue };
        assert!(info.status != Status::NoSolution, "{name}");
        if info.status.is_success() {
            assert!((r[0] - 4.0).abs() < 1e-6 && (r[1] + 4.0).abs() < 1e-6, "{name}: {r:?}");
            solved.push(name);
        }
    }
    for name in ["auto", "extragradient", "admm", "proximal-point"] {
        assert!(solved.contains(&name), "{name} does not solve it, but {solved:?} do");
    }
    // The first row of w equals q for all r, and is negative.
    let unsolvable = problem(w, vec![-1.0, 5.0], law);
    assert_eq!(unsolvable.view().immovable_and_approaching(), [0]);
}

/// Creates four bodies that are squeezed between two contacts each, with a relative compliance of 1 /
/// `stiffness`. The solution is r_N = 1.84 `stiffness`.
fn squeezed(stiffness: f64) -> KnownContact {
    let mut w = Array2::zeros((24, 24));
    for k in 0..12 {
        let (i, j) = (k / 3 * 6 + k % 3, k / 3 * 6 + 3 + k % 3);
        let give = 1.0 / stiffness;
        (w[[i, i]], w[[j, j]], w[[i, j]], w[[j, i]]) = (1.0 + give, 1.0 + give, -1.0, -1.0);
    }
    let q = (0..24).map(|k| if k % 3 == 0 { -1.84 } else { 0.0 }).collect();
    problem(w, q, coulomb(3, 8, 0.5))
}

/// Eight contacts with u_N = -0.257 and |q| = 5.2 do not count as solved, for reactions of any size.
#[test]
fn a_large_reaction_excuses_no_violation() {
    for stiffness in [1e3, 1e6, 1e8] {
        let problem = squeezed(stiffness);
        let part = 1.0 - 0.257 / 1.84;
        let start: Vec<f64> =
            problem.q.iter().map(|q| if *q < 0.0 { part * 1.84 * stiffness } else { 0.0 }).collect();
        let mut u = vec![0.0; 24];
        let error = error_of_point(&problem.view(), &start, &mut u);
        assert!((u[0] + 0.257).abs() < 1e-4, "{}", u[0]);
        assert!((error - 0.257 / 1.84).abs() < 1e-4, "{stiffness:e}: {error:e}");
        for (name, mut solver) in methods(20) {
            let mut r = start.clone();
            if solver.supports(&problem.view()).is_err() {
                continue;
            }
            let info =
                solver.solve(&problem.view(), &mut r, &mut u).unwrap_or_else(|e| panic!("{name}: {e}"));
            // The reported status agrees with the error of the point.
            let error = velocity_error(&problem.law, &problem.w.view().to_dense(), &problem.q, &r);
            let allowed = if info.status == Status::AtRoundingLevel { 1e-5 } else { 1e-7 };
            assert!(
                !info.status.is_success() || error <= allowed,
                "{name}, {stiffness:e}: {info:?}, {error:e}"
            );
        }
    }
}

/// Points at the level of rounding count as solutions if the velocities satisfy the law to a thousand times
/// the tolerance. The reported error is always the error of the point.
#[test]
fn rounding_is_no_excuse_beyond_a_thousand_tolerances() {
    let mut at_rounding_level = 0;
    for (stiffness, may_be) in [(1e10, true), (1e13, false)] {
        // A small perturbation, so that terms do not cancel by chance.
        let mut problem = squeezed(stiffness);
        problem.q.iter_mut().enumerate().for_each(|(k, q)| *q *= 1.0 + 0.01 * k as f64);
        for (name, mut solver) in methods(1000) {
            let Some((outcome, r, _)) = solve(solver.as_mut(), &problem) else { continue };
            let Ok(info) = outcome else { continue };
            let error = error_of_point(&problem.view(), &r, &mut [0.0; 24]);
            assert!(
                info.error == error || (info.error - error).abs() <= 1e-6 * error,
                "{name}: {info:?} {error:e}"
            );
            for attempt in solver.trace() {
                let told = attempt.info;
                assert!(!told.status.is_success() || told.error <= 1e-5, "{name}: {attempt:?}");
            }
            if info.status == Status::AtRoundingLevel {
                at_rounding_level += 1;
                assert!(info.error > 1e-8 && info.error <= 1e-5, "{name}: {info:?}");
            }
            assert!(may_be || !info.status.is_success(), "{name}, {stiffness:e}: {info:?}");
        }
    }
    assert!(at_rounding_level > 0, "no method has met rounding");
}

/// The error is equivalent to the natural map on Coulomb's cone: neither is larger than 3 + mu times the
/// other.
#[test]
fn the_measure_and_the_natural_map_are_equivalent() {
    let mut draw = RandomState::new(41);
    let mut furthest = [0.0_f64; 2];
    for k in 0..20_000 {
        let dimension = 2 + k % 2;
        let mu = [0.0, 0.01, 0.3, 1.0, 3.0, 10.0][k % 6];
        let law = coulomb(dimension, 1, mu);
        // The sizes differ by powers of ten, and some entries are zero: the two errors differ most at the
        // corners of the law.
        let mut entry = |j: usize| match draw.word() % 4 {
            0 if j > 0 => 0.0,
            decade => draw.between(-1.0, 1.0) * 10.0_f64.powi(1 - decade as i32),
        };
        let r: Vec<f64> = (0..dimension).map(&mut entry).collect();
        let u: Vec<f64> = (0..dimension).map(&mut entry).collect();
        let q = [&[1.0][..], &vec![0.0; dimension - 1]].concat();
        let w = Array2::<f64>::eye(dimension);
        let measure = contact_error(&law, MatrixRef::from(&w), &q, &r, &u);
        let map = violation(&law, &r, &u);
        let bound = 3.0 + mu;
        assert!(measure <= bound * map && map <= bound * measure, "{mu}: {measure:e} {map:e} {r:?} {u:?}");
        furthest = [furthest[0].max(measure / map / bound), furthest[1].max(map / measure / bound)];
    }
    // The bound is attained up to a factor of about 3.
    assert!(furthest[0].max(furthest[1]) > 0.3, "{furthest:?}");
}
