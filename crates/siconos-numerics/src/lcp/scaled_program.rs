//! The quadratic program of a linear complementarity problem in its own units.

use siconos_linalg::Csc;

use super::LcpProblem;
use crate::qp::interior_point::Answer;

/// What the interior-point method aims at, relative, and what it is content with where it fails at that.
/// Where the solutions have no bound, it may run off among them when too much is asked; the digits come from
/// the refinement.
pub(super) const ACCURACIES: [f64; 2] = [1e-9, 1e-5];

/// The constraints of the quadratic program in the form $A z + s = b$, $s \ge 0$, in units where the largest
/// entries of M and of q are 1.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    /// The largest entry of M, and of q.
    pub(super) of_m: f64,
    pub(super) of_q: f64,
    pub(super) linear: Vec<f64>,
    pub(super) a: Csc,
    pub(super) b: Vec<f64>,
}

impl Scaled {
    /// $z \ge 0$ and, when `with_w`, $M z + q \ge 0$.
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

    /// Writes the point of an answer, in the unit of the problem.
    pub(super) fn write(&self, answer: &Answer, z: &mut [f64]) {
        let unit = self.of_q / self.of_m;
        z.iter_mut().zip(&answer.x).for_each(|(z, x)| *z = (x * unit).max(0.0));
    }
}
