//! Settings that know themselves how they are read (by serde), out of a tree with places.
//!
//! A choice with settings, an enum whose variants hold a struct each, is a table that names the variant by
//! its key `kind`, `{ kind = "moreau_jean", theta = 0.5 }`, or the name alone where all settings have their
//! defaults. Names are those of the types in the code: `moreau_jean` is `MoreauJean`.

use std::fmt;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};
use siconos_expression::{ParseErrorKind, Scope, parse_number};

use super::value::suggestion;
use super::{Entry, Faults, Node, Table, Value};

/// The key that names a variant.
const KIND: &str = "kind";

/// Reads a value as a `T`; nothing where it is at fault, which is noted. Numbers may be expressions of
/// constants.
pub(crate) fn settings<T: DeserializeOwned>(
    value: &Value<'_>,
    constants: &Scope,
    faults: &mut Faults<'_>,
) -> Option<T> {
    let wrong = match T::deserialize(Reader { value, constants }) {
        Ok(settings) => return Some(settings),
        Err(wrong) => wrong,
    };
    // What is at fault is taken out, until there is nothing left to complain about.
    let (mut rest, mut next, mut taken) = (value.clone(), Some(wrong), Vec::new());
    for _ in 0..MOST_FAULTS {
        let Some(Wrong { span, what }) = next else { break };
        let span = span.unwrap_or_else(|| value.span.clone());
        match &what {
            What::Missing(key) if taken.iter().any(|taken| taken == key) => break,
            What::Text(kind) => faults.note_kind(&span, kind),
            What::Missing(_) | What::Other(_) => faults.note(&span, &what),
        }
        match take_out(&mut rest, &span) {
            Some(key) => taken.push(key),
            None => break,
        }
        next = T::deserialize(Reader { value: &rest, constants }).err();
    }
    None
}

/// So many faults are told of one table of settings.
const MOST_FAULTS: usize = 20;

/// Takes the innermost entry of a table out in which some bytes are, and tells its key.
fn take_out(value: &mut Value<'_>, span: &Range<usize>) -> Option<String> {
    let holds = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    match &mut value.node {
        Node::Array(values) => take_out(values.iter_mut().find(|value| holds(&value.span))?, span),
        Node::Table(table) => {
            let is_there = |entry: &Entry<'_>| holds(&entry.key_span) || holds(&entry.value.span);
            let place = table.entries.iter().position(is_there)?;
            let inner = take_out(&mut table.entries[place].value, span);
            inner.or_else(|| Some(table.entries.remove(place).key.into_owned()))
        }
        _ => None,
    }
}

/// What is wrong, and where, as far as that is known yet.
#[derive(Debug)]
struct Wrong {
    span: Option<Range<usize>>,
    what: What,
}

#[derive(Debug)]
enum What {
    /// A key that is not there.
    Missing(&'static str),
    /// A fault of an expression.
    Text(ParseErrorKind),
    Other(String),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(key) => write!(f, "the key `{key}` is missing"),
            Self::Text(kind) => write!(f, "{kind}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl Wrong {
    fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.what.fmt(f)
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { span: None, what: What::Other(message.to_string()) }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        let found = match found {
            Unexpected::Str(_) => "a string".to_owned(),
            Unexpected::Float(_) | Unexpected::Unsigned(_) | Unexpected::Signed(_) => "a number".to_owned(),
            Unexpected::Bool(_) => "a boolean".to_owned(),
            Unexpected::Seq => "an array".to_owned(),
            Unexpected::Map => "a table".to_owned(),
            other => other.to_string(),
        };
        Self::custom(format_args!("expected {expected}, found {found}"))
    }

    fn unknown_field(key: &str, expected: &'static [&'static str]) -> Self {
        let near = suggestion(key, expected.iter().copied());
        Self::custom(format_args!("unknown key `{key}`{near}"))
    }

    fn unknown_variant(word: &str, expected: &'static [&'static str]) -> Self {
        let words: Vec<_> = expected.iter().map(|variant| snake_case(variant)).collect();
        let near = suggestion(word, words.iter().map(String::as_str));
        let all = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        Self::custom(format_args!("expected one of {all}, found `{word}`{near}"))
    }

    fn missing_field(key: &'static str) -> Self {
        Self { span: None, what: What::Missing(key) }
    }
}

/// The name of a type or variant as files write it.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Whether a name of the code is what a file calls so.
fn is_called(name: &str, word: &str) -> bool {
    name == word || snake_case(name) == word
}

#[derive(Clone, Copy)]
struct Reader<'v, 's> {
    value: &'v Value<'s>,
    constants: &'v Scope,
}

impl<'v, 's> Reader<'v, 's> {
    fn of(self, value: &'v Value<'s>) -> Self {
        Self { value, ..self }
    }

    /// A number, or an expression of constants that is one.
    fn number(self) -> Result<f64, Wrong> {
        let value = match &self.value.node {
            Node::Number { value, .. } => *value,
            Node::Text(text) => {
                let wrong = |error: siconos_expression::ParseError| Wrong {
                    span: Some(text.span_of(&error.span)),
                    what: What::Text(error.kind),
                };
                parse_number(&text.content, self.constants).map_err(wrong)?.constant().unwrap_or(f64::NAN)
            }
            _ => return Err(self.unexpected(&"a number")),
        };
        if value.is_nan() {
            Err(Wrong::custom("this is not a number").at(&self.value.span))
        } else {
            Ok(value)
        }
    }

    fn whole(self) -> Result<u64, Wrong> {
        let value = self.number()?;
        // Beyond 2^53 numbers are no longer told apart, and a count is no longer one.
        if value.fract() == 0.0 && (0.0..=2.0_f64.powi(53)).contains(&value) {
            return Ok(value as u64);
        }
        let message = format_args!("this is {value}; it must be a whole number from 0 up to 2^53");
        Err(Wrong::custom(message).at(&self.value.span))
    }

    fn unexpected(self, expected: &dyn serde::de::Expected) -> Wrong {
        let found = match &self.value.node {
            Node::Text(text) => Unexpected::Str(&text.content),
            Node::Number { value, .. } => Unexpected::Float(*value),
            Node::Boolean(boolean) => Unexpected::Bool(*boolean),
            Node::Array(_) => Unexpected::Seq,
            Node::Table(_) => Unexpected::Map,
            Node::Nothing(what) => Unexpected::Other(what),
        };
        Wrong::invalid_type(found, expected).at(&self.value.span)
    }
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = match &self.value.node {
            Node::Text(text) => visitor.visit_str(&text.content),
            Node::Number { .. } => visitor.visit_f64(self.number()?),
            Node::Boolean(boolean) => visitor.visit_bool(*boolean),
            Node::Array(values) => visitor.visit_seq(Values { reader: self, values: values.iter() }),
            Node::Table(table) => visitor.visit_map(Keys::new(self, table, None)),
            Node::Nothing(_) => visitor.visit_unit(),
        };
        read.map_err(|wrong: Wrong| wrong.at(&self.value.span))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_f64(self.number()?).map_err(|wrong: Wrong| wrong.at(&self.value.span))
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_u64(self.whole()?).map_err(|wrong: Wrong| wrong.at(&self.value.span))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.value.node {
            Node::Nothing(_) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match &self.value.node {
            Node::Table(table) => {
                check_keys(table, keys, None)?;
                self.deserialize_any(visitor)
            }
            _ => Err(self.unexpected(&"a table")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let choice = Choice::of(self, name, variants)?;
        visitor.visit_enum(choice).map_err(|wrong: Wrong| wrong.at(&self.value.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u128 f32 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Values<'v, 's> {
    reader: Reader<'v, 's>,
    values: std::slice::Iter<'v, Value<'s>>,
}

impl<'de> SeqAccess<'de> for Values<'_, '_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        self.values.next().map(|value| seed.deserialize(self.reader.of(value))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

/// The keys of a table but one.
struct Keys<'v, 's> {
    reader: Reader<'v, 's>,
    entries: std::slice::Iter<'v, Entry<'s>>,
    skipped: Option<&'static str>,
    current: Option<&'v Entry<'s>>,
}

impl<'v, 's> Keys<'v, 's> {
    fn new(reader: Reader<'v, 's>, table: &'v Table<'s>, skipped: Option<&'static str>) -> Self {
        Self { reader, entries: table.entries.iter(), skipped, current: None }
    }
}

impl<'de> MapAccess<'de> for Keys<'_, '_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let skipped = self.skipped;
        self.current = self.entries.find(|entry| skipped.is_none_or(|skipped| entry.key != skipped));
        let Some(entry) = self.current else { return Ok(None) };
        let key: StrDeserializer<'_, Wrong> = (*entry.key).into_deserializer();
        seed.deserialize(key).map(Some).map_err(|wrong| wrong.at(&entry.key_span))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Wrong> {
        match self.current.take() {
            Some(entry) => seed
                .deserialize(self.reader.of(&entry.value))
                .map_err(|wrong: Wrong| wrong.at(&entry.value.span)),
            None => Err(Wrong::custom("a value without a key")),
        }
    }
}

/// A variant by its name, and where its settings are.
struct Choice<'v, 's> {
    variant: &'static str,
    reader: Reader<'v, 's>,
}

impl<'v, 's> Choice<'v, 's> {
    fn of(reader: Reader<'v, 's>, name: &str, variants: &'static [&'static str]) -> Result<Self, Wrong> {
        // The one choice that is told by its form: a number for all, an array with one for each.
        if name == "Tolerance"
            && let (Node::Number { .. } | Node::Array(_), [all, each]) = (&reader.value.node, variants)
        {
            let variant = if matches!(reader.value.node, Node::Array(_)) { each } else { all };
            return Ok(Self { variant, reader });
        }
        let named = match &reader.value.node {
            Node::Text(_) => reader.value,
            Node::Table(table) => match table.entries.iter().find(|entry| entry.key == KIND) {
                Some(entry) => &entry.value,
                None => return Err(Wrong::missing_field(KIND).at(&reader.value.span)),
            },
            _ => return Err(reader.unexpected(&"the name of a choice, or a table with `kind`")),
        };
        let Node::Text(word) = &named.node else {
            return Err(reader.of(named).unexpected(&"the name of a choice"));
        };
        let variant = variants.iter().find(|variant| is_called(variant, &word.content));
        match variant {
            Some(variant) => Ok(Self { variant, reader }),
            None => Err(Wrong::unknown_variant(&word.content, variants).at(&named.span)),
        }
    }

    /// The table without the name of the variant; an empty one where there is the name alone.
    fn with_settings<'de, V: Visitor<'de>>(
        &self,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match &self.reader.value.node {
            Node::Table(table) => {
                check_keys(table, keys, Some(KIND))?;
                visitor.visit_map(Keys::new(self.reader, table, Some(KIND)))
            }
            _ => visitor.visit_map(Keys::new(self.reader, &Table { entries: Vec::new() }, None)),
        }
    }
}

/// Refuses keys that a type does not have, also where the type itself would not mind.
fn check_keys(
    table: &Table<'_>,
    keys: &'static [&'static str],
    beside: Option<&'static str>,
) -> Result<(), Wrong> {
    let is_known =
        |entry: &&Entry<'_>| keys.contains(&&*entry.key) || beside.is_some_and(|key| entry.key == key);
    match table.entries.iter().find(|entry| !is_known(entry)) {
        Some(entry) => Err(Wrong::unknown_field(&entry.key, keys).at(&entry.key_span)),
        None => Ok(()),
    }
}

impl<'de> EnumAccess<'de> for Choice<'_, '_> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Wrong> {
        let name: StrDeserializer<'_, Wrong> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_, '_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match &self.reader.value.node {
            Node::Table(table) => match table.entries.iter().find(|entry| entry.key != KIND) {
                Some(entry) => Err(Wrong::unknown_field(&entry.key, &[]).at(&entry.key_span)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        match &self.reader.value.node {
            Node::Text(_) | Node::Table(_) => seed.deserialize(self),
            _ => seed.deserialize(self.reader),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value, Wrong> {
        Err(Wrong::custom("this choice cannot be written in a file"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.with_settings(keys, visitor)
    }
}

/// What a variant holds: a struct whose keys stand beside the name of the variant.
impl<'de> Deserializer<'de> for Choice<'_, '_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Wrong> {
        Err(Wrong::custom("this choice cannot be written in a file"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.with_settings(keys, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
