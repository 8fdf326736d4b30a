//! Run of the manifest: runs each simulation once, finds its references, and compares.

use std::any::Any;
use std::collections::BTreeMap;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use siconos_io::trajectory::{Table, TableError};

use crate::compare::{Comparison, Incomparable, Offence, compare};
use crate::manifest::{Reference, Scenario};
use crate::reference::{Folders, Found};
use crate::scenarios::Scenarios;

/// Runner of simulations, which stores their results because several scenarios may share one.
pub(crate) struct Runner {
    scenarios: Scenarios,
    pub(crate) folders: Folders,
    results: BTreeMap<String, (SharedResult, Duration)>,
}

type SharedResult = Result<Arc<Table>, RunError>;

/// Reason why a simulation has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum RunError {
    #[error("the simulation failed")]
    Failed(#[source] Arc<dyn Error + Send + Sync>),
    #[error("the simulation panicked: {message}")]
    Panicked { message: String },
    #[error("the examples have no scenario {name:?}, although they list it")]
    Unknown { name: String },
}

/// Reason why a scenario failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{}: there is no such reference", path.display())]
    NoReference { path: PathBuf },
    #[error("the reference cannot be read")]
    Unreadable(#[source] TableError),
    #[error("the tables cannot be compared: {0}")]
    Incomparable(#[from] Incomparable),
    #[error("row {}, column {:?}: off by {:e}, allowed {:e}", .0.row, .0.column, .0.difference, .0.allowed)]
    Off(Box<Offence>),
}

/// Outcome of a scenario.
#[derive(Debug)]
pub(crate) enum Outcome {
    Passed,
    Failed(Failure),
    /// The reference does not exist on this machine.
    Skipped,
}

/// Reason for skipping a scenario.
pub(crate) const NO_FOLDER: &str = "no external reference folder";

/// Results of a scenario.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) scenario: Scenario,
    pub(crate) outcome: Outcome,
    /// `None` if a table is missing or the tables cannot be compared.
    pub(crate) comparison: Option<Compared>,
    /// Time of the simulation; scenarios with a common result have the same time.
    pub(crate) run_time: Duration,
}

/// Two tables of the same shape and their comparison.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) comparison: Comparison,
    pub(crate) result: Table,
    pub(crate) reference: Table,
}

impl Record {
    pub(crate) fn has_passed(&self) -> bool {
        matches!(self.outcome, Outcome::Passed)
    }

    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// Returns the outcome in a word or two.
    pub(crate) fn verdict(&self) -> String {
        match self.outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::Failed(_) => "FAILED".to_owned(),
            Outcome::Skipped => format!("skipped ({NO_FOLDER})"),
        }
    }
}

impl Runner {
    pub(crate) fn new(scenarios: Scenarios, folders: Folders) -> Self {
        Self { scenarios, folders, results: BTreeMap::new() }
    }

    /// Runs the simulation of a scenario, unless its result is stored, and compares.
    pub(crate) fn run(&mut self, scenario: &Scenario) -> Record {
        let mut record = Record {
            scenario: scenario.clone(),
            outcome: Outcome::Skipped,
            comparison: None,
            run_time: Duration::ZERO,
        };
        // The reference comes first: without its folder the simulation is not needed.
        let reference = match self.folders.read(&scenario.reference) {
            Found::NoFolder => return record,
            Found::Table(table) => Ok(table),
            Found::Missing(path) => Err(Failure::NoReference { path }),
            Found::Unreadable(error) => Err(Failure::Unreadable(error)),
        };
        let (result, run_time) = self.result(&scenario.result);
        record.run_time = run_time;
        let compared = reference.and_then(|reference| {
            let result = thinned(&*result?, &scenario.reference);
            let comparison = compare(&result, &reference, &scenario.columns, scenario.rows.clone())?;
            Ok(Compared { comparison, result, reference })
        });
        match compared {
            Ok(compared) => {
                record.outcome = match &compared.comparison.first_offence {
                    Some(offence) => Outcome::Failed(Failure::Off(Box::new(offence.clone()))),
                    None => Outcome::Passed,
                };
                record.comparison = Some(compared);
            }
            Err(failure) => record.outcome = Outcome::Failed(failure),
        }
        record
    }

    /// Returns the result of a simulation and its time.
    pub(crate) fn result(&mut self, name: &str) -> (SharedResult, Duration) {
        if let Some(known) = self.results.get(name) {
            return known.clone();
        }
        let begin = Instant::now();
        // A panic in one simulation must not stop the others.
        let result = match catch_unwind(AssertUnwindSafe(|| (self.scenarios.run)(name))) {
            Ok(Some(Ok(table))) => Ok(Arc::new(table)),
            Ok(Some(Err(error))) => Err(RunError::Failed(error.into())),
            Ok(None) => Err(RunError::Unknown { name: name.to_owned() }),
            Err(payload) => Err(RunError::Panicked { message: message_of(payload.as_ref()) }),
        };
        let entry = (result, begin.elapsed());
        self.results.insert(name.to_owned(), entry.clone());
        entry
    }
}

/// Returns the rows of a result that are stored in its reference.
pub(crate) fn thinned(result: &Table, reference: &Reference) -> Table {
    match reference {
        Reference::Own { stride, .. } => result.thinned(*stride),
        Reference::External { .. } => result.clone(),
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
