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
    /// Name of the machine on which the snapshot was written.
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
    /// Absolute path of the file to which the run writes its output rows.
    pub output: Option<String>,
}

/// State from which a run resumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunState {
    /// State of systems and interactions.
    Model {
        /// The state.
        state: StateRecord,
        /// Output of a run so far, the records of its devices, and its steps that did not converge.
        carried: Option<IntegratorState>,
    },
    /// State of a hybrid system.
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

    /// Returns the kind of the model: `model`, `hybrid`, `sweeping` or `dvi`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Hybrid(_) => "hybrid",
            Self::Inclusion(record) => record.kind().word(),
        }
    }
}

/// Outputs of a run so far, records of its devices, and its steps that did not converge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// `true` if the output row at the initial time has been computed.
    pub is_begun: bool,
    /// Number of output rows computed so far, including the rows that are skipped because only every N-th row
    /// is output.
    pub candidates: u64,
    /// Number of rows that have been output.
    pub rows: u64,
    /// Sum of each output column over all instants so far. The instants are the initial time and each step or
    /// event.
    pub sums: Vec<f64>,
    /// Time of the last instant \[s\]; NaN before the initial time.
    pub t: f64,
    /// Record of sensors and controllers; `None` without devices, or before the first sample.
    pub control: Option<ControlRecord>,
    /// Files from which the model reads arrays.
    pub data: Vec<DataFile>,
    /// Steps that did not converge.
    pub unconverged: Unconverged,
}

impl Default for Recorded {
    /// Returns the progress of a run that has not started.
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
    /// Returns an error if the number of rows differs from `candidates / every`, rounded up.
    pub(crate) fn check_rows(&self, every: u64) -> Result<(), ModelError> {
        let (recorded, found) = (self.rows, self.candidates.div_ceil(every));
        if recorded == found {
            return Ok(());
        }
        let (recorded, found) = (recorded as usize, found as usize);
        Err(ModelError::RecordCountMismatch { what: "rows", recorded, found })
    }
}

/// File from which a model reads an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DataFile {
    /// Path relative to the folder of the model, as named in the model.
    pub path: String,
    /// CRC-32 checksum of the contents of the file.
    pub check: u32,
}

/// Steps whose error exceeded the tolerance, in a run that continues after such steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unconverged {
    /// Number of steps that did not converge.
    pub steps: u64,
    /// Time at the end of the first step that did not converge \[s\].
    pub first: Option<f64>,
}

/// Kind of a model: a sweeping process or a differential variational inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum InclusionKind {
    /// A sweeping process.
    Sweeping,
    /// A differential variational inequality.
    Dvi,
}

impl InclusionKind {
    /// Returns the name of this kind in model files.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sweeping => "sweeping",
            Self::Dvi => "dvi",
        }
    }
}

/// State from which a sweeping process or a differential variational inequality resumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InclusionRecord {
    pub(crate) kind: InclusionKind,
    pub(crate) variables: Vec<String>,
    pub(crate) t: f64,
    pub(crate) step: usize,
    pub(crate) x: Vec<f64>,
    /// Input u at the end of the last step, used as the initial guess of the next step.
    pub(crate) u: Vec<f64>,
    /// State of the step length controller.
    pub(crate) progress: Option<AdaptiveProgress>,
}

impl InclusionRecord {
    /// Returns the time of the record \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Returns the kind of the model.
    #[must_use]
    pub fn kind(&self) -> InclusionKind {
        self.kind
    }
}

impl Snapshot {
    /// Checks that a model and its overrides are the same as in this snapshot. The titles may differ.
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
