//! The battery of hybrid systems: random linear systems whose triggers are smooth or jump, and whose actions send
//! their triggers back by 1e-12 to 1, forward and backward, against exact trajectories that know nothing of the
//! integrator. No wrong trajectory may come with success.
//!
//! A fiftieth runs by default, all of it with `cargo xtask battery`.

use siconos_kernel::hybrid::{
    Action, Answer, DiscreteId, HybridSettings, HybridSolution, HybridSystem, Trigger, VariableType, View,
};
use siconos_numerics::ode::Crossing;
use siconos_testkit::hybrid::{Direction, Ending, Event, Family, HybridProblem, Reset, Trajectory, draw};

use super::firings;

/// The discrete variables: a factor of the rates, and counts of events.
const FACTOR: DiscreteId = DiscreteId::new(0);

/// Two roots of a function that nobody knows are told apart if they are further apart than an eighth of this \[s\].
const LONGEST_STEP: f64 = 0.02;

fn system(problem: &HybridProblem) -> HybridSystem {
    let (a, b) = (problem.a.clone(), problem.b.clone());
    let rate = move |p: View, rate: &mut [f64]| {
        for (i, rate) in rate.iter_mut().enumerate() {
            let row: f64 = a[i].iter().zip(p.x).map(|(a, x)| a * x).sum();
            *rate = p[FACTOR] * (row + b[i]);
        }
    };
    let names = (0..problem.x0.len()).map(|i| format!("x{i}"));
    let mut system = HybridSystem::first_order(names, rate).expect("names");
    system.discrete("factor", VariableType::Float, 1.0).expect("it fits");
    for number in 0..problem.events.len() {
        system.discrete(format!("n{number}"), VariableType::Float, 0.0).expect("it fits");
    }
    for (number, event) in problem.events.iter().enumerate() {
        let Event { guard, direction, reset } = event.clone();
        let mut root = Trigger::root(move |p: View| guard.shape.value(guard.argument.value(p.t(), p.x)));
        root.crossing = match direction {
            Direction::Any => Crossing::Any,
            Direction::Increasing => Crossing::Rising,
            Direction::Decreasing => Crossing::Falling,
        };
        let count = DiscreteId::new(number + 1);
        let action = Action::set(move |p| {
            p.set(count, p[count] + 1.0);
            match &reset {
                Reset::Nothing => (),
                Reset::Map { matrix, offset } => {
                    let x = p.x().to_vec();
                    for (i, row) in matrix.iter().enumerate() {
                        p.set(i, row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>() + offset[i]);
                    }
                }
                Reset::SendBack { state, distance, times, factor, put } => {
                    let is_back = p[count] <= f64::from(*times);
                    let back = p.x()[*state] + distance * factor.powi(p[count] as i32 - 1);
                    p.set(*state, if is_back { back } else { *put });
                }
                Reset::Turn { factor } => p.set(FACTOR, p[FACTOR] * factor),
            }
        });
        system.event(root, action).expect("it fits");
    }
    system
}

/// What is wrong with the answer to a problem, if anything is.
fn fault(problem: &HybridProblem, exact: &Trajectory) -> Option<String> {
    let mut settings = HybridSettings::default();
    settings.ode.h_max = LONGEST_STEP;
    let mut solution = HybridSolution::new(&system(problem), 0.0, &problem.x0, settings).expect("it fits");
    let answer = solution.at(problem.end);
    let found = firings(&solution);
    let is_same = |k: usize| {
        matches!((found.get(k), exact.firings.get(k)), (Some((event, t)), Some(firing))
            if *event == firing.event && (t - firing.t).abs() < 1e-8)
    };
    let same = (0..found.len()).take_while(|k| is_same(*k)).count();
    let last = |k: usize| (found.get(k).copied(), exact.firings.get(k).copied());
    match answer {
        Ok(Answer::Reached) if exact.ending == Ending::Reached => {
            let distance =
                solution.x().iter().zip(&exact.x).map(|(x, exact)| (x - exact).abs()).fold(0.0, f64::max);
            let count = (found.len(), exact.firings.len());
            (count.0 != count.1 || same < found.len() || distance > 1e-7)
                .then(|| format!("{count:?} events, {same} alike, then {:?}; {distance:e}", last(same)))
        }
        Ok(Answer::Reached) => {
            Some(format!("reached, but {:?}, {same} alike, then {:?}", exact.ending, last(same)))
        }
        // Whether events accumulate, a few of them decide.
        Ok(Answer::Accumulation { .. }) if same >= 3 && same == found.len().min(exact.firings.len()) => None,
        answer => Some(format!("{answer:?}, {same} alike, then {:?}", last(same))),
    }
}

/// Whether small changes of the initial state stay small.
fn is_well_posed(problem: &HybridProblem, exact: &Trajectory) -> bool {
    [1e-9, -1e-9].into_iter().all(|change| {
        let mut other = problem.clone();
        other.x0.iter_mut().for_each(|x| *x += change);
        other.trajectory().is_some_and(|other| {
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6;
            other.firings.len() == exact.firings.len() && other.x.iter().zip(&exact.x).all(is_near)
        })
    })
}

fn ask(family: Family, count: usize) {
    let (mut asked, mut events, mut ended) = (0, 0, 0);
    let mut faults = Vec::new();
    for number in 0.. {
        if asked == count {
            break;
        }
        let problem = draw(family, number);
        let Some(exact) = problem.trajectory().filter(|exact| !exact.firings.is_empty()) else { continue };
        if exact.closest < LONGEST_STEP / 8.0 || !is_well_posed(&problem, &exact) {
            continue;
        }
        asked += 1;
        events += exact.firings.len();
        ended += usize::from(exact.ending != Ending::Reached);
        if let Some(fault) = fault(&problem, &exact) {
            faults.push(format!("{family:?} {number}: {fault}"));
        }
    }
    println!("{family:?}: {asked} systems, {events} events, {ended} end early, {} wrong", faults.len());
    assert!(faults.is_empty(), "{} of {asked}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_fiftieth_of_the_systems_has_its_exact_trajectory() {
    ask(Family::Smooth, 50);
    ask(Family::Jumps, 50);
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_hybrid_systems() {
    ask(Family::Smooth, 2500);
    ask(Family::Jumps, 2500);
}

/// One system by its number, for a look at a failure:
/// `BATTERY_SYSTEM=17 cargo test -p siconos-kernel-tests -- one_system --ignored --nocapture`.
#[test]
#[ignore = "a tool, not a test of anything"]
fn one_system_by_number() {
    let number = std::env::var("BATTERY_SYSTEM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    for family in [Family::Smooth, Family::Jumps] {
        let problem = draw(family, number);
        let exact = problem.trajectory();
        println!("{}\n{exact:#?}", problem.text());
        println!("{family:?}: {:?}", exact.and_then(|exact| fault(&problem, &exact)));
    }
}
