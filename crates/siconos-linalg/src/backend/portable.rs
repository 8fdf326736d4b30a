//! Backend with faer, on one thread, for machines without OpenBLAS.

use faer::{MatRef, Side, c64};
use ndarray::{Array2, ArrayView2};

use super::balance::balance;
use crate::pivoted_lu::PivotedLu;

/// Factorisation $P A = L U$, with an estimate of the condition number.
#[derive(Clone)]
pub(crate) struct LargeLu {
    factors: PivotedLu,
    /// $\lVert A \rVert_1$.
    norm: f64,
}

impl LargeLu {
    /// Factorises a matrix whose largest entry is near 1. Returns `None` if a pivot vanishes.
    pub(crate) fn factor(a: Array2<f64>) -> Option<Self> {
        let mut factors = PivotedLu::default();
        let columns = a.t();
        let entries = factors.entries_mut(a.nrows());
        entries.iter_mut().zip(&columns).for_each(|(entry, x)| *entry = *x);
        let norm = columns.rows().into_iter().map(|column| column.fold(0.0, |sum, x| sum + x.abs()));
        let norm = norm.fold(0.0, f64::max);
        factors.factor().ok()?;
        Some(Self { factors, norm })
    }

    /// Returns an estimate of $1 / (\lVert A \rVert_1 \lVert A^{-1} \rVert_1)$.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        let condition = self.norm * self.norm_of_inverse();
        if condition.is_finite() { 1.0 / condition } else { 0.0 }
    }

    pub(crate) fn solve(&self, b: &mut [f64]) {
        self.factors.solve(b);
    }

    /// Returns a lower bound on $\lVert A^{-1} \rVert_1$, which is nearly always at least a third of the norm
    /// (Higham 1988, "FORTRAN codes for estimating the one-norm of a real or complex matrix", algorithm 4.1).
    fn norm_of_inverse(&self) -> f64 {
        let n = self.factors.size();
        let sum = |x: &[f64]| x.iter().map(|x| x.abs()).sum::<f64>();
        let sign = |x: &f64| 1.0_f64.copysign(*x);
        let mut x = vec![1.0 / n as f64; n];
        self.factors.substitute(&mut x);
        let (mut estimate, mut signs, mut last_largest) = (sum(&x), Vec::new(), None);
        for _ in 0..5 {
            signs.clear();
            signs.extend(x.iter().map(sign));
            x.copy_from_slice(&signs);
            self.factors.solve_transposed(&mut x);
            let largest = (0..n).max_by(|&i, &j| x[i].abs().total_cmp(&x[j].abs())).unwrap_or(0);
            // The iteration has converged: no other unit vector gives a larger norm.
            if last_largest.is_some_and(|last: usize| x[largest].abs() <= x[last]) {
                break;
            }
            last_largest = Some(largest);
            x.fill(0.0);
            x[largest] = 1.0;
            self.factors.substitute(&mut x);
            let last = estimate;
            estimate = sum(&x).max(last);
            if estimate <= last || x.iter().map(sign).eq(signs.iter().copied()) {
                break;
            }
        }
        let alternating = |i: usize| {
            let size = 1.0 + i as f64 / n.saturating_sub(1).max(1) as f64;
            if i.is_multiple_of(2) { size } else { -size }
        };
        x.iter_mut().enumerate().for_each(|(i, x)| *x = alternating(i));
        self.factors.substitute(&mut x);
        estimate.max(2.0 * sum(&x) / (3.0 * n as f64))
    }
}

/// Computes eigenvalues with the QR algorithm, after balancing. Returns `None` if the iteration does not
/// converge.
pub(crate) fn eigenvalues(a: ArrayView2<'_, f64>) -> Option<Vec<(f64, f64)>> {
    let mut a = a.to_owned();
    balance(&mut a);
    let values = with_matrix(a.view(), |a| a.eigenvalues()).ok()?;
    Some(values.iter().map(|z| (z.re, z.im)).collect())
}

/// Computes eigenvalues and eigenvectors (the columns) from the lower triangle of the matrix. Returns `None`
/// if the iteration does not converge.
pub(crate) fn symmetric_eigen(a: &Array2<f64>) -> Option<(Vec<f64>, Array2<f64>)> {
    let eigen = with_matrix(a.view(), |a| a.self_adjoint_eigen(Side::Lower)).ok()?;
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let vectors = Array2::from_shape_fn(a.dim(), |(i, j)| vectors[(i, j)]);
    Some((values.iter().copied().collect(), vectors))
}

/// Computes singular values. Returns `None` if the iteration does not converge.
pub(crate) fn singular_values(a: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    with_matrix(a, |a| a.singular_values()).ok()
}

/// Computes singular values of a complex matrix. Returns `None` if the iteration does not converge.
pub(crate) fn complex_singular_values(re: ArrayView2<'_, f64>, im: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    let (rows, columns) = re.dim();
    let entries: Vec<_> = re.iter().zip(&im).map(|(&re, &im)| c64::new(re, im)).collect();
    MatRef::from_row_major_slice(&entries, rows, columns).singular_values().ok()
}

/// Calls `run` with the matrix converted to the matrix type of faer.
fn with_matrix<T>(a: ArrayView2<'_, f64>, run: impl FnOnce(MatRef<'_, f64>) -> T) -> T {
    let (rows, columns) = a.dim();
    let entries: Vec<f64> = a.iter().copied().collect();
    run(MatRef::from_row_major_slice(&entries, rows, columns))
}
