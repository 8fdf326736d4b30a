//! Refused manifests and their messages.

use std::path::{Path, PathBuf};

use super::{Manifest, ManifestError, Problem, Reference};

const GOOD: &str = r#"
[tolerance.fine]
absolute = 1e-11
relative = 0.0

[[scenario]]
name = "ball"
description = "A ball."
reference = { file = "references/ball.csv", stride = 10 }
rows = [0, 100]
provenance = "made here"
columns = [{ within = "fine", of = ["q: c1"] }]

[[scenario]]
name = "ball_other"
description = "The same ball."
result = "ball"
reference = { external = "trajectories/ball.ref" }
provenance = "made there"
columns = [{ absolute = 0.0, relative = 1e-6, reason = "another integrator", of = ["q"] }]
"#;

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::parse(Path::new("manifest.toml"), text, &["ball"])
}

/// Returns the problem that a change of the good manifest causes.
fn problem_of(from: &str, to: &str) -> Problem {
    assert!(GOOD.contains(from), "{from}");
    match parse(&GOOD.replacen(from, to, 1)) {
        Err(ManifestError::Scenario { problem, .. } | ManifestError::Column { problem, .. }) => problem,
        other => panic!("{to}: {other:?}"),
    }
}

#[test]
fn a_good_manifest_is_read() -> Result<(), ManifestError> {
    let manifest = parse(GOOD)?;
    let [ball, other] = manifest.matching(None)[..] else { panic!("two scenarios") };
    assert_eq!(ball.rows, Some(0..100));
    assert_eq!((ball.columns[0].name.as_str(), ball.columns[0].reference_column.as_str()), ("q", "c1"));
    assert_eq!(ball.columns[0].tolerance.absolute, 1e-11);
    assert!(matches!(&ball.reference, Reference::Own { stride, .. } if stride.get() == 10));
    assert_eq!((other.result.as_str(), other.columns[0].reference_column.as_str()), ("ball", "q"));
    assert_eq!(other.reference, Reference::External { file: PathBuf::from("trajectories/ball.ref") });
    assert_eq!(manifest.matching(Some("_other")).len(), 1);
    assert!(manifest.matching(Some("pendulum")).is_empty());
    assert!(matches!(manifest.named("pendulum"), Err(ManifestError::NoSuchScenario { .. })));
    Ok(())
}

#[test]
fn a_loose_tolerance_needs_a_reason() {
    let no_reason = problem_of("reason = \"another integrator\"", "reason = \" \"");
    assert_eq!(no_reason, Problem::NoReason { key: "relative", value: 1e-6 });
    let error = parse(&GOOD.replacen("absolute = 1e-11", "absolute = 2e-10", 1)).expect_err("no reason");
    assert_eq!(
        error.to_string(),
        "manifest.toml: scenario \"ball\", column \"q: c1\": absolute = 2e-10 is above 1e-10; give the reason in `reason`"
    );
    assert!(parse(&GOOD.replacen("absolute = 1e-11", "absolute = 1e-10", 1)).is_ok());
}

#[test]
fn tolerances_are_numbers() {
    for value in ["-1.0", "nan", "inf"] {
        let problem = problem_of("absolute = 1e-11", &format!("absolute = {value}"));
        assert!(matches!(problem, Problem::Tolerance { key: "absolute", .. }), "{value}");
    }
}

#[test]
fn unknown_keys_are_refused_with_their_line() {
    for (from, to) in [
        ("description = \"A ball.\"", "description = \"A ball.\"\ncolour = \"red\""),
        ("absolute = 1e-11", "absolute = 1e-11\nabsolut = 1"),
        ("stride = 10", "stried = 10"),
        ("[[scenario]]", "[[scenarios]]"),
    ] {
        let error = parse(&GOOD.replacen(from, to, 1)).expect_err(to);
        assert!(matches!(error, ManifestError::Parse { .. }), "{error}");
        assert!(error.to_string().contains("line"), "{error}");
    }
    assert!(parse(&GOOD.replacen("stride = 10", "stride = 0", 1)).is_err());
}

#[test]
fn references_are_of_one_kind_and_stay_in_their_folder() {
    let reference = "reference = { file = \"references/ball.csv\", stride = 10 }";
    assert_eq!(problem_of(reference, "reference = {}"), Problem::ReferenceKind);
    let both = "reference = { file = \"a.csv\", external = \"b.ref\" }";
    assert_eq!(problem_of(reference, both), Problem::ReferenceKind);
    let strided = "reference = { external = \"b.ref\", stride = 2 }";
    assert_eq!(problem_of(reference, strided), Problem::StrideOfExternal);
    for path in ["../ball.csv", "/ball.csv", "a/../../ball.csv"] {
        assert_eq!(
            problem_of("references/ball.csv", path),
            Problem::PathLeaves { path: PathBuf::from(path) }
        );
    }
}

#[test]
fn scenarios_are_complete() {
    assert_eq!(
        problem_of("rows = [0, 100]", "rows = [100, 100]"),
        Problem::EmptyRows { first: 100, end: 100 }
    );
    assert_eq!(problem_of("\"made here\"", "\"\""), Problem::Empty { key: "provenance" });
    assert_eq!(problem_of("name = \"ball_other\"", "name = \"ball\""), Problem::Duplicate);
    assert_eq!(problem_of("[\"q\"]", "[\"\"]"), Problem::Empty { key: "the name of a column" });
    assert_eq!(problem_of("columns = [{ within = \"fine\", of = [\"q: c1\"] }]", ""), Problem::NoColumn);
}

#[test]
fn tolerances_have_names_or_numbers() {
    let unknown = problem_of("within = \"fine\"", "within = \"coarse\"");
    assert_eq!(unknown, Problem::UnknownTolerance { name: "coarse".to_owned() });
    for both_or_none in ["within = \"fine\", absolute = 1e-12,", "", "relative = 0.0,"] {
        assert_eq!(problem_of("within = \"fine\",", both_or_none), Problem::NoTolerance, "{both_or_none}");
    }
    let error =
        parse(&GOOD.replacen("within = \"fine\"", "absolute = 0.0, relative = 0.0", 1)).expect_err("unused");
    assert!(matches!(&error, ManifestError::UnusedTolerance { name, .. } if name == "fine"), "{error}");
}

#[test]
fn manifest_and_examples_agree() {
    let unknown = problem_of("result = \"ball\"", "result = \"bell\"");
    assert!(matches!(unknown, Problem::UnknownResult { ref result, .. } if result == "bell"));
    let error =
        Manifest::parse(Path::new("m.toml"), GOOD, &["ball", "pendulum"]).expect_err("one is missing");
    assert!(matches!(&error, ManifestError::Unused { name, .. } if name == "pendulum"), "{error}");
}
