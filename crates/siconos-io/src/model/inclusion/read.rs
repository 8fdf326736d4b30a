//! Reader of sweeping processes. The whole document is read before anything is built.

use std::ops::Range;

use siconos_expression::Scope;
use siconos_numerics::cone::definite_factors;
use siconos_sweeping::{AdaptiveSettings, CatchingUpSettings};

use super::super::grid::{self, Grid};
use super::super::header::{Setting, names, opened};
use super::super::parameters::Parameter;
use super::super::scopes::{FIRST, Scopes, numbered};
use super::super::values::{expression, matrix, sized, vector};
use super::keys::{ADAPTIVE, OF_SWEEPING, SIMULATION, SWEEPING};
use super::model::{InclusionModel, Locations, Process, Sweeping};
use super::outputs::Outputs;
use super::read_dvi;
use super::set::SetDescription;
use super::step_rule::StepRuleDescription;
use super::variables::Variables;
use crate::document::{
    Diagnostics, Node, Table, Value, flag, optional_table, optional_text, settings_or_default,
};
use crate::snapshot::content::DataFile;

/// Maximum number of components of the state, and of the input. The limit exists because derivatives are
/// dense matrices.
const MOST_NUMBERS: usize = 1000;

/// Reads a process of the kind given in the file.
pub(super) fn any(root: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<InclusionModel> {
    match root.get("kind").map(|kind| &kind.node) {
        Some(Node::Text(text)) if text.content == "dvi" => read_dvi::dvi(root, diagnostics),
        _ => sweeping(root, diagnostics),
    }
}

/// Data that files of both kinds contain.
pub(super) struct Common {
    pub(super) title: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) scopes: Scopes,
    pub(super) state: Variables,
    pub(super) data: Vec<DataFile>,
}

impl Common {
    /// Reads title, constants, parameters, functions and state.
    pub(super) fn read(
        [title, constants, parameters, functions, state]: [Option<Value<'_>>; 5],
        data: Vec<DataFile>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Self {
        let title = optional_text(title, diagnostics);
        let (parameters, scopes) = names([constants, parameters, functions], Setting::Before, diagnostics);
        let state = read_variables(state, "a part of the state", &[], &scopes, diagnostics);
        Self { title, parameters, scopes, state, data }
    }
}

/// Reads the variables of a table. Their names must not be in `taken`. An empty table is an error.
pub(super) fn read_variables(
    value: Option<Value<'_>>,
    what: &'static str,
    taken: &[String],
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Variables {
    let span = value.as_ref().map(|value| value.span.clone());
    let variables =
        Variables::read(optional_table(value, diagnostics), taken, &scopes.parameters, diagnostics);
    for name in &variables.names {
        diagnostics.known_elsewhere(name, what);
    }
    match (span, variables.len()) {
        (Some(span), 0) => {
            diagnostics.note(&span, "this table must have at least one variable");
        }
        (Some(span), count) if count > MOST_NUMBERS => {
            diagnostics.note(&span, format_args!("these are {count} numbers; the limit is {MOST_NUMBERS}"));
            return Variables { names: Vec::new(), initial: Vec::new() };
        }
        _ => (),
    }
    variables
}

/// Returns the location of the value of a key, or an empty range for a missing value.
pub(super) fn span_of(value: Option<&Value<'_>>) -> Range<usize> {
    value.map_or(0..0, |value| value.span.clone())
}

/// Reads a sweeping process. Returns `None` if an error has been reported.
pub(in crate::model) fn sweeping(
    root: Table<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<InclusionModel> {
    let (fields, data) = opened(root, &SWEEPING, diagnostics)?;
    let [_format, _kind, title, constants, parameters, functions, state, process, set, simulation, output] =
        fields;
    let places = Locations {
        process: span_of(process.as_ref()),
        set: span_of(set.as_ref()),
        simulation: span_of(simulation.as_ref()),
        ends: 0..0,
    };
    let common = Common::read([title, constants, parameters, functions, state], data, diagnostics);
    let Common { title, parameters, scopes, state, data } = common;
    let n = state.len();
    let mut moving = Scope::standing_on(&scopes.time);
    state.declare(&mut moving, FIRST);
    let [f, metric] = match process {
        Some(value) => value.table(diagnostics)?.keyed(&OF_SWEEPING, &places.process, diagnostics),
        None => [const { None }; 2],
    };
    let f = f.map_or(Some(None), |f| sized(&f, n, &moving, diagnostics).map(Some));
    let metric = metric.map_or(Some(None), |metric| {
        let read = matrix(&metric, (Some(n), Some(n)), &scopes.parameters, diagnostics)?.values(&[])?;
        match definite_factors("P", read.view(), n) {
            Ok(_factors) => Some(Some(read)),
            Err(error) => {
                diagnostics.note(&metric.span, error);
                None
            }
        }
    });
    let scopes_of_set = [&*scopes.parameters, &scopes.time, &moving];
    let set = set.and_then(|set| SetDescription::read(&set, n, scopes_of_set, diagnostics));
    let simulation = simulation.and_then(|value| read_simulation(value, &scopes, diagnostics));
    let mut values = state.names.clone();
    values.extend(numbered("reaction", n));
    values.extend(numbered("multiplier", set.as_ref().map_or(0, |set| set.inequalities(n))));
    let outputs = Outputs::read(output, &values, n, &scopes, diagnostics);
    let (source, name) = diagnostics.text();
    let (step_rule, at_start, settings) = simulation?;
    let process = Sweeping { f: f?, metric: metric?, set: set?, at_start, settings };
    Some(InclusionModel {
        title,
        parameters,
        state,
        process: Process::Sweeping(Box::new(process)),
        step_rule,
        outputs: outputs?,
        places,
        data,
        source,
        name,
    })
}

type Simulation = (StepRuleDescription, bool, CatchingUpSettings);

fn read_simulation(
    value: Value<'_>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Simulation> {
    let span = value.span.clone();
    let table = value.table(diagnostics)?;
    let kind = diagnostics.required(table.get("kind"), "kind", &span)?;
    if kind.word(diagnostics, &[("time_stepping", false), ("adaptive", true)])? {
        return read_adaptive(table, &span, scopes, diagnostics);
    }
    let [_, start, end, step, steps, exact_end, times, at_start, own] =
        table.keyed(&SIMULATION, &span, diagnostics);
    let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, diagnostics);
    let (at_start, own) =
        (flag(at_start, diagnostics), settings_or_default(own, &scopes.constants, diagnostics));
    Some((StepRuleDescription::Grid(grid?), at_start?, own?))
}

fn read_adaptive(
    table: Table<'_>,
    span: &Range<usize>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Simulation> {
    let [_, start, end, jumps, steps, at_start, own] = table.keyed(&ADAPTIVE, span, diagnostics);
    let scope = &scopes.parameters;
    let start = grid::start(start, scope, diagnostics);
    let end = end.and_then(|own| expression(&own, scope, diagnostics));
    let jumps = jumps.map_or_else(|| Some(Vec::new()), |own| vector(&own, scope, diagnostics));
    let settings: Option<AdaptiveSettings> = settings_or_default(steps, &scopes.constants, diagnostics);
    let (at_start, own) =
        (flag(at_start, diagnostics), settings_or_default(own, &scopes.constants, diagnostics));
    let step_rule =
        StepRuleDescription::Adaptive { start: start?, end: end?, jumps: jumps?, settings: settings? };
    Some((step_rule, at_start?, own?))
}
