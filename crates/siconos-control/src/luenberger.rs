//! The observer of Luenberger.

use ndarray::Array2;

use super::held_model::HeldModel;
use super::linear::add_product;
use super::{ControlError, HeldPlant, Knowledge, Observer, Ports};
use siconos_kernel::engine::{check_finite, check_shape};

/// The observer of Luenberger, discretised exactly by hold: of $\dot{\hat x} = A \hat x + B u + L (y - C \hat
/// x - D u)$ with u and the correction held for a period,
///
/// $$ \hat x_{k+1} = \Phi \hat x_k + \Psi u_k + S L (y_k - C \hat x_k - D u_{k-1}). $$
///
/// As plain text: xhat_{k+1} = Phi xhat_k + Psi u_k + S L (y_k - C xhat_k - D u_{k-1}), with Phi, S and Psi
/// of [`HeldPlant`]; the first estimate is the one given. At the sample k + 1, u_k is the input that has been
/// held until then: where an actuator is sampled with this period, the one it has set at the sample k. y_k
/// was measured before the actuator acted, so D finds the u before.
///
/// The error $e = x - \hat x$ of a plant that the model describes is $e_{k+1} = (\Phi - S L C) e_k$, whatever
/// u does: it goes to 0 where the eigenvalues of this matrix are inside the unit circle, at the rate of its
/// spectral radius.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{HeldPlant, Knowledge, LuenbergerObserver, Observer};
///
/// // The velocity of a free mass from its position, every 0.1 s. The first measurement is 1, where 0 was thought.
/// let plant = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[], []], 0.1)?;
/// let mut observer = LuenbergerObserver::new(&plant, array![[1.0, 0.0]], array![[5.0], [6.0]], vec![0.0; 2])?;
/// let mut estimate = [0.0; 2];
/// for k in 0..2 {
///     observer.estimate(Knowledge { t: 0.1 * f64::from(k), y: &[1.0], u: &[] }, &mut estimate)?;
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
    /// y - C xhat - D u at the last sample.
    innovation: Vec<f64>,
}

impl LuenbergerObserver {
    /// An observer of y = C x with C `p x n`, L `n x p` and the estimate of the first sample.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: shapes, numbers that are not finite.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        l: Array2<f64>,
        first: Vec<f64>,
    ) -> Result<Self, ControlError> {
        let innovation = vec![0.0; c.nrows()];
        Ok(Self { model: HeldModel::new(plant, c, "L of an observer", &l, first)?, d: None, innovation })
    }

    /// An observer of y = C x + D u; D is `p x m`.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: the shape of D, numbers that are not finite.
    pub fn with_feedthrough(mut self, d: Array2<f64>) -> Result<Self, ControlError> {
        let [of_y, of_u] = self.ports().takes;
        check_shape("D of an observer", (of_y, of_u), d.dim())?;
        check_finite("D of an observer", &d)?;
        self.d = Some(d);
        Ok(self)
    }

    /// The matrix of the error, $e_{k+1} = (\Phi - S L C) e_k$, `n x n`.
    #[must_use]
    pub fn error_dynamics(&self) -> Array2<f64> {
        self.model.phi() - &self.model.correction().dot(self.model.c())
    }
}

impl Observer for LuenbergerObserver {
    fn ports(&self) -> Ports<[usize; 2]> {
        self.model.ports()
    }

    fn estimate(&mut self, known: Knowledge<'_>, estimate: &mut [f64]) -> Result<(), ControlError> {
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

    /// The estimate, and y less what was expected of it; nothing before the first sample.
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
