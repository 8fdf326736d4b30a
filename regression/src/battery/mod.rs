//! Batteries: thousands of random problems, solved by every method, with requirements that may only increase.
//!
//! | file | contents |
//! | --- | --- |
//! | `forms.rs` | forms of a problem, each with its own methods |
//! | `judge.rs` | one method on one problem, checked with an error that shares no code with the solvers |
//! | `tally.rs` | totals by method and family |
//! | `floors.rs` | required numbers of solved problems of each family: `battery.toml` |
//! | `text.rs`, `page.rs` | tables |
//!
//! A tenth of a battery runs with the scenarios, the complete battery with `--whole`. `--bless` runs the
//! complete battery and writes the requirements.

mod floors;
mod forms;
mod judge;
mod page;
mod tally;
mod text;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use siconos_testkit::contact::battery;

use self::floors::Floors;
use self::judge::Verdicts;
pub(crate) use self::page::push_battery;
use self::tally::Tally;
pub(crate) use self::text::table;
use crate::contact::effort;
use crate::workers::in_parallel;

/// Battery of problems.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Battery {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
}

const BATTERIES: [Battery; 1] = [Battery {
    name: "battery_contact",
    description: "Every method on random contact problems of 1 to 20 contacts, solvable or certified not to be.",
}];

/// Results of a battery.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) seconds: f64,
    /// Errors and violated requirements; a battery passes if there are none.
    pub(crate) offences: Vec<String>,
    pub(crate) tally: Tally,
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

/// Returns the batteries whose name contains `filter`, or all without a filter.
pub(crate) fn matching(filter: Option<&str>) -> Vec<Battery> {
    let is_asked = |battery: &Battery| filter.is_none_or(|part| battery.name.contains(part));
    BATTERIES.into_iter().filter(is_asked).collect()
}

/// Returns the battery with a name.
pub(crate) fn named(name: &str) -> Option<Battery> {
    BATTERIES.into_iter().find(|battery| battery.name == name)
}

/// File of the requirements in the folder of the program.
const FLOORS: &str = "battery.toml";

/// Runs a battery, or a tenth of it. `folder` contains the file of the requirements.
pub(crate) fn run(kind: Battery, is_whole: bool, folder: &Path) -> Outcome {
    let begin = Instant::now();
    let tally = tally(is_whole);
    let mut offences = tally.offences.clone();
    match Floors::read(&folder.join(FLOORS)) {
        Ok(floors) => offences.extend(floors.compare(&tally, is_whole)),
        Err(error) => offences.push(error),
    }
    let seconds = begin.elapsed().as_secs_f64();
    Outcome { name: kind.name, description: kind.description, seconds, offences, tally }
}

/// Runs the complete battery, stores its results as the new requirements, and returns the requirements that
/// decrease. Nothing is written if a rule is violated.
pub(crate) fn bless(folder: &Path, reason: &str) -> Result<String, String> {
    let (whole, tenth) = (tally(true), tally(false));
    if !whole.offences.is_empty() {
        return Err(whole.offences.join("\n"));
    }
    let path = folder.join(FLOORS);
    let falls = match Floors::read(&path) {
        Ok(old) => [old.compare(&whole, true), old.compare(&tenth, false)].concat(),
        Err(error) => vec![format!("there were no floors: {error}")],
    };
    Floors::of(&whole, &tenth, reason).write(&path)?;
    Ok(falls.into_iter().chain([format!("wrote {}", path.display())]).map(|line| line + "\n").collect())
}

/// Returns the totals of the complete battery, or of a tenth: every tenth problem of each family. Methods
/// with inner problems, which take half of the time of a tenth, solve every second of these problems only.
fn tally(is_whole: bool) -> Tally {
    let turn = |number: usize| number / battery::families().len();
    let is_drawn = |number: &usize| is_whole || turn(*number).is_multiple_of(10);
    let numbers: Vec<usize> = (0..battery::count()).filter(is_drawn).collect();
    let is_asked = |number, method: &str| {
        is_whole || !effort::has_inner_problems(method) || turn(number).is_multiple_of(20)
    };
    Tally::of(judged(&numbers, is_asked).iter())
}

/// Runs every asked method on every problem with these numbers, on all processors. The results are in order.
fn judged(numbers: &[usize], is_asked: impl Fn(usize, &str) -> bool + Sync) -> Vec<Verdicts> {
    in_parallel(numbers, |&number| judge::judge(battery::problem(number), |method| is_asked(number, method)))
}
