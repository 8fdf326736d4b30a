//! Model files of hybrid systems.

mod battery;
mod bits;
mod faults;
mod outputs;
mod resume;
mod scales;
mod settings;
mod switching;
mod systems;
mod unseen;

use siconos_hybrid::HybridSolution;
use siconos_io::hybrid::HybridModel;
use siconos_testkit::compare::assert_near;

/// Returns the model of a text, preceded by the head.
#[track_caller]
fn model(text: &str) -> HybridModel {
    let text = format!("{HEAD}{text}");
    HybridModel::parse(&text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the solution of a text at the start.
#[track_caller]
fn solution(text: &str) -> HybridSolution {
    model(text).solution().unwrap_or_else(|error| panic!("{error}"))
}

/// Head of two lines.
const HEAD: &str = "format = 1\nkind = \"hybrid\"\n";

/// Returns the times of all events in order, with their numbers.
fn firings(solution: &HybridSolution) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    for mark in solution.trajectory().events() {
        all.extend(mark.events.iter().map(|&event| (event, mark.t)));
    }
    all
}

/// Checks that a text, preceded by the head, gives exactly these diagnostics.
#[track_caller]
fn assert_refused(text: &str, expected: &str) {
    let text = format!("{HEAD}{text}");
    let error = HybridModel::parse(&text, "test.toml").map(|_| ()).expect_err("it has a fault");
    assert_eq!(error.to_string(), expected.trim_start_matches('\n'), "\n{error}");
}
