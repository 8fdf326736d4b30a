//! Each error states the file, the line, the field and the expected content.

use std::fs;
use std::path::PathBuf;

use siconos_io::trajectory::{Table, TableError, TableErrorKind as Kind};
use siconos_testkit::allocation::peak_bytes;

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("errors_{name}"))
}

fn csv_error(text: &str) -> TableError {
    Table::from_csv(text.as_bytes()).expect_err(text)
}

fn reference_error(text: &str) -> TableError {
    Table::from_reference(text.as_bytes()).expect_err(text)
}

#[test]
fn a_row_of_the_wrong_length_is_not_pushed() {
    let mut table = Table::new(["t", "q"]);
    let error = table.push_row(&[1.0]).expect_err("one number for two columns");
    assert!(matches!(error.kind, Kind::ColumnCount { expected: 2, found: 1 }));
    assert!(table.is_empty());
    assert_eq!(error.to_string(), "wrong number of columns: expected 2, found 1");
}

#[test]
fn a_line_of_the_wrong_length() {
    let error = csv_error("# by hand\nt,q\n0,1\n\n1,2,3\n");
    assert_eq!((error.line, error.column), (Some(5), None));
    assert!(matches!(error.kind, Kind::ColumnCount { expected: 2, found: 3 }));

    let error = reference_error("2 3\n1 2 3\n1 2\n");
    assert_eq!(error.line, Some(3));
    assert!(matches!(error.kind, Kind::ColumnCount { expected: 3, found: 2 }));
}

#[test]
fn a_field_that_is_no_number() {
    let error = csv_error("t,q\n0,1\n1,O.5\n");
    assert_eq!((error.line, error.column), (Some(3), Some(2)));
    assert!(matches!(&error.kind, Kind::NotANumber { token } if token == "O.5"));
    assert_eq!(
        error.to_string(),
        "line 3:2: not a number: \"O.5\"; expected a decimal number, `nan`, `inf` or `-inf`"
    );

    let error = csv_error("t;q\n0;1\n");
    let expected = "line 2:1: not a number: \"0;1\"; separate columns by commas instead of semicolons";
    assert!(error.to_string().starts_with(expected), "{error}");

    let error = reference_error("1 3\n1 -- 3\n");
    assert_eq!((error.line, error.column), (Some(2), Some(2)));
    assert!(matches!(&error.kind, Kind::NotANumber { token } if token == "--"));
}

#[test]
fn a_text_that_ends_too_early() {
    for text in ["", "# only provenance\n"] {
        assert!(matches!(csv_error(text).kind, Kind::Truncated { .. }), "{text:?}");
    }
    assert!(matches!(reference_error("").kind, Kind::Truncated { .. }));
    let error = reference_error("3 1\n1\n");
    assert_eq!(error.line, Some(3));
    assert!(error.to_string().contains("2 more of 3 rows"), "{error}");
}

#[test]
fn rows_that_are_announced_take_no_memory() {
    for text in ["1000000000 1\n1\n", "1 1000000000\n1\n", "1000000000 1000000000\n1\n"] {
        let peak =
            peak_bytes(|| drop(Table::from_reference(text.as_bytes()).expect_err("it ends too early")));
        assert!(peak < 1 << 20, "{text:?}: {peak} bytes");
    }
}

#[test]
fn a_text_that_goes_on_too_long() {
    let error = reference_error("1 1\n1\n\n2\n");
    assert_eq!(error.line, Some(4));
    assert!(matches!(&error.kind, Kind::TrailingText { rows: 1, found } if found == "2"));
}

#[test]
fn headers_that_are_none() {
    for text in ["rows cols\n", "2\n", "2 0\n", "2 3 4\n", "-1 3\n", "2.5 3\n"] {
        let error = reference_error(text);
        assert_eq!(error.line, Some(1), "{text:?}");
        assert!(matches!(error.kind, Kind::MalformedHeader { .. }), "{text:?}");
    }
    let error = csv_error("#\nt,q,t\n");
    assert_eq!((error.line, error.column), (Some(2), Some(3)));
    assert!(matches!(&error.kind, Kind::DuplicateColumn { name } if name == "t"));
    assert!(matches!(csv_error("t,,q\n").kind, Kind::UnnamedColumn));
    assert!(matches!(csv_error("0.0,1.0\n0.1,0.9\n").kind, Kind::NumericName { .. }));
}

#[test]
fn columns_that_are_not_the_expected_ones() {
    let table = Table::new(["t", "q"]);
    assert!(table.require_columns(&["t", "q"]).is_ok());
    for other in [&["t"][..], &["q", "t"], &["t", "q", "v"]] {
        let error = table.require_columns(other).expect_err("other columns");
        assert!(matches!(error.kind, Kind::HeaderMismatch { .. }));
    }
}

#[test]
#[should_panic(expected = "two columns are named")]
fn a_programmer_names_two_columns_alike() {
    let _ = Table::new(["t", "t"]);
}

#[test]
#[should_panic(expected = "line break")]
fn a_programmer_breaks_a_line_in_a_name() {
    let _ = Table::new(["t", "q\n[m]"]);
}

#[test]
fn an_unknown_extension() {
    for name in ["table.text", "table", "table.gz", "csv", "table.csv.zip"] {
        let path = scratch(name);
        for error in [Table::read(&path).expect_err(name), Table::new(["t"]).write(&path).expect_err(name)] {
            assert!(matches!(error.kind, Kind::UnknownExtension), "{name}");
            assert_eq!(error.path.as_deref(), Some(path.as_path()));
        }
    }
}

#[test]
fn a_missing_file_keeps_the_cause() {
    let error = Table::read(scratch("missing.csv")).expect_err("no such file");
    assert!(matches!(&error.kind, Kind::Io(source) if source.kind() == std::io::ErrorKind::NotFound));
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_cut_gzip_file_is_truncated() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = Table::new(["t", "q"]);
    for k in 0..2000 {
        table.push_row(&[f64::from(k), f64::from(k).sin()])?;
    }
    for extension in ["csv.gz", "ref.gz"] {
        let path = scratch(&format!("cut.{extension}"));
        table.write(&path)?;
        let whole = fs::read(&path)?;
        fs::write(&path, &whole[..whole.len() / 2])?;
        let error = Table::read(&path).expect_err("half a file");
        assert!(matches!(error.kind, Kind::Truncated { .. }), "{extension}: {error}");
        assert!(error.line.is_some_and(|line| line > 2), "{extension}: {error}");
    }
    Ok(())
}

#[test]
fn errors_in_files_begin_with_the_place() -> Result<(), std::io::Error> {
    let path = scratch("place.csv");
    fs::write(&path, "t,q\n0,one\n")?;
    let error = Table::read(&path).expect_err("one is a word");
    assert!(error.to_string().starts_with(&format!("{}:2:2: not a number", path.display())), "{error}");
    Ok(())
}

#[test]
fn bytes_that_are_no_text() {
    let error = Table::from_csv(&b"t,q\n0,1\n0,\xff\n"[..]).expect_err("not UTF-8");
    assert!(
        matches!(&error.kind, Kind::Io(source) if source.kind() == std::io::ErrorKind::InvalidData),
        "{error}"
    );
    assert_eq!(error.line, Some(3));
}
