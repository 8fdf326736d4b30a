//! Earliest point of an element at which a slack or a weight becomes negative.

use super::super::sizes::relative;
use super::FesdSystem;
use super::element::Element;
use super::pattern::Ending;
use super::radau::RadauTable;
use super::scales::Scales;

/// Number of equidistant samples of an element. The stages and the minima of the slacks are sampled as well.
const SAMPLES: usize = 16;

/// Maximum number of parabolas that locate a minimum of a slack. If the slack is a polynomial of degree 2,
/// the first parabola is exact.
const PARABOLAS: usize = 6;

/// Number of bisections that locate a change of sign between two samples.
const HALVINGS: usize = 60;

/// Negative slack or weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Violation {
    /// Position at which the value becomes negative, as a fraction of the element.
    pub(super) part: f64,
    /// Position of the sample at which the negative value was found, as a fraction of the element; at or
    /// after `part`.
    pub(super) seen: f64,
    pub(super) ending: Ending,
    /// `true` if the value is also negative at a stage; `false` if it is negative only on the polynomial
    /// between the stages.
    pub(super) is_at_stage: bool,
}

/// Data for the search for negative values in an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) table: &'a RadauTable,
    pub(super) scales: &'a Scales,
    pub(super) tolerance: f64,
    /// All m weights at the start of the element.
    pub(super) start_weights: &'a [f64],
    /// Pairs whose slack is not checked between the stages.
    pub(super) cleared: &'a [usize],
}

/// Search for negative slacks and weights, with workspace.
///
/// Slacks are evaluated on the polynomial of the element at equidistant samples. A minimum between samples is
/// located by parabolas through three points, and becomes a further sample. An interval with a negative slack
/// is therefore found, however short it is, if the slack is below 0 by more than the tolerance and has at
/// most one minimum between two samples.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    parts: Vec<f64>,
    /// Fractions at which every element is sampled, starting with 0. `samples` contains the slacks and
    /// weights at these fractions, one row each.
    sampled: Vec<f64>,
    samples: Vec<f64>,
    /// Fractions at which a slack has a minimum.
    least: Vec<f64>,
    x: Vec<f64>,
    guards: Vec<f64>,
    weights: Vec<f64>,
    /// Values at the previous sample and at the current sample: slacks of inactive pairs, and weights of
    /// active pairs.
    before: Vec<f64>,
    now: Vec<f64>,
    /// `is_negative[i]`: the value of pair i is negative at a stage. `is_zero[i]`: it is 0 at all stages.
    is_negative: Vec<bool>,
    is_zero: Vec<bool>,
}

impl Inspector {
    /// Returns the earliest violation in an element.
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
        self.find_least(system, element, look);
        self.before.copy_from_slice(&self.samples[..m]);
        let mut start = 0.0;
        for k in 0..self.parts.len() {
            let part = self.parts[k];
            match self.sampled.iter().position(|known| *known == part) {
                Some(row) => self.now.copy_from_slice(&self.samples[row * m..][..m]),
                None => self.sample(system, element, look, part),
            }
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
            // The root search restores `now`, which therefore holds the values at this sample.
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

    /// Determines which pairs are negative at a stage, and which pairs are 0 at all stages.
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

    /// Finds the minima of the slacks between samples, and adds their fractions to `parts`.
    fn find_least(&mut self, system: &mut FesdSystem, element: &Element, look: Look<'_>) {
        let m = system.pairs();
        self.sampled.clear();
        self.sampled.push(0.0);
        self.sampled.extend_from_slice(&self.parts);
        self.samples.clear();
        for k in 0..self.sampled.len() {
            self.sample(system, element, look, self.sampled[k]);
            self.samples.extend_from_slice(&self.now);
        }
        self.least.clear();
        for i in (0..m).filter(|i| !element.active.contains(i)) {
            for k in 2..self.sampled.len() {
                let three = [k - 2, k - 1, k].map(|k| (self.sampled[k], self.samples[k * m + i]));
                let is_dip = |part: f64| three[0].0 < part && part < three[2].0;
                let is_end = k == 2 || k + 1 == self.sampled.len();
                // Skipped if the slack is 0 at the start: it can then be negative within the error of the
                // element.
                if k == 2 && relative(three[0].1, look.scales.slack[i]) <= look.tolerance {
                    continue;
                }
                // Near an end of the element, the slack can have a minimum between these samples although the
                // middle sample is not the lowest.
                let has_least = three[1].1 <= three[0].1 && three[1].1 <= three[2].1;
                if (has_least || is_end) && bottom(three).is_some_and(is_dip) {
                    self.approach(system, element, look, i, three);
                }
            }
        }
        self.parts.extend_from_slice(&self.least);
        self.parts.sort_by(f64::total_cmp);
        self.parts.dedup();
    }

    /// Locates the minimum of the slack of pair i between three samples. Stops when a negative slack is
    /// found.
    fn approach(
        &mut self,
        system: &mut FesdSystem,
        element: &Element,
        look: Look<'_>,
        i: usize,
        mut three: [(f64, f64); 3],
    ) {
        let ends = three[0].0..three[2].0;
        let mut best: Option<(f64, f64)> = None;
        for _ in 0..PARABOLAS {
            let Some(part) = bottom(three).filter(|part| ends.contains(part)) else { break };
            if three.iter().any(|(known, _)| *known == part) {
                break;
            }
            self.sample(system, element, look, part);
            let found = (part, self.now[i]);
            if best.is_none_or(|best| found.1 < best.1) {
                best = Some(found);
            }
            if relative(found.1, look.scales.slack[i]) < -look.tolerance {
                break;
            }
            // The three lowest points are kept.
            let highest = (0..3).fold(0, |most, k| if three[k].1 > three[most].1 { k } else { most });
            three[highest] = found;
            three.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        self.least.extend(best.map(|best| best.0));
    }

    /// Writes the slacks and weights at the fraction `part` of the element to `now`.
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

    /// Returns the fraction between two samples at which the value of pair i becomes negative. The value must
    /// be negative at the second sample.
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

/// Returns the minimiser of the parabola through three points, or `None` if the parabola has no minimum.
fn bottom([a, b, c]: [(f64, f64); 3]) -> Option<f64> {
    let slope = |p: (f64, f64), q: (f64, f64)| (q.1 - p.1) / (q.0 - p.0);
    let (left, right) = (slope(a, b), slope(b, c));
    let bend = (right - left) / (c.0 - a.0);
    (bend > 0.0).then(|| 0.5 * (a.0 + b.0) - 0.5 * left / bend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_least_at_its_bottom() {
        let at = |x: f64| (x, 3.0 * (x - 0.3) * (x - 0.3) - 1.0);
        let found = bottom([at(0.0), at(0.25), at(1.0)]).expect("it opens upwards");
        assert!((found - 0.3).abs() < 1e-15, "{found}");
        assert_eq!(bottom([(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]), None);
        assert_eq!(bottom([(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)]), None);
    }
}
