//! Arrays in separate files: `{ file = "data/mass.npy" }` is replaced by the numbers in the file.
//!
//! The numbers replace the table before the rest of the document is read, so that the readers of vectors and
//! matrices need not handle files. In error messages, each number has the location of the replaced table.

use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use super::registered;
use super::values::{MOST_ENTRIES, formulas};
use crate::document::{Diagnostics, Node, Table, Value};
use crate::numpy::{NumpyError, array_of};
use crate::run_error::ResumeError;
use crate::snapshot::content::DataFile;
use crate::text_file::unmarked_text;

/// Key of a table that names an array file.
pub(super) const FILE: &str = "file";

/// Maximum size of a file \[bytes\].
const LONGEST: u64 = 32 << 20;

/// Placeholder for an array that cannot be read. No further errors are reported for it.
const AT_FAULT: Node<'static> = Node::Nothing("an invalid array");

/// Replaces all tables that name array files by the numbers in these files. Returns the files, sorted by path
/// and without duplicates.
pub(super) fn read_in(root: &mut Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Vec<DataFile> {
    let mut known = Vec::new();
    for entry in &mut root.entries {
        // If `is_named` is `true`, the keys of the table are names that the user chooses, and `file` can be
        // one of them. `apart` lists the inner tables that have such keys.
        let (is_named, apart): (bool, &[&str]) = match &*entry.key {
            "systems" | "laws" | "interactions" | "parameters" | "control" | "state" | "input" => (true, &[]),
            "events" => (true, &["set"]),
            "simulation" => (false, &["integrators"]),
            "set" | "process" | "inequality" | "boundary" => (false, &[]),
            _ => continue,
        };
        let Node::Table(table) = &mut entry.value.node else { continue };
        for entry in &mut table.entries {
            match (is_named, &mut entry.value.node) {
                (false, _) if apart.contains(&&*entry.key) => (),
                (true, Node::Table(inner)) if !names_a_file(inner) => {
                    let left = inner.entries.iter_mut().filter(|entry| !apart.contains(&&*entry.key));
                    left.for_each(|entry| put_in(&mut entry.value, &mut known, diagnostics));
                }
                _ => put_in(&mut entry.value, &mut known, diagnostics),
            }
        }
    }
    known.sort();
    known.dedup();
    known
}

fn names_a_file(table: &Table<'_>) -> bool {
    matches!(&table.entries[..], [entry] if entry.key == FILE)
}

fn put_in(value: &mut Value<'_>, known: &mut Vec<DataFile>, diagnostics: &mut Diagnostics<'_>) {
    if let Node::Array(values) = &mut value.node {
        let tables = values.iter_mut().filter(|value| matches!(value.node, Node::Table(_)));
        return tables.for_each(|value| put_in(value, known, diagnostics));
    }
    let Node::Table(table) = &mut value.node else { return };
    if let Some((count, what)) = formulas::announced(table).or_else(|| registered::announced(table))
        && !diagnostics.announce(count, MOST_ENTRIES)
    {
        let message = format!(
            "{what} are too many; the arrays of a model that are not written row by row may have {MOST_ENTRIES} \
             entries in total"
        );
        diagnostics.note(&value.span, message);
        value.node = AT_FAULT;
        return diagnostics.excuse_value(&value.span.clone());
    }
    if !names_a_file(table) {
        return table.entries.iter_mut().for_each(|entry| put_in(&mut entry.value, known, diagnostics));
    }
    let span = value.span.clone();
    let path = table.entries.remove(0).value.text(diagnostics).map(|text| text.content.into_owned());
    let read = path.map(|path| read(&path, diagnostics.folder()).map(|(array, check)| (path, array, check)));
    match read {
        Some(Ok((path, array, check))) => {
            let count = array.numbers.len();
            if !diagnostics.announce(count, MOST_ENTRIES) {
                diagnostics.note(
                    &span,
                    format_args!(
                        "the {count} entries of `{path}` are too many; the arrays of a model that are not written row by row \
                         may have {MOST_ENTRIES} entries in total"
                    ),
                );
                value.node = AT_FAULT;
                return diagnostics.excuse_value(&span);
            }
            if let Some(message) = array.not_finite() {
                diagnostics.note(&span, format_args!("`{path}`: {message}"));
            }
            value.node = array.into_node(&span);
            known.push(DataFile { path, check });
        }
        Some(Err(message)) => {
            diagnostics.note(&span, message);
            value.node = AT_FAULT;
            diagnostics.excuse_value(&span);
        }
        None => {
            value.node = AT_FAULT;
            diagnostics.excuse_value(&span);
        }
    }
}

/// Array of numbers in row-major order.
struct Array {
    shape: Vec<usize>,
    numbers: Vec<f64>,
}

impl Array {
    /// Returns an error message if a number is not finite. Indices start at 0, as in sparse matrices.
    fn not_finite(&self) -> Option<String> {
        let place = self.numbers.iter().position(|number| !number.is_finite())?;
        let entry = match self.shape[..] {
            [_, columns] => format!("row {}, column {}", place / columns, place % columns),
            _ => format!("index {place}"),
        };
        Some(format!("the entry at {entry} is {}; it must be finite", self.numbers[place]))
    }

    fn into_node<'s>(self, span: &Range<usize>) -> Node<'s> {
        // Numbers that are not finite have been reported.
        let number = |value: &f64| Node::Number {
            value: if value.is_finite() { *value } else { 1.0 },
            is_whole: false,
        };
        let value = |node| Value { span: span.clone(), node };
        let row = |numbers: &[f64]| Node::Array(numbers.iter().map(|own| value(number(own))).collect());
        match (self.shape[..].first(), self.shape.get(1)) {
            (None, _) => self.numbers.first().map_or(Node::Array(Vec::new()), number),
            (Some(_), None) => row(&self.numbers),
            (Some(rows), Some(columns)) => {
                let of = |k: usize| value(row(&self.numbers[k * columns..(k + 1) * columns]));
                Node::Array((0..*rows).map(of).collect())
            }
        }
    }
}

/// Reads an array file whose path is relative to `folder`. Returns the array and the CRC-32 of the file.
///
/// # Errors
///
/// If the file cannot be read or does not contain an array. The error is a message for the user.
fn read(path: &str, folder: Option<&Path>) -> Result<(Array, u32), String> {
    let read_array = match Path::new(path).extension().and_then(|end| end.to_str()) {
        Some("npy") => of_numpy,
        Some("csv") => of_csv,
        _ => return Err(format!("`{path}` ends neither in `.npy` nor in `.csv`")),
    };
    let Some(folder) = folder else {
        return Err(format!(
            "`{path}` is searched for in the folder of the model, but this model is a text without a folder"
        ));
    };
    let failed = |error: std::io::Error| format!("cannot read `{path}`: {error}");
    let found = found(path, folder)?;
    let file = File::open(found).map_err(failed)?;
    let mut bytes = Vec::new();
    // The limit is needed here as well, because a file can grow while it is read.
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        return Err(too_long(path));
    }
    let array = read_array(&bytes).map_err(|what| format!("`{path}`: {what}"))?;
    Ok((array, crc32fast::hash(&bytes)))
}

fn too_long(path: &str) -> String {
    format!("`{path}` is too long; the limit for an array file is {LONGEST} bytes")
}

/// Resolves the symbolic links in a path. Returns an error if the file is not below the folder.
fn found(path: &str, folder: &Path) -> Result<PathBuf, String> {
    let is_relative =
        Path::new(path).components().all(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
    if !is_relative {
        return Err(format!("`{path}` is an absolute path; give a path relative to the folder of the model"));
    }
    let outside = || format!("`{path}` is outside the folder of the model; only files below it are read");
    // Checked without access to the disk. Otherwise the error would reveal which files exist outside the
    // folder.
    if leads_above(Path::new(path)) {
        return Err(outside());
    }
    let failed = |error: std::io::Error| format!("cannot read `{path}`: {error}");
    let folder = folder.canonicalize().map_err(failed)?;
    let path_below = folder.join(path);
    // If the file is missing, its nearest existing ancestor is checked. A dangling link counts as outside.
    let nearest = path_below.ancestors().find(|on_the_way| on_the_way.symlink_metadata().is_ok());
    let nearest = nearest.and_then(|nearest| nearest.canonicalize().ok());
    if !nearest.is_some_and(|nearest| nearest.starts_with(&folder)) {
        return Err(outside());
    }
    let found = path_below.canonicalize().map_err(failed)?;
    let about = fs::metadata(&found).map_err(failed)?;
    if !about.is_file() {
        return Err(format!("`{path}` is not a file"));
    }
    if about.len() > LONGEST { Err(too_long(path)) } else { Ok(found) }
}

/// Returns `true` if `..` components lead above the folder in which the path starts. Does not access the
/// disk.
fn leads_above(path: &Path) -> bool {
    let mut depth = 0_usize;
    path.components().any(|part| match part {
        Component::ParentDir if depth == 0 => true,
        Component::ParentDir => {
            depth -= 1;
            false
        }
        Component::Normal(_) => {
            depth += 1;
            false
        }
        _ => false,
    })
}

fn of_numpy(bytes: &[u8]) -> Result<Array, String> {
    let (shape, numbers) = array_of(bytes).map_err(|error| match error {
        NumpyError::Io(error) => error.to_string(),
        NumpyError::Form(message) => message,
    })?;
    if shape.len() > 2 {
        return Err(format!("its shape is {shape:?}; a vector or a matrix must have 1 or 2 dimensions"));
    }
    // The shape of an array without numbers can declare any number of rows.
    if numbers.is_empty() {
        return Err(format!("its shape is {shape:?}, so it has no numbers"));
    }
    Ok(Array { shape, numbers })
}

/// Reads comma-separated numbers without a header. Each line is a row.
fn of_csv(bytes: &[u8]) -> Result<Array, String> {
    let text = unmarked_text(str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text")?);
    let (mut numbers, mut rows, mut columns) = (Vec::new(), 0, 0);
    for line in text.lines() {
        let before = numbers.len();
        for (column, field) in line.split(',').enumerate() {
            let number: f64 = field.trim().parse().map_err(|_| {
                let place = format!("line {}, column {}", rows + 1, column + 1);
                let field = field.trim();
                format!("{place}: `{field}` is not a number; an array file must contain only numbers, without a header")
            })?;
            numbers.push(number);
        }
        let found = numbers.len() - before;
        if rows > 0 && found != columns {
            let numbers = if found == 1 { "number" } else { "numbers" };
            return Err(format!("line {} has {found} {numbers}, but the first line has {columns}", rows + 1));
        }
        (rows, columns) = (rows + 1, found);
    }
    if rows == 0 {
        return Err("it is empty; expected one row of numbers in each line".to_owned());
    }
    Ok(Array { shape: vec![rows, columns], numbers })
}

/// Returns an error if an array file has changed since the snapshot was written. Files that are in only one
/// of the lists are ignored: the texts of the models differ in this case, which is checked separately.
pub(super) fn check_data(now: &[DataFile], then: &[DataFile]) -> Result<(), ResumeError> {
    let same = |then: &DataFile| now.iter().find(|now| now.path == then.path && now.check != then.check);
    let Some((then, now)) = then.iter().find_map(|then| Some((then, same(then)?))) else { return Ok(()) };
    let shown = |check: u32| format!("the checksum {check:08x}");
    Err(ResumeError::Data { path: then.path.clone(), now: shown(now.check), then: shown(then.check) })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Array, leads_above, of_csv};

    #[test]
    fn a_path_that_comes_back_does_not_lead_above() {
        for path in ["a.csv", "a/../b.csv", "./a/b/../../c.csv"] {
            assert!(!leads_above(Path::new(path)), "{path}");
        }
        for path in ["../a.csv", "a/../../b/a.csv", "./../a.csv", ".."] {
            assert!(leads_above(Path::new(path)), "{path}");
        }
    }

    fn shape(text: &str) -> Result<Vec<usize>, String> {
        of_csv(text.as_bytes()).map(|array| array.shape)
    }

    #[test]
    fn a_line_is_a_row() {
        assert_eq!(shape("1,2\n3,4\n5,6\n"), Ok(vec![3, 2]));
        assert_eq!(shape("1\r\n-2.5e-3\r\n"), Ok(vec![2, 1]));
        assert_eq!(shape(" 1 , 2 "), Ok(vec![1, 2]));
        for (text, expected) in [
            ("", "it is empty"),
            ("a,b\n1,2\n", "line 1, column 1: `a` is not a number"),
            ("1,2\n3\n", "line 2 has 1 number, but the first line has 2"),
            ("1,2\n\n3,4\n", "line 2, column 1: `` is not a number"),
            ("1,\n", "line 1, column 2: `` is not a number"),
            ("1;2\n", "`1;2` is not a number"),
        ] {
            let message = shape(text).expect_err(text);
            assert!(message.contains(expected), "{message}");
        }
        assert!(of_csv(&[0xff]).is_err());
    }

    #[test]
    fn what_is_not_finite_is_found() {
        let array =
            |shape: &[usize], numbers: &[f64]| Array { shape: shape.to_vec(), numbers: numbers.to_vec() };
        assert_eq!(array(&[1, 2], &[1.0, 2.0]).not_finite(), None);
        let message = array(&[2, 2], &[1.0, 2.0, f64::NAN, 4.0]).not_finite().expect("it has one");
        assert_eq!(message, "the entry at row 1, column 0 is NaN; it must be finite");
        let message = array(&[2], &[1.0, f64::INFINITY]).not_finite().expect("it has one");
        assert_eq!(message, "the entry at index 1 is inf; it must be finite");
        assert_eq!(array(&[0, 0], &[]).not_finite(), None);
    }
}
