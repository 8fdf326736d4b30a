//! Versions of the format of a state record, and its serialisation.
//!
//! Format 1 has no detected contacts. Format 2 ends with them. A record without contacts is written in format
//! 1, so its bytes do not depend on the version of the program.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::contacts::ContactRecord;
use super::format::Format;
use super::record::{RecordHead, StateRecord};

/// Version of the format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub(super) enum RecordFormat {
    WithoutContacts,
    WithContacts,
}

impl RecordFormat {
    /// Returns the format of a record with these contacts.
    pub(super) fn of(contacts: &[ContactRecord]) -> Self {
        if contacts.is_empty() { Self::WithoutContacts } else { Self::WithContacts }
    }
}

impl From<RecordFormat> for u32 {
    fn from(format: RecordFormat) -> Self {
        match format {
            RecordFormat::WithoutContacts => 1,
            RecordFormat::WithContacts => StateRecord::FORMAT,
        }
    }
}

impl TryFrom<u32> for RecordFormat {
    type Error = String;

    fn try_from(format: u32) -> Result<Self, String> {
        Format::<{ StateRecord::FORMAT }>::try_from(format)?;
        Ok(if format == 1 { Self::WithoutContacts } else { Self::WithContacts })
    }
}

/// Record in a file format with field names.
#[derive(Serialize)]
struct Named<'a> {
    #[serde(flatten)]
    head: &'a RecordHead,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    contacts: &'a [ContactRecord],
}

#[derive(Deserialize)]
struct OwnedNamed {
    #[serde(flatten)]
    head: RecordHead,
    #[serde(default)]
    contacts: Vec<ContactRecord>,
}

impl Serialize for StateRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, contacts } = self;
        if serializer.is_human_readable() {
            return Named { head, contacts }.serialize(serializer);
        }
        let has_contacts = !contacts.is_empty();
        let mut parts = serializer.serialize_tuple(1 + usize::from(has_contacts))?;
        parts.serialize_element(head)?;
        if has_contacts {
            parts.serialize_element(contacts)?;
        }
        parts.end()
    }
}

impl<'de> Deserialize<'de> for StateRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let OwnedNamed { head, contacts } = OwnedNamed::deserialize(deserializer)?;
            let format = u32::from(head.format);
            return match head.format == RecordFormat::of(&contacts) {
                true => Ok(Self { head, contacts }),
                false => Err(D::Error::custom(format_args!(
                    "the record of the state has format {format}, but {} detected contacts; only records with \
                     contacts have format 2",
                    contacts.len()
                ))),
            };
        }
        deserializer.deserialize_tuple(2, Parts)
    }
}

/// Reads the head of a record and, if the format has them, the contacts.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = StateRecord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record of a state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<StateRecord, A::Error> {
        let head: RecordHead = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let contacts = match head.format {
            RecordFormat::WithoutContacts => Vec::new(),
            RecordFormat::WithContacts => {
                parts.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?
            }
        };
        Ok(StateRecord { head, contacts })
    }
}
