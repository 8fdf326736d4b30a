//! The reduction of a mixed problem to a linear complementarity problem by pivots on the mixed matrix.
//!
//! The dictionary basic_i = rhs_i + sum_c t_ic nonbasic_c starts as w = q + M z. Free unknowns must become
//! basic, and the w of equality rows nonbasic. The w of an equality row is then 0, and its column is not used
//! again.
//!
//! The first phase pivots on the equality rows and the free columns, until only zeros are left there. If the
//! equality block is regular, this is Gaussian elimination, and the dictionary holds its Schur complement.
//!
//! The second phase treats the remaining rows and columns if the block is singular: equality rows R and free
//! columns F, equal in number. In each pair (z_j, w_j), one member is basic in row r(j), and the other member
//! is nonbasic in column c(j). The pair can be reached from each row with a nonzero entry in column c(j).
//! Take a shortest path from a row i in R, over pairs j_1, .., j_t, to a column k in F, where each step is a
//! nonzero entry. The path selects the rows i, r(j_1), .., r(j_t) and the columns c(j_1), .., c(j_t), k. No
//! step can be skipped. The matrix of these rows and columns is therefore lower triangular, with the entries
//! of the steps on its diagonal, and is a regular principal block. Pivots on its diagonal, last step first,
//! make the free unknown of column k basic and w_i nonbasic, and z and w change roles in the pairs of the
//! path. Because this is a principal pivot (Cottle, Pang, Stone 1992, section 2.3), the remaining problem has
//! the same solutions.
//!
//! If no column of F can be reached, let S be the pairs that can be reached. The rows of R and of S have
//! nonzero entries only in the columns of S. In any complementary basis with all free unknowns, the rows of R
//! and of some pairs of S then have nonzero entries only in the columns of these pairs, and there are fewer
//! columns than rows. Every such basis is therefore singular, and exchanges cannot help. The search for a
//! path is a search for an augmenting path in the intersection of two linear matroids (Lawler 1976, chapter
//! 8).

use std::ops::Range;

use ndarray::ArrayView2;
use siconos_linalg::{MatrixRef, largest_magnitude, power_of_two_below};

use super::contradiction::contradicting;
use crate::mlcp::MlcpRow;
use crate::own_response;

/// An entry counts as 0 if it is at most this multiple of the size of its row and of the size of its column.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// In a row whose other entries are all 0, a right-hand side up to this multiple of its terms counts as 0.
const CONSISTENT: f64 = 1e-9;

/// Marks a missing index.
const NOWHERE: usize = usize::MAX;

/// Result of the reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mlcp) enum Reduced {
    /// All free unknowns are basic.
    Regular,
    /// No complementary basis is regular; the remaining equality rows are 0 on both sides.
    Redundant { rank: usize },
    /// No complementary basis is regular; some of the remaining equality rows have entries, or a right-hand
    /// side that is not clearly a contradiction.
    Deficient { rank: usize },
    /// The equality rows are inconsistent, and the problem has no solution. `row` is one of these rows.
    Inconsistent { row: usize },
}

/// Complementary pair (z_j, w_j), with the row of its basic member and the column of its nonbasic member.
/// `exchanged` is `true` if z is the basic member.
#[derive(Clone, Copy, Debug)]
struct Pair {
    unknown: usize,
    row: usize,
    column: usize,
    exchanged: bool,
}

/// Best pivot of an equality row: its column, and the number of free columns with entries in the row.
#[derive(Clone, Copy, Debug)]
struct Choice {
    entries: usize,
    column: usize,
}

/// Dictionary, with its bookkeeping.
#[derive(Clone, Debug, Default)]
pub(in crate::mlcp) struct Reduction {
    width: usize,
    /// Powers of two by which M and, in `unit_of_w`, q are divided. Exchanges mix entries of M, entries of
    /// its inverse and dimensionless entries, which can be compared only if the entries of M are near 1.
    unit_of_m: f64,
    unit_of_w: f64,
    /// Entries, row-major. Each row holds one coefficient per column, followed by the right-hand side.
    entries: Vec<f64>,
    /// Largest magnitude that the entries of each row have had so far. `rhs_sizes` holds the same magnitude
    /// for the right-hand side, and `column_sizes` for the entries of each column.
    row_sizes: Vec<f64>,
    rhs_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    /// Equality rows and, in `columns`, free columns that have no pivot yet.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Best pivot of each row, discarded when the row changes. If an exchange leaves a row unchanged, the row
    /// has no entry in the column of the exchange, and its best pivot stays valid.
    choices: Vec<Option<Choice>>,
    pairs: Vec<Pair>,
    /// Pivots (row, free column) of the first phase, in order. Later pivots do not change these rows.
    first: Vec<(usize, usize)>,
    /// Free unknowns that became basic in the second phase: (row, unknown).
    second: Vec<(usize, usize)>,
    live: Vec<usize>,
    pivot_row: Vec<(usize, f64)>,
    /// For each pair, the row from which the search reached it: the index of the pair to which that row
    /// belongs, or `pairs.len()` plus an index into `rows`.
    reached_from: Vec<usize>,
    queue: Vec<usize>,
}

impl Reduction {
    /// Runs both phases on the scaled problem. In the results, z has the unit [`unit_of_z`](Self::unit_of_z),
    /// and w has the unit [`unit_of_w`](Self::unit_of_w).
    pub(in crate::mlcp) fn reduce(&mut self, m: ArrayView2<'_, f64>, q: &[f64], rows: &[MlcpRow]) -> Reduced {
        self.fill(m, q, rows);
        while let Some((row, column)) = self.next_pivot() {
            self.exchange(row, column, true);
            self.first.push((row, column));
            self.rows.retain(|&i| i != row);
            self.columns.retain(|&j| j != column);
            self.live.retain(|&i| i != row);
        }
        let rank = self.first.len();
        while !self.rows.is_empty() {
            let Some((last, column)) = self.search() else {
                let contradicting = || contradicting(m, q, rows);
                return self.judge_rest(rank + self.second.len(), contradicting);
            };
            self.exchange_along(last, column);
        }
        Reduced::Regular
    }

    /// Returns the unit of z in the reduced problem, a power of two.
    pub(in crate::mlcp) fn unit_of_z(&self) -> f64 {
        self.unit_of_w / self.unit_of_m
    }

    /// Returns the unit of w in the reduced problem, a power of two.
    pub(in crate::mlcp) fn unit_of_w(&self) -> f64 {
        self.unit_of_w
    }

    /// Returns the number of pairs.
    pub(in crate::mlcp) fn size(&self) -> usize {
        self.pairs.len()
    }

    /// Returns `true` if free unknowns that have no row, and are therefore set to 0, occur in the reduced
    /// problem. The reduced problem is then a restriction of the mixed problem.
    pub(in crate::mlcp) fn is_restricted(&self) -> bool {
        self.columns.iter().any(|&column| self.pairs.iter().any(|pair| self.entry(pair.row, column) != 0.0))
    }

    /// Returns the index of the unknown of each pair, and `true` if this unknown is a `w` of the remaining
    /// linear complementarity problem.
    pub(in crate::mlcp) fn pairs(&self) -> impl Iterator<Item = (usize, bool)> {
        self.pairs.iter().map(|pair| (pair.unknown, pair.exchanged))
    }

    /// Writes the matrix and the vector of the remaining linear complementarity problem.
    pub(in crate::mlcp) fn copy_lcp(&self, matrix: &mut Vec<f64>, rhs: &mut Vec<f64>) {
        matrix.clear();
        rhs.clear();
        for row in &self.pairs {
            let entries = &self.entries[self.range(row.row)];
            matrix.extend(self.pairs.iter().map(|column| entries[column.column]));
            // If the terms cancel, only a rounding error is left, which is replaced by 0. Where z and w of
            // the pair are both 0, the sign of the rounding error would decide whether the problem has a
            // solution.
            let value = entries[self.width - 1];
            rhs.push(if value.abs() <= ROUNDING * self.rhs_sizes[row.row] { 0.0 } else { value });
        }
    }

    /// Writes to `z` the point of the mixed problem that belongs to the solution (x, y) of the remaining
    /// problem, in the units of the mixed problem.
    pub(in crate::mlcp) fn recover(&self, x: &[f64], y: &[f64], z: &mut [f64]) {
        for ((pair, x), y) in self.pairs.iter().zip(x).zip(y) {
            z[pair.unknown] = if pair.exchanged { y.max(0.0) } else { *x };
        }
        // Free unknowns without a pivot row are set to 0; they have no effect if the rows were redundant.
        for &column in &self.columns {
            z[column] = 0.0;
        }
        for &(row, unknown) in &self.second {
            let entries = &self.entries[self.range(row)];
            let sum: f64 = self.pairs.iter().zip(x).map(|(pair, x)| entries[pair.column] * x).sum();
            z[unknown] = entries[self.width - 1] + sum;
        }
        for &(row, unknown) in self.first.iter().rev() {
            let entries = &self.entries[self.range(row)];
            // The entry in the column of the unknown itself is 0, because the w of an equality row replaced
            // the unknown there.
            let sum: f64 = entries.iter().zip(&*z).map(|(t, z)| t * z).sum();
            z[unknown] = entries[self.width - 1] + sum;
        }
        let unit = self.unit_of_z();
        z.iter_mut().for_each(|z| *z *= unit);
    }

    fn range(&self, row: usize) -> Range<usize> {
        row * self.width..(row + 1) * self.width
    }

    fn fill(&mut self, m: ArrayView2<'_, f64>, q: &[f64], rows: &[MlcpRow]) {
        let n = q.len();
        self.width = n + 1;
        self.unit_of_m = power_of_two_below(own_response::mean(MatrixRef::Dense(m)));
        self.unit_of_w = power_of_two_below(largest_magnitude(q));
        let (of_m, of_w) = (1.0 / self.unit_of_m, 1.0 / self.unit_of_w);
        for list in [&mut self.entries, &mut self.row_sizes, &mut self.rhs_sizes, &mut self.column_sizes] {
            list.clear();
        }
        self.column_sizes.resize(n, 0.0);
        for (row, &q) in m.rows().into_iter().zip(q) {
            let mut size = 0.0_f64;
            let start = self.entries.len();
            self.entries.extend(row.iter().map(|x| x * of_m));
            for (x, column_size) in self.entries[start..].iter().zip(&mut self.column_sizes) {
                let x = x.abs();
                size = size.max(x);
                *column_size = column_size.max(x);
            }
            self.entries.push(q * of_w);
            self.row_sizes.push(size);
            self.rhs_sizes.push((q * of_w).abs());
        }
        for list in [&mut self.rows, &mut self.columns, &mut self.live] {
            list.clear();
        }
        self.pairs.clear();
        for (i, row) in rows.iter().enumerate() {
            self.live.push(i);
            match row {
                MlcpRow::Equality => {
                    self.rows.push(i);
                    self.columns.push(i);
                }
                MlcpRow::Complementarity => {
                    self.pairs.push(Pair { unknown: i, row: i, column: i, exchanged: false });
                }
            }
        }
        self.choices.clear();
        self.choices.resize(n, None);
        self.first.clear();
        self.second.clear();
    }

    /// Returns the entry, or 0 if it is at the level of rounding errors.
    fn entry(&self, row: usize, column: usize) -> f64 {
        let x = self.entries[row * self.width + column];
        if x.abs() <= ROUNDING * self.row_sizes[row].min(self.column_sizes[column]) { 0.0 } else { x }
    }

    /// Returns the remaining equality row with the fewest entries in free columns, and the column of the
    /// largest entry of this row. This is partial pivoting by columns, in an order that preserves zeros.
    fn next_pivot(&mut self) -> Option<(usize, usize)> {
        let mut best: Option<(Choice, usize)> = None;
        for k in 0..self.rows.len() {
            let row = self.rows[k];
            let choice = match self.choices[row] {
                Some(choice) => choice,
                None => self.choose_in(row),
            };
            self.choices[row] = Some(choice);
            if choice.column != NOWHERE && best.is_none_or(|(best, _)| choice.entries < best.entries) {
                best = Some((choice, row));
            }
        }
        best.map(|(choice, row)| (row, choice.column))
    }

    fn choose_in(&self, row: usize) -> Choice {
        let values = &self.entries[self.range(row)];
        let mut choice = Choice { entries: 0, column: NOWHERE };
        let mut largest = 0.0;
        for &column in &self.columns {
            if values[column] != 0.0 {
                choice.entries += 1;
                let x = self.entry(row, column).abs();
                if x > largest {
                    (largest, choice.column) = (x, column);
                }
            }
        }
        choice
    }

    /// Exchanges the basic variable of `row` with the nonbasic variable of `column`. If `dropped`, the
    /// variable that leaves the basis is fixed at 0.
    fn exchange(&mut self, row: usize, column: usize, dropped: bool) {
        let range = self.range(row);
        let pivot = self.entries[range.start + column];
        let (mut size, last) = (0.0_f64, self.width - 1);
        self.pivot_row.clear();
        for (c, x) in self.entries[range].iter_mut().enumerate() {
            if c == column {
                *x = if dropped { 0.0 } else { 1.0 / pivot };
            } else if *x != 0.0 {
                *x /= -pivot;
            }
            if *x != 0.0 {
                self.pivot_row.push((c, *x));
                if c != last {
                    size = size.max(x.abs());
                }
            }
        }
        self.row_sizes[row] = size;
        self.rhs_sizes[row] /= pivot.abs();
        let mut largest_factor = 0.0_f64;
        for &i in &self.live {
            let start = i * self.width;
            let factor = self.entries[start + column];
            if i == row || factor == 0.0 {
                continue;
            }
            largest_factor = largest_factor.max(factor.abs());
            self.choices[i] = None;
            self.entries[start + column] = 0.0;
            let target = &mut self.entries[start..start + self.width];
            for &(c, x) in &self.pivot_row {
                target[c] += factor * x;
            }
            self.row_sizes[i] = self.row_sizes[i].max(factor.abs() * size);
            self.rhs_sizes[i] = self.rhs_sizes[i].max(factor.abs() * self.rhs_sizes[row]);
        }
        for &(c, x) in self.pivot_row.iter().filter(|(c, _)| *c != last) {
            self.column_sizes[c] = self.column_sizes[c].max(largest_factor * x.abs());
        }
    }

    /// Searches breadth first from the remaining equality rows. Returns the last pair of a shortest path, and
    /// the free column at its end.
    fn search(&mut self) -> Option<(usize, usize)> {
        let pairs = self.pairs.len();
        self.reached_from.clear();
        self.reached_from.resize(pairs, NOWHERE);
        self.queue.clear();
        self.queue.extend(pairs..pairs + self.rows.len());
        let mut next = 0;
        while next < self.queue.len() {
            let from = self.queue[next];
            next += 1;
            let row = if from < pairs { self.pairs[from].row } else { self.rows[from - pairs] };
            if from < pairs {
                let end = self
                    .columns
                    .iter()
                    .copied()
                    .max_by(|&a, &b| self.entry(row, a).abs().total_cmp(&self.entry(row, b).abs()));
                if let Some(column) = end.filter(|&column| self.entry(row, column) != 0.0) {
                    return Some((from, column));
                }
            }
            for pair in 0..pairs {
                if self.reached_from[pair] == NOWHERE && self.entry(row, self.pairs[pair].column) != 0.0 {
                    self.reached_from[pair] = from;
                    self.queue.push(pair);
                }
            }
        }
        None
    }

    /// Pivots on the steps of the path that ends with pair `last` and free column `end`, last step first.
    fn exchange_along(&mut self, last: usize, end: usize) {
        self.columns.retain(|&j| j != end);
        self.second.push((self.pairs[last].row, end));
        let (mut pair, mut column) = (last, end);
        loop {
            // For each pair, the basic member moves to `column` and the other member to the previous row of
            // the path.
            let Pair { row, column: own, .. } = self.pairs[pair];
            self.exchange(row, column, false);
            let from = self.reached_from[pair];
            let before = match self.pairs.get(from) {
                Some(before) => before.row,
                None => self.rows[from - self.pairs.len()],
            };
            let exchanged = !self.pairs[pair].exchanged;
            self.pairs[pair] = Pair { row: before, column, exchanged, ..self.pairs[pair] };
            column = own;
            if from >= self.pairs.len() {
                self.exchange(before, column, true);
                self.rows.retain(|&i| i != before);
                return;
            }
            // The previous row still belongs to the previous pair, which moves next.
            pair = from;
        }
    }

    fn judge_rest(&self, rank: usize, contradicting: impl Fn() -> Option<usize>) -> Reduced {
        let is_empty = |&&row: &&usize| self.pairs.iter().all(|pair| self.entry(row, pair.column) == 0.0);
        let is_wrong = |&row: &usize| {
            let rhs = self.entries[row * self.width + self.width - 1];
            rhs.abs() > CONSISTENT * self.rhs_sizes[row]
        };
        let any_wrong = self.rows.iter().filter(is_empty).any(is_wrong);
        let contradicting = if any_wrong { contradicting() } else { None };
        if let Some(row) = contradicting {
            Reduced::Inconsistent { row }
        } else if !any_wrong && self.rows.iter().all(|row| is_empty(&row)) {
            Reduced::Redundant { rank }
        } else {
            Reduced::Deficient { rank }
        }
    }
}
