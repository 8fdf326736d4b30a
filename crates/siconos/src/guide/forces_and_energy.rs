//! Contact forces and energy: multipliers, impulses, mean forces and balances.
//!
//! This chapter shows how to read contact forces, joint reactions and impulses from a simulation, how to
//! compare them with measured forces, and how to check the energy balance.
//!
//! # Impulses and forces of a bouncing ball
//!
//! A ball of mass m = 2 kg is dropped from 1 m. Each impact returns the fraction e = 1/2 of its speed; after
//! 1.35 s the ball rests. Time-stepping computes one impulse per step and contact \[N s\]. In a step with an
//! impact, it is the impulse of the impact, $m (1 + e) v$; in a step at rest, it is the weight times h. The
//! sum of all impulses is the momentum that gravity has supplied.
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
//!     // Mean force in each tenth of a second [N].
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
//! An impact has an impulse, but no force: the impulse divided by h grows without bound as h decreases, here
//! to 132 900 N. In the step of an impact, this also holds for the joints of the body. To compare with
//! measurements, use impulses, or mean forces over a window that is long compared with h. If the peak force
//! matters, model the compliance of the contact, as below.
//!
//! # Multipliers at each level
//!
//! [`State::lambda`](crate::kernel::State::lambda) has one value per component of y and
//! [`Level`](crate::kernel::Level):
//!
//! | law and integrator | `Position` | `Velocity` | `Acceleration` |
//! |---|---|---|---|
//! | rigid contacts and joints, [`MoreauJean`](crate::kernel::integrator::MoreauJean), [`ModalExact`](crate::kernel::integrator::ModalExact) | 0 | impulse of the step \[N s\] | mean force of the step \[N\] |
//! | [`SpringDamper`](crate::kernel::model::SpringDamper), [`Relay`](crate::kernel::model::Relay), compliant contact | force \[N\] | impulse of the step | the same force |
//! | rigid contacts and joints, [`D1MinusLinear`](crate::kernel::integrator::D1MinusLinear) | 0 | impulse of an impact only | force at the end of the step |
//! | rigid contacts and joints, [`SchatzmanPaoli`](crate::kernel::integrator::SchatzmanPaoli) | mean force | impulse of the step | mean force |
//! | rigid contacts and joints, [`EventDriven`](crate::kernel::simulation::EventDriven) | 0 | impulse at the last event, 0 without impact | force after the event |
//! | first-order systems, time-stepping | $\lambda$ | $h \lambda$ | $\lambda$ |
//! | first-order systems, `EventDriven` | $\lambda$ | impulse of a jump of the state | 0 |
//!
//! All values are 0 before the first step. A rolling or angular component has moments \[N m\] and \[N m s\].
//!
//! **Signs and directions.** The reaction on the systems is $p = J^T \lambda$ with the Jacobian J of y. For a
//! gap, a positive $\lambda$ pushes the bodies apart. With friction, the components are along the normal and
//! the tangents of the contact. [`State::impulse`](crate::kernel::State::impulse) is the sum of $J^T \lambda$
//! over all interactions of a system, as an impulse of the last step;
//! [`State::reaction`](crate::kernel::State::reaction) returns it at any level. For a rigid body, the first
//! three entries are in the inertial frame, the moments in the body frame.
//!
//! A block of 2 kg on a floor with $\mu$ = 0.4 sticks while the push is below $\mu m g$ = 7.85 N, and
//! friction opposes the push; above, friction is $\mu m g$:
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
//! // Normal along the second coordinate, tangent along the first.
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
//! **Peak forces.** A contact with the stiffness k \[N/m\] has the compliance D = 1/k and the law
//! [`ComplementarityCondition`](crate::kernel::model::ComplementarityCondition). The peak force of a mass
//! that hits it with the speed v is $m g + \sqrt{(m g)^2 + k m v^2}$. The step must resolve the duration of
//! the contact, $\pi \sqrt{m / k}$ = 4.4 ms.
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
//! **Event-driven.** Read impulses in the report of the event, before the next step overwrites them. Forces
//! of lasting contacts are exact up to the tolerances.
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
//! [`energy_balance`](crate::kernel::simulation::TimeSteppingBuilder::energy_balance) makes each step report
//! the change of the kinetic energy \[J\] and the work that causes it. The fields of
//! [`EnergyBalance`](crate::kernel::simulation::EnergyBalance) are the work of `forces`, of contacts along
//! the `normal`, of friction and relays (`tangential`), of `rolling` friction, and of `joints` and motors,
//! and the remainder `scheme`, which is the error of the scheme. Below, a block slides to rest, and friction
//! takes all of its energy. A ball bounces, and each impact takes the fraction $1 - e^2$ of its energy.
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
//! // The block had 9 J; one impact of the ball at 19.62 J.
//! assert!((friction + 0.5 * mass * 9.0).abs() < 0.01);
//! assert!((normal + (1.0 - e * e) * weight).abs() < 0.02);
//! assert!(scheme.abs() < 1e-10);
//! assert!((kinetic - 0.5 * mass * 9.0 - (normal + friction + forces)).abs() < 1e-10);
//! // The kinetic energy of one body, at any state.
//! let of_ball = model.system(ball)?.kinetic_energy(
//!     state.at().parameters(),
//!     state.q(ball),
//!     state.v(ball),
//! );
//! assert!((of_ball - kinetic).abs() < 1e-9, "the block rests");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! - The potential energy is not computed. For a weight or a linear spring, `forces` is exactly its loss.
//! - If all obstacles are at rest and the sum of `normal` and `tangential` is above 0 in a step, an impact
//!   gains energy. Newton's law of restitution with friction does not exclude this. An obstacle that moves,
//!   such as a belt, does work, which is part of these two terms.
//! - `scheme` is 0 up to rounding if the mass is constant, forces are linear and theta = 1/2. Otherwise the
//!   sum of `scheme` over all steps indicates the error of the scheme, and decreases with h.
//! - The elastic energy of a compliant contact is part of `normal`, and so is the energy that the scheme
//!   dissipates there; see [an elastic support](super::relations_and_laws).
//! - Circuits have no kinetic energy. [Circuits](super::circuits) shows an energy balance by hand.
//!
//! # Pitfalls
//!
//! - Forces of hyperstatic contacts, such as a table on four legs, are not unique. Only their resultants are
//!   unique. The solver returns one solution.
//! - The impulses of a step are overwritten by the next step. Sum them in the closure passed to
//!   [`run`](crate::kernel::simulation::TimeStepping::run).
//! - With a projection, the force of a joint is wrong in the step after an impact. The projection moves the
//!   body back along the joint, the velocity keeps its direction, and the next step corrects this with an
//!   impulse. The error of this one force does not decrease with h; the motion is right.
//! - Two integrators do not support the balance, and `build` returns an error such as "D1MinusLinear does not
//!   support the energy balance; use MoreauJean, or disable the balance". `EventDriven` has no energy
//!   balance; use [`kinetic_energy`](crate::kernel::model::DynamicalSystem::kinetic_energy).
//! - A [`Projection`](crate::kernel::integrator::Projection) changes positions but not velocities, and
//!   therefore changes potential energies. The balance does not contain this change.
//!
//! # Next
//!
//! [Integrator, step and tolerance](super::accuracy) for the size of errors; [Contact with
//! friction](super::friction) and [Rigid bodies and joints](super::rigid_bodies) for frames of contacts and
//! joints; [`EnergyBalance`](crate::kernel::simulation::EnergyBalance) for the formulas.
