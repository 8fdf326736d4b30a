//! Sensors, observers and controllers around a model: `[control.NAME]`.

mod build;
mod built;
mod keys;
mod written;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use siconos_control::EquivalentControl;
use siconos_expression::{Expression, Role, Scope, ScopeError};

pub(super) use build::{Around, build};
pub(super) use built::Devices;
pub(super) use keys::KEYS;
pub(super) use written::write;

use super::registered::VectorFunction;
use super::registry::Arguments;
use super::scopes::{FIRST, Scopes, declare, numbered};
use super::systems::System;
use super::values::{Grid, MOST_ENTRIES, announced, expression, matrix, row_count, vector};
use crate::document::{Diagnostics, Form, Node, Table, TreeEntry, Value, check_plain, note_unknown};

/// A device as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) name: String,
    /// Location of the device's name.
    pub(super) span: Range<usize>,
    kind: DeviceKind,
    fields: BTreeMap<&'static str, Field>,
    /// `true` if the device has no errors.
    pub(super) is_whole: bool,
}

/// Value of a key of a device.
#[derive(Clone, Debug)]
enum Field {
    Numbers(Vec<Expression>),
    Matrix(Grid),
    Names(Vec<(String, Range<usize>)>),
    Count(usize),
    Feedback(VectorFunction),
}

/// Kind of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeviceKind {
    LinearSensor,
    LuenbergerObserver,
    SlidingObserver,
    Pid,
    SlidingMode,
    ExplicitSlidingMode,
    Twisting,
    Function,
}

impl DeviceKind {
    /// All kinds with their names in files, in the order of [`KEYS`].
    const ALL: [(&'static str, Self); 8] = [
        ("linear_sensor", Self::LinearSensor),
        ("luenberger_observer", Self::LuenbergerObserver),
        ("sliding_observer", Self::SlidingObserver),
        ("pid", Self::Pid),
        ("sliding_mode", Self::SlidingMode),
        ("explicit_sliding_mode", Self::ExplicitSlidingMode),
        ("twisting", Self::Twisting),
        ("function", Self::Function),
    ];

    fn is_sensor(self) -> bool {
        self == Self::LinearSensor
    }

    fn is_observer(self) -> bool {
        matches!(self, Self::LuenbergerObserver | Self::SlidingObserver)
    }

    /// Returns the key of the matrix that has one row for each output of a sensor or an observer.
    fn matrix_of_value(self) -> Option<&'static str> {
        match self {
            Self::LinearSensor => Some("C"),
            Self::LuenbergerObserver | Self::SlidingObserver => Some("A"),
            _ => None,
        }
    }
}

/// Formulas of the equivalent control, with their names in files.
const EQUIVALENT: [(&str, EquivalentControl); 4] = [
    ("zero", EquivalentControl::Zero),
    ("first_order", EquivalentControl::FirstOrder),
    ("held", EquivalentControl::Held),
    ("second_order", EquivalentControl::SecondOrder),
];

/// Discretisations of the sign functions in a twisting controller, as they are named in files.
const FORMS: [&str; 3] = ["implicit", "explicit", "regularised"];

/// Returns the number of outputs of each sensor and observer whose table determines this number.
pub(super) fn sizes(devices: &Table<'_>) -> BTreeMap<String, usize> {
    let size = |value: &Value<'_>| {
        let Node::Table(table) = &value.node else { return None };
        let Node::Text(kind) = &table.get("kind")?.node else { return None };
        let (_, kind) = DeviceKind::ALL.iter().find(|(word, _)| *word == kind.content)?;
        row_count(table.get(kind.matrix_of_value()?)?)
    };
    devices.entries.iter().filter_map(|entry| Some((entry.key.to_string(), size(&entry.value)?))).collect()
}

/// Reads a device. Returns `None` if its kind is unknown. `sizes` contains the number of outputs of each
/// sensor and observer.
pub(super) fn read(
    entry: TreeEntry<'_>,
    scopes: &Scopes,
    sizes: &BTreeMap<String, usize>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Device> {
    let TreeEntry { key, key_span: span, value } = entry;
    let is_named = check_plain(&key, &span, diagnostics);
    let table = value.table(diagnostics)?;
    let kind = diagnostics.required(table.get("kind"), "kind", &span)?.word(diagnostics, &DeviceKind::ALL)?;
    let place = DeviceKind::ALL.iter().position(|(_, own)| *own == kind)?;
    let keys = KEYS[place];
    table.check_keys(keys, &span, diagnostics);
    let size = match (kind, table.get("signal").map(|signal| &signal.node)) {
        (DeviceKind::Function, Some(Node::Text(signal))) => sizes.get(&*signal.content).copied(),
        _ => None,
    };
    let feedback = feedback_scope(&scopes.time, size.unwrap_or_default()).unwrap_or_else(|error| {
        diagnostics.note(&span, format_args!("{error}; functions of `[control]` use this name"));
        Scope::standing_on(&scopes.time)
    });
    let (mut fields, mut is_whole) = (BTreeMap::new(), is_named);
    for TreeEntry { key, value, .. } in table.entries {
        let Some(known) = keys.iter().find(|known| known.name == key && key != "kind") else { continue };
        let scope = match &*key {
            "reference" => &scopes.time,
            "u" => &feedback,
            _ => &scopes.parameters,
        };
        let are_missing = key == "u" && size.is_none();
        match diagnostics
            .with_missing_names(are_missing, |diagnostics| field(&value, known.form, scope, diagnostics))
        {
            Some(field) => drop(fields.insert(known.name, field)),
            None => is_whole = false,
        }
    }
    is_whole &= keys.iter().all(|key| !key.is_needed || key.name == "kind" || fields.contains_key(key.name));
    let device = Device { name: key.into_owned(), span, kind, fields, is_whole };
    device.check_sizes(diagnostics);
    Some(device)
}

/// Returns the scope of a feedback function: time, parameters, and the measurement, called `y`, or `y[0]`, ..
fn feedback_scope(time: &Arc<Scope>, size: usize) -> Result<Scope, ScopeError> {
    let mut scope = Scope::standing_on(time);
    let names = if size == 0 { Vec::new() } else { numbered("y", size) };
    declare(&mut scope, &names, 0, FIRST, Role::Fixed("a measurement")).map_err(|(_, error)| error)?;
    Ok(scope)
}

fn field(value: &Value<'_>, form: Form, scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<Field> {
    match form {
        Form::Number => expression(value, scope, diagnostics).map(|own| Field::Numbers(vec![own])),
        Form::Vector => vector(value, scope, diagnostics).map(Field::Numbers),
        Form::Matrix => matrix(value, (None, None), scope, diagnostics).map(Field::Matrix),
        Form::VectorOrFunction => {
            VectorFunction::of_any_size(value, scope, Arguments::State, diagnostics).map(Field::Feedback)
        }
        // A delay counts as one entry for each delayed sample, because these samples are stored.
        Form::Count => announced(value, 0, diagnostics).map(Field::Count),
        Form::Word(words) => {
            let words: Vec<_> = words.iter().enumerate().map(|(place, word)| (*word, place)).collect();
            value.word(diagnostics, &words).map(Field::Count)
        }
        _ => value.names(diagnostics).map(Field::Names),
    }
}

impl Device {
    /// Checks the vectors whose size does not depend on the plant, and the combinations of keys.
    fn check_sizes(&self, diagnostics: &mut Diagnostics<'_>) {
        for (key, size) in [("gains", 2), ("widths", 2)] {
            if let Some(Field::Numbers(own)) = self.fields.get(key)
                && own.len() != size
            {
                let found = own.len();
                diagnostics
                    .note(&self.span, format_args!("`{key}` has {found} numbers; it must have {size}"));
            }
        }
        let delayed = self.count("delay").unwrap_or_default().saturating_mul(self.rows("C"));
        if delayed > MOST_ENTRIES {
            let message =
                format_args!("this delay requires {delayed} stored numbers; the limit is {MOST_ENTRIES}");
            diagnostics.note(&self.span, message);
        }
        for key in ["sensor", "signal", "input"] {
            if let Some([_, (second, span), ..]) = self.names(key) {
                diagnostics
                    .note(span, format_args!("`{second}` is one name too many; `{key}` must be one name"));
            }
        }
        if self.fields.contains_key("D") && self.kind.is_sensor() && !self.fields.contains_key("input") {
            diagnostics.note(&self.span, "`D` is multiplied by a parameter; name it with the key `input`");
        }
        let has_widths = self.fields.contains_key("widths");
        if self.is_regularised() != has_widths && self.kind == DeviceKind::Twisting {
            let message = match has_widths {
                true => "`widths` requires the form `regularised`",
                false => "the form `regularised` requires the key `widths`",
            };
            diagnostics.note(&self.span, message);
        }
    }

    /// Returns the name of the parameter that a controller sets; empty for a sensor or an observer.
    pub(super) fn sets(&self) -> &[(String, Range<usize>)] {
        let is_controller = !self.kind.is_sensor() && !self.kind.is_observer();
        self.names("input").filter(|_| is_controller).unwrap_or_default()
    }

    fn is_regularised(&self) -> bool {
        self.count("form") == Some(2)
    }

    fn names(&self, key: &str) -> Option<&[(String, Range<usize>)]> {
        match self.fields.get(key)? {
            Field::Names(names) => Some(names),
            _ => None,
        }
    }

    /// Returns the only name under a key, with its location.
    fn one(&self, key: &str) -> Option<&(String, Range<usize>)> {
        self.names(key)?.first()
    }

    fn count(&self, key: &str) -> Option<usize> {
        match self.fields.get(key)? {
            Field::Count(count) => Some(*count),
            _ => None,
        }
    }

    /// Returns the feedback function of a `function` controller.
    fn feedback(&self) -> Option<&VectorFunction> {
        match self.fields.get("u")? {
            Field::Feedback(own) => Some(own),
            _ => None,
        }
    }

    fn rows(&self, key: &str) -> usize {
        match self.fields.get(key) {
            Some(Field::Matrix(grid)) => grid.rows,
            _ => 0,
        }
    }

    /// Returns the names that outputs can read: the entries of the value of the device, followed by its
    /// terms.
    pub(super) fn outputs(&self) -> Vec<String> {
        let of_value = self.kind.matrix_of_value().map_or(0, |key| self.rows(key));
        let words: Vec<(&str, usize)> = match self.kind {
            DeviceKind::LinearSensor => vec![("y", of_value)],
            DeviceKind::LuenbergerObserver | DeviceKind::SlidingObserver => vec![("estimate", of_value)],
            DeviceKind::Pid => vec![("u", 1), ("proportional", 1), ("integral", 1), ("derivative", 1)],
            DeviceKind::SlidingMode | DeviceKind::ExplicitSlidingMode => {
                let size = self.rows("C");
                vec![("u", size), ("sigma", size), ("switched", size)]
            }
            DeviceKind::Twisting => vec![("u", 1), ("sigma", 2)],
            DeviceKind::Function => vec![("u", self.feedback().map_or(0, VectorFunction::size))],
        };
        let called = |(word, size): (&str, usize)| numbered(&format!("{}.{word}", self.name), size);
        words.into_iter().flat_map(called).collect()
    }

    /// Reports undefined names of systems, parameters and devices, a device name that a system or an
    /// interaction has too, and inputs that another controller sets.
    pub(super) fn check_names(
        &self,
        systems: &[System],
        devices: &[Option<Self>],
        at_fault: &[String],
        parameters: &[&str],
        interactions: &[&str],
        diagnostics: &mut Diagnostics<'_>,
    ) {
        let own = &self.name;
        let is_system = systems.iter().any(|system| system.name == *own);
        let others = [("a system", is_system), ("an interaction", interactions.contains(&&**own))];
        for (what, _) in others.into_iter().filter(|(_, is_there)| *is_there) {
            let message = format_args!(
                "there is also {what} `{own}`, and outputs cannot distinguish them; use another name"
            );
            diagnostics.note(&self.span, message);
        }
        let of = |is: fn(DeviceKind) -> bool| {
            devices.iter().flatten().filter(move |device| is(device.kind)).map(|device| &*device.name)
        };
        for (name, span) in self.names("systems").unwrap_or_default() {
            if !systems.iter().any(|system| system.name == *name) {
                note_unknown(("system", name), span, systems.iter().map(|system| &*system.name), diagnostics);
            }
        }
        for (name, span) in ["input", "inputs"].iter().flat_map(|key| self.names(key).unwrap_or_default()) {
            if !parameters.contains(&&**name) {
                note_unknown(("parameter", name), span, parameters.iter().copied(), diagnostics);
            }
        }
        let before = devices.iter().flatten().take_while(|device| device.name != *own);
        for (name, span) in self.sets() {
            let sets_it = |device: &&Self| device.sets().iter().any(|(other, _)| other == name);
            if let Some(other) = before.clone().find(sets_it) {
                let other = &other.name;
                diagnostics.note(
                    span,
                    format_args!(
                        "`{name}` is already set by `{other}`; an input must have only one controller"
                    ),
                );
            }
        }
        if let Some((name, span)) = self.one("sensor")
            && !of(DeviceKind::is_sensor).any(|known| known == name)
            && !at_fault.contains(name)
        {
            note_unknown(("sensor", name), span, of(DeviceKind::is_sensor), diagnostics);
        }
        let gives: fn(DeviceKind) -> bool = |kind| kind.is_sensor() || kind.is_observer();
        if let Some((name, span)) = self.one("signal")
            && !of(gives).any(|known| known == name)
            && !at_fault.contains(name)
        {
            note_unknown(("sensor or observer", name), span, of(gives), diagnostics);
        }
    }
}
