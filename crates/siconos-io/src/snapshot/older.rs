//! Snapshots as older formats have them: what they do not have is as before the first step.

use serde::Deserialize;
use siconos_control::ControlRecord;
use siconos_kernel::state::StateRecord;

use super::{Recorded, RunState, Snapshot};
use crate::document::Override;
use crate::model::DataFile;

/// A snapshot of the first format, of systems and interactions alone.
pub(super) type First = Older<StateAlone, Outputs>;

/// A snapshot of the second and the third format, without the steps that did not converge.
pub(super) type Third = Older<RunState, Beside>;

/// A snapshot whose state and records have older forms.
#[derive(Deserialize)]
pub(super) struct Older<S, R> {
    program: String,
    host: String,
    model_name: String,
    model: String,
    overrides: Vec<Override>,
    state: S,
    recorded: R,
    output: Option<String>,
}

/// The state of systems and interactions, without what an integrator carries over a restart.
#[derive(Deserialize)]
pub(super) struct StateAlone(StateRecord);

/// How far outputs had come, in the first format.
#[derive(Deserialize)]
pub(super) struct Outputs {
    is_begun: bool,
    candidates: u64,
    rows: u64,
    sums: Vec<f64>,
    t: f64,
}

/// How far a run had come beside its state, up to the third format.
#[derive(Deserialize)]
pub(super) struct Beside {
    outputs: Outputs,
    control: Option<ControlRecord>,
    data: Vec<DataFile>,
}

impl<S: Into<RunState>, R: Into<Recorded>> From<Older<S, R>> for Snapshot {
    fn from(older: Older<S, R>) -> Self {
        let Older { program, host, model_name, model, overrides, state, recorded, output } = older;
        let (state, recorded) = (state.into(), recorded.into());
        Self { program, host, model_name, model, overrides, state, recorded, output }
    }
}

impl From<StateAlone> for RunState {
    fn from(StateAlone(state): StateAlone) -> Self {
        Self::Model { state, carried: None }
    }
}

impl From<Outputs> for Recorded {
    fn from(Outputs { is_begun, candidates, rows, sums, t }: Outputs) -> Self {
        Self { is_begun, candidates, rows, sums, t, ..Self::default() }
    }
}

impl From<Beside> for Recorded {
    fn from(Beside { outputs, control, data }: Beside) -> Self {
        Self { control, data, ..outputs.into() }
    }
}
