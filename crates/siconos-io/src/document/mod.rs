//! Model files as trees of values, each with its place in the text.
//!
//! What is wrong is noted as a [`Fault`] with its place, and the reading goes on: whoever wrote the file sees
//! all of it at once. A text that is not TOML is an exception. All that is wrong with its form is told, and
//! nothing else.

mod error;
mod faults;
mod tree;
mod value;

pub use error::{DocumentError, Fault};
pub(crate) use faults::Faults;
pub(crate) use tree::{Entry, Node, Table, Text, Value, parse};
