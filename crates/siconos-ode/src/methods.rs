//! The steppers of one integrator, and which of them takes the next step.

use super::explicit::{ExplicitStepper, Pair};
use super::radau::RadauStepper;
use super::right_hand_side::RightHandSide;
use super::stepper::{Start, Stepper, Target, Trial};
use super::{Method, OdeError, OdeSettings};

/// Beyond this h |lambda| a real eigenvalue is outside the region of stability of DOPRI5; and two thirds of
/// where it is outside that of DOP853 (6.1): at tight tolerances error control holds the steps of that method
/// well inside.
const STABILITY_LIMITS: [f64; 2] = [3.25, 4.0];
/// Below this relative tolerance the method of order 8 takes fewer evaluations than that of order 5.
const TIGHT: f64 = 1e-8;
/// Steps of the explicit method beyond it that are taken for stiffness, and steps in a row that clear them.
const STIFF_STEPS: u32 = 15;
const CALM_STEPS: u32 = 6;
/// Steps of the stiff method in a row that the explicit one could have taken, before it takes over.
const EASY_STEPS: u32 = 10;

/// All methods, one of them in use.
#[derive(Clone, Debug)]
pub(super) struct Steppers {
    explicit: ExplicitStepper,
    high_order: ExplicitStepper,
    radau: RadauStepper,
    /// What `Auto` changes to and fro with the stiff method; none where the user has chosen.
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

    /// The method of the next step; never `Auto`.
    pub(super) fn current(&self) -> Method {
        self.current
    }

    /// Takes its next step with a method, where that is one that it chooses from.
    pub(super) fn recall(&mut self, method: Method) {
        if let Some(explicit) = self.auto
            && [explicit, Method::Stiff].contains(&method)
        {
            self.current = method;
        }
    }

    /// Takes its next step with the method of others, from another point than where the last one has ended.
    pub(super) fn begin_as(&mut self, others: &mut Self, method: Method, n: usize) {
        self.current = method;
        self.mass().clone_from(others.mass());
        self.begin_anew(n);
    }

    /// Order of the method of the next step.
    pub(super) fn order(&self) -> f64 {
        if self.current == Method::HighOrder { 8.0 } else { 5.0 }
    }

    /// The mass matrix by rows, to be filled before the first step; empty where there is none.
    pub(super) fn mass(&mut self) -> &mut Vec<f64> {
        self.radau.mass()
    }

    /// Forgets the past, but not which method it came to.
    pub(super) fn restart(&mut self, n: usize) {
        self.stepper().restart(n);
        self.stiff_steps = 0;
        self.calm_steps = 0;
        self.easy_steps = 0;
    }

    /// The next step begins at another point than where the last one has ended, with the same method.
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
            // Time alone passes.
            return Ok(Trial::Accepted { next: 10.0 * start.h });
        }
        self.stepper().step(rhs, start, target)
    }

    /// Changes the method after an accepted step of length h, or after many rejections, where the criteria of
    /// the module say so; returns whether it did.
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
