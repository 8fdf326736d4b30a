//! Signals that ask for the end of some work: Ctrl-C, and on Unix also what `kill`, a queue of jobs at its
//! limit and a terminal that goes away send.
//!
//! The first asks the work to end where it is, so that nothing of it is lost; a second one ends the process,
//! and so does one at another time.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code after any of them, which tells a script that the same command goes on.
pub(crate) const INTERRUPTED: u8 = 130;

/// What handlers read and write.
struct Flags {
    /// Whether one has come.
    is_interrupted: Arc<AtomicBool>,
    /// Whether one more ends the process.
    is_deadly: Arc<AtomicBool>,
}

static FLAGS: LazyLock<Flags> = LazyLock::new(|| {
    let flags = Flags { is_interrupted: Arc::default(), is_deadly: Arc::new(AtomicBool::new(true)) };
    for signal in taken() {
        // In the order in which they are carried out. Without a handler a signal does what it did before: it
        // ends the process.
        let _untaken =
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&flags.is_deadly))
                .and_then(|_| flag::register(signal, Arc::clone(&flags.is_deadly)))
                .and_then(|_| flag::register(signal, Arc::clone(&flags.is_interrupted)));
    }
    flags
});

/// The signals to take: not those that whoever started the program wants to be ignored, as `nohup` does.
fn taken() -> Vec<i32> {
    let Some(ignored) = ignored() else { return vec![SIGINT, SIGTERM] };
    #[cfg(unix)]
    let all = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
    #[cfg(not(unix))]
    let all = [SIGINT, SIGTERM];
    all.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
}

/// A bit for each signal that is ignored, from the lowest; nothing where the system does not tell.
fn ignored() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Does some work that looks whether it [`is_interrupted`].
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> T {
    FLAGS.is_deadly.store(false, Relaxed);
    let result = work();
    FLAGS.is_deadly.store(true, Relaxed);
    result
}

pub(crate) fn is_interrupted() -> bool {
    FLAGS.is_interrupted.load(Relaxed)
}
