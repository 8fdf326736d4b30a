//! Processes that a set keeps within bounds, as files: sweeping processes, and differential variational
//! inequalities.
//!
//! A file of the kind `sweeping` says what [`CatchingUp`](siconos_sweeping::CatchingUp) solves,
//!
//! $$ -(\dot x + f(t, x)) \in N_{K(t, x)}(x), $$
//!
//! as plain text: -(x' + f(t, x)) in the normal cone of the set K(t, x) at x.
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
//! A file of the kind `dvi` says what [`DviStepper`](siconos_sweeping::dvi::DviStepper) solves, or
//! with a table `[boundary]` what
//! [`solve_boundary_value`](siconos_sweeping::dvi::solve_boundary_value) does,
//!
//! $$ \dot x = f(t, x) + B(t, x) u, \qquad u \in \mathrm{SOL}\bigl(K, G(t, x) + F(t, \cdot)\bigr), $$
//!
//! as plain text: x' = f + B u, and u is a point of K with (v - u)^T (G(t, x) + F(t, u)) >= 0 for all v in
//! K.
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
//! - Values, constants, functions and files of arrays are those of [models](crate::model). Parameters stay
//!   what they are in a run, as constants do; they may be arrays.
//! - A variable is a number, `x = 1`, or an array, `q = [0, 1]`, whose entries are read as `q[0]` and
//!   `q[1]`. The state of a process may begin outside its set: it then jumps into it. What `[input]` gives
//!   is where the search for u begins. With `[boundary]` the values of both are where the search for all of
//!   the motion begins, unless all are 0.
//! - Bounds of a `box` and the numbers of a `half_space` and a `polyhedron` of a sweeping process may read
//!   `t` and the state. The numbers of other sets are constant, and those of any set with a frame; the frame
//!   (`rotation`, `scale`, `shift`) may read `t`. The sets of an intersection, with their frames, are
//!   constant, and so is the set of an inequality.
//! - Where f, G or F is affine with a constant matrix, the kernel is told so; other derivatives are those of
//!   the expressions.
//! - A set that jumps does so where its expressions do, `if t < 1 then 0 else 2`, and is at that time what
//!   it is from then on. In steps of chosen lengths, `jumps` are times at which a step ends just before, and
//!   the state jumps: there are two rows, the first of the number before the time.
//! - An output reads `t`, the variables, `step`, `h` (how long the last step was) and, of a sweeping
//!   process, `reaction[0]`, .. (what the set did in the step, for each number of the state) and
//!   `multiplier[0]`, .. (of each inequality of an `orthant`, `half_space` or `polyhedron` without a frame);
//!   of an inequality from an initial state `w[0]`, .., its value G + F. Of a single number these names have
//!   no bracket. The input and what a set did belong to steps: in the row of the start, before the first
//!   step, the input is where the search for it begins (0 with `[boundary]`), and the others are 0.
//! - After each 128 steps the scheme begins anew, whoever asks: which inequalities bore, and factors, are
//!   forgotten. A run goes on from there to the same bits.
//! - A step that is not solved ends the run.
//! - Sweeping processes of higher order and the schemes that find switches within steps
//!   ([`higher_order`](siconos_sweeping::higher_order), [`fesd`](siconos_sweeping::fesd))
//!   have no files: the state of the former are distributions, whose measures are what is written, and the
//!   modes of the latter are systems of their own. Sets made by a loop, as the pairs of a crowd, are
//!   programs too.
#![doc = include_str!("keys.md")]

mod closures;
mod dvi;
pub(super) mod keys;
mod model;
mod moving;
mod outputs;
mod pace;
mod read;
mod read_dvi;
mod run;
mod schema;
mod scheme;
mod set;
mod shape;
mod variables;

pub use model::InclusionModel;
pub(super) use read::sweeping as read_sweeping;
pub(super) use read_dvi::dvi as read_dvi;
pub use run::InclusionRun;
pub use schema::{dvi_schema, sweeping_schema};

pub use crate::run_error::InclusionError;
pub use crate::snapshot::content::{InclusionKind, InclusionRecord};
