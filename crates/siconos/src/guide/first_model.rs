//! First model: a ball that bounces on a floor.
//!
//! How do I simulate a ball that bounces on a floor, and read its motion? This chapter describes the model
//! and the simulation, and shows how to read positions, velocities and contact forces.
//!
//! # The program
//!
//! The crate is not on crates.io yet. Add a checkout of the repository as a dependency:
//!
//! ```toml
//! [dependencies]
//! siconos = { path = "siconos-rs/crates/siconos" }
//! ```
//!
//! A ball of 0.5 kg is dropped from a height of 1 m. At each impact, the ball rebounds with e = 0.8 times its
//! impact speed; e is the coefficient of restitution. The time of the first impact is
//! $t_1 = \sqrt{2 h_0 / g}$ = 0.452 s, where $h_0$ \[m\] is the initial height and $g$ \[m/s2\] the
//! acceleration of gravity. Each flight lasts e times as long as the previous flight, so the ball comes to
//! rest at $t_1 (1 + e) / (1 - e)$ = 4.06 s.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, gravity) = (0.5, 9.81);
//!     // One coordinate, the height of the ball [m].
//!     // The arguments are the initial position, the initial velocity and the mass.
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass])
//!         .with_constant_external_force(vec![-mass * gravity]);
//!     // The gap between the ball and the floor is y = H q with H = 1.
//!     let gap = LagrangianLinearRelation::new(array![[1.0]]);
//!
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let ball = model.add_system(ball)?;
//!     let floor = model.add_interaction([ball], gap, NewtonImpact::new(0.8)?)?;
//!
//!     // Five seconds in steps of a millisecond.
//!     let grid = TimeDiscretisation::uniform(0.0, 5.0, 1e-3)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let mut impacts = Vec::new();
//!     while let Some(report) = simulation.step(&model, &mut state)? {
//!         // The impulse of the floor is positive at an impact and at rest.
//!         // The gap opens only after an impact.
//!         let opens = state.y(floor, Level::Velocity)[0] > 1e-9;
//!         if state.lambda(floor, Level::Velocity)[0] > 0.0 && opens {
//!             impacts.push((report.t, state.v(ball)[0]));
//!         }
//!     }
//!
//!     // The step length limits the accuracy of the time and the velocity of the first impact.
//!     let (t, v) = impacts[0];
//!     assert!((t - (2.0 / gravity).sqrt()).abs() < 2e-3);
//!     assert!((v - 0.8 * (2.0 * gravity).sqrt()).abs() < 2e-2);
//!     // At the end, the ball rests, and the floor carries its weight.
//!     assert!(state.v(ball)[0].abs() < 1e-9 && state.q(ball)[0].abs() < 5e-3);
//!     assert!((state.lambda(floor, Level::Acceleration)[0] - mass * gravity).abs() < 1e-9);
//!     Ok(())
//! }
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/bouncing_ball.svg"))]
//!
//! *The same ball with e = 0.9, in steps of 5 ms. The example `bouncing_ball` draws the figure:
//! `cargo run --release --package siconos-examples -- bouncing_ball`.*
//!
//! # Step by step
//!
//! 1. The *system* [`LagrangianLinear`](crate::kernel::model::LagrangianLinear) has the equation of motion
//!    $M \dot v + C v + K q = F_{ext}(t) + p$ with $\dot q = v$. The mass M is a matrix, or a vector that
//!    contains the diagonal of M. Damping C and stiffness K are optional. The reaction p is the sum of the
//!    forces of all interactions on the system. The library works with any consistent units; this guide uses
//!    metres, seconds and kilograms.
//! 2. The *relation* [`LagrangianLinearRelation`](crate::kernel::model::LagrangianLinearRelation) defines the
//!    gap $y = H q + b$ \[m\]. The *multiplier* $\lambda$ of the gap is the contact force, or the impulse of
//!    the contact; it contributes $H^T \lambda$ to the reaction. A positive gap means that the bodies are
//!    apart, and a positive multiplier pushes them apart.
//! 3. The *law* [`NewtonImpact`](crate::kernel::model::NewtonImpact) is a condition on y and $\lambda$. While
//!    the contact is closed, $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$, where $\dot y^-$ and
//!    $\dot y^+$ are the velocities of the gap at the beginning and at the end of the step. If $\lambda = 0$,
//!    the gap opens with at least e times the approach speed. If $\lambda > 0$, the gap opens with exactly e
//!    times the approach speed.
//! 4. The *model* [`NonSmoothDynamicalSystem`](crate::kernel::model::NonSmoothDynamicalSystem) owns systems
//!    and interactions. An *interaction* is a relation with a law. For each system, the model returns an id
//!    of the type `DynamicalSystemId`; for each interaction, it returns an `InteractionId`. All results are
//!    read with these ids, which are `Copy`.
//! 5. The *simulation* [`TimeStepping`](crate::kernel::simulation::TimeStepping) contains the time grid, the
//!    integrator and the solver. Only the time grid is required. The default integrator is
//!    [`MoreauJean`](crate::kernel::integrator::MoreauJean). The solver computes the multipliers from the
//!    *one-step problem*, which consists of the laws and the equations of motion of one step. The default
//!    solver depends on the laws in the model.
//! 6. The *state* [`State`](crate::kernel::State) contains all quantities that change: time, positions,
//!    velocities, gaps and multipliers. Clone the state if you want to return to it later.
//!
//! Time-stepping does not search for the time of an impact. In each step, it computes impulses such that the
//! velocities at the end of the step satisfy the laws. The computation is the same for one impact, for many
//! impacts, and at rest. The step with an impact ends between 0.5 and 1.5 step lengths after the true time of
//! the impact. For exact times, use [event-driven simulation](super::event_driven).
//!
//! # Reading the motion
//!
//! | expression | meaning after a step |
//! |---|---|
//! | `state.t` | time \[s\] |
//! | `state.q(ball)`, `state.v(ball)` | position \[m\] and velocity \[m/s\] |
//! | `state.acceleration(ball)` | mean acceleration over the step \[m/s2\] |
//! | `state.y(floor, Level::Position)` | gap \[m\] |
//! | `state.y(floor, Level::Velocity)` | velocity of the gap \[m/s\] |
//! | `state.lambda(floor, Level::Velocity)` | impulse of the contact over the step \[N s\] |
//! | `state.lambda(floor, Level::Acceleration)` | mean contact force over the step \[N\] |
//! | `state.impulse(ball)` | impulse of all interactions on the ball over the step, in the coordinates of the ball \[N s\] |
//! | `report.t`, `report.h`, `report.step` | time at the end \[s\], length \[s\] and index of the step |
//! | `report.active` | contacts and joints in the one-step problem |
//! | `report.deepest_gap` | smallest gap \[m\] and its contact; the gap is negative if bodies overlap |
//!
//! The functions of the state return slices, with one entry per coordinate of the system or per row of the
//! relation. [`run`](crate::kernel::simulation::TimeStepping::run) takes all remaining steps and calls a
//! closure after each of them, for example to record a trajectory. The closure is not called for the initial
//! state.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! // The coordinate q is the height of the centre. The radius is 0.1 m, so the gap is q - 0.1.
//! let ball = LagrangianLinear::new(vec![1.1], vec![0.0], array![0.5])
//!     .with_constant_external_force(vec![-0.5 * 9.81]);
//! let ball = model.add_system(ball)?;
//! let gap = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![-0.1]);
//! model.add_interaction([ball], gap, NewtonImpact::new(0.8)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 1.2, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut trajectory = vec![(state.t, state.q(ball)[0])];
//! simulation.run(&model, &mut state, |report, state| {
//!     trajectory.push((report.t, state.q(ball)[0]))
//! })?;
//! assert_eq!(trajectory.len(), 1201);
//! // After the first impact, the ball rises by e^2 times the height from which it fell.
//! let top = trajectory[500..].iter().map(|point| point.1).fold(0.0, f64::max);
//! assert!((top - (0.1 + 0.64)).abs() < 5e-3);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! To write trajectories to files, use the feature `io`; see [saving and resuming](super::saving).
//!
//! # More coordinates, more bodies
//!
//! A relation can involve several systems. Its vector q contains the coordinates of all these systems, in the
//! order in which `add_interaction` lists the systems. Each row of H defines a linear combination of the
//! coordinates. Two balls on a rail, with the coordinates $q_1$ and $q_2$ and radii of 0.05 m, have the gap
//! $y = q_2 - q_1 - 0.1$. If e = 1 and the masses are equal, the balls exchange their velocities at an
//! impact.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let first = model
//!     .add_named_system("first", LagrangianLinear::new(vec![0.0], vec![2.0], array![0.3]))?;
//! let second = model
//!     .add_named_system("second", LagrangianLinear::new(vec![0.5], vec![0.0], array![0.3]))?;
//! let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.1]);
//! model.add_named_interaction("contact", [first, second], gap, NewtonImpact::new(1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |_report, _state| {})?;
//! assert!(state.v(first)[0].abs() < 1e-12 && (state.v(second)[0] - 2.0).abs() < 1e-12);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Names are optional. Error messages show them, and `model.system_named("first")` returns the id of the
//! system with this name.
//!
//! The simulation owns neither the model nor the state, so you can change both between two steps. Change a
//! state with `set_position` and `set_velocity`. Change a model by adding or removing systems and
//! interactions. To continue beyond the end of the grid, set a new grid with
//! [`set_discretisation`](crate::kernel::simulation::TimeStepping::set_discretisation).
//!
//! # Pitfalls
//!
//! - *A resting ball is slightly below the floor.* Impulses change velocities, not positions. If a contact
//!   closes within a step, the bodies overlap by up to h times their approach speed, where h is the step
//!   length, and this overlap remains. A shorter step reduces the overlap.
//!   [`Projection`](crate::kernel::integrator::Projection) removes the overlap, and `report.deepest_gap`
//!   reports its size.
//! - *Impulse and force differ.* The multiplier at `Level::Velocity` is an impulse \[N s\]. At rest, the
//!   impulse is proportional to the step length; at an impact, it hardly depends on the step length. The
//!   multiplier at `Level::Acceleration` is this impulse divided by the step length. At rest, the quotient is
//!   the contact force \[N\]. At an impact, the quotient grows without bound as the step length decreases.
//! - *A grid can end early.* `uniform(0.0, 1.0, 0.3)` has three whole steps and ends at 0.9 s. Use
//!   [`uniform_until`](crate::kernel::simulation::TimeDiscretisation::uniform_until) to add a shorter last
//!   step that ends at the given time.
//! - *Shapes are checked when a system or an interaction is added* to the model. The coefficients of a law
//!   are checked when the law is created. The error names the array or coefficient and the expected shape or
//!   range.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! let ball = model.add_system(LagrangianLinear::new(
//!     vec![1.0, 0.0],
//!     vec![0.0; 2],
//!     array![0.5, 0.5],
//! ))?;
//! let gap = LagrangianLinearRelation::new(array![[1.0]]);
//! let error = model
//!     .add_interaction([ball], gap, NewtonImpact::new(0.8)?)
//!     .expect_err("two coordinates");
//! assert_eq!(error.to_string(), "`H` must be 1 x 2, not 1 x 1");
//! let error = NewtonImpact::new(1.2).expect_err("above 1");
//! assert_eq!(
//!     error.to_string(),
//!     "the coefficient of restitution must be between 0 and 1, not 1.2"
//! );
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! If a step does not converge, `step` returns an error and leaves the state unchanged; see
//! [convergence problems](super::convergence).
//!
//! # Next
//!
//! - [Relations and laws](super::relations_and_laws): moving obstacles, ropes, springs, and several contacts
//!   of one body.
//! - [Contact with friction](super::friction) and [rigid bodies and joints](super::rigid_bodies).
//! - [Integrator, step and tolerance](super::accuracy): the error of a simulation, and how to choose the step
//!   length h.
//! - The examples `bouncing_ball` and `column_of_beads` of the package `siconos-examples`.
