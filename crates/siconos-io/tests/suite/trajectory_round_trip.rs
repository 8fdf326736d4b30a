//! Tables are the same, bit for bit, after a round trip in every format.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::num::f64::ANY;
use proptest::prelude::*;
use siconos_io::trajectory::{Table, TableError};

const EXTENSIONS: [&str; 4] = ["csv", "csv.gz", "ref", "ref.gz"];

/// Returns the path of a scratch file of this test.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("round_trip_{name}"))
}

/// Returns the bits of all entries; every NaN is treated as the same, because text has only one.
fn bits(table: &Table) -> Vec<u64> {
    table.rows().flatten().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

fn table_of(columns: usize, data: &[f64]) -> Table {
    let mut table = Table::new((0..columns).map(|index| format!("c{index}")));
    for row in data.chunks_exact(columns) {
        table.push_row(row).expect("rows are as wide as the table");
    }
    table
}

proptest! {
    #![proptest_config(siconos_testkit::random::config(256))]

    #[test]
    fn any_number_survives_any_format(columns in 1_usize..6, data in vec(ANY, 0..60)) {
        let table = table_of(columns, &data);
        let mut csv = Vec::new();
        table.to_csv(&mut csv)?;
        prop_assert_eq!(bits(&Table::from_csv(csv.as_slice())?), bits(&table));
        let mut reference = Vec::new();
        table.to_reference(&mut reference)?;
        let back = Table::from_reference(reference.as_slice())?;
        prop_assert_eq!(bits(&back), bits(&table));
        prop_assert_eq!(back.columns(), table.columns());
    }

    #[test]
    fn any_name_and_provenance_survive_csv(name in "[a-z#,\"θ][a-z ,\"#°²]{0,8}[a-z]", lines in vec("[ -~]{0,20}", 0..4)) {
        let mut table = Table::new([name, "t".to_owned() + "_"]);
        table.provenance = lines;
        table.push_row(&[1.0, 2.0])?;
        let mut csv = Vec::new();
        table.to_csv(&mut csv)?;
        prop_assert_eq!(Table::from_csv(csv.as_slice())?, table);
    }
}

#[test]
fn hard_numbers_survive_every_kind_of_file() -> Result<(), TableError> {
    let hard =
        [0.1 + 0.2, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let table = table_of(2, &hard);
    for extension in EXTENSIONS {
        let path = scratch(&format!("hard.{extension}"));
        table.write(&path)?;
        assert_eq!(bits(&Table::read(&path)?), bits(&table), "{extension}");
    }
    Ok(())
}

#[test]
fn names_and_provenance_survive_csv_files_only() -> Result<(), TableError> {
    let mut table = Table::new(["t", "q [m]", "θ, deg"]);
    table.provenance = vec!["made by hand".to_owned(), String::new(), "  indented".to_owned()];
    table.push_row(&[0.0, 1.0, 2.0])?;
    for extension in ["csv", "csv.gz"] {
        let path = scratch(&format!("named.{extension}"));
        table.write(&path)?;
        assert_eq!(Table::read(&path)?, table, "{extension}");
    }
    let path = scratch("named.ref");
    table.write(&path)?;
    Table::read(&path)?.require_columns(&["c0", "c1", "c2"])
}

#[test]
fn compression_makes_files_smaller() -> Result<(), Box<dyn std::error::Error>> {
    let table = table_of(4, &vec![0.25; 4000]);
    let (plain, compressed) = (scratch("size.ref"), scratch("size.ref.gz"));
    table.write(&plain)?;
    table.write(&compressed)?;
    assert!(10 * std::fs::metadata(compressed)?.len() < std::fs::metadata(plain)?.len());
    Ok(())
}

#[test]
fn an_empty_table_keeps_its_columns() -> Result<(), TableError> {
    let table = Table::new(["t", "q"]);
    let path = scratch("empty.csv");
    table.write(&path)?;
    let back = Table::read(&path)?;
    assert!(back.is_empty());
    assert_eq!(back, table);
    Ok(())
}

#[test]
fn hand_written_text_is_read() -> Result<(), TableError> {
    let csv = "#made by hand\r\n# twice\r\nt, q\r\n 0, +1.5 \r\n\r\n1e-3, Inf\r\n\".5\",-inf";
    let table = Table::from_csv(csv.as_bytes())?;
    assert_eq!(table.provenance, ["made by hand", "twice"]);
    table.require_columns(&["t", "q"])?;
    assert!(table.rows().eq([[0.0, 1.5], [1e-3, f64::INFINITY], [0.5, f64::NEG_INFINITY]]));

    let reference = " 2\t3 \n 1 2 3 \n4\t5 6\n\n";
    let table = Table::from_reference(reference.as_bytes())?;
    assert!(table.rows().eq([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
    Ok(())
}

#[test]
fn json_keeps_a_table() -> Result<(), Box<dyn std::error::Error>> {
    let table = table_of(2, &[0.1 + 0.2, 1e-300, -0.0, 3.0]);
    let back: Table = serde_json::from_str(&serde_json::to_string(&table)?)?;
    assert_eq!(bits(&back), bits(&table));
    let crooked = r#"{"columns":["t","q"],"data":[1.0,2.0,3.0]}"#;
    assert!(serde_json::from_str::<Table>(crooked).is_err());
    Ok(())
}

#[test]
fn thinning_keeps_the_first_row() {
    let table = table_of(1, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let stride = |n| NonZeroUsize::new(n).expect("positive");
    assert!(table.thinned(stride(3)).column("c0").is_some_and(|c| c.eq([0.0, 3.0, 6.0])));
    assert!(table.thinned(stride(100)).column("c0").is_some_and(|c| c.eq([0.0])));
    assert_eq!(table.thinned(NonZeroUsize::MIN), table);
}
