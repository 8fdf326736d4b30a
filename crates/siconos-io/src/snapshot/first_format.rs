//! Snapshots of the first format: of models without devices and without files of arrays.

use serde::Deserialize;
use siconos_kernel::state::StateRecord;

use super::{Recorded, Snapshot};
use crate::document::Override;

/// What such a snapshot holds.
#[derive(Debug, Deserialize)]
pub(super) struct FirstFormat {
    program: String,
    host: String,
    model_name: String,
    model: String,
    overrides: Vec<Override>,
    state: StateRecord,
    recorded: Outputs,
    output: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Outputs {
    is_begun: bool,
    candidates: u64,
    rows: u64,
    sums: Vec<f64>,
    t: f64,
}

impl From<FirstFormat> for Snapshot {
    fn from(first: FirstFormat) -> Self {
        let Outputs { is_begun, candidates, rows, sums, t } = first.recorded;
        Self {
            program: first.program,
            host: first.host,
            model_name: first.model_name,
            model: first.model,
            overrides: first.overrides,
            state: first.state,
            recorded: Recorded { is_begun, candidates, rows, sums, t, ..Recorded::default() },
            output: first.output,
        }
    }
}
