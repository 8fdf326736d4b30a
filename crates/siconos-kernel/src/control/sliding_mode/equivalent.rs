//! The equivalent control: the input that keeps the sliding variable where it is.

use ndarray::Array2;

use super::super::linear::{add_product, product, solve_columns};
use super::super::{ControlError, HeldPlant};
use crate::error::{check_finite, check_shape};

/// The equivalent control $u_{eq}$, which is to keep $\sigma = C x$ where it is, so that what is left for the
/// switched part is small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EquivalentControl {
    /// $u_{eq} = 0$.
    Zero,
    /// $u_{eq} = -(C B)^{-1} C A x_k$, that of continuous time (Utkin 1992), held for a period: $\sigma$
    /// moves by a multiple of $h^2$ in a period.
    #[default]
    FirstOrder,
    /// $u_{eq} = -(C \Psi)^{-1} C ((\Phi - I) x_k + d_k)$ with $d_k = x_k - \Phi x_{k-1} - \Psi u_{k-1}$,
    /// what the plant has done in the last period that the model does not know of (0 at the first sample).
    /// Without such a disturbance $\sigma$ stays where it is; under a smooth one it moves, once on the
    /// surface, by $C (d_{k+1} - d_k)$, a multiple of $h^2$ (Su, Drakunov, Ozguner 2000, "An O(T^2) boundary
    /// layer in sliding mode for sampled-data systems", IEEE Transactions on Automatic Control 45).
    #[doc(alias = "LinearSMCOT2")]
    SecondOrder,
}

/// An equivalent control with what it keeps from sample to sample.
#[derive(Clone, Debug)]
pub(super) struct Equivalent {
    plant: HeldPlant,
    surface: Array2<f64>,
    /// `u_eq = -gain x - of_disturbance d`.
    gain: Array2<f64>,
    of_disturbance: Option<Array2<f64>>,
    /// d, 0 where it is not looked at.
    disturbance: Vec<f64>,
    /// $\Phi x_{k-1} + \Psi u_{k-1}$.
    expected: Vec<f64>,
    has_expectation: bool,
}

impl Equivalent {
    pub(super) fn new(
        plant: &HeldPlant,
        surface: &Array2<f64>,
        kind: EquivalentControl,
    ) -> Result<Self, ControlError> {
        let (n, m) = (plant.states(), plant.inputs());
        check_shape("C of a surface", (m, n), surface.dim())?;
        check_finite("C of a surface", surface)?;
        let (gain, of_disturbance) = match kind {
            EquivalentControl::Zero => (Array2::zeros((m, n)), None),
            EquivalentControl::FirstOrder => {
                (solve_columns("C B", &surface.dot(plant.b()), &surface.dot(plant.a()))?, None)
            }
            EquivalentControl::SecondOrder => {
                // Phi - I = A S, without cancellation.
                let of_disturbance = solve_columns("C Psi", &surface.dot(plant.psi()), surface)?;
                (of_disturbance.dot(&plant.a().dot(plant.integral())), Some(of_disturbance))
            }
        };
        Ok(Self {
            plant: plant.clone(),
            surface: surface.clone(),
            gain,
            of_disturbance,
            disturbance: vec![0.0; n],
            expected: vec![0.0; n],
            has_expectation: false,
        })
    }

    pub(super) fn plant(&self) -> &HeldPlant {
        &self.plant
    }

    /// sigma = C x.
    pub(super) fn sigma(&self, x: &[f64], sigma: &mut [f64]) {
        product(&self.surface, x, sigma);
    }

    /// Writes u_eq at x.
    pub(super) fn compute(&mut self, x: &[f64], u: &mut [f64]) {
        u.fill(0.0);
        add_product(&self.gain, x, u);
        if let Some(of_disturbance) = &self.of_disturbance {
            if self.has_expectation {
                let expected = x.iter().zip(&self.expected);
                self.disturbance.iter_mut().zip(expected).for_each(|(d, (x, expected))| *d = x - expected);
            }
            add_product(of_disturbance, &self.disturbance, u);
        }
        u.iter_mut().for_each(|u| *u = -*u);
    }

    /// Writes what sigma is expected to be after a period with u held.
    pub(super) fn next_sigma(&mut self, x: &[f64], u: &[f64], sigma: &mut [f64]) {
        self.expect(x, u);
        product(&self.surface, &self.expected, sigma);
        add_product(&self.surface, &self.disturbance, sigma);
    }

    /// Notes what the model expects of a period with u held.
    pub(super) fn expect(&mut self, x: &[f64], u: &[f64]) {
        product(self.plant.phi(), x, &mut self.expected);
        add_product(self.plant.psi(), u, &mut self.expected);
        self.has_expectation = true;
    }

    pub(super) fn restart(&mut self) {
        self.disturbance.fill(0.0);
        self.has_expectation = false;
    }
}
