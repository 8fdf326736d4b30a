//! Nonsmooth Gauss-Seidel sweep (NLGS in the manual of Siconos), for any local law and block size.
//!
//! This module is a component of the solvers. It is public for users who write their own solvers. In contrast
//! to the solvers, it may change in any version.
//!
//! One sweep visits the blocks in order. For block $i$, it computes the terms of $M z + q$ that do not depend
//! on $z_i$, with the latest values of all other blocks. Then the [`LocalLaw`] solves the local problem
//!
//! $$ w_i = M_{ii} z_i + \Bigl(q_i + \sum_{j \ne i} M_{ij} z_j\Bigr), \qquad (w_i, z_i) \in \text{law}_i. $$
//!
//! As plain text: w_i = M_ii z_i + (q_i + sum over j != i of M_ij z_j), where (w_i, z_i) satisfies the law of
//! block i.
//!
//! References: Jourdan, Alart, Jean (1998), "A Gauss-Seidel like algorithm to solve frictional contact
//! problems", section 4; Cottle, Pang, Stone (1992), section 5.2, for the complementarity law.

mod blocks;

use ndarray::ArrayView2;
use siconos_linalg::operations;
use siconos_linalg::{BlockCsr, Csc, MatrixRef, SmallMatrix, dot};

pub use blocks::{BlockAccess, BlockLaw, LocalProblem, sweep_blocks};

/// Access to the rows of a matrix during a sweep. Each block has `D` rows.
pub trait SweepRows<const D: usize> {
    /// Returns the number of blocks.
    fn blocks(&self) -> usize;
    /// Returns $\sum_j M_{ij} z_j$ for the block i, including the diagonal block.
    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D];
    /// Returns the diagonal block $M_{ii}$ of the block i.
    fn diagonal(&self, block: usize) -> SmallMatrix<D>;
}

/// Law of one block. It computes $z_i$ from $M_{ii}$ and the constant term $b$ of the local equation.
pub trait LocalLaw<const D: usize> {
    /// Returns the new $z_i$ for $w_i = M_{ii} z_i + b$. `old` is the previous $z_i$.
    fn solve(&mut self, block: usize, diagonal: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D];

    /// Returns the new $z_i$ as [`solve`](Self::solve) does. A law can override this function to use the
    /// value of $w_i = M_{ii} z_i + b$ for the old $z_i$, which the sweep has already computed.
    #[inline]
    fn solve_from(
        &mut self,
        block: usize,
        diagonal: &SmallMatrix<D>,
        (b, _w): (&[f64; D], &[f64; D]),
        old: &[f64; D],
    ) -> [f64; D] {
        self.solve(block, diagonal, b, old)
    }
}

/// Performs one Gauss-Seidel sweep over all blocks, and returns the Euclidean norm of the change of `z`.
///
/// # Panics
///
/// If `q` or `z` is shorter than `D` times the number of blocks.
#[track_caller]
#[inline]
pub fn sweep<const D: usize>(
    rows: &impl SweepRows<D>,
    q: &[f64],
    law: &mut impl LocalLaw<D>,
    z: &mut [f64],
) -> f64 {
    sweep_in_order(0..rows.blocks(), rows, q, law, z)
}

/// Performs one Gauss-Seidel sweep over the blocks in `order`, and returns the Euclidean norm of the change
/// of `z`.
///
/// # Panics
///
/// If `q` or `z` is shorter than `D` times the number of blocks, or if a block does not exist.
#[track_caller]
#[inline]
pub fn sweep_in_order<const D: usize>(
    order: impl IntoIterator<Item = usize>,
    rows: &impl SweepRows<D>,
    q: &[f64],
    law: &mut impl LocalLaw<D>,
    z: &mut [f64],
) -> f64 {
    let mut change = 0.0;
    for block in order {
        let range = block * D..(block + 1) * D;
        let mut old = [0.0; D];
        old.copy_from_slice(&z[range.clone()]);
        let diagonal = rows.diagonal(block);
        // The product with the whole row minus the product with the diagonal block. This reads memory
        // contiguously and needs no test for j = i.
        let whole = rows.row_product(block, z);
        let own = diagonal.mul_vector(&old);
        let (mut b, mut w) = ([0.0; D], [0.0; D]);
        for (k, &q) in q[range.clone()].iter().enumerate() {
            b[k] = q + (whole[k] - own[k]);
            w[k] = q + whole[k];
        }
        let new = law.solve_from(block, &diagonal, (&b, &w), &old);
        for (k, z) in z[range].iter_mut().enumerate() {
            change += (new[k] - old[k]).powi(2);
            *z = new[k];
        }
    }
    change.sqrt()
}

impl<const D: usize> SweepRows<D> for ArrayView2<'_, f64> {
    fn blocks(&self) -> usize {
        self.nrows() / D
    }

    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D] {
        operations::count(|| 2.0 * (D * z.len()) as f64);
        std::array::from_fn(|k| {
            let row = self.row(block * D + k);
            match row.as_slice() {
                Some(row) => dot(row, z),
                None => row.iter().zip(z).map(|(a, z)| a * z).sum(),
            }
        })
    }

    fn diagonal(&self, block: usize) -> SmallMatrix<D> {
        SmallMatrix(std::array::from_fn(|i| std::array::from_fn(|j| self[[block * D + i, block * D + j]])))
    }
}

/// Rows of a matrix in block compressed-row storage, accessed one scalar row at a time.
#[derive(Debug)]
struct ScalarRows<'a> {
    matrix: &'a BlockCsr,
    /// Block row of each row, and its index inside the block row.
    places: &'a [(usize, usize)],
}

fn list_places(matrix: &BlockCsr, places: &mut Vec<(usize, usize)>) {
    places.clear();
    for block_row in 0..matrix.block_rows() {
        places.extend((0..matrix.block_row(block_row).rows().len()).map(|k| (block_row, k)));
    }
}

impl SweepRows<1> for ScalarRows<'_> {
    fn blocks(&self) -> usize {
        self.places.len()
    }

    fn row_product(&self, row: usize, z: &[f64]) -> [f64; 1] {
        let (block_row, k) = self.places[row];
        let mut sum = 0.0;
        for (columns, entries) in self.matrix.block_row(block_row).line(k) {
            sum += entries.iter().zip(&z[columns]).map(|(a, z)| a * z).sum::<f64>();
        }
        [sum]
    }

    fn diagonal(&self, row: usize) -> SmallMatrix<1> {
        let (block_row, k) = self.places[row];
        let diagonal = self
            .matrix
            .block_row(block_row)
            .line(k)
            .find(|(columns, _)| columns.contains(&row))
            .map_or(0.0, |(columns, entries)| entries[row - columns.start]);
        SmallMatrix([[diagonal]])
    }
}

/// Rows of a diagonal matrix. They are not coupled, so one sweep is exact.
#[derive(Debug)]
struct DiagonalRows<'a>(ndarray::ArrayView1<'a, f64>);

impl SweepRows<1> for DiagonalRows<'_> {
    fn blocks(&self) -> usize {
        self.0.len()
    }

    fn row_product(&self, row: usize, z: &[f64]) -> [f64; 1] {
        [self.0[row] * z[row]]
    }

    fn diagonal(&self, row: usize) -> SmallMatrix<1> {
        SmallMatrix([[self.0[row]]])
    }
}

/// Rows of a sparse matrix, read from its transpose.
#[derive(Debug)]
struct TransposedRows<'a>(&'a Csc);

impl SweepRows<1> for TransposedRows<'_> {
    fn blocks(&self) -> usize {
        self.0.columns()
    }

    fn row_product(&self, row: usize, z: &[f64]) -> [f64; 1] {
        [self.0.column(row).map(|(j, a)| a * z[j]).sum()]
    }

    fn diagonal(&self, row: usize) -> SmallMatrix<1> {
        SmallMatrix([[self.0.get(row, row)]])
    }
}

/// Indices that [`scalar_sweep`] needs in addition to the matrix. They are filled once per problem by
/// [`prepare`](Self::prepare).
#[derive(Clone, Debug, Default)]
pub struct RowAccess {
    /// Block row of each row, and its index inside the block row.
    places: Vec<(usize, usize)>,
    /// Transpose of a matrix that is stored by columns.
    transposed: Csc,
}

impl RowAccess {
    /// Fills the data for a matrix. Must be called before the first sweep over the matrix.
    pub fn prepare(&mut self, m: MatrixRef<'_>) {
        match m {
            MatrixRef::Dense(_) | MatrixRef::Diagonal(_) => {}
            MatrixRef::BlockCsr(a) => list_places(a, &mut self.places),
            MatrixRef::Csc(a) => self.transposed.copy_transposed(a),
        }
    }
}

/// Performs one sweep with a scalar law, for a matrix in any storage. `access` must have been prepared for
/// the matrix. Returns the Euclidean norm of the change of `z`.
#[track_caller]
pub fn scalar_sweep(
    m: MatrixRef<'_>,
    access: &RowAccess,
    q: &[f64],
    law: &mut impl LocalLaw<1>,
    z: &mut [f64],
) -> f64 {
    match m {
        MatrixRef::Dense(a) => sweep(&a, q, law, z),
        MatrixRef::Diagonal(d) => sweep(&DiagonalRows(d), q, law, z),
        MatrixRef::BlockCsr(matrix) => sweep(&ScalarRows { matrix, places: &access.places }, q, law, z),
        MatrixRef::Csc(_) => sweep(&TransposedRows(&access.transposed), q, law, z),
    }
}
