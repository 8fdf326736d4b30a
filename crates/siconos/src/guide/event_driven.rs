//! Events and event-driven simulation: exact times of impacts.
//!
//! How do I get the exact times of impacts? Event-driven simulation locates impacts and take-offs as
//! accurately as it integrates the motion. This chapter also shows how to treat infinitely many impacts in a
//! finite time, and lists the models that need time-stepping instead.
//!
//! | | [`TimeStepping`](crate::prelude::TimeStepping) | [`EventDriven`](crate::prelude::EventDriven) |
//! |---|---|---|
//! | steps | between the points of a grid | from one event to the next |
//! | error of impact times | about one step length | tolerance of the integrator, 1e-12 by default |
//! | order between impacts | 2, or 1 during contact | 5 or 8, with adaptive steps |
//! | additional cost of an impact | none | root search, and restart of the integrator |
//! | accumulation of impacts | needs no special treatment | is treated according to a policy |
//! | friction | supported | **not supported** |
//! | rigid bodies, elastic contacts, springs as laws, relays in mechanics | supported | **not supported** |
//!
//! # A pendulum with a stop
//!
//! A pendulum of length L = 1 m is released from rest at the angle $q_0$ = 1.5 rad. A stop at the lowest
//! point keeps the angle q at or above 0. By conservation of energy, the pendulum reaches the stop with the
//! angular speed $\omega_1$, where $\omega_1^2 = 2 g (1 - \cos q_0) / L$. At each impact, it rebounds with
//! e = 0.8 times its angular speed, so the angular speed after impact n is $e^n \omega_1$.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (length, gravity, start, e) = (1.0, 9.81, 1.5_f64, 0.8_f64);
//!     // L^2 q'' + g L sin q = 0 for a mass of 1 kg.
//!     // The internal force is given with its derivatives with respect to q and v.
//!     let moment = gravity * length;
//!     let pendulum = Lagrangian::new(vec![start], vec![0.0], array![length * length])
//!         .with_internal_force(
//!             move |_at, q, _v, f| f[0] = moment * q[0].sin(),
//!             Jacobian::function(move |_at, q, _v, j| j[[0, 0]] = moment * q[0].cos()),
//!             Jacobian::Zero,
//!         );
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let pendulum = model.add_system(pendulum)?;
//!     let stop = LagrangianLinearRelation::new(array![[1.0]]);
//!     model.add_interaction([pendulum], stop, NewtonImpact::new(e)?)?;
//!
//!     // Output points every 0.1 s. They have no influence on the motion.
//!     let output = TimeDiscretisation::uniform(0.0, 8.0, 0.1)?;
//!     let mut simulation = EventDriven::builder(&model).discretisation(output).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let mut impacts = Vec::new();
//!     while let Some(report) = simulation.step(&model, &mut state)? {
//!         if !report.impacts.is_empty() {
//!             impacts.push((report.t, state.v_before(pendulum)[0], state.v(pendulum)[0]));
//!         }
//!     }
//!     let first = (2.0 * gravity / length * (1.0 - start.cos())).sqrt();
//!     assert_eq!(impacts.len(), 8);
//!     for (n, (_t, before, after)) in impacts.iter().enumerate() {
//!         let expected = first * e.powi(n as i32);
//!         assert!((before + expected).abs() < 1e-9 && (after - e * expected).abs() < 1e-9);
//!     }
//!     Ok(())
//! }
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/pendulum_with_stop_ed.svg"))]
//!
//! *This pendulum, and a double pendulum at a wall. The example `pendulum_with_stop_ed` draws the figure:
//! `cargo run --release --package siconos-examples -- pendulum_with_stop_ed`.*
//!
//! # Events and reports
//!
//! An event is an output point, an impact, a take-off, or an event that you have scheduled. Each step ends at
//! the next event. `report.events` lists the events at this time. Each event has a
//! [kind](crate::kernel::simulation::EventKind).
//!
//! | field or function | content |
//! |---|---|
//! | `report.t` | time of the event \[s\]; for an impact, the located root of the gap |
//! | `report.impacts` | contacts that closed with an impact |
//! | `report.closed` | lasting contacts, which stay closed after the event, and joints |
//! | `report.released` | lasting contacts that opened |
//! | `report.sides()` | the sides before and after the event if a velocity jumps; otherwise only the side after the event |
//! | `report.accumulation` | accumulation of impacts at this event |
//! | `state.v_before(id)`, `state.v(id)` | velocity before and after the event |
//! | `state.lambda(id, Level::Velocity)` | impulse of the impact at this event \[N s\]; 0 without impact |
//! | `state.lambda(id, Level::Acceleration)` | contact force after the event \[N\] |
//!
//! To record a trajectory at the output points, collect a row only if one of the events has the kind
//! `EventKind::TimeDiscretisation`. To show jumps as well, collect one row for each side of each event; see
//! the example of [`EventReport::sides`](crate::kernel::simulation::EventReport::sides).
//!
//! A lasting contact opens when its contact force would become negative. In this example, a particle starts
//! from rest at the angle $\theta_0$ from the top of a smooth dome and slides down. It leaves the dome at the
//! angle $\theta$ with $\cos \theta = \tfrac{2}{3} \cos \theta_0$.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (gravity, radius, start) = (9.81, 2.0, 0.1_f64);
//! let particle = LagrangianLinear::new(
//!     vec![radius * start.sin(), radius * start.cos()],
//!     vec![0.0; 2],
//!     array![1.0, 1.0],
//! )
//! .with_constant_external_force(vec![0.0, -gravity]);
//! // The gap is the distance from the centre minus the radius.
//! // Its derivatives are computed by finite differences.
//! let dome =
//!     LagrangianScleronomousRelation::new(1, move |_, q, y| y[0] = q[0].hypot(q[1]) - radius);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let particle = model.add_system(particle)?;
//! model.add_interaction([particle], dome, NewtonImpact::new(0.0)?)?;
//! let output = TimeDiscretisation::uniform(0.0, 2.0, 0.1)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(output).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut cosine = None;
//! simulation.run(&model, &mut state, |report, state| {
//!     if !report.released.is_empty() {
//!         cosine = Some(state.q(particle)[1] / radius);
//!     }
//! })?;
//! let cosine = cosine.expect("it leaves the dome");
//! assert!((cosine - 2.0 / 3.0 * start.cos()).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Accumulation of impacts
//!
//! A ball that bounces with e < 1 has infinitely many impacts before the time
//! $t^* = t_1 (1 + e) / (1 - e)$, where $t_1$ is the time of the first impact. The impacts accumulate at
//! $t^*$. The simulation detects an [accumulation](crate::kernel::simulation::AccumulationCriterion) if at
//! least eight consecutive impacts had shrinking intervals, and the estimated time until $t^*$ is at most
//! 1e-6 s. A policy determines how the simulation continues:
//!
//! | [`AccumulationPolicy`](crate::kernel::simulation::AccumulationPolicy) | effect |
//! |---|---|
//! | `Stick` (default) | The contact becomes a lasting contact. |
//! | `Stop` | The simulation ends. The report contains the estimated time of the accumulation. |
//! | `HandOver { h }` | The simulation takes time steps of length h or less to the next output point or user event. |
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, gravity, e) = (0.5, 9.81, 0.6);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass])
//!     .with_constant_external_force(vec![-mass * gravity]);
//! let ball = model.add_system(ball)?;
//! let gap = LagrangianLinearRelation::new(array![[1.0]]);
//! let floor = model.add_interaction([ball], gap, NewtonImpact::new(e)?)?;
//! let expected = (2.0 / gravity).sqrt() * (1.0 + e) / (1.0 - e);
//!
//! let output = TimeDiscretisation::uniform(0.0, 3.0, 0.1)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(output).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut accumulated = None;
//! simulation.run(&model, &mut state, |report, _| {
//!     if let Some(accumulation) = report.accumulation {
//!         accumulated = Some(accumulation.t);
//!     }
//! })?;
//! assert!((accumulated.expect("before 3 s") - expected).abs() < 1e-9);
//! // The ball rests, and the floor carries its weight.
//! assert_eq!((state.q(ball)[0], state.v(ball)[0]), (0.0, 0.0));
//! assert_eq!(state.closed(floor), [true]);
//! assert!((state.lambda(floor, Level::Acceleration)[0] - mass * gravity).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # User events
//!
//! If a force jumps at a given time, schedule a user event at this time, because event-driven simulation ends
//! a step exactly at the event. In this example, a thrust of 30 N lifts a load of 1 kg and is switched off at
//! 0.123 s. The thrust is a [parameter](crate::kernel::model::At) of the model, which the function of the
//! external force reads.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let thrust = model.add_parameter("thrust [N]", vec![30.0])?;
//! let load = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
//!     .with_external_force(move |at, f| f[0] = at[thrust][0] - 9.81);
//! let load = model.add_system(load)?;
//! let output = TimeDiscretisation::uniform(0.0, 0.5, 0.1)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(output).build()?;
//! let cut = simulation.events_mut().schedule(EventKind::Custom, 0.123)?;
//! let mut state = simulation.initial_state(&model)?;
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     if report.events.iter().any(|event| event.id() == Some(cut)) {
//!         state.set_parameter(thrust, &[0.0])?;
//!     }
//! }
//! let speed = (30.0 - 9.81) * 0.123;
//! assert!((state.v(load)[0] - (speed - 9.81 * (0.5 - 0.123))).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! [`TimeStepping`](crate::kernel::simulation::TimeStepping) also supports user events. It processes an event
//! at the end of the step that contains the time of the event. For periodic events, see [control
//! loops](super::control_loops).
//!
//! # Several simultaneous contacts
//!
//! With Newton's law, the impacts at all closed contacts are solved together, as one problem. For example, a
//! bead with velocity 1 hits two equal beads that touch each other. With e = 1, the velocities after the
//! impact are -1/3, 2/3 and 2/3.
//!
//! [`MultipleImpact`](crate::kernel::model::MultipleImpact), the law of Liu, Zhao and Brogliato, follows the
//! compression of each contact during the impact. Only event-driven simulation supports this law. With Hertz
//! contacts, it gives the velocities -0.07, 0.08 and 0.99 for the same beads, as in Newton's cradle.
//!
//! # Models that event-driven simulation does not support
//!
//! **Friction is not supported**, because changes between sticking and sliding are events that event-driven
//! simulation cannot locate. If a model contains friction or another feature from this table, `build` returns
//! an error that names the system or interaction and a remedy.
//!
//! | feature | remedy in the error |
//! |---|---|
//! | friction | use NewtonImpact, or TimeStepping with MoreauJean |
//! | elastic contact (relation with D) | drop D, or use TimeStepping with MoreauJean |
//! | rigid body | use TimeStepping with MoreauJean |
//! | `SpringDamper` | make it an internal force of one system, or use TimeStepping with MoreauJean |
//! | `Relay` in mechanics | use NewtonImpact or EqualityCondition |
//! | mechanical and first-order systems in one model | simulate them in separate models, or use TimeStepping |
//!
//! ```
//! # use siconos::ndarray::{Array2, array};
//! # use siconos::prelude::*;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let block = model.add_system(LagrangianLinear::new(
//!     vec![0.0; 2],
//!     vec![0.0; 2],
//!     array![1.0, 1.0],
//! ))?;
//! let rows = LagrangianLinearRelation::new(Array2::eye(2));
//! model.add_interaction([block], rows, NewtonImpactFriction::in_plane(0.5, 0.3)?)?;
//! let output = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
//! let error = EventDriven::builder(&model).discretisation(output).build();
//! let error = error.expect_err("friction").to_string();
//! assert!(error.ends_with(
//! "EventDriven does not support friction, whose sticking and sliding are events of their own; \
//!  use NewtonImpact, or TimeStepping with MoreauJean"
//! ));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Equality conditions of Lagrangian systems, such as rods and joints, are supported. Complementarity
//! conditions of first-order systems, such as circuits with diodes, are supported if their relative degree is
//! 0 or 1; see [circuits and relays](super::circuits). To locate events of smooth differential equations, use
//! [`siconos::ode`](crate::ode). If the events change discrete variables, use a
//! [hybrid system](super::hybrid_systems).
//!
//! **Dry friction with a known normal force** can be written as a complementarity condition. Let v be the
//! sliding velocity and F \[N\] the largest friction force. The friction force is $\lambda_2 - F$, where
//!
//! $$ 0 \le 2 F - \lambda_2 \perp \lambda_1 \ge 0, \qquad 0 \le v + \lambda_1 \perp \lambda_2 \ge 0. $$
//!
//! If v > 0, then $\lambda_2 = 0$ and the force is -F. If v < 0, then $\lambda_1 = -v$ and the force is F.
//! In this example, the simulation locates the time at which a sliding block comes to rest.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, limit, v0) = (2.0, 3.0, 1.5);
//! let mut model = NonSmoothDynamicalSystem::new();
//! // The state is (x, v); the constant source is -F / m.
//! let block = FirstOrderLinearTi::new(vec![0.0, v0], array![[0.0, 1.0], [0.0, 0.0]])
//!     .with_source(vec![0.0, -limit / mass]);
//! let block = model.add_system(block)?;
//! let friction = FirstOrderLinearRelation::new(
//!     array![[0.0, 0.0], [0.0, 1.0]],
//!     array![[0.0, 0.0], [0.0, 1.0 / mass]],
//! )
//! .with_d(array![[0.0, -1.0], [1.0, 0.0]])
//! .with_offset(vec![2.0 * limit, 0.0]);
//! model.add_interaction([block], friction, ComplementarityCondition::new(2)?)?;
//! let output = TimeDiscretisation::uniform(0.0, 2.0, 0.5)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(output).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut stop = None;
//! simulation.run(&model, &mut state, |report, state| {
//!     if stop.is_none() && state.x(block)[1].abs() < 1e-12 {
//!         stop = Some(report.t);
//!     }
//! })?;
//! assert!((stop.expect("it stops") - mass * v0 / limit).abs() < 1e-10);
//! assert!((state.x(block)[0] - 0.5 * mass * v0 * v0 / limit).abs() < 1e-10);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Settings and pitfalls
//!
//! [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings) contains the integrator, the
//! tolerances and the accumulation policy.
//!
//! - *Contact tolerances are absolute*: 1e-10 m for gaps and 1e-10 m/s for gap velocities. A model in
//!   millimetres needs different values.
//! - *Overlap at the start* is an error: "the gap of interaction .. is -1e-1; it must not be below zero by
//!   more than the tolerance".
//! - *If a force has a kink or jump in time*, the integrator rejects steps. Schedule an event at the time of
//!   the kink or jump.
//! - *If events at the same time never end*, the step fails with the error "t = ..: .. nonsmooth events
//!   occurred at the same time at one contact or constraint, and no consistent state was found; the solution
//!   slides, or events accumulate; use time-stepping".
//!
//! # Next
//!
//! - [Integrator, step and tolerance](super::accuracy): the errors of the integrators.
//! - [Hybrid systems](super::hybrid_systems) and [control loops](super::control_loops).
//! - The examples `bouncing_ball_ed`, `bead_column_ed`, `two_contacts_ed`, `simple_pendulum_ed` and
//!   `diode_bridge_ed` of the package `siconos-examples`.
