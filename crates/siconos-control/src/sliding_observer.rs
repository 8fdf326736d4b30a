//! Sliding-mode observer.

use ndarray::Array2;

use super::held_model::HeldModel;
use super::linear::solve_columns;
use super::sign_relay::SignRelay;
use super::{ControlError, HeldPlant, Observer, ObserverInput, Ports};

/// Sliding-mode observer. The signs of the difference $y - C \hat x$ drive this difference to 0 in finite
/// time. Once it is 0, a system of lower order estimates the other states. The observer
/// $\dot{\hat x} = A \hat x + B u + G v$, $v \in \alpha \operatorname{Sgn}(y - C \hat x)$, with v held for a
/// period and the sign evaluated implicitly, has the exact step
///
/// $$ \hat x_k = \Phi \hat x_{k-1} + \Psi u_{k-1} + S G v_k, \qquad
/// v_k \in \alpha \operatorname{Sgn}(y_k - C \hat x_k). $$
///
/// As plain text: xhat_k = Phi xhat_{k-1} + Psi u_{k-1} + S G v_k with v_k in alpha Sgn(y_k - C xhat_k) row
/// by row. Phi, S and Psi are defined in [`HeldPlant`], and the first estimate is given. v_k solves a
/// [relay problem](siconos_numerics::relay) with the matrix $C S G$.
///
/// If the state consists of y and the other states, $G = (I; L)$ gives Utkin's observer with the gain L for
/// the other states. Once $C \hat x = y$, and if the model is exact, the error $e = x - \hat x$ follows
/// $e_{k+1} = (I - S G (C S G)^{-1} C) \Phi e_k$. p eigenvalues of this matrix are 0, and the other n - p
/// eigenvalues determine the rate of convergence.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{HeldPlant, ObserverInput, Observer, SlidingReducedOrderObserver};
///
/// // The velocity of a free mass from its position; G = (1, L) with L = 2 / s.
/// let plant = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[], []], 0.1)?;
/// let (c, g) = (array![[1.0, 0.0]], array![[1.0], [2.0]]);
/// let mut observer = SlidingReducedOrderObserver::new(&plant, c, g, &[5.0], vec![0.0; 2])?;
/// let mut estimate = [0.0; 2];
/// for k in 0..100 {
///     let t = 0.1 * f64::from(k);
///     observer.estimate(ObserverInput { t, y: &[1.0 + 0.5 * t], u: &[] }, &mut estimate)?;
/// }
/// assert!((estimate[1] - 0.5).abs() < 1e-6);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// References: V. I. Utkin (1992), "Sliding Modes in Control and Optimization", Springer, chapter 14; for the
/// implicit sign V. Acary, B. Brogliato (2010), "Implicit Euler numerical scheme and chattering-free
/// implementation of sliding mode systems", Systems and Control Letters 59, 284-293.
#[derive(Clone, Debug)]
pub struct SlidingReducedOrderObserver {
    model: HeldModel,
    relay: SignRelay,
    /// C xhat - y before the correction.
    excess: Vec<f64>,
}

impl SlidingReducedOrderObserver {
    /// Creates an observer for y = C x. C is `p x n`, G is `n x p`, `alpha` contains p amplitudes \[unit of y
    /// per s if C G = I\], and `first` is the estimate at the first sample.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a shape is wrong or an entry is not finite; [`ControlError::Settings`] if
    /// an amplitude is not positive; [`ControlError::NotMonotone`] if C S G is not a P-matrix.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        g: Array2<f64>,
        alpha: &[f64],
        first: Vec<f64>,
    ) -> Result<Self, ControlError> {
        let model = HeldModel::new(plant, c, "G of an observer", &g, first)?;
        let relay = SignRelay::new("C S G", model.c().dot(model.correction()), alpha)?;
        Ok(Self { excess: vec![0.0; model.c().nrows()], model, relay })
    }

    /// Returns the matrix of the error dynamics on the surface,
    /// $e_{k+1} = (I - S G (C S G)^{-1} C) \Phi e_k$, `n x n`.
    ///
    /// # Errors
    ///
    /// [`ControlError::NoEquivalentControl`] if C S G is singular to working precision.
    pub fn error_dynamics(&self) -> Result<Array2<f64>, ControlError> {
        let (phi, c, correction) = (self.model.phi(), self.model.c(), self.model.correction());
        let held = solve_columns("C S G", &c.dot(correction), &c.dot(phi))?;
        Ok(phi - &correction.dot(&held))
    }
}

impl Observer for SlidingReducedOrderObserver {
    fn ports(&self) -> Ports<[usize; 2]> {
        self.model.ports()
    }

    fn estimate(&mut self, known: ObserverInput<'_>, estimate: &mut [f64]) -> Result<(), ControlError> {
        if self.model.advance(known.u) {
            self.model.output(&mut self.excess);
            self.excess.iter_mut().zip(known.y).for_each(|(excess, y)| *excess -= y);
            self.model.correct(self.relay.solve(&self.excess)?);
        }
        estimate.copy_from_slice(self.model.x());
        Ok(())
    }

    fn restart(&mut self) {
        self.model.restart();
        self.relay.restart();
    }

    /// Estimate, and signs of the last sample; empty before the first sample.
    fn memory(&self) -> Vec<f64> {
        match self.model.memory() {
            [] => Vec::new(),
            x => [x, self.relay.memory()].concat(),
        }
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        if memory.is_empty() {
            return true;
        }
        if memory.len() != self.model.x().len() + self.relay.memory().len() {
            return false;
        }
        self.model.recall(memory).and_then(|rest| self.relay.recall(rest)).is_some()
    }
}
