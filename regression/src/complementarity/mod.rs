//! Survey of all methods of the complementarity classes, and with `../contact/` of the contact classes, over
//! the reference files and random problems: a table of results, and rules that no result may violate.
//!
//! | file | contents |
//! | --- | --- |
//! | `survey.rs` | table of problems and methods, and the rules |
//! | `surveyed.rs` | interface between a problem and all methods of its class |
//! | `lcp.rs`, `mlcp.rs`, `relay.rs` | problems and methods of one class |
//! | `files.rs` | reference files |
//! | `text.rs`, `page.rs` | tables on a terminal and in the report |

pub(crate) mod files;
mod lcp;
mod mlcp;
mod page;
mod relay;
pub(crate) mod survey;
pub(crate) mod surveyed;
mod text;

use std::any::Any;
use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::contact;

pub(crate) use self::page::push_survey;
pub(crate) use self::survey::Survey;
pub(crate) use self::text::table;

/// Class of problems: the unit that the runner lists, filters and runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) survey: fn(Option<&Path>) -> Survey,
}

const CLASSES: [Class; 3] = [
    Class {
        name: "complementarity_lcp",
        description: "Every LCP method on the reference files and on drawn problems of known class.",
        survey: lcp::run,
    },
    Class {
        name: "complementarity_mlcp",
        description: "Every MLCP method on the reference files and on drawn problems with a planted solution.",
        survey: mlcp::run,
    },
    Class {
        name: "complementarity_relay",
        description: "Every relay method on the reference files and on drawn problems with a planted solution.",
        survey: relay::run,
    },
];

/// Results of a class.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) seconds: f64,
    /// Violated rules and errors; a class passes if there are none.
    pub(crate) offences: Vec<String>,
    pub(crate) survey: Option<Survey>,
}

impl Outcome {
    pub(crate) fn has_failed(&self) -> bool {
        !self.offences.is_empty()
    }

    /// Returns the outcome as one word.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.has_failed() { "FAILED" } else { "passed" }
    }

    pub(crate) fn run_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// Returns the classes whose name contains `filter`.
pub(crate) fn matching(filter: Option<&str>) -> Vec<Class> {
    contact::CLASSES
        .into_iter()
        .chain(CLASSES)
        .filter(|class| filter.is_none_or(|part| class.name.contains(part)))
        .collect()
}

/// Runs every method of a class on every problem. `references` is the folder of external references; without
/// it only random problems are solved.
pub(crate) fn run(class: Class, references: Option<&Path>) -> Outcome {
    let begin = Instant::now();
    let (survey, offences) = match catch_unwind(|| (class.survey)(references)) {
        Ok(survey) => {
            let offences = survey.offences();
            (Some(survey), offences)
        }
        Err(payload) => (None, vec![format!("a solver panicked: {}", message_of(payload.as_ref()))]),
    };
    let seconds = begin.elapsed().as_secs_f64();
    Outcome { name: class.name, description: class.description, seconds, offences, survey }
}

/// Returns the message of a panic.
pub(crate) fn message_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
