//! Detection of the keys and values of settings from their Rust types.
//!
//! Before a type that implements serde's `Deserialize` reads a value, it requests keys, variants or a value
//! of a certain type. To find all requests, a type is deserialised repeatedly from a source that contains
//! only the values on one path of nested keys. At the end of the path, the source stops and returns the
//! request of the type as an error. Each repetition extends the path by one step.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::{Deserializer, forward_to_deserialize_any};

use super::settings::BY_FORM;

/// Shape of the values that a type reads.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Number,
    Count,
    Boolean,
    Text,
    Array(Box<Shape>),
    /// Keys with the shapes of their values, and the first required key.
    Table {
        keys: Vec<(&'static str, Shape)>,
        needed: Option<&'static str>,
    },
    /// Variants with the shapes of their contents; `None` for a variant without content.
    Choice(Vec<(&'static str, Option<Shape>)>),
    /// A number, or an array of numbers.
    ByForm,
    /// Anything else.
    Other,
}

/// Returns the shape of the values that the type `T` reads.
pub(crate) fn shape_of<T: DeserializeOwned>() -> Shape {
    below::<T>(&[], &[]).unwrap_or(Shape::Other)
}

/// Returns the shape at the end of `path`; `None` for a variant without content. `through` lists the names of
/// the enums on the path. If an enum contains itself, the inner one has the shape [`Shape::Other`].
fn below<T: DeserializeOwned>(path: &[PathStep], through: &[&str]) -> Option<Shape> {
    let after = |step: PathStep| [path, &[step]].concat();
    let one = |step: PathStep| below::<T>(&after(step), through).unwrap_or(Shape::Other);
    let asked = match T::deserialize(Source { path }) {
        Err(Stop::Asked(asked)) => asked,
        _ => Asked::Other,
    };
    Some(match asked {
        Asked::Number => Shape::Number,
        Asked::Count => Shape::Count,
        Asked::Boolean => Shape::Boolean,
        Asked::Text => Shape::Text,
        Asked::Other => Shape::Other,
        Asked::Nothing => return None,
        Asked::Array => Shape::Array(Box::new(one(PathStep::TreeEntry))),
        Asked::Table(keys) => Shape::Table {
            keys: keys.iter().map(|key| (*key, one(PathStep::Key(key)))).collect(),
            needed: match T::deserialize(Source { path: &after(PathStep::NoKey) }) {
                // If this table needs no key, the table around it can need one.
                Err(Stop::Missing(key)) => Some(key).filter(|key| keys.contains(key)),
                _ => None,
            },
        },
        Asked::Choice(name, _) if through.contains(&name) => Shape::Other,
        Asked::Choice(BY_FORM, _) => Shape::ByForm,
        Asked::Choice(name, variants) => {
            let through = [through, &[name]].concat();
            let inner = |variant| below::<T>(&after(PathStep::Variant(variant)), &through);
            Shape::Choice(variants.iter().map(|variant| (*variant, inner(variant))).collect())
        }
    })
}

/// Step from a value to one of its elements.
#[derive(Clone, Copy, Debug)]
enum PathStep {
    Key(&'static str),
    Variant(&'static str),
    TreeEntry,
    /// Step into a table that has no keys.
    NoKey,
}

/// Request that a type makes to its deserialiser.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Number,
    Count,
    Boolean,
    Text,
    Array,
    Table(&'static [&'static str]),
    Choice(&'static str, &'static [&'static str]),
    Nothing,
    Other,
}

/// Reason why deserialisation stops.
#[derive(Debug)]
enum Stop {
    Asked(Asked),
    Missing(&'static str),
    Else,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Stop {}

impl serde::de::Error for Stop {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self::Else
    }

    fn missing_field(key: &'static str) -> Self {
        Self::Missing(key)
    }
}

/// Source that contains only the values on a path.
#[derive(Clone, Copy)]
struct Source<'p> {
    path: &'p [PathStep],
}

impl<'p> Source<'p> {
    /// Takes one step of the path. At the end of the path, returns the request as an error.
    fn step(self, asked: Asked) -> Result<(PathStep, Self), Stop> {
        match self.path.split_first() {
            Some((step, path)) => Ok((*step, Self { path })),
            None => Err(Stop::Asked(asked)),
        }
    }

    fn table<'de, V: Visitor<'de>>(
        self,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match self.step(Asked::Table(keys))? {
            (PathStep::Key(key), inner) => visitor.visit_map(One { key: Some(key), inner }),
            (_, inner) => visitor.visit_map(One { key: None, inner }),
        }
    }

    fn plain<T>(self, asked: Asked) -> Result<T, Stop> {
        Err(Stop::Asked(asked))
    }
}

impl<'de> Deserializer<'de> for Source<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Other)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Boolean)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Number)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Count)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Count)
    }

    fn deserialize_str<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        self.plain(Asked::Text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let (_, inner) = self.step(Asked::Array)?;
        visitor.visit_seq(Entries { inner })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Stop> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.table(keys, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match self.step(Asked::Choice(name, variants))? {
            (PathStep::Variant(variant), inner) => visitor.visit_enum(Variant { variant, inner }),
            _ => Err(Stop::Else),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple_struct map identifier
        ignored_any
    }
}

/// Table with at most one key.
struct One<'p> {
    key: Option<&'static str>,
    inner: Source<'p>,
}

impl<'de> MapAccess<'de> for One<'_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Stop> {
        let Some(key) = self.key.take() else { return Ok(None) };
        let key: StrDeserializer<'_, Stop> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self.inner)
    }
}

/// Array with a single entry.
struct Entries<'p> {
    inner: Source<'p>,
}

impl<'de> SeqAccess<'de> for Entries<'_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Stop> {
        seed.deserialize(self.inner).map(Some)
    }
}

struct Variant<'p> {
    variant: &'static str,
    inner: Source<'p>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        let variant: StrDeserializer<'_, Stop> = self.variant.into_deserializer();
        Ok((seed.deserialize(variant)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        self.inner.plain(Asked::Nothing)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self.inner)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::custom("this choice cannot be written in a file"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.inner.table(keys, visitor)
    }
}

#[cfg(test)]
mod tests {
    use siconos_kernel::simulation::{EventSettings, NewmarkAlpha, NewtonSettings};

    use super::{Shape, shape_of};

    #[test]
    fn settings_tell_their_keys() {
        let Shape::Table { keys, needed: None } = shape_of::<NewtonSettings>() else { panic!("a table") };
        assert!(keys.contains(&("max_iterations", Shape::Count)), "{keys:?}");
        let Shape::Table { keys, .. } = shape_of::<EventSettings>() else { panic!("a table") };
        assert!(keys.contains(&("tick", Shape::Number)), "{keys:?}");
        let Shape::Table { keys, needed: Some("h") } = shape_of::<NewmarkAlpha>() else { panic!("a table") };
        let location = keys.iter().find(|(key, _)| *key == "location").map(|(_, shape)| shape);
        assert!(matches!(location, Some(Shape::Table { needed: None, .. })), "{location:?}");
    }
}
