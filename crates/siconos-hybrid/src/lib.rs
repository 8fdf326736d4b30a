//! Hybrid systems: ordinary and differential-algebraic equations with events, discrete variables and actions.
//!
//! $$ \dot x = f(t, x, z, d), \qquad 0 = g(t, x, z, d), $$
//!
//! or $\ddot y = a(t, y, \dot y, z, d)$, possibly with a constant mass matrix. (As plain text: x' = f, 0 = g;
//! or y'' = a.) The discrete variables d are constant between events. An event fires if a function crosses
//! zero, if a scheduled time is reached, or if a function leaves an interval. Its action changes x and d: for
//! example, a ball is reflected, a switch is opened, or a controller takes a sample. Events can halt the
//! integration, and can trigger other events in an iteration over all events. They can be enabled, disabled
//! and queried during the integration.
//!
//! The event system follows the events of `dsolve` in computer algebra. Where the documentation of `dsolve`
//! is ambiguous, this page states the interpretation that is implemented.
//!
//! For contacts, friction and circuits with diodes, use the laws of [`model`](siconos_kernel::model), which
//! determine the motion at an impact. A hybrid system only executes the actions that the user has written.
//!
//! | contents | type |
//! |---|---|
//! | equations, variables, events | [`HybridSystem`] |
//! | condition under which an event fires | [`Trigger`], with a [`Condition`] |
//! | effect of an event | [`Action`]: [`Statement`]s, or a function of a [`EventPoint`] |
//! | solution, computed as far as requested | [`HybridSolution`], which returns an [`IntegrationOutcome`] |
//! | recorded solution and its events | [`Trajectory`] |
//! | state from which another process resumes | [`HybridRecord`] |
//!
//! ```
//! use siconos_hybrid::{
//!     Action, IntegrationOutcome, DiscreteId, HybridSettings, HybridSolution, HybridSystem, Trigger, VariableType, View,
//! };
//!
//! // A room is heated to 1 and cools to 1/2: T' = -T + 2 u.
//! const ON: DiscreteId = DiscreteId::new(0);
//! let mut room = HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[ON])?;
//! room.discrete("on", VariableType::Boolean, true)?;
//! room.event(Trigger::range("T", 0.5, 1.0), Action::set(|p| p.set(ON, !p.is(ON))))?;
//! let mut solution = HybridSolution::new(&room, 0.0, &[0.5], HybridSettings::default())?;
//! assert_eq!(solution.at(20.0)?, IntegrationOutcome::Reached);
//! let switches: Vec<f64> = solution.trajectory().events().map(|mark| mark.t).collect();
//! assert!((switches[2] - switches[0] - 3.0_f64.ln()).abs() < 1e-9, "the period is ln 3");
//! # Ok::<(), siconos_hybrid::HybridError>(())
//! ```
//!
//! # Triggers
//!
//! **Roots** fire when a function of t, x and d changes its sign: in both directions, or only if it
//! [increases](Trigger::increasing) or [decreases](Trigger::decreasing) with time. Increasing and decreasing
//! refer to time, even in backward integration. A root does not fire at the initial point, if an action makes
//! the function jump across zero, or if the function only touches zero. The condition of a root is evaluated
//! when its event is processed, so it uses the values that earlier events at the same time have assigned. The
//! time of a root is located up to the [root tolerance](siconos_ode::OdeSettings::root_tolerance). Roots
//! whose times differ by at most four root tolerances count as one instant.
//!
//! **Ranges** fire when a function leaves an interval. A range can fire again after the function has returned
//! to the interval.
//!
//! **Times** fire at `start`, or at `start + k every` for k = 0, 1, 2, .. Each time is computed directly from
//! k, so rounding errors do not accumulate. In backward integration, the times before the initial time fire.
//! A timed event at the initial time fires at the initial point. Events whose times differ by at most the
//! [gap](siconos_kernel::simulation::EventSettings::gap) count as one instant; its time is the scheduled
//! time. (The documentation of `dsolve` describes `t = [0, 1/2]` as samples "at second intervals". In this
//! crate, these samples are 1/2 s apart.)
//!
//! **Discrete triggers** are conditions that are evaluated only during event iterations.
//!
//! With [`EventOptions`], an event can fire more than once at the same time, or at the initial point. With
//! [`requires`](EventOptions::requires), one boolean variable arms two roots alternately. This option is for
//! functions that touch zero or remain at zero.
//!
//! # Event iteration
//!
//! If a trigger fires, all events are processed in the order in which they were added. This is a *pass* over
//! the events. A continuous event (an event whose trigger is not discrete) fires at most once at any given
//! time, in the first pass. If an action ends the first pass before a continuous event is processed, the
//! event fires in the next pass. A discrete event fires in each pass in which its condition holds.
//! [`EventIterate`] determines whether another pass follows. The number of passes is limited to
//! [`event_maxiter`](HybridSettings::event_maxiter).
//!
//! An action can end the pass or the iteration by returning a [`Flow`]. [`EventPre`] defines `pre`, the
//! previous value of a variable. [`EventPoint::change`], [`EventPoint::rising_edge`] and
//! [`EventPoint::falling_edge`] compare a variable with its previous value. After each action, consistent
//! values of the algebraic variables are computed.
//!
//! With [`event_initial`](HybridSettings::event_initial), an iteration takes place at the initial point, and
//! again each time the integration resumes after a halt. If an event halts an iteration, the iteration
//! continues with the following event when the halt is [cleared](HybridSolution::clear). If the halt occurred
//! at the end of an iteration, the iteration at the resumption starts with the event that follows the event
//! that halted. Therefore an event that always halts the integration does not halt it twice in a row.
//!
//! # Events that accumulate
//!
//! A ball that loses half of its speed at each bounce comes to rest after infinitely many bounces in a finite
//! time. If events occur at shrinking intervals, the integration ends with
//! [`IntegrationOutcome::Accumulation`], which contains the estimated accumulation time (see
//! [`AccumulationCriterion`](siconos_kernel::simulation::AccumulationCriterion)). The solution ends at the
//! last event that could be distinguished from the previous event. If an action moves the function of a
//! trigger back across zero, the trigger fires again at the next crossing, however short the interval is, so
//! no crossing is missed.
//!
//! # Resuming in another process
//!
//! A [`HybridRecord`] contains the state at the last restart of the integration: variables, parameters,
//! firing times, enabled events, armed roots, and the bands in which guards still count as zero. A solution
//! of the same system [resumes](HybridSolution::resume) from the record with bit-identical results.
//! [`restart_every`](HybridSettings::restart_every) adds restarts between events.
//!
//! # Numerical methods
//!
//! Between events, the system is integrated by [`siconos_ode`], which locates the roots on the dense output.
//! Backward integration uses mirrored time. Reading the solution at additional points does not change the
//! solution, not even in the last bit. A system with a mass matrix or algebraic equations is integrated by
//! Radau5, and its algebraic variables are made consistent by Newton's method (Deuflhard 2011, "Newton
//! methods for nonlinear problems", section 3.3). With explicit methods, steps and events allocate no memory,
//! except for the record of the trajectory, which doubles its capacity as it grows.
//!
//! The rate of each trigger is computed by finite differences at the current time, along a straight line in
//! the direction of the derivative of the state. The rate determines the direction in which a trigger leaves
//! zero, and the band in which it counts as zero. Before and after each event, this takes one evaluation of
//! the right-hand side, at least six evaluations of the triggers on the line, and seven evaluations of the
//! triggers at the point, which also estimate their rounding errors.

#![deny(missing_docs)]

mod action;
mod answer;
mod condition;
mod consistency;
mod double_cross;
mod error;
mod event;
mod event_workspace;
mod events;
mod firing;
mod instant;
mod interactive;
mod iteration;
mod located;
mod motion;
mod names;
mod parts;
mod point;
mod probe;
mod record;
mod required;
mod restart;
mod resume;
mod run;
mod scales;
mod settings;
mod solution;
mod switch;
mod system;
mod timing;
mod trajectory;
mod trigger;
mod variable;
mod view;

pub use action::{Action, ActionFunction, Flow, Statement, ValueFunction};
pub use answer::{Direction, IntegrationOutcome};
pub use condition::{Condition, ConditionFunction};
pub use error::{EventNumber, HybridError};
pub use event::EventOptions;
pub use point::EventPoint;
pub use restart::Firings;
pub use resume::HybridRecord;
pub use settings::{EventIterate, EventPre, HybridSettings};
pub use solution::HybridSolution;
pub use switch::{SwitchTime, SwitchTimes};
pub use system::HybridSystem;
pub use trajectory::{EventMark, Trajectory};
pub use trigger::{CourseFunction, CourseView, Guard, GuardFunction, Root, RootFunction, RootSide, Trigger};
pub use variable::{DiscreteId, Variable, VariableType};
pub use view::View;

/// Doc test of the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
