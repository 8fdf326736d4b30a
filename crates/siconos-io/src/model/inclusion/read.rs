//! From a document to a process: all of it is looked at before anything is built.

use std::ops::Range;

use siconos_kernel::sweeping::CatchingUpSettings;

use super::super::arrays::{self, DataFile};
use super::super::grid::Grid;
use super::super::parameters::Parameter;
use super::super::read::{Setting, is_of_this_format, names, table, text_of};
use super::super::scopes::{FIRST, Scopes, numbered};
use super::super::values::{matrix, sized};
use super::keys::{OF_SWEEPING, SIMULATION, SWEEPING};
use super::model::{InclusionModel, Places, Process, Sweeping};
use super::outputs::Outputs;
use super::read_dvi;
use super::set::SetWords;
use super::variables::Variables;
use crate::document::{Faults, Node, Table, Value, settings};

/// Reads a process of the kind that the file says.
pub(super) fn any(root: Table<'_>, faults: &mut Faults<'_>) -> Option<InclusionModel> {
    match root.get("kind").map(|kind| &kind.node) {
        Some(Node::Text(text)) if text.content == "dvi" => dvi(root, faults),
        _ => sweeping(root, faults),
    }
}

/// What files of both kinds have.
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
        let title = text_of(title, faults);
        let (parameters, scopes) = names([constants, parameters, functions], Setting::Before, faults);
        let state = read_variables(state, ("a part of the state", &[]), &scopes, faults);
        Self { title, parameters, scopes, state, data }
    }
}

/// Variables of a table, beside names that are taken; without one there is nothing to follow.
pub(super) fn read_variables(
    value: Option<Value<'_>>,
    (what, taken): (&'static str, &[String]),
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Variables {
    let span = value.as_ref().map(|value| value.span.clone());
    let variables = Variables::read(table(value, faults), taken, &scopes.parameters, faults);
    for name in &variables.names {
        faults.known_elsewhere(name, what);
    }
    if let Some(span) = span.filter(|_| variables.len() == 0) {
        faults.note(&span, "there is no variable in this table; one is needed at least");
    }
    variables
}

/// Where the value of a key stands.
pub(super) fn span_of(value: Option<&Value<'_>>) -> Range<usize> {
    value.map_or(0..0, |value| value.span.clone())
}

/// Reads a differential variational inequality; nothing where a fault has been noted.
pub(in crate::model) fn dvi(root: Table<'_>, faults: &mut Faults<'_>) -> Option<InclusionModel> {
    read_dvi::dvi(root, faults)
}

/// Reads a sweeping process; nothing where a fault has been noted.
pub(in crate::model) fn sweeping(mut root: Table<'_>, faults: &mut Faults<'_>) -> Option<InclusionModel> {
    if !is_of_this_format(&root, faults) {
        return None;
    }
    let data = arrays::read_in(&mut root, faults);
    let [_format, kind, title, constants, parameters, functions, state, process, set, simulation, output] =
        root.keyed(&SWEEPING, &(0..0), faults);
    if let Some(kind) = kind {
        kind.word(faults, &[("sweeping", ())]);
    }
    let places = Places {
        process: span_of(process.as_ref()),
        set: span_of(set.as_ref()),
        simulation: span_of(simulation.as_ref()),
        ends: 0..0,
    };
    let common = Common::read([title, constants, parameters, functions, state], data, faults);
    let Common { title, parameters, scopes, state, data } = common;
    let n = state.len();
    let mut moving = scopes.time.clone();
    state.declare(&mut moving, FIRST);
    let [f, metric] = match process {
        Some(value) => value.table(faults)?.keyed(&OF_SWEEPING, &places.process, faults),
        None => [const { None }; 2],
    };
    let f = f.map_or(Some(None), |f| sized(&f, n, &moving, faults).map(Some));
    let metric = metric.map_or(Some(None), |metric| {
        let metric = matrix(&metric, (Some(n), Some(n)), &scopes.parameters, faults)?;
        metric.values(&[]).map(Some)
    });
    let scopes_of_set = [&scopes.parameters, &scopes.time, &moving];
    let set = set.and_then(|set| SetWords::read(&set, n, scopes_of_set, faults));
    let simulation = simulation.and_then(|value| read_simulation(value, &scopes, faults));
    let mut values = state.names.clone();
    values.extend(numbered("reaction", n));
    values.extend(numbered("multiplier", set.as_ref().map_or(0, |set| set.inequalities(n))));
    let outputs = Outputs::read(output, &values, n, &scopes, faults);
    let (source, name) = faults.text();
    let (grid, at_start, settings) = simulation?;
    let process = Sweeping { f: f?, metric: metric?, set: set?, at_start, settings };
    Some(InclusionModel {
        title,
        parameters,
        state,
        process: Process::Sweeping(process),
        grid,
        outputs: outputs?,
        places,
        data,
        source,
        name,
    })
}

fn read_simulation(
    value: Value<'_>,
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<(Grid, bool, CatchingUpSettings)> {
    let span = value.span.clone();
    let [kind, start, end, step, steps, exact_end, times, at_start, own] =
        value.table(faults)?.keyed(&SIMULATION, &span, faults);
    let kind = kind.and_then(|kind| kind.word(faults, &[("time_stepping", ())]));
    let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, faults);
    let at_start = at_start.map_or(Some(false), |at_start| at_start.boolean(faults));
    let own = own.map_or_else(
        || Some(CatchingUpSettings::default()),
        |own| settings(&own, &scopes.constants, faults),
    );
    kind?;
    Some((grid?, at_start?, own?))
}
