//! Serde deserialiser of a value with its position in the text.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use siconos_expression::parse_number;

use super::choice::Choice;
use super::wrong::{What, Wrong};
use crate::document::{Node, Numbers, Table, TreeEntry, Value};

#[derive(Clone, Copy)]
pub(super) struct Reader<'v, 's> {
    pub(super) value: &'v Value<'s>,
    pub(super) numbers: Numbers<'v>,
}

impl<'v, 's> Reader<'v, 's> {
    pub(super) fn of(self, value: &'v Value<'s>) -> Self {
        Self { value, ..self }
    }

    /// Returns a number, or the value of a constant expression.
    fn number(self) -> Result<f64, Wrong> {
        let value = match &self.value.node {
            Node::Number { value, .. } => *value,
            Node::Text(text) => {
                let wrong = |error: siconos_expression::ParseError| Wrong {
                    span: Some(text.span_of(&error.span)),
                    what: What::Text(error.kind),
                };
                let expression = parse_number(&text.content, self.numbers.scope).map_err(wrong)?;
                self.numbers.value(&expression).unwrap_or(f64::NAN)
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
        // Doubles above 2^53 do not represent every integer.
        if value.fract() == 0.0 && (0.0..=2.0_f64.powi(53)).contains(&value) {
            return Ok(value as u64);
        }
        let message = format_args!("this is {value}; it must be a whole number from 0 up to 2^53");
        Err(Wrong::custom(message).at(&self.value.span))
    }

    pub(super) fn unexpected(self, expected: &dyn serde::de::Expected) -> Wrong {
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

/// Entries of a table, without the key `skipped`.
pub(super) struct Keys<'v, 's> {
    reader: Reader<'v, 's>,
    entries: std::slice::Iter<'v, TreeEntry<'s>>,
    skipped: Option<&'static str>,
    current: Option<&'v TreeEntry<'s>>,
}

impl<'v, 's> Keys<'v, 's> {
    pub(super) fn new(reader: Reader<'v, 's>, table: &'v Table<'s>, skipped: Option<&'static str>) -> Self {
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

/// Returns an error if the table has an unknown key, even if deserialisation would ignore it. The known keys
/// are `keys` and, if given, one other key.
pub(super) fn check_keys(
    table: &Table<'_>,
    keys: &'static [&'static str],
    beside: Option<&'static str>,
) -> Result<(), Wrong> {
    let is_known =
        |entry: &&TreeEntry<'_>| keys.contains(&&*entry.key) || beside.is_some_and(|key| entry.key == key);
    match table.entries.iter().find(|entry| !is_known(entry)) {
        Some(entry) => Err(Wrong::unknown_field(&entry.key, keys).at(&entry.key_span)),
        None => Ok(()),
    }
}
