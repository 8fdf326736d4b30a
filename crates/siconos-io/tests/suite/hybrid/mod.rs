//! Model files of hybrid systems.

mod battery;
mod bits;
mod faults;
mod resume;
mod scales;
mod settings;
mod switching;
mod systems;
mod unseen;

use siconos_hybrid::HybridSolution;
use siconos_io::hybrid::HybridModel;
use siconos_testkit::compare::assert_near;

/// The model of a text that has a head before it.
#[track_caller]
fn model(text: &str) -> HybridModel {
    let text = format!("{HEAD}{text}");
    HybridModel::parse(&text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The solution of a text, before anything has been computed.
#[track_caller]
fn solution(text: &str) -> HybridSolution {
    model(text).solution().unwrap_or_else(|error| panic!("{error}"))
}

/// Two lines.
const HEAD: &str = "format = 1\nkind = \"hybrid\"\n";

/// The times of all events in order, with their numbers.
fn firings(solution: &HybridSolution) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    for mark in solution.trajectory().events() {
        all.extend(mark.events.iter().map(|&event| (event, mark.t)));
    }
    all
}

/// That a text, with the head before it, has exactly these faults, as they are printed.
#[track_caller]
fn assert_refused(text: &str, expected: &str) {
    let text = format!("{HEAD}{text}");
    let error = HybridModel::parse(&text, "test.toml").map(|_| ()).expect_err("it has a fault");
    assert_eq!(error.to_string(), expected.trim_start_matches('\n'), "\n{error}");
}
