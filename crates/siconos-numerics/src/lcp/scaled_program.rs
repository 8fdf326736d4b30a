//! Scaled quadratic program of a linear complementarity problem.

use siconos_linalg::Csc;

use super::LcpProblem;
use crate::qp::interior_point::Answer;

/// Relative accuracies of the interior-point method: the target, and the value that is tried if the method
/// fails at the target. If the solution set is unbounded, a tighter target can make the method diverge along
/// this set. The refinement computes the remaining digits.
pub(super) const ACCURACIES: [f64; 2] = [1e-9, 1e-5];

/// Linear term and constraints $A z + s = b$, $s \ge 0$ of the quadratic program, in units in which the
/// largest entries of M and q are 1.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    /// Largest magnitudes of the entries of M and, in `of_q`, of q.
    pub(super) of_m: f64,
    pub(super) of_q: f64,
    pub(super) linear: Vec<f64>,
    pub(super) a: Csc,
    pub(super) b: Vec<f64>,
}

impl Scaled {
    /// Creates the program with the constraints $z \ge 0$ and, if `with_w`, $M z + q \ge 0$.
    pub(super) fn new(problem: &LcpProblem<'_>, with_w: bool) -> Self {
        let largest = |x: &[f64]| Some(x.iter().fold(0.0_f64, |a, x| a.max(x.abs()))).filter(|x| *x > 0.0);
        let (n, m) = (problem.size(), Csc::from_matrix(problem.m()));
        let of_m = largest(m.values()).unwrap_or(1.0);
        let of_q = largest(problem.q()).unwrap_or(1.0);
        let linear: Vec<_> = problem.q().iter().map(|q| q / of_q).collect();
        let entries = (0..n).flat_map(|j| {
            let of_m = m.column(j).map(move |(i, x)| (n + i, j, -x / of_m));
            std::iter::once((j, j, -1.0)).chain(of_m.filter(move |_| with_w))
        });
        let rows = if with_w { 2 * n } else { n };
        let a = Csc::from_triplets(rows, n, entries).unwrap_or_default();
        let mut b = vec![0.0; n];
        b.extend(linear.iter().filter(|_| with_w));
        Self { of_m, of_q, linear, a, b }
    }

    /// Converts the solution of the program to the units of the problem, and writes it to `z`.
    pub(super) fn write(&self, answer: &Answer, z: &mut [f64]) {
        let unit = self.of_q / self.of_m;
        z.iter_mut().zip(&answer.x).for_each(|(z, x)| *z = (x * unit).max(0.0));
    }
}
