//! Sliding surface, and the equivalent control, which keeps the sliding variable constant.

use ndarray::Array2;

use super::super::linear::{add_product, product, solve_columns};
use super::super::{ControlError, HeldPlant, Ports};
use siconos_kernel::engine::{check_finite, check_shape};

/// Equivalent control $u_{eq}$. It keeps $\sigma = C x$ constant or nearly constant, so that a small switched
/// part is sufficient.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EquivalentControl {
    /// $u_{eq} = 0$.
    Zero,
    /// Continuous-time equivalent control (Utkin 1992), held for a period: $u_{eq} = -(C B)^{-1} C A x_k$.
    /// The change of $\sigma$ in one period is of order $h^2$; it is larger if the plant is unstable.
    FirstOrder,
    /// Equivalent control of the model with u held: $u_{eq} = -(C \Psi)^{-1} C (\Phi - I) x_k$. $\sigma$ is
    /// constant if the model is exact.
    #[default]
    Held,
    /// Equivalent control with an estimate of the disturbance:
    /// $u_{eq} = -(C \Psi)^{-1} C ((\Phi - I) x_k + d_k)$, where $d_k = x_k - \Phi x_{k-1} - \Psi u_{k-1}$ is
    /// the difference between the plant and the model in the last period (0 at the first sample). Without a
    /// disturbance, $\sigma$ is constant. With a smooth disturbance, $\sigma$ changes on the surface by
    /// $C (d_{k+1} - d_k)$, a multiple of $h^2$ (Su, Drakunov, Ozguner 2000, "An O(T^2) boundary layer in
    /// sliding mode for sampled-data systems", IEEE Transactions on Automatic Control 45).
    #[doc(alias = "LinearSMCOT2")]
    SecondOrder,
}

/// Surface $\sigma = C x = 0$ with its equivalent control, for the implicit and the explicit sliding mode.
#[derive(Clone, Debug)]
pub(super) struct SlidingSurface {
    plant: HeldPlant,
    c: Array2<f64>,
    /// `u_eq = -gain x - of_disturbance d`.
    gain: Array2<f64>,
    of_disturbance: Option<Array2<f64>>,
    /// Disturbance d, 0 if it is not estimated.
    disturbance: Vec<f64>,
    /// $\Phi x_{k-1} + \Psi u_{k-1}$.
    expected: Vec<f64>,
    has_expectation: bool,
    /// sigma_k followed by u_s.
    terms: Vec<f64>,
}

impl SlidingSurface {
    pub(super) fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        kind: EquivalentControl,
    ) -> Result<Self, ControlError> {
        let (n, m) = (plant.states(), plant.inputs());
        check_shape("C of a surface", (m, n), c.dim())?;
        check_finite("C of a surface", &c)?;
        let (gain, of_disturbance) = match kind {
            EquivalentControl::Zero => (Array2::zeros((m, n)), None),
            EquivalentControl::FirstOrder => {
                (solve_columns("C B", &c.dot(plant.b()), &c.dot(plant.a()))?, None)
            }
            EquivalentControl::Held | EquivalentControl::SecondOrder => {
                // Phi - I is computed as A S, which avoids cancellation.
                let of_disturbance = solve_columns("C Psi", &c.dot(plant.psi()), &c)?;
                let gain = of_disturbance.dot(&plant.a().dot(plant.integral()));
                (gain, Some(of_disturbance).filter(|_| kind == EquivalentControl::SecondOrder))
            }
        };
        Ok(Self {
            plant: plant.clone(),
            c,
            gain,
            of_disturbance,
            disturbance: vec![0.0; n],
            expected: vec![0.0; n],
            has_expectation: false,
            terms: vec![0.0; 2 * m],
        })
    }

    pub(super) fn ports(&self) -> Ports {
        self.plant.controller_ports()
    }

    /// Returns $C \Psi$, the change of sigma in a period per unit of u.
    pub(super) fn response(&self) -> Array2<f64> {
        self.c.dot(self.plant.psi())
    }

    /// Returns sigma_k and u_s.
    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// Returns sigma_k, and mutable access to u_s.
    pub(super) fn terms_mut(&mut self) -> (&[f64], &mut [f64]) {
        let (sigma, switched) = self.terms.split_at_mut(self.plant.inputs());
        (sigma, switched)
    }

    /// Begins a sample at x: computes sigma_k and writes u_eq to u.
    pub(super) fn begin(&mut self, x: &[f64], u: &mut [f64]) {
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
        product(&self.c, x, &mut self.terms[..u.len()]);
    }

    /// Writes to `sigma` the predicted sliding variable after a period with u held.
    pub(super) fn foresee(&mut self, x: &[f64], u: &[f64], sigma: &mut [f64]) {
        self.expect(x, u);
        product(&self.c, &self.expected, sigma);
        add_product(&self.c, &self.disturbance, sigma);
    }

    /// Ends a sample: adds u_s to u, and stores the predicted state after a period with this u held.
    pub(super) fn end(&mut self, x: &[f64], u: &mut [f64]) {
        let switched = &self.terms[u.len()..];
        u.iter_mut().zip(switched).for_each(|(u, switched)| *u += switched);
        self.expect(x, u);
    }

    fn expect(&mut self, x: &[f64], u: &[f64]) {
        product(self.plant.phi(), x, &mut self.expected);
        add_product(self.plant.psi(), u, &mut self.expected);
        self.has_expectation = true;
    }

    pub(super) fn restart(&mut self) {
        self.disturbance.fill(0.0);
        self.has_expectation = false;
        self.terms.fill(0.0);
    }

    /// Returns the predicted x, followed by sigma and u_s of the last sample; empty before the first sample.
    pub(super) fn memory(&self) -> Vec<f64> {
        if self.has_expectation { [&self.expected[..], &self.terms].concat() } else { Vec::new() }
    }

    /// Returns the length of an internal state after the first sample.
    pub(super) fn memory_length(&self) -> usize {
        self.expected.len() + self.terms.len()
    }

    /// Restores an internal state, which must have the length [`memory_length`](Self::memory_length).
    pub(super) fn recall(&mut self, memory: &[f64]) {
        let (expected, terms) = memory.split_at(self.expected.len());
        self.expected.copy_from_slice(expected);
        self.terms.copy_from_slice(terms);
        self.has_expectation = true;
    }
}
