//! The scenarios as model files: the same tables as from Rust.

use std::path::PathBuf;

use siconos_examples::scenario;
use siconos_io::model::ModelFile;
use siconos_io::trajectory::Table;

/// Scenarios whose functions are written in their files as they are in Rust, and whose derivatives are
/// constant: every bit is the same.
const SAME: [&str; 9] = [
    "bouncing_ball",
    "bouncing_ball_ed",
    "two_contacts_ed",
    "diode_bridge",
    "rlcd",
    "relay_oscillator",
    "friction_oscillator",
    "filippov_straight",
    "filippov_spiral",
];

fn file(name: &str) -> ModelFile {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models");
    ModelFile::read(folder.join(format!("{name}.toml"))).unwrap_or_else(|error| panic!("{error}"))
}

fn table(file: &ModelFile) -> Table {
    let mut built = file.build().unwrap_or_else(|error| panic!("{error}"));
    let mut table = Table::new(built.recorder.names().to_vec());
    built.to_end(|row| table.push_row(row)).expect("it goes to its end");
    table
}

fn of_rust(name: &str) -> Table {
    scenario::run(name).expect("a scenario").expect("it goes to its end")
}

#[track_caller]
fn assert_same_bits(name: &str, found: &Table, expected: &Table) {
    assert_eq!(found.columns(), expected.columns(), "{name}");
    assert_eq!(found.len(), expected.len(), "{name}: rows");
    let names = expected.columns();
    for (place, (found, expected)) in found.rows().zip(expected.rows()).enumerate() {
        for ((column, x), y) in names.iter().zip(found).zip(expected) {
            assert_eq!(x.to_bits(), y.to_bits(), "{name}: {column} in row {place}: {x:?}, not {y:?}");
        }
    }
}

#[test]
fn files_and_programs_make_the_same_bits() {
    for name in SAME {
        assert_same_bits(name, &table(&file(name)), &of_rust(name));
    }
}
