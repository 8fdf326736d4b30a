//! Model files as trees of values with their positions in the text.
//!
//! An error in a file is recorded as a [`Diagnostic`] with its position, and reading continues, so that all
//! errors are reported together. Errors that follow from another error are not reported. For example, a name
//! with an invalid declaration is not reported as unknown. If a TOML file contains syntax errors, only these
//! are reported. If a JSON file contains syntax errors, only the first one is reported.

mod convert;
mod diagnostics;
mod difference;
mod error;
mod expressions;
mod json;
pub(crate) mod json_schema;
mod names;
mod numbers;
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
pub(crate) use diagnostics::Diagnostics;
pub(crate) use difference::first_difference;
pub use error::{Diagnostic, DocumentError};
pub(crate) use expressions::{T, expression, is_infinite, number_as_expression};
pub(crate) use names::{check_plain, is_plain, note_unknown, stands_in};
pub(crate) use numbers::Numbers;
pub use overrides::{Override, OverrideError};
pub use print::PrintError;
pub(crate) use reading::{read, read_text};
pub(crate) use serialize::serialized;
pub(crate) use settings::{VALUE, settings, settings_or_default, settings_or_message, snake_case};
pub(crate) use shape::{Form, Key, needed, optional};
pub(crate) use trace::{Shape, shape_of};
pub(crate) use tree::{Node, Table, Text, TreeEntry, Value};
pub(crate) use value::{Condition, FORMAT, flag, is_format, optional_table, optional_text};
pub(crate) use written::toml;
