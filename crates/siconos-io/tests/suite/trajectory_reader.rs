//! Trajectory files that are read, and converted, row by row.

use std::fs;
use std::io::{Read, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use siconos_io::ReadOptions;
use siconos_io::trajectory::{Table, TableError, TableErrorKind as Kind, TableReader, TableWriter};
use siconos_io::vtk::write_path;
use siconos_testkit::allocation::peak_bytes;

const NAMES: [&str; 9] =
    ["a.csv", "a.csv.gz", "a.json", "a.jsonl", "a.jsonl.gz", "a.ref", "a.dat", "a.slog", "a.npz"];

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reader_{name}"))
}

fn table(rows: usize) -> Table {
    let mut table = Table::new(["t", "q,\"1\"", "θ"]);
    table.provenance = vec!["made by hand".to_owned()];
    for k in 0..rows {
        let t = 0.1 * k as f64;
        table.push_row(&[t, [f64::NAN, f64::INFINITY, -0.0, 5e-324][k % 4], -t.sin()]).expect("three");
    }
    table
}

/// Returns all rows, and the error that follows them.
fn rows_of(reader: &mut TableReader) -> (Vec<Vec<u64>>, Option<TableError>) {
    let mut rows = Vec::new();
    loop {
        match reader.next_row() {
            Ok(Some(row)) => rows.push(row.iter().map(|value| value.to_bits()).collect()),
            Ok(None) => return (rows, None),
            Err(error) => return (rows, Some(error)),
        }
    }
}

fn bits(table: &Table) -> Vec<Vec<u64>> {
    table.rows().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
}

#[test]
fn rows_are_those_of_the_table() {
    for name in all_names() {
        for count in [1, 2, 50] {
            let path = scratch(&format!("{count}{name}"));
            table(count).write(&path).expect(name);
            let whole = Table::read(&path).expect(name);
            let mut reader = TableReader::open(&path).expect(name);
            assert_eq!(reader.head().columns(), whole.columns());
            assert_eq!((&reader.head().provenance, reader.head().len()), (&whole.provenance, 0));
            let (rows, error) = rows_of(&mut reader);
            assert!(error.is_none() && !reader.ends_within_row(), "{name}");
            assert_eq!((rows, reader.rows()), (bits(&whole), count as u64), "{name}");
            assert!(reader.next_row().expect(name).is_none(), "{name}");
        }
    }
}

/// Returns the bytes of a file, decompressed: compressed bytes depend on the lengths of the single writes.
fn content(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("a file");
    if path.extension().is_none_or(|ending| ending != "gz") {
        return bytes;
    }
    let mut text = Vec::new();
    GzDecoder::new(&*bytes).read_to_end(&mut text).expect("a gzip file");
    text
}

/// Returns the names of all files, including HDF5 if it is supported.
fn all_names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(cfg!(feature = "hdf5").then_some("a.h5"))
}

/// A file that is converted row by row has the bytes of [`Table::write`].
#[test]
fn conversion_gives_the_same_bytes() {
    for from in all_names() {
        let source = scratch(&format!("from_{from}"));
        table(20).write(&source).expect(from);
        let is_by_row = Table::is_read_by_row(&source).expect(from);
        assert_eq!(is_by_row, from != "a.json", "{from}");
        for to in all_names() {
            let (target, expected) = (scratch(&format!("to_{to}")), scratch(&format!("expected_{to}")));
            let rows = TableReader::open(&source).expect(from).write(&target).expect(to);
            Table::read(&source).expect(from).write(&expected).expect(to);
            assert_eq!(rows, 20);
            assert!(content(&target) == content(&expected), "{from} to {to}");
        }
    }
}

#[test]
fn only_the_remaining_rows_are_converted() {
    let source = scratch("rest.slog");
    table(5).write(&source).expect("a log");
    for name in ["rest.json", "rest.csv", "rest.ref"] {
        let mut reader = TableReader::open(&source).expect("a log");
        reader.next_row().expect("a row");
        assert_eq!(reader.write(scratch(name)).expect(name), 4);
        let found = bits(&Table::read(scratch(name)).expect(name));
        assert_eq!(found.len(), 4, "{name}");
        assert_eq!(found[3], bits(&table(5))[4], "{name}");
    }
}

#[test]
fn conversion_needs_memory_for_one_row() {
    let log = |rows: u64| {
        let source = scratch(&format!("long_{rows}.slog"));
        let mut writer = TableWriter::replace(&source, &Table::new(["t", "q"])).expect("a log");
        (0..rows).for_each(|row| writer.push_row(&[row as f64, 0.5]).expect("a row"));
        writer.finish().expect("a log");
        source
    };
    let peak = |source: &Path, name: &str| {
        let (reader, target) = (TableReader::open(source).expect("a log"), scratch(name));
        peak_bytes(|| match name.strip_suffix(".vtp") {
            Some(_) => drop(write_path(&target, reader, &["t", "q"]).expect("a file")),
            None => drop(reader.write(&target).expect("a file")),
        })
    };
    let (short, long) = (log(1000), log(100_000));
    for name in ["long.csv", "long.ref"] {
        let (short, long) = (peak(&short, name), peak(&long, name));
        assert!(long <= short + 256, "{name}: {short} bytes, {long} bytes");
    }
    // Formats that store one column after the other need memory for a block of rows.
    let (short, long) = (log(300_000), log(600_000));
    for name in ["long.npz", "long.vtp"] {
        let (short, long) = (peak(&short, name), peak(&long, name));
        assert!(long <= short + 256, "{name}: {short} bytes, {long} bytes");
    }
    let archive = |log: &Path, name: &str| {
        let path = scratch(name);
        TableReader::open(log).expect("a log").write(&path).expect("a file");
        path
    };
    let (short, long) = (archive(&short, "short.npz"), archive(&long, "twice_as_long.npz"));
    let (short, long) = (peak(&short, "long.csv"), peak(&long, "long.csv"));
    assert!(long <= short + 256, "from .npz: {short} bytes, {long} bytes");
}

/// The skipped rows are read, and their number does not depend on the format.
#[test]
fn a_thinned_reader_has_the_rows_of_a_thinned_table() {
    let whole = table(20);
    for (name, stride) in [("thinned.slog", 1), ("thinned.slog", 7), ("thinned.npz", 4), ("thinned.csv", 30)]
    {
        let (path, stride) = (scratch(name), NonZeroU64::new(stride).expect("positive"));
        whole.write(&path).expect(name);
        let thinned = TableReader::open(&path).expect(name).thinned(stride).remaining().expect(name);
        let stride = NonZeroUsize::try_from(stride).expect("small");
        assert_eq!(bits(&thinned), bits(&whole.thinned(stride)), "{name}, {stride}");
    }
}

/// A run that is killed, or that is still writing, leaves a part of a row at the end.
#[test]
fn a_file_that_ends_within_a_row_has_its_whole_rows() {
    for (name, is_log) in [("cut.slog", true), ("cut.csv", false), ("cut.jsonl", false)] {
        let path = scratch(name);
        table(6).write(&path).expect(name);
        let whole = fs::read(&path).expect(name);
        let expected = bits(&Table::read(&path).expect(name));
        for length in whole.len() - 60..whole.len() {
            fs::write(&path, &whole[..length]).expect(name);
            let mut reader = TableReader::open(&path).expect(name);
            let (rows, error) = rows_of(&mut reader);
            assert!(rows.len() >= 3 && rows.len() <= 6, "{name}, {length} bytes");
            let is_at_end = if is_log { error.is_none() } else { whole[length - 1] == b'\n' };
            assert_eq!(reader.ends_within_row(), !is_at_end, "{name}, {length} bytes");
            // Digits of the last number of an incomplete line can be missing.
            let certain = if error.is_none() && !is_at_end { rows.len() - 1 } else { rows.len() };
            assert_eq!(rows[..certain], expected[..certain], "{name}, {length} bytes");
            if let Some(error) = error {
                assert_eq!(error.path.as_deref(), Some(path.as_path()));
                assert!(reader.next_row().is_err() && reader.ends_within_row());
            }
        }
    }
}

#[test]
fn a_log_can_be_read_while_it_is_written() {
    let path = scratch("living.slog");
    let mut writer = TableWriter::replace(&path, &Table::new(["t", "q"])).expect("a log");
    let mut most = 0;
    for round in 0..20_u64 {
        // The writer passes rows to the file in blocks, which can end within a row.
        (0..1000).for_each(|k| writer.push_row(&[(1000 * round + k) as f64, 0.0]).expect("a row"));
        let mut reader = TableReader::open(&path).expect("a log");
        let (rows, error) = rows_of(&mut reader);
        assert_eq!(error.is_some(), reader.ends_within_row());
        assert!(rows.len() as u64 <= writer.rows() && rows.len() >= most);
        most = rows.len();
        assert!(rows.iter().enumerate().all(|(k, row)| row[0] == (k as f64).to_bits()));
    }
    assert!(most > 0);
}

#[test]
fn damage_is_an_error_and_not_an_end() {
    let path = scratch("damaged.slog");
    table(6).write(&path).expect("a log");
    let mut bytes = fs::read(&path).expect("a log");
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    fs::write(&path, &bytes).expect("a log");
    let mut reader = TableReader::open(&path).expect("a log");
    let (rows, error) = rows_of(&mut reader);
    assert!(matches!(error.map(|error| error.kind), Some(Kind::DamagedRow { row: 4, .. })));
    assert!(rows.len() == 4 && !reader.ends_within_row());
    assert!(reader.next_row().is_err());

    // The target is not replaced if the source is damaged.
    let target = scratch("damaged.csv");
    fs::write(&target, "t\n7\n").expect("a file");
    let error = TableReader::open(&path).expect("a log").write(&target).expect_err("a damaged row");
    assert_eq!(error.path.as_deref(), Some(path.as_path()));
    assert_eq!(fs::read_to_string(&target).expect("a file"), "t\n7\n");
    let error = TableReader::open(scratch("a_none.csv")).expect_err("no file");
    assert!(matches!(error.kind, Kind::Io(_)));
    table(1).write(&path).expect("a log");
    let folder = scratch("no_folder").join("a.csv");
    let error = TableReader::open(&path).expect("a log").write(&folder).expect_err("no folder");
    assert_eq!(error.path.as_deref(), Some(folder.as_path()));
}

#[test]
fn files_of_another_kind_are_errors() {
    for (name, bytes, expected) in [
        ("none.slog", &b""[..], "the file ends within it"),
        ("text.slog", b"t,q\n0,1\n", "not a log"),
        ("none.csv", b"", "a header line"),
        ("binary.csv", b"t,q\n\xff\xfe\x00", "not UTF-8"),
        ("log.csv", b"\x89SLOG\r\n\x1a\0\0", "not UTF-8"),
    ] {
        let path = scratch(name);
        fs::write(&path, bytes).expect(name);
        let error = TableReader::open(&path).map(|mut reader| rows_of(&mut reader).1);
        let error = error.unwrap_or_else(Some).expect(name).to_string();
        assert!(error.contains(expected) && error.contains(name), "{error}");
    }
}

/// A text without line breaks does not fill the memory, even if a small gzip file expands to it.
#[test]
fn a_line_without_end_is_an_error() {
    let path = scratch("endless.csv.gz");
    let mut encoder = GzEncoder::new(fs::File::create(&path).expect("a file"), Compression::fast());
    (0..40).for_each(|_| encoder.write_all(&vec![b'1'; 1 << 20]).expect("a file"));
    encoder.finish().expect("a file");
    let mut error = None;
    let options = ReadOptions { largest_expansion: u64::MAX };
    let peak = peak_bytes(|| error = TableReader::open_with(&path, options).err());
    let error = error.expect("a long line");
    assert!(matches!(error.kind, Kind::LongLine { .. }), "{error}");
    assert!(error.to_string().contains("expected one row per line"), "{error}");
    assert!(peak < 100_000_000, "{peak} bytes");
}
