//! Watchdog of a solve. It prints the progress on standard error, and ends the solve after a time limit or
//! when one of the [`signals`] arrives.
//!
//! Solvers do not read a clock, because their results must not depend on the speed of the machine. The
//! watchdog requests the end of a solve, and the solver returns its current point. If the method does not
//! poll for the request, the process exits a few seconds later.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use siconos_numerics::CancellationToken;

use crate::progress::LINE;
use crate::signals;

/// Reason why a solve was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    TimeLimit,
    Interrupt,
}

impl Stopped {
    /// Returns the exit code: 3 for the time limit, and 130 for an interrupt, as in shells.
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

/// Interval between two checks of the solve.
const TICK: Duration = Duration::from_millis(100);

/// Time before the first progress line on a terminal, and between progress lines.
const QUIET: Duration = Duration::from_secs(1);

/// Time after the request until the process exits if the method has not ended.
const GRACE: Duration = Duration::from_secs(5);

/// Checks the value of `--time-limit`.
pub(crate) fn check(limit: Option<f64>) -> Result<(), String> {
    match limit {
        Some(limit) if !(limit.is_finite() && limit > 0.0) => {
            Err(format!("--time-limit is {limit}; it must be a positive number of seconds"))
        }
        _ => Ok(()),
    }
}

/// Runs a solve. Returns its result, and the reason why it was stopped, if it was.
pub(crate) fn run<T>(limit: Option<f64>, is_quiet: bool, work: impl FnOnce() -> T) -> (T, Option<Stopped>) {
    // A limit that is too long for `Duration` is ignored.
    let limit = limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
    let token = Arc::new(CancellationToken::default());
    let (done, wait) = mpsc::channel::<()>();
    let seen = Arc::clone(&token);
    let watchdog = thread::spawn(move || watch(&seen, limit, is_quiet, &wait));
    let result = token.run(work);
    drop(done);
    let stopped = watchdog.join().unwrap_or_default();
    (result, stopped)
}

/// Watches the solve until it ends. Returns the reason why it was stopped, if it was.
fn watch(
    token: &CancellationToken,
    limit: Option<Duration>,
    is_quiet: bool,
    wait: &mpsc::Receiver<()>,
) -> Option<Stopped> {
    let begin = Instant::now();
    let is_terminal = io::stderr().is_terminal();
    let between = if is_terminal { QUIET } else { LINE };
    let mut shown = None;
    let mut stopped = None;
    loop {
        let left =
            limit.filter(|_| stopped.is_none()).map_or(TICK, |limit| limit.saturating_sub(begin.elapsed()));
        let is_done = wait.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Disconnected);
        let elapsed = begin.elapsed();
        if is_done {
            if shown.is_some() && is_terminal {
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
            token.cancel();
        }
        if let Some((reason, at)) = stopped
            && elapsed >= at + GRACE
        {
            tell(&format!("\nsiconos-rs: {}, without a result\n", reason.words()));
            process::exit(i32::from(reason.code()));
        }
        if !is_quiet && elapsed >= shown.map_or(between, |last| last + between) {
            shown = Some(elapsed);
            let (seconds, error) = (elapsed.as_secs(), token.error());
            let error = if error.is_nan() { String::new() } else { format!(", error {error:.1e}") };
            let text = format!("{seconds} s, iteration {}{error}", token.iterations());
            tell(&match is_terminal {
                true => format!("\r\x1b[K{text}; Ctrl-C for the point so far"),
                false => format!("siconos-rs: solve: {text}\n"),
            });
        }
    }
}

/// Writes to standard error. An error is ignored, because it cannot be reported.
fn tell(text: &str) {
    let mut stderr = io::stderr();
    let _unheard = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
