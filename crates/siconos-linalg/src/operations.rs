//! Counter of floating-point operations, for tests that compare an estimated cost with the actual number of
//! operations.
//!
//! The counter works only in builds with debug assertions.

#[cfg(debug_assertions)]
thread_local! {
    static DONE: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Adds a number of operations to the counter of the current thread.
#[inline(always)]
pub fn count(_operations: impl FnOnce() -> f64) {
    #[cfg(debug_assertions)]
    DONE.set(DONE.get() + _operations());
}

/// Returns the number of operations that `work` performs on the current thread.
#[cfg(debug_assertions)]
pub fn of(work: impl FnOnce()) -> f64 {
    DONE.set(0.0);
    work();
    DONE.get()
}
