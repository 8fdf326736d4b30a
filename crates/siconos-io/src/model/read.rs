//! From a document to a model: all of it is looked at before anything is built.

use super::arrays::DataFile;
use super::control::Device;
use super::file::ModelFile;
use super::interactions::{Interaction, Known};
use super::parameters::Parameter;
use super::scopes::{Scopes, T};
use super::simulation::Simulation;
use super::systems::System;
use super::watched::Readable;
use super::{
    arrays, control, events, interactions, laws, named_functions, outputs, parameters, simulation, systems,
};
use crate::document::{Entry, Faults, Form, Key, Table, Value, needed, optional};
use crate::hybrid::read_constants;

/// The version of the format that is read.
pub(super) const FORMAT: usize = 1;

pub(super) const FORMAT_KEY: Key = needed("format", Form::Count, "1");
pub(super) const TITLE: Key = optional("title", Form::Text, "what a picture calls it");
pub(super) const CONSTANTS: Key =
    optional("constants", Form::Named, "names that stand for their values in the whole file");
pub(super) const FUNCTIONS: Key =
    optional("functions", Form::Named, "functions of expressions: `\"a, b -> a * b\"`");

pub(super) const KEYS: [Key; 13] = [
    FORMAT_KEY,
    needed("kind", Form::Word(&["model"]), "`\"model\"`"),
    TITLE,
    CONSTANTS,
    optional("parameters", Form::Named, "numbers that a run may set"),
    FUNCTIONS,
    needed("systems", Form::Named, "dynamical systems"),
    optional("laws", Form::Named, "laws that several interactions have"),
    optional("interactions", Form::Named, "interactions between systems"),
    optional("control", Form::Named, "sensors, observers and controllers"),
    optional("events", Form::Named, "events at given times, which set parameters"),
    needed("simulation", Form::Table, "how the model is simulated"),
    optional("output", Form::Table, "what is written of a run"),
];

/// Reads a model; nothing where a fault has been noted.
pub(super) fn model(root: Table<'_>, faults: &mut Faults<'_>) -> Option<ModelFile> {
    let (fields, data) = opened(root, &KEYS, faults)?;
    let [
        _format,
        _kind,
        title,
        constants,
        parameters,
        functions,
        systems,
        laws,
        interactions,
        control,
        events,
        simulation,
        output,
    ] = fields;
    let title = text_of(title, faults);
    let (parameters, scopes) = names([constants, parameters, functions], Setting::InRuns, faults);
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
    let devices = devices(control, &systems, &sound, (&parameters, &scopes), faults);
    let readable = Readable::new(&systems, &sound, &devices, &scopes.time);
    let events: Vec<_> = table(events, faults)
        .entries
        .into_iter()
        .map(|entry| events::read(entry, &parameters, (&scopes, &readable), faults))
        .collect();
    let by_steps = simulation.as_ref().is_some_and(Simulation::goes_by_steps);
    let readable_of_rows = readable.clone().with_rows();
    let outputs = outputs::read(output, &systems, readable_of_rows, (&scopes, by_steps), faults);
    let (source, name) = faults.text();
    Some(ModelFile {
        title,
        constants: scopes.constants,
        parameters,
        systems,
        interactions: interactions.into_iter().collect::<Option<_>>()?,
        devices: devices
            .into_iter()
            .map(|device| device.filter(|device| device.is_whole))
            .collect::<Option<_>>()?,
        events: events.into_iter().collect::<Option<_>>()?,
        readable,
        simulation: simulation?,
        outputs: outputs?,
        data,
        source,
        name,
    })
}

/// Whether parameters may be set in a run, or stay what they are from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    InRuns,
    Before,
}

/// What the names of constants, parameters and functions stand for. Parameters that no run sets stand for
/// their values, as constants do.
pub(super) fn names(
    [constants, parameters, functions]: [Option<Value<'_>>; 3],
    setting: Setting,
    faults: &mut Faults<'_>,
) -> (Vec<Parameter>, Scopes) {
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
    if setting == Setting::Before {
        named = parameters::as_constants(&parameters, &named, constants.clone());
    }
    named_functions::read(functions, &mut named, faults);
    (parameters, Scopes::new(constants, named))
}

/// A text that may be left out.
pub(super) fn text_of(value: Option<Value<'_>>, faults: &mut Faults<'_>) -> Option<String> {
    value.and_then(|value| value.text(faults)).map(|text| text.content.into_owned())
}

/// Reads all devices; nothing in place of one whose kind is not known, of whose outputs nobody complains.
fn devices(
    value: Option<Value<'_>>,
    systems: &[System],
    interactions: &[&Interaction],
    (parameters, scopes): (&[Parameter], &Scopes),
    faults: &mut Faults<'_>,
) -> Vec<Option<Device>> {
    let devices = table(value, faults);
    let sizes = control::sizes(&devices);
    let read = |entry: Entry<'_>, faults: &mut Faults<'_>| {
        let name = entry.key.clone();
        let device = control::read(entry, scopes, &sizes, faults);
        if device.as_ref().is_none_or(|device| !device.is_whole) {
            faults.excuse(&name);
        }
        device
    };
    let entries = devices.entries;
    let names: Vec<_> = entries.iter().map(|entry| entry.key.to_string()).collect();
    let devices: Vec<_> = entries.into_iter().map(|entry| read(entry, faults)).collect();
    let at_fault = names.into_iter().zip(&devices).filter(|(_, device)| device.is_none());
    let at_fault: Vec<_> = at_fault.map(|(name, _)| name).collect();
    let parameters: Vec<_> = parameters.iter().map(|parameter| &*parameter.name).collect();
    let interactions: Vec<_> = interactions.iter().map(|interaction| &*interaction.name).collect();
    for device in devices.iter().flatten() {
        device.check_names((systems, &devices), &at_fault, &parameters, &interactions, faults);
    }
    devices
}

/// The values of a file by its keys, of which the second says its kind, with the arrays in them that stand in
/// files of their own; nothing where the format is another.
pub(super) fn opened<'s, const N: usize>(
    mut root: Table<'s>,
    keys: &'static [Key; N],
    faults: &mut Faults<'_>,
) -> Option<([Option<Value<'s>>; N], Vec<DataFile>)> {
    if !is_of_this_format(&root, faults) {
        return None;
    }
    let data = arrays::read_in(&mut root, faults);
    let fields = root.keyed(keys, &(0..0), faults);
    if let (Form::Word(&[kind]), Some(found)) = (keys[1].form, &fields[1]) {
        found.word(faults, &[(kind, ())]);
    }
    Some((fields, data))
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
pub(super) fn table<'s>(value: Option<Value<'s>>, faults: &mut Faults<'_>) -> Table<'s> {
    value.and_then(|value| value.table(faults)).unwrap_or_default()
}
