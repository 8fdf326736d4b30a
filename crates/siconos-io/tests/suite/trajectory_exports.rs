//! JSON lines, NumPy archives and HDF5: round trips, errors, and reading in Python.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

use siconos_io::ReadOptions;
use siconos_io::trajectory::{Table, TableError, TableErrorKind as Kind};

use crate::python;

fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("exports_{name}"));
    fs::remove_file(&path).ok();
    path
}

fn table() -> Table {
    let mut table = Table::new(["t", "q [m]", "a/b", "θ, \"deg\"\\"]);
    for k in 0..50_u32 {
        let t = 0.1 * f64::from(k);
        let odd =
            [-0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e16, 1e-7][k as usize % 8];
        table.push_row(&[t, odd, -t.sin(), t.exp()]).expect("four columns");
    }
    table
}

/// Returns a table with the column names that HDF5 allows.
fn table_without_paths() -> Table {
    let whole = table();
    let mut table = Table::new(["t", "q [m]", "z", "θ, \"deg\"\\"]);
    table.provenance = vec!["made by hand".to_owned(), String::new(), "zweitens: größer".to_owned()];
    for row in whole.rows() {
        table.push_row(row).expect("four columns");
    }
    table
}

fn bits(table: &Table) -> Vec<u64> {
    table.rows().flatten().map(|x| x.to_bits()).collect()
}

fn npz_of(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.to_npz(&mut bytes).expect("there is memory");
    bytes
}

fn from_npz(bytes: &[u8]) -> Result<Table, TableError> {
    Table::from_npz(Cursor::new(bytes), ReadOptions::default())
}

#[test]
fn tables_come_back_from_every_kind_of_file() {
    let mut endings = vec!["jsonl", "jsonl.gz", "slog", "npz"];
    if cfg!(feature = "hdf5") {
        endings.push("h5");
    }
    for ending in endings {
        let table = if ending == "h5" { table_without_paths() } else { table() };
        let path = scratch(&format!("back.{ending}"));
        for _ in 0..2 {
            // The second write replaces the file.
            table.write(&path).expect("a scratch file");
        }
        let back = Table::read(&path).expect("it was written so");
        assert_eq!(bits(&back), bits(&table), "{ending}");
        assert_eq!(back.columns(), table.columns());
        assert_eq!(back.provenance, table.provenance);
    }
    for ending in ["slog.gz", "npz.gz", "h5.gz"] {
        let error = table().write(scratch(&format!("packed.{ending}"))).expect_err(ending);
        assert!(matches!(error.kind, Kind::UnknownExtension), "{error}");
    }
}

#[test]
fn json_lines_of_others() {
    let read = |text: &str| Table::from_json_lines(text.as_bytes());
    let table =
        read("\n{\"t\": 0, \"q\": -1}\r\n\n{\"q\": null, \"t\": 18446744073709551615}").expect("rows");
    assert_eq!((table.len(), table.row(0)), (2, &[0.0, -1.0][..]));
    assert!(table.row(1)[1].is_nan() && table.row(1)[0] == u64::MAX as f64);
    let signs = read(r#"{"a": "nan", "b": "-inf", "c": "Infinity", "d": -0.0}"#).expect("a row");
    assert!(signs.row(0)[0].is_nan() && signs.row(0)[1..3] == [f64::NEG_INFINITY, f64::INFINITY]);
    assert!(signs.row(0)[3].is_sign_negative());

    let first = "{\"t\": 0, \"q\": 1}\n";
    for (text, expected) in [
        ("", "truncated"),
        ("[1, 2]", "an object of numbers"),
        ("{}", "has no name"),
        ("{\"1\": 1}", "is a number"),
        ("{\"t\": 1, \"t\": 2}", "two columns"),
        ("{\"t\": \"1.5\"}", "invalid value: string \"1.5\""),
        ("{\"t\": \"1e999\"}", "invalid value"),
        ("{\"t\": 1e999}", "out of range"),
        ("{\"t\": true}", "invalid type: boolean"),
        ("{\"t\": [1]}", "invalid type: sequence"),
        ("{\"t\": 1} {\"t\": 2}", "trailing characters (character 10)"),
        ("{\"t\": 1", "EOF"),
        ("{\"t\": NaN}", "expected"),
        (&format!("{first}{{\"t\": 0}}"), "line 2: not a row: the key \"q\" is missing"),
        (&format!("{first}{{\"t\": 0, \"q\": 1, \"v\": 2}}"), "line 2: not a row: the key \"v\" is unknown"),
        (
            &format!("{first}\n{{\"t\": 0, \"q\": 1, \"t\": 2}}"),
            "line 3: not a row: the key \"t\" appears twice",
        ),
        (&format!("{first}{{\"t\": 0, \"t\": 1}}"), "line 2: not a row: the key \"t\" appears twice"),
        (&format!("{first}{}", "[".repeat(10_000)), "line 2: not a row"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_damaged_archive_is_seen() {
    let mut small = Table::new(["t", "q"]);
    for k in 0..3 {
        small.push_row(&[f64::from(k), 0.1]).expect("two columns");
    }
    let whole = npz_of(&small);
    assert_eq!(bits(&from_npz(&whole).expect("it was written so")), bits(&small));
    for length in 0..whole.len() {
        assert!(from_npz(&whole[..length]).is_err(), "{length} bytes");
    }
    // A flipped bit gives an error, unless it does not affect the numbers, as in a date or an attribute.
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut flipped = whole.clone();
            flipped[place] ^= 1 << bit;
            if let Ok(table) = from_npz(&flipped) {
                assert_eq!(bits(&table), bits(&small), "byte {place}, bit {bit}");
            }
        }
    }
}

#[test]
fn two_arrays_of_one_name_are_refused() {
    let mut table = Table::new(["a", "b"]);
    table.push_row(&[1.0, 2.0]).expect("two columns");
    let mut bytes = npz_of(&table);
    let places: Vec<_> = (0..bytes.len() - 5).filter(|&place| bytes[place..].starts_with(b"b.npy")).collect();
    assert_eq!(places.len(), 2, "before the array, and in the list at the end");
    for place in places {
        bytes[place] = b'a';
    }
    let error = from_npz(&bytes).expect_err("one name twice");
    assert!(error.to_string().contains("the same name"), "{error}");
}

#[test]
fn archives_that_are_no_tables() {
    for (bytes, expected) in [
        (&b""[..], "not an archive"),
        (b"t,q\n0,1\n", "not an archive"),
        // An archive without entries.
        (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "must have a name"),
        // An archive that announces 65535 entries in a list of 2^32 - 1 bytes.
        (b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0", "damaged or truncated"),
    ] {
        let error = from_npz(bytes).expect_err("no table");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[cfg(feature = "hdf5")]
#[test]
fn hdf5_files_that_are_no_tables() {
    let error = table().write(scratch("path.h5")).expect_err("a name with a slash");
    assert!(error.to_string().contains("\"a/b\""), "{error}");
    let path = scratch("text.h5");
    fs::write(&path, "t,q\n0,1\n").expect("a scratch file");
    let error = Table::read(&path).expect_err("no HDF5 file");
    assert!(matches!(error.kind, Kind::Hdf5 { .. }), "{error}");
    assert_eq!(error.path.as_deref(), Some(path.as_path()));
    // Numbers that are announced but were never written.
    let file = hdf5::File::create(&path).expect("a scratch file");
    file.new_dataset::<f64>().chunk(1000).shape(1_000_000_000).create("t").expect("there is place");
    file.close().expect("it is open");
    let error = Table::read(&path).expect_err("no numbers");
    assert!(error.to_string().contains("declares 1000000000 entries"), "{error}");
    // A file cut at any position gives an error.
    let whole = scratch("whole.h5");
    table_without_paths().write(&whole).expect("a scratch file");
    let bytes = fs::read(&whole).expect("it is there");
    for length in (0..bytes.len()).step_by(97) {
        fs::write(&path, &bytes[..length]).expect("a scratch file");
        assert!(Table::read(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn numpy_reads_the_same_bits() {
    let (table, path, back) = (table(), scratch("numpy.npz"), scratch("numpy_back.npz"));
    table.write(&path).expect("a scratch file");
    let script = r#"
import sys, numpy
z = numpy.load(sys.argv[1])
for name in z.files:
    print(name, *[format(b, "016x") for b in z[name].view("<u8")], sep="\t")
numpy.savez_compressed(sys.argv[2], t=numpy.arange(1000), q=numpy.arange(1000) / 7,
                       single=numpy.full(1000, 0.1, dtype="f4"))
"#;
    let Some(said) = python::run(&["numpy"], script, &[&path, &back]) else { return };
    assert_eq!(said, python::columns_as_bits(&table));
    let back = Table::read(back).expect("an archive of numpy");
    back.require_columns(&["t", "q", "single"]).expect("in its order");
    assert_eq!(back.row(700), [700.0, 100.0, f64::from(0.1_f32)]);
    assert_eq!(back.len(), 1000);
}

#[cfg(feature = "hdf5")]
#[test]
fn h5py_reads_the_same_bits() {
    let (table, path, back) = (table_without_paths(), scratch("h5py.h5"), scratch("h5py_back.h5"));
    table.write(&path).expect("a scratch file");
    let script = r#"
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as f:
    assert list(f.attrs["provenance"]) == ["made by hand", "", "zweitens: größer"], list(f.attrs["provenance"])
    for name in f.attrs["columns"]:
        print(name, *[format(b, "016x") for b in f[name][:].view("<u8")], sep="\t")
with h5py.File(sys.argv[2], "w") as f:
    f["t"] = numpy.arange(10) * 0.5
    f.create_dataset("q", data=numpy.arange(10, dtype="f4"), compression="gzip", chunks=(4,))
"#;
    let Some(said) = python::run(&["h5py", "numpy"], script, &[&path, &back]) else { return };
    assert_eq!(said, python::columns_as_bits(&table));
    let back = Table::read(back).expect("a file of h5py");
    back.require_columns(&["q", "t"]).expect("in the order of the names");
    assert_eq!(back.row(3), [3.0, 1.5]);
}

#[test]
fn python_reads_the_rows() {
    let (table, path) = (table(), scratch("python.jsonl"));
    table.write(&path).expect("a scratch file");
    let script = r#"
import json, struct, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
for name in rows[0]:
    print(name, *[struct.pack(">d", float(row[name])).hex() for row in rows], sep="\t")
"#;
    let Some(said) = python::run(&["json"], script, &[&path]) else { return };
    assert_eq!(said, python::columns_as_bits(&table));
}
