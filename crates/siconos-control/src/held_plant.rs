//! Plant model of a controller, discretised by zero-order hold.

use ndarray::Array2;
use siconos_linalg::{ZeroOrderHold, zero_order_hold};

use super::{ControlError, Ports};
use siconos_kernel::engine::{check_finite, check_positive, check_shape};

/// Plant model of a controller or an observer: $\dot x = A x + B u$, and its exact step over a period h with
/// u held,
///
/// $$ x_{k+1} = \Phi x_k + \Psi u_k, \qquad \Phi = e^{A h}, \qquad S = \int_0^h e^{A s} ds, \qquad
/// \Psi = S B. $$
///
/// As plain text: x' = A x + B u; x_{k+1} = Phi x_k + Psi u_k with Phi = exp(A h), S the integral of exp(A s)
/// over a period, Psi = S B.
///
/// ```
/// use ndarray::array;
/// use siconos_control::HeldPlant;
///
/// // A mass of 2 kg, x = (q, v), under a force.
/// let mass = HeldPlant::new(array![[0.0, 1.0], [0.0, 0.0]], array![[0.0], [0.5]], 0.1)?;
/// assert!((mass.psi()[[0, 0]] - 0.5 * 0.1 * 0.1 / 2.0).abs() < 1e-17);
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeldPlant {
    a: Array2<f64>,
    b: Array2<f64>,
    period: f64,
    hold: ZeroOrderHold,
    psi: Array2<f64>,
}

impl HeldPlant {
    /// Creates a plant model. A is `n x n` \[1/s if all states have the same unit\], B is `n x m`, and the
    /// period is in \[s\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a shape is wrong or an entry is not finite; [`ControlError::Settings`] if
    /// the period is not positive; [`ControlError::Hold`] if the matrix exponential exceeds the range of
    /// double precision.
    pub fn new(a: Array2<f64>, b: Array2<f64>, period: f64) -> Result<Self, ControlError> {
        check_positive("period", period)?;
        check_shape("A of a plant", (a.nrows(), a.nrows()), a.dim())?;
        check_shape("B of a plant", (a.nrows(), b.ncols()), b.dim())?;
        check_finite("A of a plant", &a)?;
        check_finite("B of a plant", &b)?;
        let hold = zero_order_hold(&a, period)?;
        let psi = hold.integral.dot(&b);
        Ok(Self { a, b, period, hold, psi })
    }

    /// Returns A, `n x n`.
    #[must_use]
    pub fn a(&self) -> &Array2<f64> {
        &self.a
    }

    /// Returns B, `n x m`.
    #[must_use]
    pub fn b(&self) -> &Array2<f64> {
        &self.b
    }

    /// Returns the period \[s\].
    #[must_use]
    pub fn period(&self) -> f64 {
        self.period
    }

    /// Returns $\Phi = e^{A h}$, `n x n`.
    #[must_use]
    pub fn phi(&self) -> &Array2<f64> {
        &self.hold.transition
    }

    /// Returns $S = \int_0^h e^{A s} ds$, `n x n` \[s\].
    #[must_use]
    pub fn integral(&self) -> &Array2<f64> {
        &self.hold.integral
    }

    /// Returns $\Psi = S B$, `n x m`.
    #[must_use]
    pub fn psi(&self) -> &Array2<f64> {
        &self.psi
    }

    /// Returns the number of states, n.
    #[must_use]
    pub fn states(&self) -> usize {
        self.a.nrows()
    }

    /// Returns the number of inputs, m.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.b.ncols()
    }

    /// Returns the ports of a controller that reads all of x and sets all of u.
    pub(super) fn controller_ports(&self) -> Ports {
        Ports { takes: self.states(), gives: self.inputs(), period: Some(self.period) }
    }
}
