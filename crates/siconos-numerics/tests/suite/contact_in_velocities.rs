//! Methods in the velocities of the bodies: walls, towers and piles by proximal points, bodies that are known
//! to the automatic choice, units.

use ndarray::{Array1, Array2, array};
use siconos_numerics::contact::{
    Auto, AutoSettings, ContactLaw, ContactLawData, ContactProblem, GlobalContact, GlobalContactData,
    GlobalInteriorPoint, GlobalProximalPoint, NonsmoothGaussSeidel,
};
use siconos_numerics::linalg::{Csc, Matrix};
use siconos_numerics::{EffortLimit, Solver, Status};
use siconos_testkit::compare::worse;
use siconos_testkit::contact::{
    KnownGlobal, discs, discs_global, spheres, spheres_global, tower, tower_global, wall, wall_global,
};

use crate::support::piles::{bodies, error, solved, solved_in_velocities};

#[test]
fn proximal_points_solve_walls_towers_and_piles() {
    let cases = [
        (wall(150, 0.5, 1), wall_global(150, 0.5, 1)),
        (tower(25, 0.5, 1), tower_global(25, 0.5, 1)),
        (spheres(150, 0.1, 1), spheres_global(150, 0.1, 1)),
        (discs(150, 0.1, 1), discs_global(150, 0.1, 1)),
    ];
    for (local, global) in cases {
        let (info, r, _) = solved_in_velocities(&mut GlobalProximalPoint::default(), &global);
        assert!(info.status.is_success(), "{}: {info:?}", local.name);
        assert!(error(&local, &r) <= 1e-8, "{}: {:e}", local.name, error(&local, &r));
    }
}

/// Without friction the velocities are unique.
#[test]
fn without_friction_the_velocities_are_those_of_sweeps() {
    let (local, global) = (spheres(120, 0.0, 1), spheres_global(120, 0.0, 1));
    let (info, r, _) = solved_in_velocities(&mut GlobalProximalPoint::default(), &global);
    let (of_sweeps, swept) = solved(&mut NonsmoothGaussSeidel::default(), &local.view());
    assert!(info.status.is_success() && of_sweeps.status.is_success(), "{info:?}, {of_sweeps:?}");
    let [first, second] = [r, swept].map(|r| local.velocity(&r));
    let largest = first.iter().zip(&second).fold(0.0, |largest, (a, b)| worse(largest, (a - b).abs()));
    assert!(largest < 1e-7, "{largest:e}");
}

/// No velocity is determined along a freedom without mass that nothing holds.
#[test]
fn a_singular_mass_matrix_is_not_claimed_to_be_solved() {
    let (m, h) = (array![[1.0, 0.0], [0.0, 0.0]], array![[1.0, 0.0], [0.0, 1.0]]);
    let law = ContactLawData::coulomb(2, [0.5]);
    let problem = GlobalContactData::new(m, h, array![-1.0, 2.0], array![0.0, 0.0], law).expect("fits");
    let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
    let info = GlobalProximalPoint::default().solve(&problem.view(), &mut z, &mut u).expect("fits");
    assert!(!info.status.is_success() && z.iter().all(|x| x.is_finite()), "{info:?}");
}

/// Interior points get a few steps, then it is the turn of the sweeps again.
#[test]
fn sweeps_that_promise_an_end_go_on() {
    let (pile, global) = (spheres(200, 0.3, 1), spheres_global(200, 0.3, 1));
    let (m, h) = bodies(&global);
    let problem = pile.view().with_motion(&m, &h).expect("the parts fit");
    let mut auto = Auto::default();
    let (info, r) = solved(&mut auto, &problem);
    assert!(info.status.is_success() && error(&pile, &r) <= 1e-8, "{info:?}");
    let methods: Vec<_> = auto.trace().iter().map(|attempt| attempt.method).collect();
    let expected = ["nonsmooth-gauss-seidel", "interior-point in velocities", "nonsmooth-gauss-seidel"];
    assert_eq!(methods, expected, "{:?}", auto.trace());
    assert!(auto.trace()[1].info.iterations <= 15, "{:?}", auto.trace());
    let iterations: usize = auto.trace().iter().map(|attempt| attempt.info.iterations).sum();
    assert_eq!(iterations, info.iterations);
}

/// Between little friction and much nothing arrives: it ends, and says so, without W.
#[test]
fn what_the_bodies_do_not_solve_is_not_tried_with_w() {
    let (pile, global) = (discs(2000, 0.3, 1), discs_global(2000, 0.3, 1));
    let (m, h) = bodies(&global);
    let problem = pile.view().with_motion(&m, &h).expect("the parts fit");
    let effort = EffortLimit { operations: 2e9, factorisations: 0.0 };
    for last_resorts in [false, true] {
        let settings = AutoSettings { effort, last_resorts, ..Default::default() };
        let mut auto = Auto::new(settings).expect("in range");
        let (info, r) = solved(&mut auto, &problem);
        assert_eq!(info.status, Status::EffortSpent, "{:?}", auto.trace());
        assert!((error(&pile, &r) - info.error).abs() <= 1e-9 * info.error, "{info:?}");
        let methods: Vec<_> = auto.trace().iter().map(|attempt| attempt.method).collect();
        assert!(methods.contains(&"proximal-point in velocities"), "{methods:?}");
        assert!(
            !methods.iter().any(|method| ["interior-point", "proximal-point"].contains(method)),
            "{methods:?}"
        );
    }
}

/// All motion is in w, the given part of the velocities of the contacts.
#[test]
fn motion_may_be_given_at_the_contacts_alone() {
    let (m, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
    let law = ContactLawData::coulomb(2, [0.5]);
    let problem = GlobalContactData::new(m, h, array![0.0, 0.0], array![-0.5, 1.0], law).expect("fits");
    for guess in [[0.0; 4], [-5.0, 3.0, 0.0, 0.0], [1e9, 0.0, 1.0, 1.0]] {
        let (mut z, mut u) = (guess, [0.0; 2]);
        let info = GlobalProximalPoint::default().solve(&problem.view(), &mut z, &mut u).expect("fits");
        assert!(info.status.is_success(), "{guess:?}: {info:?}");
        assert!((z[0] - 1.0).abs() < 1e-8 && (z[1] + 0.5).abs() < 1e-8, "{z:?}");
    }
    // Without any motion a guess is no more than one.
    let law = ContactLawData::coulomb(2, [0.5]);
    let still =
        GlobalContactData::new(array![2.0, 2.0], Array2::eye(2), array![0.0, 0.0], array![0.0, 0.0], law);
    let (mut z, mut u) = ([1.0; 4], [1.0; 2]);
    let still = still.expect("fits");
    let info = GlobalProximalPoint::default().solve(&still.view(), &mut z, &mut u).expect("fits");
    assert!(info.status.is_success() && z == [0.0; 4] && u == [0.0; 2], "{info:?}");
}

/// A solver goes from one problem to another of another size, and back, without a trace of either.
#[test]
fn one_solver_serves_piles_of_changing_size() {
    let (first, second) = (spheres_global(100, 0.2, 1), discs_global(60, 0.1, 2));
    let mut solver = GlobalProximalPoint::default();
    let before = solved_in_velocities(&mut solver, &first);
    assert!(solved_in_velocities(&mut solver, &second).0.status.is_success());
    assert_eq!(solved_in_velocities(&mut solver, &first), before);
}

/// W, or the masses, with six digits, as files hold them: the bodies are not those of W to 1e-8, and the
/// problem with W is solved for itself.
#[test]
fn rounded_bodies_are_not_those_of_w() {
    let (pile, mut global) = (spheres(230, 1.0, 1), spheres_global(230, 1.0, 1));
    for mass in &mut global.masses {
        *mass = format!("{mass:.5e}").parse().expect("a number");
    }
    let (m, h) = bodies(&global);
    let problem = pile.view().with_motion(&m, &h).expect("the parts fit");
    let mut auto = Auto::default();
    let (info, r) = solved(&mut auto, &problem);
    assert!(info.status.is_success() && error(&pile, &r) <= 1e-8, "{info:?}");
    assert!(
        auto.trace().iter().all(|attempt| !attempt.method.ends_with("in velocities")),
        "{:?}",
        auto.trace()
    );
}

/// One contact sticks whatever its load: what takes that is with W.
#[test]
fn infinite_friction_is_left_to_methods_that_take_it() {
    let (pile, global) = (tower(12, 0.4, 1), tower_global(12, 0.4, 1));
    let (m, h) = bodies(&global);
    let mut mu = vec![0.4; pile.law.view().blocks()];
    mu[5] = f64::INFINITY;
    let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
    let problem = ContactProblem::new(&pile.w, &pile.q, law).expect("fits");
    let with_bodies = problem.with_motion(&m, &h).expect("the parts fit");
    let [plain, known] = [&problem, &with_bodies].map(|problem| solved(&mut Auto::default(), problem));
    assert_eq!(plain, known);
    assert!(plain.0.status.is_success(), "{:?}", plain.0);
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
    for (case, (m, h)) in [(&m, &h), (&heavy, &h), (&m, &nothing), (&broken, &h)].into_iter().enumerate() {
        let problem = pile.view().with_motion(m, h).expect("the parts fit");
        let mut auto = Auto::default();
        let (info, r) = solved(&mut auto, &problem);
        assert_eq!(info.status.is_success(), error(&pile, &r) <= 1e-8, "{info:?}");
        // W itself is what is solved then.
        let methods: Vec<_> = auto.trace().iter().map(|attempt| attempt.method).collect();
        assert!(info.status.is_success() && methods.contains(&"interior-point"), "{case}: {methods:?}");
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
    for (mut solver, pile) in [
        (
            Box::new(GlobalInteriorPoint::default()) as Box<dyn Solver<Class = GlobalContact>>,
            spheres_global(230, 0.2, 1),
        ),
        (Box::new(GlobalProximalPoint::default()), spheres_global(120, 0.2, 1)),
    ] {
        units_change_no_bit(solver.as_mut(), &pile);
    }
}

fn units_change_no_bit(solver: &mut dyn Solver<Class = GlobalContact>, pile: &KnownGlobal) {
    let (info, r, v) = solved_in_velocities(solver, pile);
    assert!(info.status.is_success() && r.iter().any(|r| *r > 0.0), "{info:?}");
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
        let (of_other, r_other, v_other) = solved_in_velocities(solver, &other);
        assert_eq!((of_other.status, of_other.iterations), (info.status, info.iterations));
        assert!(
            r_other.iter().zip(&r).all(|(a, b)| *a == b * mass * velocity),
            "{length}, {mass}, {velocity}"
        );
        let v = v.iter().enumerate().map(|(i, v)| v * velocity / freedom(i));
        assert!(v_other.iter().zip(v).all(|(a, b)| *a == b), "{length}, {mass}, {velocity}");
    }
}
