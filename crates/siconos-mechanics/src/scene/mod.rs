//! Scenes: bodies with shapes, contact laws and gravity, from which a model and a source of contacts are
//! made.

mod body;
mod error;

use siconos_kernel::detection::{ContactLaws, ContactSet, ContactSource, DetectionInput};
use siconos_kernel::engine::vector::{add, length, scaled};
use siconos_kernel::model::{
    DynamicalSystemId, LagrangianLinear, NewtonEuler, NewtonImpactFriction, NonSmoothDynamicalSystem,
};
use siconos_kernel::simulation::{TimeDiscretisation, TimeStepping, TimeSteppingBuilder};
use siconos_kernel::{ModelError, State};

use self::body::Space;
pub use self::body::{Body, Contactor};
pub use self::error::SceneError;
use crate::detection::{Collider, ColliderBody, SceneContacts};
use crate::motion::Motion;
use crate::pose::Pose;

/// Standard gravity \[m/s2\].
const GRAVITY: f64 = 9.806_65;

/// Default maximum number of contacts.
const MOST_CONTACTS: usize = 1 << 20;

/// Number of a body in a scene: the order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(u32);

/// Treatment of bodies that overlap at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlaps {
    /// Return an error that names the bodies and the depth.
    #[default]
    Refuse,
    /// Accept them. Impulses do not remove an overlap; it remains.
    Accept,
}

/// Depth of an overlap at the start that is a rounding error, as a fraction of the size of the smaller shape.
const TOUCHING: f64 = 1e-6;

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
    bodies: Vec<Body>,
    laws: ContactLaws,
    gravity: [f64; 3],
    excluded: Vec<[u32; 2]>,
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
        Self::with_laws(ContactLaws::new(law), [0.0, 0.0, -GRAVITY])
    }

    /// Creates an empty scene of bodies that move in the plane z = 0, with gravity along -y and the defaults
    /// of [`new`](Self::new).
    #[must_use]
    pub fn planar() -> Self {
        let law = NewtonImpactFriction::in_plane(0.0, 0.5).expect("valid coefficients");
        Self::with_laws(ContactLaws::new(law), [0.0, -GRAVITY, 0.0])
    }

    /// Creates an empty scene with contact laws and a gravitational acceleration \[m/s2\].
    #[must_use]
    pub fn with_laws(laws: ContactLaws, gravity: [f64; 3]) -> Self {
        let (bodies, excluded) = (Vec::new(), Vec::new());
        Self { bodies, laws, gravity, excluded, overlaps: Overlaps::default(), limit: MOST_CONTACTS }
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
    /// If the mass or a shape does not suit the body, or if another body has the same name: [`SceneError`].
    pub fn add(&mut self, body: Body) -> Result<BodyId, SceneError> {
        let id = BodyId(self.bodies.len() as u32);
        let name = name_of(&body, id);
        if self.bodies.iter().any(|other| other.name.is_some() && other.name == body.name) {
            return Err(SceneError::DuplicateName { name });
        }
        body.check_shapes(&name)?;
        if body.motion.is_none() {
            body.mass_properties(&name)?;
        }
        self.bodies.push(body);
        Ok(id)
    }

    /// Excludes contacts between two bodies, for example if a joint connects them.
    ///
    /// # Errors
    ///
    /// If a body does not belong to this scene: [`SceneError::UnknownBody`].
    pub fn exclude(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        for BodyId(number) in [a, b] {
            if number as usize >= self.bodies.len() {
                return Err(SceneError::UnknownBody { number });
            }
        }
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
        let mut model = NonSmoothDynamicalSystem::new();
        let (mut systems, mut centres, mut colliders, mut names) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, body) in self.bodies.iter().enumerate() {
            let id = BodyId(number as u32);
            let name = name_of(body, id);
            let (motion, centre) = match body.motion {
                Some(motion) => {
                    // A body at rest has the pose of the body.
                    let motion = if motion == Motion::default() { Motion::rest(body.pose) } else { motion };
                    systems.push(ColliderBody { system: None, motion });
                    (motion, [0.0; 3])
                }
                None => {
                    let (system, centre) = self.add_system(&mut model, body, &name)?;
                    systems.push(ColliderBody { system: Some(system), motion: Motion::default() });
                    (Motion::default(), centre)
                }
            };
            debug_assert!(body.motion.is_none() || motion.start.position.iter().all(|x| !x.is_nan()));
            for (index, contactor) in body.contactors.iter().enumerate() {
                let position = add(contactor.pose.position, scaled(-1.0, centre));
                colliders.push(Collider {
                    body: id.0,
                    contactor: index as u32,
                    shape: contactor.shape.clone(),
                    pose: Pose { position, ..contactor.pose },
                    material: contactor.material,
                    groups: [contactor.groups, contactor.mask],
                });
            }
            centres.push(centre);
            names.push(name);
        }
        let acceleration = length(self.gravity);
        let contacts = SceneContacts::new(
            systems.clone(),
            colliders,
            self.laws,
            self.excluded,
            self.limit,
            acceleration,
        );
        let mut parts = SceneParts { model, contacts, systems, centres, names };
        if self.overlaps == Overlaps::Refuse {
            parts.refuse_overlaps()?;
        }
        Ok(parts)
    }

    /// Adds the system of a free body to the model. Returns its id, and the centre of mass in the frame of
    /// the body.
    fn add_system(
        &self,
        model: &mut NonSmoothDynamicalSystem,
        body: &Body,
        name: &str,
    ) -> Result<(DynamicalSystemId, [f64; 3]), SceneError> {
        let mass = body.mass_properties(name)?;
        let (weight, start) = (scaled(mass.mass, self.gravity), body.pose.point(mass.centre));
        let system = match body.space {
            Space::Spatial => {
                let own = NewtonEuler::new(mass.mass, mass.inertia, start, body.pose.orientation)
                    .with_twist(body.velocity, body.omega)
                    .with_constant_external_force(weight);
                add_named(model, body, own)?
            }
            Space::Planar => {
                let [_, _, turn] = body.pose.orientation.log();
                let [x, y, _] = start;
                let own = LagrangianLinear::planar_body(mass.mass, mass.inertia[2][2], [x, y, turn])
                    .with_velocity(vec![body.velocity[0], body.velocity[1], body.omega[2]])
                    .with_constant_external_force(vec![weight[0], weight[1], 0.0]);
                add_named(model, body, own)?
            }
        };
        Ok((system, mass.centre))
    }
}

/// Returns the name of a body in messages.
fn name_of(body: &Body, id: BodyId) -> String {
    body.name.clone().unwrap_or_else(|| format!("#{}", id.0))
}

fn add_named(
    model: &mut NonSmoothDynamicalSystem,
    body: &Body,
    system: impl Into<siconos_kernel::model::DynamicalSystem>,
) -> Result<DynamicalSystemId, ModelError> {
    match &body.name {
        Some(name) => model.add_named_system(name, system),
        None => model.add_system(system),
    }
}

/// Model of the bodies of a scene, and the source of their contacts. Interactions, joints and other systems
/// can be added to the model.
#[derive(Clone, Debug)]
pub struct SceneParts {
    /// Model.
    pub model: NonSmoothDynamicalSystem,
    /// Source of contacts. [`simulation`](Self::simulation) gives a copy of it to the simulation.
    pub contacts: SceneContacts,
    systems: Vec<ColliderBody>,
    /// Centre of mass of each body, in its frame.
    centres: Vec<[f64; 3]>,
    names: Vec<String>,
}

impl SceneParts {
    /// Returns the builder of a simulation with the contacts of the scene and the default integrator,
    /// Moreau-Jean with theta = 1/2, which conserves energy in free flight.
    pub fn simulation(&self, grid: TimeDiscretisation) -> TimeSteppingBuilder<'_> {
        TimeStepping::builder(&self.model).discretisation(grid).contacts(self.contacts.clone())
    }

    /// Returns the system of a body; `None` for a body without degrees of freedom.
    #[must_use]
    pub fn system(&self, body: BodyId) -> Option<DynamicalSystemId> {
        self.systems.get(body.0 as usize)?.system
    }

    /// Returns the name of a body.
    #[must_use]
    pub fn name(&self, body: BodyId) -> Option<&str> {
        self.names.get(body.0 as usize).map(String::as_str)
    }

    /// Iterates over the numbers of all bodies.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.systems.len() as u32).map(BodyId)
    }

    /// Returns the pose of the frame of a body.
    ///
    /// # Panics
    ///
    /// If the body does not belong to the scene.
    #[must_use]
    pub fn pose(&self, state: &State, body: BodyId) -> Pose {
        let own = &self.systems[body.0 as usize];
        match own.system {
            None => own.motion.pose(state.t),
            Some(system) => {
                let centre = Pose::of_coordinates(state.q(system));
                centre.then(&Pose::at(scaled(-1.0, self.centres[body.0 as usize])))
            }
        }
    }

    fn refuse_overlaps(&mut self) -> Result<(), SceneError> {
        let state = State::new(&self.model, 0.0);
        let mut found = ContactSet::default();
        self.contacts.detect(DetectionInput::new(&self.model, &state, 0.0), &mut found)?;
        let depth = |gap: f64| -gap;
        let deep = found.as_slice().iter().filter(|contact| depth(contact.gap) > TOUCHING * contact.size);
        let deepest = deep.min_by(|a, b| a.gap.total_cmp(&b.gap));
        let Some(contact) = deepest else { return Ok(()) };
        let [first, second] = contact.key.bodies.map(|body| self.names[body as usize].clone());
        Err(SceneError::Overlap { first, second, depth: depth(contact.gap) })
    }
}
