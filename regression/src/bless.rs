//! Storage of a new reference with a reason.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use siconos_io::trajectory::{Table, TableError};

use crate::compare::difference;
use crate::manifest::{Reference, Scenario};
use crate::run::{RunError, Runner, thinned};
use crate::stamp::Stamp;

/// Reason why no reference was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BlessError {
    #[error(
        "the reference of {scenario:?} is external: it comes from another program and is not ours to change"
    )]
    External { scenario: String },
    #[error("{scenario:?} cannot be blessed")]
    Run { scenario: String, source: RunError },
    #[error(
        "the result of {scenario:?} is not a number in row {row}, column {column:?}; it cannot be a reference"
    )]
    NotANumber { scenario: String, row: usize, column: String },
    #[error("{}: a reference with a reason is a CSV file; use .csv or .csv.gz", path.display())]
    NoPlaceForReason { path: PathBuf },
    #[error("{}: cannot create the folder", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("cannot write the reference")]
    Write(#[source] TableError),
}

/// Runs a scenario, overwrites the old reference with its result, and returns a description of the changes.
pub(crate) fn bless(
    scenario: &Scenario,
    reason: &str,
    runner: &mut Runner,
    stamp: &Stamp,
) -> Result<String, BlessError> {
    let name = || scenario.name.clone();
    let Reference::Own { stride, .. } = &scenario.reference else {
        return Err(BlessError::External { scenario: name() });
    };
    let path = runner.folders.path(&scenario.reference);
    if !path.to_string_lossy().trim_end_matches(".gz").ends_with(".csv") {
        return Err(BlessError::NoPlaceForReason { path });
    }
    let (result, _) = runner.result(&scenario.result);
    let result = result.map_err(|source| BlessError::Run { scenario: name(), source })?;
    refuse_nan(scenario, &result)?;

    let mut reference = thinned(&result, &scenario.reference);
    reference.provenance = vec![
        format!("reference of the regression scenario {:?}, written by siconos-regression", scenario.name),
        format!("made: {stamp}"),
        format!("rows: every {stride} of {} rows of the result of {:?}", result.len(), scenario.result),
        format!("because: {}", reason.split_whitespace().collect::<Vec<_>>().join(" ")),
    ];
    let changes = describe_changes(&path, &reference);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|source| BlessError::Folder { path: folder.to_owned(), source })?;
    }
    reference.write(&path).map_err(BlessError::Write)?;
    Ok(format!("{changes}wrote {} ({} rows)\n", path.display(), reference.len()))
}

fn refuse_nan(scenario: &Scenario, result: &Table) -> Result<(), BlessError> {
    for (row, numbers) in result.rows().enumerate() {
        if let Some(column) = numbers.iter().position(|number| number.is_nan()) {
            let column = result.columns()[column].clone();
            return Err(BlessError::NotANumber { scenario: scenario.name.clone(), row, column });
        }
    }
    Ok(())
}

/// Describes the largest change of each column, if the old file has the same shape.
fn describe_changes(path: &Path, new: &Table) -> String {
    if !path.exists() {
        return "a new reference; there was none before\n".to_owned();
    }
    let old = match Table::read(path) {
        Ok(old) => old,
        Err(error) => return format!("the old reference cannot be read ({error})\n"),
    };
    if old.columns() != new.columns() || old.len() != new.len() {
        return format!(
            "the shape has changed: {} rows of [{}] before, {} rows of [{}] now\n",
            old.len(),
            old.columns().join(", "),
            new.len(),
            new.columns().join(", ")
        );
    }
    let mut text = String::from("largest change of each column:\n");
    for (index, name) in new.columns().iter().enumerate() {
        let changes = old.rows().zip(new.rows()).map(|(old, new)| difference(old[index], new[index]));
        let (row, change) = changes
            .enumerate()
            .fold((0, 0.0), |worst, (row, change)| if change > worst.1 { (row, change) } else { worst });
        // Writing to a string cannot fail.
        let _ = match change {
            0.0 => writeln!(text, "  {name:12} none"),
            _ => writeln!(text, "  {name:12} {change:.3e} in row {row}"),
        };
    }
    text
}
