//! Space of a scene: all bodies are in space, or all are in the plane z = 0.

use siconos_kernel::model::Quaternion;

use super::{Body, SceneError};
use crate::motion::Motion;
use crate::pose::Pose;
use crate::shape::Core;

/// Space in which all bodies of a scene move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Spatial,
    /// The plane z = 0.
    Planar,
}

impl Space {
    /// Checks that a body and its shapes suit the space, and the acceleration of gravity too.
    pub(super) fn check(self, body: &Body, name: &str, gravity: [f64; 3]) -> Result<(), SceneError> {
        if body.contactors.is_empty() {
            return Err(SceneError::NoContactor { body: name.to_owned() });
        }
        for contactor in &body.contactors {
            let (shape, is_free) = (contactor.shape.kind(), body.motion.is_none());
            if let Some((place, instead)) = self.refuses(contactor.shape.core(), is_free) {
                let body = name.to_owned();
                return Err(SceneError::ShapeOfBody { body, place, shape, instead });
            }
        }
        match self {
            Self::Planar => match outside_of_plane(body, gravity) {
                Some(what) => Err(SceneError::OutOfPlane { body: name.to_owned(), what }),
                None => Ok(()),
            },
            Self::Spatial => Ok(()),
        }
    }

    /// Returns the place where bodies cannot have a shape, and other shapes; `None` if they can have it.
    fn refuses(self, core: &Core, is_free: bool) -> Option<(&'static str, &'static str)> {
        match (self, core) {
            (_, Core::HalfSpace(_)) => {
                is_free.then_some(("free", "a half-space only for a fixed or driven body"))
            }
            (_, Core::Mesh(_)) if is_free => Some(("free", "`Shape::solid` with a closed mesh")),
            (_, Core::Polyline(_)) if is_free => Some(("free", "several segments")),
            (Self::Spatial, Core::Polyline(_)) => Some(("in space", "a triangle mesh")),
            (Self::Spatial, Core::Polygon(_)) => {
                Some(("in space", "a cuboid or another shape with a volume"))
            }
            (Self::Planar, Core::Polytope(core)) if core.vertices.len() == 1 => None,
            (Self::Planar, Core::Polytope(_) | Core::Round(_) | Core::Mesh(_) | Core::Solid(_)) => {
                Some(("in the plane", "a ball, rectangle, polygon or segment"))
            }
            (Self::Spatial, _) | (Self::Planar, Core::Polygon(_) | Core::Polyline(_)) => None,
        }
    }
}

/// Returns the first quantity of a body that is not in the plane z = 0.
fn outside_of_plane(body: &Body, gravity: [f64; 3]) -> Option<&'static str> {
    let is_along = |[_, _, z]: [f64; 3]| z == 0.0;
    let is_about = |[x, y, _]: [f64; 3]| x == 0.0 && y == 0.0;
    let turns_about = |Quaternion([_, x, y, _]): Quaternion| x == 0.0 && y == 0.0;
    let holds = |pose: &Pose| is_along(pose.position) && turns_about(pose.orientation);
    let moves =
        |motion: &Motion| is_along(motion.velocity) && is_along(motion.surface) && is_about(motion.omega);
    let has_plane = |core: &Core| match core {
        Core::HalfSpace(normal) => is_along(*normal),
        _ => true,
    };
    let checks = [
        (is_along(body.pose.position), "its position"),
        (turns_about(body.pose.orientation), "the axis of its orientation"),
        (is_along(body.velocity), "its velocity"),
        (is_about(body.omega), "its angular velocity"),
        (body.contactors.iter().all(|own| holds(&own.pose)), "the pose of a contactor"),
        (body.contactors.iter().all(|own| has_plane(own.shape.core())), "the normal of its half-space"),
        (body.motion.as_ref().is_none_or(moves), "its motion"),
        (body.motion.is_some() || is_along(gravity), "the gravity of the scene"),
    ];
    checks.into_iter().find(|(is_inside, _)| !is_inside).map(|(_, what)| what)
}
