//! Bodies of a scene.

use siconos_kernel::detection::Material;
use siconos_kernel::engine::vector::length;
use siconos_kernel::model::Quaternion;

use super::space::Space;
use super::{BodyId, SceneError};
use crate::detection::bodies::Groups;
use crate::motion::Motion;
use crate::pose::Pose;
use crate::shape::{MassProperties, Shape};

/// Maximum deviation of the length of a quaternion from 1.
const OFF_UNIT: f64 = 1e-6;

/// Shape of a body, with its pose, material and collision groups.
#[derive(Clone, Debug)]
pub struct Contactor {
    /// Shape.
    pub shape: Shape,
    /// Pose of the shape in the frame of the body.
    pub pose: Pose,
    /// Material, which determines the contact laws.
    pub material: Material,
    /// Collision groups to which the contactor belongs, one bit each. Default: group 0.
    pub groups: u32,
    /// Collision groups with which the contactor can touch. Default: all.
    pub mask: u32,
}

impl Contactor {
    pub(super) fn collision_groups(&self) -> Groups {
        Groups { own: self.groups, mask: self.mask }
    }
}

impl From<Shape> for Contactor {
    fn from(shape: Shape) -> Self {
        Self { shape, pose: Pose::IDENTITY, material: Material::DEFAULT, groups: 1, mask: u32::MAX }
    }
}

/// Mass of a body.
#[derive(Clone, Copy, Debug)]
enum Mass {
    /// Density of all contactors \[kg/m3\]; in the plane \[kg/m2\].
    Density(f64),
    /// Total mass \[kg\], distributed as with a constant density.
    Total(f64),
}

/// Body of a scene, with one or more shapes.
///
/// The frame of the body is the frame in which its contactors are given. Its pose is the pose of this frame
/// at the start; the centre of mass can be elsewhere.
///
/// ```
/// use siconos_mechanics::{Body, Shape};
///
/// let ball = Body::new(Shape::ball(0.1)?).with_density(2700.0).at([0.0, 0.0, 1.0]);
/// # Ok::<(), siconos_mechanics::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) name: Option<String>,
    pub(super) contactors: Vec<Contactor>,
    mass: Mass,
    pub(super) pose: Pose,
    pub(super) velocity: [f64; 3],
    pub(super) omega: [f64; 3],
    /// Motion of a body without degrees of freedom; `None` for a free body.
    pub(super) motion: Option<Motion>,
}

impl Body {
    /// Creates a body that moves in the space or plane of its scene. Default: a density of 1000 kg/m3, or
    /// 1000 kg/m2 in the plane, at rest at the origin.
    pub fn new(contactor: impl Into<Contactor>) -> Self {
        Self {
            name: None,
            contactors: vec![contactor.into()],
            mass: Mass::Density(1000.0),
            pose: Pose::IDENTITY,
            velocity: [0.0; 3],
            omega: [0.0; 3],
            motion: None,
        }
    }

    /// Creates a body without degrees of freedom, at rest.
    #[doc(alias = "static")]
    pub fn fixed(contactor: impl Into<Contactor>) -> Self {
        Self { motion: Some(Motion::default()), ..Self::new(contactor) }
    }

    /// Creates a body without degrees of freedom that moves. Its pose is the pose at time 0.
    pub fn driven(contactor: impl Into<Contactor>, motion: Motion) -> Self {
        Self { motion: Some(motion), ..Self::new(contactor) }
    }

    /// Adds another shape.
    #[must_use]
    pub fn with_contactor(mut self, contactor: impl Into<Contactor>) -> Self {
        self.contactors.push(contactor.into());
        self
    }

    /// Sets the name, which messages and files show.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the density \[kg/m3\], or \[kg/m2\] in the plane.
    #[must_use]
    pub fn with_density(mut self, density: f64) -> Self {
        self.mass = Mass::Density(density);
        self
    }

    /// Sets the mass \[kg\]. The moments of inertia follow as for a constant density. If all contactors are
    /// segments, they follow as for thin rods with a constant mass per length; otherwise segments have no
    /// mass.
    #[must_use]
    pub fn with_mass(mut self, mass: f64) -> Self {
        self.mass = Mass::Total(mass);
        self
    }

    /// Sets the position at the start \[m\], at time 0 for a driven body.
    #[must_use]
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.pose.position = position;
        self
    }

    /// Sets the orientation at the start.
    #[must_use]
    pub fn turned(mut self, orientation: Quaternion) -> Self {
        self.pose.orientation = orientation;
        self
    }

    /// Sets the velocity of the centre of mass at the start \[m/s\], in the inertial frame.
    #[must_use]
    pub fn with_velocity(mut self, velocity: [f64; 3]) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the angular velocity at the start \[rad/s\], in the frame of the body.
    #[must_use]
    pub fn with_angular_velocity(mut self, omega: [f64; 3]) -> Self {
        self.omega = omega;
        self
    }

    /// Returns the name, or the number of the body if it has no name.
    pub(super) fn name_or(&self, id: BodyId) -> String {
        self.name.clone().unwrap_or_else(|| id.as_name())
    }

    /// Checks that all numbers are finite and that all orientations are unit quaternions.
    pub(super) fn check(&self, name: &str) -> Result<(), SceneError> {
        let motion = self.motion.unwrap_or_default();
        let poses = self.contactors.iter().map(|own| ("the pose of a contactor", own.pose));
        let poses: Vec<_> = poses.chain([("the pose", self.pose)]).collect();
        let positions = poses.iter().map(|(what, pose)| (*what, pose.position));
        let vectors = positions.chain([
            ("the velocity", self.velocity),
            ("the angular velocity", self.omega),
            ("the motion", motion.velocity),
            ("the motion", motion.omega),
            ("the motion", motion.surface),
        ]);
        for (what, vector) in vectors {
            if let Some(value) = vector.into_iter().find(|x| !x.is_finite()) {
                return Err(SceneError::NotFinite { body: name.to_owned(), what, value });
            }
        }
        for (what, pose) in poses {
            let Quaternion([w, x, y, z]) = pose.orientation;
            let length = length([w.hypot(x), y, z]);
            let is_unit = (length - 1.0).abs() <= OFF_UNIT;
            if !is_unit {
                return Err(SceneError::Orientation { body: name.to_owned(), what, length });
            }
        }
        Ok(())
    }

    /// Returns the mass properties in the frame of the body.
    pub(super) fn mass_properties(&self, name: &str, space: Space) -> Result<MassProperties, SceneError> {
        let (what, value) = match self.mass {
            Mass::Density(density) => ("density", density),
            Mass::Total(mass) => ("mass", mass),
        };
        if !(value > 0.0 && value.is_finite()) {
            return Err(SceneError::Mass { body: name.to_owned(), what, value });
        }
        let density = if let Mass::Density(density) = self.mass { density } else { 1.0 };
        let is_thin = self.contactors.iter().all(|own| own.shape.is_thin());
        if let (true, Mass::Density(_), Some(own)) = (is_thin, self.mass, self.contactors.first()) {
            return Err(SceneError::NoArea { body: name.to_owned(), shape: own.shape.kind() });
        }
        let mut all = MassProperties::ZERO;
        for contactor in &self.contactors {
            let rod = contactor.shape.rod_mass_properties(density);
            let own = match (space, rod) {
                (Space::Spatial, _) => contactor.shape.mass_properties(density)?,
                (Space::Planar, None) => contactor.shape.planar_mass_properties(density)?,
                (Space::Planar, Some(rod)) if is_thin => rod,
                (Space::Planar, Some(_)) => continue,
            };
            all = all.joined(&own.moved(contactor.pose.orientation, contactor.pose.position));
        }
        Ok(match self.mass {
            Mass::Density(_) => all,
            Mass::Total(mass) => all.with_mass(mass),
        })
    }
}
