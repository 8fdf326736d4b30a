//! Settings and progress of Newton's loop around the one-step problem of a nonlinear model.

use serde::{Deserialize, Serialize};

use crate::integrator::larger;
use crate::settings_error::SettingsError;

/// When Newton's loop of a step ends.
///
/// The loop begins at $q_k + h v_k$ and $v_k$ of Lagrangian systems, at $x_k$ and the lambda of the last step
/// of first-order ones.
///
/// Systems that interactions of the index set connect make an *island*, with an error of its own. An island
/// whose error has come to the tolerance is held while others go on, and damping is per island: what does not
/// touch a body changes no bit of its motion. Islands in which everything is linear are exact after one
/// iteration, with error 0.
///
/// The error of an island is the largest of two kinds, taken after each update. For each degree of freedom
/// the residual of the equation of motion, with the Jacobian J at the new position, as far as rounding does
/// not explain it, relative to what changes over the step: $\lvert R - J^T \lambda \rvert_i$ by
/// $\sum_j \lvert W_{ij} \rvert \lvert v_j - v_{k,j} \rvert + h (\theta \lvert f_i \rvert + (1 - \theta) \lvert f_{k,i} \rvert) + (\lvert J \rvert^T \lvert \lambda \rvert)_i$.
/// As plain text: by forces and impulses, so that the errors of many steps add up to that part of the
/// impulses, whatever the length of the steps is. And for each active contact the change of its velocity when
/// J is evaluated there, relative to its own terms, the sum of abs(J_i v_i) and abs of the time derivative of
/// h. Both are free of units, degree of freedom by degree of freedom. Rounding is 16 units in the last place
/// of the terms of a row, and one more per row of its system. Momentum and positions are among the terms, and
/// they count as not less than those of the whole system in the norm of energy. An error of at most 1000
/// times the tolerance that has not fallen for three iterations comes from the functions themselves, for
/// example from Jacobians by differences: the island is held there as well, and the report shows the error.
/// A contact velocity across the motion of an island, where nothing moves, counts as converged if it changes
/// by less than a thousandth of the error of the one-step problem, and at most 1e-3 times the tolerance,
/// relative to that motion.
///
/// W contains the derivatives of the forces of a system. For rigid bodies it also contains the geometric
/// stiffness of spherical, revolute and fixed joints if their reactions may rotate a body by more than its
/// inertia resists, so that the loop converges in a few iterations for heavy loads on light links. A pushed
/// link has a negative stiffness, which is left out.
///
/// Near a singular position of a closed loop of joints, such as a flat parallelogram, two branches of motion
/// meet. If the loop ends on the other branch, where the joint impulses do work, does not converge, or has a
/// one-step problem without a solution, the step is repeated by the midpoint rule with the Jacobians of the
/// joints of the island at $q_k + h v_k / 2$: the mean velocity of the step satisfies them, and the impulses
/// do no work. A loop that stays near a singular position for several steps ends with
/// [`SimulationError::SingularLoop`](crate::SimulationError::SingularLoop). This applies to
/// [`JointReaction::Middle`].
///
/// Of first-order systems it is the largest of three residuals, each row relative to the size of its own
/// terms (developer's notes of Siconos, 8.3, 8.12 and 8.16): that of the equation of motion,
/// $M (x - x_k) - h \theta f - h (1 - \theta) f_k - h \theta_r r - h (1 - \theta_r) r_k$, that of the output,
/// $y - h(t, x, \lambda)$, and that of the input, $r - g(t, x, \lambda)$.
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
    /// The error measure at which an island is held, and the loop ends when all are. Default 1e-10, above 0:
    /// with that the errors of 67, 1000 and 10 000 steps of a pendulum on a slider add up to 1e-11, 5e-11,
    /// 5e-11 in its angle, at 2.9, 2.9 and 2.0 iterations a step; 1e-12 makes that 1e-13 to 2e-12 at 3.7, 3.8
    /// and 2.7.
    pub tolerance: f64,
    /// The largest number of iterations, at least 1. Default 50.
    pub max_iterations: usize,
    /// How much of a step is taken, on first-order systems. Default: all of it.
    pub damping: Damping,
    /// Where the Jacobians of contacts are taken. Default: at the end of the step.
    pub contact_jacobian: ContactJacobian,
    /// Where the direction is taken in which joints react. Default: in the middle of the step.
    pub joint_reaction: JointReaction,
}

/// Where the direction of the reaction $p = J^T \lambda$ of joints is taken, that is of equalities between
/// Lagrangian systems, while these hold at the [end](ContactJacobian::AtEnd) of the step; with
/// [`ContactJacobian::AtBeginning`] it is that of the beginning always. Contacts react along J at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointReaction {
    /// At the position and the time in the middle of the step. On smooth arcs and with theta = 1/2 the
    /// motion then has order 2, as without joints: over the step a reaction does work on the mean velocity,
    /// and along J in the middle that vanishes to order 3. The matrix of the one-step problem is not
    /// symmetric.
    #[default]
    Middle,
    /// At the position and the time at the end, as Siconos takes it: order 1.
    End,
}

/// Where Jacobians J of the relations of Lagrangian systems are taken in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactJacobian {
    /// At the position that the step leads to: J is part of Newton's loop, with one one-step problem per
    /// iteration.
    #[default]
    AtEnd,
    /// At the position at the beginning of the step (and the time at its end): when the systems are linear
    /// there is nothing to iterate, and the step has one one-step problem. That is the scheme of Jean (1999),
    /// section 4, and of many published runs. A joint then holds $J(q_k) v_{k+1} = 0$.
    AtBeginning,
}

/// How much of a Newton step is taken.
///
/// The point that a step leads to satisfies the law of each interaction exactly, one in between only as far
/// as it has come. So the loop ends after a full step only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Damping {
    /// All of it: quadratic convergence near a solution.
    #[default]
    None,
    /// The step is halved, at most six times, until the error measure is below `1 - tau / 10` times that
    /// before, where tau is the part of the step; otherwise the last trial is taken. The first iteration,
    /// which begins at a point that does not satisfy the laws at the end of the step, is not damped.
    Backtracking,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 50,
            damping: Damping::None,
            contact_jacobian: ContactJacobian::AtEnd,
            joint_reaction: JointReaction::Middle,
        }
    }
}

impl NewtonSettings {
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            let (name, must_be) = ("Newton tolerance", "finite and above 0");
            return Err(SettingsError::OutOfRange { name, value: self.tolerance, must_be });
        }
        if self.max_iterations == 0 {
            let (name, must_be) = ("Newton max_iterations", "at least 1");
            return Err(SettingsError::OutOfRange { name, value: 0.0, must_be });
        }
        Ok(())
    }
}

/// Where Newton's loop stands after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonProgress {
    /// Iterations made in this step.
    pub iterations: usize,
    /// The error measure; 0 for a linear model.
    pub error: f64,
    /// Its three parts of first-order systems, and the part of the step that was taken.
    pub first_order: Residuals,
    /// Whether the loop is done.
    pub converged: bool,
}

/// How far an iterate is from solving the equations of first-order systems, each part relative to the size of
/// its terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Of the equation of motion.
    pub x: f64,
    /// Of the outputs, y - h(t, x, lambda).
    pub y: f64,
    /// Of the inputs, r - g(t, x, lambda).
    pub r: f64,
    /// The part of the last Newton step that was taken, 1 without damping.
    pub taken: f64,
}

impl Default for Residuals {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, r: 0.0, taken: 1.0 }
    }
}

impl Residuals {
    /// The largest of the three; NaN if one is.
    #[must_use]
    pub fn largest(&self) -> f64 {
        larger(self.x, larger(self.y, self.r))
    }

    /// Each part the worse of two.
    pub(super) fn worse(self, other: Self) -> Self {
        Self {
            x: larger(self.x, other.x),
            y: larger(self.y, other.y),
            r: larger(self.r, other.r),
            taken: self.taken.min(other.taken),
        }
    }
}

/// Goes half of the way back.
pub(crate) fn halve(x: &mut [f64], before: &[f64]) {
    for (x, before) in x.iter_mut().zip(before) {
        *x = 0.5 * (*x + before);
    }
}
