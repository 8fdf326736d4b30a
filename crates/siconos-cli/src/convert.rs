//! Conversion of files: models between TOML and JSON, tables between all their formats and to VTK.

use std::fs;
use std::io::Write;
use std::path::Path;

use siconos_io::document;
use siconos_io::trajectory::Table;

use crate::arguments::ConvertArguments;
use crate::{animation, run, tables};

/// Kinds of model files.
const KINDS: [&str; 4] = ["model", "hybrid", "sweeping", "dvi"];

/// Converts the file to the format of the output. Returns a message for the user. An error means bad input.
pub(crate) fn run(arguments: &ConvertArguments) -> Result<String, String> {
    let ConvertArguments { from, to, points, body, every, annotate, force } = arguments;
    run::check_absent(Some(to), *force)?;
    let (is_model, for_vtk) = (is_model(from), animation::VtkOutput::of(to));
    if for_vtk.is_none() && !(points.is_empty() && body.is_empty() && every.is_none()) {
        return Err(format!("{}: --points, --body and --every require .pvd or .vtp", to.display()));
    }
    if let Some(kind) = for_vtk.filter(|_| !is_model) {
        return animation::write(kind, arguments);
    }
    let refuse = |what: &str, other: &str| {
        Err(format!(
            "{}: this is {what}, but the extension of {} is for {other}",
            from.display(),
            to.display()
        ))
    };
    match is_model {
        true if has_ending(to, "toml") || has_ending(to, "json") => model(from, to),
        true => refuse("a model", "a table"),
        false if has_ending(to, "toml") => refuse("a table", "a model"),
        false => table(from, to, *annotate),
    }
}

/// Returns `true` if the file is a model: TOML, or JSON that is not a table.
pub(crate) fn is_model(path: &Path) -> bool {
    has_ending(path, "toml") || (has_ending(path, "json") && !Table::is_json_table(path))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own == ending)
}

fn model(from: &Path, to: &Path) -> Result<String, String> {
    let (name, target) = (from.display().to_string(), to.display().to_string());
    let text = fs::read_to_string(from).map_err(|error| format!("{name}: cannot read: {error}"))?;
    match document::kind((&text, &name)).map_err(|error| error.to_string())? {
        Some(kind) if KINDS.contains(&kind.as_str()) => (),
        _ => {
            let kinds = KINDS.join(", ");
            return Err(format!(
                "{name}: this is neither a table nor a model; the key `kind` of a model must be one of {kinds}"
            ));
        }
    }
    let converted = document::convert((&text, &name), &target).map_err(|error| error.to_string())?;
    write(to, converted.as_bytes())?;
    let comments = if name.ends_with(".toml") { "; comments are lost" } else { "" };
    Ok(format!("{name} was written to {target}{comments}"))
}

/// Writes a file and syncs it to the disk.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = fs::File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| format!("{}: cannot write: {error}", path.display()))
}

fn table(from: &Path, to: &Path, is_annotated: bool) -> Result<String, String> {
    let rows = tables::convert(from, to, is_annotated).map_err(|error| error.to_string())?;
    Ok(format!("{rows} rows of {} were written to {}", from.display(), to.display()))
}
