//! Model files as trees of values, each with its place in the text.
//!
//! What is wrong is noted as a [`Fault`] with its place, and the reading goes on: whoever wrote the file sees
//! all of it at once. What follows from another fault is not told: that a name is unknown, where what
//! declares it is at fault. A text that is not TOML is an exception. All that is wrong with its form is told,
//! and nothing else; of JSON the first that is wrong with its form.

mod convert;
mod difference;
mod error;
mod faults;
mod json;
pub(crate) mod json_schema;
mod names;
mod overrides;
mod print;
mod reading;
mod serialize;
mod settings;
mod shape;
mod trace;
mod tree;
mod value;
mod written;

pub use convert::{ConvertError, convert, kind};
pub(crate) use difference::first_difference;
pub use error::{DocumentError, Fault};
pub(crate) use faults::Faults;
pub(crate) use names::{check_plain, is_plain, note_unknown, stands_in};
pub use overrides::{Override, OverrideError};
pub use print::PrintError;
pub(crate) use reading::{read, read_text};
pub(crate) use serialize::serialized;
pub(crate) use settings::{VALUE, settings, settings_or_default, snake_case};
pub(crate) use shape::{Form, Key, needed, optional};
pub(crate) use trace::{Shape, shape_of};
pub(crate) use tree::{Entry, Node, Table, Text, Value};
pub(crate) use value::{Condition, FORMAT, flag, is_format, optional_table, optional_text};
pub(crate) use written::toml;
