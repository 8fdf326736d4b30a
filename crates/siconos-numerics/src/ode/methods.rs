//! The steppers of one integrator, and which of them takes the next step.

use super::explicit::{ExplicitStepper, Pair};
use super::radau::RadauStepper;
use super::right_hand_side::RightHandSide;
use super::stepper::{Start, Stepper, Target, Trial};
use super::{Method, OdeError, OdeSettings};

/// Beyond this h |lambda| a real eigenvalue is outside the region of stability of DOPRI5.
const STABILITY_LIMIT: f64 = 3.25;
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
    is_auto: bool,
    current: Method,
    stiff_steps: u32,
    calm_steps: u32,
    easy_steps: u32,
}

impl Steppers {
    pub(super) fn new(method: Method) -> Self {
        let is_auto = method == Method::Auto;
        Self {
            explicit: ExplicitStepper::new(Pair::Dopri5),
            high_order: ExplicitStepper::new(Pair::Dop853),
            radau: RadauStepper::default(),
            is_auto,
            current: if is_auto { Method::Explicit } else { method },
            stiff_steps: 0,
            calm_steps: 0,
            easy_steps: 0,
        }
    }

    /// The method of the next step; never `Auto`.
    pub(super) fn current(&self) -> Method {
        self.current
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
        settings: &OdeSettings,
        start: Start<'_>,
        target: Target<'_>,
    ) -> Result<Trial, OdeError> {
        if start.x.is_empty() {
            // Time alone passes.
            return Ok(Trial::Accepted { next: 10.0 * start.h });
        }
        self.stepper().step(rhs, settings, start, target)
    }

    /// Changes the method after an accepted step of length h, or after many rejections, where the criteria of the module say
    /// so; returns whether it did.
    pub(super) fn choose(&mut self, n: usize, h: f64, many_rejections: bool) -> bool {
        if !self.is_auto {
            return false;
        }
        let wanted = if self.current == Method::Explicit {
            self.watch_stiffness(h, many_rejections)
        } else {
            self.watch_ease(h, many_rejections)
        };
        if wanted == self.current {
            return false;
        }
        self.current = wanted;
        self.restart(n);
        true
    }

    fn watch_stiffness(&mut self, h: f64, many_rejections: bool) -> Method {
        if !many_rejections && self.explicit.stiffness(h) > STABILITY_LIMIT {
            self.calm_steps = 0;
            self.stiff_steps += 1;
        } else {
            self.calm_steps += 1;
            if self.calm_steps >= CALM_STEPS {
                self.stiff_steps = 0;
            }
        }
        if many_rejections || self.stiff_steps >= STIFF_STEPS { Method::Stiff } else { Method::Explicit }
    }

    fn watch_ease(&mut self, h: f64, many_rejections: bool) -> Method {
        if !many_rejections {
            let is_easy = h * self.radau.jacobian_norm() < 0.5 * STABILITY_LIMIT;
            self.easy_steps = if is_easy { self.easy_steps + 1 } else { 0 };
        }
        if self.easy_steps >= EASY_STEPS { Method::Explicit } else { Method::Stiff }
    }
}
