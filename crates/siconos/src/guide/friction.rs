//! Contact with friction: sticking, sliding, rolling and cohesion.
//!
//! How do I model a block that sticks and slides on a slope, a sphere that rolls to rest, or a contact that
//! withstands a tension? One law describes all these contacts:
//! [`NewtonImpactFriction`](crate::kernel::model::NewtonImpactFriction), which is Newton's law of impact with
//! Coulomb friction.
//!
//! # A block on a slope
//!
//! A block slides up a slope of angle $\alpha$ \[rad\] with the initial speed $v_0$ \[m/s\]. It decelerates
//! at $g (\sin \alpha + \mu \cos \alpha)$ and stops. If the coefficient of friction $\mu$ is below
//! $\tan \alpha$, the block slides down again with the acceleration $g (\sin \alpha - \mu \cos \alpha)$.
//! Otherwise, the block sticks, and the friction force is $m g \sin \alpha$, which is less than the limit
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
//!         // The coordinates are the distance from the slope and the displacement downhill.
//!         let block =
//!             LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, -v0], array![mass, mass])
//!                 .with_constant_external_force(vec![
//!                     -mass * gravity * cosine,
//!                     mass * gravity * sine,
//!                 ]);
//!         let mut model = NonSmoothDynamicalSystem::new();
//!         let block = model.add_system(block)?;
//!         // The two rows are the gap and the displacement along the tangent.
//!         let rows = LagrangianLinearRelation::new(Array2::eye(2));
//!         let law = NewtonImpactFriction::in_plane(0.0, mu)?;
//!         let contact = model.add_interaction([block], rows, law)?;
//!
//!         let grid = TimeDiscretisation::uniform(0.0, t_end, 1e-3)?;
//!         let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!         let mut state = simulation.initial_state(&model)?;
//!         simulation.run(&model, &mut state, |_, _| {})?;
//!
//!         // Closed form: the block moves up until t = t1. Then it slides down or rests.
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
//!         // The normal force, followed by the tangential force (positive downhill).
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
//! The components of y are the gap $y_N$ and the displacements along the tangents. The law uses only the
//! rates of these displacements, which are the components of the sliding velocity $u_T$ relative to the
//! obstacle. While the gap is closed, the normal impulse $\lambda_N$, the tangential impulse $\lambda_T$, and
//! the velocities of the gap before and after an impact, $\dot y_N^-$ and $\dot y_N^+$, satisfy
//!
//! $$ 0 \le \dot y_N^+ + e \dot y_N^- \perp \lambda_N \ge 0, \qquad
//!    \lVert \lambda_T \rVert \le \mu \lambda_N, \qquad
//!    u_T \ne 0 \Rightarrow \lambda_T = -\mu \lambda_N u_T / \lVert u_T \rVert. $$
//!
//! As plain text: normal velocity and normal impulse are complementary; the length of the tangential impulse
//! is at most mu times the normal impulse; if the contact slides, the tangential impulse has this maximum
//! length and is opposite to the sliding velocity.
//!
//! Static and kinetic friction have the same coefficient. The sliding velocity of a sticking contact is zero,
//! up to the tolerance of the solver. The law contains no stiffness, so a block at rest does not creep. To
//! distinguish sticking from sliding, compare forces: $\lVert \lambda_T \rVert$ equals $\mu \lambda_N$ up to
//! rounding while the contact slides, and is smaller while the contact sticks.
//!
//! The rows of a contact depend on the constructor of the law. N is the normal row, T is a tangential row,
//! and R is a rolling row:
//!
//! | constructor | rows | [`ContactRows`](crate::kernel::model::ContactRows) for rigid bodies |
//! |---|---|---|
//! | `in_plane(e, mu)?` | N, T | `InPlane { axis }` |
//! | `in_space(e, mu)?` | N, T1, T2 | `Friction` |
//! | `in_plane(e, mu)?.with_rolling(mu_r)?` | N, T, R | `RollingInPlane { axis }` |
//! | `in_space(e, mu)?.with_rolling(mu_r)?` | N, T1, T2, R1, R2 | `Rolling` |
//!
//! Because the friction cone is circular, the rows N and T must be displacements in metres along a unit
//! normal and along orthonormal tangents. The rates of the rows R are rolling velocities in radians per
//! second. For rigid bodies, [`PointContact`](crate::kernel::model::PointContact) chooses the tangents and
//! computes all these rows.
//!
//! | setting | effect | default |
//! |---|---|---|
//! | `e` | coefficient of restitution along the normal, 0 to 1 | required |
//! | `mu` | coefficient of friction | required |
//! | `with_rolling(mu_r)` | rolling friction with a moment of at most $\mu_r \lambda_N$, where $\mu_r$ is in \[m\] | no rolling friction |
//! | `with_cohesion(c)` | maximum tension that the contact withstands \[N\] | 0 |
//! | `with_tangential_restitution(e)` | coefficient of restitution of the sliding velocity, -1 to 1 (for example, for a super ball) | 0 |
//! | `of_fremond()` | friction opposes the mean of the sliding velocities before and after an impact | friction opposes the sliding velocity after the impact |
//!
//! # A block on a moving belt
//!
//! A block lies on a belt and is held by a spring of stiffness k \[N/m\]. The belt moves with the velocity
//! $V \sin \omega t$ \[m/s\]. The tangential component of y is the displacement of the block minus the
//! displacement of the belt. The rate of this component is the velocity of the block relative to the belt.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # use std::f64::consts::TAU;
//! let (mass, k, gravity, mu, speed, omega) = (1.0, 20.0, 9.81, 0.05, 0.2, TAU);
//! let mut model = NonSmoothDynamicalSystem::new();
//! // The coordinates are the displacement along the belt and the height above the belt.
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
//! // The friction force that is needed to move the block with the belt at time t. The needed force
//! // exceeds the friction limit at t = 0, so the block slides from the first steps on.
//! let needed = |t: f64| {
//!     mass * speed * omega * (omega * t).cos() + k * speed / omega * (1.0 - (omega * t).cos())
//! };
//! assert!(needed(0.0) > mu * mass * gravity && slides.is_some_and(|t| t < 2e-4));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # A sphere that slides, rolls and stops
//!
//! A solid sphere of radius r \[m\] is thrown along a floor with the speed $v_0$ \[m/s\], without spin.
//! Friction decelerates the centre of the sphere and accelerates its rotation until the sphere rolls. The
//! coefficient of rolling friction is $\mu_r$ \[m\]. Rolling starts at
//! $t_1 = v_0 / (g (\mu + \tfrac{5}{2} (\mu - \mu_r / r)))$, when the speed is $v_1 = v_0 - \mu g t_1$.
//! Without rolling friction, $v_1 = \tfrac{5}{7} v_0$ for any $\mu$. With rolling friction, the rolling
//! sphere decelerates at $\tfrac{5}{7} g \mu_r / r$ until it rests.
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
//! // The floor is the plane through the origin with the normal z.
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
//!     // At velocity level, y has five components: the velocity of the gap, two sliding
//!     // velocities and two rolling velocities.
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
//! The sliding and rolling velocities in y are valid for any orientation of the sphere. The angular velocity
//! in `state.v(sphere)` is in the body frame. To compute the velocity of the lowest point from it, first
//! rotate the angular velocity to the inertial frame. The start of rolling is accurate to about one step; the
//! error of the distance is of order $h^2$.
//!
//! # Cohesion
//!
//! A cohesive contact, such as a magnet, wet sand, or glue that sets again, withstands a tension of up to c
//! \[N\]. Cohesion also increases the friction limit: $\lVert \lambda_T \rVert \le \mu (\lambda_N + c h)$,
//! where h is the step length. The bond breaks when the tension exceeds c, and is restored when the contact
//! closes again. Cohesion is supported without projection and with
//! [`Projection::Direct`](crate::kernel::integrator::Projection::Direct). In this example, a magnet holds a
//! block under a ceiling. In addition to its weight, a force that grows by 20 N/s pulls the block down.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, gravity, cohesion, rate) = (2.0, 9.81, 30.0, 20.0);
//! let block = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![mass, mass])
//!     .with_external_force(move |at, f| f[1] = -mass * gravity - rate * at.t);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let block = model.add_system(block)?;
//! // The normal points downwards, away from the ceiling, so the gap is -z. The tangent is x.
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
//! A step uses the mean force over the step, so the contact opens up to 1.5 steps late. If the model has no
//! tangential coordinate, add a second row of zeros, and set mu = 0:
//! `LagrangianLinearRelation::new(array![[1.0], [0.0]])`.
//!
//! # Friction without a contact
//!
//! If you do not model the normal force in a slide or hinge, model the friction by a
//! [`Relay`](crate::kernel::model::Relay). The force of a relay is limited by two bounds and opposes the
//! velocity. See [rigid bodies and joints](super::rigid_bodies) and the example `friction_oscillator`.
//!
//! # Pitfalls
//!
//! - *Event-driven simulation does not support friction.* `build` returns an error that names the contact:
//!   "EventDriven does not support friction, whose sticking and sliding are events of their own; use
//!   NewtonImpact, or TimeStepping with MoreauJean". In time-stepping, friction needs the default integrator
//!   [`MoreauJean`](crate::kernel::integrator::MoreauJean) or
//!   [`ModalExact`](crate::kernel::integrator::ModalExact).
//! - *Friction is not available for elastic contacts.* If the law has friction, a relation with a compliance
//!   D is rejected.
//! - *The number of rows must match the law.* `ContactRows::Normal` with a law in space gives the error "a
//!   relation of size 1 does not support a law of size 3; the first size must be a multiple of the second".
//! - *Impacts that gain energy.* If a law has both restitution and friction, an impact can increase the
//!   kinetic energy. The [energy balance](super::forces_and_energy) reports such an increase. With
//!   `of_fremond`, an impact at a single contact never increases the energy.
//! - *Forces that are not unique.* If a body has several contacts with friction, different sets of contact
//!   forces can cause the same motion. The solver returns one of these sets, so the single contact forces
//!   depend on the solver.
//! - *Tolerance.* Problems with friction are solved to a relative error of 1e-8 by default; see
//!   [integrator, step and tolerance](super::accuracy).
//!
//! # Next
//!
//! - [Rigid bodies and joints](super::rigid_bodies): contacts of arbitrary shape.
//! - [Contact forces and energy](super::forces_and_energy): the work of friction.
//! - [Large models and threads](super::large_models) and [convergence problems](super::convergence).
//! - The examples `block_on_slope`, `spinning_disk`, `tippe_top` and `slider_crank_clearance` of the package
//!   `siconos-examples`.
