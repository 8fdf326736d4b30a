//! Numbers in formats such as JSON that have no literals for non-finite numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json_lines::Number;

/// Writes numbers. In human-readable formats, non-finite numbers are the strings `"nan"`, `"inf"`, `"-inf"`.
pub(super) fn serialize<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        serializer.collect_seq(numbers.iter().map(|number| Spelt(*number)))
    } else {
        numbers.serialize(serializer)
    }
}

/// Reads the output of [`serialize`], and `null` as NaN.
pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    if deserializer.is_human_readable() {
        let numbers = Vec::<Number>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|Number(number)| number).collect())
    } else {
        Vec::deserialize(deserializer)
    }
}

/// Number that is written as a string if it is not finite.
pub(super) struct Spelt(pub(super) f64);

impl Serialize for Spelt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            number if number.is_finite() => serializer.serialize_f64(number),
            number if number.is_nan() => serializer.serialize_str("nan"),
            number if number > 0.0 => serializer.serialize_str("inf"),
            _ => serializer.serialize_str("-inf"),
        }
    }
}
