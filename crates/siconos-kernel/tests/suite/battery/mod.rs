//! Battery of 200 random models. Each model is simulated under variations that must not change its motion.
//!
//! A model has one part, or several independent parts: chains of balls and beads, stars, structures,
//! pendulums and arms, with equalities, compliant stops and friction; circuits with diodes, relays and
//! sliding modes. The model is written in SI units, each number with its dimension, so that it can be built
//! in any units.
//!
//! The motions agree to the last bit (`bits`), up to the error of the solver (`solver`), or to 100 times the
//! tolerance of the integrator (`tolerance`):
//!
//! | variation | time-stepping | event-driven |
//! |---|---|---|
//! | other units of mass, length, time, current, by powers of two | bits | tolerance |
//! | an unrelated body without contacts, inserted before or after | bits | tolerance |
//! | an unrelated body with contacts; other insertion order; each part alone | solver | tolerance |
//! | a contact far away that is removed and added again | bits | |
//! | more output points, or sensors | bits | bits |
//! | three threads instead of one, alone and with some other variations | bits | |
//! | the simulation rebuilt for every step; copies that continue | bits | tolerance |
//!
//! By default, a tenth of the models runs; `cargo xtask battery` runs all of them.

mod draw;
mod events;
mod families;
mod plan;
mod question;
mod scene;
mod stepping;
mod track;
mod units;

use std::time::Instant;

use self::families::Events;
use self::plan::{MODELS, Plan};
use self::question::Variation;

/// Variation of a model that failed or changed the motion.
#[derive(Debug)]
struct Failure {
    simulation: &'static str,
    question: &'static str,
    what: String,
}

/// Runs a model under all variations of time-stepping.
fn ask_time_stepping(plan: &Plan, failures: &mut Vec<Failure>) {
    let mut fail = |question, what| {
        failures.push(Failure { simulation: "time-stepping", question, what });
    };
    let whole = match stepping::run(plan, &Variation::default()) {
        Ok(track) => track,
        Err(error) => return fail("as it is", error),
    };
    for (question, variation, standard) in stepping::questions(plan) {
        match stepping::run(plan, &variation).map(|other| whole.difference(&other, standard)) {
            Ok(None) => {}
            Ok(Some(difference)) => fail(question, difference),
            Err(error) => fail(question, error),
        }
    }
    if let Some(difference) = stepping::alone(plan, &whole) {
        fail("each part alone", difference);
    }
}

/// Runs a model under all variations of the event-driven simulation, if the model has one.
fn ask_event_driven(plan: &Plan, failures: &mut Vec<Failure>) {
    if plan.events() == Events::None {
        return;
    }
    let mut fail = |question, what| {
        failures.push(Failure { simulation: "event-driven", question, what });
    };
    let whole = match events::run(plan, &Variation::default()) {
        Ok(track) => track,
        Err(error) => return fail("as it is", error),
    };
    for (question, variation, standard) in events::questions(plan) {
        match events::run(plan, &variation).map(|other| whole.difference(&other, standard)) {
            Ok(None) => {}
            Ok(Some(difference)) => fail(question, difference),
            Err(error) => fail(question, error),
        }
    }
}

/// Runs models under all variations.
fn ask(models: impl Iterator<Item = u32>) {
    let (begin, mut asked) = (Instant::now(), 0);
    let mut found = Vec::new();
    for number in models {
        let plan = Plan::new(number);
        let mut failures = Vec::new();
        ask_time_stepping(&plan, &mut failures);
        ask_event_driven(&plan, &mut failures);
        asked += 1;
        for Failure { simulation, question, what } in failures {
            found.push(format!("{number} {:?}, {simulation}, {question}: {what}", plan.parts));
        }
    }
    println!("{asked} models in {:.1} s", begin.elapsed().as_secs_f64());
    assert!(found.is_empty(), "{} failures:\n{}", found.len(), found.join("\n"));
}

/// Returns a number from an environment variable.
fn wanted(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn a_tenth_of_the_models_moves_the_same_whatever_must_not_matter() {
    ask(0..MODELS / 10);
}

/// Runs all models, or the number of models in `BATTERY_MODELS`.
#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_models() {
    ask(0..wanted("BATTERY_MODELS").unwrap_or(MODELS));
}

/// Runs one model by its number, to examine a failure:
/// `BATTERY_MODEL=17 cargo test -p siconos-kernel-tests -- one_model --ignored`.
#[test]
#[ignore = "a tool, not a test of anything"]
fn one_model_by_number() {
    let number = wanted("BATTERY_MODEL").unwrap_or(0);
    eprintln!("{:#?}", Plan::new(number));
    ask(std::iter::once(number));
}
