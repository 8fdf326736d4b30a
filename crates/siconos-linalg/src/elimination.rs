//! Order of elimination, and pattern of L, for the factorisation $L D L^T$ of a sparse symmetric matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::Csc;

/// Order of elimination and pattern of L, independent of the values of the matrix.
///
/// A band matrix is eliminated in its natural order, all other matrices in an order that limits the fill-in
/// (AMD; Amestoy, Davis, Duff 1996). The pattern of L is reused as long as the pattern of the matrix does not
/// change. For band matrices, it is also reused if the number of rows changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    layout: Layout,
    n: usize,
    /// Row of the matrix at each position in the order of elimination, and position of each row.
    order: Vec<usize>,
    place_of: Vec<usize>,
    /// Index in `entries` of the first entry of each row of L, followed by the number of entries.
    row_starts: Vec<usize>,
    /// Entries of L row by row, each as (column, index of its value). Within a row the columns increase.
    entries: Vec<(usize, usize)>,
    /// Index of the first value of each column of L.
    column_starts: Vec<usize>,
    /// Row of L of each value, increasing within each column.
    rows: Vec<usize>,
    /// Pattern of the matrix, unless it is a band.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Layout {
    #[default]
    None,
    /// Band with this number of diagonals below the main diagonal.
    Band(usize),
    Ordered,
    /// The fill-in is so large that a supernodal factorisation is faster.
    TooFull,
}

/// Number of operations per entry of L above which a supernodal factorisation, which eliminates dense groups
/// of columns, is faster than the simplicial (entry-by-entry) factorisation of this crate (Chen, Davis,
/// Hager, Rajamanickam 2008, section 5.1).
const WELL_FILLED: f64 = 40.0;

impl Elimination {
    /// Determines the pattern of L for a symmetric matrix. Returns `false` if L is so dense that other
    /// factorisations are faster.
    pub(super) fn lay_out(&mut self, a: &Csc) -> bool {
        let n = a.columns();
        let distance = |j: usize| a.column(j).map(move |(i, _)| i.abs_diff(j)).max();
        let below = (0..n).filter_map(distance).max().unwrap_or(0);
        if below as f64 <= WELL_FILLED && n * (below + 1) <= 2 * a.entries() {
            self.lay_out_band(n, below);
        } else if matches!(self.layout, Layout::None | Layout::Band(_)) || !self.has_pattern_of(a) {
            self.take_pattern(a);
            self.layout = Layout::TooFull;
            if self.find_order().is_some_and(|operations_per_entry| operations_per_entry <= WELL_FILLED) {
                self.lay_out_ordered();
                self.layout = Layout::Ordered;
            }
        }
        self.layout != Layout::TooFull
    }

    /// Determines the pattern of L for a matrix with a symmetric pattern, in an order that limits the
    /// fill-in, even if L is nearly dense. Returns `true` if the pattern of the last matrix is reused.
    pub(super) fn lay_out_whole(&mut self, a: &Csc) -> bool {
        if self.layout == Layout::Ordered && self.has_pattern_of(a) {
            return true;
        }
        self.take_pattern(a);
        if a.columns() == 0 || self.find_order().is_none() {
            // Without an order that limits the fill-in, the rows are eliminated in the order of the matrix.
            for list in [&mut self.order, &mut self.place_of] {
                list.clear();
                list.extend(0..a.columns());
            }
        }
        self.lay_out_ordered();
        self.layout = Layout::Ordered;
        false
    }

    fn has_pattern_of(&self, a: &Csc) -> bool {
        self.starts == a.starts() && self.row_indices == a.row_indices()
    }

    fn take_pattern(&mut self, a: &Csc) {
        self.starts.clear();
        self.starts.extend_from_slice(a.starts());
        self.row_indices.clear();
        self.row_indices.extend_from_slice(a.row_indices());
        self.n = a.columns();
    }

    fn lay_out_band(&mut self, n: usize, below: usize) {
        if self.layout != Layout::Band(below) {
            self.layout = Layout::Band(below);
            for list in [&mut self.order, &mut self.place_of, &mut self.column_starts, &mut self.rows] {
                list.clear();
            }
            self.entries.clear();
            self.row_starts.clear();
            self.row_starts.push(0);
        }
        self.n = n;
        for k in self.order.len()..n {
            self.order.push(k);
            self.place_of.push(k);
            self.column_starts.push(k * below);
            self.rows.extend(k + 1..=k + below);
            self.entries.extend((k.saturating_sub(below)..k).map(|j| (j, j * below + k - j - 1)));
            self.row_starts.push(self.entries.len());
        }
    }

    /// Computes an order with little fill-in, and the number of operations per entry of L. Returns `None` if
    /// this fails.
    fn find_order(&mut self) -> Option<f64> {
        let n = self.n;
        for list in [&mut self.order, &mut self.place_of] {
            list.clear();
            list.resize(n, 0);
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.row_indices);
        let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, self.row_indices.len()));
        let (order, place_of) = (&mut self.order, &mut self.place_of);
        let stack = MemStack::new(&mut memory);
        let operations = amd::order(order, place_of, pattern, amd::Control::default(), stack).ok()?;
        Some((operations.n_div + operations.n_mult_subs_ldl) / operations.n_div.max(1.0))
    }

    /// Determines the entries of L row by row, by following the elimination tree upwards from each entry of
    /// the matrix (Liu 1990; Davis 2006, section 4.2).
    fn lay_out_ordered(&mut self) {
        const NONE: usize = usize::MAX;
        let n = self.n;
        self.row_starts.clear();
        self.row_starts.push(0);
        self.entries.clear();
        self.column_starts.clear();
        self.column_starts.resize(n + 1, 0);
        let (mut parent, mut seen_by) = (vec![NONE; n], vec![NONE; n]);
        for k in 0..n {
            seen_by[k] = k;
            let first = self.entries.len();
            let column = self.order[k];
            for &i in &self.row_indices[self.starts[column]..self.starts[column + 1]] {
                let mut j = self.place_of[i];
                while j < k && seen_by[j] != k {
                    self.entries.push((j, 0));
                    self.column_starts[j + 1] += 1;
                    if parent[j] == NONE {
                        parent[j] = k;
                    }
                    seen_by[j] = k;
                    j = parent[j];
                }
            }
            self.entries[first..].sort_unstable();
            self.row_starts.push(self.entries.len());
        }
        for j in 0..n {
            self.column_starts[j + 1] += self.column_starts[j];
        }
        let mut next = self.column_starts.clone();
        self.rows.clear();
        self.rows.resize(self.entries.len(), 0);
        for k in 0..n {
            for (j, place) in &mut self.entries[self.row_starts[k]..self.row_starts[k + 1]] {
                *place = next[*j];
                self.rows[*place] = k;
                next[*j] += 1;
            }
        }
    }

    /// Returns the number of rows.
    pub(super) fn size(&self) -> usize {
        self.n
    }

    /// Returns the length of the array of the values of L.
    pub(super) fn values(&self) -> usize {
        match self.layout {
            Layout::Band(below) => self.n * below,
            _ => self.rows.len(),
        }
    }

    /// Returns the row of the matrix at each position in the order.
    pub(super) fn order(&self) -> &[usize] {
        &self.order[..self.n]
    }

    /// Returns the position of a row of the matrix in the order.
    #[inline]
    pub(super) fn place_of(&self, row: usize) -> usize {
        self.place_of[row]
    }

    /// Returns the entries of row `k` of L to the left of the diagonal, each as (column, index of its value).
    /// The columns increase.
    #[inline]
    pub(super) fn row(&self, k: usize) -> &[(usize, usize)] {
        &self.entries[self.row_starts[k]..self.row_starts[k + 1]]
    }

    /// Returns the index of the first value of a column of L.
    #[inline]
    pub(super) fn column_start(&self, j: usize) -> usize {
        self.column_starts[j]
    }

    /// Returns the rows of the entries of a column of L below its diagonal, in increasing order. It must not
    /// be called for a band matrix.
    pub(super) fn column(&self, j: usize) -> &[usize] {
        &self.rows[self.column_starts[j]..self.column_starts[j + 1]]
    }

    /// Returns the row of L of each value.
    #[inline]
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }
}
