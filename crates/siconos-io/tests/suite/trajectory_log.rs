//! Logs that were cut, changed or constructed to mislead: complete rows are returned, and errors state their
//! position.

use std::fs;
use std::path::PathBuf;

use siconos_io::trajectory::log::LogReader;
use siconos_io::trajectory::{Table, TableError, TableErrorKind as Kind, TableWriter};

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("log_{name}"))
}

/// Returns a table with numbers that are easily confused, including a NaN with a payload.
fn table(rows: usize) -> Table {
    let mut table = Table::new(["t", "q [m]", "θ"]);
    table.provenance = vec!["made by hand".to_owned(), String::new()];
    for k in 0..rows {
        let t = 0.1 * k as f64;
        table.push_row(&[t, f64::from_bits(0x7ff8_0000_0000_0000 | k as u64), -t.sin()]).expect("three");
    }
    table
}

fn log_of(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.to_log(&mut bytes).expect("there is memory");
    bytes
}

fn bits(table: &Table) -> Vec<u64> {
    table.rows().flatten().map(|x| x.to_bits()).collect()
}

/// Returns the length of the head of a log and of a row with three columns.
fn head_and_row(bytes: &[u8]) -> (usize, usize) {
    let reader = LogReader::new(bytes).expect("a log");
    (usize::try_from(reader.byte()).expect("it is short"), 3 * 8 + 4)
}

#[test]
fn every_bit_comes_back() {
    for rows in [0, 1, 5, 5000] {
        let table = table(rows);
        let back = Table::from_log(log_of(&table).as_slice()).expect("a log");
        assert_eq!(bits(&back), bits(&table));
        assert_eq!((back.columns(), &back.provenance), (table.columns(), &table.provenance));
    }
}

#[test]
fn a_log_that_is_cut_anywhere_has_its_whole_rows() {
    let table = table(4);
    let whole = log_of(&table);
    let (head, row) = head_and_row(&whole);
    for length in 0..whole.len() {
        let cut = &whole[..length];
        let Some(in_rows) = length.checked_sub(head) else {
            let error = LogReader::new(cut).map(|_| ()).expect_err("half a head");
            assert!(matches!(error.kind, Kind::DamagedHead { .. }), "{length} bytes: {error}");
            continue;
        };
        let (found, error) = LogReader::new(cut).expect("a head").whole_rows();
        assert_eq!(bits(&found), bits(&table)[..3 * (in_rows / row)], "{length} bytes");
        match error {
            None => assert!(in_rows.is_multiple_of(row), "{length} bytes"),
            Some(TableError { kind: Kind::IncompleteRow { row: number, byte }, .. }) => {
                assert_eq!((number, byte), ((in_rows / row) as u64, (length - in_rows % row) as u64));
                assert!(Table::from_log(cut).is_err());
            }
            Some(other) => panic!("{length} bytes: {other}"),
        }
    }
}

#[test]
fn no_flipped_bit_goes_unseen() {
    let table = table(3);
    let whole = log_of(&table);
    let (head, row) = head_and_row(&whole);
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[place] ^= 1 << bit;
            let Ok(reader) = LogReader::new(flipped.as_slice()) else {
                assert!(place < head, "byte {place}, bit {bit}");
                continue;
            };
            assert!(place >= head, "byte {place}, bit {bit}");
            let (found, error) = reader.whole_rows();
            let damaged = (place - head) / row;
            assert_eq!(bits(&found), bits(&table)[..3 * damaged], "byte {place}, bit {bit}");
            let Some(Kind::DamagedRow { row: number, byte }) = error.map(|error| error.kind) else {
                panic!("byte {place}, bit {bit}")
            };
            assert_eq!((number, byte), (damaged as u64, (head + damaged * row) as u64));
        }
    }
}

#[test]
fn a_row_belongs_to_its_place_and_its_log() {
    let table = table(4);
    let whole = log_of(&table);
    let (head, row) = head_and_row(&whole);
    let rows: Vec<&[u8]> = whole[head..].chunks(row).collect();
    let mut other = table.clone();
    other.provenance = vec!["of another run".to_owned()];
    let other = log_of(&other);
    let (other_head, _) = head_and_row(&other);
    let of_other = &other[other_head + row..][..row];
    for (what, order, damaged) in [
        ("lost", vec![rows[0], rows[2], rows[3]], 1),
        ("exchanged", vec![rows[0], rows[2], rows[1], rows[3]], 1),
        ("there twice", vec![rows[0], rows[0], rows[1], rows[2]], 1),
        ("of another log", vec![rows[0], of_other, rows[2], rows[3]], 1),
        ("shifted by a byte", vec![rows[0], &rows[1][1..], rows[2], rows[3]], 1),
    ] {
        let bytes = [&whole[..head], &order.concat()].concat();
        let mut reader = LogReader::new(bytes.as_slice()).expect("a head");
        while reader.rows() < damaged {
            assert!(reader.next_row().is_ok_and(|row| row.is_some()), "{what}");
        }
        // Later calls return the error again.
        for _ in 0..3 {
            let error = reader.next_row().map(|_| ()).expect_err(what);
            assert!(matches!(error.kind, Kind::DamagedRow { row, .. } if row == damaged), "{what}: {error}");
        }
    }
}

#[test]
fn heads_that_mislead() {
    let whole = log_of(&table(2));
    let error = |bytes: &[u8]| LogReader::new(bytes).map(|_| ()).expect_err("a wrong head");
    for bytes in [&b"t,q\n0,1\n2,3\n4,5\n"[..], b"PK\x03\x04, and so on", b"x"] {
        assert!(matches!(error(bytes).kind, Kind::NotALog));
    }
    // The effect of a transfer as text.
    let as_text: Vec<u8> = whole.iter().copied().filter(|byte| *byte != b'\r').collect();
    assert!(matches!(error(&as_text).kind, Kind::NotALog));

    let with_number = |place: usize, number: u32| {
        let mut bytes = whole.clone();
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
        bytes
    };
    let newer = error(&with_number(8, 7));
    assert!(matches!(newer.kind, Kind::NewerFormat { found: 7, known: 1 }), "{newer}");
    assert!(newer.to_string().contains('7') && newer.to_string().contains('1'), "{newer}");
    assert!(matches!(error(&with_number(8, 0)).kind, Kind::DamagedHead { .. }));
    for announced in [0, 1, 1 << 20, 1_000_000_000, u32::MAX] {
        assert!(matches!(error(&with_number(12, announced)).kind, Kind::DamagedHead { .. }), "{announced}");
    }
    let with_text = |text: &str| {
        let mut bytes = whole[..12].to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    };
    assert!(LogReader::new(with_text(r#"{"columns":["t"],"provenance":[]}"#).as_slice()).is_ok());
    for text in ["", "{}", r#"{"columns":["t"]}"#, r#"{"columns":["t"],"provenance":[],"rows":1000000000}"#] {
        assert!(matches!(error(&with_text(text)).kind, Kind::DamagedHead { .. }), "{text}");
    }
    for (text, expected) in [
        (r#"{"columns":[],"provenance":[]}"#, "must have a name"),
        (r#"{"columns":["t","t"],"provenance":[]}"#, "two columns"),
        (r#"{"columns":["1"],"provenance":[]}"#, "a number"),
    ] {
        let error = error(&with_text(text));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_damaged_log_is_resumed_to_the_very_bytes() {
    let table = table(6);
    let whole = log_of(&table);
    let (head, row) = head_and_row(&whole);
    let path = scratch("damaged.slog");
    // Cut at every byte of the head and of the last two rows, or one flipped bit there.
    let places: Vec<_> = (0..head).chain(head + 4 * row..whole.len()).collect();
    for &place in &places {
        let mut flipped = whole.clone();
        flipped[place] ^= 0x10;
        for damaged in [&whole[..place], &flipped] {
            fs::write(&path, damaged).expect("a scratch file");
            let kept = match LogReader::open(&path) {
                Ok(reader) => reader.whole_rows().0.len() as u64,
                Err(error) => {
                    assert_eq!(error.path.as_deref(), Some(path.as_path()));
                    0
                }
            };
            assert_eq!(kept, (place.saturating_sub(head) / row) as u64, "byte {place}");
            // Resuming with more rows than are complete fails, and the file is unchanged.
            let error = TableWriter::resume(&path, &table, kept + 1).map(|_| ()).expect_err("too many");
            assert_eq!(error.path.as_deref(), Some(path.as_path()));
            assert_eq!(fs::read(&path).expect("it is there"), damaged, "byte {place}");

            let mut writer = TableWriter::resume(&path, &table, kept).expect("whole rows");
            for row in table.rows().skip(usize::try_from(kept).expect("few")) {
                writer.push_row(row).expect("there is place");
            }
            writer.finish().expect("there is place");
            assert_eq!(fs::read(&path).expect("it is there"), whole, "byte {place}");
        }
    }
}
