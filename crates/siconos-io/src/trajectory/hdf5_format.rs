//! HDF5 files with one dataset for each column, in the root of the file.

use std::path::Path;

use hdf5::File;
use hdf5::types::VarLenUnicode;

use super::{ByColumn, Table, TableError, TableErrorKind};
use crate::fclib::{FclibError, Hdf5Group};

/// Attribute of the root with the names of the columns, in order.
const COLUMNS: &str = "columns";
const PROVENANCE: &str = "provenance";

/// Separator of HDF5 paths.
const SEPARATOR: char = '/';

/// Reads the file at `path`. Without the attribute `columns`, all datasets in the root are columns, sorted by
/// name.
pub(super) fn read(path: &Path) -> Result<Table, TableError> {
    let file = File::open(path).map_err(of_library)?;
    let named = texts(&file, COLUMNS)?;
    let names = match named {
        Some(names) => names,
        None => file.member_names().map_err(of_library)?,
    };
    let mut table = Table::with_columns(names).map_err(|(_, kind)| kind)?;
    table.provenance = texts(&file, PROVENANCE)?.unwrap_or_default();
    let root = Hdf5Group::root(&file).map_err(of_folder)?;
    let mut columns: Vec<Vec<f64>> = Vec::with_capacity(table.columns().len());
    for name in table.columns() {
        let column = root.numbers_or_infinity(name).map_err(of_folder)?;
        if let Some(first) = columns.first().filter(|first| first.len() != column.len()) {
            let why = format!("the length of {}", table.columns()[0]);
            return Err(of_folder(root.wrong_length(name, first.len(), &why, column.len())));
        }
        columns.push(column);
    }
    table.push_columns(&columns);
    Ok(table)
}

/// Writes the file at `path` and replaces an existing file.
pub(super) fn write(table: &dyn ByColumn, path: &Path) -> Result<(), TableError> {
    let head = table.head();
    // The names are checked before the existing file is replaced.
    let is_path = |name: &&String| name.contains(SEPARATOR) || *name == ".";
    if let Some(name) = head.columns().iter().find(is_path) {
        let message = format!("a column named {name:?} cannot be a dataset: HDF5 would read it as a path");
        return Err(TableErrorKind::Hdf5 { message }.into());
    }
    let file = File::create(path).map_err(of_library)?;
    let root = Hdf5Group::root(&file).map_err(of_folder)?;
    for (place, name) in head.columns().iter().enumerate() {
        let column = root.create_vector(name, table.rows()).map_err(of_folder)?;
        let mut first = 0;
        table.read_column(place, &mut |numbers| {
            column.write(first, numbers).map_err(of_folder)?;
            first += numbers.len();
            Ok(())
        })?;
    }
    for (name, lines) in [(COLUMNS, head.columns()), (PROVENANCE, &head.provenance)] {
        write_texts(&file, name, lines)?;
    }
    file.close().map_err(of_library)
}

fn write_texts(file: &File, name: &str, lines: &[String]) -> Result<(), TableError> {
    if lines.is_empty() {
        return Ok(());
    }
    let texts: Result<Vec<VarLenUnicode>, _> = lines.iter().map(|line| line.parse()).collect();
    let texts = texts.map_err(|error| TableErrorKind::Hdf5 { message: format!("`{name}`: {error}") })?;
    file.new_attr_builder().with_data(&texts).create(name).map(|_| ()).map_err(of_library)
}

/// Returns the strings of an attribute of the root; `None` if the attribute does not exist.
fn texts(file: &File, name: &str) -> Result<Option<Vec<String>>, TableError> {
    if !file.attr_names().map_err(of_library)?.iter().any(|found| found == name) {
        return Ok(None);
    }
    let texts = file.attr(name).and_then(|attribute| attribute.read_raw::<VarLenUnicode>());
    // HDF5 returns a null pointer for a string without a value.
    let owned = |text: &VarLenUnicode| {
        if text.as_ptr().is_null() { String::new() } else { text.as_str().to_owned() }
    };
    Ok(Some(texts.map_err(of_library)?.iter().map(owned).collect()))
}

fn of_library(error: hdf5::Error) -> TableError {
    of_folder(FclibError::of_library("", &error))
}

fn of_folder(error: FclibError) -> TableError {
    TableErrorKind::Hdf5 { message: error.to_string() }.into()
}
