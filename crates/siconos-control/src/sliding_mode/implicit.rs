//! Sliding mode by an implicit step.

use ndarray::Array2;

use super::super::sign_relay::SignRelay;
use super::super::{Actuator, ControlError, HeldPlant, Ports};
use super::EquivalentControl;
use super::surface::SlidingSurface;
use siconos_kernel::model::At;

/// Sliding mode along $\sigma = C x = 0$, implicit: what is switched follows the sign of $\sigma$ at the
/// *next* sample, as a model of the plant foresees it.
///
/// $$ u_k = u_{eq} + u_s, \qquad \sigma_{k+1} = C (\Phi x_k + d_k + \Psi (u_{eq} + u_s)), \qquad
/// u_s \in -\alpha \operatorname{Sgn}(\sigma_{k+1}). $$
///
/// As plain text: u_k = u_eq + u_s, sigma_{k+1} = C (Phi x_k + d_k + Psi (u_eq + u_s)), and u_s in -alpha
/// Sgn(sigma_{k+1}) row by row, where Sgn(0) is all of \[-1, 1\]. $\Phi$ and $\Psi$ are those of
/// [`HeldPlant`], u_eq and the disturbance d_k (0 but for the second order) those of [`EquivalentControl`].
/// With w = sigma_{k+1} and z = u_s this is a [relay problem](siconos_numerics::relay) with the matrix
/// $C \Psi$, which has one solution when that is a P-matrix.
///
/// While $u_s$ is at its bounds, $\sigma$ goes to 0 by $C \Psi \alpha$ per sample, beside what $u_{eq}$
/// leaves; then it is 0 at the samples, to rounding where the model is the plant, and u is smooth: the
/// controller does not chatter, whatever the period.
///
/// The [terms](Actuator::terms) are $\sigma_k$ and $u_s$.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{Actuator, EquivalentControl, HeldPlant, LinearSlidingMode};
///
/// // x' = u; sigma = x. From x = 0.25 with 0.1 per sample: two samples at full input, half an input, then none.
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
    /// sigma_{k+1} without u_s.
    free: Vec<f64>,
}

impl LinearSlidingMode {
    /// A controller that reads all of x; C is `m x n`, alpha the m amplitudes of the switched part \[unit of
    /// u\].
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: shapes, numbers that are not finite. [`ControlError::Settings`]: an amplitude
    /// that is not above 0. [`ControlError::NoEquivalentControl`]: C B or C Psi singular.
    /// [`ControlError::NotMonotone`]: C Psi no P-matrix; the rows of C turned round or combined may make it
    /// one.
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

    /// What the surface keeps, and the switched part from which the next one starts.
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
