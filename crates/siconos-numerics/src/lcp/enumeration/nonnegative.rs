//! Nonnegative solutions of a linear system by nonnegative least squares. If none exists, the residual proves
//! it.

use siconos_linalg::{DenseLu, dot, norm, square};

use crate::rounding::PART_LOST_IN_ROUNDING;

/// Outcome of nonnegative least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// The residual vanishes up to rounding; `x` is the solution.
    Solved,
    /// The residual r is a Farkas vector: $C^T r \le 0$ and $r^T b > 0$, by more than rounding error.
    Infeasible,
    /// Undecided because of rounding.
    Undecided,
}

/// If the method ends with a residual whose norm is above the rounding level but not above this value, the
/// system counts as undecided. A larger residual can prove that the system has no nonnegative solution. The
/// largest entry of the right-hand side must be near 1.
const DISTINCT: f64 = 1e-7;

/// Residuals with a norm up to this multiple of the norm of the right-hand side count as 0.
const ROUNDING: f64 = 1e-12;

/// Solver of nonnegative least squares problems: minimise norm(C x - b) subject to x >= 0 (Lawson and Hanson
/// 1974, chapter 23).
#[derive(Clone, Debug, Default)]
pub(super) struct NonnegativeLeastSquares {
    passive: Vec<usize>,
    trial: Vec<usize>,
    refused: Vec<bool>,
    residual: Vec<f64>,
    system: Vec<f64>,
    right_hand_side: Vec<f64>,
    lu: DenseLu,
}

impl NonnegativeLeastSquares {
    /// Solves for `x`. `columns` holds the n columns of C one after the other. The largest entry of `b`
    /// should be near 1.
    pub(super) fn solve(&mut self, columns: &[f64], b: &[f64], x: &mut [f64]) -> Outcome {
        let n = b.len();
        x.fill(0.0);
        self.passive.clear();
        self.refused.clear();
        self.refused.resize(n, false);
        let column = |j: usize| &columns[j * n..(j + 1) * n];
        for _ in 0..10 * n + 10 {
            self.residual.clear();
            self.residual.extend_from_slice(b);
            for (j, x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                self.residual.iter_mut().zip(column(j)).for_each(|(r, c)| *r -= x * c);
            }
            let distance = norm(&self.residual);
            if distance.is_nan() {
                return Outcome::Undecided;
            }
            if distance <= ROUNDING * norm(b).max(1.0) {
                return Outcome::Solved;
            }
            // Select the column with the largest component in the direction of the residual.
            let slope = |j: usize| dot(column(j), &self.residual) / norm(column(j)).max(f64::MIN_POSITIVE);
            let candidates = (0..n).filter(|j| !self.passive.contains(j) && !self.refused[*j]);
            let best = candidates.map(|j| (j, slope(j))).max_by(|a, b| a.1.total_cmp(&b.1));
            match best {
                Some((j, slope)) if slope > 1e-13 * distance.max(1e-3) => self.enter(j, columns, b, x),
                _ if distance <= DISTINCT => return Outcome::Undecided,
                // A solution x would have sum_j x_j slope(j) = distance^2. With slopes this small, x would be
                // so large that b is lost to rounding in C x.
                _ if (0..n).all(|j| {
                    slope(j) <= f64::EPSILON / PART_LOST_IN_ROUNDING * distance * distance / norm(b).max(1.0)
                }) =>
                {
                    return Outcome::Infeasible;
                }
                _ => return Outcome::Undecided,
            }
        }
        Outcome::Undecided
    }

    /// Adds column j to the passive columns, and removes columns whose entry would become negative.
    fn enter(&mut self, j: usize, columns: &[f64], b: &[f64], x: &mut [f64]) {
        self.trial.clear();
        self.trial.extend_from_slice(&self.passive);
        self.trial.push(j);
        while self.least_squares(columns, b) {
            let solution = &self.right_hand_side[b.len()..];
            if self.trial.last() == Some(&j) && solution.last().is_some_and(|x_j| *x_j <= 0.0) {
                // The component of column j in the direction of the residual was only a rounding error.
                break;
            }
            let blocking = self.trial.iter().zip(solution).filter(|(_, s)| **s <= 0.0);
            let step = blocking.map(|(&k, s)| x[k] / (x[k] - s)).fold(1.0, f64::min);
            for (&k, s) in self.trial.iter().zip(solution) {
                x[k] = if step == 1.0 { *s } else { x[k] + step * (s - x[k]) };
            }
            self.passive.clear();
            if step == 1.0 {
                self.passive.extend_from_slice(&self.trial);
                self.refused.fill(false);
                return;
            }
            let negligible = f64::EPSILON * x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            let leaving = |k: usize, x: &[f64]| x[k] <= negligible;
            self.trial.iter().filter(|k| leaving(**k, x)).for_each(|&k| self.refused[k] = k == j);
            let stay: Vec<usize> = self.trial.iter().copied().filter(|&k| !leaving(k, x)).collect();
            self.trial.iter().filter(|k| !stay.contains(k)).for_each(|&k| x[k] = 0.0);
            self.trial = stay;
            self.passive.extend_from_slice(&self.trial);
        }
        self.refused[j] = true;
    }

    /// Solves the least squares problem on the columns of `trial` by the augmented system ((I, A), (A^T, 0))
    /// (r, x) = (b, 0), which is as stable as orthogonalisation. The solution follows the residual in
    /// `right_hand_side`. Returns `false` if the columns are linearly dependent.
    fn least_squares(&mut self, columns: &[f64], b: &[f64]) -> bool {
        let (n, k) = (b.len(), self.trial.len());
        let size = n + k;
        self.system.clear();
        self.system.resize(size * size, 0.0);
        for i in 0..n {
            self.system[i * size + i] = 1.0;
        }
        for (l, &j) in self.trial.iter().enumerate() {
            for i in 0..n {
                let value = columns[j * n + i];
                self.system[i * size + n + l] = value;
                self.system[(n + l) * size + i] = value;
            }
        }
        self.right_hand_side.clear();
        self.right_hand_side.extend_from_slice(b);
        self.right_hand_side.resize(size, 0.0);
        if self.lu.factor(square(&self.system, size)).is_err() {
            return false;
        }
        self.lu.solve(&mut self.right_hand_side);
        self.right_hand_side.iter().all(|x| x.is_finite())
    }
}
