//! What a snapshot holds.

use serde::{Deserialize, Serialize};
use siconos_control::ControlRecord;
use siconos_hybrid::HybridRecord;
use siconos_kernel::ModelError;
use siconos_kernel::state::StateRecord;
use siconos_ode::Carried;
use siconos_sweeping::SweepProgress;

use super::SnapshotError;
use crate::document::{Override, first_difference};

/// A run at one point of its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Which program made it, with its version.
    pub program: String,
    /// On which machine.
    pub host: String,
    /// The name of the model file, for messages.
    pub model_name: String,
    /// The text of the model file.
    pub model: String,
    /// What was set in it.
    pub overrides: Vec<Override>,
    /// The state.
    pub state: RunState,
    /// How far the outputs have come.
    pub recorded: Recorded,
    /// The file that rows were written to, by its whole path.
    pub output: Option<String>,
}

/// The state that a run goes on from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunState {
    /// Of systems and interactions.
    Model {
        /// The state.
        state: StateRecord,
        /// Of an event-driven simulation, what its integrator carries over the restart there.
        carried: Option<Carried>,
    },
    /// Of equations with events.
    Hybrid(HybridRecord),
    /// Of a process that a set keeps within bounds.
    Inclusion(InclusionRecord),
}

impl RunState {
    /// The time \[s\] of the state.
    #[must_use]
    pub fn t(&self) -> f64 {
        match self {
            Self::Model { state, .. } => state.t(),
            Self::Hybrid(record) => record.t(),
            Self::Inclusion(record) => record.t(),
        }
    }

    /// The word that files of its kind say.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Hybrid(_) => "hybrid",
            Self::Inclusion(record) => record.kind().word(),
        }
    }
}

/// How far a run has come beside its state: its outputs, and what its devices keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Whether the row of the start has been made.
    pub is_begun: bool,
    /// Rows so far, those included that are not kept.
    pub candidates: u64,
    /// Rows that were handed on.
    pub rows: u64,
    /// The sums over all instants so far, a number for each column.
    pub sums: Vec<f64>,
    /// The time of the last instant \[s\]; NaN before the first one.
    pub t: f64,
    /// What sensors and controllers keep; nothing where there are none, and before the first sample.
    pub control: Option<ControlRecord>,
    /// The files of arrays that the model was read from.
    pub data: Vec<DataFile>,
    /// The steps that did not converge.
    pub unconverged: Unconverged,
}

impl Default for Recorded {
    /// Before the start.
    fn default() -> Self {
        Self {
            is_begun: false,
            candidates: 0,
            rows: 0,
            sums: Vec::new(),
            t: f64::NAN,
            control: None,
            data: Vec::new(),
            unconverged: Unconverged::default(),
        }
    }
}

impl Recorded {
    /// Returns an error unless the number of rows is that of one row in `every` candidates.
    pub(crate) fn check_rows(&self, every: u64) -> Result<(), ModelError> {
        let (recorded, found) = (self.rows, self.candidates.div_ceil(every));
        if recorded == found {
            return Ok(());
        }
        let (recorded, found) = (recorded as usize, found as usize);
        Err(ModelError::OtherCount { what: "rows", recorded, found })
    }
}

/// A file that a model has read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DataFile {
    /// Its path below the folder of the model, as the model names it.
    pub path: String,
    /// The checksum of its bytes, CRC-32.
    pub check: u32,
}

/// Steps that ended above their tolerances in a run that continues after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unconverged {
    /// Number of steps.
    pub steps: u64,
    /// Time at the end of the first one \[s\].
    pub first: Option<f64>,
}

/// Kind of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum InclusionKind {
    /// A sweeping process.
    Sweeping,
    /// A differential variational inequality.
    Dvi,
}

impl InclusionKind {
    /// Returns the word for the kind in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sweeping => "sweeping",
            Self::Dvi => "dvi",
        }
    }
}

/// State from which a process resumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InclusionRecord {
    pub(crate) kind: InclusionKind,
    pub(crate) variables: Vec<String>,
    pub(crate) t: f64,
    pub(crate) step: usize,
    pub(crate) x: Vec<f64>,
    /// Input, from which the search of the next step starts.
    pub(crate) u: Vec<f64>,
    /// Progress of steps of variable length.
    pub(crate) progress: Option<SweepProgress>,
}

impl InclusionRecord {
    /// The time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Kind of the process.
    #[must_use]
    pub fn kind(&self) -> InclusionKind {
        self.kind
    }
}

impl Snapshot {
    /// Sees to it that a run of a model with values set in it is the one that this was made of.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::OtherModel`] with the first difference in the order of the file. The title may be
    /// another.
    pub fn check_model(
        &self,
        (text, name): (&str, &str),
        overrides: &[Override],
    ) -> Result<(), SnapshotError> {
        let kept = ((self.model.as_str(), self.model_name.as_str()), &self.overrides[..]);
        match first_difference(((text, name), overrides), kept) {
            None => Ok(()),
            Some((place, given, kept)) => Err(SnapshotError::OtherModel { place, given, kept }),
        }
    }
}
