//! A finer dense output, where that of a step is coarser than the tolerances.
//!
//! The collocation polynomial of Radau IIA is of order 3 inside the step, where the method itself is of order
//! 5; and where stability limits the steps of an explicit method, its dense output loses what the damping of
//! the step makes good. At tight tolerances what is read there is worse than the tolerance by several digits.
//! Where it is read, by a point of output or an event, and its defect says that it is too coarse, the step is
//! taken again in sevenths; the polynomial of degree 7 through their ends has errors of the size of the
//! step's own. The steps themselves stay as they are, so that points of output do not change the motion.

use super::methods::Steppers;
use super::right_hand_side::RightHandSide;
use super::segment::{SEVENTHS, Segment};
use super::stepper::{Start, Target, Trial};
use super::{Method, OdeError, OdeSettings};

/// Where the defect is looked at: it is large there for all methods. That of the collocation vanishes at
/// 0.155 and 0.645.
const PLACE: f64 = 0.4;

/// So many tolerances the defect may be.
const TOLERATED: f64 = 10.0;

/// The memory of the finer steps.
#[derive(Clone, Debug)]
pub(super) struct Refinement {
    steppers: Steppers,
    /// The method of the last step.
    method: Method,
    /// The start of a finer step.
    x: Vec<f64>,
    f: Vec<f64>,
    /// The states at its ends.
    ends: [Vec<f64>; SEVENTHS.len()],
    f_end: Vec<f64>,
    /// The polynomial of a finer step, which nobody reads.
    segment: Segment,
    /// The last step, if its polynomial has been looked at.
    looked_at: Option<(f64, f64)>,
}

impl Refinement {
    pub(super) fn new(settings: &OdeSettings) -> Self {
        Self {
            steppers: Steppers::new(settings),
            method: settings.method,
            x: Vec::new(),
            f: Vec::new(),
            ends: Default::default(),
            f_end: Vec::new(),
            segment: Segment::default(),
            looked_at: None,
        }
    }

    /// Notes which method a step was made with.
    pub(super) fn follow(&mut self, steppers: &Steppers) {
        self.method = steppers.current();
    }

    /// Leaves the dense output of a step as it is.
    pub(super) fn leave(&mut self, step: (f64, f64)) {
        self.looked_at = Some(step);
    }

    /// Forgets the past; the state has n components from here on.
    pub(super) fn restart(&mut self, n: usize) {
        self.looked_at = None;
        for vector in self.ends.iter_mut().chain([&mut self.x, &mut self.f, &mut self.f_end]) {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.segment.reset(n);
    }

    /// Returns `true` if the dense output of the last step may become finer by [`refine`](Self::refine).
    pub(super) fn may_refine(&self, step: (f64, f64), segment: &Segment) -> bool {
        segment.is_of_whole_step() && self.looked_at != Some(step)
    }

    /// Makes `segment`, the dense output of the last step, finer if it is coarser than the tolerances.
    /// Returns `true` if it did. If the finer steps fail, the dense output stays as it is. `steppers` took
    /// the step, from the state `x` with the rate `f` to the state `x_end`.
    ///
    /// # Errors
    ///
    /// [`OdeError`] for a Jacobian that is not finite.
    pub(super) fn refine(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        steppers: &mut Steppers,
        step: (f64, f64),
        segment: &mut Segment,
        (x, f, x_end): (&[f64], &[f64], &[f64]),
    ) -> Result<bool, OdeError> {
        if !self.may_refine(step, segment) {
            return Ok(false);
        }
        self.looked_at = Some(step);
        // With a mass matrix the unit of the defect differs from that of the state: there is no test.
        let is_coarse = !steppers.mass().is_empty() || self.has_large_defect(rhs, step, segment);
        if !is_coarse || !self.take_finer_steps(rhs, steppers, step, (x, f))? {
            return Ok(false);
        }
        segment.set_sevenths((x, x_end), &mut self.ends);
        Ok(true)
    }

    /// Returns `true` if the defect $h (u' - f(t, u))$ of the polynomial u exceeds the tolerances. In stiff
    /// components it is far larger than the error, in others of its size.
    fn has_large_defect(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        (first, last): (f64, f64),
        segment: &Segment,
    ) -> bool {
        let h = last - first;
        segment.interpolate(PLACE, &mut self.x);
        if rhs.f(first + PLACE * h, &self.x, &mut self.f).is_err() {
            return false;
        }
        let defect = |i: usize| segment.slope(i, PLACE) - h * self.f[i];
        (0..self.x.len()).any(|i| defect(i).abs() > TOLERATED * rhs.settings.weight(i, self.x[i]))
    }

    fn take_finer_steps(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        steppers: &mut Steppers,
        (first, last): (f64, f64),
        (x, f): (&[f64], &[f64]),
    ) -> Result<bool, OdeError> {
        self.x.copy_from_slice(x);
        self.f.copy_from_slice(f);
        self.steppers.begin_as(steppers, self.method, x.len());
        let h = (last - first) * SEVENTHS[0];
        for (k, end) in self.ends.iter_mut().enumerate() {
            let t = first + k as f64 * h;
            let start = Start { t, h, end: t + h, x: &self.x, f: &self.f };
            let target = Target { x: end, f: &mut self.f_end, segment: &mut self.segment };
            let is_accepted = matches!(self.steppers.step(rhs, start, target)?, Trial::Accepted { .. });
            if !is_accepted || !end.iter().all(|x| x.is_finite()) {
                return Ok(false);
            }
            self.x.copy_from_slice(end);
            std::mem::swap(&mut self.f, &mut self.f_end);
        }
        Ok(true)
    }
}
