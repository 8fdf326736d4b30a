//! Proofs that there is no solution, made exact to rounding.
//!
//! A vector that an iterative method offers as a proof satisfies its equations to 1e-8 or so, which excludes
//! only solutions of moderate size. Here the nearest vector is sought that satisfies them to rounding, and
//! that one is checked.

use siconos_linalg::{Csc, MatrixRef, dot, norm};

use super::interior_point::{Outcome, Program};
use crate::lcp::{LcpProblem, is_infeasibility_certificate};

/// Entries below this times the largest are taken for zero.
const LARGEST_ZERO: f64 = 1e-6;
/// Products below this times the size of their terms are to vanish.
const NEARLY_ZERO: f64 = 1e-4;
/// Units in the last place, per unknown, that a product which has to vanish may be off.
const UNITS: f64 = 8.0;
/// The linear form must be negative by more than this times the size of its terms.
const MARGIN: f64 = 1e-8;

/// Moves `s`, found roughly, to a vector with $s \ge 0$, $M^T s \le 0$, $q^T s < 0$ up to rounding; false
/// when that fails. Such a vector proves that no $z \ge 0$ has $M z + q \ge 0$, for then $s^T (M z + q) < 0$
/// (the lemma of Farkas; Cottle, Pang, Stone 1992, theorem 2.7.9).
pub(crate) fn proves_no_feasible_point<'a>(m: MatrixRef<'a>, q: &'a [f64], s: &mut [f64]) -> bool {
    if !normalise(s) {
        return false;
    }
    s.iter_mut().for_each(|s| *s = if *s < LARGEST_ZERO { 0.0 } else { *s });
    let columns = Csc::from_matrix(m);
    let (products, sizes) = products(&columns, s);
    let vanish: Vec<_> = products.iter().zip(&sizes).map(|(t, size)| t.abs() <= NEARLY_ZERO * size).collect();
    correct(&columns, &vanish, s);
    LcpProblem::new(m, q).is_ok_and(|problem| is_infeasibility_certificate(&problem, s))
}

/// Looks for such a vector by the linear program: minimise $q^T s$ subject to $M^T s \le 0$, $0 \le s \le 1$.
pub(crate) fn find_farkas_vector<'a>(m: MatrixRef<'a>, q: &'a [f64]) -> Option<Vec<f64>> {
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

/// What a product with one row of a certificate's matrix has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Zero.
    Zero,
    /// Zero or above.
    Nonnegative,
    /// Zero or below.
    Nonpositive,
    /// Anything.
    Any,
}

impl Sign {
    /// Whether `x` has the sign up to `allowed`.
    pub(crate) fn holds(self, x: f64, allowed: f64) -> bool {
        let (above, below) = (x >= -allowed, x <= allowed);
        match self {
            Self::Zero => above && below,
            Self::Nonnegative => above,
            Self::Nonpositive => below,
            Self::Any => !x.is_nan(),
        }
    }
}

/// Moves `s` to a vector whose products with the columns have the `signs` up to rounding, with the entries
/// that are small set to zero when `sparse`, and with $c^T s < 0$; false when that fails.
pub(crate) fn has_signs(columns: &Csc, signs: &[Sign], c: &[f64], sparse: bool, s: &mut [f64]) -> bool {
    if !normalise(s) {
        return false;
    }
    if sparse {
        s.iter_mut().for_each(|s| *s = if s.abs() < LARGEST_ZERO { 0.0 } else { *s });
    }
    let (found, sizes) = products(columns, s);
    let near = found.iter().zip(&sizes).map(|(t, size)| t.abs() <= NEARLY_ZERO * size);
    let vanish: Vec<_> =
        near.zip(signs).map(|(near, sign)| near && *sign != Sign::Any || *sign == Sign::Zero).collect();
    correct(columns, &vanish, s);
    let (found, sizes) = products(columns, s);
    let unit = UNITS * c.len() as f64 * f64::EPSILON;
    let mut all = found.iter().zip(&sizes).zip(signs);
    all.all(|((t, size), sign)| sign.holds(*t, unit * size)) && is_negative(c, s, MARGIN)
}

/// Scales the largest entry to magnitude 1; false when there is none.
fn normalise(s: &mut [f64]) -> bool {
    let largest = s.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
    if s.iter().any(|s| !s.is_finite()) || largest == 0.0 {
        return false;
    }
    s.iter_mut().for_each(|s| *s /= largest);
    true
}

/// Whether $c^T s$ is below zero by more than `margin` times the size of its terms.
fn is_negative(c: &[f64], s: &[f64], margin: f64) -> bool {
    let size: f64 = c.iter().zip(s).map(|(c, s)| (c * s).abs()).sum();
    dot(c, s) < -margin * size
}

/// $B^T s$ and, for each product, the sum of the magnitudes of its terms.
fn products(b: &Csc, s: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let product =
        |j| b.column(j).fold((0.0, 0.0), |(t, size), (i, x)| (t + x * s[i], size + (x * s[i]).abs()));
    (0..b.columns()).map(product).unzip()
}

/// The least change of the nonzero entries of `s` that makes $(B^T s)_j$ vanish where `vanish[j]`: conjugate
/// gradients on the normal equations of the second kind (CGNE; Golub and Van Loan 2013, section 11.3.9), done
/// twice against rounding. They need no full rank.
fn correct(b: &Csc, vanish: &[bool], s: &mut [f64]) {
    let used: Vec<_> = s.iter().map(|s| *s != 0.0).collect();
    let transposed = |x: &[f64], into: &mut [f64]| {
        for (j, into) in into.iter_mut().enumerate() {
            *into = if vanish[j] { b.column(j).map(|(i, b_ij)| b_ij * x[i]).sum() } else { 0.0 };
        }
    };
    let direct = |v: &[f64], into: &mut [f64]| {
        into.fill(0.0);
        b.add_product(1.0, v, into);
        into.iter_mut().zip(&used).for_each(|(x, used)| *x = if *used { *x } else { 0.0 });
    };
    let (mut residual, mut step) = (vec![0.0; b.columns()], vec![0.0; s.len()]);
    let mut image = residual.clone();
    for _ in 0..2 {
        transposed(s, &mut residual);
        let start = norm(&residual);
        let mut direction: Vec<_> = residual.clone();
        let mut square = dot(&residual, &residual);
        for _ in 0..(2 * s.len()).min(500) {
            if square.sqrt() <= f64::EPSILON * start || square == 0.0 {
                break;
            }
            direct(&direction, &mut step);
            let curvature = dot(&step, &step);
            if curvature <= 0.0 {
                break;
            }
            let alpha = square / curvature;
            s.iter_mut().zip(&step).for_each(|(s, p)| *s -= alpha * p);
            transposed(&step, &mut image);
            residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= alpha * i);
            let next = dot(&residual, &residual);
            let beta = next / square;
            direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + beta * *d);
            square = next;
        }
    }
}
