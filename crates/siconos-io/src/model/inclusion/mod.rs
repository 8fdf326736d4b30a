//! Processes that a set keeps within bounds: sweeping processes, as files.
//!
//! A file of the kind `sweeping` says what [`CatchingUp`](siconos_kernel::sweeping::CatchingUp) solves,
//!
//! $$ -(\dot u + f(t, u)) \in N_{C(t, u)}(u), $$
//!
//! as plain text: -(u' + f(t, u)) in the normal cone of the set C(t, u) at u.
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
//! u = 1
//!
//! [process]
//! f = ["0.5 * u"]
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
//! assert_eq!(run.names(), ["t", "u"]);
//! assert!((run.last_row()[1] - 2.0).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod variables;

pub use model::InclusionModel;
pub(super) use read::{dvi as read_dvi, sweeping as read_sweeping};
pub use run::{InclusionKind, InclusionRecord, InclusionRun};
pub use schema::{dvi_schema, sweeping_schema};
pub use scheme::InclusionError;
