//! Scenes: bodies with shapes, contact laws and gravity, from which a model and a source of contacts are
//! made.

mod body;
mod error;
mod joint;
mod names;
mod parts;
mod queries;
mod space;

use siconos_kernel::detection::ContactLaws;
use siconos_kernel::engine::vector::length;
use siconos_kernel::model::NewtonImpactFriction;

pub use self::body::{Body, Contactor};
pub use self::error::SceneError;
pub use self::joint::{JointId, JointInteractions, JointMotion, SceneJoint};
use self::names::Names;
pub use self::parts::SceneParts;
pub use self::queries::{Closest, Overlap, RayHit};
use self::space::Space;
use crate::detection::SceneContacts;

/// Standard gravity \[m/s2\].
const GRAVITY: f64 = 9.806_65;

/// Default maximum number of contacts.
const MOST_CONTACTS: usize = 1 << 20;

/// Number of a body in a scene: the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

impl BodyId {
    /// Returns the number, which [`ContactKey::bodies`](siconos_kernel::detection::ContactKey) contains.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the name of a body without a name of its own.
    fn as_name(self) -> String {
        format!("#{}", self.0)
    }
}

/// Treatment of bodies that overlap at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlaps {
    /// Return an error that names the bodies and the depth.
    #[default]
    Refuse,
    /// Report them by a `tracing` warning, and accept them.
    Warn,
    /// Accept them. Impulses do not remove an overlap; it remains unless positions are projected.
    Accept,
}

/// Scene: bodies with shapes, contact laws, and gravity.
///
/// A box falls on the ground:
///
/// ```
/// use siconos_kernel::prelude::*;
/// use siconos_mechanics::{Body, Scene, Shape};
///
/// let mut scene = Scene::new();
/// scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
/// let brick = scene.add(Body::new(Shape::cuboid([0.2, 0.1, 0.06])?).at([0.0, 0.0, 0.5]))?;
///
/// let parts = scene.into_parts()?;
/// let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-3)?;
/// let mut simulation = parts.simulation(grid).build()?;
/// let mut state = simulation.initial_state(&parts.model)?;
/// simulation.run(&parts.model, &mut state, |_, _| {})?;
/// assert!((parts.pose(&state, brick).position[2] - 0.03).abs() < 4e-3);
/// assert_eq!(state.contacts().len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    space: Space,
    bodies: Vec<Body>,
    names: Names,
    laws: ContactLaws,
    gravity: [f64; 3],
    excluded: Vec<[u32; 2]>,
    joints: Vec<SceneJoint>,
    overlaps: Overlaps,
    limit: usize,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// Creates an empty scene with gravity along -z. All contacts have friction with mu = 0.5 and no
    /// restitution: bodies then come to rest, and a chosen restitution is a property of a pair of materials.
    #[must_use]
    pub fn new() -> Self {
        let law = NewtonImpactFriction::in_space(0.0, 0.5).expect("valid coefficients");
        Self::of(Space::Spatial, law, [0.0, 0.0, -GRAVITY])
    }

    /// Creates an empty scene whose bodies are in the plane z = 0, with gravity along -y and the defaults of
    /// [`new`](Self::new).
    #[must_use]
    pub fn planar() -> Self {
        let law = NewtonImpactFriction::in_plane(0.0, 0.5).expect("valid coefficients");
        Self::of(Space::Planar, law, [0.0, -GRAVITY, 0.0])
    }

    fn of(space: Space, law: NewtonImpactFriction, gravity: [f64; 3]) -> Self {
        Self {
            space,
            bodies: Vec::new(),
            names: Names::default(),
            laws: ContactLaws::new(law),
            gravity,
            excluded: Vec::new(),
            joints: Vec::new(),
            overlaps: Overlaps::default(),
            limit: MOST_CONTACTS,
        }
    }

    /// Replaces the table of contact laws.
    #[must_use]
    pub fn with_laws(mut self, laws: ContactLaws) -> Self {
        self.laws = laws;
        self
    }

    /// Sets the gravitational acceleration \[m/s2\].
    #[must_use]
    pub fn with_gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity;
        self
    }

    /// Returns the table of contact laws, to create materials and set laws.
    pub fn laws_mut(&mut self) -> &mut ContactLaws {
        &mut self.laws
    }

    /// Sets the treatment of bodies that overlap at the start. Default: [`Overlaps::Refuse`].
    #[must_use]
    pub fn with_overlaps(mut self, overlaps: Overlaps) -> Self {
        self.overlaps = overlaps;
        self
    }

    /// Sets the maximum number of contacts in a step. A step with more contacts fails. Default: 1048576.
    #[must_use]
    pub fn with_contact_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Adds a body and returns its number.
    ///
    /// # Errors
    ///
    /// If the mass or a shape does not suit the body or the scene, or if another body has the same name:
    /// [`SceneError`].
    pub fn add(&mut self, body: Body) -> Result<BodyId, SceneError> {
        let id = BodyId(self.bodies.len() as u32);
        let name = body.name_or(id);
        self.names.check(&body)?;
        body.check(&name)?;
        self.space.check(&body, &name, self.gravity)?;
        if body.motion.is_none() {
            body.mass_properties(&name, self.space)?;
        }
        self.names.add(id, &body);
        self.bodies.push(body);
        Ok(id)
    }

    /// Adds a joint between two bodies of this scene, and returns its number.
    ///
    /// # Errors
    ///
    /// If a body does not belong to this scene, or if its motion is prescribed: [`SceneError`]. Values of the
    /// joint are checked by [`into_parts`](Self::into_parts).
    pub fn add_joint(&mut self, joint: SceneJoint) -> Result<JointId, SceneError> {
        let [a, b] = joint.bodies;
        match joint.is_colliding {
            true => self.check_bodies(joint.bodies)?,
            false => self.exclude(a, b)?,
        }
        let is_moving = |body: &Body| body.motion.is_some_and(|motion| !motion.is_rest());
        for id in joint.bodies {
            let body = &self.bodies[id.0 as usize];
            if is_moving(body) {
                return Err(SceneError::JointOfDriven { body: body.name_or(id) });
            }
        }
        self.joints.push(joint);
        Ok(JointId(self.joints.len() as u32 - 1))
    }

    /// Checks that bodies belong to this scene.
    fn check_bodies(&self, bodies: [BodyId; 2]) -> Result<(), SceneError> {
        let unknown = bodies.into_iter().find(|BodyId(number)| *number as usize >= self.bodies.len());
        unknown.map_or(Ok(()), |BodyId(number)| Err(SceneError::UnknownBody { number }))
    }

    /// Excludes contacts between two bodies.
    ///
    /// # Errors
    ///
    /// If a body does not belong to this scene: [`SceneError::UnknownBody`].
    pub fn exclude(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.check_bodies([a, b])?;
        self.excluded.push([a.0.min(b.0), a.0.max(b.0)]);
        Ok(())
    }

    /// Creates the model of the bodies, and the source of their contacts.
    ///
    /// # Errors
    ///
    /// If bodies overlap at the start and the policy is to refuse, or if a value is rejected by the model:
    /// [`SceneError`].
    pub fn into_parts(self) -> Result<SceneParts, SceneError> {
        let Self { space, bodies, laws, gravity, excluded, joints, overlaps, limit, .. } = self;
        let contacts = SceneContacts::new(laws, excluded, limit, length(gravity));
        let mut parts = SceneParts::new(space, contacts, gravity);
        bodies.iter().try_for_each(|body| parts.insert(body).map(|_| ()))?;
        joints.iter().try_for_each(|joint| parts.insert_joint(joint))?;
        match overlaps {
            Overlaps::Accept => {}
            Overlaps::Refuse => parts.deepest_overlap()?.map_or(Ok(()), Err)?,
            Overlaps::Warn => parts.deepest_overlap()?.iter().for_each(|overlap| tracing::warn!("{overlap}")),
        }
        Ok(parts)
    }
}
