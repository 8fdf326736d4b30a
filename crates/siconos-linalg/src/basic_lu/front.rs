//! Dense frontal matrix of a multifrontal elimination.

use super::Sizes;

/// Frontal matrix: the rows and columns that a group of pivots changes, stored as a dense matrix.
///
/// A row or column is complete if all entries of the matrix and of earlier fronts have been added to it. The
/// complete rows and columns come first, and pivots are chosen among them. The rows and columns without a
/// pivot are passed to the parent front.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// Row (`rows`) and column (`columns`) of the matrix at each position of the front.
    pub(super) rows: Vec<usize>,
    pub(super) columns: Vec<usize>,
    complete_rows: usize,
    complete_columns: usize,
    /// Entries, stored row by row. In the rows and columns of the pivots, these are the factors.
    values: Vec<f64>,
    /// Number of pivots. They are at the first positions.
    pub(super) pivots: usize,
    /// End of the range of redundant rows, which are left out. This range follows the rows of the pivots.
    /// `left_columns` is the end of the range of redundant columns.
    left_rows: usize,
    left_columns: usize,
}

/// Maximum growth of an entry caused by one pivot, relative to the original entries of the matrix.
const GROWTH: f64 = 64.0;

impl Front {
    /// Sets the complete rows and columns to `own` and removes all others.
    pub(super) fn begin(&mut self, own: &[usize]) {
        for list in [&mut self.rows, &mut self.columns] {
            list.clear();
            list.extend_from_slice(own);
        }
    }

    /// Adds the complete rows and columns for which the child front `below` found no pivot.
    pub(super) fn take_over(&mut self, below: &Self) {
        self.rows.extend_from_slice(&below.rows[below.left_rows..below.complete_rows]);
        self.columns.extend_from_slice(&below.columns[below.left_columns..below.complete_columns]);
    }

    /// Adds the rows and columns that are completed in later fronts, and fills the front with zeros.
    pub(super) fn extend(&mut self, changed: impl Iterator<Item = usize>) {
        (self.complete_rows, self.complete_columns) = (self.rows.len(), self.columns.len());
        self.rows.extend(changed);
        self.columns.extend_from_slice(&self.rows[self.complete_rows..]);
        self.values.clear();
        self.values.resize(self.rows.len() * self.columns.len(), 0.0);
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.columns.len() + column] += value;
    }

    /// Adds the values that the child front `below` holds in its rows and columns without a pivot. `rows` and
    /// `columns` map indices of the matrix to positions in this front.
    pub(super) fn add_left(&mut self, below: &Self, rows: &[usize], columns: &[usize]) {
        for i in below.left_rows..below.rows.len() {
            let line = below.line(i);
            let place = rows[below.rows[i]] * self.columns.len();
            for (column, value) in below.columns.iter().zip(line).skip(below.left_columns) {
                self.values[place + columns[*column]] += value;
            }
        }
    }

    /// Returns the row at position `place`, including its factors.
    fn line(&self, place: usize) -> &[f64] {
        let width = self.columns.len();
        &self.values[place * width..][..width]
    }

    /// Forward substitution: subtracts multiples of the pivot rows of the right-hand side `y` from its other
    /// rows. `y` is indexed by row of the matrix.
    pub(super) fn forward(&self, y: &mut [f64]) {
        for (place, &row) in self.rows.iter().enumerate() {
            let pivots = &self.rows[..place.min(self.pivots)];
            y[row] -= self.line(place).iter().zip(pivots).map(|(l, &pivot)| l * y[pivot]).sum::<f64>();
        }
    }

    /// Adds to `terms` the magnitudes of the terms that [`forward`](Self::forward) subtracted. `y` is the
    /// result of `forward`.
    pub(super) fn add_magnitudes(&self, y: &[f64], terms: &mut [f64]) {
        for (place, &row) in self.rows.iter().enumerate() {
            let pivots = &self.rows[..place.min(self.pivots)];
            let taken = self.line(place).iter().zip(pivots).map(|(l, &pivot)| (l * y[pivot]).abs());
            terms[row] += taken.sum::<f64>();
        }
    }

    /// Back-substitution: computes the unknowns of the pivots from the right-hand side `y`, indexed by row of
    /// the matrix, and from the unknowns of later fronts.
    pub(super) fn backward(&self, y: &[f64], x: &mut [f64]) {
        for place in (0..self.pivots).rev() {
            let (pivot, others) = (self.line(place)[place], &self.line(place)[place + 1..]);
            let known = others.iter().zip(&self.columns[place + 1..]).map(|(u, &column)| u * x[column]);
            x[self.columns[place]] = (y[self.rows[place]] - known.sum::<f64>()) / pivot;
        }
    }

    /// Returns the rows that were left out. Each comes with its largest remaining entry, relative to the
    /// original entries of its row and column.
    pub(super) fn left_out(&self, sizes: &Sizes) -> impl Iterator<Item = (usize, f64)> {
        (self.pivots..self.left_rows).map(|place| {
            let row = self.rows[place];
            let entries = self.columns.iter().zip(self.line(place)).skip(self.pivots);
            let parts = entries.map(|(column, value)| sizes.part(*value, row, *column));
            (row, parts.fold(0.0, f64::max))
        })
    }

    /// Returns `true` if all computed values are finite.
    pub(super) fn is_finite(&self) -> bool {
        super::super::are_finite(&self.values)
    }

    /// Returns the number of operations of the elimination of the pivots, and of one solve.
    pub(super) fn operations(&self) -> (f64, f64) {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let of = |k: usize| 2.0 * ((rows - k) * (columns - k)) as f64;
        ((0..self.pivots).map(of).sum(), 2.0 * (self.pivots * (rows + columns)) as f64)
    }

    /// Eliminates as many pivots as possible. Each pivot is the largest entry in the complete rows and
    /// columns that does not make other entries too large.
    ///
    /// Afterwards, complete rows and columns that contain only rounding errors are left out. In a root front,
    /// all rows and columns without a pivot are left out.
    pub(super) fn eliminate(&mut self, sizes: &Sizes, is_root: bool) {
        self.pivots = 0;
        while let Some((row, column)) = self.best_pivot(sizes, is_root) {
            self.swap_rows(self.pivots, row);
            self.swap_columns(self.pivots, column);
            self.subtract_pivot_row();
            self.pivots += 1;
        }
        self.left_rows = self.pivots;
        for row in self.pivots..self.complete_rows {
            let is_rounding =
                (self.pivots..self.columns.len()).all(|column| self.is_rounding(sizes, row, column));
            if is_root || is_rounding {
                self.swap_rows(self.left_rows, row);
                self.left_rows += 1;
            }
        }
        self.left_columns = self.pivots;
        for column in self.pivots..self.complete_columns {
            let is_rounding = (self.pivots..self.rows.len()).all(|row| self.is_rounding(sizes, row, column));
            if is_root || is_rounding {
                self.swap_columns(self.left_columns, column);
                self.left_columns += 1;
            }
        }
    }

    fn is_rounding(&self, sizes: &Sizes, row: usize, column: usize) -> bool {
        let value = self.values[row * self.columns.len() + column];
        sizes.is_rounding(value, self.rows[row], self.columns[column])
    }

    /// Returns the position of the largest entry that is acceptable as a pivot. A pivot changes another entry
    /// by at most the largest entry of the pivot row times the largest entry of the pivot column, divided by
    /// the pivot. In a positive semidefinite matrix the change is never larger than the entries of the
    /// matrix.
    fn best_pivot(&self, sizes: &Sizes, is_root: bool) -> Option<(usize, usize)> {
        let (first, width) = (self.pivots, self.columns.len());
        let mut of_columns = vec![0.0_f64; self.complete_columns - first];
        for row in first..self.rows.len() {
            let line = &self.line(row)[first..self.complete_columns];
            of_columns.iter_mut().zip(line).for_each(|(largest, x)| *largest = largest.max(x.abs()));
        }
        let mut best = None;
        let mut largest = 0.0;
        for row in first..self.complete_rows {
            let line = &self.line(row)[first..width];
            let of_row = line.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
            if of_row <= largest {
                continue;
            }
            for (k, (x, of_column)) in line.iter().zip(&of_columns).enumerate() {
                let column = first + k;
                let is_gentle =
                    || is_root || of_row * of_column <= GROWTH * x.abs() * sizes.rows[self.rows[row]];
                if x.abs() > largest && !self.is_rounding(sizes, row, column) && is_gentle() {
                    (best, largest) = (Some((row, column)), x.abs());
                }
            }
        }
        best
    }

    fn subtract_pivot_row(&mut self) {
        let (k, width) = (self.pivots, self.columns.len());
        let (above, below) = self.values.split_at_mut((k + 1) * width);
        let pivot_row = &above[k * width + k..];
        for line in below.chunks_exact_mut(width) {
            let factor = line[k] / pivot_row[0];
            line[k] = factor;
            if factor != 0.0 {
                line[k + 1..].iter_mut().zip(&pivot_row[1..]).for_each(|(x, u)| *x -= factor * u);
            }
        }
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let width = self.columns.len();
        self.rows.swap(a, b);
        let (above, below) = self.values.split_at_mut(a.max(b) * width);
        above[a.min(b) * width..][..width].swap_with_slice(&mut below[..width]);
    }

    fn swap_columns(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        self.columns.swap(a, b);
        self.values.chunks_exact_mut(self.columns.len()).for_each(|line| line.swap(a, b));
    }
}
