//! A counter of the operations that are done, for tests that compare an estimated cost with the work itself.
//!
//! It counts in builds with debug assertions. In others it does nothing.

#[cfg(debug_assertions)]
thread_local! {
    static DONE: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Adds to the counter of this thread.
#[inline(always)]
pub fn count(_operations: impl FnOnce() -> f64) {
    #[cfg(debug_assertions)]
    DONE.set(DONE.get() + _operations());
}

/// Counts the operations of some work on this thread.
#[cfg(debug_assertions)]
pub fn of(work: impl FnOnce()) -> f64 {
    DONE.set(0.0);
    work();
    DONE.get()
}
