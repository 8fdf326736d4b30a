//! Relations and laws: gaps, ropes, springs and other interactions between bodies.
//!
//! This chapter shows how to describe gaps, moving obstacles, ropes, rods, springs and elastic supports. An
//! *interaction* is a relation and a law. The relation defines the local variables: y, such as a gap, and the
//! multiplier $\lambda$, such as a contact force. The law connects them. Any relation can be combined with
//! any law that makes sense for its systems.
//!
//! # A moving table
//!
//! A block lies on a table that moves by $a \sin \omega t$, with the amplitude a \[m\] and the angular
//! frequency $\omega$ \[rad/s\]. The gap $y = q - a \sin \omega t$ depends on time; such a relation is called
//! *rheonomous*. The block of mass m \[kg\] stays on the table while the force
//! $m (g - a \omega^2 \sin \omega t)$ is positive. If $a \omega^2 > g$, the block lifts off at
//! $\sin \omega t = g / (a \omega^2)$.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, gravity, amplitude) = (2.0, 9.81, 0.01);
//!     for omega in [25.0_f64, 40.0] {
//!         let table = LagrangianRheonomousRelation::new(1, move |at, q, y| {
//!             y[0] = q[0] - amplitude * (omega * at.t).sin();
//!         })
//!         .with_jacobian(|_at, _q, j| j[[0, 0]] = 1.0)
//!         .with_time_derivative(move |at, _q, y_t| {
//!             y_t[0] = -amplitude * omega * (omega * at.t).cos()
//!         });
//!
//!         let mut model = NonSmoothDynamicalSystem::new();
//!         // The block starts with the velocity of the table.
//!         let block = LagrangianLinear::new(vec![0.0], vec![amplitude * omega], array![mass])
//!             .with_constant_external_force(vec![-mass * gravity]);
//!         let block = model.add_system(block)?;
//!         let contact = model.add_interaction([block], table, NewtonImpact::new(0.0)?)?;
//!
//!         let grid = TimeDiscretisation::uniform(0.0, 0.05, 1e-4)?;
//!         let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!         let mut state = simulation.initial_state(&model)?;
//!         let mut lift_off = None;
//!         simulation.run(&model, &mut state, |report, state| {
//!             let force = state.lambda(contact, Level::Acceleration)[0];
//!             if lift_off.is_some() {
//!                 return;
//!             }
//!             if force == 0.0 {
//!                 lift_off = Some(report.t);
//!             } else {
//!                 // The mean force of the step is the force in its middle.
//!                 let phase = omega * (report.t - 0.5 * report.h);
//!                 let expected = mass * (gravity - amplitude * omega * omega * phase.sin());
//!                 assert!(
//!                     (force - expected).abs() < 1e-3 * mass * gravity,
//!                     "{force} {expected}"
//!                 );
//!             }
//!         })?;
//!         let ratio = gravity / (amplitude * omega * omega);
//!         match lift_off {
//!             Some(t) => assert!((t - ratio.asin() / omega).abs() < 3e-4 && ratio < 1.0),
//!             None => assert!(ratio > 1.0),
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! All mechanical relations are $y = h(q, t)$, with $\dot y = J v + \partial_t h$, the Jacobian
//! $J = \partial h / \partial q$, and the generalised reaction $p = J^T \lambda$. The sign convention is the
//! same for all contacts: y is positive if the bodies are apart, and $\lambda$ is positive if it pushes them
//! apart. The first argument `at` contains the time and the [parameters](crate::kernel::model::At) of the
//! model. Derivatives are optional; without them, central finite differences are used. Event-driven
//! simulation also uses the second derivative of y, which
//! [`with_convective_acceleration`](crate::kernel::model::LagrangianRheonomousRelation::with_convective_acceleration)
//! sets exactly.
//!
//! At an impact on a moving obstacle, Newton's law relates the relative velocities: in a step from $t_k$ to
//! $t_{k+1}$, $\dot y^-$ contains the velocity of the obstacle at $t_k$, and $\dot y^+$ at $t_{k+1}$.
//!
//! # Relations
//!
//! | relation | y | systems |
//! |---|---|---|
//! | [`LagrangianLinearRelation`] | $H q + b$, optionally $+ D \lambda$ | Lagrangian |
//! | [`LagrangianScleronomousRelation`] | $h(q)$ | Lagrangian, rigid bodies |
//! | [`LagrangianRheonomousRelation`] | $h(t, q)$ | Lagrangian, rigid bodies |
//! | [`PointContact`] | gap and sliding velocities | one or two rigid bodies |
//! | [`Distance`] | distance of two points minus a length, or the slack of a rope | one or two rigid bodies |
//! | [`Joint`], [`JointCoordinate`] | equations, stops and motions of joints | one or two rigid bodies |
//! | [`NewtonEulerRelation`] | $h(t, q)$ | any number of rigid bodies |
//! | [`FirstOrderLinearRelation`] | $C x + F z + D \lambda + e$ | first-order ([circuits](super::circuits)) |
//! | [`FirstOrderNonlinearRelation`] | $h(t, x, \lambda, z)$ | first-order |
//!
//! [`LagrangianLinearRelation`]: crate::kernel::model::LagrangianLinearRelation
//! [`LagrangianScleronomousRelation`]: crate::kernel::model::LagrangianScleronomousRelation
//! [`LagrangianRheonomousRelation`]: crate::kernel::model::LagrangianRheonomousRelation
//! [`PointContact`]: crate::kernel::model::PointContact
//! [`Distance`]: crate::kernel::model::Distance
//! [`Joint`]: crate::kernel::model::Joint
//! [`JointCoordinate`]: crate::kernel::model::JointCoordinate
//! [`NewtonEulerRelation`]: crate::kernel::model::NewtonEulerRelation
//! [`FirstOrderLinearRelation`]: crate::kernel::model::FirstOrderLinearRelation
//! [`FirstOrderNonlinearRelation`]: crate::kernel::model::FirstOrderNonlinearRelation
//!
//! # Laws
//!
//! | law | condition | purpose |
//! |---|---|---|
//! | [`NewtonImpact`] | $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ if closed | contact, rope, stop |
//! | [`NewtonImpactFriction`] | adds Coulomb friction and cohesion | [contact with friction](super::friction), magnet, glue |
//! | [`ComplementarityCondition`] | $0 \le y \perp \lambda \ge 0$ | elastic contact, diode |
//! | [`EqualityCondition`] | $y = 0$ | joint, rod, motor that follows a motion |
//! | [`SpringDamper`] | $\lambda = -(k y + c \dot y)$ | spring and damper between bodies |
//! | [`Relay`] | $\lambda$ at its lower bound if $\dot y > 0$, at its upper bound if $\dot y < 0$, between them if $\dot y = 0$ | joint friction, limited motor |
//! | [`MultipleImpact`] | impacts by compression | [event-driven simulation](super::event_driven) only |
//!
//! [`NewtonImpact`]: crate::kernel::model::NewtonImpact
//! [`NewtonImpactFriction`]: crate::kernel::model::NewtonImpactFriction
//! [`ComplementarityCondition`]: crate::kernel::model::ComplementarityCondition
//! [`EqualityCondition`]: crate::kernel::model::EqualityCondition
//! [`SpringDamper`]: crate::kernel::model::SpringDamper
//! [`Relay`]: crate::kernel::model::Relay
//! [`MultipleImpact`]: crate::kernel::model::MultipleImpact
//!
//! In first-order systems, a relay acts on y instead of $\dot y$, and three more laws are available:
//! [`MixedComplementarityCondition`](crate::kernel::model::MixedComplementarityCondition), whose first
//! components are equations, [`NormalCone`](crate::kernel::model::NormalCone) of a polyhedron, and
//! [`ConeComplementarity`](crate::kernel::model::ConeComplementarity) for second-order cones.
//!
//! # A rope and a rod
//!
//! A rope of length l \[m\] can pull but not push: its slack $y = l - \lVert q \rVert$ is at or above zero.
//! With [`NewtonImpact`], $\lambda$ is the tension. If a mass m on a rope is released from the horizontal,
//! the tension is $3 m g \cos \theta$ at the angle $\theta$ from the lowest point.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, gravity, length) = (0.5, 9.81, 1.2);
//! // The position (x, z) relative to the pivot, with z upwards.
//! let load = LagrangianLinear::new(vec![length, 0.0], vec![0.0; 2], array![mass, mass])
//!     .with_constant_external_force(vec![0.0, -mass * gravity]);
//! let rope =
//!     LagrangianScleronomousRelation::new(1, move |_, q, y| y[0] = length - q[0].hypot(q[1]))
//!         .with_jacobian(|_, q, j| {
//!             let distance = q[0].hypot(q[1]);
//!             (j[[0, 0]], j[[0, 1]]) = (-q[0] / distance, -q[1] / distance);
//!         });
//! let mut model = NonSmoothDynamicalSystem::new();
//! let load = model.add_system(load)?;
//! let rope = model.add_interaction([load], rope, NewtonImpact::new(0.0)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 5e-4)?;
//! let scheme = MoreauJean { projection: Some(Projection::Combined), ..MoreauJean::default() };
//! let mut simulation =
//!     TimeStepping::builder(&model).discretisation(grid).integrator(scheme).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |_, state| {
//!     let cosine = -state.q(load)[1] / length;
//!     let tension = state.lambda(rope, Level::Acceleration)[0];
//!     assert!((tension - 3.0 * mass * gravity * cosine).abs() < 0.01 * mass * gravity);
//! })?;
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The projection keeps the contact closed along the curved path. Without it, or with `Projection::Direct`,
//! the contact opens for single steps in which the force is 0, and a larger force follows. The positions
//! hardly differ.
//!
//! With [`EqualityCondition`] instead of [`NewtonImpact`], the same relation is a massless rod, which also
//! pushes. For rigid bodies, `Distance::between(&load, p1, p2)?` is a rod, and `.with_length(l)?.slack()`
//! makes it a rope.
//!
//! # A spring
//!
//! A spring with a parallel damper between two systems is a law. Its elongation y can be a component of any
//! relation. Two carts with the masses $m_1$ and $m_2$ \[kg\], connected by a spring of stiffness k \[N/m\],
//! oscillate with the angular frequency $\omega = \sqrt{k (1/m_1 + 1/m_2)}$.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (m1, m2, stiffness, rest_length) = (1.0, 3.0, 300.0, 0.5);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let first = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![m1]))?;
//! let second = model.add_system(LagrangianLinear::new(vec![0.6], vec![0.0], array![m2]))?;
//! let elongation =
//!     LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-rest_length]);
//! // No damping.
//! let spring = model.add_interaction(
//!     [first, second],
//!     elongation,
//!     SpringDamper::new(stiffness, 0.0)?,
//! )?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 5e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |_, _| {})?;
//! let omega = (stiffness * (1.0 / m1 + 1.0 / m2)).sqrt();
//! assert!((state.y(spring, Level::Position)[0] - 0.1 * omega.cos()).abs() < 2e-5);
//! // The mean force over the last step [N]. It is negative while the spring pulls.
//! let force = state.lambda(spring, Level::Position)[0];
//! assert!((force + stiffness * 0.1 * (omega * (1.0 - 2.5e-4)).cos()).abs() < 1e-2);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! A spring between one system and the inertial frame can also be the stiffness of its
//! [`LagrangianLinear`](crate::kernel::model::LagrangianLinear)
//! ([`with_stiffness`](crate::kernel::model::LagrangianLinear::with_stiffness)), or an internal force of its
//! [`Lagrangian`](crate::kernel::model::Lagrangian). Event-driven simulation supports only these two kinds of
//! springs.
//!
//! # An elastic support
//!
//! A contact that deforms is a linear relation with a compliance D \[m/N\], the inverse of its stiffness:
//! `LagrangianLinearRelation::new(h).with_compliance(d)` with a [`ComplementarityCondition`]. The law is then
//! $0 \le H q + b + D \lambda \perp \lambda \ge 0$. The multiplier is the force \[N\], at `Level::Position`,
//! and there is no restitution.
//!
//! A time step uses the elastic force at its end. With the stiffness k, this has the effect of a damper
//! $k h / 2$ \[N s/m\] in parallel: a mass m that vibrates on the support loses the fraction
//! $1 - e^{-k h t / (2 m)}$ of its energy in the time t. Choose h so that this is small, or use a
//! [`SpringDamper`], which conserves the energy, if the contact never opens.
//!
//! # Several contacts of one body
//!
//! In an interaction, a relation of size m is combined with m / s independent copies of a law of size s. A
//! plank on two supports is therefore one interaction with two rows, or two interactions with one row each;
//! the motion is the same. With the height z of its centre of mass and its small angle $\varphi$ \[rad\], a
//! support at the distance x from the centre has the gap $y = z + x \varphi$.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! // 10 kg and 1.2 kg m2, on supports at x = -0.4 m and x = 0.6 m.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let plank = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![10.0, 1.2])
//!     .with_constant_external_force(vec![-98.1, 0.0]);
//! let plank = model.add_system(plank)?;
//! let supports = LagrangianLinearRelation::new(array![[1.0, -0.4], [1.0, 0.6]]);
//! let supports = model.add_interaction([plank], supports, NewtonImpact::new(0.0)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |report, _| assert_eq!(report.active.len(), 2))?;
//! // The nearer support carries more: the law of the lever.
//! let forces = state.lambda(supports, Level::Acceleration);
//! assert!((forces[0] - 0.6 * 98.1).abs() < 1e-8 && (forces[1] - 0.4 * 98.1).abs() < 1e-8);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! On three supports, the forces of a rigid plank are not unique. The solver returns one of the solutions;
//! the motion is unique. A law of size 2, such as friction in the plane, takes two rows per contact: normal
//! and tangent.
//!
//! # Pitfalls
//!
//! - *Sizes* are checked when the interaction is added: "a relation of size 1 does not support a law of
//!   size 2; the first size must be a multiple of the second".
//! - *Unsupported combinations* of law, relation and integrator are rejected when the simulation is built.
//!   The error contains a remedy: "MoreauJean does not support restitution on a compliant relation; use a
//!   ComplementarityCondition, or drop D".
//! - *A wrong Jacobian* is a common error. `Relation::from(relation).check_jacobians(t, &q, 1e-6)` with
//!   [`Relation`](crate::kernel::model::Relation) compares it with finite differences, and reports, for
//!   example, "entry (0, 0) of the Jacobian `derivative of h in q` is -0.955336489125606, finite differences
//!   give 0.9553364891205837".
//! - *Overlap at the start* is not corrected without projection, because the law acts on velocities. A
//!   `tracing` warning reports it: "bodies overlap at the start, and no impulse separates them".
//! - *The unit of $\lambda$ follows from the unit of y.* With $y = l^2 - x^2 - z^2$, $\lambda$ is the tension
//!   divided by $2 l$. Contacts with friction need unit normals and tangents.
//! - *Fast obstacles.* Finite differences in time use a fraction of the time scale of the model, which is 1 s
//!   by default ([`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale)). Supply
//!   the time derivative, or set the scale, if the obstacle moves much faster.
//!
//! # Next
//!
//! - [Contact with friction](super::friction) and [rigid bodies and joints](super::rigid_bodies).
//! - [Circuits and relays](super::circuits): relations and laws of first-order systems.
//! - [Contact forces and energy](super::forces_and_energy), and [extending the library](super::extending).
//! - The examples `cam_follower`, `simple_pendulum_ed` and `nonlinear_relation` of the package
//!   `siconos-examples`.
