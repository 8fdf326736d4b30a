//! Search for the elements of a step: the continuation or the homotopy finds the pattern, and Newton's method
//! then solves the whole step.

use super::continuation::{Run, RunEnd};
use super::element::Element;
use super::homotopy::Reading;
use super::polish::Polish;
use super::{Fesd, FesdStatus};

/// Number of elements that can be added if a pattern has no solution with the minimum number of elements.
const MORE_ELEMENTS: usize = 3;

impl Fesd {
    /// Searches for the pattern by continuation from switch to switch.
    pub(super) fn search_by_continuation(&mut self, t: f64, h: f64, x: &[f64]) -> FesdStatus {
        let end = self.run_continuation(t, h, x, self.settings.max_switches);
        let status = match end {
            RunEnd::Complete if self.polish_continuation(t, h, x) => FesdStatus::Converged,
            RunEnd::Complete => FesdStatus::Stalled,
            RunEnd::TooMany => FesdStatus::TooManySwitches,
            RunEnd::NoWay => FesdStatus::NoContinuation,
        };
        if !status.is_success() {
            self.take_pieces();
            self.measure(x, h);
        }
        status
    }

    /// Searches for the pattern by the homotopy. The homotopy is skipped if the step has no switch.
    pub(super) fn search_by_homotopy(&mut self, t: f64, h: f64, x: &[f64]) -> FesdStatus {
        let nominal = self.settings.elements;
        let end = self.run_continuation(t, h, x, 0);
        if end == RunEnd::Complete && self.polish_continuation(t, h, x) {
            return FesdStatus::Converged;
        }
        for count in nominal..=nominal + MORE_ELEMENTS {
            let Self { system, scales, table, settings, .. } = self;
            let is_found = self.homotopy.run(&mut Run { system, scales, table, settings, t, h }, x, count);
            self.report.iterations += self.homotopy.evaluations();
            if is_found && self.polish_homotopy(t, h, x, count) {
                return FesdStatus::Converged;
            }
        }
        self.elements.clear();
        FesdStatus::NoPattern
    }

    /// Solves the step with the elements of the homotopy as the initial guess: for each `Reading`, first with
    /// all elements, then with one element omitted. Returns `true` as soon as all conditions hold.
    fn polish_homotopy(&mut self, t: f64, h: f64, x: &[f64], found: usize) -> bool {
        for reading in [Reading::Largest, Reading::EveryStage] {
            for without in std::iter::once(None).chain((1..found).map(|rank| Some(rank - 1))) {
                let Self { system, scales, table, settings, elements, .. } = self;
                let mut run = Run { system, scales, table, settings, t, h };
                let pieces = self.homotopy.pieces(reading, without);
                let count = settings.elements.max(Polish::segments_of(pieces));
                let is_solved = self.polish.solve_from_pieces(&mut run, pieces, count, elements);
                self.report.iterations += self.polish.iterations;
                if is_solved && self.measure(x, h) {
                    return true;
                }
            }
        }
        false
    }

    fn run_continuation(&mut self, t: f64, h: f64, x: &[f64], most_switches: usize) -> RunEnd {
        let Self { system, scales, table, settings, .. } = self;
        let mut run = Run { system, scales, table, settings, t, h };
        let end = self.continuation.run(&mut run, x, most_switches);
        self.report.iterations += self.continuation.iterations;
        end
    }

    /// Solves the step with the elements of the continuation as initial guess. Returns `true` if all
    /// conditions hold.
    fn polish_continuation(&mut self, t: f64, h: f64, x: &[f64]) -> bool {
        let segments = Polish::segments_of(self.continuation.pieces());
        let nominal = self.settings.elements;
        if segments == 1 && self.continuation.pieces().len() == nominal {
            self.take_pieces();
            return self.measure(x, h);
        }
        let least = nominal.max(segments);
        for count in least..=least + MORE_ELEMENTS {
            let Self { system, scales, table, settings, elements, .. } = self;
            let mut run = Run { system, scales, table, settings, t, h };
            let pieces = self.continuation.pieces();
            let is_solved = self.polish.solve_from_pieces(&mut run, pieces, count, elements);
            self.report.iterations += self.polish.iterations;
            if is_solved && self.measure(x, h) {
                return true;
            }
        }
        false
    }

    /// Uses the elements of the continuation as the elements of the step.
    fn take_pieces(&mut self) {
        let pieces = self.continuation.pieces();
        self.elements.resize_with(pieces.len(), Element::default);
        for (element, piece) in self.elements.iter_mut().zip(pieces) {
            element.copy_from(&piece.element);
        }
    }
}
