//! Report of a comparison, as a table and as JSON. Other programs rely on the keys of the JSON form.

use std::io::{self, Write};

use serde::Serialize;

use super::measured::{File, Outcome, Run};
use super::profile::Profile;
use crate::columns;

/// Results of a comparison.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) tolerance: f64,
    pub(crate) repeat: usize,
    pub(crate) time_limit: Option<f64>,
    pub(crate) files: Vec<File>,
    pub(crate) runs: Vec<Run>,
    pub(crate) profile: Vec<Profile>,
}

impl Report {
    pub(super) fn to_json(&self) -> String {
        // Serialisation fails only for a map with keys that are not strings, and the report has no such map.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        text + "\n"
    }
}

const TITLES: [&str; 9] =
    ["file", "class", "n", "method", "seconds", "error", "Siconos's", "iterations", "status"];

/// `true` for each column of numbers, which is right-aligned.
const TO_THE_RIGHT: [bool; 9] = [false, false, true, false, true, true, true, true, false];

pub(crate) fn write_table(writer: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut lines = vec![TITLES.map(str::to_owned)];
    lines.extend(report.runs.iter().map(|run| cells(run, &report.files[run.file])));
    columns::write(writer, &lines, TO_THE_RIGHT)?;
    writeln!(writer)?;
    let files = report.files.len();
    for profile in &report.profile {
        let solved = profile.ratios.len();
        let fastest = profile.ratios.iter().filter(|ratio| **ratio <= 1.0).count();
        let Profile { method, tried, .. } = profile;
        writeln!(writer, "{method}: solved {solved} of {files}, fastest on {fastest}, tried on {tried}")?;
    }
    Ok(())
}

fn cells(run: &Run, file: &File) -> [String; TITLES.len()] {
    let none = || "-".to_owned();
    let shown = |error: &Option<f64>| error.map_or_else(none, |error| format!("{error:.1e}"));
    let (seconds, error, of_siconos, iterations, status) = match &run.outcome {
        Outcome::Measured { status, solved, iterations, error, siconos_error, seconds } => {
            // A method that cannot reduce the error further can report success although the error is above
            // the tolerance.
            let mark = if status.is_success() && !solved { ", NOT within the tolerance" } else { "" };
            (
                format!("{seconds:.3e}"),
                shown(error),
                shown(siconos_error),
                iterations.to_string(),
                format!("{status}{mark}"),
            )
        }
        Outcome::TimeLimit => (none(), none(), none(), none(), "time limit".to_owned()),
        Outcome::Skipped { note } => (none(), none(), none(), none(), format!("skipped: {note}")),
    };
    let (class, n) = (file.class.name().to_owned(), file.n.to_string());
    [file.name.clone(), class, n, run.method.to_owned(), seconds, error, of_siconos, iterations, status]
}
