//! Inverse of a square block, updated when one row or one column is added, removed or replaced.
//!
//! Pivoting methods solve with a block that differs from the previous one by one row, one column, or one of
//! each. Each of the four changes is a rank-one update of the inverse (Sherman and Morrison 1950; bordering:
//! Golub and Van Loan 2013, sections 2.1.4 and 3.2). A pivot therefore costs the square of the block size
//! instead of its cube.

use super::inlined::{add_combination, add_scaled, dot};
use super::{DenseLu, SingularMatrix, square, with_wide_registers};
use crate::operations;

/// Inverse $G = A^{-1}$. Row c of $G$ belongs to column c of $A$, and column r of $G$ to row r of $A$.
///
/// The caller stores which rows and columns form $A$, in vectors that are changed with [`Vec::push`] and
/// [`Vec::swap_remove`].
#[derive(Clone, Debug, Default)]
pub struct UpdatedInverse {
    size: usize,
    /// Distance between the starts of successive rows: row c starts at `c * stride`.
    stride: usize,
    largest_stride: usize,
    entries: Vec<f64>,
    row: Vec<f64>,
    lu: DenseLu,
}

/// Returns the stride for rows of `size` entries. It is a multiple of 64 bytes but not of 512 bytes, because
/// rows at multiples of 512 bytes would compete for few cache lines.
fn padded(size: usize) -> usize {
    let stride = size.next_multiple_of(8);
    if stride.is_multiple_of(64) { stride + 8 } else { stride }
}

impl UpdatedInverse {
    /// Makes the block $A$ empty, and allocates memory for blocks of up to `largest` rows.
    pub fn reset(&mut self, largest: usize) {
        self.size = 0;
        self.largest_stride = padded(largest.max(1));
        self.stride = self.largest_stride.min(8);
        let needed = self.largest_stride * self.largest_stride;
        if self.entries.len() < needed {
            // A new vector is allocated instead of resizing the old one, so that unused memory pages are
            // never touched.
            self.entries = vec![0.0; needed];
        }
    }

    /// Returns row c of $G$.
    pub fn row(&self, c: usize) -> &[f64] {
        &self.entries[c * self.stride..][..self.size]
    }

    /// Writes column r of $G$ to `column`.
    pub fn copy_column(&self, r: usize, column: &mut Vec<f64>) {
        column.clear();
        column.extend((0..self.size).map(|c| self.entries[c * self.stride + r]));
    }

    /// Writes $G b$ to `product`.
    pub fn apply(&self, b: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.resize(self.size, 0.0);
        self.count_pass();
        let (size, stride, entries) = (self.size, self.stride, &self.entries);
        with_wide_registers(
            size,
            #[inline(always)]
            || {
                for (c, product) in product.iter_mut().enumerate() {
                    *product = dot(&entries[c * stride..][..size], b);
                }
            },
        );
    }

    /// Writes $G^T c$ to `product`.
    pub fn apply_transposed(&self, c: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.resize(self.size, 0.0);
        self.count_pass();
        with_wide_registers(
            self.size,
            #[inline(always)]
            || add_combination(c, |k| self.row(k), product),
        );
    }

    /// Borders $A$ to `[A b; c e]`, given $x = -G b$, $y = G^T c$ and the pivot $e - c^T G b$.
    pub fn grow(&mut self, x: &[f64], y: &[f64], pivot: f64) {
        let k = self.size;
        self.count_pass();
        if k == self.stride {
            self.widen();
        }
        self.size = k + 1;
        let (stride, entries) = (self.stride, &mut self.entries);
        with_wide_registers(
            k,
            #[inline(always)]
            || {
                for (c, x) in x.iter().enumerate() {
                    let row = &mut entries[c * stride..][..=k];
                    add_scaled(-x / pivot, y, &mut row[..k]);
                    row[k] = x / pivot;
                }
            },
        );
        let row = &mut self.entries[k * self.stride..][..=k];
        row.iter_mut().zip(y).for_each(|(g, y)| *g = -y / pivot);
        row[k] = 1.0 / pivot;
    }

    /// Removes row r and column c from $A$. The last row and the last column move to the free positions.
    pub fn remove(&mut self, r: usize, c: usize) {
        let last = self.size - 1;
        self.count_pass();
        let pivot = self.entries[c * self.stride + r];
        self.keep_row(c);
        let (stride, entries, kept) = (self.stride, &mut self.entries, &self.row);
        with_wide_registers(
            self.size,
            #[inline(always)]
            || {
                for k in (0..=last).filter(|&k| k != c) {
                    let row = &mut entries[k * stride..][..=last];
                    add_scaled(-row[r] / pivot, kept, row);
                    row[r] = row[last];
                }
            },
        );
        if c != last {
            self.entries.copy_within(last * self.stride..last * self.stride + last, c * self.stride);
        }
        self.size = last;
    }

    /// Replaces row r of $A$, given $y = G^T$ times the new row.
    pub fn replace_row(&mut self, r: usize, y: &[f64]) {
        let pivot = y[r];
        self.count_pass();
        let (size, stride, entries) = (self.size, self.stride, &mut self.entries);
        with_wide_registers(
            size,
            #[inline(always)]
            || {
                for k in 0..size {
                    let row = &mut entries[k * stride..][..size];
                    let factor = row[r] / pivot;
                    add_scaled(-factor, y, row);
                    row[r] = factor;
                }
            },
        );
    }

    /// Replaces column c of $A$, given $x = -G$ times the new column.
    pub fn replace_column(&mut self, c: usize, x: &[f64]) {
        let pivot = x[c];
        self.count_pass();
        self.keep_row(c);
        let (size, stride, entries, kept) = (self.size, self.stride, &mut self.entries, &self.row);
        with_wide_registers(
            size,
            #[inline(always)]
            || {
                for (k, x) in x.iter().enumerate() {
                    let row = &mut entries[k * stride..][..size];
                    if k == c {
                        row.iter_mut().for_each(|g| *g /= -pivot);
                    } else {
                        add_scaled(-x / pivot, kept, row);
                    }
                }
            },
        );
    }

    /// Replaces $A$ by `block`, a matrix of the given size stored row by row, and inverts it.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if `block` is singular. The inverse is then unchanged.
    pub fn set_inverse_of(&mut self, block: &[f64], size: usize) -> Result<(), SingularMatrix> {
        self.lu.factor(square(block, size))?;
        self.size = size;
        if size > self.stride {
            self.stride = self.largest_stride;
        }
        for r in 0..self.size {
            self.row.clear();
            self.row.resize(self.size, 0.0);
            self.row[r] = 1.0;
            self.lu.solve(&mut self.row);
            for (c, x) in self.row.iter().enumerate() {
                self.entries[c * self.stride + r] = *x;
            }
        }
        Ok(())
    }

    /// Counts one multiplication and one addition for each entry of the inverse.
    fn count_pass(&self) {
        operations::count(|| 2.0 * (self.size * self.size) as f64);
    }

    fn keep_row(&mut self, c: usize) {
        self.row.clear();
        self.row.extend_from_slice(&self.entries[c * self.stride..][..self.size]);
    }

    /// Increases the stride. The rows are moved from last to first.
    fn widen(&mut self) {
        let wider = padded(self.stride + self.stride / 2).min(self.largest_stride);
        for c in (1..self.size).rev() {
            self.entries.copy_within(c * self.stride..c * self.stride + self.size, c * wider);
        }
        self.stride = wider;
    }
}
