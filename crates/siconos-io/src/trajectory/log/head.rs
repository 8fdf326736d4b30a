//! Head of a log: columns and provenance.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::trajectory::{Table, TableError, TableErrorKind};

/// First bytes of a log. They contain a byte above 127 and both kinds of line end. A transfer as text changes
/// these bytes and is therefore detected.
const MARK: [u8; 8] = *b"\x89SLOG\r\n\x1a";

/// Format version that is written.
const FORMAT: u32 = 1;

/// Maximum total size of the names and the provenance \[bytes\]. A larger declared size means that the head
/// is damaged, and no memory is allocated for it.
const LARGEST_TEXT: u32 = 1 << 24;

#[derive(Serialize)]
struct Written<'t> {
    columns: &'t [String],
    provenance: &'t [String],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    columns: Vec<String>,
    provenance: Vec<String>,
}

/// Head read from a file.
pub(super) struct Head {
    /// Table without rows.
    pub(super) table: Table,
    /// Checksum of the head, from which the checksum of each row is continued.
    pub(super) checksum: u32,
    /// Length of the head in the file \[bytes\].
    pub(super) length: u64,
}

/// Writes the head of a log with the columns and the provenance of a table. Returns the checksum of the head,
/// from which the checksum of each row is continued.
pub(in crate::trajectory) fn write_head(writer: &mut dyn Write, table: &Table) -> io::Result<u32> {
    let text = serde_json::to_vec(&Written { columns: table.columns(), provenance: &table.provenance })?;
    let length =
        u32::try_from(text.len()).ok().filter(|length| *length <= LARGEST_TEXT).ok_or_else(|| {
            let message =
                format!("names and provenance have {} bytes; the limit is {LARGEST_TEXT}", text.len());
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })?;
    let mut head = Vec::with_capacity(text.len() + 20);
    head.extend(MARK);
    head.extend(FORMAT.to_le_bytes());
    head.extend(length.to_le_bytes());
    head.extend(text);
    let checksum = crc32fast::hash(&head);
    head.extend(checksum.to_le_bytes());
    writer.write_all(&head)?;
    Ok(checksum)
}

pub(super) fn read_head(reader: &mut impl Read) -> Result<Head, TableError> {
    let damaged = |what: &str| TableErrorKind::DamagedHead { what: what.to_owned() };
    let mut head = Vec::new();
    if !append(reader, &mut head, MARK.len() as u64)? && MARK.starts_with(&head) {
        return Err(damaged("the file ends within it").into());
    }
    if head != MARK {
        return Err(TableErrorKind::NotALog.into());
    }
    let mut number = |head: &mut Vec<u8>| -> Result<u32, TableError> {
        let whole = append(reader, head, 4)?;
        let bytes = head.last_chunk().filter(|_| whole).ok_or_else(|| damaged("the file ends within it"))?;
        Ok(u32::from_le_bytes(*bytes))
    };
    let format = number(&mut head)?;
    if format != FORMAT {
        return Err(match format {
            0 => damaged("its format is 0"),
            found => TableErrorKind::NewerFormat { found, known: FORMAT },
        }
        .into());
    }
    let length = number(&mut head)?;
    if length > LARGEST_TEXT {
        return Err(
            damaged(&format!("it declares a length of {length} bytes; the limit is {LARGEST_TEXT}")).into()
        );
    }
    let begin = head.len();
    let is_whole = append(reader, &mut head, u64::from(length))?;
    let end = head.len();
    if !(is_whole && append(reader, &mut head, 4)?) {
        return Err(damaged("the file ends within it").into());
    }
    let checksum = crc32fast::hash(&head[..end]);
    if head[end..] != checksum.to_le_bytes() {
        return Err(damaged("its checksum is wrong").into());
    }
    let found: Found =
        serde_json::from_slice(&head[begin..end]).map_err(|error| damaged(&error.to_string()))?;
    let mut table = Table::with_columns(found.columns).map_err(|(_, kind)| kind)?;
    table.provenance = found.provenance;
    Ok(Head { table, checksum, length: head.len() as u64 })
}

/// Appends up to `count` bytes; returns `false` if the file ends earlier. Memory grows with the bytes that
/// are read, because a damaged `count` can be huge.
fn append(reader: &mut impl Read, bytes: &mut Vec<u8>, count: u64) -> Result<bool, TableError> {
    let read = reader.by_ref().take(count).read_to_end(bytes).map_err(TableErrorKind::Io)?;
    Ok(read as u64 == count)
}
