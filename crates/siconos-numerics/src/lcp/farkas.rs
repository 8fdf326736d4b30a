//! Proofs that a problem has no solution.

use siconos_linalg::{Csc, MatrixRef};

use super::LcpProblem;
use crate::qp::certificate::{LARGEST_ZERO, correct_nearby};
use crate::qp::interior_point::{Outcome, Program};
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Maximum accepted value of a positive entry of $M^T s$: number of units in the last place of its terms for
/// each unknown.
const UNITS: f64 = 16.0;

/// Minimum accepted value of $-q^T s$, relative to the sum of the magnitudes of its terms.
const CLEARLY_NEGATIVE: f64 = 1e-10;

/// Minimum accepted ratio of $-q^T s$ to the largest positive entry of $M^T s$, each relative to its terms. A
/// solution can exist in spite of `s` if $M^T s$ has a positive entry. If the ratio is at least this value,
/// the terms of $M z$ at such a solution are so large that q is lost to rounding in $M z + q$.
const CANCELLATION: f64 = PART_LOST_IN_ROUNDING / f64::EPSILON;

/// Returns `true` if `s` proves that the problem is infeasible and therefore has no solution:
///
/// $$ s \ge 0, \qquad M^T s \le 0, \qquad q^T s < 0. $$
///
/// As plain text: s >= 0, M^T s <= 0, q^T s < 0. For every $z \ge 0$ these signs make $s^T (M z + q)$
/// negative, whereas $s^T w \ge 0$ for the $w = M z + q$ of a solution (Farkas' lemma; Cottle, Pang, Stone
/// 1992, section 2.7).
///
/// The signs are checked on the data of the problem, up to rounding. An entry of $M^T s$ is allowed to exceed
/// 0 by $16 n \varepsilon$ times its terms $|M|^T s$. The proof is then exact for a matrix whose entries
/// differ from the entries of $M$ by this relative amount. Let $\delta$ be the largest relative excess. Then
/// $-q^T s$ must be at least $\max(10^{-10}, 4 \cdot 10^{12} \delta)$ times its terms $|q|^T s$. A solution,
/// if one existed, would be so large that the rounding error of $M z$ exceeds a thousandth of $q$, and no
/// point of that size counts as a solution.
///
/// Returns `false` if `s` has the wrong length or is not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::{LcpProblem, is_infeasibility_certificate};
///
/// // The sum of the second and third rows gives w_2 + w_3 = -1.
/// let m = array![[1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, 1.0]];
/// let q = [1.0, -2.0, 1.0];
/// let problem = LcpProblem::new(&m, &q)?;
/// assert!(is_infeasibility_certificate(&problem, &[0.0, 1.0, 1.0]));
/// assert!(!is_infeasibility_certificate(&problem, &[1.0, 1.0, 1.0]));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[must_use]
pub fn is_infeasibility_certificate(problem: &LcpProblem<'_>, s: &[f64]) -> bool {
    CertificateCheck::default().accepts(problem, s)
}

/// Check of [`is_infeasibility_certificate`], with its workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct CertificateCheck {
    product: Vec<f64>,
    terms: Vec<f64>,
}

impl CertificateCheck {
    pub(super) fn accepts(&mut self, problem: &LcpProblem<'_>, s: &[f64]) -> bool {
        let n = problem.size();
        if s.len() != n || !s.iter().all(|s| s.is_finite() && *s >= 0.0) {
            return false;
        }
        for memory in [&mut self.product, &mut self.terms] {
            memory.clear();
            memory.resize(n, 0.0);
        }
        problem.m().add_transposed_product(1.0, s, &mut self.product);
        problem.m().add_absolute_transposed_product(s, &mut self.terms);
        let mut excess = 0.0_f64;
        for (product, terms) in self.product.iter().zip(&self.terms) {
            if !terms.is_finite() {
                return false;
            }
            if *product > 0.0 {
                excess = excess.max(product / terms);
            }
        }
        let value: f64 = problem.q().iter().zip(s).map(|(q, s)| q * s).sum();
        let terms: f64 = problem.q().iter().zip(s).map(|(q, s)| q.abs() * s).sum();
        excess <= UNITS * n as f64 * f64::EPSILON
            && value < 0.0
            && -value >= CLEARLY_NEGATIVE.max(CANCELLATION * excess) * terms
    }
}

/// Corrects an approximate Farkas vector `s` so that $s \ge 0$, $M^T s \le 0$ and $q^T s < 0$ hold up to
/// rounding. Returns `false` if that fails. A Farkas vector proves that no $z \ge 0$ has $M z + q \ge 0$,
/// since $s^T (M z + q) < 0$ for every such z (Cottle, Pang, Stone 1992, theorem 2.7.9).
pub(super) fn proves_no_feasible_point<'a>(m: MatrixRef<'a>, q: &'a [f64], s: &mut [f64]) -> bool {
    let columns = Csc::from_matrix(m);
    correct_nearby(&columns, |s| s < LARGEST_ZERO, |_, near| near, s)
        && LcpProblem::new(m, q).is_ok_and(|problem| is_infeasibility_certificate(&problem, s))
}

/// Searches for a Farkas vector by the linear program: minimise $q^T s$ subject to $M^T s \le 0$,
/// $0 \le s \le 1$.
pub(super) fn find_farkas_vector<'a>(m: MatrixRef<'a>, q: &'a [f64]) -> Option<Vec<f64>> {
    let n = q.len();
    let largest = |x: &[f64]| Some(x.iter().fold(0.0_f64, |a, x| a.max(x.abs()))).filter(|x| *x > 0.0);
    let m_columns = Csc::from_matrix(m);
    let (of_m, of_q) = (largest(m_columns.values()).unwrap_or(1.0), largest(q).unwrap_or(1.0));
    let linear: Vec<_> = q.iter().map(|q| q / of_q).collect();
    let of_product = (0..n).flat_map(|j| m_columns.column(j).map(move |(i, x)| (j, i, x / of_m)));
    let of_bounds = (0..n).flat_map(|i| [(n + i, i, -1.0), (2 * n + i, i, 1.0)]);
    let Ok(a) = Csc::from_triplets(3 * n, n, of_product.chain(of_bounds)) else { return None };
    let mut b = vec![0.0; 2 * n];
    b.resize(3 * n, 1.0);
    let Ok(hessian) = Csc::from_triplets(n, n, []) else { return None };
    let program =
        Program { hessian: &hessian, linear: &linear, a: &a, b: &b, equations: 0, second_order: &[] };
    let mut answer = program.solve(1e-12, 200);
    let found = answer.outcome == Outcome::Point && proves_no_feasible_point(m, q, &mut answer.x);
    found.then_some(answer.x)
}
