//! Contact problems on the command line: keys of the output, solutions known in closed form, and methods by
//! name.

use serde_json::Value;

use crate::answer;
use crate::program::{scratch, siconos as run};

/// W = 1, q = (-1, 0.5), mu = 0.3: the contact slides, r = (1, -0.3), u = (0, 0.2).
const FC2D: &str = "2 1\n0 2 2\n2 2\n1 0\n0 1\n-1 0.5\n0.3\n";
/// The same contact in three dimensions, sliding along the second tangent.
const FC3D: &str = "3 1\n0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0.5\n0.3\n";
/// A mass of 4 with one contact, whose directions are the coordinate axes.
const GFC3D: &str = r#"{"class": "gfc3d", "m": {"diagonal": [4, 4, 4]}, "h": {"dense": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    "f": [-4, 0, 2], "w": [0, 0, 0], "mu": [0.3]}"#;
/// A wheel that neither slides nor rolls: u = 0.
const ROLLING: &str = r#"{"class": "rolling", "dimension": 3, "w": {"dense": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    "q": [-1, 0.1, 0.05], "mu": [0.3], "mu_rolling": [0.1]}"#;
/// Two second-order cones. The solution z = -q is in the interior of both.
const SOCLCP: &str = "4 2\n0 4 4\n4 4\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n-1 0.5 -2 -0.5\n0 2 4\n1 1\n";

/// A joint and a stop on the same body: z = (-1, 2).
const GMP: &str = r#"{"class": "gmp", "m": {"dense": [[2, 1], [1, 2]]}, "q": [0, -3],
    "laws": [{"equality": {"size": 1}}, {"complementarity": {"size": 1}}]}"#;

fn file(name: &str, text: &str) -> String {
    scratch(&format!("contact_{name}"), text)
}

/// Returns the printed object; the exit code must be 0, and the unknowns must have these keys.
#[track_caller]
fn answer(arguments: &[&str], unknowns: &[&str]) -> Value {
    let output = run(&[&["solve"], arguments, &["--format", "json"]].concat());
    let (text, complaint) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}{complaint}");
    let value = answer::parse(&text, unknowns);
    // Both errors vanish at the solution.
    assert!(value["siconos_error"].as_f64() <= Some(1e-5), "{text}");
    assert!(value["error"].as_f64() <= value["tolerance"].as_f64(), "{text}");
    value
}

#[track_caller]
fn assert_near(numbers: &Value, expected: &[f64]) {
    answer::assert_near(numbers, expected, 1e-6);
}

#[test]
fn every_class_has_its_answer() {
    let answer_of = |name: &str, text: &str, unknowns: &[&str]| {
        let class = name.split('.').next().expect("a name");
        let name = file(name, text);
        let found = answer(&[&name], unknowns);
        assert_eq!(found["class"], class);
        found
    };
    let local = ["reaction", "velocity"];
    let fc2d = answer_of("fc2d.dat", FC2D, &local);
    assert_near(&fc2d["reaction"], &[1.0, -0.3]);
    assert_near(&fc2d["velocity"], &[0.0, 0.2]);
    let fc3d = answer_of("fc3d.dat", FC3D, &local);
    assert_near(&fc3d["reaction"], &[1.0, 0.0, -0.3]);
    assert_near(&fc3d["velocity"], &[0.0, 0.0, 0.2]);
    let global = answer_of("gfc3d.json", GFC3D, &["reaction", "velocity", "global_velocity"]);
    assert_near(&global["reaction"], &[4.0, 0.0, -1.2]);
    assert_near(&global["velocity"], &[0.0, 0.0, 0.2]);
    assert_near(&global["global_velocity"], &[0.0, 0.0, 0.2]);
    let rolling = answer_of("rolling.json", ROLLING, &local);
    assert_near(&rolling["reaction"], &[1.0, -0.1, -0.05]);
    assert_near(&rolling["velocity"], &[0.0; 3]);
    let cones = answer_of("soclcp.dat", SOCLCP, &["reaction", "velocity"]);
    assert_near(&cones["reaction"], &[1.0, -0.5, 2.0, 0.5]);
    assert_near(&cones["velocity"], &[0.0; 4]);
    let generic = answer_of("gmp.json", GMP, &["reaction", "velocity"]);
    assert_near(&generic["reaction"], &[-1.0, 2.0]);
    assert_near(&generic["velocity"], &[0.0; 2]);
}

#[test]
fn tables_have_the_letters_of_the_class() {
    let table = |name: &str, text: &str| {
        let output = run(&["solve", &file(name, text)]);
        String::from_utf8(output.stdout).expect("text")
    };
    let titles = |text: &str| {
        text.lines()
            .filter(|line| line.trim_start().starts_with("i "))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(titles(&table("letters.dat", FC3D)), ["i r u"]);
    assert_eq!(titles(&table("letters.json", GFC3D)), ["i r u", "i v"]);
    assert_eq!(titles(&table("letters_cones.dat", SOCLCP)), ["i r u"]);
}

#[test]
fn every_method_can_be_named() {
    let output = run(&["methods", "--format", "json"]);
    let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for class in ["fc2d", "fc3d", "gfc2d", "gfc3d", "rolling", "soclcp", "gmp"] {
        let of_class: Vec<_> =
            list.as_array().expect("a list").iter().filter(|entry| entry["class"] == class).collect();
        assert_eq!(of_class.iter().filter(|entry| entry["default"] == true).count(), 1, "{class}");
    }
    let of = |class: &str| -> Vec<String> {
        let entries = list.as_array().expect("a list").iter().filter(|entry| entry["class"] == class);
        entries.map(|entry| entry["name"].as_str().expect("a name").to_owned()).collect()
    };
    let local = ["reaction", "velocity"];
    for (class, problems, unknowns) in [
        ("fc3d", &[("named.dat", FC3D), ("named_plane.dat", FC2D)][..], &local[..]),
        ("gfc3d", &[("named.json", GFC3D)], &["reaction", "velocity", "global_velocity"]),
        ("gmp", &[("named_laws.json", GMP)], &["reaction", "velocity"]),
    ] {
        let files: Vec<_> = problems.iter().map(|(name, text)| file(name, text)).collect();
        for method in of(class) {
            // Some methods report that they accept plane problems only.
            let takes = |name: &&String| {
                let output = run(&["solve", name, "--method", &method]);
                !String::from_utf8_lossy(&output.stderr).contains(" does not support ")
            };
            let name = files.iter().find(takes).unwrap_or_else(|| panic!("{method} takes none of {class}"));
            let found = answer(&[name, "--method", &method, "--tolerance", "1e-6"], unknowns);
            assert_eq!((&found["method"], &found["tolerance"]), (&method.into(), &1e-6.into()));
        }
    }
    // The name in Siconos of the method that is called `plane-lemke` here.
    assert_eq!(
        answer(&[&file("lemke.dat", FC2D), "--method", "lemke"], &["reaction", "velocity"])["method"],
        "plane-lemke"
    );
    let output = run(&["solve", &file("unknown.dat", FC2D), "--method", "simplex"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("there is no method `simplex` for class fc2d; the methods are"),
        "{complaint}"
    );
}

#[test]
fn repeated_solves_give_the_same_answer() {
    let name = file("repeated.dat", FC3D);
    let once = answer(&[&name], &["reaction", "velocity"]);
    let often = answer(&[&name, "--repeat", "5", "--repeat-within", "10"], &["reaction", "velocity"]);
    assert_eq!((&once["reaction"], &once["iterations"]), (&often["reaction"], &often["iterations"]));
}

#[test]
fn hdf5() {
    let output = run(&["solve", "contact_no_such_file.hdf5"]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = if cfg!(feature = "hdf5") { "cannot read" } else { "--features hdf5" };
    assert!(complaint.contains(expected), "{complaint}");
}

/// Two of three contacts are between immovable bodies that approach each other: the output lists these
/// contacts.
#[test]
fn bodies_that_nothing_moves_are_named() {
    let text = r#"{"class": "fc2d", "w": {"diagonal": [0, 0, 1, 1, 0, 0]}, "q": [-1, 0, -1, 0, -2, 0], "mu": [0.3, 0.3, 0.3]}"#;
    let name = file("immovable.json", text);
    for arguments in [vec!["solve", &name], vec!["solve", &name, "--method", "newton"]] {
        let output = run(&arguments);
        let (told, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_ne!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("there is no solution"), "{told}");
        assert!(why.contains("2 contacts 0, 2 approach each other"), "{why}");
    }
}
