//! Joint coordinates: displacements and angles, with stops and prescribed motions.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};

use super::turn::{JointRotation, nearest};
use super::{Joint, Row};
use crate::model::closure::Closure;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::relation::body::{BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::relation::constraint::Constraint;
use crate::model::{At, ModelError, check_finite, check_shape};

/// Joint coordinate of the first body relative to the second body or to the inertial frame: the displacement
/// along the joint axis \[m\], or the angle about the joint axis \[rad\]. Its initial value is 0. Joint
/// coordinates are created with [`Joint::displacement`] and [`Joint::angle`].
///
/// An angle is between $-\pi$ and $\pi$.
///
/// A joint coordinate c can be used as a relation with one component, $y = c$. With a
/// [`Relay`](crate::model::Relay), this relation models the dry friction of the joint:
/// `Relay::symmetric(1, 0.3)` limits the friction moment of a hinge to 0.3 N m (the friction force of a slide
/// to 0.3 N). The joint does not move if a smaller moment is sufficient to hold it.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// // A flap on a hinge, with stops at -1.5 rad and 1.5 rad.
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
    kind: JointCoordinateKind,
}

#[derive(Clone, Copy, Debug)]
enum JointCoordinateKind {
    Way(Row),
    Angle(JointRotation),
}

/// Lower and upper stop of a joint coordinate c, $y = (c - c_{low}, c_{high} - c)$, for a law with one
/// component ([`NewtonImpact`](crate::model::NewtonImpact)). Stops are created with
/// [`JointCoordinate::stops`].
#[doc(alias = "JointStopR")]
#[derive(Clone, Debug)]
pub struct JointStop {
    coordinate: JointCoordinate,
    lower: f64,
    upper: f64,
}

impl JointStop {
    /// Returns the coordinate.
    #[must_use]
    pub fn coordinate(&self) -> &JointCoordinate {
        &self.coordinate
    }

    /// Returns the lower and the upper stop \[m\] or \[rad\].
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

/// Prescribed motion of a joint coordinate: a function of time named `motion`, and its derivative `rate`.
/// Prescribed motions are created with [`JointCoordinate::prescribed`] and [`JointCoordinate::at_speed`].
#[derive(Clone, Debug)]
pub struct PrescribedMotion {
    coordinate: JointCoordinate,
    speed: Option<f64>,
    motion: Closure<MotionOfTime>,
    rate: Closure<MotionOfTime>,
}

type MotionOfTime = dyn Fn(At<'_>) -> f64 + Send + Sync;

impl PrescribedMotion {
    /// Returns the coordinate.
    #[must_use]
    pub fn coordinate(&self) -> &JointCoordinate {
        &self.coordinate
    }

    /// Returns the speed \[m/s\] or \[rad/s\], if it is known to be constant.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        self.speed
    }

    /// Returns the origin of the function of time.
    #[must_use]
    pub fn motion(&self) -> &Origin {
        self.motion.origin_or_unknown()
    }

    /// Returns the origin of the derivative of the motion.
    #[must_use]
    pub fn rate(&self) -> &Origin {
        self.rate.origin_or_unknown()
    }
}

impl HasParts for PrescribedMotion {
    fn parts(&self) -> PartList<'_> {
        let mut parts = self.coordinate.parts("PrescribedMotion");
        self.speed.iter().for_each(|speed| parts.number("speed", *speed));
        parts.function("motion", &self.motion);
        parts.function("rate", &self.rate);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        [self.motion.origin_mut(), self.rate.origin_mut()].into_iter().flatten().collect()
    }
}

impl Joint {
    /// Returns the displacement of the first body along the axis of a prismatic or cylindrical joint; `None`
    /// for other joints.
    #[must_use]
    pub fn displacement(&self) -> Option<JointCoordinate> {
        self.coordinate(JointCoordinateKind::Way(Row::Aligned(self.slide?)))
    }

    /// Returns the angle of the first body about the axis of a revolute or cylindrical joint; `None` for
    /// other joints.
    #[must_use]
    pub fn angle(&self) -> Option<JointCoordinate> {
        self.coordinate(JointCoordinateKind::Angle(self.turn?))
    }

    fn coordinate(&self, kind: JointCoordinateKind) -> Option<JointCoordinate> {
        Some(JointCoordinate { joint: Arc::new(self.clone()), kind })
    }
}

impl JointCoordinate {
    /// Creates stops at two values of the coordinate. The stops of an angle must be at most $3 \pi$ apart,
    /// and their midpoint must be at most $1.5 \pi$ from the initial angle.
    ///
    /// If the stops of an angle are at most $\pi$ apart, the angle is the value nearest to their midpoint
    /// among all values that differ by multiples of $2 \pi$. Otherwise, the angle is tracked over more than
    /// one revolution, with the signs of the orientation quaternions: q and -q are the same orientation, but
    /// their angles differ by one revolution. A state stores these signs. For more revolutions, use a
    /// [screw](crate::model::Coupler::screw) and put the stops on its displacement.
    ///
    /// # Errors
    ///
    /// If `lower` is not below `upper` ([`ModelError::Stops`]), the stops of an angle are too far apart or
    /// too far from the initial angle ([`ModelError::StopsOfAngle`]), or a stop is not finite
    /// ([`ModelError::NotFinite`]).
    pub fn stops(&self, lower: f64, upper: f64) -> Result<JointStop, ModelError> {
        check_finite("stops of a joint", &[lower, upper])?;
        if lower >= upper {
            return Err(ModelError::Stops { lower, upper });
        }
        // The angle is known modulo 4 pi, so an angle of up to pi / 2 beyond one stop is not mistaken for an
        // angle beyond the other stop.
        let is_followed = upper - lower <= 3.0 * PI && (0.5 * (lower + upper)).abs() <= 1.5 * PI;
        if self.is_angle() && !is_followed {
            return Err(ModelError::StopsOfAngle { lower, upper });
        }
        Ok(JointStop { coordinate: self.clone(), lower, upper })
    }

    /// Creates a relation that makes the coordinate c follow a function of time, as a motor does. `motion` is
    /// the function f and `rate` is its derivative. The relation has one equation, $c - f(t) = 0$, and is
    /// used with an [`EqualityCondition`](crate::model::EqualityCondition) of size 1. Angles are compared
    /// modulo $2 \pi$.
    pub fn prescribed(
        &self,
        motion: impl Fn(At<'_>) -> f64 + Send + Sync + 'static,
        rate: impl Fn(At<'_>) -> f64 + Send + Sync + 'static,
    ) -> NewtonEulerRelation {
        self.follow(PrescribedMotion {
            coordinate: self.clone(),
            speed: None,
            motion: Closure::new(Arc::new(motion)),
            rate: Closure::new(Arc::new(rate)),
        })
    }

    /// Creates a [prescribed](Self::prescribed) motion $f(t) = s t$ with a constant speed s \[m/s\] or
    /// \[rad/s\]. With a [`Relay`](crate::model::Relay), it is a motor of limited force.
    ///
    /// # Errors
    ///
    /// If the speed is not finite: [`ModelError::NotFinite`].
    pub fn at_speed(&self, speed: f64) -> Result<NewtonEulerRelation, ModelError> {
        check_finite("speed of a joint", &[speed])?;
        Ok(self.follow(PrescribedMotion {
            coordinate: self.clone(),
            speed: Some(speed),
            motion: Closure::of_crate(Arc::new(move |at| speed * at.t)),
            rate: Closure::of_crate(Arc::new(move |_| speed)),
        }))
    }

    fn follow(&self, prescribed: PrescribedMotion) -> NewtonEulerRelation {
        let [motion, rate] = [&prescribed.motion, &prescribed.rate].map(|function| Arc::clone(&function.0));
        let own = self.clone();
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| {
            let off = own.at(q) - motion(at);
            y[0] = match own.kind {
                JointCoordinateKind::Way(_) => off,
                JointCoordinateKind::Angle(_) => nearest(off, 0.0, TAU),
            };
        };
        let relation = self.relation(BodyGeometry::Prescribed(prescribed), 1, h, |_| 1.0);
        NewtonEulerRelation(relation.with_own_time_derivative(move |at, _, y| y[0] = -rate(at)))
    }

    /// Returns the value of the coordinate \[m\] or \[rad\]. `q` contains the positions of the bodies of the
    /// joint, one after the other: seven for each body in space, three for each planar body. An angle is
    /// between $-\pi$ and $\pi$.
    ///
    /// ```
    /// use siconos_kernel::model::Joint;
    /// use siconos_kernel::prelude::*;
    ///
    /// let flap = NewtonEuler::new(1.0, 0.1, [0.5, 0.0, 0.0], Quaternion::IDENTITY);
    /// let hinge = Joint::revolute(&flap, [0.0; 3], [0.0, 0.0, 1.0])?;
    /// let angle = hinge.angle().expect("a hinge turns");
    /// let turned = Quaternion::about([0.0, 0.0, 1.0], 0.25);
    /// let [x, y, z] = turned.rotate([0.5, 0.0, 0.0]);
    /// let (w, [a, b, c]) = (turned.scalar(), turned.vector());
    /// assert!((angle.value(&[x, y, z, w, a, b, c])? - 0.25).abs() < 1e-15);
    /// # Ok::<(), ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `q` has another length: [`ModelError::WrongShape`].
    pub fn value(&self, q: &[f64]) -> Result<f64, ModelError> {
        self.check_positions(q)?;
        Ok(self.at(q))
    }

    /// Returns the rate of the coordinate \[m/s\] or \[rad/s\]. `q` and `v` contain the positions and
    /// velocities of the bodies of the joint, one after the other.
    ///
    /// # Errors
    ///
    /// If `q` or `v` has another length: [`ModelError::WrongShape`].
    pub fn rate(&self, q: &[f64], v: &[f64]) -> Result<f64, ModelError> {
        let coordinates = self.joint.coordinates;
        self.check_positions(q)?;
        check_shape("v", (coordinates.velocities() * self.joint.bodies, 1), (v.len(), 1))?;
        let mut derivative = Array1::zeros(v.len());
        self.add_derivative(1.0, q, &mut BodyRow { coordinates, entries: derivative.view_mut() });
        Ok(derivative.iter().zip(v).map(|(d, v)| d * v).sum())
    }

    fn check_positions(&self, q: &[f64]) -> Result<(), ModelError> {
        let count = self.joint.coordinates.positions() * self.joint.bodies;
        check_shape("q", (count, 1), (q.len(), 1))
    }

    /// Returns the joint of the coordinate.
    #[must_use]
    pub fn joint(&self) -> &Joint {
        &self.joint
    }

    /// Returns `true` for an angle, and `false` for a displacement.
    #[must_use]
    pub fn is_angle(&self) -> bool {
        matches!(self.kind, JointCoordinateKind::Angle(_))
    }

    pub(super) fn at(&self, q: &[f64]) -> f64 {
        let bodies = self.joint.at_positions(q);
        match self.kind {
            JointCoordinateKind::Way(row) => bodies.value(row),
            JointCoordinateKind::Angle(turn) => turn.angle(&bodies),
        }
    }

    /// Returns the magnitude of the terms of the coordinate of planar bodies; 0 in space.
    pub(super) fn scale(&self) -> f64 {
        let row = match self.kind {
            JointCoordinateKind::Way(row) => row,
            JointCoordinateKind::Angle(turn) => turn.rows()[0],
        };
        self.joint.scale(&row)
    }

    /// Returns the value of the coordinate. An angle is shifted by full revolutions so that it lies between
    /// the stops, or beyond one of them by as little as possible.
    fn value_between(&self, (lower, upper): (f64, f64), q: &[f64]) -> f64 {
        let JointCoordinateKind::Angle(turn) = self.kind else { return self.at(q) };
        let middle = 0.5 * (lower + upper);
        if upper - lower <= PI {
            return nearest(self.at(q), middle, TAU);
        }
        turn.angle_within_a_turn(middle, &self.joint.at_positions(q))
    }

    /// Adds `factor` times the derivative of the coordinate with respect to the velocity coordinates of the
    /// bodies.
    pub(super) fn add_derivative(&self, factor: f64, q: &[f64], entries: &mut BodyRow<'_>) {
        let bodies = self.joint.at_positions(q);
        match self.kind {
            JointCoordinateKind::Way(row) => bodies.add_derivative(factor, row, entries),
            JointCoordinateKind::Angle(turn) => {
                let [cosine, sine] = turn.rows();
                let (c, s) = (bodies.value(cosine), bodies.value(sine));
                let factor = factor / (c * c + s * s);
                bodies.add_derivative(factor * c, sine, entries);
                bodies.add_derivative(-factor * s, cosine, entries);
            }
        }
    }

    /// Returns a list that contains the kind `of` and the data of this coordinate.
    pub(in crate::model::relation::body) fn parts(&self, of: &'static str) -> PartList<'_> {
        let mut parts = self.joint.parts(of);
        parts.word("coordinate", self.name());
        parts
    }

    /// Returns all values that define the coordinate.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let mut numbers = self.joint.numbers();
        numbers.push(f64::from(u8::from(self.is_angle())));
        numbers
    }

    fn name(&self) -> &'static str {
        if self.is_angle() { "angle" } else { "way" }
    }

    /// Creates a relation. The derivative of its component k is `sign(k)` times the derivative of this
    /// coordinate.
    fn relation(
        &self,
        geometry: BodyGeometry,
        size: usize,
        h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        sign: impl Fn(usize) -> f64 + Send + Sync + 'static,
    ) -> Constraint {
        let (own, coordinates) = (self.clone(), self.joint.coordinates);
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            for (k, entries) in j.rows_mut().into_iter().enumerate() {
                own.add_derivative(sign(k), q, &mut BodyRow { coordinates, entries });
            }
        };
        Constraint::of_geometry(geometry, size, h, jacobian)
            .with_scales(vec![self.scale(); size])
            .between(self.joint.bodies)
            .of_positions(coordinates.positions())
    }
}

impl From<JointCoordinate> for NewtonEulerRelation {
    fn from(coordinate: JointCoordinate) -> Self {
        let own = coordinate.clone();
        let geometry = BodyGeometry::Coordinate(coordinate.clone());
        Self(coordinate.relation(geometry, 1, move |_, q, y| y[0] = own.at(q), |_| 1.0))
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
