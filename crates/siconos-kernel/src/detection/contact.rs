//! One detected contact.

use std::sync::Arc;

use super::{ContactKey, DetectionError};
use crate::model::{ContactPoints, DynamicalSystemId, NonSmoothLaw};

/// Maximum deviation of the length of a normal from 1.
const OFF_UNIT: f64 = 1e-12;

/// Contact between two bodies, or between a body and an obstacle, at the beginning of a step.
///
/// For planar bodies, the third components of points, normal and velocity are 0.
#[derive(Clone, Debug)]
pub struct DetectedContact {
    /// Identity of the contact.
    pub key: ContactKey,
    /// First body, a rigid body or a planar body.
    pub first: DynamicalSystemId,
    /// Second body; `None` for an obstacle without degrees of freedom.
    pub second: Option<DynamicalSystemId>,
    /// Points of both bodies \[m\] in the inertial frame, and the unit normal from the second body to the
    /// first.
    pub points: ContactPoints,
    /// Gap \[m\]; negative if the bodies overlap.
    pub gap: f64,
    /// Radius of the rounding of each body at its contact point \[m\]; 0 for a corner, an edge or a face.
    /// Within a step, the centre of the rounding is fixed in the body, so a ball that rolls keeps its gap.
    pub radii: [f64; 2],
    /// Error bound of the gap \[m\]. A gap within this bound counts as closed.
    pub accuracy: f64,
    /// Characteristic length of the smaller shape \[m\]. If the features of a contact change, its impulse is
    /// assigned to the nearest contact of the same pair within a quarter of this length.
    pub size: f64,
    /// Velocity of the obstacle at the contact point \[m/s\]; 0 if the second body has degrees of freedom.
    pub surface_velocity: [f64; 3],
    /// Law of the contact: [`NewtonImpact`](crate::model::NewtonImpact), or
    /// [`NewtonImpactFriction`](crate::model::NewtonImpactFriction) of the dimension of the bodies.
    pub law: Arc<NonSmoothLaw>,
}

impl DetectedContact {
    /// Returns `true` if a step with this contact has the same structure as a step with the other: the same
    /// bodies and the same law.
    pub(crate) fn has_structure_of(&self, other: &Self) -> bool {
        (self.key, self.first, self.second) == (other.key, other.first, other.second)
            && Arc::ptr_eq(&self.law, &other.law)
    }

    /// Checks that all numbers are finite and in their ranges, and that the normal is a unit vector.
    pub(super) fn check(&self) -> Result<(), DetectionError> {
        let Self { key, points: ContactPoints { first, second, normal }, .. } = self;
        let scalars = [self.gap, self.accuracy, self.size, self.radii[0], self.radii[1]];
        let named = [
            ("point of the first body", &first[..]),
            ("point of the second body", second),
            ("normal", normal),
            ("surface velocity", &self.surface_velocity),
            ("gap, accuracy, size or radii", &scalars),
        ];
        for (what, values) in named {
            if let Some(value) = values.iter().copied().find(|value| !value.is_finite()) {
                return Err(DetectionError::NotFinite { key: *key, what, value });
            }
        }
        for (what, value) in [
            ("accuracy of the gap", self.accuracy),
            ("size", self.size),
            ("radius of the first body", self.radii[0]),
            ("radius of the second body", self.radii[1]),
        ] {
            if value < 0.0 {
                return Err(DetectionError::Negative { key: *key, what, value });
            }
        }
        if self.second.is_some() && self.surface_velocity != [0.0; 3] {
            return Err(DetectionError::SurfaceOfBody { key: *key, velocity: self.surface_velocity });
        }
        let length = crate::model::length(*normal);
        match (length - 1.0).abs() <= OFF_UNIT {
            true => Ok(()),
            false => Err(DetectionError::NormalLength { key: *key, length }),
        }
    }

    /// Checks that the third components are 0, for planar bodies.
    pub(crate) fn check_in_plane(&self) -> Result<(), DetectionError> {
        let Self { key, points: ContactPoints { first, second, normal }, surface_velocity, .. } = self;
        let named = [
            ("point of the first body", first),
            ("point of the second body", second),
            ("normal", normal),
            ("surface velocity", surface_velocity),
        ];
        let off = named.into_iter().find(|(_, vector)| vector[2] != 0.0);
        off.map_or(Ok(()), |(what, vector)| {
            Err(DetectionError::OutOfPlane { key: *key, what, value: vector[2] })
        })
    }
}
