//! A document in another syntax.

use super::print::{PrintError, print};
use super::tree::{Syntax, parse};
use super::{DocumentError, Faults, Node};

/// Why a document has not been converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The document cannot be read.
    #[error(transparent)]
    Read(#[from] DocumentError),
    /// The document has a value that cannot be written.
    #[error("{name}: {source}")]
    Print {
        /// The name of the document that was read.
        name: String,
        /// What cannot be written.
        source: PrintError,
    },
}

/// The word that a document has under its key `kind`; `None` if it has no such text.
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
/// [`DocumentError`] for a text that is no document.
pub fn kind((text, name): (&str, &str)) -> Result<Option<String>, DocumentError> {
    let mut faults = Faults::new(text, name);
    let root = parse(Syntax::of_name(name), &mut faults);
    let root = faults.check(root)?;
    Ok(match root.get("kind").map(|value| &value.node) {
        Some(Node::Text(text)) => Some(text.content.clone().into_owned()),
        _ => None,
    })
}

/// The text of a document in the syntax that another name tells: JSON for `.json`, TOML for all others.
/// Values and their order stay as they are, expressions are not evaluated; comments are lost, and so is how
/// numbers were written: `1e3` becomes `1000.0`.
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
/// [`ConvertError::Read`] for a text that is no document, [`ConvertError::Print`] for numbers that are not
/// finite, which JSON does not have, and for dates and `null`, of which models have none.
pub fn convert((text, name): (&str, &str), to: &str) -> Result<String, ConvertError> {
    let mut faults = Faults::new(text, name);
    let root = parse(Syntax::of_name(name), &mut faults);
    let root = faults.check(root)?;
    print(&root, Syntax::of_name(to)).map_err(|source| ConvertError::Print { name: name.to_owned(), source })
}
