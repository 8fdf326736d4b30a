//! Contents of a snapshot.

use serde::{Deserialize, Serialize};
use siconos_control::ControlRecord;
use siconos_hybrid::HybridRecord;
use siconos_kernel::ModelError;
use siconos_kernel::state::StateRecord;
use siconos_ode::IntegratorState;
use siconos_sweeping::AdaptiveProgress;

use super::SnapshotError;
use crate::document::{Override, first_difference};

/// Snapshot of a run: the model, the state and the progress of the outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Name and version of the program that wrote the snapshot.
    pub program: String,
    /// Name of the machine.
    pub host: String,
    /// Name of the model file, for messages.
    pub model_name: String,
    /// Text of the model file.
    pub model: String,
    /// Overrides of values in the model file.
    pub overrides: Vec<Override>,
    /// State of the run.
    pub state: RunState,
    /// Progress of the outputs.
    pub recorded: Recorded,
    /// Absolute path of the file to which rows were written.
    pub output: Option<String>,
}

/// State from which a run resumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunState {
    /// State of systems and interactions.
    Model {
        /// The state.
        state: StateRecord,
        /// Data that the integrator of an event-driven simulation preserves in a restart.
        carried: Option<IntegratorState>,
    },
    /// State of equations with events.
    Hybrid(HybridRecord),
    /// State of a sweeping process or a differential variational inequality.
    Inclusion(InclusionRecord),
}

impl RunState {
    /// Returns the time of the state \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        match self {
            Self::Model { state, .. } => state.t(),
            Self::Hybrid(record) => record.t(),
            Self::Inclusion(record) => record.t(),
        }
    }

    /// Returns the word for the kind in files.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Hybrid(_) => "hybrid",
            Self::Inclusion(record) => record.kind().word(),
        }
    }
}

/// Progress of a run in addition to its state: outputs and records of devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// `true` if the row at the start has been produced.
    pub is_begun: bool,
    /// Number of rows computed so far, including rows that are not passed to the consumer.
    pub candidates: u64,
    /// Number of rows passed to the consumer.
    pub rows: u64,
    /// Sums over all instants so far, one entry for each column.
    pub sums: Vec<f64>,
    /// Time of the last instant \[s\]; NaN before the first one.
    pub t: f64,
    /// Record of sensors and controllers; `None` without devices and before the first sample.
    pub control: Option<ControlRecord>,
    /// Files of arrays that the model was read from.
    pub data: Vec<DataFile>,
    /// Steps that did not converge.
    pub unconverged: Unconverged,
}

impl Default for Recorded {
    /// Progress before the start.
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
    /// Returns an error unless the number of rows is consistent with one row for every `every` candidates.
    pub(crate) fn check_rows(&self, every: u64) -> Result<(), ModelError> {
        let (recorded, found) = (self.rows, self.candidates.div_ceil(every));
        if recorded == found {
            return Ok(());
        }
        let (recorded, found) = (recorded as usize, found as usize);
        Err(ModelError::RecordCountMismatch { what: "rows", recorded, found })
    }
}

/// Data file from which a model was read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DataFile {
    /// Path relative to the folder of the model, as named in the model.
    pub path: String,
    /// CRC-32 checksum of the bytes.
    pub check: u32,
}

/// Steps whose error exceeded the tolerance, in a run that continues after such steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unconverged {
    /// Number of steps.
    pub steps: u64,
    /// Time at the end of the first such step \[s\].
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
    /// Input, which is the initial guess of the next step.
    pub(crate) u: Vec<f64>,
    /// Progress of steps of variable length.
    pub(crate) progress: Option<AdaptiveProgress>,
}

impl InclusionRecord {
    /// Returns the time of the record \[s\].
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
    /// Checks that a model and its overrides are the same as in this snapshot. Only the titles can differ.
    ///
    /// # Errors
    ///
    /// If the models differ ([`SnapshotError::OtherModel`], with the first difference in the order of
    /// the file).
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
