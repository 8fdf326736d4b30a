//! Units of the unknowns and equations of all steps. They are derived from the data, so that sums of squares
//! of different quantities are meaningful.

use ndarray::{Array2, s};

use super::super::DviSet;
use super::conditions::Boundary;
use super::layout::Layout;
use siconos_kernel::engine::row_column_scaling;

/// Largest magnitudes of the derivatives over all steps.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    pub(super) a: Array2<f64>,
    pub(super) b: Array2<f64>,
    pub(super) c: Array2<f64>,
    pub(super) d: Array2<f64>,
}

impl Sizes {
    pub(super) fn new(n: usize, m: usize) -> Self {
        let zeros = |rows, columns| Array2::zeros((rows, columns));
        Self { a: zeros(n, n), b: zeros(n, m), c: zeros(m, n), d: zeros(m, m) }
    }

    /// Resets the magnitudes to 0.
    pub(super) fn clear(&mut self) {
        for size in [&mut self.a, &mut self.b, &mut self.c, &mut self.d] {
            size.fill(0.0);
        }
    }

    /// Replaces each entry of `size` by the magnitude of the corresponding entry of `entries` if the
    /// magnitude is larger.
    pub(super) fn widen(size: &mut Array2<f64>, entries: &Array2<f64>) {
        size.zip_mut_with(entries, |size, entry| *size = size.max(entry.abs()));
    }
}

/// Units, which are powers of two, of x, of v (u and the multipliers), of the variational inequalities and of
/// the boundary conditions. An equation of motion has the unit of its state.
#[derive(Clone, Debug)]
pub(super) struct Units {
    pub(super) x: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) law: Vec<f64>,
    pub(super) boundary: Vec<f64>,
}

impl Units {
    /// Computes units in which the derivatives are near 1 over an interval of the given length \[s\].
    pub(super) fn new(layout: Layout, sizes: &Sizes, boundary: &Boundary, set: &DviSet, length: f64) -> Self {
        let Layout { n, m, p, .. } = layout;
        let both = m + p;
        let mut size = Array2::<f64>::zeros((2 * n + both, n + both));
        size.slice_mut(s![..n, ..n]).assign(&(length * &sizes.a));
        size.slice_mut(s![..n, n..n + m]).assign(&(length * &sizes.b));
        size.slice_mut(s![n..n + m, ..n]).assign(&sizes.c);
        size.slice_mut(s![n..n + m, n..n + m]).assign(&sizes.d);
        for i in 0..n {
            size[[i, i]] = size[[i, i]].max(1.0);
        }
        if let Some(polyhedron) = set.polyhedron() {
            for ((i, j), entry) in polyhedron.h().indexed_iter() {
                size[[n + j, n + m + i]] = entry.abs();
                size[[n + m + i, n + j]] = entry.abs();
            }
        }
        let ends = boundary.m.mapv(f64::abs) + boundary.n.mapv(f64::abs);
        size.slice_mut(s![n + both.., ..n]).assign(&ends);
        let (rows, columns) = whole_scaling(&size);
        let mut units = Self {
            x: columns[..n].iter().map(|c| power(*c)).collect(),
            v: columns[n..].iter().map(|c| power(*c)).collect(),
            law: rows[n..n + both].iter().map(|r| power(-r)).collect(),
            boundary: rows[n + both..].iter().map(|r| power(-r)).collect(),
        };
        if let DviSet::Projection(_) = set {
            // A set that is given by its projection requires one unit for all components of u.
            for list in [&mut units.v, &mut units.law] {
                let mean = list.iter().map(|unit| unit.log2()).sum::<f64>() / list.len() as f64;
                list.fill(power(mean));
            }
        }
        units
    }
}

/// Logarithms whose fractional part exceeds this value are rounded up. The value is not 1/2, because
/// logarithms of data are often multiples of 1/2, and rounding errors must not decide how these are rounded.
const UP_FROM: f64 = 0.573;

/// Returns a power of two near $2^{logarithm}$.
fn power(logarithm: f64) -> f64 {
    (logarithm + 1.0 - UP_FROM).floor().exp2()
}

/// Returns the logarithms of the [factors](row_column_scaling) of rows and columns. In a connected component
/// of the matrix, the factors are unique up to a common factor, by which the rows are multiplied and the
/// columns are divided. It is chosen so that one row has an integer logarithm. A change of units by powers of
/// two then changes all logarithms by integers.
fn whole_scaling(size: &Array2<f64>) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = row_column_scaling(size);
    let logarithms = |list: Vec<f64>| list.into_iter().map(f64::log2).collect();
    let (mut r, mut c): (Vec<f64>, Vec<f64>) = (logarithms(rows), logarithms(columns));
    let mut seen = vec![false; r.len()];
    for first in 0..r.len() {
        let surplus = r[first] - r[first].round();
        let mut waiting = vec![first];
        let mut of_part = vec![false; c.len()];
        while let Some(i) = waiting.pop() {
            if std::mem::replace(&mut seen[i], true) {
                continue;
            }
            r[i] -= surplus;
            for j in (0..c.len()).filter(|j| size[[i, *j]] > 0.0) {
                if !std::mem::replace(&mut of_part[j], true) {
                    c[j] += surplus;
                    waiting.extend((0..r.len()).filter(|row| size[[*row, j]] > 0.0 && !seen[*row]));
                }
            }
        }
    }
    (r, c)
}
