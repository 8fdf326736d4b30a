//! The Moreau-Jean time-stepping scheme: its parameters.

use serde::{Deserialize, Serialize};

use super::description::{HoldsAt, Takes};
use super::{Activation, IntegratorDescription, Scheme, Weights};
use crate::settings_error::SettingsError;

/// The theta scheme of Moreau and Jean for second-order systems, in velocities and impulses.
///
/// Over a step from $t_k$ to $t_{k+1} = t_k + h$, with $f = F_{int} + F_{gyr} - F_{ext} - T_L u_L$,
///
/// $$ M(q_{k+1}) (v_{k+1} - v_k) + h \theta f_{k+1} + h (1 - \theta) f_k = J^T(q_{k+1}) \lambda_{k+1}, \qquad
///    q_{k+1} = q_k + h \bigl(\theta v_{k+1} + (1 - \theta) v_k \bigr), $$
///
/// where lambda is an impulse \[N s\]; and for each unilateral contact
///
/// $$ \text{if } y_k + \gamma h \dot y_k \le \text{threshold:} \quad
///    0 \le \dot y_{k+1} + e \dot y_k \perp \lambda_{k+1} \ge 0, \qquad \text{else } \lambda_{k+1} = 0. $$
///
/// As plain text: M (v' - v) + h theta f' + h (1 - theta) f = J^T lambda; q' = q + h (theta v' + (1 - theta)
/// v); if the predicted gap y + gamma h ydot is at or below the threshold, ydot' + e ydot and lambda are
/// complementary, else lambda = 0. Equalities ask for ydot' = 0 in every step. A compliant contact (relation
/// with D) is held at position level, y' = H q' + b + D lambda'/h complementary to lambda', in every step.
///
/// A [`SpringDamper`](crate::model::SpringDamper) pulls in every step with the mean of its force at both
/// ends, weighted with theta, along $J^T$ in the middle of the step.
///
/// A [`Relay`](crate::model::Relay) holds in every step as well, between $\dot y_{k+1}$ and an impulse
/// between h times its bounds.
///
/// With friction the gap of a contact is its first component, and the law holds for
/// $u = \dot y_{k+1} + (e_N \dot y_{N,k}, e_T \dot y_{T,k})$ and $\lambda_{k+1}$, see
/// [`NewtonImpactFriction`](crate::model::NewtonImpactFriction).
///
/// The step is solved by Newton's method on $W = M + h \theta \partial_v f + h^2 \theta^2 \partial_q f$
/// around the contact problem, from $q_k + h v_k$ and $v_k$; when everything is linear one iteration is
/// exact. The Jacobian of contacts may also be that at $q_k$
/// ([`ContactJacobian`](crate::simulation::ContactJacobian)). Joints, that is
/// [equalities](crate::model::EqualityCondition), hold $J(q_{k+1}) v_{k+1} = 0$ and react along
/// $J^T$ in the middle of the step ([`JointReaction`](crate::simulation::JointReaction)).
///
/// Order 1 in h through impacts, in the L1 norm of the velocity. With theta = 1/2 and a constant mass order 2
/// on smooth arcs, of free motion and of joints, whose positions drift by as much as the midpoint rule lets
/// them and no further. Where M depends on q the order is 1: M is taken at the end of the step.
/// Where a contact lasts, or a compliant one acts, the order is 1: the reaction is that at the end of the
/// step. (With reactions at the end joints have order 1 as well, and do not keep the energy: a pendulum of 2
/// kg on a rod of 1 m, let go at 1 rad, loses 0.28, 0.14, 0.07 J in 1 s at h = 4, 2, 1 ms.)
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
    /// Implicitness in \[0, 1\]: 0 explicit, 1/2 conserves the energy of linear systems in free motion, 1
    /// damps most. Default 1/2.
    pub theta: f64,
    /// How far ahead the gap is predicted, in steps; at least 0. Default 1/2. With 0 a contact is active
    /// where it is closed at the beginning of the step; with 1 or more, steps before it closes.
    pub gamma: f64,
    /// Predicted gap \[m\] at or below which a contact is active. A number is taken literally; if the systems
    /// of a contact have different integrators, one that gives a number decides. Default `None`: the rounding
    /// of the gap, 16 units in the last place of the terms that it is the sum of and of what moves it in the
    /// step.
    ///
    /// By default a contact at rest is active as well. Its speed and its gap are both within the resolution
    /// of the step, the fraction $\rho$ of the change $\Delta v$ of its velocity without reactions:
    /// $\lvert \dot y_k \rvert \le \rho \Delta v$ and $\lvert y_k \rvert \le \rho h \Delta v$, as plain text
    /// |ydot| <= rho dv and |y| <= rho h dv. $\rho$ is 2^-14, or 1024 times the tolerance of the solver of
    /// the one-step problem if that is more, and at most 1/16. At such a contact the law is plastic and
    /// requires $y_k + h u_N \ge 0$, so that what the solver leaves below its tolerance does not add up to a
    /// gap that opens the contact, nor to an overlap. Gaps below 2^-8 of the resolution are left as they are.
    #[doc(alias = "constraintActivationThreshold")]
    pub activation_threshold: Option<f64>,
    /// Where the gyroscopic moment of rigid bodies is taken. Default [`GyroscopicTerm::Middle`].
    pub gyroscopic: GyroscopicTerm,
    /// How contacts and joints are held in positions as well. Default `None`: in velocities alone, so that
    /// what overlaps stays so, and joints drift as far as the midpoint rule lets them. The systems of an
    /// interaction have to agree.
    #[doc(alias = "MoreauJeanDirectProjectionOSI")]
    #[doc(alias = "MoreauJeanCombinedProjectionOSI")]
    pub projection: Option<Projection>,
}

/// How a step puts positions back onto joints and contacts, along $W^{-1} J^T$: the smallest way in the
/// metric of W. Velocities stay as they are.
///
/// Equalities end with y = 0 to the rounding of their terms, whatever the step length. An iteration with W
/// and the Jacobian at each position in turn solves for that; where it does not get there (walls that are
/// closer to each other than a body is thick) the step fails by
/// [`SimulationError::NotProjected`](crate::SimulationError::NotProjected), or goes on, as
/// [`OnNonConvergence`](crate::simulation::OnNonConvergence) says. Compliant relations have no projection.
///
/// Reference: Acary (2013), "Projected event-capturing time-stepping schemes for nonsmooth mechanical systems
/// with unilateral contact and Coulomb's friction", Computer Methods in Applied Mechanics and Engineering
/// 256, 224-250.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Projection {
    /// After the step: of the contacts that were active in it those that overlap are moved to y = 0, by
    /// $0 \le y \perp \tau \ge 0$, with others that come to overlap by that. A contact that closes late in a
    /// step overlaps until the next one, and under restitution a stack may rattle for ever by as much: what
    /// one contact is moved by opens another.
    Direct,
    /// Step and projection in turn, until no contact overlaps. The step begins without contacts; each that
    /// overlaps at its end joins the active set, and the step is computed anew. A contact with an impulse
    /// ends with y = 0, also where the rebound would have taken it off the ground within the step; others in
    /// the set with $0 \le y \perp \tau \ge 0$. `gamma` and `activation_threshold` play no part. No body
    /// overlaps at the end of any step.
    ///
    /// An impact with e > 0 loses the height that the rebound would have gained within the step: a ball with
    /// e = 1 dropped from 1 m is at rest after 52 s with h = 1e-2. Simulate elastic impacts without a
    /// projection, or by events.
    Combined,
}

/// Where a step takes the gyroscopic moment $\Omega \times I \Omega$ of a
/// [rigid body](crate::model::NewtonEuler).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GyroscopicTerm {
    /// At $\Omega_\theta = \theta \Omega_{k+1} + (1 - \theta) \Omega_k$: with theta = 1/2 a free body keeps
    /// its energy to rounding, since the moment does no work on the mean of both ends. Default.
    #[default]
    Middle,
    /// The moments of both ends, with the weights theta and 1 - theta, as any other force.
    Ends,
    /// The moment at the beginning of the step, so that W is the mass: developer's notes of Siconos, (9.3)
    /// and (9.4). A free body gains energy.
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
    /// The scheme with the given theta, and defaults otherwise.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] when theta is not in \[0, 1\].
    pub fn new(theta: f64) -> Result<Self, SettingsError> {
        let scheme = Self { theta, ..Self::default() };
        scheme.validate()?;
        Ok(scheme)
    }

    /// Checks the parameters; called when a simulation is built.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !(0.0..=1.0).contains(&self.theta) {
            let (name, value) = ("theta", self.theta);
            return Err(SettingsError::OutOfRange { name, value, must_be: "between 0 and 1" });
        }
        self.activation().validate()
    }

    const DESCRIPTION: IntegratorDescription = IntegratorDescription {
        name: "MoreauJean",
        level: HoldsAt::Velocities,
        has_equal_steps: false,
        takes: Takes { bodies: true, nonlinear: true, coupled: true },
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
