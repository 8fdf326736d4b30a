//! The sliding-mode observer.

use ndarray::Array2;

use super::held_model::HeldModel;
use super::linear::solve_columns;
use super::sign_relay::SignRelay;
use super::{ControlError, HeldPlant, Knowledge, Observer, Ports};

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
/// use siconos_control::{HeldPlant, Knowledge, Observer, SlidingReducedOrderObserver};
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
    /// C xhat - y without v.
    excess: Vec<f64>,
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
        let model = HeldModel::new(plant, c, "G of an observer", &g, first)?;
        let relay = SignRelay::new("C S G", model.c().dot(model.correction()), alpha)?;
        Ok(Self { excess: vec![0.0; model.c().nrows()], model, relay })
    }

    /// The matrix of the error on the surface, $e_{k+1} = (I - S G (C S G)^{-1} C) \Phi e_k$, `n x n`.
    ///
    /// # Errors
    ///
    /// [`ControlError::NoEquivalentControl`]: C S G singular to working precision.
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

    fn estimate(&mut self, known: Knowledge<'_>, estimate: &mut [f64]) -> Result<(), ControlError> {
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

    /// The estimate, and the signs of the last sample; nothing before the first one.
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
