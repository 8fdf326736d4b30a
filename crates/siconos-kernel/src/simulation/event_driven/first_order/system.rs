//! The present mode as a system with guards, for the integrator.

use siconos_numerics::ode::{Crossing, OdeSystem};

use super::FirstOrderModes;
use crate::model::NonSmoothDynamicalSystem;

/// f and the guards of the present mode.
///
/// Each row has two guards: the first is lambda or y itself, the second the same above a small margin. The
/// second finds what the first cannot show: a guard that was zero from the beginning on, to rounding, and
/// falls later.
#[derive(Debug)]
pub(crate) struct FirstOrderSystem<'a> {
    pub(super) modes: &'a mut FirstOrderModes,
    pub(super) model: &'a NonSmoothDynamicalSystem,
}

impl FirstOrderSystem<'_> {
    /// Evaluates the mode; an error is kept, and shows as what is not finite.
    fn evaluate(&mut self, t: f64, x: &[f64], with_rates: bool) -> bool {
        match self.modes.evaluate_carried(self.model, t, x, with_rates) {
            Ok(()) => true,
            Err(error) => {
                self.modes.error.get_or_insert(error.into());
                false
            }
        }
    }
}

impl OdeSystem for FirstOrderSystem<'_> {
    fn dimension(&self) -> usize {
        self.modes.dimension()
    }

    fn compute_f(&mut self, t: f64, x: &[f64], f: &mut [f64]) {
        if self.evaluate(t, x, false) {
            f.copy_from_slice(&self.modes.mode.rate);
        } else {
            f.fill(f64::NAN);
        }
    }

    fn guards(&self) -> usize {
        2 * self.modes.data.rows()
    }

    fn crossing(&self, _guard: usize) -> Crossing {
        Crossing::Falling
    }

    fn zero_band(&self, guard: usize) -> Option<f64> {
        self.modes.is_zero.get(guard).copied().unwrap_or(false).then_some(0.0)
    }

    fn compute_guards(&mut self, t: f64, x: &[f64], g: &mut [f64]) {
        if !self.evaluate(t, x, true) {
            g.fill(f64::NAN);
            return;
        }
        let modes = &*self.modes;
        let (first, second) = g.split_at_mut(modes.data.rows());
        for (row, (first, second)) in first.iter_mut().zip(second).enumerate() {
            if modes.data.is_equality[row] {
                (*first, *second) = (1.0, 1.0);
                continue;
            }
            let value = modes.mode.guard(row);
            // The first stays silent where it would only follow rounding.
            *first = if modes.is_silent[row] { 1.0 } else { value };
            *second = value + modes.margins[row];
        }
    }
}
