//! Comparison of computed trajectories with exact ones.

use super::{Ending, Family, HybridProblem, Trajectory, draw};
use crate::compare::worse;

/// How far from the exact time \[s\] a firing may be.
const OF_TIMES: f64 = 1e-8;

/// How far from the exact state the last one may be.
const OF_STATES: f64 = 1e-7;

/// A small change of the initial state, and the most that it may grow in a problem that is asked.
const SMALL: f64 = 1e-9;
const MOST_GROWTH: f64 = 1e3;

/// An event is known to so many seconds.
const OF_EVENTS: f64 = 4e-13;

/// What a program claims to have come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// The end.
    Reached,
    /// A time at which events accumulate.
    Accumulation,
    /// A time from which on the motion stays at a switch.
    Sliding,
    /// Anything else, in words.
    Other(String),
}

/// What a program has made of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// What it claims.
    pub claim: Claim,
    /// The events that fired, by number from 1 and time \[s\].
    pub firings: Vec<(usize, f64)>,
    /// The last state.
    pub x: Vec<f64>,
}

impl Trajectory {
    /// What is wrong with a computed trajectory; none if nothing is.
    #[must_use]
    pub fn fault_of(&self, problem: &HybridProblem, computed: &Computed) -> Option<String> {
        let Computed { claim, firings, x } = computed;
        // What a late event changes grows as well.
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
            // Whether events accumulate, a few of them decide.
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

    /// By how much a small change of the initial state grows; none if it changes the course of events.
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

/// Gives the first `count` problems of a family that have a trajectory to a program, and compares. Problems
/// with two crossings of one trigger closer than `closest` \[s\], with no event between them, are left out.
///
/// # Panics
///
/// If a trajectory is wrong.
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
