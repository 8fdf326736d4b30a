//! Sliding mode with the sign at the sample.

use ndarray::Array2;

use super::super::sign_relay::{check_amplitudes, sign};
use super::super::{Actuator, ControlError, HeldPlant, Ports};
use super::EquivalentControl;
use super::surface::SlidingSurface;
use siconos_kernel::model::At;

/// Explicit sliding-mode controller for the surface $\sigma = C x = 0$:
/// $u_k = u_{eq} - \alpha \operatorname{sgn}(\sigma_k)$, row by row, with sgn(0) = 0. As plain text: u_k =
/// u_eq - alpha sgn(sigma_k).
///
/// This is the sliding-mode controller of most textbooks. It is provided for comparison with
/// [`LinearSlidingMode`](super::LinearSlidingMode). Since the sign is held for a period, $\sigma$ overshoots
/// and chatters with an amplitude proportional to the period, and u keeps jumping between its extremes.
///
/// The [terms](Actuator::terms) are $\sigma_k$ and $-\alpha \operatorname{sgn}(\sigma_k)$.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{Actuator, EquivalentControl, ExplicitLinearSlidingMode, HeldPlant};
///
/// // x' = u; sigma = x. From x = 0.25 with 0.1 per sample: three samples down, then up and down forever.
/// let plant = HeldPlant::new(array![[0.0]], array![[1.0]], 0.1)?;
/// let mut control = ExplicitLinearSlidingMode::new(&plant, array![[1.0]], &[1.0], EquivalentControl::Zero)?;
/// let (mut x, mut u) = (0.25, [0.0]);
/// for expected in [-1.0, -1.0, -1.0, 1.0, -1.0] {
///     control.act(0.0.into(), &[x], &mut u)?;
///     assert_eq!(u, [expected]);
///     x += 0.1 * u[0];
/// }
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// Reference: V. I. Utkin (1992), "Sliding Modes in Control and Optimization", Springer.
#[doc(alias = "ExplicitLinearSMC")]
#[derive(Clone, Debug)]
pub struct ExplicitLinearSlidingMode {
    surface: SlidingSurface,
    alpha: Vec<f64>,
}

impl ExplicitLinearSlidingMode {
    /// Creates a controller that reads all of x. C is `m x n`, and `alpha` contains the m amplitudes of the
    /// switched part \[unit of u\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a shape is wrong or an entry is not finite; [`ControlError::Settings`] if
    /// an amplitude is not positive; [`ControlError::NoEquivalentControl`] if C B or C Psi is singular.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        alpha: &[f64],
        equivalent: EquivalentControl,
    ) -> Result<Self, ControlError> {
        let surface = SlidingSurface::new(plant, c, equivalent)?;
        check_amplitudes(plant.inputs(), alpha)?;
        Ok(Self { surface, alpha: alpha.to_vec() })
    }
}

impl Actuator for ExplicitLinearSlidingMode {
    fn ports(&self) -> Ports {
        self.surface.ports()
    }

    fn act(&mut self, _at: At<'_>, x: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
        self.surface.begin(x, u);
        let (sigma, switched) = self.surface.terms_mut();
        for ((switched, sigma), alpha) in switched.iter_mut().zip(sigma).zip(&self.alpha) {
            *switched = -alpha * sign(*sigma);
        }
        self.surface.end(x, u);
        Ok(())
    }

    fn terms(&self) -> &[f64] {
        self.surface.terms()
    }

    fn restart(&mut self) {
        self.surface.restart();
    }

    fn memory(&self) -> Vec<f64> {
        self.surface.memory()
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        let fits = memory.len() == self.surface.memory_length();
        if fits {
            self.surface.recall(memory);
        }
        fits || memory.is_empty()
    }
}
