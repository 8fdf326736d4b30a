//! Writer of the table of a simulation.

use siconos_kernel::integrator::{EulerMoreau, Integrator, MoreauJean};
use siconos_kernel::model::NonSmoothDynamicalSystem;
use siconos_kernel::simulation::{
    EventDriven, EventDrivenSettings, EventSettings, NewtonSettings, OnNonConvergence, OneStepProblem,
    TimeDiscretisation, TimeStepping,
};

use super::{OfFile, SimulationRef};
use crate::document::{Key, Node, Value, serialized};
use crate::model::simulation::{EVENT_DRIVEN, TIME_STEPPING};
use crate::model::solvers::SolverChoice;
use crate::model::stop::STOP_WHEN;
use crate::model::table_writer::{NO_KEY, Names, TableWriter, UnwrittenPart};

pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    simulation: SimulationRef<'_>,
    of_file: &OfFile<'_>,
    names: &Names,
    unwritten: &mut Vec<UnwrittenPart>,
) -> Value<'static> {
    let mut table_writer = TableWriter::new("simulation".to_owned(), unwritten);
    match simulation {
        SimulationRef::TimeStepping(own) => time_stepping(model, own, of_file, names, &mut table_writer),
        SimulationRef::EventDriven(own) => event_driven(model, own, of_file.solver, &mut table_writer),
    }
    if let Some(stop) = &of_file.stop {
        table_writer.put(&STOP_WHEN, stop.clone());
    }
    table_writer.table()
}

fn time_stepping(
    model: &NonSmoothDynamicalSystem,
    own: &TimeStepping,
    of_file: &OfFile<'_>,
    names: &Names,
    table_writer: &mut TableWriter<'_>,
) {
    let [
        kind,
        start,
        end,
        step,
        steps,
        exact_end,
        times,
        integrator,
        integrators,
        of_solver,
        tolerance,
        newton,
        policy,
        strict,
        events,
        time_scale,
        _,
    ] = &TIME_STEPPING;
    table_writer.put(kind, Value::of_text("time_stepping"));
    grid(own.discretisation(), [start, end, step, steps, exact_end, times], table_writer);
    schemes(model, own, names, [integrator, integrators], table_writer);
    let is_usual = own.has_default_solver();
    method([(own.solver(), is_usual)], of_file.solver, of_solver, table_writer);
    if own.has_energy_balance() && !of_file.needs_balance {
        table_writer.leave("the balance of energy of each step", NO_KEY);
    }
    if let Some(own) = own.tolerance() {
        table_writer.number(tolerance, own);
    }
    table_writer.settings(newton, own.newton(), Some(&NewtonSettings::default()));
    table_writer.settings(policy, &own.on_non_convergence(), Some(&OnNonConvergence::default()));
    if own.is_strict() {
        table_writer.put(strict, Value::of_boolean(true));
    }
    table_writer.settings(events, &own.events().settings(), Some(&EventSettings::default()));
    scale(model, time_scale, table_writer);
}

fn event_driven(
    model: &NonSmoothDynamicalSystem,
    own: &EventDriven,
    solver: Option<&SolverChoice>,
    table_writer: &mut TableWriter<'_>,
) {
    let [kind, start, end, step, steps, exact_end, times, _, settings, events, of_solver, time_scale, _] =
        &EVENT_DRIVEN;
    table_writer.put(kind, Value::of_text("event_driven"));
    grid(own.discretisation(), [start, end, step, steps, exact_end, times], table_writer);
    table_writer.settings(settings, own.settings(), Some(&EventDrivenSettings::default()));
    table_writer.settings(events, &own.events().settings(), Some(&EventSettings::default()));
    let problems = [OneStepProblem::Impact, OneStepProblem::Acceleration];
    let solvers = problems.map(|problem| (own.solver(problem), own.has_default_solver(problem)));
    method(solvers, solver, of_solver, table_writer);
    scale(model, time_scale, table_writer);
}

fn scale(model: &NonSmoothDynamicalSystem, key: &Key, table_writer: &mut TableWriter<'_>) {
    if model.time_scale() != NonSmoothDynamicalSystem::new().time_scale() {
        table_writer.number(key, model.time_scale());
    }
}

/// Writes the time grid. The end time is written if a reader obtains the same number of steps from it;
/// otherwise the number of steps is written.
fn grid(grid: &TimeDiscretisation, keys: [&Key; 6], table_writer: &mut TableWriter<'_>) {
    let [start, end, step, steps, exact_end, times] = keys;
    let data = serialized(grid);
    let field = |name: &str| match data.as_ref().map(|data| &data.node) {
        Some(Node::Table(data)) => data.get(name).map(|value| &value.node),
        _ => None,
    };
    let number = |name: &str| match field(name) {
        Some(Node::Number { value, .. }) => Some(*value),
        _ => None,
    };
    let (Some(t0), Some(t_end), Some(h)) = (number("t0"), number("t_end"), number("h")) else {
        let all: Vec<_> = (0..=grid.steps()).filter_map(|k| grid.time(k)).collect();
        return table_writer.vector(times, &all);
    };
    if t0.to_bits() != 0 {
        table_writer.number(start, t0);
    }
    if grid.is_endless() {
        table_writer.number(end, f64::INFINITY);
        return table_writer.number(step, h);
    }
    if matches!(field("exact_end"), Some(Node::Boolean(true))) {
        table_writer.number(end, t_end);
        table_writer.number(step, h);
        return table_writer.put(exact_end, Value::of_boolean(true));
    }
    if TimeDiscretisation::uniform(t0, t_end, h).is_ok_and(|same| same.steps() == grid.steps()) {
        table_writer.number(end, t_end);
    } else {
        table_writer.put(steps, Value::of_count(grid.steps()));
    }
    table_writer.number(step, h);
}

/// Writes one integrator for all systems, or the integrators of those systems that do not have the default.
fn schemes(
    model: &NonSmoothDynamicalSystem,
    simulation: &TimeStepping,
    names: &Names,
    [integrator, integrators]: [&Key; 2],
    table_writer: &mut TableWriter<'_>,
) {
    let of = |(id, name): &(_, String)| Some((name.clone(), simulation.integrator_of(model, *id).ok()?));
    let all: Vec<(String, Integrator)> = names.systems().iter().filter_map(of).collect();
    let usual: [Integrator; 2] = [MoreauJean::default().into(), EulerMoreau::default().into()];
    let is_usual = |own: &Integrator| usual.contains(own);
    if all.iter().all(|(_, own)| is_usual(own)) {
        return;
    }
    if let Some((_, first)) = all.first()
        && all.iter().all(|(_, own)| own == first)
    {
        return table_writer.settings(integrator, first, None);
    }
    let mut single = Vec::new();
    for (name, own) in all.into_iter().filter(|(_, own)| !is_usual(own)) {
        match Value::of_settings(&own, None) {
            Some(value) => single.push((name, value.short())),
            None => table_writer.leave(format!("integrator of `{name}`"), "cannot be written as settings"),
        }
    }
    table_writer.put(integrators, Value::of_table(single));
}

/// Writes the solver that the file selects. A solver that was set in Rust is listed as unwritten, because
/// only its name is known.
fn method<'n>(
    solvers: impl IntoIterator<Item = (&'n str, bool)>,
    choice: Option<&SolverChoice>,
    key: &Key,
    table_writer: &mut TableWriter<'_>,
) {
    match choice.map(SolverChoice::written) {
        Some(Some(value)) => return table_writer.put(key, value),
        Some(None) => return table_writer.leave("the solver", "cannot be written as settings"),
        None => (),
    }
    for (name, _) in solvers.into_iter().filter(|(_, is_usual)| !is_usual) {
        table_writer.leave(format!("solver `{name}`"), "has settings that the simulation does not have");
    }
}
