//! Files of sweeping processes and differential variational inequalities.
//!
//! A `sweeping` file describes a problem for [`CatchingUp`](siconos_sweeping::CatchingUp),
//!
//! $$ -(\dot x + f(t, x)) \in N_{K(t, x)}(x), $$
//!
//! that is, -(x' + f(t, x)) is in the normal cone of the set K(t, x) at x.
//!
//! ```
//! use siconos_io::model::AnyModel;
//!
//! let text = r#"
//! format = 1
//! kind = "sweeping"
//! title = "A point above a level that rises"
//!
//! [state]
//! x = 1
//!
//! [process]
//! f = ["0.5 * x"]
//!
//! [set]
//! kind = "half_space"
//! a = [1]
//! b = "t"
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 2
//! step = 0.01
//! "#;
//! let mut run = AnyModel::parse(text, "level.toml", &[])?.run(None)?;
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! assert_eq!(run.names(), ["t", "x"]);
//! assert!((run.last_row()[1] - 2.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A `dvi` file describes a problem for [`DviStepper`](siconos_sweeping::dvi::DviStepper) or, with a table
//! `[boundary]`, for [`solve_boundary_value`](siconos_sweeping::dvi::solve_boundary_value),
//!
//! $$ \dot x = f(t, x) + B(t, x) u, \qquad u \in \mathrm{SOL}\bigl(K, G(t, x) + F(t, \cdot)\bigr), $$
//!
//! that is, x' = f + B u, where u is a point of K with (v - u)^T (G(t, x) + F(t, u)) >= 0 for all v in K.
//!
//! ```
//! use siconos_io::model::AnyModel;
//!
//! let text = r#"
//! format = 1
//! kind = "dvi"
//! title = "Dry friction stops a slider"
//!
//! [state]
//! velocity = 1
//!
//! [input]
//! friction = 0
//!
//! [process]
//! f = [0.5]
//! B = 1
//!
//! [inequality]
//! G = "velocity"
//!
//! [set]
//! kind = "box"
//! lower = -1
//! upper = 1
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 3
//! step = 0.1
//! "#;
//! let mut run = AnyModel::parse(text, "slider.toml", &[])?.run(None)?;
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! assert_eq!(run.names(), ["t", "velocity", "friction"]);
//! assert!(run.last_row()[1].abs() < 1e-15 && (run.last_row()[2] + 0.5).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ### Rules
//!
#![doc = include_str!("files.md")]
//!
//! The page `docs/model-files.md` and [`keys::tables`](crate::model::keys::tables) list all keys.

mod closures;
mod dvi;
pub(super) mod keys;
mod model;
mod moving;
mod outputs;
mod read;
mod read_dvi;
mod run;
mod schema;
mod scheme;
mod set;
mod shape;
mod step_rule;
mod variables;

pub use model::InclusionModel;
pub(super) use read::sweeping as read_sweeping;
pub(super) use read_dvi::dvi as read_dvi;
pub use run::InclusionRun;
pub use schema::{dvi_schema, sweeping_schema};

pub use crate::run_error::InclusionError;
pub use crate::snapshot::content::{InclusionKind, InclusionRecord};
