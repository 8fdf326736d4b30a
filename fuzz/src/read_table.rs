//! Arbitrary bytes as trajectories in every other format: no panic occurs, and the result can be written
//! and is then read as an equal table.

use std::io::Cursor;

use siconos_io::ReadOptions;
use siconos_io::trajectory::{Table, TableError};

/// Maximum size \[bytes\] to which an archive may expand in this check.
const LARGEST_EXPANSION: u64 = 1 << 20;

/// Passes the bytes to the readers of text formats and of NumPy archives.
///
/// # Panics
///
/// If a reader or a writer panics, or if a table changes in the round trip.
pub fn check(bytes: &[u8]) {
    round_trip(bytes, |bytes| Table::from_csv(bytes), |table, file| table.to_csv(file));
    round_trip(bytes, |bytes| Table::from_json_lines(bytes), |table, file| table.to_json_lines(file));
    round_trip(bytes, |bytes| Table::from_reference(bytes), |table, file| table.to_reference(file));
    round_trip(bytes, |bytes| Table::from_plain(bytes), |_, _| Ok(()));
    let options = ReadOptions { largest_expansion: LARGEST_EXPANSION };
    round_trip(bytes, |bytes| Table::from_npz(Cursor::new(bytes), options), |table, file| table.to_npz(file));
}

fn round_trip(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<Table, TableError>,
    write: impl Fn(&Table, &mut Vec<u8>) -> Result<(), TableError>,
) {
    let Ok(table) = read(bytes) else { return };
    let mut written = Vec::new();
    write(&table, &mut written).expect("there is memory");
    if !written.is_empty() {
        let again = read(&written).expect("it was written so");
        assert_eq!((bits(&again), again.columns()), (bits(&table), table.columns()));
    }
}

fn bits(table: &Table) -> Vec<u64> {
    table.rows().flatten().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}
