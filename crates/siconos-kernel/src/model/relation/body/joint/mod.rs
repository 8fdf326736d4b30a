//! Joints between bodies.

mod coordinate;
mod coupler;

pub use coordinate::{JointCoordinate, JointStop};
pub use coupler::Coupler;

use std::sync::Arc;

use ndarray::ArrayViewMut2;

use super::{BodyRow, NewtonEulerRelation, Placement, direction};
use crate::error::{ModelError, check_finite};
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{AXES, cross, difference, dot, length, scaled};
use crate::model::{At, EqualityCondition, NewtonEuler};

/// The bodies of a joint: one, with space, or two.
#[derive(Clone, Copy, Debug)]
pub struct Jointed<'a> {
    first: &'a NewtonEuler,
    second: Option<&'a NewtonEuler>,
}

impl<'a> From<&'a NewtonEuler> for Jointed<'a> {
    fn from(first: &'a NewtonEuler) -> Self {
        Self { first, second: None }
    }
}

impl<'a> From<(&'a NewtonEuler, &'a NewtonEuler)> for Jointed<'a> {
    fn from((first, second): (&'a NewtonEuler, &'a NewtonEuler)) -> Self {
        Self { first, second: Some(second) }
    }
}

impl Jointed<'_> {
    pub(super) fn placements(&self) -> [Placement; 2] {
        let second = self.second.map_or(Placement::OF_SPACE, |body| Placement::of(body.q0(), 0));
        [Placement::of(self.first.q0(), 0), second]
    }

    pub(super) fn count(&self) -> usize {
        1 + usize::from(self.second.is_some())
    }
}

/// One equation of a joint. Vectors are along the axes of the body that carries them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// The two anchors have one coordinate of space in common.
    Meet([f64; 3]),
    /// They have one in a direction that the first body carries.
    Aligned([f64; 3]),
    /// A direction of the first body is at right angles to one of the second.
    Across([f64; 3], [f64; 3]),
}

/// A joint between two bodies, or between a body and space, made from where the bodies are at the start:
/// equations $h(q) = 0$ for an [`EqualityCondition`] of as many components.
///
/// Rows of positions are in \[m\], rows of directions are cosines.
///
/// ```
/// use siconos_kernel::model::{Joint, NewtonEuler, NonSmoothDynamicalSystem, Quaternion};
///
/// // A rod of 1 m that hangs from a hinge at the origin and turns about y.
/// let rod = NewtonEuler::new(1.0, [1.0 / 12.0, 1.0 / 12.0, 1e-4], [0.0, 0.0, -0.5], Quaternion::IDENTITY);
/// let hinge = Joint::revolute(&rod, [0.0; 3], [0.0, 1.0, 0.0])?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let rod = model.add_system(rod)?;
/// let condition = hinge.condition()?;
/// model.add_interaction([rod], hinge, condition)?;
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonEulerJointR")]
#[derive(Clone, Debug)]
pub struct Joint {
    bodies: usize,
    /// The point of the joint as each body carries it.
    anchors: [[f64; 3]; 2],
    rows: Vec<Row>,
    /// The axis along which it lets the bodies slide, as the first body carries it.
    slide: Option<[f64; 3]>,
    /// Two directions that are one at the start, as each body carries its own, and the one at right angles to
    /// them and to the axis about which it lets the bodies turn, as the second carries it.
    turn: Option<[[f64; 3]; 3]>,
}

impl Joint {
    /// Both bodies have a point in common, given in space at the start \[m\]: three equations.
    ///
    /// # Errors
    ///
    /// [`ModelError::NotFinite`].
    #[doc(alias = "KneeJointR")]
    pub fn spherical<'a>(bodies: impl Into<Jointed<'a>>, point: [f64; 3]) -> Result<Self, ModelError> {
        Self::at(bodies.into(), point, |_| Row::meet().to_vec())
    }

    /// A hinge: a point and an axis through it in common. Five equations.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoDirection`] for an axis of length 0, [`ModelError::NotFinite`].
    #[doc(alias = "PivotJointR")]
    pub fn revolute<'a>(
        bodies: impl Into<Jointed<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (axis, bodies) = (direction("axis of a revolute joint", axis)?, bodies.into());
        let joint = Self::at(bodies, point, |carried| {
            Row::meet().into_iter().chain(Row::parallel(carried, axis)).collect()
        })?;
        Ok(joint.turning(bodies, axis))
    }

    /// The bodies slide along an axis and turn about it: four equations.
    ///
    /// # Errors
    ///
    /// As [`revolute`](Self::revolute).
    #[doc(alias = "CylindricalJointR")]
    pub fn cylindrical<'a>(
        bodies: impl Into<Jointed<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (axis, bodies) = (direction("axis of a cylindrical joint", axis)?, bodies.into());
        let joint = Self::at(bodies, point, |carried| {
            Row::aligned(carried, axis).into_iter().chain(Row::parallel(carried, axis)).collect()
        })?;
        Ok(joint.sliding(bodies, axis).turning(bodies, axis))
    }

    /// The bodies slide along an axis and do not turn: five equations.
    ///
    /// # Errors
    ///
    /// As [`revolute`](Self::revolute).
    #[doc(alias = "PrismaticJointR")]
    pub fn prismatic<'a>(
        bodies: impl Into<Jointed<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (axis, bodies) = (direction("axis of a prismatic joint", axis)?, bodies.into());
        let joint = Self::at(bodies, point, |carried| {
            Row::aligned(carried, axis).into_iter().chain(Row::no_turn(carried, axis)).collect()
        })?;
        Ok(joint.sliding(bodies, axis))
    }

    /// The bodies stay where they are to each other: six equations.
    ///
    /// # Errors
    ///
    /// [`ModelError::NotFinite`].
    #[doc(alias = "FixedJointR")]
    pub fn fixed<'a>(bodies: impl Into<Jointed<'a>>) -> Result<Self, ModelError> {
        let bodies = bodies.into();
        let centre = bodies.placements()[0].centre;
        Self::at(bodies, centre, |carried| {
            Row::meet().into_iter().chain(Row::no_turn(carried, [0.0, 0.0, 1.0])).collect()
        })
    }

    fn at(
        bodies: Jointed<'_>,
        point: [f64; 3],
        rows: impl FnOnce(&[Placement; 2]) -> Vec<Row>,
    ) -> Result<Self, ModelError> {
        check_finite("point of a joint", &point)?;
        let carried = bodies.placements();
        Ok(Self {
            bodies: bodies.count(),
            anchors: [carried[0].local(point), carried[1].local(point)],
            rows: rows(&carried),
            slide: None,
            turn: None,
        })
    }

    /// Lets the bodies slide along an axis of space.
    fn sliding(mut self, bodies: Jointed<'_>, axis: [f64; 3]) -> Self {
        self.slide = Some(bodies.placements()[0].attitude.rotate_back(axis));
        self
    }

    /// Lets the bodies turn about an axis of space.
    fn turning(mut self, bodies: Jointed<'_>, axis: [f64; 3]) -> Self {
        let ([first, second], [one, other]) = (bodies.placements(), across(axis));
        let of_second = |direction: [f64; 3]| second.attitude.rotate_back(direction);
        self.turn = Some([first.attitude.rotate_back(one), of_second(one), of_second(other)]);
        self
    }

    /// The number of equations.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// The law of the joint, an equality of as many components.
    ///
    /// # Errors
    ///
    /// Those of [`EqualityCondition::new`].
    pub fn condition(&self) -> Result<EqualityCondition, ModelError> {
        EqualityCondition::new(self.size())
    }
}

impl Row {
    fn meet() -> [Self; 3] {
        AXES.map(Self::Meet)
    }

    /// The anchors meet across an axis.
    fn aligned([first, _]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        across(axis).map(|direction| Self::Aligned(first.attitude.rotate_back(direction)))
    }

    /// The bodies keep an axis in common.
    fn parallel([first, second]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        let of_second = second.attitude.rotate_back(axis);
        across(axis).map(|direction| Self::Across(first.attitude.rotate_back(direction), of_second))
    }

    /// The bodies do not turn to each other.
    fn no_turn(carried: &[Placement; 2], axis: [f64; 3]) -> [Self; 3] {
        let [first, second] = carried;
        let [a, b] = Self::parallel(carried, axis);
        let [one, other] = across(axis);
        [a, b, Self::Across(first.attitude.rotate_back(one), second.attitude.rotate_back(other))]
    }
}

/// Two directions at right angles to an axis of length 1 and to each other.
fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    // The axis of space that is furthest from it.
    let smallest = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let first = cross(axis, AXES[smallest]);
    let first = scaled(1.0 / length(first), first);
    [first, cross(axis, first)]
}

impl From<Joint> for NewtonEulerRelation {
    fn from(joint: Joint) -> Self {
        let (size, bodies) = (joint.size(), joint.bodies);
        let joint = Arc::new(joint);
        let of_value = Arc::clone(&joint);
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| of_value.write(q, y);
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| joint.differentiate(q, j);
        Self(Constraint::new(size, h).with_jacobian(jacobian).between(bodies))
    }
}

impl Joint {
    fn write(&self, q: &[f64], y: &mut [f64]) {
        let bodies = JointedAt::of(&self.anchors, q);
        y.iter_mut().zip(&self.rows).for_each(|(y, row)| *y = bodies.value(*row));
    }

    fn differentiate(&self, q: &[f64], j: &mut ArrayViewMut2<'_, f64>) {
        let bodies = JointedAt::of(&self.anchors, q);
        for (entries, row) in j.rows_mut().into_iter().zip(&self.rows) {
            bodies.add_derivative(1.0, *row, &mut BodyRow { entries });
        }
    }
}

/// The bodies of a joint where they are.
pub(super) struct JointedAt {
    placements: [Placement; 2],
    points: [[f64; 3]; 2],
    pub(super) apart: [f64; 3],
}

impl JointedAt {
    pub(super) fn of(anchors: &[[f64; 3]; 2], q: &[f64]) -> Self {
        let placements = [0, 1].map(|body| Placement::of(q, body));
        let points = [placements[0].point(anchors[0]), placements[1].point(anchors[1])];
        Self { placements, points, apart: difference(points[0], points[1]) }
    }

    fn value(&self, row: Row) -> f64 {
        let [first, second] = &self.placements;
        match row {
            Row::Meet(direction) => dot(direction, self.apart),
            Row::Aligned(direction) => dot(first.attitude.rotate(direction), self.apart),
            Row::Across(a, b) => dot(first.attitude.rotate(a), second.attitude.rotate(b)),
        }
    }

    /// Adds a multiple of the derivative of a row along the velocities.
    pub(super) fn add_derivative(&self, factor: f64, row: Row, entries: &mut BodyRow<'_>) {
        let [first, second] = &self.placements;
        let mut meet = |direction: [f64; 3]| {
            for (body, sign) in [(0, factor), (1, -factor)] {
                let direction = scaled(sign, direction);
                entries.add(body, direction, self.placements[body].lever(self.points[body], direction));
            }
        };
        match row {
            Row::Meet(direction) => meet(direction),
            Row::Aligned(local) => {
                meet(first.attitude.rotate(local));
                // The direction turns as well.
                let turning = cross(local, first.attitude.rotate_back(self.apart));
                entries.add(0, [0.0; 3], scaled(factor, turning));
            }
            Row::Across(a, b) => {
                let (of_first, of_second) = (first.attitude.rotate(a), second.attitude.rotate(b));
                let turns = [
                    cross(a, first.attitude.rotate_back(of_second)),
                    cross(b, second.attitude.rotate_back(of_first)),
                ];
                turns.into_iter().enumerate().for_each(|(body, turn)| {
                    entries.add(body, [0.0; 3], scaled(factor, turn));
                });
            }
        }
    }
}
