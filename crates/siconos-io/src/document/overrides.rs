//! Overrides: values of a document that are replaced before the document is read, as in
//! `--set systems.ball.q=2`.

use std::ops::Range;

use siconos_expression::{did_you_mean, nearest};

use super::tree::{Syntax, parse};
use super::{Diagnostics, Node, Table, TreeEntry, Value};

/// Override of a value in a document.
///
/// The path consists of keys separated by dots. A path of one key denotes a parameter or a constant: `g` is
/// `parameters.g`, or `constants.g` if the file has no such parameter. Elements of an array are numbered from
/// 0: `systems.ball.q.2`. The key `*` stands for all keys of a table: `laws.*.mu`. A setting that the file
/// leaves at its default can also be given. The text after `=` is a TOML value, or an expression without
/// quotes.
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
    #[error("{path}: there is no `{key}`{}", inside(.within, .key, .known))]
    Unknown {
        /// The path.
        path: String,
        /// First key of the path that does not exist.
        key: String,
        /// Path of the table that does not contain this key.
        within: String,
        /// Existing keys of the table.
        known: Vec<String>,
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

/// Maximum number of existing keys that a message lists.
const MOST_LISTED: usize = 12;

/// Describes the table that does not have the key: its path, and the most similar existing key or all keys.
fn inside(within: &str, key: &str, known: &[String]) -> String {
    let place = if within.is_empty() { String::new() } else { format!(" in [{within}]") };
    let listed: Vec<_> = known.iter().take(MOST_LISTED).map(|key| format!("`{key}`")).collect();
    let more = if known.len() > MOST_LISTED { ", .." } else { "" };
    match (nearest(key, known.iter().map(String::as_str)), known) {
        (None, [_, ..]) => format!("{place}; it has {}{more}", listed.join(", ")),
        (near, _) => place + &did_you_mean(near.as_deref()),
    }
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

/// Tables whose keys are names that the file chooses. An override cannot add an entry to them.
const NAMED: [&str; 11] = [
    "constants",
    "parameters",
    "functions",
    "systems",
    "laws",
    "interactions",
    "control",
    "events",
    "variables",
    "discrete",
    "output.columns",
];

/// Key that stands for all keys of a table.
const ALL: &str = "*";

impl Override {
    /// Replaces the values at the path. A key that a table of settings does not have is added, because the
    /// file leaves it at its default. The key `*` stands for all keys of a table below which the rest of the
    /// path exists. A parameter that the file does not have can be a constant.
    pub(crate) fn apply(&self, root: &mut Table<'_>) -> Result<(), OverrideError> {
        let constant = self
            .path
            .strip_prefix("parameters.")
            .filter(|name| !has(root, "parameters", name) && has(root, "constants", name));
        if let Some(name) = constant {
            let constant = Self { path: format!("constants.{name}"), text: self.text.clone() };
            return constant.apply_in_table(root, &(0..0), 0, true);
        }
        self.apply_in_table(root, &(0..0), 0, true)
    }

    /// Returns the path up to the key that starts at this byte.
    fn within(&self, start: usize) -> &str {
        &self.path[..start.saturating_sub(1)]
    }

    /// Returns the key that starts at this byte, and the start of the next key.
    fn key(&self, start: usize) -> (&str, Option<usize>) {
        let rest = &self.path[start..];
        rest.find('.').map_or((rest, None), |dot| (&rest[..dot], Some(start + dot + 1)))
    }

    /// Returns the error for the key that starts at this byte, which is not one of the `known` keys.
    fn unknown(&self, start: usize, known: Vec<String>) -> OverrideError {
        OverrideError::Unknown {
            known,
            path: self.path.clone(),
            key: self.key(start).0.to_owned(),
            within: self.within(start).to_owned(),
        }
    }

    fn apply_in_table<'s>(
        &self,
        table: &mut Table<'s>,
        span: &Range<usize>,
        start: usize,
        may_add: bool,
    ) -> Result<(), OverrideError> {
        let (key, next) = self.key(start);
        if key == ALL {
            let mut is_found = false;
            for entry in &mut table.entries {
                match self.apply_to(&mut entry.value, next, false) {
                    Ok(()) => is_found = true,
                    Err(OverrideError::Unknown { .. }) => (),
                    Err(error) => return Err(error),
                }
            }
            return if is_found { Ok(()) } else { Err(self.unknown(start, Vec::new())) };
        }
        if let Some(place) = table.entries.iter().position(|entry| entry.key == key) {
            return self.apply_to(&mut table.entries[place].value, next, may_add);
        }
        let own = &self.path[..next.map_or(self.path.len(), |next| next - 1)];
        if !may_add || NAMED.contains(&self.within(start)) || NAMED.contains(&own) {
            let known = table.entries.iter().map(|entry| entry.key.to_string());
            return Err(self.unknown(start, known.collect()));
        }
        let node = match next {
            None => read(&self.text, span),
            Some(next) => {
                let mut added = Table::default();
                self.apply_in_table(&mut added, span, next, true)?;
                Node::Table(added)
            }
        };
        let value = Value { span: span.clone(), node };
        table.entries.push(TreeEntry { key: key.to_owned().into(), key_span: span.clone(), value });
        Ok(())
    }

    /// Replaces the values below a value. If the path ends at it (`next` is `None`), the value is replaced.
    fn apply_to(
        &self,
        value: &mut Value<'_>,
        next: Option<usize>,
        may_add: bool,
    ) -> Result<(), OverrideError> {
        let Some(start) = next else { return self.replace(value) };
        match &mut value.node {
            Node::Table(table) => self.apply_in_table(table, &value.span.clone(), start, may_add),
            Node::Array(values) => {
                let (key, next) = self.key(start);
                match key.parse().ok().and_then(|place: usize| values.get_mut(place)) {
                    Some(value) => self.apply_to(value, next, may_add),
                    None => Err(self.unknown(start, Vec::new())),
                }
            }
            _ => Err(self.unknown(start, Vec::new())),
        }
    }

    fn replace(&self, place: &mut Value<'_>) -> Result<(), OverrideError> {
        let node = read(&self.text, &place.span);
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
}

/// Returns `true` if a document has a table `group` with the key `name`.
fn has(root: &Table<'_>, group: &str, name: &str) -> bool {
    let group = root.entries.iter().find(|entry| entry.key == group);
    let Some(Node::Table(table)) = group.map(|entry| &entry.value.node) else { return false };
    table.entries.iter().any(|entry| entry.key == name)
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
