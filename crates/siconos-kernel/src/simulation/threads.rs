//! The threads that share the work of a step. What each does has results of its own, so that their number
//! changes no bit.

use std::num::NonZeroUsize;
use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::SettingsError;

/// One thread, that of the caller, or several of a pool.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    pool: Option<ThreadPool>,
}

impl Threads {
    pub(crate) fn new(count: NonZeroUsize) -> Result<Self, SettingsError> {
        let build = || ThreadPoolBuilder::new().num_threads(count.get()).build();
        let pool = (count.get() > 1).then(build).transpose();
        let why = |error: rayon::ThreadPoolBuildError| error.to_string();
        Ok(Self { pool: pool.map_err(|error| SettingsError::Threads { count, why: why(error) })? })
    }

    pub(crate) fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Does pieces of work; the first error in the order of the pieces.
    pub(crate) fn share<P: Send, E: Send>(
        &self,
        pieces: Vec<P>,
        work: impl Fn(P) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        match &self.pool {
            None => pieces.into_iter().try_for_each(work),
            Some(pool) => {
                let done: Vec<_> = pool.install(|| pieces.into_par_iter().map(&work).collect());
                done.into_iter().collect()
            }
        }
    }

    /// Does the same to some of many items, whose places increase.
    pub(crate) fn each<T: Send>(
        &self,
        items: &mut [T],
        places: &[usize],
        work: impl Fn(usize, &mut T) + Sync,
    ) {
        let Some(pool) = &self.pool else {
            return places.iter().for_each(|&place| work(place, &mut items[place]));
        };
        let (mut first, mut rest) = (0, items);
        let mut pieces = Vec::new();
        for part in self.parts(places.len()).map(|part| &places[part]) {
            let Some(&last) = part.last() else { continue };
            pieces.push((part, first, rest.split_off_mut(..last + 1 - first).unwrap_or_default()));
            first = last + 1;
        }
        let work = |(part, first, own): (&[usize], usize, &mut [T])| {
            part.iter().for_each(|&place| work(place, &mut own[place - first]));
        };
        pool.install(|| pieces.into_par_iter().for_each(work));
    }

    /// Cuts a list into as many parts as there are threads, of about equal length.
    pub(crate) fn parts(&self, length: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let count = self.count();
        (0..count).map(move |part| length * part / count..length * (part + 1) / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_many_items_are_worked_on() {
        for count in [1, 2, 5] {
            let threads = Threads::new(NonZeroUsize::new(count).expect("not 0")).expect("a pool");
            let mut items = [0; 8];
            threads.each(&mut items, &[1, 2, 5, 7], |place, item| *item = 10 * place);
            assert_eq!(items, [0, 10, 20, 0, 0, 50, 0, 70]);
            threads.each(&mut items, &[], |_, item| *item = 1);
            assert_eq!(items, [0, 10, 20, 0, 0, 50, 0, 70]);
        }
    }

    #[test]
    fn all_pieces_are_done_and_the_first_error_is_told() {
        for count in [1, 3] {
            let threads = Threads::new(NonZeroUsize::new(count).expect("not 0")).expect("a pool");
            let mut done = [0; 10];
            let mut rest = &mut done[..];
            let mut pieces = Vec::new();
            for part in threads.parts(10) {
                pieces.push((part.start, rest.split_off_mut(..part.len()).expect("a part of the list")));
            }
            assert_eq!(pieces.len(), count);
            let filled = threads.share(pieces, |(first, piece)| {
                piece.iter_mut().enumerate().for_each(|(k, x)| *x = first + k);
                Ok::<_, usize>(())
            });
            assert_eq!(filled, Ok(()));
            assert_eq!(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
            let failed = threads.share((0..10).collect(), |k| if k > 3 { Err(k) } else { Ok(()) });
            assert_eq!(failed, Err(4));
        }
    }
}
