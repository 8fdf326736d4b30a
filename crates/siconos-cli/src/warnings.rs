//! What the libraries warn of, for whoever runs the program: each kind a few times, then only how often.
//!
//! A warning waits until [`tell`] is called, so that a bar on the terminal can make room for it.

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

/// How often warnings of one place in the libraries are told in full.
const IN_FULL: usize = 5;

/// Whether somebody has to be told.
static HAS_UNTOLD: AtomicBool = AtomicBool::new(false);

static HEARD: Mutex<Heard> = Mutex::new(Heard { kinds: Vec::new(), untold: Vec::new() });

/// What has been heard.
struct Heard {
    kinds: Vec<Kind>,
    /// Warnings that nobody has been told of.
    untold: Vec<String>,
}

/// All warnings of one place in the libraries.
struct Kind {
    place: Identifier,
    first: String,
    count: usize,
}

/// Hears all warnings from now on.
pub(crate) fn listen() {
    // Once in a process; a second call leaves the first one in its place.
    let _already = tracing::subscriber::set_global_default(Listener);
}

/// Tells the warnings that have come since the last call, in the way in which `by` lets something be written.
pub(crate) fn tell(by: impl FnOnce(&dyn Fn())) {
    // After each step, nearly all of which have none.
    if !HAS_UNTOLD.load(Relaxed) {
        return;
    }
    HAS_UNTOLD.store(false, Relaxed);
    let untold = mem::take(&mut heard().untold);
    if !untold.is_empty() {
        by(&|| untold.iter().for_each(|warning| complain(&format!("warning: {warning}"))));
    }
}

/// Tells what is left, and how often there was more of it.
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
                kinds.push(Kind { place, first, count: 1 });
            }
        }
        HAS_UNTOLD.store(!untold.is_empty(), Relaxed);
    }

    // Spans tell nothing that a warning does not.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A warning in words, and the numbers that go with it.
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
            // A string takes all that is written to it.
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
