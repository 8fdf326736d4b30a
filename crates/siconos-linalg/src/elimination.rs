//! Where the entries of L lie in $L D L^T$ of a sparse symmetric matrix, and the order of elimination.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::Csc;

/// The pattern of L for one order of elimination, whatever the values: of a band in its own order, of other
/// matrices in one that limits the fill (AMD; Amestoy, Davis, Duff 1996). It is kept while the pattern of the
/// matrix stays, and that of a band for all numbers of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    layout: Layout,
    n: usize,
    /// By place in the order, the row of the matrix; and by row its place.
    order: Vec<usize>,
    place_of: Vec<usize>,
    /// By row of L its first entry here, and the number of entries at the end.
    row_starts: Vec<usize>,
    /// The entries of L, row by row and increasing in each: its column, and where its value is.
    entries: Vec<(usize, usize)>,
    /// By column of L where its first value is.
    column_starts: Vec<usize>,
    /// By value the row of L; those of a column are increasing.
    rows: Vec<usize>,
    /// The pattern of the matrix, other than a band.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Layout {
    #[default]
    None,
    /// With so many diagonals below the main one.
    Band(usize),
    Ordered,
    /// So much fill that entries are better off in dense groups.
    TooFull,
}

/// Operations per entry of L from which on dense groups of columns pay (Chen, Davis, Hager, Rajamanickam
/// 2008, section 5.1), which entry by entry are not made use of.
const WELL_FILLED: f64 = 40.0;

impl Elimination {
    /// Finds the pattern for a symmetric matrix; false where L has so many entries that other factors are
    /// faster.
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

    /// Finds the pattern for a matrix with a symmetric one however full L is, in an order that limits the
    /// fill; whether it is that of the last matrix.
    pub(super) fn lay_out_whole(&mut self, a: &Csc) -> bool {
        if self.layout == Layout::Ordered && self.has_pattern_of(a) {
            return true;
        }
        self.take_pattern(a);
        if a.columns() == 0 || self.find_order().is_none() {
            // Without an order the fill is not limited.
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

    /// Finds an order with little fill; the operations per entry of L.
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

    /// Finds the entries of L row by row, by going up the elimination tree from each entry of the matrix (Liu
    /// 1990; Davis 2006, section 4.2).
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

    /// The number of rows.
    pub(super) fn size(&self) -> usize {
        self.n
    }

    /// The number of places for values of L.
    pub(super) fn values(&self) -> usize {
        match self.layout {
            Layout::Band(below) => self.n * below,
            _ => self.rows.len(),
        }
    }

    /// By place in the order, the row of the matrix.
    pub(super) fn order(&self) -> &[usize] {
        &self.order[..self.n]
    }

    /// The place of a row of the matrix in the order.
    #[inline]
    pub(super) fn place_of(&self, row: usize) -> usize {
        self.place_of[row]
    }

    /// The entries of a row of L before its diagonal: column, and where the value is; increasing.
    #[inline]
    pub(super) fn row(&self, k: usize) -> &[(usize, usize)] {
        &self.entries[self.row_starts[k]..self.row_starts[k + 1]]
    }

    /// Where the first value of a column of L is.
    #[inline]
    pub(super) fn column_start(&self, j: usize) -> usize {
        self.column_starts[j]
    }

    /// The rows of the entries of a column of L below its diagonal, increasing, where it is no band.
    pub(super) fn column(&self, j: usize) -> &[usize] {
        &self.rows[self.column_starts[j]..self.column_starts[j + 1]]
    }

    /// By value the row of L.
    #[inline]
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }
}
