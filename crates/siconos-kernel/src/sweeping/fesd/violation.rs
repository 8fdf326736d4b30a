//! Where in an element a slack or a weight first becomes negative.

use super::FesdSystem;
use super::element::Element;
use super::pattern::Ending;
use super::radau::RadauTable;
use super::scales::{Scales, relative};

/// The parts of an element at which it is looked at, beside its stages.
const SAMPLES: usize = 16;

/// Halvings of the distance between two samples.
const HALVINGS: usize = 60;

/// A sign that is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Violation {
    /// The part of the element at which it becomes so.
    pub(super) part: f64,
    /// The part at which it is so.
    pub(super) seen: f64,
    pub(super) ending: Ending,
    /// Whether it is so at a stage, or only on the polynomial through the stages.
    pub(super) is_at_stage: bool,
}

/// What it takes to look at an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) table: &'a RadauTable,
    pub(super) scales: &'a Scales,
    pub(super) tolerance: f64,
    /// All m weights where the element begins.
    pub(super) start_weights: &'a [f64],
    /// Pairs whose slack is not looked at between the stages.
    pub(super) cleared: &'a [usize],
}

/// Memory of the search.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    parts: Vec<f64>,
    x: Vec<f64>,
    guards: Vec<f64>,
    weights: Vec<f64>,
    /// At the sample before, and at this one: slacks of the pairs without weight, weights of the others.
    before: Vec<f64>,
    now: Vec<f64>,
    /// Whether the number of a pair is negative at a stage; whether its slack is 0 at all of them.
    is_negative: Vec<bool>,
    is_zero: Vec<bool>,
}

impl Inspector {
    /// The first violation of an element.
    pub(super) fn first_violation(
        &mut self,
        system: &mut FesdSystem,
        element: &Element,
        look: Look<'_>,
    ) -> Option<Violation> {
        let m = system.pairs();
        self.x.resize(element.start.len(), 0.0);
        for numbers in [&mut self.guards, &mut self.weights, &mut self.before, &mut self.now] {
            numbers.resize(m, 0.0);
        }
        self.parts.clear();
        self.parts.extend((1..=SAMPLES).map(|k| k as f64 / SAMPLES as f64));
        self.parts.extend(look.table.nodes.iter().filter(|&&node| node < 1.0));
        self.parts.sort_by(f64::total_cmp);
        self.look_at_stages(system, element, look);
        self.sample(system, element, look, 0.0);
        self.before.copy_from_slice(&self.now);
        let mut start = 0.0;
        for k in 0..self.parts.len() {
            let part = self.parts[k];
            self.sample(system, element, look, part);
            let mut first: Option<Violation> = None;
            for i in 0..m {
                if !self.is_violated(element, look, i, part) {
                    continue;
                }
                let root = self.root(system, element, look, i, (start, part));
                if first.is_none_or(|first| root < first.part) {
                    let ending = if element.active.contains(&i) {
                        Ending::WeightIsZero(i)
                    } else {
                        Ending::SlackIsZero(i)
                    };
                    first =
                        Some(Violation { part: root, seen: part, ending, is_at_stage: self.is_negative[i] });
                }
            }
            if first.is_some() {
                return first;
            }
            // The root search samples on its own.
            std::mem::swap(&mut self.before, &mut self.now);
            start = part;
        }
        None
    }

    fn scale(element: &Element, look: Look<'_>, i: usize) -> f64 {
        if element.active.contains(&i) { look.scales.weight[i] } else { look.scales.slack[i] }
    }

    fn is_violated(&self, element: &Element, look: Look<'_>, i: usize, part: f64) -> bool {
        let value = self.now[i];
        if element.active.contains(&i) {
            return self.is_negative[i] && value < 0.0;
        }
        let is_stage = look.table.nodes.contains(&part);
        let is_wrong = relative(value, look.scales.slack[i]) < -look.tolerance;
        is_wrong && (is_stage || self.is_negative[i] || !(self.is_zero[i] || look.cleared.contains(&i)))
    }

    /// Notes the signs at the stages.
    fn look_at_stages(&mut self, system: &mut FesdSystem, element: &Element, look: Look<'_>) {
        let m = system.pairs();
        self.is_negative.clear();
        self.is_negative.resize(m, false);
        self.is_zero.clear();
        self.is_zero.resize(m, true);
        for j in 0..look.table.stages() {
            let t = element.t + look.table.nodes[j] * element.h;
            system.write_guards(t, element.state_at(j), &mut self.guards);
            for i in 0..m {
                let is_active = element.active.contains(&i);
                let value =
                    if is_active { element.weights_at(j)[i] } else { self.guards[i] - element.levels[j] };
                let error = relative(value, Self::scale(element, look, i));
                self.is_negative[i] |= error < -look.tolerance;
                self.is_zero[i] &= error.abs() <= look.tolerance;
            }
        }
    }

    /// Writes slacks and weights at a part of the element to `now`.
    fn sample(&mut self, system: &mut FesdSystem, element: &Element, look: Look<'_>, part: f64) {
        look.table.interpolate(&element.start, &element.stages, part, &mut self.x);
        look.table.interpolate(look.start_weights, &element.weights, part, &mut self.weights);
        system.write_guards(element.t + part * element.h, &self.x, &mut self.guards);
        let level = match element.active.first() {
            Some(&first) if system.is_convex() => self.guards[first],
            _ => 0.0,
        };
        for (i, now) in self.now.iter_mut().enumerate() {
            *now = if element.active.contains(&i) { self.weights[i] } else { self.guards[i] - level };
        }
    }

    /// Where the number of a pair becomes negative between two samples, of which it is so at the second.
    fn root(
        &mut self,
        system: &mut FesdSystem,
        element: &Element,
        look: Look<'_>,
        i: usize,
        (mut above, mut below): (f64, f64),
    ) -> f64 {
        if self.before[i] <= 0.0 && above > 0.0 {
            return above;
        }
        let kept = std::mem::take(&mut self.now);
        self.now = vec![0.0; kept.len()];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (above + below);
            self.sample(system, element, look, middle);
            if self.now[i] < 0.0 { below = middle } else { above = middle }
        }
        self.now = kept;
        below
    }
}
