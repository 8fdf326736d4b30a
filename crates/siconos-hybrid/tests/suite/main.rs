//! Hybrid systems: the components of the event system, alone and in combination, compared with closed forms.

mod accumulation;
mod actions;
mod attacks;
mod battery;
mod fast_guards;
mod halts;
mod interactive;
mod iteration;
mod jumps;
mod pairs;
mod random;
mod refusals;
mod samples;
mod sent_back;
mod systems;
mod triggers;

use siconos_hybrid::{
    Action, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger, VariableType, View,
};
use siconos_testkit::allocation::CountingAllocator;
use siconos_testkit::compare::assert_near;

/// Counts allocations per thread, so that parallel tests do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Harmonic oscillator from (0, 1), with events that halt. Event 1 fires when y crosses zero upwards, and
/// event 2 when y crosses zero downwards.
fn oscillator() -> HybridSolution {
    let mut system =
        HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -p.x[0]).expect("a name");
    system.event(Trigger::increasing("y"), Action::halt()).expect("it fits");
    system.event(Trigger::decreasing("y"), Action::halt()).expect("it fits");
    solve(&system, &[0.0, 1.0])
}

/// Creates the solution from time 0 with the default settings.
fn solve(system: &HybridSystem, x0: &[f64]) -> HybridSolution {
    HybridSolution::new(system, 0.0, x0, HybridSettings::default()).expect("it fits")
}

/// Clock x' = 1 with a discrete number `n` that starts at 0, which events use as a counter.
fn clock() -> (HybridSystem, siconos_hybrid::DiscreteId) {
    let mut system =
        HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("a name");
    let n = system.discrete("n", VariableType::Float, 0.0).expect("it fits");
    (system, n)
}

/// Returns the numbers and times of all events that fired, in order.
fn firings(solution: &HybridSolution) -> Vec<(usize, f64)> {
    let of = |mark: siconos_hybrid::EventMark| {
        mark.events.iter().map(|&event| (event, mark.t)).collect::<Vec<_>>()
    };
    solution.trajectory().events().flat_map(of).collect()
}

/// Asserts that the answer is a halt by an event at a time, to within 1e-9.
#[track_caller]
fn assert_halted(answer: &IntegrationOutcome, by: usize, at: f64) {
    match answer {
        IntegrationOutcome::Halted { t, event, .. } => {
            assert_eq!(*event, by, "{answer}");
            assert_near(*t, at, 1e-9);
        }
        other => panic!("{other}"),
    }
}
