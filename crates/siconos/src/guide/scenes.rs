//! Scenes: bodies with shapes, whose contacts are detected in each step.
//!
//! How do I simulate bodies that fall, stack, slide and roll, without writing gap functions? A
//! [`Scene`](crate::mechanics::Scene) contains bodies with shapes, contact laws and gravity. In each step,
//! contacts appear and vanish by themselves. The crate [`mechanics`](crate::mechanics) lists all shapes.
//!
//! # A box falls on the ground
//!
//! The ground is a fixed body with a half-space as its shape. The mass and the moments of inertia of the box
//! follow from its density, 1000 kg/m3 by default.
//!
//! ```
//! use siconos::mechanics::{Body, Scene, Shape};
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let mut scene = Scene::new();
//!     scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
//!     let brick = scene.add(Body::new(Shape::cuboid([0.2, 0.1, 0.06])?).at([0.0, 0.0, 0.1]))?;
//!
//!     let parts = scene.into_parts()?;
//!     let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3)?;
//!     let mut simulation = parts.simulation(grid).build()?;
//!     let mut state = simulation.initial_state(&parts.model)?;
//!     while simulation.step(&parts.model, &mut state)?.is_some() {}
//!     // The box stands on four corners, and the ground carries its weight.
//!     let force: f64 = state.contacts().iter().map(|contact| contact.impulse[2] / 1e-3).sum();
//!     assert_eq!(state.contacts().len(), 4);
//!     assert!((force - 1.2 * 9.806_65).abs() < 1e-6);
//!     assert!((parts.pose(&state, brick).position[2] - 0.03).abs() < 2e-3);
//!     Ok(())
//! }
//! ```
//!
//! [`State::contacts`](crate::kernel::State::contacts) lists the contacts of the last step with their points,
//! normals, gaps, impulses and velocities. The module `contacts` of siconos-io writes them as rows of
//! a table.
//!
//! # Accuracy at rest and after an impact
//!
//! Bodies at rest stay where they are: ten boxes on top of each other move by less than 1e-12 m in 10 000
//! steps. An impact within a step leaves an overlap of up to the speed times the step length, because the
//! scheme acts on velocities. Short steps make it small, and the default projection,
//! [`Projection::Gradual`](crate::kernel::integrator::Projection::Gradual), removes it over the next steps:
//!
//! ```
//! # use siconos::mechanics::{Body, Scene, Shape};
//! # use siconos::prelude::*;
//! # fn main() -> Result<(), siconos::Error> {
//! # let mut scene = Scene::new();
//! # scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
//! # let brick = scene.add(Body::new(Shape::cuboid([0.2, 0.1, 0.06])?).at([0.0, 0.0, 0.1]))?;
//! # let parts = scene.into_parts()?;
//! # let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3)?;
//! let mut simulation = parts.simulation(grid).energy_balance(true).build()?;
//! # let mut state = simulation.initial_state(&parts.model)?;
//! let (mut deepest, mut work) = (0.0_f64, 0.0);
//! while let Some(report) = simulation.step(&parts.model, &mut state)? {
//!     deepest = deepest.min(parts.pose(&state, brick).position[2] - 0.03);
//!     work += report.energy.map_or(0.0, |energy| energy.projection);
//! }
//! assert!(deepest < -1e-5 && (parts.pose(&state, brick).position[2] - 0.03).abs() < 1e-10);
//! // The work that lifts the brick out of the overlap.
//! let weight = 1.2 * 9.80665;
//! assert!((work + weight * deepest).abs() < 0.1 * work);
//! # Ok(())
//! # }
//! ```
//!
//! # Materials
//!
//! Each pair of materials has a law. A table without a default law returns an error that names the pair if
//! two materials without a law touch.
//!
//! ```
//! use siconos::kernel::detection::ContactLaws;
//! use siconos::mechanics::{Body, Contactor, Scene, Shape};
//! use siconos::prelude::*;
//!
//! # fn main() -> Result<(), siconos::Error> {
//! let mut laws = ContactLaws::new(NewtonImpactFriction::in_space(0.0, 0.6)?);
//! let [ice, steel] = ["ice", "steel"].map(|name| laws.material(name));
//! laws.set(ice, steel, NewtonImpactFriction::in_space(0.3, 0.03)?);
//! let mut scene = Scene::new().with_laws(laws).with_gravity([0.0, 0.0, -9.81]);
//! let rink = Shape::half_space([0.0, 0.0, 1.0])?;
//! scene.add(Body::fixed(Contactor { material: ice, ..rink.into() }))?;
//! let puck = Shape::cuboid([0.08, 0.08, 0.02])?;
//! let puck = Body::new(Contactor { material: steel, ..puck.into() }).at([0.0, 0.0, 0.01]);
//! let puck = scene.add(puck.with_velocity([1.0, 0.0, 0.0]))?;
//!
//! let parts = scene.into_parts()?;
//! let mut simulation = parts.simulation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?).build()?;
//! let mut state = simulation.initial_state(&parts.model)?;
//! while simulation.step(&parts.model, &mut state)?.is_some() {}
//! let speed = state.v(parts.system(puck).expect("a free body"))[0];
//! assert!((speed - (1.0 - 0.03 * 9.81)).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! # Terrain
//!
//! Fixed and driven bodies can be surfaces: a [triangle mesh](crate::mechanics::Shape::mesh), or a
//! [height field](crate::mechanics::Shape::height_field). Their inner edges make no contacts, so a ball rolls
//! over them without a bump. With the feature `mesh`, siconos-io reads `.stl` and `.obj` files: the points of
//! `vtk::Surface::read_mesh` and its `triangles` are the arguments of `Shape::mesh`, and the points are also
//! those of a [convex hull](crate::mechanics::Shape::hull). A free body with a closed mesh, convex or not, is
//! a [solid](crate::mechanics::Shape::solid) with the same arguments: its mass properties are integrals over
//! the mesh, and its contacts use convex pieces whose [errors](crate::mechanics::Decomposition) are
//! reported.
//!
//! ```
//! use siconos::mechanics::{Body, Scene, Shape};
//! use siconos::prelude::*;
//!
//! # fn main() -> Result<(), siconos::Error> {
//! // A channel along x that falls by 10 %.
//! let z = |i: u32, j: u32| 0.2 * (0.5 * (f64::from(j) - 4.0)).powi(2) - 0.05 * f64::from(i);
//! let heights: Vec<Vec<f64>> = (0..9).map(|j| (0..21).map(|i| z(i, j)).collect()).collect();
//! let mut scene = Scene::new();
//! scene.add(Body::fixed(Shape::height_field(&heights, [0.5, 0.5])?))?;
//! let ball = scene.add(Body::new(Shape::ball(0.1)?).at([-4.0, 0.3, 0.2]))?;
//!
//! let parts = scene.into_parts()?;
//! let mut simulation = parts.simulation(TimeDiscretisation::uniform(0.0, 2.0, 2e-3)?).build()?;
//! let mut state = simulation.initial_state(&parts.model)?;
//! while simulation.step(&parts.model, &mut state)?.is_some() {}
//! let [x, y, _] = parts.pose(&state, ball).position;
//! assert!(x > -3.0 && y.abs() < 0.5, "the ball rolls down the channel: {x} {y}");
//! # Ok(())
//! # }
//! ```
//!
//! # Moving obstacles, births and queries
//!
//! - [`Body::driven`](crate::mechanics::Body::driven) creates a body that moves with a given velocity and
//!   angular velocity, such as a rotating drum. A [surface velocity](crate::mechanics::Motion::surface) makes
//!   a conveyor belt of a body at rest.
//! - [`SceneParts::add`](crate::mechanics::SceneParts::add) and
//!   [`remove`](crate::mechanics::SceneParts::remove) change the bodies between two steps. Other bodies move
//!   on as before, bit for bit.
//! - [`cast_ray`](crate::mechanics::SceneParts::cast_ray),
//!   [`closest`](crate::mechanics::SceneParts::closest) and
//!   [`overlaps`](crate::mechanics::SceneParts::overlaps) answer questions about a state.
//! - The bodies of a [planar scene](crate::mechanics::Scene::planar) move in the plane z = 0, such as the
//!   voussoirs of an arch. Walls can be [segments](crate::mechanics::Shape::segment) and
//!   [polylines](crate::mechanics::Shape::polyline). Shapes and motions outside the plane are refused.
//!
//! # Joints, circuits and control
//!
//! A [`SceneJoint`](crate::mechanics::SceneJoint) connects two bodies, with stops, a motor and friction.
//! Bodies with a common joint do not touch each other. A door of 20 kg falls shut against its stop:
//!
//! ```
//! use siconos::mechanics::{Body, Contactor, Pose, Scene, SceneJoint, Shape};
//! use siconos::prelude::*;
//!
//! # fn main() -> Result<(), siconos::Error> {
//! let mut scene = Scene::new();
//! let frame = scene.add(Body::fixed(Shape::cuboid([0.1, 0.1, 2.0])?).at([0.0, 0.0, 1.0]))?;
//! let leaf = Contactor { pose: Pose::at([0.4, 0.0, 0.0]), ..Shape::cuboid([0.8, 0.04, 1.9])?.into() };
//! let door = scene.add(Body::new(leaf).with_mass(20.0).at([0.0, 0.0, 1.0]))?;
//! // The axis leans, so gravity turns the door.
//! let hinge = SceneJoint::revolute([door, frame], [0.0, 0.0, 1.0], [0.0, 0.1, 1.0])
//!     .with_stops(-1.2, 0.2, 0.1)
//!     .with_friction(0.5);
//! scene.add_joint(hinge)?;
//!
//! let parts = scene.into_parts()?;
//! let mut simulation = parts.simulation(TimeDiscretisation::uniform(0.0, 6.0, 5e-3)?).build()?;
//! let mut state = simulation.initial_state(&parts.model)?;
//! while simulation.step(&parts.model, &mut state)?.is_some() {}
//! let [_, _, angle] = parts.pose(&state, door).orientation.log();
//! assert!((angle - 0.2).abs() < 0.01, "it stands at the upper stop: {angle}");
//! # Ok(())
//! # }
//! ```
//!
//! [`Scene::into_parts`](crate::mechanics::Scene::into_parts) gives a model of the kernel, to which
//! interactions, other joints and systems are added as in the other chapters;
//! [`Scene::exclude`](crate::mechanics::Scene::exclude) excludes contacts between two bodies.
//!
//! # Other contacts
//!
//! Contacts of other shapes, for example of a terrain that is given by a function, are the result of an own
//! [`ContactSource`](crate::kernel::detection::ContactSource). Its page shows one for a ball on a floor.
