//! Settings and progress of the Newton iteration, which solves a step of a nonlinear model.

use serde::{Deserialize, Serialize};

use crate::integrator::larger;
use crate::settings_error::SettingsError;

/// Settings of the Newton iteration, which solves the equations of a step of a nonlinear model.
///
/// Each iteration linearises the model and solves a one-step problem. The initial guess of Lagrangian systems
/// is the position $q_k + h v_k$ with the velocity $v_k$. The initial guess of first-order systems is the
/// state $x_k$ with the multiplier of the last step.
///
/// # Islands
///
/// Systems that are connected by interactions of the index set form an *island*. Each island has its own
/// error and its own damping. An island with an error at or below the tolerance is frozen, while the loop
/// continues for the other islands. The motion of a body is therefore identical to the last bit, whatever
/// happens in other islands. An island in which all systems and relations are linear is solved exactly by one
/// iteration, and its error is 0.
///
/// # Error of Lagrangian systems
///
/// The error of an island is computed after each update. It is the larger of two dimensionless errors.
///
/// The error of the equations of motion is the residual relative to the change over the step. It is the
/// largest value over all degrees of freedom i of the following ratio, in which the Jacobian J is evaluated
/// at the new position:
///
/// $$ \frac{\lvert R - J^T \lambda \rvert_i - \varepsilon_i}
///    {\sum_j \lvert W_{ij} \rvert \lvert v_j - v_{k,j} \rvert +
///    h (\theta \lvert f_i \rvert + (1 - \theta) \lvert f_{k,i} \rvert) + (\lvert J \rvert^T \lvert \lambda
///    \rvert)_i}. $$
///
/// As plain text: the residual minus its rounding error, divided by the sum of the change of momentum and the
/// impulses of forces and reactions. With this scaling, the errors of many steps add up to at most the
/// tolerance times the sum of all impulses, for any step length.
///
/// The error of the contact velocities is the largest value over all active contacts of the following ratio.
/// The numerator is the change of the contact velocity if J is evaluated at the new position instead of the
/// position of the previous iterate. The denominator is the sum of the magnitudes of the terms of the
/// velocity, $\sum_i \lvert J_i v_i \rvert + \lvert \partial_t h \rvert$.
///
/// The rounding error $\varepsilon_i$ is 16 + n units in the last place of the sum of the terms of row i,
/// where n is the number of rows of the system. The terms include momentum and positions. Their sum is taken
/// to be at least the momentum at which row i would have the largest kinetic energy among the rows of the
/// system.
///
/// There are two exceptions to these definitions:
///
/// - If an error of at most 1000 times the tolerance has not decreased for three iterations, it is assumed to
///   come from the functions of the model, for example from Jacobians by finite differences. The island is
///   then frozen, and the report shows the error.
/// - The velocities of some contacts and joints are only rounding errors, because nothing moves in their
///   directions. An example is the direction normal to the plane of a planar mechanism. The change of such a
///   velocity counts as 0 if, relative to the motion of the island, it is at most 1e-3 times the error of the
///   one-step problem and at most 1e-3 times the tolerance.
///
/// # Error of first-order systems
///
/// The error of an island is the largest of three residuals, each row relative to the magnitude of its own
/// terms (developer's notes of Siconos, 8.3, 8.12 and 8.16):
///
/// - the equation of motion,
///   $M (x - x_k) - h \theta f - h (1 - \theta) f_k - h \theta_r r - h (1 - \theta_r) r_k$;
/// - the output, $y - h(t, x, \lambda)$;
/// - the input, $r - g(t, x, \lambda)$.
///
/// # Iteration matrix
///
/// The matrix W contains the derivatives of the forces of a system. For rigid bodies it also contains the
/// geometric stiffness of spherical, revolute and fixed joints, if their reactions are large compared with
/// the inertia of a body. The loop then converges in a few iterations for heavy loads on light links. The
/// stiffness of a link under compression is negative and therefore not included.
///
/// # Singular configurations of closed loops
///
/// Two branches of motion meet at a singular configuration of a closed loop of joints, such as a flat
/// parallelogram. Near such a configuration, the step is repeated by the midpoint rule if
///
/// - the Newton iteration converges to the other branch, on which the joint impulses do work;
/// - the Newton iteration does not converge;
/// - the one-step problem has no solution.
///
/// The midpoint rule evaluates the Jacobians of the joints of the island at $q_k + h v_k / 2$. The mean
/// velocity of the step satisfies the equations of the joints, and the joint impulses do no work. A loop that
/// stays near a singular configuration for several steps ends with
/// [`SimulationError::SingularLoop`](crate::SimulationError::SingularLoop). The midpoint rule is used only
/// with [`JointReaction::Middle`].
///
/// ```
/// use siconos_kernel::simulation::NewtonSettings;
///
/// let settings = NewtonSettings { max_iterations: 20, ..NewtonSettings::default() };
/// assert_eq!(settings.tolerance, 1e-10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonSettings {
    /// Maximum error of an island that counts as converged. A converged island is frozen, and the loop ends
    /// when all islands are frozen. Default: 1e-10. Must be positive.
    ///
    /// Example: the errors in the angle of a pendulum on a slider, added up over runs of 67, 1000 and 10 000
    /// steps, are 1e-11, 5e-11 and 5e-11 at 2.9, 2.9 and 2.0 iterations per step. With a tolerance of 1e-12,
    /// they are 1e-13 to 2e-12 at 3.7, 3.8 and 2.7 iterations per step.
    pub tolerance: f64,
    /// Maximum number of iterations in a step. Default: 50. Must be at least 1.
    pub max_iterations: usize,
    /// Damping of the iteration for first-order systems. Default: none.
    pub damping: NewtonDamping,
    /// Position at which the Jacobians of contacts are evaluated. Default: the end of the step.
    pub contact_jacobian: ContactJacobian,
    /// Position at which the directions of joint reactions are evaluated. Default: the midpoint of the step.
    pub joint_reaction: JointReaction,
}

/// Position at which the Jacobian J is evaluated in the reaction $p = J^T \lambda$ of joints, that is, of
/// equalities between Lagrangian systems.
///
/// The equations of joints hold at the [end](ContactJacobian::AtEnd) of the step, whatever the direction of
/// their reactions is. Contacts react along J at the end of the step. With [`ContactJacobian::AtBeginning`],
/// this setting has no effect, because joints and contacts react along J at the beginning of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointReaction {
    /// Position and time at the midpoint of the step. With theta = 1/2, the scheme has order 2 while the
    /// motion is smooth, as it has without joints. The work of a joint reaction over a step (the impulse
    /// times the mean velocity) is then of order 3 in h. The matrix of the one-step problem is not symmetric.
    #[default]
    Middle,
    /// Position and time at the end of the step, as in Siconos. The scheme then has order 1.
    End,
}

/// Position at which the Jacobians J of Lagrangian relations are evaluated in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactJacobian {
    /// Position at the end of the step. The Newton iteration updates J, and each iteration solves a one-step
    /// problem.
    #[default]
    AtEnd,
    /// Position at the beginning of the step, with the time at the end of the step. If the systems are
    /// linear, the step solves a single one-step problem without iteration. This is the scheme of Jean
    /// (1999), section 4, and of many published simulations. Joints then satisfy $J(q_k) v_{k+1} = 0$.
    AtBeginning,
}

/// Damping of the Newton iteration.
///
/// A full Newton step satisfies the laws of all interactions exactly; a damped Newton step satisfies them
/// only partly. The loop therefore ends only after a full Newton step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum NewtonDamping {
    /// Full steps, with quadratic convergence near a solution.
    #[default]
    None,
    /// Backtracking: the Newton step is halved, at most six times, until the error is below `1 - tau / 10`
    /// times the previous error, where tau is the length of the trial step as a fraction of the full Newton
    /// step. If no trial succeeds, the last trial is accepted. The first iteration is not damped, because its
    /// initial guess does not satisfy the laws at the end of the time step.
    Backtracking,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 50,
            damping: NewtonDamping::None,
            contact_jacobian: ContactJacobian::AtEnd,
            joint_reaction: JointReaction::Middle,
        }
    }
}

impl NewtonSettings {
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            let (name, must_be) = ("Newton tolerance", "finite and positive");
            return Err(SettingsError::OutOfRange { name, value: self.tolerance, must_be });
        }
        if self.max_iterations == 0 {
            let (name, must_be) = ("Newton max_iterations", "at least 1");
            return Err(SettingsError::OutOfRange { name, value: 0.0, must_be });
        }
        Ok(())
    }
}

/// Progress of the Newton iteration after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonProgress {
    /// Number of iterations in this step.
    pub iterations: usize,
    /// Error of the last iterate; 0 for a linear model.
    pub error: f64,
    /// Residuals of first-order systems, and the fraction of the full Newton step that was taken.
    pub first_order: Residuals,
    /// `true` if the Newton iteration has converged.
    pub converged: bool,
}

/// Residuals of the equations of first-order systems, each relative to the magnitude of its terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Residual of the equation of motion.
    pub x: f64,
    /// Residual of the outputs, y - h(t, x, lambda).
    pub y: f64,
    /// Residual of the inputs, r - g(t, x, lambda).
    pub r: f64,
    /// Fraction of the full Newton step that was taken in the last iteration; 1 without damping.
    pub taken: f64,
}

impl Default for Residuals {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, r: 0.0, taken: 1.0 }
    }
}

impl Residuals {
    /// Returns the largest of the three residuals, or NaN if one is NaN.
    #[must_use]
    pub fn largest(&self) -> f64 {
        larger(self.x, larger(self.y, self.r))
    }

    /// Returns the larger value of each residual of `self` and `other`, and the smaller step fraction.
    pub(super) fn worse(self, other: Self) -> Self {
        Self {
            x: larger(self.x, other.x),
            y: larger(self.y, other.y),
            r: larger(self.r, other.r),
            taken: self.taken.min(other.taken),
        }
    }
}

/// Replaces `x` by the mean of `x` and `before`.
pub(crate) fn halve(x: &mut [f64], before: &[f64]) {
    for (x, before) in x.iter_mut().zip(before) {
        *x = 0.5 * (*x + before);
    }
}
