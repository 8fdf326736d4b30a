//! Large models and threads: thousands of bodies and contacts.
//!
//! How do I simulate thousands of bodies and contacts? A model of ten thousand bodies is built in the same
//! way as a model of ten bodies. This chapter explains what determines the computing time of a step: the
//! number of contacts in the model, the size of connected groups of bodies, the storage of matrices, the
//! solver and its tolerance, the number of threads, and the output.
//!
//! # Many bodies
//!
//! In this program, a hundred spheres rest on a floor with friction, and a second sphere rests on each of
//! them.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, radius, g) = (1.0, 0.1, 9.81);
//!     let law = NewtonImpactFriction::in_space(0.0, 0.5)?;
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let mut floors = Vec::new();
//!     for k in 0..100 {
//!         let (x, y) = (0.3 * f64::from(k % 10), 0.3 * f64::from(k / 10));
//!         let sphere = |z: f64| {
//!             NewtonEuler::new(
//!                 mass,
//!                 Inertia::of_ball(mass, radius),
//!                 [x, y, z],
//!                 Quaternion::IDENTITY,
//!             )
//!             .with_constant_external_force([0.0, 0.0, -mass * g])
//!         };
//!         let lower = model.add_system(sphere(radius))?;
//!         let upper = model.add_system(sphere(3.0 * radius))?;
//!         let floor = PointContact::of_ball_and_plane(
//!             ContactRows::Friction,
//!             radius,
//!             [0.0; 3],
//!             [0.0, 0.0, 1.0],
//!         )?;
//!         floors.push(model.add_interaction([lower], floor, law)?);
//!         let balls = PointContact::of_balls(ContactRows::Friction, radius, radius)?;
//!         model.add_interaction([upper, lower], balls, law)?;
//!     }
//!
//!     let run = |threads: usize| -> Result<_, siconos::Error> {
//!         let mut simulation = TimeStepping::builder(&model)
//!             .discretisation(TimeDiscretisation::uniform(0.0, 0.02, 1e-3)?)
//!             .threads(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
//!             .build()?;
//!         let mut state = simulation.initial_state(&model)?;
//!         let mut iterations = 0;
//!         simulation.run(&model, &mut state, |report, _| {
//!             assert_eq!(report.active.len(), 200); // all contacts are closed
//!             iterations = iterations.max(report.newton_iterations);
//!         })?;
//!         assert!(iterations <= 3);
//!         Ok(state)
//!     };
//!     let state = run(1)?;
//!     let force: f64 =
//!         floors.iter().map(|&id| state.lambda(id, Level::Acceleration)[0]).sum();
//!     assert!((force - 200.0 * mass * g).abs() < 1e-6 * force);
//!
//!     // Two threads compute a bit-identical result.
//!     let other = run(2)?;
//!     assert!(model.systems().ids().all(|id| state.q(id) == other.q(id)));
//!     Ok(())
//! }
//! ```
//!
//! 1. [`add_system`](crate::kernel::model::NonSmoothDynamicalSystem::add_system) and
//!    [`add_interaction`](crate::kernel::model::NonSmoothDynamicalSystem::add_interaction) return ids. Keep
//!    the ids of the systems and interactions whose results you read.
//! 2. Bodies that are connected by closed contacts or joints form an *island*. Each island has its own
//!    one-step problem, solver and Newton iteration. In this example, there are a hundred islands with two
//!    contacts each, instead of one problem with 600 unknowns. A body does not affect the motion of a body in
//!    another island, not even in the last bit.
//! 3. With [`threads`](crate::kernel::simulation::TimeSteppingBuilder::threads), several threads share the
//!    work of a step: the motion without reactions, the relations, and, if the solver is automatic, the
//!    islands. The result is bit-identical for any number of threads.
//!
//! Threads save time in models of a few thousand systems or more. OpenBLAS is restricted to one thread,
//! because the dense matrices of a step are small. Do not set `OPENBLAS_NUM_THREADS` to a different value.
//!
//! # Adding and removing contacts
//!
//! The library has no collision detection. The model contains only the contacts that you have added. In every
//! step, the gap of every contact is evaluated, even if the contact is open. Ten thousand spheres have fifty
//! million pairs, so do not add a contact for each pair. Find nearby pairs with a grid or a tree, add their
//! contacts, and remove the contacts when the bodies are far apart. You can change the model between steps.
//! The cost of a change is proportional to the number of contacts that you add or remove. In this example, a
//! contact exists only while a ball could reach the floor in the next step:
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let mut balls = Vec::new();
//! for k in 0..50 {
//!     let ball = LagrangianLinear::new(vec![0.1 * f64::from(k + 1)], vec![0.0], array![1.0]);
//!     balls.push(model.add_system(ball.with_constant_external_force(vec![-9.81]))?);
//! }
//! let h = 2e-3;
//! let grid = || TimeDiscretisation::uniform(0.0, 0.5, h);
//! let floor = || LagrangianLinearRelation::new(array![[1.0]]);
//! let law = NewtonImpact::new(0.5)?;
//! let mut all = model.clone();
//!
//! let mut contacts: Vec<Option<InteractionId>> = vec![None; balls.len()];
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid()?).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut most = 0;
//! loop {
//!     for (&ball, contact) in balls.iter().zip(&mut contacts) {
//!         let (height, speed) = (state.q(ball)[0], state.v(ball)[0].abs());
//!         let is_near = height < 2.0 * h * (speed + 9.81 * h);
//!         match contact {
//!             None if is_near => *contact = Some(model.add_interaction([ball], floor(), law)?),
//!             Some(id) if !is_near => {
//!                 model.remove_interaction(*id)?;
//!                 *contact = None;
//!             }
//!             _ => {}
//!         }
//!     }
//!     most = most.max(model.interactions().len());
//!     if simulation.step(&model, &mut state)?.is_none() {
//!         break;
//!     }
//! }
//! assert!(most < 25); // of 50
//!
//! // If all contacts are in the model from the start, the motion is the same.
//! for id in all.systems().ids().collect::<Vec<_>>() {
//!     all.add_interaction([id], floor(), law)?;
//! }
//! let mut simulation = TimeStepping::builder(&all).discretisation(grid()?).build()?;
//! let mut whole = simulation.initial_state(&all)?;
//! simulation.run(&all, &mut whole, |_, _| {})?;
//! for (&ball, id) in balls.iter().zip(all.systems().ids()) {
//!     assert!((state.q(ball)[0] - whole.q(id)[0]).abs() < 1e-12);
//! }
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Add a contact early enough. If the bodies already overlap when the contact is added, the overlap remains.
//! In the column of this figure, the contact between two beads is added when the beads come near each other:
//!
#![cfg_attr(doc, doc = include_str!("../../figures/column_of_beads.svg"))]
//!
//! *Heights of ten beads that fall and come to rest as a stack. The example `column_of_beads` draws the
//! figure: `cargo run --release --package siconos-examples -- column_of_beads`.*
//!
//! # Storage of matrices
//!
//! With 2000 nodes, a dense mass or stiffness matrix has 4 million entries, but a tridiagonal matrix has only
//! 6000. Give each matrix as a [`Matrix`](crate::linalg::Matrix) in the storage format that suits it: use a
//! vector for a diagonal matrix, and [`Csc`](crate::linalg::Csc) (compressed columns) for a sparse matrix. If
//! the matrix H of a relation is sparse, only its nonzero entries cost time. In this example, an elastic bar
//! hits a wall. By conservation of momentum, the impulse of the wall equals the change in the momentum of the
//! bar.
//!
//! ```
//! # use siconos::linalg::Csc;
//! # use siconos::ndarray::Array1;
//! # use siconos::prelude::*;
//! // The bar consists of n masses of 1 g, connected by springs of 1e5 N/m. It moves towards the
//! // wall at 0.1 m/s.
//! let (n, m, k, v0) = (2000, 1e-3, 1e5, -0.1);
//! let springs =
//!     (1..n).flat_map(|i| [(i, i, k), (i - 1, i - 1, k), (i, i - 1, -k), (i - 1, i, -k)]);
//! let stiffness = Csc::from_triplets(n, n, springs)?; // entries with equal indices are summed
//! let bar = LagrangianLinear::new(
//!     Array1::zeros(n),
//!     Array1::from_elem(n, v0),
//!     Array1::from_elem(n, m),
//! );
//! let mut model = NonSmoothDynamicalSystem::new();
//! let bar = model.add_system(bar.with_stiffness(stiffness))?;
//! let first = Csc::from_triplets(1, n, [(0, 0, 1.0)])?;
//! let wall = model.add_interaction(
//!     [bar],
//!     LagrangianLinearRelation::new(first),
//!     NewtonImpact::new(0.0)?,
//! )?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 1e-2, 1e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut impulse = 0.0;
//! simulation.run(&model, &mut state, |_, state| {
//!     impulse += state.lambda(wall, Level::Velocity)[0]
//! })?;
//! let momentum = m * state.v(bar).iter().sum::<f64>();
//! assert!(impulse > 0.0 && (momentum - n as f64 * m * v0 - impulse).abs() < 1e-10);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! If many contacts act on one body, the Delassus matrix of the contacts is dense. In this case, automatic
//! solvers do not form the Delassus matrix; they solve for the velocities of the bodies instead. If you set a
//! solver with `solver`, the matrix is always formed.
//!
//! # Solver and tolerance
//!
//! In most large models, contacts with friction take most of the computing time. The default solver,
//! [`contact::Auto`](crate::numerics::contact::Auto), solves each island to an error of 1e-8, with a limit of
//! 1e10 operations per island (0.5 to 10 s). For animations and granular flow, a tolerance of 1e-3 to 1e-4 is
//! often sufficient, and the cost is much lower:
//!
//! | setting | effect |
//! |---|---|
//! | [`tolerance(1e-4)`](crate::kernel::simulation::TimeSteppingBuilder::tolerance) | sets the error of the one-step problem at which automatic solvers stop |
//! | [`AutoSettings::effort`](crate::numerics::contact::AutoSettings), `last_resorts: false` | limit the number of operations and disable the most expensive stage, for problems that may have no solution |
//! | [`NewtonSettings::tolerance`](crate::kernel::simulation::NewtonSettings) | sets the error at which the Newton iteration stops, 1e-10 by default |
//! | [`ContactJacobian::AtBeginning`](crate::kernel::simulation::ContactJacobian) | evaluates the Jacobians of contacts at the beginning of the step; if the systems are linear, each step then solves a single one-step problem |
//! | [`OnNonConvergence::Warn`](crate::kernel::simulation::OnNonConvergence) | continues with a warning if a step does not converge |
//!
//! ```
//! use siconos::kernel::simulation::{ContactJacobian, NewtonSettings, OnNonConvergence};
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let block = LagrangianLinear::new(vec![0.0, 0.0], vec![1.0, 0.0], array![1.0, 1.0])
//! #     .with_constant_external_force(vec![0.0, -9.81]);
//! # let block = model.add_system(block)?;
//! # let floor = LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
//! # model.add_interaction([block], floor, NewtonImpactFriction::in_plane(0.0, 0.2)?)?;
//! let contact_jacobian = ContactJacobian::AtBeginning;
//! let newton = NewtonSettings { contact_jacobian, ..NewtonSettings::default() };
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(TimeDiscretisation::uniform(0.0, 0.25, 1e-3)?)
//!     .tolerance(1e-4)
//!     .newton(newton)
//!     .on_non_convergence(OnNonConvergence::Warn)
//!     .build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut unconverged = 0;
//! simulation.run(&model, &mut state, |report, _| {
//!     unconverged += usize::from(!report.is_converged)
//! })?;
//! assert_eq!(unconverged, 0);
//! assert!((state.v(block)[0] - (1.0 - 0.2 * 9.81 * 0.25)).abs() < 1e-4);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! There is no setting for a time limit, because the results would then depend on the speed of the machine.
//! If your program needs a time limit, cancel the step from another thread. A cancelled step does not change
//! the state, so you can save the state afterwards:
//!
//! ```
//! use std::sync::Arc;
//!
//! use siconos::kernel::SimulationError;
//! use siconos::numerics::CancellationToken;
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let law = NewtonImpactFriction::in_plane(0.0, 0.3)?;
//! # let (normal, tangent) = ([0.0, 1.0, 0.0, 0.0, -1.0, 0.0], [1.0, 0.0, 0.5, -1.0, 0.0, 0.5]);
//! # let mut tower: Vec<siconos::kernel::model::DynamicalSystemId> = Vec::new();
//! # for k in 0..10 {
//! #     let (q, v) = (vec![0.0, f64::from(k), 0.0], vec![0.1, 0.0, 0.0]);
//! #     let block = LagrangianLinear::new(q, v, array![1.0, 1.0, 0.1]);
//! #     let block = model.add_system(block.with_constant_external_force(vec![0.0, -9.81, 0.0]))?;
//! #     for lever in [-0.5, 0.5] {
//! #         let (mut normal, offset) = (normal, if k == 0 { 0.0 } else { -1.0 });
//! #         (normal[2], normal[5]) = (lever, -lever);
//! #         let rows = siconos::ndarray::Array2::from_shape_fn((2, if k == 0 { 3 } else { 6 }), |(i, j)| {
//! #             if i == 0 { normal[j] } else { tangent[j] }
//! #         });
//! #         let relation = LagrangianLinearRelation::new(rows).with_offset(vec![offset, 0.0]);
//! #         model.add_interaction([block].into_iter().chain(tower.last().copied()), relation, law)?;
//! #     }
//! #     tower.push(block);
//! # }
//! # let grid = TimeDiscretisation::uniform(0.0, 0.25, 1e-3)?;
//! # let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! # let mut state = simulation.initial_state(&model)?;
//! let token = Arc::new(CancellationToken::default());
//! // A handler of Ctrl-C, or a timer, has a clone of the token and calls:
//! Arc::clone(&token).cancel();
//! let ended = token.run(|| simulation.step(&model, &mut state).map(drop));
//! assert!(matches!(
//!     ended,
//!     Err(SimulationError::NotConverged { status: Status::EffortSpent, .. })
//! ));
//! assert_eq!(state.t, 0.0);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Output
//!
//! - Read only the systems that you need, with `state.q(id)`, which returns a slice without copying. A clone
//!   of the state contains several vectors with all degrees of freedom, so do not keep a clone for each step.
//! - Write every N-th row with a [`TableWriter`](crate::io::trajectory::TableWriter), which needs only a
//!   bounded amount of memory. Save the state from time to time; see [saving and resuming](super::saving).
//! - Samples of sensors and actuators accumulate in memory. To turn their recording off, use
//!   [`ControlLoop::set_recording`](crate::control::ControlLoop::set_recording)`(false)`.
//! - For animations, use the module [`vtk`](crate::io::vtk), which writes points with fields.
//!
//! # Many runs
//!
//! The runs of a parameter study are independent. It is faster to compute several runs in parallel, each on
//! one thread, than to compute one run at a time on many threads:
//!
//! ```text
//! siconos-rs study cam_follower.toml --vary rpm=300:800:1 --jobs 8 --output speeds.csv
//! ```
//!
//! If a study is interrupted, repeat the command to resume it. On a cluster, `--shard 1/20` computes the
//! first of twenty parts. In a program, use [`ParameterStudy`](crate::io::study::ParameterStudy).
//!
//! # Costs to expect
//!
//! These times of one step were measured on one core of an AMD EPYC or Intel Xeon; see `docs/growth.md` in
//! the repository:
//!
//! | model | time |
//! |---|---|
//! | column of touching balls: 100 balls; 10 000 balls | 9 µs; 0.9 ms |
//! | elastic bar: 2000 elements, on the floor; 100 000 elements | 0.04 ms; 2.3 ms |
//! | slab on rollers with friction: 1000 rollers; 10 000 rollers | 0.8 ms; 9 ms |
//! | 100 000 balls in piles of ten: one thread; two threads | 15 ms; 11 ms |
//! | replacement of one of 10 000 contacts | 14 µs, in addition to the step |
//!
//! Compile with `--release`. If a step is much slower than these times, read its report. A large number of
//! Newton iterations indicates a wrong Jacobian; see [convergence problems](super::convergence). A large
//! number of solver iterations indicates a large island.
//!
//! # Pitfalls
//!
//! - Event-driven simulation stops at every impact. For many contacts, use time-stepping.
//! - If the floor is a *body*, all spheres on the floor belong to one island. Make the floor an obstacle
//!   instead: a contact with only one body, as above.
//! - The energy balance and finite-difference Jacobians need additional evaluations in every step.
//!
//! # Next
//!
//! - [`OneStepSolver`](crate::kernel::nonsmooth_problem::OneStepSolver): the solvers for each class of
//!   one-step problems.
//! - [`siconos_numerics::guide`](crate::numerics::guide): the solvers without a simulation.
//! - The examples `column_of_beads`, which adds contacts during the simulation, and `impacting_bar`, which is
//!   an elastic bar, of the package `siconos-examples`.
