//! Arbitrary bytes as a snapshot: no panic occurs, a snapshot that is written is read as an equal snapshot,
//! and its model resumes from it or returns an error.

use std::path::Path;

use siconos_io::model::AnyModel;
use siconos_io::snapshot::Snapshot;

/// Maximum length of a model text. Longer models are skipped, because they take time without testing more.
const LONGEST: usize = 4096;

/// Passes the bytes to the reader of snapshots, unchanged and with the correct checksum. The model in a
/// snapshot resumes from the snapshot, but is not simulated, because a simulation may take any time.
///
/// # Panics
///
/// If the reader panics, if a written snapshot is not read as an equal snapshot, or if a resumed run has a
/// different number of rows.
pub fn check(bytes: &[u8]) {
    check_one(bytes);
    if let Some((content, _)) = bytes.split_last_chunk::<4>() {
        check_one(&[content, &crc32fast::hash(content).to_le_bytes()].concat());
    }
}

fn check_one(bytes: &[u8]) {
    let Ok(snapshot) = Snapshot::from_bytes(bytes, Path::new("x")) else { return };
    let again = snapshot.to_bytes();
    // Numbers may be stored in more bytes than necessary, so the first bytes may differ from the written
    // bytes.
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
