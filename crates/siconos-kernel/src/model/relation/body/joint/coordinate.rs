//! What a joint leaves free: a way or an angle, with stops and prescribed motions.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use ndarray::ArrayViewMut2;

use super::turn::{Turn, nearest};
use super::{Joint, JointedAt, Row};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::{Composed, PartList};
use crate::model::relation::body::{BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::relation::constraint::Constraint;
use crate::model::{At, ModelError, check_finite};

/// What a joint leaves free of the first body relative to the second, or to space: the way along the axis
/// \[m\] or the angle about it \[rad\], 0 at the start. Made by [`Joint::way`] and [`Joint::angle`].
///
/// An angle is between $-\pi$ and $\pi$.
///
/// As a relation it is $y = c$, of one component. With a [`Relay`](crate::model::Relay) it is the dry
/// friction of the joint: `Relay::symmetric(1, 0.3)` lets a hinge rub with up to 0.3 N m (a slide with up to
/// 0.3 N), and holds it where less would do.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// // A flap on a hinge, between a quarter of a turn to each side.
/// let flap = NewtonEuler::new(1.0, 0.1, [0.5, 0.0, 0.0], Quaternion::IDENTITY);
/// let hinge = Joint::revolute(&flap, [0.0; 3], [0.0, 1.0, 0.0])?;
/// let angle = hinge.angle().expect("a hinge turns");
/// let mut model = NonSmoothDynamicalSystem::new();
/// let flap = model.add_system(flap)?;
/// let condition = hinge.condition()?;
/// model.add_interaction([flap], hinge, condition)?;
/// model.add_interaction([flap], angle.stops(-1.5, 1.5)?, NewtonImpact::new(0.2)?)?;
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointCoordinate {
    joint: Arc<Joint>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Way(Row),
    Angle(Turn),
}

/// The two stops of a coordinate, $y = (c - c_{low}, c_{high} - c)$, for a law of one component
/// ([`NewtonImpact`](crate::model::NewtonImpact)). Made by [`JointCoordinate::stops`].
#[doc(alias = "JointStopR")]
#[derive(Clone, Debug)]
pub struct JointStop {
    coordinate: JointCoordinate,
    lower: f64,
    upper: f64,
}

impl JointStop {
    /// The coordinate.
    #[must_use]
    pub fn coordinate(&self) -> &JointCoordinate {
        &self.coordinate
    }

    /// The lower and the upper stop \[m, or rad\].
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }

    pub(in crate::model::relation::body) fn parts(&self) -> PartList<'_> {
        let mut parts = self.coordinate.parts("JointStop");
        parts.number("lower stop", self.lower);
        parts.number("upper stop", self.upper);
        parts
    }
}

/// A motion that a coordinate follows: a function of time called `motion`, and its derivative, `rate`. Made
/// by [`JointCoordinate::prescribed`].
#[derive(Clone, Debug)]
pub struct PrescribedMotion {
    coordinate: JointCoordinate,
    motion: Closure<MotionOfTime>,
    rate: Closure<MotionOfTime>,
}

type MotionOfTime = dyn Fn(At<'_>) -> f64 + Send + Sync;

impl PrescribedMotion {
    /// The coordinate.
    #[must_use]
    pub fn coordinate(&self) -> &JointCoordinate {
        &self.coordinate
    }

    /// Where the function of time comes from.
    #[must_use]
    pub fn motion(&self) -> &Origin {
        self.motion.origin_or_unknown()
    }

    /// Where its derivative comes from.
    #[must_use]
    pub fn rate(&self) -> &Origin {
        self.rate.origin_or_unknown()
    }
}

impl Composed for PrescribedMotion {
    fn parts(&self) -> PartList<'_> {
        let mut parts = self.coordinate.parts("PrescribedMotion");
        parts.function("motion", &self.motion);
        parts.function("rate", &self.rate);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        [self.motion.origin_mut(), self.rate.origin_mut()].into_iter().flatten().collect()
    }
}

impl Joint {
    /// The way of the first body along the axis of a prismatic or cylindrical joint; of others none.
    #[must_use]
    pub fn way(&self) -> Option<JointCoordinate> {
        self.coordinate(Kind::Way(Row::Aligned(self.slide?)))
    }

    /// The angle of the first body about the axis of a revolute or cylindrical joint; of others none.
    #[must_use]
    pub fn angle(&self) -> Option<JointCoordinate> {
        self.coordinate(Kind::Angle(self.turn?))
    }

    fn coordinate(&self, kind: Kind) -> Option<JointCoordinate> {
        Some(JointCoordinate { joint: Arc::new(self.clone()), kind })
    }
}

impl JointCoordinate {
    /// Stops at two values of the coordinate. Stops of an angle are at most a turn and a half apart, and
    /// their middle is at most three quarters of a turn from the start.
    ///
    /// Between stops that are at most half a turn apart, the angle is that nearest to their middle. Between
    /// wider ones it is followed through turns by the sign of the attitudes: quaternions q and -q are one
    /// attitude, and angles a turn apart. A state keeps the sign. For more turns couple a slide with a
    /// [screw](crate::model::Coupler::screw), and put the stops on its way.
    ///
    /// # Errors
    ///
    /// [`ModelError::Stops`] unless the lower is below the upper; [`ModelError::StopsOfAngle`] for stops of
    /// an angle too far apart or too far from the start; [`ModelError::NotFinite`].
    pub fn stops(&self, lower: f64, upper: f64) -> Result<JointStop, ModelError> {
        check_finite("stops of a joint", &[lower, upper])?;
        if lower >= upper {
            return Err(ModelError::Stops { lower, upper });
        }
        // Half a turn of overlap, at least, is no angle on the other side.
        let is_followed = upper - lower <= 3.0 * PI && (0.5 * (lower + upper)).abs() <= 1.5 * PI;
        if self.is_angle() && !is_followed {
            return Err(ModelError::StopsOfAngle { lower, upper });
        }
        Ok(JointStop { coordinate: self.clone(), lower, upper })
    }

    /// Makes the coordinate follow a function of time with this derivative, as a motor does: one equation
    /// $c - f(t) = 0$, for an [`EqualityCondition`](crate::model::EqualityCondition) of size 1. Angles are
    /// compared up to whole turns.
    pub fn prescribed(
        &self,
        motion: impl Fn(At<'_>) -> f64 + Send + Sync + 'static,
        rate: impl Fn(At<'_>) -> f64 + Send + Sync + 'static,
    ) -> NewtonEulerRelation {
        let motion: Arc<MotionOfTime> = Arc::new(motion);
        let rate: Arc<MotionOfTime> = Arc::new(rate);
        let prescribed = PrescribedMotion {
            coordinate: self.clone(),
            motion: Closure::new(Arc::clone(&motion)),
            rate: Closure::new(Arc::clone(&rate)),
        };
        let own = self.clone();
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| {
            let off = own.value(q) - motion(at);
            y[0] = match own.kind {
                Kind::Way(_) => off,
                Kind::Angle(_) => nearest(off, 0.0, TAU),
            };
        };
        let relation = self.relation(BodyGeometry::Prescribed(prescribed), 1, h, |_| 1.0);
        NewtonEulerRelation(relation.with_own_time_derivative(move |at, _, y| y[0] = -rate(at)))
    }

    /// The joint that leaves it free.
    #[must_use]
    pub fn joint(&self) -> &Joint {
        &self.joint
    }

    /// Whether it is an angle, and no way.
    #[must_use]
    pub fn is_angle(&self) -> bool {
        matches!(self.kind, Kind::Angle(_))
    }

    pub(super) fn value(&self, q: &[f64]) -> f64 {
        let bodies = JointedAt::of(&self.joint.anchors, q);
        match self.kind {
            Kind::Way(row) => bodies.value(row),
            Kind::Angle(turn) => turn.angle(&bodies),
        }
    }

    /// The value between stops, or the overlap with one of them.
    fn value_between(&self, (lower, upper): (f64, f64), q: &[f64]) -> f64 {
        let Kind::Angle(turn) = self.kind else { return self.value(q) };
        let middle = 0.5 * (lower + upper);
        if upper - lower <= PI {
            return nearest(self.value(q), middle, TAU);
        }
        turn.angle_within_a_turn(middle, &JointedAt::of(&self.joint.anchors, q))
    }

    /// Adds a multiple of the derivative along the velocities.
    pub(super) fn add_derivative(&self, factor: f64, q: &[f64], entries: &mut BodyRow<'_>) {
        let bodies = JointedAt::of(&self.joint.anchors, q);
        match self.kind {
            Kind::Way(row) => bodies.add_derivative(factor, row, entries),
            Kind::Angle(turn) => {
                let [cosine, sine] = turn.rows();
                let (c, s) = (bodies.value(cosine), bodies.value(sine));
                let factor = factor / (c * c + s * s);
                bodies.add_derivative(factor * c, sine, entries);
                bodies.add_derivative(-factor * s, cosine, entries);
            }
        }
    }

    /// Its parts, as those of what it is the whole or a part of.
    pub(in crate::model::relation::body) fn parts(&self, of: &'static str) -> PartList<'_> {
        let mut parts = self.joint.parts(of);
        parts.word("coordinate", self.name());
        parts
    }

    /// Everything that it is made of.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let mut numbers = self.joint.numbers();
        numbers.push(f64::from(u8::from(self.is_angle())));
        numbers
    }

    fn name(&self) -> &'static str {
        if self.is_angle() { "angle" } else { "way" }
    }

    /// A relation whose components have this coordinate, times signs, as their derivative.
    fn relation(
        &self,
        geometry: BodyGeometry,
        size: usize,
        h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        sign: impl Fn(usize) -> f64 + Send + Sync + 'static,
    ) -> Constraint {
        let own = self.clone();
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            for (k, entries) in j.rows_mut().into_iter().enumerate() {
                own.add_derivative(sign(k), q, &mut BodyRow { entries });
            }
        };
        Constraint::of_geometry(geometry, size, h, jacobian).between(self.joint.bodies)
    }
}

impl From<JointCoordinate> for NewtonEulerRelation {
    fn from(coordinate: JointCoordinate) -> Self {
        let own = coordinate.clone();
        let geometry = BodyGeometry::Coordinate(coordinate.clone());
        Self(coordinate.relation(geometry, 1, move |_, q, y| y[0] = own.value(q), |_| 1.0))
    }
}

impl From<JointStop> for NewtonEulerRelation {
    fn from(stops: JointStop) -> Self {
        let geometry = BodyGeometry::Stops(stops.clone());
        let JointStop { coordinate, lower, upper } = stops;
        let own = coordinate.clone();
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| {
            let c = own.value_between((lower, upper), q);
            (y[0], y[1]) = (c - lower, upper - c);
        };
        Self(coordinate.relation(geometry, 2, h, |k| if k == 0 { 1.0 } else { -1.0 }))
    }
}
