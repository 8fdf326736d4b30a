//! Luenberger observer.

use ndarray::Array2;

use super::held_model::HeldModel;
use super::linear::add_product;
use super::{ControlError, HeldPlant, Observer, ObserverInput, Ports};
use siconos_kernel::engine::{check_finite, check_shape};

/// Luenberger observer, discretised exactly by zero-order hold. The observer
/// $\dot{\hat x} = A \hat x + B u + L (y - C \hat x - D u)$, with u and the correction held for a period, has
/// the step
///
/// $$ \hat x_{k+1} = \Phi \hat x_k + \Psi u_k + S L (y_k - C \hat x_k - D u_{k-1}). $$
///
/// As plain text: xhat_{k+1} = Phi xhat_k + Psi u_k + S L (y_k - C xhat_k - D u_{k-1}). Phi, S and Psi are
/// defined in [`HeldPlant`], and the first estimate is given. At sample k + 1, u_k is the input that has been
/// held until this sample. If an actuator is sampled with the same period, it has set u_k at sample k. Since
/// y_k was measured before the actuator acted, D multiplies the previous input.
///
/// If the model is exact, the error $e = x - \hat x$ follows $e_{k+1} = (\Phi - S L C) e_k$ for every u. It
/// goes to 0 if the eigenvalues of this matrix are inside the unit circle. The spectral radius of the matrix
/// is then the rate of convergence.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{HeldPlant, ObserverInput, LuenbergerObserver, Observer};
///
/// // The velocity of a free mass from its position, every 0.1 s. The first measurement is 1, the estimate 0.
/// let plant = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[], []], 0.1)?;
/// let mut observer = LuenbergerObserver::new(&plant, array![[1.0, 0.0]], array![[5.0], [6.0]], vec![0.0; 2])?;
/// let mut estimate = [0.0; 2];
/// for k in 0..2 {
///     observer.estimate(ObserverInput { t: 0.1 * f64::from(k), y: &[1.0], u: &[] }, &mut estimate)?;
/// }
/// assert!((estimate[0] - (0.1 * 5.0 + 0.005 * 6.0)).abs() < 1e-15 && (estimate[1] - 0.6).abs() < 1e-15);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// Reference: D. G. Luenberger (1971), "An introduction to observers", IEEE Transactions on Automatic Control
/// 16, 596-602.
#[derive(Clone, Debug)]
pub struct LuenbergerObserver {
    model: HeldModel,
    d: Option<Array2<f64>>,
    /// Innovation y - C xhat - D u at the last sample.
    innovation: Vec<f64>,
}

impl LuenbergerObserver {
    /// Creates an observer for y = C x. C is `p x n`, L is `n x p`, and `first` is the estimate at the first
    /// sample.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a shape is wrong or an entry is not finite.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        l: Array2<f64>,
        first: Vec<f64>,
    ) -> Result<Self, ControlError> {
        let innovation = vec![0.0; c.nrows()];
        Ok(Self { model: HeldModel::new(plant, c, "L of an observer", &l, first)?, d: None, innovation })
    }

    /// Sets the feedthrough D of y = C x + D u. D is `p x m`.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if D has the wrong shape or an entry is not finite.
    pub fn with_feedthrough(mut self, d: Array2<f64>) -> Result<Self, ControlError> {
        let [of_y, of_u] = self.ports().takes;
        check_shape("D of an observer", (of_y, of_u), d.dim())?;
        check_finite("D of an observer", &d)?;
        self.d = Some(d);
        Ok(self)
    }

    /// Returns the matrix of the error dynamics, $e_{k+1} = (\Phi - S L C) e_k$, `n x n`.
    #[must_use]
    pub fn error_dynamics(&self) -> Array2<f64> {
        self.model.phi() - &self.model.correction().dot(self.model.c())
    }
}

impl Observer for LuenbergerObserver {
    fn ports(&self) -> Ports<[usize; 2]> {
        self.model.ports()
    }

    fn estimate(&mut self, known: ObserverInput<'_>, estimate: &mut [f64]) -> Result<(), ControlError> {
        if self.model.advance(known.u) {
            self.model.correct(&self.innovation);
        }
        self.model.output(&mut self.innovation);
        if let Some(d) = &self.d {
            add_product(d, known.u, &mut self.innovation);
        }
        self.innovation.iter_mut().zip(known.y).for_each(|(innovation, y)| *innovation = y - *innovation);
        estimate.copy_from_slice(self.model.x());
        Ok(())
    }

    fn restart(&mut self) {
        self.model.restart();
    }

    /// Estimate and innovation; empty before the first sample.
    fn memory(&self) -> Vec<f64> {
        match self.model.memory() {
            [] => Vec::new(),
            x => [x, &self.innovation].concat(),
        }
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        if memory.is_empty() {
            return true;
        }
        if memory.len() != self.model.x().len() + self.innovation.len() {
            return false;
        }
        let rest = self.model.recall(memory);
        rest.inspect(|rest| self.innovation.copy_from_slice(rest)).is_some()
    }
}
