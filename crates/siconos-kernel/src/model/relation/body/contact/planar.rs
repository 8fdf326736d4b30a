//! Contacts of rigid bodies in the plane.

use smallvec::SmallVec;

use super::super::BodyCoordinates;
use super::{ContactBall, ContactRows, ContactShape, ContactSurface, PointContact};
use crate::model::ModelError;
use crate::model::relation::Relation;
use crate::model::relation::nonlinear::LagrangianScleronomousRelation;
use crate::model::rotation::AXES;

/// Selection of the relative velocities in a [`PlanarContact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarRows {
    /// Normal velocity, for contacts without friction.
    Normal,
    /// Normal velocity and tangential velocity, for friction.
    Friction,
    /// The velocities of [`Friction`](Self::Friction), and the angular velocity of the first body relative to
    /// the second \[rad/s\], for rolling friction.
    Rolling,
}

impl From<PlanarRows> for ContactRows {
    fn from(rows: PlanarRows) -> Self {
        let axis = AXES[2];
        match rows {
            PlanarRows::Normal => Self::Normal,
            PlanarRows::Friction => Self::InPlane { axis },
            PlanarRows::Rolling => Self::RollingInPlane { axis },
        }
    }
}

/// Disc that is fixed in a planar body, or in the plane if it belongs to an obstacle. A point is a disc of
/// radius 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre \[m\], in the body frame.
    pub centre: [f64; 2],
    /// Radius \[m\].
    pub radius: f64,
}

impl Disc {
    /// Creates a disc whose centre is the centre of mass.
    #[must_use]
    pub fn centred(radius: f64) -> Self {
        Self { centre: [0.0; 2], radius }
    }

    /// Creates a point of a body.
    #[must_use]
    pub fn point(centre: [f64; 2]) -> Self {
        Self { centre, radius: 0.0 }
    }

    /// Returns the corners of a rectangle with these side lengths \[m\], whose centre is the centre of mass.
    #[must_use]
    pub fn corners([a, b]: [f64; 2]) -> [Self; 4] {
        let (x, y) = (0.5 * a, 0.5 * b);
        [[-x, -y], [x, -y], [-x, y], [x, y]].map(Self::point)
    }

    fn in_space(self) -> ContactBall {
        ContactBall { centre: in_space(self.centre), radius: self.radius }
    }
}

/// Curve that a disc or point touches. It belongs to the second body, or to an obstacle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanarSurface {
    /// Unbounded straight line.
    Line {
        /// A point of the line \[m\].
        point: [f64; 2],
        /// Normal, towards the side on which the first body can move; of any length except 0.
        normal: [f64; 2],
    },
    /// Disc.
    Disc(Disc),
}

impl PlanarSurface {
    fn in_space(self) -> ContactSurface {
        match self {
            Self::Line { point, normal } => {
                ContactSurface::Plane { point: in_space(point), normal: in_space(normal) }
            }
            Self::Disc(disc) => ContactSurface::Ball(disc.in_space()),
        }
    }
}

fn in_space([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// Contact of discs and points of a planar body with a line or a disc. The line or disc belongs to a second
/// planar body or to an obstacle at rest.
///
/// A planar body is a [`LagrangianLinear`](crate::model::LagrangianLinear) or
/// [`Lagrangian`](crate::model::Lagrangian) system with the coordinates x, y \[m\] and the angle \[rad\] of
/// its body frame; [`LagrangianLinear::planar_body`](crate::model::LagrangianLinear::planar_body) creates
/// one. The components of y are, for each disc, the gap \[m\], and the displacement along the tangent
/// $(n_y, -n_x)$, which is 0 because only its rate is used.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// // A box of 2 kg, 0.4 m x 0.2 m, on a slope of 20 degrees with mu = 0.5: it rests on two corners.
/// let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
/// let sides = [0.4, 0.2];
/// let inertia = 2.0 * (sides[0] * sides[0] + sides[1] * sides[1]) / 12.0;
/// let slope = PlanarSurface::Line { point: [0.0; 2], normal: [sine, cosine] };
/// let at = [0.1 * sine, 0.1 * cosine, -20.0_f64.to_radians()];
/// let body = LagrangianLinear::planar_body(2.0, inertia, at).with_constant_external_force(vec![0.0, -19.62, 0.0]);
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let body = model.add_system(body)?;
/// let corners = PlanarContact::at_rest(PlanarRows::Friction, Disc::corners(sides), slope)?;
/// let law = NewtonImpactFriction::in_plane(0.0, 0.5)?;
/// let contact = model.add_interaction([body], corners, law)?;
/// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01)?;
/// let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
/// let mut state = simulation.initial_state(&model)?;
/// while simulation.step(&model, &mut state)?.is_some() {}
/// let normal: f64 = state.lambda(contact, Level::Acceleration).iter().step_by(2).sum();
/// assert!((normal - 19.62 * cosine).abs() < 1e-6 && state.v(body)[0].abs() < 1e-9);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlanarContact {
    rows: PlanarRows,
    pub(super) contact: PointContact,
}

impl PlanarContact {
    /// Creates the contacts of discs of a body with an obstacle at rest, one contact per disc.
    ///
    /// # Errors
    ///
    /// If the list of discs is empty ([`ModelError::Empty`]), the normal of a line has length 0
    /// ([`ModelError::NoDirection`]), a radius is negative ([`ModelError::Length`]), or a value is not finite
    /// ([`ModelError::NotFinite`]).
    pub fn at_rest(
        rows: PlanarRows,
        discs: impl IntoIterator<Item = Disc>,
        obstacle: PlanarSurface,
    ) -> Result<Self, ModelError> {
        Self::new(rows, discs, obstacle, false)
    }

    /// Creates the contacts of discs of the first body with a surface of the second body, one contact per
    /// disc.
    ///
    /// # Errors
    ///
    /// As for [`at_rest`](Self::at_rest).
    pub fn between(
        rows: PlanarRows,
        discs: impl IntoIterator<Item = Disc>,
        surface: PlanarSurface,
    ) -> Result<Self, ModelError> {
        Self::new(rows, discs, surface, true)
    }

    fn new(
        rows: PlanarRows,
        discs: impl IntoIterator<Item = Disc>,
        surface: PlanarSurface,
        is_on_body: bool,
    ) -> Result<Self, ModelError> {
        let balls: SmallVec<[ContactBall; 1]> = discs.into_iter().map(Disc::in_space).collect();
        let shape = ContactShape::Balls { balls, surface: surface.in_space(), is_on_body };
        let contact = PointContact::of_shape(rows.into(), shape, BodyCoordinates::Planar)?;
        Ok(Self { rows, contact })
    }

    /// Returns the relative velocities that the relation contains for each contact.
    #[must_use]
    pub fn rows(&self) -> PlanarRows {
        self.rows
    }

    /// Returns the shapes of the bodies in contact, as shapes in the plane z = 0 of space.
    #[must_use]
    pub fn shape(&self) -> &ContactShape {
        self.contact.shape()
    }
}

impl From<PlanarContact> for LagrangianScleronomousRelation {
    fn from(contact: PlanarContact) -> Self {
        Self(contact.contact.into_constraint())
    }
}

impl From<PlanarContact> for Relation {
    fn from(contact: PlanarContact) -> Self {
        Self::LagrangianScleronomous(contact.into())
    }
}
