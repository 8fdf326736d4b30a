//! Principal pivot transform of (M, q), which moves from a complementary basis to a neighbour by one
//! exchange.

use siconos_linalg::{DenseLu, square};

/// Number of exchanges between two factorisations.
const REFRESH: usize = 40;

/// Maximum growth factor of rounding errors for which the values are trusted. It corresponds to a relative
/// error of 2e-5.
const LARGEST_GROWTH: f64 = 1e11;

/// Condition number above which a basis counts as singular.
const LARGEST_CONDITION: f64 = 1e8;

/// Pivots below this multiple of the largest entry of their row or column are not used; the basis is
/// factorised instead.
const SMALL_PIVOT: f64 = 1e-6;

/// Tableau basic = T nonbasic + x, where $z_i$ is basic for $i \in \alpha$ and $w_i$ is basic otherwise
/// (Cottle, Pang, Stone 1992, section 2.3).
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    n: usize,
    /// T, row-major; `x` holds the values of the basic variables.
    t: Vec<f64>,
    x: Vec<f64>,
    active: Vec<bool>,
    is_valid: bool,
    exchanges: usize,
    /// Estimated growth of rounding errors in the exchanges since the last factorisation.
    growth: f64,
    /// Largest entry of M.
    size: f64,
    indices: Vec<usize>,
    block: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    lu: DenseLu,
}

impl Tableau {
    /// Starts with a basis. Returns `false` if its matrix is singular or nearly singular.
    pub(super) fn begin(&mut self, m: &[f64], q: &[f64], active: &[bool]) -> bool {
        self.n = q.len();
        self.active.clear();
        self.active.extend_from_slice(active);
        self.size = m.iter().fold(0.0, |a, x| a.max(x.abs()));
        self.is_valid = self.rebuild(m, q);
        self.is_valid
    }

    /// Moves to the neighbouring basis that differs in index `i`. Returns `false` if the matrix of the new
    /// basis is singular or nearly singular.
    pub(super) fn exchange(&mut self, m: &[f64], q: &[f64], i: usize) -> bool {
        self.active[i] = !self.active[i];
        let is_cheap = self.is_valid && self.exchanges < REFRESH && self.pivot(i);
        self.is_valid = is_cheap || self.rebuild(m, q);
        self.is_valid
    }

    /// Returns one flag per index: `true` if $z_i$ is basic.
    pub(super) fn active(&self) -> &[bool] {
        &self.active
    }

    /// Returns the values of the basic variables. They are valid if the matrix of the basis is regular.
    pub(super) fn values(&self) -> &[f64] {
        &self.x
    }

    /// Estimates the condition number of the basis, from the inverse of its matrix, which is a block of the
    /// tableau.
    pub(super) fn condition(&self) -> f64 {
        let largest = self.t.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        largest * self.size.max(1.0) * self.n as f64
    }

    /// Performs a rank-one exchange. Returns `false` and leaves the tableau unchanged if the pivot is small
    /// or if rounding errors would grow too much.
    fn pivot(&mut self, i: usize) -> bool {
        let n = self.n;
        self.row.clear();
        self.row.extend_from_slice(&self.t[i * n..(i + 1) * n]);
        self.column.clear();
        self.column.extend((0..n).map(|k| self.t[k * n + i]));
        let pivot = self.row[i];
        let largest = self.row.iter().chain(&self.column).fold(0.0_f64, |a, x| a.max(x.abs()));
        if pivot.is_nan() || pivot.abs() <= SMALL_PIVOT * largest {
            return false;
        }
        self.growth *= largest / pivot.abs();
        if self.growth > LARGEST_GROWTH {
            return false;
        }
        // basic_i = .. + pivot nonbasic_i is solved for nonbasic_i.
        let factor = 1.0 / pivot;
        self.row.iter_mut().for_each(|x| *x *= -factor);
        self.row[i] = factor;
        let x_i = -self.x[i] * factor;
        for (k, (row, &t_ki)) in self.t.chunks_exact_mut(n).zip(&self.column).enumerate() {
            if k == i {
                row.copy_from_slice(&self.row);
            } else if t_ki != 0.0 {
                row[i] = 0.0;
                row.iter_mut().zip(&self.row).for_each(|(t, r)| *t += t_ki * r);
                self.x[k] += t_ki * x_i;
            }
        }
        self.x[i] = x_i;
        self.exchanges += 1;
        true
    }

    /// Computes the tableau from a factorisation. Returns `false` if the basis is singular or nearly
    /// singular.
    fn rebuild(&mut self, m: &[f64], q: &[f64]) -> bool {
        let n = self.n;
        self.exchanges = 0;
        self.indices.clear();
        self.indices.extend((0..n).filter(|&i| self.active[i]));
        let k = self.indices.len();
        self.block.clear();
        for &i in &self.indices {
            self.block.extend(self.indices.iter().map(|&j| m[i * n + j]));
        }
        if k > 0 && self.lu.factor(square(&self.block, k)).is_err() {
            return false;
        }
        // First compute the rows of alpha: z_alpha = M_aa^-1 w_alpha - M_aa^-1 (M_ab z_b + q_a), column by
        // column.
        self.t.clear();
        self.t.resize(n * n, 0.0);
        self.x.clear();
        self.x.extend_from_slice(q);
        for column in 0..=n {
            self.column.clear();
            self.column.extend(self.indices.iter().map(|&i| match column {
                c if c == n => -q[i],
                c if self.active[c] => f64::from(u8::from(i == c)),
                c => -m[i * n + c],
            }));
            if k > 0 {
                self.lu.solve(&mut self.column);
            }
            for (&i, &value) in self.indices.iter().zip(&self.column) {
                if column == n {
                    self.x[i] = value;
                } else {
                    self.t[i * n + column] = value;
                }
            }
        }
        // Then compute the other rows: w_b = M_ba z_a + M_bb z_b + q_b.
        for i in (0..n).filter(|&i| !self.active[i]) {
            self.row.clear();
            self.row.extend((0..n).map(|j| if self.active[j] { 0.0 } else { m[i * n + j] }));
            for &j in &self.indices {
                let m_ij = m[i * n + j];
                let source = &self.t[j * n..(j + 1) * n];
                self.row.iter_mut().zip(source).for_each(|(t, s)| *t += m_ij * s);
                self.x[i] += m_ij * self.x[j];
            }
            self.t[i * n..(i + 1) * n].copy_from_slice(&self.row);
        }
        self.growth = self.condition();
        self.x.iter().all(|x| x.is_finite()) && self.growth <= LARGEST_CONDITION
    }
}
