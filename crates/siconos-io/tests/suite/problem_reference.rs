//! Problem files from the test data of Siconos, if they are available.
//!
//! The data are not in this repository. The folder is `$SICONOS_REFERENCE`, or `shared/reference` next to the
//! workspace; without it the tests print a note and pass. The expected numbers were counted with another
//! reader.

use std::path::Path;

use siconos_io::problem::{Problem, ProblemClass, ProblemFileErrorKind as Kind};
use siconos_linalg::MatrixRef;
use siconos_numerics::mlcp::MlcpRow;
use siconos_testkit::compare::worse;
use siconos_testkit::reference;

/// File, unknowns, nonzero entries, and norm(M - M^T) / norm(M) to two decimals.
type Row = (&'static str, usize, usize, f64);

const LCP: [Row; 12] = [
    ("lcp_CPS_1.dat", 2, 4, 0.0),
    ("lcp_CPS_2.dat", 3, 6, 1.90),
    ("lcp_CPS_3.dat", 4, 8, 0.35),
    ("lcp_CPS_4.dat", 4, 13, 0.15),
    ("lcp_CPS_5.dat", 2, 4, 0.0),
    ("lcp_Pang_isolated_sol.dat", 3, 4, 1.41),
    ("lcp_deudeu.dat", 2, 4, 0.0),
    ("lcp_deudeu_block.dat", 2, 4, 0.0),
    ("lcp_exp_murty.dat", 6, 21, 1.35),
    ("lcp_mmc.dat", 26, 676, 0.0),
    ("lcp_ortiz.dat", 4, 12, 0.77),
    ("lcp_trivial.dat", 9, 9, 0.0),
];

/// Number of equalities, followed by the data of [`Row`].
const MLCP: [(usize, Row); 10] = [
    (20, ("Buck2_mlcp.dat", 32, 90, 1.41)),
    (3, ("PD_mlcp.dat", 7, 32, 0.79)),
    (2, ("RCD_mlcp.dat", 3, 6, 1.32)),
    (6, ("RLCD_mlcp.dat", 8, 19, 1.58)),
    (65, ("deltasigma_mlcp.dat.gz", 221, 825, 1.41)),
    (11, ("diodeBridge20_mlcp.dat", 31, 81, 1.43)),
    (3, ("diodeBridge_mlcp.dat", 7, 17, 1.49)),
    (1, ("m2n1_mlcp.dat", 3, 5, 1.15)),
    (2, ("m3n2_mlcp.dat", 5, 23, 1.24)),
    (4, ("relay2_mlcp.dat", 6, 9, 1.22)),
];

/// Smallest lower and largest upper bound, followed by the data of [`Row`].
const RELAY: [((f64, f64), Row); 4] = [
    ((-0.1, 0.1), ("relay1.dat", 15, 225, 0.0)),
    ((-1.0, 1.0), ("relay_2x2.dat", 2, 2, 0.0)),
    ((0.0, 1.0), ("step_1x1.dat", 1, 1, 0.0)),
    ((0.1, 1.0), ("step_4x4.dat", 4, 4, 0.0)),
];

#[track_caller]
fn read(path: &Path, class: ProblemClass) -> Problem {
    let problem = Problem::read(path, Some(class)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(problem.class(), class, "{}", path.display());
    problem
}

#[track_caller]
fn assert_matches(problem: &Problem, (name, size, nonzeros, asymmetry): Row) {
    let m = problem.m().to_dense();
    assert_eq!((problem.size(), m.dim()), (size, (size, size)), "{name}: size");
    assert_eq!(
        m.iter().filter(|entry| **entry != 0.0).count(),
        nonzeros,
        "{name}: entries that are not zero"
    );
    let norm = |entries: &mut dyn Iterator<Item = f64>| entries.map(|x| x * x).sum::<f64>().sqrt();
    let found = norm(&mut (&m - &m.t()).iter().copied()) / norm(&mut m.iter().copied());
    let allowed = if asymmetry == 0.0 { 1e-14 } else { 0.005 };
    assert!((found - asymmetry).abs() <= allowed, "{name}: asymmetry {found} instead of {asymmetry}");
}

/// Checks that the problem is also read without a given class.
#[track_caller]
fn assert_detected(path: &Path, problem: &Problem) {
    let detected = Problem::read(path, None);
    assert_eq!(&detected.unwrap_or_else(|error| panic!("{error}")), problem, "{}", path.display());
}

#[test]
fn linear_problems() {
    let Some(folder) = reference::folder("lcp") else { return };
    for row in LCP {
        let path = folder.join(row.0);
        let problem = read(&path, ProblemClass::Lcp);
        assert_matches(&problem, row);
        let in_blocks = matches!(problem.m(), MatrixRef::BlockCsr(_));
        assert_eq!(in_blocks, row.0.contains("block"), "{}", row.0);
        assert_detected(&path, &problem);
    }
}

#[test]
fn matrices_are_read_column_by_column() {
    let Some(folder) = reference::folder("lcp") else { return };
    let m = read(&folder.join("lcp_CPS_4.dat"), ProblemClass::Lcp).m().to_dense();
    assert_eq!((m[[3, 0]], m[[0, 3]]), (1.0, -1.0));
    let dense = read(&folder.join("lcp_deudeu.dat"), ProblemClass::Lcp);
    let blocks = read(&folder.join("lcp_deudeu_block.dat"), ProblemClass::Lcp);
    assert_eq!((dense.m().to_dense(), dense.q()), (blocks.m().to_dense(), blocks.q()));
}

#[test]
fn mixed_problems() {
    let Some(folder) = reference::folder("mlcp") else { return };
    for (equalities, row) in MLCP {
        let path = folder.join(row.0);
        // Each file contains its data twice, and the reader compares them.
        let problem = read(&path, ProblemClass::Mlcp);
        assert_matches(&problem, row);
        let Problem::Mlcp(mixed) = &problem else { panic!("{} is not mixed", row.0) };
        let (first, others) = mixed.view().rows().split_at(equalities);
        assert!(first.iter().all(|row| *row == MlcpRow::Equality), "{}", row.0);
        assert!(others.iter().all(|row| *row == MlcpRow::Complementarity), "{}", row.0);
        assert_detected(&path, &problem);
    }
}

#[test]
fn relay_problems() {
    let Some(folder) = reference::folder("relay") else { return };
    for ((least, greatest), row) in RELAY {
        let path = folder.join(row.0);
        let problem = read(&path, ProblemClass::Relay);
        assert_matches(&problem, row);
        let Problem::Relay(relay) = &problem else { panic!("{} is no relay problem", row.0) };
        let (lower, upper) = (relay.view().lower(), relay.view().upper());
        assert_eq!(lower.iter().copied().reduce(f64::min), Some(least), "{}", row.0);
        assert_eq!(upper.iter().copied().reduce(worse), Some(greatest), "{}", row.0);

        // It could also be a linear problem with numbers as a remark, so the class is ambiguous.
        let error = Problem::read(&path, None).expect_err("nothing says which");
        let expected = [ProblemClass::Lcp, ProblemClass::Relay];
        assert!(matches!(&error.kind, Kind::Ambiguous { classes } if *classes == expected), "{error}");
    }
}

#[test]
fn sparse_text_is_read_and_what_has_another_class_is_refused() {
    let Some(folder) = reference::folder("fc2d") else { return };
    let path = folder.join("fc2d_granularflowonwall_00667_00000.dat");
    let error = Problem::read(&path, Some(ProblemClass::Mlcp)).expect_err("it is a friction problem");
    assert!(matches!(&error.kind, Kind::Inconsistent { .. }), "{error}");

    // Without its first two numbers, and with n in their place, it is a linear problem with mu as a remark.
    let text = std::fs::read_to_string(&path).expect("it was read before");
    let text =
        text.split_once('\n').and_then(|(_dimension, rest)| rest.split_once('\n')).expect("two lines").1;
    let problem = Problem::from_dat(format!("1334\n{text}").as_bytes(), Some(ProblemClass::Lcp));
    let problem = problem.unwrap_or_else(|error| panic!("{error}"));
    let MatrixRef::Csc(m) = problem.m() else { panic!("it is sparse") };
    assert_eq!((m.rows(), m.columns(), m.entries()), (1334, 1334, 3822));
    let norm = (0..1334).map(|j| m.column(j).map(|(_, x)| x.abs()).sum::<f64>()).fold(0.0, worse);
    assert!((norm - 7152.83).abs() < 0.01, "the header says 7152.83, the columns {norm}");
    assert_eq!((m.get(649, 0), m.get(0, 1)), (-454.43, 0.0));
}

#[test]
fn what_is_written_is_read_again() {
    for (name, class) in
        [("lcp", ProblemClass::Lcp), ("mlcp", ProblemClass::Mlcp), ("relay", ProblemClass::Relay)]
    {
        let Some(folder) = reference::folder(name) else { return };
        for entry in folder.read_dir().expect("it is a folder") {
            let problem = read(&entry.expect("it has a name").path(), class);
            let (mut dat, mut json) = (Vec::new(), Vec::new());
            problem.to_dat(&mut dat).expect("there is memory");
            problem.to_json(&mut json).expect("there is memory");
            assert_eq!(Problem::from_dat(dat.as_slice(), Some(class)).expect("it was written so"), problem);
            assert_eq!(Problem::from_json(json.as_slice()).expect("it was written so"), problem);
        }
    }
}
