//! Whether a point solves its problem as exactly as floating point allows.
//!
//! The stopping measures compare with the norm of q. When solutions are large beside q, a heavy body on a
//! light one say, $w = M z + q$ is the difference of large numbers, and no point in floating point brings the
//! measure below the tolerance. Such a point is recognised row by row: it is the exact solution of a problem
//! whose entries differ from those given by a few units in the last place (the criterion of Oettli and Prager
//! 1964; Higham 2002, section 7.1).

use siconos_linalg::MatrixRef;

/// Units in the last place, per unknown, by which an entry may be off.
pub(crate) const UNITS: f64 = 4.0;

/// Errors of points up to this one may be rounding, whatever the class.
pub(crate) const ERROR: f64 = 1e-13;

/// The largest part of q, in the maximum norm, that rounding may cover. A point so large that more is lost
/// solves the problem with any q of that size: it says nothing, and it is where the iterates of a problem
/// without a solution run to.
pub(crate) const PART_LOST_IN_ROUNDING: f64 = 1e-3;

/// $\varepsilon_i = 4 n \varepsilon (|M| |z| + |q|)_i$ for every row: the rounding that w = M z + q cannot be
/// without. NaN, which no comparison holds for, where the terms are too large for a double: they would excuse
/// anything.
pub(crate) fn allowances(m: MatrixRef<'_>, q: &[f64], z: &[f64], allowed: &mut Vec<f64>) {
    allowed.clear();
    allowed.extend(q.iter().map(|q| q.abs()));
    m.add_absolute_product(z, allowed);
    let unit = UNITS * q.len() as f64 * f64::EPSILON;
    allowed.iter_mut().for_each(|scale| *scale = if scale.is_finite() { *scale * unit } else { f64::NAN });
}
