//! Substitution with the triangular factors of a small matrix.

use super::vector::with_wide_registers;

/// Maximum number of unknowns for which this crate uses its own LU factorisation instead of a library.
pub const LARGEST_OWN_LU: usize = 24;

/// Number of entries that are processed together. Columns are padded with zeros to a multiple of it.
const LANES: usize = 4;

/// Factors $L$, with a unit diagonal, and $U$.
///
/// Both are stored column by column, so that the additions of a substitution are independent of each other.
/// Each column has full length and is filled up with zeros, because a loop of a length known at compile time
/// is faster than a loop over only the nonzero entries.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangularFactors {
    diagonal: Vec<f64>,
    lower: Vec<[f64; LANES]>,
    upper: Vec<[f64; LANES]>,
}

impl TriangularFactors {
    /// Copies the factors from a square array that holds both, row by row.
    #[inline(always)]
    pub(super) fn take(&mut self, entries: &[f64], n: usize) {
        let chunks = n.div_ceil(LANES);
        for columns in [&mut self.lower, &mut self.upper] {
            columns.clear();
            columns.resize(n * chunks, [0.0; LANES]);
        }
        self.diagonal.clear();
        for (i, row) in entries.chunks_exact(n.max(1)).enumerate() {
            self.diagonal.push(row[i]);
            let (chunk, lane) = (i / LANES, i % LANES);
            for (j, entry) in row.iter().enumerate().filter(|(j, _)| *j != i) {
                let columns = if j < i { &mut self.lower } else { &mut self.upper };
                columns[j * chunks + chunk][lane] = *entry;
            }
        }
    }

    /// Overwrites `b` with $(L U)^{-1} b$.
    pub(super) fn solve(&self, b: &mut [f64]) {
        with_wide_registers(
            b.len() * b.len(),
            #[inline(always)]
            || self.solve_inlined(b),
        );
    }

    #[inline(always)]
    fn solve_inlined(&self, b: &mut [f64]) {
        match b.len().div_ceil(LANES) {
            0 => {}
            1 => self.solve_in_chunks::<1>(b),
            2 => self.solve_in_chunks::<2>(b),
            3 => self.solve_in_chunks::<3>(b),
            4 => self.solve_in_chunks::<4>(b),
            5 => self.solve_in_chunks::<5>(b),
            _ => self.solve_in_chunks::<{ LARGEST_OWN_LU / LANES }>(b),
        }
    }

    #[inline(always)]
    fn solve_in_chunks<const N: usize>(&self, b: &mut [f64]) {
        let mut x = [[0.0; LANES]; N];
        x.as_flattened_mut()[..b.len()].copy_from_slice(b);
        for (k, column) in self.lower.as_chunks::<N>().0.iter().enumerate() {
            subtract(x.as_flattened()[k], column, &mut x);
        }
        let columns = self.upper.as_chunks::<N>().0.iter().zip(&self.diagonal).enumerate();
        for (k, (column, pivot)) in columns.rev() {
            let x_k = &mut x.as_flattened_mut()[k];
            *x_k /= pivot;
            subtract(*x_k, column, &mut x);
        }
        b.copy_from_slice(&x.as_flattened()[..b.len()]);
    }
}

#[inline(always)]
fn subtract<const N: usize>(factor: f64, column: &[[f64; LANES]; N], x: &mut [[f64; LANES]; N]) {
    for (x, column) in x.iter_mut().zip(column) {
        for lane in 0..LANES {
            x[lane] -= factor * column[lane];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solution is bit-identical to the result of a substitution row by row with the same order of terms.
    #[test]
    fn every_size_is_solved_as_row_by_row() {
        let mut factors = TriangularFactors::default();
        for n in 0..=LARGEST_OWN_LU {
            let entry = |i: usize, j: usize| (1 + i * n + j) as f64 * 0.618_033_988_749_895 % 1.0;
            let factor = |i, j| if i == j { 2.0 + entry(i, j) } else { entry(i, j) - 0.5 };
            let entries: Vec<_> = (0..n * n).map(|place| factor(place / n, place % n)).collect();
            let mut solved: Vec<_> = (0..n).map(|i| entry(i, 7 * i) - 0.3).collect();
            let mut x = solved.clone();
            for i in 0..n {
                (0..i).for_each(|k| x[i] -= factor(i, k) * x[k]);
            }
            for i in (0..n).rev() {
                (i + 1..n).rev().for_each(|k| x[i] -= factor(i, k) * x[k]);
                x[i] /= factor(i, i);
            }
            factors.take(&entries, n);
            factors.solve(&mut solved);
            assert!(solved.iter().zip(&x).all(|(a, b)| a.to_bits() == b.to_bits()), "{n}: {solved:?}, {x:?}");
        }
    }
}
