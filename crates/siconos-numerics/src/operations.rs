//! The operations that are done, counted where they are done, for tests of the accounts of
//! [`effort`](crate::effort). Outside tests nothing is counted.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Counts operations that are done here.
#[inline(always)]
pub(crate) fn count(_operations: impl FnOnce() -> f64) {
    #[cfg(test)]
    DONE.set(DONE.get() + _operations());
}

/// Operations of some work on this thread.
#[cfg(test)]
pub(crate) fn of(work: impl FnOnce()) -> f64 {
    DONE.set(0.0);
    work();
    DONE.get()
}
