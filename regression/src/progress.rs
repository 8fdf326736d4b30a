//! Progress bar on a terminal, plain lines otherwise, on the standard error stream.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of the run.
pub(crate) enum Progress {
    Bar(ProgressBar),
    Lines { done: usize, total: usize },
}

impl Progress {
    pub(crate) fn new(total: usize) -> Self {
        if !stderr().is_terminal() {
            return Self::Lines { done: 0, total };
        }
        let bar = ProgressBar::new(total as u64);
        // The template is a constant; if it were wrong, the default bar would be used.
        if let Ok(style) = ProgressStyle::with_template("{bar:32.cyan/dim} {pos}/{len} {elapsed:>4} {msg}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Self::Bar(bar)
    }

    pub(crate) fn begin(&self, name: &str) {
        if let Self::Bar(bar) = self {
            bar.set_message(name.to_owned());
            bar.tick();
        }
    }

    pub(crate) fn end(&mut self, name: &str, verdict: &str, took: Duration) {
        match self {
            Self::Bar(bar) => bar.inc(1),
            Self::Lines { done, total } => {
                *done += 1;
                eprintln!("[{done}/{total}] {name}: {verdict} ({:.3} s)", took.as_secs_f64());
            }
        }
    }

    pub(crate) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
