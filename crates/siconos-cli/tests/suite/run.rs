//! `siconos-rs run`: exit codes, output, table and picture.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::program::{folder, fresh, scratch, siconos, text};

/// A ball that halts at its third impact.
const BALL: &str = r#"
format = 1
kind = "hybrid"
title = "A ball"

[time]
end = 10

[variables]
y = { initial = [1, 0], equation = "y'' = -2" }

[discrete]
n = { type = "integer", initial = 0 }

[[events]]
trigger = "decreasing(y)"
action = """
y' = -y' / 2
n = n + 1
if n == 3 { halt }
"""

[[events]]
trigger = "t = 100"
"#;

fn run(arguments: &[&str]) -> Output {
    // Replaces the tables of an earlier test run.
    let force: &[&str] = if arguments.contains(&"--output") { &["--force"] } else { &[] };
    siconos(&[&["run"], arguments, force].concat())
}

fn file(name: &str, text: &str) -> String {
    scratch(&format!("run_{name}"), text)
}

/// Returns the words of the line that starts with a given word.
fn line(output: &Output, first: &str) -> Vec<String> {
    let text = text(&output.stdout);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let found = text.lines().map(words).find(|words| words.first().is_some_and(|word| word == first));
    found.unwrap_or_else(|| panic!("no line `{first}` in {text}"))
}

fn number(word: &str) -> f64 {
    word.parse().unwrap_or_else(|_| panic!("`{word}` is no number"))
}

#[test]
fn a_halt_is_printed_and_a_success() {
    let output = run(&[&file("halt.toml", BALL)]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let printed = text(&output.stdout);
    assert!(printed.starts_with("model       A ball\nreached     t = "), "{printed}");
    let halted = line(&output, "halted").join(" ");
    let message = "halted cannot evaluate the solution to the right of ";
    let place = halted.strip_prefix(message).and_then(|rest| rest.strip_suffix(": event 1 triggered a halt"));
    assert!((number(place.unwrap_or(&halted)) - 2.5).abs() < 1e-9);
    // The impacts are at 1 s, 2 s and 2.5 s. The second event has not fired.
    let event = line(&output, "1");
    assert_eq!((event[1].as_str(), &event[3..]), ("3", &["decreasing(y)".to_owned()][..]));
    assert!((number(&event[2]) - 2.5).abs() < 1e-9, "{event:?}");
    assert!(!printed.contains("t = 100"), "{printed}");
    assert_eq!(line(&output, "n")[1], "3");
    assert!((number(&line(&output, "y'")[1]) - 0.25).abs() < 1e-9);
}

#[test]
fn a_time_that_is_reached() {
    let output = run(&[&file("reached.toml", BALL), "--to", "0.5"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = text(&output.stdout);
    assert!(
        printed.contains("reached     t = 0.5\n") && printed.contains("events      none fired\n"),
        "{printed}"
    );
    assert!((number(&line(&output, "y")[1]) - 0.75).abs() < 1e-12);

    let backward = run(&[&file("backward.toml", BALL), "--to", "-0.5"]);
    assert_eq!(backward.status.code(), Some(0));
    assert!((number(&line(&backward, "y'")[1]) - 1.0).abs() < 1e-12);
}

#[test]
fn events_that_accumulate_are_not_the_end() {
    let ball = BALL.replace("if n == 3 { halt }", "");
    let output = run(&[&file("accumulation.toml", &ball)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let ended = line(&output, "ended").join(" ");
    assert!(ended.ends_with("events accumulate (1)"), "{ended}");
    assert!(
        (number(ended.split_whitespace().nth(9).expect("a time").trim_end_matches(':')) - 3.0).abs() < 1e-5
    );
}

#[test]
fn an_error_on_the_way_is_told_with_what_was_reached() {
    let model = BALL.replace("if n == 3 { halt }", "if n == 2 { n = n / 4 }");
    let output = run(&[&file("error.toml", &model)]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.starts_with("siconos-rs: run_error.toml: event 1 at t = 1.99999"), "{message}");
    assert!(
        message.ends_with("assigns 0.5 to `n`, which must be a whole number below 2^53 in magnitude\n"),
        "{message}"
    );
    assert!(number(&line(&output, "reached")[3]) > 1.99);
}

#[test]
fn bad_files_are_bad_input() {
    let refused = |name: &str, arguments: &[&str]| {
        let output = run(&[&[name][..], arguments].concat());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        text(&output.stderr)
    };
    let name = file("fault.toml", &BALL.replace("y' = -y' / 2", "y' = -v / 2"));
    let expected = "\
siconos-rs: run_fault.toml:18:7: event 1: unknown name `v`; the names here are `n`, `t`, `y`, `y'`
   |
18 | y' = -v / 2
   |       ^
";
    assert_eq!(refused(&name, &[]), expected);
    assert!(refused("not_there.toml", &[]).starts_with("siconos-rs: not_there.toml: cannot read: "));
    let endless = file("endless.toml", &BALL.replace("end = 10", ""));
    let message = "siconos-rs: run_endless.toml: no end time is given; use --to T, or set `end` in [time]\n";
    assert_eq!(refused(&endless, &[]), message);
    assert_eq!(
        refused(&endless, &["--to", "nan"]),
        "siconos-rs: --to is NaN; it must be a time in seconds\n"
    );
    let inconsistent =
        BALL.replace("[discrete]", "z = { initial = 1, equation = \"0 = z^2 + 1\" }\n[discrete]");
    let message = refused(&file("inconsistent.toml", &inconsistent), &[]);
    assert!(message.contains("no value of `z` that solves its equation was found at t = 0"), "{message}");
    let good = file("good.toml", BALL);
    let number = file(
        "number.toml",
        &BALL.replace("n = {", "nan = {").replace("n = n + 1", "").replace("n == 3", "nan == 3"),
    );
    let message = refused(&number, &["--output", "run_number.csv"]);
    assert!(message.contains("a column is named \"nan\", which is a number"), "{message}");
    let message = refused(&good, &["--output", "run_table.xyz"]);
    assert!(message.starts_with("siconos-rs: run_table.xyz: unknown file extension"), "{message}");
}

/// Returns the rows of a CSV file without the header.
fn rows(name: &str) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(folder().join(name)).expect("it was written");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("t,y,y',n"));
    lines.map(|line| line.split(',').map(number).collect()).collect()
}

#[test]
fn a_table_has_two_rows_at_each_event() {
    let model = file("table.toml", BALL);
    assert_eq!(run(&[&model, "--output", "run_table.csv"]).status.code(), Some(0));
    let rows = rows("run_table.csv");
    assert!(rows.is_sorted_by(|a, b| a[0] <= b[0]));
    let twice: Vec<_> = rows.windows(2).filter(|pair| pair[0][0] == pair[1][0]).collect();
    assert_eq!(twice.len(), 3);
    for (count, pair) in twice.into_iter().enumerate() {
        let [before, after] = pair else { panic!("a pair") };
        assert_eq!(after[2], -before[2] / 2.0);
        assert_eq!([before[3], after[3]], [count as f64, count as f64 + 1.0]);
    }
    for [t, y, ..] in rows.iter().filter(|row| row[0] <= 1.0).map(|row| [row[0], row[1]]) {
        assert!((y - (1.0 - t * t)).abs() < 1e-12, "{y} at {t}");
    }

    assert_eq!(run(&[&model, "--output", "run_table.json"]).status.code(), Some(0));
    let text = fs::read_to_string(folder().join("run_table.json")).expect("it was written");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["columns"], serde_json::json!(["t", "y", "y'", "n"]));
    let data: Vec<f64> = json["data"]
        .as_array()
        .expect("numbers")
        .iter()
        .map(|value| value.as_f64().expect("a number"))
        .collect();
    assert_eq!(data, rows.concat());
}

#[test]
fn a_picture_has_a_panel_for_each_group() {
    let model = file("picture.toml", BALL);
    assert_eq!(run(&[&model, "--plot", "run_picture.svg"]).status.code(), Some(0));
    let svg = fs::read_to_string(folder().join("run_picture.svg")).expect("it was written");
    assert_eq!(svg.matches("time t [s]").count(), 3);
    assert!(svg.contains("A ball"));
    let message = text(&run(&[&model, "--plot", "run_picture.xyz"]).stderr);
    assert!(message.starts_with("siconos-rs: run_picture.xyz: "), "{message}");
}

#[test]
fn the_models_of_the_examples_run() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut files: Vec<_> =
        fs::read_dir(&models).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert_eq!(files.len(), 53, "{files:?}");
    for file in files {
        let output = run(&[&file.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(0), "{}: {}", file.display(), text(&output.stderr));
        // The output lists the events that fired for a hybrid model, and the last row for other models.
        let is_hybrid = fs::read_to_string(&file).expect("a model").contains("kind = \"hybrid\"");
        let part = if is_hybrid { "trigger" } else { "last value" };
        assert!(text(&output.stdout).contains(part), "{}: no `{part}`", file.display());
    }
}

#[test]
fn files_that_cannot_be_written_are_told_before_the_run() {
    let model = file("unwritten.toml", BALL);
    for (option, path, expected) in [
        ("--output", "table.xls", "table.xls: unknown file extension; use .csv, "),
        ("--output", "no/such/table.csv", "no/such/table.csv: there is no folder `no/such`"),
        ("--plot", "picture.eps", "picture.eps: unknown file extension; use .svg, .png or .pdf"),
        ("--plot", "no/such/picture.svg", "no/such/picture.svg: there is no folder `no/such`"),
    ] {
        let output = run(&[&model, option, path]);
        assert_eq!(output.status.code(), Some(2), "{option} {path}");
        assert!(output.stdout.is_empty());
        let message = text(&output.stderr);
        assert!(message.contains(expected), "{message}");
    }
}

/// If the path of the table is a folder, the error is reported before the run.
#[test]
fn a_folder_is_no_table() {
    let model = file("folder.toml", BALL);
    fs::create_dir_all(folder().join("run_folder.csv")).expect("a folder");
    let output = run(&[&model, "--output", "run_folder.csv"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
    assert!(text(&output.stderr).contains("run_folder.csv"));
}

#[test]
fn a_run_that_ends_in_no_number_shows_what_came_before() {
    let text_of = "format = 1\nkind = \"hybrid\"\n[variables]\n\
                   x = { initial = 1, equation = \"x' = sqrt(1.5 - x) + 0.1\" }\n";
    let model = file("ends.toml", text_of);
    let output = run(&[&model, "--to", "30", "--output", "run_ends.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let reached: f64 = line(&output, "reached")[3].parse().expect("a time");
    assert!(reached > 0.9 && reached < 1.0, "{reached}");
    let table = fs::read_to_string(folder().join("run_ends.csv")).expect("the table");
    assert!(table.lines().count() > 10, "{table}");
}

#[test]
fn variables_are_shown_as_their_types_are() {
    let text_of = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 0, equation = \"x' = 0\" }\n\
                   [discrete]\non = true\nn = { type = \"integer\", initial = 3 }\nf = 3\n";
    let output = run(&[&file("types.toml", text_of), "--to", "1"]);
    for (name, value) in [("on", "true"), ("n", "3"), ("f", "3.0"), ("x", "0.0")] {
        assert_eq!(line(&output, name), [name, value]);
    }
}

/// A ball with gravity as a parameter. It reaches 10 s after a few hundred impacts.
fn tireless() -> String {
    BALL.replace("y'' = -2", "y'' = -g")
        .replace("[discrete]", "[parameters]\ng = 2\n[discrete]")
        .replace("y' = -y' / 2", "y' = -y'")
        .replace("if n == 3 { halt }", "")
        .replace("end = 10", "end = 100")
}

#[test]
fn a_hybrid_run_goes_on_from_a_snapshot() {
    let model = file("tireless.toml", &tireless());
    let model = model.as_str();
    for table in ["run_tireless.csv", "run_tireless.slog", "run_tireless.dat"] {
        let table = &fresh(table.to_owned());
        let whole = run(&[model, "--output", table]);
        let bytes = fs::read(folder().join(table)).expect("a table");
        assert_eq!(run(&[model, "--output", table, "--checkpoint", "7"]).status.code(), Some(0));
        assert!(fs::read(folder().join(table)).expect("a table") == bytes, "snapshots change {table}");
        let snapshot = format!("{table}.snapshot");
        if table.ends_with(".dat") {
            // The log from which the table was written is removed.
            continue;
        }
        let resumed = run(&[model, "--resume", &snapshot]);
        assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
        assert!(fs::read(folder().join(table)).expect("a table") == bytes, "{table} differs");
        // The counts include the events that fired before the snapshot.
        assert_eq!(text(&resumed.stdout), text(&whole.stdout));
    }
    for (arguments, expected) in [
        (["--set", "g=3"], "parameters.g is 3 in the model, but 2 in the snapshot"),
        (["--to", "-1"], "the run of the snapshot integrates to the right, away from t = -1"),
        (["--to", "50"], "beyond the end at t = 50"),
    ] {
        let output = run(&[&[model, "--resume", "run_tireless.csv.snapshot"][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_sweep_of_a_hybrid_model_is_the_same_whoever_computes_it() {
    let model = file("swept.toml", &tireless());
    let sweep = |table: &str, more: &[&str]| {
        let set = ["--set", "time.end=20", "--rows", "all", "--vary", "g=1:3:0.5", "--force"];
        let output = siconos(&[&["study", &model, "--output", table], &set[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{more:?}: {}", text(&output.stderr));
    };
    sweep("run_swept.csv", &[]);
    sweep("run_swept_by_two.csv", &["--jobs", "2"]);
    for part in ["1/3", "2/3", "3/3"] {
        // A journal of another version of the program would be refused.
        let journal = format!("run_swept_in_parts.csv.part-{}.slog", part.replace('/', "-of-"));
        let _absent = fs::remove_file(folder().join(journal));
        sweep("run_swept_in_parts.csv", &["--shard", part]);
    }
    sweep("run_swept_in_parts.csv", &["--merge"]);
    let read = |table: &str| fs::read(folder().join(table)).expect("a table");
    let whole = read("run_swept.csv");
    assert!(whole == read("run_swept_by_two.csv") && whole == read("run_swept_in_parts.csv"));
    let lines: Vec<String> =
        text(&whole).lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    assert_eq!(lines[0], "g,t,y,y',n");
    // There are more than ten impacts for each of the five values.
    assert!(lines.len() > 5 * 20 && lines.last().is_some_and(|line| line.starts_with("3.0,20.0,")));

    let endless = file("swept_endless.toml", &tireless().replace("end = 100", ""));
    let output = siconos(&["study", &endless, "--output", "run_none.csv", "--vary", "g=1,2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("no end time is given; set `end` in [time]"),
        "{}",
        text(&output.stderr)
    );
}
