//! Overrides: values of a document that are replaced before the document is read, as in
//! `--set systems.ball.q=2`.

use std::ops::Range;

use siconos_expression::{did_you_mean, nearest};

use super::tree::{Syntax, parse};
use super::{Diagnostics, Node, Table, Value};

/// Override of a value in a document.
///
/// The path consists of keys separated by dots. A path of one key denotes a parameter: `g` is `parameters.g`.
/// Elements of an array are numbered from 0: `systems.ball.q.2`. The text after `=` is a TOML value, or an
/// expression without quotes.
///
/// ```
/// use siconos_io::document::Override;
///
/// let change: Override = "laws.hit.restitution=0.5".parse()?;
/// assert_eq!((change.path.as_str(), change.text.as_str()), ("laws.hit.restitution", "0.5"));
/// assert!("restitution".parse::<Override>().is_err());
/// # Ok::<(), siconos_io::document::OverrideError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Override {
    /// Keys, separated by dots.
    pub path: String,
    /// Text of the new value.
    pub text: String,
}

/// Reason why an override is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OverrideError {
    /// The text has no `=`.
    #[error("`{text}` is not an assignment; write PATH=VALUE, as in `parameters.g=1.62`")]
    NoEquals {
        /// The text.
        text: String,
    },
    /// The path does not exist in the file.
    #[error("{path}: there is no `{key}`{}", inside(.within, .nearest.as_deref()))]
    Unknown {
        /// The path.
        path: String,
        /// First key of the path that does not exist.
        key: String,
        /// Path of the table that does not contain this key.
        within: String,
        /// Most similar existing key.
        nearest: Option<String>,
    },
    /// The value in the file and the new value have different types.
    #[error("{path}: this is {found} in the file and cannot be set to {given}")]
    OtherType {
        /// The path.
        path: String,
        /// Type of the value in the file.
        found: &'static str,
        /// New value, as text.
        given: String,
    },
}

fn inside(within: &str, nearest: Option<&str>) -> String {
    let place = if within.is_empty() { String::new() } else { format!(" in [{within}]") };
    place + &did_you_mean(nearest)
}

impl std::str::FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, OverrideError> {
        match text.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() => {
                let path = path.trim();
                let path = if path.contains('.') { path.to_owned() } else { format!("parameters.{path}") };
                Ok(Self { path, text: value.trim().to_owned() })
            }
            _ => Err(OverrideError::NoEquals { text: text.to_owned() }),
        }
    }
}

impl Override {
    /// Replaces the value at the path.
    pub(crate) fn apply(&self, root: &mut Table<'_>) -> Result<(), OverrideError> {
        let mut keys = self.path.split('.');
        let mut place = self.entry(root, keys.next().unwrap_or_default(), "")?;
        let mut within = 0;
        for key in keys {
            within = self.path[within..].find('.').map_or(within, |dot| within + dot + 1);
            place = self.below(place, key, &self.path[..within.saturating_sub(1)])?;
        }
        let span = place.span.clone();
        let node = read(&self.text, &span);
        let (found, given) = (place.node.kind(), node.kind());
        // A number may be replaced by an expression and vice versa; the bare name of a choice may be replaced
        // by a choice with settings.
        let is_value = |node: &Node<'_>| matches!(node, Node::Number { .. } | Node::Text(_) | Node::Array(_));
        let is_choice = |node: &Node<'_>| matches!(node, Node::Text(_) | Node::Table(_));
        let both = |is: fn(&Node<'_>) -> bool| is(&place.node) && is(&node);
        if found != given && !both(is_value) && !both(is_choice) {
            return Err(OverrideError::OtherType {
                path: self.path.clone(),
                found,
                given: self.text.clone(),
            });
        }
        place.node = node;
        Ok(())
    }

    fn entry<'t, 's>(
        &self,
        table: &'t mut Table<'s>,
        key: &str,
        within: &str,
    ) -> Result<&'t mut Value<'s>, OverrideError> {
        let unknown = || OverrideError::Unknown {
            path: self.path.clone(),
            key: key.to_owned(),
            within: within.to_owned(),
            nearest: nearest(key, table.entries.iter().map(|entry| &*entry.key)),
        };
        match table.entries.iter().position(|entry| entry.key == key) {
            Some(place) => Ok(&mut table.entries[place].value),
            None => Err(unknown()),
        }
    }

    fn below<'t, 's>(
        &self,
        value: &'t mut Value<'s>,
        key: &str,
        within: &str,
    ) -> Result<&'t mut Value<'s>, OverrideError> {
        let unknown = OverrideError::Unknown {
            path: self.path.clone(),
            key: key.to_owned(),
            within: within.to_owned(),
            nearest: None,
        };
        match &mut value.node {
            Node::Table(table) => self.entry(table, key, within),
            Node::Array(values) => {
                let place: Option<usize> = key.parse().ok();
                place.and_then(|place| values.get_mut(place)).ok_or(unknown)
            }
            _ => Err(unknown),
        }
    }
}

/// Parses `text` as a TOML value. Text that is not a TOML value is an expression. Errors in the new value are
/// reported at the position of the old value.
fn read<'s>(text: &str, span: &Range<usize>) -> Node<'s> {
    let document = format!("v = {text}");
    let mut aside = Diagnostics::new(&document, "");
    let value = parse(Syntax::Toml, &mut aside).and_then(|mut table| table.entries.pop());
    let value = value.filter(|_| aside.count() == 0);
    match value {
        Some(entry) if entry.key == "v" => entry.value.moved_to(span).node,
        _ => Node::Text(super::Text::apart(text.to_owned(), span.clone())),
    }
}
