//! Contact with friction: sticking, sliding, rolling and cohesion.
//!
//! This chapter shows how to model a block that sticks and slides on a slope, a sphere that rolls to rest,
//! and a contact that holds a tension. All of them are one law,
//! [`NewtonImpactFriction`](crate::kernel::model::NewtonImpactFriction): Newton's law of impact with Coulomb
//! friction.
//!
//! # A block on a slope
//!
//! A block slides up a slope of angle $\alpha$ \[rad\] with the initial speed $v_0$ \[m/s\]. It decelerates
//! by $g (\sin \alpha + \mu \cos \alpha)$ and stops. If the coefficient of friction $\mu$ is below
//! $\tan \alpha$, the block slides down again with the acceleration $g (\sin \alpha - \mu \cos \alpha)$.
//! Otherwise the block sticks, and the friction force is $m g \sin \alpha$, less than the limit
//! $\mu m g \cos \alpha$.
//!
//! ```
//! use siconos::ndarray::{Array2, array};
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, gravity, v0, t_end) = (2.0, 9.81, 2.0, 1.0);
//!     let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
//!     for mu in [0.3, 0.5] {
//!         // Coordinates: normal to the slope, and along it, downhill.
//!         let block =
//!             LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, -v0], array![mass, mass])
//!                 .with_constant_external_force(vec![
//!                     -mass * gravity * cosine,
//!                     mass * gravity * sine,
//!                 ]);
//!         let mut model = NonSmoothDynamicalSystem::new();
//!         let block = model.add_system(block)?;
//!         // Two rows: the gap, and the displacement along the tangent.
//!         let rows = LagrangianLinearRelation::new(Array2::eye(2));
//!         let law = NewtonImpactFriction::in_plane(0.0, mu)?;
//!         let contact = model.add_interaction([block], rows, law)?;
//!
//!         let grid = TimeDiscretisation::uniform(0.0, t_end, 1e-3)?;
//!         let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!         let mut state = simulation.initial_state(&model)?;
//!         simulation.run(&model, &mut state, |_, _| {})?;
//!
//!         // Closed form: up to the turning point at t = t1, then down or at rest.
//!         let [up, down] = [1.0, -1.0].map(|sign| gravity * (sine + sign * mu * cosine));
//!         let t1 = v0 / up;
//!         let acceleration = down.max(0.0);
//!         let position = -0.5 * v0 * t1 + 0.5 * acceleration * (t_end - t1).powi(2);
//!         assert!((state.q(block)[1] - position).abs() < 1e-3, "mu = {mu}");
//!         assert!(
//!             (state.v(block)[1] - acceleration * (t_end - t1)).abs() < 1e-2,
//!             "mu = {mu}"
//!         );
//!
//!         // The forces: normal, and along the tangent (downhill is positive).
//!         let force = state.lambda(contact, Level::Acceleration);
//!         let limit = mu * mass * gravity * cosine;
//!         assert!((force[0] - mass * gravity * cosine).abs() < 1e-6);
//!         assert!((force[1] + limit.min(mass * gravity * sine)).abs() < 1e-6, "mu = {mu}");
//!     }
//!     Ok(())
//! }
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/block_on_slope.svg"))]
//!
//! *Three blocks on a plate that is tilted slowly. The example `block_on_slope` draws the figure:
//! `cargo run --release --package siconos-examples -- block_on_slope`.*
//!
//! # The law
//!
//! The components of y are the gap and the displacements along the tangents. The law uses only the rates of
//! the displacements, which are the sliding velocities relative to the obstacle. While the gap is closed, the
//! impulses $\lambda_N$ and $\lambda_T$ and the sliding velocity $u_T$ satisfy
//!
//! $$ 0 \le \dot y_N^+ + e \dot y_N^- \perp \lambda_N \ge 0, \qquad
//!    \lVert \lambda_T \rVert \le \mu \lambda_N, \qquad
//!    u_T \ne 0 \Rightarrow \lambda_T = -\mu \lambda_N u_T / \lVert u_T \rVert. $$
//!
//! As plain text: normal velocity and normal impulse are complementary; the length of the tangential impulse
//! is at most mu times the normal impulse; if the contact slides, the tangential impulse has this length and
//! is opposite to the velocity. Static and kinetic friction have the same coefficient. A contact that sticks
//! has the velocity zero, up to the tolerance of the solver. No stiffness is involved, so a block at rest
//! does not creep. To distinguish sticking from sliding, compare forces: $\lVert \lambda_T \rVert$ equals
//! $\mu \lambda_N$ up to rounding while the contact slides, and is smaller while it sticks.
//!
//! | constructor | rows | [`ContactRows`](crate::kernel::model::ContactRows) of rigid bodies |
//! |---|---|---|
//! | `in_plane(e, mu)?` | N, T | `InPlane { axis }` |
//! | `in_space(e, mu)?` | N, T1, T2 | `Friction` |
//! | `in_plane(e, mu)?.with_rolling(mu_r)?` | N, T, R | `RollingInPlane { axis }` |
//! | `in_space(e, mu)?.with_rolling(mu_r)?` | N, T1, T2, R1, R2 | `Rolling` |
//!
//! The rows N and T must be in metres, along a unit normal and orthonormal tangents, because the friction
//! cone is circular; the rows R are rolling velocities in radians per second. For rigid bodies,
//! [`PointContact`](crate::kernel::model::PointContact) computes all these rows, and chooses tangents from
//! the normal.
//!
//! | setting | effect | default |
//! |---|---|---|
//! | `e` | restitution of the normal velocity, 0 to 1 | required |
//! | `mu` | coefficient of friction | required |
//! | `with_rolling(mu_r)` | moment of the contact up to $\mu_r \lambda_N$, $\mu_r$ in \[m\] | none |
//! | `with_cohesion(c)` | tension up to which the contact holds \[N\] | 0 |
//! | `with_tangential_restitution(e)` | restitution of the sliding velocity, -1 to 1 (super ball) | 0 |
//! | `of_fremond()` | friction against the mean sliding velocity of an impact | velocity after it |
//!
//! # A block on a moving belt
//!
//! A spring of stiffness k \[N/m\] holds a block on a belt with the velocity $V \sin \omega t$ \[m/s\]. If
//! the displacement of the belt is subtracted from the tangential component of y, its rate is the velocity
//! of the block relative to the belt.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # use std::f64::consts::TAU;
//! let (mass, k, gravity, mu, speed, omega) = (1.0, 20.0, 9.81, 0.05, 0.2, TAU);
//! let mut model = NonSmoothDynamicalSystem::new();
//! // Coordinates: along the belt, and upwards.
//! let block = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![mass, mass])
//!     .with_stiffness(array![k, 0.0])
//!     .with_constant_external_force(vec![0.0, -mass * gravity]);
//! let block = model.add_system(block)?;
//! let belt = LagrangianRheonomousRelation::new(2, move |at, q, y| {
//!     let displacement = speed / omega * (1.0 - (omega * at.t).cos());
//!     (y[0], y[1]) = (q[1], q[0] - displacement);
//! })
//! .with_jacobian(|_, _, j| (j[[0, 1]], j[[1, 0]]) = (1.0, 1.0))
//! .with_time_derivative(move |at, _, y_t| y_t[1] = -speed * (omega * at.t).sin());
//! let belt = model.add_interaction([block], belt, NewtonImpactFriction::in_plane(0.0, mu)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 2.0, 1e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut slides = None;
//! simulation.run(&model, &mut state, |report, state| {
//!     let force = state.lambda(belt, Level::Acceleration);
//!     let limit = mu * force[0];
//!     if slides.is_none() && force[1].abs() > (1.0 - 1e-9) * limit {
//!         slides = Some(report.t);
//!     }
//!     let slip = state.y(belt, Level::Velocity)[1];
//!     let expected = state.v(block)[0] - speed * (omega * report.t).sin();
//!     assert!((slip - expected).abs() < 1e-12);
//!     assert!(force[1] * slip <= 1e-12, "friction opposes the relative velocity");
//! })?;
//! // The block sticks until the belt accelerates it by more than friction permits.
//! let needed = |t: f64| {
//!     mass * speed * omega * (omega * t).cos() + k * speed / omega * (1.0 - (omega * t).cos())
//! };
//! assert!(needed(0.0) > mu * mass * gravity && slides.is_some_and(|t| t < 2e-4));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # A sphere that slides, rolls and stops
//!
//! A solid sphere of radius r \[m\] is thrown along a floor with the speed $v_0$, without spin. Friction
//! slows its centre and spins it up until it rolls. Rolling starts at
//! $t_1 = v_0 / (g (\mu + \tfrac{5}{2} (\mu - \mu_r / r)))$ with the speed $v_1 = v_0 - \mu g t_1$. Without
//! rolling friction, this is $\tfrac{5}{7} v_0$ for any $\mu$. Rolling friction with the coefficient $\mu_r$
//! \[m\] then decelerates the sphere by $\tfrac{5}{7} g \mu_r / r$ until it rests.
//!
//! ```
//! # use siconos::prelude::*;
//!
//! let (mass, radius, gravity, mu, mu_rolling, v0) = (1.5, 0.1, 9.81, 0.4, 0.004, 1.4);
//! let inertia = Inertia::of_ball(mass, radius);
//! let sphere = NewtonEuler::new(mass, inertia, [0.0, 0.0, radius], Quaternion::IDENTITY)
//!     .with_twist([v0, 0.0, 0.0], [0.0; 3])
//!     .with_constant_external_force([0.0, 0.0, -mass * gravity]);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let sphere = model.add_system(sphere)?;
//! // The plane through the origin with the normal z.
//! let floor = PointContact::of_ball_and_plane(
//!     ContactRows::Rolling,
//!     radius,
//!     [0.0; 3],
//!     [0.0, 0.0, 1.0],
//! )?;
//! let law = NewtonImpactFriction::in_space(0.0, mu)?.with_rolling(mu_rolling)?;
//! let floor = model.add_interaction([sphere], floor, law)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 5.0, 2e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let (mut rolls, mut rests) = (None, None);
//! simulation.run(&model, &mut state, |report, state| {
//!     let v = state.v(sphere);
//!     // The components of y: gap, two sliding velocities, two rolling velocities.
//!     let slip = &state.y(floor, Level::Velocity)[1..3];
//!     if rolls.is_none() && slip[0].hypot(slip[1]) < 1e-6 {
//!         rolls = Some((report.t, v[0]));
//!         // The moment of rolling friction about the tangents [N m].
//!         let force = state.lambda(floor, Level::Acceleration);
//!         let moment = force[3].hypot(force[4]);
//!         assert!((moment - mu_rolling * mass * gravity).abs() < 1e-6);
//!     }
//!     if rests.is_none() && v[0].abs() < 1e-6 {
//!         rests = Some(report.t);
//!     }
//! })?;
//! let t1 = v0 / (gravity * (mu + 2.5 * (mu - mu_rolling / radius)));
//! let v1 = v0 - mu * gravity * t1;
//! let (t, v) = rolls.expect("it rolls in the end");
//! assert!((t - t1).abs() < 4e-3 && (v - v1).abs() < 1e-3);
//! let deceleration = 5.0 / 7.0 * gravity * mu_rolling / radius;
//! assert!((rests.expect("it stops") - (t1 + v1 / deceleration)).abs() < 4e-3);
//! let distance = 0.5 * (v0 + v1) * t1 + 0.5 * v1 * v1 / deceleration;
//! assert!((state.q(sphere)[0] - distance).abs() < 1e-5);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The components of y hold for any orientation of the sphere. The angular velocity in `state.v(sphere)` is
//! in the body frame, so it gives the velocity of the lowest point only after a rotation. The start of
//! rolling is found within one step; the distance has order 2.
//!
//! # Cohesion
//!
//! A cohesive contact, such as a magnet, wet sand or glue that sets again, holds a tension up to c \[N\]. It
//! also adds to the friction limit: $\lVert \lambda_T \rVert \le \mu (\lambda_N + c h)$ with the step h. The
//! bond breaks when the tension exceeds c, and acts again when the contact closes again. Cohesion is
//! supported without projection and with
//! [`Projection::Direct`](crate::kernel::integrator::Projection::Direct). Here a magnet holds a block under a
//! ceiling, and an additional force of 20 N/s pulls it down.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, gravity, cohesion, rate) = (2.0, 9.81, 30.0, 20.0);
//! let block = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![mass, mass])
//!     .with_external_force(move |at, f| f[1] = -mass * gravity - rate * at.t);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let block = model.add_system(block)?;
//! // The normal points away from the ceiling, downwards: the gap is -z. The tangent is x.
//! let ceiling = LagrangianLinearRelation::new(array![[0.0, -1.0], [1.0, 0.0]]);
//! let law = NewtonImpactFriction::in_plane(0.0, 0.3)?.with_cohesion(cohesion)?;
//! let magnet = model.add_interaction([block], ceiling, law)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let (mut falls, mut strongest) = (None, 0.0_f64);
//! simulation.run(&model, &mut state, |report, state| {
//!     // A tension is a negative normal force.
//!     strongest = strongest.max(-state.lambda(magnet, Level::Acceleration)[0]);
//!     if falls.is_none() && state.v(block)[1] < -1e-9 {
//!         falls = Some(report.t);
//!     }
//! })?;
//! let expected = (cohesion - mass * gravity) / rate;
//! assert!((falls.expect("the bond breaks") - expected).abs() < 2e-3);
//! assert!((strongest - cohesion).abs() < 0.03);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! The step sees the mean of the force, so the contact opens up to one and a half steps late. If the model
//! has no tangential coordinate, use a second row of zeros and mu = 0:
//! `LagrangianLinearRelation::new(array![[1.0], [0.0]])`.
//!
//! # Friction without a contact
//!
//! If the normal force of a slide or hinge is not modelled, its friction is a
//! [`Relay`](crate::kernel::model::Relay): a force between bounds that opposes the velocity. See
//! [rigid bodies and joints](super::rigid_bodies) and the example `friction_oscillator`.
//!
//! # Pitfalls
//!
//! - *Event-driven simulation does not support friction.* `build` returns an error that names the contact:
//!   "EventDriven does not support friction, whose sticking and sliding are events of their own; use
//!   NewtonImpact, or TimeStepping with MoreauJean". In time-stepping, friction needs
//!   [`MoreauJean`](crate::kernel::integrator::MoreauJean), the default, or
//!   [`ModalExact`](crate::kernel::integrator::ModalExact).
//! - *Friction is not available for elastic contacts.* A relation with a compliance D is rejected.
//! - *Rows and law differ.* `ContactRows::Normal` with a law in space gives "a relation of size 1 does not
//!   support a law of size 3; the first size must be a multiple of the second".
//! - *Impacts that gain energy.* With restitution and friction together, Newton's law can gain energy at an
//!   impact. `of_fremond` cannot, at a single contact. The [energy balance](super::forces_and_energy) of the
//!   steps shows such a gain.
//! - *Forces that are not unique.* A body on several contacts with friction has self-equilibrated forces
//!   between them. The motion is still computed; single contact forces depend on the solver.
//! - *Tolerance.* Contact problems with friction are solved to a relative error of 1e-8 by default; see
//!   [integrator, step and tolerance](super::accuracy).
//!
//! # Next
//!
//! - [Rigid bodies and joints](super::rigid_bodies): contacts of arbitrary shape.
//! - [Contact forces and energy](super::forces_and_energy): the work of friction.
//! - [Large models and threads](super::large_models), [when it does not converge](super::convergence).
//! - The examples `block_on_slope`, `spinning_disk`, `tippe_top` and `slider_crank_clearance` of the package
//!   `siconos-examples`.
