//! Any bytes as a snapshot: no panic, and what is read is written as the same.

use std::path::Path;

use siconos_io::snapshot::Snapshot;

/// Takes the bytes through the reader of snapshots, as they are and with the right checksum.
///
/// # Panics
///
/// When the reader does, or when what it reads is not written as the same.
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
}
