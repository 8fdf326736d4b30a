//! Simultaneous solution for all elements of a step with a known pattern.

use super::continuation::{Piece, Run};
use super::element::Element;
use super::newton::PatternNewton;
use super::pattern::{Ending, PatternProblem, Segment, share_elements};

/// Pattern of a step, with Newton's method for its square system.
#[derive(Debug, Default)]
pub(super) struct Polish {
    segments: Vec<Segment>,
    lengths: Vec<f64>,
    newton: PatternNewton,
    pub(super) iterations: usize,
}

impl Polish {
    /// Returns the number of segments, which is the number of switches plus one.
    pub(super) fn segments_of(pieces: &[Piece]) -> usize {
        1 + pieces.iter().filter(|piece| piece.ending != Ending::Step).count()
    }

    /// Solves for `count` elements. The pieces define the pattern and the initial guess.
    pub(super) fn solve_from_pieces(
        &mut self,
        run: &mut Run<'_>,
        pieces: &[Piece],
        count: usize,
        elements: &mut Vec<Element>,
    ) -> bool {
        self.segments.clear();
        self.lengths.clear();
        let mut length = 0.0;
        for (k, piece) in pieces.iter().enumerate() {
            length += piece.element.h;
            if piece.ending != Ending::Step || k + 1 == pieces.len() {
                let (active, ending) = (piece.element.active.clone(), piece.ending);
                self.segments.push(Segment { active, elements: 1, ending });
                self.lengths.push(length);
                length = 0.0;
            }
        }
        share_elements(&mut self.segments, &self.lengths, count);
        elements.resize_with(count, Element::default);
        let (mut next, mut piece) = (0, 0);
        let mut t = run.t;
        for (segment, length) in self.segments.iter().zip(&self.lengths) {
            let h = length / segment.elements as f64;
            for element in &mut elements[next..next + segment.elements] {
                element.resize(run.system.states(), run.system.pairs(), run.table.stages());
                (element.t, element.h) = (t, h);
                element.start.copy_from_slice(&pieces[0].element.start);
                let middle = t + 0.5 * h;
                while pieces[piece].ending == Ending::Step
                    && piece + 1 < pieces.len()
                    && middle > pieces[piece].element.t + pieces[piece].element.h
                {
                    piece += 1;
                }
                let Piece { element: from, start_weights, start_level, .. } = &pieces[piece];
                element.guess_from(from, start_weights, *start_level, run.table);
                t += h;
            }
            while piece + 1 < pieces.len() && pieces[piece].ending == Ending::Step {
                piece += 1;
            }
            piece = (piece + 1).min(pieces.len() - 1);
            next += segment.elements;
        }
        self.solve(run, elements)
    }

    /// Solves the square system of the pattern `self.segments`. On entry `elements` contains the initial
    /// guess.
    fn solve(&mut self, run: &mut Run<'_>, elements: &mut [Element]) -> bool {
        let problem = PatternProblem {
            table: run.table,
            segments: &self.segments,
            t: run.t,
            span: run.h,
            tolerance: run.settings.tolerance,
            max_iterations: run.settings.max_iterations,
        };
        let end = self.newton.solve(run.system, problem, run.scales, elements);
        self.iterations = end.iterations;
        if end.is_converged {
            elements.iter().for_each(|element| run.scales.include_element(element));
        }
        end.is_converged && elements.iter().all(|element| element.h > 0.0)
    }
}
