//! Reads documents of all kinds from files and strings.

use std::fs;
use std::path::Path;

use super::tree::{Syntax, parse};
use super::{Diagnostics, DocumentError, Override, Table};
use crate::folder::folder_of;

/// Reads a file and applies the overrides.
pub(crate) fn read<T>(
    path: &Path,
    overrides: &[Override],
    of: impl FnOnce(Table<'_>, &mut Diagnostics<'_>) -> Option<T>,
) -> Result<T, DocumentError> {
    let name = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => read_text((&text, &name), Some(folder_of(path)), overrides, of),
        Err(source) => Err(DocumentError::Io { name, source }),
    }
}

/// Reads a document and applies the overrides. `name` determines the syntax. Data files named in the document
/// are read from `folder`, if it is given.
pub(crate) fn read_text<T>(
    (text, name): (&str, &str),
    folder: Option<&Path>,
    overrides: &[Override],
    of: impl FnOnce(Table<'_>, &mut Diagnostics<'_>) -> Option<T>,
) -> Result<T, DocumentError> {
    let mut diagnostics = Diagnostics::new(text, name).within(folder);
    let Some(mut root) = parse(Syntax::of_name(name), &mut diagnostics) else {
        return diagnostics.check(None);
    };
    for change in overrides {
        change
            .apply(&mut root)
            .map_err(|source| DocumentError::Override { name: name.to_owned(), source })?;
    }
    let read = of(root, &mut diagnostics);
    diagnostics.check(read)
}
