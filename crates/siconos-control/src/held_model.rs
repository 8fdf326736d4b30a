//! Plant model of an observer, with the present estimate.

use ndarray::Array2;

use super::linear::{add_product, product};
use super::{ControlError, HeldPlant, Ports};
use siconos_kernel::engine::{check_finite, check_shape};

/// Plant model with the output $y = C x$, the present estimate of x, and the gain of a correction that is
/// held for a period.
#[derive(Clone, Debug)]
pub(super) struct HeldModel {
    plant: HeldPlant,
    c: Array2<f64>,
    /// S times the gain: effect of a correction that is held for a period.
    correction: Array2<f64>,
    first: Vec<f64>,
    x: Vec<f64>,
    before: Vec<f64>,
    has_begun: bool,
}

impl HeldModel {
    /// Creates the model. C is `p x n`, and the gain is `n x p`; `gain_name` is its name in errors.
    pub(super) fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        gain_name: &'static str,
        gain: &Array2<f64>,
        first: Vec<f64>,
    ) -> Result<Self, ControlError> {
        let n = plant.states();
        check_shape("C of an observer", (c.nrows(), n), c.dim())?;
        check_shape(gain_name, (n, c.nrows()), gain.dim())?;
        check_shape("the first estimate", (n, 1), (first.len(), 1))?;
        check_finite("C of an observer", &c)?;
        check_finite(gain_name, gain)?;
        check_finite("the first estimate", &first)?;
        Ok(Self {
            correction: plant.integral().dot(gain),
            plant: plant.clone(),
            c,
            x: first.clone(),
            before: first.clone(),
            first,
            has_begun: false,
        })
    }

    pub(super) fn ports(&self) -> Ports<[usize; 2]> {
        Ports {
            takes: [self.c.nrows(), self.plant.inputs()],
            gives: self.plant.states(),
            period: Some(self.plant.period()),
        }
    }

    pub(super) fn phi(&self) -> &Array2<f64> {
        self.plant.phi()
    }

    pub(super) fn c(&self) -> &Array2<f64> {
        &self.c
    }

    pub(super) fn correction(&self) -> &Array2<f64> {
        &self.correction
    }

    /// Returns the present estimate.
    pub(super) fn x(&self) -> &[f64] {
        &self.x
    }

    /// Advances the estimate by one period with u held, without correction. At the first sample, returns
    /// `false` and leaves the estimate unchanged.
    pub(super) fn advance(&mut self, u: &[f64]) -> bool {
        if !self.has_begun {
            self.has_begun = true;
            return false;
        }
        std::mem::swap(&mut self.x, &mut self.before);
        product(self.plant.phi(), &self.before, &mut self.x);
        add_product(self.plant.psi(), u, &mut self.x);
        true
    }

    /// Adds the effect of the correction `by`, held for a period, to the estimate.
    pub(super) fn correct(&mut self, by: &[f64]) {
        add_product(&self.correction, by, &mut self.x);
    }

    /// Writes the output C x of the present estimate to `y`.
    pub(super) fn output(&self, y: &mut [f64]) {
        product(&self.c, &self.x, y);
    }

    pub(super) fn restart(&mut self) {
        self.x.copy_from_slice(&self.first);
        self.has_begun = false;
    }

    /// Returns the present estimate; empty before the first sample.
    pub(super) fn memory(&self) -> &[f64] {
        if self.has_begun { &self.x } else { &[] }
    }

    /// Restores the estimate from the first entries of `memory`, which must not be empty. Returns the
    /// remaining entries, or `None` if there are too few entries.
    pub(super) fn recall<'m>(&mut self, memory: &'m [f64]) -> Option<&'m [f64]> {
        let (x, rest) = memory.split_at_checked(self.x.len())?;
        self.x.copy_from_slice(x);
        self.has_begun = true;
        Some(rest)
    }
}
