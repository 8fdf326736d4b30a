//! Standing batteries: thousands of random problems, every method, and bars that may only rise.
//!
//! | file | idea |
//! | --- | --- |
//! | `forms.rs` | the forms of a problem, each with methods of its own |
//! | `judge.rs` | one method on one problem, judged by a measure that shares no code with the solvers |
//! | `tally.rs` | what became of all, by method and family |
//! | `floors.rs` | how much of each family every method has to solve: `battery.toml` |
//! | `text.rs`, `page.rs` | the tables |
//!
//! A tenth runs with the scenarios, all of it with `--whole`. `--bless` runs all of it and writes the floors.

mod floors;
mod forms;
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
use crate::contact::effort;

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

/// The batteries whose name contains `filter`; all without one.
pub(crate) fn matching(filter: Option<&str>) -> Vec<Battery> {
    let is_asked = |battery: &Battery| filter.is_none_or(|part| battery.name.contains(part));
    BATTERIES.into_iter().filter(is_asked).collect()
}

/// The battery of that name.
pub(crate) fn named(name: &str) -> Option<Battery> {
    BATTERIES.into_iter().find(|battery| battery.name == name)
}

/// The file of the floors in the folder of the program.
const FLOORS: &str = "battery.toml";

/// Runs a battery, or a tenth of it. `folder` has the floors.
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

/// Runs all of the battery and makes what is solved the floors of the future; returns what falls. Nothing is
/// written while a rule is broken.
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

/// What becomes of all, or of a tenth: one problem of ten of each family, and the methods that take half of
/// the time there on every second of these only.
fn tally(is_whole: bool) -> Tally {
    let turn = |number: usize| number / battery::families().len();
    let is_drawn = |number: &usize| is_whole || turn(*number).is_multiple_of(10);
    let numbers: Vec<usize> = (0..battery::count()).filter(is_drawn).collect();
    let is_asked = |number, method: &str| {
        is_whole || !effort::has_inner_problems(method) || turn(number).is_multiple_of(20)
    };
    Tally::of(judged(&numbers, is_asked).iter())
}

/// Bytes of the stack of a worker: where OpenBLAS has threads of its own, its LU of 200 rows and more takes
/// half a megabyte at each of its levels, and the two megabytes of a thread are not enough.
const STACK: usize = 64 << 20;

/// Every method that is asked on every problem of these numbers, in their order, on all processors.
fn judged(numbers: &[usize], is_asked: impl Fn(usize, &str) -> bool + Sync) -> Vec<Verdicts> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(judge::judge(battery::problem(number), |method| is_asked(number, method)));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut verdicts: Vec<Verdicts> = thread::scope(|scope| {
        let spawn = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("the system has threads")
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("panics of solvers are caught")).collect()
    });
    // The result does not depend on which processor was free.
    verdicts.sort_by_key(|verdicts| verdicts.drawn.number);
    verdicts
}
