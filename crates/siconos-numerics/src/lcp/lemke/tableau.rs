//! The pivoting tableau of Lemke's method.
//!
//! It is a dictionary: basic variables as functions of the nonbasic ones,
//!
//! basic_i = rhs_i + sum_j t_ij nonbasic_j,
//!
//! at first $w = q + M z + d z_0$. Only nonbasic columns are stored. The rows of the inverse basis, which the
//! lexicographic rule compares, are read out of the dictionary: perturb $q$ by $(p_1, .., p_n)$; then $p_k$ enters
//! only as $w_k - p_k$, so its coefficient in row i is $-t_{ij}$ when $w_k$ is nonbasic in column j, and otherwise
//! 1 in the row where $w_k$ is basic and 0 elsewhere.
//!
//! The dictionary holds the problem in units of its own: $S M S$, $S q$, $S d / s_r$ for $M$, $q$, $d$, with a
//! diagonal $S$ that makes the diagonal of $S M S$ about 1. In exact arithmetic the pivots are the same. In floating
//! point every "is this zero?" compares coefficients of different units, and with heavy and light bodies side by
//! side, or a matrix that is large as a whole, true entries pass for rounding or rounding for true entries. $S$ holds
//! powers of two, so that the scaling itself rounds nothing.

use ndarray::ArrayView2;

/// How the pivots ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    Ray,
    MaxIterations,
}

/// Right-hand sides that differ by less than this times the largest entry of `S q` count as tied. Rounding of
/// integer data stays below it, and a wrong choice among such rows costs the solution no more than that.
const TIE: f64 = 1e-13;

/// Diagonal entries below this times the largest entry say nothing of the unit of their row.
const NO_UNIT: f64 = 1e-15;

/// Marks a `w` that is basic in [`Tableau::column_of_w`].
const BASIC: usize = usize::MAX;

/// Variables are numbered: `w_i` is i, `z_i` is n + i, the artificial `z_0` is 2 n.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    n: usize,
    /// The diagonal of $S$; the dictionary holds $S^{-1} z$ and $S w$.
    scale: Vec<f64>,
    /// Row i: n + 1 coefficients of the nonbasic variables, then the right-hand side.
    rows: Vec<f64>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    column_of_w: Vec<usize>,
    pivot_row: Vec<f64>,
    tied: Vec<usize>,
}

impl Tableau {
    /// Steps (1) to (4) of the method; returns how it ended and the number of pivots.
    ///
    /// An empty `covering` stands for ones. Its entries are not negative, and q is not where they vanish.
    pub(super) fn solve(
        &mut self,
        m: ArrayView2<'_, f64>,
        q: &[f64],
        covering: &[f64],
        pivot_tolerance: f64,
        max_iterations: usize,
    ) -> (Outcome, usize) {
        let n = q.len();
        // (1), (2): the lexicographically smallest row is the one with the smallest q_i / d_i, and of several such
        // rows the last (its unit vector is the smallest).
        let d = |i: usize| covering.get(i).copied().unwrap_or(1.0);
        let covered = (0..n).rev().filter(|&i| d(i) > 0.0);
        let first = covered.min_by(|&i, &j| (q[i] / d(i)).total_cmp(&(q[j] / d(j)))).filter(|&i| q[i] < 0.0);
        self.set_scale(m);
        self.fill(m, q, d, first.map_or(1.0, |row| self.scale[row]));
        let Some(row) = first else { return (Outcome::Solved, 0) };
        if max_iterations == 0 {
            return (Outcome::MaxIterations, 0);
        }
        let largest_q = (0..n).fold(0.0_f64, |a, i| a.max(self.right_hand_side(i).abs()));
        let mut left = self.exchange(row, n);
        for pivots in 1..max_iterations {
            // (3) the complement of the variable that left
            let entering = if left < n { left + n } else { left - n };
            let Some(column) = self.nonbasic.iter().position(|&v| v == entering) else {
                return (Outcome::MaxIterations, pivots);
            };
            let Some(row) = self.blocking_row(column, pivot_tolerance, TIE * largest_q) else {
                return (Outcome::Ray, pivots);
            };
            // (4)
            left = self.exchange(row, column);
            if left == 2 * n {
                return (Outcome::Solved, pivots + 1);
            }
        }
        (Outcome::MaxIterations, max_iterations)
    }

    /// Writes the `z` of the current basis, all others 0.
    pub(super) fn point(&self, z: &mut [f64]) {
        let n = self.n;
        z.fill(0.0);
        for (i, &variable) in self.basic.iter().enumerate() {
            if (n..2 * n).contains(&variable) {
                z[variable - n] = self.right_hand_side(i).max(0.0) * self.scale[variable - n];
            }
        }
    }

    fn set_scale(&mut self, m: ArrayView2<'_, f64>) {
        let largest = m.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        // Half the range of the exponent: the product of two such numbers still is one.
        let inverse_root = |x: f64| (-0.5 * x.log2()).round().clamp(-500.0, 500.0).exp2();
        let unit = if largest > 0.0 { inverse_root(largest) } else { 1.0 };
        self.scale.clear();
        self.scale
            .extend(m.diag().iter().map(|&x| if x > NO_UNIT * largest { inverse_root(x) } else { unit }));
    }

    /// `unit` is that of the artificial variable.
    fn fill(&mut self, m: ArrayView2<'_, f64>, q: &[f64], covering: impl Fn(usize) -> f64, unit: f64) {
        let n = q.len();
        self.n = n;
        self.rows.clear();
        for (i, ((row, &q), &s_i)) in m.rows().into_iter().zip(q).zip(&self.scale).enumerate() {
            self.rows.extend(row.iter().zip(&self.scale).map(|(m_ij, s_j)| s_i * m_ij * s_j));
            self.rows.extend([s_i * covering(i) / unit, s_i * q]);
        }
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..=2 * n);
        self.column_of_w.clear();
        self.column_of_w.resize(n, BASIC);
    }

    fn width(&self) -> usize {
        self.n + 2
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.rows[row * self.width() + column]
    }

    fn right_hand_side(&self, row: usize) -> f64 {
        self.entry(row, self.n + 1)
    }

    /// The row whose basic variable is the first to vanish as the variable of `column` grows.
    fn blocking_row(&mut self, column: usize, pivot_tolerance: f64, tie: f64) -> Option<usize> {
        let largest = (0..self.n).fold(0.0_f64, |a, i| a.max(self.entry(i, column).abs()));
        let threshold = pivot_tolerance * largest;
        let mut smallest = f64::INFINITY;
        for i in 0..self.n {
            let slope = -self.entry(i, column);
            if slope > threshold {
                smallest = smallest.min(self.right_hand_side(i).max(0.0) / slope);
            }
        }
        if !smallest.is_finite() {
            return None;
        }
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        tied.extend((0..self.n).filter(|&i| {
            let (slope, value) = (-self.entry(i, column), self.right_hand_side(i).max(0.0));
            // Relative to the value as well: the row that gave `smallest` has to pass its own rounding, or a large
            // value would leave no row at all, which reads as a ray.
            slope > threshold && value - smallest * slope <= tie.max(TIE * value)
        }));
        let row = match tied.iter().find(|&&i| self.basic[i] == 2 * self.n) {
            Some(&artificial) => Some(artificial),
            None => self.lexicographic_minimum(&mut tied, column),
        };
        self.tied = tied;
        row
    }

    /// Of the tied rows, the one whose row of the inverse basis, divided by its slope, is lexicographically smallest.
    fn lexicographic_minimum(&self, tied: &mut Vec<usize>, column: usize) -> Option<usize> {
        for k in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let scaled = |i: usize| self.inverse_basis(i, k) / -self.entry(i, column);
            let smallest = tied.iter().map(|&i| scaled(i)).fold(f64::INFINITY, f64::min);
            let slack = TIE * smallest.abs().max(1.0);
            tied.retain(|&i| scaled(i) <= smallest + slack);
        }
        tied.first().copied()
    }

    /// Entry (i, k) of the inverse basis.
    fn inverse_basis(&self, i: usize, k: usize) -> f64 {
        match self.column_of_w[k] {
            BASIC if self.basic[i] == k => 1.0,
            BASIC => 0.0,
            column => -self.entry(i, column),
        }
    }

    /// Exchanges the basic variable of `row` with the nonbasic one of `column`; returns the variable that left.
    fn exchange(&mut self, row: usize, column: usize) -> usize {
        let width = self.width();
        let pivot = self.entry(row, column);
        self.pivot_row.clear();
        self.pivot_row.extend(self.rows[row * width..(row + 1) * width].iter().map(|x| -x / pivot));
        self.pivot_row[column] = 1.0 / pivot;
        for (i, target) in self.rows.chunks_exact_mut(width).enumerate() {
            let factor = target[column];
            if i == row {
                target.copy_from_slice(&self.pivot_row);
            } else if factor != 0.0 {
                target[column] = 0.0;
                for (t, p) in target.iter_mut().zip(&self.pivot_row) {
                    *t += factor * p;
                }
            }
        }
        let (left, entered) = (self.basic[row], self.nonbasic[column]);
        self.basic[row] = entered;
        self.nonbasic[column] = left;
        if left < self.n {
            self.column_of_w[left] = column;
        }
        if entered < self.n {
            self.column_of_w[entered] = BASIC;
        }
        left
    }
}
