//! Models as files.
mod file;
mod functions;
mod interactions;
mod kinds;
mod laws;
mod named_functions;
mod origins;
mod outputs;
mod parameters;
mod read;
mod relations;
mod run;
mod scopes;
mod simulation;
mod solvers;
mod systems;
mod values;
mod write;

pub use file::{BuiltModel, ModelFile, SetError};
pub use kinds::AnyModel;
pub use outputs::Recorder;
pub use run::RunError;
pub use simulation::BuiltSimulation;
pub use write::{Simulated, Unwritten, Written};
