//! Regression tests: problem files at which a solver accepted a wrong point, or failed. The correct results
//! are known by enumeration, by a certificate, or in closed form.

use std::path::Path;

use serde_json::Value;

use crate::answer::assert_near;
use crate::program::{command, text};

/// Returns the JSON output of `solve` for a file.
fn answer(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems").join(format!("{name}.json"));
    let path = path.to_str().expect("a path in UTF-8");
    let output = command(&["solve", path, "--format", "json"]).output().expect("the program runs");
    serde_json::from_str(&text(&output.stdout)).expect("JSON")
}

#[test]
fn solvable_problems_are_solved() {
    for name in [
        "far_open_row",
        "far_contact",
        "tiny_scale",
        "plane_unsymmetric",
        "plane_negative_diagonal",
        "sparse_mlcp",
        "sparse_relay",
        "rows_in_other_units_4",
        "rows_in_other_units_8",
        "mixed_rows_in_other_units_6",
        "mixed_rows_in_other_units_8",
        "klee_minty_14",
        "klee_minty_20",
        "box_with_infinite_friction",
    ] {
        let answer = answer(name);
        assert_eq!(answer["status"], "Converged", "{name}: {answer}");
    }
}

#[test]
fn infeasible_problems_are_proven_so() {
    for name in ["infeasible_beside_large_q", "plane_infeasible", "sparse_zero_row"] {
        let answer = answer(name);
        assert_eq!(answer["status"], "NoSolution", "{name}: {answer}");
    }
}

/// At z = 0 the first row is violated by 1, and the second row is open by 1e20. The first contact closes with
/// 1 m/s, and the second opens with 1e9 m/s.
#[test]
fn rows_that_are_far_open_hide_no_violation() {
    assert_near(&answer("far_open_row")["z"], &[1.0, 0.0], 1e-12);
    assert_near(&answer("far_contact")["reaction"], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-8);
}
