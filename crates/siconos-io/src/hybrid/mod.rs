//! Hybrid systems as text: equations, discrete variables and events in a TOML file.
//!
//! A file has the functions of [`siconos_hybrid`] as text in the language of [`siconos_expression`], whose
//! page has the grammar of expressions, triggers and actions:
//!
//! ```toml
//! format = 1
//! kind = "hybrid"
//! title = "A ball that comes back"
//!
//! [variables]
//! x = { initial = 0.0, equation = "x' = 1" }
//! y = { initial = [1.0, 0.0], equation = "y'' = -g" }
//!
//! [parameters]
//! g = 9.81
//!
//! [[events]]
//! trigger = "decreasing(y)"
//! action = "y' = -0.9 * y'"
//! ```
//!
//! | table | key | value | default |
//! | --- | --- | --- | --- |
//! | | `format` | 1 | needed |
//! | | `kind` | `"hybrid"` | needed |
//! | | `title` | text | none |
//! | `[constants]` | a name | constant; it stands for its value in the whole file, and may read constants above it | |
//! | `[time]` | `start` | constant, \[s\] | 0 |
//! | | `end` | constant, \[s\]: up to when a program integrates | none |
//! | `[variables]` | a name | a table with the two keys below; one variable at least has a differential equation | needed |
//! | | `initial` | constant, or an array of as many as the order: `y`, `y'`, ..; of an algebraic variable a guess | needed |
//! | | `equation` | `"y' = .."`, `"y'' = .."` up to order 9, or `"0 = .."` of an algebraic variable | needed |
//! | `[discrete]` | a name | the initial value, which says the type: a constant is a float, `true` and `false` are booleans | |
//! | | a name | a table `{ type = "..", initial = .. }` with `"float"`, `"integer"` or `"boolean"` | |
//! | `[parameters]` | a name | constant; unlike a constant, a run may set it, so times of triggers cannot read it | |
//! | `[[events]]` | `trigger` | trigger | needed |
//! | | `action` | action | `"none"` |
//! | | `retrigger`, `fire_initial` | `true` or `false`, see [`EventOptions`](siconos_hybrid::EventOptions) | by the kind of trigger |
//! | | `requires` | `"b"` or `"not b"` with a boolean variable | none |
//! | | `enabled` | `true` or `false`: whether the event is enabled at the start | `true` |
//! | `[settings]` | `event_maxiter`, `event_initial`, `double_cross` | as in [`HybridSettings`](siconos_hybrid::HybridSettings) | as there |
//! | | `event_pre` | `"iteration"`, `"initial"`, `"assignment"`, `"change"` | `"iteration"` |
//! | | `event_iterate` | `"trigger"`, `"prechange"` | `"trigger"` |
//! | | `impacts`, `window`, `most_impacts` | when events accumulate, as in [`AccumulationCriterion`](siconos_kernel::simulation::AccumulationCriterion) | as there |
//! | | `tick`, `gap` | what is one instant, as in [`EventSettings`](siconos_kernel::simulation::EventSettings) | as there |
//! | | `method` | `"auto"`, `"explicit"`, `"high_order"`, `"stiff"` | `"auto"` |
//! | | `relative_tolerance`, `absolute_tolerance` | number, or an array with one for each continuous variable | 1e-12 |
//! | | `restart_every` | number, \[s\]: the integration begins anew each so many seconds from the start on, and a run goes on from there | none |
//! | | `h_initial`, `h_max`, `max_steps`, `samples`, `root_tolerance` | as in [`OdeSettings`](siconos_ode::OdeSettings) | as there |
//!
//! A constant is a number, or an expression of constants as a text: `"2 * pi"`, `"tau / rate"`.
//!
//! - The order of the file is kept: events have their numbers, from 1, and their turns in it. States come in
//!   it, each with its derivatives below the order of its equation behind it, `y` before `y'`; algebraic
//!   variables come behind all states.
//! - `t` is the time. The derivative that an equation defines cannot be read or assigned; `pre` is for
//!   conditions and actions.
//! - A trigger that is a condition alone reads discrete variables only. One that reads others stands beside a
//!   root, `[root, condition]`, or is judged at other events, `[0, condition]`.
//! - Events that require a variable come in pairs, one with each value, and it has to be provable that their
//!   functions add up to a constant (or differ by one, if one increases and the other decreases), see
//!   [`is_constant_sum`](siconos_expression::is_constant_sum). No action assigns such a variable.
//! - The right sides are compiled, and their derivatives, which implicit methods need, are exact.
//!
//! - Roots are looked for at eight places of a step, `samples`. A step is as long as the equations allow, so
//!   a trigger that moves faster than the state, such as `sin(100 * t)`, needs a setting `h_max` below the
//!   time between two of its roots.
//!
//! - A name that an action assigns and no table declares is a temporary of the action. One that the action
//!   never reads is a remark of [`HybridModel::check`]: it may be a misspelt name.
//!
//! All that is wrong with a file is told at once, of each equation, trigger and action the first fault; see
//! [`DocumentError`](crate::document::DocumentError).

mod banks;
mod build;
mod circles;
mod constants;
mod event;
mod model;
mod names;
mod places;
mod read;
mod reads;
mod requires;
mod run;
mod schema;
mod settings;
mod statements;
mod switches;
mod triggers;
mod unread;
mod variables;

pub(crate) use constants::read_constants;
pub use model::HybridModel;
pub(crate) use read::{KEYS, model as read_model};
pub use run::HybridRun;
pub use schema::schema;
