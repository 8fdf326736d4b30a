//! The reduction of a mixed problem to a linear complementarity problem by pivots on the mixed matrix.
//!
//! The dictionary basic_i = rhs_i + sum_c t_ic nonbasic_c begins as w = q + M z. Free unknowns have to become
//! basic, the w of equality rows nonbasic; such a w is 0, and its column is never looked at again.
//!
//! First part: pivots on the equality rows and the free columns, until nothing is left there but zeros. When
//! the equality block is regular this is Gaussian elimination, and the dictionary holds its Schur complement.
//!
//! Second part, for what is left when the block is singular: rows R and free columns F, as many of each. Say
//! that a pair (z_j, w_j), of which one member is basic in row r(j) and the other nonbasic in column c(j), is
//! reached from a row with an entry in column c(j). A shortest path row i in R, pair j_1, .., pair j_t,
//! column k in F, in which each step is an entry that is not 0, picks rows i, r(j_1), .., r(j_t) and columns
//! c(j_1), .., c(j_t), k. No step can be skipped, so the matrix of these is lower triangular with the steps
//! on its diagonal: a principal block that is regular. Pivoting on its diagonal, last step first, makes u_k
//! basic and w_i nonbasic, and the pairs of the path change the roles of z and w, which is a principal pivot
//! (Cottle, Pang, Stone 1992, section 2.3): the problem that remains has the same solutions.
//!
//! When no column of F can be reached, let S be the pairs that can. The rows of R and of S have entries in
//! the columns of S only. In a complementary basis with all free unknowns some rows, those of R and of a part
//! of S, then have entries in the columns of that part only: fewer columns than rows. So no such basis is
//! regular, and no exchange can help. The search is that for an augmenting path in the intersection of two
//! linear matroids (Lawler 1976, chapter 8).

use std::ops::Range;

use ndarray::ArrayView2;
use siconos_linalg::{MatrixRef, largest_magnitude, power_of_two_below};

use super::contradiction::contradicting;
use crate::mlcp::MlcpRow;
use crate::own_response;

/// Entries below this times the size of their row, and times that of their column, are rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A right-hand side below this times the size of its terms is 0 where a row has no other entries.
const CONSISTENT: f64 = 1e-9;

/// Marks what has no place.
const NOWHERE: usize = usize::MAX;

/// What the reduction found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mlcp) enum Reduced {
    /// All free unknowns are basic.
    Regular,
    /// No complementary basis is regular; some equality rows are left, all of zeros, with 0 on the right.
    Redundant { rank: usize },
    /// No complementary basis is regular; some equality rows that are left have entries.
    Deficient { rank: usize },
    /// The equality rows contradict each other, this one others: there is no solution.
    Inconsistent { row: usize },
}

/// A pair (z_j, w_j): where its members are, and whether z is the basic one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    unknown: usize,
    row: usize,
    column: usize,
    exchanged: bool,
}

/// The pivot of an equality row: its column, and how many free columns have entries in the row.
#[derive(Clone, Copy, Debug)]
struct Choice {
    entries: usize,
    column: usize,
}

/// The dictionary and its bookkeeping.
#[derive(Clone, Debug, Default)]
pub(in crate::mlcp) struct Reduction {
    width: usize,
    /// The powers of two by which M and q are divided: an exchange mixes entries of M, of its inverse and of
    /// neither, which can be compared where M is near 1.
    unit_of_m: f64,
    unit_of_w: f64,
    /// Row i: a coefficient per column, then the right-hand side.
    entries: Vec<f64>,
    /// The largest entry, and the largest right-hand side, that a row has met.
    row_sizes: Vec<f64>,
    rhs_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    /// Equality rows and free columns that wait for their pivot.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The choice in each row, until the row changes. One that does not has no entry in the pivot's column.
    choices: Vec<Option<Choice>>,
    pairs: Vec<Pair>,
    /// Pivots of the first part in order, (row, free column): these rows are left as they were when they were
    /// pivots.
    first: Vec<(usize, usize)>,
    /// Free unknowns that are basic since the second part: (row, unknown).
    second: Vec<(usize, usize)>,
    live: Vec<usize>,
    pivot_row: Vec<(usize, f64)>,
    /// Of each pair the row that reached it: another pair, or `pairs.len()` plus the place in `rows`.
    reached_from: Vec<usize>,
    queue: Vec<usize>,
}

impl Reduction {
    /// Both parts, in units of its own: what is read from here on has z in [`unit_of_z`](Self::unit_of_z) and
    /// w in [`unit_of_w`](Self::unit_of_w).
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

    /// The power of two that is 1 in the z of the reduced problem.
    pub(in crate::mlcp) fn unit_of_z(&self) -> f64 {
        self.unit_of_w / self.unit_of_m
    }

    /// The power of two that is 1 in its w.
    pub(in crate::mlcp) fn unit_of_w(&self) -> f64 {
        self.unit_of_w
    }

    /// The number of pairs.
    pub(in crate::mlcp) fn size(&self) -> usize {
        self.pairs.len()
    }

    /// Whether free unknowns without a row, which count as 0, would have an effect: then what remains is a
    /// part of the problem only.
    pub(in crate::mlcp) fn is_restricted(&self) -> bool {
        self.columns.iter().any(|&column| self.pairs.iter().any(|pair| self.entry(pair.row, column) != 0.0))
    }

    /// The unknown of each pair, and whether the linear complementarity problem has it in the role of `w`.
    pub(in crate::mlcp) fn pairs(&self) -> impl Iterator<Item = (usize, bool)> {
        self.pairs.iter().map(|pair| (pair.unknown, pair.exchanged))
    }

    /// Writes the matrix and the vector of the linear complementarity problem that remains.
    pub(in crate::mlcp) fn copy_lcp(&self, matrix: &mut Vec<f64>, rhs: &mut Vec<f64>) {
        matrix.clear();
        rhs.clear();
        for row in &self.pairs {
            let entries = &self.entries[self.range(row.row)];
            matrix.extend(self.pairs.iter().map(|column| entries[column.column]));
            // Rounding where the terms cancel, with z and w of the pair both 0, would decide by its sign
            // whether there is a solution.
            let value = entries[self.width - 1];
            rhs.push(if value.abs() <= ROUNDING * self.rhs_sizes[row.row] { 0.0 } else { value });
        }
    }

    /// Writes the point of the mixed problem, in its units, that belongs to the solution (x, y) of the one
    /// that remains.
    pub(in crate::mlcp) fn recover(&self, x: &[f64], y: &[f64], z: &mut [f64]) {
        for ((pair, x), y) in self.pairs.iter().zip(x).zip(y) {
            z[pair.unknown] = if pair.exchanged { y.max(0.0) } else { *x };
        }
        // Free columns that never found a row are of no effect where the rows were redundant.
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
            // The entry of the unknown itself belongs to the w that left, and is 0.
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

    /// The entry, 0 when it is rounding.
    fn entry(&self, row: usize, column: usize) -> f64 {
        let x = self.entries[row * self.width + column];
        if x.abs() <= ROUNDING * self.row_sizes[row].min(self.column_sizes[column]) { 0.0 } else { x }
    }

    /// Of the equality rows left, the one with the fewest entries, and the largest of these in a free column:
    /// partial pivoting by columns, with an eye on the zeros.
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

    /// Exchanges the basic variable of `row` with the nonbasic one of `column`, which is `dropped` if it is 0
    /// from then on.
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

    /// Breadth first from the equality rows left; returns the last pair of a shortest path and the free
    /// column it ends at.
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
            // Pair by pair: the basic member moves to the column at hand, the other one to the row before.
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
            // The row before is still that of the pair before, whose own move is next.
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
