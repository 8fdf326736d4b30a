//! Parameters of the Moreau-Jean time-stepping scheme.

use serde::{Deserialize, Serialize};

use super::description::{ConstraintLevel, SupportedSystems};
use super::{Activation, IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// Theta scheme of Moreau and Jean for second-order systems, at velocity level with impulses.
///
/// Over a step from $t_k$ to $t_{k+1} = t_k + h$, with $f = F_{int} + F_{gyr} - F_{ext} - T_L u_L$,
///
/// $$ M(q_{k+1}) (v_{k+1} - v_k) + h \theta f_{k+1} + h (1 - \theta) f_k = J^T(q_{k+1}) \lambda_{k+1}, \qquad
///    q_{k+1} = q_k + h \bigl(\theta v_{k+1} + (1 - \theta) v_k \bigr), $$
///
/// where lambda is an impulse \[N s\]. For each unilateral contact,
///
/// $$ \text{if } y_k + \gamma h \dot y_k \le \text{threshold:} \quad
///    0 \le \dot y_{k+1} + e \dot y_k \perp \lambda_{k+1} \ge 0, \qquad \text{else } \lambda_{k+1} = 0. $$
///
/// As plain text: M (v' - v) + h theta f' + h (1 - theta) f = J^T lambda; q' = q + h (theta v' + (1 - theta)
/// v); if the predicted gap y + gamma h ydot is at or below the threshold, ydot' + e ydot and lambda are
/// complementary, else lambda = 0.
///
/// Other laws hold in every step: an equality requires ydot' = 0. A compliant contact (a relation with D) is
/// enforced at position level: y' = H q' + b + D lambda'/h is complementary to lambda'. The force of a
/// [`SpringDamper`](crate::model::SpringDamper) is the mean of its values at both ends of the step, with the
/// weights theta and 1 - theta, and acts along $J^T$ evaluated at the midpoint of the step. A
/// [`Relay`](crate::model::Relay) holds between $\dot y_{k+1}$ and an impulse, and the bounds of this impulse
/// are h times the bounds of the law.
///
/// With friction, the gap of a contact is its first component, and the law holds for
/// $u = \dot y_{k+1} + (e_N \dot y_{N,k}, e_T \dot y_{T,k})$ and $\lambda_{k+1}$, see
/// [`NewtonImpactFriction`](crate::model::NewtonImpactFriction).
///
/// The step is solved by Newton's method with $W = M + h \theta \partial_v f + h^2 \theta^2 \partial_q f$.
/// Each iteration solves one contact problem. The iteration starts from $q_k + h v_k$ and $v_k$. If
/// everything is linear, one iteration is exact. Optionally, the Jacobian of contacts is evaluated at $q_k$
/// ([`ContactJacobian`](crate::simulation::ContactJacobian)). Joints, that is,
/// [equalities](crate::model::EqualityCondition), satisfy $J(q_{k+1}) v_{k+1} = 0$; their reactions act along
/// $J^T$ evaluated at the midpoint of the step ([`JointReaction`](crate::simulation::JointReaction)).
///
/// The order is 1 in h through impacts, in the L1 norm of the velocity. For smooth motion, with theta = 1/2
/// and a constant mass, the order is 2 for free motion and for joints; the drift of joint positions is only
/// the error of the midpoint rule. The order is 1 if M depends on q, because M is evaluated at the end of the
/// step. It is also 1 while a contact lasts or a compliant contact acts, because the reaction is evaluated at
/// the end of the step. (Joints with reactions at the end of the step have order 1 as well, and lose energy
/// in proportion to h: a pendulum of 2 kg on a rod of 1 m, released at 1 rad, loses 0.07 J in 1 s at h = 1
/// ms.)
///
/// References: Moreau (1988), "Unilateral contact and dry friction in finite freedom dynamics"; Jean (1999),
/// "The non-smooth contact dynamics method", section 4; Acary and Brogliato (2008), section 10.1.
///
/// ```
/// use siconos_kernel::integrator::MoreauJean;
///
/// let scheme = MoreauJean { theta: 1.0, ..MoreauJean::default() };
/// assert_eq!(scheme.gamma, 0.5);
/// assert!(MoreauJean::new(1.5).is_err());
/// assert!(MoreauJean { gamma: 1.5, ..scheme }.validate().is_ok());
/// ```
#[doc(alias = "MoreauJeanOSI")]
#[doc(alias = "Moreau")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MoreauJean {
    /// Implicitness parameter in \[0, 1\]: 0 is explicit, 1/2 conserves the energy of linear systems in free
    /// motion, 1 has the largest damping. Default: 1/2.
    pub theta: f64,
    /// Time over which the gap is predicted, as a multiple of the step length. Must not be negative. Default:
    /// 1/2. If it is 0, a contact is active if it is closed at the start of the step. If it is above 1, a
    /// contact can be active before the step in which it would close.
    pub gamma: f64,
    /// Predicted gap \[m\] at or below which a contact is active. If the systems of a contact have different
    /// integrators, it is sufficient to set the threshold of one of them; all thresholds that are set must
    /// agree. Default: `None`, which uses the rounding error of the gap: 16 units in the last place of the
    /// terms of the gap and of its changes in the step.
    ///
    /// By default, a contact at rest is also active. A contact is at rest if its speed and its gap are both
    /// within the resolution of the step: $\lvert \dot y_k \rvert \le \rho \Delta v$ and
    /// $\lvert y_k \rvert \le \rho h \Delta v$, as plain text |ydot| <= rho dv and |y| <= rho h dv.
    /// $\Delta v$ is the change of the relative velocity of the contact over the step without reactions, in
    /// any direction; for declared contacts without friction, along the normal. $\rho$ is 2^-14, or 1024
    /// times the tolerance of the solver of the one-step problem if that is larger, and at most 1/16. At a
    /// contact at rest, the law is plastic and requires $y_k + h u_N \ge 0$. Residuals below the tolerance
    /// of the solver therefore do not add up to a gap that opens the contact, or to an overlap. Gaps below
    /// 2^-8 of the resolution are not corrected.
    #[doc(alias = "constraintActivationThreshold")]
    pub activation_threshold: Option<f64>,
    /// Time in the step at which the gyroscopic moment of rigid bodies is evaluated. Default:
    /// [`GyroscopicTerm::Middle`].
    pub gyroscopic: GyroscopicTerm,
    /// Method that also enforces contacts and joints at position level. Default: `None`, which enforces them
    /// at velocity level only; overlaps then remain, and the drift of joints is the error of the midpoint
    /// rule. All systems of an interaction must have the same method.
    #[doc(alias = "MoreauJeanDirectProjectionOSI")]
    #[doc(alias = "MoreauJeanCombinedProjectionOSI")]
    pub projection: Option<Projection>,
}

/// Projection of the positions at the end of a step onto the constraints of joints and contacts. The
/// displacement is $W^{-1} J^T \tau$ with multipliers tau, the smallest displacement in the norm of W.
/// Velocities do not change. If the projection of a contact moves a body along a joint, as after an impact of
/// a pendulum, the velocity no longer satisfies the equations of the joint exactly. The next step corrects
/// this by an impulse, so the joint force of that step is wrong by an amount that does not decrease with h.
///
/// The projected positions satisfy equalities with y = 0 up to the rounding error of their terms, for any
/// step length. The projection iterates, with W and the Jacobian at each new position. If it does not
/// converge (for example, if the distance between two walls is less than the thickness of a body between
/// them), the step fails with [`SimulationError::NotProjected`](crate::SimulationError::NotProjected), or
/// continues, depending on [`OnNonConvergence`](crate::simulation::OnNonConvergence). Compliant relations
/// have no projection.
///
/// Reference: Acary (2013), "Projected event-capturing time-stepping schemes for nonsmooth mechanical systems
/// with unilateral contact and Coulomb's friction", Computer Methods in Applied Mechanics and Engineering
/// 256, 224-250.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Projection {
    /// Projection after the step. Contacts that were active in the step and overlap are moved to y = 0, with
    /// the condition $0 \le y \perp \tau \ge 0$. Contacts that overlap as a result are moved as well. A
    /// contact that closes late in a step overlaps until the next step. With restitution, a stack can keep
    /// rattling with an amplitude of the size of these overlaps, because moving one contact opens another.
    Direct,
    /// The step and the projection alternate until no contact overlaps. The step is first computed without
    /// contacts; each contact that overlaps at its end joins the active set, and the step is computed again.
    /// A contact with an impulse ends with y = 0, even if the rebound would have opened it within the step.
    /// Other contacts in the set satisfy $0 \le y \perp \tau \ge 0$, and so do all contacts if a body has
    /// more contacts with impulses than it can keep closed. `gamma` and `activation_threshold` are
    /// not used. No body overlaps at the end of any step.
    ///
    /// An impact with e > 0 loses the height that the rebound would have gained within the step: a ball with
    /// e = 1 dropped from 1 m is at rest after 52 s with h = 1e-2. Simulate elastic impacts without
    /// projection, or with event-driven simulation.
    Combined,
    /// Velocities remove the overlaps of contacts over many steps. A contact that overlaps by y < 0 satisfies
    /// $u_N \ge \min(-y / 16 h, 8 \Delta v)$, as plain text u_N >= min(-y / 16 h, 8 dv), where dv is the
    /// change of the contact velocity over a step without reactions. Restitution acts only if the bodies
    /// approach faster than dv, which a body at rest reaches in one step. If the rebound is faster, it alone
    /// removes the overlap.
    ///
    /// Positions have no jumps, and contacts that carry a load remain closed, so their forces are steady. The
    /// overlap decreases to 1/e of its depth in 16 steps. If it grows in each step by d, because a contact
    /// point moves along a curved surface, an overlap of 16 d remains. If the problem of a step has no
    /// solution, as for a body that is wider than the distance between two walls, overlaps are not removed in
    /// this step. The work that moves bodies out of overlaps is
    /// [`EnergyBalance::projection`](crate::simulation::EnergyBalance::projection). Joints are projected as
    /// with [`Direct`](Self::Direct).
    Gradual,
}

/// Time in the step at which the gyroscopic moment $\Omega \times I \Omega$ of a
/// [rigid body](crate::model::NewtonEuler) is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GyroscopicTerm {
    /// At $\Omega_\theta = \theta \Omega_{k+1} + (1 - \theta) \Omega_k$. With theta = 1/2, a free body
    /// conserves its energy up to rounding error, because the moment does no work on this mean angular
    /// velocity. Default.
    #[default]
    Middle,
    /// At both ends, with the weights theta and 1 - theta, as any other force.
    Ends,
    /// At the start of the step, as in the developer's notes of Siconos, (9.3) and (9.4). W is then the mass
    /// matrix. A free body gains energy.
    #[doc(alias = "explicitNewtonEulerDSOperators")]
    Explicit,
}

impl Default for MoreauJean {
    fn default() -> Self {
        Self {
            theta: 0.5,
            gamma: 0.5,
            activation_threshold: None,
            gyroscopic: GyroscopicTerm::default(),
            projection: None,
        }
    }
}

impl MoreauJean {
    /// Creates the scheme with the given theta and defaults for everything else.
    ///
    /// # Errors
    ///
    /// If theta is not in \[0, 1\]: [`SettingsError::OutOfRange`].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        let scheme = Self { theta, ..Self::default() };
        scheme.validate()?;
        Ok(scheme)
    }

    /// Checks the parameters. The check is repeated when a simulation is built.
    ///
    /// # Errors
    ///
    /// If a parameter is outside its range: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !(0.0..=1.0).contains(&self.theta) {
            let (name, value) = ("theta", self.theta);
            return Err(SettingsError::OutOfRange { name, value, must_be: "between 0 and 1" });
        }
        self.activation().validate()
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "MoreauJean",
        level: ConstraintLevel::Velocities,
        has_equal_steps: false,
        takes: SupportedSystems { bodies: true, nonlinear: true, coupled: true },
    };

    fn activation(&self) -> Activation {
        Activation { gamma: self.gamma, threshold: self.activation_threshold }
    }

    pub(super) fn scheme(self) -> Scheme {
        Scheme {
            activation: Some(self.activation()),
            projection: self.projection,
            gyroscopic: self.gyroscopic,
            ..Scheme::new(&Self::DESCRIPTION, Weights::implicit(self.theta))
        }
    }
}
