//! Model data for writers of model files: all given data, and the origins of functions.

mod origins;
mod relations;
mod systems;
