//! Circuits and relays: diodes, switches, converters and relays.
//!
//! This chapter shows how to simulate circuits with ideal diodes and switches, and plants with relays,
//! without modelling the fast transients of the components. A switching element is a law between two
//! quantities; the rest of the circuit is a first-order system. All quantities are in SI units here, but any
//! consistent units work.
//!
//! # A rectifier
//!
//! A voltage $u(t) = \hat u \sin \omega t$ \[V\] feeds a coil (inductance L \[H\], resistance R \[ohm\])
//! through a diode. The state is the current i \[A\]. The diode is the law $0 \le i \perp \lambda \ge 0$,
//! where $\lambda$ \[V\] is the voltage that the diode blocks: either the diode conducts and $\lambda = 0$,
//! or it blocks and i = 0. Kirchhoff's voltage law is $L \dot i = -R i + u(t) + \lambda$.
//!
//! Because of the coil, the diode conducts beyond the end of the positive half-wave. In closed form, the
//! current is proportional to $\sin(\omega t - \varphi) + \sin \varphi \thinspace e^{-R t / L}$ with
//! $\tan \varphi = \omega L / R$ until this expression becomes 0 at $t = t_e$. One pulse carries the charge
//! $Q = \hat u (1 - \cos \omega t_e) / (\omega R)$ \[C\].
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//! use std::f64::consts::PI;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (r, l, peak, omega) = (10.0, 30e-3, 325.0, 100.0 * PI);
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     // M x' = A x + b(t) + r with x = i, M = L, A = -R, b = u. The law supplies r = B lambda.
//!     let coil = FirstOrderLinear::new(vec![0.0], array![[-r]]).with_mass(array![l]);
//!     let coil = coil.with_source_function(move |at, u| u[0] = peak * (omega * at.t).sin());
//!     let coil = model.add_system(coil)?;
//!     // y = C x with C = 1, and B = 1.
//!     let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
//!     let diode = model.add_interaction([coil], relation, ComplementarityCondition::new(1)?)?;
//!
//!     // One period of 20 ms in steps of 10 microseconds.
//!     let h = 1e-5;
//!     let grid = TimeDiscretisation::uniform(0.0, 20e-3, h)?;
//!     let mut simulation = TimeStepping::builder(&model).discretisation(grid.clone()).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let (mut charge, mut extinction, mut reverse) = (0.0, None, 0.0_f64);
//!     while simulation.step(&model, &mut state)?.is_some() {
//!         charge += h * state.x(coil)[0];
//!         let blocked = state.lambda(diode, Level::Position)[0];
//!         reverse = reverse.max(blocked);
//!         if blocked > 0.0 && extinction.is_none() {
//!             extinction = Some(state.t);
//!         }
//!     }
//!
//!     // The same model, with the switching times located to rounding.
//!     let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//!     let mut state = simulation.initial_state(&model)?;
//!     let mut blocks = Vec::new();
//!     simulation.run(&model, &mut state, |report, _| {
//!         if !report.closed.is_empty() {
//!             blocks.push(report.t);
//!         }
//!     })?;
//!
//!     let (phi, t_e) = ((omega * l / r).atan(), blocks[0]);
//!     assert!(((omega * t_e - phi).sin() + phi.sin() * (-r * t_e / l).exp()).abs() < 1e-10);
//!     assert!(extinction.is_some_and(|t| (t - t_e).abs() < 2.0 * h), "12.44 ms");
//!     let exact = peak * (1.0 - (omega * t_e).cos()) / (omega * r);
//!     assert!((charge / exact - 1.0).abs() < 1e-5);
//!     assert!((reverse - peak).abs() < 0.01, "the diode must block the peak of the source");
//!     Ok(())
//! }
//! ```
//!
//! - [`FirstOrderLinear`](crate::kernel::model::FirstOrderLinear) has coefficients that can depend on time;
//!   [`FirstOrderLinearTi`](crate::kernel::model::FirstOrderLinearTi) has constant coefficients. A function
//!   of the model reads the time as `at.t`. Nonlinear components need
//!   [`FirstOrderNonlinear`](crate::kernel::model::FirstOrderNonlinear).
//! - [`FirstOrderLinearRelation`](crate::kernel::model::FirstOrderLinearRelation) is
//!   $y = C x + D \lambda + e$, $r = B \lambda$. The offset e is set by `with_offset`, or as a function of
//!   time by `with_offset_function`. The shapes are checked when the interaction is added.
//! - `state.lambda(id, Level::Position)` is $\lambda$ at the end of the step, and `Level::Velocity` is its
//!   integral over the step, $h \lambda$. Both are 0 before the first step, and so is the part $D \lambda$ of
//!   y. With `ThetaGamma`, y and $\lambda$ belong to the time $t_k + \gamma h$ instead, and
//!   [`State::output`](crate::kernel::State::output) returns y at the end of the step.
//! - Time-stepping finds the switching time only to within one step.
//!   [`EventDriven`](crate::kernel::simulation::EventDriven) locates it, for circuits of relative degree 0 or
//!   1 without relays. `report.closed` lists the laws whose $\lambda$ is active, here a blocking diode.
//!
//! # Elements
//!
//! Use one quantity of each element as y and the other as $\lambda$. If the current is a state, as in series
//! with a coil, y is the current. If the voltage is a state, as at a capacitor, y is the blocked voltage and
//! $\lambda$ the current. Either way, $y \lambda$ is a power \[W\].
//!
//! | element | law | y and $\lambda$ |
//! |---|---|---|
//! | ideal diode | [`ComplementarityCondition`](crate::kernel::model::ComplementarityCondition) | current and blocked voltage, or vice versa |
//! | diode with forward voltage $u_f$ | the same | $y = u_f - u$ (offset e), $\lambda$ = current |
//! | diode with on-resistance | the same | blocked voltage with $D = R_{on}$, $\lambda$ = current |
//! | Zener diode with voltage $u_z$ | [`Relay::new`](crate::kernel::model::Relay::new) from 0 to $u_z$ | forward current, blocked voltage |
//! | switch driven by a clock | [`Relay::of_time`](crate::kernel::model::Relay::of_time) | blocked voltage, current from 0 to 0 or infinity |
//! | relay, comparator, sign | [`Relay::symmetric`](crate::kernel::model::Relay::symmetric), `Relay::new` | input, output (lower bound where y > 0) |
//! | ideal connection | [`EqualityCondition`](crate::kernel::model::EqualityCondition) | y = 0, $\lambda$ of any sign |
//! | node without a capacitor, with elements | [`MixedComplementarityCondition`](crate::kernel::model::MixedComplementarityCondition) | y = sum of the currents = 0, $\lambda$ = node potential |
//!
//! One interaction can contain several elements that are coupled by D. The diode bridge has four: Kirchhoff's
//! laws give two equations at its nodes and two around its loops. An oscillator (C, L) drives a resistor R
//! through it:
//!
//! ```
//! # use siconos::kernel::analysis::{LinearSystem, RelativeDegree};
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (c, l, g) = (1e-6, 1e-2, 1e-3); // F, H, 1/ohm
//! let mut model = NonSmoothDynamicalSystem::new();
//! let tank =
//!     FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]);
//! let tank = model.add_system(tank)?;
//! // lambda = (-v_D1, -v_D2, i_D3, i_D4), y = (i_D1, i_D2, -v_D3, -v_D4).
//! let bridge = FirstOrderLinearRelation::new(
//!     array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
//!     array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0, 0.0, 0.0, 0.0]],
//! )
//! .with_d(array![
//!     [g, g, -1.0, 0.0],
//!     [g, g, 0.0, -1.0],
//!     [1.0, 0.0, 0.0, 0.0],
//!     [0.0, 1.0, 0.0, 0.0]
//! ]);
//! let bridge = model.add_interaction([tank], bridge, ComplementarityCondition::new(4)?)?;
//!
//! // The relative degree is 0: lambda is continuous, and the midpoint rule is suitable.
//! let system = LinearSystem::of(&model, 0.0)?.expect("the model has an interaction");
//! assert_eq!(RelativeDegree::of(&system)?.uniform, Some(0));
//! let grid = TimeDiscretisation::uniform(0.0, 5e-3, 1e-6)?;
//! let midpoint = ThetaGamma::default();
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(grid)
//!     .integrator(midpoint)
//!     .strict(true)
//!     .build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut heat = 0.0;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     let load =
//!         state.y(bridge, Level::Position)[0] + state.lambda(bridge, Level::Position)[2];
//!     heat += 1e-6 * load * load / g;
//! }
//! let stored = 0.5 * (c * state.x(tank)[0].powi(2) + l * state.x(tank)[1].powi(2));
//! assert!((stored + heat - 50e-6).abs() < 1e-12 * 50e-6, "no energy is lost, up to rounding");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/diode_bridge.svg"))]
//!
//! *The bridge with two integrators. The example `diode_bridge` draws the figure:
//! `cargo run --release --package siconos-examples -- diode_bridge`.*
//!
//! **A rectifier with a smoothing capacitor.** The voltage of the load is now a state, and the nodes between
//! the diodes have no state. All diode currents are multipliers, and the blocked voltages are the components
//! of y. Each node whose potential is unknown adds one equation: the sum of its currents is zero. Here the
//! source is connected through a resistor $R_s$ between two nodes, of which one is unknown, with the
//! potential $\lambda_0$ relative to the negative terminal of the load.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # use std::f64::consts::PI;
//! let (peak, omega, rs, c, r) = (10.0, 100.0 * PI, 1.0, 100e-6, 1e3);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let load = FirstOrderLinearTi::new(vec![0.0], array![[-1.0 / r]]).with_mass(array![c]);
//! let load = model.add_system(load)?;
//! // lambda = (node potential, i1, i2, i3, i4). D1 leads from the negative terminal to the node,
//! // D2 from the node to the positive terminal, D3 and D4 likewise at the other node.
//! let bridge = FirstOrderLinearRelation::new(
//!     array![[0.0], [0.0], [1.0], [0.0], [1.0]],
//!     array![[0.0, 0.0, 1.0, 0.0, 1.0]],
//! )
//! .with_d(array![
//!     [0.0, 1.0, -1.0, 1.0, -1.0],
//!     [1.0, 0.0, 0.0, 0.0, 0.0],
//!     [-1.0, 0.0, 0.0, 0.0, 0.0],
//!     [1.0, 0.0, 0.0, rs, -rs],
//!     [-1.0, 0.0, 0.0, -rs, rs],
//! ])
//! .with_offset_function(move |at, e| {
//!     let u = peak * (omega * at.t).sin();
//!     (e[3], e[4]) = (u, -u);
//! });
//! let law = MixedComplementarityCondition::new(1, 4)?;
//! let bridge = model.add_interaction([load], bridge, law)?;
//! let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-5)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut highest = 0.0_f64;
//! simulation.run(&model, &mut state, |_, state| {
//!     highest = highest.max(state.x(load)[0]);
//!     assert!(state.y(bridge, Level::Position)[0].abs() < 1e-12, "the currents add up to 0");
//! })?;
//! // While the diodes conduct, the load follows the source through R_s.
//! let expected = peak / (1.0 + rs / r).hypot(omega * rs * c);
//! assert!((highest - expected).abs() < 1e-3, "9.985 V");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Integrator and relative degree
//!
//! The relative degree is the number of times that y must be differentiated until $\lambda$ appears. It
//! determines how smooth the solution is, and therefore which integrator is suitable:
//!
//! | relative degree | example | solution | integrator |
//! |---|---|---|---|
//! | 0, D regular | diode and resistor; bridge with a resistor | x' and $\lambda$ are continuous | [`ThetaGamma`](crate::kernel::integrator::ThetaGamma), order 2 |
//! | 0 or 1 | diode and coil, relay on a filter | x is continuous, $\lambda$ can jump | [`EulerMoreau`](crate::kernel::integrator::EulerMoreau) (default), order 1 |
//! | 1, inconsistent start | charged capacitor behind a diode | x jumps once | [`MeasureEuler`](crate::kernel::integrator::MeasureEuler) |
//! | 2 | mass on a stop | x jumps at impacts | `MeasureEuler`, or write it as mechanics |
//! | above 2 | | $\lambda$ contains derivatives of measures | [`siconos_sweeping`](crate::sweeping) |
//!
//! [`build`](crate::kernel::simulation::TimeSteppingBuilder::build) computes the relative degree of each
//! connected part and emits a `tracing` warning if the integrator does not suit it. The warning is also in
//! [`build_report`](crate::kernel::simulation::TimeStepping::build_report), and
//! [`strict`](crate::kernel::simulation::TimeSteppingBuilder::strict) makes it an error. `ThetaGamma` on the
//! rectifier above reports:
//!
//! ```text
//! ThetaGamma on a system of relative degree 1 without a regular D: lambda may jump, and with gamma or
//! theta_r below 1 it then oscillates from step to step; use gamma = 1 and theta_r = 1 (EulerMoreau), or
//! MeasureEuler if the state jumps
//! ```
//!
//! The warning depends on the matrices, not on the motion. If all currents of a circuit are continuous, as in
//! the rectifier with a smoothing capacitor, `ThetaGamma` is suitable in spite of it: the voltage of the load
//! is then 50 times as accurate at h = 10 microseconds, and no energy is lost. `EulerMoreau` damps
//! oscillations: with theta = 1, an oscillation of angular frequency $\omega$ loses the fraction
//! $1 - e^{-\omega^2 h t}$ of its energy in the time t.
//!
//! **State jumps.** A diode connects a capacitor $C_1$ at 10 V to an empty capacitor $C_2$. They share their
//! charge instantaneously: the charge $C_1 C_2 / (C_1 + C_2) \cdot 10$ V flows in the first step, for any
//! step length.
//!
//! ```
//! # use siconos::kernel::prelude::MeasureEuler;
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (c1, c2) = (1e-6, 2e-6);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let zero = array![[0.0, 0.0], [0.0, 0.0]];
//! let pair = model
//!     .add_system(FirstOrderLinearTi::new(vec![10.0, 0.0], zero).with_mass(array![c1, c2]))?;
//! // y is the blocked voltage v2 - v1, lambda the current.
//! let diode = FirstOrderLinearRelation::new(array![[-1.0, 1.0]], array![[-1.0], [1.0]]);
//! let diode = model.add_interaction([pair], diode, ComplementarityCondition::new(1)?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1e-6, 1e-6)?;
//! let mut simulation = TimeStepping::builder(&model)
//!     .discretisation(grid)
//!     .integrator(MeasureEuler::default())
//!     .build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.step(&model, &mut state)?;
//! let charge = state.lambda(diode, Level::Velocity)[0];
//! assert!((charge - 10.0 * c1 * c2 / (c1 + c2)).abs() < 1e-18);
//! assert!((state.x(pair)[0] - 10.0 / 3.0).abs() < 1e-12);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Switches and relays
//!
//! A chopper feeds a coil: the transistor conducts during 40 % of each period, and otherwise a diode carries
//! the current. With the node voltage $v_s$ and the current $i_T$ of the transistor as multipliers,
//! $y = (i - i_T, v_s - u)$ and $0 \le v_s$, $0 \le i_T \le \bar i(t)$, where $\bar i$ is infinite while the
//! gate is on and 0 while it is off. The mode of the circuit is a result of the computation, not an input.
//! The mean current is $d u / R$, where d is the duty cycle.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (r, l, u, duty, period, h) = (5.0, 1e-3, 12.0, 0.4, 1e-4, 1e-6);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let coil = model
//!     .add_system(FirstOrderLinearTi::new(vec![0.0], array![[-r]]).with_mass(array![l]))?;
//! let node = FirstOrderLinearRelation::new(array![[1.0], [0.0]], array![[1.0, 0.0]])
//!     .with_d(array![[0.0, -1.0], [1.0, 0.0]])
//!     .with_offset(vec![0.0, -u]);
//! let law = Relay::of_time(2, move |at, _lower, upper| {
//!     // The bounds are evaluated at the end of the step. The middle of a step is never
//!     // at the edge of a pulse.
//!     let phase = ((at.t - 0.5 * h) / period).rem_euclid(1.0);
//!     upper[0] = f64::INFINITY;
//!     upper[1] = if phase < duty { f64::INFINITY } else { 0.0 };
//! })?;
//! model.add_interaction([coil], node, law)?;
//! let grid = TimeDiscretisation::uniform(0.0, 2e-3, h)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut mean = 0.0;
//! simulation.run(&model, &mut state, |report, state| {
//!     if report.step > 1900 {
//!         mean += state.x(coil)[0] / 100.0;
//!     }
//! })?;
//! assert!((mean - duty * u / r).abs() < 1e-3 * duty * u / r);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **Sliding.** A relay with the input $y = v - v_{ref} + \tau \dot v$ controls the output voltage v of a
//! converter with two transistors. After the start, the state slides along y = 0. Because the relay law is
//! implicit, $\lambda$ is then the value between the bounds that keeps y = 0, and it does not chatter. It is
//! the mean voltage of an infinitely fast switch.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! let (l, c, r, source, reference, tau) = (100e-6, 10e-6, 5.0, 12.0, 5.0, 50e-6);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let filter = array![[0.0, -1.0 / l], [1.0 / c, -1.0 / (r * c)]]; // x = (i, v)
//! let filter = model.add_system(FirstOrderLinearTi::new(vec![0.0, 0.0], filter))?;
//! let input = array![[tau / c, 1.0 - tau / (r * c)]];
//! let relay = FirstOrderLinearRelation::new(input, array![[1.0 / l], [0.0]])
//!     .with_offset(vec![-reference]);
//! let relay = model.add_interaction([filter], relay, Relay::new(vec![0.0], vec![source])?)?;
//! let grid = TimeDiscretisation::uniform(0.0, 1e-3, 1e-7)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! simulation.run(&model, &mut state, |_, _| {})?;
//! assert!((state.x(filter)[1] - reference).abs() < 1e-6);
//! assert!(
//!     (state.lambda(relay, Level::Position)[0] - reference).abs() < 1e-4,
//!     "the duty cycle is 5/12"
//! );
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **Hysteresis.** The relay law has no memory. Positive feedback ($y = x + D \lambda$ with negative D) has
//! three solutions inside the band, and the solver can return any of them. Write a relay with hysteresis as a
//! [hybrid system](super::hybrid_systems), or as an actuator of a [control loop](super::control_loops).
//!
//! # Pitfalls
//!
//! - A wrong sign of B or D leaves steps without a solution. The step fails with "the one-step nonsmooth
//!   problem did not converge: there is no solution after 1 iterations, error 1e0". An event-driven
//!   simulation detects the wrong sign when it is built, and reports a matrix "that is neither a P-matrix nor
//!   positive semidefinite".
//! - `EventDriven` does not support relays; the error is "EventDriven does not support a relay, whose
//!   solutions may slide along its switching surface; write it as complementarity with D if it is a
//!   saturation, or use TimeStepping".
//! - If a sliding relay acts on the second derivative of y, theta = 1/2 makes $\lambda$ alternate from step
//!   to step. [`alternating_multipliers`](crate::kernel::simulation::TimeStepping::alternating_multipliers)
//!   lists such relays; use `EulerMoreau::new(1.0)`. Theta = 1 also damps the fast time constants of a stiff
//!   circuit.
//! - While the diode of the rectifier blocks, the computed current is of the order of the rounding error, but
//!   not exactly zero. To decide which mode is active, use a threshold, or compare the two quantities of the
//!   pair.
//!
//! # Next
//!
//! [Integrator, step and tolerance](super::accuracy) for orders and errors; [Hybrid
//! systems](super::hybrid_systems) for switches with memory;
//! [`ConvergenceReport`](crate::kernel::analysis::ConvergenceReport) for passivity and convergence; the
//! examples `diode_bridge`, `filtered_bridge`, `buck_converter`, `relay_oscillator` and `rlcd`.
