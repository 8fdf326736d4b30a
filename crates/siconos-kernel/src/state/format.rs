//! The number of the format of a record, which comes first in it.

use serde::{Deserialize, Serialize};

/// The number of a format, of which those up to `KNOWN` are read, and that one is written.
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
            0 => Err("this is no record of a state: formats count from 1, this has the number 0".to_owned()),
            _ if format > KNOWN => Err(format!(
                "the record of the state has format {format}, and this program reads formats up to {KNOWN}"
            )),
            _ => Ok(Self),
        }
    }
}
