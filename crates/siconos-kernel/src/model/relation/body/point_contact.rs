//! Point contacts of bodies.

use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};

use super::{BodyGeometry, BodyRow, NewtonEulerRelation, Placement, direction};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{add, cross, difference, dot, length, scaled};
use crate::model::{At, ModelError, Parameters, check_finite};

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
#[derive(Clone, Copy)]
enum ContactRow {
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
    fn check(self, normal: [f64; 3]) -> Result<(), ModelError> {
        if let Self::InPlane { axis } | Self::RollingInPlane { axis } = self {
            let axis = direction("axis of a contact in a plane", axis)?;
            direction("part of the axis of a contact in a plane across the normal", cross(normal, axis))?;
        }
        Ok(())
    }

    /// Returns the rows for a unit normal, of which the first [`count`](Self::count) are used.
    fn at(self, normal: [f64; 3]) -> [ContactRow; 5] {
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

/// Closest points of two bodies, in the inertial frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoints {
    /// Contact point of the first body \[m\].
    #[doc(alias = "Pc1")]
    pub first: [f64; 3],
    /// Contact point of the second body or of the obstacle \[m\].
    #[doc(alias = "Pc2")]
    pub second: [f64; 3],
    /// Normal from the second body to the first, of any length except 0.
    #[doc(alias = "Nc")]
    pub normal: [f64; 3],
}

type Geometry = Closure<dyn Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync>;

/// Point contact between two bodies, or between a body and an obstacle at rest. The relation consists of the
/// gap $g = n \cdot (p_1 - p_2)$ \[m\] and the relative velocity of the contact points,
/// $u = V_1 + \omega_1 \times r_1 - V_2 - \omega_2 \times r_2$, along the normal n and two tangents.
///
/// The first component of y is the gap. The other components are 0, because only the velocities along the
/// tangents are used. In space, the tangents are computed from the normal (Duff and others 2017, "Building an
/// orthonormal basis, revisited"). The sign in their formula is -1 if the third component of the normal is
/// below -0.27, and 1 otherwise. The tangents jump only where this component is -0.27.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let inertia = Inertia::of_ball(1.0, 0.1);
/// let ball = NewtonEuler::new(1.0, inertia, [0.0, 0.0, 1.0], Quaternion::IDENTITY);
/// let ball = model.add_system(ball)?;
/// let (radius, point, normal) = (0.1, [0.0; 3], [0.0, 0.0, 1.0]);
/// let floor = PointContact::of_ball_and_plane(ContactRows::Friction, radius, point, normal)?;
/// model.add_interaction([ball], floor, NewtonImpactFriction::in_space(0.5, 0.3)?)?;
/// # Ok::<(), ModelError>(())
/// ```
#[doc(alias = "NewtonEuler1DR")]
#[doc(alias = "NewtonEuler3DR")]
#[doc(alias = "NewtonEuler5DR")]
#[derive(Clone, Debug)]
pub struct PointContact {
    rows: ContactRows,
    shape: ContactShape,
    geometry: Geometry,
}

/// Shape of the bodies in contact, from which the contact points and the normal are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactShape {
    /// Shape known only through a user function, which is named `geometry`.
    Function,
    /// A ball on a plane; see [`PointContact::of_ball_and_plane`].
    BallAndPlane {
        /// The radius of the ball \[m\].
        radius: f64,
        /// A point of the plane \[m\].
        point: [f64; 3],
        /// Normal of the plane as it was given, of any length except 0.
        normal: [f64; 3],
    },
    /// Two balls.
    Balls {
        /// Radii of the balls \[m\].
        radii: [f64; 2],
    },
}

impl PointContact {
    /// Creates a contact from a user function that computes the contact points and the normal. Its arguments
    /// are the parameters and the positions of the bodies, seven coordinates each. If the normal has length
    /// 0, the gap is NaN, and the step ends with an error that names the interaction.
    pub fn new(
        rows: ContactRows,
        geometry: impl Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync + 'static,
    ) -> Self {
        Self { rows, shape: ContactShape::Function, geometry: Closure::new(Arc::new(geometry)) }
    }

    fn of_shape(
        rows: ContactRows,
        shape: ContactShape,
        geometry: impl Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync + 'static,
    ) -> Self {
        Self { rows, shape, geometry: Closure::of_crate(Arc::new(geometry)) }
    }

    /// Creates the contact of a ball of the given radius \[m\] with the plane through `point`. The normal
    /// points to the side of the plane on which the ball can move.
    ///
    /// # Errors
    ///
    /// If the normal has length 0, or the axis of [`ContactRows`] in a plane has length 0 or is parallel to
    /// the normal ([`ModelError::NoDirection`]), or a value is not finite ([`ModelError::NotFinite`]).
    pub fn of_ball_and_plane(
        rows: ContactRows,
        radius: f64,
        point: [f64; 3],
        normal: [f64; 3],
    ) -> Result<Self, ModelError> {
        let shape = ContactShape::BallAndPlane { radius, point, normal };
        let normal = direction("normal of a plane", normal)?;
        rows.check(normal)?;
        check_finite("radius of a ball", &[radius])?;
        check_finite("point of a plane", &point)?;
        Ok(Self::of_shape(rows, shape, move |_, q| {
            let centre = Placement::of(q, 0).centre;
            let height = dot(normal, difference(centre, point));
            ContactPoints {
                first: add(centre, scaled(-radius, normal)),
                second: add(centre, scaled(-height, normal)),
                normal,
            }
        }))
    }

    /// Creates the contact of two balls of the given radii \[m\]. If their centres coincide, the normal is
    /// the third axis of the inertial frame.
    #[must_use]
    pub fn of_balls(rows: ContactRows, first: f64, second: f64) -> Self {
        let shape = ContactShape::Balls { radii: [first, second] };
        Self::of_shape(rows, shape, move |_, q| {
            let [a, b] = [0, 1].map(|body| Placement::of(q, body).centre);
            let apart = difference(a, b);
            let distance = length(apart);
            let normal = if distance == 0.0 { [0.0, 0.0, 1.0] } else { scaled(1.0 / distance, apart) };
            ContactPoints {
                first: add(a, scaled(-first, normal)),
                second: add(b, scaled(second, normal)),
                normal,
            }
        })
    }

    /// Returns the selection of the relative velocities that the relation contains.
    #[must_use]
    pub fn rows(&self) -> ContactRows {
        self.rows
    }

    /// Returns the shape of the bodies in contact.
    #[must_use]
    pub fn shape(&self) -> ContactShape {
        self.shape
    }
}

impl HasParts for PointContact {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("PointContact");
        parts.word("rows", format!("{:?}", self.rows));
        match self.shape {
            ContactShape::Function => {}
            ContactShape::BallAndPlane { radius, point, normal } => {
                parts.number("radius", radius);
                parts.vector("point", Array1::from_iter(point));
                parts.vector("normal", Array1::from_iter(normal));
            }
            ContactShape::Balls { radii: [first, second] } => {
                parts.number("first radius", first);
                parts.number("second radius", second);
            }
        }
        parts.function("geometry", &self.geometry);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        self.geometry.origin_mut().into_iter().collect()
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

impl From<PointContact> for NewtonEulerRelation {
    fn from(contact: PointContact) -> Self {
        let (rows, geometry, of_gap) = (contact.rows, contact.geometry.clone(), contact.geometry.clone());
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| {
            let ContactPoints { first, second, normal } = (of_gap.0)(at.parameters(), q);
            y[0] = dot(normal, difference(first, second)) / length(normal);
        };
        let jacobian = move |at: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let ContactPoints { first, second, normal } = (geometry.0)(at.parameters(), q);
            let normal = scaled(1.0 / length(normal), normal);
            let rows = rows.at(normal);
            for (body, point, sign) in [(0, first, 1.0), (1, second, -1.0)] {
                // The inertial frame, which is not a body of the interaction, does not move.
                if q.len() < 7 * (body + 1) {
                    break;
                }
                let placement = Placement::of(q, body);
                for (entries, row) in j.rows_mut().into_iter().zip(rows) {
                    let mut entries = BodyRow { entries };
                    match row {
                        ContactRow::Sliding(along) => {
                            let direction = scaled(sign, along);
                            entries.add(body, direction, placement.lever(point, direction));
                        }
                        ContactRow::Rolling(about) => {
                            let turn = placement.orientation.rotate_back(scaled(sign, about));
                            entries.add(body, [0.0; 3], turn);
                        }
                    }
                }
            }
        };
        let bodies = match contact.shape {
            ContactShape::Function => None,
            ContactShape::BallAndPlane { .. } => Some(1),
            ContactShape::Balls { .. } => Some(2),
        };
        let geometry = BodyGeometry::Contact(contact);
        let constraint = Constraint::of_geometry(geometry, rows.count(), h, jacobian).integrable(1);
        Self(match bodies {
            Some(bodies) => constraint.between(bodies),
            None => constraint,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
