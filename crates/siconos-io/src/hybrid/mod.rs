//! Hybrid systems as text: equations, discrete variables and events in a TOML or JSON file.
//!
//! A file defines a system of [`siconos_hybrid`]. Its equations, triggers and actions are strings in the
//! language of [`siconos_expression`]. The documentation of that crate has the grammar.
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
//! | | `format` | 1 | required |
//! | | `kind` | `"hybrid"` | required |
//! | | `title` | text | none |
//! | `[constants]` | a name | constant, which can read the constants above it. The name of a constant is replaced by its value in the whole file | |
//! | `[time]` | `start` | constant, \[s\] | 0 |
//! | | `end` | constant, \[s\]: end of the integration | none |
//! | `[variables]` | a name | a table with the two keys below. At least one variable must have a differential equation | required |
//! | | `initial` | constant, or an array with as many entries as the order of the equation: `y`, `y'`, ..; for an algebraic variable, an initial guess | required |
//! | | `equation` | `"y' = .."`, `"y'' = .."` up to order 9, or `"0 = .."` for an algebraic variable | required |
//! | `[discrete]` | a name | the initial value, which determines the type. The type is float for a constant, and boolean for `true` and `false` | |
//! | | a name | a table `{ type = "..", initial = .. }` with `"float"`, `"integer"` or `"boolean"` | |
//! | `[parameters]` | a name | default value, a constant. A run can set the parameter to another value. The times in triggers cannot read parameters | |
//! | `[[events]]` | `trigger` | trigger | required |
//! | | `action` | action | `"none"` |
//! | | `retrigger`, `fire_initial` | `true` or `false`, see [`EventOptions`](siconos_hybrid::EventOptions) | depends on the trigger |
//! | | `requires` | `"b"` or `"not b"` with a boolean variable | none |
//! | | `enabled` | `true` if the event is enabled at the start | `true` |
//! | `[settings]` | `event_maxiter`, `event_initial`, `double_cross` | see [`HybridSettings`](siconos_hybrid::HybridSettings) | see there |
//! | | `event_pre` | `"iteration"`, `"initial"`, `"assignment"`, `"change"` | `"iteration"` |
//! | | `event_iterate` | `"trigger"`, `"prechange"` | `"trigger"` |
//! | | `impacts`, `window`, `most_impacts` | settings for accumulations of events, see [`AccumulationCriterion`](siconos_kernel::simulation::AccumulationCriterion) | see there |
//! | | `tick`, `gap` | settings for times that count as one instant, see [`EventSettings`](siconos_kernel::simulation::EventSettings) | see there |
//! | | `method` | `"auto"`, `"explicit"`, `"high_order"`, `"stiff"` | `"auto"` |
//! | | `relative_tolerance`, `absolute_tolerance` | number, or an array with one number for each continuous variable | 1e-12 |
//! | | `restart_every` | number, \[s\]: time between restarts of the integration. A run can be resumed from a restart | none |
//! | | `h_initial`, `h_max`, `max_steps`, `samples`, `root_tolerance` | see [`OdeSettings`](siconos_ode::OdeSettings) | see there |
//! | `[output]` | `columns`, `states`, `step`, `from`, `until`, `every`, `sides`, `start` | columns and rows of the table of results | all variables, at each step of the integration and at each event |
//!
//! A constant is a number, or a string with an expression of constants: `"2 * pi"`, `"tau / rate"`.
//!
#![doc = include_str!("files.md")]
//!
//! All errors in a file are reported together. For each equation, trigger and action, only the first error is
//! reported; see [`DocumentError`](crate::document::DocumentError).

mod build;
mod constants;
mod cycles;
mod event;
pub(crate) mod keys;
mod locations;
mod model;
mod names;
pub(crate) mod outputs;
mod read;
mod reads;
mod requires;
mod rows;
mod run;
mod schema;
mod settings;
mod slots;
mod statements;
mod switches;
mod triggers;
mod unread;
mod variables;

pub(crate) use constants::read_constants;
pub use model::HybridModel;
pub(crate) use read::model as read_model;
pub use run::HybridRun;
pub use schema::schema;
