//! Contact forces and energy: multipliers, impulses, mean forces and balances.
//!
//! How do I read contact forces, joint forces and impulses from a simulation, and how do I compare them with
//! measured forces? This chapter explains the multipliers of contacts and joints, and shows how to check the
//! energy balance.
//!
//! # Impulses and forces of a bouncing ball
//!
//! A ball of mass m = 2 kg is dropped from a height of 1 m. At each impact, the ball rebounds with e = 1/2
//! times its impact speed. It comes to rest after 1.35 s. In each step, time-stepping computes one impulse
//! \[N s\] for each contact. In a step with an impact, this impulse is $m (1 + e) v$, where v is the impact
//! speed. At rest, the impulse is the weight times the step length h. The sum of all impulses equals the
//! momentum that gravity has supplied, because the ball is at rest at the beginning and at the end.
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (mass, gravity, e) = (2.0, 9.81, 0.5);
//!     let weight = mass * gravity;
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass]);
//!     let ball = model.add_system(ball.with_constant_external_force(vec![-weight]))?;
//!     let gap = LagrangianLinearRelation::new(array![[1.0]]);
//!     let floor = model.add_interaction([ball], gap, NewtonImpact::new(e)?)?;
//!
//!     let h = 1e-4;
//!     let grid = TimeDiscretisation::uniform(0.0, 2.0, h)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let (mut total, mut first) = (0.0, None);
//!     // Mean force over each interval of 0.1 s [N].
//!     let mut mean = [0.0; 20];
//!     while let Some(report) = simulation.step(&model, &mut state)? {
//!         let impulse = state.lambda(floor, Level::Velocity)[0];
//!         if impulse > 0.0 && first.is_none() {
//!             first = Some(impulse);
//!         }
//!         total += impulse;
//!         mean[((report.t - 0.5 * h) / 0.1) as usize] += impulse / 0.1;
//!     }
//!
//!     let exact = mass * (1.0 + e) * (2.0 * gravity).sqrt();
//!     assert!(first.is_some_and(|impulse| (impulse - exact).abs() < 0.01), "13.29 N s");
//!     assert!(
//!         (total - weight * 2.0).abs() < 1e-9,
//!         "all momentum from gravity went into the floor"
//!     );
//!     assert!((mean[4] - exact / 0.1).abs() < 0.1, "0.4 to 0.5 s: 133 N");
//!     assert!((mean[19] - weight).abs() < 1e-9, "at rest");
//!     // The force of a lasting contact is the impulse of the last step, divided by h.
//!     assert!((state.lambda(floor, Level::Acceleration)[0] - weight).abs() < 1e-9);
//!     Ok(())
//! }
//! ```
//!
//! An impact of rigid bodies has an impulse, but its contact force is not defined. The impulse divided by h
//! grows without bound as h decreases; for h = 0.1 ms, it is 132 900 N. In the step of an impact, the
//! forces in the joints of the body grow in the same way. To compare results with measurements, use impulses,
//! or mean forces over a window that is long compared with h. If you need the peak force, model the
//! compliance of the contact, as described below.
//!
//! # Multipliers at each level
//!
//! [`State::lambda`](crate::kernel::State::lambda) returns one multiplier for each component of y. The
//! meaning of the multiplier depends on the [`Level`](crate::kernel::Level):
//!
//! | law and integrator | `Position` | `Velocity` | `Acceleration` |
//! |---|---|---|---|
//! | rigid contacts and joints, [`MoreauJean`](crate::kernel::integrator::MoreauJean), [`ModalExact`](crate::kernel::integrator::ModalExact) | 0 | impulse over the step \[N s\] | mean force over the step \[N\] |
//! | [`SpringDamper`](crate::kernel::model::SpringDamper), [`Relay`](crate::kernel::model::Relay), elastic contact | force \[N\] | impulse over the step \[N s\] | force, as at `Position` \[N\] |
//! | rigid contacts and joints, [`D1MinusLinear`](crate::kernel::integrator::D1MinusLinear) | 0 | impulse of an impact \[N s\] | force at the end of the step \[N\] |
//! | rigid contacts and joints, [`SchatzmanPaoli`](crate::kernel::integrator::SchatzmanPaoli) | mean force over the step \[N\] | impulse over the step \[N s\] | mean force over the step \[N\] |
//! | rigid contacts and joints, [`EventDriven`](crate::kernel::simulation::EventDriven) | 0 | impulse at the last event \[N s\], 0 without impact | force after the event \[N\] |
//! | first-order systems, time-stepping | $\lambda$ | $h \lambda$ | $\lambda$ |
//! | first-order systems, `EventDriven` | $\lambda$ | impulse of a jump in the state | 0 |
//!
//! All multipliers are 0 before the first step. The multiplier of a rolling or angular component is a moment
//! \[N m\] instead of a force, and an angular impulse \[N m s\] instead of an impulse.
//!
//! **Signs and directions.** An interaction contributes $J^T \lambda$ to the reaction on its systems, where J
//! is the Jacobian of y. For a gap, a positive $\lambda$ pushes the bodies apart. With friction, the
//! components of $\lambda$ are along the normal and the tangents of the contact.
//! [`State::impulse`](crate::kernel::State::impulse) returns the impulse of all interactions on a system over
//! the last step, which is the sum of $J^T \lambda$ at `Level::Velocity`.
//! [`State::reaction`](crate::kernel::State::reaction) returns this sum at any level. For a rigid body, the
//! first three entries are the force in the inertial frame, and the last three entries are the moment in the
//! body frame.
//!
//! A block of 2 kg lies on a floor with $\mu$ = 0.4 and is pushed. While the push is below
//! $\mu m g$ = 7.85 N, the block sticks, and the friction force balances the push. If the push is larger, the
//! block slides, and the friction force is $\mu m g$:
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, weight, mu) = (2.0, 2.0 * 9.81, 0.4);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let push = model.add_parameter("push [N]", vec![5.0])?;
//! let block = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![mass, mass])
//!     .with_external_force(move |at, f| (f[0], f[1]) = (at[push][0], -weight));
//! let block = model.add_system(block)?;
//! // The normal is along the second coordinate, the tangent along the first.
//! let rows = LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
//! let floor = model.add_interaction([block], rows, NewtonImpactFriction::in_plane(0.0, mu)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1.0, 1e-2)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.step(&model, &mut state)?;
//! let force = state.lambda(floor, Level::Acceleration);
//! assert!((force[0] - weight).abs() < 1e-9 && (force[1] + 5.0).abs() < 1e-9, "it sticks");
//!
//! state.set_parameter(push, &[10.0])?;
//! simulation.step(&model, &mut state)?;
//! let reaction = state.reaction(&model, block, Level::Acceleration)?;
//! assert!((reaction[0] + mu * weight).abs() < 1e-9, "it slides; reaction = J^T lambda");
//! assert!((state.acceleration(block)[0] - (10.0 - mu * weight) / mass).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **Peak forces.** To compute the peak force of an impact, use an elastic contact: a relation with the
//! compliance D = 1/k, where k \[N/m\] is the contact stiffness, and the law
//! [`ComplementarityCondition`](crate::kernel::model::ComplementarityCondition). If a mass m hits the contact
//! with the speed v, the peak force is $m g + \sqrt{(m g)^2 + k m v^2}$. The step length must be much shorter
//! than the duration of the contact, here about $\pi \sqrt{m / k}$ = 4.4 ms.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, weight, k) = (2.0, 2.0 * 9.81, 1e6);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![mass]);
//! let ball = model.add_system(ball.with_constant_external_force(vec![-weight]))?;
//! let gap = LagrangianLinearRelation::new(array![[1.0]]).with_compliance(array![[1.0 / k]]);
//! let floor = model.add_interaction([ball], gap, ComplementarityCondition::new(1)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-5)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut peak = 0.0_f64;
//! simulation.run(&model, &mut state, |_, state| {
//!     peak = peak.max(state.lambda(floor, Level::Position)[0]);
//! })?;
//! let exact = weight + (weight * weight + k * mass * (2.0 * 9.81)).sqrt();
//! assert!((peak / exact - 1.0).abs() < 5e-3, "6284 N");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **Event-driven simulation.** Read the impulse of an impact when the impact is reported, because the next
//! step overwrites the impulse. The forces of lasting contacts are exact up to the tolerances.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # let mut model = NonSmoothDynamicalSystem::new();
//! # let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![2.0]);
//! # let ball = model.add_system(ball.with_constant_external_force(vec![-2.0 * 9.81]))?;
//! # let gap = LagrangianLinearRelation::new(array![[1.0]]);
//! # let floor = model.add_interaction([ball], gap, NewtonImpact::new(0.5)?)?;
//! # let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.1)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut impulses = Vec::new();
//! simulation.run(&model, &mut state, |report, state| {
//!     if !report.impacts.is_empty() {
//!         impulses.push(state.lambda(floor, Level::Velocity)[0]);
//!     }
//! })?;
//! assert!((impulses[0] - 2.0 * 1.5 * (2.0_f64 * 9.81).sqrt()).abs() < 1e-10);
//! assert!((impulses[1] / impulses[0] - 0.5).abs() < 1e-10);
//! assert!((state.lambda(floor, Level::Acceleration)[0] - 2.0 * 9.81).abs() < 1e-9);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Energy balance
//!
//! If [`energy_balance`](crate::kernel::simulation::TimeSteppingBuilder::energy_balance) is enabled, each
//! step reports the change in the kinetic energy \[J\] and the work that causes this change. The work is
//! divided into these fields of [`EnergyBalance`](crate::kernel::simulation::EnergyBalance):
//!
//! | field | work \[J\] |
//! |---|---|
//! | `forces` | work of forces, and of springs between systems |
//! | `normal` | work of contacts along their normals |
//! | `tangential` | work of friction and relays |
//! | `rolling` | work of rolling friction |
//! | `joints` | work of joints and motors |
//! | `scheme` | remainder, which is the error of the integrator |
//!
//! In this example, a block slides to rest, and friction takes all its energy. A ball bounces, and each
//! impact takes the fraction $1 - e^2$ of its energy.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (mass, weight, e) = (2.0, 2.0 * 9.81, 0.5);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let body = |q: f64, v: f64| {
//!     LagrangianLinear::new(vec![0.0, q], vec![v, 0.0], array![mass, mass])
//!         .with_constant_external_force(vec![0.0, -weight])
//! };
//! let (block, ball) = (model.add_system(body(0.0, 3.0))?, model.add_system(body(1.0, 0.0))?);
//! let rows = || LagrangianLinearRelation::new(array![[0.0, 1.0], [1.0, 0.0]]);
//! model.add_interaction([block], rows(), NewtonImpactFriction::in_plane(0.0, 0.4)?)?;
//! model.add_interaction([ball], rows(), NewtonImpactFriction::in_plane(e, 0.4)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 0.8, 1e-4)?;
//! let mut simulation =
//!     TimeStepping::builder(&model).discretisation(grid).energy_balance(true).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let (mut normal, mut friction, mut forces, mut scheme, mut kinetic) =
//!     (0.0, 0.0, 0.0, 0.0, 0.0);
//! simulation.run(&model, &mut state, |report, _| {
//!     if let Some(energy) = report.energy {
//!         normal += energy.normal;
//!         friction += energy.tangential;
//!         forces += energy.forces;
//!         scheme += energy.scheme;
//!         kinetic = energy.kinetic;
//!     }
//! })?;
//! // The block starts with 9 J. The ball has 19.62 J before its only impact.
//! assert!((friction + 0.5 * mass * 9.0).abs() < 0.01);
//! assert!((normal + (1.0 - e * e) * weight).abs() < 0.02);
//! assert!(scheme.abs() < 1e-10);
//! assert!((kinetic - 0.5 * mass * 9.0 - (normal + friction + forces)).abs() < 1e-10);
//! // The kinetic energy of a single body can be computed for any state.
//! let of_ball = model.system(ball)?.kinetic_energy(
//!     state.at().parameters(),
//!     state.q(ball),
//!     state.v(ball),
//! );
//! assert!((of_ball - kinetic).abs() < 1e-9, "the block rests");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! - The potential energy is not computed. For a weight or a linear spring, `forces` equals the loss of
//!   potential energy exactly.
//! - If all obstacles are at rest, and the sum of `normal` and `tangential` is positive in a step, an impact
//!   has increased the energy. Newton's law of restitution with friction does not exclude this. If an
//!   obstacle moves, such as a belt, its work is contained in `normal` and `tangential`.
//! - `scheme` is 0 up to rounding if the mass is constant, forces are linear and theta = 1/2. Otherwise, the
//!   sum of `scheme` over all steps indicates the error of the integrator; this sum decreases as h decreases.
//! - For an elastic contact, `normal` contains the change in the elastic energy and the energy that the
//!   integrator dissipates in the contact; see [an elastic support](super::relations_and_laws).
//! - Circuits have no kinetic energy, so the balance does not contain them. An example in
//!   [circuits and relays](super::circuits) computes the energy balance of a diode bridge.
//!
//! # Pitfalls
//!
//! - If a body has more contacts than it needs for equilibrium, such as a table on four legs, its contact
//!   forces are not unique; only their resultant is. The solver returns one solution.
//! - The impulses of a step are overwritten by the next step. To compute their sum, add them in the closure
//!   that you pass to [`run`](crate::kernel::simulation::TimeStepping::run).
//! - With a projection, the computed force of a joint is wrong in the step after an impact. The projection
//!   corrects the position of the body, but does not change the direction of its velocity. The next step
//!   corrects this direction by an additional impulse. A shorter step does not reduce the error of this
//!   single force. The motion is correct.
//! - `D1MinusLinear` and `SchatzmanPaoli` do not support the balance. `build` then returns an error such as
//!   "D1MinusLinear does not support the energy balance; use MoreauJean, or disable the balance".
//!   `EventDriven` does not report an energy balance either; use
//!   [`kinetic_energy`](crate::kernel::model::DynamicalSystem::kinetic_energy).
//! - A [`Projection`](crate::kernel::integrator::Projection) changes positions, and therefore potential
//!   energies, but not velocities. The balance does not contain this change in potential energy.
//!
//! # Next
//!
//! - [Integrator, step and tolerance](super::accuracy): the size of errors.
//! - [Contact with friction](super::friction) and [rigid bodies and joints](super::rigid_bodies): the frames
//!   of contacts and joints.
//! - [`EnergyBalance`](crate::kernel::simulation::EnergyBalance): the formulas.
