//! Version of the format of a record, stored as its first entry.

use serde::{Deserialize, Serialize};

/// Version of a format. Versions up to `KNOWN` can be read, and version `KNOWN` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Format<const KNOWN: u32>;

impl<const KNOWN: u32> From<Format<KNOWN>> for u32 {
    fn from(Format: Format<KNOWN>) -> Self {
        KNOWN
    }
}

impl<const KNOWN: u32> TryFrom<u32> for Format<KNOWN> {
    type Error = String;

    fn try_from(format: u32) -> Result<Self, String> {
        match format {
            0 => Err("this is not a state record: format numbers start at 1, found 0".to_owned()),
            _ if format > KNOWN => Err(format!(
                "the record of the state has format {format}, but this program reads formats up to {KNOWN}"
            )),
            _ => Ok(Self),
        }
    }
}
