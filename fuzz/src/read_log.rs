//! Arbitrary bytes as a log: no panic occurs, and rows that are written are read as equal rows.
//!
//! Random bytes rarely have correct checksums. Therefore a second log is built from the bytes, with a header,
//! rows and correct checksums.

use siconos_io::trajectory::Table;
use siconos_io::trajectory::log::LogReader;

/// Passes the bytes to the reader of logs, unchanged and with checksums.
///
/// # Panics
///
/// If the reader panics, or if rows are not read as they were written.
pub fn check(bytes: &[u8]) {
    read(bytes);
    // The first byte is the length of the header text.
    if let Some((length, rest)) = bytes.split_first() {
        let (text, numbers) = rest.split_at(rest.len().min(usize::from(*length)));
        read(&with_checksums(text, numbers));
    }
}

fn read(bytes: &[u8]) {
    let Ok(reader) = LogReader::new(bytes) else { return };
    let columns = reader.head().columns().len();
    let (table, error) = reader.whole_rows();
    // Rows that were read must have been in the file.
    assert!(8 * columns * table.len() <= bytes.len());
    let mut written = Vec::new();
    table.to_log(&mut written).expect("there is memory");
    let (again, nothing) = LogReader::new(written.as_slice()).expect("it was written so").whole_rows();
    assert!(nothing.is_none());
    assert_eq!((bits(&again), again.columns()), (bits(&table), table.columns()));
    assert_eq!(again.provenance, table.provenance);
    assert!(error.is_none_or(|error| !error.to_string().is_empty()));
}

fn bits(table: &Table) -> Vec<u64> {
    table.rows().flatten().map(|x| x.to_bits()).collect()
}

/// Returns a log with the given header text and the given numbers in its rows.
fn with_checksums(text: &[u8], numbers: &[u8]) -> Vec<u8> {
    let mut log = b"\x89SLOG\r\n\x1a\x01\0\0\0".to_vec();
    log.extend((text.len() as u32).to_le_bytes());
    log.extend(text);
    let head = crc32fast::hash(&log);
    log.extend(head.to_le_bytes());
    let Ok(reader) = LogReader::new(log.as_slice()) else { return log };
    let width = 8 * reader.head().columns().len();
    for (number, row) in (0_u64..).zip(numbers.chunks(width)) {
        let mut hasher = crc32fast::Hasher::new_with_initial(head);
        hasher.update(&number.to_le_bytes());
        hasher.update(row);
        log.extend(row);
        log.extend(hasher.finalize().to_le_bytes());
    }
    log
}
