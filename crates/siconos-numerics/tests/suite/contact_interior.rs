//! Interior-point methods for reactions and in velocity space: piles at rest and sliding piles, zero friction
//! coefficients, units of rolling.

use ndarray::{Array1, Array2};
use siconos_linalg::Matrix;
use siconos_numerics::Status;
use siconos_numerics::contact::{
    ContactLaw, ContactProblem, InteriorPoint, InteriorPointSettings, NonsmoothGaussSeidel,
    VelocityInteriorPoint,
};
use siconos_testkit::compare::worse;
use siconos_testkit::contact::{spheres, spheres_global, tower};

use crate::support::piles::{solved, solved_by_bodies};

#[test]
fn a_pile_that_friction_holds_takes_a_dozen_steps() {
    let (local, global) = (spheres(600, 1.0, 1), spheres_global(600, 1.0, 1));
    let (info, r) = solved(&mut InteriorPoint::default(), &local.view());
    assert!(info.status.is_success() && info.iterations <= 14, "{info:?}");
    assert!(local.error(&r) <= 1e-8);
    let (info, r, v) = solved_by_bodies(&mut VelocityInteriorPoint::default(), &global);
    assert!(info.status.is_success() && info.iterations <= 14, "{info:?}");
    assert!(local.error(&r) <= 1e-8);
    // The pile comes to rest: the remaining motion is negligible compared with the free motion.
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
        assert!(local.error(&r) <= 1e-8, "{contacts}, {mu}: {:e}", local.error(&r));
        let (_, r, _) =
            solved_by_bodies(&mut VelocityInteriorPoint::default(), &spheres_global(contacts, mu, seed));
        assert!(local.error(&r) <= 1e-7, "{contacts}, {mu}: {:e}", local.error(&r));
    }
}

#[test]
fn a_limit_on_steps_is_one_on_steps() {
    // The pile has enough contacts for all three stages of the method to start within the limits.
    let pile = spheres(450, 0.2, 1);
    for most in [0, 1, 7, 30] {
        let settings = InteriorPointSettings { max_iterations: most, ..Default::default() };
        let (info, r) = solved(&mut InteriorPoint::new(settings).expect("in its range"), &pile.view());
        assert_eq!((info.status, info.iterations), (Status::MaxIterations, most));
        assert!((pile.error(&r) - info.error).abs() <= 1e-12 * info.error);
    }
}

/// Every third contact is frictionless. Without any friction, the velocities of the contacts are unique.
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

/// Rolling velocities and their moments in another unit of length.
#[test]
fn a_unit_of_rolling_changes_no_bit() {
    let (n, contacts) = (12, 4);
    let number = |i: usize, j: usize| ((7 * i + 3 * j + 1) as f64).sin();
    let masses = Array1::from_shape_fn(n, |i| 1.5 + number(i, i));
    let h = Array2::from_shape_fn((n, 5 * contacts), |(i, j)| number(i, j));
    let free = Array1::from_shape_fn(n, |i| number(i, 5) / masses[i]);
    let m = Matrix::from(masses);
    let mut outcomes = Vec::new();
    for length in [1.0, 8.0, 0.5] {
        let unit = |j: usize| if j % 5 >= 3 { length } else { 1.0 };
        let h = Array2::from_shape_fn((n, 5 * contacts), |(i, j)| h[[i, j]] * unit(j));
        // For this q, bodies at rest satisfy all laws.
        let q = h.t().dot(&free).to_vec();
        let (mu, mu_rolling) = (vec![0.4; contacts], vec![0.25 / length; contacts]);
        let law = ContactLaw::Rolling { dimension: 5, mu: &mu, mu_rolling: &mu_rolling };
        let problem = ContactProblem::of_bodies(&m, &h, &q, law).expect("the parts fit");
        let (info, r) = solved(&mut VelocityInteriorPoint::default(), &problem);
        assert!(info.status.is_success(), "{info:?}");
        let r: Vec<f64> = r.iter().enumerate().map(|(j, r)| r * unit(j)).collect();
        outcomes.push((info.iterations, r));
    }
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
}
