//! Parameters of the scheme of Schatzman and Paoli.

use serde::{Deserialize, Serialize};

use super::description::{ConstraintLevel, SupportedSystems};
use super::{IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// Scheme of Schatzman and Paoli for linear Lagrangian systems: a two-step scheme for the positions.
///
/// With $u_{k+1} = (q_{k+1} - q_k) / h$, the mean velocity over a step,
///
/// $$ M (u_{k+1} - u_k) + h \Bigl( C \frac{u_{k+1} + u_k}{2} + K \bar q_k - F(t_k) \Bigr)
///    = H^T \lambda_{k+1}, \qquad \bar q_k = (1 - \theta) q_k + \theta \frac{q_{k+1} + q_{k-1}}{2}, \qquad
///    v_{k+1} = \frac{q_{k+1} - q_{k-1}}{2 h}, $$
///
/// where lambda is an impulse \[N s\]. Each unilateral contact is enforced at position level, in every step:
///
/// $$ 0 \le y_{k+1} + e y_{k-1} \perp \lambda_{k+1} \ge 0. $$
///
/// As plain text: M (u' - u) + h (C (u' + u)/2 + K ((1 - theta) q + theta (q' + q_old)/2) - F) = H^T lambda;
/// y' + e y_old and lambda are complementary. An equality requires y' = 0. The multiplier of a contact in the
/// literature is h lambda; the mean force lambda/h over the step is at
/// [`Level::Position`](crate::Level::Position).
///
/// In the first step, $u_0$ is $v_0$, as published. A step also counts as a first step if it starts from a
/// state that the scheme has not computed: a new state, a state with a position or velocity that was set, or
/// a state moved by another scheme. This first step limits the order to 1. A body can overlap the ground for
/// one step, by e times its gap two steps earlier; overlaps do not last. The velocity of the state is the
/// mean velocity over the last two steps. If the step length changes, $u_k$ is kept.
///
/// The scheme supports [`LagrangianLinear`](crate::model::LagrangianLinear) systems with linear relations,
/// without friction.
///
/// References: Paoli and Schatzman (2002), "A numerical scheme for impact problems I: the one-dimensional
/// case" and "II: the multidimensional case", SIAM Journal on Numerical Analysis 40, 702-733 and 734-768.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
///     .with_constant_external_force(vec![-9.81]))?;
/// model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.9)?)?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 3.0, 1e-3)?)
///     .integrator(SchatzmanPaoli::default())
///     .build()?;
/// let mut state = sim.initial_state(&model)?;
/// let mut highest = 0.0_f64;
/// sim.run(&model, &mut state, |report, state| {
///     if report.t > 0.46 {
///         highest = highest.max(state.q(ball)[0]);
///     }
/// })?;
/// assert!((highest - 0.81).abs() < 4e-3, "0.81 m after the first impact");
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "SchatzmanPaoliOSI")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SchatzmanPaoli {
    /// Implicitness parameter of the stiffness term in \[0, 1\]. 0 is the explicit scheme of the literature,
    /// which is stable for steps shorter than 2 divided by the largest angular frequency; from 1/2 upwards,
    /// the scheme is stable for all steps. Default: 1/2.
    pub theta: f64,
}

impl Default for SchatzmanPaoli {
    fn default() -> Self {
        Self { theta: 0.5 }
    }
}

impl SchatzmanPaoli {
    /// Checks the parameters. The check is repeated when a simulation is built.
    ///
    /// # Errors
    ///
    /// If theta is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        match self.theta {
            0.0..=1.0 => Ok(()),
            value => Err(SettingsError::OutOfRange { name: "theta", value, must_be: "between 0 and 1" }),
        }
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "SchatzmanPaoli",
        level: ConstraintLevel::Positions,
        has_equal_steps: true,
        takes: SupportedSystems { bodies: false, nonlinear: false, coupled: true },
    };

    pub(super) fn scheme(self) -> Scheme {
        Scheme { theta_of_stiffness: self.theta, ..Scheme::new(&Self::DESCRIPTION, Weights::implicit(1.0)) }
    }
}
