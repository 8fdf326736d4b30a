//! Fixed-point methods for contact problems: projections, frozen bounds, frozen shifts, alternation.

use crate::contact_support::{near, solve, solver};
use crate::support::contact_files::{CONES, FILES, delassus, read};
use ndarray::{Array1, Array2, array};
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixRef};
use siconos_numerics::contact::classical::{
    ConvexFixedPoint, ConvexFixedPointSettings, ConvexSolver, DeSaxceFixedPoint, DeSaxceSettings,
    Extragradient, FixedPointProjection, NormalSolver, PanagiotopoulosFixedPoint, PanagiotopoulosSettings,
    TrescaFixedPoint, TrescaSettings,
};
use siconos_numerics::contact::{
    Admm, AdmmSettings, Contact, ContactData, ContactLaw, ContactLawData, ContactMethod, ContactProblem,
};
use siconos_numerics::engine::fixed_point::{FixedPointSettings, StepRule};
use siconos_numerics::{Method, Solver, SolverError, Status};
use siconos_testkit::reference;

const NAMES: [&str; 6] = [
    "fixed-point-projection",
    "extragradient",
    "de-saxce",
    "tresca",
    "convex-fixed-point",
    "panagiotopoulos",
];

/// Returns a positive definite matrix of the given size that is far from diagonal.
fn definite(n: usize) -> Array2<f64> {
    let a = Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * j * 3 + 1) as f64).sin());
    a.dot(&a.t()) / n as f64 + Array2::<f64>::eye(n) * 0.5
}

fn vector(n: usize) -> Array1<f64> {
    Array1::from_shape_fn(n, |i| (2.3 * i as f64 + 0.4).sin() - 0.9)
}

/// Returns the matrix in every storage.
fn storages(m: &Array2<f64>, block: usize) -> Vec<Matrix> {
    let contacts = m.nrows() / block;
    let sizes = vec![block; contacts];
    let part = |i, j| m.slice(ndarray::s![i * block..(i + 1) * block, j * block..(j + 1) * block]).to_owned();
    let blocks =
        (0..contacts * contacts).map(|k| (k / contacts, k % contacts)).map(|(i, j)| (i, j, part(i, j)));
    let blocks = BlockCsr::from_blocks(&sizes, &sizes, blocks.collect()).expect("they fit");
    vec![Matrix::from(m.clone()), Matrix::from(blocks), Matrix::from(Csc::from_matrix(MatrixRef::from(m)))]
}

/// Six contacts that open, stick and slide, with their closed-form reactions: u = r + q, and r in the three
/// cases.
#[test]
fn one_contact_opens_sticks_or_slides() {
    let q: [[f64; 3]; 6] = [
        [0.5, 1.0, -1.0],
        [-1.0, 0.1, 0.2],
        [-1.0, 3.0, 4.0],
        [0.0, 0.0, 0.0],
        [-2.0, 0.0, 0.0],
        [-0.5, -0.6, 0.8],
    ];
    let mu: [f64; 6] = [0.5, 0.5, 0.5, 0.5, 0.0, 0.2];
    let exact: Vec<f64> = (q.iter().zip(mu))
        .flat_map(|(q, mu)| {
            let (n, length) = ((-q[0]).max(0.0), q[1].hypot(q[2]));
            let factor = if length > mu * n { mu * n / length } else { 1.0 };
            [n, -factor * q[1], -factor * q[2]]
        })
        .collect();
    let q: Array1<f64> = q.iter().flatten().copied().collect();
    let identity = Array2::eye(18);
    for w in storages(&identity, 3).into_iter().chain([Matrix::from(Array1::from_elem(18, 1.0))]) {
        let problem = ContactData::new(w, q.clone(), ContactLawData::coulomb(3, mu)).expect("it fits");
        for name in NAMES {
            let (info, r, u) = solve(&mut *solver(name), &problem.view());
            assert!(info.status.is_success(), "{name}: {info:?}");
            assert!(near(&r, &exact, 1e-7), "{name} {}: {r:?}", delassus(&problem.view()).storage());
            let expected: Vec<f64> = exact.iter().zip(&q).map(|(r, q)| r + q).collect();
            assert!(near(&u, &expected, 1e-7), "{name}: {u:?}");
        }
    }
}

/// A wheel that slides and rolls, with W = I: friction and rolling friction have independent bounds.
#[test]
fn rolling_has_two_bounds() {
    let problem = ContactData::new(
        Array2::eye(10),
        array![-1.0, 3.0, 4.0, 0.03, 0.04, -2.0, 0.1, 0.0, 0.0, 5.0],
        ContactLawData::rolling(5, [0.5, 0.5], [0.1, 0.1]),
    )
    .expect("it fits");
    let exact = [1.0, -0.3, -0.4, -0.03, -0.04, 2.0, -0.1, 0.0, 0.0, -0.2];
    // A rolling velocity enters the error with the factor mu_r = 0.1, and norm(q) = 5.5 divides it. An error
    // of 1e-8 therefore permits a rolling velocity of 5.5e-7.
    for name in NAMES {
        let (info, r, _) = solve(&mut *solver(name), &problem.view());
        assert!(info.status.is_success(), "{name}: {info:?}");
        assert!(near(&r, &exact, 1e-6), "{name}: {r:?}");
    }
}

#[test]
fn without_friction_all_methods_agree() {
    for n in [3, 12, 30] {
        let (w, q) = (definite(n), vector(n));
        let mut first: Option<(Vec<f64>, Vec<f64>)> = None;
        for w in storages(&w, 3) {
            let problem = ContactData::new(w, q.clone(), ContactLawData::coulomb(3, vec![0.0; n / 3]))
                .expect("it fits");
            for name in NAMES {
                let (info, r, u) = solve(&mut *solver(name), &problem.view());
                assert!(info.status.is_success(), "{name}: {info:?}");
                let (r_first, u_first) = first.get_or_insert_with(|| (r.clone(), u.clone()));
                assert!(near(&r, r_first, 1e-6) && near(&u, u_first, 1e-6), "{name} {n}: {r:?} {r_first:?}");
            }
        }
    }
}

/// Low friction with a definite matrix has one solution, since the fixed-point maps are contractions. All
/// methods find it, in the plane and in space, also from a wrong initial guess.
#[test]
fn with_little_friction_all_methods_agree() {
    let n = 12;
    let (w, q) = (definite(n), vector(n));
    for dimension in [2, 3] {
        let mu = vec![0.05; n / dimension];
        let law = ContactLaw::Coulomb { dimension, mu: &mu };
        let problem = ContactProblem::new(&w, q.as_slice().expect("contiguous"), law).expect("it fits");
        let (_, exact, _) = solve(&mut *solver("nonsmooth-gauss-seidel"), &problem);
        for name in NAMES {
            let (info, r, _) = solve(&mut *solver(name), &problem);
            assert!(info.status.is_success() && near(&r, &exact, 1e-6), "{name}: {info:?} {r:?} {exact:?}");
            let (mut guess, mut u) = (vec![3.0; n], vec![0.0; n]);
            let info = solver(name).solve(&problem, &mut guess, &mut u).expect("it fits");
            assert!(info.status.is_success() && near(&guess, &exact, 1e-6), "{name}: {info:?}");
        }
    }
}

/// Cones of sizes 1, 2 and 4 with W = I. The solution is the projection of -q.
#[test]
fn cones_of_any_size() {
    let (starts, tau) = ([0, 1, 3, 7], [1.0, 1.0, 2.0]);
    let law = ContactLaw::SecondOrder { starts: &starts, tau: &tau };
    let w = Array2::eye(7);
    let q = [-1.0, 0.0, 3.0, -1.0, 0.0, 3.0, 4.0];
    let problem = ContactProblem::new(&w, &q, law).expect("it fits");
    // Projection onto tau N = |x|: N = (N_0 + tau |x_0|) / (1 + tau^2).
    let (second, third) = (3.0 / 2.0, 11.0 / 5.0);
    let exact = [1.0, second, -second, third, 0.0, -2.0 * third * 0.6, -2.0 * third * 0.8];
    for name in ["fixed-point-projection", "extragradient", "de-saxce", "convex-fixed-point"] {
        let (info, r, _) = solve(&mut *solver(name), &problem);
        assert!(info.status.is_success() && near(&r, &exact, 1e-7), "{name}: {info:?} {r:?}");
    }
    for name in ["tresca", "panagiotopoulos"] {
        let (mut r, mut u) = ([0.0; 7], [0.0; 7]);
        let refused = solver(name).solve(&problem, &mut r, &mut u);
        assert!(matches!(refused, Err(SolverError::Unsupported(_))), "{name}: {refused:?}");
        assert!(solver(name).supports(&problem).is_err());
    }
}

/// A rotation is monotone but not a gradient: the extragradient method converges, and the methods with convex
/// programs refuse the matrix.
#[test]
fn a_matrix_that_is_not_symmetric() {
    let w = array![[0.1, 0.0, 0.0], [0.0, 0.1, 1.0], [0.0, -1.0, 0.1]];
    let law = ContactLaw::Coulomb { dimension: 3, mu: &[10.0] };
    let problem = ContactProblem::new(&w, &[-1.0, 0.5, 0.5], law).expect("it fits");
    let (info, _, u) = solve(&mut Extragradient::default(), &problem);
    assert!(info.status.is_success(), "{info:?}");
    assert!(near(&u, &[0.0; 3], 1e-6), "it sticks: {u:?}");
    let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
    for convex in [ConvexSolver::InteriorPoint, ConvexSolver::Admm(AdmmSettings::default())] {
        let settings = ConvexFixedPointSettings { convex, ..Default::default() };
        let refused = ConvexFixedPoint::new(settings).expect("valid").solve(&problem, &mut r, &mut u);
        assert!(matches!(refused, Err(SolverError::Unsupported(_))), "{refused:?}");
    }
    // A skew part of 0.5 % is treated in the outer iteration, in every storage.
    let n = 12;
    let mut w = definite(n);
    let size = w.iter().map(|x| x * x).sum::<f64>().sqrt();
    for i in 0..n - 1 {
        let skew = 5e-3 * size / (2.0 * (n - 1) as f64).sqrt();
        w[[i, i + 1]] += skew;
        w[[i + 1, i]] -= skew;
    }
    let (mu, q) = (vec![0.1; 4], vector(n));
    for w in storages(&w, 3) {
        let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
        let problem = ContactProblem::new(&w, q.as_slice().expect("contiguous"), law).expect("it fits");
        let (_, exact, _) = solve(&mut *solver("nonsmooth-gauss-seidel"), &problem);
        let (info, r, _) = solve(&mut ConvexFixedPoint::default(), &problem);
        assert!(info.status.is_success() && near(&r, &exact, 1e-6), "{info:?}");
    }
}

/// All step rules and inner solvers lead to the same solution.
#[test]
fn settings_change_the_way_and_not_the_solution() {
    let n = 12;
    let (w, q, mu) = (definite(n), vector(n), vec![0.1; 4]);
    let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
    let problem = ContactProblem::new(&w, q.as_slice().expect("contiguous"), law).expect("it fits");
    let (_, exact, _) = solve(&mut Admm::default(), &problem);
    let mut solvers: Vec<Box<dyn Solver<Class = Contact>>> = Vec::new();
    for rule in [StepRule::Khobotov, StepRule::SolodovTseng, StepRule::HanSun] {
        let settings = FixedPointSettings { rule, ..Default::default() };
        solvers.push(Box::new(FixedPointProjection::new(settings.clone()).expect("valid")));
        solvers.push(Box::new(Extragradient::new(settings).expect("valid")));
    }
    solvers.push(Box::new(
        DeSaxceFixedPoint::new(DeSaxceSettings { step: 1.5, ..Default::default() }).expect("valid"),
    ));
    solvers.push(Box::new(
        TrescaFixedPoint::new(TrescaSettings { inner_accuracy: 0.9, ..Default::default() }).expect("valid"),
    ));
    let normal = NormalSolver::ProjectedGaussSeidel;
    solvers.push(Box::new(
        PanagiotopoulosFixedPoint::new(PanagiotopoulosSettings { normal, ..Default::default() })
            .expect("valid"),
    ));
    let convex = ConvexSolver::Admm(AdmmSettings::default());
    solvers.push(Box::new(
        ConvexFixedPoint::new(ConvexFixedPointSettings { convex, ..Default::default() }).expect("valid"),
    ));
    for solver in &mut solvers {
        let (info, r, _) = solve(&mut **solver, &problem);
        assert!(info.status.is_success() && near(&r, &exact, 1e-6), "{}: {info:?}", solver.name());
        assert!(info.iterations > 1, "{}: {info:?}", solver.name());
    }
}

#[test]
fn wrong_settings_and_wrong_input_are_refused() {
    for name in NAMES {
        let mut method = ContactMethod::from_name(name).expect("it is in the table");
        method.set_tolerance(0.0);
        assert!(method.build().is_err(), "{name}");
        method.set_tolerance(f64::NAN);
        assert!(method.build().is_err(), "{name}");
        let mut solver = solver(name);
        let w = Array2::eye(2);
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
        let problem = ContactProblem::new(&w, &[-1.0, 0.0], law).expect("it fits");
        assert!(solver.solve(&problem, &mut [0.0; 3], &mut [0.0; 2]).is_err(), "{name}");
        assert!(solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 1]).is_err(), "{name}");
        assert!(solver.solve(&problem, &mut [f64::NAN, 0.0], &mut [0.0; 2]).is_err(), "{name}");
        let infinite = ContactProblem::new(&w, &[f64::INFINITY, 0.0], law).expect("shapes fit");
        assert!(solver.solve(&infinite, &mut [0.0; 2], &mut [0.0; 2]).is_err(), "{name}");
        // An empty problem. A matrix that is not finite leads neither to a success nor to a panic.
        let nothing = Array2::zeros((0, 0));
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[] };
        let empty = ContactProblem::new(&nothing, &[], law).expect("it fits");
        let info = solver.solve(&empty, &mut [], &mut []).expect("nothing to do");
        assert_eq!((info.status, info.iterations, info.error), (Status::Converged, 0, 0.0), "{name}");
        let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
        let w = array![[1.0, f64::NAN], [f64::NAN, 1.0]];
        let broken = ContactProblem::new(&w, &[-1.0, 2.0], law).expect("shapes fit");
        let result = solver.solve(&broken, &mut [1.0, 0.0], &mut [0.0; 2]);
        assert!(!result.is_ok_and(|info| info.status.is_success()), "{name}");
        // Afterwards, the same solver solves a valid problem.
        let w = Array2::eye(2);
        let problem = ContactProblem::new(&w, &[-1.0, 0.0], law).expect("it fits");
        assert!(solve(&mut *solver, &problem).0.status.is_success(), "{name}");
    }
}

/// No reaction can stop an approach along a direction in which W vanishes. No solver reports a solution.
#[test]
fn what_has_no_solution_is_not_called_solved() {
    let w =
        array![[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0], [-1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]];
    let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.3, 0.3] };
    // A wedge: both sides are pressed, and W depends only on r_1 - r_2.
    let problem = ContactProblem::new(&w, &[-1.0, 0.0, -1.0, 0.0], law).expect("it fits");
    for name in NAMES.into_iter().chain(["admm", "proximal-point"]) {
        let mut method = ContactMethod::from_name(name).expect("it is in the table");
        method.set_max_iterations(300);
        let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
        let result = method.build().expect("valid").solve(&problem, &mut r, &mut u);
        if let Ok(info) = result {
            assert!(!info.status.is_success(), "{name}: {info:?} {r:?}");
        }
    }
}

/// Files on which a method ends above 1e-8 with its default settings, and the reasons.
const KNOWN_FAILURES: [(&str, &str, &str); 11] = [
    ("panagiotopoulos", "rolling/rockfall_14_25792.dat", "3.2e-8 after 1000 pairs of problems"),
    ("convex-fixed-point", "rolling/rockfall_14_25792.dat", "1.8e-7 after 500 convex programs"),
    ("de-saxce", "rolling/rockfall_14_25792.dat", STIFF),
    ("fixed-point-projection", "rolling/rockfall_14_25792.dat", STIFF),
    ("extragradient", "rolling/rockfall_14_25792.dat", STIFF),
    ("fixed-point-projection", "fc3d/BoxesStack1-i100000-32.hdf5.dat", STIFF),
    ("fixed-point-projection", "fc3d/OneObject-i1028-138.hdf5.dat", STIFF),
    ("extragradient", "fc3d/BoxesStack1-i100000-32.hdf5.dat", STIFF),
    ("extragradient", "fc3d/OneObject-i1028-138.hdf5.dat", STIFF),
    ("de-saxce", "fc3d/BoxesStack1-i100000-32.hdf5.dat", STIFF),
    ("de-saxce", "fc3d/OneObject-i1028-138.hdf5.dat", STIFF),
];

const STIFF: &str = "one step for all directions: 7e-8 and 1e-7 (rockfall) to 5e-5 after 20 000 iterations";

/// Files that take minutes with some of the methods.
const LARGE: [&str; 5] = [
    "fc2d/FrictionContactProblem00237.dat",
    "fc2d/fc2d_granularflowonwall_02020_00213.dat",
    "fc3d/Capsules-i100-889.dat",
    "fc3d/Capsules-i122-1617.dat",
    "fc3d/RockPile_tob1.dat.gz",
];

#[test]
fn reference_files() {
    let Some(folder) = reference::root() else { return };
    for file in FILES.into_iter().chain([CONES]).filter(|file| !LARGE.contains(file)) {
        let problem = read(&folder, file).unwrap_or_else(|error| panic!("{file}: {error}"));
        for name in NAMES {
            let known = KNOWN_FAILURES.iter().find(|(method, with, _)| (*method, *with) == (name, file));
            let mut method = ContactMethod::from_name(name).expect("it is in the table");
            if known.is_some() {
                // Few iterations, sufficient to see that the error decreases.
                method.set_max_iterations(300);
            }
            let mut solver = method.build().expect("valid");
            if solver.supports(&problem.view()).is_err() {
                assert_eq!(file, CONES, "{name} takes friction");
                continue;
            }
            let (info, ..) = solve(&mut *solver, &problem.view());
            println!(
                "{file} {name}: {}, {} iterations, error {:e}",
                info.status, info.iterations, info.error
            );
            assert_eq!(info.status.is_success(), known.is_none(), "{file} {name}: {info:?} {known:?}");
        }
    }
}
