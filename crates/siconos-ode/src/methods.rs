//! Steppers of one integrator, and the choice of the stepper for the next step.

use super::explicit::{ExplicitStepper, Pair};
use super::radau::RadauStepper;
use super::right_hand_side::RightHandSide;
use super::stepper::{Start, Stepper, Target, Trial};
use super::{Method, OdeError, OdeSettings};

/// Limits of h |lambda| above which DOPRI5 and DOP853 count a step as stiff. The first is the end of the
/// region of stability on the real axis. The second is two thirds of the end (6.1), because at tight
/// tolerances error control keeps the steps of DOP853 well inside the region.
const STABILITY_LIMITS: [f64; 2] = [3.25, 4.0];
/// Relative tolerance below which the method of order 8 takes fewer evaluations than the method of order 5.
const TIGHT: f64 = 1e-8;
/// Number of explicit steps above the stability limit after which the system is considered stiff.
const STIFF_STEPS: u32 = 15;
/// Number of consecutive explicit steps below the stability limit that reset the count of steps above it.
const CALM_STEPS: u32 = 6;
/// Number of consecutive steps of the stiff method that the explicit method could have taken, after which the
/// explicit method is used again.
const EASY_STEPS: u32 = 10;

/// All methods, of which one is in use.
#[derive(Clone, Debug)]
pub(super) struct Steppers {
    explicit: ExplicitStepper,
    high_order: ExplicitStepper,
    radau: RadauStepper,
    /// Explicit method that `Auto` uses for nonstiff systems; `None` if the user has chosen a method.
    auto: Option<Method>,
    current: Method,
    stiff_steps: u32,
    calm_steps: u32,
    easy_steps: u32,
}

impl Steppers {
    pub(super) fn new(settings: &OdeSettings) -> Self {
        let explicit =
            if settings.relative_tolerance.largest() <= TIGHT { Method::HighOrder } else { Method::Explicit };
        let auto = (settings.method == Method::Auto).then_some(explicit);
        Self {
            explicit: ExplicitStepper::new(Pair::Dopri5),
            high_order: ExplicitStepper::new(Pair::Dop853),
            radau: RadauStepper::default(),
            auto,
            current: auto.unwrap_or(settings.method),
            stiff_steps: 0,
            calm_steps: 0,
            easy_steps: 0,
        }
    }

    /// Returns the method of the next step, which is never `Auto`.
    pub(super) fn current(&self) -> Method {
        self.current
    }

    /// Sets the method of the next step to `method`, if `Auto` is in use and can choose this method.
    pub(super) fn recall(&mut self, method: Method) {
        if let Some(explicit) = self.auto
            && [explicit, Method::Stiff].contains(&method)
        {
            self.current = method;
        }
    }

    /// Sets the method of the next step to `method`, and copies the mass matrix of `others`. The next step
    /// does not start at the end of the last step.
    pub(super) fn begin_as(&mut self, others: &mut Self, method: Method, n: usize) {
        self.current = method;
        self.mass().clone_from(others.mass());
        self.begin_anew(n);
    }

    /// Returns the order of the method of the next step.
    pub(super) fn order(&self) -> f64 {
        if self.current == Method::HighOrder { 8.0 } else { 5.0 }
    }

    /// Returns the mass matrix, stored row by row. The caller fills it before the first step. It is empty if
    /// there is none.
    pub(super) fn mass(&mut self) -> &mut Vec<f64> {
        self.radau.mass()
    }

    /// Discards the history and keeps the method in use.
    pub(super) fn restart(&mut self, n: usize) {
        self.stepper().restart(n);
        self.stiff_steps = 0;
        self.calm_steps = 0;
        self.easy_steps = 0;
    }

    /// Discards the history, because the next step does not start at the end of the last step. The method and
    /// the counts of stiff steps are kept.
    pub(super) fn begin_anew(&mut self, n: usize) {
        self.stepper().restart(n);
    }

    fn stepper(&mut self) -> &mut dyn Stepper {
        match self.current {
            Method::Stiff => &mut self.radau,
            Method::HighOrder => &mut self.high_order,
            Method::Explicit | Method::Auto => &mut self.explicit,
        }
    }

    /// Tries one step.
    pub(super) fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        start: Start<'_>,
        target: Target<'_>,
    ) -> Result<Trial, OdeError> {
        if start.x.is_empty() {
            // A system without states needs no solver.
            return Ok(Trial::Accepted { next: 10.0 * start.h });
        }
        self.stepper().step(rhs, start, target)
    }

    /// Changes the method after an accepted step of length h, or after many rejections, according to the
    /// criteria of the crate documentation. Returns `true` if the method has changed.
    pub(super) fn choose(&mut self, n: usize, h: f64, many_rejections: bool) -> bool {
        let Some(explicit) = self.auto else { return false };
        let is_high_order = explicit == Method::HighOrder;
        let limit = STABILITY_LIMITS[usize::from(is_high_order)];
        let is_stiff = if self.current == Method::Stiff {
            !self.has_become_easy(h, many_rejections, limit)
        } else {
            let stepper = if is_high_order { &self.high_order } else { &self.explicit };
            let is_outside = stepper.stiffness(h) > limit;
            self.has_become_stiff(is_outside, many_rejections)
        };
        let wanted = if is_stiff { Method::Stiff } else { explicit };
        if wanted == self.current {
            return false;
        }
        self.current = wanted;
        self.restart(n);
        true
    }

    fn has_become_stiff(&mut self, is_outside: bool, many_rejections: bool) -> bool {
        if !many_rejections && is_outside {
            self.calm_steps = 0;
            self.stiff_steps += 1;
        } else {
            self.calm_steps += 1;
            if self.calm_steps >= CALM_STEPS {
                self.stiff_steps = 0;
            }
        }
        many_rejections || self.stiff_steps >= STIFF_STEPS
    }

    fn has_become_easy(&mut self, h: f64, many_rejections: bool, limit: f64) -> bool {
        if !many_rejections {
            let is_easy = h * self.radau.jacobian_norm() < 0.5 * limit;
            self.easy_steps = if is_easy { self.easy_steps + 1 } else { 0 };
        }
        self.easy_steps >= EASY_STEPS
    }
}
