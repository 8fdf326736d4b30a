//! Methods in velocity space: walls, towers and piles with the proximal point method, bodies known to the
//! automatic choice, units.

use ndarray::{Array1, Array2};
use siconos_linalg::Matrix;
use siconos_numerics::contact::{
    Auto, AutoSettings, Contact, ContactLaw, ContactProblem, NonsmoothGaussSeidel, VelocityAdmm,
    VelocityAdmmSettings, VelocityInteriorPoint, VelocityProximalPoint, VelocityProximalPointSettings,
};
use siconos_numerics::{EffortLimit, Solver, Status};
use siconos_testkit::compare::worse;
use siconos_testkit::contact::{
    KnownGlobal, discs, discs_global, spheres, spheres_global, tower, tower_global, wall, wall_global,
};

use crate::support::piles::{in_other_units, solved, solved_by_bodies};

#[test]
fn proximal_points_solve_walls_towers_and_piles() {
    let cases = [
        (wall(150, 0.5, 1), wall_global(150, 0.5, 1)),
        (tower(25, 0.5, 1), tower_global(25, 0.5, 1)),
        (spheres(150, 0.1, 1), spheres_global(150, 0.1, 1)),
        (discs(150, 0.1, 1), discs_global(150, 0.1, 1)),
    ];
    for (local, global) in cases {
        let (info, r, _) = solved_by_bodies(&mut VelocityProximalPoint::default(), &global);
        assert!(info.status.is_success(), "{}: {info:?}", local.name);
        assert!(local.error(&r) <= 1e-8, "{}: {:e}", local.name, local.error(&r));
    }
}

/// Without friction, the velocities are unique.
#[test]
fn without_friction_the_velocities_are_those_of_sweeps() {
    let (local, global) = (spheres(120, 0.0, 1), spheres_global(120, 0.0, 1));
    let (info, r, _) = solved_by_bodies(&mut VelocityProximalPoint::default(), &global);
    let (of_sweeps, swept) = solved(&mut NonsmoothGaussSeidel::default(), &local.view());
    assert!(info.status.is_success() && of_sweeps.status.is_success(), "{info:?}, {of_sweeps:?}");
    let [first, second] = [r, swept].map(|r| local.velocity(&r));
    let largest = first.iter().zip(&second).fold(0.0, |largest, (a, b)| worse(largest, (a - b).abs()));
    assert!(largest < 1e-7, "{largest:e}");
}

/// The iterations of the Gauss-Seidel sweeps and of the interior-point method add up to the total.
#[test]
fn the_trace_accounts_for_all_iterations() {
    let (pile, global) = (spheres(200, 0.3, 1), spheres_global(200, 0.3, 1));
    let (m, h) = global.bodies();
    let problem = pile.view().with_bodies(&m, &h).expect("the parts fit");
    let mut auto = Auto::default();
    let (info, r) = solved(&mut auto, &problem);
    assert!(info.status.is_success() && pile.error(&r) <= 1e-8, "{info:?}");
    let of_bodies = auto.trace().iter().find(|attempt| attempt.method == "velocity-interior-point");
    assert!(of_bodies.is_some_and(|attempt| attempt.info.iterations <= 15), "{:?}", auto.trace());
    let iterations: usize = auto.trace().iter().map(|attempt| attempt.info.iterations).sum();
    assert_eq!(iterations, info.iterations);
}

/// With this friction coefficient, no method converges within the budget. The cascade ends without a method
/// that needs W, reports that the budget is spent, and exceeds it by at most 5 %.
#[test]
fn what_the_bodies_do_not_solve_is_not_tried_with_w() {
    let (pile, global) = (discs(2000, 0.3, 1), discs_global(2000, 0.3, 1));
    let (m, h) = global.bodies();
    let problem = pile.view().with_bodies(&m, &h).expect("the parts fit");
    let effort = EffortLimit { operations: 2e9, factorisations: 0.0 };
    for last_resorts in [false, true] {
        let settings = AutoSettings { effort, last_resorts, ..Default::default() };
        let mut auto = Auto::new(settings).expect("in range");
        let (info, r) = solved(&mut auto, &problem);
        assert_eq!(info.status, Status::EffortSpent, "{:?}", auto.trace());
        let spent: f64 = auto.trace().iter().map(|attempt| attempt.effort).sum();
        assert!(spent <= 1.05 * effort.operations, "{spent:e}, {:?}", auto.trace());
        assert!((pile.error(&r) - info.error).abs() <= 1e-9 * info.error, "{info:?}");
        let methods: Vec<_> = auto.trace().iter().map(|attempt| attempt.method).collect();
        assert!(methods.contains(&"velocity-proximal-point"), "{methods:?}");
        assert!(
            !methods.iter().any(|method| ["interior-point", "proximal-point"].contains(method)),
            "{methods:?}"
        );
    }
}

/// The initial guess does not change the solution, for any velocities of the contacts.
#[test]
fn the_guess_does_not_change_the_solution() {
    let (m, h) = (Matrix::from(Array1::from_elem(2, 2.0)), Array2::eye(2));
    let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
    let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law).expect("fits");
    for guess in [[0.0; 2], [-5.0, 3.0], [1e9, 0.0]] {
        let (mut r, mut u) = (guess, [0.0; 2]);
        let info = VelocityProximalPoint::default().solve(&problem, &mut r, &mut u).expect("fits");
        assert!(info.status.is_success(), "{guess:?}: {info:?}");
        assert!((r[0] - 1.0).abs() < 1e-8 && (r[1] + 0.5).abs() < 1e-8, "{r:?}");
    }
    let still = ContactProblem::of_bodies(&m, &h, &[0.0; 2], law).expect("fits");
    let (mut r, mut u) = ([1.0; 2], [1.0; 2]);
    let info = VelocityProximalPoint::default().solve(&still, &mut r, &mut u).expect("fits");
    assert!(info.status.is_success() && r == [0.0; 2] && u == [0.0; 2], "{info:?}");
}

/// A solver is used for problems of different sizes. Previous problems do not affect its results.
#[test]
fn one_solver_serves_piles_of_changing_size() {
    let (first, second) = (spheres_global(100, 0.2, 1), discs_global(60, 0.1, 2));
    let mut solver = VelocityProximalPoint::default();
    let before = solved_by_bodies(&mut solver, &first);
    assert!(solved_by_bodies(&mut solver, &second).0.status.is_success());
    assert_eq!(solved_by_bodies(&mut solver, &first), before);
}

/// Creates a proximal point solver with a tolerance at which piles of this size need few steps, most of them
/// with the factors of an earlier step.
fn with_kept_factors() -> (VelocityProximalPoint, KnownGlobal) {
    let settings = VelocityProximalPointSettings { tolerance: 1e-3, ..Default::default() };
    (VelocityProximalPoint::new(settings).expect("in range"), spheres_global(500, 0.3, 1))
}

#[test]
fn factors_that_are_kept_do_not_outlast_a_problem() {
    let (mut solver, pile) = with_kept_factors();
    let expected = solved_by_bodies(&mut solver.clone(), &pile);
    assert!(expected.0.status.is_success(), "{:?}", expected.0);
    assert!(solved_by_bodies(&mut solver, &discs_global(60, 0.1, 2)).0.status.is_success());
    assert_eq!(solved_by_bodies(&mut solver, &pile), expected);
    assert_eq!(solved_by_bodies(&mut solver.clone(), &pile), expected);
}

/// ADMM uses one matrix in all steps, so that a clone of the solver has its factors.
#[test]
fn a_clone_of_a_solver_solves_the_same_problem() {
    let pile = spheres_global(300, 0.1, 1);
    let settings = VelocityAdmmSettings { tolerance: 1e-3, ..VelocityAdmmSettings::for_piles() };
    let mut solver = VelocityAdmm::new(settings).expect("in range");
    let expected = solved_by_bodies(&mut solver, &pile);
    assert!(expected.0.status.is_success(), "{:?}", expected.0);
    assert_eq!(solved_by_bodies(&mut solver.clone(), &pile), expected);
}

/// With masses rounded to six digits, as in files, the bodies are inconsistent with W at 1e-8, and the
/// problem is solved with W alone. At 1e-3 they are consistent.
#[test]
fn rounded_bodies_are_not_those_of_w() {
    let (pile, mut global) = (spheres(230, 1.0, 1), spheres_global(230, 1.0, 1));
    for mass in &mut global.masses {
        *mass = format!("{mass:.5e}").parse().expect("a number");
    }
    let (m, h) = global.bodies();
    let problem = pile.view().with_bodies(&m, &h).expect("the parts fit");
    for tolerance in [1e-8, 1e-3] {
        let mut auto = Auto::new(AutoSettings { tolerance, ..Default::default() }).expect("in range");
        let (info, r) = solved(&mut auto, &problem);
        assert!(info.status.is_success() && pile.error(&r) <= tolerance, "{info:?}");
        let in_velocities = |method: &str| method.starts_with("velocity-");
        let is_known = auto.trace().iter().any(|attempt| in_velocities(attempt.method));
        assert_eq!(is_known, tolerance == 1e-3, "{:?}", auto.trace());
    }
}

/// One contact has infinite friction. Only methods with W support it.
#[test]
fn infinite_friction_is_left_to_methods_that_take_it() {
    let (pile, global) = (tower(12, 0.4, 1), tower_global(12, 0.4, 1));
    let (m, h) = global.bodies();
    let mut mu = vec![0.4; pile.law.view().blocks()];
    mu[5] = f64::INFINITY;
    let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
    let problem = ContactProblem::new(&pile.w, &pile.q, law).expect("fits");
    let with_bodies = problem.with_bodies(&m, &h).expect("the parts fit");
    let [plain, known] = [&problem, &with_bodies].map(|problem| {
        let mut auto = Auto::default();
        let solved = solved(&mut auto, problem);
        // The cascade must go beyond the Gauss-Seidel sweeps for the comparison to be meaningful.
        assert!(auto.trace().len() > 1, "{:?}", auto.trace());
        solved
    });
    assert_eq!(plain, known);
    assert!(plain.0.status.is_success(), "{:?}", plain.0);
}

#[test]
fn bodies_that_are_known_are_made_use_of() {
    let (pile, global) = (spheres(600, 1.0, 2), spheres_global(600, 1.0, 2));
    let (m, h) = global.bodies();
    let problem = pile.view().with_bodies(&m, &h).expect("the parts fit");
    let mut auto = Auto::default();
    let (info, r) = solved(&mut auto, &problem);
    assert!(info.status.is_success() && pile.error(&r) <= 1e-8, "{info:?}");
    let last = auto.trace().last().expect("something was tried");
    assert_eq!(last.method, "velocity-interior-point", "{:?}", auto.trace());
    // Another problem in between does not change the result.
    let (other, others) = (spheres(250, 0.8, 3), spheres_global(250, 0.8, 3));
    let (other_m, other_h) = others.bodies();
    let between = other.view().with_bodies(&other_m, &other_h).expect("the parts fit");
    assert!(solved(&mut auto, &between).0.status.is_success());
    assert_eq!(solved(&mut auto, &problem), (info, r));
}

#[test]
fn bodies_of_another_problem_solve_nothing() {
    let pile = spheres(250, 1.0, 1);
    let law = pile.law.view();
    let (m, h) = spheres_global(250, 1.0, 2).bodies();
    let heavy = Matrix::from(Array1::from_elem(m.view().rows(), 1e3));
    let nothing = Matrix::from(Array2::<f64>::zeros((m.view().rows(), pile.q.len())));
    let broken = Matrix::from(Array1::from_elem(m.view().rows(), f64::NAN));
    for (case, (m, h)) in [(&m, &h), (&heavy, &h), (&m, &nothing), (&broken, &h)].into_iter().enumerate() {
        let problem = pile.view().with_bodies(m, h).expect("the parts fit");
        let mut auto = Auto::default();
        let (info, r) = solved(&mut auto, &problem);
        assert_eq!(info.status.is_success(), pile.error(&r) <= 1e-8, "{info:?}");
        // The problem is solved with W.
        let methods: Vec<_> = auto.trace().iter().map(|attempt| attempt.method).collect();
        assert!(info.status.is_success() && methods.contains(&"interior-point"), "{case}: {methods:?}");
    }
    // If W is not finite, the bodies cannot be compared with it.
    let mut w = pile.w.view().to_dense();
    w[[3, 3]] = f64::NAN;
    let w = Matrix::from(w);
    let problem =
        ContactProblem::new(&w, &pile.q, law).expect("shapes fit").with_bodies(&m, &h).expect("fit");
    let n = pile.q.len();
    let solved = Auto::default().solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]);
    assert!(!solved.is_ok_and(|info| info.status.is_success()));
    assert!(pile.view().with_bodies(&h, &h).is_err() && pile.view().with_bodies(&m, &m).is_err());
}

/// Rotations, masses and velocities in other units: powers of two, also with odd exponents.
#[test]
fn units_change_no_bit_in_the_velocities() {
    let with_kept = with_kept_factors();
    for (mut solver, pile) in [
        (
            Box::new(VelocityInteriorPoint::default()) as Box<dyn Solver<Class = Contact>>,
            spheres_global(150, 0.2, 1),
        ),
        (Box::new(VelocityProximalPoint::default()), spheres_global(80, 0.2, 1)),
        (Box::new(with_kept.0), with_kept.1),
    ] {
        units_change_no_bit(solver.as_mut(), &pile);
    }
}

/// Automatic choice with W and the bodies: Gauss-Seidel sweeps, interior-point method, with the looser
/// tolerance ADMM, proximal point method.
#[test]
fn units_change_no_bit_of_the_automatic_choice() {
    let (pile, global) = (discs(2000, 0.3, 1), discs_global(2000, 0.3, 1));
    let mut tried = Vec::new();
    for (tolerance, operations) in [(1e-8, 2e9), (1e-4, 4e9)] {
        let effort = EffortLimit { operations, factorisations: 0.0 };
        let mut auto = Auto::new(AutoSettings { tolerance, effort, ..Default::default() }).expect("in range");
        let (m, h) = global.bodies();
        let expected = solved(&mut auto, &pile.view().with_bodies(&m, &h).expect("the parts fit"));
        assert!(expected.1.iter().any(|r| *r > 0.0), "{:?}", expected.0);
        let trace = auto.trace().to_vec();
        tried.extend(trace.iter().map(|attempt| attempt.method));
        let spent: f64 = trace.iter().map(|attempt| attempt.effort).sum();
        assert!(spent <= 1.05 * operations, "{spent:e}, {trace:?}");
        for (length, mass, velocity) in [(8.0, 2.0, 1.0), (0.5, 0.125, 4.0)] {
            let (m, h) = in_other_units(&global, length, mass, velocity).bodies();
            let mut w = pile.w.clone();
            let Matrix::BlockCsr(blocks) = &mut w else { unreachable!("piles come in blocks") };
            blocks.scale_entries(|_, _| 1.0 / mass);
            let q: Vec<f64> = pile.q.iter().map(|q| q * velocity).collect();
            let problem = ContactProblem::new(&w, &q, pile.law.view()).expect("shapes fit");
            let (info, r) = solved(&mut auto, &problem.with_bodies(&m, &h).expect("the parts fit"));
            assert_eq!((info, auto.trace()), (expected.0, &trace[..]));
            let scaled = expected.1.iter().map(|r| r * mass * velocity);
            assert!(r.iter().zip(scaled).all(|(a, b)| *a == b), "{length}, {mass}, {velocity}");
        }
    }
    let all = ["velocity-interior-point", "velocity-admm", "velocity-proximal-point"];
    assert!(all.iter().all(|method| tried.contains(method)), "{tried:?}");
}

fn units_change_no_bit(solver: &mut dyn Solver<Class = Contact>, pile: &KnownGlobal) {
    let (info, r, v) = solved_by_bodies(solver, pile);
    assert!(info.status.is_success() && r.iter().any(|r| *r > 0.0), "{info:?}");
    for (length, mass, velocity) in [(8.0, 2.0, 1.0), (0.5, 0.125, 4.0)] {
        let freedom = |i: usize| if i % 6 >= 3 { length } else { 1.0 };
        let other = in_other_units(pile, length, mass, velocity);
        let (of_other, r_other, v_other) = solved_by_bodies(solver, &other);
        assert_eq!((of_other.status, of_other.iterations), (info.status, info.iterations));
        assert!(
            r_other.iter().zip(&r).all(|(a, b)| *a == b * mass * velocity),
            "{length}, {mass}, {velocity}"
        );
        let v = v.iter().enumerate().map(|(i, v)| v * velocity / freedom(i));
        assert!(v_other.iter().zip(v).all(|(a, b)| *a == b), "{length}, {mass}, {velocity}");
    }
}
