//! Scaled matrix of the pivoting methods, stored by columns.
//!
//! The methods work on $S (M / u) S$ and $S q$. The diagonal matrix $S$ brings the diagonal of the product
//! near 1, and u is near the largest entry of M. A matrix multiplied by a power of two therefore yields the
//! same pivots. In exact arithmetic the pivots do not depend on the scaling. In floating point, every test
//! for zero compares coefficients with different units. Without scaling, such a test could mistake entries
//! for rounding errors, or rounding errors for entries, if light and heavy bodies touch or if all entries of
//! the matrix are large. $S$ and u consist of powers of two, so the scaling itself does not round.

use ndarray::ArrayView2;
use siconos_linalg::{add_combination, largest_magnitude, power_of_two_below, with_wide_registers};

/// Diagonal entries below this multiple of the largest entry do not determine the scale of their row.
const NO_UNIT: f64 = 1e-15;

/// Number of rows that are copied together. Their entries in a column fill one cache line.
const TOGETHER: usize = 8;

/// $S (M / u) S$ stored by columns, followed by one column for the covering vector of Lemke's method.
#[derive(Clone, Debug, Default)]
pub(super) struct ScaledMatrix {
    n: usize,
    /// Distance between columns: column j starts at `j * stride`.
    stride: usize,
    columns: Vec<f64>,
    scale: Vec<f64>,
    /// Power of two u by which the matrix is divided first.
    unit: f64,
}

impl ScaledMatrix {
    /// Copies a square matrix.
    pub(super) fn set(&mut self, m: ArrayView2<'_, f64>) {
        let n = m.nrows();
        self.n = n;
        self.stride = if n >= 64 { n.next_multiple_of(64) + 8 } else { n };
        if self.columns.len() < (n + 1) * self.stride {
            self.columns.resize((n + 1) * self.stride, 0.0);
        }
        match m.as_slice() {
            Some(entries) => self.copy(entries),
            // Column-major or a block of a larger matrix; speed does not matter here.
            None => {
                let largest = m.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
                self.set_scale(largest, m.diag().into_iter());
                for ((i, j), &m_ij) in m.indexed_iter() {
                    self.columns[j * self.stride + i] = self.scale[i] * (m_ij / self.unit) * self.scale[j];
                }
            }
        }
    }

    /// Returns the diagonal of $S$.
    pub(super) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Converts entry i of a scaled solution to the z_i of the problem.
    pub(super) fn unscaled(&self, i: usize, x: f64) -> f64 {
        x * self.scale[i] / self.unit
    }

    /// Returns column j of $S (M / u) S$, or the additional column if j = n.
    pub(super) fn column(&self, j: usize) -> &[f64] {
        &self.columns[j * self.stride..][..self.n]
    }

    /// Sets the additional column to $S d$, divided by its entry in row `unit`.
    pub(super) fn set_covering_column(&mut self, covering: impl Fn(usize) -> f64, unit: usize) {
        let of_unit = self.scale[unit] * covering(unit);
        let column = &mut self.columns[self.n * self.stride..][..self.n];
        for (i, (d, s)) in column.iter_mut().zip(&self.scale).enumerate() {
            *d = s * covering(i) / of_unit;
        }
    }

    /// Writes to `entries` the entries of column j in the given rows.
    pub(super) fn copy_of_column(&self, j: usize, rows: &[usize], entries: &mut Vec<f64>) {
        let column = self.column(j);
        entries.clear();
        entries.extend(rows.iter().map(|&i| column[i]));
    }

    /// Writes to `entries` the entries of row i in the given columns.
    pub(super) fn copy_of_row(&self, i: usize, columns: &[usize], entries: &mut Vec<f64>) {
        entries.clear();
        self.append_row(i, columns, entries);
    }

    /// Writes a block to `entries`, row by row.
    pub(super) fn copy_block(&self, rows: &[usize], columns: &[usize], entries: &mut Vec<f64>) {
        entries.clear();
        rows.iter().for_each(|&i| self.append_row(i, columns, entries));
    }

    /// Adds the columns, each times its coefficient, to `y`.
    pub(super) fn add_columns(&self, columns: &[usize], coefficients: &[f64], y: &mut [f64]) {
        with_wide_registers(
            self.n,
            #[inline(always)]
            || add_combination(coefficients, |k| self.column(columns[k]), y),
        );
    }

    fn append_row(&self, i: usize, columns: &[usize], entries: &mut Vec<f64>) {
        entries.extend(columns.iter().map(|&j| self.columns[j * self.stride + i]));
    }

    fn set_scale<'a>(&mut self, largest: f64, diagonal: impl Iterator<Item = &'a f64>) {
        self.unit = power_of_two_below(largest);
        let unit = self.unit;
        let of_diagonal = |x: f64| if x > NO_UNIT * largest { inverse_root(x / unit) } else { 1.0 };
        self.scale.clear();
        self.scale.extend(diagonal.map(|&x| of_diagonal(x)));
    }

    /// Copies a row-major matrix.
    fn copy(&mut self, entries: &[f64]) {
        let n = self.n;
        self.set_scale(largest_magnitude(entries), entries.iter().step_by(n + 1));
        let (scale, inverse) = (&self.scale, 1.0 / self.unit);
        let mut groups = entries.chunks_exact((TOGETHER * n).max(1));
        let mut first = 0;
        for group in groups.by_ref() {
            let rows: [&[f64]; TOGETHER] = std::array::from_fn(|k| &group[k * n..][..n]);
            let scales: [f64; TOGETHER] = std::array::from_fn(|k| scale[first + k] * inverse);
            for (j, column) in self.columns.chunks_exact_mut(self.stride).take(n).enumerate() {
                let target = &mut column[first..first + TOGETHER];
                for k in 0..TOGETHER {
                    target[k] = scales[k] * rows[k][j] * scale[j];
                }
            }
            first += TOGETHER;
        }
        for (i, row) in (first..n).zip(groups.remainder().chunks_exact(n.max(1))) {
            for (j, m_ij) in row.iter().enumerate() {
                self.columns[j * self.stride + i] = scale[i] * inverse * m_ij * scale[j];
            }
        }
    }
}

/// Returns a power of two near $1 / \sqrt{x}$ for x > 0, from the exponent of x.
///
/// The exponent is limited to half its range, so that the product of two results is still a power of two.
fn inverse_root(x: f64) -> f64 {
    const BIAS: i64 = 1023;
    let exponent = (x.to_bits() >> 52) as i64 - BIAS;
    let half = -((exponent + 1) >> 1);
    f64::from_bits(((half.clamp(-500, 500) + BIAS) as u64) << 52)
}
