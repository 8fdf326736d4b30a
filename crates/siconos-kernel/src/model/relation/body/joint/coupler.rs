//! Couplers: gears, screws and racks, which tie what two joints leave free to each other.

use std::f64::consts::TAU;
use std::num::NonZeroI32;

use ndarray::{Array1, ArrayViewMut2};
use smallvec::SmallVec;

use super::{Joint, JointCoordinate};
use crate::model::parts::PartList;
use crate::model::relation::body::{BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::relation::constraint::Constraint;
use crate::model::{At, ModelError, check_finite};

/// One equation between the coordinates of two joints, $a_1 c_1 + a_2 c_2 = 0$ but for whole turns, for an
/// [`EqualityCondition`](crate::model::EqualityCondition) of size 1. The joints themselves are interactions
/// of their own.
///
/// The systems of the interaction are the bodies of the first coordinate, then those of the second; of a
/// screw, and where the joints [share a frame](Self::sharing_frame), each body is given once.
///
/// ```
/// use std::num::NonZeroI32;
/// use siconos_kernel::model::Coupler;
/// use siconos_kernel::prelude::*;
///
/// // Two wheels of 20 and 40 teeth, on axles that stand still.
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
    sides: [Side; 2],
    /// What y is determined up to.
    period: f64,
}

/// What ties two coordinates to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CouplerKind {
    /// A pair of gears.
    Gear {
        /// Their numbers of teeth; below 0 of one that runs in a ring.
        teeth: [NonZeroI32; 2],
    },
    /// A screw.
    Screw {
        /// The way per turn \[m\].
        lead: f64,
    },
    /// A rack and its pinion.
    Rack {
        /// The radius of the pinion \[m\].
        radius: f64,
    },
}

/// A coordinate with its factor, and which of the bodies of the interaction its own are.
#[derive(Clone, Debug)]
struct Side {
    coordinate: JointCoordinate,
    factor: f64,
    bodies: SmallVec<[usize; 2]>,
}

impl Side {
    fn new(coordinate: &JointCoordinate, factor: f64, first_body: usize) -> Self {
        let bodies = (first_body..first_body + coordinate.joint().bodies).collect();
        Self { coordinate: coordinate.clone(), factor, bodies }
    }

    /// The positions of its bodies among those of the interaction.
    fn gather(&self, q: &[f64]) -> SmallVec<[f64; 14]> {
        let of = |&body: &usize| q[7 * body..7 * body + 7].iter().copied();
        self.bodies.iter().flat_map(of).collect()
    }

    fn value(&self, q: &[f64]) -> f64 {
        self.factor * self.coordinate.value(&self.gather(q))
    }

    fn add_derivative(&self, q: &[f64], entries: &mut BodyRow<'_>) {
        let mut own = Array1::zeros(6 * self.bodies.len());
        let mut row = BodyRow { entries: own.view_mut() };
        self.coordinate.add_derivative(self.factor, &self.gather(q), &mut row);
        for (k, &body) in self.bodies.iter().enumerate() {
            let part = |first: usize| std::array::from_fn(|i| own[6 * k + first + i]);
            entries.add(body, part(0), part(3));
        }
    }
}

impl Coupler {
    /// A pair of gears: the angles of two joints with numbers of teeth, $z_1 \alpha_1 + z_2 \alpha_2 = 0$.
    /// Wheels with teeth outside turn against each other; a wheel that runs in a ring, or a chain over both,
    /// has a number below 0. Divided by $z_1$, y is an angle of the first wheel \[rad\].
    ///
    /// # Errors
    ///
    /// [`ModelError::NoCoupling`] for a coordinate that is no angle.
    pub fn gear(
        (first, of_first): (&JointCoordinate, NonZeroI32),
        (second, of_second): (&JointCoordinate, NonZeroI32),
    ) -> Result<Self, ModelError> {
        check_kinds("gear", [first.is_angle(), second.is_angle()], [true, true])?;
        let teeth = f64::from(of_first.get());
        let ratio = f64::from(of_second.get()) / teeth;
        // Whole turns of either wheel are multiples of this one.
        let kind = CouplerKind::Gear { teeth: [of_first, of_second] };
        Ok(Self::new(kind, (first, 1.0), (second, ratio), TAU / teeth.abs()))
    }

    /// A screw: a cylindrical joint whose bodies move by `lead` \[m\] along the axis with each turn about it,
    /// forwards with the right-hand rule where it is above 0.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoCoupling`] for a joint that does not slide and turn, or a lead of 0;
    /// [`ModelError::NotFinite`].
    pub fn screw(joint: &Joint, lead: f64) -> Result<Self, ModelError> {
        check_factor("the lead of a screw", lead)?;
        let (Some(way), Some(angle)) = (joint.way(), joint.angle()) else {
            return Err(ModelError::NoCoupling {
                what: "a screw",
                instead: "a cylindrical joint, which slides and turns",
            });
        };
        let kind = CouplerKind::Screw { lead };
        let mut screw = Self::new(kind, (&way, 1.0), (&angle, -lead / TAU), lead.abs());
        let [along, about] = &mut screw.sides;
        about.bodies.clone_from(&along.bodies);
        Ok(screw)
    }

    /// A rack and its pinion: the way of the first joint \[m\] is the angle of the second times the radius
    /// \[m\] of the pinion, which is below 0 where the rack moves back as the pinion turns forwards.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoCoupling`] for a first coordinate that is no way, a second that is no angle, or a
    /// radius of 0; [`ModelError::NotFinite`].
    pub fn rack(way: &JointCoordinate, (angle, radius): (&JointCoordinate, f64)) -> Result<Self, ModelError> {
        check_factor("the radius of a pinion", radius)?;
        check_kinds("rack", [way.is_angle(), angle.is_angle()], [false, true])?;
        let kind = CouplerKind::Rack { radius };
        Ok(Self::new(kind, (way, 1.0), (angle, -radius), TAU * radius.abs()))
    }

    fn new(
        kind: CouplerKind,
        first: (&JointCoordinate, f64),
        second: (&JointCoordinate, f64),
        period: f64,
    ) -> Self {
        let sides = [Side::new(first.0, first.1, 0), Side::new(second.0, second.1, first.0.joint().bodies)];
        Self { kind, shares_frame: false, sides, period }
    }

    /// Both joints have their second body in common, the housing of a gear: the systems of the interaction
    /// are the first body of the first joint, the first of the second, and the housing.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoCoupling`] where one of the joints is with space.
    pub fn sharing_frame(mut self) -> Result<Self, ModelError> {
        if self.sides.iter().any(|side| side.coordinate.joint().bodies != 2) {
            return Err(ModelError::NoCoupling {
                what: "a coupler whose joints share a frame",
                instead: "two joints between two bodies each; space is in no list",
            });
        }
        for (k, side) in self.sides.iter_mut().enumerate() {
            side.bodies = SmallVec::from_slice(&[k, 2]);
        }
        self.shares_frame = true;
        Ok(self)
    }

    /// What ties the coordinates to each other.
    #[must_use]
    pub fn kind(&self) -> CouplerKind {
        self.kind
    }

    /// The two coordinates: of a screw the way and the angle of one joint.
    #[must_use]
    pub fn coordinates(&self) -> [&JointCoordinate; 2] {
        self.sides.each_ref().map(|side| &side.coordinate)
    }

    /// Whether both joints have their second body in common.
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
        0.0 => Err(ModelError::NoCoupling { what, instead: "any number but 0" }),
        _ => Ok(()),
    }
}

/// Compares which coordinates are angles with which have to be.
fn check_kinds(what: &'static str, are: [bool; 2], wanted: [bool; 2]) -> Result<(), ModelError> {
    match are == wanted {
        true => Ok(()),
        false => Err(ModelError::NoCoupling {
            what,
            instead: if wanted[0] { "the angles of two joints" } else { "a way, then an angle" },
        }),
    }
}

impl From<Coupler> for NewtonEulerRelation {
    fn from(coupler: Coupler) -> Self {
        let bodies = coupler.bodies();
        let geometry = BodyGeometry::Coupler(coupler.clone());
        let (of_value, period) = (coupler.sides.clone(), coupler.period);
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| {
            let off: f64 = of_value.iter().map(|side| side.value(q)).sum();
            y[0] = off - period * (off / period).round();
        };
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let mut row = BodyRow { entries: j.row_mut(0) };
            coupler.sides.iter().for_each(|side| side.add_derivative(q, &mut row));
        };
        Self(Constraint::of_geometry(geometry, 1, h, jacobian).between(bodies))
    }
}
