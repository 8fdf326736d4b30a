//! Hybrid systems: equations with discrete variables, thresholds, clocks and resets.
//!
//! How do I simulate equations with discrete variables, thresholds and resets? This chapter describes
//! differential equations whose right-hand side depends on discrete variables, and events that change these
//! variables. Examples are thermostats, state machines, counters, sampled variables and resets. The times of
//! events are as accurate as the integration.
//!
//! | situation | tool |
//! |---|---|
//! | a law determines the motion: contact, friction, diode, sliding relay | [`NonSmoothDynamicalSystem`](crate::kernel::model::NonSmoothDynamicalSystem) |
//! | you can write the effect of each event as an assignment | [`HybridSystem`](crate::hybrid::HybridSystem), this chapter |
//! | sensors and controllers sample a model | [`ControlLoop`](crate::control::ControlLoop), [Control loops](super::control_loops) |
//!
//! # A thermostat
//!
//! A room at the temperature T \[°C\] loses heat to the outside, which is at 10 °C. The time constant is
//! $\tau$ = 3600 s. If the heater stayed on, the room would reach 15 K above the outside temperature. The
//! thermostat switches the heater off at 21 °C and on again at 19 °C. The variable u is 1 while the heater is
//! on and 0 while it is off:
//!
//! $$ \dot T = (10 + 15 u - T) / \tau, \qquad u \in \lbrace 0, 1 \rbrace. $$
//!
//! Heating from 19 °C to 21 °C takes $\tau \ln (6/4)$. Cooling from 21 °C to 19 °C takes $\tau \ln (11/9)$.
//!
//! ```
//! use siconos::hybrid::{DiscreteId, VariableType};
//! use siconos::kernel::EventSide;
//! use siconos::prelude::*;
//!
//! /// Id of the discrete variable `heater`, which is declared first.
//! const ON: DiscreteId = DiscreteId::new(0);
//!
//! fn main() -> Result<(), siconos::Error> {
//!     let tau = 3600.0;
//!     let heat =
//!         move |p: View, rate: &mut [f64]| rate[0] = (10.0 + 15.0 * p[ON] - p.x[0]) / tau;
//!     let mut room = HybridSystem::first_order(["T"], heat)?;
//!     room.discrete("heater", VariableType::Boolean, true)?;
//!     // The event fires each time T leaves the interval from 19 to 21 degrees.
//!     room.event(Trigger::range("T", 19.0, 21.0), Action::set(|p| p.set(ON, !p.is(ON))))?;
//!
//!     let mut solution = HybridSolution::new(&room, 0.0, &[17.0], HybridSettings::default())?;
//!     assert_eq!(solution.at(4.0 * 3600.0)?, IntegrationOutcome::Reached);
//!     assert!((19.0..21.0).contains(&solution.x()[0]));
//!
//!     // The trajectory contains the variables before and after each event.
//!     let trajectory = solution.trajectory();
//!     let switches: Vec<f64> = trajectory.events().map(|mark| mark.t).collect();
//!     let (heating, cooling) = (tau * 1.5_f64.ln(), tau * (11.0_f64 / 9.0).ln());
//!     assert!((switches[0] - tau * 2.0_f64.ln()).abs() < 1e-6, "from 17 to 21 degrees");
//!     assert!((switches[1] - switches[0] - cooling).abs() < 1e-6);
//!     assert!((switches[2] - switches[1] - heating).abs() < 1e-6);
//!     // The values at any time are T, followed by the discrete variables.
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
//!    the accelerations instead; the states are then the variables followed by their derivatives.
//! 2. [`discrete`](crate::hybrid::HybridSystem::discrete) declares a boolean, integer or float variable. The
//!    id of the variable is its index in the order of declaration, so the right-hand side can refer to the
//!    variable by a constant. `p[ON]` is the value of the variable. A boolean has the value 1 or 0.
//! 3. [`event`](crate::hybrid::HybridSystem::event) adds a trigger with an action, and returns the event
//!    number, counted from 1.
//! 4. [`HybridSolution::at`](crate::hybrid::HybridSolution::at) integrates to the requested time and returns
//!    an [`IntegrationOutcome`](crate::hybrid::IntegrationOutcome). The default tolerances are 1e-12,
//!    relative and absolute. If the requested time is before the initial time, the integration runs backward.
//!
//! # Triggers
//!
//! | trigger | fires |
//! |---|---|
//! | [`Trigger::root`](crate::hybrid::Trigger::root), [`increasing`](crate::hybrid::Trigger::increasing), [`decreasing`](crate::hybrid::Trigger::decreasing) | when a variable, or a function of t, x and d, crosses 0 |
//! | [`Trigger::range`](crate::hybrid::Trigger::range) | when a variable or function leaves an interval |
//! | [`Trigger::at`](crate::hybrid::Trigger::at), [`periodic`](crate::hybrid::Trigger::periodic) | at one time; at the times start + k period |
//! | [`Trigger::discrete`](crate::hybrid::Trigger::discrete) | if a [`Condition`](crate::hybrid::Condition) holds while other events are processed |
//!
//! The method [`when`](crate::hybrid::Root::when) adds a condition to a root. The root then fires only if the
//! condition holds.
//!
//! **Clocks.** A controller samples x every 0.5 s and sets $u = x$ until the next sample. Because
//! $\dot x = -u$, the value of x is halved in each period. If the initial time is one of the times of a timed
//! event, the event fires at the initial time. Sampling times do not accumulate rounding errors.
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
//! accumulate at three times the duration of the first fall. The integration ends at the accumulation and
//! reports its estimated time. A hybrid system cannot continue with the ball at rest; a contact law can.
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
//! **State machines.** When an event fires, all events are processed in passes until no event fires in a
//! pass. In each pass, events are processed in the order in which they were added. A discrete event fires in
//! each pass in which its condition holds. In this example, a root increments a counter. At the same time, a
//! discrete event reads the counter and halts the integration. To continue, clear the halt.
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
//! [`with_algebraic`](crate::hybrid::HybridSystem::with_algebraic) adds algebraic variables z and the
//! equations $0 = g(t, x, z, d)$ of index 1. In `p.x`, the variables z follow the states x. The initial
//! values of z are only initial guesses. In this example, $\dot x = -z$ with $x = z + z^3$, and z decreases
//! from 1 to 1/2 in the time $\ln 2 + 9/8$.
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
//! If the right-hand side jumps when a function crosses 0, declare this function with
//! [`switch`](crate::hybrid::HybridSystem::switch). If the right-hand side jumps at known times, declare the
//! times with [`switch_times`](crate::hybrid::HybridSystem::switch_times). The integration then restarts at
//! each jump. If the equations drive the function to 0 from both sides, the solution ends with
//! [`IntegrationOutcome::Sliding`](crate::hybrid::IntegrationOutcome::Sliding). Such a motion needs a law,
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
//! - A root does not fire in these cases: at the initial point; if an action moves the function of the root
//!   across 0; if the function touches 0 without crossing it. The option `fire_initial` of
//!   [`EventOptions`](crate::hybrid::EventOptions) lets a root fire at the initial point. The option
//!   `requires` is for functions that touch 0 or stay at 0.
//! - If a function has two roots within an eighth of a step, both can be missed. If the function is a
//!   polynomial, declare its degree with
//!   [`GuardFunction::with_degree`](crate::hybrid::GuardFunction::with_degree). Otherwise, limit the step
//!   length with `HybridSettings::ode.h_max`. If you give the name of a variable to the trigger instead of a
//!   function, no root is missed.
//! - In some modes, a quantity stays zero, such as the slip velocity of a block that sticks to a moving belt.
//!   Make this quantity a state, and set it to 0 in the action. A trigger for the difference of two states
//!   would fire again at once because of rounding errors.
//! - The default settings suit states of the order of 1 and motions with a duration of seconds. For a
//!   duration of microseconds, use [`HybridSettings::for_span`](crate::hybrid::HybridSettings::for_span). For
//!   small states, reduce the absolute tolerance.
//! - Assigned values are checked. `p.set(TURNS, 2.5)` ends the integration with the error "event 1 at t = ..
//!   assigns 2.5 to `turns`, which must be a whole number below 2^53 in magnitude".
//! - If the condition of a discrete event remains true, the event iteration does not end: "the event
//!   iteration at t = 1 has not ended after 100 passes; in the last pass, event 2 fired". Use `p.change(..)`
//!   in the condition, as above, or make the condition false in the action.
//! - If an event is disabled, [`enable`](crate::hybrid::HybridSolution::enable) restarts the solution at the
//!   initial point.
//!
//! # Next
//!
//! - [Events and event-driven simulation](super::event_driven): contacts with located impacts.
//! - [Saving and resuming](super::saving): model files of the kind `hybrid`.
//! - [`siconos_hybrid`](crate::hybrid): the order of events, and values before an event (`pre`).
//! - The examples `hybrid_thermostat`, `hybrid_two_tanks`, `hybrid_neuron` and `hybrid_sampled_pid` of the
//!   package `siconos-examples`.
