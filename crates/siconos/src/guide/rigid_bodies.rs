//! Rigid bodies, joints and contacts: mechanisms with hinges, slides, stops and motors.
//!
//! How do I build a mechanism in space? This chapter shows how to create rigid bodies, how to connect them by
//! joints or contacts, and how to add stops, motors, springs and dry friction to a joint. A system with one
//! or two coordinates, such as a pendulum that is described by its angle, is easier to write as a
//! [`Lagrangian`](crate::kernel::model::Lagrangian) system; see
//! [event-driven simulation](super::event_driven) for an example.
//!
//! # A rod on a hinge
//!
//! A thin rod of length l = 1 m hangs from a hinge at its upper end and is released at the angle $\theta_0$
//! from the vertical. It passes the vertical with the angular velocity $\omega$ \[rad/s\], where
//! $\omega^2 = m g l (1 - \cos \theta_0) / I$ with the mass m and the moment of inertia I about the hinge. In
//! this position, the force of the hinge is the weight plus the centripetal force $m \omega^2 l / 2$.
//!
//! ```
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, length, radius, gravity, angle) = (2.0, 1.0, 0.01, 9.81, 1.0_f64);
//!     // The axis of the rod is the z axis of its body frame. The rod is rotated about y.
//!     let axis = [0.0, 1.0, 0.0];
//!     let orientation = Quaternion::about(axis, -angle);
//!     let centre = orientation.rotate([0.0, 0.0, -0.5 * length]);
//!     let inertia = Inertia::of_cylinder(mass, radius, length);
//!     let rod = NewtonEuler::new(mass, inertia, centre, orientation)
//!         .with_constant_external_force([0.0, 0.0, -mass * gravity]);
//!     // The hinge at the origin connects the rod to the inertial frame. Its axis is y.
//!     let hinge = Joint::revolute(&rod, [0.0; 3], axis)?;
//!     let condition = hinge.condition()?;
//!
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let rod = model.add_system(rod)?;
//!     let hinge = model.add_interaction([rod], hinge, condition)?;
//!
//!     let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let (mut fastest, mut strongest) = (0.0_f64, 0.0_f64);
//!     simulation.run(&model, &mut state, |_, state| {
//!         // Entries 3 to 5 of v are the angular velocity in the body frame.
//!         fastest = fastest.max(state.v(rod)[4].abs());
//!         // The first three multipliers of a hinge are the force on the rod along x, y, z.
//!         strongest = strongest.max(state.lambda(hinge, Level::Acceleration)[2]);
//!     })?;
//!     let about_hinge = inertia.matrix()[1][1] + 0.25 * mass * length * length;
//!     let omega = (mass * gravity * length * (1.0 - angle.cos()) / about_hinge).sqrt();
//!     assert!((fastest - omega).abs() < 1e-4);
//!     assert!((strongest - mass * (gravity + 0.5 * omega * omega * length)).abs() < 1e-2);
//!     Ok(())
//! }
//! ```
//!
//! # Bodies
//!
//! A [`NewtonEuler`](crate::kernel::model::NewtonEuler) body has seven position and six velocity coordinates:
//!
//! | slice | quantity | frame |
//! |---|---|---|
//! | `state.q(body)[0..3]` | position of the centre of mass \[m\] | inertial |
//! | `state.q(body)[3..7]` | orientation: unit quaternion, scalar component first | rotation from the body frame to the inertial frame |
//! | `state.v(body)[0..3]` | velocity of the centre of mass \[m/s\] | inertial |
//! | `state.v(body)[3..6]` | angular velocity \[rad/s\] | body |
//!
//! [`Quaternion::of_body`](crate::kernel::model::Quaternion::of_body) returns the orientation in
//! `state.q(body)` as a quaternion. The method `rotate` of the quaternion transforms a vector from the body
//! frame to the inertial frame, `matrix` returns the rotation matrix, and `log` returns the rotation vector.
//!
//! The inertia of a body refers to the centre of mass and to the body frame. Give one value for equal moments
//! of inertia about all axes, three principal moments, a full matrix, or the result of
//! [`Inertia::of_ball`](crate::kernel::model::Inertia::of_ball), `of_cuboid` or `of_cylinder`. External
//! forces act at the centre of mass, and are given in the inertial frame. External moments are given in the
//! inertial frame or in the body frame ([`Frame`](crate::kernel::model::Frame)).
//!
//! A planar mechanism is built from the same bodies. Revolute joints with parallel axes keep it in its plane.
//! A planar loop always has redundant joint equations, which are permitted. The motion is unique, but the
//! forces in redundant joints are not.
//!
//! # Joints
//!
//! A joint connects one body to the inertial frame (`&body`), or two bodies to each other
//! (`(&first, &second)`). The *initial* positions of the bodies define the joint. Points and axes are given
//! in the inertial frame. `joint.condition()?` returns the law of the joint, an equality condition of the
//! right size.
//!
//! | constructor | permitted motion | number of equations | coordinates |
//! |---|---|---|---|
//! | `Joint::spherical(bodies, point)` | all rotations about the point | 3 | none |
//! | `Joint::revolute(bodies, point, axis)` | rotation about the axis | 5 | `angle()` |
//! | `Joint::cylindrical(bodies, point, axis)` | rotation about the axis and displacement along it | 4 | `angle()`, `displacement()` |
//! | `Joint::prismatic(bodies, point, axis)` | displacement along the axis | 5 | `displacement()` |
//! | `Joint::fixed(bodies)` | none | 6 | none |
//!
//! A [`Distance`](crate::kernel::model::Distance) with an equality condition is a massless rod.
//!
//! # Contacts
//!
//! [`PointContact`](crate::kernel::model::PointContact) is the relation of balls, points or the corners of a
//! box of a body against a plane or a ball, which is at rest (`at_rest`) or belongs to a second body
//! (`between`). One interaction contains all its contacts.
//! [`ContactRows`](crate::kernel::model::ContactRows) selects the components of each contact, which must be
//! those of the law. Planes are unbounded, and edges do not touch each other. In the plane,
//! [`PlanarContact`](crate::kernel::model::PlanarContact) connects bodies that
//! [`planar_body`](crate::kernel::model::LagrangianLinear::planar_body) creates. A box that is pushed
//! along the floor stops after the time $v_0 / (\mu g)$:
//!
//! ```
//! # use siconos::kernel::model::{ContactBall, ContactRows, ContactSurface, Inertia, PointContact};
//! # use siconos::prelude::*;
//! let (mass, gravity, mu, speed, edges) = (2.0, 9.81, 0.3, 1.5, [0.4, 0.3, 0.2]);
//! let at = [0.0, 0.0, 0.5 * edges[2]];
//! let body = NewtonEuler::new(mass, Inertia::of_cuboid(mass, edges), at, Quaternion::IDENTITY)
//!     .with_twist([speed, 0.0, 0.0], [0.0; 3])
//!     .with_constant_external_force([0.0, 0.0, -mass * gravity]);
//! let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
//! let corners = PointContact::at_rest(ContactRows::Friction, ContactBall::corners(edges), floor)?;
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let body = model.add_system(body)?;
//! let contact = model.add_interaction([body], corners, NewtonImpactFriction::in_space(0.0, mu)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |_, _| ())?;
//! assert!((state.q(body)[0] - speed * speed / (2.0 * mu * gravity)).abs() < 1e-3);
//! // Three components for each of the eight corners: one normal and two tangential forces.
//! let force = state.lambda(contact, Level::Acceleration);
//! let pressed: f64 = force.iter().step_by(3).sum();
//! assert!((pressed - mass * gravity).abs() < 1e-6);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # A slider-crank with a motor
//!
//! A crank of length $l_1$ \[m\] rotates with a constant angular velocity $\omega$ \[rad/s\]. A rod of length
//! $l_2$ connects the crank to a slider, whose position is
//! $x = l_1 \cos \omega t + \sqrt{l_2^2 - l_1^2 \sin^2 \omega t}$. The motor is an equality condition that
//! prescribes the angle of the first hinge. The initial velocities satisfy the equations of all joints.
//!
//! ```
//! # use siconos::kernel::{integrator::Projection, model::Inertia};
//! # use siconos::prelude::*;
//! let (l1, l2, omega, z) = (0.15, 0.4, 10.0, [0.0, 0.0, 1.0]);
//! let body = |mass: f64, length: f64, x: f64, vy: f64, spin: f64| {
//!     let inertia = Inertia::of_cuboid(mass, [length, 0.02, 0.02]);
//!     NewtonEuler::new(mass, inertia, [x, 0.0, 0.0], Quaternion::IDENTITY)
//!         .with_twist([0.0, vy, 0.0], [0.0, 0.0, spin])
//! };
//! let crank = body(0.3, l1, 0.5 * l1, 0.5 * l1 * omega, omega);
//! let rod = body(0.5, l2, l1 + 0.5 * l2, 0.5 * l1 * omega, -l1 * omega / l2);
//! let slider = body(0.8, 0.05, l1 + l2, 0.0, 0.0);
//! let hinge = Joint::revolute(&crank, [0.0; 3], z)?;
//! let crank_pin = Joint::revolute((&crank, &rod), [l1, 0.0, 0.0], z)?;
//! let slider_pin = Joint::revolute((&rod, &slider), [l1 + l2, 0.0, 0.0], z)?;
//! let guide = Joint::prismatic(&slider, [l1 + l2, 0.0, 0.0], [1.0, 0.0, 0.0])?;
//! // The first closure returns the prescribed angle, the second its time derivative.
//! let angle = hinge.angle().expect("a revolute joint has an angle");
//! let motor = angle.prescribed(move |at| omega * at.t, move |_at| omega);
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let crank = model.add_system(crank)?;
//! let rod = model.add_system(rod)?;
//! let slider = model.add_system(slider)?;
//! let joints = [
//!     (hinge, vec![crank]),
//!     (crank_pin, vec![crank, rod]),
//!     (slider_pin, vec![rod, slider]),
//!     (guide, vec![slider]),
//! ];
//! for (joint, bodies) in joints {
//!     let condition = joint.condition()?;
//!     model.add_interaction(bodies, joint, condition)?;
//! }
//! let motor = model.add_interaction([crank], motor, EqualityCondition::new(1)?)?;
//!
//! let turn = std::f64::consts::TAU / omega;
//! let grid = TimeDiscretisation::equal_steps(0.0, turn, 1000)?;
//! // After each step, the projection corrects the positions until the joint equations hold.
//! let scheme = MoreauJean { projection: Some(Projection::Direct), ..MoreauJean::default() };
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(grid)
//!     .integrator(scheme)
//!     .strict(true)
//!     .build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut work = 0.0;
//! simulation.run(&model, &mut state, |report, state| {
//!     let (sine, cosine) = (omega * report.t).sin_cos();
//!     let x = l1 * cosine + (l2 * l2 - l1 * l1 * sine * sine).sqrt();
//!     assert!((state.q(slider)[0] - x).abs() < 1e-9);
//!     // The impulse of the motor is its moment times the step length [N m s].
//!     work += state.lambda(motor, Level::Velocity)[0] * omega;
//! })?;
//! // Without dissipation, the total work of the motor over one revolution is zero.
//! assert!(work.abs() < 1e-3);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Stops, motors, springs and friction at a joint
//!
//! The coordinate c of a joint is `joint.angle()` or `joint.displacement()`. Its initial value is 0. The
//! coordinate is a relation, and it has methods that create further relations. To add a stop, a motor, a
//! spring or friction, add an interaction of the same bodies with a relation and a law from this table:
//!
//! | relation | law | purpose |
//! |---|---|---|
//! | `c.stops(lower, upper)?` | `NewtonImpact::new(e)?` | stops with restitution |
//! | `c.prescribed(f, rate)` | `EqualityCondition::new(1)?` | motor that follows f(t) |
//! | `c.prescribed(f, rate)` | `Relay::symmetric(1, limit)?` | motor with a limited moment that keeps the speed `rate` |
//! | `c` | `Relay::symmetric(1, limit)?` | dry friction with a moment or force of at most `limit` |
//! | `c` | `SpringDamper::new(stiffness, damping)?` | spring with a damper |
//! | [`Coupler`](crate::kernel::model::Coupler) | `EqualityCondition::new(1)?` | gear, screw, rack |
//!
//! A motor with a moment of at most 0.3 N m drives a flywheel with a moment of inertia of 0.1 kg m2. The
//! flywheel accelerates at 3 rad/s2 until it reaches 6 rad/s, and keeps this speed until it hits a stop at
//! 8 rad. From then on, the motor pushes the flywheel against the stop.
//!
//! ```
//! # use siconos::prelude::*;
//! let wheel = NewtonEuler::new(2.0, 0.1, [0.0; 3], Quaternion::IDENTITY);
//! let axle = Joint::revolute(&wheel, [0.0; 3], [0.0, 0.0, 1.0])?;
//! let angle = axle.angle().expect("a revolute joint has an angle");
//! let motor = angle.prescribed(|at| 6.0 * at.t, |_at| 6.0);
//! let stops = angle.stops(-1.0, 8.0)?;
//! let condition = axle.condition()?;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let wheel = model.add_system(wheel)?;
//! model.add_interaction([wheel], axle, condition)?;
//! let motor = model.add_interaction([wheel], motor, Relay::symmetric(1, 0.3)?)?;
//! let stops = model.add_interaction([wheel], stops, NewtonImpact::new(0.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 3.0, 5e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |report, state| {
//!     // The wheel reaches 6 rad after 2 s, and hits the stop 2 rad / (6 rad/s) later.
//!     if report.t < 2.33 {
//!         assert!((state.v(wheel)[5] - (3.0 * report.t).min(6.0)).abs() < 1e-9);
//!     }
//! })?;
//! assert!(state.v(wheel)[5].abs() < 1e-9);
//! // The moment of the motor is the multiplier of its relay at `Level::Position`.
//! assert!((state.lambda(motor, Level::Position)[0] - 0.3).abs() < 1e-9);
//! // The components of y are the angles to the lower and to the upper stop [rad].
//! // The multipliers are the moments of the two stops [N m].
//! assert!(state.y(stops, Level::Position)[1].abs() < 6.0 * 5e-3);
//! let moments = state.lambda(stops, Level::Acceleration);
//! assert!(moments[0] == 0.0 && (moments[1] - 0.3).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Contacts of other shapes
//!
//! The library has no collision detection. [`PointContact`](crate::kernel::model::PointContact) has
//! constructors for the contacts of balls, points and the corners of a box with a plane or a ball. For other
//! shapes, write a closure that computes the closest points and the normal from the positions of the bodies
//! (seven coordinates per body). In this example, the lower end of a rod touches a smooth floor. The rod
//! starts at rest at the angle $\theta_0$ from the vertical, and its centre falls vertically. Because energy
//! is conserved, $\omega^2 = 3 g \cos \theta_0 / l$ when the rod is horizontal.
//!
//! ```
//! # use siconos::kernel::model::ContactPoints;
//! # use siconos::prelude::*;
//! let (mass, length, gravity, tilt) = (1.0, 1.0, 9.81, 0.2_f64);
//! let tip = [0.0, 0.0, -0.5 * length];
//! let inertia = Inertia::of_cylinder(mass, 1e-4, length);
//! let orientation = Quaternion::about([0.0, 1.0, 0.0], tilt);
//! let rod = NewtonEuler::new(mass, inertia, [0.0, 0.0, 0.5 * length * tilt.cos()], orientation)
//!     .with_constant_external_force([0.0, 0.0, -mass * gravity]);
//! let contact = PointContact::new(ContactRows::Normal, move |_parameters, q| {
//!     let arm = Quaternion::of_body(q).rotate(tip);
//!     let first = [q[0] + arm[0], q[1] + arm[1], q[2] + arm[2]];
//!     // The normal points from the second body, here the floor, to the first.
//!     ContactPoints { first, second: [first[0], first[1], 0.0], normal: [0.0, 0.0, 1.0] }
//! });
//! let mut model = NonSmoothDynamicalSystem::new();
//! let rod = model.add_system(rod)?;
//! model.add_interaction([rod], contact, NewtonImpact::new(0.0)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! // Take steps until the rod is horizontal.
//! while state.q(rod)[2] > 0.0 && simulation.step(&model, &mut state)?.is_some() {}
//! let omega = (3.0 * gravity * tilt.cos() / length).sqrt();
//! assert!((state.v(rod)[4].abs() - omega).abs() < 1e-2 && state.q(rod)[0].abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Pitfalls
//!
//! - *Inconsistent initial velocities.* The initial positions satisfy the joint equations by construction,
//!   but the initial velocities can violate them. In this case, `initial_state` emits a `tracing` warning,
//!   and the velocities jump in the first step. With `.strict(true)`, as above, the function returns an error
//!   instead: "interaction .. is a joint that is violated at the start: component 1 of its velocity is 1e0;
//!   it must be 0".
//! - *Joints drift* slowly, because time-stepping enforces the joint equations at velocity level. For long
//!   simulations, use [`Projection::Direct`](crate::kernel::integrator::Projection::Direct), as above.
//! - *Angles.* The value of a joint angle is always between $-\pi$ and $\pi$. The two stops of an angle can
//!   be at most $3 \pi$ apart.
//! - *Event-driven simulation* does not support rigid bodies.
//!
//! # Next
//!
//! - [Contact with friction](super::friction): spheres that roll, and the rows of a spatial contact.
//! - [Contact forces and energy](super::forces_and_energy): forces and moments in joints.
//! - [Large models and threads](super::large_models): models with many bodies.
//! - The examples `heavy_top`, `free_body_flip`, `tippe_top`, `chain_of_joints` and `slider_crank_clearance`
//!   of the package `siconos-examples`.
