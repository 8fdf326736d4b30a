//! Correction of certificates that no solution exists, so that they satisfy their equations up to rounding.
//!
//! A vector that an iterative method returns as a certificate satisfies its equations to about 1e-8, which
//! excludes only solutions of moderate size. This module computes the nearest vector that satisfies them up
//! to rounding, and checks that vector.

use siconos_linalg::{Csc, dot, norm};

/// Magnitude, relative to the largest entry, below which an entry counts as zero.
pub(crate) const LARGEST_ZERO: f64 = 1e-6;
/// Magnitude of a product, relative to its terms, below which the product is made to vanish.
const NEARLY_ZERO: f64 = 1e-4;
/// Tolerance on a product that must vanish: number of units in the last place for each unknown.
const UNITS: f64 = 8.0;
/// Minimum accepted magnitude of the negative linear form $c^T s$, relative to its terms.
const MARGIN: f64 = 1e-8;

/// Required sign of the product of a certificate with one column of its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Zero.
    Zero,
    /// Zero or positive.
    Nonnegative,
    /// Zero or negative.
    Nonpositive,
    /// Any sign.
    Any,
}

impl Sign {
    /// Returns `true` if `x` has this sign, or violates it by at most `allowed`.
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

/// Moves `s` to a vector for which the products with the columns have the `signs` up to rounding. If
/// `sparse`, sets small entries of `s` to zero first. Returns `false` if this fails or if $c^T s$ is not
/// negative.
pub(crate) fn has_signs(columns: &Csc, signs: &[Sign], c: &[f64], sparse: bool, s: &mut [f64]) -> bool {
    let is_zero = |s: f64| sparse && s.abs() < LARGEST_ZERO;
    let is_sought = |j: usize, near| near && signs[j] != Sign::Any || signs[j] == Sign::Zero;
    if !correct_nearby(columns, is_zero, is_sought, s) {
        return false;
    }
    let (found, sizes) = products(columns, s);
    let unit = UNITS * c.len() as f64 * f64::EPSILON;
    let size_of_form: f64 = c.iter().zip(s.iter()).map(|(c, s)| (c * s).abs()).sum();
    let mut all = found.iter().zip(&sizes).zip(signs);
    all.all(|((t, size), sign)| sign.holds(*t, unit * size)) && dot(c, s) < -MARGIN * size_of_form
}

/// Scales the largest entry of `s` to magnitude 1, sets entries to zero for which `is_zero` holds, and moves
/// `s` to a vector whose products with some columns vanish up to rounding. `is_sought` returns `true` for
/// these columns, given the column and whether its product is nearly zero. Returns `false` if `s` is zero or
/// not finite.
pub(crate) fn correct_nearby(
    columns: &Csc,
    is_zero: impl Fn(f64) -> bool,
    is_sought: impl Fn(usize, bool) -> bool,
    s: &mut [f64],
) -> bool {
    let largest = s.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
    if s.iter().any(|s| !s.is_finite()) || largest == 0.0 {
        return false;
    }
    s.iter_mut().for_each(|s| *s = if is_zero(*s / largest) { 0.0 } else { *s / largest });
    let (found, sizes) = products(columns, s);
    let near = found.iter().zip(&sizes).map(|(t, size)| t.abs() <= NEARLY_ZERO * size);
    let vanish: Vec<_> = near.enumerate().map(|(j, near)| is_sought(j, near)).collect();
    correct(columns, &vanish, s);
    true
}

/// Returns $B^T s$ and, for each product, the sum of the magnitudes of its terms.
fn products(b: &Csc, s: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let product =
        |j| b.column(j).fold((0.0, 0.0), |(t, size), (i, x)| (t + x * s[i], size + (x * s[i]).abs()));
    (0..b.columns()).map(product).unzip()
}

/// Makes $(B^T s)_j$ vanish where `vanish[j]` is `true`, by the smallest change of the nonzero entries of
/// `s`. Applies conjugate gradients to the normal equations of the second kind (CGNE; Golub and Van Loan
/// 2013, section 11.3.9), twice to reduce rounding errors. The columns need not have full rank.
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
