//! Convergence problems: reports, statuses, and the usual causes in a model.
//!
//! What can I do if a step ends with an error, or if a run ends without an error but the motion looks wrong?
//! This chapter explains the messages, shows how to find the usual mistakes in models, and lists the settings
//! that help.
//!
//! # An error, step by step
//!
//! In this program, the force of a stiff spring is $F = k q$ with $k$ = 1000 N/m. The derivative of the force
//! is first given as 0, which is wrong.
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
//!     // 1. The step fails. The state does not change.
//!     let (ended, _, t) = run(Jacobian::Zero, 0.1)?;
//!     assert!(matches!(
//!         ended,
//!         Err(SimulationError::NewtonNotConverged { iterations: 50, .. })
//!     ));
//!     assert_eq!(t, 0.0);
//!
//!     // 2. Shorter steps converge, but only slowly, because the derivative is wrong.
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
//!     // 4. With the correct derivative, two iterations suffice for any step length.
//!     let (ended, most, _) = run(Jacobian::Constant(array![[1000.0]]), 0.1)?;
//!     assert!(ended.is_ok() && most <= 2);
//!     Ok(())
//! }
//! ```
//!
//! The error of the first run is:
//!
//! ```text
//! step 1, t = 0: Newton's method did not converge: error 9.999999999999952e-1 after 50 iterations; use a
//! shorter step, or compare the derivatives with differences by `check_jacobians` of systems and
//! relations
//! ```
//!
//! The comparison with finite differences reports "entry (0, 0) of the Jacobian
//! \`derivative of F_int in q\` is 0, but finite differences give 1000".
//!
//! After an error of [`step`](crate::kernel::simulation::TimeStepping::step), the state is bit-identical to
//! the state before the step. The program can therefore save the state, change a setting, or take a shorter
//! step with [`step_to`](crate::kernel::simulation::TimeStepping::step_to).
//! [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping) shortens steps automatically.
//!
//! # Reading a report
//!
//! A step without an error returns a [`StepReport`](crate::kernel::simulation::StepReport). Look for these
//! signs of a problem:
//!
//! | field | content | sign of a problem |
//! |---|---|---|
//! | `is_converged` | `true` if the step reached its tolerances | `false`, which is possible only with the policies `Warn` and `Continue` |
//! | `solve.status`, `error` | status and error of the one-step problem | see the table below |
//! | `newton_iterations`, `newton_error` | number of Newton iterations, and their last error | more than 5 iterations: a derivative is wrong, or the step is too long |
//! | `deepest_gap` | smallest gap \[m\], negative if bodies overlap | an overlap that grows: the step is too long, or contacts are missing |
//! | `active` | contacts and joints in the one-step problem | no contact, although bodies touch: a gap has the wrong sign |
//! | `energy` | work of forces, contacts, joints and the integrator \[J\] | work that you do not expect |
//!
//! The [`Status`](crate::numerics::Status) also appears in the error of a step that fails: "the one-step
//! nonsmooth problem did not converge: .. after 62 iterations, error 3e-7". Each status has a message, which
//! the error contains in place of the two dots:
//!
//! | status | message | meaning | remedy |
//! |---|---|---|---|
//! | `Converged` | converged | the error is within the tolerance | |
//! | `AtRoundingLevel` | as exact as rounding allows | success: double precision does not permit a smaller error | |
//! | `MaxIterations`, `Stalled` | maximum number of iterations reached; stalled above the tolerance | even the best iterate has an error above the tolerance | other solver, shorter step, larger tolerance |
//! | `EffortSpent` | the effort allowed was spent | an automatic solver has spent its budget, or was cancelled | larger [`EffortLimit`](crate::numerics::EffortLimit) |
//! | `NoSolution` | there is no solution | the solver has proven that the constraints are inconsistent | correct the model |
//! | `NotFound`, `RayTermination`, `Breakdown` | no solution found; .. | the solver stopped, but a solution may exist | other solver, shorter step; check the model |
//!
//! # Steps that do not converge
//!
//! If a step does not converge, the policy
//! [`OnNonConvergence`](crate::kernel::simulation::OnNonConvergence) selects what happens. With `Fail`, the
//! default, the step returns an error. With `Warn`, the run continues with the last iterate, and a `tracing`
//! warning is emitted. With `Continue`, the run continues without a warning. In a pile of gravel, a single
//! step that does not converge is harmless; in a mechanism, it is not. This program counts the steps that do
//! not converge:
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
//! [`NewtonSettings`](crate::kernel::simulation::NewtonSettings) controls the Newton iteration:
//!
//! | setting | default | reason to change it |
//! |---|---|---|
//! | `tolerance` | 1e-10 | Reduce it if the drift of joints is too large. Increase it if the iteration cannot reach it because Jacobians are computed by finite differences. (If the error no longer decreases, an error of up to 1000 times the tolerance is accepted.) |
//! | `max_iterations` | 50 | Almost none: if more iterations are needed, a derivative is wrong. |
//! | `damping` | none | The iteration of a nonlinear first-order system jumps between branches of solutions. Use `Backtracking`. |
//! | `contact_jacobian` | at the end of the step | You want to solve a single one-step problem per step, as in many published simulations. Use `AtBeginning`. |
//! | `joint_reaction` | at the midpoint of the step | You compare results with Siconos. Use `End`, which has order 1. |
//!
//! # Causes in the model
//!
//! ## Wrong sign or Jacobian of a relation
//!
//! A gap is positive if the bodies are apart, and negative if they overlap. If a body falls through the
//! floor, its gap has the wrong sign, or the interaction is missing. A wrong Jacobian often gives no error,
//! because the Newton iteration converges to a motion in the wrong direction. To detect the mistake, look at
//! y. In this example, one entry of the Jacobian has the wrong sign:
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
//! assert!(state.y(wire, Level::Position)[0] < -1.0); // the bead is over 1 m below the wire
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! With a [`Projection`](crate::kernel::integrator::Projection), the first step fails with the error
//! "positions cannot be projected: component 0 of y of .. is ..; constraints may be inconsistent, or a
//! Jacobian may be wrong; check it with \`check_jacobians\` of relations".
//!
//! ## Overlap at the start
//!
//! Impulses stop bodies, but do not move them apart. An overlap at the start therefore remains. The overlap
//! of a contact that closes within a step remains as well.
//! [`initial_state`](crate::kernel::simulation::TimeStepping::initial_state) emits a `tracing` warning if
//! bodies overlap, and each report contains the deepest gap:
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
//! ## Joints that are violated at the start
//!
//! If the initial positions violate the equations of a joint, the violation remains. If the initial
//! velocities violate the equations, the velocities jump in the first step. In both cases, `initial_state`
//! emits a warning. With [`strict(true)`](crate::kernel::simulation::TimeSteppingBuilder::strict), it returns
//! an error instead: "interaction \`pin\` is a joint that is violated at the start: component 0 of its
//! equation is 1e-1; it must be 0". The name `pin` is set by `add_named_interaction`. If the joint has no
//! name, the error contains only its id.
//!
//! ## Inconsistent constraints
//!
//! In this example, a cart is both pinned and driven. The one-step problem has no solution, and
//! `contradiction` names one of the two relations:
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
//! let named = simulation.contradiction().and_then(|row| row.relation.interaction());
//! assert!(named == Some(pin) || named == Some(motor));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Contacts can contradict other constraints as well: for example, a motor drives a body into a wall, or the
//! distance between two walls is less than the thickness of the body between them. If the coefficient of
//! friction is large, even a problem without contradictions can have no solution or several solutions (the
//! Painlevé paradox). In this case, try a shorter step or a smaller coefficient.
//!
//! ## Redundant joints
//!
//! If spatial joints form a planar loop, or if a joint is added twice, there are more joint equations than
//! needed. Time-stepping solves such a model. The motion is correct, but the forces of single joints are not
//! unique. For example, if a body is held by two equal pins at the same point, one pin can carry the whole
//! load; only the sum of the two forces is determined. Event-driven simulation rejects such a model: "t = 0:
//! the closed constraints are linearly dependent: ..; remove the redundant constraints".
//!
//! ## Relative degree
//!
//! In first-order systems, such as circuits, the relative degree determines which integrator is suitable. It
//! is the number of times that y must be differentiated until $\lambda$ appears. If the integrator is not
//! suitable, `build` emits a warning, and
//! [`build_report`](crate::kernel::simulation::TimeStepping::build_report) lists the mismatch. With
//! `strict(true)`, a mismatch is an error: "ThetaGamma on a system of relative degree 1 without a regular D:
//! lambda may jump, and with gamma or theta_r below 1 it then oscillates from step to step; use gamma = 1 and
//! theta_r = 1 (EulerMoreau), or MeasureEuler if the state jumps".
//!
//! In a sliding mode, a multiplier can alternate about its mean from step to step. In this case, a warning is
//! emitted, and [`alternating_multipliers`](crate::kernel::simulation::TimeStepping::alternating_multipliers)
//! lists the interaction. Set theta to 1.
//!
//! ## Units
//!
//! Errors and tolerances of solvers and of the Newton iteration are relative, and do not depend on units. The
//! following values depend on units:
//!
//! - the step of finite differences, which is 6e-6 in the unit of the variable. If a model in metres contains
//!   lengths of micrometres, give the Jacobian, or set the step with
//!   [`with_difference_step`](crate::kernel::model::LagrangianScleronomousRelation::with_difference_step);
//! - the time scale for finite differences in time, which is 1 s by default. For circuits with time constants
//!   of microseconds, change it with
//!   [`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale);
//! - the tolerances of [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings) (1e-10 m,
//!   1e-10 m/s, 1e-9 m/s²);
//! - the absolute tolerances of adaptive steps and of smooth integration;
//! - an `activation_threshold` that you set.
//!
//! ## Values that are not finite
//!
//! The error "step 1, t = 0: component 0 of \`velocity\` of system \`balloon\` is NaN" has two possible
//! causes. A function of the model has returned NaN, for example as the square root of a negative number; or
//! the Newton iteration has diverged until a velocity overflowed. In the second case, use a shorter step, or
//! correct the derivatives. If a relation returns NaN, the error names the interaction.
//!
//! # Output of `tracing`
//!
//! The library emits warnings and details as events of the crate `tracing`. If you do not install a
//! subscriber, these events are lost. Add `tracing-subscriber` with its feature `env-filter` to your
//! `Cargo.toml`, call `tracing_subscriber::fmt::init()` at the start of `main`, and select the level with the
//! environment variable `RUST_LOG`. If the variable is not set, not even warnings are printed.
//!
//! ```text
//! $ RUST_LOG=warn cargo run --release
//! WARN siconos_kernel::..: bodies overlap at the start, and no impulse separates them
//!     contact=`floor` gap=-0.01 contacts=1
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
//! | `WARN` | overlaps and violated joints at the start; unsuitable integrators; steps that do not converge, with the policy `Warn`; alternating multipliers; quaternions that were normalised |
//! | `DEBUG` | methods of a solver cascade with reason, status and cost; singular configurations of loops; accumulations of impacts |
//! | `TRACE` | each one-step problem (members, status, iterations, error) and each Newton iteration, in a span with the index and the time of the step |
//!
//! # The motion looks wrong, but nothing is reported
//!
//! 1. Halve the step length. The error must become smaller by a factor of about 2 or more; see [integrator,
//!    step and tolerance](super::accuracy).
//! 2. Enable [`energy_balance`](crate::kernel::simulation::TimeSteppingBuilder::energy_balance), and look at
//!    the work of the integrator, of joints, and of contacts; see [contact forces and
//!    energy](super::forces_and_energy).
//! 3. Look at y to find drift of joints and overlaps of contacts.
//! 4. Compare `report.active` with the contacts that you expect.
//! 5. Print the one-step problem:
//!    [`one_step_matrix`](crate::kernel::simulation::TimeStepping::one_step_matrix),
//!    [`one_step_vector`](crate::kernel::simulation::TimeStepping::one_step_vector),
//!    [`free_velocity`](crate::kernel::simulation::TimeStepping::free_velocity). If a row of the matrix is
//!    zero, no reaction can change the velocity of the contact in this row.
//!
//! # Next
//!
//! - [`siconos_numerics::guide`](crate::numerics::guide): the solvers without a simulation, and their traces.
//! - [`SimulationError`](crate::kernel::SimulationError): all errors of a step.
//! - [`analysis`](crate::kernel::analysis): relative degree, passivity and P property of a linear model.
