//! Error of an approximate solution of a problem with box constraints. The implementation is independent of
//! the crate under test.

use crate::compare::worse;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// Returns the sets of rows of a square matrix such that nonzero entries couple only rows of the same set.
#[must_use]
pub fn independent_sets(m: ArrayView2<'_, f64>) -> Vec<Vec<usize>> {
    let n = m.nrows();
    let mut is_reached = vec![false; n];
    let mut sets = Vec::new();
    for first in 0..n {
        if is_reached[first] {
            continue;
        }
        is_reached[first] = true;
        let mut set = vec![first];
        let mut next = 0;
        while next < set.len() {
            let i = set[next];
            next += 1;
            for j in (0..n).filter(|&j| m[[i, j]] != 0.0 || m[[j, i]] != 0.0) {
                if !is_reached[j] {
                    is_reached[j] = true;
                    set.push(j);
                }
            }
        }
        sets.push(set);
    }
    sets
}

/// Returns the response d of each row to its own unknown $z_i$: the larger of $|M_{ii}|$ and $2^{-20}$ times
/// the mean of all nonzero $|M_{ii}|$. If $M_{ii} = 0$, the response is this mean. If all $M_{ii}$ are 0, it
/// is the mean magnitude of all nonzero entries of M.
#[must_use]
pub fn own_responses(m: ArrayView2<'_, f64>) -> Vec<f64> {
    let diagonal: Vec<f64> = m.diag().iter().map(|d| d.abs()).collect();
    let others: Vec<f64> = diagonal.iter().copied().filter(|d| *d > 0.0).collect();
    let mean = others.iter().sum::<f64>() / others.len() as f64;
    let entries: Vec<f64> = m.iter().map(|x| x.abs()).filter(|x| *x > 0.0).collect();
    let stand_in = match (others.is_empty(), entries.is_empty()) {
        (false, _) => mean,
        (true, false) => entries.iter().sum::<f64>() / entries.len() as f64,
        (true, true) => 1.0,
    };
    let least = mean / f64::from(1 << 20);
    diagonal.iter().map(|d| if *d > 0.0 { d.max(least) } else { stand_in }).collect()
}

/// Returns the error of z as a solution of the problem with bounds $l$ = `lower` and $u$ = `upper`. The
/// function computes $w = M z + q$ itself. The error is NaN if z or w is not finite, otherwise the largest of
/// the following numbers.
///
/// - For each set of [`independent_sets`]: the norm of the residuals of its rows, divided by the scale of the
///   set. The residual of a row is the median of d (z - l), w and d (z - u), with d from [`own_responses`].
///   The scale is the norm of q plus the norm of d p, where p is the point nearest to 0 that satisfies the
///   bounds. Rows that z = 0 solves (p = 0, and the bounds allow w = q) are left out of both norms; their
///   residual is divided by the root of the sum of the squares of the scale and of their own q. If all rows
///   are left out, the scale is the norm of q over the set. If this norm is 0, the scale of the whole problem
///   is used. If that scale is 0 as well, the larger of the norms of w and d z is used.
/// - For each row: the smaller of the relative violation and the scaled violation. The scaled violation is
///   the residual of the row divided by the scale of the set, both computed after rows and columns are scaled
///   so that the entries of M are near 1. For the relative violation, let t = $|M| |z| + |q|$ be the terms of
///   the rows, and let s be the sum over all rows of the change of w divided by t if $z_i$ moves to a bound.
///   - If $z_i$ is at a bound that allows the sign of $w_i$, the relative violation is 0.
///   - Otherwise, if $z_i$ satisfies the bounds, it is the smaller of $|w_i| / t_i$ and the sum s for the
///     bound that allows the sign of $w_i$. In row i, s contains only the change of $w_i$ beyond 0.
///   - If $z_i$ violates a bound, it is the sum s for this bound, or $|w_i| / t_i$ if that is larger and this
///     bound does not allow the sign of $w_i$.
///
/// # Panics
///
/// If the sizes differ.
#[track_caller]
#[must_use]
pub fn box_error(m: &Array2<f64>, q: &[f64], lower: &[f64], upper: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    assert_eq!((m.dim(), lower.len(), upper.len(), z.len()), ((n, n), n, n, n), "sizes");
    let w = m.dot(&ArrayView1::from(z)) + ArrayView1::from(q);
    if z.iter().chain(&w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let d = own_responses(m.view());
    let middle = |i: usize| {
        let mut three = [d[i] * (z[i] - lower[i]), w[i], d[i] * (z[i] - upper[i])];
        three.sort_by(f64::total_cmp);
        three[1]
    };
    let nearest: Vec<f64> =
        (0..n).map(|i| if lower[i] > 0.0 { lower[i] } else { upper[i].min(0.0) }).collect();
    let counts = |&i: &usize| {
        let allows_q = if q[i] > 0.0 { lower[i] == 0.0 } else { q[i] == 0.0 || upper[i] == 0.0 };
        nearest[i] != 0.0 || !allows_q
    };
    let size =
        |set: &[usize], f: &dyn Fn(usize) -> f64| set.iter().map(|&i| f(i).powi(2)).sum::<f64>().sqrt();
    let scale = |set: &[usize]| {
        let counted: Vec<usize> = set.iter().copied().filter(counts).collect();
        let of_counted = size(&counted, &|i| q[i]) + size(&counted, &|i| d[i] * nearest[i]);
        if of_counted > 0.0 { of_counted } else { size(set, &|i| q[i]) }
    };
    let all: Vec<usize> = (0..n).collect();
    let of_point = size(&all, &|i| w[i]).max(size(&all, &|i| d[i] * z[i]));
    let of_set = |set: Vec<usize>| {
        let scales = [scale(&set), scale(&all), of_point];
        let scale = scales.into_iter().find(|scale| *scale > 0.0).unwrap_or(0.0);
        let has_counted = set.iter().any(counts);
        let relative = |i: usize| {
            let own = if has_counted && !counts(&i) { q[i] } else { 0.0 };
            if own == 0.0 { middle(i) } else { middle(i) / (own / scale).hypot(1.0) }
        };
        let residual = size(&set, &relative);
        if residual == 0.0 { 0.0 } else { residual / scale }
    };
    let of_sets = independent_sets(m.view()).into_iter().map(of_set).fold(0.0, worse);
    let (rows, columns) = own_units(m.view());
    let own_scale = |set: &[usize]| {
        let counted: Vec<usize> = set.iter().copied().filter(counts).collect();
        let of_counted = size(&counted, &|i| q[i] * rows[i]) + size(&counted, &|i| nearest[i] / columns[i]);
        if of_counted > 0.0 { of_counted } else { size(set, &|i| q[i] * rows[i]) }
    };
    let mut own_scales = vec![0.0; n];
    for set in independent_sets(m.view()) {
        let own = own_scale(&set);
        set.iter().for_each(|&i| own_scales[i] = if own > 0.0 { own } else { own_scale(&all) });
    }
    let own_error = |i: usize| {
        let mut three = [(z[i] - lower[i]) / columns[i], rows[i] * w[i], (z[i] - upper[i]) / columns[i]];
        three.sort_by(f64::total_cmp);
        if own_scales[i] > 0.0 { three[1].abs() / own_scales[i] } else { f64::INFINITY }
    };
    let terms = m.mapv(f64::abs).dot(&Array1::from_iter(z.iter().map(|z| z.abs())))
        + Array1::from_iter(q.iter().map(|q| q.abs()));
    let of_row = |i: usize| row_error(m, &terms, (lower[i], upper[i]), z, &w, i).min(own_error(i));
    (0..n).map(of_row).fold(of_sets, worse)
}

/// Returns scaling factors of the rows and of the columns, powers of two, with which the nonzero entries are
/// about 1. The logarithms of the factors minimise the sum of the squared exponents of the scaled entries, in
/// at most 20 alternating passes over rows and columns. The factors of row i and column i of a symmetric
/// matrix are equal, except for one factor that all rows have in common.
fn own_units(m: ArrayView2<'_, f64>) -> (Vec<f64>, Vec<f64>) {
    let n = m.nrows();
    let (mut rows, mut columns) = (vec![0.0; n], vec![0.0; n]);
    let exponent = |x: f64| {
        let mut exponent = x.abs().log2().floor();
        // The computed logarithm can be rounded up to the next integer.
        while exponent.exp2() > x.abs() {
            exponent -= 1.0;
        }
        exponent
    };
    // The exponent of the largest entry is removed here; the factors of all rows include it again.
    let common = m.iter().filter(|x| **x != 0.0).map(|x| exponent(*x)).fold(f64::NEG_INFINITY, worse);
    let common = if common.is_finite() { common } else { 0.0 };
    for _ in 0..20 {
        let mut change = [0.0_f64; 2];
        for (k, change) in change.iter_mut().enumerate() {
            let mean = |i: usize, others: &[f64]| {
                let line = if k == 0 { m.row(i) } else { m.column(i) };
                let terms: Vec<f64> = (0..n)
                    .filter(|&j| line[j] != 0.0)
                    .map(|j| exponent(line[j]) - common + others[j])
                    .collect();
                (!terms.is_empty()).then(|| -terms.iter().sum::<f64>() / terms.len() as f64)
            };
            let (own, others) = if k == 0 { (&mut rows, &columns) } else { (&mut columns, &rows) };
            for (i, own) in own.iter_mut().enumerate() {
                if let Some(mean) = mean(i, others) {
                    *change = change.max((mean - *own).abs());
                    *own = mean;
                }
            }
        }
        if change[0] + change[1] <= 1e-3 {
            break;
        }
    }
    let near = |i: usize, j: usize| (m[[i, j]] - m[[j, i]]).abs() <= 1e-10 * m[[i, j]].abs();
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| near(i, j)));
    let power = |x: f64| (x + 0.5 + 1e-4).floor().exp2();
    let both = rows.iter().zip(&columns);
    match is_symmetric {
        true => both.map(|(r, c)| power(0.5 * (r + c))).map(|c| (c * (-common).exp2(), c)).unzip(),
        false => both.map(|(r, c)| (power(*r) * (-common).exp2(), power(*c))).unzip(),
    }
}

fn row_error(
    m: &Array2<f64>,
    terms: &Array1<f64>,
    (lower, upper): (f64, f64),
    z: &[f64],
    w: &Array1<f64>,
    i: usize,
) -> f64 {
    let relative = |x: f64, j: usize| if x == 0.0 { 0.0 } else { x / terms[j] };
    let others = |distance: f64| {
        let rows = (0..z.len()).filter(|&j| j != i && terms[j] > 0.0);
        rows.map(|j| relative(distance * m[[j, i]].abs(), j)).sum::<f64>()
    };
    let wrong_w =
        |at: f64| if (w[i] > 0.0 && at == lower) || (w[i] < 0.0 && at == upper) { 0.0 } else { w[i].abs() };
    let inside = z[i].max(lower).min(upper);
    if inside != z[i] {
        let outside = (z[i] - inside).abs();
        return relative(wrong_w(inside), i).max(others(outside) + relative(outside * m[[i, i]].abs(), i));
    }
    let off = wrong_w(z[i]);
    let bound = if w[i] > 0.0 { lower } else { upper };
    if off == 0.0 || bound.is_infinite() {
        return relative(off, i);
    }
    let distance = (z[i] - bound).abs();
    relative(off, i).min(others(distance) + relative((m[[i, i]] * distance - off).max(0.0), i))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    const INFINITE: [f64; 2] = [f64::INFINITY; 2];

    #[test]
    fn by_hand() {
        let m = array![[1.0, 1.0], [-1.0, 0.0]];
        let error = |q: &[f64], z: &[f64]| box_error(&m, q, &[0.0; 2], &INFINITE, z);
        // The second row is inactive: it has no effect on the error of the first.
        assert_eq!((error(&[-1.0, 1e12], &[1.0, 0.0]), error(&[-1.0, 1e12], &[0.0, 0.0])), (0.0, 1.0));
        // w = (0, 1e12 - 0.5). If z_2 moved from 0.5 to its bound 0, the first row would be violated by 0.5.
        // The sum of the magnitudes of the terms of this row is 2.
        assert_eq!(error(&[-1.0, 1e12], &[0.5, 0.5]), 0.25);
        assert!(error(&[-1.0, 1.0], &[f64::NAN, 0.0]).is_nan());
        let eye = array![[1.0, 0.0], [0.0, 1.0]];
        // The two rows are independent. The residual of the second row equals its q.
        assert_eq!(box_error(&eye, &[-1e12, -1.0], &[0.0; 2], &INFINITE, &[1e12, 0.0]), 1.0);
        // z_1 is between its bounds. The error is |w_1| = 0.5 divided by |q_1| = 2. The terms of the row are
        // 3.5.
        assert_eq!(box_error(&eye, &[-2.0, 0.0], &[-4.0; 2], &[4.0; 2], &[1.5, 0.0]), 0.25);
    }

    #[test]
    fn rows_and_columns_have_any_unit() {
        // Both rows violate their conditions by at least a quarter of their terms, in any units.
        let (m, q, z) = (array![[0.0, -3.0], [2.0, 0.0]], [1.0, -2.0], [0.5, 0.25]);
        for (rows, columns) in [([1.0, 1.0], [1.0, 1.0]), ([1e8, 1e-8], [1.0, 1e9])] {
            let scaled = Array2::from_shape_fn((2, 2), |(i, j)| m[[i, j]] * rows[i] * columns[j]);
            let q = [q[0] * rows[0], q[1] * rows[1]];
            let z = [z[0] / columns[0], z[1] / columns[1]];
            assert!(box_error(&scaled, &q, &[0.0; 2], &INFINITE, &z) > 0.1);
        }
    }
}
