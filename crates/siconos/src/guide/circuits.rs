//! Circuits and relays: diodes, switches, converters and relays.
//!
//! How do I simulate circuits with ideal diodes and switches, or plants with relays, without modelling the
//! fast transients of the components? Describe each switching element by a law for two quantities, and the
//! rest of the circuit by a first-order system. This chapter uses SI units, but any consistent units work.
//!
//! # A rectifier
//!
//! A voltage $u(t) = \hat u \sin \omega t$ \[V\] feeds a coil (inductance L \[H\], resistance R \[ohm\])
//! through a diode. The state is the current i \[A\]. The law of the diode is $0 \le i \perp \lambda \ge 0$,
//! where $\lambda$ \[V\] is the voltage that the diode blocks: either the diode conducts and $\lambda = 0$,
//! or it blocks and i = 0. Kirchhoff's voltage law is $L \dot i = -R i + u(t) + \lambda$.
//!
//! Because of the coil, the diode conducts beyond the end of the positive half-wave. In closed form, the
//! current is proportional to $\sin(\omega t - \varphi) + \sin \varphi \thinspace e^{-R t / L}$ with
//! $\tan \varphi = \omega L / R$, until this expression becomes 0 at the time $t_e$. One pulse carries the
//! charge $Q = \hat u (1 - \cos \omega t_e) / (\omega R)$ \[C\].
//!
//! ```
//! use siconos::ndarray::array;
//! use siconos::prelude::*;
//! use std::f64::consts::PI;
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let (r, l, peak, omega) = (10.0, 30e-3, 325.0, 100.0 * PI);
//!     let mut model = NonSmoothDynamicalSystem::new();
//!     // M x' = A x + b(t) + r with x = i, M = L, A = -R, b = u. The input r = B lambda is the
//!     // contribution of the diode.
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
//!     // Event-driven simulation of the same model locates the switching times up to rounding.
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
//!   of the model reads the time as `at.t`. For nonlinear components, use
//!   [`FirstOrderNonlinear`](crate::kernel::model::FirstOrderNonlinear).
//! - [`FirstOrderLinearRelation`](crate::kernel::model::FirstOrderLinearRelation) defines
//!   $y = C x + D \lambda + e$ and $r = B \lambda$. Set the offset e with `with_offset`, or as a function of
//!   time with `with_offset_function`. The shapes are checked when the interaction is added.
//! - `state.lambda(id, Level::Position)` is $\lambda$ at the end of the step. At `Level::Velocity`, the
//!   result is the integral of $\lambda$ over the step, $h \lambda$. Before the first step, both are 0, so y
//!   does not contain the term $D \lambda$. With `ThetaGamma`, y and $\lambda$ belong to the time
//!   $t_k + \gamma h$ instead; [`State::output`](crate::kernel::State::output) returns y at the end of the
//!   step.
//! - Time-stepping finds the switching time only to within one step.
//!   [`EventDriven`](crate::kernel::simulation::EventDriven) locates the switching time if the circuit has
//!   the relative degree 0 or 1 and no relays. `report.closed` lists the components whose $\lambda$ is
//!   active, here a blocking diode.
//!
//! # Elements
//!
//! Use one quantity of each element as y and the other as $\lambda$. If the current is a state, as in series
//! with a coil, y is the current and $\lambda$ is the blocked voltage. If the voltage is a state, as in
//! parallel with a capacitor, y is the blocked voltage and $\lambda$ is the current. In both cases,
//! $y \lambda$ is a power \[W\].
//!
//! | element | law | y | $\lambda$ |
//! |---|---|---|---|
//! | ideal diode | [`ComplementarityCondition`](crate::kernel::model::ComplementarityCondition) | current, or blocked voltage | blocked voltage, or current |
//! | diode with forward voltage $u_f$ | `ComplementarityCondition` | $u_f - u$ with the diode voltage u; $u_f$ is the offset e | current |
//! | diode with on-resistance $R_{on}$ | `ComplementarityCondition` | blocked voltage, with $D = R_{on}$ | current |
//! | Zener diode with voltage $u_z$ | [`Relay::new`](crate::kernel::model::Relay::new) with the bounds 0 and $u_z$ | forward current | blocked voltage |
//! | switch driven by a clock | [`Relay::of_time`](crate::kernel::model::Relay::of_time) with the lower bound 0 and the upper bound infinity (on) or 0 (off) | blocked voltage | current |
//! | relay, comparator, sign function | [`Relay::symmetric`](crate::kernel::model::Relay::symmetric), `Relay::new` | input | output, which is the lower bound if y > 0 |
//! | ideal connection | [`EqualityCondition`](crate::kernel::model::EqualityCondition) | quantity that must be 0 | quantity of any sign |
//! | node without a capacitor, together with the elements at the node | [`MixedComplementarityCondition`](crate::kernel::model::MixedComplementarityCondition) | sum of the currents into the node, which must be 0, followed by y of the elements | potential of the node, followed by $\lambda$ of the elements |
//!
//! One interaction can contain several elements that are coupled by D. A diode bridge has four diodes, with
//! two equations at the nodes and two equations around the loops of the bridge (Kirchhoff's laws). In this
//! example, an oscillator (C, L) drives a resistor R through the bridge:
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
//! // The relative degree is 0. Lambda is therefore continuous, and the midpoint rule is suitable.
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
//! *Solutions of the diode bridge with two integrators. The example `diode_bridge` draws the figure:
//! `cargo run --release --package siconos-examples -- diode_bridge`.*
//!
//! **A rectifier with a smoothing capacitor.** In this circuit, the voltage of the load is a state. The
//! currents of the diodes are multipliers, and the voltages that the diodes block are components of y. If the
//! potential of a node is unknown, it is one more multiplier, with one more equation: the sum of the currents
//! into the node is zero. Here, the source and its resistor $R_s$ connect two nodes of the bridge. The
//! unknown $\lambda_0$ is the potential of the first of these nodes, relative to the negative terminal of the
//! load.
//!
//! ```
//! # use siconos::ndarray::array;
//! # use siconos::prelude::*;
//! # use std::f64::consts::PI;
//! let (peak, omega, rs, c, r) = (10.0, 100.0 * PI, 1.0, 100e-6, 1e3);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let load = FirstOrderLinearTi::new(vec![0.0], array![[-1.0 / r]]).with_mass(array![c]);
//! let load = model.add_system(load)?;
//! // lambda = (potential of the first node, i1, i2, i3, i4). D1 conducts from the negative terminal
//! // to the first node, D2 from the first node to the positive terminal. D3 and D4 connect the
//! // second node to the terminals in the same way.
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
//! // While the diodes conduct, the source charges the capacitor of the load through R_s.
//! let expected = peak / (1.0 + rs / r).hypot(omega * rs * c);
//! assert!((highest - expected).abs() < 1e-3, "9.985 V");
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Integrator and relative degree
//!
//! The relative degree is the number of times that y must be differentiated with respect to time until
//! $\lambda$ appears. It determines how smooth the solution is, and therefore which integrator is suitable:
//!
//! | relative degree | example | solution | integrator |
//! |---|---|---|---|
//! | 0, with a regular matrix D | diode and resistor; bridge with a resistor | x' and $\lambda$ are continuous | [`ThetaGamma`](crate::kernel::integrator::ThetaGamma), order 2 |
//! | 0 or 1 | diode and coil; relay with a filter | x is continuous, $\lambda$ can jump | [`EulerMoreau`](crate::kernel::integrator::EulerMoreau) (default), order 1 |
//! | 1, with an inconsistent initial state | two capacitors with different voltages, connected by a diode | x jumps once | [`MeasureEuler`](crate::kernel::integrator::MeasureEuler) |
//! | 2 | mass that hits a stop | x jumps at impacts | `MeasureEuler`; or describe the system as a mechanical system |
//! | above 2 | | $\lambda$ contains derivatives of measures | [`siconos_sweeping`](crate::sweeping) |
//!
//! [`build`](crate::kernel::simulation::TimeSteppingBuilder::build) computes the relative degree of each
//! group of connected first-order systems, and emits a `tracing` warning if the integrator is not suitable
//! for the relative degree. [`build_report`](crate::kernel::simulation::TimeStepping::build_report) also
//! contains the warning, and [`strict`](crate::kernel::simulation::TimeSteppingBuilder::strict) turns the
//! warning into an error. For the first rectifier of this chapter, `ThetaGamma` gives this warning:
//!
//! ```text
//! ThetaGamma on a system of relative degree 1 without a regular D: lambda may jump, and with gamma or
//! theta_r below 1 it then oscillates from step to step; use gamma = 1 and theta_r = 1 (EulerMoreau), or
//! MeasureEuler if the state jumps
//! ```
//!
//! The warning depends on the matrices, not on the motion. If all currents of a circuit are continuous, as in
//! the rectifier with a smoothing capacitor, `ThetaGamma` is suitable although the warning is emitted: with
//! h = 10 microseconds, the voltage of the load is 50 times as accurate as with `EulerMoreau`, and no energy
//! is lost. `EulerMoreau` with theta = 1 damps oscillations: an oscillation of angular frequency $\omega$
//! loses the fraction $1 - e^{-\omega^2 h t}$ of its energy in the time t.
//!
//! **State jumps.** A diode connects a capacitor $C_1$, charged to 10 V, to an uncharged capacitor $C_2$. The
//! voltages of the capacitors become equal instantaneously. For any step length, the charge
//! $C_1 C_2 / (C_1 + C_2) \cdot 10$ V flows in the first step.
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
//! // y is the blocked voltage v2 - v1, and lambda is the current of the diode.
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
//! A chopper feeds a coil with the current i from a source with the voltage u. A transistor conducts during
//! 40 % of each period; otherwise, a diode carries the current. The multipliers are the voltage $v_s$ of the
//! node between the transistor, the diode and the coil, and the current $i_T$ of the transistor. The
//! components of y are the current $i - i_T$ of the diode, and $v_s - u$. The bounds are $0 \le v_s$ and
//! $0 \le i_T \le \bar i(t)$, where $\bar i$ is infinite while the transistor is switched on, and 0 while it
//! is switched off. The simulation determines which elements conduct. The mean current is $d u / R$, where d
//! is the duty cycle.
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
//!     // The bounds are evaluated at the end of the step, which can be the edge of a pulse. The
//!     // phase is therefore computed at the middle of the step.
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
//! **Sliding.** A relay controls the output voltage v of a converter with two transistors. The input of the
//! relay is $y = v - v_{ref} + \tau \dot v$. After a short time, the state reaches y = 0 and then slides
//! along y = 0. The relay law is implicit: while the state slides, $\lambda$ is the value between the bounds
//! that keeps y = 0, so $\lambda$ does not chatter. This value is the mean output voltage of an infinitely
//! fast switch.
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
//! **Hysteresis.** The relay law has no memory, so it cannot describe hysteresis. Positive feedback
//! ($y = x + D \lambda$ with negative D) does not help: if x is inside the hysteresis band, there are three
//! solutions, and the solver can return any of them. Write a relay with hysteresis as a
//! [hybrid system](super::hybrid_systems), or as an actuator of a [control loop](super::control_loops).
//!
//! # Pitfalls
//!
//! - If the sign of B or D is wrong, some steps have no solution. Such a step fails with the error "the
//!   one-step nonsmooth problem did not converge: there is no solution after 1 iterations, error 1e0".
//!   Event-driven simulation detects the wrong sign in `build`, and reports "a matrix of lambda (D, or C B
//!   where D is zero) that is neither a P-matrix nor positive semidefinite".
//! - `EventDriven` does not support relays; the error is "EventDriven does not support a relay, whose
//!   solutions may slide along its switching surface; write it as complementarity with D if it is a
//!   saturation, or use TimeStepping".
//! - If a sliding relay acts on the second derivative of y, theta = 1/2 makes $\lambda$ alternate from step
//!   to step. [`alternating_multipliers`](crate::kernel::simulation::TimeStepping::alternating_multipliers)
//!   lists such relays. Use `EulerMoreau::new(1.0)` for them. Theta = 1 also damps the fast modes of a stiff
//!   circuit.
//! - While the diode of the rectifier blocks, the computed current is of the order of the rounding error, but
//!   not exactly zero. To find out whether a diode conducts, use a threshold, or check which of its two
//!   quantities, y or $\lambda$, is larger.
//!
//! # Next
//!
//! - [Integrator, step and tolerance](super::accuracy): orders and errors.
//! - [Hybrid systems](super::hybrid_systems): switches with memory.
//! - [`ConvergenceReport`](crate::kernel::analysis::ConvergenceReport): passivity and convergence.
//! - The examples `diode_bridge`, `filtered_bridge`, `buck_converter`, `relay_oscillator` and `rlcd` of the
//!   package `siconos-examples`.
