//! Conversion of documents to another syntax.

use super::print::{PrintError, print};
use super::tree::{Syntax, parse};
use super::{Diagnostics, DocumentError, Node};

/// Error in the conversion of a document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The document cannot be read.
    #[error(transparent)]
    Read(#[from] DocumentError),
    /// The document has a value that cannot be written.
    #[error("{name}: {source}")]
    Print {
        /// Name of the document that was read.
        name: String,
        /// Reason why the value cannot be written.
        source: PrintError,
    },
}

/// Returns the text of a document's key `kind`; `None` if the key is missing or its value is not a string.
///
/// ```
/// use siconos_io::document::kind;
///
/// assert_eq!(kind(("kind = \"hybrid\"", "a.toml"))?.as_deref(), Some("hybrid"));
/// assert_eq!(kind(("{\"kind\": 1}", "a.json"))?, None);
/// # Ok::<(), siconos_io::document::DocumentError>(())
/// ```
///
/// # Errors
///
/// If the text is not a valid document.
pub fn kind((text, name): (&str, &str)) -> Result<Option<String>, DocumentError> {
    let mut diagnostics = Diagnostics::new(text, name);
    let root = parse(Syntax::of_name(name), &mut diagnostics);
    let root = diagnostics.check(root)?;
    Ok(match root.get("kind").map(|value| &value.node) {
        Some(Node::Text(text)) => Some(text.content.clone().into_owned()),
        _ => None,
    })
}

/// Converts a document to the syntax given by the name `to`: JSON for `.json`, TOML for all other names.
/// Values and their order are kept, and expressions are not evaluated. Comments and the formatting of numbers
/// are lost: `1e3` becomes `1000.0`.
///
/// ```
/// use siconos_io::document::convert;
///
/// let toml = "title = \"A ball\" # light\n\n[systems.ball]\nq = [1.0, \"2 * r\"]\n";
/// let json = convert((toml, "ball.toml"), "ball.json")?;
/// assert_eq!(convert((&json, "ball.json"), "ball.toml")?, toml.replace(" # light", ""));
/// # Ok::<(), siconos_io::document::ConvertError>(())
/// ```
///
/// # Errors
///
/// If the text is not a valid document ([`ConvertError::Read`]), or if the document contains a date, `null`
/// or, for JSON, NaN ([`ConvertError::Print`]).
pub fn convert((text, name): (&str, &str), to: &str) -> Result<String, ConvertError> {
    let mut diagnostics = Diagnostics::new(text, name);
    let root = parse(Syntax::of_name(name), &mut diagnostics);
    let root = diagnostics.check(root)?;
    print(&root, Syntax::of_name(to)).map_err(|source| ConvertError::Print { name: name.to_owned(), source })
}
