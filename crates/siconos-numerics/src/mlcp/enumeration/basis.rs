//! Point of one complementary basis, which may be singular.

use ndarray::ArrayView2;
use siconos_linalg::nearest_power_of_two;

/// Pivots up to this multiple of the largest entry count as 0. The right-hand side of a row without a pivot
/// counts as 0 up to the square root of this value, relative to its terms.
const ROUNDING: f64 = 1e-12;

/// Size of the last pivot, relative to the largest entry, below which the point is too inexact for a test of
/// its signs.
const INEXACT: f64 = 1e-9;

/// An entry of z has a wrong sign if it is below minus this multiple of the largest z. An entry of w has a
/// wrong sign if it is below minus this multiple of the largest term of w.
const WRONG: f64 = 1e-8;

/// Number of passes of equilibration over rows and columns.
const EQUILIBRATIONS: usize = 2;

/// Result for one basis, from its equations and the signs of its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// The equations are inconsistent.
    Contradiction,
    /// The equations have one solution, and some z or w is negative by more than rounding error.
    WrongSigns,
    /// A point that may be a solution; if the basis is singular, it is one of several points.
    Candidate,
}

/// Matrix block of a basis, and the point of this basis.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    members: Vec<usize>,
    /// The block, row by row, with the right-hand side at the end of each row.
    rows: Vec<f64>,
    /// Column of each pivot.
    order: Vec<usize>,
    /// Powers of two by which the columns are multiplied; `rhs_sizes` holds the largest right-hand side that
    /// each row has had so far.
    units: Vec<f64>,
    rhs_sizes: Vec<f64>,
    /// Last pivot relative to the largest entry. With complete pivoting, the last pivot is the smallest pivot
    /// or nearly as small.
    last_pivot: f64,
    z: Vec<f64>,
    w: Vec<f64>,
}

impl Basis {
    pub(super) fn z(&self) -> &[f64] {
        &self.z
    }

    pub(super) fn w(&self) -> &[f64] {
        &self.w
    }

    /// Solves (M z + q)_i = 0 for the active rows, with z_i = 0 for all other rows.
    pub(super) fn solve(
        &mut self,
        m: ArrayView2<'_, f64>,
        q: &[f64],
        active: &[bool],
        is_free: impl Fn(usize) -> bool,
    ) -> Solved {
        self.members.clear();
        self.members.extend((0..q.len()).filter(|&i| active[i]));
        let k = self.members.len();
        self.rows.clear();
        for &i in &self.members {
            self.rows.extend(self.members.iter().map(|&j| m[[i, j]]));
            self.rows.push(-q[i]);
        }
        self.equilibrate(k);
        let Some(rank) = self.eliminate(k) else { return Solved::Contradiction };
        self.z.clear();
        self.z.resize(q.len(), 0.0);
        self.substitute(k, rank);
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        // The signs of z are tested in the scaled units of the elimination.
        let z_size = size(&self.z);
        let is_negative = self.members.iter().any(|&i| !is_free(i) && self.z[i] < -WRONG * z_size);
        for (&i, unit) in self.members.iter().zip(&self.units) {
            self.z[i] *= unit;
        }
        self.w.clear();
        // The rounding in w is proportional to its terms.
        let mut w_size = size(q);
        for (i, q) in q.iter().enumerate() {
            let terms = self.members.iter().map(|&j| m[[i, j]] * self.z[j]);
            if active[i] {
                self.w.push(0.0);
            } else {
                w_size = terms.clone().fold(w_size, |a, x| a.max(x.abs()));
                self.w.push(q + terms.sum::<f64>());
            }
        }
        let is_wrong = |i: usize| self.w[i] < -WRONG * w_size;
        if rank == k && self.last_pivot > INEXACT && (is_negative || (0..q.len()).any(is_wrong)) {
            return Solved::WrongSigns;
        }
        Solved::Candidate
    }

    /// Multiplies rows and columns by powers of two that bring their largest entries near 1, so that an entry
    /// is not mistaken for a rounding error because its row or its unknown has a different unit.
    fn equilibrate(&mut self, k: usize) {
        let width = k + 1;
        let power = |largest: f64| 1.0 / nearest_power_of_two(largest);
        self.units.clear();
        self.units.resize(k, 1.0);
        for _ in 0..EQUILIBRATIONS {
            for row in self.rows.chunks_exact_mut(width) {
                let scale = power(row[..k].iter().fold(0.0_f64, |a, x| a.max(x.abs())));
                row.iter_mut().for_each(|x| *x *= scale);
            }
            for (j, unit) in self.units.iter_mut().enumerate() {
                let column = self.rows.iter().skip(j).step_by(width);
                let scale = power(column.fold(0.0_f64, |a, x| a.max(x.abs())));
                self.rows.iter_mut().skip(j).step_by(width).for_each(|x| *x *= scale);
                *unit *= scale;
            }
        }
    }

    /// Performs Gaussian elimination with complete pivoting. Returns the rank, or `None` if a row without a
    /// pivot has a nonzero right-hand side.
    fn eliminate(&mut self, k: usize) -> Option<usize> {
        let width = k + 1;
        let mut matrix_size = 0.0_f64;
        self.rhs_sizes.clear();
        for row in self.rows.chunks_exact(width) {
            matrix_size = row[..k].iter().fold(matrix_size, |a, x| a.max(x.abs()));
            self.rhs_sizes.push(row[k].abs());
        }
        self.order.clear();
        self.order.extend(0..k);
        self.last_pivot = 1.0;
        for step in 0..k {
            let mut best = (0.0, step, step);
            for row in step..k {
                for column in step..k {
                    let x = self.rows[row * width + self.order[column]].abs();
                    if x > best.0 {
                        best = (x, row, column);
                    }
                }
            }
            let (pivot, row, column) = best;
            if pivot <= ROUNDING * matrix_size {
                let is_left =
                    |row: usize| self.rows[row * width + k].abs() > ROUNDING.sqrt() * self.rhs_sizes[row];
                return (!(step..k).any(is_left)).then_some(step);
            }
            self.last_pivot = pivot / matrix_size;
            self.order.swap(step, column);
            self.rhs_sizes.swap(row, step);
            if row != step {
                for c in 0..width {
                    self.rows.swap(step * width + c, row * width + c);
                }
            }
            let (upper, lower) = self.rows.split_at_mut((step + 1) * width);
            let pivot_row = &upper[step * width..];
            let place = self.order[step];
            let (done, rhs_sizes) = self.rhs_sizes.split_at_mut(step + 1);
            for (row, rhs_size) in lower.chunks_exact_mut(width).zip(rhs_sizes) {
                let factor = row[place] / pivot_row[place];
                if factor != 0.0 {
                    row.iter_mut().zip(pivot_row).for_each(|(x, p)| *x -= factor * p);
                    row[place] = 0.0;
                    // The terms that are eliminated on the right-hand side may have been larger than the
                    // data.
                    *rhs_size = rhs_size.max(factor.abs() * done[step]);
                }
            }
        }
        Some(k)
    }

    /// Computes the point; unknowns without a pivot are 0.
    fn substitute(&mut self, k: usize, rank: usize) {
        let width = k + 1;
        for step in (0..rank).rev() {
            let row = &self.rows[step * width..(step + 1) * width];
            let known: f64 =
                self.order[step + 1..rank].iter().map(|&c| row[c] * self.z[self.members[c]]).sum();
            self.z[self.members[self.order[step]]] = (row[k] - known) / row[self.order[step]];
        }
    }
}
