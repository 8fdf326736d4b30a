//! Signals that interrupt a command: Ctrl-C, and on Unix also the signals sent by `kill`, by a job queue at
//! its time limit, and by a terminal that closes.
//!
//! During [`interruptible`] work, the first signal requests the end of the work, so that its result is kept.
//! A second signal ends the process. At any other time, the first signal ends the process.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Exit code after one of these signals, for scripts that resume an interrupted command.
pub(crate) const INTERRUPTED: u8 = 130;

/// Flags that the signal handlers read and write.
struct Flags {
    /// `true` if a signal was received.
    is_interrupted: Arc<AtomicBool>,
    /// `true` if the next signal ends the process.
    is_deadly: Arc<AtomicBool>,
}

static FLAGS: LazyLock<Flags> = LazyLock::new(|| {
    let flags = Flags { is_interrupted: Arc::default(), is_deadly: Arc::new(AtomicBool::new(true)) };
    for signal in taken() {
        // The handlers run in the order of registration. If none can be registered, the signal ends the
        // process.
        let _untaken =
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&flags.is_deadly))
                .and_then(|_| flag::register(signal, Arc::clone(&flags.is_deadly)))
                .and_then(|_| flag::register(signal, Arc::clone(&flags.is_interrupted)));
    }
    flags
});

/// Returns the signals to handle: all except those that the parent process has set to be ignored, as `nohup`
/// does.
fn taken() -> Vec<i32> {
    let Some(ignored) = ignored() else { return vec![SIGINT, SIGTERM] };
    #[cfg(unix)]
    let all = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let all = [SIGINT, SIGTERM];
    all.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
}

/// Returns the ignored signals as a bit mask: bit n - 1 is signal n. Returns `None` if the system does not
/// report them.
fn ignored() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Runs `work`, which must poll [`is_interrupted`]. During this call, the first signal does not end the
/// process.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    FLAGS.is_deadly.store(false, Relaxed);
    let result = work();
    FLAGS.is_deadly.store(true, Relaxed);
    result
}

pub(crate) fn is_interrupted() -> bool {
    FLAGS.is_interrupted.load(Relaxed)
}
