//! Output for programs: `schema`, and `--format json` of `run`, `study` and `plot`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::kills::{command, folder, models, words};

/// Returns the object that a command prints, and its exit code.
fn answer(folder: &Path, arguments: &[&str]) -> (Value, Option<i32>) {
    let output = command(folder, &words(arguments)).output().expect("the program runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {complaint}"));
    (value, output.status.code())
}

fn model(name: &str) -> String {
    models().join(name).display().to_string()
}

#[test]
fn what_a_run_came_to_is_an_object() {
    let folder = folder("json_run");
    let ball = model("bouncing_ball.toml");
    let run = ["run", &ball, "--output", "ball.csv", "--format", "json"];
    let (found, code) = answer(&folder, &run);
    assert_eq!(
        (code, found["kind"].as_str(), found["end"].as_str()),
        (Some(0), Some("run"), Some("reached"))
    );
    let table = fs::read_to_string(folder.join("ball.csv")).expect("a table");
    let last: Vec<f64> = table
        .lines()
        .last()
        .expect("a row")
        .split(',')
        .map(|field| field.parse().expect("a number"))
        .collect();
    let columns = found["columns"].as_array().expect("a list");
    let values: Vec<f64> = columns.iter().filter_map(|column| column["last"].as_f64()).collect();
    assert_eq!(values, last);
    assert_eq!(found["reached"].as_f64(), Some(last[0]));
    assert_eq!(found["steps"]["done"], found["steps"]["of"]);
    assert_eq!(found["rows"]["file"], "ball.csv");

    let counted = model("counted_impacts.toml");
    let (found, code) = answer(&folder, &["run", &counted, "--format", "json"]);
    let events = found["events"].as_array().expect("a list");
    assert!(code == Some(0) && events.iter().any(|event| event["count"].as_u64() > Some(0)), "{found}");
    assert!(found["steps"]["of"].is_null());
}

#[test]
fn a_run_that_fails_says_why() {
    let folder = folder("json_fails");
    let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 2\n\
                [variables]\nx = { initial = 1, equation = \"x' = x * x\" }\n";
    fs::write(folder.join("pole.toml"), text).expect("a model");
    let (found, code) = answer(&folder, &["run", "pole.toml", "--format", "json"]);
    assert_eq!((code, found["end"].as_str()), (Some(1), Some("failed")), "{found}");
    // x = 1 / (1 - t) has a pole at this time.
    assert!(found["reached"].as_f64().is_some_and(|t| (t - 1.0).abs() < 1e-9), "{found}");
    assert!(found["ended"].as_str().is_some_and(|why| why.contains("beyond")), "{found}");
}

#[test]
fn what_a_sweep_and_a_picture_came_to_are_objects() {
    let folder = folder("json_sweep");
    let ball = model("bouncing_ball.toml");
    let vary = ["--vary", "simulation.end=0.1,0.2", "--output", "ends.csv", "--format", "json"];
    let (found, code) = answer(&folder, &[&["study", &ball][..], &vary].concat());
    assert_eq!((code, found["table"].as_str()), (Some(0), Some("ends.csv")), "{found}");
    assert_eq!((&found["points"]["done"], &found["points"]["of"]), (&2.into(), &2.into()));
    assert_eq!((&found["without_answer"], &found["interrupted"]), (&Value::Array(vec![]), &false.into()));

    let plot = ["plot", "ends.csv", "--output", "ends.svg", "--format", "json"];
    let (found, code) = answer(&folder, &plot);
    assert_eq!((code, &found["picture"], &found["rows"]), (Some(0), &"ends.svg".into(), &2.into()));
    assert!(folder.join("ends.svg").is_file());
}

#[test]
fn schemas_are_printed() {
    let folder = folder("json_schema");
    let (of_models, code) = answer(&folder, &["schema"]);
    assert!(code == Some(0) && of_models["properties"]["systems"].is_object());
    let (of_hybrid, code) = answer(&folder, &["schema", "--kind", "hybrid"]);
    assert!(code == Some(0) && of_hybrid["properties"]["variables"].is_object());
}
