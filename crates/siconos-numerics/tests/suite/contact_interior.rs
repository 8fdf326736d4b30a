//! Interior points in the reactions and in the velocities: piles at rest and piles that slide, coefficients
//! of 0, bodies that are known, units.

use ndarray::{Array1, Array2};
use siconos_numerics::contact::{
    Auto, ContactLaw, ContactProblem, GlobalInteriorPoint, GlobalProblem, InteriorPoint,
    InteriorPointSettings, NonsmoothGaussSeidel,
};
use siconos_numerics::linalg::{Csc, Matrix};
use siconos_numerics::{SolveInfo, Solver, Status};
use siconos_testkit::compare::worse;
use siconos_testkit::contact::{KnownContact, KnownGlobal, contact_error, spheres, spheres_global, tower};

fn solved(solver: &mut impl SolverOfContacts, problem: &ContactProblem<'_>) -> (SolveInfo, Vec<f64>) {
    let n = problem.size();
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    let info = solver.solve(problem, &mut r, &mut u).expect("the data fit");
    (info, r)
}

trait SolverOfContacts: Solver<Class = siconos_numerics::contact::Contact> {}
impl<S: Solver<Class = siconos_numerics::contact::Contact>> SolverOfContacts for S {}

/// M and H of a pile.
fn bodies(pile: &KnownGlobal) -> (Matrix, Matrix) {
    (Matrix::from(Array1::from(pile.masses.clone())), Matrix::from(pile.h.clone()))
}

/// r, v, and what a solver says of a pile in global form.
fn solved_in_velocities(pile: &KnownGlobal) -> (SolveInfo, Vec<f64>, Vec<f64>) {
    let data = pile.data();
    let n = pile.h.columns();
    let (mut z, mut u) = (vec![0.0; n + pile.f.len()], vec![0.0; n]);
    let info = GlobalInteriorPoint::default().solve(&data.view(), &mut z, &mut u).expect("the data fit");
    let v = z.split_off(n);
    (info, z, v)
}

/// The error by the measure of the test kit, which knows W and q only.
fn error(pile: &KnownContact, r: &[f64]) -> f64 {
    contact_error(&pile.law, pile.w.view(), &pile.q, r, &pile.velocity(r))
}

#[test]
fn a_pile_that_friction_holds_takes_a_dozen_steps() {
    let (local, global) = (spheres(600, 1.0, 1), spheres_global(600, 1.0, 1));
    let (info, r) = solved(&mut InteriorPoint::default(), &local.view());
    assert!(info.status.is_success() && info.iterations <= 14, "{info:?}");
    assert!(error(&local, &r) <= 1e-8);
    let (info, r, v) = solved_in_velocities(&global);
    assert!(info.status.is_success() && info.iterations <= 14, "{info:?}");
    assert!(error(&local, &r) <= 1e-8);
    // It comes to rest: what is left of the motion is nothing beside the free one.
    let energy = |v: &[f64]| v.iter().zip(&global.masses).map(|(v, m)| m * v * v).sum::<f64>();
    let free: Vec<f64> = global.f.iter().zip(&global.masses).map(|(f, m)| f / m).collect();
    assert!(energy(&v) < 1e-12 * energy(&free), "{:e} of {:e}", energy(&v), energy(&free));
}

#[test]
fn the_central_path_leads_on_where_bodies_slide() {
    for (contacts, mu, seed) in [(300, 0.1, 1), (300, 0.25, 2), (400, 0.2, 3)] {
        let local = spheres(contacts, mu, seed);
        let (info, r) = solved(&mut InteriorPoint::default(), &local.view());
        assert!(info.status.is_success(), "{contacts}, {mu}: {info:?}");
        assert!(error(&local, &r) <= 1e-8, "{contacts}, {mu}: {:e}", error(&local, &r));
        let (_, r, _) = solved_in_velocities(&spheres_global(contacts, mu, seed));
        assert!(error(&local, &r) <= 1e-7, "{contacts}, {mu}: {:e}", error(&local, &r));
    }
}

#[test]
fn a_limit_on_steps_is_one_on_steps() {
    // Enough contacts that all three ways of going are begun within the limits.
    let pile = spheres(450, 0.2, 1);
    for most in [0, 1, 7, 30] {
        let settings = InteriorPointSettings { max_iterations: most, ..Default::default() };
        let (info, r) = solved(&mut InteriorPoint::new(settings).expect("in its range"), &pile.view());
        assert_eq!((info.status, info.iterations), (Status::MaxIterations, most));
        assert!((error(&pile, &r) - info.error).abs() <= 1e-12 * info.error);
    }
}

/// Every third contact is smooth; the velocities of the contacts are unique where nothing rubs.
#[test]
fn contacts_without_friction_stand_beside_others() {
    let pile = tower(5, 0.4, 1);
    let mut mu = vec![0.4; pile.law.view().blocks()];
    mu.iter_mut().step_by(3).for_each(|mu| *mu = 0.0);
    let some =
        ContactProblem::new(&pile.w, &pile.q, ContactLaw::Coulomb { dimension: 3, mu: &mu }).expect("fits");
    let (info, r) = solved(&mut InteriorPoint::default(), &some);
    assert!(info.status.is_success(), "{info:?}");
    assert!(r.chunks_exact(3).step_by(3).all(|r| r[1] == 0.0 && r[2] == 0.0));
    mu.fill(0.0);
    let none =
        ContactProblem::new(&pile.w, &pile.q, ContactLaw::Coulomb { dimension: 3, mu: &mu }).expect("fits");
    let [first, second] =
        [solved(&mut InteriorPoint::default(), &none), solved(&mut NonsmoothGaussSeidel::default(), &none)]
            .map(|(info, r)| {
                assert!(info.status.is_success(), "{info:?}");
                pile.velocity(&r)
            });
    let largest = first.iter().zip(&second).fold(0.0, |largest, (a, b)| worse(largest, (a - b).abs()));
    assert!(largest < 1e-7, "{largest:e}");
}

#[test]
fn bodies_that_are_known_are_made_use_of() {
    let (pile, global) = (spheres(600, 1.0, 2), spheres_global(600, 1.0, 2));
    let (m, h) = bodies(&global);
    let problem = pile.view().with_motion(&m, &h).expect("the parts fit");
    let mut auto = Auto::default();
    let (info, r) = solved(&mut auto, &problem);
    assert!(info.status.is_success() && error(&pile, &r) <= 1e-8, "{info:?}");
    let last = auto.trace().last().expect("something was tried");
    assert_eq!(last.method, "interior-point in velocities", "{:?}", auto.trace());
    // Another problem in between leaves no trace.
    let (other, others) = (spheres(250, 0.8, 3), spheres_global(250, 0.8, 3));
    let (other_m, other_h) = bodies(&others);
    let between = other.view().with_motion(&other_m, &other_h).expect("the parts fit");
    assert!(solved(&mut auto, &between).0.status.is_success());
    assert_eq!(solved(&mut auto, &problem), (info, r));
}

#[test]
fn bodies_of_another_problem_solve_nothing() {
    let pile = spheres(250, 1.0, 1);
    let law = pile.law.view();
    let (m, h) = bodies(&spheres_global(250, 1.0, 2));
    let heavy = Matrix::from(Array1::from_elem(m.view().rows(), 1e3));
    let nothing = Matrix::from(Array2::<f64>::zeros((m.view().rows(), pile.q.len())));
    let broken = Matrix::from(Array1::from_elem(m.view().rows(), f64::NAN));
    for (m, h) in [(&m, &h), (&heavy, &h), (&m, &nothing), (&broken, &h)] {
        let problem = pile.view().with_motion(m, h).expect("the parts fit");
        let (info, r) = solved(&mut Auto::default(), &problem);
        assert_eq!(info.status.is_success(), error(&pile, &r) <= 1e-8, "{info:?}");
    }
    // A matrix that is not finite is nothing to be measured by.
    let mut w = pile.w.view().to_dense();
    w[[3, 3]] = f64::NAN;
    let w = Matrix::from(w);
    let problem =
        ContactProblem::new(&w, &pile.q, law).expect("shapes fit").with_motion(&m, &h).expect("fit");
    let n = pile.q.len();
    let solved = Auto::default().solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]);
    assert!(!solved.is_ok_and(|info| info.status.is_success()));
    assert!(pile.view().with_motion(&h, &h).is_err() && pile.view().with_motion(&m, &m).is_err());
}

/// Rotations in other units, bodies of other masses, other velocities: powers of two, also odd ones.
#[test]
fn units_change_no_bit_in_the_velocities() {
    let pile = spheres_global(230, 0.5, 1);
    let (_, r, _) = solved_in_velocities(&pile);
    for (length, mass, velocity) in [(8.0, 1.0, 1.0), (1.0, 2.0, 1.0), (0.5, 0.125, 4.0), (32.0, 1.0, 0.5)] {
        let freedom = |i: usize| if i % 6 >= 3 { length } else { 1.0 };
        let mut other = pile.clone();
        let columns = 0..pile.h.columns();
        let entries = columns
            .flat_map(|j| pile.h.column(j).map(move |(i, x)| (i, j, x * freedom(i))))
            .collect::<Vec<_>>();
        other.h = Csc::from_triplets(pile.h.rows(), pile.h.columns(), entries).expect("inside");
        other.masses.iter_mut().enumerate().for_each(|(i, m)| *m *= mass * freedom(i).powi(2));
        other.f.iter_mut().enumerate().for_each(|(i, f)| *f *= mass * velocity * freedom(i));
        let (_, same, _) = solved_in_velocities(&other);
        assert!(
            same.iter().zip(&r).all(|(same, r)| *same == r * mass * velocity),
            "{length}, {mass}, {velocity}"
        );
    }
}

/// Rates of rolling and their moments in another unit of length.
#[test]
fn a_unit_of_rolling_changes_no_bit() {
    let (n, contacts) = (12, 4);
    let number = |i: usize, j: usize| ((7 * i + 3 * j + 1) as f64).sin();
    let m = Array1::from_shape_fn(n, |i| 1.5 + number(i, i));
    let h = Array2::from_shape_fn((n, 5 * contacts), |(i, j)| number(i, j));
    let f: Vec<f64> = (0..n).map(|i| number(i, 5)).collect();
    let mut outcomes = Vec::new();
    for length in [1.0, 8.0, 0.5] {
        let unit = |j: usize| if j % 5 >= 3 { length } else { 1.0 };
        let h = Array2::from_shape_fn((n, 5 * contacts), |(i, j)| h[[i, j]] * unit(j));
        // Bodies at rest are one way to satisfy all laws.
        let w = vec![0.0; 5 * contacts];
        let (mu, mu_rolling) = (vec![0.4; contacts], vec![0.25 / length; contacts]);
        let law = ContactLaw::Rolling { dimension: 5, mu: &mu, mu_rolling: &mu_rolling };
        let m = Matrix::from(m.clone());
        let problem = GlobalProblem::new(&m, &h, &f, &w, law).expect("the parts fit");
        let (mut z, mut u) = (vec![0.0; 5 * contacts + n], vec![0.0; 5 * contacts]);
        let info = GlobalInteriorPoint::default().solve(&problem, &mut z, &mut u).expect("the data fit");
        assert!(info.status.is_success(), "{info:?}");
        let r: Vec<f64> = z[..5 * contacts].iter().enumerate().map(|(j, r)| r * unit(j)).collect();
        outcomes.push((info.iterations, r));
    }
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
}
