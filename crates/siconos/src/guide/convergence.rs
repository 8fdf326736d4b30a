//! Convergence problems: reports, statuses, and the usual causes in a model.
//!
//! A step ends with an error, or the run reaches its end but the motion looks wrong. This chapter explains
//! the messages, names the usual mistakes in models and how to find each of them, and lists the settings that
//! help.
//!
//! # An error, step by step
//!
//! The force of a stiff spring, $F = k q$ with $k$ = 1000 N/m, is given with the derivative 0.
//!
//! ```
//! use siconos::kernel::SimulationError;
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let spring = |derivative: Jacobian| {
//!         Lagrangian::new(vec![0.1], vec![0.0], array![1.0]).with_internal_force(
//!             |_, q, _, f| f[0] = 1000.0 * q[0],
//!             derivative,
//!             Jacobian::Zero, // with respect to the velocity
//!         )
//!     };
//!     let run = |derivative: Jacobian, h: f64| -> Result<_, siconos::Error> {
//!         let mut model = NonSmoothDynamicalSystem::new();
//!         model.add_named_system("spring", spring(derivative))?;
//!         let grid = TimeDiscretisation::uniform(0.0, 1.0, h)?;
//!         let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!         let mut state = simulation.initial_state(&model)?;
//!         let mut most = 0;
//!         let ended = simulation
//!             .run(&model, &mut state, |report, _| most = most.max(report.newton_iterations));
//!         Ok((ended, most, state.t))
//!     };
//!
//!     // 1. The step fails. The state is the state before the step.
//!     let (ended, _, t) = run(Jacobian::Zero, 0.1)?;
//!     assert!(matches!(
//!         ended,
//!         Err(SimulationError::NewtonNotConverged { iterations: 50, .. })
//!     ));
//!     assert_eq!(t, 0.0);
//!
//!     // 2. Shorter steps converge, but slowly: the derivative is wrong.
//!     let (ended, most, _) = run(Jacobian::Zero, 0.02)?;
//!     assert!(ended.is_ok() && most >= 8);
//!
//!     // 3. Compare the derivatives with finite differences.
//!     let wrong = spring(Jacobian::Zero).check_jacobians(0.0, &[0.1], &[0.0], 1e-6);
//!     assert!(
//!         wrong.is_err_and(
//!             |wrong| wrong.what == "derivative of F_int in q" && wrong.given == 0.0
//!         )
//!     );
//!
//!     // 4. With the right one, two iterations suffice for any step.
//!     let (ended, most, _) = run(Jacobian::Constant(array![[1000.0]]), 0.1)?;
//!     assert!(ended.is_ok() && most <= 2);
//!     Ok(())
//! }
//! ```
//!
//! The first error prints as
//!
//! ```text
//! step 1, t = 0: Newton's method did not converge: error 9.999999999999952e-1 after 50 iterations; use a
//! shorter step, or compare the derivatives with differences by `check_jacobians` of systems and
//! relations
//! ```
//!
//! and the mismatch as "entry (0, 0) of the Jacobian \`derivative of F_int in q\` is 0, finite differences
//! give 1000".
//!
//! After any error of [`step`](crate::kernel::simulation::TimeStepping::step) the state equals the state
//! before the step, bit for bit. The program can therefore save the state, change a setting, or take a
//! shorter step with [`step_to`](crate::kernel::simulation::TimeStepping::step_to).
//! [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping) shortens steps automatically.
//!
//! # What a report says
//!
//! A step without error returns a [`StepReport`](crate::kernel::simulation::StepReport):
//!
//! | field | look for |
//! |---|---|
//! | `is_converged` | `false`: the step did not reach its tolerances (only if the policy is to continue) |
//! | `solve.status`, `error` | status and error of the one-step problem |
//! | `newton_iterations`, `newton_error` | more than 5 iterations: a wrong derivative, or too long a step |
//! | `deepest_gap` | an overlap \[m\] that grows: too long a step, or contacts that are missing |
//! | `active` | contacts in the problem; empty although bodies touch: wrong sign of a gap |
//! | `energy` | work of forces, contacts, joints and of the scheme itself \[J\] |
//!
//! The status is one of [`Status`](crate::numerics::Status). It appears in the error "the one-step nonsmooth
//! problem did not converge: .. after 62 iterations, error 3e-7":
//!
//! | status | message | meaning | remedy |
//! |---|---|---|---|
//! | `Converged` | converged | the error is within the tolerance | |
//! | `AtRoundingLevel` | as exact as rounding allows | success: no double is better | |
//! | `MaxIterations`, `Stalled` | maximum number of iterations reached; stalled above the tolerance | above the tolerance, at the best point | other solver, shorter step, larger tolerance |
//! | `EffortSpent` | the effort allowed was spent | the budget of an automatic solver ended, or it was cancelled | larger [`EffortLimit`](crate::numerics::EffortLimit) |
//! | `NoSolution` | there is no solution | proven: constraints contradict each other | correct the model |
//! | `NotFound`, `RayTermination`, `Breakdown` | no solution found; .. | the search ended; a solution may exist | other solver, shorter step; check the model |
//!
//! # Steps that do not converge
//!
//! By default, a step that does not converge is an error.
//! [`OnNonConvergence`](crate::kernel::simulation::OnNonConvergence) selects what happens: `Fail`, `Warn` (a
//! `tracing` warning), or `Continue`. In the last two cases the run continues with the last iterate. One such
//! step in a pile of gravel is harmless; in a mechanism it is not. Count them:
//!
//! ```
//! use siconos::kernel::simulation::{NewtonSettings, OnNonConvergence};
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let spring = Lagrangian::new(vec![0.1], vec![0.0], array![1.0]).with_internal_force(
//! #     |_, q, _, f| f[0] = 1000.0 * q[0].sin(),
//! #     Jacobian::function(|_, q, _, j| j[[0, 0]] = 1000.0 * q[0].cos()),
//! #     Jacobian::Zero,
//! # );
//! # model.add_system(spring)?;
//! # let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.02)?;
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(grid)
//!     .newton(NewtonSettings { max_iterations: 1, ..NewtonSettings::default() }) // too few
//!     .on_non_convergence(OnNonConvergence::Continue)
//!     .build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let (mut unconverged, mut worst) = (0, 0.0_f64);
//! simulation.run(&model, &mut state, |report, _| {
//!     unconverged += usize::from(!report.is_converged);
//!     worst = worst.max(report.newton_error);
//! })?;
//! assert!(unconverged > 0 && worst > 1e-10 && worst < 1.0);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! [`NewtonSettings`](crate::kernel::simulation::NewtonSettings):
//!
//! | setting | default | change it if |
//! |---|---|---|
//! | `tolerance` | 1e-10 | Jacobians by differences do not reach it (an error of up to 1000 times the tolerance that no longer decreases is accepted), or drift must be smaller |
//! | `max_iterations` | 50 | hardly ever: if more iterations are needed, a derivative is wrong |
//! | `damping` | none | a nonlinear first-order system jumps between branches: `Backtracking` |
//! | `contact_jacobian` | at the end | one problem per step is wanted, as in many published simulations |
//! | `joint_reaction` | in the middle | results are compared with Siconos: `End`, order 1 |
//!
//! # Causes in the model
//!
//! ## Wrong sign or Jacobian of a relation
//!
//! A gap is positive if the bodies are apart, and negative in overlap. A body that falls through the floor
//! has a gap with the wrong sign, or no interaction. A wrong Jacobian often gives no error at all: the Newton
//! iteration converges to a motion in the wrong direction. The mistake shows in y. Here the sign of one entry
//! is wrong:
//!
//! ```
//! # use siconos::kernel::model::Relation;
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let wire = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[1] - 0.5 * q[0] * q[0])
//!     .with_jacobian(|_, q, j| {
//!         j[[0, 0]] = q[0]; // should be -q[0]
//!         j[[0, 1]] = 1.0;
//!     });
//! let wrong = Relation::from(wire.clone()).check_jacobians(0.0, &[0.3, 0.7], 1e-6);
//! assert!(wrong.is_err_and(|wrong| (wrong.row, wrong.column) == (0, 0)));
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let bead = LagrangianLinear::new(vec![0.5, 0.125], vec![0.0, 0.0], array![1.0, 1.0]);
//! let bead = model.add_system(bead.with_constant_external_force(vec![0.0, -9.81]))?;
//! let wire = model.add_interaction([bead], wire, EqualityCondition::new(1)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |report, _| assert!(report.is_converged))?;
//! assert!(state.y(wire, Level::Position)[0] < -1.0); // the bead has left its wire by metres
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! With [`Projection`](crate::kernel::integrator::Projection) the first step reports it: "positions cannot be
//! projected; constraints may contradict each other, or a Jacobian is wrong: \`check_jacobians\` of relations
//! compares it with differences".
//!
//! ## Overlap at the start
//!
//! Impulses stop bodies; they do not move them apart. An overlap at the start remains, and so does the
//! overlap of a contact that closes within a step.
//! [`initial_state`](crate::kernel::simulation::TimeStepping::initial_state) warns (`tracing`), and every
//! report has the deepest gap:
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![-0.01], vec![0.0], array![1.0]); // 1 cm below the floor
//! let ball = model.add_system(ball.with_constant_external_force(vec![-9.81]))?;
//! let floor = LagrangianLinearRelation::new(array![[1.0]]);
//! model.add_interaction([ball], floor, NewtonImpact::new(0.5)?)?;
//! let grid = || TimeDiscretisation::uniform(0.0, 0.1, 0.01);
//!
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid()?).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |report, _| {
//!     assert!(report.deepest_gap.is_some_and(|(_contact, gap)| gap == -0.01));
//! })?;
//! // Event-driven simulation rejects this initial state.
//! let mut simulation = EventDriven::builder(&model).discretisation(grid()?).build()?;
//! assert!(
//!     simulation
//!         .initial_state(&model)
//!         .is_err_and(|error| error.to_string().contains("is -1e-2"))
//! );
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! ## Joints that do not hold at the start
//!
//! If initial positions violate a joint, the violation remains; if initial velocities violate it, the
//! velocity jumps in the first step. In both cases, `initial_state` warns. With
//! [`strict(true)`](crate::kernel::simulation::TimeSteppingBuilder::strict), it returns an error: "joint pin
//! (#0@55) is violated at the start: component 0 of its equation is 1e-1; it must be 0". (`pin` is the name
//! from `add_named_interaction`; without names, the message contains only the id.)
//!
//! ## Constraints that contradict each other
//!
//! A cart is both pinned and driven. The problem has no solution, and the simulation names a relation:
//!
//! ```
//! use siconos::kernel::SimulationError;
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let cart = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]))?;
//! let pinned = LagrangianLinearRelation::new(array![[1.0]]);
//! let pin = model.add_interaction([cart], pinned, EqualityCondition::new(1)?)?;
//! let driven = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - 0.5 * at.t);
//! let motor = model.add_interaction([cart], driven, EqualityCondition::new(1)?)?;
//! # let grid = TimeDiscretisation::uniform(0.0, 0.1, 0.01)?;
//! # let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let ended = simulation.step(&model, &mut state).map(drop);
//! assert!(matches!(
//!     ended,
//!     Err(SimulationError::NotConverged { status: Status::NoSolution, .. })
//! ));
//! let named = simulation.contradiction().map(|relation| relation.interaction);
//! assert!(named == Some(pin) || named == Some(motor));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Contacts can contradict each other too: a body driven into a wall, or a body between walls that are closer
//! than it is thick. With large friction, even a problem without contradictions can have no solution or more
//! than one (the paradox of Painlevé). Try a smaller step or a smaller coefficient.
//!
//! ## Redundant joints
//!
//! A planar loop of spatial joints, or a joint that is added twice, has more equations than needed.
//! Time-stepping solves such a model, and the motion is right, but the forces of the single joints are not
//! unique. For example, one of two equal pins can carry the whole load. Only their sum is determined.
//! Event-driven simulation rejects such a model: "t = 0: the closed constraints are linearly dependent: ..;
//! remove the redundant constraints".
//!
//! ## Relative degree
//!
//! In first-order systems (circuits, controllers), the relative degree, that is, the order of the derivative
//! of y on which $\lambda$ acts, determines which integrator is suitable. The builder computes it, warns, and
//! lists mismatches in [`build_report`](crate::kernel::simulation::TimeStepping::build_report);
//! `strict(true)` makes them errors: "ThetaGamma on a system of relative degree 1 without a regular D: lambda
//! may jump, and with gamma or theta_r below 1 it then oscillates from step to step; use gamma = 1 and
//! theta_r = 1 (EulerMoreau), or MeasureEuler if the state jumps". A multiplier that alternates about its
//! mean in a sliding mode is reported by a warning and by
//! [`alternating_multipliers`](crate::kernel::simulation::TimeStepping::alternating_multipliers): set
//! theta to 1.
//!
//! ## Units
//!
//! Errors and tolerances of solvers and of the Newton iteration are relative, and do not depend on units. The
//! following values do:
//!
//! - the steps of finite differences, 6e-6 in the unit of the variable. For lengths in micrometres of a model
//!   in metres, give a Jacobian or
//!   [`with_difference_step`](crate::kernel::model::LagrangianScleronomousRelation::with_difference_step);
//! - the time scale for finite differences in time, 1 s by default:
//!   [`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale), for circuits in
//!   microseconds;
//! - the tolerances of [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings) (1e-10 m,
//!   1e-10 m/s, 1e-9 m/s²) and the absolute tolerances of adaptive steps and of smooth integration;
//! - an `activation_threshold` that you set.
//!
//! ## Values that are not finite
//!
//! "step 1, t = 0: component 0 of \`velocity\` of system balloon (#0@72) is NaN": a function of the model
//! returned NaN, for instance the root of a negative number, or the Newton iteration diverged until a
//! velocity overflowed (use a shorter step, or correct the derivatives). If a relation returns such a value,
//! the message names the interaction.
//!
//! # Output of `tracing`
//!
//! Warnings and details are events of the crate `tracing`. Without a subscriber they are lost. Add
//! `tracing-subscriber` with its feature `env-filter` to your `Cargo.toml`, call
//! `tracing_subscriber::fmt::init()` at the start of `main`, and select the level with the environment
//! variable `RUST_LOG` (without it, not even warnings are printed):
//!
//! ```text
//! $ RUST_LOG=warn cargo run --release
//! WARN siconos_kernel::..: bodies overlap at the start, and no impulse separates them
//!     contact=UnitaryRelation { interaction: floor (#0@3), block: 0 } gap=-0.01 contacts=1
//! $ RUST_LOG=siconos_kernel=trace,siconos_numerics=debug cargo run --release
//! DEBUG step{number=1 t=0.0}: siconos_numerics::cascade: one method of a cascade
//!     method="nonsmooth-gauss-seidel" why="one contact, solved exactly"
//!     status=converged error=0.0 effort=208.0
//! TRACE step{number=1 t=0.0}: siconos_kernel::..: solved members=2 status=converged iterations=1 error=0.0
//! TRACE step{number=1 t=0.0}: siconos_kernel::..: Newton iterations=1 error=0.3846153846153785 ..
//! ```
//!
//! | level | events |
//! |---|---|
//! | `WARN` | overlap and violated joints at the start, unsuitable schemes, unconverged steps under `Warn`, alternating multipliers, normalised quaternions |
//! | `DEBUG` | methods of a solver cascade with reason, status and cost; singular positions of loops; accumulations of impacts |
//! | `TRACE` | each one-step problem (members, status, iterations, error) and each Newton iteration, in a span with index and time of the step |
//!
//! # The motion looks wrong, and nothing is reported
//!
//! 1. Halve the step. The error must halve (order 1 through impacts); see [Integrator, step and
//!    tolerance](super::accuracy).
//! 2. Enable [`energy_balance`](crate::kernel::simulation::TimeSteppingBuilder::energy_balance), and look at
//!    the work of the scheme, of joints, and of contacts ([Contact forces and
//!    energy](super::forces_and_energy)).
//! 3. Look at y and the gaps: drift of joints, overlaps.
//! 4. Compare `report.active` with the contacts that you expect.
//! 5. Print the problem: [`one_step_matrix`](crate::kernel::simulation::TimeStepping::one_step_matrix),
//!    [`one_step_vector`](crate::kernel::simulation::TimeStepping::one_step_vector),
//!    [`free_velocity`](crate::kernel::simulation::TimeStepping::free_velocity). A zero row of the matrix is
//!    a contact that no reaction can move.
//!
//! # Next
//!
//! - [`siconos_numerics::guide`](crate::numerics::guide): the solver alone, with its trace.
//! - [`SimulationError`](crate::kernel::SimulationError): all errors of a step.
//! - [`analysis`](crate::kernel::analysis): relative degree, passivity and P property of a linear model.
