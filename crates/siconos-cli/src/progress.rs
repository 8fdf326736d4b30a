//! Progress of a command on standard error: a bar on a terminal, otherwise a line every ten seconds.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Interval between two updates of the bar.
const TICK: Duration = Duration::from_millis(100);
/// Interval between two lines if standard error is not a terminal.
pub(crate) const LINE: Duration = Duration::from_secs(10);
/// Maximum number of updates between two looks at the clock.
const LONGEST_STRIDE: u64 = 1024;

/// Progress of a command.
pub(crate) struct Progress {
    /// Name of the command.
    command: &'static str,
    /// Position at the end; `None` if there is no end.
    total: Option<u64>,
    /// Unit of the position, such as `steps`.
    unit: &'static str,
    /// Bar; hidden unless standard error is a terminal.
    bar: ProgressBar,
    has_lines: bool,
    begin: Instant,
    updates: AtomicU64,
    /// Number of updates between two looks at the clock.
    stride: AtomicU64,
    clock: Mutex<Clock>,
}

/// Times of the last look at the clock and of the last line.
struct Clock {
    seen: Instant,
    line: Instant,
}

impl Progress {
    /// Begins at position 0 of `total`, or of a command without end if `total` is `None`. A quiet command
    /// shows no progress.
    pub(crate) fn new(command: &'static str, total: Option<u64>, unit: &'static str, is_quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = match total {
            _ if is_quiet => ProgressBar::hidden(),
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        };
        let template = match total {
            Some(_) => format!("[{{bar:30}}] {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left{{msg}}"),
            None => format!("{{spinner}} {{pos}} {unit}, {{per_sec}}{{msg}}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        let begin = Instant::now();
        Self {
            command,
            total,
            unit,
            bar,
            has_lines: !is_quiet && !is_terminal,
            begin,
            updates: AtomicU64::new(0),
            stride: AtomicU64::new(1),
            clock: Mutex::new(Clock { seen: begin, line: begin }),
        }
    }

    /// Sets the position. `detail` describes the current state; it is called only when the text is shown.
    pub(crate) fn set(&self, position: u64, detail: impl FnOnce() -> String) {
        let updates = self.updates.fetch_add(1, Relaxed) + 1;
        if !updates.is_multiple_of(self.stride.load(Relaxed)) {
            return;
        }
        self.bar.set_position(position);
        let now = Instant::now();
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now - clock.seen;
        clock.seen = now;
        let stride = self.stride.load(Relaxed);
        self.stride.store(if since > TICK / 4 { 1 } else { (2 * stride).min(LONGEST_STRIDE) }, Relaxed);
        if self.has_lines && now - clock.line >= LINE {
            clock.line = now;
            self.line(position, now - self.begin, &detail());
        } else if !self.bar.is_hidden() {
            self.bar.set_message(detail());
        }
    }

    /// Advances the position by one.
    pub(crate) fn advance(&self) {
        self.set(self.bar.position() + 1, String::new);
    }

    /// Hides the bar while other text is written.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Writes a line. An error is ignored, because it cannot be reported.
    fn line(&self, position: u64, elapsed: Duration, detail: &str) {
        let Self { command, total, unit, .. } = self;
        let of = total.map_or_else(String::new, |total| format!(" of {total}"));
        let mut text = format!("siconos-rs: {command}: {position}{of} {unit}");
        let rate = position as f64 / elapsed.as_secs_f64();
        if rate > 0.0 {
            let decimals = if rate < 100.0 { 2 } else { 0 };
            let left = total.map(|total| total.saturating_sub(position) as f64 / rate);
            let left = left.map_or_else(String::new, |left| format!(", {} left", in_words(left)));
            let _infallible = write!(text, ", {rate:.decimals$} {unit}/s{left}");
        }
        let _unheard = writeln!(io::stderr(), "{text}{detail}");
    }
}

/// Returns a duration in seconds, minutes or hours.
fn in_words(seconds: f64) -> String {
    match seconds {
        _ if seconds < 100.0 => format!("{seconds:.0} s"),
        _ if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_or_three_digits() {
        for (seconds, text) in [(0.2, "0 s"), (99.0, "99 s"), (150.0, "2 min"), (9000.0, "2.5 h")] {
            assert_eq!(in_words(seconds), text);
        }
    }

    /// The clock is read rarely if updates are frequent, and at each update if they are slow.
    #[test]
    fn the_stride_follows_the_time_between_updates() {
        let progress = Progress::new("run", Some(1_000_000), "steps", true);
        (0..100_000).for_each(|step| progress.set(step, String::new));
        assert!(progress.stride.load(Relaxed) > 16);
        let stride = progress.stride.load(Relaxed);
        std::thread::sleep(TICK);
        let is_one = |step| {
            progress.set(step, String::new);
            progress.stride.load(Relaxed) == 1
        };
        assert!((0..stride).any(is_one));
    }
}
