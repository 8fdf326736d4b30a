//! Integrator, step and tolerance: orders, errors and how to check them.
//!
//! Which integrator, step length and tolerance does my model need, and what does an error of 1e-8 in a report
//! mean? A result has four errors, which are nearly independent of each other:
//!
//! | error | controlled by | size |
//! |---|---|---|
//! | discretisation in time | step length h, integrator | of order h or $h^2$; usually by far the largest error |
//! | one-step problem, that is, violation of the laws in a step | [`tolerance`](crate::kernel::simulation::TimeSteppingBuilder::tolerance) | relative, 1e-8 to 1e-12 |
//! | Newton iteration, that is, violation of the nonlinear equations in a step | [`NewtonSettings::tolerance`](crate::kernel::simulation::NewtonSettings) | relative, 1e-10 |
//! | overlaps of contacts, and drift of joints | h, [`Projection`](crate::kernel::integrator::Projection) | overlaps of up to h times the approach speed |
//!
//! # Checking by halving the step
//!
//! Simulate with h, h/2 and h/4, and compare the results at common times. If the error is $C h^p$, where p is
//! the order, the differences $d_1 = |q_h - q_{h/2}|$ and $d_2 = |q_{h/2} - q_{h/4}|$ satisfy
//! $d_1 / d_2 = 2^p$, and the error of the last run is about $d_2 / (2^p - 1)$. You do not need an exact
//! solution for this estimate. The program below nevertheless computes an accurate event-driven solution, to
//! show that the estimate is correct.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! type Positions = Result<Vec<f64>, siconos::Error>;
//!
//! /// Positions at 250 equally spaced times in 2 s.
//! fn positions(model: &NonSmoothDynamicalSystem, id: DynamicalSystemId, h: f64) -> Positions {
//!     let grid = TimeDiscretisation::uniform(0.0, 2.0, h)?;
//!     let mut simulation = TimeStepping::builder(model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(model)?;
//!     let (every, mut q) = ((0.008 / h).round() as usize, Vec::new());
//!     simulation.run(model, &mut state, |report, state| {
//!         if report.step % every == 0 {
//!             q.push(state.q(id)[0]);
//!         }
//!     })?;
//!     Ok(q)
//! }
//!
//! /// Positions at the same times, accurate to about 1e-12.
//! fn reference(model: &NonSmoothDynamicalSystem, id: DynamicalSystemId) -> Positions {
//!     let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.008)?;
//!     let mut simulation = EventDriven::builder(model).discretisation(grid).build()?;
//!     let (mut state, mut q) = (simulation.initial_state(model)?, Vec::new());
//!     simulation.run(model, &mut state, |report, state| {
//!         if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
//!             q.push(state.q(id)[0]);
//!         }
//!     })?;
//!     Ok(q)
//! }
//!
//! /// Mean absolute difference, which is the L1 norm of the difference divided by the duration.
//! fn difference(a: &[f64], b: &[f64]) -> f64 {
//!     a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / a.len() as f64
//! }
//!
//! fn main() -> Result<(), siconos::Error> {
//!     // Smooth motion: a pendulum of length 1 m is released at the angle 2 rad.
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let pendulum = Lagrangian::new(vec![2.0], vec![0.0], array![1.0]).with_internal_force(
//!         |_at, q, _v, f| f[0] = 9.81 * q[0].sin(),
//!         Jacobian::of_state(|_at, q, k| k[[0, 0]] = 9.81 * q[0].cos()),
//!         Jacobian::Zero,
//!     );
//!     let pendulum = model.add_system(pendulum)?;
//!     let [coarse, middle, fine] = [4e-3, 2e-3, 1e-3].map(|h| positions(&model, pendulum, h));
//!     let (coarse, middle, fine) = (coarse?, middle?, fine?);
//!     let (d1, d2) = (difference(&coarse, &middle), difference(&middle, &fine));
//!     assert!(((d1 / d2).log2() - 2.0).abs() < 0.01, "order 2");
//!     let error = difference(&fine, &reference(&model, pendulum)?);
//!     assert!((error / (d2 / 3.0) - 1.0).abs() < 0.01, "the estimate: 1e-6 rad");
//!
//!     // Motion with impacts: a ball bounces on a floor.
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
//!     let ball = model.add_system(ball.with_constant_external_force(vec![-9.81]))?;
//!     model.add_interaction(
//!         [ball],
//!         LagrangianLinearRelation::new(array![[1.0]]),
//!         NewtonImpact::new(0.8)?,
//!     )?;
//!     let exact = reference(&model, ball)?;
//!     let coarse = difference(&positions(&model, ball, 4e-3)?, &exact);
//!     let fine = difference(&positions(&model, ball, 1.25e-4)?, &exact);
//!     assert!((8.0..128.0).contains(&(coarse / fine)), "order 1: a step 32 times shorter");
//!     Ok(())
//! }
//! ```
//!
//! With impacts, the error also depends on the time of each impact within its step. The order is therefore 1
//! only on average: for the ball in the program, single ratios $d_1 / d_2$ vary between 0.7 and 7.5. Halve
//! the step several times, compare mean differences over time (L1 norm), and use the largest difference as
//! the error estimate. Do not compare velocities at single times near an impact.
//!
//! # Integrators
//!
//! | model | integrator | order | remarks |
//! |---|---|---|---|
//! | bodies with friction, joints or many impacts | [`MoreauJean`](crate::kernel::integrator::MoreauJean) (default) | 1 with impacts or lasting contact; 2 for smooth motion if theta = 1/2 | theta = 1 damps vibrations |
//! | bodies as above, without overlaps or drift | `MoreauJean` with [`Projection`](crate::kernel::integrator::Projection) | as above | `Projection::Combined` reduces the height of rebounds |
//! | few impacts, no friction, smooth forces | [`D1MinusLinear`](crate::kernel::integrator::D1MinusLinear) | 2 between impacts | explicit |
//! | vibration modes of strings and plates | [`ModalExact`](crate::kernel::integrator::ModalExact) | exact without contact | needs diagonal matrices and equal steps |
//! | linear systems, restitution at position level | [`SchatzmanPaoli`](crate::kernel::integrator::SchatzmanPaoli) | 1 | needs equal steps |
//! | no friction, exact impact times | [`EventDriven`](crate::kernel::simulation::EventDriven) | 5 or 8, tolerance 1e-12 | cost grows with the number of events |
//! | circuits, relays | [`EulerMoreau`](crate::kernel::integrator::EulerMoreau) (default) | 1 | see [circuits and relays](super::circuits) |
//! | circuits with continuous multipliers | [`ThetaGamma`](crate::kernel::integrator::ThetaGamma) | 2 | see [circuits and relays](super::circuits) |
//! | linear plants with sampled inputs | [`ZeroOrderHold`](crate::kernel::integrator::ZeroOrderHold) | exact if inputs are constant over each step | |
//!
//! If the mass depends on q, the order of `MoreauJean` is 1 for smooth motion as well. The module
//! [`integrator`](crate::kernel::integrator) describes all integrators. If an integrator does not support the
//! model, `build` returns an error.
//!
//! # An error of 1e-8
//!
//! [`StepReport::error`](crate::kernel::simulation::StepReport::error) is the error of the one-step problem.
//! This error is the violation of the laws, expressed as a velocity of the contacts (for first-order systems,
//! as an output y), and divided by the velocities without reactions. It is therefore dimensionless. For
//! example, a resting ball would gain 1 cm/s in a step of 1 ms if there were no floor, so an error of 1e-8 is
//! a velocity of 1e-10 m/s. The error of the one-step problem is neither the error of the positions nor the
//! error of the whole motion.
//!
//! Each set of connected bodies (an *island*) has its own one-step problem. The default tolerance depends on
//! the laws in the island:
//!
//! | laws | default tolerance |
//! |---|---|
//! | impacts without friction, complementarity | 1e-12 |
//! | these laws together with joints, equalities, springs, relays or normal cones | 1e-10 |
//! | friction, second-order cones | 1e-8 |
//! | friction together with joints, springs or other laws | 1e-10 |
//!
//! A single contact is solved up to rounding errors. In this example, a pile of three balls with friction
//! collapses. If the tolerance is reduced from 1e-4 to 1e-12, the height of the upper ball changes by less
//! than 1e-8 m. If the step is halved, the height changes by about 1e-6 m.
//!
//! ```
//! # use siconos::prelude::*;
//! let height = |h: f64, tolerance: f64| -> Result<f64, siconos::Error> {
//!     let (mut model, law) =
//!         (NonSmoothDynamicalSystem::new(), NewtonImpactFriction::in_space(0.0, 0.2)?);
//!     let mut balls: Vec<DynamicalSystemId> = Vec::new();
//!     for (x, z) in [(-0.1, 0.1), (0.1, 0.1), (0.0, 0.1 + 0.1 * 3.0_f64.sqrt())] {
//!         let ball = NewtonEuler::new(
//!             1.0,
//!             Inertia::of_ball(1.0, 0.1),
//!             [x, 0.0, z],
//!             Quaternion::IDENTITY,
//!         )
//!         .with_constant_external_force([0.0, 0.0, -9.81]);
//!         let ball = model.add_system(ball)?;
//!         let (rows, up) = (ContactRows::Friction, [0.0, 0.0, 1.0]);
//!         let floor = PointContact::of_ball_and_plane(rows, 0.1, [0.0; 3], up)?;
//!         model.add_interaction([ball], floor, law)?;
//!         for &other in &balls {
//!             model.add_interaction(
//!                 [other, ball],
//!                 PointContact::of_balls(rows, 0.1, 0.1)?,
//!                 law,
//!             )?;
//!         }
//!         balls.push(ball);
//!     }
//!     let grid = TimeDiscretisation::uniform(0.0, 0.16, h)?;
//!     let mut simulation =
//!         TimeStepping::builder(&model).discretisation(grid).tolerance(tolerance).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     simulation.run(&model, &mut state, |report, _| assert!(report.error <= tolerance))?;
//!     Ok(state.q(balls[2])[2])
//! };
//! let accurate = height(1e-3, 1e-12)?;
//! assert!((height(1e-3, 1e-4)? - accurate).abs() < 1e-8);
//! assert!((height(1e-3, 1e-8)? - accurate).abs() < 1e-12);
//! assert!((height(5e-4, 1e-12)? - accurate).abs() > 5e-7);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! Choose the step length first. If the solver takes most of the computing time, increase the tolerance. If
//! you compare single bodies in a pile, reduce the tolerance, because small differences grow in a pile. In a
//! large set of contacts, the error of each velocity is small compared with the velocities in the whole set,
//! but not necessarily compared with the velocity itself.
//!
//! # Adaptive steps
//!
//! [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping) keeps the error per step below a
//! tolerance. It takes long steps in smooth motion and short steps across impacts. For the bouncing ball
//! above, it solves about 130 one-step problems, and the result is more than ten times as accurate as the
//! result with 16 000 equal steps. It supports `MoreauJean` and the integrators for first-order systems.
//!
//! ```
//! # use siconos::kernel::prelude::{AdaptiveSettings, AdaptiveStepping};
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
//! # let ball = model.add_system(ball.with_constant_external_force(vec![-9.81]))?;
//! # model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.8)?)?;
//! # let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.05)?;
//! # let mut simulation = EventDriven::builder(&model).discretisation(grid.clone()).build()?;
//! # let (mut state, mut exact) = (simulation.initial_state(&model)?, Vec::new());
//! # simulation.run(&model, &mut state, |report, state| {
//! #     if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
//! #         exact.push((report.t, state.q(ball)[0]));
//! #     }
//! # })?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4))?;
//! let mut error = 0.0;
//! for &(t, exact) in &exact {
//!     adaptive.run(&mut simulation, &model, &mut state, t, |_, _, _| {})?;
//!     error += (state.q(ball)[0] - exact).abs() / 40.0;
//! }
//! let (taken, refused) = adaptive.steps();
//! assert!(taken + refused < 200 && error < 2e-5, "{taken} {refused} {error}");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/adaptive_steps.svg"))]
//!
//! *Error against computational work, for fixed and adaptive steps. The example `adaptive_steps` draws the
//! figure: `cargo run --release --package siconos-examples -- adaptive_steps`.*
//!
//! # Units
//!
//! Quantities in the library have no units, so you can use any consistent units. Solvers, relative degrees,
//! the Newton iteration and the detection of closed contacts do not depend on the units. The following
//! defaults are absolute values. They suit metres, seconds, and quantities of the order of 1:
//!
//! | setting | default |
//! |---|---|
//! | [`AdaptiveSettings`](crate::kernel::simulation::AdaptiveSettings): absolute tolerance, first step length, minimum step length | 1e-4, 1e-6 s, 1e-9 s |
//! | [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings): tolerances of gaps, velocities and accelerations | 1e-10 m, 1e-10 m/s, 1e-9 m/s2 |
//! | [`OdeSettings`](crate::ode::OdeSettings) of event-driven simulation: absolute tolerance, root tolerance | 1e-12, 1e-13 s |
//! | [`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale): time scale for finite differences in time | 1 s |
//! | [`Jacobian::FiniteDifference`](crate::kernel::model::Jacobian::FiniteDifference): step of finite differences | 6e-6 |
//!
//! # Pitfalls
//!
//! - A contact that closes within a step overlaps by up to h times its approach speed.
//!   [`deepest_gap`](crate::kernel::simulation::StepReport::deepest_gap) reports the deepest overlap. If the
//!   overlap grows from step to step, h is too long.
//! - If the duration is not a multiple of the step length,
//!   [`TimeDiscretisation::uniform`](crate::kernel::simulation::TimeDiscretisation::uniform) ends before the
//!   given end time. To compare runs with different h, end exactly at the given time: use
//!   [`uniform_until`](crate::kernel::simulation::TimeDiscretisation::uniform_until) or
//!   [`equal_steps`](crate::kernel::simulation::TimeDiscretisation::equal_steps).
//! - Some motions are sensitive to small errors. If a ball bounces on a vibrating table, each impact
//!   multiplies the error, so runs with h and h/2 differ completely after a few impacts. Compare such runs
//!   only from one impact to the next, or compare averages.
//! - A smaller tolerance does not correct a wrong derivative.
//!   [`check_jacobians`](crate::kernel::model::Lagrangian::check_jacobians) compares derivatives with finite
//!   differences.
//! - By default, a step that does not converge is an error. If you set
//!   [`OnNonConvergence::Continue`](crate::kernel::simulation::OnNonConvergence::Continue), check
//!   [`is_converged`](crate::kernel::simulation::StepReport::is_converged) in each report.
//!
//! # Next
//!
//! - [Contact forces and energy](super::forces_and_energy): the energy balance as a check.
//! - [Convergence problems](super::convergence): steps that fail, and motions that look wrong.
//! - The examples `adaptive_steps` and `work_precision` of the package `siconos-examples`.
