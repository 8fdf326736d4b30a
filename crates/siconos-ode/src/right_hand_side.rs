//! Right-hand side as used by the steppers: evaluations of f are counted and checked.

use super::system::OdeSystem;
use super::{OdeError, OdeSettings, Statistics};

/// Value of f that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NotFinite {
    pub(super) index: usize,
    pub(super) value: f64,
    pub(super) t: f64,
}

impl From<NotFinite> for OdeError {
    fn from(NotFinite { index, value, t }: NotFinite) -> Self {
        Self::RightHandSide { index, value, t }
    }
}

/// System with the settings and the counters of evaluations.
pub(super) struct RightHandSide<'a> {
    pub(super) system: &'a mut dyn OdeSystem,
    pub(super) settings: &'a OdeSettings,
    pub(super) statistics: &'a mut Statistics,
}

impl RightHandSide<'_> {
    /// Evaluates f, and returns an error if a component is not finite.
    pub(super) fn f(&mut self, t: f64, x: &[f64], f: &mut [f64]) -> Result<(), NotFinite> {
        self.statistics.f_evaluations += 1;
        self.system.compute_f(t, x, f);
        match f.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(index) => Err(NotFinite { index, value: f[index], t }),
        }
    }

    /// Evaluates the Jacobian, by one-sided differences if the system does not provide it. `f` must be f(t,
    /// x). `x` is changed temporarily, and `scratch` is overwritten.
    pub(super) fn jacobian(
        &mut self,
        t: f64,
        x: &mut [f64],
        f: &[f64],
        scratch: &mut [f64],
        jacobian: &mut [f64],
    ) -> Result<(), OdeError> {
        let n = x.len();
        self.statistics.jacobian_evaluations += 1;
        jacobian.fill(0.0);
        if self.system.compute_jacobian(t, x, jacobian) {
            return match jacobian.iter().position(|value| !value.is_finite()) {
                None => Ok(()),
                Some(at) => Err(OdeError::Jacobian { row: at / n, column: at % n, value: jacobian[at], t }),
            };
        }
        for column in 0..n {
            let kept = x[column];
            x[column] = kept + self.settings.difference_step(column, kept);
            let change = x[column] - kept;
            let evaluated = self.f(t, x, scratch);
            x[column] = kept;
            evaluated?;
            for row in 0..n {
                jacobian[row * n + column] = (scratch[row] - f[row]) / change;
            }
        }
        Ok(())
    }
}
