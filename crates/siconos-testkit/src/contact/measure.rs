//! The error measure of contact problems, written out apart from the crate under test.

use std::ops::Range;

use super::OwnedLaw;

/// The nearest point of $\lbrace \lVert x_k \rVert \le \mu_k N \rbrace$ by bisection for N, where the slope of the squared distance,
/// N - n - sum of mu_k (norm(x_k) - mu_k N)_+, changes its sign.
#[must_use]
pub fn nearest(parts: &[(f64, Range<usize>)], x: &[f64]) -> Vec<f64> {
    let slope = |n: f64| {
        n - x[0] - parts.iter().map(|(mu, p)| mu * (length(&x[p.clone()]) - mu * n).max(0.0)).sum::<f64>()
    };
    let sum = parts.iter().fold(x[0].abs(), |sum, (mu, p)| sum + mu * length(&x[p.clone()]));
    let (mut low, mut high) = (0.0, sum);
    if slope(0.0) >= 0.0 {
        high = 0.0;
    }
    // Until the two are neighbours.
    for _ in 0..1100 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        *(if slope(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    let mut foot = x.to_vec();
    foot[0] = high;
    for (mu, part) in parts {
        let size = length(&x[part.clone()]);
        if size > mu * high {
            foot[part.clone()].iter_mut().for_each(|x| *x *= mu * high / size);
        }
    }
    foot
}

/// The norm of $r - P_K(r - u - s(u) e_N)$ over all blocks; NaN when an entry is not finite.
#[must_use]
pub fn violation(law: &OwnedLaw, r: &[f64], u: &[f64]) -> f64 {
    if r.iter().chain(u).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let of_block = |i: usize| {
        let range = law.range(i);
        let (r, u) = (&r[range.clone()], &u[range]);
        let parts = law.parts(i);
        let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        x[0] -= law.shift(i, u);
        r.iter().zip(nearest(&parts, &x)).map(|(r, x)| (r - x).powi(2)).sum::<f64>()
    };
    (0..law.blocks()).map(of_block).sum::<f64>().sqrt()
}

/// The error measure of a contact problem: the [`violation`] over max(norm(q), norm(r), norm(u)), over norm(q) for rolling in
/// the plane, over 1 + norm(q) for second-order cones.
#[must_use]
pub fn contact_error(law: &OwnedLaw, q: &[f64], r: &[f64], u: &[f64]) -> f64 {
    let of_q = length(q);
    let scale = match law {
        OwnedLaw::SecondOrder { .. } => of_q + 1.0,
        OwnedLaw::Rolling { dimension: 3, .. } => of_q,
        _ => of_q.max(length(r)).max(length(u)),
    };
    violation(law, r, u) / if scale > f64::EPSILON { scale } else { 1.0 }
}

pub(super) fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
