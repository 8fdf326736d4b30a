//! The distance of two points of bodies.

use ndarray::ArrayViewMut2;

use super::joint::{Jointed, JointedAt, Row};
use super::{BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::parts::PartList;
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{difference, length, scaled};
use crate::model::{At, ModelError, check_finite};

/// How much further apart two points are than a length, $y = \lVert p_1 - p_2 \rVert - l$ \[m\], each carried
/// by a body or at rest in space: with a [`SpringDamper`](crate::model::SpringDamper) a spring between two
/// hooks, with an [`EqualityCondition`](crate::model::EqualityCondition) a rod without mass. A rope, which
/// only pulls, is [`slack`](Self::slack) with a [`NewtonImpact`](crate::model::NewtonImpact).
///
/// Where the points meet they have no direction: y is then -l, and a step ends with an error that names the
/// interaction.
///
/// ```
/// use siconos_kernel::model::Distance;
/// use siconos_kernel::prelude::*;
///
/// // A box on a rod of 1 m that hangs from the ceiling at its upper face.
/// let load = NewtonEuler::new(5.0, 0.1, [0.0, 0.0, -1.2], Quaternion::IDENTITY);
/// let rod = Distance::between(&load, [0.0, 0.0, -1.0], [0.0; 3])?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let load = model.add_system(load)?;
/// model.add_interaction([load], rod, EqualityCondition::new(1)?)?;
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    bodies: usize,
    /// The points in space at the start.
    points: [[f64; 3]; 2],
    /// The points as each body carries them.
    anchors: [[f64; 3]; 2],
    length: f64,
    /// -1 for a rope.
    sign: f64,
}

impl Distance {
    /// The distance of two points that are given in space at the start \[m\]: one of the first body, one of
    /// the second or at rest. The length is what it is then, so that y begins with 0.
    ///
    /// # Errors
    ///
    /// [`ModelError::NotFinite`], [`ModelError::NoDirection`] where both points are one.
    pub fn between<'a>(
        bodies: impl Into<Jointed<'a>>,
        first: [f64; 3],
        second: [f64; 3],
    ) -> Result<Self, ModelError> {
        check_finite("points of a distance", first.iter().chain(&second))?;
        let bodies = bodies.into();
        let length = length(difference(first, second));
        if length == 0.0 {
            return Err(ModelError::NoDirection { what: "line between two points" });
        }
        let [own, other] = bodies.placements();
        Ok(Self {
            bodies: bodies.count(),
            points: [first, second],
            anchors: [own.local(first), other.local(second)],
            length,
            sign: 1.0,
        })
    }

    /// Counts from another length l \[m\], at or above 0: the rest length of a spring.
    ///
    /// # Errors
    ///
    /// [`ModelError::Length`] for a length below 0, or not finite.
    pub fn with_length(mut self, length: f64) -> Result<Self, ModelError> {
        if !(length.is_finite() && length >= 0.0) {
            return Err(ModelError::Length { value: length });
        }
        self.length = length;
        Ok(self)
    }

    /// How much a rope of the length is slack: -y.
    #[must_use]
    pub fn slack(mut self) -> Self {
        self.sign = -1.0;
        self
    }

    /// The points in space at the start \[m\], as they were given.
    #[must_use]
    pub fn points(&self) -> [[f64; 3]; 2] {
        self.points
    }

    /// The length l \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether y is how much a rope is slack.
    #[must_use]
    pub fn is_slack(&self) -> bool {
        self.sign < 0.0
    }

    /// Between how many bodies it is; the second of one is space.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    pub(super) fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("Distance");
        parts.count("number of bodies", self.bodies);
        parts.vector("points", self.points.as_flattened());
        parts.vector("points on the bodies", self.anchors.as_flattened());
        parts.number("length", self.length);
        parts.word("sign", if self.is_slack() { "slack" } else { "stretch" });
        parts
    }
}

impl From<Distance> for NewtonEulerRelation {
    fn from(distance: Distance) -> Self {
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| {
            let apart = JointedAt::of(&distance.anchors, q).apart;
            y[0] = distance.sign * (length(apart) - distance.length);
        };
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let bodies = JointedAt::of(&distance.anchors, q);
            let along = scaled(1.0 / length(bodies.apart), bodies.apart);
            bodies.add_derivative(distance.sign, Row::Meet(along), &mut BodyRow { entries: j.row_mut(0) });
        };
        let geometry = BodyGeometry::Distance(distance);
        Self(Constraint::of_geometry(geometry, 1, h, jacobian).between(distance.bodies))
    }
}
