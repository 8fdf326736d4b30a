//! Monitoring and cancellation of a solve from another thread.
//!
//! The result of a solver depends only on its problem, its settings and its initial guess, never on a clock.
//! A program that needs a time limit in seconds, a reaction to Ctrl-C, or a progress display runs the solve
//! under a [`CancellationToken`], and decides from another thread when to cancel it. A cancelled solve ends
//! at its next iteration and returns the same point as if `max_iterations` had been reached there. The status
//! is `MaxIterations`, or `EffortSpent` in a solver cascade. Lemke's method checks for cancellation after
//! every pivot, or after every fifty pivots if the problem has at most 100 unknowns. A factorisation that has
//! started is finished first.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Progress of a solve, and the request to cancel it.
///
/// ```
/// use std::sync::Arc;
/// use ndarray::Array2;
/// use siconos_numerics::lcp::{LcpProblem, ProjectedGaussSeidel};
/// use siconos_numerics::{Solver, Status, CancellationToken};
///
/// let m = Array2::from_shape_fn((50, 50), |(i, j)| if i == j { 2.0 } else if i.abs_diff(j) == 1 { -1.0 } else { 0.0 });
/// let (q, mut z, mut w) = ([-1.0; 50], [0.0; 50], [0.0; 50]);
/// let problem = LcpProblem::new(&m, &q)?;
/// let token = Arc::new(CancellationToken::default());
/// // Another thread, for example a handler of Ctrl-C, holds a clone of the token and cancels the solve.
/// Arc::clone(&token).cancel();
/// let info = token.run(|| ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w))?;
/// assert_eq!((info.status, info.iterations, token.iterations()), (Status::MaxIterations, 1, 1));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct CancellationToken {
    stop: AtomicBool,
    iterations: AtomicUsize,
    /// Last error that was reported, as the bits of an `f64`.
    error: AtomicU64,
}

impl Default for CancellationToken {
    fn default() -> Self {
        let error = AtomicU64::new(f64::NAN.to_bits());
        Self { stop: AtomicBool::new(false), iterations: AtomicUsize::new(0), error }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<CancellationToken>>> = const { RefCell::new(None) };
    /// `true` if the current loop is nested in a loop that reports its progress.
    static IS_NESTED: Cell<bool> = const { Cell::new(false) };
}

impl CancellationToken {
    /// Cancels all solves under this token, including those that have not started.
    pub fn cancel(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns `true` if [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns the number of iterations that the current method has completed.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations.load(Relaxed)
    }

    /// Returns the last error that the current method has computed; NaN before the first error.
    #[must_use]
    pub fn error(&self) -> f64 {
        f64::from_bits(self.error.load(Relaxed))
    }

    /// Calls `work`. During the call, only this token controls the solves on this thread.
    pub fn run<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(Arc::clone(self)));
        // The destructor restores the previous token even after a panic.
        struct PutBack(Option<Arc<CancellationToken>>);
        impl Drop for PutBack {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _put_back = PutBack(before);
        with_nesting(false, work)
    }
}

/// Returns a closure that calls `work` under the token of the current thread, even if the closure runs on
/// another thread.
pub(crate) fn carry<T>(work: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    let (token, is_nested) = (CURRENT.with_borrow(Clone::clone), IS_NESTED.get());
    move || match token {
        Some(token) => token.run(|| with_nesting(is_nested, work)),
        None => work(),
    }
}

/// Calls `work`, a loop inside an iteration of another loop. The inner loop does not report its progress, but
/// it ends if the token is cancelled.
pub(crate) fn nested<T>(work: impl FnOnce() -> T) -> T {
    with_nesting(true, work)
}

fn with_nesting<T>(is_nested: bool, work: impl FnOnce() -> T) -> T {
    // The destructor restores the previous flag even after a panic.
    struct PutBack(bool);
    impl Drop for PutBack {
        fn drop(&mut self) {
            IS_NESTED.set(self.0);
        }
    }
    let _put_back = PutBack(IS_NESTED.replace(is_nested));
    work()
}

/// Returns `true` if the token is cancelled. Use it in a loop that does not report its progress.
pub(crate) fn is_cancelled() -> bool {
    CURRENT.with_borrow(|token| token.as_ref().is_some_and(|token| token.is_cancelled()))
}

/// Returns `true` if a loop has to end after `iterations` iterations: because it has made `most` iterations,
/// or because the token is cancelled.
pub(crate) fn is_over(iterations: usize, most: usize, error: f64) -> bool {
    iterations >= most || is_asked_to_end(iterations, error)
}

/// Reports the progress of a loop to the token, and returns `true` if the token is cancelled.
pub(crate) fn is_asked_to_end(iterations: usize, error: f64) -> bool {
    CURRENT.with_borrow(|token| match token {
        None => false,
        Some(token) => {
            if !IS_NESTED.get() {
                token.iterations.store(iterations, Relaxed);
                if !error.is_nan() {
                    token.error.store(error.to_bits(), Relaxed);
                }
            }
            token.is_cancelled()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_tells_nothing_and_ends_when_it_is_asked_to() {
        let token = Arc::new(CancellationToken::default());
        token.run(|| {
            assert!(!is_over(3, 10, 0.5));
            nested(|| {
                assert!(!is_over(99, 100, 0.25));
                let elsewhere = carry(|| is_over(77, 100, 0.125));
                let is_over_there = std::thread::scope(|scope| scope.spawn(elsewhere).join());
                assert!(!is_over_there.expect("no panic"));
                // A solve under another token is not nested in the outer loop.
                let inner = Arc::new(CancellationToken::default());
                inner.run(|| is_over(5, 10, 1.0));
                assert_eq!(inner.iterations(), 5);
            });
            assert_eq!((token.iterations(), token.error()), (3, 0.5));
            token.cancel();
            assert!(nested(|| is_over(1, 10, 0.5)));
            assert!(is_over(4, 10, 0.5));
        });
        assert_eq!(token.iterations(), 4);
    }
}
