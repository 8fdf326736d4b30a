//! Simulation of a model: time grid, integrators and solver.

use std::ops::Range;

use siconos_kernel::Error;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::model::{DynamicalSystemId, NonSmoothDynamicalSystem};
use siconos_kernel::nonsmooth_problem::OneStepSolver;
use siconos_kernel::simulation::{
    EventDriven, EventDrivenSettings, EventIntegrator, EventSettings, NewtonSettings, OnNonConvergence,
    OneStepProblem, TimeStepping,
};

use super::grid::{END, EXACT_END, Grid, START, STEP, STEPS, TIMES};
use super::interactions::Known;
use super::solvers::{self, SolverChoice};
use super::stop::STOP_WHEN;
use crate::document::{
    Diagnostics, Form, Key, Node, Numbers, Table, TreeEntry, Value, flag, needed, note_unknown, optional,
    settings, settings_or_default,
};

const EVENTS: Key = optional(
    "events",
    Form::Settings,
    "tolerance within which times count as one instant, and number of past events that are kept",
);
const TIME_SCALE: Key =
    optional("time_scale", Form::Number, "characteristic time of the model, in seconds; default 1");

pub(super) const TIME_STEPPING: [Key; 17] = [
    needed("kind", Form::Word(&["time_stepping"]), "time-stepping simulation"),
    START,
    END,
    STEP,
    STEPS,
    EXACT_END,
    TIMES,
    optional(
        "integrator",
        Form::Settings,
        "integrator of all systems that it supports; default: `moreau_jean`, or `euler_moreau` for first-order systems",
    ),
    optional("integrators", Form::Named, "integrators of single systems, by the name of the system"),
    optional("solver", Form::Settings, "solver of the one-step problems; default: an automatic choice"),
    optional(
        "tolerance",
        Form::Number,
        "tolerance of the automatically chosen solver; only without `solver`",
    ),
    optional("newton", Form::Settings, "stopping criteria of Newton's method in a step"),
    optional(
        "on_non_convergence",
        Form::Settings,
        "action if a solver or Newton's method does not converge; default fail",
    ),
    optional(
        "strict",
        Form::Boolean,
        "`true` to reject integrators that do not match the relative degree; default false",
    ),
    EVENTS,
    TIME_SCALE,
    STOP_WHEN,
];

pub(super) const EVENT_DRIVEN: [Key; 13] = [
    needed("kind", Form::Word(&["event_driven"]), "event-driven simulation"),
    START,
    END,
    optional("step", Form::Number, "interval between output points, in seconds"),
    optional("steps", Form::Count, "number of intervals: of length `step`, or of equal length up to `end`"),
    optional(
        "exact_end",
        Form::Boolean,
        "`true` for a last point at `end` if `end` is not a multiple of the step; default false",
    ),
    optional(
        "times",
        Form::Vector,
        "times of all output points, in seconds, instead of `start`, `end` and `step`",
    ),
    optional("integrator", Form::Settings, "integrator of the motion between events"),
    optional("settings", Form::Settings, "tolerances of contacts, and treatment of accumulating impacts"),
    EVENTS,
    optional(
        "solver",
        Form::Settings,
        "solver of the one-step problems of impacts and of contact forces; default: an automatic choice",
    ),
    TIME_SCALE,
    STOP_WHEN,
];

/// A simulation as described in the file.
#[derive(Debug)]
pub(super) struct Simulation {
    /// Location of the table `[simulation]`.
    pub(super) span: Range<usize>,
    /// Locations of the values of all keys. The keys of the table itself precede the keys within settings.
    places: Vec<(String, Range<usize>)>,
    grid: Grid,
    time_scale: Option<(f64, Range<usize>)>,
    events: EventSettings,
    pub(super) solver: Option<SolverChoice>,
    kind: SimulationKind,
}

#[derive(Debug)]
enum SimulationKind {
    TimeStepping {
        integrator: Option<Integrator>,
        /// Indices of systems with their integrators.
        integrators: Vec<(usize, Integrator)>,
        tolerance: Option<f64>,
        newton: NewtonSettings,
        on_non_convergence: OnNonConvergence,
        is_strict: bool,
    },
    EventDriven(EventDrivenSettings),
}

/// A time-stepping or event-driven simulation.
#[derive(Debug)]
pub enum BuiltSimulation {
    /// Time-stepping simulation.
    TimeStepping(Box<TimeStepping>),
    /// Event-driven simulation.
    EventDriven(Box<EventDriven>),
}

/// Reads the table of the simulation.
pub(super) fn read(
    value: Value<'_>,
    known: &Known<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Simulation> {
    let scopes = known.scopes;
    let span = value.span.clone();
    let table = value.table(diagnostics)?;
    let places = places(&table);
    let kind = diagnostics.required(table.get("kind"), "kind", &span)?;
    let numbers = scopes.numbers();
    if kind.word(diagnostics, &[("time_stepping", false), ("event_driven", true)])? {
        let [_, start, end, step, steps, exact_end, times, integrator, own, events, solver, time_scale, _] =
            table.keyed(&EVENT_DRIVEN, &span, diagnostics);
        let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, diagnostics);
        if let (Some(_), Some(Node::Table(own))) = (&integrator, own.as_ref().map(|own| &own.node))
            && let Some(other) = own.get("integrator")
        {
            diagnostics.note(&other.span, "this cannot be combined with the key `integrator`");
        }
        let own: Option<EventDrivenSettings> = settings_or_default(own, numbers, diagnostics);
        let integrator: Option<Option<EventIntegrator>> = optional_settings(integrator, numbers, diagnostics);
        let common = common([events, solver, time_scale], numbers, diagnostics);
        let mut own = own?;
        if let Some(integrator) = integrator? {
            own.integrator = integrator;
        }
        let (events, solver, time_scale) = common?;
        return Some(Simulation {
            span,
            places,
            grid: grid?,
            time_scale,
            events,
            solver,
            kind: SimulationKind::EventDriven(own),
        });
    }
    let [
        _,
        start,
        end,
        step,
        steps,
        exact_end,
        times,
        integrator,
        integrators,
        solver,
        tolerance,
        newton,
        policy,
        strict,
        events,
        time_scale,
        _,
    ] = table.keyed(&TIME_STEPPING, &span, diagnostics);
    let grid = Grid::read([start, end, step, steps, exact_end, times], &span, scopes, diagnostics);
    let integrator = optional_settings(integrator, numbers, diagnostics);
    let integrators = integrators.map_or(Some(Vec::new()), |own| of_systems(own, known, diagnostics));
    if let (Some(_), Some(tolerance)) = (&solver, &tolerance) {
        diagnostics.note(
            &tolerance.span,
            "this is the tolerance of the automatic choice; set the tolerance of `solver` in its own table",
        );
    }
    let tolerance = tolerance.map_or(Some(None), |value| value.constant(numbers, diagnostics).map(Some));
    let newton = settings_or_default(newton, numbers, diagnostics);
    let policy = settings_or_default(policy, numbers, diagnostics);
    let is_strict = flag(strict, diagnostics);
    let common = common([events, solver, time_scale], numbers, diagnostics);
    let kind = SimulationKind::TimeStepping {
        integrator: integrator?,
        integrators: integrators?,
        tolerance: tolerance?,
        newton: newton?,
        on_non_convergence: policy?,
        is_strict: is_strict?,
    };
    let (events, solver, time_scale) = common?;
    Some(Simulation { span, places, grid: grid?, time_scale, events, solver, kind })
}

/// Returns the locations of the values of all keys. The keys of the table itself come first.
fn places(table: &Table<'_>) -> Vec<(String, Range<usize>)> {
    let own = table.entries.iter().map(|entry| (entry.key.to_string(), entry.value.span.clone()));
    let within = table.entries.iter().filter_map(|entry| match &entry.value.node {
        Node::Table(table) => Some(places(table)),
        _ => None,
    });
    own.chain(within.flatten()).collect()
}

type Common = (EventSettings, Option<SolverChoice>, Option<(f64, Range<usize>)>);

fn common(
    [events, solver, time_scale]: [Option<Value<'_>>; 3],
    numbers: Numbers<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Common> {
    let events = settings_or_default(events, numbers, diagnostics);
    let solver = solver.map_or(Some(None), |solver| solvers::read(solver, numbers, diagnostics).map(Some));
    let time_scale = time_scale.map_or(Some(None), |value| {
        value.constant(numbers, diagnostics).map(|time_scale| Some((time_scale, value.span)))
    });
    Some((events?, solver?, time_scale?))
}

fn optional_settings<T: serde::de::DeserializeOwned>(
    value: Option<Value<'_>>,
    numbers: Numbers<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<T>> {
    value.map_or(Some(None), |value| settings(&value, numbers, diagnostics).map(Some))
}

/// Reads the integrators of single systems.
fn of_systems(
    value: Value<'_>,
    known: &Known<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<(usize, Integrator)>> {
    let entries = value.table(diagnostics)?.entries;
    let read = |entry: TreeEntry<'_>| {
        let place = known.places.get(&*entry.key).copied();
        if place.is_none() {
            let names = known.places.keys().copied();
            note_unknown(("system", &entry.key), &entry.key_span, names, diagnostics);
        }
        place.zip(settings(&entry.value, known.scopes.numbers(), diagnostics))
    };
    let read: Vec<_> = entries.into_iter().map(read).collect();
    read.into_iter().collect()
}

/// Requests of a run that are not in the table of the simulation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted {
    /// Time \[s\] that replaces the end of a grid with a free end.
    pub(super) end: Option<f64>,
    /// `true` if each step of a time-stepping simulation computes its energy balance.
    pub(super) balance: bool,
}

impl Simulation {
    /// Returns the time scale of the model and its location, if the file sets one.
    pub(super) fn time_scale(&self) -> Option<(f64, &Range<usize>)> {
        self.time_scale.as_ref().map(|(time_scale, span)| (*time_scale, span))
    }

    /// Returns `true` if this is a time-stepping simulation.
    pub(super) fn goes_by_steps(&self) -> bool {
        matches!(self.kind, SimulationKind::TimeStepping { .. })
    }

    /// Returns the location of the setting that has this name in the kernel.
    pub(super) fn place_of_setting(&self, name: &str) -> &Range<usize> {
        self.place_of(if name.starts_with("Newton") { "newton" } else { name })
    }

    /// Returns the location of a key, or the location of the whole table if the key is missing.
    pub(super) fn place_of(&self, key: &str) -> &Range<usize> {
        self.places.iter().find(|(known, _)| known == key).map_or(&self.span, |(_, span)| span)
    }

    /// Reports an error if no system uses the integrator in the key `integrator`.
    pub(super) fn check_integrator(
        &self,
        model: &NonSmoothDynamicalSystem,
        systems: &[DynamicalSystemId],
        built: &BuiltSimulation,
        diagnostics: &mut Diagnostics<'_>,
    ) {
        let (
            SimulationKind::TimeStepping { integrator: Some(given), .. },
            BuiltSimulation::TimeStepping(built),
        ) = (&self.kind, built)
        else {
            return;
        };
        let takes = |id: &DynamicalSystemId| built.integrator_of(model, *id).is_ok_and(|own| own == *given);
        if !systems.is_empty() && !systems.iter().any(takes) {
            diagnostics.note(self.place_of("integrator"), "no system of this model supports this integrator");
        }
    }

    /// Returns `true` if another end only adds or removes steps.
    pub(super) fn has_free_end(&self) -> bool {
        self.grid.has_free_end()
    }

    /// Builds the simulation of a model. `systems` are in the order of the file, with `None` for a system
    /// that was not built.
    pub(super) fn build(
        &self,
        model: &NonSmoothDynamicalSystem,
        systems: &[Option<DynamicalSystemId>],
        parameters: &[f64],
        wanted: &Wanted,
    ) -> Result<BuiltSimulation, Error> {
        let grid = match wanted.end {
            Some(end) => self.grid.build_until(parameters, end)?,
            None => self.grid.build(parameters)?,
        };
        let solver = || match &self.solver {
            Some(choice) => choice.build().map(Some),
            None => Ok(None::<OneStepSolver>),
        };
        match &self.kind {
            SimulationKind::TimeStepping {
                integrator,
                integrators,
                tolerance,
                newton,
                on_non_convergence,
                is_strict,
            } => {
                let mut builder = TimeStepping::builder(model)
                    .discretisation(grid)
                    .events(self.events)
                    .newton(*newton)
                    .on_non_convergence(*on_non_convergence)
                    .strict(*is_strict)
                    .energy_balance(wanted.balance);
                if let Some(integrator) = integrator {
                    builder = builder.integrator(*integrator);
                }
                for (place, integrator) in integrators {
                    if let Some(Some(id)) = systems.get(*place) {
                        builder = builder.integrator_for(*id, *integrator);
                    }
                }
                if let Some(solver) = solver()? {
                    builder = builder.solver(solver);
                }
                if let Some(tolerance) = tolerance {
                    builder = builder.tolerance(*tolerance);
                }
                builder.build().map(Box::new).map(BuiltSimulation::TimeStepping)
            }
            SimulationKind::EventDriven(settings) => {
                let mut builder = EventDriven::builder(model)
                    .discretisation(grid)
                    .events(self.events)
                    .settings(settings.clone());
                for problem in [OneStepProblem::Impact, OneStepProblem::Acceleration] {
                    if let Some(solver) = solver()? {
                        builder = builder.solver(problem, solver);
                    }
                }
                builder.build().map(Box::new).map(BuiltSimulation::EventDriven)
            }
        }
    }
}
