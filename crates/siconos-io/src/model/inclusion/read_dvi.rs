//! Reader of differential variational inequalities.

use siconos_expression::Scope;
use siconos_sweeping::dvi::{Boundary, BoundarySettings, DviSettings};

use super::super::grid::{self, Grid};
use super::super::header::opened;
use super::super::scopes::{FIRST, Scopes, numbered};
use super::super::values::{evaluated, expression, matrix, number_as_expression, sized};
use super::dvi::{DviDescription, Method};
use super::keys::{BOUNDARY, DVI, ENDS_OF_DVI, INEQUALITY, OF_DVI, STEPS_OF_DVI};
use super::model::{InclusionModel, Locations, Process};
use super::outputs::Outputs;
use super::read::{Common, read_variables, span_of};
use super::set::SetDescription;
use super::shape::{constant, constant_matrix};
use super::step_rule::StepRuleDescription;
use crate::document::{Diagnostics, Table, Value, settings_or_default};

/// Maximum number of steps of a boundary value problem. All steps are solved together.
const MOST_STEPS: usize = 1_000_000;

/// Reads a differential variational inequality. Returns `None` if an error has been reported.
pub(in crate::model) fn dvi(root: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<InclusionModel> {
    let (fields_of_root, data) = opened(root, &DVI, diagnostics)?;
    let [
        _format,
        _kind,
        title,
        constants,
        parameters,
        functions,
        state,
        input,
        process,
        inequality,
        set,
        boundary,
        simulation,
        output,
    ] = fields_of_root;
    let places = Locations {
        process: span_of(process.as_ref()),
        set: span_of(set.as_ref()),
        simulation: span_of(simulation.as_ref()),
        ends: span_of(boundary.as_ref()),
    };
    let common = Common::read([title, constants, parameters, functions, state], data, diagnostics);
    let Common { title, parameters, scopes, state, data } = common;
    let input = read_variables(input, "a part of the input", &state.names, &scopes, diagnostics);
    let (n, m) = (state.len(), input.len());
    let [mut of_state, mut of_input] = [(); 2].map(|()| Scope::standing_on(&scopes.time));
    state.declare(&mut of_state, FIRST);
    input.declare(&mut of_input, FIRST);
    let [f, b] = fields(process, &OF_DVI, diagnostics);
    let [g, map] = fields(inequality, &INEQUALITY, diagnostics);
    let b_matrix = b.and_then(|b| matrix(&b, (Some(n), Some(m)), &of_state, diagnostics));
    let vector = |value: Option<Value<'_>>, size: usize, scope, diagnostics: &mut Diagnostics<'_>| match value
    {
        Some(value) => sized(&value, size, scope, diagnostics),
        None => number_as_expression(0.0).map(|zero| vec![zero; size]),
    };
    let f = vector(f, n, &of_state, diagnostics);
    let g = vector(g, m, &of_state, diagnostics);
    let map = vector(map, m, &of_input, diagnostics);
    let set = set.and_then(|value| {
        let words = SetDescription::read(&value, m, [&scopes.parameters; 3], diagnostics)?;
        words.fixed(m).map_err(|error| diagnostics.note(&value.span, error)).ok()
    });
    let has_ends = boundary.is_some();
    let ends = boundary.and_then(|value| read_boundary(value, n, &scopes, diagnostics));
    let simulation = match (simulation, has_ends) {
        (Some(value), false) => read_steps(value, &scopes, diagnostics),
        (Some(value), true) => read_ends(value, ends, &scopes, diagnostics),
        (None, _) => None,
    };
    let mut values = state.names.clone();
    values.extend(input.names.iter().cloned());
    if !has_ends {
        values.extend(numbered("w", m));
    }
    let outputs = Outputs::read(output, &values, n + m, &scopes, diagnostics);
    let (source, name) = diagnostics.text();
    let (step_rule, method) = simulation?;
    let process = DviDescription { input, f: f?, b: b_matrix?, g: g?, map: map?, set: set?, method };
    Some(InclusionModel {
        title,
        parameters,
        state,
        process: Process::Dvi(Box::new(process)),
        step_rule,
        outputs: outputs?,
        places,
        data,
        source,
        name,
    })
}

/// Returns the values of the keys of a table. All of them are `None` if the table is missing.
fn fields<'s, const N: usize>(
    value: Option<Value<'s>>,
    keys: &'static [crate::document::Key; N],
    diagnostics: &mut Diagnostics<'_>,
) -> [Option<Value<'s>>; N] {
    let nothing = [const { None }; N];
    let Some(value) = value else { return nothing };
    let span = value.span.clone();
    match value.table(diagnostics) {
        Some(table) => table.keyed(keys, &span, diagnostics),
        None => nothing,
    }
}

fn read_boundary(
    value: Value<'_>,
    n: usize,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Boundary> {
    let [m, own, b] = fields(Some(value), &BOUNDARY, diagnostics);
    let scope = &scopes.parameters;
    let mut square = |value: Option<Value<'_>>| constant_matrix(&value?, (n, n), scope, diagnostics);
    let (m, own) = (square(m), square(own));
    let b = b.and_then(|b| sized(&b, n, scope, diagnostics)).map(|b| evaluated(&b, &[]));
    Some(Boundary { m: m?, n: own?, b: b? })
}

fn theta(value: Option<Value<'_>>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> Option<f64> {
    let Some(value) = value else { return Some(1.0) };
    let theta = constant(&value, &scopes.parameters, diagnostics)?;
    if (0.0..=1.0).contains(&theta) {
        return Some(theta);
    }
    diagnostics.note(&value.span, format_args!("this is {theta}; it must be between 0 and 1"));
    None
}

fn read_steps(
    value: Value<'_>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(StepRuleDescription, Method)> {
    let span = value.span.clone();
    let [kind, start, end, step, steps, exact_end, times, implicitness, own] =
        value.table(diagnostics)?.keyed(&STEPS_OF_DVI, &span, diagnostics);
    let kind = kind.and_then(|kind| kind.word(diagnostics, &[("time_stepping", ())]));
    let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, diagnostics);
    let theta = theta(implicitness, scopes, diagnostics);
    let own: Option<DviSettings> = settings_or_default(own, &scopes.constants, diagnostics);
    kind?;
    Some((StepRuleDescription::Grid(grid?), Method::Steps { theta: theta?, settings: own? }))
}

fn read_ends(
    value: Value<'_>,
    boundary: Option<Boundary>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(StepRuleDescription, Method)> {
    let span = value.span.clone();
    let [kind, start, end, steps, own] = value.table(diagnostics)?.keyed(&ENDS_OF_DVI, &span, diagnostics);
    let kind = kind.and_then(|kind| kind.word(diagnostics, &[("boundary_value", ())]));
    let scope = &scopes.parameters;
    let start = grid::start(start, scope, diagnostics);
    let end_value = end.as_ref().and_then(|own| expression(own, scope, diagnostics));
    let steps = steps.and_then(|own| {
        let count = own.count(diagnostics, 1)?;
        if count > MOST_STEPS {
            diagnostics
                .note(&own.span, format_args!("these are {count} steps at once; the limit is {MOST_STEPS}"));
        }
        Some(count)
    });
    let own: Option<BoundarySettings> = settings_or_default(own, &scopes.constants, diagnostics);
    let (start, end_value) = (start?, end_value?);
    let (from, to) = (start.evaluate(&[]), end_value.evaluate(&[]));
    if to <= from {
        diagnostics
            .note(&span_of(end.as_ref()), format_args!("this is {to}; it must be after the start, {from}"));
    }
    kind?;
    let steps = steps?;
    let step = number_as_expression((to - from) / steps as f64)?;
    let step_rule = StepRuleDescription::Grid(Grid::Steps { start, step, steps });
    Some((step_rule, Method::Ends(boundary?, Box::new(own?))))
}
