//! The sliding surface, and the equivalent control: the input that keeps the sliding variable where it is.

use ndarray::Array2;

use super::super::linear::{add_product, product, solve_columns};
use super::super::{ControlError, HeldPlant, Ports};
use siconos_kernel::engine::{check_finite, check_shape};

/// The equivalent control $u_{eq}$, which is to keep $\sigma = C x$ where it is, so that what is left for the
/// switched part is small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EquivalentControl {
    /// $u_{eq} = 0$.
    Zero,
    /// $u_{eq} = -(C B)^{-1} C A x_k$, that of continuous time (Utkin 1992), held for a period: $\sigma$
    /// moves by a multiple of $h^2$ in a period, and more where the plant is unstable.
    FirstOrder,
    /// $u_{eq} = -(C \Psi)^{-1} C (\Phi - I) x_k$, that of the model with u held: $\sigma$ stays where it is,
    /// as far as the model is the plant.
    #[default]
    Held,
    /// $u_{eq} = -(C \Psi)^{-1} C ((\Phi - I) x_k + d_k)$ with $d_k = x_k - \Phi x_{k-1} - \Psi u_{k-1}$,
    /// what the plant has done in the last period that the model does not know of (0 at the first sample).
    /// Without such a disturbance $\sigma$ stays where it is; under a smooth one it moves, once on the
    /// surface, by $C (d_{k+1} - d_k)$, a multiple of $h^2$ (Su, Drakunov, Ozguner 2000, "An O(T^2) boundary
    /// layer in sliding mode for sampled-data systems", IEEE Transactions on Automatic Control 45).
    #[doc(alias = "LinearSMCOT2")]
    SecondOrder,
}

/// The surface $\sigma = C x = 0$ with its equivalent control: what sliding modes have in common, whichever
/// way they take the sign.
#[derive(Clone, Debug)]
pub(super) struct SlidingSurface {
    plant: HeldPlant,
    c: Array2<f64>,
    /// `u_eq = -gain x - of_disturbance d`.
    gain: Array2<f64>,
    of_disturbance: Option<Array2<f64>>,
    /// d, 0 where it is not looked at.
    disturbance: Vec<f64>,
    /// $\Phi x_{k-1} + \Psi u_{k-1}$.
    expected: Vec<f64>,
    has_expectation: bool,
    /// sigma_k, u_s.
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
                // Phi - I = A S, without cancellation.
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

    /// $C \Psi$: what u does to sigma in a period.
    pub(super) fn response(&self) -> Array2<f64> {
        self.c.dot(self.plant.psi())
    }

    /// sigma_k and u_s.
    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// sigma_k, and the place for u_s.
    pub(super) fn terms_mut(&mut self) -> (&[f64], &mut [f64]) {
        let (sigma, switched) = self.terms.split_at_mut(self.plant.inputs());
        (sigma, switched)
    }

    /// Begins a sample at x: finds sigma_k, and writes u_eq into u.
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

    /// Writes what sigma is expected to be after a period with u held.
    pub(super) fn foresee(&mut self, x: &[f64], u: &[f64], sigma: &mut [f64]) {
        self.expect(x, u);
        product(&self.c, &self.expected, sigma);
        add_product(&self.c, &self.disturbance, sigma);
    }

    /// Ends the sample: adds u_s to u, and notes what the model expects of a period with that held.
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

    /// What the model expects of x, and sigma and u_s of the last sample; nothing before the first one.
    pub(super) fn memory(&self) -> Vec<f64> {
        if self.has_expectation { [&self.expected[..], &self.terms].concat() } else { Vec::new() }
    }

    /// How many numbers there are in a memory that is not empty.
    pub(super) fn memory_length(&self) -> usize {
        self.expected.len() + self.terms.len()
    }

    /// Takes over the memory, of as many numbers as it has.
    pub(super) fn recall(&mut self, memory: &[f64]) {
        let (expected, terms) = memory.split_at(self.expected.len());
        self.expected.copy_from_slice(expected);
        self.terms.copy_from_slice(terms);
        self.has_expectation = true;
    }
}
