//! Reader of hybrid models. The whole document is read before anything is built.

use siconos_expression::{Expression, Scope, parse_number};

use super::HybridModel;
use super::build::{Parts, build};
use super::constants::{read_constants, read_discrete, read_parameters};
use super::event::Fields;
use super::names::{Declarations, Names, Setting};
use super::places::Places;
use super::variables::Variable;
use super::{requires, settings, switches, variables};
use crate::document::{Faults, Table, Value, is_format, optional_table, optional_text};

pub(crate) const KEYS: [&str; 10] = [
    "format",
    "kind",
    "title",
    "constants",
    "time",
    "variables",
    "discrete",
    "parameters",
    "events",
    "settings",
];

/// Reads a model. Returns `None` if an error has been reported.
pub(crate) fn model(root: Table<'_>, faults: &mut Faults<'_>) -> Option<HybridModel> {
    let [format, kind, title, constants, time, variables, discrete, parameters, events, settings] =
        root.fields(faults, KEYS);
    check_kind(format, kind, faults);
    let title = optional_text(title, faults);
    let constants = read_constants(optional_table(constants, faults), faults);
    let (t0, end) = time.map_or((0.0, None), |time| span_of_time(time, &constants, faults));
    let variables = faults.required(variables, "variables", &(0..0));
    let mut places = Places {
        table: variables.as_ref().map_or(0..0, |table| table.span.clone()),
        settings: settings.as_ref().map(|table| table.span.clone()),
        ..Places::default()
    };
    let variables = variables::read(optional_table(variables, faults), &constants, faults);
    let discrete = read_discrete(optional_table(discrete, faults), &constants, faults);
    let parameters = read_parameters(optional_table(parameters, faults), &constants, faults);
    let events = events.map_or_else(Vec::new, |events| events.tables(faults));
    places.events = events.iter().map(|event| event.span.clone()).collect();
    places.variables = variables.iter().map(|own| (own.name.clone(), own.span.clone())).collect();
    let read = |(number, event)| faults.in_event(number, |faults| Fields::read(event, faults));
    let events: Vec<_> = (1..).zip(events).map(read).collect();
    let requirements: Vec<_> = events.iter().map(|event| event.requires.clone()).collect();
    let required: Vec<_> = requirements.iter().flatten().map(|requires| requires.name.clone()).collect();
    let declarations = Declarations {
        constants,
        variables: &variables,
        discrete: &discrete,
        required: &required,
        parameters: &parameters,
    };
    let names = Names::declare(declarations, faults);
    let equations: Vec<_> = variables.iter().map(|variable| equation(variable, &names, faults)).collect();
    let (source, name) = faults.text();
    let mut remarks = Faults::new(&source, &name);
    let parsed = (1..).zip(events).map(|(number, event)| {
        let remarks = &mut remarks;
        faults.in_event(number, |faults| {
            remarks.in_event(number, |remarks| event.parse(&names, faults, remarks))
        })
    });
    let events: Vec<_> = parsed.collect();
    requires::check(&requirements, &events, &names, faults);
    let span = end.map(|end| end - t0);
    let settings = settings::read(optional_table(settings, faults), span, &names, faults);
    if faults.count() == 0 && names.states == 0 {
        faults.note(&(0..0), "at least one variable needs a differential equation");
    }
    if faults.count() > 0 {
        return None;
    }
    let parts = Parts {
        names: &names,
        variables: &variables,
        equations: equations.into_iter().collect::<Option<_>>()?,
        discrete: &discrete,
        parameters: &parameters,
        events: events.into_iter().collect::<Option<_>>()?,
    };
    note_equalities(&parts, &mut remarks);
    match build(&parts) {
        Ok(built) => {
            let remarks = remarks.into_list();
            Some(HybridModel { remarks, ..built.into_model(title, t0, end, settings, faults.text(), places) })
        }
        Err(error) => {
            faults.note(places.of(&error), error);
            None
        }
    }
}

/// Reports comparisons for equality in equations, if the compared values vary between events.
fn note_equalities(parts: &Parts<'_, '_>, remarks: &mut Faults<'_>) {
    for (variable, equation) in parts.variables.iter().zip(&parts.equations) {
        let Some((text, begin)) = variable.equation.as_ref() else { continue };
        for place in switches::equalities(equation) {
            remarks.note(
                &text.span_of(&(place.start + begin..place.end + begin)),
                "the two sides vary and are equal at single times only, which the integration passes over: \
                 compare with `<` or `>`, or let an event change a discrete variable",
            );
        }
    }
}

fn check_kind(format: Option<Value<'_>>, kind: Option<Value<'_>>, faults: &mut Faults<'_>) {
    if let Some(format) = faults.required(format, "format", &(0..0)) {
        is_format(&format, faults);
    }
    if let Some(kind) = faults.required(kind, "kind", &(0..0)) {
        kind.word(faults, &[("hybrid", ())]);
    }
}

/// Reads the times at the start and at the end.
fn span_of_time(time: Value<'_>, constants: &Scope, faults: &mut Faults<'_>) -> (f64, Option<f64>) {
    let Some(table) = time.table(faults) else { return (0.0, None) };
    let [start, end] = table.fields(faults, ["start", "end"]);
    let start = start.and_then(|start| start.constant(constants, faults)).unwrap_or_default();
    (start, end.and_then(|end| end.constant(constants, faults)))
}

/// Parses the right-hand side of an equation.
fn equation(variable: &Variable<'_>, names: &Names, faults: &mut Faults<'_>) -> Option<Expression> {
    let (text, begin) = variable.equation.as_ref()?;
    names.parse(Setting::BetweenEvents, text, *begin, faults, parse_number)
}
