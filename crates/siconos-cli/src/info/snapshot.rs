//! Summary of a snapshot.

use std::path::Path;

use serde_json::json;
use siconos_io::snapshot::Snapshot;

use crate::answer::{Answer, number};

pub(super) fn info(path: &Path) -> Result<Answer, String> {
    let found = Snapshot::read(path).map_err(|error| error.to_string())?;
    let snapshot = found.snapshot;
    let mut info = Answer::new("snapshot");
    info.remark = found.instead_of.map(|error| format!("{error}; showing the previous snapshot instead"));
    info.add("written by", &snapshot.program, &snapshot.program[..]);
    info.add("on", &snapshot.host, &snapshot.host[..]);
    info.add("model", &snapshot.model_name, &snapshot.model_name[..]);
    let set = |over: &siconos_io::document::Override| format!("{}={}", over.path, over.text);
    info.list("set", snapshot.overrides.iter().map(set).map(|set| (set.clone(), set.into())));
    info.add("of kind", snapshot.state.kind(), snapshot.state.kind());
    info.add("t", format!("{:?}", snapshot.state.t()), number(snapshot.state.t()));
    info.add("rows", snapshot.recorded.rows, snapshot.recorded.rows);
    let sums: Vec<_> = snapshot.recorded.sums.iter().map(|sum| number(*sum)).collect();
    info.add("sums", sums.len(), sums);
    info.add_unconverged(snapshot.recorded.unconverged);
    let output = snapshot.output.clone().unwrap_or_else(|| "none".to_owned());
    info.add("output", output, json!(snapshot.output));
    let bytes = snapshot.model.len();
    info.add("model text", format!("{bytes} bytes"), snapshot.model);
    Ok(info)
}
