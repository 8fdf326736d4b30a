//! Test whether a point solves its problem as exactly as floating point allows.
//!
//! The errors are relative to the norm of q. If solutions are large compared with q, for example with a heavy
//! body on a light one, $w = M z + q$ is the difference of large numbers, and no floating-point vector brings
//! the error below the tolerance. A row-by-row test accepts a point that is the exact solution of a problem
//! whose entries differ from the given ones by a few units in the last place (the criterion of Oettli and
//! Prager 1964; Higham 2002, section 7.1).

use siconos_linalg::MatrixRef;

/// Units in the last place, per unknown, by which an entry may differ.
pub(crate) const UNITS: f64 = 4.0;

/// Error up to which points may be exact to rounding, in every class.
pub(crate) const ERROR: f64 = 1e-13;

/// Largest fraction of q, in the maximum norm, that rounding may cover. A larger point loses more, so that it
/// solves the problem with any q of this size and is meaningless. The iterates of a problem without a
/// solution diverge to such points.
pub(crate) const PART_LOST_IN_ROUNDING: f64 = 1e-3;

/// Writes $\varepsilon_i = 4 n \varepsilon (|M| |z| + |q|)_i$ for every row to `allowed`: the unavoidable
/// rounding error of w = M z + q. If the terms overflow, the entry is NaN, for which every comparison is
/// false; an infinite one would excuse any violation.
pub(crate) fn allowances(m: MatrixRef<'_>, q: &[f64], z: &[f64], allowed: &mut Vec<f64>) {
    allowed.clear();
    allowed.extend(q.iter().map(|q| q.abs()));
    m.add_absolute_product(z, allowed);
    let unit = UNITS * q.len() as f64 * f64::EPSILON;
    allowed.iter_mut().for_each(|scale| *scale = if scale.is_finite() { *scale * unit } else { f64::NAN });
}
