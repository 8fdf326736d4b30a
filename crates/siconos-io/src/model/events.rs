//! User events, `[events.NAME]`. At given times, an event sets parameters to the values of expressions.

use std::ops::Range;

use siconos_expression::Expression;
use siconos_kernel::EventError;
use siconos_kernel::model::{NonSmoothDynamicalSystem, ParameterId};
use siconos_kernel::simulation::{Event, EventId, EventKind, EventsManager};
use siconos_kernel::state::State;

use super::control::Devices;
use super::parameters::Parameter;
use super::scopes::Scopes;
use super::table_writer::matrices;
use super::values::{evaluated, expression, sized, vector};
use super::watched::{Ids, Readable, ValueSlot, WatchedTape};
use crate::document::{
    Diagnostics, Form, Key, TreeEntry, Value, check_plain, needed, note_unknown, optional,
};
use crate::run_error::{NotFinite, RunError};

pub(super) const KEYS: [Key; 4] = [
    optional("times", Form::Vector, "times of the event, in seconds"),
    optional("every", Form::Number, "period of the event, in seconds, instead of `times`"),
    optional("first", Form::Number, "first time of a periodic event, in seconds; default: the start time"),
    needed(
        "set",
        Form::Named,
        "parameters and their new values, which can depend on time, parameters and the state",
    ),
];

/// An event as described in the file.
#[derive(Clone, Debug)]
pub(super) struct UserEvent {
    pub(super) name: String,
    /// Location of the event's name.
    pub(super) span: Range<usize>,
    when: When,
    /// Parameters to set: the index of the parameter in the file, and an expression for each of its values.
    set: Vec<(usize, Vec<Expression>)>,
}

/// Times of an event, as expressions of the parameters.
#[derive(Clone, Debug)]
enum When {
    Times(Vec<Expression>),
    Every { first: Option<Expression>, period: Expression },
}

/// Reads an event. Returns `None` if it has an error.
pub(super) fn read(
    entry: TreeEntry<'_>,
    parameters: &[Parameter],
    scopes: &Scopes,
    readable: &Readable,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<UserEvent> {
    let TreeEntry { key, key_span: span, value } = entry;
    let is_named = check_plain(&key, &span, diagnostics);
    let [times, every, first, set] = value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics);
    let when = match (times, every) {
        (Some(times), None) => {
            if let Some(first) = first {
                diagnostics.note(&first.span, "`first` requires `every`");
            }
            vector(&times, &scopes.parameters, diagnostics).map(When::Times)
        }
        (None, Some(every)) => {
            let first = match first {
                Some(first) => expression(&first, &scopes.parameters, diagnostics).map(Some),
                None => Some(None),
            };
            let period = expression(&every, &scopes.parameters, diagnostics);
            first.zip(period).map(|(first, period)| When::Every { first, period })
        }
        (Some(_), Some(every)) => {
            diagnostics.note(&every.span, "an event must have either `times` or a period `every`, not both");
            None
        }
        (None, None) => {
            diagnostics.note(&span, "the times are missing; give `times` or `every`");
            None
        }
    };
    let set = assignments(set?, parameters, readable, diagnostics);
    let (when, set) = (when?, set?);
    is_named.then(|| UserEvent { name: key.into_owned(), span, when, set })
}

fn assignments(
    set: Value<'_>,
    parameters: &[Parameter],
    readable: &Readable,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<(usize, Vec<Expression>)>> {
    let span = set.span.clone();
    let entries = set.table(diagnostics)?.entries;
    if entries.is_empty() {
        diagnostics.note(&span, "this sets no parameter");
    }
    let read = |TreeEntry { key, key_span, value }: TreeEntry<'_>, diagnostics: &mut Diagnostics<'_>| {
        let Some(place) = parameters.iter().position(|parameter| parameter.name == key) else {
            let known = parameters.iter().map(|parameter| &*parameter.name);
            note_unknown(("parameter", &key), &key_span, known, diagnostics);
            return None;
        };
        let size = parameters.get(place)?.values.len();
        sized(&value, size, &readable.scope, diagnostics).map(|entries| (place, entries))
    };
    let read: Vec<_> = entries.into_iter().map(|entry| read(entry, diagnostics)).collect();
    read.into_iter().collect()
}

/// An event of a built model.
#[derive(Debug)]
struct BuiltEvent {
    name: String,
    ids: Vec<EventId>,
    set: Vec<(ParameterId, Range<usize>)>,
    tape: WatchedTape,
    values: Vec<f64>,
}

/// The events of a built model.
#[derive(Debug)]
pub(super) struct BuiltEvents {
    events: Vec<BuiltEvent>,
    slot: ValueSlot,
}

/// Parameters and names that are needed to build events.
pub(super) struct Around<'a> {
    /// All parameters in the order of the file.
    pub(super) parameters: Vec<ParameterId>,
    pub(super) values: &'a [f64],
    pub(super) readable: &'a Readable,
    pub(super) ids: &'a Ids,
}

impl UserEvent {
    /// Returns the indices of the parameters that the event sets.
    pub(super) fn parameters(&self) -> impl Iterator<Item = usize> {
        self.set.iter().map(|(place, _)| *place)
    }

    fn build(&self, around: &Around<'_>, events: &mut EventsManager) -> Result<BuiltEvent, EventError> {
        let one = |own: &Expression| own.evaluate(&[&[], around.values]);
        let ids = match &self.when {
            When::Times(times) => evaluated(times, around.values)
                .into_iter()
                .map(|time| events.schedule(EventKind::Custom, time))
                .collect::<Result<_, _>>()?,
            When::Every { first, period } => {
                let first = first.as_ref().map_or_else(|| events.discretisation().t0(), one);
                vec![events.schedule_periodic(EventKind::Custom, first, one(period))?]
            }
        };
        let entries: Vec<_> = self.set.iter().flat_map(|(_, entries)| entries).collect();
        let tape = WatchedTape::compile(&entries, around.readable);
        let mut set = Vec::with_capacity(self.set.len());
        let mut start = 0;
        for (place, entries) in &self.set {
            let end = start + entries.len();
            set.extend(around.parameters.get(*place).map(|id| (*id, start..end)));
            start = end;
        }
        Ok(BuiltEvent { name: self.name.clone(), ids, set, values: vec![0.0; entries.len()], tape })
    }
}

impl BuiltEvents {
    /// Schedules the events of a simulation. Errors of the kernel are reported with the location of the
    /// event.
    pub(super) fn new(
        described: &[UserEvent],
        around: &Around<'_>,
        events: &mut EventsManager,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let mut built = Vec::with_capacity(described.len());
        for event in described {
            match event.build(around, events) {
                Ok(event) => built.push(event),
                Err(error) => diagnostics.note(&event.span, error),
            }
        }
        (built.len() == described.len())
            .then(|| Self { events: built, slot: ValueSlot::new(around.readable, around.ids) })
    }

    /// Returns `true` if the list of events is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Sets the parameters of the user events that are due. All expressions of an event are evaluated before
    /// its parameters are set.
    ///
    /// # Errors
    ///
    /// [`RunError::Event`] if a value is not finite. In this case, the event sets no parameter.
    pub(super) fn process<E>(
        &mut self,
        event: &Event,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        devices: &Devices,
    ) -> Result<(), RunError<E>> {
        let is_due = |own: &BuiltEvent| event.id().is_some_and(|id| own.ids.contains(&id));
        for own in self.events.iter_mut().filter(|own| is_due(own)) {
            own.tape.evaluate(&mut self.slot, model, state, event.time(), devices, &mut own.values);
            for (id, place) in &own.set {
                if let Some(value) = own.values[place.clone()].iter().find(|value| !value.is_finite()) {
                    let parameter = id.name().unwrap_or_default().to_owned();
                    return Err(RunError::Event(NotFinite {
                        event: own.name.clone(),
                        parameter,
                        value: *value,
                    }));
                }
            }
            for (id, place) in &own.set {
                let set = state.set_parameter(*id, &own.values[place.clone()]);
                set.map_err(|error| RunError::Control(error.into()))?;
            }
        }
        Ok(())
    }
}

/// Writes events as a table for a model file. `parameters` are the names of the parameters in the order of
/// the file.
pub(super) fn write(events: &[UserEvent], parameters: &[&str]) -> Value<'static> {
    let entries = |own: &[Expression]| {
        matrices::vector(own.iter().map(|own| Value::of_entry(&own.to_string())).collect())
    };
    let one = |own: &Expression| entries(std::slice::from_ref(own));
    let [times, every, first, set] = &KEYS;
    let written = |event: &UserEvent| {
        let mut table = match &event.when {
            When::Times(own) => vec![(times.name, entries(own))],
            When::Every { first: begin, period } => {
                let begin = begin.as_ref().map(|begin| (first.name, one(begin)));
                std::iter::once((every.name, one(period))).chain(begin).collect()
            }
        };
        let assigned =
            event.set.iter().filter_map(|(place, own)| Some((*parameters.get(*place)?, entries(own))));
        table.push((set.name, Value::of_table(assigned)));
        (event.name.clone(), Value::of_table(table))
    };
    Value::of_table(events.iter().map(written))
}
