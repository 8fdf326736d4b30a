//! Contact of bodies in a point.

use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};

use super::{BodyGeometry, BodyRow, NewtonEulerRelation, Placement, direction};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::{Composed, PartList};
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{add, cross, difference, dot, length, scaled};
use crate::model::{At, ModelError, Parameters, check_finite};

/// Which velocities of a contact the relation has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactRows {
    /// The normal one, for contacts without friction.
    Normal,
    /// The normal and two tangents, for friction.
    Friction,
    /// Besides, the rates at which the first body rolls about the two tangents \[rad/s\], for rolling
    /// friction. There is no row for drilling.
    Rolling,
    /// The normal and the tangent $n \times a$ at right angles to an axis a, for friction of bodies that move
    /// in the plane across it.
    InPlane {
        /// Of any length but 0, and not along the normal.
        axis: [f64; 3],
    },
    /// Besides, the rate at which the first body rolls about the axis \[rad/s\].
    RollingInPlane {
        /// As of [`InPlane`](Self::InPlane).
        axis: [f64; 3],
    },
}

/// What a row is the rate of: of the distance of the points along a direction, or of the turn about one.
#[derive(Clone, Copy)]
enum ContactRow {
    Sliding([f64; 3]),
    Rolling([f64; 3]),
}

impl ContactRows {
    /// The number of components of y.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Normal => 1,
            Self::InPlane { .. } => 2,
            Self::Friction | Self::RollingInPlane { .. } => 3,
            Self::Rolling => 5,
        }
    }

    /// Whether there is a tangent at a normal of length 1.
    fn check(self, normal: [f64; 3]) -> Result<(), ModelError> {
        if let Self::InPlane { axis } | Self::RollingInPlane { axis } = self {
            let axis = direction("axis of a contact in a plane", axis)?;
            direction("part of the axis of a contact in a plane across the normal", cross(normal, axis))?;
        }
        Ok(())
    }

    /// The rows at a normal of length 1, of which so many as the kind has are meant.
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

/// The nearest points of two bodies, all along the axes of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoints {
    /// The point of the first body \[m\].
    #[doc(alias = "Pc1")]
    pub first: [f64; 3],
    /// The point of the second body, or of the obstacle \[m\].
    #[doc(alias = "Pc2")]
    pub second: [f64; 3],
    /// The normal, from the second body to the first; of any length but 0.
    #[doc(alias = "Nc")]
    pub normal: [f64; 3],
}

type Geometry = Closure<dyn Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync>;

/// A contact between two bodies, or of a body with an obstacle at rest, in a point: the gap
/// $g = n \cdot (p_1 - p_2)$ \[m\], and the velocity of the point of the first body relative to that of the
/// second along the normal n and two tangents, $u = V_1 + \omega_1 \times r_1 - V_2 - \omega_2 \times r_2$.
///
/// The gap is the first component of y, the others are 0: of tangents only the velocity is of use. In space
/// the tangents follow from the normal (Duff and others 2017, "Building an orthonormal basis, revisited",
/// with the sign of their formula -1 where the third component of the normal is below -0.27, and 1
/// elsewhere): they jump there, and nowhere else.
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

/// What is in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactShape {
    /// What a function of the user says, which is called `geometry`.
    Function,
    /// A ball on a plane; see [`PointContact::of_ball_and_plane`].
    BallAndPlane {
        /// The radius of the ball \[m\].
        radius: f64,
        /// A point of the plane \[m\].
        point: [f64; 3],
        /// The normal of the plane as it was given, of any length but 0.
        normal: [f64; 3],
    },
    /// Two balls.
    Balls {
        /// Their radii \[m\].
        radii: [f64; 2],
    },
}

impl PointContact {
    /// A contact whose points and normal are a function of the parameters and of the positions of the bodies,
    /// seven coordinates each. A normal of length 0 makes the gap NaN, which a step refuses by the name of
    /// the interaction.
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

    /// A ball of this radius \[m\] on the plane through a point with a normal, which points to where the ball
    /// may be.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoDirection`] for a normal of length 0, and for the axis of rows in a plane where it has
    /// length 0 or is along the normal; [`ModelError::NotFinite`].
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

    /// Two balls of these radii \[m\]. Where their centres coincide the normal is the third axis of space.
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

    /// Which velocities it has.
    #[must_use]
    pub fn rows(&self) -> ContactRows {
        self.rows
    }

    /// What is in contact.
    #[must_use]
    pub fn shape(&self) -> ContactShape {
        self.shape
    }
}

impl Composed for PointContact {
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

/// Normals that point down by more than this have other tangents. There is no choice of tangents without such
/// a jump, and at the one of the published formula, z = 0, lie the normals of all neighbours on a floor: at
/// rest they turn up and down by rounding, and Newton's method finds no end where tangents jump with them.
const DOWN: f64 = -0.27;

/// Two tangents, which make an orthonormal basis with a normal of length 1.
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
                // Space, which is no body of the interaction, does not move.
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
                            let turn = placement.attitude.rotate_back(scaled(sign, about));
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

    /// The largest entry of the difference of the products of three directions from those of a basis.
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
            // To the right.
            assert!(dot(cross(normal, t1), t2) > 0.5, "{normal:?}");
        }
    }

    /// Rounding turns normals of bodies side by side up and down, and their tangents by no more.
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
