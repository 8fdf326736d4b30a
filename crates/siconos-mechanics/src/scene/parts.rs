//! Model and contacts of a scene, and changes during a run.

use siconos_kernel::State;
use siconos_kernel::detection::{ContactKey, ContactSet, ContactSource, DetectionInput};
use siconos_kernel::engine::vector::{add, scaled};
use siconos_kernel::integrator::{MoreauJean, Projection};
use siconos_kernel::model::{
    DynamicalSystem, DynamicalSystemId, LagrangianLinear, NewtonEuler, NonSmoothDynamicalSystem,
};
use siconos_kernel::simulation::{TimeDiscretisation, TimeStepping, TimeSteppingBuilder};

use super::body::{Body, Contactor};
use super::joint::{JointId, JointInteractions, JointMotion, PlacedJoint, SceneJoint};
use super::names::Names;
use super::space::Space;
use super::{BodyId, SceneError};
use crate::detection::bodies::{Collider, Mobility};
use crate::detection::{SceneContacts, TOUCHING};
use crate::pose::Pose;

/// Tolerance of the one-step problems of scenes.
const TOLERANCE: f64 = 1e-8;

/// Model of the bodies of a scene, and the source of their contacts. Interactions, joints and other systems
/// can be added to the model. Bodies can be added and removed during a run.
#[derive(Clone, Debug)]
pub struct SceneParts {
    /// Model.
    pub model: NonSmoothDynamicalSystem,
    /// Source of contacts. [`simulation`](Self::simulation) gives a copy of it to the simulation.
    pub contacts: SceneContacts,
    pub(super) space: Space,
    gravity: [f64; 3],
    /// Centre of mass of each body, in its frame.
    centres: Vec<[f64; 3]>,
    names: Names,
    joints: Vec<PlacedJoint>,
}

impl SceneParts {
    pub(super) fn new(space: Space, contacts: SceneContacts, gravity: [f64; 3]) -> Self {
        let model = NonSmoothDynamicalSystem::new();
        Self {
            model,
            contacts,
            space,
            gravity,
            centres: Vec::new(),
            names: Names::default(),
            joints: Vec::new(),
        }
    }

    /// Returns the builder of a simulation with the contacts of the scene and the default integrator,
    /// Moreau-Jean with theta = 1/2, which conserves energy in free flight, with [`Projection::Gradual`],
    /// and with the tolerance 1e-8 for all one-step problems. Where several wheels or feet of a mechanism
    /// stick, the equations contradict each other by rounding errors of the contact points, which exceed
    /// smaller tolerances.
    ///
    /// A body that hits another within a step overlaps it by up to its speed times the step length. Overlaps
    /// also grow while a contact point moves along a curved surface, as on the rim of a spinning cone. The
    /// projection removes them at low speed, so that closed contacts remain closed; without it they remain.
    /// [`Projection::Direct`] removes them at once, but bodies then lose contacts for single steps.
    pub fn simulation(&self, grid: TimeDiscretisation) -> TimeSteppingBuilder<'_> {
        let scheme = MoreauJean { projection: Some(Projection::Gradual), ..MoreauJean::default() };
        TimeStepping::builder(&self.model)
            .discretisation(grid)
            .integrator(scheme)
            .tolerance(TOLERANCE)
            .contacts(self.contacts.clone())
    }

    /// Adds a body to the model and to a simulation of this scene, between two steps. The body can overlap
    /// others: [`overlaps`](Self::overlaps) finds that out before.
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
        self.names.check(&body)?;
        let source = self.source_of(simulation)?;
        let id = self.insert(&body)?;
        let added = self.contacts.bodies.get(id.0).expect("the body was added");
        let colliders = self.contacts.bodies.colliders()[added.colliders.clone()].to_vec();
        source.add(added.mobility.clone(), colliders);
        Ok(id)
    }

    /// Returns the source of a simulation, which must have the bodies of this scene.
    fn source_of<'s>(&self, simulation: &'s mut TimeStepping) -> Result<&'s mut SceneContacts, SceneError> {
        let source = simulation.contact_source_mut::<SceneContacts>();
        source.filter(|source| source.has_bodies_of(&self.contacts)).ok_or(SceneError::OtherContacts)
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
        if !self.contacts.bodies.exists(body.0) {
            return Err(SceneError::UnknownBody { number: body.0 });
        }
        let source = self.source_of(simulation)?;
        if let Some(system) = self.system(body) {
            self.model.remove_system(system)?;
        }
        self.contacts.remove(body.0);
        source.remove(body.0);
        self.names.remove(body);
        Ok(())
    }

    /// Adds a body to the model and to the contacts.
    pub(super) fn insert(&mut self, body: &Body) -> Result<BodyId, SceneError> {
        let id = BodyId(self.contacts.bodies.count() as u32);
        let name = body.name_or(id);
        body.check(&name)?;
        self.space.check(body, &name, self.gravity)?;
        let (mobility, centre) = match body.motion {
            Some(motion) => (Mobility::Driven { start: body.pose, motion }, [0.0; 3]),
            None => {
                let (system, centre) = self.add_system(body, &name)?;
                let start = Pose::of_coordinates(self.model.system(system)?.q0());
                (Mobility::Free { system, start }, centre)
            }
        };
        let collider = |(index, contactor): (usize, &Contactor)| Collider {
            body: id.0,
            contactor: index as u32,
            shape: contactor.shape.clone(),
            pose: Pose { position: add(contactor.pose.position, scaled(-1.0, centre)), ..contactor.pose },
            material: contactor.material,
            groups: contactor.collision_groups(),
        };
        self.contacts.add(mobility, body.contactors.iter().enumerate().map(collider).collect());
        self.centres.push(centre);
        self.names.add(id, body);
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

    /// Adds the interactions of a joint to the model.
    pub(super) fn insert_joint(&mut self, joint: &SceneJoint) -> Result<(), SceneError> {
        let systems = joint.bodies.map(|body| self.system(body));
        let placed = joint.add_to(&mut self.model, systems).map_err(|error| match error {
            SceneError::Model(source) => SceneError::Joint {
                joint: self.joints.len(),
                bodies: joint.bodies.map(|body| self.name(body)),
                source,
            },
            other => other,
        })?;
        self.joints.push(placed);
        Ok(())
    }

    /// Returns the interactions of a joint, if it exists.
    #[must_use]
    pub fn joint(&self, joint: JointId) -> Option<JointInteractions> {
        Some(self.joints.get(joint.0 as usize)?.interactions)
    }

    /// Returns the coordinate of a joint and its rate; `None` if the joint does not exist or has no
    /// coordinate, or if one of its bodies was added after the last step.
    #[must_use]
    pub fn joint_motion(&self, state: &State, joint: JointId) -> Option<JointMotion> {
        self.joints.get(joint.0 as usize)?.motion(state)
    }

    /// Returns the system of a body; `None` for a body without degrees of freedom, and for a body that does
    /// not exist.
    #[must_use]
    pub fn system(&self, body: BodyId) -> Option<DynamicalSystemId> {
        self.contacts.mobility(body.0)?.system()
    }

    /// Returns the name of a body: the name that was given to it, or its number.
    #[must_use]
    pub fn name(&self, body: BodyId) -> String {
        self.names.of(body)
    }

    /// Returns the body with a name, if it exists.
    #[must_use]
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        self.names.find(name)
    }

    /// Returns the two bodies of a contact, as in [`State::contacts`].
    #[must_use]
    pub fn bodies_of(&self, contact: ContactKey) -> [BodyId; 2] {
        contact.bodies.map(BodyId)
    }

    /// Iterates over the numbers of all bodies.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.contacts.bodies.numbers().map(BodyId)
    }

    /// Returns the pose of the frame of a body; `None` if the body does not exist.
    #[must_use]
    pub fn find_pose(&self, state: &State, body: BodyId) -> Option<Pose> {
        let centre = self.centres.get(body.0 as usize)?;
        Some(self.contacts.mobility(body.0)?.pose(state).then(&Pose::at(scaled(-1.0, *centre))))
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

    /// Returns an error for the deepest overlap at the start, if there is one.
    pub(super) fn deepest_overlap(&mut self) -> Result<Option<SceneError>, SceneError> {
        let state = State::new(&self.model, 0.0);
        let mut found = ContactSet::default();
        self.contacts.detect(DetectionInput::new(&self.model, &state, 0.0), &mut found)?;
        let deep = found.as_slice().iter().filter(|contact| -contact.gap > TOUCHING * contact.size);
        let deepest = deep.min_by(|a, b| a.gap.total_cmp(&b.gap));
        Ok(deepest.map(|contact| {
            let [first, second] = self.bodies_of(contact.key).map(|body| self.name(body));
            SceneError::Overlap { first, second, depth: -contact.gap }
        }))
    }
}
