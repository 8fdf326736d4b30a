//! Reader of hybrid models. The whole document is read before the system is built.

use siconos_expression::{Expression, Scope, parse_number};

use super::HybridModel;
use super::build::{BuiltModel, HybridParts, build};
use super::constants::{read_constants, read_discrete, read_parameters};
use super::event::Fields;
use super::locations::Locations;
use super::names::{Declarations, Names, Setting};
use super::outputs::Outputs;
use super::variables::Variable;
use super::{keys, requires, settings, switches, variables};
use crate::document::{Diagnostics, Table, Value, is_format, is_infinite, optional_table, optional_text};

/// Reads a model. Returns `None` if an error has been reported.
pub(crate) fn model(root: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<HybridModel> {
    let [format, kind, title, constants, time, variables, discrete, parameters, events, settings, output] =
        root.fields(diagnostics, keys::names(&keys::ROOT));
    check_kind(format, kind, diagnostics);
    let title = optional_text(title, diagnostics);
    let constants = read_constants(optional_table(constants, diagnostics), diagnostics);
    let (t0, end) = time.map_or((0.0, None), |time| span_of_time(time, &constants, diagnostics));
    let variables = diagnostics.required(variables, "variables", &(0..0));
    let mut locations = Locations {
        table: variables.as_ref().map_or(0..0, |table| table.span.clone()),
        settings: settings.as_ref().map(|table| table.span.clone()),
        ..Locations::default()
    };
    let variables = variables::read(optional_table(variables, diagnostics), &constants, diagnostics);
    let discrete = read_discrete(optional_table(discrete, diagnostics), &constants, diagnostics);
    let parameters = read_parameters(optional_table(parameters, diagnostics), &constants, diagnostics);
    let events = events.map_or_else(Vec::new, |events| events.tables(diagnostics));
    locations.events = events.iter().map(|event| event.span.clone()).collect();
    locations.variables = variables.iter().map(|own| (own.name.clone(), own.span.clone())).collect();
    let read = |(number, event)| diagnostics.in_event(number, |diagnostics| Fields::read(event, diagnostics));
    let events: Vec<_> = (1..).zip(events).map(read).collect();
    let requirements: Vec<_> = events.iter().map(|event| event.requires.clone()).collect();
    let required: Vec<_> = requirements.iter().flatten().map(|requires| requires.name.clone()).collect();
    let declarations = Declarations {
        constants: constants.clone(),
        variables: &variables,
        discrete: &discrete,
        required: &required,
        parameters: &parameters,
    };
    let names = Names::declare(declarations, diagnostics);
    let equations: Vec<_> =
        variables.iter().map(|variable| equation(variable, &names, diagnostics)).collect();
    let (source, name) = diagnostics.text();
    let mut remarks = Diagnostics::new(&source, &name);
    let parsed = (1..).zip(events).map(|(number, event)| {
        let remarks = &mut remarks;
        diagnostics.in_event(number, |diagnostics| {
            remarks.in_event(number, |remarks| event.parse(&names, diagnostics, remarks))
        })
    });
    let events: Vec<_> = parsed.collect();
    requires::check(&requirements, &events, &names, diagnostics);
    let span = end.map(|end| end - t0).filter(|span| span.is_finite());
    let settings = settings::read(optional_table(settings, diagnostics), span, &names, diagnostics);
    let outputs = Outputs::read(output, &names, &constants, diagnostics);
    if let (Some(outputs), Some(end)) = (&outputs, end) {
        outputs.check(if end < t0 { -1.0 } else { 1.0 }, diagnostics);
    }
    if diagnostics.count() == 0 && names.states == 0 {
        diagnostics.note(&(0..0), "at least one variable must have a differential equation");
    }
    if diagnostics.count() > 0 {
        return None;
    }
    let outputs = outputs?;
    let parts = HybridParts {
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
            let (source, name) = diagnostics.text();
            let BuiltModel { system, initial, parameters, triggers, disabled } = built;
            Some(HybridModel {
                title,
                t0,
                end,
                system,
                initial,
                settings,
                parameters,
                triggers,
                disabled,
                source,
                name,
                locations,
                remarks: remarks.into_list(),
                outputs,
            })
        }
        Err(error) => {
            diagnostics.note(locations.of(&error), error);
            None
        }
    }
}

/// Reports each equality comparison in an equation if the compared values vary between events.
fn note_equalities(parts: &HybridParts<'_, '_>, remarks: &mut Diagnostics<'_>) {
    for (variable, equation) in parts.variables.iter().zip(&parts.equations) {
        let Some((text, begin)) = variable.equation.as_ref() else { continue };
        for place in switches::equalities(equation) {
            remarks.note(
                &text.span_of(&(place.start + begin..place.end + begin)),
                "the two sides vary and are equal only at isolated times, which the integration steps over; \
                 compare with `<` or `>`, or use an event that changes a discrete variable",
            );
        }
    }
}

fn check_kind(format: Option<Value<'_>>, kind: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>) {
    if let Some(format) = diagnostics.required(format, "format", &(0..0)) {
        is_format(&format, diagnostics);
    }
    if let Some(kind) = diagnostics.required(kind, "kind", &(0..0)) {
        kind.word(diagnostics, &[("hybrid", ())]);
    }
}

/// Reads the start time and the end time.
fn span_of_time(time: Value<'_>, constants: &Scope, diagnostics: &mut Diagnostics<'_>) -> (f64, Option<f64>) {
    let Some(table) = time.table(diagnostics) else { return (0.0, None) };
    let [start, end] = table.fields(diagnostics, keys::names(&keys::TIME));
    let start = start.and_then(|start| start.constant(constants, diagnostics)).unwrap_or_default();
    let end = end.and_then(|end| match is_infinite(&end) {
        true => Some(f64::INFINITY),
        false => end.constant(constants, diagnostics),
    });
    (start, end)
}

/// Parses the right-hand side of an equation.
fn equation(variable: &Variable<'_>, names: &Names, diagnostics: &mut Diagnostics<'_>) -> Option<Expression> {
    let (text, begin) = variable.equation.as_ref()?;
    names.parse(Setting::BetweenEvents, text, *begin, diagnostics, parse_number)
}
