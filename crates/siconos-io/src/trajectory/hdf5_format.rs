//! HDF5 files with one dataset for each column, in the root of the file.

use std::path::Path;

use hdf5::File;
use hdf5::types::VarLenUnicode;

use super::rows_of_columns::{ReadColumns, RowsOfColumns};
use super::{ByColumn, Table, TableError, TableErrorKind};
use crate::fclib::{FclibError, Hdf5Group, Hdf5Vector};

/// Attribute of the root with the names of the columns, in order.
const COLUMNS: &str = "columns";
const PROVENANCE: &str = "provenance";

/// Separator of HDF5 paths.
const SEPARATOR: char = '/';

/// Opens the file at `path`. Returns its columns and its provenance as a table without rows, and a reader of
/// its rows. Without the attribute `columns`, all datasets in the root are columns, sorted by name.
pub(super) fn open(path: &Path) -> Result<(Table, RowsOfColumns<'static>), TableError> {
    let file = File::open(path).map_err(of_library)?;
    let named = texts(&file, COLUMNS)?;
    let names = match named {
        Some(names) => names,
        None => file.member_names().map_err(of_library)?,
    };
    let mut head = Table::with_columns(names).map_err(|(_, kind)| kind)?;
    head.provenance = texts(&file, PROVENANCE)?.unwrap_or_default();
    let root = Hdf5Group::root(&file).map_err(of_folder)?;
    let mut columns: Vec<Hdf5Column> = Vec::with_capacity(head.columns().len());
    for name in head.columns() {
        let vector = root.open_vector(name).map_err(of_folder)?;
        if let Some(first) = columns.first().filter(|first| first.vector.len() != vector.len()) {
            let why = format!("the length of {}", head.columns()[0]);
            return Err(of_folder(root.wrong_length(name, first.vector.len(), &why, vector.len())));
        }
        columns.push(Hdf5Column { vector, next: 0 });
    }
    let rows = columns.first().map_or(0, |column| column.vector.len());
    let rows = RowsOfColumns::new(columns, &head, rows);
    Ok((head, rows))
}

/// Dataset that is read from its first number to its last. It keeps the file open.
struct Hdf5Column {
    vector: Hdf5Vector,
    /// Index of the next number.
    next: usize,
}

impl ReadColumns for Vec<Hdf5Column> {
    fn read(&mut self, column: usize, count: usize, numbers: &mut Vec<f64>) -> Result<(), TableError> {
        let Hdf5Column { vector, next } = &mut self[column];
        *numbers = vector.read(*next, count).map_err(of_folder)?;
        *next += count;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), TableError> {
        Ok(())
    }
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
