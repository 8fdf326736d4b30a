//! Writing row by row: an interrupted run gives the same bytes as an uninterrupted one.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use siconos_io::trajectory::{Table, TableErrorKind as Kind, TableWriter};
use siconos_testkit::allocation::{count_allocations, peak_bytes};

pub(crate) const ENDINGS: [&str; 3] = ["csv", "jsonl", "slog"];

/// Returns the path of a file that does not exist yet.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("writer_{name}"));
    fs::remove_file(&path).ok();
    path
}

pub(crate) fn table(rows: usize) -> Table {
    let mut table = Table::new(["t", "q, first", "\"v\""]);
    table.provenance = vec!["made by hand".to_owned()];
    for k in 0..rows {
        let t = 0.1 * k as f64;
        let odd = [-0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN][k % 6];
        table.push_row(&[t, odd, -t.sin()]).expect("three columns");
    }
    table
}

/// Returns the bytes of a table that is written as a whole.
pub(crate) fn bytes_of(table: &Table, ending: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    match ending {
        "csv" => table.to_csv(&mut bytes),
        "jsonl" => table.to_json_lines(&mut bytes),
        _ => table.to_log(&mut bytes),
    }
    .expect("there is memory");
    bytes
}

/// Returns the first rows of a table.
pub(crate) fn first(table: &Table, rows: usize) -> Table {
    let mut first = Table::new(table.columns());
    first.provenance.clone_from(&table.provenance);
    for row in table.rows().take(rows) {
        first.push_row(row).expect("as many columns");
    }
    first
}

#[test]
fn bytes_do_not_depend_on_when_they_are_written() {
    let table = table(5000);
    for ending in ENDINGS {
        let path = scratch(&format!("when.{ending}"));
        let mut writer = TableWriter::create(&path, &table).expect("a scratch file");
        for (number, row) in table.rows().enumerate() {
            writer.push_row(row).expect("there is place");
            if number.is_multiple_of(7) {
                writer.flush().expect("there is place");
            }
            if number.is_multiple_of(1000) {
                writer.sync().expect("there is place");
                let so_far = bytes_of(&first(&table, number + 1), ending);
                assert_eq!(fs::read(&path).expect("it is there"), so_far, "{ending}, row {number}");
            }
        }
        assert_eq!((writer.rows(), writer.columns()), (5000, table.columns()));
        writer.finish().expect("there is place");
        let found = fs::read(&path).expect("it is there");
        assert!(found == bytes_of(&table, ending), "{ending}");
        // Writing row by row and as a whole give the same bytes.
        let whole = scratch(&format!("whole.{ending}"));
        table.write(&whole).expect("a scratch file");
        assert!(found == fs::read(&whole).expect("it is there"), "{ending}");
    }
}

#[test]
fn a_run_goes_on_from_any_row() {
    let table = table(40);
    for ending in ENDINGS {
        let path = scratch(&format!("on.{ending}"));
        let whole = bytes_of(&table, ending);
        for rows in 0..=table.len() {
            // The file has all rows and a partial one; the snapshot has fewer rows.
            fs::write(&path, [&whole[..], b"0.5,"].concat()).expect("a scratch file");
            let mut writer = TableWriter::resume(&path, &table, rows as u64).expect("so many rows");
            assert_eq!(writer.rows(), rows as u64);
            writer.flush().expect("there is place");
            assert_eq!(
                fs::read(&path).expect("it is there"),
                bytes_of(&first(&table, rows), ending),
                "{ending}, {rows} rows"
            );
            for row in table.rows().skip(rows) {
                writer.push_row(row).expect("there is place");
            }
            drop(writer);
            assert_eq!(fs::read(&path).expect("it is there"), whole, "{ending}, {rows} rows");
        }
    }
}

#[test]
fn a_file_that_was_cut_anywhere_goes_on() {
    let table = table(7);
    for ending in ENDINGS {
        let path = scratch(&format!("cut.{ending}"));
        let whole = bytes_of(&table, ending);
        let ends: Vec<_> =
            (1..=table.len()).map(|rows| bytes_of(&first(&table, rows), ending).len()).collect();
        for length in 0..whole.len() {
            let kept = ends.iter().filter(|end| **end <= length).count();
            fs::write(&path, &whole[..length]).expect("a scratch file");
            let error =
                TableWriter::resume(&path, &table, kept as u64 + 1).map(|_| ()).expect_err("too many");
            assert_eq!(error.path.as_deref(), Some(path.as_path()), "{ending}, {length} bytes");
            assert_eq!(fs::read(&path).expect("it is there"), whole[..length], "{ending}, {length} bytes");
            if ending != "slog" && kept > 0 {
                let expected = kept as u64;
                assert!(
                    matches!(error.kind, Kind::TooFewRows { asked, found } if (asked, found) == (expected + 1, expected)),
                    "{ending}, {length} bytes: {error}"
                );
            }
            let mut writer = TableWriter::resume(&path, &table, kept as u64).expect("so many rows");
            for row in table.rows().skip(kept) {
                writer.push_row(row).expect("there is place");
            }
            writer.finish().expect("there is place");
            assert_eq!(fs::read(&path).expect("it is there"), whole, "{ending}, {length} bytes");
        }
    }
}

#[test]
fn texts_with_wrong_rows_are_not_resumed() {
    let head = Table::new(["t", "q"]);
    for (ending, text) in [
        ("csv", "t,q\n0,1\n0,one\n0,2\n"),
        ("csv", "t,q\n0,1\n0\n0,2\n"),
        ("csv", "t,q\n0,1\n\0\0\0\0\n0,2\n"),
        ("jsonl", "{\"t\":0,\"q\":1}\n{\"t\":0,\"q\":true}\n{\"t\":0,\"q\":1}\n"),
        ("jsonl", "{\"t\":0,\"q\":1}\n{\"t\":0}\n{\"t\":0,\"q\":1}\n"),
    ] {
        let path = scratch(&format!("wrong.{ending}"));
        fs::write(&path, text).expect("a scratch file");
        let error = TableWriter::resume(&path, &head, 3).map(|_| ()).expect_err(text);
        let line = if ending == "csv" { 3 } else { 2 };
        assert_eq!((error.path.as_deref(), error.line), (Some(path.as_path()), Some(line)), "{error}");
        assert_eq!(fs::read(&path).expect("it is there"), text.as_bytes());
        assert!(TableWriter::resume(&path, &head, 1).is_ok(), "{text}");
    }
}

#[test]
fn what_is_there_is_not_lost_by_mistake() {
    let (head, other) = (table(0), Table::new(["t", "q"]));
    for ending in ENDINGS {
        let path = scratch(&format!("there.{ending}"));
        let missing = TableWriter::resume(&path, &head, 3).map(|_| ()).expect_err("no such file");
        assert!(matches!(&missing.kind, Kind::Io(error) if error.kind() == ErrorKind::NotFound), "{missing}");
        table(3).write(&path).expect("a scratch file");
        let before = fs::read(&path).expect("it is there");
        let error = TableWriter::create(&path, &head).map(|_| ()).expect_err("it is there");
        assert!(matches!(error.kind, Kind::Exists), "{error}");
        assert_eq!(error.path.as_deref(), Some(path.as_path()));
        let error = TableWriter::resume(&path, &other, 2).map(|_| ()).expect_err("other columns");
        assert!(matches!(error.kind, Kind::HeaderMismatch { .. } | Kind::NotARow { .. }), "{error}");
        let error = TableWriter::resume(&path, &head, u64::MAX).map(|_| ()).expect_err("too few rows");
        assert!(matches!(error.kind, Kind::TooFewRows { asked: u64::MAX, found: 3 }), "{error}");
        assert_eq!(fs::read(&path).expect("it is there"), before, "{ending}");

        drop(TableWriter::replace(&path, &head).expect("it may go"));
        assert_eq!(fs::read(&path).expect("it is there"), bytes_of(&head, ending));
    }
    for ending in ["csv.gz", "npz", "ref", "dat"] {
        let path = scratch(&format!("whole.{ending}"));
        let error = TableWriter::create(&path, &head).map(|_| ()).expect_err(ending);
        assert!(matches!(error.kind, Kind::NotAppendable), "{error}");
        assert!(!path.exists());
    }
    let error = TableWriter::create(scratch("table.xyz"), &head).map(|_| ()).expect_err("no such format");
    assert!(matches!(error.kind, Kind::UnknownExtension), "{error}");
}

#[test]
fn the_second_of_two_writers_is_refused() {
    let table = table(3);
    for ending in ENDINGS {
        let path = scratch(&format!("two.{ending}"));
        let mut writer = TableWriter::create(&path, &table).expect("a scratch file");
        for row in table.rows() {
            writer.push_row(row).expect("there is place");
        }
        writer.flush().expect("there is place");
        let others = [
            TableWriter::replace(&path, &table).map(|_| ()),
            TableWriter::resume(&path, &table, 1).map(|_| ()),
            TableWriter::resume(&path, &table, 0).map(|_| ()),
            table.write(&path),
        ];
        for other in others {
            let error = other.expect_err("another is writing");
            assert!(matches!(error.kind, Kind::InUse), "{error}");
        }
        // Reading does not disturb the writer.
        assert_eq!(Table::read(&path).expect("whole rows").len(), 3);
        writer.finish().expect("there is place");
        assert!(TableWriter::resume(&path, &table, 3).is_ok());
    }
}

#[test]
fn a_row_of_the_wrong_length_is_not_pushed() {
    for ending in ENDINGS {
        let path = scratch(&format!("length.{ending}"));
        let mut writer = TableWriter::create(&path, &table(0)).expect("a scratch file");
        let error = writer.push_row(&[1.0]).expect_err("three columns");
        assert!(matches!(error.kind, Kind::ColumnCount { expected: 3, found: 1 }), "{error}");
        assert_eq!((writer.rows(), writer.path()), (0, path.as_path()));
    }
}

#[test]
fn a_million_rows_take_no_memory() {
    let head = Table::new(["t", "a", "b", "c", "d", "e", "f", "g"]);
    for (ending, rows) in [("slog", 1_000_000), ("csv", 100_000), ("jsonl", 100_000)] {
        let path = scratch(&format!("million.{ending}"));
        let peak = peak_bytes(|| {
            let mut writer = TableWriter::create(&path, &head).expect("a scratch file");
            let mut row = [0.1; 8];
            let mut push = |rows: u32| {
                for k in 0..rows {
                    row[0] = 1e-3 * f64::from(k);
                    writer.push_row(&row).expect("there is place");
                }
            };
            // Fill the buffer once.
            push(2000);
            assert_eq!(count_allocations(|| push(rows - 2000)), 0, "{ending}");
            writer.finish().expect("there is place");
        });
        assert!(peak < 300_000, "{ending}: {peak} bytes");
        let peak = peak_bytes(|| drop(TableWriter::resume(&path, &head, u64::from(rows)).expect("all rows")));
        assert!(peak < 300_000, "{ending}: {peak} bytes");
        fs::remove_file(&path).expect("it is there");
    }
}

#[test]
fn half_a_line_of_another_program_is_no_row() {
    let head = Table::new(["t", "q"]);
    let path = scratch("half.csv");
    fs::write(&path, "# by hand\nt,q\n\n0,1\n1,2").expect("a scratch file");
    let mut writer = TableWriter::resume(&path, &head, 1).expect("a row");
    writer.push_row(&[1.0, 2.5]).expect("there is place");
    writer.finish().expect("there is place");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "# by hand\nt,q\n\n0,1\n1.0,2.5\n");
    // A last line without a line end may contain a partial number, and is not counted.
    OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(b"2,3"))
        .expect("it is there");
    let error = TableWriter::resume(&path, &head, 3).map(|_| ()).expect_err("half a line");
    assert!(matches!(error.kind, Kind::TooFewRows { asked: 3, found: 2 }), "{error}");
}
