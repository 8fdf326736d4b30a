//! Work that is shared by all processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Stack size of a worker \[bytes\]. If OpenBLAS uses its own threads, its LU factorisation of 200 rows or
/// more takes half a megabyte in each recursion, so the default stack of two megabytes is too small.
const STACK: usize = 64 << 20;

/// Calls `work` for every item, on all processors. The items are begun in order, and the results are in the
/// order of the items.
///
/// # Panics
///
/// If `work` panics, or if the system has no threads.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return done };
            done.push((place, work(item)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let spawn = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("the system has threads")
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no item panics")).collect()
    });
    // The order of the results does not depend on the scheduling of the threads.
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(in_parallel(&items, |item| item * item), items.iter().map(|i| i * i).collect::<Vec<_>>());
        assert!(in_parallel(&[], |item: &usize| *item).is_empty());
    }
}
