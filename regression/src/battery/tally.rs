//! What became of all problems: by family for the default method, by method over all.

use std::collections::BTreeMap;

use serde::Serialize;
use siconos_numerics::Status;
use siconos_testkit::contact::battery::{self, Drawn, Family, Known};

use super::judge::{End, Verdict, Verdicts};

/// What became of all problems.
#[derive(Debug, Serialize)]
pub(crate) struct Tally {
    pub(crate) problems: usize,
    pub(crate) families: Vec<OfFamily>,
    pub(crate) methods: Vec<OfMethod>,
    /// Problems that the default method has to solve and does not, by number.
    pub(crate) missed: Vec<usize>,
    /// Everything that breaks a rule, but for what is `missed`.
    #[serde(skip)]
    pub(crate) offences: Vec<String>,
}

/// What the default method made of one family.
#[derive(Debug, Serialize)]
pub(crate) struct OfFamily {
    pub(crate) kind: &'static str,
    /// The coefficient; infinite is `null`.
    pub(crate) mu: f64,
    pub(crate) problems: usize,
    /// Solved, or proven to have no solution where there is none.
    pub(crate) solved: usize,
}

/// What one method made of all problems.
#[derive(Debug, Serialize)]
pub(crate) struct OfMethod {
    pub(crate) method: &'static str,
    pub(crate) solved: usize,
    pub(crate) refused: usize,
    pub(crate) offences: usize,
    /// How the others ended.
    pub(crate) others: BTreeMap<String, usize>,
    pub(crate) seconds: f64,
    /// The longest time for one problem, and its number.
    pub(crate) slowest: (f64, usize),
}

impl Tally {
    pub(super) fn of(all: &[Verdicts]) -> Self {
        let mut tally = Self {
            problems: all.len(),
            families: battery::families().into_iter().map(OfFamily::new).collect(),
            methods: Vec::new(),
            missed: Vec::new(),
            offences: Vec::new(),
        };
        for Verdicts { drawn, of_methods } in all {
            for (k, verdict) in of_methods.iter().enumerate() {
                if tally.methods.len() <= k {
                    tally.methods.push(OfMethod::new(verdict.method));
                }
                tally.methods[k].add(verdict, drawn.number);
                if let Some(offence) = &verdict.offence {
                    tally.offences.push(format!("{} on {}: {offence}", verdict.method, name(drawn)));
                }
                if verdict.is_default {
                    let family = drawn.number % tally.families.len();
                    tally.families[family].add(verdict);
                    if has_to_be_solved(drawn) && verdict.end != End::Solved {
                        tally.missed.push(drawn.number);
                    }
                }
            }
        }
        tally
    }
}

/// What the default method has to solve: whatever has a planted solution with mu up to 1, or up to 10 with a matrix of
/// full rank.
fn has_to_be_solved(drawn: &Drawn) -> bool {
    let Family { mu, .. } = drawn.family;
    matches!(drawn.known, Known::Solution(_)) && (mu <= 1.0 || (mu <= 10.0 && drawn.has_full_rank))
}

/// A problem in few words.
fn name(drawn: &Drawn) -> String {
    let Family { kind, mu } = drawn.family;
    format!("problem {} ({}, mu {mu}, {})", drawn.number, kind.name(), drawn.law.name())
}

impl OfFamily {
    fn new(Family { kind, mu }: Family) -> Self {
        Self { kind: kind.name(), mu, problems: 0, solved: 0 }
    }

    fn add(&mut self, verdict: &Verdict) {
        self.problems += 1;
        let is_right = matches!(verdict.end, End::Solved | End::NotSolved(Status::NoSolution));
        self.solved += usize::from(is_right && verdict.offence.is_none());
    }
}

impl OfMethod {
    fn new(method: &'static str) -> Self {
        let others = BTreeMap::new();
        Self { method, solved: 0, refused: 0, offences: 0, others, seconds: 0.0, slowest: (0.0, 0) }
    }

    fn add(&mut self, verdict: &Verdict, number: usize) {
        match verdict.end {
            End::Solved => self.solved += 1,
            End::Refused => self.refused += 1,
            End::NotSolved(status) => *self.others.entry(status.to_string()).or_default() += 1,
            End::Panicked => *self.others.entry("panicked".to_owned()).or_default() += 1,
        }
        self.offences += usize::from(verdict.offence.is_some());
        self.seconds += verdict.seconds;
        if verdict.seconds > self.slowest.0 {
            self.slowest = (verdict.seconds, number);
        }
    }
}
