//! Homotopy that finds the pattern of a step. Its elements are the initial guess for the pattern.

use super::continuation::{Piece, Run};
use super::element::Element;
use super::path::Path;
use super::pattern::Ending;

/// Homotopy, with workspace.
///
/// At the end of the path sigma is small but not 0, and elements that the step does not need have small
/// lengths. The active sets are [read](Reading) in two ways, and each way is tried with all elements and with
/// one element omitted. The conditions of the step decide which pattern is right.
#[derive(Debug, Default)]
pub(super) struct Homotopy {
    path: Path,
    found: Vec<Piece>,
    pieces: Vec<Piece>,
    /// Indices of the elements, from the shortest element to the longest.
    order: Vec<usize>,
}

/// Criterion that decides which weights of an element are active. Slacks and weights are in their units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The largest weight of a pair in the element is at least the largest slack of the pair.
    Largest,
    /// At every stage, the weight of a pair is at least the slack of the pair at this stage. This criterion
    /// is for a state that leaves a surface: the weight at the first stage is then small, and the slacks at
    /// the later stages grow as a power of time.
    EveryStage,
}

impl Homotopy {
    /// Follows the path with a given number of elements. Returns `true` if the end of the path was reached.
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

    /// Returns the elements at the end of the path. `without` omits one element: 0 omits the shortest, 1 the
    /// second shortest, and so on. An element that the step does not need lies across a switch, has the
    /// active sets of both sides, and has a length that goes to 0.
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

    /// Converts the point at the end of the path to elements.
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

/// Returns the ending between two active sets: a slack of 0 if a pair becomes active, otherwise a weight of
/// 0.
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
