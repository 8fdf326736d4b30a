//! Comparison of computed trajectories with exact trajectories.

use super::{Ending, Family, HybridProblem, Trajectory, draw};
use crate::compare::worse;

/// Tolerance for the times of the firings \[s\].
const OF_TIMES: f64 = 1e-8;

/// Tolerance for the final state.
const OF_STATES: f64 = 1e-7;

/// Perturbation of the initial state with which the growth of errors is estimated.
const SMALL: f64 = 1e-9;
/// Growth factor of the perturbation above which a problem is skipped.
const MOST_GROWTH: f64 = 1e3;

/// Accuracy with which the time of an event can be computed \[s\].
const OF_EVENTS: f64 = 4e-13;

/// Reported outcome of a computation.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// The end time was reached.
    Reached,
    /// The computation ended because events accumulate.
    Accumulation,
    /// The computation ended because the motion stays on a switching surface.
    Sliding,
    /// Any other outcome, in words.
    Other(String),
}

/// Trajectory computed by the program under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// Reported outcome.
    pub claim: Claim,
    /// Event number (from 1) and time \[s\] of each firing.
    pub firings: Vec<(usize, f64)>,
    /// Final state.
    pub x: Vec<f64>,
}

impl Trajectory {
    /// Compares a computed trajectory with this exact one. Returns a description of the differences, or
    /// `None` if the computed trajectory is correct.
    #[must_use]
    pub fn fault_of(&self, problem: &HybridProblem, computed: &Computed) -> Option<String> {
        let Computed { claim, firings, x } = computed;
        // An error in the time of an event causes an error of the state, which grows as well.
        let growth = self.growth(problem).unwrap_or(1.0);
        let tolerance = OF_STATES.max(OF_EVENTS * self.fastest * growth);
        let is_same = |k: usize| {
            matches!((firings.get(k), self.firings.get(k)), (Some((event, t)), Some(exact))
                if *event == exact.event && (t - exact.t).abs() < OF_TIMES.max(tolerance))
        };
        let (found, expected) = (firings.len(), self.firings.len());
        let same = (0..found).take_while(|k| is_same(*k)).count();
        let then = (firings.get(same), self.firings.get(same));
        let distance = x.iter().zip(&self.x).map(|(x, exact)| (x - exact).abs()).fold(0.0, worse);
        let is_right = match (claim, self.ending) {
            (Claim::Reached, Ending::Reached) => found == expected && same == found && distance <= tolerance,
            // Accumulation is detected from a few firings, so the exact trajectory can have a different end.
            (Claim::Accumulation, _) => same >= 3 && same == found.min(expected),
            (Claim::Sliding, Ending::Sliding { .. }) => found == expected && same == found,
            _ => false,
        };
        (!is_right).then(|| {
            format!(
                "{claim:?} for {:?}; {found} events for {expected}, {same} alike, then {then:?}; {distance:e}",
                self.ending
            )
        })
    }

    /// Returns the growth factor of a small change of the initial state, or `None` if the change alters the
    /// number of firings or grows too much.
    fn growth(&self, problem: &HybridProblem) -> Option<f64> {
        let mut growth = 1.0_f64;
        for change in [SMALL, -SMALL] {
            let mut other = problem.clone();
            other.x0.iter_mut().for_each(|x| *x += change);
            let other = other.trajectory().filter(|other| other.firings.len() == self.firings.len())?;
            let apart = |(a, b): (&f64, &f64)| (a - b).abs() / SMALL;
            growth = other.x.iter().zip(&self.x).map(apart).fold(growth, worse);
        }
        (growth < MOST_GROWTH).then_some(growth)
    }
}

/// Runs `compute` on `count` problems of a family and compares its results with the exact trajectories.
/// Problems are skipped if they have neither firings nor switches, if their exact trajectory is unknown or
/// too sensitive to the initial state, or if a trigger crosses zero twice within `closest` \[s\] without an
/// event between the crossings.
///
/// # Panics
///
/// If a computed trajectory is wrong; the message lists all wrong trajectories.
pub fn compare_trajectories(
    family: Family,
    count: usize,
    closest: f64,
    compute: impl Fn(&HybridProblem) -> Computed,
) {
    let (mut asked, mut events, mut ended) = (0, 0, 0);
    let mut faults = Vec::new();
    for number in 0.. {
        if asked == count {
            break;
        }
        let problem = draw(family, number);
        let Some(exact) = problem.trajectory() else { continue };
        let is_empty = exact.firings.is_empty() && problem.switches.is_empty();
        if is_empty || exact.closest < closest || exact.growth(&problem).is_none() {
            continue;
        }
        asked += 1;
        events += exact.firings.len();
        ended += usize::from(exact.ending != Ending::Reached);
        faults.extend(
            exact.fault_of(&problem, &compute(&problem)).map(|fault| format!("{family:?} {number}: {fault}")),
        );
    }
    println!("{family:?}: {asked} systems, {events} events, {ended} end early, {} wrong", faults.len());
    assert!(faults.is_empty(), "{} of {asked}:\n{}", faults.len(), faults.join("\n"));
}
