//! Solution of the equations of a complementary basis by one factorisation, and acceptance test of a point.
//! Pivoting methods use both at their start and at their end.

use ndarray::ArrayView2;
use siconos_linalg::{DenseLu, are_equal, largest_magnitude, square};

use super::LcpProblem;
use crate::box_constraints::{AcceptanceTest, Assessment, write_image};

/// Maximum relative magnitude of a negative impulse z_i that counts as 0. If M_ii > 0, M_ii z_i is compared
/// with the largest entry of q, otherwise z_i with the largest impulse.
const NEGATIVE: f64 = 1e-13;

/// Maximum number of refinement steps.
const REFINEMENTS: usize = 3;

/// Factorised matrix of an active set, with workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    active: Vec<usize>,
    block: Vec<f64>,
    /// Entries of the most recently factorised block. Its factors are reused if the next block has the same
    /// entries, as in consecutive time steps with the same closed contacts.
    factorised: Vec<f64>,
    right_hand_side: Vec<f64>,
    lu: DenseLu,
    test: AcceptanceTest,
    before: Vec<f64>,
}

impl ActiveSet {
    /// Solves for the complementary basis in which the positive entries of `z` are basic. Returns `false` and
    /// leaves `z` unchanged if the matrix of the basis is singular, or if an entry of the result is negative
    /// by more than rounding error. In the second case, the basis does not belong to a solution of the
    /// problem.
    ///
    /// The sign test uses M_ii z_i, which has the unit of q. A negative impulse is therefore detected even if
    /// masses are small.
    pub(super) fn solve(&mut self, m: ArrayView2<'_, f64>, q: &[f64], z: &mut [f64]) -> bool {
        self.active.clear();
        self.active.extend(z.iter().enumerate().filter(|(_, z)| **z > 0.0).map(|(i, _)| i));
        let k = self.active.len();
        let all = m.as_slice().filter(|_| k == q.len());
        if all.is_none() {
            self.block.clear();
            for &i in &self.active {
                let row = m.row(i);
                self.block.extend(self.active.iter().map(|&j| row[j]));
            }
        }
        self.right_hand_side.clear();
        match all {
            Some(_) => self.right_hand_side.extend(q.iter().map(|q| -q)),
            None => self.right_hand_side.extend(self.active.iter().map(|&i| -q[i])),
        }
        if k > 0 {
            if !self.factor(all, k) {
                return false;
            }
            self.lu.solve(&mut self.right_hand_side);
        }
        let (largest_q, largest_x) = (largest_magnitude(q), largest_magnitude(&self.right_hand_side));
        let is_negative = |(&i, &x): (&usize, &f64)| {
            x < 0.0
                && match m[[i, i]] {
                    m_ii if m_ii > 0.0 => -x * m_ii > NEGATIVE * largest_q,
                    _ => -x > NEGATIVE * largest_x,
                }
        };
        if self.active.iter().zip(&self.right_hand_side).any(is_negative) {
            return false;
        }
        z.fill(0.0);
        for (&i, &x) in self.active.iter().zip(&self.right_hand_side) {
            z[i] = x.max(0.0);
        }
        true
    }

    /// Factorises the whole matrix `all` or, if it is `None`, the active block. The factorised matrix has k
    /// rows. Returns `false` if it is singular.
    fn factor(&mut self, all: Option<&[f64]>, k: usize) -> bool {
        let entries = all.unwrap_or(&self.block);
        if are_equal(entries, &self.factorised) {
            return true;
        }
        self.factorised.clear();
        let is_regular = self.lu.factor(square(entries, k)).is_ok();
        if is_regular {
            self.factorised.extend_from_slice(entries);
        }
        is_regular
    }

    /// Performs one step of iterative refinement for the basis of the last [`solve`](Self::solve). `w` must
    /// be M z + q.
    fn refine(&mut self, w: &[f64], z: &mut [f64]) {
        if self.active.is_empty() {
            return;
        }
        self.right_hand_side.clear();
        self.right_hand_side.extend(self.active.iter().map(|&i| -w[i]));
        self.lu.solve(&mut self.right_hand_side);
        for (&i, &x) in self.active.iter().zip(&self.right_hand_side) {
            z[i] = (z[i] + x).max(0.0);
        }
    }

    /// Factorises the matrix on the active set of `z` once, solves, and refines iteratively. This removes the
    /// rounding errors that `z` accumulated over the pivots. If the error does not decrease, `z` stays
    /// unchanged. `before` is the result of the acceptance test for the given `z`. Returns the result for the
    /// final `z`, and keeps `w` equal to M z + q.
    pub(super) fn polish(
        &mut self,
        problem: &LcpProblem<'_>,
        m: ArrayView2<'_, f64>,
        tolerance: f64,
        before: Assessment,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Assessment {
        self.before.clear();
        self.before.extend_from_slice(z);
        if !self.solve(m, problem.q(), z) {
            return before;
        }
        write_image(problem, z, w);
        let mut best = before;
        for _ in 0..REFINEMENTS {
            self.refine(w, z);
            let refined = self.test.of_point(problem, z, w);
            if refined.error >= best.error || refined.error.is_nan() {
                break;
            }
            best = refined;
            if best.status(tolerance).is_success() {
                return best;
            }
            self.before.copy_from_slice(z);
        }
        z.copy_from_slice(&self.before);
        write_image(problem, z, w);
        best
    }

    /// Computes w and applies the acceptance test to a point.
    pub(super) fn test(&mut self, problem: &LcpProblem<'_>, z: &[f64], w: &mut [f64]) -> Assessment {
        self.test.of_point(problem, z, w)
    }
}
