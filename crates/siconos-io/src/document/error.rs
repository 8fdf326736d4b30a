//! Errors in a file and their positions.

use std::fmt;
use std::io;

use siconos_expression::Excerpt;

use super::OverrideError;

/// Error in a model file, with all diagnostics.
///
/// Each diagnostic is displayed with its position as `FILE:LINE:COLUMN`, which editors and terminals can
/// open, followed by the line and a marker below the invalid text.
///
/// ```
/// use siconos_io::document::DocumentError;
/// use siconos_io::hybrid::HybridModel;
///
/// let text = "format = 1\nkind = \"hybrid\"\n[variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let error = HybridModel::parse(text, "decay.toml").unwrap_err();
/// let expected = "\
/// decay.toml:4:38: unknown name `k`; the names here are `t`, `x`
///   |
/// 4 | x = { initial = 1, equation = \"x' = -k * x\" }
///   |                                      ^";
/// assert_eq!(error.to_string(), expected);
/// let DocumentError::Diagnostics { diagnostics, .. } = error else { panic!("it was read") };
/// assert_eq!((diagnostics.len(), diagnostics[0].excerpt.line), (1, 4));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The file cannot be read.
    #[error("{name}: cannot read: {source}")]
    Io {
        /// Name of the file.
        name: String,
        /// Error from the operating system.
        source: io::Error,
    },
    /// An overridden value does not exist or has a different type.
    #[error("{name}: {source}")]
    Override {
        /// Name of the file.
        name: String,
        /// Reason why the override is invalid.
        source: OverrideError,
    },
    /// The text contains errors.
    #[error("{}", Listed { name, diagnostics })]
    Diagnostics {
        /// Name of the file.
        name: String,
        /// Diagnostics, at least one, in the order of their positions.
        diagnostics: Vec<Diagnostic>,
    },
}

/// One error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Description of the error.
    pub message: String,
    /// Number of the event that contains the error. Events are numbered from 1 in the order of the file.
    pub event: Option<usize>,
    /// Position of the error, and the line that contains it.
    pub excerpt: Excerpt,
}

/// Diagnostics of a file, for display.
struct Listed<'a> {
    name: &'a str,
    diagnostics: &'a [Diagnostic],
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Diagnostic { message, event, excerpt }) in self.diagnostics.iter().enumerate() {
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
