//! Reads files in Python, if the required packages are installed.

use std::path::Path;
use std::process::Command;

use siconos_io::trajectory::Table;
use siconos_testkit::skip;

/// Returns the output of a script; `None`, with a note that the test is skipped, if Python or a package is
/// missing.
#[track_caller]
pub(crate) fn run(packages: &[&str], script: &str, files: &[&Path]) -> Option<String> {
    let imports = format!("import {}", packages.join(", "));
    let is_there = Command::new("python3").args(["-c", &imports]).output();
    if !is_there.is_ok_and(|run| run.status.success()) {
        skip::note(&format!("python3 has no {}", packages.join(", ")));
        return None;
    }
    let run = Command::new("python3").args(["-c", script]).args(files).output().expect("it was there");
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{complaint}");
    Some(String::from_utf8(run.stdout).expect("text"))
}

/// Returns a line for each column: its name and the bits of its numbers, separated by tabs.
pub(crate) fn columns_as_bits(table: &Table) -> String {
    let line = |name: &String| {
        let column = table.column(name).expect("it is there");
        let bits = column.map(|x| format!("\t{:016x}", x.to_bits()));
        format!("{name}{}\n", bits.collect::<String>())
    };
    table.columns().iter().map(line).collect()
}
