//! Almost complementary basis of Lemke's method, represented by the inverse of its active block.
//!
//! In $w = q + M z + d z_0$, let R be the set of rows with nonbasic $w_i$, and C the set of basic $z_j$,
//! including $z_0$, which has the index n and the column d. R and C have equal size. With the block
//! $A = M_{RC}$,
//!
//! x_C = A^-1 (w_R - q_R - M_Rj z_j),    w_i = q_i + M_iC x_C + M_ij z_j  for i not in R,
//!
//! where $z_j$ is nonbasic. Only $A^{-1}$ is stored. A pivot changes one row or one column of $A$, or both,
//! which is a rank-one update of $A^{-1}$. With k basic z, the driving column costs n k operations and the
//! update k^2. The dictionary with its n (n + 2) entries is never formed.

mod blocking;
mod visited;

use ndarray::ArrayView2;
use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::inlined::add_scaled;
use siconos_linalg::operations;
use siconos_linalg::{UpdatedInverse, largest_magnitude};

use self::visited::Visited;
use super::exact::{self, ExactPivots};
use crate::cancellation;
use crate::lcp::scaled_matrix::ScaledMatrix;

/// Outcome of the pivots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    Ray,
    /// A basis was repeated. The exact lexicographic rule excludes this, so rounding has led to a wrong
    /// choice.
    Repeats,
    MaxIterations,
}

/// Number of pivots after which the values of the basic variables are recomputed.
const REFRESH: usize = 50;

/// Residual in the rows of R, relative to the largest entry of a solution, above which the solution is
/// refined.
const REFINE: f64 = 1e-13;

/// Residual, relative to the largest entry of a solution, above which $A^{-1}$ is recomputed. It must also
/// exceed `WORSE` times the residual after the last recomputation.
const DRIFT: f64 = 1e-12;
const WORSE: f64 = 100.0;

/// Entries of a ray below this multiple of its largest entry are rounding errors.
const RAY_ROUNDING: f64 = 1e-12;

/// Value in [`Basis::slot_of_row`] for a `w` that is basic.
const BASIC: usize = usize::MAX;

/// Maximum number of unknowns for which cancellation is checked only at every refresh, because a pivot takes
/// very little time.
const LARGEST_UNWATCHED: usize = 100;

/// Row of a basic variable that can leave the basis: i for `w_i`, n + k for the k-th variable of C.
type Row = usize;

/// Almost complementary basis. The index of `w_i` is i, the index of `z_i` is n + i, and the index of the
/// artificial `z_0` is `2 n`.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    n: usize,
    matrix: ScaledMatrix,
    /// $S q$, with the diagonal matrix S of [`ScaledMatrix`].
    q: Vec<f64>,
    inverse: UpdatedInverse,
    /// R, in the order of the rows of $A$.
    rows: Vec<usize>,
    /// C, in the order of the columns of $A$.
    columns: Vec<usize>,
    slot_of_row: Vec<usize>,
    /// Values of the basic w, 0 in R; `x` holds the values of x_C.
    w: Vec<f64>,
    x: Vec<f64>,
    /// Driving column: `w_slope` for the basic w, 0 in R, and `x_slope` for x_C.
    w_slope: Vec<f64>,
    x_slope: Vec<f64>,
    entering: usize,
    /// Relative residual above which the inverse is recomputed.
    drift: f64,
    work: Vec<f64>,
    product: Vec<f64>,
    tied: Vec<Row>,
    coefficients: Vec<(f64, f64)>,
    /// Row of the variable that left the basis in the first pivot.
    first: Row,
    visited: Visited,
    pivots: usize,
    /// Number of operations of all solves since [`begin_account`](Self::begin_account).
    operations: f64,
    /// Limit on the number of operations; `None` if the solver is not part of a solver cascade.
    most_operations: Option<f64>,
    /// `true` if a tie was broken.
    has_tied: bool,
}

impl Basis {
    /// Starts to count operations towards a limit.
    pub(super) fn begin_account(&mut self, most_operations: f64) {
        (self.operations, self.most_operations) = (0.0, Some(most_operations));
    }

    /// Returns the number of operations since [`begin_account`](Self::begin_account).
    pub(super) fn operations(&self) -> f64 {
        self.operations
    }

    /// Returns `true` if the limit on operations is reached.
    pub(super) fn is_spent(&self) -> bool {
        self.most_operations.is_some_and(|most| self.operations >= most)
    }

    /// Performs steps (1) to (4) of the method. Returns the outcome and the number of pivots. After
    /// [`Outcome::Repeats`], [`continue_pivots`](Self::continue_pivots) continues.
    ///
    /// An empty `covering` means a vector of ones. The entries of `covering` must be nonnegative, and q must
    /// be nonnegative where they are 0.
    pub(super) fn solve(
        &mut self,
        m: ArrayView2<'_, f64>,
        q: &[f64],
        covering: &[f64],
        pivot_tolerance: f64,
        max_iterations: usize,
    ) -> (Outcome, usize) {
        let n = q.len();
        // (1), (2): the lexicographically smallest row is the row with the smallest q_i / d_i. Among rows
        // with equal ratios it is the last one, because its unit vector is lexicographically smallest.
        let d = |i: usize| covering.get(i).copied().unwrap_or(1.0);
        let covered = (0..n).rev().filter(|&i| d(i) > 0.0);
        let first = covered.min_by(|&i, &j| (q[i] / d(i)).total_cmp(&(q[j] / d(j)))).filter(|&i| q[i] < 0.0);
        self.start(n);
        let Some(first) = first else { return (Outcome::Solved, 0) };
        if max_iterations == 0 {
            return (Outcome::MaxIterations, 0);
        }
        self.fill(m, q, d, first);
        self.first = first;
        self.entering = 2 * n;
        self.drive();
        let left = self.exchange(first);
        self.entering = left + n;
        self.pivots = 1;
        self.visited = Visited::default();
        let outcome = self.continue_pivots(pivot_tolerance, max_iterations, true);
        (outcome, self.pivots)
    }

    /// Performs steps (3) and (4), up to `max_iterations` pivots in total. If `watched` is `true`, stops at a
    /// repeated basis.
    pub(super) fn continue_pivots(
        &mut self,
        pivot_tolerance: f64,
        max_iterations: usize,
        watched: bool,
    ) -> Outcome {
        let n = self.n;
        let largest_q = largest_magnitude(&self.q);
        while self.pivots < max_iterations && !self.is_spent() {
            // (3)
            let is_due = self.pivots.is_multiple_of(REFRESH);
            if (is_due || n > LARGEST_UNWATCHED) && cancellation::is_asked_to_end(self.pivots, f64::NAN) {
                break;
            }
            if is_due {
                self.refresh();
            }
            self.operations += self.pivot_operations();
            self.drive();
            let Some(row) = self.blocking_row(pivot_tolerance, largest_q) else {
                return Outcome::Ray;
            };
            // (4)
            let entering = self.entering;
            let left = self.exchange(row);
            self.pivots += 1;
            if left == 2 * n {
                self.refresh_x();
                return Outcome::Solved;
            }
            // The complement of the leaving variable enters the basis in the next pivot.
            self.entering = if left < n { left + n } else { left - n };
            if watched && self.visited.comes_back(entering, left) {
                return Outcome::Repeats;
            }
        }
        self.refresh_x();
        Outcome::MaxIterations
    }

    /// Returns the number of operations of one pivot, which computes the driving column and passes three
    /// times over the inverse.
    fn pivot_operations(&self) -> f64 {
        let (n, k) = (self.n as f64, self.rows.len() as f64);
        8.0 * n + 2.0 * n * k + 6.0 * k * k
    }

    /// Returns the number of pivots, and `true` if a tie was broken in one of them.
    pub(super) fn pivots(&self) -> (usize, bool) {
        (self.pivots, self.has_tied)
    }

    /// Runs the method from the beginning in integer arithmetic.
    pub(super) fn solve_exactly(&self, exact: &mut ExactPivots, limit: f64) -> (exact::Outcome, usize) {
        exact.solve(|j| self.matrix.column(j), &self.q, self.first, limit)
    }

    /// Returns the scaled matrix on which the pivots operate.
    pub(super) fn matrix(&self) -> &ScaledMatrix {
        &self.matrix
    }

    /// Writes the values of the basic `z` and sets the nonbasic `z` to 0.
    pub(super) fn point(&self, z: &mut [f64]) {
        z.fill(0.0);
        for (&j, &x) in self.columns.iter().zip(&self.x) {
            if j < self.n {
                z[j] = self.matrix.unscaled(j, x.max(0.0));
            }
        }
    }

    /// Writes to `s` the entries of z in the direction of a ray. For copositive-plus matrices, this vector
    /// proves that the problem has no solution (Cottle, Pang, Stone 1992, theorem 4.4.12).
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

    /// Writes to `s` the coefficients of $w$ in the dictionary row of $z_0$, for a method that ended on a
    /// ray. If that row shows that $z_0$ is positive for all $w, z \ge 0$, the coefficients prove for any
    /// matrix that the problem has no solution.
    pub(super) fn row_of_artificial(&self, s: &mut [f64]) {
        s.fill(0.0);
        if let Some(slot) = self.columns.iter().position(|&j| j == self.n) {
            for (&i, &g) in self.rows.iter().zip(self.inverse.row(slot)) {
                s[i] = g;
            }
        }
        self.clean(s);
    }

    /// Sets entries at the level of rounding errors to 0 in a vector that should be nonnegative, and converts
    /// the vector to the units of the problem.
    fn clean(&self, s: &mut [f64]) {
        let rounding = RAY_ROUNDING * largest_magnitude(s);
        for (s, scale) in s.iter_mut().zip(self.matrix.scale()) {
            *s = if s.abs() <= rounding { 0.0 } else { *s * scale };
        }
    }

    /// Starts with the basis in which all w are basic.
    fn start(&mut self, n: usize) {
        self.n = n;
        self.pivots = 0;
        self.has_tied = false;
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
        // The unit of the artificial variable is such that its coefficient in row `first` is 1.
        self.matrix.set_covering_column(&covering, first);
        self.q.clear();
        self.q.extend(q.iter().zip(self.matrix.scale()).map(|(q, s)| q * s));
        self.w.clear();
        self.w.extend_from_slice(&self.q);
        self.w_slope.clear();
        self.w_slope.resize(self.n, 0.0);
    }

    /// Computes the driving column. Recomputes the inverse if the updates have made it too inaccurate.
    fn drive(&mut self) {
        let missed = self.driving_column();
        if missed > self.drift {
            self.matrix.copy_block(&self.rows, &self.columns, &mut self.work);
            self.operations += 4.0 * dense_factorisation(self.rows.len());
            let missed = if self.inverse.set_inverse_of(&self.work, self.rows.len()).is_ok() {
                self.refresh();
                self.driving_column()
            } else {
                missed
            };
            self.drift = DRIFT.max(WORSE * missed);
        }
    }

    /// Computes the driving column. Returns the residual of the column in the rows of R, relative to its
    /// largest entry.
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
        operations::count(|| 2.0 * (n * self.columns.len()) as f64);
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

    /// Sets the entries of `w` in the rows of R to 0. If they are not nearly 0, first performs one step of
    /// iterative refinement of `x`. Returns the largest of these entries before the call, relative to the
    /// largest entry of `x`.
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

    /// Exchanges the basic variable of `row` with the entering variable. Returns the variable that left.
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
