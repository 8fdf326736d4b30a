//! Snapshot files: the newest snapshot and the previous one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Snapshot, SnapshotError};
use crate::unfinished::Unfinished;

const MAGIC: &[u8; 16] = b"siconos snapshot";
const FORMAT: u32 = 5;
/// Length of the header \[bytes\]: the magic bytes, the format version and the length of the content.
const HEADER: usize = 28;
const CHECK: usize = 4;

/// Result of reading a snapshot.
#[derive(Debug)]
pub struct Found {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// Error of the newest snapshot, if `snapshot` is the previous one.
    pub instead_of: Option<SnapshotError>,
}

impl Snapshot {
    /// Version of the file format.
    pub const FORMAT: u32 = FORMAT;

    /// Writes the snapshot to a path. A snapshot that exists at this path is kept, with `.before` appended to
    /// its name.
    ///
    /// When the function returns, the snapshot is on the disk. If the process or the machine stops during the
    /// call, at least one of the two snapshots can be read.
    ///
    /// # Errors
    ///
    /// If the file cannot be written ([`SnapshotError::Io`]). The existing snapshot can then still be read.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), SnapshotError> {
        let path = path.as_ref();
        let bytes = self.to_bytes();
        let failed = |source| SnapshotError::Io { path: path.to_owned(), action: "write", source };
        let new = Unfinished::beside(path).map_err(failed)?;
        // The new file is on the disk before the existing one is renamed.
        new.file().write_all(&bytes).and_then(|()| new.file().sync_all()).map_err(failed)?;
        match fs::rename(path, before(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => (),
        }
        new.replace(path).map_err(failed)
    }

    /// Reads the snapshot at a path, or the previous snapshot if the newest one is damaged or missing.
    ///
    /// # Errors
    ///
    /// If neither snapshot can be read (the error is the one for the newest), or if the newest has a
    /// different version of the format.
    pub fn read(path: impl AsRef<Path>) -> Result<Found, SnapshotError> {
        let path = path.as_ref();
        match read_one(path) {
            Ok(snapshot) => Ok(Found { snapshot, instead_of: None }),
            // A file with a different version of the format is not damaged, so the previous snapshot is not
            // read.
            Err(error @ SnapshotError::OtherFormat { .. }) => Err(error),
            Err(error) => match read_one(&before(path)) {
                Ok(snapshot) => Ok(Found { snapshot, instead_of: Some(error) }),
                Err(_) => Err(error),
            },
        }
    }

    /// Returns the content of a snapshot file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        // Writing to a vector cannot fail, and every field of a snapshot can be serialised.
        let mut bytes = postcard::to_extend(self, bytes).unwrap_or_default();
        let length = (bytes.len().saturating_sub(HEADER) as u64).to_le_bytes();
        if let Some(place) = bytes.get_mut(HEADER - 8..HEADER) {
            place.copy_from_slice(&length);
        }
        let check = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&check.to_le_bytes());
        bytes
    }

    /// Reads a snapshot from the content of a snapshot file; `path` is used in messages. No input causes a
    /// panic, and no more memory is allocated than the length of `bytes`.
    ///
    /// # Errors
    ///
    /// If the bytes are not a snapshot, have a different version of the format, or are damaged.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, SnapshotError> {
        let damaged = |what: String| SnapshotError::Damaged { path: path.to_owned(), what };
        let magic = bytes.get(..MAGIC.len()).filter(|magic| *magic == MAGIC);
        if magic.is_none() {
            return Err(SnapshotError::Other { path: path.to_owned() });
        }
        let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
            return Err(damaged("it ends within its header".to_owned()));
        };
        let format = u32::from_le_bytes(array(&header[16..20]));
        if format != FORMAT {
            return Err(SnapshotError::OtherFormat { path: path.to_owned(), found: format, known: FORMAT });
        }
        let length = u64::from_le_bytes(array(&header[20..28]));
        let needed = usize::try_from(length).ok().and_then(|length| length.checked_add(CHECK));
        if needed != Some(rest.len()) {
            let found = rest.len().saturating_sub(CHECK);
            return Err(damaged(format!("its content has {found} bytes; expected {length}")));
        }
        let (checked, check) = bytes.split_at(bytes.len() - CHECK);
        if crc32fast::hash(checked) != u32::from_le_bytes(array(check)) {
            return Err(damaged("its checksum is wrong".to_owned()));
        }
        postcard::from_bytes(&checked[HEADER..]).map_err(|error| damaged(error.to_string()))
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}

fn read_one(path: &Path) -> Result<Snapshot, SnapshotError> {
    let failed = |source| SnapshotError::Io { path: path.to_owned(), action: "read", source };
    let bytes = fs::read(path).map_err(failed)?;
    Snapshot::from_bytes(&bytes, path)
}

/// Returns the path of the previous snapshot.
pub(super) fn before(path: &Path) -> PathBuf {
    path.with_added_extension("before")
}
