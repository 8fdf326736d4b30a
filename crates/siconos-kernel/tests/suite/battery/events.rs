//! Variations of event-driven simulations.

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::EventDrivenSettings;
use siconos_ode::{OdeSettings, Tolerance};

use super::families::{Events, Family};
use super::plan::Plan;
use super::question::{Habit, Variation};
use super::scene::{PartPlace, Scene};
use super::track::{Standard, Track};
use super::units::{ACCELERATION, Dimension, LENGTH, TIME, VELOCITY};

/// Number of output points of a run.
const POINTS: usize = 10;

/// Maximum number of events. A run with more events is considered an endless loop.
const MOST_EVENTS: usize = 20_000;

/// Largest difference between two runs with different steps, in multiples of the tolerance of the integrator.
const TIMES_TOLERANCE: f64 = 100.0;

/// Returns all variations with their names and standards of comparison.
pub(crate) fn questions(plan: &Plan) -> Vec<(&'static str, Variation, Standard)> {
    use Standard::{Bits, BitsOfMotion, Within};
    let tolerance = match OdeSettings::default() {
        OdeSettings {
            relative_tolerance: Tolerance::All(r), absolute_tolerance: Tolerance::All(a), ..
        } => r.max(a),
        _ => unreachable!("the defaults are one number for all"),
    };
    let near = Within(TIMES_TOLERANCE * tolerance);
    let in_units = |which| Variation::in_units(plan.units(which));
    let mut questions = vec![
        ("mass", in_units("mass"), near),
        ("length", in_units("length"), near),
        ("time", in_units("time"), near),
        ("all units", in_units("mass length time current"), near),
        ("more points", Variation::habit(Habit::MorePoints), Bits),
        ("sensors", Variation::habit(Habit::Sensors), BitsOfMotion),
        ("rebuilt", Variation::habit(Habit::Rebuilt), near),
        ("copies", Variation::habit(Habit::Copies), near),
    ];
    if plan.events() == Events::Mechanics {
        questions.extend([
            ("free body before", Variation::before(Family::FreeBody), near),
            ("free body after", Variation::after(Family::FreeBody), near),
            ("free pendulum after", Variation::after(Family::FreePendulum), near),
            ("bouncing ball before", Variation::before(Family::HeavyBall), near),
            ("bouncing ball after", Variation::after(Family::HeavyBall), near),
        ]);
    } else {
        questions.extend([
            ("diodes before", Variation::before(Family::DrivenDiodes), near),
            ("diodes after", Variation::after(Family::DrivenDiodes), near),
        ]);
    }
    if plan.parts.len() > 1 {
        let reversed = Variation { reversed: true, ..Variation::default() };
        questions.push(("other order of birth", reversed, near));
    }
    questions
}

/// Returns the motion of a model under a variation, or the reason why the run failed.
pub(crate) fn run(plan: &Plan, variation: &Variation) -> Result<Track, String> {
    let (scene, places) = variation.stage(plan);
    let mut track = Track::new(&scene, &places);
    match follow(plan, variation.habit, &scene, &places, &mut track) {
        Ok(true) => Ok(track),
        Ok(false) => Err(format!("more than {MOST_EVENTS} events")),
        Err(error) => Err(error.to_string()),
    }
}

/// Simulates to the end. Returns `false` if there are too many events.
fn follow(
    plan: &Plan,
    habit: Habit,
    scene: &Scene,
    places: &[PartPlace],
    track: &mut Track,
) -> Result<bool, Error> {
    let finer = if habit == Habit::MorePoints { 8 } else { 1 };
    let mut simulation = simulation(plan, scene, finer)?;
    if habit == Habit::Sensors {
        let (grid, h) = (simulation.discretisation(), plan.h);
        let (t0, h) = (grid.t0(), scene.of(h, TIME));
        simulation.events_mut().schedule_periodic(EventKind::Sensor, t0 + 0.37 * h, 5.3 * h)?;
    }
    let mut state = simulation.initial_state(&scene.model)?;
    track.note(scene, places, &state);
    let mut points = 0;
    for _ in 0..MOST_EVENTS {
        match habit {
            Habit::Rebuilt => simulation = self::simulation(plan, scene, finer)?,
            Habit::Copies => {
                let model = scene.model.clone();
                simulation.step(&model, &mut state.clone())?;
            }
            _ => {}
        }
        let Some(report) = simulation.step(&scene.model, &mut state)? else { return Ok(true) };
        if !report.impacts.is_empty() || !report.released.is_empty() {
            track.account.push((report.t, report.impacts.len() + 1000 * report.released.len()));
        }
        if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
            points += 1;
            if points % finer == 0 {
                track.note(scene, places, &state);
            }
        }
    }
    Ok(false)
}

/// Creates the event-driven simulation of a plan, with all dimensional settings in the units of the scene.
fn simulation(plan: &Plan, scene: &Scene, finer: usize) -> Result<EventDriven, Error> {
    let units = scene.units;
    let (t0, duration) = (units.of(plan.t0, TIME), units.of(plan.steps as f64 * plan.h, TIME));
    let points = POINTS * finer;
    // The factor is a power of two, so that the common points are equal to the last bit.
    let h = duration / POINTS as f64 / finer as f64;
    let grid = TimeDiscretisation::uniform(t0, t0 + points as f64 * h, h)?;
    let (events, settings) = (EventSettings::default(), EventDrivenSettings::default());
    let EventIntegrator::Ode(ode) = &settings.integrator else {
        unreachable!("the default is an ordinary differential equation")
    };
    let Tolerance::All(absolute) = ode.absolute_tolerance else {
        unreachable!("the default is one number for all")
    };
    let ode = OdeSettings {
        absolute_tolerance: Tolerance::Each(
            state_dimensions(scene).iter().map(|&d| units.of(absolute, d)).collect(),
        ),
        h_initial: Some(units.of(0.1 * plan.h, TIME)),
        root_tolerance: units.of(ode.root_tolerance, TIME),
        ..ode.clone()
    };
    let mut settings = EventDrivenSettings {
        integrator: ode.into(),
        gap_tolerance: units.of(settings.gap_tolerance, LENGTH),
        velocity_tolerance: units.of(settings.velocity_tolerance, VELOCITY),
        acceleration_tolerance: units.of(settings.acceleration_tolerance, ACCELERATION),
        ..settings
    };
    settings.accumulation.criterion.window = units.of(settings.accumulation.criterion.window, TIME);
    EventDriven::builder(&scene.model)
        .discretisation(grid)
        .events(EventSettings { tick: units.of(events.tick, TIME), ..events })
        .settings(settings)
        .build()
}

/// Returns the dimensions of the integrator's state: all positions followed by all velocities, or x.
fn state_dimensions(scene: &Scene) -> Vec<Dimension> {
    let all = || scene.systems.iter().flat_map(|entry| entry.coordinates.iter().copied());
    let is_first_order = |entry: &super::scene::SystemEntry| {
        scene.model.system(entry.id).is_ok_and(siconos_kernel::model::DynamicalSystem::is_first_order)
    };
    if scene.systems.iter().any(is_first_order) {
        all().collect()
    } else {
        all().chain(all().map(|d| d / TIME)).collect()
    }
}
