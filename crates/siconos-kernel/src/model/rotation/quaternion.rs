//! Quaternions and rotations in space.

use std::ops::Mul;

use serde::{Deserialize, Serialize};

use siconos_linalg::{exponent, power_of_two};

use super::vector::{AXES, add, cross, length, scaled, unit};

/// Quaternion $q = (q_0, q_1, q_2, q_3)$, scalar first. A quaternion of length 1 is a rotation, which
/// transforms vectors from the body frame to the inertial frame.
///
/// $q$ and $-q$ are the same rotation. The product is Hamilton's, $i j = k$: `a * b` is the rotation by b
/// followed by the rotation by a. The developer's notes of Siconos, section 9, use the same conventions; the
/// last row of their product matrix is $(q_3, -q_2, q_1, q_0)$.
///
/// ```
/// use siconos_kernel::model::Quaternion;
///
/// // A quarter of a revolution about z rotates x to y.
/// let turn = Quaternion::about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2);
/// let [x, y, z] = turn.rotate([1.0, 0.0, 0.0]);
/// assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// Identity rotation, $(1, 0, 0, 0)$.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// Creates a quaternion from its scalar and vector parts.
    #[must_use]
    pub fn of_parts(scalar: f64, [x, y, z]: [f64; 3]) -> Self {
        Self([scalar, x, y, z])
    }

    /// Returns the orientation of a [rigid body](crate::model::NewtonEuler) from its seven position
    /// coordinates, as [`State::q`](crate::State::q) returns them.
    ///
    /// # Panics
    ///
    /// If `q` has fewer than seven coordinates.
    #[track_caller]
    #[must_use]
    pub fn of_body(q: &[f64]) -> Self {
        Self([q[3], q[4], q[5], q[6]])
    }

    /// Creates the rotation by an angle \[rad\] about an axis, which can have any length except 0. If the
    /// axis has length 0, the vector part is NaN, and a body rejects the quaternion.
    #[must_use]
    pub fn about(axis: [f64; 3], angle: f64) -> Self {
        let (sine, cosine) = (0.5 * angle).sin_cos();
        Self::of_parts(cosine, scaled(sine, unit(axis).unwrap_or([f64::NAN; 3])))
    }

    /// Creates the rotation given by a rotation vector, whose length is the angle \[rad\] and whose direction
    /// is the axis (the exponential map).
    #[must_use]
    pub fn exp(vector: [f64; 3]) -> Self {
        let angle = length(vector);
        let (sine, cosine) = (0.5 * angle).sin_cos();
        // For smaller angles, sin(angle / 2) / angle equals 1/2 up to rounding.
        let factor = if angle < 1e-8 { 0.5 } else { sine / angle };
        Self::of_parts(cosine, scaled(factor, vector))
    }

    /// Returns the shortest vector whose [`exp`](Self::exp) is this rotation. Its length is at most $\pi$
    /// \[rad\].
    #[must_use]
    pub fn log(self) -> [f64; 3] {
        let sign = if self.scalar() < 0.0 { -1.0 } else { 1.0 };
        let (cosine, vector) = (sign * self.scalar(), scaled(sign, self.vector()));
        let sine = length(vector);
        let factor = if sine < 1e-8 { 2.0 / cosine } else { 2.0 * sine.atan2(cosine) / sine };
        scaled(factor, vector)
    }

    /// Returns the scalar part $q_0$.
    #[must_use]
    pub fn scalar(self) -> f64 {
        self.0[0]
    }

    /// Returns the vector part $(q_1, q_2, q_3)$.
    #[must_use]
    pub fn vector(self) -> [f64; 3] {
        [self.0[1], self.0[2], self.0[3]]
    }

    /// Returns $q^c = (q_0, -q_1, -q_2, -q_3)$, the inverse of a rotation.
    #[must_use]
    pub fn conjugate(self) -> Self {
        let Self([w, x, y, z]) = self;
        Self([w, -x, -y, -z])
    }

    /// Returns the length, which is 1 for a rotation.
    #[must_use]
    pub fn norm(self) -> f64 {
        let square = |parts: [f64; 4]| parts.iter().map(|x| x * x).sum::<f64>();
        let of_squares = square(self.0);
        if of_squares.is_normal() {
            return of_squares.sqrt();
        }
        // Scaled so that no square overflows or underflows.
        let (near_one, unit) = self.near_one();
        unit * square(near_one.0).sqrt()
    }

    /// Returns the quaternion divided by a power of two near its largest entry, and this power.
    fn near_one(self) -> (Self, f64) {
        let largest = self.0.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        match exponent(largest) {
            Some(exponent) => (Self(self.0.map(|x| power_of_two(-exponent) * x)), power_of_two(exponent)),
            None => (self, 1.0),
        }
    }

    /// Returns the quaternion divided by its length; not finite if the length is 0.
    #[must_use]
    pub fn normalised(self) -> Self {
        let norm = self.norm();
        if norm.is_normal() {
            return Self(self.0.map(|x| x / norm));
        }
        let (near_one, _) = self.near_one();
        let norm = near_one.norm();
        Self(near_one.0.map(|x| x / norm))
    }

    /// Returns $R x$: transforms a vector from the body frame to the inertial frame.
    #[must_use]
    pub fn rotate(self, x: [f64; 3]) -> [f64; 3] {
        let (w, u) = (self.scalar(), self.vector());
        // R x = x + 2 u x (u x x + w x).
        let inner = add(cross(u, x), scaled(w, x));
        add(x, scaled(2.0, cross(u, inner)))
    }

    /// Returns $R^T x$: transforms a vector from the inertial frame to the body frame.
    #[must_use]
    pub fn rotate_back(self, x: [f64; 3]) -> [f64; 3] {
        self.conjugate().rotate(x)
    }

    /// Returns the rotation matrix R, row by row.
    #[must_use]
    pub fn matrix(self) -> [[f64; 3]; 3] {
        let columns = AXES.map(|axis| self.rotate(axis));
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    }

    /// Returns $\dot q = \frac{1}{2} q \circ (0, \Omega)$, as plain text q' = 1/2 q (0, Omega): the time
    /// derivative of the orientation of a body with the angular velocity `omega` in the body frame \[rad/s\].
    #[must_use]
    pub fn rate(self, omega: [f64; 3]) -> Self {
        Self((self * Self::of_parts(0.0, omega)).0.map(|x| 0.5 * x))
    }
}

impl Mul for Quaternion {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, other);
        Self([
            a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
            a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
            a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
            a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
        ])
    }
}
