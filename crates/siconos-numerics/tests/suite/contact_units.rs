//! Independence of every method of the units of mass, velocity and length: if units change by powers of two,
//! the results are the same to the last bit.

use crate::support::contact_files::{delassus, read};
use ndarray::Array2;
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::contact::{ContactLawData, ContactMethod, ContactProblem, error_of_point};
use siconos_numerics::{Method, SolveInfo};
use siconos_testkit::contact::{KnownContact, Shape, cones, coulomb, planted, rolling};
use siconos_testkit::reference;

/// Exponents of the powers of two by which masses, velocities and lengths change.
const UNITS: [(i32, i32, i32); 9] = [
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (40, 0, 0),
    (-40, 0, 0),
    (0, 40, 0),
    (0, -39, 0),
    (0, 0, -13),
    (-21, 17, 10),
];

fn problems() -> Vec<KnownContact> {
    let laws = [
        coulomb(2, 4, 0.5),
        coulomb(3, 4, 0.0),
        coulomb(3, 5, 0.7),
        rolling(3, 3, 0.3, 0.1),
        ContactLawData::Rolling { dimension: 5, mu: vec![0.7, 0.2, 0.4], mu_rolling: vec![0.2, 0.0, 0.03] },
        cones(&[1, 2, 4], 1.0),
    ];
    let skew = Shape { skew: 0.3, ..Shape::DEFINITE };
    let shapes = [Shape::DEFINITE, Shape::HYPERSTATIC, skew];
    laws.into_iter().flat_map(|law| shapes.map(|shape| planted(law.clone(), shape, 3))).collect()
}

/// Returns `true` if unknown i is a rolling moment.
fn rolls(law: &ContactLawData, i: usize) -> bool {
    matches!(law, ContactLawData::Rolling { dimension, .. } if i % dimension >= dimension.div_ceil(2))
}

/// Returns the problem in other units and in the storage format with the given number. Its reactions and
/// velocities are multiplied by `impulse(i)` and `velocity(i)`.
fn changed(
    problem: &KnownContact,
    (mass, velocity, length): (i32, i32, i32),
    storage: usize,
) -> KnownContact {
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    let lever = |i: usize| if rolls(&problem.law, i) { power(-length) } else { 1.0 };
    let dense = problem.w.view().to_dense();
    let dense =
        Array2::from_shape_fn(dense.dim(), |(i, j)| dense[[i, j]] * power(-mass) * lever(i) * lever(j));
    let q = problem.q.iter().enumerate().map(|(i, q)| q * power(velocity) * lever(i)).collect();
    let law = match problem.law.clone() {
        ContactLawData::Rolling { dimension, mu, mu_rolling } => {
            let mu_rolling = mu_rolling.into_iter().map(|mu| mu * power(length)).collect();
            ContactLawData::Rolling { dimension, mu, mu_rolling }
        }
        law => law,
    };
    let sizes: Vec<usize> = (0..law.view().blocks()).map(|i| law.view().range(i).len()).collect();
    let w = match storage {
        0 => Matrix::from(dense),
        1 => Csc::from_matrix((&dense).into()).into(),
        _ => {
            let pairs = (0..sizes.len()).flat_map(|i| (0..sizes.len()).map(move |j| (i, j)));
            let part = |(i, j)| {
                (i, j, dense.slice(ndarray::s![law.view().range(i), law.view().range(j)]).to_owned())
            };
            BlockCsr::from_blocks(&sizes, &sizes, pairs.map(part).collect()).expect("a partition").into()
        }
    };
    KnownContact { w, q, law, ..problem.clone() }
}

fn solve(method: &ContactMethod, problem: &ContactProblem<'_>) -> Option<(SolveInfo, Vec<f64>, Vec<f64>)> {
    let mut solver = method.build().expect("the settings are valid");
    let (mut r, mut u) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    solver.supports(problem).ok()?;
    let info = solver.solve(problem, &mut r, &mut u).ok()?;
    Some((info, r, u))
}

fn bits(x: impl Iterator<Item = f64>) -> Vec<u64> {
    // The zeros 0 and -0 count as equal.
    x.map(|x| (x + 0.0).to_bits()).collect()
}

#[test]
fn methods_do_not_depend_on_units() {
    // Methods in velocity space need bodies.
    let take_w = ContactMethod::all().into_iter().filter(|method| !method.name().starts_with("velocity-"));
    for mut method in take_w {
        let name = method.name();
        if !matches!(method, ContactMethod::Auto(_)) {
            method.set_max_iterations(150);
        }
        let mut compared = 0;
        for problem in problems() {
            for storage in 0..3 {
                let first = changed(&problem, (0, 0, 0), storage);
                let Some((info, r, u)) = solve(&method, &first.view()) else { continue };
                for units @ (mass, velocity, length) in UNITS {
                    let other = changed(&problem, units, storage);
                    let (told, of_r, of_u) =
                        solve(&method, &other.view()).expect("it took it in other units");
                    let power = |i: usize, exponent: i32| {
                        2.0_f64.powi(exponent)
                            * if rolls(&problem.law, i) { 2.0_f64.powi(length) } else { 1.0 }
                    };
                    let back: Vec<f64> =
                        of_r.iter().enumerate().map(|(i, r)| r / power(i, velocity + mass)).collect();
                    let speeds = of_u.iter().enumerate().map(|(i, u)| {
                        u * 2.0_f64.powi(-velocity)
                            * if rolls(&problem.law, i) { 2.0_f64.powi(length) } else { 1.0 }
                    });
                    let what = format!("{name}, {}, storage {storage}, units {units:?}", problem.name);
                    assert_eq!(told, info, "{what}");
                    assert_eq!(bits(back.iter().copied()), bits(r.iter().copied()), "{what}: {back:?} {r:?}");
                    assert_eq!(bits(speeds), bits(u.iter().copied()), "{what}");
                    compared += 1;
                }
            }
        }
        assert!(compared >= 9, "{name}: {compared}");
    }
}

/// The error of an arbitrary point does not depend on the units either.
#[test]
fn the_measure_does_not_depend_on_units() {
    for problem in problems() {
        let r: Vec<f64> = (0..problem.q.len()).map(|i| 0.3 + (i as f64).sin()).collect();
        let error = error_of_point(&problem.view(), &r, &mut vec![0.0; r.len()]);
        assert!(error > 1e-2, "{}", problem.name);
        for units @ (mass, velocity, length) in UNITS {
            let other = changed(&problem, units, 0);
            let lever = |i| if rolls(&problem.law, i) { 2.0_f64.powi(length) } else { 1.0 };
            let r: Vec<f64> =
                r.iter().enumerate().map(|(i, r)| r * 2.0_f64.powi(velocity + mass) * lever(i)).collect();
            let told = error_of_point(&other.view(), &r, &mut vec![0.0; r.len()]);
            assert_eq!(told.to_bits(), error.to_bits(), "{}, {units:?}: {told} {error}", problem.name);
        }
    }
}

/// Bodies with masses divided by k have the same motion. In some of these files, velocities with an error of
/// 19 % would be accepted by an error that depends on units.
#[test]
fn reference_files_in_other_units() {
    let Some(folder) = reference::root() else { return };
    let files = [
        ("fc3d/Confeti-ex03-Fc3D-SBM.dat", "nonsmooth-gauss-seidel", 1e-3),
        ("fc3d/BoxesStack1-i100000-32.hdf5.dat", "auto", 1e-9),
        ("fc3d/OneObject-i1028-138.hdf5.dat", "auto", 1e6),
        ("fc3d/FC3D_Example1.dat", "auto", 1e9),
        ("fc3d/Capsules-i100-889.dat", "auto", 1e-6),
        ("fc3d/Capsules-i100-889.dat", "auto", 1e9),
    ];
    for (file, name, k) in files {
        let problem = read(&folder, file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let method = ContactMethod::from_name(name).expect("it exists");
        let (info, _, u) = solve(&method, &problem.view()).expect("it takes it");
        assert!(info.status.is_success(), "{file}: {info:?}");
        let w = Matrix::from(delassus(&problem.view()).to_dense() * k);
        let lighter = ContactProblem::new(&w, problem.view().q(), problem.view().law()).expect("it fits");
        let (told, _, of_lighter) = solve(&method, &lighter).expect("it takes it");
        assert!(told.status.is_success(), "{file} times {k:e}: {told:?}");
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let off: Vec<f64> = of_lighter.iter().zip(&u).map(|(a, b)| a - b).collect();
        // Both results violate the law by 1e-8 of the free velocity. A larger difference means that one of
        // them is wrong.
        let allowed = 1e-4 * largest(problem.view().q());
        assert!(largest(&off) <= allowed, "{file} times {k:e}: {:e}", largest(&off));
    }
}
