//! Invalid contact problems: each error states the position, the text found there and the expected text.
//! Detection of the class of a text without a given class.

use siconos_io::problem::{Problem, ProblemClass, ProblemFileErrorKind as Kind};
use siconos_numerics::ProblemError;

/// One contact, dense.
const FC2D: &str = "2 1\n0 2 2\n2 2\n1 0\n0 1\n-1 0.5\n0.3\n";
const FC3D: &str = "3 1\n0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0.5 0\n0.3\n";
/// One degree of freedom.
const GFC2D: &str = "2 1\n0 1 1\n1 1\n4\n0 1 2\n1 2\n1 0\n-1\n0 0\n0.3\n";
const ROLLING_PLANE: &str = "3 1\n0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0.5 0\n0.3\n0.1\n";
const ROLLING_SPACE: &str =
    "5 1\n0 5 5\n5 5\n1 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n0 0 0 1 0\n0 0 0 0 1\n-1 1 1 1 1\n0.3\n0.1\n";
/// A half line and a cone of dimension 2.
const SOCLCP: &str = "3 2\n0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 -1 2\n0 1 3\n1 0.5\n";
/// An equality, a complementarity block of size 2, friction in space.
const GMP: &str = "1 6 6\n3 3 3\n1 3 6\n1 3 6\n4 3\n0 1 2 3\n0 1 2\n0 5\n1 1 0 0 1\n2 1 0 0 0 1 0 0 0 1\n\
    1 2 3 4 5 6\n2\n0\n4\n0.3\n";

fn message(good: &str, find: &str, replacement: &str, class: ProblemClass) -> String {
    let read = |text: &str| Problem::from_dat(text.as_bytes(), Some(class));
    assert!(read(good).is_ok(), "{good:?} is good: {:?}", read(good));
    assert_eq!(good.matches(find).count(), 1, "{find:?} in {good:?}");
    let text = good.replace(find, replacement);
    read(&text).expect_err(&text).to_string()
}

#[track_caller]
fn assert_message(good: &str, find: &str, replacement: &str, class: ProblemClass, expected: &str) {
    let found = message(good, find, replacement, class);
    assert!(found.starts_with(expected), "{found}\ninstead of\n{expected}");
}

#[test]
fn coefficients() {
    for (good, find, line, name, class) in [
        (FC2D, "\n0.3\n", 7, "entry 1 of mu (of 1)", ProblemClass::Fc2d),
        (FC3D, "\n0.3\n", 8, "entry 1 of mu (of 1)", ProblemClass::Fc3d),
        (GFC2D, "\n0.3\n", 10, "entry 1 of mu (of 1)", ProblemClass::Gfc2d),
        (ROLLING_PLANE, "\n0.1\n", 9, "entry 1 of mu_rolling (of 1)", ProblemClass::Rolling),
        (ROLLING_SPACE, "\n0.3\n", 10, "entry 1 of mu (of 1)", ProblemClass::Rolling),
        (SOCLCP, "\n1 0.5\n", 9, "entry 1 of tau (of 2)", ProblemClass::Soclcp),
        (GMP, "\n0.3\n", 15, "mu of block 2", ProblemClass::Gmp),
    ] {
        let at = format!("line {line}, column 1: ");
        let expected = format!("{at}{name} is -0.5; it must be a nonnegative number");
        assert_message(good, find, "\n-0.5\n", class, &expected);
        assert_message(good, find, "\nnan\n", class, &format!("{at}expected a finite number ({name})"));
        assert_message(good, find, "\nx\n", class, &format!("{at}expected a number ({name}), found `x`"));
    }
}

#[test]
fn sizes() {
    for (good, find, replacement, class, expected) in [
        (
            FC3D,
            "3 1\n",
            "2 1\n",
            ProblemClass::Fc3d,
            "line 1, column 1: the dimension of a contact is 2; it must be 3",
        ),
        (
            FC2D,
            "2 1\n",
            "3 1\n",
            ProblemClass::Fc2d,
            "line 1, column 1: the dimension of a contact is 3; it must be 2",
        ),
        (
            ROLLING_SPACE,
            "5 1\n",
            "4 1\n",
            ProblemClass::Rolling,
            "line 1, column 1: the dimension of a contact is 4; it must be 3 or 5",
        ),
        (
            FC3D,
            "0 3 3",
            "0 4 4",
            ProblemClass::Fc3d,
            "line 2, column 3: the number of rows of W is 4; it must be 3",
        ),
        (
            FC3D,
            "3 1\n",
            "3 2\n",
            ProblemClass::Fc3d,
            "line 2, column 3: the number of rows of W is 3; it must be 6",
        ),
        (
            FC3D,
            "3 1\n",
            "3 9223372036854775807\n",
            ProblemClass::Fc3d,
            "line 1, column 3: a problem of 9223372036854775807 contacts requires more numbers",
        ),
        (
            GFC2D,
            "0 1 2\n",
            "0 2 2\n",
            ProblemClass::Gfc2d,
            "line 5, column 3: the number of rows of H is 2; it must be 1",
        ),
        (
            GFC2D,
            "0 1 2\n",
            "0 1 3\n",
            ProblemClass::Gfc2d,
            "line 5, column 5: the number of columns of H is 3; it must be 2",
        ),
        (
            GFC2D,
            "0 1 1\n",
            "0 1000 1\n",
            ProblemClass::Gfc2d,
            "line 2, column 3: M, 1000 rows, requires more numbers",
        ),
        (
            GFC2D,
            "0 1 1\n",
            "0 1 2\n",
            ProblemClass::Gfc2d,
            "line 2, column 5: the number of columns of M is 2; it must be 1",
        ),
        (
            SOCLCP,
            "3 2\n",
            "3 4\n",
            ProblemClass::Soclcp,
            "line 1, column 3: the number of cones is 4; it must be 1 to 3",
        ),
        (
            SOCLCP,
            "3 2\n",
            "3 0\n",
            ProblemClass::Soclcp,
            "line 1, column 3: the number of cones is 0; it must be 1 to 3",
        ),
        (
            SOCLCP,
            "0 1 3\n",
            "1 1 3\n",
            ProblemClass::Soclcp,
            "line 8, column 1: the first unknown of a cone is 1; it must be 0",
        ),
        (
            SOCLCP,
            "0 1 3\n",
            "0 0 3\n",
            ProblemClass::Soclcp,
            "line 8, column 3: the first unknown of a cone is 0; it must be 1 to 2",
        ),
        (
            SOCLCP,
            "0 1 3\n",
            "0 3 3\n",
            ProblemClass::Soclcp,
            "line 8, column 3: the first unknown of a cone is 3; it must be 1 to 2",
        ),
        (
            SOCLCP,
            "0 1 3\n",
            "0 1 2\n",
            ProblemClass::Soclcp,
            "line 8, column 5: the first unknown of a cone is 2; it must be 3 after",
        ),
        (
            GMP,
            "\n2\n0\n4\n",
            "\n4\n0\n4\n",
            ProblemClass::Gmp,
            "line 12, column 1: the law of block 0, which has 1 unknowns, is 4; it must be 0 (complementarity)",
        ),
        (
            GMP,
            "\n2\n0\n4\n",
            "\n2\n9\n4\n",
            ProblemClass::Gmp,
            "line 13, column 1: the law of block 1, which has 2 unknowns, is 9; it must be 0",
        ),
    ] {
        assert_message(good, find, replacement, class, expected);
    }
    let dense = Problem::from_dat("0 1 1 1 1 5 -1 2".as_bytes(), Some(ProblemClass::Gmp)).expect_err("dense");
    assert_eq!(
        dense.to_string(),
        "line 1, column 1: the storage of M is 0; it must be 1 (sparse blocks), since each block row has its own law"
    );
}

#[test]
fn texts_that_end_early() {
    for (good, class) in [
        (FC2D, ProblemClass::Fc2d),
        (FC3D, ProblemClass::Fc3d),
        (GFC2D, ProblemClass::Gfc2d),
        (ROLLING_PLANE, ProblemClass::Rolling),
        (ROLLING_SPACE, ProblemClass::Rolling),
        (SOCLCP, ProblemClass::Soclcp),
        (GMP, ProblemClass::Gmp),
    ] {
        let ends = good.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(end, _)| end);
        for end in ends.take(good.split_whitespace().count() - 1) {
            let error = Problem::from_dat(&good.as_bytes()[..end], Some(class)).expect_err(&good[..end]);
            let expected = matches!(error.kind, Kind::Truncated { .. } | Kind::TooLarge { .. });
            assert!(expected && error.place.is_some(), "{:?}: {error}", &good[..end]);
        }
    }
}

#[test]
fn classes_that_are_not_named() {
    let class = |text: &str| Problem::from_dat(text.as_bytes(), None).map(|problem| problem.class());
    for (text, expected) in [
        (FC2D, ProblemClass::Fc2d),
        (FC3D, ProblemClass::Fc3d),
        (GFC2D, ProblemClass::Gfc2d),
        (ROLLING_SPACE, ProblemClass::Rolling),
        (SOCLCP, ProblemClass::Soclcp),
        (GMP, ProblemClass::Gmp),
    ] {
        assert_eq!(class(text).unwrap_or_else(|error| panic!("{error}")), expected);
    }
    // Rolling friction in the plane can also be read as friction in space with a remark.
    let error = class(ROLLING_PLANE).expect_err("nothing says which");
    let both = [ProblemClass::Fc3d, ProblemClass::Rolling];
    assert!(matches!(&error.kind, Kind::Ambiguous { classes } if *classes == both), "{error}");
    assert!(matches!(class(&format!("{FC3D}-1")), Ok(ProblemClass::Fc3d)), "-1 is no coefficient");
    assert!(matches!(class(&format!("{FC3D} 1")), Ok(ProblemClass::Fc3d)), "1 is the flag of Siconos");

    // As many degrees of freedom as contact unknowns: M could be W, and the sizes of H free velocities.
    let global = "3 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -1 0 0  0 0 0  0.3";
    assert!(matches!(class(global), Ok(ProblemClass::Gfc3d)), "{:?}", class(global));
    // One cone: its starts could be mu.
    let cone = "3 1  0 3 3 3 3 1 0 0 0 1 0 0 0 1  -1 0 0  0 3  0.7";
    assert!(matches!(class(cone), Ok(ProblemClass::Soclcp)), "{:?}", class(cone));
    let error = class("7 1 0 7 7").expect_err("no contact has seven unknowns");
    assert!(matches!(&error.kind, Kind::NoClass { .. }), "{error}");
}

#[test]
fn json() {
    let message = |text: &str| Problem::from_json(text.as_bytes()).expect_err(text).to_string();
    let identity = r#"{"diagonal": [1, 1, 1]}"#;
    for (text, expected) in [
        (
            format!(r#"{{"class": "fc3d", "w": {identity}, "q": [0, 0, 0], "mu": [-1]}}"#),
            "`mu` of contact 0 is -1; it must be a nonnegative number",
        ),
        (
            format!(r#"{{"class": "fc3d", "w": {identity}, "q": [0, 0, 0], "mu": [0.1, 0.2]}}"#),
            "2 contacts or cones, one for each coefficient, require a matrix with 6 rows; it has 3",
        ),
        (
            format!(r#"{{"class": "fc2d", "w": {identity}, "q": [0, 0, 0]}}"#),
            "line 1, column 63: missing field `mu`",
        ),
        (
            format!(
                r#"{{"class": "gfc3d", "m": {identity}, "h": {{"dense": [[1], [1], [1]]}}, "f": [0, 0, 0], "w": [0, 0, 0], "mu": [1]}}"#
            ),
            "1 contacts require 3 columns of H; it has 1",
        ),
        (
            format!(
                r#"{{"class": "rolling", "dimension": 4, "w": {identity}, "q": [0, 0, 0], "mu": [1], "mu_rolling": [1]}}"#
            ),
            "line 1, column 35: the dimension of rolling friction must be 3 (plane) or 5 (space), not 4",
        ),
        (
            format!(
                r#"{{"class": "soclcp", "m": {identity}, "q": [0, 0, 0], "starts": [0, 0, 3], "tau": [1, 1]}}"#
            ),
            "the starts of cones must begin with 0 and increase",
        ),
        (
            format!(
                r#"{{"class": "gmp", "m": {identity}, "q": [0, 0, 0], "laws": [{{"equality": {{"size": 2}}}}]}}"#
            ),
            "`laws (by unknowns)` has 2 entries; expected 3",
        ),
    ] {
        let found = message(&text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
    let text = format!(
        r#"{{"class": "rolling", "dimension": 3, "w": {identity}, "q": [-1, 0, 0], "mu": [1], "mu_rolling": [0.5]}}"#
    );
    let problem = Problem::from_json(text.as_bytes()).expect("a good problem");
    assert!(
        matches!(&problem, Problem::Contact(wheel) if wheel.law().mu_rolling() == Some(&[0.5][..])),
        "{problem:?}"
    );
    let text = format!(r#"{{"class": "fc3d", "w": {identity}, "q": [-1, 0, 0], "mu": [-0.5]}}"#);
    let error = Problem::from_json(text.as_bytes()).expect_err("mu");
    let expected = ProblemError::Coefficient { what: "mu", contact: 0, value: -0.5 };
    assert!(matches!(&error.kind, Kind::Problem(found) if *found == expected), "{error}");
}

/// Without the cargo feature, an HDF5 file is refused with advice.
#[cfg(not(feature = "hdf5"))]
#[test]
fn hdf5_needs_the_feature() {
    let error = Problem::read("some.hdf5", None).expect_err("not built in");
    assert!(matches!(error.kind, Kind::NeedsHdf5), "{error}");
    assert!(error.to_string().contains("--features hdf5"), "{error}");
}
