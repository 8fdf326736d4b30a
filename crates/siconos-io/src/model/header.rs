//! Top-level keys that all kinds of files have: format, title, constants, parameters and functions.

use super::arrays;
use super::named_functions;
use super::parameters::{self, Parameter};
use super::scopes::{Scopes, T};
use crate::document::{Diagnostics, Form, Key, Table, Value, is_format, needed, optional, optional_table};
use crate::hybrid::read_constants;
use crate::snapshot::content::DataFile;

pub(super) const FORMAT_KEY: Key = needed("format", Form::Count, "version of the file format: 1");
pub(super) const TITLE: Key = optional("title", Form::Text, "title, as shown in figures");
pub(super) const CONSTANTS: Key =
    optional("constants", Form::Named, "names that are replaced by their values in the whole file");
pub(super) const FUNCTIONS: Key =
    optional("functions", Form::Named, "functions of expressions: `\"a, b -> a * b\"`");

/// Time at which parameters may be set: during a run, or only before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    InRuns,
    Before,
}

/// Reads constants, parameters and functions. Returns the parameters and the scopes. If parameters can be set
/// only before a run, their names are replaced by their values, like the names of constants.
pub(super) fn names(
    [constants, parameters, functions]: [Option<Value<'_>>; 3],
    setting: Setting,
    diagnostics: &mut Diagnostics<'_>,
) -> (Vec<Parameter>, Scopes) {
    diagnostics.known_elsewhere(T, "the time");
    let [constants, parameters, functions] =
        [constants, parameters, functions].map(|value| optional_table(value, diagnostics));
    for entry in &parameters.entries {
        diagnostics.known_elsewhere(&entry.key, "a parameter");
    }
    for entry in &functions.entries {
        diagnostics.known_elsewhere(&entry.key, "a function of this file");
    }
    let constants = read_constants(constants, diagnostics).without_events();
    let mut named = constants.clone();
    let parameters = parameters::read(parameters, &constants, &mut named, diagnostics);
    if setting == Setting::Before {
        named = parameters::as_constants(&parameters, &named, constants.clone());
    }
    named_functions::read(functions, &mut named, diagnostics);
    let initial = parameters.iter().flat_map(|own| own.values.iter().copied()).collect();
    (parameters, Scopes::new(constants, named, initial))
}

/// Reads all array files. Returns the values of the top-level keys and the array files, or `None` if the
/// version of the format is unknown. `keys[1]` must be `kind`.
pub(super) fn opened<'s, const N: usize>(
    mut root: Table<'s>,
    keys: &'static [Key; N],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<([Option<Value<'s>>; N], Vec<DataFile>)> {
    // A newer format can have keys that this reader does not know.
    if root.get("format").is_some_and(|format| !is_format(format, diagnostics)) {
        return None;
    }
    let data = arrays::read_in(&mut root, diagnostics);
    let fields = root.keyed(keys, &(0..0), diagnostics);
    if let (Form::Word(&[kind]), Some(found)) = (keys[1].form, &fields[1]) {
        found.word(diagnostics, &[(kind, ())]);
    }
    Some((fields, data))
}
