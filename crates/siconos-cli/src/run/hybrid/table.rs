//! The trajectory as a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use siconos_io::trajectory::Table;

use super::samples::Samples;

const ENDINGS: [&str; 9] =
    [".csv", ".csv.gz", ".ref", ".ref.gz", ".dat", ".dat.gz", ".txt", ".txt.gz", ".json"];

/// Whether a table of variables of these names can be expected to be written.
pub(super) fn check<'n>(
    path: Option<&Path>,
    mut names: impl Iterator<Item = &'n str>,
    model: &str,
) -> Result<(), String> {
    let Some(path) = path else { return Ok(()) };
    // A header of numbers could not be told from a row of them.
    if let Some(name) = names.find(|name| name.parse::<f64>().is_ok()) {
        return Err(format!(
            "{model}: a table cannot have a column `{name}`, which reads as a number; rename the variable"
        ));
    }
    crate::run::check_file(path, &ENDINGS)
}

/// Writes a table of the time and all variables: JSON, or a format of [`siconos_io::trajectory`], by the end
/// of the name.
pub(super) fn write(path: &Path, samples: &Samples, model: &str) -> Result<(), String> {
    let names = std::iter::once("t").chain(samples.names.iter().map(String::as_str));
    let mut table = Table::with_capacity(names, samples.rows.len());
    table.provenance =
        vec![format!("siconos-rs {}: {model}", env!("CARGO_PKG_VERSION")), "t in seconds".to_owned()];
    let mut row = Vec::new();
    for (t, values) in &samples.rows {
        row.clear();
        row.push(*t);
        row.extend_from_slice(values);
        table.push_row(&row).map_err(|error| error.to_string())?;
    }
    if path.extension().is_some_and(|extension| extension == "json") {
        write_json(path, &table).map_err(|error| format!("{}: cannot write: {error}", path.display()))
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
