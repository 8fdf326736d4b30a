//! The point of one complementary basis, singular ones included.

use ndarray::ArrayView2;

/// Pivots, and right-hand sides without a pivot, below this times the size of what they came from are rounding.
const ROUNDING: f64 = 1e-12;

/// With a pivot below this times the largest entry, the point is too inexact for its signs to decide anything.
const INEXACT: f64 = 1e-9;

/// A sign is wrong when the number is below minus this times the largest one of its kind.
const WRONG: f64 = 1e-8;

/// What the equations and signs of a basis say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// The equations contradict each other.
    Contradiction,
    /// There is one point, and some z or w is negative beyond rounding.
    WrongSigns,
    /// A point that may be a solution; when the basis is singular, one of several.
    Candidate,
}

/// The block of a basis and its point.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    members: Vec<usize>,
    /// The block, row by row, with the right-hand side at the end of each row.
    rows: Vec<f64>,
    /// Column of each pivot.
    order: Vec<usize>,
    /// The last pivot, which is the smallest or nearly so, over the largest entry.
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

    /// Solves (M z + q)_i = 0 for the active rows, z_i = 0 for the others.
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
        let Some(rank) = self.eliminate(k) else { return Solved::Contradiction };
        self.z.clear();
        self.z.resize(q.len(), 0.0);
        self.substitute(k, rank);
        self.w.clear();
        for (i, q) in q.iter().enumerate() {
            let product: f64 = self.members.iter().map(|&j| m[[i, j]] * self.z[j]).sum();
            self.w.push(if active[i] { 0.0 } else { q + product });
        }
        let size = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let (z_size, w_size) = (size(&self.z), size(&self.w).max(size(q)));
        let is_wrong = |i: usize| self.z[i] < -WRONG * z_size || self.w[i] < -WRONG * w_size;
        if rank == k && self.last_pivot > INEXACT && (0..q.len()).any(|i| !is_free(i) && is_wrong(i)) {
            return Solved::WrongSigns;
        }
        Solved::Candidate
    }

    /// Gauss with complete pivoting; the rank, nothing when a row without pivot has something on the right.
    fn eliminate(&mut self, k: usize) -> Option<usize> {
        let width = k + 1;
        let entries = self.rows.chunks_exact(width);
        let (mut matrix_size, mut rhs_size) = (0.0_f64, 0.0_f64);
        for row in entries {
            matrix_size = row[..k].iter().fold(matrix_size, |a, x| a.max(x.abs()));
            rhs_size = rhs_size.max(row[k].abs());
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
                let rest = (step..k).map(|row| self.rows[row * width + k].abs());
                return (!rest.into_iter().any(|x| x > ROUNDING.sqrt() * rhs_size)).then_some(step);
            }
            self.last_pivot = pivot / matrix_size;
            self.order.swap(step, column);
            if row != step {
                for c in 0..width {
                    self.rows.swap(step * width + c, row * width + c);
                }
            }
            let (upper, lower) = self.rows.split_at_mut((step + 1) * width);
            let pivot_row = &upper[step * width..];
            let place = self.order[step];
            for row in lower.chunks_exact_mut(width) {
                let factor = row[place] / pivot_row[place];
                if factor != 0.0 {
                    row.iter_mut().zip(pivot_row).for_each(|(x, p)| *x -= factor * p);
                    row[place] = 0.0;
                    // What was eliminated on the right may have been larger than the data.
                    rhs_size = rhs_size.max((factor * pivot_row[k]).abs());
                }
            }
        }
        Some(k)
    }

    /// The point; unknowns without pivot are 0.
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
