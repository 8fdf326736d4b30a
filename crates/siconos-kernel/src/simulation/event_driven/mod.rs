//! Event-driven simulation.

pub(crate) mod first_order;

pub use first_order::ModeError;
