//! The sliding-mode observer.

use ndarray::Array2;

use super::linear::{add_product, product, solve_columns};
use super::sign_relay::SignRelay;
use super::{ControlError, HeldPlant, Knowledge, Observer};
use crate::error::{check_finite, check_shape};

/// A sliding-mode observer: signs of what is measured less what was expected drive that difference to 0, and
/// on this surface the rest of the state is estimated by a system of lower order. Of
/// $\dot{\hat x} = A \hat x + B u + G v$, $v \in \alpha \operatorname{Sgn}(y - C \hat x)$, the exact step
/// with v held, the sign taken implicitly:
///
/// $$ \hat x_k = \Phi \hat x_{k-1} + \Psi u_{k-1} + S G v_k, \qquad v_k \in \alpha \operatorname{Sgn}(y_k - C \hat x_k). $$
///
/// As plain text: xhat_k = Phi xhat_{k-1} + Psi u_{k-1} + S G v_k with v_k in alpha Sgn(y_k - C xhat_k) row
/// by row; Phi, S and Psi are those of [`HeldPlant`], the first estimate is the one given. v_k solves a
/// [relay problem](siconos_numerics::relay) with the matrix $C S G$.
///
/// Written in (y, rest of x), $G = (I; L)$ makes it the observer of Utkin with the gain L of the rest. Once
/// $C \hat x = y$, the error $e = x - \hat x$ of a plant that the model describes is
/// $e_{k+1} = (I - S G (C S G)^{-1} C) \Phi e_k$, of order n - p: p eigenvalues are 0, and the rate is that
/// of the others.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::control::{HeldPlant, Knowledge, Observer, SlidingReducedOrderObserver};
///
/// // The velocity of a free mass from its position; G = (1, L) with L = 2 / s.
/// let plant = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[], []], 0.1)?;
/// let (c, g) = (array![[1.0, 0.0]], array![[1.0], [2.0]]);
/// let mut observer = SlidingReducedOrderObserver::new(&plant, c, g, &[5.0], vec![0.0; 2])?;
/// let mut estimate = [0.0; 2];
/// for k in 0..100 {
///     let t = 0.1 * f64::from(k);
///     observer.estimate(Knowledge { t, y: &[1.0 + 0.5 * t], u: &[] }, &mut estimate)?;
/// }
/// assert!((estimate[1] - 0.5).abs() < 1e-6);
/// # Ok::<(), siconos_kernel::control::ControlError>(())
/// ```
///
/// References: V. I. Utkin (1992), "Sliding Modes in Control and Optimization", Springer, chapter 14; for the
/// implicit sign V. Acary, B. Brogliato (2010), "Implicit Euler numerical scheme and chattering-free
/// implementation of sliding mode systems", Systems and Control Letters 59, 284-293.
#[derive(Clone, Debug)]
pub struct SlidingReducedOrderObserver {
    plant: HeldPlant,
    c: Array2<f64>,
    /// S G.
    correction: Array2<f64>,
    relay: SignRelay,
    first: Vec<f64>,
    x: Vec<f64>,
    scratch: Vec<f64>,
    /// C xhat - y without v.
    excess: Vec<f64>,
    has_begun: bool,
}

impl SlidingReducedOrderObserver {
    /// An observer of y = C x with C `p x n`, G `n x p`, p amplitudes alpha \[unit of y per s where C G = I\]
    /// and the estimate of the first sample.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: shapes, numbers that are not finite. [`ControlError::Settings`]: an amplitude
    /// that is not above 0. [`ControlError::NotMonotone`]: C S G no P-matrix.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        g: Array2<f64>,
        alpha: &[f64],
        first: Vec<f64>,
    ) -> Result<Self, ControlError> {
        let n = plant.states();
        check_shape("C of an observer", (c.nrows(), n), c.dim())?;
        check_shape("G of an observer", (n, c.nrows()), g.dim())?;
        check_shape("the first estimate", (n, 1), (first.len(), 1))?;
        check_finite("C of an observer", &c)?;
        check_finite("G of an observer", &g)?;
        check_finite("the first estimate", &first)?;
        let correction = plant.integral().dot(&g);
        Ok(Self {
            relay: SignRelay::new("C S G", c.dot(&correction), alpha)?,
            plant: plant.clone(),
            correction,
            excess: vec![0.0; c.nrows()],
            c,
            x: first.clone(),
            first,
            scratch: vec![0.0; n],
            has_begun: false,
        })
    }

    /// The matrix of the error on the surface, $e_{k+1} = (I - S G (C S G)^{-1} C) \Phi e_k$, `n x n`.
    ///
    /// # Errors
    ///
    /// [`ControlError::NoEquivalentControl`]: C S G singular to working precision.
    pub fn error_dynamics(&self) -> Result<Array2<f64>, ControlError> {
        let c_phi = self.c.dot(self.plant.phi());
        let held = solve_columns("C S G", &self.c.dot(&self.correction), &c_phi)?;
        Ok(self.plant.phi() - &self.correction.dot(&held))
    }
}

impl Observer for SlidingReducedOrderObserver {
    fn takes(&self) -> [usize; 2] {
        [self.c.nrows(), self.plant.inputs()]
    }

    fn size(&self) -> usize {
        self.plant.states()
    }

    fn period(&self) -> Option<f64> {
        Some(self.plant.period())
    }

    fn estimate(&mut self, known: Knowledge<'_>, estimate: &mut [f64]) -> Result<(), ControlError> {
        if self.has_begun {
            product(self.plant.phi(), &self.x, &mut self.scratch);
            add_product(self.plant.psi(), known.u, &mut self.scratch);
            std::mem::swap(&mut self.x, &mut self.scratch);
            product(&self.c, &self.x, &mut self.excess);
            self.excess.iter_mut().zip(known.y).for_each(|(excess, y)| *excess -= y);
            let v = self.relay.solve(&self.excess)?;
            add_product(&self.correction, v, &mut self.x);
        }
        self.has_begun = true;
        estimate.copy_from_slice(&self.x);
        Ok(())
    }

    fn restart(&mut self) {
        self.x.copy_from_slice(&self.first);
        self.relay.restart();
        self.has_begun = false;
    }
}
