//! Files in another form: model files in TOML and JSON, tables in all of their formats and for VTK.

use std::fs;
use std::io::Write;
use std::path::Path;

use siconos_io::document;
use siconos_io::trajectory::Table;

use crate::arguments::ConvertArguments;
use crate::{film, run};

/// The endings of model files.
const DOCUMENTS: [&str; 2] = [".toml", ".json"];

/// Writes the file in the form of the other name; says what has been done. An error is bad input.
pub(crate) fn run(arguments: &ConvertArguments) -> Result<String, String> {
    let ConvertArguments { from, to, points, every, force } = arguments;
    run::check_absent(Some(to), *force)?;
    let for_vtk = film::Kind::of(to);
    if for_vtk.is_none() && !(points.is_empty() && every.is_none()) {
        return Err(format!("{}: --points and --every are for .pvd and .vtp", to.display()));
    }
    if let Some(kind) = for_vtk.filter(|_| !is_document(from)) {
        return film::write(kind, arguments);
    }
    match (is_document(from), is_document(to)) {
        (true, true) => model(from, to),
        (false, false) => table(from, to),
        (is_model, _) => {
            let (what, other) = if is_model { ("a model", "a table") } else { ("a table", "a model") };
            Err(format!("{}: this is {what}, and {} would be {other}", from.display(), to.display()))
        }
    }
}

pub(crate) fn is_document(path: &Path) -> bool {
    let name = path.to_string_lossy();
    DOCUMENTS.iter().any(|ending| name.ends_with(ending))
}

fn model(from: &Path, to: &Path) -> Result<String, String> {
    let (name, target) = (from.display().to_string(), to.display().to_string());
    let text = fs::read_to_string(from).map_err(|error| format!("{name}: cannot read: {error}"))?;
    let converted = document::convert((&text, &name), &target).map_err(|error| error.to_string())?;
    write(to, converted.as_bytes())?;
    let comments = if name.ends_with(".toml") { "; comments, where it has any, are lost" } else { "" };
    Ok(format!("{name} is written to {target}{comments}"))
}

/// What has been written is on the disk.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = fs::File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| format!("{}: cannot write: {error}", path.display()))
}

fn table(from: &Path, to: &Path) -> Result<String, String> {
    let table = Table::read(from).map_err(|error| error.to_string())?;
    table.write(to).map_err(|error| error.to_string())?;
    Ok(format!("{} rows of {} are written to {}", table.len(), from.display(), to.display()))
}
