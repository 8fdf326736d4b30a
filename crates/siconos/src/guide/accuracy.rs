//! Integrator, step and tolerance: orders, errors and how to check them.
//!
//! This chapter explains which integrator, step length and tolerance a model needs, and what an error of 1e-8
//! in a report means. A result has four errors, which are nearly independent of each other:
//!
//! | error | controlled by | size |
//! |---|---|---|
//! | discretisation | step h, integrator | of order h or $h^2$; usually by far the largest |
//! | one-step problem: the laws of a step | [`tolerance`](crate::kernel::simulation::TimeSteppingBuilder::tolerance) | relative, 1e-8 to 1e-12 |
//! | Newton iteration: the equations of a step | [`NewtonSettings::tolerance`](crate::kernel::simulation::NewtonSettings) | relative, 1e-10 |
//! | positions: overlaps, drift of joints | h, [`Projection`](crate::kernel::integrator::Projection) | overlaps up to h times the velocity |
//!
//! # Checking by halving the step
//!
//! Simulate with h, h/2 and h/4, and compare the results at common times. If the error is $C h^p$, where p is
//! the order, the differences $d_1 = |q_h - q_{h/2}|$ and $d_2 = |q_{h/2} - q_{h/4}|$ satisfy
//! $d_1 / d_2 = 2^p$, and the error of the last run is about $d_2 / (2^p - 1)$. No exact solution is needed;
//! the program below uses an event-driven reference to show that the estimate is right.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! type Positions = Result<Vec<f64>, siconos::Error>;
//!
//! /// Positions at 250 times in 2 s.
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
//! /// The same positions, accurate to about 1e-12.
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
//! /// Mean difference: the L1 norm, divided by the duration.
//! fn difference(a: &[f64], b: &[f64]) -> f64 {
//!     a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / a.len() as f64
//! }
//!
//! fn main() -> Result<(), siconos::Error> {
//!     // Smooth: a pendulum of 1 m, released at 2 rad.
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
//!     // Nonsmooth: a ball that bounces.
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
//! With impacts, the order is 1 only on average, because the error depends on the position of each impact
//! within its step: single ratios $d_1 / d_2$ of this ball vary between 0.7 and 7.5. Halve the step several
//! times, compare means over time (the L1 norm), and take the largest difference as the error. Do not compare
//! velocities at single times near an impact.
//!
//! # Integrators
//!
//! | model | integrator | order | remarks |
//! |---|---|---|---|
//! | bodies, friction, joints, many impacts | [`MoreauJean`](crate::kernel::integrator::MoreauJean) (default) | 1 through impacts and in lasting contact; 2 on smooth arcs with theta = 1/2 | theta = 1 damps |
//! | the same, without overlaps or drift | `MoreauJean` with [`Projection`](crate::kernel::integrator::Projection) | the same | `Combined` shortens rebounds |
//! | few impacts, no friction, smooth forces | [`D1MinusLinear`](crate::kernel::integrator::D1MinusLinear) | 2 between impacts | explicit |
//! | modes of strings and plates | [`ModalExact`](crate::kernel::integrator::ModalExact) | exact between contacts | diagonal matrices, equal steps |
//! | linear systems, restitution of positions | [`SchatzmanPaoli`](crate::kernel::integrator::SchatzmanPaoli) | 1 | equal steps |
//! | no friction, exact impact times | [`EventDriven`](crate::kernel::simulation::EventDriven) | 5 or 8, tolerance 1e-12 | cost grows with the number of events |
//! | circuits, relays | [`EulerMoreau`](crate::kernel::integrator::EulerMoreau) (default), [`ThetaGamma`](crate::kernel::integrator::ThetaGamma) | 1, 2 | see [Circuits](super::circuits) |
//! | sampled linear plants | [`ZeroOrderHold`](crate::kernel::integrator::ZeroOrderHold) | exact with constant inputs | |
//!
//! The order of `MoreauJean` on smooth arcs is also 1 if the mass depends on q.
//! [`integrator`](crate::kernel::integrator) has all details. The builder rejects combinations that an
//! integrator does not support.
//!
//! # An error of 1e-8
//!
//! [`StepReport::error`](crate::kernel::simulation::StepReport::error) is the error of the one-step problem.
//! It is dimensionless: the violation of the laws, expressed as a velocity of the contacts (or as an output
//! y), relative to the velocities without reactions. In a step of 1 ms, a resting ball would gain 1 cm/s
//! without the floor, so an error of 1e-8 is a velocity of 1e-10 m/s. It is neither the error of the
//! positions nor the error of the whole motion.
//!
//! | laws of a set of connected bodies | default tolerance |
//! |---|---|
//! | impacts without friction, complementarity | 1e-12 |
//! | with joints, equalities, springs, relays, normal cones | 1e-10 |
//! | friction, second-order cones | 1e-8 |
//! | friction together with joints, springs or other laws | 1e-10 |
//!
//! Single contacts are solved up to rounding. In the example, a pile of three balls collapses under friction.
//! The height of the upper ball changes by less than 1e-8 m if the tolerance is lowered from 1e-4 to 1e-12,
//! but by $10^{-6}$ m if the step is halved:
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
//!                 PointContact::of_balls(rows, 0.1, 0.1),
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
//! Choose the step first. Loosen the tolerance if the solver dominates the time; tighten it for comparisons
//! of single bodies in piles, where small differences grow. In a large set of contacts, velocities are
//! accurate relative to the velocities of the whole set, not each relative to its own size.
//!
//! # Adaptive steps
//!
//! [`AdaptiveStepping`](crate::kernel::simulation::AdaptiveStepping) keeps the error per step below a
//! tolerance, with long steps on smooth arcs and short steps across impacts. It uses about 130 one-step
//! problems for the ball above, and the result is more than ten times as accurate as with 16 000 equal steps.
//! It needs `MoreauJean` or a scheme for first-order systems.
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
//! The library has no unit system; use any consistent units. Solvers, relative degrees, the Newton iteration
//! and the closing of contacts do not depend on units. The following defaults are absolute and assume metres,
//! seconds and quantities of the order of 1:
//!
//! | setting | default |
//! |---|---|
//! | [`AdaptiveSettings`](crate::kernel::simulation::AdaptiveSettings): absolute tolerance, first and minimum step | 1e-4, 1e-6 s, 1e-9 s |
//! | [`EventDrivenSettings`](crate::kernel::simulation::EventDrivenSettings): gap, velocity and acceleration tolerance | 1e-10 m, 1e-10 m/s, 1e-9 m/s2 |
//! | its [`OdeSettings`](crate::ode::OdeSettings): absolute tolerance, root tolerance | 1e-12, 1e-13 s |
//! | [`set_time_scale`](crate::kernel::model::NonSmoothDynamicalSystem::set_time_scale): differences in time | 1 s |
//! | [`Jacobian::FiniteDifference`](crate::kernel::model::Jacobian::FiniteDifference) | step 6e-6 |
//!
//! # Pitfalls
//!
//! - A contact that closes within a step overlaps by up to h times its velocity.
//!   [`deepest_gap`](crate::kernel::simulation::StepReport::deepest_gap) reports the deepest overlap; if it
//!   grows, h is too long.
//! - [`TimeDiscretisation::uniform`](crate::kernel::simulation::TimeDiscretisation::uniform) ends at the last
//!   grid point before the end. Use
//!   [`uniform_until`](crate::kernel::simulation::TimeDiscretisation::uniform_until) or
//!   [`equal_steps`](crate::kernel::simulation::TimeDiscretisation::equal_steps) to end exactly there, so
//!   runs with different h are comparable.
//! - Some motions are sensitive: a ball on a vibrating table multiplies any error by a factor at each impact,
//!   so runs with h and h/2 differ completely after some impacts. Compare such runs from one impact to the
//!   next, or compare averages.
//! - A smaller tolerance does not correct a wrong derivative.
//!   [`check_jacobians`](crate::kernel::model::Lagrangian::check_jacobians) compares derivatives with finite
//!   differences.
//! - A step that does not converge is an error by default. With
//!   [`OnNonConvergence::Continue`](crate::kernel::simulation::OnNonConvergence::Continue), check
//!   [`is_converged`](crate::kernel::simulation::StepReport::is_converged).
//!
//! # Next
//!
//! [Contact forces and energy](super::forces_and_energy) for the energy balance as a check; [When it does not
//! converge](super::convergence); the examples `adaptive_steps` and `work_precision`.
