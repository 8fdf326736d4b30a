//! The principal pivot transform of (M, q): every complementary basis by one exchange from its neighbour.

use siconos_linalg::{DenseLu, square};

/// Exchanges between two factorisations from scratch.
const REFRESH: usize = 40;

/// By how much rounding may have grown, at worst, before values are not believed: 2e-5 of them.
const LARGEST_GROWTH: f64 = 1e11;

/// Bases of a larger condition count as singular.
const LARGEST_CONDITION: f64 = 1e8;

/// Pivots below this times the largest entry of their row or column are left to a factorisation.
const SMALL_PIVOT: f64 = 1e-6;

/// basic = T nonbasic + x, where $z_i$ is basic for $i$ in $\alpha$ and $w_i$ for the others (Cottle, Pang,
/// Stone 1992, section 2.3).
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    n: usize,
    /// T row by row, and the values of the basic variables.
    t: Vec<f64>,
    x: Vec<f64>,
    active: Vec<bool>,
    is_valid: bool,
    exchanges: usize,
    /// An estimate of how much rounding has grown in the exchanges since the last factorisation.
    growth: f64,
    /// The largest entry of M.
    size: f64,
    indices: Vec<usize>,
    block: Vec<f64>,
    column: Vec<f64>,
    row: Vec<f64>,
    lu: DenseLu,
}

impl Tableau {
    /// Begins at a basis; false when its matrix is singular or nearly so.
    pub(super) fn begin(&mut self, m: &[f64], q: &[f64], active: &[bool]) -> bool {
        self.n = q.len();
        self.active.clear();
        self.active.extend_from_slice(active);
        self.size = m.iter().fold(0.0, |a, x| a.max(x.abs()));
        self.is_valid = self.rebuild(m, q);
        self.is_valid
    }

    /// Goes to the neighbour that differs in index `i`; false when the matrix of that basis is
    /// singular or nearly so.
    pub(super) fn exchange(&mut self, m: &[f64], q: &[f64], i: usize) -> bool {
        self.active[i] = !self.active[i];
        let is_cheap = self.is_valid && self.exchanges < REFRESH && self.pivot(i);
        self.is_valid = is_cheap || self.rebuild(m, q);
        self.is_valid
    }

    /// Which $z_i$ are basic.
    pub(super) fn active(&self) -> &[bool] {
        &self.active
    }

    /// The values of the basic variables, when the matrix of the basis is regular.
    pub(super) fn values(&self) -> &[f64] {
        &self.x
    }

    /// An estimate of the condition number of the basis: the inverse of its matrix is part of the tableau.
    pub(super) fn condition(&self) -> f64 {
        let largest = self.t.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        largest * self.size.max(1.0) * self.n as f64
    }

    /// The rank-one exchange; false, with nothing changed, when the pivot is small or rounding would grow too
    /// much.
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

    /// The tableau from scratch.
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
        // First the rows of alpha: z_alpha = M_aa^-1 w_alpha - M_aa^-1 (M_ab z_b + q_a), column by column.
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
        // Then the others: w_b = M_ba z_a + M_bb z_b + q_b.
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
