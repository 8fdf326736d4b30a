//! Queries about the bodies of a scene: rays, closest points, overlaps.

use siconos_kernel::State;
use siconos_kernel::engine::vector::{add, scaled, unit};

use super::{Body, BodyId, SceneError, SceneParts};
use crate::detection::narrow::Touch;
use crate::detection::queries::Guest;
use crate::detection::ray::Ray;
use crate::shape::ShapeError;

/// Point of a body on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Body.
    pub body: BodyId,
    /// Index of the contactor of the body.
    pub contactor: usize,
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
    /// Point \[m\].
    pub point: [f64; 3],
    /// Outward unit normal of the body.
    pub normal: [f64; 3],
}

/// Closest points of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Points of both bodies \[m\].
    pub points: [[f64; 3]; 2],
    /// Unit normal from the second body to the first.
    pub normal: [f64; 3],
    /// Distance \[m\]; negative if the bodies overlap.
    pub distance: f64,
}

/// Body that another body would overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Body of the scene.
    pub body: BodyId,
    /// Depth of the overlap \[m\].
    pub depth: f64,
}

impl SceneParts {
    /// Returns the first point of a body on a ray that starts at `origin` \[m\] and has the given direction,
    /// of any length except 0. If the origin is inside a body, the distance is 0.
    ///
    /// # Errors
    ///
    /// If the direction has length 0 or is not finite: [`ShapeError::NoDirection`]. If the origin is not
    /// finite: [`ShapeError::RayOrigin`].
    pub fn cast_ray(
        &self,
        state: &State,
        origin: [f64; 3],
        direction: [f64; 3],
    ) -> Result<Option<RayHit>, ShapeError> {
        let what = "direction of a ray";
        let ray = Ray { origin, direction: unit(direction).ok_or(ShapeError::NoDirection { what })? };
        if let Some(value) = origin.into_iter().find(|x| !x.is_finite()) {
            return Err(ShapeError::RayOrigin { value });
        }
        Ok(self.contacts.cast_ray(state, ray).map(|(collider, hit)| RayHit {
            body: BodyId(collider.body),
            contactor: collider.contactor as usize,
            distance: hit.distance,
            point: add(origin, scaled(hit.distance, ray.direction)),
            normal: hit.normal,
        }))
    }

    /// Returns the closest points of two bodies, and their distance, which is negative if the bodies overlap;
    /// `None` if a body does not exist, or for two half-spaces.
    #[must_use]
    pub fn closest(&self, state: &State, a: BodyId, b: BodyId) -> Option<Closest> {
        let Touch { points, normal, gap, .. } = self.contacts.closest(state, a.0, b.0)?;
        Some(Closest { points, normal, distance: gap })
    }

    /// Returns the bodies that a body would overlap if it was added at its pose, in the order of insertion.
    /// Bodies of groups that do not touch are ignored.
    ///
    /// # Errors
    ///
    /// If the body does not suit the scene: [`SceneError`].
    pub fn overlaps(&self, state: &State, body: &Body) -> Result<Vec<Overlap>, SceneError> {
        let name = body.name.as_deref().unwrap_or("new body");
        body.check(name)?;
        self.space.check(body, name, [0.0; 3])?;
        let pose = body.motion.map_or(body.pose, |motion| motion.pose(&body.pose, state.t));
        let guests = body.contactors.iter().map(|own| Guest {
            shape: &own.shape,
            pose: pose.then(&own.pose),
            groups: own.collision_groups(),
        });
        let found = self.contacts.overlaps(state, guests, body.motion.is_none());
        Ok(found.into_iter().map(|(number, depth)| Overlap { body: BodyId(number), depth }).collect())
    }
}
