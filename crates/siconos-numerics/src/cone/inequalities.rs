//! Sparse linear inequalities, stored row by row.

use ndarray::ArrayView2;
use siconos_linalg::MatrixError;

use crate::engine::{check_finite, check_length};
use crate::error::ProblemError;

/// Linear inequalities $H x \ge k$ in n unknowns, stored row by row with the nonzero entries of H.
///
/// The rows can change from one solve to the next. A label identifies an inequality in all solves, whatever
/// its row index is. A solver can therefore find whether an inequality was active in the previous solve.
///
/// ```
/// use siconos_numerics::cone::Inequalities;
///
/// // Three beads in a row keep their distance: x_2 - x_1 >= 1, x_3 - x_2 >= 1.
/// let mut rows = Inequalities::new(3);
/// rows.push(0, [(0, -1.0), (1, 1.0)], 1.0);
/// rows.push(1, [(1, -1.0), (2, 1.0)], 1.0);
/// assert_eq!((rows.len(), rows.gap(1, &[0.0, 1.5, 2.0])), (2, -0.5));
/// rows.check()?;
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inequalities {
    n: usize,
    labels: Vec<usize>,
    /// Position of the end of each row in the list of entries.
    ends: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    bounds: Vec<f64>,
}

impl Inequalities {
    /// Creates an empty list of inequalities in n unknowns.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { n, ..Self::default() }
    }

    /// Adds an inequality. `label` identifies it in all solves. The entries are pairs of an unknown and its
    /// factor; factors for the same unknown are added. `bound` is the entry of k.
    pub fn push(&mut self, label: usize, entries: impl IntoIterator<Item = (usize, f64)>, bound: f64) {
        for (column, value) in entries {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
        self.labels.push(label);
        self.bounds.push(bound);
    }

    /// Removes all inequalities and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.labels.clear();
        self.ends.clear();
        self.columns.clear();
        self.values.clear();
        self.bounds.clear();
    }

    /// Replaces all inequalities by the rows of H, a `p x n` matrix, with the p bounds k. The label of a row
    /// is its index.
    ///
    /// # Panics
    ///
    /// If the length of k differs from the number of rows of H.
    pub fn assign(&mut self, h: ArrayView2<'_, f64>, k: &[f64]) {
        assert_eq!(h.nrows(), k.len(), "each row has its bound");
        self.clear();
        self.n = h.ncols();
        for (label, (row, k)) in h.rows().into_iter().zip(k).enumerate() {
            let entries = row.into_iter().copied().enumerate().filter(|(_, value)| *value != 0.0);
            self.push(label, entries, *k);
        }
    }

    /// Returns the number of unknowns, n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// Returns the number of inequalities, p.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Returns `true` if the number of inequalities is 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// Returns the labels in the order of the rows.
    #[must_use]
    pub fn labels(&self) -> &[usize] {
        &self.labels
    }

    /// Returns the bounds k in the order of the rows.
    #[must_use]
    pub fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// Returns the entries of row i as pairs of an unknown and its factor.
    ///
    /// # Panics
    ///
    /// If the row does not exist.
    pub fn entries(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.range(i);
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Returns the gap of row i, $H_i x - k_i$, which is negative if x violates the row.
    ///
    /// # Panics
    ///
    /// If the row does not exist, or if x is too short.
    #[must_use]
    pub fn gap(&self, i: usize, x: &[f64]) -> f64 {
        self.product(i, x) - self.bounds[i]
    }

    /// Returns $H_i x$.
    pub(super) fn product(&self, i: usize, x: &[f64]) -> f64 {
        self.entries(i).map(|(column, value)| value * x[column]).sum()
    }

    /// Returns the sum of the magnitudes of the terms of the gap of row i, for unknowns with the magnitudes
    /// `sizes`. Rounding errors of the gap are proportional to this sum.
    pub(super) fn terms(&self, i: usize, sizes: &[f64]) -> f64 {
        let terms: f64 = self.entries(i).map(|(column, value)| value.abs() * sizes[column]).sum();
        terms + self.bounds[i].abs()
    }

    /// Adds $factor \cdot H_i^T$ to the vector `to`.
    pub(super) fn add_row(&self, i: usize, factor: f64, to: &mut [f64]) {
        self.entries(i).for_each(|(column, value)| to[column] += factor * value);
    }

    /// Returns `true` if H equals the H of `other`, row by row.
    pub(super) fn has_rows_of(&self, other: &Self) -> bool {
        self.n == other.n
            && self.ends == other.ends
            && self.columns == other.columns
            && self.values == other.values
    }

    /// Copies `other` into the existing allocations.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.n = other.n;
        self.labels.clone_from(&other.labels);
        self.ends.clone_from(&other.ends);
        self.columns.clone_from(&other.columns);
        self.values.clone_from(&other.values);
        self.bounds.clone_from(&other.bounds);
    }

    /// Checks that all entries belong to existing unknowns and that all values are finite.
    ///
    /// # Errors
    ///
    /// If an entry belongs to an unknown that does not exist ([`MatrixError::EntryPosition`]), or if a value
    /// is not finite ([`ProblemError::NotFinite`]). The index in the error counts all entries of H in the
    /// order in which they were given, or the entries of k.
    pub fn check(&self) -> Result<(), ProblemError> {
        if let Some(entry) = self.columns.iter().position(|column| *column >= self.n) {
            let row = self.ends.partition_point(|end| *end <= entry);
            let (column, rows, columns) = (self.columns[entry], self.len(), self.n);
            return Err(MatrixError::EntryPosition { row, column, rows, columns }.into());
        }
        check_finite("H", &self.values)?;
        check_finite("k", &self.bounds)
    }

    /// Checks that a point consists of n finite values.
    pub(super) fn check_point(&self, x: &[f64]) -> Result<(), ProblemError> {
        check_length("x", self.n, x.len())?;
        check_finite("x", x)
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        start..self.ends[i]
    }
}
