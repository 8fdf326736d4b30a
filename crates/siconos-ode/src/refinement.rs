//! A finer dense output, where that of a step is coarser than the tolerances.
//!
//! The collocation polynomial of Radau IIA is of order 3 inside the step, where the method itself is of order
//! 5; and where stability limits the steps of an explicit method, its dense output loses what the damping of
//! the step makes good. At tight tolerances what is read there is worse than the tolerance by several digits.
//! Where it is read, by a point of output or an event, and its defect says that it is too coarse, the step is
//! taken again in sevenths; the polynomial of degree 7 through their ends has errors of the size of the
//! step's own. The steps themselves stay as they are, so that points of output do not change the motion.

use super::integrator::Integrator;
use super::methods::Steppers;
use super::right_hand_side::RightHandSide;
use super::segment::{SEVENTHS, Segment};
use super::stepper::{Start, Target, Trial};
use super::system::OdeSystem;
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
}

impl Integrator {
    /// Whether the dense output of the last step may become finer by [`refine`](Self::refine).
    pub(super) fn may_be_coarse(&self) -> bool {
        self.segment.is_of_whole_step() && self.refinement.looked_at != Some(self.step)
    }

    /// Makes the dense output of the last step finer, if it is coarser than the tolerances; says whether it
    /// did. Where the finer steps fail it stays as it is.
    ///
    /// # Errors
    ///
    /// [`OdeError`] for a Jacobian that is not finite.
    pub(super) fn refine(&mut self, system: &mut dyn OdeSystem) -> Result<bool, OdeError> {
        if !self.may_be_coarse() {
            return Ok(false);
        }
        self.refinement.looked_at = Some(self.step);
        if !self.is_coarse(system) || !self.take_finer_steps(system)? {
            return Ok(false);
        }
        self.segment.set_sevenths((&self.x_new, &self.x_end), &mut self.refinement.ends);
        Ok(true)
    }

    /// Whether the defect $h (u' - f(t, u))$ of the polynomial u exceeds the tolerances. In stiff components
    /// it is far larger than the error, in others of its size. With a mass matrix it has not the unit of the
    /// state, and tells nothing.
    fn is_coarse(&mut self, system: &mut dyn OdeSystem) -> bool {
        if !self.steppers.mass().is_empty() {
            return true;
        }
        let work = &mut self.refinement;
        let (first, last) = self.step;
        let h = last - first;
        self.segment.interpolate(PLACE, &mut work.x);
        let mut rhs = RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
        if rhs.f(first + PLACE * h, &work.x, &mut work.f).is_err() {
            return false;
        }
        let defect = |i: usize| self.segment.slope(i, PLACE) - h * work.f[i];
        (0..work.x.len()).any(|i| defect(i).abs() > TOLERATED * self.settings.weight(i, work.x[i]))
    }

    fn take_finer_steps(&mut self, system: &mut dyn OdeSystem) -> Result<bool, OdeError> {
        let work = &mut self.refinement;
        // The start of the last step, which its acceptance has exchanged with its end.
        work.x.copy_from_slice(&self.x_new);
        work.f.copy_from_slice(&self.f_new);
        work.steppers.begin_as(&mut self.steppers, work.method, work.x.len());
        let (first, last) = self.step;
        let h = (last - first) * SEVENTHS[0];
        for (k, end) in work.ends.iter_mut().enumerate() {
            let t = first + k as f64 * h;
            let mut rhs =
                RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
            let start = Start { t, h, end: t + h, x: &work.x, f: &work.f };
            let target = Target { x: end, f: &mut work.f_end, segment: &mut work.segment };
            if !matches!(work.steppers.step(&mut rhs, start, target)?, Trial::Accepted { .. }) {
                return Ok(false);
            }
            if !end.iter().all(|x| x.is_finite()) {
                return Ok(false);
            }
            work.x.copy_from_slice(end);
            std::mem::swap(&mut work.f, &mut work.f_end);
        }
        Ok(true)
    }
}
