//! `siconos-rs keys`: tables of the keys of model files.

use serde_json::Value;

use crate::program::{siconos, text};

/// Returns the output of `siconos-rs keys`, which must succeed.
fn keys(arguments: &[&str]) -> String {
    let shown = siconos(&[&["keys"], arguments].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    text(&shown.stdout)
}

#[test]
fn without_arguments_all_tables_are_listed() {
    let all = keys(&[]);
    for line in ["model", "hybrid", "sweeping", "dvi"] {
        assert!(all.lines().any(|own| own == line), "{line}: {all}");
    }
    let laws = all.lines().find(|line| line.starts_with("  laws.NAME")).expect("a line");
    assert!(laws.contains("relay, normal_cone, complementarity"), "{laws}");
}

#[test]
fn a_law_is_shown_with_its_formula() {
    let spring = "model file, laws.NAME: spring
  lambda = -(k y + c y'). A stretched spring (y > 0) pulls: lambda < 0.
  stiffness  number, required
             stiffness k, in N/m or N m/rad
  damping    number
             damping c, in N s/m or N m s/rad; default 0
";
    assert_eq!(keys(&["spring"]), spring);
    assert_eq!(keys(&["spring", "damping"]).lines().count(), 4);
}

#[test]
fn a_key_is_shown_in_all_tables_that_have_it() {
    let tables: Value = serde_json::from_str(&keys(&["restitution", "--format", "json"])).expect("JSON");
    let words: Vec<_> = tables.as_array().expect("an array").iter().map(|table| &table["words"][0]).collect();
    assert_eq!(words, ["newton_impact", "multiple_impact", "newton_impact_friction"]);
    let keys = |table: &Value| table["keys"].as_array().map(Vec::len);
    assert!(tables.as_array().expect("an array").iter().all(|table| keys(table) == Some(1)));
}

#[test]
fn names_in_expressions_are_shown() {
    let gap = keys(&["gap"]);
    assert!(gap.contains("simulation.events") && gap.contains("floor.gap"), "{gap}");
    assert!(keys(&["work.friction"]).contains("along normals"));
    let names = keys(&["names"]);
    assert!(names.lines().any(|line| line == "  floor.force"), "{names}");
    assert!(names.matches("multiplier of an interaction of Lagrangian systems").count() == 1, "{names}");
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest_one() {
    let ends = [
        (vec!["restituton"], "there is no table or key named `restituton`; did you mean `restitution`?"),
        (vec!["simulation", "stp"], "there is no key in `simulation` named `stp`; did you mean `step`?"),
        (vec!["step", "simulation"], "`step` is a key, not a table; the table `simulation` comes first"),
        (vec!["step", "foo"], "`step` is a key, not a table; `siconos-rs keys step` shows it"),
        (vec![""], "there is no table or key named ``; `siconos-rs keys` lists all tables"),
    ];
    for (arguments, message) in ends {
        let refused = siconos(&[vec!["keys"], arguments].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(text(&refused.stderr), format!("siconos-rs: {message}\n"));
    }
}
