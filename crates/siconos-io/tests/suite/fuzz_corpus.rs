//! Checks of the fuzz targets (folder `fuzz` next to `crates`), run on their corpus without a fuzzer.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::AnyModel;
use siconos_io::snapshot::Snapshot;

#[cfg(feature = "hdf5")]
#[path = "../../../../fuzz/src/read_fclib.rs"]
pub mod read_fclib;
#[path = "../../../../fuzz/src/read_log.rs"]
pub mod read_log;
#[path = "../../../../fuzz/src/read_model.rs"]
pub mod read_model;
#[path = "../../../../fuzz/src/read_problem.rs"]
pub mod read_problem;
#[path = "../../../../fuzz/src/read_snapshot.rs"]
pub mod read_snapshot;
#[path = "../../../../fuzz/src/read_table.rs"]
pub mod read_table;
#[path = "../../../../fuzz/src/solve.rs"]
pub mod solve;

fn corpus(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus").join(target)
}

/// Applies the check of a target to every file of its corpus. The output contains the name of a failing file.
fn run(target: &str, check: fn(&[u8])) {
    let folder = corpus(target);
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        println!("{}", file.display());
        check(&fs::read(&file).expect("a file"));
    }
}

#[test]
fn logs_are_read() {
    run("read_log", read_log::check);
}

#[test]
fn tables_are_read() {
    run("read_table", read_table::check);
}

#[test]
fn problems_are_read() {
    run("read_problem", read_problem::check);
}

#[test]
fn models_are_read() {
    run("read_model", read_model::check);
}

#[test]
fn snapshots_are_read() {
    run("read_snapshot", read_snapshot::check);
}

/// The corpus must contain files that the reader accepts, otherwise it would test nothing.
#[test]
fn snapshots_of_the_corpus_are_whole_and_their_runs_go_on() {
    let names = [
        "format_5_controlled",
        "format_5_dvi",
        "format_5_events",
        "format_5_hybrid",
        "format_5_sweeping",
        "format_5_unconverged",
        "format_5_events_with_sums",
    ];
    for name in names {
        let bytes = fs::read(corpus("read_snapshot").join(name)).expect("a file of the corpus");
        let snapshot = Snapshot::from_bytes(&bytes, Path::new(name)).expect("a snapshot");
        let model = AnyModel::parse(&snapshot.model, &snapshot.model_name, &snapshot.overrides);
        let mut run = model.expect("its model").run(None).expect("it begins");
        run.resume(&snapshot.state, &snapshot.recorded).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_files_are_read() {
    run("read_fclib", read_fclib::check);
}

#[test]
fn problems_are_solved() {
    run("solve", solve::check);
}
