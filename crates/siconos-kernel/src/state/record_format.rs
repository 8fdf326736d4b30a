//! Versions of the format of a state record, and its serialisation.
//!
//! Format 1 has no detected contacts. Format 2 ends with them. Format 3 ends with them and with the bodies
//! that are slow or asleep. A record is written in the lowest format that suffices, so its bytes do not
//! depend on
//! the version of the program.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::contacts::ContactRecord;
use super::format::Format;
use super::record::{RecordHead, StateRecord};
use super::sleep::RestRecord;

/// Version of the format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub(super) enum RecordFormat {
    WithoutContacts,
    WithContacts,
    WithRest,
}

impl RecordFormat {
    /// Returns the format of a record with these contacts and bodies at rest.
    pub(super) fn of(contacts: &[ContactRecord], rest: &[RestRecord]) -> Self {
        match (contacts.is_empty(), rest.is_empty()) {
            (true, true) => Self::WithoutContacts,
            (false, true) => Self::WithContacts,
            (_, false) => Self::WithRest,
        }
    }
}

impl From<RecordFormat> for u32 {
    fn from(format: RecordFormat) -> Self {
        match format {
            RecordFormat::WithoutContacts => 1,
            RecordFormat::WithContacts => 2,
            RecordFormat::WithRest => StateRecord::FORMAT,
        }
    }
}

impl TryFrom<u32> for RecordFormat {
    type Error = String;

    fn try_from(format: u32) -> Result<Self, String> {
        Format::<{ StateRecord::FORMAT }>::try_from(format)?;
        Ok(match format {
            1 => Self::WithoutContacts,
            2 => Self::WithContacts,
            _ => Self::WithRest,
        })
    }
}

/// Record in a file format with field names.
#[derive(Serialize)]
struct Named<'a> {
    #[serde(flatten)]
    head: &'a RecordHead,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    contacts: &'a [ContactRecord],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    rest: &'a [RestRecord],
}

#[derive(Deserialize)]
struct OwnedNamed {
    #[serde(flatten)]
    head: RecordHead,
    #[serde(default)]
    contacts: Vec<ContactRecord>,
    #[serde(default)]
    rest: Vec<RestRecord>,
}

impl Serialize for StateRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, contacts, rest } = self;
        if serializer.is_human_readable() {
            return Named { head, contacts, rest }.serialize(serializer);
        }
        let format = u32::from(RecordFormat::of(contacts, rest));
        let mut parts = serializer.serialize_tuple(format as usize)?;
        parts.serialize_element(head)?;
        if format > 1 {
            parts.serialize_element(contacts)?;
        }
        if format > 2 {
            parts.serialize_element(rest)?;
        }
        parts.end()
    }
}

impl<'de> Deserialize<'de> for StateRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let OwnedNamed { head, contacts, rest } = OwnedNamed::deserialize(deserializer)?;
            let format = u32::from(head.format);
            let right = RecordFormat::of(&contacts, &rest);
            return match head.format == right {
                true => Ok(Self { head, contacts, rest }),
                false => Err(D::Error::custom(format_args!(
                    "the record of the state has format {format}, but {} detected contacts and {} bodies at rest; \
                     such a record has format {}",
                    contacts.len(),
                    rest.len(),
                    u32::from(right)
                ))),
            };
        }
        deserializer.deserialize_tuple(StateRecord::FORMAT as usize, Parts)
    }
}

/// Reads the head of a record and, if the format has them, the contacts and the bodies at rest.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = StateRecord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record of a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<StateRecord, A::Error> {
        let head: RecordHead = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let format = u32::from(head.format);
        let (mut contacts, mut rest) = (Vec::new(), Vec::new());
        if format > 1 {
            contacts = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        }
        if format > 2 {
            rest = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(2, &self))?;
        }
        Ok(StateRecord { head, contacts, rest })
    }
}
