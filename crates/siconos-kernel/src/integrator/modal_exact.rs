//! Parameters of the exact scheme for modes.

use serde::{Deserialize, Serialize};

use super::description::{ConstraintLevel, SupportedSystems};
use super::{Activation, IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// Exact scheme for damped modes, with contacts as in [`MoreauJean`](super::MoreauJean).
///
/// The scheme is for linear Lagrangian systems with diagonal mass, damping and stiffness, that is, in modal
/// coordinates. For a mode $m \ddot q + c \dot q + k q = F$, let $\sigma = c / (2 m)$, $\omega^2 = k / m$ and
/// $\omega_d^2 = \omega^2 - \sigma^2$. While no contact acts, the positions of the mode satisfy
///
/// $$ q_{k+1} = 2 e^{-\sigma h} \cos(\omega_d h) q_k - e^{-2 \sigma h} q_{k-1} + \dots $$
///
/// As plain text: q' = 2 exp(-s h) cos(w_d h) q - exp(-2 s h) q_old + the contribution of the force (with
/// cosh instead of cos for an overdamped mode). For a constant force, this is the exact motion at the grid
/// points, for any step length. With $u_{k+1} = (q_{k+1} - q_k) / h$, the recursion can be written as a step
/// in velocities and impulses,
///
/// $$ W (u_{k+1} - e^{-2 \sigma h} u_k) = \text{the impulses of spring and force} + H^T \lambda_{k+1}, \qquad
///    W = \frac{2 m}{1 + e^{-2 \sigma h}}, \qquad q_{k+1} = q_k + h u_{k+1}, $$
///
/// so contacts, friction and equalities are treated as in `MoreauJean`, for the velocities u. **The velocity
/// of the state is u**, the mean velocity over the last step, which is the velocity of the mode half a step
/// earlier. A state that this scheme has not computed itself (a new state, a state that was set, a state
/// moved by another scheme) has the ordinary velocity instead, and the first step starts exactly from this
/// velocity.
///
/// A time-dependent force is evaluated at $t_k$, with an error of order 2. If the step length changes, u is
/// kept, and the motion is then only approximate.
///
/// References: Bilbao (2009), "Numerical Sound Synthesis", chapter 3; Issanchou, Acary, Perignon, Touze and
/// Le Carrou (2018), "Nonsmooth contact dynamics for the numerical simulation of collisions in musical string
/// instruments", Journal of the Acoustical Society of America 143, which combines the scheme with the scheme
/// of Moreau and Jean.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// // A string with two modes that are very stiff for a step of 0.1 s.
/// let mut model = NonSmoothDynamicalSystem::new();
/// let string = model.add_system(LagrangianLinear::new(vec![1.0, 1.0], vec![0.0, 0.0], array![1.0, 1.0])
///     .with_stiffness(array![4.0e4, 9.0e6]))?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?)
///     .integrator(ModalExact::default())
///     .build()?;
/// let mut state = sim.initial_state(&model)?;
/// sim.run(&model, &mut state, |_, _| {})?;
/// assert!((state.q(string)[0] - 200.0_f64.cos()).abs() < 1e-11);
/// assert!((state.q(string)[1] - 3000.0_f64.cos()).abs() < 1e-11);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "MoreauJeanBilbaoOSI")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModalExact {
    /// Time over which the gap of a contact is predicted, as a multiple of the step length. Must not be
    /// negative. Default: 1/2.
    pub gamma: f64,
    /// Predicted gap \[m\] at or below which a contact is active, as in
    /// [`MoreauJean`](super::MoreauJean::activation_threshold). Default: `None`, which uses the rounding
    /// error of the gap.
    #[doc(alias = "constraintActivationThreshold")]
    pub activation_threshold: Option<f64>,
}

impl Default for ModalExact {
    fn default() -> Self {
        Self { gamma: 0.5, activation_threshold: None }
    }
}

impl ModalExact {
    /// Checks the parameters. The check is repeated when a simulation is built.
    ///
    /// # Errors
    ///
    /// If a parameter is outside its range: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.activation().validate()
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "ModalExact",
        level: ConstraintLevel::Velocities,
        has_equal_steps: true,
        takes: SupportedSystems { bodies: false, nonlinear: false, coupled: false },
    };

    fn activation(&self) -> Activation {
        Activation { gamma: self.gamma, threshold: self.activation_threshold }
    }

    pub(super) fn scheme(self) -> Scheme {
        Scheme {
            activation: Some(self.activation()),
            ..Scheme::new(&Self::DESCRIPTION, Weights::implicit(1.0))
        }
    }
}
