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
use super::model::{InclusionModel, Places, Process, Sweeping};
use super::outputs::Outputs;
use super::pace::PaceWords;
use super::read_dvi;
use super::set::SetWords;
use super::variables::Variables;
use crate::document::{Faults, Node, Table, Value, flag, optional_table, optional_text, settings_or_default};
use crate::snapshot::content::DataFile;

/// Largest number of components of the state and of the input, because derivatives are dense matrices.
const MOST_NUMBERS: usize = 1000;

/// Reads a process of the kind given in the file.
pub(super) fn any(root: Table<'_>, faults: &mut Faults<'_>) -> Option<InclusionModel> {
    match root.get("kind").map(|kind| &kind.node) {
        Some(Node::Text(text)) if text.content == "dvi" => read_dvi::dvi(root, faults),
        _ => sweeping(root, faults),
    }
}

/// Data of files of both kinds.
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
        faults: &mut Faults<'_>,
    ) -> Self {
        let title = optional_text(title, faults);
        let (parameters, scopes) = names([constants, parameters, functions], Setting::Before, faults);
        let state = read_variables(state, "a part of the state", &[], &scopes, faults);
        Self { title, parameters, scopes, state, data }
    }
}

/// Reads the variables of a table, which must not have the names in `taken`. An empty table is reported.
pub(super) fn read_variables(
    value: Option<Value<'_>>,
    what: &'static str,
    taken: &[String],
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Variables {
    let span = value.as_ref().map(|value| value.span.clone());
    let variables = Variables::read(optional_table(value, faults), taken, &scopes.parameters, faults);
    for name in &variables.names {
        faults.known_elsewhere(name, what);
    }
    match (span, variables.len()) {
        (Some(span), 0) => {
            faults.note(&span, "there is no variable in this table; one is needed at least");
        }
        (Some(span), count) if count > MOST_NUMBERS => {
            faults.note(&span, format_args!("these are {count} numbers; there may be {MOST_NUMBERS}"));
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
pub(in crate::model) fn sweeping(root: Table<'_>, faults: &mut Faults<'_>) -> Option<InclusionModel> {
    let (fields, data) = opened(root, &SWEEPING, faults)?;
    let [_format, _kind, title, constants, parameters, functions, state, process, set, simulation, output] =
        fields;
    let places = Places {
        process: span_of(process.as_ref()),
        set: span_of(set.as_ref()),
        simulation: span_of(simulation.as_ref()),
        ends: 0..0,
    };
    let common = Common::read([title, constants, parameters, functions, state], data, faults);
    let Common { title, parameters, scopes, state, data } = common;
    let n = state.len();
    let mut moving = Scope::standing_on(&scopes.time);
    state.declare(&mut moving, FIRST);
    let [f, metric] = match process {
        Some(value) => value.table(faults)?.keyed(&OF_SWEEPING, &places.process, faults),
        None => [const { None }; 2],
    };
    let f = f.map_or(Some(None), |f| sized(&f, n, &moving, faults).map(Some));
    let metric = metric.map_or(Some(None), |metric| {
        let read = matrix(&metric, (Some(n), Some(n)), &scopes.parameters, faults)?.values(&[])?;
        match definite_factors("P", read.view(), n) {
            Ok(_factors) => Some(Some(read)),
            Err(error) => {
                faults.note(&metric.span, error);
                None
            }
        }
    });
    let scopes_of_set = [&*scopes.parameters, &scopes.time, &moving];
    let set = set.and_then(|set| SetWords::read(&set, n, scopes_of_set, faults));
    let simulation = simulation.and_then(|value| read_simulation(value, &scopes, faults));
    let mut values = state.names.clone();
    values.extend(numbered("reaction", n));
    values.extend(numbered("multiplier", set.as_ref().map_or(0, |set| set.inequalities(n))));
    let outputs = Outputs::read(output, &values, n, &scopes, faults);
    let (source, name) = faults.text();
    let (pace, at_start, settings) = simulation?;
    let process = Sweeping { f: f?, metric: metric?, set: set?, at_start, settings };
    Some(InclusionModel {
        title,
        parameters,
        state,
        process: Process::Sweeping(Box::new(process)),
        pace,
        outputs: outputs?,
        places,
        data,
        source,
        name,
    })
}

type Simulation = (PaceWords, bool, CatchingUpSettings);

fn read_simulation(value: Value<'_>, scopes: &Scopes, faults: &mut Faults<'_>) -> Option<Simulation> {
    let span = value.span.clone();
    let table = value.table(faults)?;
    let kind = faults.required(table.get("kind"), "kind", &span)?;
    if kind.word(faults, &[("time_stepping", false), ("adaptive", true)])? {
        return read_adaptive(table, &span, scopes, faults);
    }
    let [_, start, end, step, steps, exact_end, times, at_start, own] =
        table.keyed(&SIMULATION, &span, faults);
    let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, faults);
    let (at_start, own) = (flag(at_start, faults), settings_or_default(own, &scopes.constants, faults));
    Some((PaceWords::Grid(grid?), at_start?, own?))
}

fn read_adaptive(
    table: Table<'_>,
    span: &Range<usize>,
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<Simulation> {
    let [_, start, end, jumps, steps, at_start, own] = table.keyed(&ADAPTIVE, span, faults);
    let scope = &scopes.parameters;
    let start = grid::start(start, scope, faults);
    let end = end.and_then(|own| expression(&own, scope, faults));
    let jumps = jumps.map_or_else(|| Some(Vec::new()), |own| vector(&own, scope, faults));
    let settings: Option<AdaptiveSettings> = settings_or_default(steps, &scopes.constants, faults);
    let (at_start, own) = (flag(at_start, faults), settings_or_default(own, &scopes.constants, faults));
    let pace = PaceWords::Adaptive { start: start?, end: end?, jumps: jumps?, settings: settings? };
    Some((pace, at_start?, own?))
}
