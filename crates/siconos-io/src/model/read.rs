//! From a document to a model: all of it is looked at before anything is built.

use super::file::ModelFile;
use super::scopes::Scopes;
use super::{interactions, named_functions, outputs, parameters, simulation, systems};
use crate::document::{Faults, Form, Key, Table, Value, needed, optional};
use crate::hybrid::read_constants;

/// The version of the format that is read.
pub(super) const FORMAT: usize = 1;

pub(super) const KEYS: [Key; 11] = [
    needed("format", Form::Count, "1"),
    needed("kind", Form::Word(&["model"]), "`\"model\"`"),
    optional("title", Form::Text, "what a picture calls it"),
    optional("constants", Form::Named, "names that stand for their values in the whole file"),
    optional("parameters", Form::Named, "numbers that a run may set"),
    optional("functions", Form::Named, "functions of expressions: `\"a, b -> a * b\"`"),
    needed("systems", Form::Named, "dynamical systems"),
    optional("laws", Form::Named, "laws that several interactions have"),
    optional("interactions", Form::Named, "interactions between systems"),
    needed("simulation", Form::Table, "how the model is simulated"),
    optional("output", Form::Table, "what is written of a run"),
];

/// Reads a model; nothing where a fault has been noted.
pub(super) fn model(root: Table<'_>, faults: &mut Faults<'_>) -> Option<ModelFile> {
    let [
        format,
        kind,
        title,
        constants,
        parameters,
        functions,
        systems,
        laws,
        interactions,
        simulation,
        output,
    ] = root.keyed(&KEYS, &(0..0), faults);
    if let Some(format) = format
        && let Some(version) = format.count(faults, 1)
        && version != FORMAT
    {
        let message = format_args!("this is format {version}; this program reads format {FORMAT}");
        faults.note(&format.span, message);
    }
    if let Some(kind) = kind {
        kind.word(faults, &[("model", ())]);
    }
    let title = title.and_then(|title| title.text(faults)).map(|title| title.content.into_owned());
    let constants = read_constants(table(constants, faults), faults);
    let constants = constants.without_events();
    let mut named = constants.clone();
    let parameters = parameters::read(table(parameters, faults), &constants, &mut named, faults);
    named_functions::read(table(functions, faults), &mut named, faults);
    let scopes = Scopes::new(constants, named);
    let systems: Vec<_> = table(systems, faults)
        .entries
        .into_iter()
        .map(|entry| systems::read(entry, &scopes, faults))
        .collect();
    let laws = table(laws, faults);
    let listed = table(interactions, faults).entries.into_iter();
    let interactions: Vec<_> =
        listed.map(|entry| interactions::read(entry, &systems, &laws, &scopes, faults)).collect();
    let simulation = simulation.and_then(|value| simulation::read(value, &systems, &scopes, faults));
    let interactions = interactions.into_iter().collect::<Option<Vec<_>>>();
    // Names of interactions that are at fault would be unknown to outputs.
    let outputs = match &interactions {
        Some(interactions) => outputs::read(output, &systems, interactions, &scopes, faults),
        None => None,
    };
    let (source, name) = faults.text();
    Some(ModelFile {
        title,
        constants: scopes.constants,
        parameters,
        systems,
        interactions: interactions?,
        simulation: simulation?,
        outputs: outputs?,
        source,
        name,
    })
}

/// A table that may be left out.
fn table<'s>(value: Option<Value<'s>>, faults: &mut Faults<'_>) -> Table<'s> {
    value.and_then(|value| value.table(faults)).unwrap_or_default()
}
