//! Model and contacts of a scene, and changes during a run.

use siconos_kernel::State;
use siconos_kernel::detection::{ContactSet, ContactSource, DetectionInput};
use siconos_kernel::engine::vector::{add, scaled, unit};
use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, LagrangianLinear, NewtonEuler, NonSmoothDynamicalSystem,
};
use siconos_kernel::simulation::{TimeDiscretisation, TimeStepping, TimeSteppingBuilder};

use super::body::{Body, Contactor};
use super::space::Space;
use super::{BodyId, SceneError, TOUCHING, name_of};
use crate::detection::narrow::Touch;
use crate::detection::ray::Ray;
use crate::detection::{Collider, ColliderBody, SceneContacts};
use crate::motion::Motion;
use crate::pose::Pose;
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

/// Model of the bodies of a scene, and the source of their contacts. Interactions, joints and other systems
/// can be added to the model. Bodies can be added and removed during a run.
#[derive(Clone, Debug)]
pub struct SceneParts {
    /// Model.
    pub model: NonSmoothDynamicalSystem,
    /// Source of contacts. [`simulation`](Self::simulation) gives a copy of it to the simulation.
    pub contacts: SceneContacts,
    space: Space,
    gravity: [f64; 3],
    /// Centre of mass of each body, in its frame.
    centres: Vec<[f64; 3]>,
    names: Vec<Option<String>>,
}

impl SceneParts {
    pub(super) fn new(space: Space, contacts: SceneContacts, gravity: [f64; 3]) -> Self {
        let (model, centres, names) = (NonSmoothDynamicalSystem::new(), Vec::new(), Vec::new());
        Self { model, contacts, space, gravity, centres, names }
    }

    /// Returns the builder of a simulation with the contacts of the scene and the default integrator,
    /// Moreau-Jean with theta = 1/2, which conserves energy in free flight, and without projection.
    ///
    /// A body that hits another within a step overlaps it by up to its speed times the step length, and the
    /// overlap remains. It grows while the contact point moves along a curved surface, as on the rim of a
    /// spinning cone. [`Projection::Direct`](siconos_kernel::integrator::Projection::Direct) removes overlaps
    /// in the next steps; a step of a heap then takes 1.3 to 3.4 times as long.
    pub fn simulation(&self, grid: TimeDiscretisation) -> TimeSteppingBuilder<'_> {
        TimeStepping::builder(&self.model).discretisation(grid).contacts(self.contacts.clone())
    }

    /// Adds a body to the model and to a simulation of this scene, between two steps. The cost does not
    /// depend on the number of bodies. The body can overlap others: [`overlaps`](Self::overlaps) finds that
    /// out before.
    ///
    /// ```
    /// use siconos_kernel::prelude::*;
    /// use siconos_mechanics::{Body, Scene, Shape};
    ///
    /// let mut scene = Scene::new();
    /// scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
    /// let mut parts = scene.into_parts()?;
    /// let mut simulation = parts.simulation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?).build()?;
    /// let mut state = simulation.initial_state(&parts.model)?;
    /// let ball = Shape::ball(0.05)?;
    /// while simulation.step(&parts.model, &mut state)?.is_some() {
    ///     if state.step() % 250 == 0 {
    ///         parts.add(&mut simulation, Body::new(ball.clone()).at([0.0, 0.0, 0.3]))?;
    ///     }
    /// }
    /// assert_eq!(parts.bodies().count(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the mass or a shape does not suit the body, or if another body has the same name: [`SceneError`].
    /// If the contacts of the simulation are not the contacts of a scene: [`SceneError::OtherContacts`].
    pub fn add(&mut self, simulation: &mut TimeStepping, body: Body) -> Result<BodyId, SceneError> {
        let number = BodyId(self.names.len() as u32);
        let name = name_of(&body, number);
        if body.name.is_some() && self.names.contains(&body.name) {
            return Err(SceneError::DuplicateName { name });
        }
        let source = simulation.contact_source_mut::<SceneContacts>().ok_or(SceneError::OtherContacts)?;
        let before = self.contacts.count();
        let id = self.insert(&body)?;
        let (own, colliders) = self.contacts.since(before);
        source.add(own.clone(), colliders.to_vec());
        Ok(id)
    }

    /// Removes a body from the model and from a simulation of this scene, between two steps. Its number is
    /// not used again.
    ///
    /// # Errors
    ///
    /// If the body does not exist: [`SceneError::UnknownBody`]. If an interaction, for example a joint, acts
    /// on it: [`SceneError::Model`]. If the contacts of the simulation are not the contacts of a scene:
    /// [`SceneError::OtherContacts`].
    pub fn remove(&mut self, simulation: &mut TimeStepping, body: BodyId) -> Result<(), SceneError> {
        let unknown = SceneError::UnknownBody { number: body.0 };
        if !self.contacts.exists(body.0) {
            return Err(unknown);
        }
        let source = simulation.contact_source_mut::<SceneContacts>().ok_or(SceneError::OtherContacts)?;
        if let Some(system) = self.system(body) {
            self.model.remove_system(system)?;
        }
        self.contacts.remove(body.0);
        source.remove(body.0);
        self.names[body.0 as usize] = None;
        Ok(())
    }

    /// Adds a body to the model and to the contacts.
    pub(super) fn insert(&mut self, body: &Body) -> Result<BodyId, SceneError> {
        let id = BodyId(self.names.len() as u32);
        let name = name_of(body, id);
        self.space.check(body, &name, self.gravity)?;
        let (own, centre) = match body.motion {
            Some(motion) => {
                // A body at rest has the pose of the body.
                let motion = if motion == Motion::default() { Motion::rest(body.pose) } else { motion };
                (ColliderBody { system: None, motion }, [0.0; 3])
            }
            None => {
                let (system, centre) = self.add_system(body, &name)?;
                (ColliderBody { system: Some(system), motion: Motion::default() }, centre)
            }
        };
        let collider = |(index, contactor): (usize, &Contactor)| Collider {
            body: id.0,
            contactor: index as u32,
            shape: contactor.shape.clone(),
            pose: Pose { position: add(contactor.pose.position, scaled(-1.0, centre)), ..contactor.pose },
            material: contactor.material,
            groups: [contactor.groups, contactor.mask],
        };
        self.contacts.add(own, body.contactors.iter().enumerate().map(collider).collect());
        self.centres.push(centre);
        self.names.push(body.name.clone());
        Ok(id)
    }

    /// Adds the system of a free body to the model. Returns its id, and the centre of mass in the frame of
    /// the body.
    fn add_system(&mut self, body: &Body, name: &str) -> Result<(DynamicalSystemId, [f64; 3]), SceneError> {
        let mass = body.mass_properties(name, self.space)?;
        let (weight, start) = (scaled(mass.mass, self.gravity), body.pose.point(mass.centre));
        let system: DynamicalSystem = match self.space {
            Space::Spatial => NewtonEuler::new(mass.mass, mass.inertia, start, body.pose.orientation)
                .with_twist(body.velocity, body.omega)
                .with_constant_external_force(weight)
                .into(),
            Space::Planar => {
                let [_, _, turn] = body.pose.orientation.log();
                let [x, y, _] = start;
                LagrangianLinear::planar_body(mass.mass, mass.inertia[2][2], [x, y, turn])
                    .with_velocity(vec![body.velocity[0], body.velocity[1], body.omega[2]])
                    .with_constant_external_force(vec![weight[0], weight[1], 0.0])
                    .into()
            }
        };
        let id = match &body.name {
            Some(name) => self.model.add_named_system(name, system)?,
            None => self.model.add_system(system)?,
        };
        Ok((id, mass.centre))
    }

    /// Returns the system of a body; `None` for a body without degrees of freedom, and for a body that does
    /// not exist.
    #[must_use]
    pub fn system(&self, body: BodyId) -> Option<DynamicalSystemId> {
        self.contacts.body(body.0)?.system
    }

    /// Returns the name of a body: the name that was given to it, or its number.
    #[must_use]
    pub fn name(&self, body: BodyId) -> String {
        let own = self.names.get(body.0 as usize).cloned().flatten();
        own.unwrap_or_else(|| format!("#{}", body.0))
    }

    /// Iterates over the numbers of all bodies.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        (0..self.names.len() as u32).filter(|number| self.contacts.exists(*number)).map(BodyId)
    }

    /// Returns the pose of the frame of a body; `None` if the body does not exist.
    #[must_use]
    pub fn find_pose(&self, state: &State, body: BodyId) -> Option<Pose> {
        let own = self.contacts.body(body.0)?;
        Some(match own.system {
            None => own.motion.pose(state.t),
            Some(system) => {
                let centre = Pose::of_coordinates(state.q(system));
                centre.then(&Pose::at(scaled(-1.0, self.centres[body.0 as usize])))
            }
        })
    }

    /// Returns the pose of the frame of a body.
    ///
    /// # Panics
    ///
    /// If the body does not exist, see [`find_pose`](Self::find_pose).
    #[must_use]
    pub fn pose(&self, state: &State, body: BodyId) -> Pose {
        self.find_pose(state, body).unwrap_or_else(|| panic!("the scene has no body {}", body.0))
    }

    /// Returns the first point of a body on a ray that starts at `origin` \[m\] and has the given direction,
    /// of any length except 0. If the origin is inside a body, the distance is 0.
    ///
    /// # Errors
    ///
    /// If the direction has length 0 or is not finite: [`ShapeError::NoDirection`].
    pub fn cast_ray(
        &self,
        state: &State,
        origin: [f64; 3],
        direction: [f64; 3],
    ) -> Result<Option<RayHit>, ShapeError> {
        let what = "direction of a ray";
        let ray = Ray { origin, direction: unit(direction).ok_or(ShapeError::NoDirection { what })? };
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

    /// Returns the bodies that a body would overlap, with the depth of each overlap \[m\], if it was added at
    /// its pose.
    #[must_use]
    pub fn overlaps(&self, state: &State, body: &Body) -> Vec<(BodyId, f64)> {
        let shapes = body.contactors.iter().map(|own| (&own.shape, body.pose.then(&own.pose)));
        let found = self.contacts.overlaps(state, shapes);
        found.into_iter().map(|(number, depth)| (BodyId(number), depth)).collect()
    }

    pub(super) fn refuse_overlaps(&mut self) -> Result<(), SceneError> {
        let state = State::new(&self.model, 0.0);
        let mut found = ContactSet::default();
        self.contacts.detect(DetectionInput::new(&self.model, &state, 0.0), &mut found)?;
        let deep = found.as_slice().iter().filter(|contact| -contact.gap > TOUCHING * contact.size);
        let deepest = deep.min_by(|a, b| a.gap.total_cmp(&b.gap));
        let Some(contact) = deepest else { return Ok(()) };
        let [first, second] = contact.key.bodies.map(|body| self.name(BodyId(body)));
        Err(SceneError::Overlap { first, second, depth: -contact.gap })
    }
}
