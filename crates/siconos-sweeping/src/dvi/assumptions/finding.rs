//! An assumption and what was found of it.

use std::fmt;

/// What was found of an assumption.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Proved, to rounding.
    Proved {
        /// The constant or margin, where there is one.
        number: Option<f64>,
    },
    /// Refuted.
    Refuted {
        /// Where it fails; the assumption says what these numbers are.
        witness: Vec<f64>,
    },
    /// Not refuted by samples, which prove nothing.
    Sampled {
        /// How many there were.
        samples: usize,
        /// The constant or margin that they show.
        number: f64,
    },
    /// Not looked at.
    Unknown {
        /// Why.
        why: &'static str,
    },
}

impl Finding {
    /// Whether it is proved.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Proved { .. })
    }

    /// Whether it is refuted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Refuted { .. })
    }
}

/// One assumption; its display is a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// What is assumed.
    pub what: &'static str,
    /// What its number is.
    pub number_is: &'static str,
    /// What its witness is.
    pub witness_is: &'static str,
    /// What was found.
    pub finding: Finding,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.what)?;
        match &self.finding {
            Finding::Proved { number: Some(number) } => write!(f, "proved, {} {number:.1e}.", self.number_is),
            Finding::Proved { number: None } => write!(f, "proved."),
            Finding::Refuted { witness } => write!(f, "refuted by {} {witness:?}.", self.witness_is),
            Finding::Sampled { samples, number } => {
                write!(
                    f,
                    "not refuted by {samples} samples, {} {number:.1e}; this is no proof.",
                    self.number_is
                )
            }
            Finding::Unknown { why } => write!(f, "not known, {why}."),
        }
    }
}
