//! Sliding mode with an implicit step.

use ndarray::Array2;

use super::super::sign_relay::SignRelay;
use super::super::{Actuator, ControlError, HeldPlant, Ports};
use super::EquivalentControl;
use super::surface::SlidingSurface;
use siconos_kernel::model::At;

/// Implicit sliding-mode controller for the surface $\sigma = C x = 0$. The switched part of the input
/// depends on the sign of $\sigma$ at the *next* sample, as predicted by a model of the plant:
///
/// $$ u_k = u_{eq} + u_s, \qquad \sigma_{k+1} = C (\Phi x_k + d_k + \Psi (u_{eq} + u_s)), \qquad
/// u_s \in -\alpha \operatorname{Sgn}(\sigma_{k+1}). $$
///
/// As plain text: u_k = u_eq + u_s, sigma_{k+1} = C (Phi x_k + d_k + Psi (u_eq + u_s)), and u_s in -alpha
/// Sgn(sigma_{k+1}) row by row, where Sgn(0) is the interval \[-1, 1\]. $\Phi$ and $\Psi$ are defined in
/// [`HeldPlant`], u_eq and the disturbance d_k (0 except for the second order) in [`EquivalentControl`]. With
/// w = sigma_{k+1} and z = u_s, this is a [relay problem](siconos_numerics::relay) with the matrix $C \Psi$.
/// It has exactly one solution if the matrix is a P-matrix.
///
/// While $u_s$ is at its bounds, it moves $\sigma$ towards 0 by $C \Psi \alpha$ per sample, in addition to
/// the drift that $u_{eq}$ does not remove. Afterwards $\sigma$ is 0 at the samples, up to rounding if the
/// model is exact, and u is smooth. The controller does not chatter, whatever the period.
///
/// The [terms](Actuator::terms) are $\sigma_k$ and $u_s$.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{Actuator, EquivalentControl, HeldPlant, LinearSlidingMode};
///
/// // x' = u; sigma = x. From x = 0.25 with 0.1 per sample: twice the full input, once half of it, then none.
/// let plant = HeldPlant::new(array![[0.0]], array![[1.0]], 0.1)?;
/// let mut control = LinearSlidingMode::new(&plant, array![[1.0]], &[1.0], EquivalentControl::Zero)?;
/// let (mut x, mut u) = (0.25, [0.0]);
/// for expected in [-1.0, -1.0, -0.5, 0.0] {
///     control.act(0.0.into(), &[x], &mut u)?;
///     assert!((u[0] - expected).abs() < 1e-14);
///     x += 0.1 * u[0];
/// }
/// # Ok::<(), siconos_control::ControlError>(())
/// ```
///
/// References: V. Acary, B. Brogliato (2010), "Implicit Euler numerical scheme and chattering-free
/// implementation of sliding mode systems", Systems and Control Letters 59, 284-293. V. I. Utkin (1992),
/// "Sliding Modes in Control and Optimization", Springer.
#[doc(alias = "LinearSMC")]
#[derive(Clone, Debug)]
pub struct LinearSlidingMode {
    surface: SlidingSurface,
    relay: SignRelay,
    /// Predicted sigma_{k+1} for u_s = 0.
    free: Vec<f64>,
}

impl LinearSlidingMode {
    /// Creates a controller that reads all of x. C is `m x n`, and `alpha` contains the m amplitudes of the
    /// switched part \[unit of u\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a shape is wrong or an entry is not finite; [`ControlError::Settings`] if
    /// an amplitude is not positive; [`ControlError::NoEquivalentControl`] if C B or C Psi is singular;
    /// [`ControlError::NotMonotone`] if C Psi is not a P-matrix. Changing the signs of rows of C, or
    /// combining rows, can make it a P-matrix.
    pub fn new(
        plant: &HeldPlant,
        c: Array2<f64>,
        alpha: &[f64],
        equivalent: EquivalentControl,
    ) -> Result<Self, ControlError> {
        let surface = SlidingSurface::new(plant, c, equivalent)?;
        let relay = SignRelay::new("C Psi", surface.response(), alpha)?;
        Ok(Self { surface, relay, free: vec![0.0; plant.inputs()] })
    }
}

impl Actuator for LinearSlidingMode {
    fn ports(&self) -> Ports {
        self.surface.ports()
    }

    fn act(&mut self, _at: At<'_>, x: &[f64], u: &mut [f64]) -> Result<(), ControlError> {
        self.surface.begin(x, u);
        self.surface.foresee(x, u, &mut self.free);
        let (_, switched) = self.surface.terms_mut();
        switched.copy_from_slice(self.relay.solve(&self.free)?);
        self.surface.end(x, u);
        Ok(())
    }

    fn terms(&self) -> &[f64] {
        self.surface.terms()
    }

    fn restart(&mut self) {
        self.surface.restart();
        self.relay.restart();
    }

    /// Returns the internal state of the surface, followed by u_s, which is the initial guess of the next
    /// solve.
    fn memory(&self) -> Vec<f64> {
        match &self.surface.memory()[..] {
            [] => Vec::new(),
            surface => [surface, self.relay.memory()].concat(),
        }
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        self.restart();
        let (ours, all) = (self.surface.memory_length(), self.relay.memory().len());
        if memory.is_empty() {
            return true;
        }
        if memory.len() != ours + all {
            return false;
        }
        self.surface.recall(&memory[..ours]);
        self.relay.recall(&memory[ours..]).is_some()
    }
}
