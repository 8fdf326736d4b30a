//! Variations of time-stepping simulations.

use std::num::NonZeroUsize;

use siconos_kernel::prelude::*;

use super::families::Family;
use super::plan::Plan;
use super::question::{Habit, Variation};
use super::scene::{PartPlace, Scene};
use super::track::{Standard, Track};
use super::units::{LENGTH, TIME, Units};

/// Largest relative differences in models with an unrelated part that has contacts. The part changes the
/// one-step nonsmooth problem, so that the motion agrees only up to the error of the solver, accumulated over
/// the steps of a run. Pivoting methods are exact up to rounding. The methods for friction have errors of
/// 1e-8 of the velocities of a step.
const PIVOTING: f64 = 1e-9;
const ITERATIVE: f64 = 1e-6;

/// Returns all variations with their names and standards of comparison.
pub(crate) fn questions(plan: &Plan) -> Vec<(&'static str, Variation, Standard)> {
    use Standard::{Bits, BitsOfMotion, Within};
    let solver = if plan.has_friction() { ITERATIVE } else { PIVOTING };
    let in_units = |which| Variation::in_units(plan.units(which));
    let mut questions = vec![
        ("mass", in_units("mass"), Bits),
        ("length", in_units("length"), Bits),
        ("time", in_units("time"), Bits),
        ("all units", in_units("mass length time current"), Bits),
        ("free body before", Variation::before(Family::FreeBody), BitsOfMotion),
        ("free body after", Variation::after(Family::FreeBody), BitsOfMotion),
        ("free pendulum after", Variation::after(Family::FreePendulum), BitsOfMotion),
        ("bouncing ball before", Variation::before(Family::HeavyBall), Within(solver)),
        ("bouncing ball after", Variation::after(Family::HeavyBall), Within(solver)),
        ("contact comes and goes", Variation::contact_comes_and_goes(plan.law_of_its_class()), BitsOfMotion),
        ("rebuilt", Variation::habit(Habit::Rebuilt), Bits),
        ("copies", Variation::habit(Habit::Copies), Bits),
        ("sensors", Variation::habit(Habit::Sensors), Bits),
        ("threads", Variation::default().by_threads(), Bits),
        ("threads, all units", in_units("mass length time current").by_threads(), Bits),
        ("threads, free body before", Variation::before(Family::FreeBody).by_threads(), BitsOfMotion),
        (
            "threads, contact comes and goes",
            Variation::contact_comes_and_goes(plan.law_of_its_class()).by_threads(),
            BitsOfMotion,
        ),
        ("threads, rebuilt", Variation::habit(Habit::Rebuilt).by_threads(), Bits),
    ];
    if plan.parts.len() > 1 {
        let reversed = Variation { reversed: true, ..Variation::default() };
        questions.push(("other order of birth", reversed, Within(solver)));
    }
    questions
}

/// Compares the motion of each part alone with its motion in the whole model. Returns the first difference.
pub(crate) fn alone(plan: &Plan, whole: &Track) -> Option<String> {
    let solver = if plan.has_friction() { ITERATIVE } else { PIVOTING };
    (0..plan.parts.len()).filter(|_| plan.parts.len() > 1).find_map(|part| {
        let variation = Variation { only: Some(part), ..Variation::default() };
        let among =
            Track { times: whole.times.clone(), parts: vec![whole.parts[part].clone()], account: Vec::new() };
        let difference = match run(plan, &variation) {
            Ok(by_itself) => among.difference(&by_itself, Standard::Within(solver)),
            Err(error) => Some(error),
        };
        difference.map(|text| format!("{:?} by itself: {text}", plan.parts[part]))
    })
}

/// Returns the motion of a model under a variation, or the reason why the run failed.
pub(crate) fn run(plan: &Plan, variation: &Variation) -> Result<Track, String> {
    let (mut scene, places) = variation.stage(plan);
    let mut track = Track::new(&scene, &places);
    let moved = follow(plan, variation, &mut scene, &places, &mut track);
    moved.map(|()| track).map_err(|error| error.to_string())
}

fn follow(
    plan: &Plan,
    &Variation { more_threads, habit, .. }: &Variation,
    scene: &mut Scene,
    places: &[PartPlace],
    track: &mut Track,
) -> Result<(), Error> {
    let units = scene.units;
    let made = |model: &NonSmoothDynamicalSystem| simulation(plan, model, units, more_threads);
    let mut simulation = made(&scene.model)?;
    if habit == Habit::Sensors {
        let h = simulation.discretisation().step_length(0).unwrap_or(1.0);
        let t0 = simulation.discretisation().t0();
        simulation.events_mut().schedule_periodic(EventKind::Sensor, t0 + 0.37 * h, 2.3 * h)?;
    }
    let mut state = simulation.initial_state(&scene.model)?;
    track.note(scene, places, &state);
    loop {
        let step = state.step();
        match habit {
            Habit::Rebuilt => simulation = made(&scene.model)?,
            Habit::Copies if step % 7 == 3 => {
                let (mut copy, model) = (state.clone(), scene.model.clone());
                simulation.step(&scene.model, &mut copy)?;
                simulation.step(&model, &mut copy)?;
                let mut other = made(&model)?;
                other.step(&model, &mut state.clone())?;
            }
            Habit::ContactComesAndGoes if step == plan.steps / 3 => {
                let id = scene.interactions.last().expect("the far contact").id;
                let removed = scene.model.remove_interaction(id)?;
                let far = removed.systems().to_vec();
                // The interaction is added again after two thirds of the run. Until then, the motion without
                // it does not change.
                while state.step() < 2 * plan.steps / 3 {
                    advance(&mut simulation, scene, places, &mut state, track)?;
                }
                let added =
                    scene.model.add_interaction(far, removed.relation().clone(), removed.law().clone());
                scene.interactions.last_mut().expect("the far contact").id = added?;
            }
            _ => {}
        }
        if !advance(&mut simulation, scene, places, &mut state, track)? {
            return Ok(());
        }
    }
}

fn advance(
    simulation: &mut TimeStepping,
    scene: &Scene,
    places: &[PartPlace],
    state: &mut State,
    track: &mut Track,
) -> Result<bool, Error> {
    let Some(report) = simulation.step(&scene.model, state)? else { return Ok(false) };
    track.account.push((report.newton_iterations as f64, report.active.len()));
    track.note(scene, places, state);
    Ok(true)
}

/// Creates the time-stepping simulation of a plan, with all dimensional settings in the given units.
fn simulation(
    plan: &Plan,
    model: &NonSmoothDynamicalSystem,
    units: Units,
    more_threads: usize,
) -> Result<TimeStepping, Error> {
    let (t0, h) = (units.of(plan.t0, TIME), units.of(plan.h, TIME));
    let grid = TimeDiscretisation::uniform(t0, t0 + plan.steps as f64 * h, h)?;
    let events = EventSettings::default();
    let scheme = MoreauJean { theta: plan.theta, projection: plan.projection, ..MoreauJean::default() };
    let threshold = scheme.activation_threshold.map(|threshold| units.of(threshold, LENGTH));
    let of_lagrangian: Integrator = match plan.half_explicit {
        Some(forces) => D1MinusLinear { forces, ..D1MinusLinear::default() }.into(),
        None => MoreauJean { activation_threshold: threshold, ..scheme }.into(),
    };
    TimeStepping::builder(model)
        .discretisation(grid)
        .events(EventSettings { tick: units.of(events.tick, TIME), ..events })
        .integrator(of_lagrangian)
        .integrator(plan.scheme)
        .threads(NonZeroUsize::MIN.saturating_add(more_threads))
        .build()
}
