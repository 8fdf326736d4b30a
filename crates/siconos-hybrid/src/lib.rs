//! Hybrid systems: ordinary and differential-algebraic equations with events, discrete variables and actions.
//!
//! $$ \dot x = f(t, x, z, d), \qquad 0 = g(t, x, z, d), $$
//!
//! or $\ddot y = a(t, y, \dot y, z, d)$, possibly with a constant mass matrix. (As plain text: x' = f, 0 = g;
//! or y'' = a.) Between events the discrete variables d are constant. At an event, when a variable goes
//! through zero, a time comes or an interval is left, an action changes x and d: a ball is reflected, a
//! switch thrown, a controller samples and holds. Events can stop the integration, follow from each other in
//! an iteration over all of them, and be enabled, disabled and asked about while the solution is under way.
//! It is the event system that users of computer algebra know from `dsolve`; where a sentence of its manual
//! can be read in two ways, this page says which one was taken.
//!
//! For contacts, friction and circuits with diodes there are the laws of [`model`](siconos_kernel::model),
//! which know what happens at an impact; a hybrid system only does what its actions say.
//!
//! | what | type |
//! |---|---|
//! | equations, variables, events | [`HybridSystem`] |
//! | when an event fires | [`Trigger`], with a [`Condition`] |
//! | what it does | [`Action`]: [`Statement`]s, or a function of a [`Point`] |
//! | the solution, as far as it is asked for | [`HybridSolution`], which gives an [`Answer`] |
//! | what has been computed | [`Trajectory`] |
//! | what it goes on from in another process | [`HybridRecord`] |
//!
//! ```
//! use siconos_hybrid::{
//!     Action, Answer, DiscreteId, HybridSettings, HybridSolution, HybridSystem, Trigger, VariableType, View,
//! };
//!
//! // A room that is heated to 1 and cools to 1/2: T' = -T + 2 u.
//! const ON: DiscreteId = DiscreteId::new(0);
//! let mut room = HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[ON])?;
//! room.discrete("on", VariableType::Boolean, true)?;
//! room.event(Trigger::range("T", 0.5, 1.0), Action::set(|p| p.set(ON, !p.is(ON))))?;
//! let mut solution = HybridSolution::new(&room, 0.0, &[0.5], HybridSettings::default())?;
//! assert_eq!(solution.at(20.0)?, Answer::Reached);
//! let switches: Vec<f64> = solution.trajectory().events().map(|mark| mark.t).collect();
//! assert!((switches[2] - switches[0] - 3.0_f64.ln()).abs() < 1e-9, "the period is ln 3");
//! # Ok::<(), siconos_hybrid::HybridError>(())
//! ```
//!
//! # Triggers
//!
//! **Roots** fire where a function of t, x and d changes its sign: either way, or where it
//! [increases](Trigger::increasing) or [decreases](Trigger::decreasing) with time, whichever way one
//! integrates. A root at the initial point does not fire, nor does one that a jump made by an action passes
//! over. A root that only touches zero does not change the sign. A condition is judged when it is the event's
//! turn, with what the events before it have assigned. Roots are located to the [root
//! tolerance](siconos_ode::OdeSettings::root_tolerance); those within four such widths are one
//! instant.
//!
//! **Ranges** fire where a function leaves an interval, and again when it has been inside.
//!
//! **Times** fire at `start`, or at `start + k every` for k = 0, 1, 2, .., each computed from k; those that
//! lie to the left of the initial time when one integrates to the left. A timed event at the initial time
//! fires there. What is no further apart than the [gap](siconos_kernel::simulation::EventSettings::gap) is
//! one instant, at the scheduled time. (In the manual, samples "at second
//! intervals" have `t = [0, 1/2]`: the numbers count.)
//!
//! **Discrete triggers** are conditions that are looked at in iterations only.
//!
//! [`EventOptions`] let an event fire more than once at a time, or at the initial point; and let one boolean
//! variable arm two roots in turn ([`requires`](EventOptions::requires)), for functions that touch zero, or
//! stay there.
//!
//! # The iteration over the events
//!
//! When something has triggered, all events have their turns in the order in which they were added. A
//! continuous event, that is any but a discrete one, fires at most once at a time, at its turn in the first
//! pass; where an action ends that pass before its turn has come, in the next. A discrete event fires
//! whenever its condition holds. Then the events are gone through again, from the beginning, while
//! [`EventIterate`] asks for it, but no more than [`event_maxiter`](HybridSettings::event_maxiter) times.
//! Actions can leave the iteration by a [`Flow`]. What a variable was before, `pre`, is told by [`EventPre`];
//! [`Point::change`], [`Point::rising_edge`] and [`Point::falling_edge`] compare with it. Algebraic variables
//! are made consistent after each action.
//!
//! With [`event_initial`](HybridSettings::event_initial) there is an iteration at the initial point, and one
//! when the integration resumes after a halt. An iteration that an event has halted goes on with the event
//! behind it when the halt is [cleared](HybridSolution::clear); if the halt came at the end of an iteration,
//! the iteration of the resumption begins with the event behind. So an event that halts whenever it has its
//! turn does not do so twice in a row.
//!
//! # Events that accumulate
//!
//! A ball that loses half of its speed at each bounce comes to rest after infinitely many of them. Where
//! events follow each other at intervals that shrink, the integration ends with [`Answer::Accumulation`] and
//! the time at which they accumulate
//! ([`AccumulationCriterion`](siconos_kernel::simulation::AccumulationCriterion)), at the last event that
//! could be told from the one before. A trigger that has fired and is sent back fires again where the motion
//! continues in the same direction after all, however short the way back was: nothing goes through unseen.
//!
//! # Going on in another process
//!
//! A [`HybridRecord`] holds what is known where the integration began anew last: variables, parameters, times
//! of firing, enabled events, which roots are armed, and in which bands guards still count as zero. From it a
//! solution of the same system [goes on](HybridSolution::resume) to the same bits.
//! [`restart_every`](HybridSettings::restart_every) makes such points where no event does.
//!
//! # How it is computed
//!
//! The smooth parts are integrated by [`siconos_ode`], which locates the roots on the dense output;
//! to the left in mirrored time. Points at which the solution is read change no bit of it. A system with a
//! mass matrix or algebraic equations is integrated by Radau5, and its algebraic variables are made
//! consistent by Newton's method (Deuflhard 2011, "Newton methods for nonlinear problems", section 3.3). With
//! explicit methods steps and events allocate nothing but the record of the trajectory, which doubles its
//! memory as it grows.
//!
//! How fast a trigger moves, to tell where it goes from zero and how far from zero it may be by rounding, is
//! seen from its values on a straight line along the derivative of the state, ahead and behind; that takes
//! one evaluation of the right-hand side and six of the triggers before and after each event.

#![deny(missing_docs)]

mod action;
mod answer;
mod condition;
mod consistency;
mod desk;
mod double_cross;
mod error;
mod event;
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

pub use action::{Action, Effect, Flow, Statement, Value};
pub use answer::{Answer, Direction};
pub use condition::{Condition, Test};
pub use error::{EventNumber, HybridError};
pub use event::EventOptions;
pub use point::Point;
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

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
