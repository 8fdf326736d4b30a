//! JSON report.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::compare::{Comparison, Offence};
use crate::manifest::Reference;
use crate::run::{Failure, NO_FOLDER, Outcome, Record};
use crate::stamp::Stamp;
use crate::table::describe;
use crate::{Counts, Report, battery, complementarity};

/// Complete report. Differences that are not finite are `null`.
#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    stamp: &'a Stamp,
    /// Filter by name; `null` if everything was run.
    filter: Option<&'a str>,
    passed: usize,
    failed: usize,
    skipped: usize,
    scenarios: Vec<Entry<'a>>,
    /// Surveys of all methods on the problems of the complementarity and contact classes.
    complementarity: &'a [complementarity::Outcome],
    /// Batteries.
    batteries: &'a [battery::Outcome],
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    description: &'a str,
    result: &'a str,
    reference: String,
    provenance: &'a str,
    outcome: Word,
    /// Reason for a failure or a skip.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_offence: Option<&'a Offence>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a Comparison>,
}

#[derive(Serialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Word {
    Passed,
    Failed,
    Skipped,
}

/// Writes the report to `path`.
pub(crate) fn write(path: &Path, report: &Report) -> io::Result<()> {
    let scenarios: Vec<Entry<'_>> = report.records.iter().map(entry).collect();
    let Counts { passed, failed, skipped } = report.counts();
    let Report { stamp, surveys: complementarity, batteries, .. } = report;
    let filter = report.filter.as_deref();
    let report = Page { stamp, filter, passed, failed, skipped, scenarios, complementarity, batteries };
    let mut file = BufWriter::new(File::create(path)?);
    serde_json::to_writer_pretty(&mut file, &report)?;
    file.write_all(b"\n")?;
    file.flush()
}

fn entry(record: &Record) -> Entry<'_> {
    let scenario = &record.scenario;
    let (outcome, because, first_offence) = match &record.outcome {
        Outcome::Passed => (Word::Passed, None, None),
        Outcome::Skipped => (Word::Skipped, Some(NO_FOLDER.to_owned()), None),
        Outcome::Failed(Failure::Off(offence)) => {
            (Word::Failed, Some("a difference exceeds its tolerance".to_owned()), Some(&**offence))
        }
        Outcome::Failed(failure) => (Word::Failed, Some(describe(failure)), None),
    };
    Entry {
        name: &scenario.name,
        description: &scenario.description,
        result: &scenario.result,
        reference: name_of(&scenario.reference),
        provenance: &scenario.provenance,
        outcome,
        because,
        first_offence,
        seconds: record.run_time.as_secs_f64(),
        comparison: record.comparison.as_ref().map(|compared| &compared.comparison),
    }
}

/// Returns the reference as written in the manifest.
pub(crate) fn name_of(reference: &Reference) -> String {
    match reference {
        Reference::Own { file, .. } => file.display().to_string(),
        Reference::External { file } => format!("{} (external)", file.display()),
    }
}
