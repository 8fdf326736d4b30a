//! Threads that share the work of a step. Each piece of work writes to its own results, so the results are
//! bit-identical for any number of threads.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::index::{Table, TypedIndex};
use crate::settings_error::SettingsError;

/// Threads for the work of a step: only the calling thread, or a pool of several threads.
///
/// ```
/// use siconos_kernel::detection::Threads;
///
/// let mut squares = [0; 4];
/// let pieces = squares.iter_mut().enumerate().collect();
/// Threads::CALLING.share(pieces, |(k, square)| {
///     *square = k * k;
///     Ok::<_, ()>(())
/// })?;
/// assert_eq!(squares, [0, 1, 4, 9]);
/// # Ok::<(), ()>(())
/// ```
#[derive(Debug, Default)]
pub struct Threads {
    pool: Option<ThreadPool>,
}

impl Threads {
    /// Only the calling thread.
    pub const CALLING: &'static Self = {
        static CALLING: Threads = Threads { pool: None };
        &CALLING
    };

    pub(crate) fn new(count: NonZeroUsize) -> Result<Self, SettingsError> {
        let build = || ThreadPoolBuilder::new().num_threads(count.get()).build();
        let pool = (count.get() > 1).then(build).transpose();
        let why = |error: rayon::ThreadPoolBuildError| error.to_string();
        Ok(Self { pool: pool.map_err(|error| SettingsError::Threads { count, why: why(error) })? })
    }

    /// Returns the number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Processes all pieces, each on any of the threads.
    ///
    /// # Errors
    ///
    /// If pieces fail: the error of the first of them in the order of `pieces`.
    pub fn share<P: Send, E: Send>(
        &self,
        pieces: Vec<P>,
        work: impl Fn(P) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        match &self.pool {
            Some(pool) if pieces.len() > 1 => {
                let done: Vec<_> = pool.install(|| pieces.into_par_iter().map(&work).collect());
                done.into_iter().collect()
            }
            // For one piece it is not worth waking a thread.
            _ => pieces.into_iter().try_for_each(work),
        }
    }

    /// Processes all pieces with work that cannot fail.
    pub(crate) fn share_all<P: Send>(&self, pieces: Vec<P>, work: impl Fn(P) + Sync) {
        let Ok(()) = self.share(pieces, |piece| {
            work(piece);
            Ok::<(), Infallible>(())
        });
    }

    /// Applies `work` to the items at `places`, which must be in increasing order. For each item, `ranges`
    /// returns one range per array. In each array, the range of an item must come after the ranges of all
    /// previous items. Items for which `ranges` returns `None` are skipped.
    #[inline(always)]
    pub(crate) fn each<K, T: Send, const N: usize>(
        &self,
        items: &mut Table<K, T>,
        arrays: [&mut [f64]; N],
        places: &[TypedIndex<K>],
        ranges: impl Fn(TypedIndex<K>) -> Option<[Range<usize>; N]> + Sync,
        work: impl Fn(TypedIndex<K>, &mut T, [&mut [f64]; N]) + Sync,
    ) {
        let Ok(()) = self.try_each(items, arrays, places, ranges, |place, item, arrays| {
            work(place, item, arrays);
            Ok::<(), Infallible>(())
        });
    }

    /// Applies `work`, which can fail, to the items, as [`each`](Self::each) does. Returns the first error in
    /// the order of `places`.
    #[inline(always)]
    pub(crate) fn try_each<K, T: Send, E: Send, const N: usize>(
        &self,
        items: &mut Table<K, T>,
        arrays: [&mut [f64]; N],
        places: &[TypedIndex<K>],
        ranges: impl Fn(TypedIndex<K>) -> Option<[Range<usize>; N]> + Sync,
        work: impl Fn(TypedIndex<K>, &mut T, [&mut [f64]; N]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let mut rest = Piece { places, first: 0, items, starts: [0; N], arrays };
        if self.pool.is_none() {
            return rest.work_on(ranges, work);
        }
        let pieces = self.parts(places.len()).filter_map(|part| rest.split_off(part.len(), &ranges));
        self.share(pieces.collect(), |mut piece| piece.work_on(&ranges, &work))
    }

    /// Applies `work` to the items at `places`, which must be in increasing order. Each thread has one
    /// element of `of_threads`, which `work` gets with each item.
    pub(crate) fn each_with<K, T: Send, S: Send>(
        &self,
        of_threads: &mut [S],
        items: &mut Table<K, T>,
        places: &[TypedIndex<K>],
        work: impl Fn(&mut S, &mut T) + Sync,
    ) {
        let mut rest = Piece { places, first: 0, items, starts: [], arrays: [] };
        let pieces = self.parts(places.len()).filter_map(|part| rest.split_off(part.len(), |_| Some([])));
        self.share_all(pieces.zip(of_threads).collect(), |(mut piece, own)| {
            let Ok(()) = piece.work_on(
                |_| Some([]),
                |_, item, []| {
                    work(own, item);
                    Ok::<(), Infallible>(())
                },
            );
        });
    }

    /// Splits a list into one part per thread. Returns each part with the index of its first element.
    pub(crate) fn cut<'a, T>(
        &self,
        mut list: &'a mut [T],
    ) -> impl Iterator<Item = (usize, &'a mut [T])> + use<'a, T> {
        let parts = self.parts(list.len());
        parts.map(move |part| (part.start, list.split_off_mut(..part.len()).unwrap_or_default()))
    }

    /// Splits `0..length` into as many ranges of about equal length as there are threads.
    fn parts(&self, length: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let count = self.count();
        (0..count).map(move |part| length * part / count..length * (part + 1) / count)
    }
}

/// Subset of the items of [`Threads::try_each`], with the slices of the items and arrays that belong to it.
struct Piece<'a, K, T, const N: usize> {
    places: &'a [TypedIndex<K>],
    first: usize,
    items: &'a mut [T],
    starts: [usize; N],
    arrays: [&'a mut [f64]; N],
}

impl<K, T, const N: usize> Piece<'_, K, T, N> {
    // Inlined, so that a single thread has no overhead.
    #[inline(always)]
    fn work_on<E>(
        &mut self,
        ranges: impl Fn(TypedIndex<K>) -> Option<[Range<usize>; N]>,
        mut work: impl FnMut(TypedIndex<K>, &mut T, [&mut [f64]; N]) -> Result<(), E>,
    ) -> Result<(), E> {
        for &place in self.places {
            let Some(own) = ranges(place) else { continue };
            let mut k = 0;
            let arrays = self.arrays.each_mut().map(|array| {
                let range = own[k].start - self.starts[k]..own[k].end - self.starts[k];
                k += 1;
                &mut array[range]
            });
            work(place, &mut self.items[place.index() - self.first], arrays)?;
        }
        Ok(())
    }
}

impl<'a, K, T, const N: usize> Piece<'a, K, T, N> {
    /// Splits off the first `count` places; returns `None` if all of them are skipped.
    fn split_off(
        &mut self,
        count: usize,
        ranges: impl Fn(TypedIndex<K>) -> Option<[Range<usize>; N]>,
    ) -> Option<Self> {
        let places = self.places.split_off(..count)?;
        let (last, own) = places.iter().rev().find_map(|&place| Some((place, ranges(place)?)))?;
        let (first, starts) = (self.first, self.starts);
        (self.first, self.starts) = (last.index() + 1, own.map(|own| own.end));
        let mut k = 0;
        let arrays = self.arrays.each_mut().map(|array| {
            let length = self.starts[k] - starts[k];
            k += 1;
            array.split_off_mut(..length).unwrap_or_default()
        });
        let items = self.items.split_off_mut(..self.first - first)?;
        Some(Self { places, first, items, starts, arrays })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::RowIndex;

    #[test]
    fn some_of_many_items_are_worked_on() {
        // The item at place k has one entry in one array and k entries in the other; the item at 5 is
        // skipped.
        let ranges = |place: RowIndex| {
            let k = place.index();
            (k != 5).then(|| [k..k + 1, k * (k.max(1) - 1) / 2..k * (k + 1) / 2])
        };
        for count in [1, 2, 5] {
            let threads = Threads::new(NonZeroUsize::new(count).expect("not 0")).expect("a pool");
            let (mut items, mut single, mut array) = ([0; 8].into_iter().collect(), [0.0; 8], [0.0; 28]);
            for (places, factor) in [(&[1, 2, 5, 7][..], 10), (&[], 1), (&[5], 1)] {
                let arrays = [&mut single[..], &mut array];
                let places: Vec<_> = places.iter().copied().map(RowIndex::new).collect();
                threads.each(&mut items, arrays, &places, ranges, |place, item, [one, own]| {
                    *item = factor * place.index();
                    one[0] += 1.0;
                    own.fill(place.index() as f64);
                });
            }
            assert_eq!(items.to_vec(), [0, 10, 20, 0, 0, 0, 0, 70]);
            assert_eq!(single, [0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
            let entries = (0..8).flat_map(|k| vec![if [1, 2, 7].contains(&k) { k as f64 } else { 0.0 }; k]);
            assert_eq!(array.to_vec(), entries.collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_pieces_are_done_and_the_first_error_is_told() {
        for count in [1, 3] {
            let threads = Threads::new(NonZeroUsize::new(count).expect("not 0")).expect("a pool");
            let mut done = [0; 10];
            let pieces: Vec<_> = threads.cut(&mut done).collect();
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
