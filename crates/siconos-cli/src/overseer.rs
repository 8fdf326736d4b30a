//! Watches a solve: a line of progress on a terminal, a limit in seconds, and [`signals`] that ask it to end.
//!
//! Solvers know no clock: what they return must not depend on how fast the machine is. So they are asked to
//! end, and return the point where they are. A method that does not look whether it is asked ends with the
//! process, some seconds later.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use siconos_numerics::Watch;

use crate::signals;

/// Why a solve was asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    TimeLimit,
    Interrupt,
}

impl Stopped {
    /// The exit code: one of ours, or the one of shells for an interrupt.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::TimeLimit => 3,
            Self::Interrupt => signals::INTERRUPTED,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::TimeLimit => "stopped at the time limit",
            Self::Interrupt => "interrupted",
        }
    }
}

/// Between two looks at the solve.
const TICK: Duration = Duration::from_millis(100);

/// From when on, and how often, a terminal shows how far the solve is.
const QUIET: Duration = Duration::from_secs(1);

/// What a method that is asked to end may take to do so.
const GRACE: Duration = Duration::from_secs(5);

/// Checks the number of an option.
pub(crate) fn check(limit: Option<f64>) -> Result<(), String> {
    match limit {
        Some(limit) if !(limit.is_finite() && limit > 0.0) => {
            Err(format!("--time-limit is {limit}; it must be a number of seconds above 0"))
        }
        _ => Ok(()),
    }
}

/// Does a solve, and tells why it was asked to end if it was.
pub(crate) fn over<T>(limit: Option<f64>, work: impl FnOnce() -> T) -> (T, Option<Stopped>) {
    // A limit beyond what a duration holds is none.
    let limit = limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
    let watch = Arc::new(Watch::default());
    let (done, wait) = mpsc::channel::<()>();
    let seen = Arc::clone(&watch);
    let overseer = thread::spawn(move || oversee(&seen, limit, &wait));
    let result = watch.over(work);
    drop(done);
    let stopped = overseer.join().unwrap_or_default();
    (result, stopped)
}

/// Until the work is done.
fn oversee(watch: &Watch, limit: Option<Duration>, wait: &mpsc::Receiver<()>) -> Option<Stopped> {
    let begin = Instant::now();
    let shows_progress = io::stderr().is_terminal();
    let mut shown = None;
    let mut stopped = None;
    loop {
        let left =
            limit.filter(|_| stopped.is_none()).map_or(TICK, |limit| limit.saturating_sub(begin.elapsed()));
        let is_done = wait.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected);
        let elapsed = begin.elapsed();
        if is_done {
            if shown.is_some() {
                tell("\r\x1b[K");
            }
            return stopped.map(|(reason, _)| reason);
        }
        let reason = if signals::is_interrupted() {
            Some(Stopped::Interrupt)
        } else if limit.is_some_and(|limit| elapsed >= limit) {
            Some(Stopped::TimeLimit)
        } else {
            None
        };
        if let (Some(reason), None) = (reason, stopped) {
            stopped = Some((reason, elapsed));
            watch.stop();
        }
        if let Some((reason, at)) = stopped
            && elapsed >= at + GRACE
        {
            tell(&format!("\nsiconos-rs: {}, without an answer\n", reason.words()));
            process::exit(i32::from(reason.code()));
        }
        if shows_progress && elapsed >= shown.map_or(QUIET, |last| last + QUIET) {
            shown = Some(elapsed);
            let (seconds, error) = (elapsed.as_secs(), watch.error());
            let error = if error.is_nan() { String::new() } else { format!(", error {error:.1e}") };
            tell(&format!(
                "\r\x1b[K{seconds} s, iteration {}{error}; Ctrl-C for the point so far",
                watch.iterations()
            ));
        }
    }
}

/// Where nobody listens there is nothing left to be told.
fn tell(text: &str) {
    let mut stderr = io::stderr();
    let _unheard = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
