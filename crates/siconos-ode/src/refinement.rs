//! Refined dense output of a step whose dense output is less accurate than the tolerances.
//!
//! The method Radau IIA is of order 5, but its collocation polynomial is only of order 3 within a step. If
//! stability limits the steps of an explicit method, the step is damped but its dense output is not. At tight
//! tolerances, values within such steps are less accurate than the tolerance by several digits.
//!
//! If a value within a step is needed, for an output point or an event, and the defect shows that the dense
//! output is too coarse, the step is repeated in sevenths. The polynomial of degree 7 through their ends is
//! about as accurate as the step. The original steps do not change, so output points do not affect the
//! solution.

use super::methods::Steppers;
use super::right_hand_side::RightHandSide;
use super::segment::{SEVENTHS, Segment};
use super::stepper::{Start, Target, Trial};
use super::{Method, OdeError, OdeSettings};

/// Fraction of the step at which the defect is evaluated. The defect is large there for all methods. (For the
/// collocation polynomial, it vanishes at 0.155 and 0.645.)
const PLACE: f64 = 0.4;

/// Maximum accepted defect, in multiples of the tolerance.
const TOLERATED: f64 = 10.0;

/// Workspace of the seven smaller steps in which a step is repeated, called the finer steps.
#[derive(Clone, Debug)]
pub(super) struct Refinement {
    steppers: Steppers,
    /// Method of the last step.
    method: Method,
    /// State and rate at the start of a finer step.
    x: Vec<f64>,
    f: Vec<f64>,
    /// States at the ends of the finer steps.
    ends: [Vec<f64>; SEVENTHS.len()],
    f_end: Vec<f64>,
    /// Dense output of a finer step. The steppers require it, but it is not used.
    segment: Segment,
    /// Start and end of the last step, if its dense output has been checked \[s\].
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

    /// Stores the method of an accepted step.
    pub(super) fn follow(&mut self, steppers: &Steppers) {
        self.method = steppers.current();
    }

    /// Excludes a step from refinement by marking it as checked.
    pub(super) fn leave(&mut self, step: (f64, f64)) {
        self.looked_at = Some(step);
    }

    /// Discards the history. The state has n components from then on.
    pub(super) fn restart(&mut self, n: usize) {
        self.looked_at = None;
        for vector in self.ends.iter_mut().chain([&mut self.x, &mut self.f, &mut self.f_end]) {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.segment.reset(n);
    }

    /// Returns `true` if [`refine`](Self::refine) can improve the dense output of the last step.
    pub(super) fn may_refine(&self, step: (f64, f64), segment: &Segment) -> bool {
        segment.is_of_whole_step() && self.looked_at != Some(step)
    }

    /// Refines `segment`, the dense output of the last step, if it is less accurate than the tolerances.
    /// Returns `true` if it was refined. If the finer steps fail, the dense output does not change.
    /// `steppers` took the step from the state `x`, where the rate was `f`, to the state `x_end`.
    ///
    /// # Errors
    ///
    /// [`OdeError`] if the Jacobian is not finite.
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
        // With a mass matrix, the defect and the state have different units. The step is then always refined.
        let is_coarse = !steppers.mass().is_empty() || self.has_large_defect(rhs, step, segment);
        if !is_coarse || !self.take_finer_steps(rhs, steppers, step, (x, f))? {
            return Ok(false);
        }
        segment.set_sevenths((x, x_end), &mut self.ends);
        Ok(true)
    }

    /// Returns `true` if the defect $h (u' - f(t, u))$ of the polynomial u is too large for the tolerances.
    /// The defect is of the size of the error in nonstiff components and far larger in stiff components.
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
