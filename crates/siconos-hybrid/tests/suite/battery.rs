//! Battery of hybrid systems: random linear systems with smooth and discontinuous triggers, and actions that
//! move their triggers back by 1e-12 to 1, integrated forward and backward. They are compared with exact
//! trajectories that are computed independently of the integrator. No wrong trajectory may be reported as a
//! success.
//!
//! One system in fifty runs by default, and all of them with `cargo xtask battery`.

use siconos_hybrid::{
    Action, DiscreteId, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger,
    VariableType, View,
};
use siconos_ode::Crossing;
use siconos_testkit::hybrid::{
    Claim, Computed, Direction, Event, Family, HybridProblem, Reset, compare_trajectories,
};

use super::firings;

/// Factor of the rates. It is the first discrete variable; the counts of the events follow.
const FACTOR: DiscreteId = DiscreteId::new(0);

/// Maximum step \[s\]. Two roots of a function without known properties are both found if they are further
/// apart than an eighth of this step.
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

fn compute(problem: &HybridProblem) -> Computed {
    let mut settings = HybridSettings::default();
    settings.ode.h_max = LONGEST_STEP;
    let mut solution = HybridSolution::new(&system(problem), 0.0, &problem.x0, settings).expect("it fits");
    let claim = match solution.at(problem.end) {
        Ok(IntegrationOutcome::Reached) => Claim::Reached,
        Ok(IntegrationOutcome::Accumulation { .. }) => Claim::Accumulation,
        other => Claim::Other(format!("{other:?}")),
    };
    Computed { claim, firings: firings(&solution), x: solution.x().to_vec() }
}

fn compare(family: Family, count: usize) {
    compare_trajectories(family, count, LONGEST_STEP / 8.0, compute);
}

#[test]
fn a_fiftieth_of_the_systems_has_its_exact_trajectory() {
    compare(Family::Smooth, 50);
    compare(Family::Jumps, 50);
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_hybrid_systems() {
    compare(Family::Smooth, 2500);
    compare(Family::Jumps, 2500);
}
