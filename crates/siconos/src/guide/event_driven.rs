//! Events and event-driven simulation: exact times of impacts.
//!
//! This chapter shows how to locate impacts and take-offs to the accuracy of the integrator, how to treat
//! infinitely many impacts in a finite time, and which models need time-stepping instead.
//!
//! | | [`TimeStepping`](crate::prelude::TimeStepping) | [`EventDriven`](crate::prelude::EventDriven) |
//! |---|---|---|
//! | steps | of the grid | from event to event |
//! | impact times | to one step | to the tolerance, 1e-12 by default |
//! | order on smooth arcs | 2, or 1 in contact | 5 or 8, adaptive steps |
//! | cost of an impact | none | a root search and a restart |
//! | accumulations of impacts | no special treatment | a policy |
//! | friction | yes | **no** |
//! | rigid bodies, elastic contacts, springs as laws, relays of joints | yes | **no** |
//!
//! # A pendulum with a stop
//!
//! A pendulum of length L = 1 m is released at $q_0$ = 1.5 rad and hits a stop at its lowest point,
//! $q \ge 0$. By conservation of energy, it arrives with the angular velocity $\omega_1$, where
//! $\omega_1^2 = 2 g (1 - \cos q_0) / L$. Each impact leaves the fraction e = 0.8 of the angular velocity, so
//! the angular velocity after impact n is $e^n \omega_1$.
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
//! A step ends at the next event: an output point, an impact or take-off, or an event that the user has
//! scheduled. `report.events` lists the events at this time with their
//! [kind](crate::kernel::simulation::EventKind).
//!
//! | field or function | content |
//! |---|---|
//! | `report.t` | time \[s\]; for an impact, the located root |
//! | `report.impacts` | contacts that closed with an impact |
//! | `report.released` | lasting contacts that opened |
//! | `report.closed` | lasting contacts and joints |
//! | `report.sides()` | both sides of the event if a velocity jumps, otherwise only the side after it |
//! | `report.accumulation` | accumulation of impacts at this event |
//! | `state.v_before(id)`, `state.v(id)` | velocity before and after the event |
//! | `state.lambda(id, Level::Velocity)` | impulse of the impact at this event, otherwise 0 \[N s\] |
//! | `state.lambda(id, Level::Acceleration)` | contact force after the event \[N\] |
//!
//! To record a trajectory, collect rows only at the output points, at which one of the events has the kind
//! `EventKind::TimeDiscretisation`. To show the jumps as well, collect one row for each side of each event
//! ([`EventReport::sides`](crate::kernel::simulation::EventReport::sides) has an example).
//!
//! A lasting contact opens when its force would become negative. A particle slides from rest at the angle
//! $\theta_0$ from the top of a smooth dome, and leaves it at $\cos \theta = \tfrac{2}{3} \cos \theta_0$:
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
//! A ball that bounces with e < 1 has infinitely many impacts before $t^* = t_1 (1 + e) / (1 - e)$, where
//! $t_1$ is the time of the first impact. At least eight impacts at shrinking intervals count as an
//! [accumulation](crate::kernel::simulation::AccumulationCriterion) if the estimated time until the
//! accumulation is at most 1e-6 s. A policy determines what happens next:
//!
//! | [`AccumulationPolicy`](crate::kernel::simulation::AccumulationPolicy) | effect |
//! |---|---|
//! | `Stick` (default) | the contact is closed, and lasts from then on |
//! | `Stop` | the simulation ends; the report contains the estimated time |
//! | `HandOver { h }` | time steps of at most h to the next output point or user event |
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
//! A force that changes at a given time should change at an event, because event-driven simulation ends a
//! step exactly there. The value of the force is a [parameter](crate::kernel::model::At) of the model, which
//! functions of the model can read. A thrust of 30 N lifts a load of 1 kg and is cut at 0.123 s:
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
//! [`TimeStepping`](crate::kernel::simulation::TimeStepping) has the same events; there, an event takes place
//! at the end of the step that contains it. Periodic events are the topic of [control
//! loops](super::control_loops).
//!
//! # Several simultaneous contacts
//!
//! Newton's law treats simultaneous impacts at all closed contacts in one problem. If a bead with velocity 1
//! hits two equal beads that touch each other, and e = 1, the velocities after the impact are -1/3, 2/3 and
//! 2/3. [`MultipleImpact`](crate::kernel::model::MultipleImpact), the law of Liu, Zhao and Brogliato, follows
//! the compression of each contact instead, and is available in event-driven simulation only. With Hertz
//! contacts, the velocities are -0.07, 0.08 and 0.99, as in Newton's cradle.
//!
//! # Model parts that event-driven simulation does not support
//!
//! **Friction is not supported:** the transitions between sticking and sliding would be events of their own,
//! and are not implemented. The other model parts in the table are not supported either. For such a model,
//! `build` returns an error that names the interaction and a remedy:
//!
//! | model part | remedy in the message |
//! |---|---|
//! | friction | use NewtonImpact, or TimeStepping with MoreauJean |
//! | elastic contact (relation with D) | drop D, or use TimeStepping with MoreauJean |
//! | rigid body | use TimeStepping with MoreauJean |
//! | `SpringDamper` | make it an internal force of one system, or use TimeStepping with MoreauJean |
//! | `Relay` in mechanics | use NewtonImpact or EqualityCondition |
//! | mechanics with first-order systems | simulate them in separate models, or use TimeStepping |
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
//! Equality conditions, such as a rod or a joint of Lagrangian systems, are supported, and so are
//! complementarity conditions of relative degree 0 or 1 of first-order systems, such as circuits with diodes;
//! see [circuits and relays](super::circuits). Events of smooth equations are the topic of
//! [`siconos::ode`](crate::ode), and events with discrete variables of
//! [hybrid systems](super::hybrid_systems).
//!
//! **Dry friction with a known normal force** is a complementarity condition. With the limit F \[N\], write
//! the friction force as $\lambda_2 - F$ with
//!
//! $$ 0 \le 2 F - \lambda_2 \perp \lambda_1 \ge 0, \qquad 0 \le v + \lambda_1 \perp \lambda_2 \ge 0. $$
//!
//! If v > 0, then $\lambda_2 = 0$ and the force is -F. If v < 0, then $\lambda_1 = -v$ and the force is F.
//! A block that slides to rest stops at the located time:
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
//! - *A force with a kink or jump in time* makes the integrator reject steps. Schedule an event at the time
//!   of the kink or jump.
//! - *An endless loop of events at one time* is an error: "nonsmooth events at the same contact or constraint
//!   without the time moving on". Time-stepping can compute such a motion.
//!
//! # Next
//!
//! - [Integrator, step and tolerance](super::accuracy) compares the errors of both methods.
//! - [Hybrid systems](super::hybrid_systems) and [control loops](super::control_loops).
//! - The examples `bouncing_ball_ed`, `bead_column_ed`, `two_contacts_ed`, `simple_pendulum_ed` and
//!   `diode_bridge_ed` of the package `siconos-examples`.
