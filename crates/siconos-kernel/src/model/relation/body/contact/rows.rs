//! Relative velocities that a contact relation contains, and their directions.

use crate::model::ModelError;
use crate::model::relation::body::direction;
use crate::model::rotation::{cross, length, scaled};

/// Selection of the relative velocities that a contact relation contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactRows {
    /// Normal velocity, for contacts without friction.
    Normal,
    /// Normal velocity and two tangential velocities, for friction.
    Friction,
    /// The velocities of [`Friction`](Self::Friction), and the rates at which the first body rolls about the
    /// two tangents \[rad/s\], for rolling friction. The rate of rotation about the normal is not included.
    Rolling,
    /// Normal velocity, and the velocity along the tangent $n \times a$ perpendicular to an axis a, for
    /// friction of bodies that move in the plane perpendicular to the axis.
    InPlane {
        /// Axis a, of any length except 0 and not parallel to the normal.
        axis: [f64; 3],
    },
    /// The velocities of [`InPlane`](Self::InPlane), and the rate at which the first body rolls about the
    /// axis \[rad/s\].
    RollingInPlane {
        /// Axis a, of any length except 0 and not parallel to the normal.
        axis: [f64; 3],
    },
}

/// Kind of a row: relative velocity of the contact points along a direction, or relative angular velocity of
/// the bodies about it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContactRow {
    Sliding([f64; 3]),
    Rolling([f64; 3]),
}

impl ContactRows {
    /// Returns the number of components of y.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Normal => 1,
            Self::InPlane { .. } => 2,
            Self::Friction | Self::RollingInPlane { .. } => 3,
            Self::Rolling => 5,
        }
    }

    /// Checks that the axis, if any, defines a tangent perpendicular to a unit normal.
    pub(super) fn check(self, normal: [f64; 3]) -> Result<(), ModelError> {
        if let Self::InPlane { axis } | Self::RollingInPlane { axis } = self {
            let axis = direction("axis of a contact in a plane", axis)?;
            direction("part of the axis of a contact in a plane across the normal", cross(normal, axis))?;
        }
        Ok(())
    }

    /// Returns the rows for a unit normal. Only the first [`count`](Self::count) elements are rows of the
    /// contact.
    pub(super) fn at(self, normal: [f64; 3]) -> [ContactRow; 5] {
        let sliding = ContactRow::Sliding;
        match self {
            Self::Normal => [sliding(normal); 5],
            Self::Friction | Self::Rolling => {
                let [t1, t2] = tangents(normal);
                [sliding(normal), sliding(t1), sliding(t2), ContactRow::Rolling(t1), ContactRow::Rolling(t2)]
            }
            Self::InPlane { axis } | Self::RollingInPlane { axis } => {
                let tangent = cross(normal, axis);
                let tangent = sliding(scaled(1.0 / length(tangent), tangent));
                let turn = ContactRow::Rolling(scaled(1.0 / length(axis), axis));
                [sliding(normal), tangent, turn, turn, turn]
            }
        }
    }
}

/// Third component z of the normal below which the formula for the tangents changes its sign. No formula for
/// tangents is continuous for all normals. The published formula jumps at z = 0, but normals between adjacent
/// bodies on a floor have z = 0. At rest, rounding moves these normals across z = 0, and Newton's method does
/// not converge if the tangents jump.
const DOWN: f64 = -0.27;

/// Returns two tangents that form an orthonormal basis with a unit normal.
fn tangents([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let sign = if z < DOWN { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y]]
}

#[cfg(test)]
mod tests {
    use super::tangents;
    use crate::model::rotation::{cross, dot};

    /// Returns the maximum deviation of three vectors from an orthonormal basis.
    fn off(basis: [[f64; 3]; 3]) -> f64 {
        let products = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        products.fold(0.0, |off: f64, (i, j)| {
            let product = dot(basis[i], basis[j]) - if i == j { 1.0 } else { 0.0 };
            if product.is_nan() { f64::INFINITY } else { off.max(product.abs()) }
        })
    }

    #[test]
    fn tangents_make_a_basis_with_every_normal() {
        for k in 0..2000 {
            let (z, turn) = (f64::from(k) / 999.5 - 1.0, 2.4 * f64::from(k));
            let across = (1.0 - z * z).max(0.0).sqrt();
            let normal = [across * turn.cos(), across * turn.sin(), z];
            let [t1, t2] = tangents(normal);
            assert!(off([normal, t1, t2]) < 1e-14, "{normal:?}");
            // Right-handed.
            assert!(dot(cross(normal, t1), t2) > 0.5, "{normal:?}");
        }
    }

    /// The tangents do not jump if rounding moves the normals between adjacent bodies.
    #[test]
    fn tangents_do_not_jump_where_normals_of_neighbours_are() {
        for z in [0.0, 0.5, -0.25, 0.5_f64.sqrt(), 1.0 - 1e-9, -1.0 + 1e-9, -1.0 / 3.0, -0.5] {
            let normal = |z: f64| {
                let across = ((1.0 - z * z) / 2.0).sqrt();
                [across, across, z]
            };
            let [up, down] = [1e-12, -1e-12].map(|turn| tangents(normal(z + turn)));
            let moved = up.iter().flatten().zip(down.iter().flatten()).map(|(a, b)| (a - b).abs());
            assert!(moved.fold(0.0, f64::max) < 1e-7, "{z}");
        }
    }
}
