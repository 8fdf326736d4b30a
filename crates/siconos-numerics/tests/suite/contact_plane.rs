//! Contact in the plane: a body on a slope, reference files, and comparison of methods.

use crate::contact_support::{Owned, random_coulomb};
use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_numerics::contact::classical::{ConjugateProjectedGradient, ConjugateProjectedGradientSettings};
use siconos_numerics::contact::{
    Contact, ContactLawData, ContactMethod, GaussSeidelSettings, NonsmoothGaussSeidel, PlaneEnumeration,
    PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings,
};
use siconos_numerics::{Method, Solver, SolverError, Status};
use siconos_testkit::random::config;
use siconos_testkit::reference;

fn methods(tolerance: f64) -> Vec<Box<dyn Solver<Class = Contact>>> {
    let sweeps = GaussSeidelSettings { tolerance, max_iterations: 200_000, ..Default::default() };
    let enumeration = PlaneEnumerationSettings { tolerance, ..Default::default() };
    let gradients = ConjugateProjectedGradientSettings { tolerance, ..Default::default() };
    vec![
        Box::new(NonsmoothGaussSeidel::new(sweeps).expect("valid settings")),
        Box::new(
            PlaneLemke::new(PlaneLemkeSettings { tolerance, ..Default::default() }).expect("valid settings"),
        ),
        Box::new(PlaneEnumeration::new(enumeration).expect("valid settings")),
        Box::new(ConjugateProjectedGradient::new(gradients).expect("valid settings")),
    ]
}

const MASS: f64 = 3.0;
const WEIGHT: f64 = 9.81;
const STEP: f64 = 0.01;

/// Creates one time step of a block at rest on a slope with the given angle, with a contact at each end of
/// its lower side.
fn block_on_a_slope(angle: f64, mu: f64) -> Owned {
    let (half_length, height, inertia) = (0.5, 0.2, 0.4);
    // Columns: the velocities of the centre along and normal to the slope, and the angular velocity.
    let h =
        array![[0.0, 1.0, -half_length], [1.0, 0.0, height], [0.0, 1.0, half_length], [1.0, 0.0, height],];
    let inverse_mass = Array2::from_diag(&array![1.0 / MASS, 1.0 / MASS, 1.0 / inertia]);
    let free = array![STEP * WEIGHT * angle.sin(), -STEP * WEIGHT * angle.cos(), 0.0];
    Owned {
        w: h.dot(&inverse_mass).dot(&h.t()).into(),
        q: h.dot(&free).to_vec(),
        law: ContactLawData::coulomb(2, vec![mu; 2]),
    }
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slips_above() {
    let mu = 0.6_f64;
    let weight = MASS * WEIGHT * STEP;
    for method in &mut methods(1e-10) {
        for part in [0.3, 0.9, 0.99] {
            let angle = (part * mu).atan();
            let problem = block_on_a_slope(angle, mu);
            let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
            let info = method.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{} at {part}: {info:?}", method.name());
            u.iter().for_each(|u| assert!(u.abs() < 1e-9, "{}: {u:?}", method.name()));
            // W has rank 3: the sum of the friction forces is unique, but not its distribution.
            assert!((r[1] + r[3] + weight * angle.sin()).abs() < 1e-8, "{}: {r:?}", method.name());
            assert!((r[0] + r[2] - weight * angle.cos()).abs() < 1e-8, "{}: {r:?}", method.name());
        }
        for part in [1.01, 1.2] {
            let angle = (part * mu).atan();
            let problem = block_on_a_slope(angle, mu);
            let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
            let info = method.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{} at {part}: {info:?}", method.name());
            let slip = STEP * WEIGHT * (angle.sin() - mu * angle.cos());
            for (r, u) in r.chunks(2).zip(u.chunks(2)) {
                assert!((u[1] - slip).abs() < 1e-9, "{}: {u:?} for {slip}", method.name());
                assert!((r[1] + mu * r[0]).abs() < 1e-8 && u[0].abs() < 1e-9, "{}: {r:?}", method.name());
            }
            assert!((r[0] + r[2] - weight * angle.cos()).abs() < 1e-8, "{}: {r:?}", method.name());
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn methods_in_the_plane_find_solutions(problem in random_coulomb(2, 1..5)) {
        for method in &mut methods(1e-8) {
            let (info, r) = (problem.solve(method.as_mut()))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            let found = info.status == Status::Converged;
            prop_assert_eq!(found, problem.measure(&r) <= 1.001e-8, "{}: {:?}", method.name(), info);
            // If W is positive definite, a solution exists. Enumeration finds it always, and the others
            // mostly.
            prop_assert!(found || method.name() == "conjugate-projected-gradient", "{}: {:?}", method.name(), info);
        }
    }

    #[test]
    fn conjugate_gradients_solve_contacts_in_space(problem in random_coulomb(3, 1..8)) {
        let (info, r) = (problem.solve(&mut ConjugateProjectedGradient::default()))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(info.status == Status::Converged, problem.measure(&r) <= 1.001e-8, "{:?}", info);
        if let ContactLawData::Coulomb { mu, .. } = &problem.law && mu.iter().all(|&mu| mu <= 0.3) {
            prop_assert_eq!(info.status, Status::Converged, "{:?}", info);
        }
    }
}

#[test]
fn reference_files_in_the_plane_are_solved() {
    let Some(folder) = reference::folder("fc2d") else {
        return println!("no reference files here: nothing checked");
    };
    for (file, names) in [
        (
            "FrictionContactProblem00031.dat",
            &["nonsmooth-gauss-seidel", "plane-lemke", "conjugate-projected-gradient"][..],
        ),
        ("FrictionContactProblem00237.dat", &["nonsmooth-gauss-seidel", "conjugate-projected-gradient"][..]),
        (
            "FC2D_SliderCrankLagrangian00000.dat",
            &["nonsmooth-gauss-seidel", "plane-lemke", "plane-enumeration", "conjugate-projected-gradient"][..],
        ),
    ] {
        let problem = Owned::read(&folder, file);
        let mut methods = methods(1e-8);
        for name in names {
            let method = methods.iter_mut().find(|method| method.name() == *name).expect("a known name");
            let (info, r) = problem.solve(method.as_mut()).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{file} by {}: {info:?}", method.name());
            assert!(
                problem.measure(&r) <= 1.001e-8,
                "{file} by {}: {:e}",
                method.name(),
                problem.measure(&r)
            );
        }
    }
}

#[test]
fn without_a_solution_enumeration_says_so() {
    // Friction pulls the contact towards the ground (Painlevé 1895), with a matrix that no body has.
    let w = array![[1.0, 1.0], [1.0, 0.1]].into();
    let problem = Owned { w, q: vec![-1.0, 10.0], law: ContactLawData::coulomb(2, vec![2.0]) };
    for mut method in methods(1e-8) {
        let (info, r) = problem.solve(method.as_mut()).expect("the data fit");
        assert!(!info.status.is_success(), "{}: {info:?}", method.name());
        assert!(problem.measure(&r) > 1e-8);
        if method.name() == "plane-enumeration" {
            assert_eq!(info.status, Status::NoSolution);
        }
    }
}

#[test]
fn what_is_not_coulomb_in_the_plane_is_refused() {
    let space = Owned {
        w: Array2::eye(3).into(),
        q: vec![-1.0, 0.0, 0.0],
        law: ContactLawData::coulomb(3, vec![0.5]),
    };
    let rolling = Owned { law: ContactLawData::rolling(3, vec![0.5], vec![0.1]), ..space.clone() };
    let cone = Owned { law: ContactLawData::cones(&[3], vec![1.0]), ..space.clone() };
    for mut method in methods(1e-8) {
        let takes_all = method.name() == "nonsmooth-gauss-seidel";
        let takes_space = takes_all || method.name() == "conjugate-projected-gradient";
        for (problem, takes) in [(&space, takes_space), (&rolling, takes_all), (&cone, takes_all)] {
            assert_eq!(method.supports(&problem.view()).is_ok(), takes, "{}", method.name());
            let refused = matches!(problem.solve(method.as_mut()), Err(SolverError::Unsupported(_)));
            assert_eq!(refused, !takes, "{}", method.name());
        }
    }
    // Nine contacts exceed the default limit of enumeration.
    let many =
        Owned { w: Array2::eye(18).into(), q: vec![-1.0; 18], law: ContactLawData::coulomb(2, vec![0.5; 9]) };
    assert!(matches!(many.solve(&mut PlaneEnumeration::default()), Err(SolverError::Unsupported(_))));
}

#[test]
fn every_method_is_chosen_by_its_name() {
    for method in ContactMethod::all() {
        let name = method.description().name;
        let found = ContactMethod::from_name(name).expect("a name of the table");
        assert_eq!(found, method);
        let text = serde_json::to_string(&method).expect("settings are plain data");
        assert_eq!(serde_json::from_str::<ContactMethod>(&text).expect("as written"), method);
        let mut changed = method.clone();
        changed.set_tolerance(1e-5);
        assert_eq!(changed.build().expect("valid settings").tolerance(), 1e-5, "{name}");
    }
}
