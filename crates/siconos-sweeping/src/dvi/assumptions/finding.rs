//! Assumptions of the theory of differential variational inequalities, each with the finding of its check.

use std::fmt;

/// Result of the check of an assumption.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Proved, up to rounding.
    Proved {
        /// Proved constant or margin, if there is one; [`Assumption::number_is`] describes it.
        number: Option<f64>,
    },
    /// Refuted.
    Refuted {
        /// Values at which the assumption fails; [`Assumption::witness_is`] describes them.
        witness: Vec<f64>,
    },
    /// Not refuted by any sample. Samples do not prove an assumption.
    Sampled {
        /// Number of samples.
        samples: usize,
        /// Constant or margin estimated from the samples; [`Assumption::number_is`] describes it.
        number: f64,
    },
    /// Not checked.
    Unknown {
        /// Reason.
        why: &'static str,
    },
}

impl Finding {
    /// Returns `true` if the assumption is proved.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Proved { .. })
    }

    /// Returns `true` if the assumption is refuted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Refuted { .. })
    }
}

/// Assumption with its finding. The `Display` output is a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// Statement of the assumption.
    pub what: &'static str,
    /// Meaning of the `number` in the finding.
    pub number_is: &'static str,
    /// Meaning of the `witness` in the finding.
    pub witness_is: &'static str,
    /// Finding.
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
                    "not refuted by {samples} samples, {} {number:.1e}; this is not a proof.",
                    self.number_is
                )
            }
            Finding::Unknown { why } => write!(f, "unknown: {why}."),
        }
    }
}
