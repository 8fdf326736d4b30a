//! Reader of models. The whole document is read before anything is built.

use std::ops::Range;
use std::path::Path;

use super::control::Device;
use super::events::UserEvent;
use super::file::ModelFile;
use super::fixed::FixedParameters;
use super::header::{CONSTANTS, FORMAT_KEY, FUNCTIONS, Setting, TITLE, names, opened};
use super::interactions::{Interaction, Known};
use super::parameters::Parameter;
use super::scopes::Scopes;
use super::simulation::Simulation;
use super::stop::{STOP_WHEN, StopCondition};
use super::systems::System;
use super::watched::Readable;
use super::{control, events, interactions, laws, outputs, simulation, systems};
use crate::document::{
    self, Diagnostics, DocumentError, Form, Key, Node, Table, TreeEntry, Value, needed, optional,
    optional_table, optional_text,
};

pub(super) const KEYS: [Key; 13] = [
    FORMAT_KEY,
    needed("kind", Form::Word(&["model"]), "`\"model\"`"),
    TITLE,
    CONSTANTS,
    optional("parameters", Form::Named, "numbers or arrays that can be set before and during a run"),
    FUNCTIONS,
    needed("systems", Form::Named, "dynamical systems, by name"),
    optional("laws", Form::Named, "laws that interactions refer to by name"),
    optional("interactions", Form::Named, "interactions of systems, by name"),
    optional("control", Form::Named, "sensors, observers and controllers, by name"),
    optional("events", Form::Named, "events that set parameters at given times, by name"),
    needed("simulation", Form::Table, "simulation of the model"),
    optional("output", Form::Table, "outputs of a run"),
];

impl ModelFile {
    /// Reads a model file. The file is read as JSON if its name ends in `.json`, otherwise as TOML.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Io`] if the file cannot be read. The errors of [`parse`](Self::parse) are also
    /// possible.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DocumentError> {
        document::read(path.as_ref(), &[], model)
    }

    /// Reads a model from a string. `name` is used in messages and determines the syntax: JSON if it ends in
    /// `.json`, otherwise TOML. No input causes a panic.
    ///
    /// # Errors
    ///
    /// [`DocumentError::Diagnostics`] with all errors in the text.
    pub fn parse(text: &str, name: &str) -> Result<Self, DocumentError> {
        document::read_text((text, name), None, &[], model)
    }
}

/// Reads a model. Returns `None` if an error has been reported.
pub(super) fn model(root: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<ModelFile> {
    let (fields, data) = opened(root, &KEYS, diagnostics)?;
    let [_format, _kind, title, constants, parameters, functions, rest @ ..] = fields;
    let title = optional_text(title, diagnostics);
    let (parameters, scopes) = names([constants, parameters, functions], Setting::InRuns, diagnostics);
    let mut fixed = FixedParameters::default();
    let [systems, laws, interactions, control, events, simulation, output] = rest.map(|value| {
        value.map(|mut value| {
            fixed.insert_sizes(&mut value, &parameters, &scopes, diagnostics);
            value
        })
    });
    if let Some(simulation) = &simulation {
        fixed.add_simulation(simulation, &parameters, &scopes.parameters);
    }
    let systems: Vec<_> = optional_table(systems, diagnostics)
        .entries
        .into_iter()
        .map(|entry| systems::read(entry, &scopes, diagnostics))
        .collect();
    let laws = laws::read_all(optional_table(laws, diagnostics), &scopes, diagnostics);
    let known = Known::new(&systems, laws, &scopes);
    let interactions: Vec<_> = optional_table(interactions, diagnostics)
        .entries
        .into_iter()
        .map(|entry| {
            let name = entry.key.clone();
            let interaction = interactions::read(entry, &known, diagnostics);
            if interaction.is_none() {
                diagnostics.excuse(&name);
            }
            interaction
        })
        .collect();
    for system in systems.iter().filter(|system| !system.coordinates.are_known) {
        diagnostics.excuse(&system.name);
    }
    let stop = simulation.as_ref().and_then(|value| match &value.node {
        Node::Table(table) => table.get(STOP_WHEN.name).cloned(),
        _ => None,
    });
    let simulation = simulation.and_then(|value| simulation::read(value, &known, diagnostics));
    let sound: Vec<_> = interactions.iter().flatten().collect();
    let devices = devices(control, &systems, &sound, &parameters, &scopes, diagnostics);
    let readable = Readable::new(&systems, &sound, &devices, &scopes.time);
    let events: Vec<_> = optional_table(events, diagnostics)
        .entries
        .into_iter()
        .map(|entry| events::read(entry, &parameters, &scopes, &readable, diagnostics))
        .collect();
    note_fixed(&fixed, &parameters, &events, &devices, diagnostics);
    let by_steps = simulation.as_ref().is_some_and(Simulation::goes_by_steps);
    let readable_of_rows = readable.clone().with_rows(by_steps);
    let stop = match stop {
        Some(stop) => StopCondition::read(&stop, &readable, diagnostics).map(Some),
        None => Some(None),
    };
    let described = outputs::Described { systems: &systems, interactions: &sound, by_steps };
    let outputs = outputs::read(output, &described, readable_of_rows, &scopes, diagnostics);
    let (source, name) = diagnostics.text();
    Some(ModelFile {
        title,
        constants: scopes.constants,
        parameters,
        fixed,
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
        stop: stop?,
        data,
        source,
        name,
    })
}

/// Reports events and controllers that set a parameter that is read only once.
fn note_fixed(
    fixed: &FixedParameters,
    parameters: &[Parameter],
    events: &[Option<UserEvent>],
    devices: &[Option<Device>],
    diagnostics: &mut Diagnostics<'_>,
) {
    for place in &fixed.in_runs {
        let name = &parameters[*place].name;
        let mut note = |span: &Range<usize>, what: &str| {
            let message = format_args!(
                "`{what}` sets `{name}`, but a setting of the simulation or a size reads this parameter only once"
            );
            diagnostics.note(span, message);
        };
        for event in events.iter().flatten().filter(|event| event.parameters().any(|own| own == *place)) {
            note(&event.span, &event.name);
        }
        for device in devices.iter().flatten() {
            for (_, span) in device.sets().iter().filter(|(own, _)| own == name) {
                note(span, &device.name);
            }
        }
    }
}

/// Reads all devices. The entry of a device with an unknown kind is `None`. References to the outputs of this
/// device are then not reported as unknown names.
fn devices(
    value: Option<Value<'_>>,
    systems: &[System],
    interactions: &[&Interaction],
    parameters: &[Parameter],
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Option<Device>> {
    let devices = optional_table(value, diagnostics);
    let sizes = control::sizes(&devices);
    let read = |entry: TreeEntry<'_>, diagnostics: &mut Diagnostics<'_>| {
        let name = entry.key.clone();
        let device = control::read(entry, scopes, &sizes, diagnostics);
        if device.as_ref().is_none_or(|device| !device.is_whole) {
            diagnostics.excuse(&name);
        }
        device
    };
    let entries = devices.entries;
    let names: Vec<_> = entries.iter().map(|entry| entry.key.to_string()).collect();
    let devices: Vec<_> = entries.into_iter().map(|entry| read(entry, diagnostics)).collect();
    let at_fault = names.into_iter().zip(&devices).filter(|(_, device)| device.is_none());
    let at_fault: Vec<_> = at_fault.map(|(name, _)| name).collect();
    let parameters: Vec<_> = parameters.iter().map(|parameter| &*parameter.name).collect();
    let interactions: Vec<_> = interactions.iter().map(|interaction| &*interaction.name).collect();
    for device in devices.iter().flatten() {
        device.check_names(systems, &devices, &at_fault, &parameters, &interactions, diagnostics);
    }
    devices
}
