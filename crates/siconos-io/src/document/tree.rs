//! Documents as trees. Tables keep the order of the file, and every key and value has its position.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Diagnostics, json};

/// Syntax of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Toml,
    Json,
}

impl Syntax {
    /// Returns JSON for names that end in `.json`, TOML for all others.
    pub(crate) fn of_name(name: &str) -> Self {
        if name.ends_with(".json") { Self::Json } else { Self::Toml }
    }
}

/// Value and its position in the text.
#[derive(Clone, Debug)]
pub(crate) struct Value<'s> {
    pub(crate) span: Range<usize>,
    pub(crate) node: Node<'s>,
}

/// Content of a value.
#[derive(Clone, Debug)]
pub(crate) enum Node<'s> {
    Text(Text<'s>),
    /// A number; `is_whole` is `true` if it is written as an integer.
    Number {
        value: f64,
        is_whole: bool,
    },
    Boolean(bool),
    Array(Vec<Value<'s>>),
    Table(Table<'s>),
    /// A date or `null`, which models do not use.
    Nothing(&'static str),
}

impl Node<'_> {
    /// Returns the name of the type of the value, as used in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number { .. } => "a number",
            Self::Boolean(_) => "a boolean",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
            Self::Nothing(what) => what,
        }
    }
}

impl Value<'_> {
    /// Sets the position of a value and of all values in it to `span`.
    pub(crate) fn moved_to<'s>(self, span: &Range<usize>) -> Value<'s> {
        let node = match self.node {
            Node::Text(text) => Node::Text(Text::apart(text.content.into_owned(), span.clone())),
            Node::Number { value, is_whole } => Node::Number { value, is_whole },
            Node::Boolean(boolean) => Node::Boolean(boolean),
            Node::Array(values) => {
                Node::Array(values.into_iter().map(|value| value.moved_to(span)).collect())
            }
            Node::Table(table) => {
                let entry = |TreeEntry { key, value, .. }: TreeEntry<'_>| TreeEntry {
                    key: Cow::Owned(key.into_owned()),
                    key_span: span.clone(),
                    value: value.moved_to(span),
                };
                Node::Table(Table { entries: table.entries.into_iter().map(entry).collect() })
            }
            Node::Nothing(what) => Node::Nothing(what),
        };
        Value { span: span.clone(), node }
    }
}

/// String, and the position of its content.
#[derive(Clone, Debug)]
pub(crate) struct Text<'s> {
    pub(crate) content: Cow<'s, str>,
    /// Position, including the quotes.
    pub(crate) span: Range<usize>,
    /// Start of the content; `None` if the string has escapes or is not in the file.
    begin: Option<usize>,
}

/// Keys and their values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table<'s> {
    pub(crate) entries: Vec<TreeEntry<'s>>,
}

/// Key and its value.
#[derive(Clone, Debug)]
pub(crate) struct TreeEntry<'s> {
    pub(crate) key: Cow<'s, str>,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Value<'s>,
}

/// Parses the text that `diagnostics` holds; returns `None` and adds diagnostics if its syntax is invalid.
pub(crate) fn parse<'s>(syntax: Syntax, diagnostics: &mut Diagnostics<'s>) -> Option<Table<'s>> {
    if syntax == Syntax::Json {
        return json::parse(diagnostics);
    }
    let source = diagnostics.source();
    let (table, errors) = DeTable::parse_recoverable(source);
    let mut is_readable = true;
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        match error.message() {
            // If a key is repeated, parsing continues with its first value.
            DUPLICATE => {
                let key = source.get(span.clone()).unwrap_or_default();
                diagnostics.note(&span, format_args!("the key `{key}` appears twice"));
            }
            message => {
                is_readable = false;
                diagnostics.note(&span, message);
            }
        }
    }
    is_readable.then(|| of_table(source, table.into_inner()))
}

/// Message of the TOML parser for a repeated key.
const DUPLICATE: &str = "duplicate key";

fn of_table<'s>(source: &'s str, table: DeTable<'s>) -> Table<'s> {
    let of_entry = |(key, value): (Spanned<Cow<'s, str>>, Spanned<DeValue<'s>>)| TreeEntry {
        key_span: key.span(),
        key: key.into_inner(),
        value: of_value(source, value),
    };
    let mut entries: Vec<_> = table.into_iter().map(of_entry).collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    Table { entries }
}

fn of_value<'s>(source: &'s str, value: Spanned<DeValue<'s>>) -> Value<'s> {
    let span = value.span();
    let node = match value.into_inner() {
        DeValue::String(content) => Node::Text(Text::new(source, span.clone(), content)),
        DeValue::Integer(integer) => {
            let value = i128::from_str_radix(integer.as_str(), integer.radix());
            Node::Number { value: value.map_or(f64::INFINITY, |value| value as f64), is_whole: true }
        }
        DeValue::Float(float) => {
            Node::Number { value: float.as_str().parse().unwrap_or(f64::NAN), is_whole: false }
        }
        DeValue::Boolean(boolean) => Node::Boolean(boolean),
        DeValue::Datetime(_) => Node::Nothing("a date or time"),
        DeValue::Array(array) => {
            Node::Array(array.into_iter().map(|value| of_value(source, value)).collect())
        }
        DeValue::Table(table) => Node::Table(of_table(source, table)),
    };
    Value { span, node }
}

impl<'s> Text<'s> {
    pub(super) fn new(source: &'s str, span: Range<usize>, content: Cow<'s, str>) -> Self {
        let written = source.get(span.clone()).unwrap_or_default();
        let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| written.starts_with(quotes));
        let begin = quotes.and_then(|quotes| {
            let inner = &written[quotes.len()..];
            // A line break directly after three quotes is not part of the string.
            let skipped = match quotes.len() {
                3 => {
                    inner.len()
                        - inner.strip_prefix("\r\n").or(inner.strip_prefix('\n')).unwrap_or(inner).len()
                }
                _ => 0,
            };
            inner[skipped..].strip_suffix(quotes).filter(|inner| *inner == content)?;
            Some(span.start + quotes.len() + skipped)
        });
        Self { content, span, begin }
    }

    /// Creates a string that is not in the file. Its position is the position of the string that it replaces.
    pub(crate) fn apart(content: String, span: Range<usize>) -> Self {
        Self { content: Cow::Owned(content), span, begin: None }
    }

    /// Converts a range of bytes of the content to a position in the file. If the start of the content is not
    /// known, returns the position of the whole string.
    pub(crate) fn span_of(&self, place: &Range<usize>) -> Range<usize> {
        match self.begin {
            Some(begin) => begin + place.start..begin + place.end,
            None => self.span.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostics, Node, Syntax, parse};

    /// Returns the start of the content of each string in `source`, or `None` if the string has escapes.
    fn places(source: &str) -> Vec<Option<usize>> {
        let table = parse(Syntax::Toml, &mut Diagnostics::new(source, "test")).expect("TOML");
        let texts = table.entries.iter().filter_map(|entry| match &entry.value.node {
            Node::Text(text) => Some(text.begin),
            _ => None,
        });
        texts.collect()
    }

    #[test]
    fn contents_of_strings_are_found_behind_their_quotes() {
        let source =
            "a = \"x\"\nb = 'x'\nc = \"\"\"x\"\"\"\nd = '''\nx'''\ne = \"\"\"\r\nx\"\"\"\nf = \"\\u0078\"\n";
        let found = places(source);
        assert_eq!(found.len(), 6);
        for begin in found[..5].iter().flatten() {
            assert_eq!(&source[*begin..=*begin], "x");
        }
        assert_eq!(found.iter().flatten().count(), 5);
        assert_eq!(found[5], None, "it is written with an escape");
    }

    #[test]
    fn tables_keep_the_order_of_the_file() {
        let table = parse(Syntax::Toml, &mut Diagnostics::new("z = 1\na = 2\nm.y = 3\nm.b = 4\n", "test"))
            .expect("TOML");
        let keys: Vec<_> = table.entries.iter().map(|entry| &*entry.key).collect();
        assert_eq!(keys, ["z", "a", "m"]);
    }
}
