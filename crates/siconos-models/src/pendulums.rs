//! Nonlinear systems: pendulums, a rocking block and a dome.

use ndarray::array;
use siconos_kernel::prelude::*;

use crate::BuiltModel;

/// Equation of motion of the rocking block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slenderness {
    /// $\ddot\varphi = p^2 (\varphi - \alpha)$, for small angles.
    Slender,
    /// $\ddot\varphi = -p^2 \sin(\alpha - \varphi)$.
    Stout,
}

/// Builds Housner's rocking block. Its only degree of freedom is the tilt angle $\varphi = |\theta| \ge 0$
/// \[rad\].
///
/// `frequency` is p \[1/s\], and `corner` is the angle alpha \[rad\]. When the block rocks over from one
/// corner to the other, the rate of $\theta$ keeps its sign and the rate of $\varphi$ changes sign. The
/// condition $\dot\theta^+ = r \dot\theta^-$ is then $\dot\varphi^+ = -r \dot\varphi^-$, which is Newton's
/// impact law with the coefficient of restitution r = `reduction` (Housner 1963).
///
/// ```
/// use siconos_models::{Slenderness, rocking_block};
///
/// let built = rocking_block(2.0, 0.2, 0.1, 0.9, Slenderness::Stout)?;
/// assert_eq!((built.bodies.len(), built.contacts.len()), (1, 1));
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn rocking_block(
    frequency: f64,
    corner: f64,
    tilt: f64,
    reduction: f64,
    slenderness: Slenderness,
) -> Result<BuiltModel, Error> {
    let p2 = frequency * frequency;
    let contact = LagrangianLinearRelation::new(array![[1.0]]);
    match slenderness {
        Slenderness::Slender => {
            // A spring of negative stiffness.
            let block = LagrangianLinear::new(vec![tilt], vec![0.0], array![1.0])
                .with_stiffness(array![-p2])
                .with_external_force(move |_t, f| f[0] = -p2 * corner);
            BuiltModel::one(block, contact, reduction)
        }
        Slenderness::Stout => {
            let block = Lagrangian::new(vec![tilt], vec![0.0], array![1.0]).with_internal_force(
                move |_t, q, _v, f| f[0] = p2 * (corner - q[0]).sin(),
                Jacobian::function(move |_t, q, _v, j| j[[0, 0]] = -p2 * (corner - q[0]).cos()),
                Jacobian::Zero,
            );
            BuiltModel::one(block, contact, reduction)
        }
    }
}

/// Builds a pendulum of mass 1 kg, released from rest. q is its angle \[rad\] from the lowest point. A stop
/// enforces q >= 0.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn pendulum_with_stop(
    gravity: f64,
    length: f64,
    angle: f64,
    restitution: f64,
) -> Result<BuiltModel, Error> {
    let moment = gravity * length;
    let pendulum = Lagrangian::new(vec![angle], vec![0.0], array![length * length]).with_internal_force(
        move |_t, q, _v, f| f[0] = moment * q[0].sin(),
        Jacobian::function(move |_t, q, _v, j| j[[0, 0]] = moment * q[0].cos()),
        Jacobian::Zero,
    );
    BuiltModel::one(pendulum, LagrangianLinearRelation::new(array![[1.0]]), restitution)
}

/// Builds a mass of 1 kg on a rope. It is released from rest at the angle `angle` \[rad\] from the lowest
/// point. q = (x, y) is the position \[m\] relative to the pivot, with y downwards, and
/// $h(q) = L^2 - x^2 - y^2 \ge 0$.
///
/// For angles up to pi / 2 the rope stays tight, so the contact stays closed. With this h the multiplier is
/// half the tension divided by the length: $\lambda = (L \dot\theta^2 + g \cos\theta) / (2 L)$.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn rope_pendulum(gravity: f64, length: f64, angle: f64, restitution: f64) -> Result<BuiltModel, Error> {
    let start = vec![length * angle.sin(), length * angle.cos()];
    let mass = LagrangianLinear::new(start, vec![0.0; 2], array![1.0, 1.0])
        .with_external_force(move |_t, f| f[1] = gravity);
    let rope = LagrangianScleronomousRelation::new(1, move |_, q, y| {
        y[0] = length * length - q[0] * q[0] - q[1] * q[1];
    })
    .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * q[0], -2.0 * q[1]));
    BuiltModel::one(mass, rope, restitution)
}

/// Builds a point mass of 1 kg that slides from rest down a dome of radius R centred at the origin. q is the
/// position (horizontal, vertical) \[m\], and y = |q| - R. The motion starts at the angle `angle` \[rad\]
/// from the top.
///
/// # Errors
///
/// If the parameters do not define a valid model.
pub fn dome(gravity: f64, radius: f64, angle: f64, restitution: f64) -> Result<BuiltModel, Error> {
    let start = vec![radius * angle.sin(), radius * angle.cos()];
    let point = LagrangianLinear::new(start, vec![0.0; 2], array![1.0, 1.0])
        .with_external_force(move |_t, f| f[1] = -gravity);
    let surface = LagrangianScleronomousRelation::new(1, move |_, q, y| y[0] = q[0].hypot(q[1]) - radius)
        .with_jacobian(|_, q, j| {
            let distance = q[0].hypot(q[1]);
            (j[[0, 0]], j[[0, 1]]) = (q[0] / distance, q[1] / distance);
        });
    BuiltModel::one(point, surface, restitution)
}
