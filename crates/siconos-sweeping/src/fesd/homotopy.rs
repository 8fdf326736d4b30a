//! Homotopy that finds the active sets of all elements of a step.

use super::continuation::{Piece, Run};
use super::element::Element;
use super::path::Path;
use super::pattern::Ending;

/// Homotopy in sigma, the product of each weight and its slack, with workspace.
///
/// At the end of the path of solutions, sigma is small but not 0, and elements that the step does not need
/// have small lengths. Therefore two criteria ([`Reading`]) for the active sets are tried, each with all
/// elements and with one element omitted. The first pattern that satisfies all conditions of the step is
/// accepted.
#[derive(Debug, Default)]
pub(super) struct Homotopy {
    path: Path,
    found: Vec<Piece>,
    pieces: Vec<Piece>,
    /// Indices of the elements, sorted by increasing length.
    order: Vec<usize>,
}

/// Criterion that decides which weights of an element are active. Slacks and weights are compared in their
/// units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// A pair is active if its largest weight in the element is at least its largest slack.
    Largest,
    /// A pair is active if at every stage its weight is at least its slack. This criterion is for a state
    /// that leaves a surface: the weight at the first stage is then small, and the slacks at the later stages
    /// grow as a power of time.
    EveryStage,
}

impl Homotopy {
    /// Follows the path of solutions with `elements` elements. Returns `true` if the end of the path was
    /// reached.
    pub(super) fn run(&mut self, run: &mut Run<'_>, x: &[f64], elements: usize) -> bool {
        let is_found = self.path.follow(run, x, elements);
        if is_found {
            self.read(run.t, x);
        }
        is_found
    }

    /// Returns the number of evaluations of the smoothed conditions.
    pub(super) fn evaluations(&self) -> usize {
        self.path.evaluations
    }

    /// Returns the elements at the end of the path, with the active sets given by `reading`. If `without` is
    /// k, the element with the k-th smallest length (counted from 0) is omitted. An element that the step
    /// does not need contains a switch, and its length goes to 0 along the path.
    pub(super) fn pieces(&mut self, reading: Reading, without: Option<usize>) -> &[Piece] {
        let Self { path, found, pieces, order } = self;
        let (smoothed, layout) = (&path.smoothed, path.smoothed.layout);
        let dropped = without.map(|rank| order[rank]);
        pieces.clear();
        for (e, piece) in found.iter().enumerate().filter(|&(e, _)| Some(e) != dropped) {
            let mut piece = piece.clone();
            let pairs = |i: usize| (0..layout.stages).map(move |j| smoothed.pair(e, j, i));
            let largest = |i: usize| {
                let weight = pairs(i).map(|pair| pair.weight).fold(0.0, f64::max);
                weight >= pairs(i).map(|pair| pair.slack).fold(0.0, f64::max)
            };
            let at_every_stage = |i: usize| pairs(i).all(|pair| pair.weight >= pair.slack);
            piece.element.active.extend((0..layout.m).filter(|&i| match reading {
                Reading::Largest => largest(i),
                Reading::EveryStage => at_every_stage(i),
            }));
            pieces.push(piece);
        }
        for e in 1..pieces.len() {
            let (before, after) = pieces.split_at_mut(e);
            let before = &mut before[e - 1];
            before.ending = ending_between(&before.element.active, &after[0].element.active);
        }
        pieces
    }

    /// Converts the solution at the end of the path to elements.
    fn read(&mut self, t: f64, x: &[f64]) {
        let Self { path, found, order, .. } = self;
        let (smoothed, layout) = (&path.smoothed, path.smoothed.layout);
        let units = smoothed.units();
        found.clear();
        let mut t = t;
        for e in 0..layout.elements {
            let mut element = Element { t, h: path.z[layout.length(e)] * units.length, ..Element::default() };
            t += element.h;
            element.resize(layout.n, layout.m, layout.stages);
            element.start.copy_from_slice(found.last().map_or(x, |before: &Piece| before.element.end()));
            for j in 0..layout.stages {
                let at = layout.stage(e, j);
                for k in 0..layout.n {
                    element.stages[j * layout.n + k] = path.z[at + k] * units.state[k];
                }
                for i in 0..layout.m {
                    element.weights[j * layout.m + i] = smoothed.pair(e, j, i).weight * units.weight[i];
                }
                if layout.is_convex {
                    element.levels[j] = path.z[at + layout.n + layout.m] * units.slack[0];
                }
            }
            let (start_weights, start_level) = (element.weights_at(0).to_vec(), element.levels[0]);
            found.push(Piece { element, start_weights, start_level, ending: Ending::Step });
        }
        order.clear();
        order.extend(0..layout.elements);
        order.sort_by(|&a, &b| found[a].element.h.total_cmp(&found[b].element.h));
    }
}

/// Returns the type of the switch between two active sets: `SlackIsZero` if a pair becomes active, otherwise
/// `WeightIsZero` if a pair becomes inactive.
fn ending_between(before: &[usize], after: &[usize]) -> Ending {
    let comes = after.iter().find(|i| !before.contains(i));
    let goes = before.iter().find(|i| !after.contains(i));
    match (comes, goes) {
        (Some(&i), _) => Ending::SlackIsZero(i),
        (None, Some(&i)) => Ending::WeightIsZero(i),
        (None, None) => Ending::Step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slack_ends_an_element_where_a_pair_comes_and_a_weight_where_one_only_goes() {
        assert_eq!(ending_between(&[0], &[1]), Ending::SlackIsZero(1));
        assert_eq!(ending_between(&[0], &[0, 2]), Ending::SlackIsZero(2));
        assert_eq!(ending_between(&[0, 2], &[0]), Ending::WeightIsZero(2));
        assert_eq!(ending_between(&[0, 2], &[0, 2]), Ending::Step);
    }
}
