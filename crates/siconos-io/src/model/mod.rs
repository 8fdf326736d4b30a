//! Models as files: systems, relations, laws and their simulation in TOML or JSON.
//!
//! A file is read as a whole, and all errors in it are reported together, in the order of the file, each with
//! line and column. A [`ModelFile`] can be changed ([`ModelFile::set`]), built ([`ModelFile::build`]) and run
//! ([`BuiltModel::to_end`]) any number of times. [`AnyModel`] also reads files of
//! [hybrid systems](crate::hybrid) and of
//! [sweeping processes and differential variational inequalities](inclusion). [`schema`] returns the JSON
//! Schema with which editors check a file while it is written.
//!
//! ```
//! use siconos_io::model::ModelFile;
//!
//! let text = r#"
//! format = 1
//! kind = "model"
//! title = "Two balls on a floor"
//!
//! [constants]
//! radius = 0.1
//! start = "10 * radius"
//!
//! [parameters]
//! gravity = 9.81
//! masses = [1.0, 0.5]
//!
//! [functions]
//! lift = "t -> 0.01 * sin(2 * pi * t)"
//!
//! [systems.lower]
//! family = "lagrangian_linear"
//! q = "start"
//! mass = "masses[0]"
//! external_force = "-masses[0] * gravity"
//!
//! [systems.upper]
//! family = "lagrangian_linear"
//! coordinates = ["height"]
//! q = "start + 5 * radius"
//! mass = "masses[1]"
//! external_force = "-masses[1] * gravity"
//!
//! [laws.hit]
//! kind = "newton_impact"
//! restitution = 0.7
//!
//! [interactions.floor]
//! systems = ["lower"]
//! relation = { kind = "rheonomous", h = "q - radius - lift(t)" }
//! law = "hit"
//!
//! [interactions.between]
//! systems = ["lower", "upper"]
//! relation = { kind = "scleronomous", h = "height - lower.q - 2 * radius" }
//! law = "hit"
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 2
//! step = 1e-3
//!
//! [output.columns]
//! lower = "lower.q"
//! upper = "upper.height"
//! speed = "upper.height'"
//! hits = { sum = "if floor.impulse > 0 then 1 else 0" }
//! "#;
//! let mut file = ModelFile::parse(text, "balls.toml")?;
//! file.set("gravity", &[1.62])?;
//! let mut run = file.build()?;
//! assert_eq!(run.recorder.names(), ["t", "lower", "upper", "speed", "hits"]);
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! assert_eq!(run.recorder.rows(), 2001);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page `docs/model-files.md` and [`keys::tables`] list all keys. A controller acts on the plant through
//! a parameter:
//!
//! ```
//! use siconos_io::model::ModelFile;
//!
//! let text = r#"
//! format = 1
//! kind = "model"
//!
//! [parameters]
//! motor = 0
//! slope = 0
//!
//! [systems.cart]
//! family = "lagrangian_linear"
//! q = 0
//! mass = 1
//! external_force = "motor - slope"
//!
//! [control.gauge]
//! kind = "linear_sensor"
//! systems = "cart"
//! C = [[1, 0]]
//! period = 0.05
//!
//! [control.drive]
//! kind = "pid"
//! signal = "gauge"
//! input = "motor"
//! reference = 1
//! proportional = 4
//! integral = 1
//! derivative = 3
//! period = 0.05
//!
//! [events.hill]
//! times = [10]
//! set = { slope = "slope + 0.5" }
//!
//! [simulation]
//! kind = "time_stepping"
//! end = 40
//! step = 0.01
//!
//! [output.columns]
//! q = "cart.q"
//! u = "drive.u"
//! "#;
//! let mut run = ModelFile::parse(text, "cart.toml")?.build()?;
//! run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
//! let [_t, q, u] = run.recorder.last_row()[..] else { panic!("three columns") };
//! assert!((q - 1.0).abs() < 1e-3 && (u - 0.5).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = include_str!("files.md")]

mod adjustable;
mod adjustable_laws;
mod any_run;
mod arrays;
mod build;
mod check;
mod control;
mod described;
mod energy;
mod events;
#[cfg(test)]
mod every_choice;
#[cfg(test)]
mod every_method;
mod file;
mod fixed;
mod functions;
mod grid;
mod header;
pub mod inclusion;
mod initial_outputs;
mod interactions;
pub mod keys;
mod kinds;
mod laws;
mod named_functions;
mod origins;
mod outputs;
mod parameters;
mod positions;
mod read;
mod registered;
mod registry;
mod relations;
mod run;
mod schema;
mod scopes;
mod simulation;
mod solvers;
mod stop;
mod systems;
mod table_writer;
mod values;
mod watched;
mod words;
mod write;

pub use any_run::AnyRun;
pub use file::{BuiltModel, ContactStatistics, ModelFile};
pub use kinds::AnyModel;
pub use outputs::Recorder;
pub use registry::{Function, Registry};
pub use schema::schema;
pub use simulation::BuiltSimulation;
pub use table_writer::UnwrittenPart;
pub use write::{SimulationRef, WrittenModel};

pub use crate::run_error::{LawChangeError, NotFinite, ResumeError, RunError, SetParameterError, StartError};
pub use crate::snapshot::content::{DataFile, Unconverged};
