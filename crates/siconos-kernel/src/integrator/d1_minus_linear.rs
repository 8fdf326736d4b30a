//! The half-explicit D1-minus scheme: its parameters.

use serde::{Deserialize, Serialize};

use super::activation::check_threshold;
use super::description::{HoldsAt, Takes};
use super::{IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// The half-explicit scheme of Schindler and Acary from linear functions that may jump at the end of a step
/// (D1-minus), for Lagrangian systems: contact forces and impacts are two problems.
///
/// A step is the trapezoidal rule with the accelerations at both ends, followed by an impact. With F the
/// forces on the right-hand side,
///
/// $$ a_k^+ = M^{-1} (F_k + J^T \lambda_k^+), \qquad v^* = v_k + h a_k^+, \qquad
///    q_{k+1} = q_k + \tfrac{h}{2} (v_k + v^*), $$
///
/// $$ v_{k+1}^- = v_k + \tfrac{h}{2} \bigl( a_k^+ + M^{-1} (F(q_{k+1}, v^*) + J^T \lambda_{k+1}^-) \bigr),
///    \qquad v_{k+1} = v_{k+1}^- + M^{-1} J^T \Lambda, \qquad
///    0 \le \dot y_{k+1} + e \dot y_{k+1}^- \perp \Lambda \ge 0 $$
///
/// As plain text: a = M^-1 (F + J^T lambda+); v* = v + h a; q' = q + h/2 (v + v*); v- = v + h/2 (a + a*) with
/// a* = M^-1 (F(q', v*) + J^T lambda-); v' = v- + M^-1 J^T Lambda, with ydot' + e ydot- and the impulse
/// Lambda complementary.
///
/// - The forces lambda+ act at contacts that are closed at the beginning and do not open (y and its velocity
///   at most zero), and satisfy $0 \le \ddot y \perp \lambda \ge 0$; or they are those of
///   [`ForceLevel::Velocity`].
/// - The impulse acts at all contacts that are closed at the end. It is plastic (e = 0) at a contact whose
///   rebound would be slower than the change of its velocity over the step, so that a ball with e < 1 comes
///   to rest. (Without this rule it flies for less than a step, falls, and is hit at the end of the next one:
///   it sinks by g h / (2 (1 + e)) per second.) The forces lambda- act at those of them that do not open, but
///   at none of an island in which a contact has closed in the step: there the impulse alone decides.
/// - Equalities are in all three problems. What drifts off them stays off: there is no projection.
///
/// Nothing is iterated: forces are evaluated twice a step, and steps have to be short beside the periods of
/// stiff springs. With $F$ smooth and no impact the order is 2. Bodies that rest on the ground overlap by
/// what they had overlapped when they came to rest.
///
/// Of the state, [`Level::Velocity`](crate::Level::Velocity) has the impulse Lambda \[N s\] of the impact,
/// [`Level::Acceleration`](crate::Level::Acceleration) the force lambda- \[N\].
///
/// All systems of an interaction have to have this integrator. Its problems are solved by automatic choices,
/// whatever solver the simulation was given for others. For Lagrangian systems and the laws
/// [`NewtonImpact`](crate::model::NewtonImpact),
/// [`ComplementarityCondition`](crate::model::ComplementarityCondition) and
/// [`EqualityCondition`](crate::model::EqualityCondition).
///
/// References: Schindler and Acary (2014), "Timestepping schemes for nonsmooth dynamics based on
/// discontinuous Galerkin methods: definition and outlook", Mathematics and Computers in Simulation 95,
/// 180-199; Schindler, Rezaei, Kursawe and Acary (2015), "Half-explicit timestepping schemes on velocity
/// level based on time-discontinuous Galerkin methods", Computer Methods in Applied Mechanics and Engineering
/// 290, 250-276. There the forces are left out of all contacts where one has closed, here of its island, so
/// that what does not touch a body changes nothing of its motion.
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
///     .discretisation(TimeDiscretisation::uniform(0.0, 0.8, 1e-3)?)
///     .integrator(D1MinusLinear::default())
///     .build()?;
/// let mut state = sim.initial_state(&model)?;
/// sim.run(&model, &mut state, |_, _| {})?;
/// // The parabola after the impact at 0.4515 s, within what it came late.
/// let (fall, t) = ((2.0_f64 / 9.81).sqrt(), 0.8);
/// let exact = 0.9 * 9.81 * fall * (t - fall) - 0.5 * 9.81 * (t - fall) * (t - fall);
/// assert!((state.q(ball)[0] - exact).abs() < 1e-2);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "D1MinusLinearOSI")]
#[doc(alias = "TimeSteppingD1Minus")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct D1MinusLinear {
    /// What the forces of lasting contacts are computed from. Default [`ForceLevel::Acceleration`].
    pub forces: ForceLevel,
    /// The gap \[m\] at or below which a contact is closed. Default `None`: the rounding of the gap, which
    /// for a contact that pressed in the last step is 2^-24 of what its bodies would fall in this one. Ground
    /// that is curved or moves is left by the error of a step, $O(h^3)$, and met again: a threshold above
    /// that makes one lasting contact of it.
    pub gap_threshold: Option<f64>,
    /// The gap velocity \[m/s\] at or below which a closed contact does not open. Default `None`: the
    /// rounding of the velocity, as above. The predicted velocity has an error of $O(h^2)$, below which the
    /// impulse takes the place of the force. With a number the scheme is the published one: a rebound is
    /// never taken as plastic.
    pub velocity_threshold: Option<f64>,
}

/// What the forces of lasting contacts in a step of [`D1MinusLinear`] are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceLevel {
    /// The accelerations of the gaps at either end, with $\dot J v$. Default.
    #[default]
    #[doc(alias = "halfexplicit_acceleration_level")]
    Acceleration,
    /// The gap velocities that the forces lead to: at the beginning $0 \le J(q_k + h v_k) v^* \perp h \lambda
    /// \ge 0$ with forces along $J(q_k)$, at the end $0 \le J(q_{k+1}) v_{k+1}^- \perp \frac{h}{2} \lambda
    /// \ge 0$, over all closed contacts. Joints then hold in velocities without the impulse, and nothing has
    /// to be differentiated in time.
    #[doc(alias = "halfexplicit_velocity_level")]
    Velocity,
}

impl D1MinusLinear {
    /// Checks the parameters; called when a simulation is built.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_threshold("gap_threshold", self.gap_threshold)?;
        check_threshold("velocity_threshold", self.velocity_threshold)
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "D1MinusLinear",
        level: HoldsAt::Forces,
        has_equal_steps: false,
        takes: Takes { bodies: false, nonlinear: true, coupled: true },
    };

    pub(super) fn scheme(self) -> Scheme {
        Scheme { half_explicit: self, ..Scheme::new(&Self::DESCRIPTION, Weights::implicit(0.5)) }
    }
}
