//! Continuation of a step from switch to switch. Each element has one active set, and ends where the sign of
//! a slack or of a weight becomes wrong.

use super::active_set::ActiveSets;
use super::element::Element;
use super::newton::PatternNewton;
use super::pattern::{Ending, PatternProblem, Segment};
use super::radau::RadauTable;
use super::scales::Scales;
use super::violation::{Inspector, Look, Violation};
use super::{FesdSettings, FesdSystem};

/// A wrong sign within this fraction of an element counts as wrong at the start of the element.
const AT_ONCE: f64 = 1e-11;

/// Maximum number of times that one element is shortened. After an element is shortened to end at a switch,
/// an earlier switch can be found in it.
const MOST_EARLIER: usize = 8;

/// Maximum number of times per step that the element length is halved after a failed attempt.
const MOST_HALVINGS: usize = 12;

/// Element found by the continuation.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) element: Element,
    /// All m weights at the start of the element; `start_level` is mu at the start.
    pub(super) start_weights: Vec<f64>,
    pub(super) start_level: f64,
    /// Ending of the element; `Step` if the active set does not change at the end of the element.
    pub(super) ending: Ending,
}

/// Outcome of the continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// The continuation reached the end of the step.
    Complete,
    /// No active set allows the solution to continue.
    NoWay,
    /// The number of switches exceeds the maximum.
    TooMany,
}

/// Result of an attempt to solve an element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Attempt {
    /// All signs are right. The element has its full length or ends at a switch.
    Ends(Ending),
    /// A sign is wrong at the start of the element.
    AtOnce(Ending),
    Failed,
}

/// Continuation, with workspace.
#[derive(Debug, Default)]
pub(super) struct Continuation {
    pieces: Vec<Piece>,
    count: usize,
    pub(super) iterations: usize,
    newton: PatternNewton,
    sets: ActiveSets,
    inspector: Inspector,
    segment: Vec<Segment>,
    /// Element that is being attempted, and the copy of it that is kept while it is shortened.
    trial: Element,
    shorter: Element,
    start_weights: Vec<f64>,
    start_level: f64,
    cleared: Vec<usize>,
}

/// Data of a step: system, method, settings, start time and length.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) system: &'a mut FesdSystem,
    pub(super) scales: &'a mut Scales,
    pub(super) table: &'a RadauTable,
    pub(super) settings: &'a FesdSettings,
    pub(super) t: f64,
    pub(super) h: f64,
}

impl Continuation {
    /// Returns the elements found so far.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    /// Integrates from the state x to the end of the step. Stops earlier if the number of switches exceeds
    /// `most_switches` or if no active set succeeds.
    pub(super) fn run(&mut self, run: &mut Run<'_>, x: &[f64], most_switches: usize) -> RunEnd {
        (self.count, self.iterations) = (0, 0);
        for element in [&mut self.trial, &mut self.shorter] {
            element.resize(x.len(), run.system.pairs(), run.table.stages());
        }
        self.trial.start.copy_from_slice(x);
        let nominal = run.h / run.settings.elements as f64;
        let (mut from, mut planned, mut done) = (run.t, run.settings.elements, 0);
        let mut length = nominal;
        let (mut is_at_switch, mut switches, mut halvings) = (true, 0, 0);
        while done < planned {
            let t = from + done as f64 * length;
            (self.trial.t, self.trial.h) = (t, length);
            let attempt = if is_at_switch { self.choose(run) } else { self.attempt(run, length) };
            match attempt {
                Attempt::Ends(ending) => {
                    self.keep(ending);
                    is_at_switch = ending != Ending::Step;
                    if !is_at_switch {
                        done += 1;
                        continue;
                    }
                }
                Attempt::AtOnce(ending) if !is_at_switch => {
                    self.pieces[self.count - 1].ending = ending;
                    is_at_switch = true;
                }
                Attempt::AtOnce(_) | Attempt::Failed if halvings < MOST_HALVINGS => {
                    halvings += 1;
                    from = t;
                    planned = 2 * (planned - done);
                    (done, length) = (0, 0.5 * length);
                    continue;
                }
                Attempt::AtOnce(_) | Attempt::Failed => return RunEnd::NoWay,
            }
            switches += 1;
            if switches > most_switches {
                return RunEnd::TooMany;
            }
            let last = &self.pieces[self.count - 1].element;
            from = last.t + last.h;
            let left = run.t + run.h - from;
            if left <= AT_ONCE * run.h {
                self.pieces[self.count - 1].ending = Ending::Step;
                break;
            }
            (planned, done) = ((left / nominal - 1e-6).ceil().max(1.0) as usize, 0);
            length = left / planned as f64;
        }
        RunEnd::Complete
    }

    /// Attempts `trial` with each candidate active set at its start, until one attempt succeeds.
    fn choose(&mut self, run: &mut Run<'_>) -> Attempt {
        let (from, length) = (&self.trial, self.trial.h);
        let tolerance = run.settings.tolerance;
        self.sets.find(run.system, from.t, from.start.as_slice(), length, run.scales, tolerance);
        let mut result = Attempt::Failed;
        for k in 0..self.sets.candidates().len() {
            let candidate = &self.sets.candidates()[k];
            self.trial.set_active(&candidate.active);
            self.start_weights.clear();
            self.start_weights.extend_from_slice(&candidate.weights);
            self.start_level = self.sets.level;
            result = self.attempt(run, length);
            if matches!(result, Attempt::Ends(_)) {
                break;
            }
        }
        result
    }

    /// Attempts `trial` with its active set. If there is a switch, `trial` is shortened to end at the switch.
    fn attempt(&mut self, run: &mut Run<'_>, length: f64) -> Attempt {
        self.trial.h = length;
        self.trial.guess_constant(&self.start_weights, self.start_level);
        if !self.solve(run, length, Ending::Step) {
            return Attempt::Failed;
        }
        self.cleared.clear();
        let mut ending = Ending::Step;
        for _ in 0..MOST_EARLIER {
            let Some(violation) = self.violation(run, ending) else {
                return Attempt::Ends(ending);
            };
            if violation.part <= AT_ONCE {
                return Attempt::AtOnce(violation.ending);
            }
            let Some(found) = self.locate(run, violation) else { return Attempt::Failed };
            ending = found;
        }
        Attempt::Failed
    }

    /// Returns the earliest violation in `trial`. A violation between stages counts only if it also occurs in
    /// a shorter element.
    fn violation(&mut self, run: &mut Run<'_>, ending: Ending) -> Option<Violation> {
        loop {
            let look = Look {
                table: run.table,
                scales: run.scales,
                tolerance: run.settings.tolerance,
                start_weights: &self.start_weights,
                cleared: &self.cleared,
            };
            let violation = self.inspector.first_violation(run.system, &self.trial, look)?;
            let Ending::SlackIsZero(i) = violation.ending else { return Some(violation) };
            if violation.is_at_stage || violation.part <= AT_ONCE || ending == violation.ending {
                return Some(violation);
            }
            let length = violation.seen * self.trial.h;
            self.shorten(run.table, length);
            let is_solved = self.solve(run, length, Ending::Step);
            let is_confirmed = is_solved && self.is_negative_at_end(run, i);
            std::mem::swap(&mut self.trial, &mut self.shorter);
            if is_confirmed {
                return Some(violation);
            }
            self.cleared.push(i);
        }
    }

    fn is_negative_at_end(&self, run: &mut Run<'_>, i: usize) -> bool {
        let mut guards = vec![0.0; run.system.pairs()];
        run.system.write_guards(self.trial.t + self.trial.h, self.trial.end(), &mut guards);
        let slack = guards[i] - self.trial.levels[self.trial.levels.len() - 1];
        slack < -run.settings.tolerance * run.scales.slack[i]
    }

    /// Shortens `trial`, and keeps its previous version in `shorter`.
    fn shorten(&mut self, table: &RadauTable, length: f64) {
        std::mem::swap(&mut self.trial, &mut self.shorter);
        self.trial.t = self.shorter.t;
        self.trial.h = length;
        self.trial.start.copy_from_slice(&self.shorter.start);
        self.trial.set_active(&self.shorter.active);
        self.trial.guess_from(&self.shorter, &self.start_weights, self.start_level, table);
    }

    /// Shortens `trial` so that it ends at the switch indicated by `violation`.
    fn locate(&mut self, run: &mut Run<'_>, violation: Violation) -> Option<Ending> {
        let most = self.trial.h;
        self.shorten(run.table, violation.part * most);
        let is_solved = self.solve(run, run.h, violation.ending);
        let is_inside = self.trial.h > 0.0 && self.trial.h <= most * (1.0 + 1e-9);
        (is_solved && is_inside).then_some(violation.ending)
    }

    /// Solves the equations of `trial` for its active set.
    fn solve(&mut self, run: &mut Run<'_>, span: f64, ending: Ending) -> bool {
        if self.segment.is_empty() {
            self.segment.push(Segment { active: Vec::new(), elements: 1, ending });
        }
        let segment = &mut self.segment[0];
        segment.active.clear();
        segment.active.extend_from_slice(&self.trial.active);
        segment.ending = ending;
        let problem = PatternProblem {
            table: run.table,
            segments: &self.segment,
            t: self.trial.t,
            span,
            tolerance: run.settings.tolerance,
            max_iterations: run.settings.max_iterations,
        };
        let end = self.newton.solve(run.system, problem, run.scales, std::slice::from_mut(&mut self.trial));
        self.iterations += end.iterations;
        if end.is_converged {
            run.scales.include_element(&self.trial);
        }
        end.is_converged
    }

    /// Stores `trial` as a piece, and initialises the next element from its end.
    fn keep(&mut self, ending: Ending) {
        if self.count == self.pieces.len() {
            let start_weights = Vec::new();
            self.pieces.push(Piece { element: Element::default(), start_weights, start_level: 0.0, ending });
        }
        let piece = &mut self.pieces[self.count];
        self.count += 1;
        piece.element.copy_from(&self.trial);
        piece.start_weights.clear();
        piece.start_weights.extend_from_slice(&self.start_weights);
        piece.start_level = self.start_level;
        piece.ending = ending;
        let last = self.trial.levels.len() - 1;
        self.start_level = self.trial.levels[last];
        self.start_weights.copy_from_slice(piece.element.weights_at(last));
        self.trial.start.copy_from_slice(piece.element.end());
    }
}
