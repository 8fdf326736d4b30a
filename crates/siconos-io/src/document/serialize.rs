//! Conversion of settings to values, the inverse of [`settings`](super::settings). A Rust enum is written as
//! a table whose key `kind` is the name of the variant.

use std::fmt;

use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, Serializer,
};

use super::settings::{BY_FORM, VALUE, snake_case};
use super::{Node, Value};

/// Returns the value of a serialisable type; `None` if a file cannot represent it.
pub(crate) fn serialized<T: Serialize + ?Sized>(own: &T) -> Option<Value<'static>> {
    own.serialize(Writer).ok().flatten()
}

/// Error of a type that a file cannot represent.
#[derive(Debug)]
struct NoForm;

impl fmt::Display for NoForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this cannot be written in a file")
    }
}

impl std::error::Error for NoForm {}

impl serde::ser::Error for NoForm {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Written value; `None` if it is omitted.
type Written = Option<Value<'static>>;

struct Writer;

impl Serializer for Writer {
    type Ok = Written;
    type Error = NoForm;
    type SerializeSeq = Values;
    type SerializeTuple = Values;
    type SerializeTupleStruct = Impossible<Written, NoForm>;
    type SerializeTupleVariant = Impossible<Written, NoForm>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    fn serialize_bool(self, v: bool) -> Result<Written, NoForm> {
        Ok(Some(Value::of_boolean(v)))
    }

    fn serialize_i8(self, v: i8) -> Result<Written, NoForm> {
        self.serialize_i64(v.into())
    }

    fn serialize_i16(self, v: i16) -> Result<Written, NoForm> {
        self.serialize_i64(v.into())
    }

    fn serialize_i32(self, v: i32) -> Result<Written, NoForm> {
        self.serialize_i64(v.into())
    }

    fn serialize_i64(self, v: i64) -> Result<Written, NoForm> {
        self.serialize_u64(v.try_into().map_err(|_| NoForm)?)
    }

    fn serialize_u8(self, v: u8) -> Result<Written, NoForm> {
        self.serialize_u64(v.into())
    }

    fn serialize_u16(self, v: u16) -> Result<Written, NoForm> {
        self.serialize_u64(v.into())
    }

    fn serialize_u32(self, v: u32) -> Result<Written, NoForm> {
        self.serialize_u64(v.into())
    }

    fn serialize_u64(self, v: u64) -> Result<Written, NoForm> {
        Ok(Some(Value::of_count(v.try_into().map_err(|_| NoForm)?)))
    }

    fn serialize_f32(self, v: f32) -> Result<Written, NoForm> {
        self.serialize_f64(v.into())
    }

    fn serialize_f64(self, v: f64) -> Result<Written, NoForm> {
        Ok(Some(Value::of_number(v)))
    }

    fn serialize_char(self, v: char) -> Result<Written, NoForm> {
        Ok(Some(Value::of_text(v)))
    }

    fn serialize_str(self, v: &str) -> Result<Written, NoForm> {
        Ok(Some(Value::of_text(v)))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Written, NoForm> {
        Err(NoForm)
    }

    fn serialize_none(self) -> Result<Written, NoForm> {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, NoForm> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Written, NoForm> {
        Ok(None)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, NoForm> {
        Ok(None)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Written, NoForm> {
        Ok(Some(Value::of_text(snake_case(variant))))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Written, NoForm> {
        value.serialize(self)
    }

    /// Writes the settings of an enum variant in the same table as the name of the variant. Content that is
    /// not a table is written under the key `value`. The enum [`BY_FORM`] is written without a table, because
    /// the form of its value determines the variant.
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written, NoForm> {
        let held = value.serialize(Self)?;
        match held.map(|value| value.node) {
            Some(node) if name == BY_FORM => Ok(Some(Value { span: 0..0, node })),
            Some(Node::Table(table)) => {
                let mut entries = Entries::of(Some(variant));
                entries
                    .entries
                    .extend(table.entries.into_iter().map(|entry| (entry.key.into_owned(), entry.value)));
                entries.end()
            }
            None => Ok(Some(Value::of_text(snake_case(variant)))),
            Some(node) => {
                let mut entries = Entries::of(Some(variant));
                entries.entries.push((VALUE.to_owned(), Value { span: 0..0, node }));
                entries.end()
            }
        }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Values, NoForm> {
        Ok(Values(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<Values, NoForm> {
        Ok(Values(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, NoForm> {
        Err(NoForm)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NoForm> {
        Err(NoForm)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, NoForm> {
        Ok(Entries::of(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, NoForm> {
        Ok(Entries::of(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, NoForm> {
        Ok(Entries::of(Some(variant)))
    }
}

struct Values(Vec<Value<'static>>);

impl Values {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoForm> {
        self.0.push(value.serialize(Writer)?.ok_or(NoForm)?);
        Ok(())
    }

    fn all(self) -> Result<Written, NoForm> {
        Ok(Some(Value::of_array(self.0)))
    }
}

impl SerializeSeq for Values {
    type Ok = Written;
    type Error = NoForm;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoForm> {
        self.push(value)
    }

    fn end(self) -> Result<Written, NoForm> {
        self.all()
    }
}

impl SerializeTuple for Values {
    type Ok = Written;
    type Error = NoForm;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoForm> {
        self.push(value)
    }

    fn end(self) -> Result<Written, NoForm> {
        self.all()
    }
}

struct Entries {
    entries: Vec<(String, Value<'static>)>,
    /// Key of a map entry, stored until its value is written.
    key: Option<String>,
}

impl Entries {
    fn of(variant: Option<&str>) -> Self {
        let kind = variant.map(|variant| ("kind".to_owned(), Value::of_text(snake_case(variant))));
        Self { entries: kind.into_iter().collect(), key: None }
    }

    fn push<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), NoForm> {
        self.entries.extend(value.serialize(Writer)?.map(|value| (key, value)));
        Ok(())
    }

    fn end(self) -> Result<Written, NoForm> {
        Ok(Some(Value::of_table(self.entries)))
    }
}

impl SerializeStruct for Entries {
    type Ok = Written;
    type Error = NoForm;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), NoForm> {
        self.push(key.to_owned(), value)
    }

    fn end(self) -> Result<Written, NoForm> {
        Self::end(self)
    }
}

impl SerializeStructVariant for Entries {
    type Ok = Written;
    type Error = NoForm;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), NoForm> {
        self.push(key.to_owned(), value)
    }

    fn end(self) -> Result<Written, NoForm> {
        Self::end(self)
    }
}

impl SerializeMap for Entries {
    type Ok = Written;
    type Error = NoForm;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoForm> {
        match key.serialize(Writer)?.map(|value| value.node) {
            Some(Node::Text(text)) => self.key = Some(text.content.into_owned()),
            _ => return Err(NoForm),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoForm> {
        let key = self.key.take().ok_or(NoForm)?;
        self.push(key, value)
    }

    fn end(self) -> Result<Written, NoForm> {
        Self::end(self)
    }
}
