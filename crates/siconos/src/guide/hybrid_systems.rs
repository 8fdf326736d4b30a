//! Hybrid systems: equations with discrete variables, thresholds, clocks and resets.
//!
//! This chapter shows how to simulate differential equations whose right-hand side depends on discrete
//! variables. Events change these variables, as in thermostats, state machines, counters, sampled variables
//! and resets. Events are located, so their times are as accurate as the integration.
//!
//! | situation | tool |
//! |---|---|
//! | contact, friction, diode, relay that slides: a law determines the motion | [`NonSmoothDynamicalSystem`](crate::kernel::model::NonSmoothDynamicalSystem) |
//! | you know what happens at an event, and can write it as an assignment | [`HybridSystem`](crate::hybrid::HybridSystem), this chapter |
//! | sensors and controllers with sampling periods around a model | [`ControlLoop`](crate::control::ControlLoop), [Control loops](super::control_loops) |
//!
//! # A thermostat
//!
//! A room at the temperature T \[°C\] loses heat to the outside at 10 °C, with the time constant $\tau$ =
//! 3600 s. The heater would warm it to 15 K above the outside temperature. The thermostat switches the heater
//! off at 21 °C and on again at 19 °C:
//!
//! $$ \dot T = (10 + 15 u - T) / \tau, \qquad u \in \lbrace 0, 1 \rbrace. $$
//!
//! From 19 to 21 °C, heating takes $\tau \ln (6/4)$; back to 19 °C, cooling takes $\tau \ln (11/9)$.
//!
//! ```
//! use siconos::hybrid::{DiscreteId, VariableType};
//! use siconos::kernel::EventSide;
//! use siconos::prelude::*;
//!
//! /// The heater is the discrete variable that is declared first.
//! const ON: DiscreteId = DiscreteId::new(0);
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let tau = 3600.0;
//!     let heat =
//!         move |p: View, rate: &mut [f64]| rate[0] = (10.0 + 15.0 * p[ON] - p.x[0]) / tau;
//!     let mut room = HybridSystem::first_order(["T"], heat)?;
//!     room.discrete("heater", VariableType::Boolean, true)?;
//!     // The event fires when T leaves the band, and again after T has been inside.
//!     room.event(Trigger::range("T", 19.0, 21.0), Action::set(|p| p.set(ON, !p.is(ON))))?;
//!
//!     let mut solution = HybridSolution::new(&room, 0.0, &[17.0], HybridSettings::default())?;
//!     assert_eq!(solution.at(4.0 * 3600.0)?, IntegrationOutcome::Reached);
//!     assert!((19.0..21.0).contains(&solution.x()[0]));
//!
//!     // The recorded events, with all variables before and after each.
//!     let trajectory = solution.trajectory();
//!     let switches: Vec<f64> = trajectory.events().map(|mark| mark.t).collect();
//!     let (heating, cooling) = (tau * 1.5_f64.ln(), tau * (11.0_f64 / 9.0).ln());
//!     assert!((switches[0] - tau * 2.0_f64.ln()).abs() < 1e-6, "from 17 to 21 degrees");
//!     assert!((switches[1] - switches[0] - cooling).abs() < 1e-6);
//!     assert!((switches[2] - switches[1] - heating).abs() < 1e-6);
//!     // Any time in between: T, followed by the discrete variables.
//!     let mut values = [0.0; 2];
//!     trajectory.write(switches[0], EventSide::After, &mut values)?;
//!     assert!((values[0] - 21.0).abs() < 1e-9 && values[1] == 0.0);
//!     Ok(())
//! }
//! ```
//!
#![cfg_attr(doc, doc = include_str!("../../figures/hybrid_thermostat.svg"))]
//!
//! *A thermostat in dimensionless form. The example `hybrid_thermostat` draws the figure:
//! `cargo run --release --package siconos-examples -- hybrid_thermostat`.*
//!
//! 1. [`HybridSystem::first_order`](crate::hybrid::HybridSystem::first_order) takes the names of the
//!    variables and the right-hand side. [`second_order`](crate::hybrid::HybridSystem::second_order) takes
//!    accelerations; its states are the variables followed by their derivatives.
//! 2. [`discrete`](crate::hybrid::HybridSystem::discrete) declares a boolean, an integer or a float. Its id
//!    is its index in the order of declaration, so the right-hand side can refer to it by a constant. `p[ON]`
//!    is its value, 1 or 0 for a boolean.
//! 3. [`event`](crate::hybrid::HybridSystem::event) adds a trigger with an action, and returns the event
//!    number, counted from 1.
//! 4. [`HybridSolution::at`](crate::hybrid::HybridSolution::at) integrates as far as requested and returns an
//!    [`IntegrationOutcome`](crate::hybrid::IntegrationOutcome). The default tolerances are 1e-12, relative
//!    and absolute. A requested time before the initial time is reached by backward integration.
//!
//! # Triggers
//!
//! | trigger | fires |
//! |---|---|
//! | [`Trigger::root`](crate::hybrid::Trigger::root), [`increasing`](crate::hybrid::Trigger::increasing), [`decreasing`](crate::hybrid::Trigger::decreasing) | a variable or a function of t, x and d crosses 0 |
//! | [`Trigger::range`](crate::hybrid::Trigger::range) | a variable or function leaves an interval |
//! | [`Trigger::at`](crate::hybrid::Trigger::at), [`periodic`](crate::hybrid::Trigger::periodic) | at a time, or at start + k period |
//! | [`Trigger::discrete`](crate::hybrid::Trigger::discrete) | a [`Condition`](crate::hybrid::Condition) holds while other events are processed |
//!
//! The method [`when`](crate::hybrid::Root::when) adds a further condition to a root.
//!
//! **Clocks.** A controller samples x every half second and holds $u = x$, so $\dot x = -u$ halves x in each
//! period. A timed event at the initial time fires. Sampling times do not accumulate rounding errors.
//!
//! ```
//! # use siconos::hybrid::{DiscreteId, VariableType};
//! # use siconos::prelude::*;
//! const U: DiscreteId = DiscreteId::new(0);
//! let mut plant =
//!     HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p[U])?;
//! plant.discrete("u", VariableType::Float, 0.0)?;
//! plant.event(Trigger::periodic(0.0, 0.5), Action::set(|p| p.set(U, p.x()[0])))?;
//! let mut solution = HybridSolution::new(&plant, 0.0, &[1.0], HybridSettings::default())?;
//! assert_eq!(solution.at(5.0)?, IntegrationOutcome::Reached);
//! assert!((solution.x()[0] - 0.5_f64.powi(10)).abs() < 1e-12);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **Resets and accumulation.** A ball keeps half of its speed at each bounce. Infinitely many bounces
//! accumulate at three times the time of the first fall. The integration ends there and reports the estimated
//! time. (A hybrid system cannot let the ball rest; a contact law can.)
//!
//! ```
//! # use siconos::prelude::*;
//! let mut ball = HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -9.81)?;
//! ball.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.5 * p.x()[1])))?;
//! let mut solution = HybridSolution::new(&ball, 0.0, &[1.0, 0.0], HybridSettings::default())?;
//! let answer = solution.at(10.0)?;
//! let IntegrationOutcome::Accumulation { t, .. } = answer else { panic!("{answer}") };
//! assert!((t - 3.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-6);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! **State machines.** At an instant, all events are processed in the order in which they were added, in
//! passes, until no event fires. A discrete event fires in each pass in which its condition holds. Here a
//! root advances a counter, and a discrete event in the same instant reads it and halts. A halt can be
//! cleared; the integration then continues.
//!
//! ```
//! # use siconos::hybrid::{Condition, DiscreteId, VariableType};
//! # use siconos::prelude::*;
//! const TURNS: DiscreteId = DiscreteId::new(0);
//! let mut wheel = HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -p.x[0])?;
//! wheel.discrete("turns", VariableType::Integer, 0.0)?;
//! wheel.event(Trigger::increasing("y"), Action::set(|p| p.set(TURNS, p[TURNS] + 1.0)))?;
//! let third = Condition::new(|p| p.change(TURNS) && p[TURNS] == 3.0);
//! let stop = wheel.event(Trigger::discrete(third), Action::halt())?;
//! let mut solution = HybridSolution::new(&wheel, 0.0, &[0.0, 1.0], HybridSettings::default())?;
//! let answer = solution.at(100.0)?;
//! assert!(matches!(answer, IntegrationOutcome::Halted { t, event, .. }
//!     if event == stop && (t - 6.0 * std::f64::consts::PI).abs() < 1e-9));
//! solution.clear();
//! assert_eq!(solution.at(30.0)?, IntegrationOutcome::Reached);
//! assert_eq!(solution.value(TURNS), 4.0);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Algebraic equations
//!
//! [`with_algebraic`](crate::hybrid::HybridSystem::with_algebraic) adds variables z with equations 0 = g(t,
//! x, z, d) of index 1. They follow the states in `p.x`. Their initial values are only initial guesses.
//! Below, $\dot x = -z$ with $x = z + z^3$, and z falls from 1 to 1/2 in the time $\ln 2 + 9/8$:
//!
//! ```
//! # use siconos::prelude::*;
//! let mut system =
//!     HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[1])?
//!         .with_algebraic(["z"], |p: View, g: &mut [f64]| {
//!             g[0] = p.x[1] + p.x[1].powi(3) - p.x[0]
//!         })?;
//! system.event(Trigger::decreasing(|p: View| p.x[1] - 0.5), Action::halt())?;
//! let mut solution =
//!     HybridSolution::new(&system, 0.0, &[2.0, 0.7], HybridSettings::default())?;
//! assert!(matches!(solution.at(10.0)?, IntegrationOutcome::Halted { .. }));
//! assert!((solution.t() - (2.0_f64.ln() + 1.125)).abs() < 1e-8);
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Right-hand sides that jump
//!
//! Declare where the right-hand side jumps, with [`switch`](crate::hybrid::HybridSystem::switch), or with
//! [`switch_times`](crate::hybrid::HybridSystem::switch_times) for known times. The integration then restarts
//! there. If the equations push the motion to the switch from both sides, the solution ends with
//! [`IntegrationOutcome::Sliding`](crate::hybrid::IntegrationOutcome::Sliding); such a motion needs a law,
//! for example [`Relay`](crate::kernel::model::Relay).
//!
//! ```
//! # use siconos::prelude::*;
//! let mut slope = HybridSystem::first_order(["v"], |p: View, rate: &mut [f64]| {
//!     rate[0] = -p.x[0].signum()
//! })?;
//! slope.switch("the direction of motion", |p: View| p.x[0]);
//! let mut solution = HybridSolution::new(&slope, 0.0, &[1.0], HybridSettings::default())?;
//! let answer = solution.at(2.0)?;
//! assert!(matches!(&answer, IntegrationOutcome::Sliding { t, .. } if (t - 1.0).abs() < 1e-9));
//! assert!(answer.to_string().contains("where `the direction of motion` changes sign"));
//! # Ok::<(), siconos::Error>(())
//! ```
//!
//! # Pitfalls
//!
//! - A root does not fire in three cases: at the initial point, if an action moves its function across 0, and
//!   if the function only touches 0. [`EventOptions`](crate::hybrid::EventOptions) change the first case with
//!   `fire_initial`; the option `requires` is for functions that touch 0 or stay there.
//! - Two roots of one function within an eighth of a step can both be missed. Declare the degree of a
//!   polynomial with [`GuardFunction::with_degree`](crate::hybrid::GuardFunction::with_degree), or limit the
//!   step with `HybridSettings::ode.h_max`. A trigger that names a variable never misses a root.
//! - A mode in which a quantity stays zero, such as the slip velocity of a block that sticks on a moving
//!   belt, needs this quantity as a state, which the action sets to 0. A root of the difference of two
//!   quantities would fire again at once, because of rounding.
//! - The defaults suit motions of seconds with states of the order of 1. Use
//!   [`HybridSettings::for_span`](crate::hybrid::HybridSettings::for_span) for microseconds, and a smaller
//!   absolute tolerance for small states.
//! - Actions are checked. `p.set(TURNS, 2.5)` ends the integration with "event 1 at t = .. assigns 2.5 to
//!   `turns`, which must be a whole number below 2^53 in magnitude".
//! - A discrete event whose condition remains true never ends its iteration: "the iteration over the events
//!   at t = 1 has not ended after 100 passes; in the last pass, event 2 fired". Use `p.change(..)` in the
//!   condition, as above, or make the condition false in the action.
//! - [`enable`](crate::hybrid::HybridSolution::enable) of a disabled event restarts the solution at the
//!   initial point.
//!
//! # Next
//!
//! [Events and event-driven simulation](super::event_driven) for contacts with located impacts; [Saving and
//! resuming](super::saving) for model files of the kind `hybrid`; [`siconos_hybrid`](crate::hybrid) for the
//! order of events and `pre`; the examples `hybrid_thermostat`, `hybrid_two_tanks`, `hybrid_neuron` and
//! `hybrid_sampled_pid`.
