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
//! - Values, constants, functions and array files are written as in [models](crate::model). Parameters are
//!   numbers or arrays, and are constant during a run.
//! - A variable is a number, `x = 1`, or an array, `q = [0, 1]`, with entries that are read as `q[0]` and
//!   `q[1]`. The initial state of a sweeping process can be outside the set; the process then starts with a
//!   jump into the set. The values in `[input]` are the initial guess of u. With `[boundary]`, the values of
//!   the state and the input are the initial guess of the whole solution, unless all of them are 0.
//! - In a sweeping process, the bounds of a `box` and the numbers of a `half_space` or a `polyhedron` can
//!   read `t` and the state. The numbers of all other sets are constant. If a set has a frame (`rotation`,
//!   `scale`, `shift`), the numbers of the set are constant, and the frame can read `t`. The sets of an
//!   intersection and their frames are constant, and so is the set of an inequality.
//! - If f, G or F is affine with a constant matrix, the solver uses this matrix. In all other cases it uses
//!   the derivatives of the expressions.
//! - A set jumps at the times at which its expressions jump, as in `if t < 1 then 0 else 2`. At the time of a
//!   jump, the set has its values after the jump. With adaptive steps, the key `jumps` must list these times.
//!   A step then ends just before each of them, and the state jumps at the listed time. Each jump gives two
//!   rows. The time in the first row is the largest floating-point number below the time of the jump.
//! - An output can read `t`, the variables, `step`, and `h` (the length of the last step). Outputs of a
//!   sweeping process can also read `reaction[0]`, .. (the reaction of the set in the step, one entry for
//!   each component of the state) and `multiplier[0]`, .. (one for each inequality of an `orthant`,
//!   `half_space` or `polyhedron` without a frame). Outputs of an inequality without `[boundary]` can also
//!   read `w[0]`, .., the value of G + F. If there is only one entry, these names have no index. In the first
//!   row, which is before the first step, the input is its initial guess (0 with `[boundary]`), and the other
//!   values are 0.
//! - After every 128 steps the scheme restarts: it discards the active set and the factorisations, even if no
//!   snapshot is written. A run can be resumed from such a restart bit for bit.
//! - If no solution of a step is found, the run ends with an error.
//! - Sweeping processes of higher order ([`higher_order`](siconos_sweeping::higher_order)) and the schemes
//!   that locate switches within steps ([`fesd`](siconos_sweeping::fesd)) cannot be described in files. The
//!   states of a higher-order process are distributions, and the modes of a FESD problem are separate
//!   systems. Sets that are constructed in a loop, such as one constraint for each pair of people in a crowd,
//!   need a program as well.
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
