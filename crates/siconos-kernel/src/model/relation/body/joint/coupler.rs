//! Couplers of two joint coordinates: gears, screws and racks.

use std::f64::consts::TAU;
use std::num::NonZeroI32;

use ndarray::{Array1, ArrayViewMut1, ArrayViewMut2};
use smallvec::SmallVec;

use super::{Joint, JointCoordinate};
use crate::model::parts::PartList;
use crate::model::relation::body::{BodyCoordinates, BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::relation::constraint::Constraint;
use crate::model::{At, ModelError, check_finite};

/// Equation between two joint coordinates, $a_1 c_1 + a_2 c_2 = 0$. Full revolutions of an angle do not
/// change y. The relation is used with an [`EqualityCondition`](crate::model::EqualityCondition) of size 1.
/// The joints themselves are separate interactions.
///
/// The systems of the interaction are the bodies of the first coordinate followed by the bodies of the second
/// coordinate. Each body is listed once if the coupler is a screw, or if the joints
/// [share a frame](Self::sharing_frame).
///
/// ```
/// use std::num::NonZeroI32;
/// use siconos_kernel::model::Coupler;
/// use siconos_kernel::prelude::*;
///
/// // Two wheels with 20 and 40 teeth, on fixed axles.
/// let wheel = |x: f64, moment: f64| NewtonEuler::new(1.0, moment, [x, 0.0, 0.0], Quaternion::IDENTITY);
/// let (small, large) = (wheel(0.0, 0.01).with_twist([0.0; 3], [0.0, 0.0, 2.0]), wheel(0.3, 0.16));
/// let large = large.with_twist([0.0; 3], [0.0, 0.0, -1.0]);
/// let axles = [
///     Joint::revolute(&small, [0.0; 3], [0.0, 0.0, 1.0])?,
///     Joint::revolute(&large, [0.3, 0.0, 0.0], [0.0, 0.0, 1.0])?,
/// ];
/// let [first, second] = [0, 1].map(|k| axles[k].angle().expect("an axle turns"));
/// let teeth = |count| NonZeroI32::new(count).expect("a wheel has teeth");
/// let gear = Coupler::gear((&first, teeth(20)), (&second, teeth(40)))?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let wheels = [model.add_system(small)?, model.add_system(large)?];
/// for (axle, wheel) in axles.into_iter().zip(wheels) {
///     let condition = axle.condition()?;
///     model.add_interaction([wheel], axle, condition)?;
/// }
/// model.add_interaction(wheels, gear, EqualityCondition::new(1)?)?;
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[doc(alias = "CouplerJointR")]
#[derive(Clone, Debug)]
pub struct Coupler {
    kind: CouplerKind,
    shares_frame: bool,
    sides: [CoupledCoordinate; 2],
    /// Period of y. Full revolutions change y by multiples of this period.
    period: f64,
}

/// Kind of a coupler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CouplerKind {
    /// A pair of gears.
    Gear {
        /// Numbers of teeth of the two wheels. One number is negative if the wheels rotate in the same
        /// direction, for example in a ring gear.
        teeth: [NonZeroI32; 2],
    },
    /// A screw.
    Screw {
        /// Displacement per revolution \[m\].
        lead: f64,
    },
    /// A rack and its pinion.
    Rack {
        /// The radius of the pinion \[m\].
        radius: f64,
    },
}

/// Joint coordinate with its factor, and the indices of the bodies of its joint in the interaction.
#[derive(Clone, Debug)]
struct CoupledCoordinate {
    coordinate: JointCoordinate,
    factor: f64,
    bodies: SmallVec<[usize; 2]>,
}

impl CoupledCoordinate {
    fn new(coordinate: &JointCoordinate, factor: f64, first_body: usize) -> Self {
        let bodies = (first_body..first_body + coordinate.joint().bodies).collect();
        Self { coordinate: coordinate.clone(), factor, bodies }
    }

    fn coordinates(&self) -> BodyCoordinates {
        self.coordinate.joint().coordinates
    }

    /// Returns the positions of the bodies of this coordinate.
    fn gather(&self, q: &[f64]) -> SmallVec<[f64; 14]> {
        let size = self.coordinates().positions();
        let of = |&body: &usize| q[size * body..size * body + size].iter().copied();
        self.bodies.iter().flat_map(of).collect()
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.factor * self.coordinate.at(&self.gather(q))
    }

    fn add_derivative(&self, q: &[f64], entries: &mut BodyRow<'_>) {
        let (coordinates, size) = (self.coordinates(), self.coordinates().velocities());
        let mut own = vec![0.0; size * self.bodies.len()];
        let mut row = BodyRow { coordinates, entries: ArrayViewMut1::from(&mut own[..]) };
        self.coordinate.add_derivative(self.factor, &self.gather(q), &mut row);
        for (of_body, &body) in own.chunks_exact(size).zip(&self.bodies) {
            let [translation, rotation] = coordinates.split(of_body);
            entries.add(body, translation, rotation);
        }
    }
}

impl Coupler {
    /// Creates a pair of gears. It couples the angles of two joints through the numbers of teeth of the
    /// wheels, $z_1 \alpha_1 + z_2 \alpha_2 = 0$. Wheels with external teeth rotate in opposite directions.
    /// If a wheel runs in a ring gear, or a chain connects both wheels, one of the two numbers must be
    /// negative. The equation is divided by $z_1$, so y is an angle of the first wheel \[rad\].
    ///
    /// # Errors
    ///
    /// If a coordinate is not an angle ([`ModelError::UnsupportedCoupling`]).
    pub fn gear(
        (first, of_first): (&JointCoordinate, NonZeroI32),
        (second, of_second): (&JointCoordinate, NonZeroI32),
    ) -> Result<Self, ModelError> {
        check_kinds("a gear", [first, second], [true, true])?;
        let teeth = f64::from(of_first.get());
        let ratio = f64::from(of_second.get()) / teeth;
        // Full revolutions of either wheel change y by multiples of 2 pi / |z_1|.
        let kind = CouplerKind::Gear { teeth: [of_first, of_second] };
        Ok(Self::new(kind, (first, 1.0), (second, ratio), TAU / teeth.abs()))
    }

    /// Creates a screw: a cylindrical joint whose bodies move by `lead` \[m\] along the axis per revolution.
    /// A positive lead gives a right-handed screw.
    ///
    /// # Errors
    ///
    /// If the joint does not both slide and rotate, or the lead is 0 ([`ModelError::UnsupportedCoupling`]),
    /// or the lead is not finite ([`ModelError::NotFinite`]).
    pub fn screw(joint: &Joint, lead: f64) -> Result<Self, ModelError> {
        check_factor("the lead of a screw", lead)?;
        let (Some(way), Some(angle)) = (joint.displacement(), joint.angle()) else {
            return Err(ModelError::UnsupportedCoupling {
                what: "a screw",
                instead: "a cylindrical joint, which slides and rotates",
            });
        };
        let kind = CouplerKind::Screw { lead };
        let mut screw = Self::new(kind, (&way, 1.0), (&angle, -lead / TAU), lead.abs());
        let [along, about] = &mut screw.sides;
        about.bodies.clone_from(&along.bodies);
        Ok(screw)
    }

    /// Creates a rack and pinion: the displacement of the first joint \[m\] equals the angle of the second
    /// joint times the radius of the pinion \[m\]. If the radius is negative, the rack moves backwards when
    /// the pinion rotates forwards.
    ///
    /// # Errors
    ///
    /// If the first coordinate is not a displacement, the second is not an angle, or the radius is 0
    /// ([`ModelError::UnsupportedCoupling`]), or the radius is not finite ([`ModelError::NotFinite`]).
    pub fn rack(way: &JointCoordinate, (angle, radius): (&JointCoordinate, f64)) -> Result<Self, ModelError> {
        check_factor("the radius of a pinion", radius)?;
        check_kinds("a rack", [way, angle], [false, true])?;
        let kind = CouplerKind::Rack { radius };
        Ok(Self::new(kind, (way, 1.0), (angle, -radius), TAU * radius.abs()))
    }

    fn new(
        kind: CouplerKind,
        first: (&JointCoordinate, f64),
        second: (&JointCoordinate, f64),
        period: f64,
    ) -> Self {
        let sides = [
            CoupledCoordinate::new(first.0, first.1, 0),
            CoupledCoordinate::new(second.0, second.1, first.0.joint().bodies),
        ];
        Self { kind, shares_frame: false, sides, period }
    }

    /// Declares that both joints have a common second body, such as the housing of a gear. The systems of the
    /// interaction are then the first body of the first joint, the first body of the second joint, and the
    /// common body.
    ///
    /// # Errors
    ///
    /// If one of the joints connects a body with the inertial frame ([`ModelError::UnsupportedCoupling`]).
    pub fn sharing_frame(mut self) -> Result<Self, ModelError> {
        if self.sides.iter().any(|side| side.coordinate.joint().bodies != 2) {
            return Err(ModelError::UnsupportedCoupling {
                what: "a coupler whose joints share a frame",
                instead: "two joints that each connect two bodies; space does not count",
            });
        }
        for (k, side) in self.sides.iter_mut().enumerate() {
            side.bodies = SmallVec::from_slice(&[k, 2]);
        }
        self.shares_frame = true;
        Ok(self)
    }

    /// Returns the kind of the coupler.
    #[must_use]
    pub fn kind(&self) -> CouplerKind {
        self.kind
    }

    /// Returns the two coordinates; for a screw, the displacement and the angle of one joint.
    #[must_use]
    pub fn coordinates(&self) -> [&JointCoordinate; 2] {
        self.sides.each_ref().map(|side| &side.coordinate)
    }

    /// Returns `true` if both joints have a common second body.
    #[must_use]
    pub fn shares_frame(&self) -> bool {
        self.shares_frame
    }

    pub(in crate::model::relation::body) fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("Coupler");
        match self.kind {
            CouplerKind::Gear { teeth: [first, second] } => {
                parts.word("teeth", format!("{first}, {second}"));
            }
            CouplerKind::Screw { lead } => parts.number("lead", lead),
            CouplerKind::Rack { radius } => parts.number("radius", radius),
        }
        parts.word("frame", if self.shares_frame { "shared" } else { "none in common" });
        for (name, side) in ["first joint", "second joint"].into_iter().zip(&self.sides) {
            parts.vector(name, Array1::from(side.coordinate.numbers()));
        }
        parts
    }

    fn bodies(&self) -> usize {
        1 + self.sides.iter().flat_map(|side| &side.bodies).copied().max().unwrap_or(0)
    }
}

fn check_factor(what: &'static str, factor: f64) -> Result<(), ModelError> {
    check_finite(what, &[factor])?;
    match factor {
        0.0 => Err(ModelError::UnsupportedCoupling { what, instead: "a number other than 0" }),
        _ => Ok(()),
    }
}

/// Checks that exactly the coordinates for which `wanted` is `true` are angles, and that the bodies of both
/// are in space or in the plane.
fn check_kinds(what: &'static str, of: [&JointCoordinate; 2], wanted: [bool; 2]) -> Result<(), ModelError> {
    let [first, second] = of.map(|coordinate| coordinate.joint().coordinates);
    if first != second {
        let instead = "joints that are both in space, or both in the plane";
        return Err(ModelError::UnsupportedCoupling { what, instead });
    }
    match of.map(JointCoordinate::is_angle) == wanted {
        true => Ok(()),
        false => Err(ModelError::UnsupportedCoupling {
            what,
            instead: if wanted[0] { "the angles of two joints" } else { "a displacement, then an angle" },
        }),
    }
}

impl From<Coupler> for NewtonEulerRelation {
    fn from(coupler: Coupler) -> Self {
        let (bodies, coordinates) = (coupler.bodies(), coupler.sides[0].coordinates());
        let geometry = BodyGeometry::Coupler(coupler.clone());
        let (of_value, period) = (coupler.sides.clone(), coupler.period);
        let scale = of_value.iter().map(|side| side.factor.abs() * side.coordinate.scale()).sum();
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| {
            let off: f64 = of_value.iter().map(|side| side.value(q)).sum();
            y[0] = off - period * (off / period).round();
        };
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let mut row = BodyRow { coordinates, entries: j.row_mut(0) };
            coupler.sides.iter().for_each(|side| side.add_derivative(q, &mut row));
        };
        Self(
            Constraint::of_geometry(geometry, 1, h, jacobian)
                .with_scales([scale])
                .between(bodies)
                .of_positions(coordinates.positions()),
        )
    }
}
