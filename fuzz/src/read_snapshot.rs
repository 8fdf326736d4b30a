//! Any bytes as a snapshot: no panic, what is read is written as the same, and its model goes on from it or
//! says why not.

use std::path::Path;

use siconos_io::model::AnyModel;
use siconos_io::snapshot::Snapshot;

/// Models with longer texts are left out: they take time and show nothing that shorter ones do not.
const LONGEST: usize = 4096;

/// Takes the bytes through the reader of snapshots, as they are and with the right checksum. The model that a
/// snapshot carries takes it up, and is not simulated from there: that may take any time.
///
/// # Panics
///
/// When the reader does, when what it reads is not written as the same, or when a run that has taken it up
/// keeps another number of rows.
pub fn check(bytes: &[u8]) {
    check_one(bytes);
    if let Some((content, _)) = bytes.split_last_chunk::<4>() {
        check_one(&[content, &crc32fast::hash(content).to_le_bytes()].concat());
    }
}

fn check_one(bytes: &[u8]) {
    let Ok(snapshot) = Snapshot::from_bytes(bytes, Path::new("x")) else { return };
    let again = snapshot.to_bytes();
    // Numbers may be written longer than they need to be, so the bytes may differ the first time.
    let read = Snapshot::from_bytes(&again, Path::new("x")).expect("what was written is read");
    assert_eq!(read.to_bytes(), again);
    resume(&snapshot);
}

fn resume(snapshot: &Snapshot) {
    if snapshot.model.len() > LONGEST {
        return;
    }
    let model = AnyModel::parse(&snapshot.model, &snapshot.model_name, &snapshot.overrides);
    let Some(mut run) = model.ok().and_then(|model| model.run(None).ok()) else { return };
    match run.resume(&snapshot.state, &snapshot.recorded) {
        Ok(()) => assert_eq!(run.rows(), snapshot.recorded.rows),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
