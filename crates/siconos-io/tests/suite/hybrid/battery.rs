//! Random hybrid systems as model files. Their solutions are known, so that a missed root is detected.
//! See `siconos_testkit::hybrid`.

use siconos_hybrid::IntegrationOutcome;
use siconos_io::hybrid::HybridModel;
use siconos_testkit::hybrid::{Claim, Computed, Family, HybridProblem, compare_trajectories};

use super::firings;

fn compute(problem: &HybridProblem) -> Computed {
    let model = HybridModel::parse(&problem.text(), "drawn.toml").unwrap_or_else(|error| panic!("{error}"));
    let mut solution = model.solution().expect("it fits");
    let claim = match solution.at(problem.end) {
        Ok(IntegrationOutcome::Reached) => Claim::Reached,
        Ok(IntegrationOutcome::Accumulation { .. }) => Claim::Accumulation,
        Ok(IntegrationOutcome::Sliding { .. }) => Claim::Sliding,
        other => Claim::Other(format!("{other:?}")),
    };
    Computed { claim, firings: firings(&solution), x: solution.x().to_vec() }
}

fn compare(family: Family, count: usize) {
    compare_trajectories(family, count, 0.0, compute);
}

#[test]
fn a_hundredth_of_the_systems_has_its_exact_trajectory() {
    compare(Family::Smooth, 20);
    compare(Family::Jumps, 20);
    compare(Family::Pulses, 20);
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_hybrid_files() {
    compare(Family::Smooth, 2000);
    compare(Family::Jumps, 2000);
    compare(Family::Pulses, 2000);
}

/// Runs one system by its number, to examine a failure:
/// `BATTERY_SYSTEM=17 cargo test -p siconos-io-tests -- one_system --ignored --nocapture`.
#[test]
#[ignore = "a tool, not a test of anything"]
fn one_system_by_number() {
    let number = std::env::var("BATTERY_SYSTEM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    for family in [Family::Smooth, Family::Jumps, Family::Pulses] {
        let problem = siconos_testkit::hybrid::draw(family, number);
        let exact = problem.trajectory();
        println!("{}\n{exact:#?}", problem.text());
        println!("{family:?}: {:?}", exact.and_then(|exact| exact.fault_of(&problem, &compute(&problem))));
    }
}
