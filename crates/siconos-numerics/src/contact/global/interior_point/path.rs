//! How the interior points go: to the solution of one convex program, or along the central path of the
//! problem itself.

use super::super::GlobalProblem;
use super::super::residual::Measure;
use super::cones::Cones;
use super::point::Point;
use crate::watch;

/// One search, with what it has found.
pub(super) struct Search<'a, 'p> {
    pub(super) problem: &'a GlobalProblem<'p>,
    pub(super) cones: &'a Cones,
    pub(super) point: &'a mut Point,
    pub(super) measure: &'a mut Measure,
    pub(super) tolerance: f64,
    /// Steps made, and how many may be.
    pub(super) steps: usize,
    pub(super) most: usize,
    /// The point with the least error, and the memory of one.
    pub(super) best: &'a mut Best,
    pub(super) r: &'a mut [f64],
    pub(super) u: &'a mut [f64],
}

/// The reactions and velocities with the least error.
#[derive(Clone, Debug, Default)]
pub(super) struct Best {
    pub(super) r: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) error: f64,
}

impl Best {
    pub(super) fn begin(&mut self, r: &[f64], v: &[f64], error: f64) {
        self.error = f64::NAN;
        self.offer(r, v, error);
        self.error = error;
    }

    pub(super) fn offer(&mut self, r: &[f64], v: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.error = error;
            for (kept, given) in [(&mut self.r, r), (&mut self.v, v)] {
                kept.clear();
                kept.extend_from_slice(given);
            }
        }
    }
}

/// Why a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Within the tolerance.
    Solved,
    /// What it follows is at its end, not a solution of the problem.
    AtItsEnd,
    /// The limit on steps, or the watch.
    OutOfSteps,
    /// No direction, or none along which anything gets better.
    Stuck,
}

/// Part of the way to the boundary of the cones that a step goes at most.
const TO_BOUNDARY: f64 = 0.99;

/// The same along the central path, from which nothing is to stray.
const TO_BOUNDARY_OF_PATH: f64 = 0.9;

/// Steps without a better point after which nothing more is expected: of a program, and along the path.
const MOST_IDLE: usize = 15;
const MOST_IDLE_ON_PATH: usize = 40;

/// A program is solved when the part of the error that is its own is below this.
const OWN_PART: f64 = 0.1;

/// Steps towards the path at one place after which the step along it is taken back, and after which there is
/// no path near the start.
const MOST_CENTRING: usize = 10;
const MOST_CENTRING_AT_FIRST: usize = 40;

/// A step that was taken back is made again with this part of its reduction; where that would be less than
/// the least one, the path is lost.
const SHORTER: f64 = 0.3;
const LEAST_REDUCTION: f64 = 1e-3;

impl Default for Pace {
    fn default() -> Self {
        Self { part: 0.3, last: 1.0 }
    }
}

/// How fast the complementarity falls along the path.
struct Pace {
    /// The part of it that the next step aims at.
    part: f64,
    /// The part at which the last step aimed.
    last: f64,
}

impl Pace {
    /// Sets the next part after a step of this length: more courage where nothing was in the way.
    fn after(&mut self, step: f64) {
        self.last = self.part;
        let factor = if step == 1.0 {
            0.6
        } else if step > 0.3 {
            1.2
        } else {
            1.6
        };
        self.part = (factor * self.part).clamp(0.02, 0.95);
    }

    /// Sets it after a step that has lost the path; nothing when it is lost for good.
    fn after_failure(&mut self) -> Option<()> {
        let reduction = SHORTER * (1.0 - self.last);
        self.last = 1.0 - reduction;
        self.part = self.last;
        (reduction >= LEAST_REDUCTION).then_some(())
    }
}

impl Search<'_, '_> {
    /// Measures the point; its error.
    fn measure(&mut self) -> f64 {
        let n = self.problem.degrees_of_freedom();
        self.cones.write_reactions(&self.point.x, self.r);
        self.problem.law().project_all(self.r);
        let v = &self.point.v[..n];
        let error = self.measure.of(self.problem, self.r, v, self.u);
        self.best.offer(self.r, v, error);
        error
    }

    /// The program with the shift held, by Mehrotra's predictor and corrector (1992).
    pub(super) fn convex(&mut self) -> Ended {
        let program = self.cones.program();
        let law = program.law();
        let (mut idle, mut least) = (0, f64::INFINITY);
        loop {
            if self.point.linearise(&program).is_none() {
                return Ended::Stuck;
            }
            let error = self.measure();
            let own = self.measure.relative(self.point.violation(&law));
            if error <= self.tolerance {
                return Ended::Solved;
            }
            idle = if own < 0.9 * least { 0 } else { idle + 1 };
            least = least.min(own);
            if own <= OWN_PART * error || idle == MOST_IDLE {
                return Ended::AtItsEnd;
            }
            if watch::is_over(self.steps, self.most, error) {
                return Ended::OutOfSteps;
            }
            self.steps += 1;
            if self.predict_and_correct(&program).is_none() {
                return Ended::Stuck;
            }
        }
    }

    fn predict_and_correct(&mut self, program: &GlobalProblem<'_>) -> Option<()> {
        let law = program.law();
        let point = &mut *self.point;
        point.factor(&law)?;
        let now = point.complementarity();
        point.find_direction(program, 0.0, false)?;
        let affine = point.longest(&law).min(1.0);
        let part = (point.predicted(affine).max(0.0) / now).powi(3).clamp(1e-8, 1.0);
        point.find_direction(program, part * now, true)?;
        let step = (TO_BOUNDARY * point.longest(&law)).min(1.0);
        tracing::trace!(step, now, error = self.best.error, "convex program");
        point.advance(step);
        Some(())
    }

    /// The central path of the problem itself, to its end.
    pub(super) fn follow(&mut self) -> Ended {
        let program = self.cones.program();
        let law = program.law();
        let mut centre = self.point.complementarity();
        let (mut pace, mut kept, mut centring) = (Pace::default(), None, 0);
        let (mut idle, mut least) = (0, f64::INFINITY);
        self.point.follow();
        loop {
            if self.point.linearise(&program).is_none() {
                return Ended::Stuck;
            }
            let error = self.measure();
            if error <= self.tolerance {
                return Ended::Solved;
            }
            if watch::is_over(self.steps, self.most, error) {
                return Ended::OutOfSteps;
            }
            let point = &mut *self.point;
            let is_central = point.is_central(&law, centre);
            tracing::trace!(centre, centring, error, is_central, "central path");
            let most = if kept.is_some() { MOST_CENTRING } else { MOST_CENTRING_AT_FIRST };
            if !is_central && centring == most {
                let Some(before) = kept.filter(|_| pace.after_failure().is_some()) else {
                    return Ended::Stuck;
                };
                point.go_back();
                (centre, centring) = (before, 0);
                continue;
            }
            self.steps += 1;
            if point.factor(&law).is_none() {
                return Ended::Stuck;
            }
            let done = if is_central {
                centring = 0;
                kept = Some(centre);
                point.keep();
                idle = if error < 0.9 * least { 0 } else { idle + 1 };
                least = least.min(error);
                Self::go_on(point, &program, pace.part * centre).map(|step| {
                    centre *= 1.0 - step * (1.0 - pace.part);
                    pace.after(step);
                })
            } else {
                centring += 1;
                point.find_direction(&program, centre, false).map(|()| {
                    point.advance((TO_BOUNDARY_OF_PATH * point.longest(&law)).min(1.0));
                })
            };
            if done.is_none() || idle == MOST_IDLE_ON_PATH {
                return Ended::Stuck;
            }
        }
    }

    /// A step along the path to this complementarity, with the correction of second order where it leads
    /// further; the part of it that was made.
    fn go_on(point: &mut Point, program: &GlobalProblem<'_>, centre: f64) -> Option<f64> {
        let law = program.law();
        point.find_direction(program, centre, false)?;
        let plain = point.longest(&law);
        point.find_direction(program, centre, true)?;
        if point.longest(&law) < plain {
            point.find_direction(program, centre, false)?;
        }
        let step = (TO_BOUNDARY_OF_PATH * point.longest(&law)).min(1.0);
        point.advance(step);
        Some(step)
    }
}
