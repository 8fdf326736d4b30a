//! Stored snapshots: a resumed run gives the rows of an uninterrupted run, up to rounding by other versions
//! of the program.
//!
//! Each snapshot was written by the command `run MODEL --output TABLE --checkpoint N`. The `postcard` format
//! stores fields without names. There is a snapshot of each kind of state, so that a change of the content
//! without a new format number is detected.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::{AnyModel, AnyRun};
use siconos_io::snapshot::Snapshot;
use siconos_testkit::compare::largest_difference;

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

pub(crate) fn read(name: &str) -> Snapshot {
    let found = Snapshot::read(kept().join(format!("{name}.snapshot"))).expect("a snapshot that is kept");
    assert!(found.instead_of.is_none(), "{name}");
    found.snapshot
}

/// Returns the model of a snapshot with its overrides, in a folder with the array file that some models name.
pub(crate) fn model(name: &str, snapshot: &Snapshot) -> AnyModel {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(kept().join("mass.csv"), folder.join("mass.csv")).expect("a scratch file");
    let path = folder.join(&snapshot.model_name);
    fs::write(&path, &snapshot.model).expect("a scratch file");
    AnyModel::read(path, &snapshot.overrides).expect("its model")
}

fn rows(run: &mut AnyRun) -> Vec<Vec<f64>> {
    let mut rows = Vec::new();
    let push = |row: &[f64]| {
        rows.push(row.to_vec());
        Ok::<(), Infallible>(())
    };
    run.to_end(push).expect("it goes to its end");
    rows
}

/// Checks that a snapshot of this kind has the given number of rows, and that the resumed run outputs the
/// remaining rows.
#[track_caller]
fn assert_goes_on(name: &str, (kind, made): (&str, u64), all: usize) -> (AnyModel, AnyRun) {
    let snapshot = read(name);
    assert_eq!((snapshot.state.kind(), snapshot.recorded.rows), (kind, made), "{name}");
    assert_run_goes_on(name, &snapshot, all)
}

#[track_caller]
fn assert_run_goes_on(name: &str, snapshot: &Snapshot, all: usize) -> (AnyModel, AnyRun) {
    let model = model(name, snapshot);
    let whole = rows(&mut model.run(None).expect("it begins"));
    let mut run = model.run(None).expect("it begins");
    run.resume(&snapshot.state, &snapshot.recorded).expect("the same model");
    assert_eq!(whole.len(), all, "{name}");
    let (resumed, expected) = (rows(&mut run), &whole[snapshot.recorded.rows as usize..]);
    assert_eq!(resumed.len(), expected.len(), "{name}");
    for (found, expected) in resumed.iter().zip(expected) {
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let difference = largest_difference(found, expected);
        assert!(difference <= 1e-9 * size, "{name}: {found:?} instead of {expected:?}");
    }
    (model, run)
}

/// A cart with a controller and a mass in a file, a ball with impacts, processes with variable steps and with
/// an input, and a saw.
#[test]
fn runs_resume_from_snapshots_that_are_kept() {
    assert_sorts_go_on();
    assert_goes_on("format_5_events_with_sums", ("model", 4), 9);
    let (model, run) = assert_goes_on("format_5_unconverged", ("model", 7), 9);
    let mut whole = model.run(None).expect("it begins");
    rows(&mut whole);
    assert_eq!(read("format_5_unconverged").recorded.unconverged.steps, 6);
    assert_eq!(
        run.unconverged().map(|unconverged| (unconverged.steps, unconverged.first)),
        Some((8, Some(0.5)))
    );
    assert_eq!(run.unconverged(), whole.unconverged());
}

#[track_caller]
fn assert_sorts_go_on() {
    for (sort, begun, all) in [
        ("steps", ("model", 38), 49),
        ("events", ("model", 51), 77),
        ("sweeping", ("sweeping", 129), 148),
        ("dvi", ("dvi", 129), 301),
        ("hybrid", ("hybrid", 13), 20),
    ] {
        assert_goes_on(&format!("format_5_{sort}"), begun, all);
    }
}

#[test]
fn snapshots_that_are_kept_are_written_as_they_were() {
    let mut count = 0;
    for entry in fs::read_dir(kept()).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "snapshot") {
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        let snapshot = Snapshot::from_bytes(&bytes, &path).expect("it is whole");
        let name = path.display();
        assert!(
            snapshot.to_bytes() == bytes,
            "{name}: what a snapshot holds has changed; it needs a new format"
        );
        count += 1;
    }
    assert_eq!(count, 7);
}
