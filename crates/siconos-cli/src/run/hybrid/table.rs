//! The trajectory as a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use siconos_io::trajectory::Table;

const ENDINGS: [&str; 9] =
    [".csv", ".csv.gz", ".ref", ".ref.gz", ".dat", ".dat.gz", ".txt", ".txt.gz", ".json"];

/// Whether variables of these names can be the columns of a table.
pub(super) fn check_names<'n>(mut names: impl Iterator<Item = &'n str>, model: &str) -> Result<(), String> {
    // A header of numbers could not be told from a row of them.
    match names.find(|name| name.parse::<f64>().is_ok()) {
        Some(name) => Err(format!(
            "{model}: a table cannot have a column `{name}`, which reads as a number; rename the variable"
        )),
        None => Ok(()),
    }
}

/// Whether a table can be expected to be written.
pub(super) fn check(path: Option<&Path>) -> Result<(), String> {
    path.map_or(Ok(()), |path| crate::run::check_file(path, &ENDINGS))
}

/// Writes a table: JSON, or a format of [`siconos_io::trajectory`], by the end of the name.
pub(super) fn write(path: &Path, table: &Table) -> Result<(), String> {
    if path.extension().is_some_and(|extension| extension == "json") {
        write_json(path, table).map_err(|error| format!("{}: cannot write: {error}", path.display()))
    } else {
        table.write(path).map_err(|error| error.to_string())
    }
}

fn write_json(path: &Path, table: &Table) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    serde_json::to_writer(&mut file, table)?;
    writeln!(file)?;
    file.flush()
}
