//! Errors in a file and their positions.

use std::fmt;
use std::io;

use siconos_expression::Excerpt;

use super::OverrideError;

/// Error in a model file, with all diagnostics.
///
/// Each diagnostic is displayed with its position as `FILE:LINE:COLUMN`, which editors and terminals can
/// open, followed by the line and a marker below the invalid text. If more than three diagnostics have the
/// same message, only the lines of the others are listed.
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

/// Maximum number of diagnostics with the same message that are displayed in full.
const MOST_IN_FULL: usize = 3;

/// Maximum number of further lines that are listed for one message.
const MOST_LINES: usize = 10;

impl fmt::Display for Listed<'_> {
    /// Writes the first diagnostics with each message in full, and the lines of all others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Diagnostic { message, event, excerpt }) in self.diagnostics.iter().enumerate() {
            let is_like_it = |own: &&Diagnostic| own.message == *message;
            let number = 1 + self.diagnostics[..place].iter().filter(is_like_it).count();
            if number > MOST_IN_FULL {
                continue;
            }
            let between = if place > 0 { "\n\n" } else { "" };
            write!(f, "{between}{}:{}:{}: ", self.name, excerpt.line, excerpt.column)?;
            if let Some(event) = event {
                write!(f, "event {event}: ")?;
            }
            write!(f, "{message}\n{excerpt}")?;
            if number == MOST_IN_FULL {
                let further = self.diagnostics[place + 1..].iter().filter(is_like_it);
                write_lines(f, &further.map(|own| own.excerpt.line).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }
}

/// Writes the lines of further diagnostics with one message.
fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[usize]) -> fmt::Result {
    let listed: Vec<_> = lines.iter().take(MOST_LINES).map(usize::to_string).collect();
    match lines.len() {
        0 => Ok(()),
        1 => write!(f, "\nalso on line {}", listed[0]),
        count @ 2..=MOST_LINES => write!(f, "\nalso {count} times, on lines {}", listed.join(", ")),
        count => write!(f, "\nalso {count} times, first on lines {}", listed.join(", ")),
    }
}
