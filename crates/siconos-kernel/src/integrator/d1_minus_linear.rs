//! Parameters of the half-explicit D1-minus scheme.

use serde::{Deserialize, Serialize};

use super::activation::check_threshold;
use super::description::{ConstraintLevel, SupportedSystems};
use super::{IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// Half-explicit scheme of Schindler and Acary (D1-minus) for Lagrangian systems. The velocity is linear over
/// each step and can jump at its end. Contact forces and impacts are computed by separate problems.
///
/// A step is the trapezoidal rule with the accelerations at both ends, followed by an impact. Let F be the
/// forces on the right-hand side of the equation of motion:
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
/// - The forces lambda+ act at contacts that are closed at the start of the step and do not open (the gap y
///   and the gap velocity are at most zero). They satisfy $0 \le \ddot y \perp \lambda \ge 0$, or the
///   conditions of [`ForceLevel::Velocity`].
/// - The impulse acts at all contacts that are closed at the end of the step. The impact is plastic (e = 0)
///   at a contact whose rebound would be slower than the change of the gap velocity over the step. A ball
///   with e < 1 therefore comes to rest. (Without this rule, the ball would take off for less than a step,
///   fall back, and receive the next impulse only at the end of the next step. It would sink into the ground
///   at a speed of g h / (2 (1 + e)).)
/// - The forces lambda- act at the contacts that are closed at the end of the step and do not open. In an
///   island in which a contact has closed during the step, only the impulse acts.
/// - Equality constraints are part of all three problems. The drift of their positions is not corrected.
///
/// The scheme does not iterate. It evaluates forces twice per step, and steps must be short compared with the
/// periods of stiff springs. If $F$ is smooth, the order is 2 between impacts. Bodies that rest on the ground
/// keep the overlap that they had when they came to rest.
///
/// In the state, [`Level::Velocity`](crate::Level::Velocity) holds the impulse Lambda \[N s\] of the impact,
/// and [`Level::Acceleration`](crate::Level::Acceleration) the force lambda- \[N\].
///
/// All systems of an interaction must have this integrator. The solvers for the problems of this scheme are
/// always chosen automatically, even if a solver is set for the simulation. The scheme supports Lagrangian
/// systems with the laws [`NewtonImpact`](crate::model::NewtonImpact),
/// [`ComplementarityCondition`](crate::model::ComplementarityCondition) and
/// [`EqualityCondition`](crate::model::EqualityCondition).
///
/// References: Schindler and Acary (2014), "Timestepping schemes for nonsmooth dynamics based on
/// discontinuous Galerkin methods: definition and outlook", Mathematics and Computers in Simulation 95,
/// 180-199; Schindler, Rezaei, Kursawe and Acary (2015), "Half-explicit timestepping schemes on velocity
/// level based on time-discontinuous Galerkin methods", Computer Methods in Applied Mechanics and Engineering
/// 290, 250-276. In these papers, a contact that closes removes the forces of all contacts. Here it removes
/// only the forces in its island. The motion of a body therefore does not depend on bodies that it does not
/// touch.
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
/// // The exact parabola after the impact at 0.4515 s; the computed impact is slightly late.
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
    /// Level at which the forces of lasting contacts are computed. Default: [`ForceLevel::Acceleration`].
    pub forces: ForceLevel,
    /// Gap \[m\] at or below which a contact is closed. Default: `None`, which uses the rounding error of the
    /// gap. For a contact with a reaction in the previous step, `None` uses at least 2^-24 of the distance
    /// that the bodies would fall in this step. If the ground is curved or moves, the error of a step,
    /// $O(h^3)$, can lift a body off the ground, and the body then hits the ground again. A threshold above
    /// this error keeps the contact closed.
    pub gap_threshold: Option<f64>,
    /// Gap velocity \[m/s\] at or below which a closed contact does not open. Default: `None`, which uses the
    /// rounding error of the velocity. For a contact with a reaction in the previous step, `None` uses at
    /// least 2^-24 of the velocity that the bodies would gain in this step. The predicted velocity has an
    /// error of $O(h^2)$. If this error exceeds the threshold, the contact is treated as opening: no force
    /// acts, only the impulse. If a threshold is given, impacts with a slow rebound are not treated as
    /// plastic, as in the published scheme.
    pub velocity_threshold: Option<f64>,
}

/// Level at which the forces of lasting contacts are computed in a step of [`D1MinusLinear`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceLevel {
    /// Gap accelerations at both ends of the step, including $\dot J v$. Default.
    #[default]
    #[doc(alias = "halfexplicit_acceleration_level")]
    Acceleration,
    /// Gap velocities that result from the forces, for all closed contacts. At the start of the step,
    /// $0 \le J(q_k + h v_k) v^* \perp h \lambda \ge 0$ with forces along $J(q_k)$. At the end of the step,
    /// $0 \le J(q_{k+1}) v_{k+1}^- \perp \frac{h}{2} \lambda \ge 0$. The forces alone then satisfy the
    /// velocity constraints of joints, without the impulse, and $\dot J$ is not needed.
    #[doc(alias = "halfexplicit_velocity_level")]
    Velocity,
}

impl D1MinusLinear {
    /// Checks the parameters. The check is repeated when a simulation is built.
    ///
    /// # Errors
    ///
    /// If a threshold is not finite: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_threshold("gap_threshold", self.gap_threshold)?;
        check_threshold("velocity_threshold", self.velocity_threshold)
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "D1MinusLinear",
        level: ConstraintLevel::Forces,
        has_equal_steps: false,
        takes: SupportedSystems { bodies: false, nonlinear: true, coupled: true },
    };

    pub(super) fn scheme(self) -> Scheme {
        Scheme { half_explicit: self, ..Scheme::new(&Self::DESCRIPTION, Weights::implicit(0.5)) }
    }
}
