//! `siconos-rs study`: points without a result, values that are counts, names of columns, and studies that
//! must not be mixed.

use std::fs;

use crate::program::{BALL, folder, fresh, scratch, siconos, text};

/// Returns the rows of a table and the names of its columns, without the comment lines above.
fn lines(table: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(table)).expect("a table");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Returns the name of a table, after removing the table and its parts of an earlier test run.
fn table(name: &str) -> String {
    for part in ["1-of-2", "2-of-2", "1-of-1"] {
        fresh(format!("sweep_{name}.csv.part-{part}.slog"));
    }
    fresh(format!("sweep_{name}.csv"))
}

#[track_caller]
fn assert_ends(arguments: &[&str], code: i32) -> (String, String) {
    let output = siconos(&[&["study"], arguments].concat());
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}{error}");
    (out, error)
}

#[test]
fn a_point_without_an_answer_has_a_row_of_nan() {
    let model = scratch("sweep_failing.toml", BALL);
    let vary = ["--vary", "interactions.floor.law.restitution=0.25,2,0.75"];
    let sweep = |more: &[&str], code| assert_ends(&[&[&model[..]][..], &vary, more].concat(), code);
    let whole = table("failing");
    let (told, _) = sweep(&["--output", &whole], 1);
    assert!(told.contains("points      2 of 3"), "{told}");
    let why =
        "restitution = 2: sweep_failing.toml:18:47: the coefficient of restitution must be between 0 and 1";
    assert!(told.contains(why), "{told}");
    let rows = lines(&whole);
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert!(rows[1].starts_with("0.25,4.0,") && rows[3].starts_with("0.75,4.0,"), "{rows:?}");
    assert_eq!(rows[2], "2.0,nan,nan,nan");
    assert!(!folder().join(format!("{whole}.part-1-of-1.slog")).exists(), "all of it is in the table");

    // The part with the failing point reports the reason. A second run of this part, and the merge, report
    // only that the point has no result.
    let parts = table("failing_parts");
    sweep(&["--output", &parts, "--shard", "1/2"], 0);
    let (told, _) = sweep(&["--output", &parts, "--merge"], 2);
    assert!(told.contains("part 2 of 2"), "{told}");
    let (told, _) = sweep(&["--output", &parts, "--shard", "2/2"], 1);
    assert!(told.contains(why), "{told}");
    let (told, _) = sweep(&["--output", &parts, "--shard", "2/2"], 1);
    assert!(told.contains("restitution = 2: it had no result when it was computed"), "{told}");
    let (told, _) = sweep(&["--output", &parts, "--merge", "--format", "json"], 1);
    let told: serde_json::Value = serde_json::from_str(&told).expect("an object");
    assert_eq!((&told["without_answer"][0]["point"], &told["missing"]), (&1.into(), &serde_json::json!([])));
    let read = |table: &str| fs::read(folder().join(table)).expect("a table");
    assert!(read(&parts) == read(&whole), "the tables differ");
}

#[test]
fn rows_of_another_choice_are_not_mixed_in() {
    let (model, parts) = (scratch("sweep_rows.toml", BALL), table("rows"));
    let part = [&model, "--vary", "g=1,2", "--output", &parts, "--shard", "1/2"];
    assert_ends(&[&part[..], &["--rows", "all"]].concat(), 0);
    let (_, error) = assert_ends(&part, 2);
    let expected = "it has `all rows of each point`, but this study has `the last row of each point`";
    assert!(error.contains(expected), "{error}");
    assert_ends(&[&part[..], &["--rows", "all"]].concat(), 0);
}

#[test]
fn counts_vary() {
    let model = scratch("sweep_counts.toml", BALL.replace("end = 4.0", "steps = 8"));
    let counts = table("counts");
    assert_ends(&[&model, "--vary", "simulation.steps=2:6:2", "--output", &counts], 0);
    let starts: Vec<_> = lines(&counts)[1..].iter().map(|line| line[..8].to_owned()).collect();
    assert_eq!(starts, ["2.0,1.0,", "4.0,2.0,", "6.0,3.0,"]);
    // A fraction of a step is refused.
    let (_, error) =
        assert_ends(&[&model, "--vary", "simulation.steps=2.5", "--output", &counts, "--force"], 2);
    assert!(error.contains("this is 2.5; it must be a whole number"), "{error}");
}

#[test]
fn columns_of_one_last_key_are_called_by_their_paths() {
    let text = BALL.replace("q = 100.0", "q = [100.0]").replace("g = 8.0", "g = 8.0\nrestitution = 1");
    let (model, columns) = (scratch("sweep_columns.toml", text), table("columns"));
    let sweep = |vary: &[&str]| {
        let vary = vary.iter().flat_map(|vary| ["--vary", vary]).collect::<Vec<_>>();
        assert_ends(&[&[&model[..], "--output", &columns, "--force"], &vary[..]].concat(), 0);
        lines(&columns).remove(0)
    };
    let law = "interactions.floor.law.restitution";
    let clash = sweep(&["restitution=1", "g=1", &format!("{law}=0.5")]);
    assert_eq!(clash, format!("parameters.restitution,g,{law},t,ball.q,ball.q'"));
    assert_eq!(sweep(&["systems.ball.q.0=3"]), "systems.ball.q.0,t,ball.q,ball.q'");
    let (_, error) = assert_ends(
        &[&model, "--output", &columns, "--force", "--vary", "g=1", "--vary", "parameters.g=2"],
        2,
    );
    assert!(error.contains("parameters.g is varied twice"), "{error}");
}
