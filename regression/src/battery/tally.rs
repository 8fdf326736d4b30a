//! Totals of a battery by method and family.

use std::collections::BTreeMap;

use serde::Serialize;
use siconos_numerics::Status;
use siconos_testkit::contact::battery::{self, Drawn, Family, Known};
use siconos_testkit::contact::name_of_law;

use super::judge::{End, Verdict, Verdicts};

/// Totals of all problems.
#[derive(Debug, Serialize)]
pub(crate) struct Tally {
    pub(crate) problems: usize,
    /// The default method of the local form is the first.
    pub(crate) methods: Vec<OfMethod>,
    /// All violated rules.
    #[serde(skip)]
    pub(crate) offences: Vec<String>,
}

/// Results of one method on one family.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OfFamily {
    pub(crate) kind: &'static str,
    /// Coefficient; infinity is `null`.
    pub(crate) mu: f64,
    /// Problems that the method was run on.
    pub(crate) problems: usize,
    /// Problems solved, or without a solution and proven so.
    pub(crate) solved: usize,
}

/// Results of one method on all problems.
#[derive(Debug, Serialize)]
pub(crate) struct OfMethod {
    pub(crate) method: String,
    pub(crate) families: Vec<OfFamily>,
    pub(crate) asked: usize,
    pub(crate) solved: usize,
    pub(crate) refused: usize,
    pub(crate) offences: usize,
    /// Numbers of the other ends.
    pub(crate) others: BTreeMap<String, usize>,
    pub(crate) seconds: f64,
    /// Longest time for one problem, and the number of the problem.
    pub(crate) slowest: (f64, usize),
}

impl Tally {
    pub(super) fn of<'a>(all: impl Iterator<Item = &'a Verdicts>) -> Self {
        let mut tally = Self { problems: 0, methods: Vec::new(), offences: Vec::new() };
        for Verdicts { drawn, of_methods } in all {
            tally.problems += 1;
            for verdict in of_methods {
                tally.add(verdict, drawn);
            }
        }
        tally
    }

    fn add(&mut self, verdict: &Verdict, drawn: &Drawn) {
        let place = self.methods.iter().position(|of| of.method == verdict.method);
        let place = place.unwrap_or_else(|| {
            self.methods.push(OfMethod::new(&verdict.method));
            self.methods.len() - 1
        });
        self.methods[place].add(verdict, drawn);
        let offence = |what: &str| format!("{} on {}: {what}", verdict.method, name(drawn));
        self.offences.extend(verdict.offence.as_deref().map(offence));
        if verdict.is_default && has_to_be_solved(drawn) && !matches!(verdict.end, End::Solved | End::Refused)
        {
            self.offences.push(offence("it misses a solution that it must find"));
        }
    }
}

/// Returns `true` if the default methods have to solve a problem: it has a planted solution, and mu is at
/// most 1, or at most 10 with a matrix of full rank.
fn has_to_be_solved(drawn: &Drawn) -> bool {
    let Family { mu, .. } = drawn.family;
    matches!(drawn.known, Known::Solution(_)) && (mu <= 1.0 || (mu <= 10.0 && drawn.has_full_rank))
}

/// Returns a short description of a problem.
fn name(drawn: &Drawn) -> String {
    let Family { kind, mu } = drawn.family;
    format!("problem {} ({}, mu {mu}, {})", drawn.number, kind.name(), name_of_law(&drawn.law))
}

impl OfMethod {
    pub(super) fn new(method: &str) -> Self {
        let of_family = |Family { kind, mu }| OfFamily { kind: kind.name(), mu, problems: 0, solved: 0 };
        Self {
            method: method.to_owned(),
            families: battery::families().into_iter().map(of_family).collect(),
            asked: 0,
            solved: 0,
            refused: 0,
            offences: 0,
            others: BTreeMap::new(),
            seconds: 0.0,
            slowest: (0.0, 0),
        }
    }

    fn add(&mut self, verdict: &Verdict, drawn: &Drawn) {
        let number = drawn.number % self.families.len();
        let family = &mut self.families[number];
        self.asked += 1;
        match verdict.end {
            End::Solved => self.solved += 1,
            End::Refused => self.refused += 1,
            End::NotSolved(status) => *self.others.entry(status.to_string()).or_default() += 1,
            End::Panicked => *self.others.entry("panicked".to_owned()).or_default() += 1,
        }
        if verdict.end != End::Refused {
            family.problems += 1;
            let is_right = matches!(verdict.end, End::Solved | End::NotSolved(Status::NoSolution));
            family.solved += usize::from(is_right && verdict.offence.is_none());
        }
        self.offences += usize::from(verdict.offence.is_some());
        self.seconds += verdict.seconds;
        if verdict.seconds > self.slowest.0 {
            self.slowest = (verdict.seconds, drawn.number);
        }
    }
}
