//! Choices: enums in files, given by the name of a variant or by a table with this name and settings.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use super::reader::{Keys, Reader, check_keys};
use super::wrong::Wrong;
use super::{BY_FORM, KIND, VALUE, is_called};
use crate::document::{Node, Table};

/// Name of the selected variant, and reader of the value that selects it.
pub(super) struct Choice<'v, 's> {
    variant: &'static str,
    reader: Reader<'v, 's>,
}

impl<'v, 's> Choice<'v, 's> {
    pub(super) fn of(
        reader: Reader<'v, 's>,
        name: &str,
        variants: &'static [&'static str],
    ) -> Result<Self, Wrong> {
        if name == BY_FORM
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

    /// Visits the settings: the entries of the table without the key `kind`. If the file has only the name of
    /// the variant, there are no settings.
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
impl<'v, 's> Choice<'v, 's> {
    /// Returns the reader of the content of a variant that is not a struct.
    fn held(&self) -> Result<Reader<'v, 's>, Wrong> {
        let span = &self.reader.value.span;
        let Node::Table(table) = &self.reader.value.node else {
            return Err(Wrong::missing_field(VALUE).at(span));
        };
        check_keys(table, &[VALUE], Some(KIND))?;
        match table.get(VALUE) {
            Some(value) => Ok(self.reader.of(value)),
            None => Err(Wrong::missing_field(VALUE).at(span)),
        }
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
                Some(entry) => Err(Wrong::unknown_field(&entry.key, &[KIND]).at(&entry.key_span)),
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

/// Content of a variant. The keys of a struct are in the same table as the key `kind`. Any other content is
/// under the key `value`.
impl<'de> Deserializer<'de> for Choice<'_, '_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.held()?.deserialize_any(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.held()?.deserialize_f64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.held()?.deserialize_u64(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.held()?.deserialize_enum(name, variants, visitor)
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
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map identifier ignored_any
    }
}
