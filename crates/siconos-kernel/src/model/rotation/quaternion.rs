//! Rotations of space as quaternions.

use std::ops::Mul;

use serde::{Deserialize, Serialize};

use siconos_linalg::{exponent, power_of_two};

use super::vector::{AXES, add, cross, length, scaled, unit};

/// A quaternion $q = (q_0, q_1, q_2, q_3)$, scalar first; of length 1 it is a rotation, which turns the axes
/// of a body from those of space into where they are.
///
/// $q$ and $-q$ are the same rotation. The product is Hamilton's, $i j = k$: `a * b` turns by b first, then
/// by a. The developer's notes of Siconos, section 9, have the same conventions; in their matrix of the
/// product the last row is $(q_3, -q_2, q_1, q_0)$.
///
/// ```
/// use siconos_kernel::model::Quaternion;
///
/// // A quarter of a turn about z takes x to y.
/// let turn = Quaternion::about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2);
/// let [x, y, z] = turn.rotate([1.0, 0.0, 0.0]);
/// assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quaternion(pub [f64; 4]);

impl Quaternion {
    /// No rotation, $(1, 0, 0, 0)$.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// The quaternion with a scalar and a vector part.
    #[must_use]
    pub fn of_parts(scalar: f64, [x, y, z]: [f64; 3]) -> Self {
        Self([scalar, x, y, z])
    }

    /// The attitude of a [rigid body](crate::model::NewtonEuler) at a position of seven coordinates, as
    /// [`State::q`](crate::State::q) gives it.
    ///
    /// # Panics
    ///
    /// When there are fewer coordinates.
    #[track_caller]
    #[must_use]
    pub fn of_body(q: &[f64]) -> Self {
        Self([q[3], q[4], q[5], q[6]])
    }

    /// The rotation about an axis of any length but 0, by an angle \[rad\]. About an axis of length 0 it is
    /// no rotation of length 1, which a body refuses.
    #[must_use]
    pub fn about(axis: [f64; 3], angle: f64) -> Self {
        let (sine, cosine) = (0.5 * angle).sin_cos();
        Self::of_parts(cosine, scaled(sine, unit(axis).unwrap_or([f64::NAN; 3])))
    }

    /// The rotation by a vector, its length the angle \[rad\] and its direction the axis: the exponential
    /// map.
    #[must_use]
    pub fn exp(vector: [f64; 3]) -> Self {
        let angle = length(vector);
        let (sine, cosine) = (0.5 * angle).sin_cos();
        // sin(angle / 2) / angle is 1/2 to rounding below.
        let factor = if angle < 1e-8 { 0.5 } else { sine / angle };
        Self::of_parts(cosine, scaled(factor, vector))
    }

    /// The shortest vector whose [`exp`](Self::exp) is this rotation, of length at most $\pi$ \[rad\].
    #[must_use]
    pub fn log(self) -> [f64; 3] {
        let sign = if self.scalar() < 0.0 { -1.0 } else { 1.0 };
        let (cosine, vector) = (sign * self.scalar(), scaled(sign, self.vector()));
        let sine = length(vector);
        let factor = if sine < 1e-8 { 2.0 / cosine } else { 2.0 * sine.atan2(cosine) / sine };
        scaled(factor, vector)
    }

    /// The scalar part $q_0$.
    #[must_use]
    pub fn scalar(self) -> f64 {
        self.0[0]
    }

    /// The vector part $(q_1, q_2, q_3)$.
    #[must_use]
    pub fn vector(self) -> [f64; 3] {
        [self.0[1], self.0[2], self.0[3]]
    }

    /// $q^c = (q_0, -q_1, -q_2, -q_3)$, the inverse of a rotation.
    #[must_use]
    pub fn conjugate(self) -> Self {
        let Self([w, x, y, z]) = self;
        Self([w, -x, -y, -z])
    }

    /// Its length, 1 of a rotation.
    #[must_use]
    pub fn norm(self) -> f64 {
        let square = |parts: [f64; 4]| parts.iter().map(|x| x * x).sum::<f64>();
        let of_squares = square(self.0);
        if of_squares.is_normal() {
            return of_squares.sqrt();
        }
        // In a unit in which no square overflows or underflows.
        let (near_one, unit) = self.near_one();
        unit * square(near_one.0).sqrt()
    }

    /// This divided by a power of two near its largest part, and that power.
    fn near_one(self) -> (Self, f64) {
        let largest = self.0.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        match exponent(largest) {
            Some(exponent) => (Self(self.0.map(|x| power_of_two(-exponent) * x)), power_of_two(exponent)),
            None => (self, 1.0),
        }
    }

    /// The rotation in its direction; of the quaternion 0 it is not finite.
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

    /// $R x$: a vector given along the axes of the body, along those of space.
    #[must_use]
    pub fn rotate(self, x: [f64; 3]) -> [f64; 3] {
        let (w, u) = (self.scalar(), self.vector());
        // R x = x + 2 u x (u x x + w x).
        let inner = add(cross(u, x), scaled(w, x));
        add(x, scaled(2.0, cross(u, inner)))
    }

    /// $R^T x$: a vector given along the axes of space, along those of the body.
    #[must_use]
    pub fn rotate_back(self, x: [f64; 3]) -> [f64; 3] {
        self.conjugate().rotate(x)
    }

    /// R, row by row.
    #[must_use]
    pub fn matrix(self) -> [[f64; 3]; 3] {
        let columns = AXES.map(|axis| self.rotate(axis));
        std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]))
    }

    /// $\dot q = \frac{1}{2} q \circ (0, \Omega)$, as plain text q' = 1/2 q (0, Omega): the derivative of the
    /// attitude of a body with this angular velocity along its own axes \[rad/s\].
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
