//! Nonsmooth Gauss-Seidel with all local solvers, orders and stopping tests.

use crate::contact_support::{Owned, length, pile, random_coulomb};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::contact::{
    ColouredGaussSeidel, ColouredGaussSeidelSettings, Contact, ContactLaw, ContactLawData, Freezing,
    GaussSeidelSettings, LocalSolver, NonsmoothGaussSeidel, StoppingTest, SweepOrder,
};
use siconos_numerics::{SettingsError, Solver, SolverError, Status};
use siconos_testkit::random::config;
use siconos_testkit::reference;

fn solver(settings: GaussSeidelSettings) -> NonsmoothGaussSeidel {
    NonsmoothGaussSeidel::new(settings).expect("valid settings")
}

fn with_local(local: LocalSolver) -> GaussSeidelSettings {
    GaussSeidelSettings { local, max_iterations: 100_000, ..Default::default() }
}

fn solves(problem: &Owned, settings: GaussSeidelSettings) -> Result<Vec<f64>, TestCaseError> {
    let tolerance = settings.tolerance;
    let name = format!("{settings:?}");
    let (info, r) =
        (problem.solve(&mut solver(settings))).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(info.status, Status::Converged, "{:?} {}", info, name);
    prop_assert!(problem.measure(&r) <= 1.001 * tolerance, "{:e} {}", problem.measure(&r), name);
    Ok(r)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn every_local_solver_solves_contacts_in_space(problem in random_coulomb(3, 1..6)) {
        for local in LocalSolver::ALL {
            solves(&problem, with_local(local))?;
        }
    }

    #[test]
    fn every_local_solver_solves_contacts_in_the_plane(problem in random_coulomb(2, 1..6)) {
        for local in LocalSolver::ALL {
            solves(&problem, with_local(local))?;
        }
    }

    #[test]
    fn every_local_solver_solves_rolling_contacts(
        dimension in prop_oneof![Just(3_usize), Just(5)], contacts in 1_usize..5, seed: u64, mu in 0.05..0.8_f64
    ) {
        let (w, q) = pile(contacts, 2, dimension, seed);
        let law = ContactLawData::rolling(dimension, vec![mu; contacts], vec![0.3; contacts]);
        let problem = Owned { w, q, law };
        for local in LocalSolver::ALL {
            solves(&problem, with_local(local))?;
        }
    }

    #[test]
    fn cones_of_different_sizes_are_solved(seed: u64, tau in 0.2..2.0_f64) {
        let (w, q) = pile(11, 2, 1, seed);
        let law = ContactLawData::cones(&[1, 2, 3, 5], [tau, 1.0, 0.5 * tau, 1.0]);
        let dense = Owned { w: w.view().to_dense().into(), q, law };
        let columns = Owned { w: Csc::from_matrix(dense.w.view()).into(), ..dense.clone() };
        let mut answers = Vec::new();
        for local in [LocalSolver::Projection, LocalSolver::ProjectionWithLocalIteration, LocalSolver::Hybrid] {
            for problem in [&dense, &columns] {
                let settings = with_local(local);
                let (info, r) = (problem.solve(&mut solver(settings)))
                    .map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(info.status, Status::Converged);
                prop_assert!(dense.measure(&r) <= 1.001e-8, "{}", dense.measure(&r));
                answers.push(r);
            }
        }
        prop_assert_eq!(answers.len(), 6);
    }

    #[test]
    fn every_order_and_stopping_test_ends_at_a_solution(problem in random_coulomb(3, 2..12), seed: u64) {
        let orders = [
            SweepOrder::Forward, SweepOrder::Symmetric, SweepOrder::ShuffledOnce { seed }, SweepOrder::Shuffled { seed },
        ];
        let tests = [StoppingTest::Violation, StoppingTest::Change, StoppingTest::Every { sweeps: 7 }];
        for order in orders {
            for stopping in tests {
                for freezing in [None, Some(Freezing { after: 2, sweeps: 3 })] {
                    let settings = GaussSeidelSettings { order, stopping, freezing, ..Default::default() };
                    let r = solves(&problem, settings.clone())?;
                    prop_assert_eq!(&r, &solves(&problem, settings)?, "not the same twice");
                }
            }
        }
        for relaxation in [0.7, 1.2] {
            solves(&problem, GaussSeidelSettings { relaxation, ..Default::default() })?;
        }
    }

    #[test]
    fn solutions_scale_with_units(problem in random_coulomb(3, 1..6), a in 0.2..5.0_f64, b in 0.2..5.0_f64) {
        // With W' = b W and q' = a q, the reactions are multiplied by a / b.
        let exact = GaussSeidelSettings { tolerance: 1e-11, ..Default::default() };
        let r = solves(&problem, exact)?;
        let scaled = Owned {
            w: (problem.w.view().to_dense() * b).into(),
            q: problem.q.iter().map(|q| a * q).collect(),
            law: problem.law.clone(),
        };
        let transformed: Vec<f64> = r.iter().map(|r| r * a / b).collect();
        prop_assert!(scaled.measure(&transformed) <= 1e-9, "{:e}", scaled.measure(&transformed));
    }

    #[test]
    fn solutions_turn_with_the_tangents_and_move_with_the_contacts(
        problem in random_coulomb(3, 2..7), angle in 0.0..6.3_f64, shift in 1_usize..6
    ) {
        let contacts = problem.q.len() / 3;
        let exact = GaussSeidelSettings { tolerance: 1e-11, ..Default::default() };
        let r = solves(&problem, exact)?;
        // Contact i becomes contact (i + shift) % contacts, with rotated tangents.
        let mut t = Array2::zeros((3 * contacts, 3 * contacts));
        for i in 0..contacts {
            let (sine, cosine) = (angle * (1.0 + i as f64)).sin_cos();
            let turn = [[1.0, 0.0, 0.0], [0.0, cosine, sine], [0.0, -sine, cosine]];
            let to = (i + shift) % contacts;
            for (k, row) in turn.iter().enumerate() {
                (0..3).for_each(|l| t[[3 * to + k, 3 * i + l]] = row[l]);
            }
        }
        let ContactLawData::Coulomb { mu, .. } = &problem.law else { unreachable!() };
        let mut moved = vec![0.0; contacts];
        (0..contacts).for_each(|i| moved[(i + shift) % contacts] = mu[i]);
        let turned = Owned {
            w: t.dot(&problem.w.view().to_dense()).dot(&t.t()).into(),
            q: t.dot(&Array1::from(problem.q.clone())).to_vec(),
            law: ContactLawData::coulomb(3, moved),
        };
        let transformed = t.dot(&Array1::from(r)).to_vec();
        prop_assert!(turned.measure(&transformed) <= 1e-10, "{:e}", turned.measure(&transformed));
    }

    #[test]
    fn projections_are_those_of_cones(x in prop::array::uniform5(-3.0..3.0_f64), y in prop::array::uniform5(-3.0..3.0_f64), mu in 0.0..2.0_f64) {
        let laws = [
            (ContactLaw::Coulomb { dimension: 2, mu: &[mu] }, 2),
            (ContactLaw::Coulomb { dimension: 3, mu: &[mu] }, 3),
            (ContactLaw::Rolling { dimension: 3, mu: &[mu], mu_rolling: &[0.4] }, 3),
            (ContactLaw::Rolling { dimension: 5, mu: &[mu], mu_rolling: &[0.4] }, 5),
            (ContactLaw::SecondOrder { starts: &[0, 4], tau: &[mu] }, 4),
        ];
        for (law, d) in laws {
            let project = |x: &[f64]| { let mut x = x.to_vec(); law.project(0, &mut x); x };
            let (px, py) = (project(&x[..d]), project(&y[..d]));
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
            prop_assert!(length(&difference(&project(&px), &px)) <= 1e-14 * (1.0 + length(&px)));
            prop_assert!(length(&difference(&px, &py)) <= length(&difference(&x[..d], &y[..d])) + 1e-14);
            // Moreau's decomposition: x = P(x) - P*(-x) with orthogonal terms, the second of which is in the
            // dual cone.
            let rest = difference(&px, &x[..d]);
            let along: f64 = px.iter().zip(&rest).map(|(a, b)| a * b).sum();
            prop_assert!(along.abs() <= 1e-13 * (1.0 + length(&px) * length(&rest)));
            let against: f64 = py.iter().zip(&rest).map(|(a, b)| a * b).sum();
            prop_assert!(against >= -1e-13 * (1.0 + length(&py) * length(&rest)));
        }
    }
}

#[test]
fn one_contact_opens_sticks_or_slides() {
    // Closed forms for W = 2 I, mu = 0.5: with the normal free velocity -1, the normal reaction is 0.5 and
    // friction is at most 0.25.
    let w = Matrix::from(Array2::from_diag(&array![2.0, 2.0, 2.0]));
    for (q, expected) in [
        ([1.0, 3.0, -4.0], [0.0, 0.0, 0.0]),
        ([-1.0, 0.3, 0.4], [0.5, -0.15, -0.2]),
        ([-1.0, 3.0, -4.0], [0.5, -0.15, 0.2]),
        ([-1.0, 0.0, 0.0], [0.5, 0.0, 0.0]),
    ] {
        let problem = Owned { w: w.clone(), q: q.to_vec(), law: ContactLawData::coulomb(3, vec![0.5]) };
        for local in LocalSolver::ALL {
            let settings = GaussSeidelSettings { tolerance: 1e-13, ..with_local(local) };
            let (info, r) = problem.solve(&mut solver(settings)).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{local:?} {q:?}: {info:?}");
            r.iter()
                .zip(expected)
                .for_each(|(r, e)| assert!((r - e).abs() < 1e-12, "{local:?}: {r} for {e}"));
        }
    }
}

#[test]
fn reference_files_in_space_are_solved() {
    let Some(folder) = reference::folder("fc3d") else {
        return println!("no reference files here: nothing checked");
    };
    for (file, tolerance) in [
        ("Confeti-ex03-Fc3D-SBM.dat", 1e-8),
        ("Confeti-ex13-4contact-Fc3D-SBM.dat", 1e-12),
        ("FC3D_Example1.dat", 1e-12),
        ("FC3D_Example1_SBM.dat", 1e-12),
        ("FrictionContact3D_1c.dat", 1e-12),
        ("FrictionContact3D_RR_1c.dat", 1e-12),
        ("NESpheres_10_1.dat", 1e-12),
        ("Rover1039.dat", 1e-12),
        ("Rover11035.dat", 1e-12),
        ("Rover3865.dat", 1e-10),
        ("Rover4396.dat", 1e-12),
        ("OneObject-i1028-138.hdf5.dat", 1e-8),
        ("BoxesStack1-i100000-32.hdf5.dat", 1e-4),
        ("Capsules-i100-889.dat", 1e-4),
        ("Capsules-i122-1617.dat", 1e-4),
    ] {
        let problem = Owned::read(&folder, file);
        let coloured = ColouredGaussSeidelSettings { tolerance, ..Default::default() };
        let mut methods: [Box<dyn Solver<Class = Contact>>; 2] = [
            Box::new(solver(GaussSeidelSettings { tolerance, ..Default::default() })),
            Box::new(ColouredGaussSeidel::new(coloured).expect("valid settings")),
        ];
        for method in &mut methods {
            let (info, r) = problem.solve(method.as_mut()).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{file} by {}: {info:?}", method.name());
            assert!(problem.measure(&r) <= 1.001 * tolerance, "{file}: {:e}", problem.measure(&r));
        }
    }
}

#[test]
fn rolling_files_are_solved_by_every_local_solver() {
    let Some(folder) = reference::folder("rolling") else {
        return println!("no reference files here: nothing checked");
    };
    for file in ["RFC3D_cube_1.dat", "rockfall_14_25792.dat"] {
        let problem = Owned::read(&folder, file);
        for local in LocalSolver::ALL {
            let (info, r) = problem.solve(&mut solver(with_local(local))).expect("the data fit");
            assert_eq!(info.status, Status::Converged, "{file} by {local:?}: {info:?}");
            assert!(problem.measure(&r) <= 1.001e-8, "{file} by {local:?}: {:e}", problem.measure(&r));
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused_or_reported() {
    let law = ContactLawData::cones(&[3], vec![1.0]);
    let cone = Owned { w: Array2::eye(3).into(), q: vec![-1.0, 0.0, 0.0], law };
    let mut parts = solver(with_local(LocalSolver::ProjectionWithDiagonalization));
    assert!(matches!(cone.solve(&mut parts), Err(SolverError::Unsupported(_))));

    let law = ContactLawData::coulomb(3, vec![0.5]);
    let flat = Owned { w: Array2::zeros((3, 3)).into(), q: vec![-1.0, 0.0, 0.0], law: law.clone() };
    let (info, _) = flat.solve(&mut solver(Default::default())).expect("the data fit");
    assert_eq!(info.status, Status::NoSolution);
    let indefinite = Owned { w: (-Array2::<f64>::eye(3)).into(), ..flat };
    assert!(matches!(indefinite.solve(&mut solver(Default::default())), Err(SolverError::Singular { .. })));

    // The contact law is positively homogeneous: if W does not respond, the reactions diverge, and the status
    // reports it.
    let pulled = Owned {
        w: array![[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]].into(),
        q: vec![-1.0, 1.0, 0.0],
        law,
    };
    let (info, r) = pulled.solve(&mut solver(Default::default())).expect("the data fit");
    assert_eq!(info.status.is_success(), pulled.measure(&r) <= 1e-8, "{info:?}");

    for wrong in [
        GaussSeidelSettings { tolerance: 0.0, ..Default::default() },
        GaussSeidelSettings { relaxation: 2.0, ..Default::default() },
        GaussSeidelSettings { local_iterations: 0, ..Default::default() },
        GaussSeidelSettings { stopping: StoppingTest::Every { sweeps: 0 }, ..Default::default() },
        GaussSeidelSettings { freezing: Some(Freezing { after: 0, sweeps: 1 }), ..Default::default() },
    ] {
        assert!(matches!(NonsmoothGaussSeidel::new(wrong), Err(SettingsError::OutOfRange { .. })));
    }
    let none = Owned { w: Array2::zeros((0, 0)).into(), q: vec![], law: ContactLawData::coulomb(3, vec![]) };
    for method in [
        &mut solver(Default::default()) as &mut dyn Solver<Class = Contact>,
        &mut ColouredGaussSeidel::default(),
    ] {
        let (info, _) = none.solve(method).expect("the data fit");
        assert_eq!((info.status, info.iterations, info.error), (Status::Converged, 0, 0.0));
    }
}

#[test]
fn settings_survive_a_file() {
    let settings = GaussSeidelSettings {
        local: LocalSolver::Hybrid,
        order: SweepOrder::Shuffled { seed: 9 },
        stopping: StoppingTest::Every { sweeps: 3 },
        freezing: Some(Freezing::default()),
        relaxation: 0.9,
        ..Default::default()
    };
    let text = serde_json::to_string(&settings).expect("settings are plain data");
    assert_eq!(serde_json::from_str::<GaussSeidelSettings>(&text).expect("as written"), settings);
}
