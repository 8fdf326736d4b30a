//! Warnings of the libraries, reported to the user. The first warnings of each kind are printed in full. At
//! the end, the number of further warnings of each kind is printed.
//!
//! Warnings are stored until [`tell`] prints them, because a progress bar on the terminal must be hidden
//! while they are printed.

use std::fmt::{self, Write as _};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::complain;

/// Maximum number of warnings from one source location that are printed in full.
const IN_FULL: usize = 5;

/// `true` if there are warnings to be printed.
static HAS_UNTOLD: AtomicBool = AtomicBool::new(false);

static HEARD: Mutex<Heard> = Mutex::new(Heard { kinds: Vec::new(), untold: Vec::new() });

/// Warnings received so far.
struct Heard {
    kinds: Vec<WarningSite>,
    /// Warnings that have not been printed yet.
    untold: Vec<String>,
}

/// Warnings from one source location.
struct WarningSite {
    place: Identifier,
    first: String,
    count: usize,
}

/// Starts collecting all warnings.
pub(crate) fn listen() {
    // The subscriber of a process can be set only once; a second call has no effect.
    let _already = tracing::subscriber::set_global_default(Listener);
}

/// If there are new warnings, calls `by` with a function that prints them.
pub(crate) fn tell(by: impl FnOnce(&dyn Fn())) {
    // This runs after each step, and most steps have no warnings.
    if !HAS_UNTOLD.load(Relaxed) {
        return;
    }
    HAS_UNTOLD.store(false, Relaxed);
    let untold = mem::take(&mut heard().untold);
    if !untold.is_empty() {
        by(&|| untold.iter().for_each(|warning| complain(&format!("warning: {warning}"))));
    }
}

/// Prints the remaining warnings, and the number of warnings that were not printed in full.
pub(crate) fn tell_rest() {
    tell(|write| write());
    for kind in mem::take(&mut heard().kinds) {
        if let Some(more @ 1..) = kind.count.checked_sub(IN_FULL) {
            complain(&format!("{more} more warnings like the first: {}", kind.first));
        }
    }
}

fn heard() -> MutexGuard<'static, Heard> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::WARN)
    }

    fn event(&self, event: &Event<'_>) {
        let place = event.metadata().callsite();
        let mut guard = heard();
        let Heard { kinds, untold } = &mut *guard;
        let text = || Text::of(event).to_string();
        match kinds.iter_mut().find(|kind| kind.place == place) {
            Some(kind) => {
                kind.count += 1;
                untold.extend((kind.count <= IN_FULL).then(text));
            }
            None => {
                let first = text();
                untold.push(first.clone());
                kinds.push(WarningSite { place, first, count: 1 });
            }
        }
        HAS_UNTOLD.store(!untold.is_empty(), Relaxed);
    }

    // Spans are ignored, because the warnings contain the same information.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Message of a warning, and the values of its fields.
#[derive(Default)]
struct Text {
    message: String,
    numbers: String,
}

impl Text {
    fn of(event: &Event<'_>) -> Self {
        let mut text = Self::default();
        event.record(&mut text);
        text
    }
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        } else {
            let comma = if self.numbers.is_empty() { "" } else { ", " };
            // Writing to a string cannot fail.
            let _infallible = write!(self.numbers, "{comma}{} = {value:?}", field.name());
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.numbers.as_str() {
            "" => Ok(()),
            numbers => write!(f, " ({numbers})"),
        }
    }
}
