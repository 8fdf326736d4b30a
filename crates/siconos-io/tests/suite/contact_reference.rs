//! Contact problems from the test data of Siconos and FCLIB, if they are available.
//!
//! The data are not in this repository. The folder is `$SICONOS_REFERENCE`, or `shared/reference` next to the
//! workspace; without it the tests print a note and pass. The expected numbers were counted with another
//! reader.

use std::path::Path;

use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::MatrixRef;
use siconos_numerics::contact::ContactLaw;
use siconos_numerics::gmp::MechanicalLaw;

/// Storage of a matrix: dense, a number of blocks, or sparse columns.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Storage {
    Dense,
    Blocks(usize),
    Sparse,
}

use Storage::{Blocks, Dense, Sparse};
use siconos_testkit::reference;

/// File, contacts, nonzero entries of W, storage, upper bound of norm(W - W^T) / norm(W), smallest and
/// largest mu.
type Row = (&'static str, usize, usize, Storage, f64, (f64, f64));

const FC2D: [Row; 5] = [
    ("FC2D_SliderCrankLagrangian00000.dat", 2, 16, Dense, 1e-6, (0.01, 0.01)),
    ("FrictionContactProblem00031.dat", 11, 60, Blocks(15), 1e-14, (0.9, 0.9)),
    ("FrictionContactProblem00237.dat", 376, 6588, Blocks(1656), 1e-14, (0.9, 0.9)),
    ("fc2d_granularflowonwall_00667_00000.dat", 667, 3822, Sparse, 1e-14, (0.5, 0.5)),
    ("fc2d_granularflowonwall_02020_00213.dat", 2020, 20616, Sparse, 1e-14, (0.5, 0.5)),
];

const FC3D: [Row; 16] = [
    ("BoxesStack1-i100000-32.hdf5.dat", 52, 5328, Blocks(592), 1e-14, (0.7, 0.7)),
    ("Capsules-i100-889.dat", 276, 11736, Blocks(1304), 3e-4, (0.7, 0.7)),
    ("Capsules-i122-1617.dat", 296, 12420, Blocks(1380), 5e-4, (0.7, 0.7)),
    ("Confeti-ex03-Fc3D-SBM.dat", 54, 1281, Blocks(400), 1e-14, (0.4, 0.4)),
    ("Confeti-ex13-4contact-Fc3D-SBM.dat", 4, 144, Blocks(16), 1e-14, (0.04, 0.04)),
    ("FC3D_Example1.dat", 3, 9, Dense, 1e-14, (0.1, 0.1)),
    ("FC3D_Example1_SBM.dat", 3, 9, Blocks(3), 1e-14, (0.1, 0.1)),
    ("FrictionContact3D_1c.dat", 1, 9, Dense, 1e-14, (0.1, 0.1)),
    ("FrictionContact3D_RR_1c.dat", 1, 9, Dense, 1e-14, (0.6, 0.6)),
    ("NESpheres_10_1.dat", 9, 121, Dense, 1e-14, (0.8, 0.8)),
    ("OneObject-i1028-138.hdf5.dat", 23, 1377, Blocks(153), 2e-4, (0.3, 0.3)),
    ("RockPile_tob1.dat.gz", 463, 32697, Blocks(3633), 2e-3, (1.0, 1.0)),
    ("Rover1039.dat", 4, 144, Dense, 3e-5, (0.7, 0.7)),
    ("Rover11035.dat", 1, 9, Dense, 3e-5, (0.7, 0.7)),
    ("Rover3865.dat", 5, 225, Dense, 2e-5, (0.7, 0.7)),
    ("Rover4396.dat", 2, 36, Dense, 5e-5, (0.7, 0.7)),
];

/// File, contacts, degrees of freedom, nonzero entries of M, storage formats of M and H.
const GFC3D: [(&str, usize, usize, usize, Storage, Storage); 4] = [
    ("GFC3D_Example0.dat", 1, 9, 9, Dense, Dense),
    ("GFC3D_Example00_badly_scaled.dat", 1, 3, 3, Dense, Dense),
    ("GFC3D_Example0_SBM.dat", 1, 9, 9, Blocks(3), Blocks(2)),
    ("GFC3D_TwoRods1.dat", 3, 54, 450, Blocks(2), Blocks(6)),
];

/// File, contacts, nonzero entries, ranges of mu and of mu_rolling.
type RollingRow = (&'static str, usize, usize, [(f64, f64); 2]);

const ROLLING: [RollingRow; 2] = [
    ("RFC3D_cube_1.dat", 2, 100, [(0.3, 0.3), (0.1, 0.1)]),
    ("rockfall_14_25792.dat", 14, 650, [(0.7, 0.8), (0.1, 0.8)]),
];

/// Reads a file with a given class, and checks that the class is also detected.
#[track_caller]
fn read(path: &Path, class: ProblemClass) -> Problem {
    let problem = Problem::read(path, Some(class)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(problem.class(), class, "{}", path.display());
    let detected = Problem::read(path, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(detected, problem, "{}", path.display());
    problem
}

fn storage(m: MatrixRef<'_>) -> Storage {
    match m {
        MatrixRef::Dense(_) => Dense,
        MatrixRef::BlockCsr(m) => Blocks(m.blocks()),
        MatrixRef::Csc(_) => Sparse,
        other => panic!("no file has {}", other.storage()),
    }
}

/// Returns the number of nonzero entries, or of the entries listed in sparse text.
fn nonzeros(m: MatrixRef<'_>) -> usize {
    let count = |entries: &mut dyn Iterator<Item = f64>| entries.filter(|entry| *entry != 0.0).count();
    match m {
        // Eight of the entries were printed as 0.
        MatrixRef::Csc(m) => m.entries(),
        MatrixRef::BlockCsr(m) => count(&mut m.values().iter().copied()),
        other => count(&mut other.to_dense().into_iter()),
    }
}

fn range(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

#[track_caller]
fn assert_near(found: (f64, f64), expected: (f64, f64), name: &str) {
    let near = |a: f64, b: f64| (a - b).abs() < 0.05;
    assert!(near(found.0, expected.0) && near(found.1, expected.1), "{name}: {found:?}, not {expected:?}");
}

/// Compares the data that all local problems have.
#[track_caller]
fn assert_matches(problem: &Problem, dimension: usize, mu: &[f64], row: Row) {
    let (name, contacts, entries, stored, asymmetry, friction) = row;
    assert_eq!((problem.size(), mu.len()), (dimension * contacts, contacts), "{name}");
    assert_eq!((nonzeros(problem.m()), storage(problem.m())), (entries, stored), "{name}");
    assert_near(range(mu), friction, name);
    if problem.size() < 1500 {
        let m = problem.m().to_dense();
        let norm = |entries: &mut dyn Iterator<Item = f64>| entries.map(|x| x * x).sum::<f64>().sqrt();
        let found = norm(&mut (&m - &m.t()).iter().copied()) / norm(&mut m.iter().copied());
        assert!(found <= asymmetry, "{name}: asymmetry {found}");
        assert!(asymmetry <= 1e-14 || found > 0.01 * asymmetry, "{name}: asymmetry {found}, not {asymmetry}");
    }
}

#[test]
fn friction_in_the_plane() {
    let Some(folder) = reference::folder("fc2d") else { return };
    for row in FC2D {
        let problem = read(&folder.join(row.0), ProblemClass::Fc2d);
        let Problem::Contact(friction) = &problem else { panic!("{}", row.0) };
        assert_matches(&problem, 2, friction.law().mu().expect("friction"), row);
    }
}

#[test]
fn friction_in_space() {
    let Some(folder) = reference::folder("fc3d") else { return };
    for row in FC3D {
        let path = folder.join(row.0);
        // Rover11035 has one contact and ends with a 1, which is a flag.
        let problem = read(&path, ProblemClass::Fc3d);
        let Problem::Contact(friction) = &problem else { panic!("{}", row.0) };
        assert_matches(&problem, 3, friction.law().mu().expect("friction"), row);
    }
}

#[test]
fn dense_and_blocks_hold_the_same_problem() {
    let Some(folder) = reference::folder("fc3d") else { return };
    let dense = read(&folder.join("FC3D_Example1.dat"), ProblemClass::Fc3d);
    let blocks = read(&folder.join("FC3D_Example1_SBM.dat"), ProblemClass::Fc3d);
    assert_eq!((dense.m().to_dense(), dense.q()), (blocks.m().to_dense(), blocks.q()));
}

#[test]
fn friction_in_global_form() {
    let Some(folder) = reference::folder("gfc3d") else { return };
    for (name, contacts, freedoms, entries, stored, stored_h) in GFC3D {
        let problem = read(&folder.join(name), ProblemClass::Gfc3d);
        let Problem::Contact(global) = &problem else { panic!("{name}") };
        let bodies = global.bodies().expect("the global form");
        let (m, h) = (bodies.m.view(), bodies.h.view());
        assert_eq!((global.law().blocks(), m.rows()), (contacts, freedoms), "{name}");
        assert_eq!((nonzeros(m), storage(m)), (entries, stored), "{name}");
        assert_eq!((h.rows(), h.columns()), (freedoms, 3 * contacts), "{name}");
        assert_eq!(storage(h), stored_h, "{name}");
        assert_near(range(global.law().mu().expect("friction")), (0.1, 0.1), name);
    }
}

#[test]
fn rolling_friction() {
    let Some(folder) = reference::folder("rolling") else { return };
    for (name, contacts, entries, [mu, mu_rolling]) in ROLLING {
        let problem = read(&folder.join(name), ProblemClass::Rolling);
        let Problem::Contact(rolling) = &problem else { panic!("{name}") };
        assert_eq!((rolling.law().blocks(), problem.size()), (contacts, 5 * contacts), "{name}");
        assert_eq!((nonzeros(problem.m()), storage(problem.m())), (entries, Dense), "{name}");
        assert_near(range(rolling.law().mu().expect("friction")), mu, name);
        assert_near(range(rolling.law().mu_rolling().expect("it rolls")), mu_rolling, name);
    }
}

#[test]
fn second_order_cones() {
    let Some(folder) = reference::folder("soclcp") else { return };
    let problem = read(&folder.join("Example1_SOCLCP_SBM.dat"), ProblemClass::Soclcp);
    let Problem::Contact(cones) = &problem else { panic!("it is of that class") };
    let ContactLaw::SecondOrder { starts, tau } = cones.law() else { panic!("it is of that class") };
    assert_eq!((problem.size(), starts), (9, &[0, 3, 6, 9][..]));
    assert_eq!((nonzeros(problem.m()), storage(problem.m())), (9, Blocks(3)));
    assert_near(range(tau), (0.1, 0.1), "tau");
}

#[test]
fn blocks_of_different_laws() {
    let Some(folder) = reference::folder("gmp") else { return };
    let equality = |size| MechanicalLaw::Equality { size };
    for (name, entries, blocks, laws) in [
        ("GMP0.dat", 36, 4, vec![equality(5), MechanicalLaw::Complementarity { size: 1 }]),
        ("GMP2.dat", 54, 10, vec![equality(3), equality(3), equality(3), equality(5)]),
        ("GMP4.dat", 9, 1, vec![MechanicalLaw::Friction3 { mu: 0.1 }]),
    ] {
        let problem = read(&folder.join(name), ProblemClass::Gmp);
        let Problem::Gmp(generic) = &problem else { panic!("{name}") };
        assert_eq!((nonzeros(problem.m()), storage(problem.m())), (entries, Blocks(blocks)), "{name}");
        assert_eq!(generic.laws(), laws, "{name}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    for (name, class) in [
        ("fc2d", ProblemClass::Fc2d),
        ("fc3d", ProblemClass::Fc3d),
        ("gfc3d", ProblemClass::Gfc3d),
        ("rolling", ProblemClass::Rolling),
        ("soclcp", ProblemClass::Soclcp),
        ("gmp", ProblemClass::Gmp),
    ] {
        let Some(folder) = reference::folder(name) else { return };
        for entry in folder.read_dir().expect("it is a folder") {
            let path = entry.expect("it has a name").path();
            if path.extension().is_some_and(|end| end == "hdf5") {
                continue;
            }
            let problem = Problem::read(&path, Some(class)).unwrap_or_else(|error| panic!("{error}"));
            let (mut dat, mut json) = (Vec::new(), Vec::new());
            problem.to_dat(&mut dat).expect("there is memory");
            problem.to_json(&mut json).expect("there is memory");
            assert_eq!(Problem::from_dat(dat.as_slice(), Some(class)).expect("it was written so"), problem);
            assert_eq!(Problem::from_json(json.as_slice()).expect("it was written so"), problem);
        }
    }
}
