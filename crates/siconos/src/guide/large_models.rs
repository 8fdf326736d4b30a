//! Large models and threads: thousands of bodies and contacts.
//!
//! A model of ten thousand bodies is built in the same way as a model of ten. This chapter explains what
//! determines the time of a step in a large model: the number of contacts in the model, the size of connected
//! groups, the storage of matrices, the solver and its tolerance, threads, and output.
//!
//! # Many bodies
//!
//! A hundred pairs of spheres rest on a floor with friction, one sphere on the other.
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
//!         let balls = PointContact::of_balls(ContactRows::Friction, radius, radius);
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
//!    the ids of the objects whose results you read.
//! 2. Bodies that are connected by closed contacts form an *island*. Each island has its own problem, solver
//!    and Newton iteration. In this example there are a hundred islands of two contacts instead of one
//!    problem of 600 unknowns. A body does not affect the motion of a body in another island, not even in the
//!    last bit.
//! 3. [`threads`](crate::kernel::simulation::TimeSteppingBuilder::threads) shares a step among threads: free
//!    motion, relations, and the islands of automatic solvers. The result is bit-identical for any number of
//!    threads.
//!
//! Threads pay off in models of a few thousand systems or more. OpenBLAS is restricted to one thread, because
//! the dense matrices of a step are small; do not set `OPENBLAS_NUM_THREADS` to a different value.
//!
//! # Contacts that come and go
//!
//! The library has no collision detection: the model contains the pairs that you have added. Each interaction
//! costs the evaluation of its gap in every step, open or not, and ten thousand spheres have fifty million
//! pairs. Find nearby pairs with a grid or a tree, add their contacts, and remove the contacts when the
//! bodies are far apart. The model can change between steps, and the cost of a change is proportional to its
//! size. Here a contact exists while a ball could reach the floor in the next step:
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
//! // All contacts from the start: the same motion.
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
//! Add a contact early enough: if bodies already overlap when it is added, the overlap remains. In the column
//! below, the contact of two beads is added when they come near each other:
//!
#![cfg_attr(doc, doc = include_str!("../../figures/column_of_beads.svg"))]
//!
//! *Heights of ten beads that fall and come to rest as a stack. The example `column_of_beads` draws the
//! figure: `cargo run --release --package siconos-examples -- column_of_beads`.*
//!
//! # Matrices in the right storage
//!
//! A dense mass or stiffness of 2000 nodes has 4 million entries, and a tridiagonal one 6000. Give matrices
//! as [`Matrix`](crate::linalg::Matrix) in the storage that suits them: a vector is a diagonal, and
//! [`Csc`](crate::linalg::Csc) holds compressed columns. A sparse row H of a relation costs only its nonzero
//! entries. The elastic bar below hits a wall; by conservation of momentum, the impulse of the wall equals
//! the change in momentum of the bar.
//!
//! ```
//! # use siconos::linalg::Csc;
//! # use siconos::ndarray::Array1;
//! # use siconos::prelude::*;
//! // n masses of 1 g in a row, connected by springs of 1e5 N/m, at 0.1 m/s towards the wall.
//! let (n, m, k, v0) = (2000, 1e-3, 1e5, -0.1);
//! let springs =
//!     (1..n).flat_map(|i| [(i, i, k), (i - 1, i - 1, k), (i, i - 1, -k), (i - 1, i, -k)]);
//! let stiffness = Csc::from_triplets(n, n, springs)?; // entries at one position are added
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
//! If many contacts act on one body, the Delassus matrix of the contacts is full. The library then does not
//! form it, and keeps the velocities of the bodies in the problem. Only automatic solvers do this: a solver
//! set with `solver` gets the matrix.
//!
//! # Solver and tolerance
//!
//! Contacts with friction that press on each other take most of the time. The default,
//! [`contact::Auto`](crate::numerics::contact::Auto), solves each island to an error of 1e-8 and is allowed
//! up to 1e10 operations on it (0.5 to 10 s). For animations and granular flow, 1e-3 to 1e-4 is often enough,
//! at a fraction of the cost:
//!
//! | setting | effect |
//! |---|---|
//! | [`tolerance(1e-4)`](crate::kernel::simulation::TimeSteppingBuilder::tolerance) | error of the one-step problem at which automatic solvers stop |
//! | [`AutoSettings::effort`](crate::numerics::contact::AutoSettings), `last_resorts: false` | a limit for problems that may not be solvable |
//! | [`NewtonSettings::tolerance`](crate::kernel::simulation::NewtonSettings) | error of the Newton iteration, 1e-10 by default |
//! | [`ContactJacobian::AtBeginning`](crate::kernel::simulation::ContactJacobian) | Jacobians of contacts at the start of the step: one problem per step if the systems are linear |
//! | [`OnNonConvergence::Warn`](crate::kernel::simulation::OnNonConvergence) | continue after a problem that is not solved, and report it |
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
//! There is no setting for a time limit, because two runs would then differ. A program that needs a time
//! limit can cancel the step from another thread. The state then remains at the beginning of the step and can
//! be saved:
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
//! - Read the systems of interest with `state.q(id)`: it returns a slice, without a copy. A clone of the
//!   state has several vectors over all degrees of freedom; do not keep one per step.
//! - Write every N-th row, with a [`TableWriter`](crate::io::trajectory::TableWriter) in bounded memory, and
//!   save the state from time to time ([Saving and resuming](super::saving)).
//! - [`ControlLoop::set_recording`](crate::control::ControlLoop::set_recording)`(false)` turns off the
//!   samples of sensors and actuators, which otherwise accumulate.
//! - For animations, [`vtk`](crate::io::vtk) writes points with fields.
//!
//! # Many runs
//!
//! Runs of a parameter study are independent. Compute them in parallel, each on one thread, rather than one
//! run on many threads:
//!
//! ```text
//! siconos-rs study cam_follower.toml --vary rpm=300:800:1 --jobs 8 --output speeds.csv
//! ```
//!
//! An interrupted study resumes with the same command. `--shard 1/20` computes the first of twenty parts, for
//! clusters. In a program: [`ParameterStudy`](crate::io::study::ParameterStudy).
//!
//! # Costs to expect
//!
//! Time of a step on one core of an AMD EPYC or Intel Xeon, from `docs/growth.md` in the repository:
//!
//! | model | time |
//! |---|---|
//! | column of 100 touching balls; of 10 000 | 9 µs; 0.9 ms |
//! | elastic bar of 2000 elements on the floor; of 100 000 | 0.04 ms; 2.3 ms |
//! | slab on 1000 rollers with friction; on 10 000 | 0.8 ms; 9 ms |
//! | 100 000 balls in piles of ten, one thread; two threads | 15 ms; 11 ms |
//! | one of 10 000 contacts exchanged | 14 µs in addition |
//!
//! Compile with `--release`. If one step is much slower than this, read its report: many Newton iterations
//! point to a wrong Jacobian ([Convergence problems](super::convergence)); many iterations of the solver to
//! one large island.
//!
//! # Pitfalls
//!
//! - Event-driven simulation stops at every impact. For many contacts, use time-stepping.
//! - A sphere in contact with a floor that is a *body* connects all spheres into one island. Make the floor
//!   an obstacle: a contact of one body, as above.
//! - The energy balance, and relations without a Jacobian, cost evaluations in every step.
//!
//! # Next
//!
//! - [`OneStepSolver`](crate::kernel::nonsmooth_problem::OneStepSolver): which solver is used for which
//!   problem.
//! - [`siconos_numerics::guide`](crate::numerics::guide): the solvers alone.
//! - The example `column_of_beads` adds contacts during the simulation; `impacting_bar` is the elastic bar.
