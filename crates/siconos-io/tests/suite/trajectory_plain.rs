//! Rows of plain numbers, as other programs write them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use siconos_io::ReadOptions;
use siconos_io::trajectory::{Table, TableError, TableErrorKind as Kind};

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("plain_{name}"))
}

fn read(text: &str) -> Table {
    Table::from_plain(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn error(text: &str) -> TableError {
    Table::from_plain(text.as_bytes()).expect_err(text)
}

#[test]
fn what_numpy_writes() {
    // Written by np.savetxt(file, [[0, 1, nan], [1e-300, -inf, inf]]), and with header="t q", comments="% ".
    let table =
        read("0.000000000000000000e+00 1.000000000000000000e+00 nan\n1.000000000000000025e-300 -inf inf\n");
    assert_eq!(table.columns(), ["c0", "c1", "c2"]);
    assert_eq!((table.len(), &table.row(0)[..2]), (2, &[0.0, 1.0][..]));
    assert!(table.row(0)[2].is_nan());
    assert_eq!(table.row(1), [1e-300, f64::NEG_INFINITY, f64::INFINITY]);

    let table = read("% t q\n% m\n1.0,2.0\n3.0,4.0\n");
    assert_eq!((table.provenance.clone(), table.len()), (vec!["t q".to_owned(), "m".to_owned()], 2));
    assert_eq!(table.row(1), [3.0, 4.0]);
}

#[test]
fn what_streams_of_other_programs_write() {
    // A C++ stream ends lines with a blank; Windows adds a carriage return and a byte order mark.
    let table = read("\u{feff}0 1.5 \r\n0.1 -nan(ind) \r\n\r\n0.2 1.#QNAN \r\n0.3 -1.#INF\r\n");
    assert_eq!(table.len(), 4);
    let second: Vec<f64> = table.column("c1").expect("a second column").collect();
    assert!(second[0] == 1.5 && second[1].is_nan() && second[2].is_nan() && second[3] == f64::NEG_INFINITY);
    // Numbers of Fortran.
    assert_eq!(read("  0.5D-03   1.25-103\n").row(0), [0.5e-3, 1.25e-103]);
    // Tabs, semicolons, remarks, a line of names.
    let table = read("t; \"q\"\n1;2 # at rest\n\n3;4\n");
    assert_eq!(table.columns(), ["t", "q"]);
    assert_eq!((table.row(0), table.row(1)), (&[1.0, 2.0][..], &[3.0, 4.0][..]));
    assert_eq!(read("1\t2\t3\n").row(0), [1.0, 2.0, 3.0]);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let wrong = error("0 1\n2 3\n4 O.5\n");
    assert_eq!((wrong.line, wrong.column), (Some(3), Some(2)));
    assert!(matches!(&wrong.kind, Kind::NotANumber { token } if token == "O.5"), "{wrong}");
    let wrong = error("# a comment\n0 1\n\n2\n");
    assert_eq!((wrong.line, wrong.column), (Some(4), None));
    assert!(matches!(wrong.kind, Kind::ColumnCount { expected: 2, found: 1 }), "{wrong}");
    let wrong = error("0, 1\n2,\n");
    assert!(matches!(&wrong.kind, Kind::NotANumber { token } if token.is_empty()), "{wrong}");
    let wrong = error("0 1\n2 1e999\n");
    assert!(matches!(&wrong.kind, Kind::TooLarge { token } if token == "1e999"), "{wrong}");
    // A line of names and numbers is neither a header nor a row.
    assert!(matches!(error("t 1\n").kind, Kind::NotANumber { .. }));
    assert!(matches!(error("t t\n1 2\n").kind, Kind::DuplicateColumn { .. }));
    for empty in ["", "\n\n", "# nothing\n"] {
        assert!(matches!(error(empty).kind, Kind::Truncated { .. }), "{empty:?}");
    }
    assert!(matches!(
        Table::from_csv("t,q\n0,-1e400\n".as_bytes()).expect_err("too large").kind,
        Kind::TooLarge { .. }
    ));
}

#[test]
fn files_round_trip() {
    let mut table = Table::new(["c0", "c1"]);
    table.provenance.push("by hand".to_owned());
    for row in [[0.1 + 0.2, -0.0], [f64::MIN_POSITIVE, f64::INFINITY]] {
        table.push_row(&row).expect("two columns");
    }
    for name in ["trip.dat", "trip.txt", "trip.dat.gz"] {
        let path = scratch(name);
        table.write(&path).expect("a scratch file");
        assert_eq!(Table::read(&path).expect("it was written so"), table, "{name}");
    }
}

#[test]
fn a_gzip_file_does_not_expand_beyond_its_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let text = "0 1\n".repeat(1 << 16);
    encoder.write_all(text.as_bytes()).expect("there is memory");
    let path = scratch("bomb.dat.gz");
    fs::write(&path, encoder.finish().expect("there is memory")).expect("a scratch file");
    let read = |largest_expansion| Table::read_with(&path, ReadOptions { largest_expansion });
    assert_eq!(read(1 << 18).expect("just as long").len(), 1 << 16);
    let error = read((1 << 18) - 1).expect_err("one byte more");
    assert!(matches!(error.kind, Kind::ExpandsTooFar { limit: 262_143 }), "{error}");
    assert!(error.to_string().contains("262143 bytes"), "{error}");
}
