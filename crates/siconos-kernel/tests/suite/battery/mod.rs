//! The standing battery of models: 200 random models, and for each of them questions that must not change its
//! motion.
//!
//! A model is one part or several side by side: chains of balls and beads, stars, structures, pendulums and
//! arms, with equalities, soft stops, friction; circuits with diodes, relays, sliding modes. It is written in
//! SI, each number with its dimension, so that it can be built in any units.
//!
//! | question | time-stepping | event-driven |
//! |---|---|---|
//! | other units of mass, length, time, current, by powers of two | to the last bit | to 100 times the tolerance |
//! | an unrelated body without contacts, born before or after | to the last bit | to 100 times the tolerance |
//! | the same with contacts; other order of birth; each part alone | to the tolerance of the solver | to 100 times the tolerance |
//! | a contact far away that is removed and added again | to the last bit | |
//! | more points of output, or sensors | to the last bit | to the last bit |
//! | three threads in the place of one, by themselves and with some of the others | to the last bit | |
//! | the simulation made anew for every step; copies that go on | to the last bit | to 100 times the tolerance |
//!
//! A tenth runs by default, all of it with `cargo xtask battery`.

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

/// What a model answered that it should not have.
#[derive(Debug)]
struct Failure {
    simulation: &'static str,
    question: &'static str,
    what: String,
}

/// Puts all questions to the time-stepping of a model.
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

/// The same for the event-driven simulation, where there is one.
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

/// Puts all questions to some models.
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

/// A number from the environment.
fn wanted(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn a_tenth_of_the_models_moves_the_same_whatever_must_not_matter() {
    ask(0..MODELS / 10);
}

/// All models; of `BATTERY_MODELS=1500` as many.
#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_models() {
    ask(0..wanted("BATTERY_MODELS").unwrap_or(MODELS));
}

/// One model by its number, for a look at a failure:
/// `BATTERY_MODEL=17 cargo test -p siconos-kernel-tests -- one_model --ignored`.
#[test]
#[ignore = "a tool, not a test of anything"]
fn one_model_by_number() {
    let number = wanted("BATTERY_MODEL").unwrap_or(0);
    eprintln!("{:#?}", Plan::new(number));
    ask(std::iter::once(number));
}
