//! Test whether a point solves its problem as exactly as floating point allows.
//!
//! The errors are relative to the norm of q. If solutions are large compared with q, for example for a heavy
//! body on a light one, $w = M z + q$ is the difference of large numbers, and every floating-point vector has
//! an error above the tolerance. A row-by-row test accepts a point that is the exact solution of a problem
//! whose entries differ from the given ones by a few units in the last place (the criterion of Oettli and
//! Prager 1964; Higham 2002, section 7.1).

use siconos_linalg::MatrixRef;

/// A point counts as exact if it solves a problem whose entries differ from the given entries by at most this
/// number of units in the last place per unknown.
pub(crate) const UNITS: f64 = 4.0;

/// Errors up to this value can be caused by rounding alone, in every problem class.
pub(crate) const ERROR: f64 = 1e-13;

/// Maximum ratio of the rounding error of M z to q, both in the maximum norm. If the ratio is larger, the
/// computed M z + q contains fewer than three correct digits of q, and the point would pass as a solution for
/// any q of this magnitude. If a problem has no solution, the iterates can diverge to such points.
pub(crate) const PART_LOST_IN_ROUNDING: f64 = 1e-3;

/// Writes $\varepsilon_i = 4 n \varepsilon (|M| |z| + |q|)_i$ to `allowed` for every row i: the unavoidable
/// rounding error of row i of w = M z + q. If the terms of a row overflow, its entry is NaN, for which every
/// comparison is false; an infinite entry would accept any violation.
pub(crate) fn allowances(m: MatrixRef<'_>, q: &[f64], z: &[f64], allowed: &mut Vec<f64>) {
    allowed.clear();
    allowed.extend(q.iter().map(|q| q.abs()));
    m.add_absolute_product(z, allowed);
    let unit = UNITS * q.len() as f64 * f64::EPSILON;
    allowed.iter_mut().for_each(|scale| *scale = if scale.is_finite() { *scale * unit } else { f64::NAN });
}
