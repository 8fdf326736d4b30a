//! Stored snapshots of each format: a run resumes from them and makes the rows of one that was never stopped.
//! The last digits of the rows belong to the version that wrote the snapshot.
//!
//! Each was written by the command, of the program that had the format: `run MODEL --output TABLE
//! --checkpoint N`. In the form of `postcard` fields have no names. So of the present format there is one of
//! each sort of state, and what a snapshot holds cannot change without a new format.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::{AnyModel, AnyRun, ResumeError};
use siconos_io::snapshot::Snapshot;
use siconos_testkit::compare::largest_difference;

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

pub(crate) fn kept_bytes(name: &str) -> Vec<u8> {
    fs::read(kept().join(format!("{name}.snapshot"))).expect("a snapshot that is kept")
}

pub(crate) fn read(name: &str) -> Snapshot {
    let found = Snapshot::read(kept().join(format!("{name}.snapshot"))).expect("a snapshot that is kept");
    assert!(found.instead_of.is_none(), "{name}");
    found.snapshot
}

/// The model of a snapshot with what was set in it, beside the file of an array that some of them name.
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

/// The run of a snapshot of a kind has some of all rows, and makes the others.
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

/// A ball from impact to impact, after its first one. The sum of the snapshot counts that impact twice.
#[test]
fn a_run_does_not_continue_sums_that_count_rows() {
    let snapshot = read("format_1_events");
    assert_eq!((snapshot.state.kind(), snapshot.recorded.rows), ("model", 4));
    let mut run = model("format_1_events", &snapshot).run(None).expect("it begins");
    let refused = run.resume(&snapshot.state, &snapshot.recorded).expect_err("sums of rows");
    assert!(matches!(refused, ResumeError::SumsOfRows), "{refused}");
    assert_goes_on("format_5_events_with_sums", ("model", 4), 9);
}

/// The same snapshot, of a model without the sum.
#[test]
fn a_run_goes_on_from_the_first_format() {
    let mut snapshot = read("format_1_events");
    let sum = snapshot.model.lines().position(|line| line.contains("sum =")).expect("a sum");
    let others: Vec<_> = snapshot.model.lines().enumerate().filter(|(place, _)| *place != sum).collect();
    snapshot.model = others.iter().map(|(_, line)| format!("{line}\n")).collect();
    snapshot.recorded.sums.pop();
    assert_run_goes_on("format_1_events_without_sum", &snapshot, 9);
}

/// A saw, at its fourth tooth.
#[test]
fn a_run_goes_on_from_the_second_format() {
    assert_goes_on("format_2_hybrid", ("hybrid", 21), 25);
}

/// A cart under a controller with a mass in a file, a ball from impact to impact, processes in steps that
/// choose their length and with an input, and a saw.
#[test]
fn runs_go_on_from_the_third_format() {
    assert_sorts_go_on(3);
}

#[test]
fn runs_go_on_from_the_fourth_format() {
    assert_sorts_go_on(4);
    let (model, run) = assert_goes_on("format_4_unconverged", ("model", 7), 9);
    let mut whole = model.run(None).expect("it begins");
    rows(&mut whole);
    assert_eq!(read("format_4_unconverged").recorded.unconverged.steps, 6);
    assert_eq!(
        run.unconverged().map(|unconverged| (unconverged.steps, unconverged.first)),
        Some((8, Some(0.5)))
    );
    assert_eq!(run.unconverged(), whole.unconverged());
}

#[test]
fn runs_go_on_from_the_fifth_format() {
    assert_sorts_go_on(5);
}

#[track_caller]
fn assert_sorts_go_on(format: u32) {
    for (sort, begun, all) in [
        ("steps", ("model", 38), 49),
        ("events", ("model", 51), 77),
        ("sweeping", ("sweeping", 129), 148),
        ("dvi", ("dvi", 129), 301),
        ("hybrid", ("hybrid", 13), 20),
    ] {
        assert_goes_on(&format!("format_{format}_{sort}"), begun, all);
    }
}

#[test]
fn each_format_has_a_snapshot_that_is_kept_and_the_present_one_is_written_as_it_was() {
    let mut formats = BTreeSet::new();
    for entry in fs::read_dir(kept()).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "snapshot") {
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        let format = u32::from_le_bytes(bytes[16..20].try_into().expect("four bytes"));
        formats.insert(format);
        let name = path.file_name().expect("a name").to_string_lossy();
        assert!(name.starts_with(&format!("format_{format}_")), "{name} is of format {format}");
        if format == Snapshot::FORMAT {
            let snapshot = Snapshot::from_bytes(&bytes, &path).expect("it is whole");
            assert!(
                snapshot.to_bytes() == bytes,
                "{name}: what a snapshot holds has changed; it needs a new format"
            );
        }
    }
    assert!(formats.into_iter().eq(1..=Snapshot::FORMAT));
}

#[test]
fn there_is_no_format_before_the_first() {
    let path = Path::new("zero.snapshot");
    let mut bytes = kept_bytes("format_1_events");
    bytes[16] = 0;
    let content = bytes.len() - 4;
    let check = crc32fast::hash(&bytes[..content]);
    bytes[content..].copy_from_slice(&check.to_le_bytes());
    let error = Snapshot::from_bytes(&bytes, path).expect_err("no such format").to_string();
    assert_eq!(error, "zero.snapshot: the snapshot is damaged: its format is 0, and the first is 1");
}
