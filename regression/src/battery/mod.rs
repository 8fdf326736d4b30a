//! Standing batteries: thousands of random problems, every method, and bars that may only rise.
//!
//! | file | idea |
//! | --- | --- |
//! | `judge.rs` | one method on one problem, judged by a measure that shares no code with the solvers |
//! | `tally.rs` | what became of all: by family for the default method, by method |
//! | `floors.rs` | how much the default method has to solve of each family: `battery.toml` |
//! | `text.rs`, `page.rs` | the tables |
//!
//! `--filter battery` runs a tenth, with `--whole` all of it.

mod floors;
mod judge;
mod page;
mod tally;
mod text;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use siconos_testkit::contact::battery;

use self::floors::Floors;
use self::judge::Verdicts;
pub(crate) use self::page::push_battery;
use self::tally::Tally;
pub(crate) use self::text::table;

/// One battery.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Battery {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
}

const BATTERIES: [Battery; 1] = [Battery {
    name: "battery_contact",
    description: "Every method on random contact problems of 1 to 20 contacts, solvable or certified not to be.",
}];

/// A battery after its run.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) seconds: f64,
    /// What is wrong; a battery passes when nothing is.
    pub(crate) offences: Vec<String>,
    pub(crate) tally: Tally,
}

impl Outcome {
    pub(crate) fn has_failed(&self) -> bool {
        !self.offences.is_empty()
    }

    /// The outcome in a word.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.has_failed() { "FAILED" } else { "passed" }
    }

    pub(crate) fn run_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// The batteries whose name begins with `filter`. They have to be asked for: while solvers still break their rules, a run of
/// everything does without them.
pub(crate) fn matching(filter: Option<&str>) -> Vec<Battery> {
    let is_asked = |battery: &Battery| filter.is_some_and(|part| battery.name.starts_with(part));
    BATTERIES.into_iter().filter(is_asked).collect()
}

/// Runs a battery, or a tenth of it. `folder` has the floors.
pub(crate) fn run(kind: Battery, is_whole: bool, folder: &Path) -> Outcome {
    let begin = Instant::now();
    let families = battery::families().len();
    let is_asked = |number: &usize| is_whole || (number / families).is_multiple_of(10);
    let numbers: Vec<usize> = (0..battery::count()).filter(is_asked).collect();
    let tally = Tally::of(&judged(&numbers));
    let mut offences = tally.offences.clone();
    match Floors::read(&folder.join("battery.toml")) {
        Ok(floors) => offences.extend(floors.compare(&tally, is_whole)),
        Err(error) => offences.push(error),
    }
    let seconds = begin.elapsed().as_secs_f64();
    Outcome { name: kind.name, description: kind.description, seconds, offences, tally }
}

/// Every method on every problem of these numbers, in their order, on all processors.
fn judged(numbers: &[usize]) -> Vec<Verdicts> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(judge::judge(battery::problem(number)));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut verdicts: Vec<Verdicts> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("panics of solvers are caught")).collect()
    });
    // The result does not depend on which processor was free.
    verdicts.sort_by_key(|verdicts| verdicts.drawn.number);
    verdicts
}
