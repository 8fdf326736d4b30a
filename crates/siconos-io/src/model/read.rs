//! From a document to a model: all of it is looked at before anything is built.

use super::file::ModelFile;
use super::interactions::Known;
use super::scopes::{Scopes, T};
use super::{interactions, laws, named_functions, outputs, parameters, simulation, systems};
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
    if !is_of_this_format(&root, faults) {
        return None;
    }
    let [
        _format,
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
    if let Some(kind) = kind {
        kind.word(faults, &[("model", ())]);
    }
    let title = title.and_then(|title| title.text(faults)).map(|title| title.content.into_owned());
    faults.known_elsewhere(T, "the time");
    let [constants, parameters, functions] =
        [constants, parameters, functions].map(|value| table(value, faults));
    for entry in &parameters.entries {
        faults.known_elsewhere(&entry.key, "a parameter");
    }
    for entry in &functions.entries {
        faults.known_elsewhere(&entry.key, "a function of this file");
    }
    let constants = read_constants(constants, faults).without_events();
    let mut named = constants.clone();
    let parameters = parameters::read(parameters, &constants, &mut named, faults);
    named_functions::read(functions, &mut named, faults);
    let scopes = Scopes::new(constants, named);
    let systems: Vec<_> = table(systems, faults)
        .entries
        .into_iter()
        .map(|entry| systems::read(entry, &scopes, faults))
        .collect();
    let laws = laws::read_all(table(laws, faults), &scopes, faults);
    let known = Known::new(&systems, laws, &scopes);
    let interactions: Vec<_> = table(interactions, faults)
        .entries
        .into_iter()
        .map(|entry| {
            let name = entry.key.clone();
            let interaction = interactions::read(entry, &known, faults);
            if interaction.is_none() {
                faults.excuse(&name);
            }
            interaction
        })
        .collect();
    for system in systems.iter().filter(|system| !system.coordinates.are_known) {
        faults.excuse(&system.name);
    }
    let simulation = simulation.and_then(|value| simulation::read(value, &known, faults));
    let sound: Vec<_> = interactions.iter().flatten().collect();
    let outputs = outputs::read(output, &systems, &sound, &scopes, faults);
    let (source, name) = faults.text();
    Some(ModelFile {
        title,
        constants: scopes.constants,
        parameters,
        systems,
        interactions: interactions.into_iter().collect::<Option<_>>()?,
        simulation: simulation?,
        outputs: outputs?,
        source,
        name,
    })
}

/// Whether the file has a format that is read. Of a newer one nothing can be said but that.
fn is_of_this_format(root: &Table<'_>, faults: &mut Faults<'_>) -> bool {
    let Some(format) = root.get("format") else { return true };
    match format.count(faults, 1) {
        Some(version) if version != FORMAT => {
            let message = format_args!("this is format {version}; this program reads format {FORMAT}");
            faults.note(&format.span, message);
            false
        }
        _ => true,
    }
}

/// A table that may be left out.
fn table<'s>(value: Option<Value<'s>>, faults: &mut Faults<'_>) -> Table<'s> {
    value.and_then(|value| value.table(faults)).unwrap_or_default()
}
