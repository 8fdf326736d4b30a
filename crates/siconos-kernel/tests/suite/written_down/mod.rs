//! What a writer of model files asks of a model: everything that was given, and where functions come from.

mod origins;
mod relations;
mod systems;
