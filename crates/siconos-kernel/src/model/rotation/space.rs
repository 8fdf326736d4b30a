//! Configuration space of rigid bodies: position and orientation.

use serde::{Deserialize, Serialize};

use super::quaternion::Quaternion;
use super::vector::{add, cross, difference, dot, length, scaled};
use crate::model::ConfigurationSpace;

/// Rule that updates the orientation in a step. The displacement is $\delta = h \Omega_\theta$, with the
/// angular velocity $\Omega_\theta$ that the integrator uses for the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RotationUpdate {
    /// $q \circ \exp(\delta)$: exact for a constant angular velocity. Default.
    #[default]
    Exponential,
    /// $q + \frac{1}{2} q \circ (0, \delta)$, normalised: a step along the tangent, as in Siconos. The
    /// rotation angle is $2 \arctan(|\delta| / 2)$, which is smaller than $|\delta|$ by about
    /// $|\delta|^3 / 12$.
    Tangent,
}

/// Configuration space of a rigid body. A position has seven coordinates: the centre of mass, and the
/// orientation as a unit quaternion. A velocity has six coordinates: the velocity of the centre of mass in
/// the inertial frame, and the angular velocity in the body frame.
///
/// Displacements are given in velocity coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RigidPlacement {
    /// Rule for the update of the orientation.
    pub update: RotationUpdate,
}

/// Minimum absolute scalar part in the tangent update. The scalar part of half a revolution is 0. This
/// constant differs from 0 by less than the rounding error, and keeps the displacement finite.
const HALF_TURN: f64 = 1.0 / (1_u64 << 60) as f64;

/// Splits seven or six coordinates into translation and rotation.
fn parts<const N: usize>(x: &[f64]) -> ([f64; 3], [f64; N]) {
    let (translation, rotation) = x.split_at(3);
    let missing = "a position of 7 coordinates, or a velocity of 6";
    (translation.try_into().expect(missing), rotation.try_into().expect(missing))
}

pub(crate) fn write<const N: usize>(out: &mut [f64], translation: [f64; 3], rotation: [f64; N]) {
    out[..3].copy_from_slice(&translation);
    out[3..].copy_from_slice(&rotation);
}

impl ConfigurationSpace for RigidPlacement {
    fn advance(&self, q: &[f64], displacement: &[f64], out: &mut [f64]) {
        let ((x, orientation), (by, turn)) = (parts(q), parts(displacement));
        let orientation = Quaternion(orientation);
        let turned = match self.update {
            RotationUpdate::Exponential => orientation * Quaternion::exp(turn),
            RotationUpdate::Tangent => orientation * Quaternion::of_parts(1.0, scaled(0.5, turn)),
        };
        write(out, add(x, by), turned.normalised().0);
    }

    fn displacement(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        let ((x, before), (y, after)) = (parts(from), parts(to));
        let turned = Quaternion(before).conjugate() * Quaternion(after);
        let turn = match self.update {
            RotationUpdate::Exponential => turned.log(),
            RotationUpdate::Tangent => {
                let scalar = turned.scalar().abs().max(HALF_TURN).copysign(turned.scalar());
                scaled(2.0 / scalar, turned.vector())
            }
        };
        write(out, difference(y, x), turn);
    }

    fn rate(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        let ((_, orientation), (velocity, omega)) = (parts(q), parts(v));
        write(out, velocity, Quaternion(orientation).rate(omega).0);
    }

    fn displacement_rate(&self, displacement: &[f64], v: &[f64], out: &mut [f64]) {
        let ((_, turn), (velocity, omega)) = (parts::<3>(displacement), parts::<3>(v));
        let across = cross(turn, omega);
        let rate = match self.update {
            // Omega + 1/2 d x Omega + c d x (d x Omega), the inverse of the right Jacobian of SO(3).
            RotationUpdate::Exponential => {
                let (angle, second) = (length(turn), cross(turn, across));
                let half = 0.5 * angle;
                let factor = if angle < 1e-2 {
                    1.0 / 12.0 + angle * angle / 720.0
                } else {
                    (1.0 - half / half.tan()) / (angle * angle)
                };
                add(add(omega, scaled(0.5, across)), scaled(factor, second))
            }
            // With the Gibbs vector g = d / 2: g' = (Omega + g x Omega + g (g . Omega)) / 2.
            RotationUpdate::Tangent => {
                let second = scaled(0.25 * dot(turn, omega), turn);
                add(add(omega, scaled(0.5, across)), second)
            }
        };
        write(out, velocity, rate);
    }

    fn name(&self) -> Option<&str> {
        Some("RigidPlacement")
    }

    fn restore(&self, q: &mut [f64]) {
        let (x, orientation) = parts(q);
        write(q, x, Quaternion(orientation).normalised().0);
    }

    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        let (x, _) = parts::<4>(q);
        write(out, x, [1.0; 3]);
    }
}
