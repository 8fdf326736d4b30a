//! Shapes of bodies in contact: balls and points of the first body, and a surface of the second body or of an
//! obstacle.

use ndarray::Array1;
use smallvec::SmallVec;

use super::super::BodyCoordinates;
use super::ContactPoints;
use crate::model::parts::PartList;
use crate::model::relation::body::{Placement, direction};
use crate::model::rotation::{add, difference, dot, length, scaled};
use crate::model::{ModelError, check_finite};

/// Ball that is fixed in a body, or in space if it belongs to an obstacle. A point is a ball of radius 0.
///
/// ```
/// use siconos_kernel::model::ContactBall;
///
/// let corner = ContactBall::point([0.2, 0.1, -0.05]);
/// assert_eq!(corner.radius, 0.0);
/// assert_eq!(ContactBall::centred(0.1).centre, [0.0; 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBall {
    /// Centre \[m\], in the body frame.
    pub centre: [f64; 3],
    /// Radius \[m\].
    pub radius: f64,
}

impl ContactBall {
    /// Creates a ball whose centre is the centre of mass.
    #[must_use]
    pub fn centred(radius: f64) -> Self {
        Self { centre: [0.0; 3], radius }
    }

    /// Creates a point of a body.
    #[must_use]
    pub fn point(centre: [f64; 3]) -> Self {
        Self { centre, radius: 0.0 }
    }

    /// Returns the corners of a box with these edge lengths \[m\], whose centre is the centre of mass.
    ///
    /// ```
    /// use siconos_kernel::model::ContactBall;
    ///
    /// let corners = ContactBall::corners([0.4, 0.2, 0.1]);
    /// assert!(corners.contains(&ContactBall::point([-0.2, 0.1, 0.05])));
    /// ```
    #[must_use]
    pub fn corners([a, b, c]: [f64; 3]) -> [Self; 8] {
        let half = |bit: usize, corner: usize, length: f64| match corner >> bit & 1 {
            0 => -0.5 * length,
            _ => 0.5 * length,
        };
        std::array::from_fn(|corner| {
            Self::point([half(0, corner, a), half(1, corner, b), half(2, corner, c)])
        })
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_finite("centre of a ball", &self.centre)?;
        match self.radius.is_finite() && self.radius >= 0.0 {
            true => Ok(()),
            false => Err(ModelError::Length { value: self.radius }),
        }
    }

    /// Returns `true` if the centre is the centre of mass.
    #[must_use]
    pub fn is_centred(&self) -> bool {
        self.centre == [0.0; 3]
    }

    fn centre_in(&self, placement: &Placement) -> [f64; 3] {
        if self.is_centred() { placement.centre } else { placement.point(self.centre) }
    }
}

/// Surface that a ball or point touches. It belongs to the second body, or to an obstacle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactSurface {
    /// Unbounded plane.
    Plane {
        /// A point of the plane \[m\].
        point: [f64; 3],
        /// Normal, towards the side on which the first body can move; of any length except 0.
        normal: [f64; 3],
    },
    /// Ball.
    Ball(ContactBall),
}

/// Shapes of the bodies in contact, from which the contact points and the normal are computed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactShape {
    /// Shape known only through a user function, which is named `geometry`.
    Function,
    /// Balls of the first body against a surface.
    Balls {
        /// Balls and points of the first body, one contact each.
        balls: SmallVec<[ContactBall; 1]>,
        /// Surface of the second body or of the obstacle.
        surface: ContactSurface,
        /// `true` if the surface belongs to the second body, `false` if it is at rest.
        is_on_body: bool,
    },
}

/// Balls and surface after all checks. If the surface is a plane, its normal has been normalised.
#[derive(Clone, Debug)]
pub(super) struct CheckedShape {
    balls: SmallVec<[ContactBall; 1]>,
    surface: ContactSurface,
    is_on_body: bool,
    coordinates: BodyCoordinates,
}

impl ContactShape {
    /// Adds the data of the shape to `parts`. A centred ball against a plane at rest, and two centred balls,
    /// are listed with named values; all other shapes are listed as text.
    pub(super) fn add_to(&self, parts: &mut PartList<'_>) {
        let Self::Balls { balls, surface, is_on_body } = self else { return };
        match (&balls[..], *surface, is_on_body) {
            (&[ball], ContactSurface::Plane { point, normal }, false) if ball.is_centred() => {
                parts.number("radius", ball.radius);
                parts.vector("point", Array1::from_iter(point));
                parts.vector("normal", Array1::from_iter(normal));
            }
            (&[first], ContactSurface::Ball(second), true) if first.is_centred() && second.is_centred() => {
                parts.number("first radius", first.radius);
                parts.number("second radius", second.radius);
            }
            _ => {
                parts.word("shape", format!("{self:?}"));
            }
        }
    }

    /// Checks all values, and normalises the normal of a plane. Returns `None` for a user function.
    pub(super) fn checked(&self, coordinates: BodyCoordinates) -> Result<Option<CheckedShape>, ModelError> {
        let Self::Balls { balls, surface, is_on_body } = self else { return Ok(None) };
        if balls.is_empty() {
            return Err(ModelError::Empty { what: "set of contact points" });
        }
        balls.iter().try_for_each(ContactBall::check)?;
        let surface = match *surface {
            ContactSurface::Plane { point, normal } => {
                let normal = direction("normal of a plane", normal)?;
                check_finite("point of a plane", &point)?;
                ContactSurface::Plane { point, normal }
            }
            ContactSurface::Ball(ball) => {
                ball.check()?;
                *surface
            }
        };
        Ok(Some(CheckedShape { balls: balls.clone(), surface, is_on_body: *is_on_body, coordinates }))
    }
}

impl CheckedShape {
    /// Returns the number of contacts.
    pub(super) fn count(&self) -> usize {
        self.balls.len()
    }

    pub(super) fn coordinates(&self) -> BodyCoordinates {
        self.coordinates
    }

    /// Returns the number of bodies.
    pub(super) fn bodies(&self) -> usize {
        if self.is_on_body { 2 } else { 1 }
    }

    /// Returns the unit normal of a plane at rest, or `None` for any other surface.
    pub(super) fn fixed_normal(&self) -> Option<[f64; 3]> {
        match self.surface {
            ContactSurface::Plane { normal, .. } if !self.is_on_body => Some(normal),
            _ => None,
        }
    }

    /// Returns the contact points of a contact. The normal is a unit vector. If the centres of two balls
    /// coincide, the normal is the third axis in space, or the second axis in the plane.
    pub(super) fn points(&self, contact: usize, q: &[f64]) -> ContactPoints {
        let ball = &self.balls[contact];
        let centre = ball.centre_in(&self.coordinates.placement(q, 0));
        match self.surface {
            ContactSurface::Plane { mut point, mut normal } => {
                if self.is_on_body {
                    let placement = self.coordinates.placement(q, 1);
                    (point, normal) = (placement.point(point), placement.orientation.rotate(normal));
                }
                let height = dot(normal, difference(centre, point));
                ContactPoints {
                    first: add(centre, scaled(-ball.radius, normal)),
                    second: add(centre, scaled(-height, normal)),
                    normal,
                }
            }
            ContactSurface::Ball(other) => {
                let opposite = match self.is_on_body {
                    true => other.centre_in(&self.coordinates.placement(q, 1)),
                    false => other.centre,
                };
                let apart = difference(centre, opposite);
                let distance = length(apart);
                let normal = match distance {
                    0.0 => self.coordinates.last_axis(),
                    _ => scaled(1.0 / distance, apart),
                };
                ContactPoints {
                    first: add(centre, scaled(-ball.radius, normal)),
                    second: add(opposite, scaled(other.radius, normal)),
                    normal,
                }
            }
        }
    }
}
