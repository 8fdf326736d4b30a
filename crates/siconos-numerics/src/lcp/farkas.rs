//! Proofs that a problem has no solution.

use super::LcpProblem;
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Units in the last place, per unknown, by which an entry of $M^T s$ may exceed 0 beside its terms.
const UNITS: f64 = 16.0;

/// $-q^T s$ is at least this, relative to its terms.
const CLEARLY_NEGATIVE: f64 = 1e-10;

/// A solution that is left by what of $M^T s$ exceeds 0 would have terms in $M z$ of at least this times
/// those of q, so that nothing of q is left in $M z + q$.
const CANCELLATION: f64 = PART_LOST_IN_ROUNDING / f64::EPSILON;

/// Whether `s` proves that the problem is infeasible, and so has no solution:
///
/// $$ s \ge 0, \qquad M^T s \le 0, \qquad q^T s < 0. $$
///
/// As plain text: s >= 0, M^T s <= 0, q^T s < 0. For $z \ge 0$ it would make $s^T (M z + q)$ negative, while
/// $s$ and $w = M z + q$ of a solution are not (Farkas' lemma; Cottle, Pang, Stone 1992, section 2.7).
///
/// The signs are checked on the data of the problem, as a proof up to rounding. An entry of $M^T s$ may
/// exceed 0 by $16 n \varepsilon$ times its terms $|M|^T s$: then a matrix that differs from $M$ by as little
/// in each entry is infeasible. With $\delta$ the largest such excess, $-q^T s$ has to be at least
/// $\max(10^{-10}, 4 \cdot 10^{12} \delta)$ times its terms $|q|^T s$: a solution, if there were any, would
/// be so large that rounding in $M z$ covers a thousandth of $q$, and no point that large counts as one.
/// False for vectors of another length, and for any that is not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::{LcpProblem, is_infeasibility_certificate};
///
/// // The second and third row add up to w_2 + w_3 = -1.
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

/// [`is_infeasibility_certificate`] with its memory.
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
