//! What is wrong with a file, and where.

use std::fmt;
use std::io;

use siconos_expression::Excerpt;

use super::OverrideError;

/// Why a model file cannot be read: all that is wrong with it.
///
/// It prints with the place of each fault as `FILE:LINE:COLUMN`, to which an editor or a terminal can jump,
/// the line, and a mark below what is meant.
///
/// ```
/// use siconos_io::document::DocumentError;
/// use siconos_io::hybrid::HybridModel;
///
/// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let error = HybridModel::parse(text, "decay.toml").unwrap_err();
/// let expected = "\
/// decay.toml:4:38: unknown name `k`
///   |
/// 4 | x = { initial = 1, equation = \"x' = -k * x\" }
///   |                                      ^";
/// assert_eq!(error.to_string(), expected);
/// let DocumentError::Faults { faults, .. } = error else { panic!("it was read") };
/// assert_eq!((faults.len(), faults[0].excerpt.line), (1, 4));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The file cannot be read at all.
    #[error("{name}: cannot read: {source}")]
    Io {
        /// The file.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// A value that was to be set is not there, or is of another type.
    #[error("{name}: {source}")]
    Override {
        /// The file.
        name: String,
        /// What is wrong.
        source: OverrideError,
    },
    /// There are faults in the text.
    #[error("{}", Listed { name, faults })]
    Faults {
        /// The file.
        name: String,
        /// At least one, in the order of their places.
        faults: Vec<Fault>,
    },
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The number of the event in which it is, from 1 in the order of the file.
    pub event: Option<usize>,
    /// Where.
    pub excerpt: Excerpt,
}

/// The faults of a file, as they are printed.
struct Listed<'a> {
    name: &'a str,
    faults: &'a [Fault],
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Fault { message, event, excerpt }) in self.faults.iter().enumerate() {
            let between = if place > 0 { "\n\n" } else { "" };
            write!(f, "{between}{}:{}:{}: ", self.name, excerpt.line, excerpt.column)?;
            if let Some(event) = event {
                write!(f, "event {event}: ")?;
            }
            write!(f, "{message}\n{excerpt}")?;
        }
        Ok(())
    }
}
