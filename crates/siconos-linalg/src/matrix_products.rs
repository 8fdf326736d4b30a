//! Products of a vector with a matrix in any storage.

use super::{Matrix, MatrixRef, add_scaled, inlined, with_wide_registers};
use crate::cost::product;
use crate::operations;

impl Matrix {
    /// Computes $y \leftarrow y + \alpha A x$.
    ///
    /// # Panics
    ///
    /// If the length of `x` differs from the number of columns, or the length of `y` from the number of rows.
    #[track_caller]
    pub fn add_product(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        self.view().add_product(alpha, x, y);
    }
}

impl MatrixRef<'_> {
    /// Writes M z + q to `w`.
    pub fn write_affine(&self, z: &[f64], q: &[f64], w: &mut [f64]) {
        // The product is computed first. Otherwise, q could be lost in the rounding errors of large terms
        // that cancel, and w = 0 would seem exact.
        w.fill(0.0);
        self.add_product(1.0, z, w);
        w.iter_mut().zip(q).for_each(|(w, q)| *w += q);
    }

    /// Computes $y \leftarrow y + \alpha A x$.
    ///
    /// # Panics
    ///
    /// If the length of `x` differs from the number of columns, or the length of `y` from the number of rows.
    #[track_caller]
    pub fn add_product(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        assert_eq!((y.len(), x.len()), (self.rows(), self.columns()), "lengths of y and x");
        operations::count(|| product(self.reborrow()));
        match self {
            Self::Dense(a) => {
                with_wide_registers(
                    y.len() * x.len(),
                    #[inline(always)]
                    || match a.as_slice() {
                        Some(entries) => {
                            for (y, row) in y.iter_mut().zip(entries.chunks_exact(x.len().max(1))) {
                                *y += alpha * inlined::dot(row, x);
                            }
                        }
                        None => {
                            for (y, row) in y.iter_mut().zip(a.rows()) {
                                *y += alpha
                                    * match row.as_slice() {
                                        Some(row) => inlined::dot(row, x),
                                        None => row.iter().zip(x).map(|(a, x)| a * x).sum(),
                                    };
                            }
                        }
                    },
                );
            }
            Self::Diagonal(d) => {
                for ((yi, di), xi) in y.iter_mut().zip(d.iter()).zip(x) {
                    *yi += alpha * di * xi;
                }
            }
            Self::BlockCsr(a) => a.add_product(alpha, x, y),
            Self::Csc(a) => a.add_product(alpha, x, y),
        }
    }

    /// Computes $y \leftarrow y + |A| |x|$, where the absolute values are taken entry by entry. The result
    /// shows the magnitude of the terms in the product $A x$.
    pub fn add_absolute_product(&self, x: &[f64], y: &mut [f64]) {
        operations::count(|| product(self.reborrow()));
        match self {
            Self::Dense(a) => {
                with_wide_registers(
                    y.len() * x.len(),
                    #[inline(always)]
                    || {
                        for (yi, row) in y.iter_mut().zip(a.rows()) {
                            *yi += match row.as_slice() {
                                Some(row) => inlined::absolute_dot(row, x),
                                None => row.iter().zip(x).map(|(a, x)| (a * x).abs()).sum::<f64>(),
                            };
                        }
                    },
                );
            }
            Self::Diagonal(d) => {
                for ((yi, di), xi) in y.iter_mut().zip(d.iter()).zip(x) {
                    *yi += (di * xi).abs();
                }
            }
            Self::BlockCsr(a) => {
                if let Some(matrix) = a.compressed_rows() {
                    for (y, row) in y.iter_mut().zip(matrix.lines()) {
                        *y = row.fold(*y, |sum, (j, a)| sum + (a * x[j]).abs());
                    }
                    return;
                }
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    let y = &mut y[row.rows()];
                    for (columns, block) in row.blocks() {
                        for (yi, a) in y.iter_mut().zip(block.rows()) {
                            *yi += a.iter().zip(&x[columns.clone()]).map(|(a, x)| (a * x).abs()).sum::<f64>();
                        }
                    }
                }
            }
            Self::Csc(a) => {
                for (j, x_j) in x.iter().enumerate() {
                    a.column(j).for_each(|(i, a_ij)| y[i] += (a_ij * x_j).abs());
                }
            }
        }
    }

    /// Computes $y \leftarrow y + \alpha A^T x$.
    ///
    /// # Panics
    ///
    /// If the length of `x` differs from the number of rows, or the length of `y` from the number of columns.
    #[track_caller]
    pub fn add_transposed_product(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        assert_eq!((x.len(), y.len()), (self.rows(), self.columns()), "lengths of x and y");
        operations::count(|| product(self.reborrow()));
        match self {
            Self::Dense(a) => {
                for (x_i, row) in x.iter().zip(a.rows()) {
                    let factor = alpha * x_i;
                    if factor != 0.0 {
                        match row.as_slice() {
                            Some(row) => add_scaled(factor, row, y),
                            None => y.iter_mut().zip(row).for_each(|(y, a)| *y += factor * a),
                        }
                    }
                }
            }
            Self::Diagonal(_) => self.add_product(alpha, x, y),
            Self::BlockCsr(a) => {
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    for (columns, block) in row.blocks() {
                        for (x_i, entries) in x[row.rows()].iter().zip(block.rows()) {
                            let target = y[columns.clone()].iter_mut();
                            target.zip(entries).for_each(|(y, a)| *y += alpha * x_i * a);
                        }
                    }
                }
            }
            Self::Csc(a) => {
                for (j, y_j) in y.iter_mut().enumerate() {
                    *y_j += alpha * a.column(j).map(|(i, a_ij)| a_ij * x[i]).sum::<f64>();
                }
            }
        }
    }

    /// Computes $y \leftarrow y + |A|^T |x|$, where the absolute values are taken entry by entry.
    pub fn add_absolute_transposed_product(&self, x: &[f64], y: &mut [f64]) {
        operations::count(|| product(self.reborrow()));
        match self {
            Self::Dense(a) => {
                for (x_i, row) in x.iter().zip(a.rows()) {
                    y.iter_mut().zip(row).for_each(|(y, a)| *y += (a * x_i).abs());
                }
            }
            Self::Diagonal(_) => self.add_absolute_product(x, y),
            Self::BlockCsr(a) => {
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    for (columns, block) in row.blocks() {
                        for (x_i, entries) in x[row.rows()].iter().zip(block.rows()) {
                            let target = y[columns.clone()].iter_mut();
                            target.zip(entries).for_each(|(y, a)| *y += (x_i * a).abs());
                        }
                    }
                }
            }
            Self::Csc(a) => {
                for (j, y_j) in y.iter_mut().enumerate() {
                    *y_j += a.column(j).map(|(i, a_ij)| (a_ij * x[i]).abs()).sum::<f64>();
                }
            }
        }
    }
}
