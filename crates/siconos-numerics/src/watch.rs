//! A solve seen from another thread: how far it is, and a request to end it.
//!
//! What a solver returns depends on nothing but its problem, its settings and its guess, never on a clock. A
//! program that wants a limit in seconds, an answer when the user interrupts it, or a line that shows
//! progress, runs the solve under a [`Watch`] and decides on its own, from a thread that waits. A solve that
//! is asked to end does so as at its largest number of iterations, at the next iteration: with the point that
//! it would return there, and `MaxIterations`, or `EffortSpent` in a chain of methods. Lemke's method looks
//! after every pivot, up to 100 unknowns after every fifty; a factorisation is finished.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How far a solve is, and the request to end it.
///
/// ```
/// use std::sync::Arc;
/// use ndarray::Array2;
/// use siconos_numerics::lcp::{LcpProblem, ProjectedGaussSeidel};
/// use siconos_numerics::{Solver, Status, Watch};
///
/// let m = Array2::from_shape_fn((50, 50), |(i, j)| if i == j { 2.0 } else if i.abs_diff(j) == 1 { -1.0 } else { 0.0 });
/// let (q, mut z, mut w) = ([-1.0; 50], [0.0; 50], [0.0; 50]);
/// let problem = LcpProblem::new(&m, &q)?;
/// let watch = Arc::new(Watch::default());
/// // Another thread, a handler of Ctrl-C say, has a clone and asks for the end.
/// Arc::clone(&watch).stop();
/// let info = watch.over(|| ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w))?;
/// assert_eq!((info.status, info.iterations, watch.iterations()), (Status::MaxIterations, 1, 1));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    stop: AtomicBool,
    iterations: AtomicUsize,
    /// The bits of the last error.
    error: AtomicU64,
}

impl Default for Watch {
    fn default() -> Self {
        let error = AtomicU64::new(f64::NAN.to_bits());
        Self { stop: AtomicBool::new(false), iterations: AtomicUsize::new(0), error }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
    /// Whether the loop at work is within one that tells how far it is.
    static IS_NESTED: Cell<bool> = const { Cell::new(false) };
}

impl Watch {
    /// Asks for the end of the solves under this watch; also of those that have not begun.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the end was asked for.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Iterations of the method at work, in its own unit.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations.load(Relaxed)
    }

    /// The last error that the method at work has measured; NaN before the first.
    #[must_use]
    pub fn error(&self) -> f64 {
        f64::from_bits(self.error.load(Relaxed))
    }

    /// Does some work with the solves on this thread under this watch, and no other.
    pub fn over<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(Arc::clone(self)));
        // Put back on the way out of a panic too.
        struct PutBack(Option<Arc<Watch>>);
        impl Drop for PutBack {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _put_back = PutBack(before);
        with_nesting(false, work)
    }
}

/// Work that is under the watch of this thread on whatever thread it is done.
pub(crate) fn carry<T>(work: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    let (watch, is_nested) = (CURRENT.with_borrow(Clone::clone), IS_NESTED.get());
    move || match watch {
        Some(watch) => watch.over(|| with_nesting(is_nested, work)),
        None => work(),
    }
}

/// Does a part of an iteration that is a loop of its own: what it counts is not told, and it ends when it is
/// asked to.
pub(crate) fn nested<T>(work: impl FnOnce() -> T) -> T {
    with_nesting(true, work)
}

fn with_nesting<T>(is_nested: bool, work: impl FnOnce() -> T) -> T {
    // Put back on the way out of a panic too.
    struct PutBack(bool);
    impl Drop for PutBack {
        fn drop(&mut self) {
            IS_NESTED.set(self.0);
        }
    }
    let _put_back = PutBack(IS_NESTED.replace(is_nested));
    work()
}

/// Whether the end was asked for, for a loop that tells nothing itself.
pub(crate) fn is_stopped() -> bool {
    CURRENT.with_borrow(|watch| watch.as_ref().is_some_and(|watch| watch.is_stopped()))
}

/// Whether a loop has come to its end after so many iterations: at its largest number, or because the end was
/// asked for.
pub(crate) fn is_over(iterations: usize, most: usize, error: f64) -> bool {
    iterations >= most || is_asked_to_end(iterations, error)
}

/// Tells the watch how far a loop is, and whether it is to end.
pub(crate) fn is_asked_to_end(iterations: usize, error: f64) -> bool {
    CURRENT.with_borrow(|watch| match watch {
        None => false,
        Some(watch) => {
            if !IS_NESTED.get() {
                watch.iterations.store(iterations, Relaxed);
                if !error.is_nan() {
                    watch.error.store(error.to_bits(), Relaxed);
                }
            }
            watch.is_stopped()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_tells_nothing_and_ends_when_it_is_asked_to() {
        let watch = Arc::new(Watch::default());
        watch.over(|| {
            assert!(!is_over(3, 10, 0.5));
            nested(|| {
                assert!(!is_over(99, 100, 0.25));
                let elsewhere = carry(|| is_over(77, 100, 0.125));
                let is_over_there = std::thread::scope(|scope| scope.spawn(elsewhere).join());
                assert!(!is_over_there.expect("no panic"));
                // What another watch is over is no part of an iteration.
                let inner = Arc::new(Watch::default());
                inner.over(|| is_over(5, 10, 1.0));
                assert_eq!(inner.iterations(), 5);
            });
            assert_eq!((watch.iterations(), watch.error()), (3, 0.5));
            watch.stop();
            assert!(nested(|| is_over(1, 10, 0.5)));
            assert!(is_over(4, 10, 0.5));
        });
        assert_eq!(watch.iterations(), 4);
    }
}
