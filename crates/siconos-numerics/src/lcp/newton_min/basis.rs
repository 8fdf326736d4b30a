//! Linear algebra of complementary bases: initial basis, solution, exchange.

use ndarray::ArrayView2;
use siconos_linalg::{MatrixRef, NewtonMatrix, SmallMatrix, add_scaled, dot, largest_magnitude};

use crate::engine::nsgs::{LocalLaw, sweep};
use crate::lcp::LcpProblem;
use crate::own_response;

/// Complementary basis, with the workspace for its solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    active: Vec<bool>,
    /// Input of [`NewtonMatrix`]: the coefficient of z_i in row i and, in `of_w`, the coefficient of w_i.
    /// They are d_i and 0 in rows with the equation z_i = 0, and the shift and 1 in rows with the equation
    /// w_i = 0.
    of_z: Vec<f64>,
    of_w: Vec<f64>,
    matrix: NewtonMatrix,
    right_hand_side: Vec<f64>,
    diagonal: Vec<f64>,
    /// Factors $d_i$ that convert $z_i$ to the unit of $w_i$; see [`own_response`](crate::own_response).
    responses: Vec<f64>,
    /// Factor of the proximal term `shift` (z - `anchor`), which is added to M z + q.
    shift: f64,
    anchor: Vec<f64>,
}

impl Basis {
    /// Returns the response $d_i$ of row i to its own unknown: $d_i z_i$ has the unit of w.
    pub(super) fn response(&self, i: usize) -> f64 {
        self.responses[i]
    }

    /// Returns one flag per index: `true` if $z_i$ is basic.
    pub(super) fn active(&self) -> &[bool] {
        &self.active
    }

    /// Chooses the first basis; `z` and `w` are overwritten.
    pub(super) fn begin(&mut self, problem: &LcpProblem<'_>, sweeps: usize, z: &mut [f64], w: &mut [f64]) {
        let q = problem.q();
        self.shift = 0.0;
        self.anchor.clear();
        self.anchor.resize(q.len(), 0.0);
        let m = problem.m();
        if !self.matrix.prepare_by_entries(m) {
            self.diagonal.clear();
            self.diagonal.resize(q.len(), 0.0);
            m.copy_diagonal(&mut self.diagonal);
            own_response::write(m.reborrow(), &mut self.responses);
        }
        self.active.clear();
        if z.iter().any(|z| *z > 0.0) {
            self.active.extend(z.iter().map(|z| *z > 0.0));
            return;
        }
        let MatrixRef::Dense(m) = m else {
            self.fill();
            return;
        };
        w.copy_from_slice(q);
        if self.matrix.is_symmetric() {
            for _ in 0..sweeps {
                if !sweep_by_columns(m, &self.diagonal, z, w) {
                    break;
                }
            }
        } else {
            for _ in 0..sweeps {
                let mut law = Complementarity { has_switched: false };
                sweep(&m, q, &mut law, z);
                if !law.has_switched {
                    break;
                }
            }
            MatrixRef::Dense(m).add_product(1.0, z, w);
        }
        let pairs = z.iter().zip(&*w).zip(&self.diagonal);
        self.active.extend(pairs.map(|((z, w), m_ii)| m_ii * z > *w));
    }

    /// Sets the basis to all indices with a positive diagonal entry. If only neighbouring rows are coupled, a
    /// growing basis gains one index per step, whereas a shrinking basis can lose many indices at once.
    pub(super) fn fill(&mut self) {
        self.active.clear();
        self.active.extend(self.diagonal.iter().map(|m_ii| *m_ii > 0.0));
    }

    /// Replaces M and q by M + shift I and q - shift `anchor` in the following solves. The shift is the
    /// fraction `part` of the largest response.
    pub(super) fn shift(&mut self, part: f64, anchor: &[f64]) {
        self.shift = part * largest_magnitude(&self.responses);
        self.anchor.copy_from_slice(anchor);
    }

    /// Solves for the basis: `z` is 0 outside the basis, and `w` is 0 inside. Returns `false` if the matrix
    /// of the basis is singular.
    pub(super) fn solve(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> bool {
        let (m, q) = (problem.m(), problem.q());
        self.of_z.clear();
        let rows = self.active.iter().zip(&self.responses);
        self.of_z.extend(rows.map(|(active, d)| if *active { self.shift } else { *d }));
        self.of_w.clear();
        self.of_w.extend(self.active.iter().map(|active| f64::from(u8::from(*active))));
        if self.matrix.factor(m, &self.of_z, &self.of_w).is_err() {
            return false;
        }
        for (i, (z, q)) in z.iter_mut().zip(q).enumerate() {
            *z = if self.active[i] { self.shift * self.anchor[i] - q } else { 0.0 };
        }
        if self.matrix.solve(m, z).is_err() {
            return false;
        }
        match m {
            MatrixRef::Dense(m) => {
                for (i, w) in w.iter_mut().enumerate() {
                    *w = if self.active[i] { 0.0 } else { q[i] + row_product(m, i, z) };
                }
            }
            _ => {
                w.copy_from_slice(q);
                m.add_product(1.0, z, w);
                w.iter_mut().zip(&self.active).filter(|(_, active)| **active).for_each(|(w, _)| *w = 0.0);
            }
        }
        if self.shift > 0.0 {
            let outside = w.iter_mut().zip(&self.anchor).zip(&self.active).filter(|(_, active)| !**active);
            outside.for_each(|((w, anchor), _)| *w -= self.shift * anchor);
        }
        true
    }

    /// Performs one step of iterative refinement for the basis of the last [`solve`](Self::solve). `w` must
    /// be M z + q. Returns `false` if the solve fails.
    pub(super) fn refine(&mut self, m: MatrixRef<'_>, w: &[f64], z: &mut [f64]) -> bool {
        self.right_hand_side.clear();
        let pairs = w.iter().zip(&self.active);
        self.right_hand_side.extend(pairs.map(|(w, active)| if *active { -w } else { 0.0 }));
        if self.matrix.solve(m, &mut self.right_hand_side).is_err() {
            return false;
        }
        z.iter_mut().zip(&self.right_hand_side).for_each(|(z, d)| *z += d);
        true
    }

    /// Exchanges $z_i$ and $w_i$ for each of these indices.
    pub(super) fn exchange(&mut self, indices: &[usize]) {
        for &i in indices {
            self.active[i] = !self.active[i];
        }
    }
}

/// Returns the product of row i of M and z.
fn row_product(m: ArrayView2<'_, f64>, i: usize, z: &[f64]) -> f64 {
    let row = m.row(i);
    match row.as_slice() {
        Some(row) => dot(row, z),
        None => row.iter().zip(z).map(|(m, z)| m * z).sum(),
    }
}

/// Performs one sweep for a symmetric matrix. `w` = M z + q is kept up to date, so an unknown that stays 0
/// costs no operations. Returns `true` if an unknown has become positive or has become 0.
fn sweep_by_columns(m: ArrayView2<'_, f64>, diagonal: &[f64], z: &mut [f64], w: &mut [f64]) -> bool {
    let mut has_switched = false;
    for i in 0..z.len() {
        if diagonal[i] > 0.0 {
            let new = (z[i] - w[i] / diagonal[i]).max(0.0);
            let change = new - z[i];
            if change != 0.0 {
                has_switched |= (new > 0.0) != (z[i] > 0.0);
                z[i] = new;
                let row = m.row(i);
                match row.as_slice() {
                    Some(row) => add_scaled(change, row, w),
                    None => row.iter().zip(&mut *w).for_each(|(m, w)| *w += change * m),
                }
            }
        }
    }
    has_switched
}

/// Local law of a sweep. Rows without a positive diagonal entry are not changed.
struct Complementarity {
    has_switched: bool,
}

impl LocalLaw<1> for Complementarity {
    fn solve(&mut self, _i: usize, diagonal: &SmallMatrix<1>, b: &[f64; 1], old: &[f64; 1]) -> [f64; 1] {
        let m_ii = diagonal.0[0][0];
        let new = if m_ii > 0.0 { (-b[0] / m_ii).max(0.0) } else { old[0] };
        self.has_switched |= (new > 0.0) != (old[0] > 0.0);
        [new]
    }
}
