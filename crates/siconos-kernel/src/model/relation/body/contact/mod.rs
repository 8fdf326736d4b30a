//! Point contacts of bodies.

mod frame;
mod planar;
mod rows;
mod shape;

use std::sync::Arc;

use ndarray::{ArrayViewMut2, s};
use smallvec::SmallVec;

use super::{BodyCoordinates, BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{difference, dot, length, scaled};
use crate::model::{At, ModelError, Parameters};
use shape::CheckedShape;

pub(crate) use frame::{ContactFrame, SpatialImpulse};

pub use planar::{Disc, PlanarContact, PlanarRows, PlanarSurface};
pub use rows::ContactRows;
pub use shape::{ContactBall, ContactShape, ContactSurface};

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

type UserGeometry = Closure<dyn Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync>;

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

/// Computation of the contact points.
#[derive(Clone, Debug)]
enum Geometry {
    Function(UserGeometry),
    Shape(CheckedShape),
}

impl Geometry {
    /// Returns the number of contacts.
    fn count(&self) -> usize {
        match self {
            Self::Function(_) => 1,
            Self::Shape(shape) => shape.count(),
        }
    }

    /// Returns the contact points and the normal of a contact.
    fn points(&self, contact: usize, at: At<'_>, q: &[f64]) -> ContactPoints {
        match self {
            Self::Shape(shape) => shape.points(contact, q),
            Self::Function(function) => (function.0)(at.parameters(), q),
        }
    }
}

impl PointContact {
    /// Creates a contact from a user function that computes the contact points and the normal. Its arguments
    /// are the parameters and the positions of the bodies, seven coordinates each. If the normal has length
    /// 0, the gap is NaN, and the step ends with an error that names the interaction.
    pub fn new(
        rows: ContactRows,
        geometry: impl Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync + 'static,
    ) -> Self {
        let geometry = Geometry::Function(Closure::new(Arc::new(geometry)));
        Self { rows, shape: ContactShape::Function, geometry }
    }

    fn of_shape(
        rows: ContactRows,
        shape: ContactShape,
        coordinates: BodyCoordinates,
    ) -> Result<Self, ModelError> {
        let Some(checked) = shape.checked(coordinates)? else {
            return Err(ModelError::Empty { what: "set of contact points" });
        };
        checked.fixed_normal().map_or(Ok(()), |normal| rows.check(normal))?;
        Ok(Self { rows, shape, geometry: Geometry::Shape(checked) })
    }

    /// Creates the contacts of balls and points of a body with an obstacle at rest, one contact per ball. y
    /// contains the [rows](ContactRows) of all contacts, in the order of the balls.
    ///
    /// The corners of a box on a plane, each of which can open and close:
    ///
    /// ```
    /// use siconos_kernel::model::{ContactBall, ContactRows, ContactSurface, PointContact, Relation};
    ///
    /// let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    /// let corners = ContactBall::corners([0.4, 0.2, 0.1]);
    /// let contact = PointContact::at_rest(ContactRows::Friction, corners, floor)?;
    /// assert_eq!(Relation::from(contact).size(), 24);
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the list of balls is empty ([`ModelError::Empty`]), the normal of a plane has length 0, or the axis
    /// of [`ContactRows`] in a plane has length 0 or is parallel to the normal ([`ModelError::NoDirection`]),
    /// a radius is negative ([`ModelError::Length`]), or a value is not finite ([`ModelError::NotFinite`]).
    pub fn at_rest(
        rows: ContactRows,
        balls: impl IntoIterator<Item = ContactBall>,
        obstacle: ContactSurface,
    ) -> Result<Self, ModelError> {
        let balls: SmallVec<[ContactBall; 1]> = balls.into_iter().collect();
        let shape = ContactShape::Balls { balls, surface: obstacle, is_on_body: false };
        Self::of_shape(rows, shape, BodyCoordinates::Spatial)
    }

    /// Creates the contacts of balls and points of the first body with a surface of the second body, one
    /// contact per ball.
    ///
    /// # Errors
    ///
    /// As for [`at_rest`](Self::at_rest).
    pub fn between(
        rows: ContactRows,
        balls: impl IntoIterator<Item = ContactBall>,
        surface: ContactSurface,
    ) -> Result<Self, ModelError> {
        let balls: SmallVec<[ContactBall; 1]> = balls.into_iter().collect();
        let shape = ContactShape::Balls { balls, surface, is_on_body: true };
        Self::of_shape(rows, shape, BodyCoordinates::Spatial)
    }

    /// Creates the contact of a ball of the given radius \[m\] with the plane through `point`. The centre of
    /// the ball is the centre of mass. The normal points to the side of the plane on which the ball can move.
    ///
    /// # Errors
    ///
    /// As for [`at_rest`](Self::at_rest).
    pub fn of_ball_and_plane(
        rows: ContactRows,
        radius: f64,
        point: [f64; 3],
        normal: [f64; 3],
    ) -> Result<Self, ModelError> {
        let plane = ContactSurface::Plane { point, normal };
        Self::at_rest(rows, [ContactBall::centred(radius)], plane)
    }

    /// Creates the contact of two balls of the given radii \[m\], whose centres are the centres of mass. If
    /// the centres coincide, the normal is the third axis of the inertial frame.
    ///
    /// # Errors
    ///
    /// As for [`at_rest`](Self::at_rest).
    pub fn of_balls(rows: ContactRows, first: f64, second: f64) -> Result<Self, ModelError> {
        let surface = ContactSurface::Ball(ContactBall::centred(second));
        Self::between(rows, [ContactBall::centred(first)], surface)
    }

    /// Returns the relative velocities that the relation contains for each contact.
    #[must_use]
    pub fn rows(&self) -> ContactRows {
        self.rows
    }

    /// Returns the rows of this contact if it was made from a [`PlanarContact`], or `None` for a spatial
    /// (three-dimensional) contact.
    #[must_use]
    pub fn planar_rows(&self) -> Option<PlanarRows> {
        if self.coordinates() == BodyCoordinates::Spatial {
            return None;
        }
        Some(match self.rows.count() {
            1 => PlanarRows::Normal,
            2 => PlanarRows::Friction,
            _ => PlanarRows::Rolling,
        })
    }

    /// Returns the shapes of the bodies in contact.
    #[must_use]
    pub fn shape(&self) -> &ContactShape {
        &self.shape
    }

    /// Returns the coordinates of the bodies.
    fn coordinates(&self) -> BodyCoordinates {
        match &self.geometry {
            Geometry::Function(_) => BodyCoordinates::Spatial,
            Geometry::Shape(shape) => shape.coordinates(),
        }
    }

    /// Converts the contact to a constraint function with its Jacobian.
    fn into_constraint(self) -> Constraint {
        let (rows, coordinates) = (self.rows, self.coordinates());
        let (per_contact, contacts) = (rows.count(), self.geometry.count());
        let (geometry, of_gap) = (self.geometry.clone(), self.geometry.clone());
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| {
            for contact in 0..contacts {
                let ContactPoints { first, second, normal } = of_gap.points(contact, at, q);
                y[per_contact * contact] = dot(normal, difference(first, second)) / length(normal);
            }
        };
        let jacobian = move |at: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let bodies = q.len() / coordinates.positions();
            for contact in 0..contacts {
                let ContactPoints { first, second, normal } = geometry.points(contact, at, q);
                let rows = rows.at(scaled(1.0 / length(normal), normal));
                let first_row = per_contact * contact;
                let mut j = j.slice_mut(s![first_row..first_row + per_contact, ..]);
                // The inertial frame, which is not a body of the interaction, does not move.
                for (body, point, sign) in [(0, first, 1.0), (1, second, -1.0)].into_iter().take(bodies) {
                    let placement = coordinates.placement(q, body);
                    for (entries, row) in j.rows_mut().into_iter().zip(rows) {
                        let (translation, rotation) = row.derivative(&placement, point, sign);
                        BodyRow { coordinates, entries }.add(body, translation, rotation);
                    }
                }
            }
        };
        let bodies = match &self.geometry {
            Geometry::Function(_) => None,
            Geometry::Shape(shape) => Some(shape.bodies()),
        };
        let constraint =
            Constraint::of_geometry(BodyGeometry::Contact(self), per_contact * contacts, h, jacobian)
                .integrable_every(per_contact)
                .of_positions(coordinates.positions());
        match bodies {
            Some(bodies) => constraint.between(bodies),
            None => constraint,
        }
    }
}

impl HasParts for PointContact {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of(match self.coordinates() {
            BodyCoordinates::Spatial => "PointContact",
            BodyCoordinates::Planar => "PlanarContact",
        });
        parts.word("rows", format!("{:?}", self.rows));
        self.shape.add_to(&mut parts);
        if let Geometry::Function(function) = &self.geometry {
            parts.function("geometry", function);
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match &mut self.geometry {
            Geometry::Function(function) => function.origin_mut().into_iter().collect(),
            Geometry::Shape(_) => Vec::new(),
        }
    }
}

impl From<PointContact> for NewtonEulerRelation {
    fn from(contact: PointContact) -> Self {
        Self(contact.into_constraint())
    }
}
