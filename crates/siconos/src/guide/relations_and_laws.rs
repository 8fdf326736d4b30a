//! Relations and laws: gaps, ropes, springs and other interactions between bodies.
//!
//! How do I describe gaps, moving obstacles, ropes, rods, springs and elastic supports? An *interaction* is a
//! relation with a law. The relation defines y, such as a gap, as a function of the coordinates. The law is a
//! condition on y and the multiplier $\lambda$, such as a contact force. You can combine relations and laws
//! freely; the library rejects the combinations that it does not support.
//!
//! # A moving table
//!
//! A block lies on a table. The height of the table is $a \sin \omega t$, with the amplitude a \[m\] and the
//! angular frequency $\omega$ \[rad/s\]. The gap $y = q - a \sin \omega t$ depends on time; a relation that
//! depends on time is called *rheonomous*. The block of mass m \[kg\] stays on the table while the contact
//! force $m (g - a \omega^2 \sin \omega t)$ is positive. If $a \omega^2 > g$, the block lifts off when
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
//!                 // The mean force over the step is close to the force in the middle of the step.
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
//! All relations of mechanical systems have the form $y = h(q, t)$. With the Jacobian
//! $J = \partial h / \partial q$, the velocity of y is $\dot y = J v + \partial_t h$, and the multiplier
//! contributes $J^T \lambda$ to the reaction. The sign convention is the same for all contacts: y is positive
//! if the bodies are apart, and $\lambda$ is positive if it pushes them apart.
//!
//! The argument `at` of the functions contains the time and the [parameters](crate::kernel::model::At) of the
//! model. If you do not give a derivative, it is computed by central finite differences. Event-driven
//! simulation also needs the convective acceleration, which is the part of $\ddot y$ that does not contain
//! $\dot v$. It is computed by finite differences, unless you set it with
//! [`with_convective_acceleration`](crate::kernel::model::LagrangianRheonomousRelation::with_convective_acceleration).
//!
//! Newton's law of impact uses the velocities of the gap before and after an impact. If the obstacle moves,
//! these velocities contain the velocity of the obstacle. In a step from $t_k$ to $t_{k+1}$, $\dot y^-$
//! contains its velocity at $t_k$, and $\dot y^+$ contains its velocity at $t_{k+1}$.
//!
//! # Relations
//!
//! | relation | y | systems |
//! |---|---|---|
//! | [`LagrangianLinearRelation`] | $H q + b$, optionally $+ D \lambda$ | Lagrangian |
//! | [`LagrangianScleronomousRelation`] | $h(q)$ | Lagrangian, rigid bodies |
//! | [`LagrangianRheonomousRelation`] | $h(t, q)$ | Lagrangian, rigid bodies |
//! | [`PointContact`] | gap and sliding velocities | one or two rigid bodies |
//! | [`Distance`] | distance between two points minus a length, or the slack of a rope | one or two rigid bodies |
//! | [`Joint`] | left-hand sides of the equations of a joint | one or two rigid bodies |
//! | [`JointCoordinate`] | angle or displacement of a joint, for stops and motors | one or two rigid bodies |
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
//! | [`NewtonImpact`] | $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ while the gap is closed | contact, rope, stop |
//! | [`NewtonImpactFriction`] | `NewtonImpact` with Coulomb friction and cohesion | [contact with friction](super::friction), magnet, glue |
//! | [`ComplementarityCondition`] | $0 \le y \perp \lambda \ge 0$ | elastic contact, diode |
//! | [`EqualityCondition`] | $y = 0$ | joint, rod, motor that follows a prescribed motion |
//! | [`SpringDamper`] | $\lambda = -(k y + c \dot y)$ | spring and damper between bodies |
//! | [`Relay`] | $\lambda$ at its lower bound if $\dot y > 0$, at its upper bound if $\dot y < 0$, between them if $\dot y = 0$ | joint friction, limited motor |
//! | [`MultipleImpact`] | impact law that follows the compression of each contact | simultaneous impacts, in [event-driven simulation](super::event_driven) only |
//!
//! [`NewtonImpact`]: crate::kernel::model::NewtonImpact
//! [`NewtonImpactFriction`]: crate::kernel::model::NewtonImpactFriction
//! [`ComplementarityCondition`]: crate::kernel::model::ComplementarityCondition
//! [`EqualityCondition`]: crate::kernel::model::EqualityCondition
//! [`SpringDamper`]: crate::kernel::model::SpringDamper
//! [`Relay`]: crate::kernel::model::Relay
//! [`MultipleImpact`]: crate::kernel::model::MultipleImpact
//!
//! In a first-order system, a relay acts on y instead of $\dot y$. Three more laws are available for
//! first-order systems:
//!
//! - [`MixedComplementarityCondition`](crate::kernel::model::MixedComplementarityCondition): equations,
//!   followed by complementarity conditions;
//! - [`NormalCone`](crate::kernel::model::NormalCone): the normal cone of a polyhedron;
//! - [`ConeComplementarity`](crate::kernel::model::ConeComplementarity): complementarity in second-order
//!   cones.
//!
//! # A rope and a rod
//!
//! A rope of length l \[m\] can pull but not push. If q is the position of the load relative to the pivot,
//! the slack $y = l - \lVert q \rVert$ of the rope cannot be negative. With the law [`NewtonImpact`],
//! $\lambda$ is the tension. A load of mass m is released from rest while the rope is horizontal. When the
//! rope is at the angle $\theta$ from the vertical, its tension is $3 m g \cos \theta$.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, gravity, length) = (0.5, 9.81, 1.2);
//! // The coordinates are the position (x, z) relative to the pivot. The z axis points upwards.
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
//! `Projection::Combined` keeps the rope taut along the curved path. Without projection, or with
//! `Projection::Direct`, the rope becomes slack in single steps. In such a step, the force is 0; in the next
//! step, it is too large. The positions hardly depend on the projection.
//!
//! With the law [`EqualityCondition`], the same relation describes a massless rod, which can also push. For
//! rigid bodies, `Distance::between(&load, p1, p2)?` is the relation of a rod, and
//! `.with_length(l)?.slack()` changes it to the relation of a rope.
//!
//! # A spring
//!
//! The law [`SpringDamper`] describes a spring with a parallel damper. The elongation of the spring is y, and
//! any relation can define it. Two carts with the masses $m_1$ and $m_2$ \[kg\] are connected by a spring of
//! stiffness k \[N/m\]. They oscillate with the angular frequency $\omega = \sqrt{k (1/m_1 + 1/m_2)}$.
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
//! // The arguments of the law are the stiffness and the damping coefficient.
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
//! A spring between a system and the inertial frame can also be part of the system: as the stiffness of a
//! [`LagrangianLinear`](crate::kernel::model::LagrangianLinear)
//! ([`with_stiffness`](crate::kernel::model::LagrangianLinear::with_stiffness)), or as an internal force of a
//! [`Lagrangian`](crate::kernel::model::Lagrangian). Event-driven simulation supports springs only in these
//! two forms.
//!
//! # An elastic support
//!
//! An elastic contact is a linear relation with a compliance D \[m/N\] and the law
//! [`ComplementarityCondition`]. `LagrangianLinearRelation::new(h).with_compliance(d)` creates the relation.
//! The compliance is the inverse of the contact stiffness. With this relation, the law requires
//! $0 \le H q + b + D \lambda \perp \lambda \ge 0$. The multiplier at `Level::Position` is the contact force
//! \[N\]. An elastic contact has no coefficient of restitution.
//!
//! Time-stepping uses the elastic force at the end of each step. If the support has the stiffness k \[N/m\],
//! this has the same effect as an additional damper with the coefficient $k h / 2$ \[N s/m\], where h is the
//! step length. A mass m that vibrates on the support therefore loses the fraction
//! $1 - e^{-k h t / (2 m)}$ of its energy in the time t. Choose h so small that this loss is negligible. If
//! the contact never opens, you can instead use a [`SpringDamper`] without damping, which conserves the
//! energy.
//!
//! # Several contacts of one body
//!
//! If a relation has m rows and the law has the size s, the interaction contains m / s independent copies of
//! the law. You can therefore describe a plank on two supports by one interaction with two rows, or by two
//! interactions with one row each. The motion is the same in both cases. Let z be the height of the centre of
//! mass, and $\varphi$ \[rad\] the small angle of the plank. A support at the distance x from the centre has
//! the gap $y = z + x \varphi$.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! // Mass 10 kg, moment of inertia 1.2 kg m2, supports at x = -0.4 m and x = 0.6 m.
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
//! // By the law of the lever, the support closer to the centre of mass carries more.
//! let forces = state.lambda(supports, Level::Acceleration);
//! assert!((forces[0] - 0.6 * 98.1).abs() < 1e-8 && (forces[1] - 0.4 * 98.1).abs() < 1e-8);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! If a rigid plank lies on three supports, the contact forces are not unique, but the motion is. The solver
//! then returns one of the possible sets of forces. A law of size 2, such as friction in the plane, needs two
//! rows per contact, one along the normal and one along the tangent.
//!
//! # Pitfalls
//!
//! - *Sizes* are checked when the interaction is added: "a relation of size 1 does not support a law of
//!   size 2; the first size must be a multiple of the second".
//! - *Unsupported combinations* of law, relation and integrator are rejected when the simulation is built.
//!   The error contains a remedy: "MoreauJean does not support restitution on a compliant relation; use a
//!   ComplementarityCondition, or drop D".
//! - *A wrong Jacobian* is a common mistake. To compare the Jacobian of a
//!   [`Relation`](crate::kernel::model::Relation) with finite differences, call
//!   `Relation::from(relation).check_jacobians(t, &q, 1e-6)`. The error is, for example, "entry (0, 0) of the
//!   Jacobian `derivative of h in q` is -0.955336489125606, but finite differences give 0.9553364891205837".
//! - *Overlap at the start* remains if no projection is set, because the law acts on velocities. A `tracing`
//!   warning reports the overlap: "bodies overlap at the start, and no impulse separates them".
//! - *The unit of $\lambda$ follows from the unit of y.* With $y = l^2 - x^2 - z^2$, $\lambda$ is the tension
//!   divided by $2 l$. Contacts with friction require a unit normal and unit tangents.
//! - *Fast obstacles.* The step of finite differences in time is a fraction of the time scale of the model,
//!   which is 1 s by default. If an obstacle moves on a much shorter time scale, give the time derivative, or
//!   change the time scale with
//!   [`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale).
//!
//! # Next
//!
//! - [Contact with friction](super::friction) and [rigid bodies and joints](super::rigid_bodies).
//! - [Circuits and relays](super::circuits): relations and laws of first-order systems.
//! - [Contact forces and energy](super::forces_and_energy), and [extending the library](super::extending).
//! - The examples `cam_follower`, `simple_pendulum_ed` and `nonlinear_relation` of the package
//!   `siconos-examples`.
