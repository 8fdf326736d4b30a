//! The almost complementary basis of Lemke's method, by the inverse of its active block.
//!
//! In $w = q + M z + d z_0$, let R be the rows whose $w_i$ are nonbasic, and C the basic $z_j$ together with $z_0$, which
//! counts as $z_n$ with the column d. There are as many of both, and with the block $A = M_{RC}$
//!
//! x_C = A^-1 (w_R - q_R - M_Rj z_j),    w_i = q_i + M_iC x_C + M_ij z_j  for i not in R,
//!
//! where $z_j$ is nonbasic. Only $A^{-1}$ is stored. A pivot changes one row or column of $A$, or both: that is an
//! operation of rank one on $A^{-1}$. With k basic z the driving column costs n k, and the update k k operations; the
//! dictionary with all its n (n + 2) entries is never formed.
//!
//! The rows of the inverse basis, which the lexicographic rule compares, are read out of the dictionary: perturb $q$ by
//! $(p_1, .., p_n)$; then $p_k$ enters only as $w_k - p_k$. So entry k of the row of a basic variable is minus its
//! coefficient of $w_k$ when $w_k$ is nonbasic, and otherwise 1 in the row where $w_k$ is basic and 0 elsewhere. The
//! coefficients of $w_R$ are $A^{-1}$ in the rows of x_C, and $M_{iC} A^{-1}$ in that of $w_i$.

use ndarray::ArrayView2;

use crate::lcp::scaled_matrix::ScaledMatrix;
use crate::linalg::inlined::{add_scaled, dot};
use crate::linalg::{UpdatedInverse, largest_magnitude};

/// How the pivots ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    Ray,
    MaxIterations,
}

/// Values that differ by less than this times the largest term of their sums, in q and in z, count as tied. Rounding
/// stays below it, and a wrong choice among such rows costs the solution no more than that.
const TIE: f64 = 1e-13;

/// Entries of the inverse basis that differ by less than this times the size of their terms count as equal: they carry the
/// rounding of all pivots before.
const LEXICOGRAPHIC_TIE: f64 = 1e-12;

/// The values of the basic variables are computed anew after so many pivots.
const REFRESH: usize = 50;

/// When the rows of R miss by more than this beside the largest entry of a solution, it is refined.
const REFINE: f64 = 1e-13;

/// When they miss by more than this, and this many times more than after the last time, $A^{-1}$ is computed anew.
const DRIFT: f64 = 1e-12;
const WORSE: f64 = 100.0;

/// Entries of a ray below this beside the largest are rounding.
const RAY_ROUNDING: f64 = 1e-12;

/// Marks a `w` that is basic in [`Basis::slot_of_row`].
const BASIC: usize = usize::MAX;

/// The rows whose basic variable may leave are numbered: `w_i` is i, the k-th of the columns C is n + k.
type Row = usize;

/// Variables are numbered: `w_i` is i, `z_i` is n + i, the artificial `z_0` is 2 n.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    n: usize,
    matrix: ScaledMatrix,
    /// $S q$.
    q: Vec<f64>,
    inverse: UpdatedInverse,
    /// R, in the order of the rows of $A$.
    rows: Vec<usize>,
    /// C, in the order of the columns of $A$.
    columns: Vec<usize>,
    slot_of_row: Vec<usize>,
    /// The values of the basic w, 0 in R, and of x_C.
    w: Vec<f64>,
    x: Vec<f64>,
    /// The driving column, 0 in R.
    w_slope: Vec<f64>,
    x_slope: Vec<f64>,
    entering: usize,
    /// When to compute the inverse anew.
    drift: f64,
    work: Vec<f64>,
    product: Vec<f64>,
    tied: Vec<Row>,
    coefficients: Vec<(f64, f64)>,
}

impl Basis {
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
        self.start(n);
        let Some(first) = first else { return (Outcome::Solved, 0) };
        if max_iterations == 0 {
            return (Outcome::MaxIterations, 0);
        }
        self.fill(m, q, d, first);
        let largest_q = largest_magnitude(&self.q);
        self.entering = 2 * n;
        self.drive();
        let mut left = self.exchange(first);
        for pivots in 1..max_iterations {
            // (3) the complement of the variable that left
            self.entering = if left < n { left + n } else { left - n };
            if pivots % REFRESH == 0 {
                self.refresh();
            }
            self.drive();
            let Some(row) = self.blocking_row(pivot_tolerance, largest_q) else {
                return (Outcome::Ray, pivots);
            };
            // (4)
            left = self.exchange(row);
            if left == 2 * n {
                self.refresh_x();
                return (Outcome::Solved, pivots + 1);
            }
        }
        self.refresh_x();
        (Outcome::MaxIterations, max_iterations)
    }

    /// Writes the `z` of the current basis, all others 0.
    pub(super) fn point(&self, z: &mut [f64]) {
        z.fill(0.0);
        for (&j, &x) in self.columns.iter().zip(&self.x) {
            if j < self.n {
                z[j] = x.max(0.0) * self.matrix.scale()[j];
            }
        }
    }

    /// After a ray: writes the z of its direction. For copositive-plus matrices it proves that there is no solution
    /// (Cottle, Pang, Stone 1992, theorem 4.4.12).
    pub(super) fn ray_direction(&self, s: &mut [f64]) {
        s.fill(0.0);
        for (&j, &x) in self.columns.iter().zip(&self.x_slope) {
            if j < self.n {
                s[j] = x;
            }
        }
        if (self.n..2 * self.n).contains(&self.entering) {
            s[self.entering - self.n] = 1.0;
        }
        self.clean(s);
    }

    /// After a ray: writes the coefficients of $w$ in the row of $z_0$. When that row shows that $z_0$ is positive for all
    /// $w, z \ge 0$, they prove that there is no solution, for any matrix.
    pub(super) fn row_of_artificial(&self, s: &mut [f64]) {
        s.fill(0.0);
        if let Some(slot) = self.columns.iter().position(|&j| j == self.n) {
            for (&i, &g) in self.rows.iter().zip(self.inverse.row(slot)) {
                s[i] = g;
            }
        }
        self.clean(s);
    }

    /// Takes rounding out of a vector that should not be negative, and goes back to the units of the problem.
    fn clean(&self, s: &mut [f64]) {
        let rounding = RAY_ROUNDING * largest_magnitude(s);
        for (s, scale) in s.iter_mut().zip(self.matrix.scale()) {
            *s = if s.abs() <= rounding { 0.0 } else { *s * scale };
        }
    }

    /// The basis of all w.
    fn start(&mut self, n: usize) {
        self.n = n;
        self.rows.clear();
        self.columns.clear();
        self.x.clear();
        self.x_slope.clear();
        self.inverse.reset(n);
        self.drift = DRIFT;
        self.slot_of_row.clear();
        self.slot_of_row.resize(n, BASIC);
    }

    fn fill(&mut self, m: ArrayView2<'_, f64>, q: &[f64], covering: impl Fn(usize) -> f64, first: Row) {
        self.matrix.set(m);
        // The artificial variable has the unit that makes its first coefficient 1.
        self.matrix.set_covering_column(&covering, first);
        self.q.clear();
        self.q.extend(q.iter().zip(self.matrix.scale()).map(|(q, s)| q * s));
        self.w.clear();
        self.w.extend_from_slice(&self.q);
        self.w_slope.clear();
        self.w_slope.resize(self.n, 0.0);
    }

    /// Computes the driving column, from a new inverse when the updates have spoilt the present one.
    fn drive(&mut self) {
        let missed = self.driving_column();
        if missed > self.drift {
            self.matrix.copy_block(&self.rows, &self.columns, &mut self.work);
            let missed = if self.inverse.set_inverse_of(&self.work, self.rows.len()).is_ok() {
                self.refresh();
                self.driving_column()
            } else {
                missed
            };
            self.drift = DRIFT.max(WORSE * missed);
        }
    }

    /// Computes the driving column. Returns by how much the inverse missed the rows of R, beside the largest entry.
    fn driving_column(&mut self) -> f64 {
        let n = self.n;
        if self.entering < n {
            self.inverse.copy_column(self.slot_of_row[self.entering], &mut self.x_slope);
            self.w_slope.fill(0.0);
            self.w_slope[self.entering] = -1.0;
        } else {
            let j = self.entering - n;
            self.matrix.copy_of_column(j, &self.rows, &mut self.work);
            self.inverse.apply(&self.work, &mut self.x_slope);
            self.x_slope.iter_mut().for_each(|x| *x = -*x);
            self.w_slope.copy_from_slice(self.matrix.column(j));
        }
        self.matrix.add_columns(&self.columns, &self.x_slope, &mut self.w_slope);
        let (mut x, mut w) = (std::mem::take(&mut self.x_slope), std::mem::take(&mut self.w_slope));
        let missed = self.settle(&mut x, &mut w);
        (self.x_slope, self.w_slope) = (x, w);
        missed
    }

    /// Computes the values of the basic variables from the inverse.
    fn refresh(&mut self) {
        self.refresh_x();
        self.w.copy_from_slice(&self.q);
        self.matrix.add_columns(&self.columns, &self.x, &mut self.w);
        let (mut x, mut w) = (std::mem::take(&mut self.x), std::mem::take(&mut self.w));
        self.settle(&mut x, &mut w);
        (self.x, self.w) = (x, w);
    }

    fn refresh_x(&mut self) {
        self.work.clear();
        self.work.extend(self.rows.iter().map(|&i| -self.q[i]));
        self.inverse.apply(&self.work, &mut self.x);
    }

    /// The rows of R in `w` should be 0: makes them so, after one step of iterative refinement of `x` where they are
    /// not nearly. Returns their largest entry, as it was, beside that of `x`.
    fn settle(&mut self, x: &mut [f64], w: &mut [f64]) -> f64 {
        self.work.clear();
        self.work.extend(self.rows.iter().map(|&i| w[i]));
        let (missed, largest) = (largest_magnitude(&self.work), largest_magnitude(x));
        if missed > REFINE * largest {
            self.inverse.apply(&self.work, &mut self.product);
            self.product.iter_mut().for_each(|x| *x = -*x);
            self.matrix.add_columns(&self.columns, &self.product, w);
            add_scaled(1.0, &self.product, x);
        }
        self.rows.iter().for_each(|&i| w[i] = 0.0);
        if largest > 0.0 { missed / largest } else { 0.0 }
    }

    /// The row whose basic variable is the first to vanish as the entering one grows.
    fn blocking_row(&mut self, pivot_tolerance: f64, largest_q: f64) -> Option<Row> {
        let largest = largest_magnitude(&self.w_slope).max(largest_magnitude(&self.x_slope));
        let threshold = pivot_tolerance * largest;
        let smallest = smallest_ratio(&self.w, &self.w_slope, threshold).min(smallest_ratio(
            &self.x,
            &self.x_slope,
            threshold,
        ));
        if !smallest.is_finite() {
            return None;
        }
        let largest_x = largest_magnitude(&self.x).max(smallest * largest_magnitude(&self.x_slope));
        let tie = TIE * largest_q.max(largest_x);
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        let is_tied = |value: f64, slope: f64| {
            let (value, slope) = (value.max(0.0), -slope);
            // Relative to the value as well: the row that gave `smallest` has to pass its own rounding, or a large
            // value would leave no row at all, which reads as a ray.
            slope > threshold && value - smallest * slope <= tie.max(TIE * value)
        };
        let pairs = |values, slopes| std::iter::zip::<&[f64], &[f64]>(values, slopes).enumerate();
        tied.extend(
            pairs(&self.w, &self.w_slope)
                .filter(|(_, (value, slope))| is_tied(**value, **slope))
                .map(|(i, _)| i),
        );
        tied.extend(
            pairs(&self.x, &self.x_slope)
                .filter(|(_, (value, slope))| is_tied(**value, **slope))
                .map(|(k, _)| self.n + k),
        );
        let is_artificial = |row: Row| row >= self.n && self.columns[row - self.n] == self.n;
        let row = match tied.iter().position(|&row| is_artificial(row)) {
            Some(place) if tied.len() == 1 || self.may_leave(tied[place], threshold, tie) => {
                Some(tied[place])
            }
            artificial => {
                artificial.map(|place| tied.remove(place));
                self.lexicographic_minimum(&mut tied)
            }
        };
        self.tied = tied;
        row
    }

    /// Whether a step to the zero of this row leaves no other value below minus its tie (Harris 1973): the row of the
    /// artificial variable may have a small slope, and be next to zero long after one with a large slope.
    fn may_leave(&self, row: Row, threshold: f64, tie: f64) -> bool {
        let slack = |(value, slope): (&f64, &f64)| match -slope > threshold {
            true => (value.max(0.0) + tie.max(TIE * value)) / -slope,
            false => f64::INFINITY,
        };
        let rows = self.w.iter().zip(&self.w_slope).chain(self.x.iter().zip(&self.x_slope));
        let value = if row < self.n { self.w[row] } else { self.x[row - self.n] };
        value.max(0.0) / -self.slope(row) <= rows.map(slack).fold(f64::INFINITY, f64::min)
    }

    fn slope(&self, row: Row) -> f64 {
        if row < self.n { self.w_slope[row] } else { self.x_slope[row - self.n] }
    }

    /// Of the tied rows, the one whose row of the inverse basis, divided by its slope, is lexicographically smallest.
    fn lexicographic_minimum(&mut self, tied: &mut Vec<Row>) -> Option<Row> {
        for k in 0..self.n {
            if tied.len() <= 1 {
                break;
            }
            let column = self.inverse_basis_column(k, tied);
            let (smallest, its_terms) = column
                .iter()
                .copied()
                .fold((f64::INFINITY, 0.0), |least, entry| if entry.0 < least.0 { entry } else { least });
            let is_smallest =
                |&(x, terms): &(f64, f64)| x - smallest <= LEXICOGRAPHIC_TIE * terms.max(its_terms).max(1.0);
            let mut entries = column.iter();
            tied.retain(|_| entries.next().is_some_and(is_smallest));
            self.coefficients = column;
        }
        tied.first().copied()
    }

    /// Column k of the inverse basis in the tied rows, divided by their slopes, each with the size of its terms.
    fn inverse_basis_column(&mut self, k: usize, tied: &[Row]) -> Vec<(f64, f64)> {
        let mut column = std::mem::take(&mut self.coefficients);
        column.clear();
        let slot = self.slot_of_row[k];
        if slot != BASIC {
            self.inverse.copy_column(slot, &mut self.product);
        }
        for &row in tied {
            let (entry, terms) = if slot == BASIC {
                (f64::from(u8::from(row == k)), 0.0)
            } else if row < self.n {
                self.matrix.copy_of_row(row, &self.columns, &mut self.work);
                let terms = self.work.iter().zip(&self.product).map(|(a, g)| (a * g).abs());
                (-dot(&self.work, &self.product), terms.sum())
            } else {
                let entry = -self.product[row - self.n];
                (entry, largest_magnitude(self.inverse.row(row - self.n)))
            };
            let slope = -self.slope(row);
            column.push((entry / slope, terms / slope));
        }
        column
    }

    /// Exchanges the basic variable of `row` with the entering one; returns the variable that left.
    fn exchange(&mut self, row: Row) -> usize {
        let (n, entering) = (self.n, self.entering);
        let slope = self.slope(row);
        let value = if row < n { self.w[row] } else { self.x[row - n] };
        let step = -value / slope;
        add_scaled(step, &self.w_slope, &mut self.w);
        add_scaled(step, &self.x_slope, &mut self.x);
        if row < n {
            self.matrix.copy_of_row(row, &self.columns, &mut self.work);
            self.inverse.apply_transposed(&self.work, &mut self.product);
            self.w[row] = 0.0;
            if entering < n {
                let slot = self.slot_of_row[entering];
                self.inverse.replace_row(slot, &self.product);
                self.rows[slot] = row;
                self.slot_of_row[row] = slot;
                self.slot_of_row[entering] = BASIC;
                self.w[entering] = step;
            } else {
                self.inverse.grow(&self.x_slope, &self.product, slope);
                self.slot_of_row[row] = self.rows.len();
                self.rows.push(row);
                self.columns.push(entering - n);
                self.x.push(step);
            }
            return row;
        }
        let slot = row - n;
        let left = n + self.columns[slot];
        if entering < n {
            let row_slot = self.slot_of_row[entering];
            self.inverse.remove(row_slot, slot);
            self.columns.swap_remove(slot);
            self.x.swap_remove(slot);
            self.rows.swap_remove(row_slot);
            if let Some(&moved) = self.rows.get(row_slot) {
                self.slot_of_row[moved] = row_slot;
            }
            self.slot_of_row[entering] = BASIC;
            self.w[entering] = step;
        } else {
            self.inverse.replace_column(slot, &self.x_slope);
            self.columns[slot] = entering - n;
            self.x[slot] = step;
        }
        left
    }
}

/// The smallest value over slope, of those that fall faster than the threshold; infinite when there is none.
#[inline]
fn smallest_ratio(values: &[f64], slopes: &[f64], threshold: f64) -> f64 {
    const LANES: usize = 4;
    let ratio = |value: f64, slope: f64| {
        let ratio = (if value > 0.0 { value } else { 0.0 }) / -slope;
        if -slope > threshold { ratio } else { f64::INFINITY }
    };
    let smaller = |a: f64, b: f64| if b < a { b } else { a };
    if values.len() < LANES {
        let ratios = values.iter().zip(slopes).map(|(v, s)| ratio(*v, *s));
        return ratios.fold(f64::INFINITY, smaller);
    }
    let ((values, values_rest), (slopes, slopes_rest)) =
        (values.as_chunks::<LANES>(), slopes.as_chunks::<LANES>());
    let mut smallest = [f64::INFINITY; LANES];
    for (value, slope) in values.iter().zip(slopes) {
        for lane in 0..LANES {
            smallest[lane] = smaller(smallest[lane], ratio(value[lane], slope[lane]));
        }
    }
    let rest = values_rest.iter().zip(slopes_rest).map(|(v, s)| ratio(*v, *s));
    rest.chain(smallest).fold(f64::INFINITY, smaller)
}
