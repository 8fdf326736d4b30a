//! All commands accept sweeping processes and differential variational inequalities.

use std::fs;
use std::path::Path;

use crate::program::{folder, fresh, siconos, text};

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    models.join(format!("{name}.toml")).display().to_string()
}

#[track_caller]
fn told(words: &[&str]) -> String {
    let output = siconos(words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn values_vary() {
    let (gear, table) = (model("sweeping_hysteresis"), fresh("processes_play.csv".to_owned()));
    told(&["study", &gear, "--vary", "play=0.25,0.5,1", "--output", &table]);
    let text = fs::read_to_string(folder().join(&table)).expect("a table");
    let rows: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((rows.len(), rows[0]), (4, "play,t,v,u,stress"));
}

#[test]
fn what_is_in_a_file_is_told() {
    let info = told(&["info", &model("bridge_rectifier")]);
    for part in ["dvi", "capacitance = 0.0022", "v = 0", "first = 0", "in 4800 steps", "t, v, u, i"] {
        assert!(info.contains(part), "no `{part}` in {info}");
    }
    assert!(told(&["check", &model("bounded_control")]).contains(": no errors"));
    for kind in ["sweeping", "dvi"] {
        assert!(told(&["schema", "--kind", kind]).contains(kind));
    }
}

#[test]
fn another_syntax_is_the_same_model() {
    let (toml, json) = (model("sweeping_square"), fresh("processes_square.json".to_owned()));
    told(&["convert", &toml, &json]);
    let (first, second) = (fresh("processes_toml.csv".to_owned()), fresh("processes_json.csv".to_owned()));
    told(&["run", &toml, "--output", &first]);
    told(&["run", &json, "--output", &second, "--plot", &fresh("processes_square.svg".to_owned())]);
    let rows = |name: &str| {
        let text = fs::read_to_string(folder().join(name)).expect("a table");
        // The header contains the name of the model.
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&first), rows(&second));
}

/// A grid is continued beyond the end of the file.
#[test]
fn a_grid_is_continued_beyond_its_end() {
    let (first, second) = (fresh("processes_end.csv".to_owned()), fresh("processes_beyond.csv".to_owned()));
    let disc = model("sweeping_disc");
    told(&["run", &disc, "--output", &first]);
    told(&["run", &disc, "--output", &second, "--to", "9"]);
    let read = |name: &str| fs::read_to_string(folder().join(name)).expect("a table");
    let (first, second) = (read(&first), read(&second));
    assert!(second.len() > first.len() && second.starts_with(&first));
}
