//! First model: a ball that bounces on a floor.
//!
//! This chapter shows how to describe a ball above a floor, simulate its motion, and read positions,
//! velocities and contact forces.
//!
//! # The program
//!
//! The crate is not on crates.io yet. Depend on a checkout of the repository:
//!
//! ```toml
//! [dependencies]
//! siconos = { path = "siconos-rs/crates/siconos" }
//! ```
//!
//! A ball of 0.5 kg is dropped from 1 m. Each impact returns the fraction e = 0.8 of its speed. The time of
//! the first impact is $t_1 = \sqrt{2 h_0 / g}$ = 0.452 s, where $h_0$ \[m\] is the initial height and $g$
//! \[m/s2\] the acceleration of gravity. Each flight is shorter than the previous one by the factor e, so the
//! ball comes to rest at $t_1 (1 + e) / (1 - e)$ = 4.06 s.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, gravity) = (0.5, 9.81);
//!     // One coordinate: the height of the ball [m]. Initial position, initial velocity, mass.
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass])
//!         .with_constant_external_force(vec![-mass * gravity]);
//!     // The gap between ball and floor is y = H q with H = 1.
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
//!         // The floor pushes at an impact and at rest. After an impact, the contact opens.
//!         let opens = state.y(floor, Level::Velocity)[0] > 1e-9;
//!         if state.lambda(floor, Level::Velocity)[0] > 0.0 && opens {
//!             impacts.push((report.t, state.v(ball)[0]));
//!         }
//!     }
//!
//!     // The first impact, to the accuracy of the step.
//!     let (t, v) = impacts[0];
//!     assert!((t - (2.0 / gravity).sqrt()).abs() < 2e-3);
//!     assert!((v - 0.8 * (2.0 * gravity).sqrt()).abs() < 2e-2);
//!     // At the end the ball rests, and the floor carries its weight.
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
//! 1. The *system* [`LagrangianLinear`](crate::kernel::model::LagrangianLinear) is
//!    $M \dot v + C v + K q = F_{ext}(t) + p$ with $\dot q = v$. The mass M is a matrix, or a vector that
//!    contains its diagonal. The reaction p comes from the interactions. Damping C and stiffness K are
//!    optional. The library works with any consistent units; this guide uses metres, seconds and kilograms.
//! 2. The *relation* [`LagrangianLinearRelation`](crate::kernel::model::LagrangianLinearRelation) is the gap
//!    $y = H q + b$ \[m\]. A positive gap means that the bodies are apart, and a positive multiplier
//!    $\lambda$ pushes them apart: $p = H^T \lambda$.
//! 3. The *law* [`NewtonImpact`](crate::kernel::model::NewtonImpact) connects y and $\lambda$. While the
//!    contact is closed, $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$: either the contact opens faster
//!    than the fraction e of the approach speed without a reaction, or $\lambda$ pushes so that it opens with
//!    exactly this fraction.
//! 4. The *model* [`NonSmoothDynamicalSystem`](crate::kernel::model::NonSmoothDynamicalSystem) owns systems
//!    and interactions. It returns an id for each of them. The ids are `Copy`, and all results are read with
//!    them. In the signatures of your functions, their types are `DynamicalSystemId` and `InteractionId`.
//! 5. The *simulation* [`TimeStepping`](crate::kernel::simulation::TimeStepping) owns the method. Only the
//!    time grid is required. The default integrator is [`MoreauJean`](crate::kernel::integrator::MoreauJean),
//!    and the solver of the contact problem follows from the laws of the model.
//! 6. The *state* [`State`](crate::kernel::State) contains all quantities that change: time, positions,
//!    velocities, gaps and multipliers. Clone it to return to it later.
//!
//! Time-stepping does not search for the time of an impact. Each step computes impulses such that the
//! velocities at its end satisfy the laws. One impact, many impacts and rest are therefore the same
//! computation. The step with an impact ends between half a step and one and a half steps after the true
//! time of the impact; see [event-driven simulation](super::event_driven) for exact times.
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
//! | `state.impulse(ball)` | sum of all reactions on the body over the step, in its coordinates \[N s\] |
//! | `report.t`, `report.h`, `report.step` | time \[s\], length \[s\] and index of the step |
//! | `report.active` | contacts and joints in the contact problem of the step |
//! | `report.deepest_gap` | smallest gap with its contact, negative if bodies overlap |
//!
//! Each of these quantities is a slice with one entry per coordinate or per row of the relation.
//! [`run`](crate::kernel::simulation::TimeStepping::run) takes all remaining steps and calls a closure after
//! each step, which is convenient for trajectories. It does not call the closure for the initial state.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! // The height of the centre of a ball with a radius of 0.1 m: the gap is y = q - 0.1.
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
//! // The ball rebounds to e^2 times the height of its fall.
//! let top = trajectory[500..].iter().map(|point| point.1).fold(0.0, f64::max);
//! assert!((top - (0.1 + 0.64)).abs() < 5e-3);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The feature `io` writes trajectories to files; see [saving and resuming](super::saving).
//!
//! # More coordinates, more bodies
//!
//! A relation refers to the coordinates of all its systems, concatenated in the order in which the systems
//! are listed. A row of H then selects and combines them. Two balls on a rail, with coordinates $q_1$ and
//! $q_2$ and radii of 0.05 m, have the gap $y = q_2 - q_1 - 0.1$. With e = 1 and equal masses, they exchange
//! their velocities.
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
//! Names are optional. Error messages show them, and `model.system_named("first")` finds the id again.
//!
//! The simulation owns neither the model nor the state, so both can change between two steps. Change a state
//! with `set_position` and `set_velocity`, and a model by adding and removing systems and interactions.
//! [`set_discretisation`](crate::kernel::simulation::TimeStepping::set_discretisation) continues a simulation
//! beyond the end of its grid.
//!
//! # Pitfalls
//!
//! - *A resting ball is slightly below zero.* Time-stepping stops bodies at velocity level. A contact that
//!   closes within a step therefore overlaps by up to h times its speed, and the overlap remains. A shorter
//!   step reduces the overlap, and [`Projection`](crate::kernel::integrator::Projection) removes it.
//!   `report.deepest_gap` shows its size.
//! - *Impulse and force differ.* `Level::Velocity` is an impulse \[N s\]. At rest, it is proportional to the
//!   step length; at an impact, it hardly depends on the step length. `Level::Acceleration` is the impulse
//!   divided by the step, which is a force \[N\] at rest and grows without bound at an impact as the step
//!   decreases.
//! - *A grid can end early.* `uniform(0.0, 1.0, 0.3)` has three whole steps and ends at 0.9 s. Use
//!   [`uniform_until`](crate::kernel::simulation::TimeDiscretisation::uniform_until) for a shorter last step
//!   that ends at the given time.
//! - *Shapes are checked when a system or interaction is added*, and values when it is created. The messages
//!   name the array and the expected value.
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
//! If a step does not converge, it returns an error, and the state is unchanged; see
//! [when it does not converge](super::convergence).
//!
//! # Next
//!
//! - [Relations and laws](super::relations_and_laws): gaps that move, ropes, springs, several contacts of one
//!   body.
//! - [Contact with friction](super::friction) and [rigid bodies and joints](super::rigid_bodies).
//! - [Integrator, step and tolerance](super::accuracy): the error of a step, and how to choose h.
//! - The examples `bouncing_ball` and `column_of_beads` of the package `siconos-examples`.
