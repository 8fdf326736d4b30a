//! Comparison of two documents.

use super::tree::{Syntax, parse};
use super::{Diagnostics, Node, Override, Table, Value};

/// Text and name of a file, and its overrides.
type Written<'w> = ((&'w str, &'w str), &'w [Override]);

/// Returns the path and both values of the first difference between two documents, in the order of the first
/// document. Differences in the title and in the formatting are ignored.
pub(crate) fn first_difference(first: Written<'_>, second: Written<'_>) -> Option<(String, String, String)> {
    let (mut aside_first, mut aside_second) = (aside(first), aside(second));
    let (a, b) = (tree(first, &mut aside_first), tree(second, &mut aside_second));
    let mut found = Differ { path: Vec::new(), found: None };
    found.tables(&a.unwrap_or_default(), &b.unwrap_or_default());
    found.found
}

fn aside<'w>(((text, name), _): Written<'w>) -> Diagnostics<'w> {
    Diagnostics::new(text, name)
}

fn tree<'w>(((_, name), overrides): Written<'w>, diagnostics: &mut Diagnostics<'w>) -> Option<Table<'w>> {
    let mut root = parse(Syntax::of_name(name), diagnostics)?;
    for change in overrides {
        change.apply(&mut root).ok()?;
    }
    root.entries.retain(|entry| entry.key != "title");
    Some(root)
}

struct Differ {
    path: Vec<String>,
    found: Option<(String, String, String)>,
}

const NOTHING: &str = "missing";

impl Differ {
    fn note(&mut self, key: &str, first: String, second: String) {
        let mut path = self.path.clone();
        path.push(key.to_owned());
        self.found.get_or_insert((path.join("."), first, second));
    }

    fn tables(&mut self, first: &Table<'_>, second: &Table<'_>) {
        for entry in &first.entries {
            match second.get(&entry.key) {
                Some(other) => self.values(&entry.key, &entry.value, other),
                None => self.note(&entry.key, shown(&entry.value), NOTHING.to_owned()),
            }
        }
        for entry in second.entries.iter().filter(|entry| first.get(&entry.key).is_none()) {
            self.note(&entry.key, NOTHING.to_owned(), shown(&entry.value));
        }
        // The order of the keys matters, because it determines the indices of systems and interactions.
        let keys =
            |table: &Table<'_>| table.entries.iter().map(|entry| entry.key.to_string()).collect::<Vec<_>>();
        let (first, second) = (keys(first), keys(second));
        if let Some((a, b)) = first.iter().zip(&second).find(|(a, b)| a != b) {
            self.note(a, "in this position".to_owned(), format!("after `{b}`"));
        }
    }

    fn values(&mut self, key: &str, first: &Value<'_>, second: &Value<'_>) {
        if self.found.is_some() {
            return;
        }
        match (&first.node, &second.node) {
            (Node::Table(a), Node::Table(b)) => {
                self.path.push(key.to_owned());
                self.tables(a, b);
                self.path.pop();
            }
            (Node::Array(a), Node::Array(b)) if a.len() == b.len() => {
                self.path.push(key.to_owned());
                for (place, (a, b)) in a.iter().zip(b).enumerate() {
                    self.values(&place.to_string(), a, b);
                }
                self.path.pop();
            }
            (Node::Number { value: a, .. }, Node::Number { value: b, .. }) if a.to_bits() == b.to_bits() => {}
            (Node::Text(a), Node::Text(b)) if a.content == b.content => (),
            (Node::Boolean(a), Node::Boolean(b)) if a == b => (),
            _ => self.note(key, shown(first), shown(second)),
        }
    }
}

/// Returns a value as it is shown in messages.
fn shown(value: &Value<'_>) -> String {
    match &value.node {
        Node::Number { value, .. } => format!("{value}"),
        Node::Text(text) => format!("`{}`", text.content),
        Node::Boolean(boolean) => boolean.to_string(),
        Node::Array(values) => format!("an array of {}", values.len()),
        Node::Table(_) => "a table".to_owned(),
        Node::Nothing(what) => (*what).to_owned(),
    }
}
