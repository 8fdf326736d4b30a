//! Summaries of trajectories of any length.

use std::io::{self, Read};
use std::path::PathBuf;

use siconos_io::trajectory::{Table, TableReader, TableSummary, TableWriter};
use siconos_testkit::allocation::peak_bytes;

fn summary(mut reader: TableReader) -> TableSummary {
    let mut summary = TableSummary::new(reader.head().columns().len());
    while let Some(row) = reader.next_row().expect("a row") {
        summary.push_row(row);
    }
    summary
}

fn row(number: u64) -> [f64; 2] {
    let number = number as f64;
    [1e-3 * number, number.sin()]
}

/// Generator of a CSV text that is never in memory as a whole.
struct Generated {
    next: u64,
    rows: u64,
    line: io::Cursor<Vec<u8>>,
}

impl Generated {
    fn new(rows: u64) -> Self {
        Self { next: 0, rows, line: io::Cursor::new(b"t,q\n".to_vec()) }
    }
}

impl Read for Generated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        if read > 0 || self.next == self.rows {
            return Ok(read);
        }
        let [t, q] = row(self.next);
        self.line = io::Cursor::new(format!("{t:.20e},{q:.20e}\n").into_bytes());
        self.next += 1;
        self.line.read(buffer)
    }
}

#[test]
fn the_state_does_not_grow_with_the_rows() {
    // A line is longer by a byte if its value is negative.
    let slack = 64;
    let csv =
        |rows| peak_bytes(|| drop(summary(TableReader::from_csv(Generated::new(rows)).expect("a head"))));
    let (short, long) = (csv(100), csv(100_000));
    assert!(long <= short + slack, "{short} bytes, {long} bytes");

    let log = |rows: u64| {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("summary_{rows}.slog"));
        let mut writer = TableWriter::replace(&path, &Table::new(["t", "q"])).expect("a log");
        (0..rows).for_each(|number| writer.push_row(&row(number)).expect("a row"));
        writer.finish().expect("a log");
        let mut found = None;
        let peak = peak_bytes(|| found = Some(summary(TableReader::open(&path).expect("a log"))));
        assert_eq!(found, Some(TableSummary::from(&Table::read(&path).expect("a log"))));
        peak
    };
    let (short, long) = (log(100), log(300_000));
    assert!(long <= short + slack, "{short} bytes, {long} bytes");
}

#[test]
fn rows_read_one_by_one_have_the_summary_of_the_table() {
    let text = "t,a,b\n0,nan,inf\n1,nan,-inf\n2,nan,-0\n3,nan,0\n";
    let streamed = summary(TableReader::from_csv(text.as_bytes()).expect("a head"));
    let table = Table::from_csv(text.as_bytes()).expect("a table");
    let [t, a, b] = *streamed.columns() else { panic!("three columns") };
    assert_eq!((streamed.rows(), table.len()), (4, 4));
    assert_eq!((t.minimum, t.maximum, t.first, t.last), (Some(0.0), Some(3.0), Some(0.0), Some(3.0)));
    assert_eq!((a.minimum, a.maximum, a.nan, a.infinite), (None, None, 4, 0));
    assert!(a.first.is_some_and(f64::is_nan) && a.last.is_some_and(f64::is_nan));
    assert_eq!((b.minimum, b.maximum), (Some(f64::NEG_INFINITY), Some(f64::INFINITY)));
    assert_eq!((b.nan, b.infinite), (0, 2));
}

#[test]
fn the_range_does_not_depend_on_the_order_of_the_rows() {
    for values in [[0.0, -0.0], [-0.0, 0.0]] {
        let mut summary = TableSummary::new(1);
        values.iter().for_each(|value| summary.push_row(&[*value]));
        let column = summary.columns()[0];
        let bits = [column.minimum, column.maximum].map(|value| value.map(f64::to_bits));
        assert_eq!(bits, [-0.0_f64, 0.0].map(|value| Some(value.to_bits())));
    }
}

#[test]
fn a_table_without_rows_has_no_values() {
    let summary = TableSummary::from(&Table::new(["t"]));
    let column = summary.columns()[0];
    assert_eq!((summary.rows(), column.first, column.minimum, column.nan), (0, None, None, 0));
}

#[test]
#[should_panic(expected = "a row of 1 values for 2 columns")]
fn a_programmer_adds_a_short_row() {
    TableSummary::new(2).push_row(&[0.0]);
}
