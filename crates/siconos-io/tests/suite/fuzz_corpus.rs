//! What the fuzz targets check (folder `fuzz` beside `crates`), over their corpus and without a fuzzer.

use std::fs;
use std::path::Path;

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

/// Gives every file of a corpus to the check of its target. The name of a file that fails is in the output.
fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus").join(target);
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

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_files_are_read() {
    run("read_fclib", read_fclib::check);
}

#[test]
fn problems_are_solved() {
    run("solve", solve::check);
}
