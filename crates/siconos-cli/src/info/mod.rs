//! Summary of the contents of a file: a model, a snapshot or a table.

mod model;
mod snapshot;
mod table;

use crate::answer::Answer;
use crate::arguments::InfoArguments;
use crate::convert::is_model;

/// Summarises a file. An error means bad input.
pub(crate) fn run(arguments: &InfoArguments) -> Result<Answer, String> {
    let path = &arguments.file;
    let name = path.to_string_lossy();
    if is_model(path) {
        model::info(path)
    } else if [".snapshot", ".snapshot.before"].iter().any(|ending| name.ends_with(ending)) {
        snapshot::info(path)
    } else {
        table::info(path)
    }
}
