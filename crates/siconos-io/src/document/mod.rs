//! Model files as trees of values, each with its place in the text.
//!
//! What is wrong is noted as a [`Fault`] with its place, and the reading goes on: whoever wrote the file sees
//! all of it at once. A text that is not TOML is an exception. All that is wrong with its form is told, and
//! nothing else.

mod difference;
mod error;
mod faults;
mod json;
mod overrides;
mod reading;
mod settings;
mod shape;
mod tree;
mod value;

pub(crate) use difference::first_difference;
pub use error::{DocumentError, Fault};
pub(crate) use faults::Faults;
pub use overrides::{Override, OverrideError};
pub(crate) use reading::{read, read_text};
pub(crate) use settings::settings;
pub(crate) use shape::{Form, Key, needed, optional};
pub(crate) use tree::{Entry, Node, Table, Text, Value};
