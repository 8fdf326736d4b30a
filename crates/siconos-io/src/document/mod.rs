//! Model files as trees of values, each with its place in the text.
//!
//! What is wrong is noted as a [`Fault`] with its place, and the reading goes on: whoever wrote the file sees
//! all of it at once. A text that is not TOML is an exception. All that is wrong with its form is told, and
//! nothing else.

mod convert;
mod difference;
mod error;
mod faults;
mod json;
mod overrides;
mod print;
mod reading;
mod serialize;
mod settings;
mod shape;
mod tree;
mod value;
mod written;

pub use convert::{ConvertError, convert};
pub(crate) use difference::first_difference;
pub use error::{DocumentError, Fault};
pub(crate) use faults::Faults;
pub use overrides::{Override, OverrideError};
pub use print::PrintError;
pub(crate) use reading::{read, read_text};
pub(crate) use serialize::serialized;
pub(crate) use settings::settings;
pub(crate) use shape::{Form, Key, needed, optional};
pub(crate) use tree::{Entry, Node, Table, Text, Value};
pub(crate) use written::toml;
