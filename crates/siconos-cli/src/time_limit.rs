//! A limit on the time of a solve, which the caller sets and the operating system keeps.
//!
//! Solvers know no clock: what they return must not depend on how fast the machine is. So a limit ends the whole process.

use std::io::{self, Write};
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The exit code of a process that was stopped at its limit.
pub(crate) const STOPPED: u8 = 3;

/// Checks the number of an option.
pub(crate) fn check(limit: Option<f64>) -> Result<(), String> {
    match limit {
        Some(limit) if !(limit.is_finite() && limit > 0.0) => {
            Err(format!("--time-limit is {limit}; it must be a number of seconds above 0"))
        }
        _ => Ok(()),
    }
}

/// Does the work. If that takes more seconds than the limit, the process ends with [`STOPPED`].
pub(crate) fn within<T>(limit: Option<f64>, work: impl FnOnce() -> T) -> T {
    // A limit beyond what a duration holds is none.
    let Some(duration) = limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok()) else {
        return work();
    };
    let (done, wait) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if wait.recv_timeout(duration) == Err(RecvTimeoutError::Timeout) {
            let seconds = duration.as_secs_f64();
            // Where nobody listens there is nothing left to be told, and the exit code says it too.
            let _unheard = writeln!(
                io::stderr(),
                "siconos-rs: stopped at the time limit, after {seconds} s without an answer"
            );
            process::exit(i32::from(STOPPED));
        }
    });
    let result = work();
    drop(done);
    // It only waits, and writes nothing once the work is done.
    let _ended = watch.join();
    result
}
