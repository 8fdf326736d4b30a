//! Search of the interior-point method, with three kinds of steps: predictor-corrector steps that contain the
//! shift, a sequence of convex programs, and steps along the central path.

use super::point::InteriorIterate;
use super::reduction_rule::ReductionRule;
use super::rows::ConeRows;
use super::space::{PointErrors, Space};
use crate::cancellation;

/// Search for reactions with a small error. The field `space` stores the best reactions.
pub(in crate::contact) struct Search<'a, S> {
    pub(in crate::contact) rows: &'a ConeRows,
    pub(in crate::contact) point: &'a mut InteriorIterate,
    pub(in crate::contact) space: &'a mut S,
    pub(in crate::contact) tolerance: f64,
    /// Maximum step length, as a fraction of the step to the boundary of the cones.
    pub(in crate::contact) to_boundary: f64,
    /// Number of steps so far.
    pub(in crate::contact) steps: usize,
    /// Maximum number of steps.
    pub(in crate::contact) most: usize,
    /// Error of the current iterate.
    pub(in crate::contact) error: f64,
}

/// Maximum number of cones for which the search starts with steps that contain the shift. These steps
/// converge on most problems of this size, with fewer steps than the other methods. Problems with many bodies
/// at rest due to friction need fewer steps without the shift.
const MOST_CONES_WITH_SHIFT: usize = 400;

/// Reason why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::contact) enum Ended {
    /// The error of the iterate is within the tolerance.
    Solved,
    /// The convex program is solved, but its solution does not solve the contact problem.
    AtItsEnd,
    /// The maximum number of steps was reached, or the solve was cancelled.
    OutOfSteps,
    /// The Newton equations have no solution, or no direction leads to an improvement.
    Stuck,
}

/// Another convex program follows if the error is at most this fraction of the error after the previous
/// program.
const CONTRACTION: f64 = 0.5;

/// Maximum step length along the central path, as a fraction of the step to the boundary of the cones.
const TO_BOUNDARY_OF_PATH: f64 = 0.9;

/// A step shorter than this is repeated with more centring.
const SHORT: f64 = 0.3;

/// The search ends if a step is shorter than this.
const SHORTEST: f64 = 1e-7;

/// Predictor-corrector steps end after this number of consecutive steps, each of which reduces the smallest
/// error by less than 10 %.
const MOST_IDLE: usize = 15;

/// The search along the central path ends after this number of consecutive reductions of the complementarity,
/// each of which reduces the smallest error by less than 10 %.
const MOST_IDLE_ON_PATH: usize = 40;

/// A convex program is treated as solved if its residual is at most this fraction of the error of the contact
/// problem.
const OWN_PART: f64 = 0.1;

/// Maximum number of centring steps after a step along the path. If they do not suffice, the step is undone.
const MOST_CENTRING: usize = 10;

/// Maximum number of centring steps at the start of the path. If they do not suffice, the search ends.
const MOST_CENTRING_AT_FIRST: usize = 40;

impl<S: Space> Search<'_, S> {
    /// Runs the search. It starts with the steps that take the least time if they converge.
    pub(in crate::contact) fn run(&mut self) -> Ended {
        self.point.prepare(self.rows, self.space);
        if !self.rows.has_shift() {
            self.begin(false);
            return self.predict_and_correct(true);
        }
        if self.rows.cones() <= MOST_CONES_WITH_SHIFT {
            self.begin(true);
            let ended = self.predict_and_correct(false);
            if ended != Ended::Stuck {
                return ended;
            }
        }
        self.point.drop_shift();
        let mut before = f64::INFINITY;
        loop {
            self.begin(false);
            match self.predict_and_correct(true) {
                Ended::AtItsEnd if self.error <= CONTRACTION * before => {}
                Ended::AtItsEnd | Ended::Stuck => break,
                ended => return ended,
            }
            before = self.error;
            self.point.hold(self.rows);
        }
        self.begin(true);
        self.follow()
    }

    fn begin(&mut self, follows: bool) {
        let size = self.space.free_velocity() / (self.rows.cones() as f64).sqrt();
        self.point.begin(self.rows, if size > 0.0 { size } else { 1.0 }, follows);
        self.space.begin();
    }

    fn measure(&mut self) -> PointErrors {
        let measured = self.space.measure(self.rows, &self.point.x);
        self.error = measured.error;
        measured
    }

    /// Takes predictor-corrector steps (Mehrotra 1992). If `is_program` is `true`, the steps solve the convex
    /// program with a fixed shift; otherwise they solve the contact problem.
    fn predict_and_correct(&mut self, is_program: bool) -> Ended {
        let (mut idle, mut least) = (0, f64::INFINITY);
        loop {
            let PointErrors { error, balance } = self.measure();
            if error <= self.tolerance {
                return Ended::Solved;
            }
            if self.point.linearise(self.rows, self.space).is_none() {
                return Ended::Stuck;
            }
            let own = if is_program {
                balance + self.point.violation(self.rows) / self.space.free_velocity()
            } else {
                error
            };
            idle = if own < 0.9 * least { 0 } else { idle + 1 };
            least = least.min(own);
            let is_at_its_end = is_program && self.rows.has_shift() && own <= OWN_PART * error;
            if is_at_its_end || idle == MOST_IDLE {
                return if is_program { Ended::AtItsEnd } else { Ended::Stuck };
            }
            if cancellation::is_over(self.steps, self.most, error) {
                return Ended::OutOfSteps;
            }
            self.steps += 1;
            if self.step().is_none_or(|step| step < SHORTEST) {
                return Ended::Stuck;
            }
        }
    }

    /// Takes a predictor-corrector step. Returns its length, or `None` if the Newton equations have no
    /// solution.
    fn step(&mut self) -> Option<f64> {
        let Self { rows, point, space, to_boundary, .. } = self;
        point.factor(rows, *space)?;
        let now = point.complementarity();
        point.find_direction(rows, *space, 0.0, false)?;
        let affine = point.longest(rows).min(1.0);
        let part = (point.after(affine).max(0.0) / now).powi(3).clamp(1e-8, 1.0);
        point.find_direction(rows, *space, part * now, true)?;
        let length = |point: &InteriorIterate| (*to_boundary * point.longest(rows)).min(1.0);
        let mut step = length(point);
        if step < SHORT {
            // Near the boundary, the second-order correction makes the direction worse.
            let half = 0.5_f64.max(part);
            point.find_direction(rows, *space, half * now, false)?;
            step = length(point);
            if step < SHORT {
                let of_half = step;
                point.find_direction(rows, *space, now, false)?;
                step = length(point);
                if step < of_half {
                    point.find_direction(rows, *space, half * now, false)?;
                    step = of_half;
                }
            }
        }
        tracing::trace!(step, now, "predictor and corrector");
        point.advance(*space, step);
        Some(step)
    }

    /// Follows the central path of the contact problem to its end.
    fn follow(&mut self) -> Ended {
        let mut centre = self.point.complementarity();
        let (mut reduction_rule, mut kept, mut centring) = (ReductionRule::default(), None, 0);
        let (mut idle, mut least) = (0, f64::INFINITY);
        loop {
            let PointErrors { error, .. } = self.measure();
            if error <= self.tolerance {
                return Ended::Solved;
            }
            if self.point.linearise(self.rows, self.space).is_none() {
                return Ended::Stuck;
            }
            if cancellation::is_over(self.steps, self.most, error) {
                return Ended::OutOfSteps;
            }
            let is_central = self.point.is_central(self.rows, self.space, centre);
            tracing::trace!(centre, centring, error, is_central, "central path");
            let most = if kept.is_some() { MOST_CENTRING } else { MOST_CENTRING_AT_FIRST };
            if !is_central && centring == most {
                let Some(before) = kept.filter(|_| reduction_rule.after_failure().is_some()) else {
                    return Ended::Stuck;
                };
                self.point.go_back(self.space);
                (centre, centring) = (before, 0);
                continue;
            }
            self.steps += 1;
            if self.point.factor(self.rows, self.space).is_none() {
                return Ended::Stuck;
            }
            let done = if is_central {
                centring = 0;
                kept = Some(centre);
                self.point.keep(self.space);
                idle = if error < 0.9 * least { 0 } else { idle + 1 };
                least = least.min(error);
                self.step_along_path(reduction_rule.part * centre).map(|step| {
                    centre *= 1.0 - step * (1.0 - reduction_rule.part);
                    reduction_rule.after(step);
                })
            } else {
                centring += 1;
                self.point.find_direction(self.rows, self.space, centre, false).map(|()| {
                    self.advance_inside();
                })
            };
            if done.is_none() || idle == MOST_IDLE_ON_PATH {
                return Ended::Stuck;
            }
        }
    }

    /// Takes a step along the path towards the complementarity `centre`. The second-order correction is used
    /// if it allows a longer step. Returns the step length.
    fn step_along_path(&mut self, centre: f64) -> Option<f64> {
        let Self { rows, point, space, .. } = self;
        point.find_direction(rows, *space, centre, false)?;
        let plain = point.longest(rows);
        let corrected = point.find_direction(rows, *space, centre, true);
        if corrected.is_none() || point.longest(rows) < plain {
            point.find_direction(rows, *space, centre, false)?;
        }
        Some(self.advance_inside())
    }

    fn advance_inside(&mut self) -> f64 {
        let step = (TO_BOUNDARY_OF_PATH.min(self.to_boundary) * self.point.longest(self.rows)).min(1.0);
        self.point.advance(self.space, step);
        step
    }
}
