//! Friction coefficients in JSON. An infinite coefficient is written as `"inf"`.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Friction coefficient: a number or `"inf"`.
#[derive(Clone, Copy)]
pub(super) struct Coefficient(pub(super) f64);

/// Serialises a list of coefficients, for `#[serde(with = ..)]` and `#[serde(serialize_with = ..)]`.
pub(super) fn serialize<S: Serializer>(
    numbers: &impl AsRef<[f64]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.as_ref().iter().copied().map(Coefficient))
}

/// Deserialises a list of coefficients, for `#[serde(with = ..)]` and `#[serde(deserialize_with = ..)]`.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let coefficients = Vec::<Coefficient>::deserialize(deserializer)?;
    Ok(coefficients.into_iter().map(|Coefficient(number)| number).collect())
}

impl Serialize for Coefficient {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == f64::INFINITY {
            serializer.serialize_str("inf")
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Coefficient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrInfinity).map(Self)
    }
}

struct NumberOrInfinity;

impl Visitor<'_> for NumberOrInfinity {
    type Value = f64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number or \"inf\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<f64, E> {
        if word == "inf" { Ok(f64::INFINITY) } else { Err(E::invalid_value(Unexpected::Str(word), &self)) }
    }
}
