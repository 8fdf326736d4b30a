//! Rows of a log: the numbers and their checksum.

/// Size of a number \[bytes\].
const NUMBER: usize = size_of::<f64>();
/// Size of a checksum \[bytes\].
const CHECKSUM: usize = size_of::<u32>();

/// Returns the length \[bytes\] of a row with `columns` columns.
pub(super) fn row_length(columns: usize) -> usize {
    columns * NUMBER + CHECKSUM
}

/// Appends a row and its checksum. `head` is the checksum of the head of the log.
pub(in crate::trajectory) fn write_row(bytes: &mut Vec<u8>, head: u32, number: u64, row: &[f64]) {
    let begin = bytes.len();
    for value in row {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    let checksum = checksum(head, number, &bytes[begin..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
}

/// Reads a row from its bytes; returns `None` if the checksum differs.
pub(super) fn read_row(bytes: &[u8], head: u32, number: u64, row: &mut Vec<f64>) -> Option<()> {
    let (numbers, found) = bytes.split_last_chunk::<CHECKSUM>()?;
    if *found != checksum(head, number, numbers).to_le_bytes() {
        return None;
    }
    let (numbers, _) = numbers.as_chunks::<NUMBER>();
    row.clear();
    row.extend(numbers.iter().map(|number| f64::from_le_bytes(*number)));
    Some(())
}

fn checksum(head: u32, number: u64, numbers: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(head);
    hasher.update(&number.to_le_bytes());
    hasher.update(numbers);
    hasher.finalize()
}
