//! The factorised iteration matrix of one system.

use ndarray::Array2;
use siconos_numerics::linalg::{DenseLu, Matrix, SingularMatrix, reciprocal_condition};

/// $W$, factorised: the inverse of a diagonal, or LU factors; with the memory for both.
#[derive(Clone, Debug, Default)]
pub(super) struct IterationMatrix {
    inverse_diagonal: Vec<f64>,
    matrix: Array2<f64>,
    lu: DenseLu,
    is_diagonal: bool,
}

impl IterationMatrix {
    /// Factorises $W = M + \alpha C + \beta K$ of a linear system, given as pairs of factor and matrix.
    pub(super) fn factor(&mut self, terms: [Option<(f64, &Matrix)>; 3]) -> Result<(), SingularMatrix> {
        let n = terms.iter().flatten().next().map_or(0, |(_, matrix)| matrix.rows());
        self.is_diagonal = terms.iter().flatten().all(|(_, matrix)| matches!(matrix, Matrix::Diagonal(_)));
        if self.is_diagonal {
            self.inverse_diagonal.clear();
            self.inverse_diagonal.resize(n, 0.0);
        } else if self.matrix.nrows() == n {
            self.matrix.fill(0.0);
        } else {
            self.matrix = Array2::zeros((n, n));
        }
        for (factor, matrix) in terms.into_iter().flatten() {
            match matrix {
                Matrix::Diagonal(d) if self.is_diagonal => {
                    for (w, d) in self.inverse_diagonal.iter_mut().zip(d) {
                        *w += factor * d;
                    }
                }
                Matrix::Diagonal(d) => self.matrix.diag_mut().scaled_add(factor, d),
                Matrix::Dense(a) => self.matrix.scaled_add(factor, a),
                other => self.matrix.scaled_add(factor, &other.view().to_dense()),
            }
        }
        if self.is_diagonal {
            self.invert_diagonal()
        } else {
            self.lu.factor_in_any_units(self.matrix.view())
        }
    }

    /// Factorises a dense matrix.
    pub(super) fn factor_dense(&mut self, w: &Array2<f64>) -> Result<(), SingularMatrix> {
        self.is_diagonal = false;
        self.lu.factor_in_any_units(w.view())
    }

    /// Smallest singular value divided by the largest, of the last matrix of a linear system that could not
    /// be factorised.
    pub(super) fn reciprocal_condition(&self) -> f64 {
        if self.is_diagonal {
            // A zero stands in it: that is what could not be inverted.
            return 0.0;
        }
        reciprocal_condition(&self.matrix)
    }

    /// $\sum_j |W_{ij}| x_j$ of one row, of the last matrix of a linear system.
    pub(super) fn magnitude(&self, row: usize, x: impl Fn(usize) -> f64) -> f64 {
        if self.is_diagonal {
            return x(row) / self.inverse_diagonal[row].abs();
        }
        self.matrix.row(row).iter().enumerate().map(|(j, w)| w.abs() * x(j)).sum()
    }

    fn invert_diagonal(&mut self) -> Result<(), SingularMatrix> {
        for (column, w) in self.inverse_diagonal.iter_mut().enumerate() {
            // Each has a unit of its own: nothing but zero is small. A NaN is refused as well.
            let inverse = 1.0 / *w;
            if !inverse.is_finite() || !w.is_finite() {
                return Err(SingularMatrix::Pivot { column, pivot: *w });
            }
            *w = inverse;
        }
        Ok(())
    }

    /// Overwrites `b` with $v + W^{-1} b$.
    pub(super) fn solve_onto(&self, v: &[f64], b: &mut [f64]) {
        if self.is_diagonal {
            for ((b, w), v) in b.iter_mut().zip(&self.inverse_diagonal).zip(v) {
                *b = v + *b * w;
            }
        } else {
            self.lu.solve(b);
            for (b, v) in b.iter_mut().zip(v) {
                *b += v;
            }
        }
    }

    /// Overwrites `b` with $W^{-1} b$.
    pub(super) fn solve(&self, b: &mut [f64]) {
        if self.is_diagonal {
            for (b, w) in b.iter_mut().zip(&self.inverse_diagonal) {
                *b *= w;
            }
        } else {
            self.lu.solve(b);
        }
    }
}
