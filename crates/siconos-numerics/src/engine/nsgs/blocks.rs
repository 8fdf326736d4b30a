//! Gauss-Seidel sweep over blocks whose sizes are not known at compile time.
//!
//! The blocks are cones of different sizes, or blocks with different laws. A single matrix couples all
//! blocks. The method is described at [`sweep`](super::sweep).

use std::ops::Range;

use siconos_linalg::cost::product;
use siconos_linalg::operations;
use siconos_linalg::{BlockCsr, Csc, MatrixRef, dot};

/// Local problem of one block: $w_i = M_{ii} z_i + b$.
#[derive(Clone, Copy, Debug)]
pub struct LocalProblem<'a> {
    /// $M_{ii}$ in row-major order.
    pub diagonal: &'a [f64],
    /// Constant term $b$, which does not depend on $z_i$.
    pub b: &'a [f64],
    /// Value of $M_{ii} z_i + b$ for the old $z_i$.
    pub w: &'a [f64],
}

/// Law of a block with any number of unknowns.
pub trait BlockLaw {
    /// Replaces the old $z_i$ in `z` by the new $z_i$.
    fn solve(&mut self, block: usize, local: &LocalProblem<'_>, z: &mut [f64]);
}

/// Indices and workspace of [`sweep_blocks`]. They are filled once per problem by [`prepare`](Self::prepare).
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::MatrixRef;
/// use siconos_numerics::engine::nsgs::{BlockAccess, BlockLaw, LocalProblem, sweep_blocks};
///
/// /// Law w = 0 for a block of one unknown and a block with a diagonal matrix.
/// struct Equations;
/// impl BlockLaw for Equations {
///     fn solve(&mut self, _: usize, local: &LocalProblem<'_>, z: &mut [f64]) {
///         let d = z.len();
///         (0..d).for_each(|k| z[k] = -local.b[k] / local.diagonal[k * d + k]);
///     }
/// }
///
/// let m = array![[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.0, 0.0, 5.0]];
/// let (m, q, mut z) = (MatrixRef::from(&m), [-2.0, -5.0, -5.0], [0.0; 3]);
/// let mut access = BlockAccess::default();
/// access.prepare(m, &[0, 1, 3]);
/// sweep_blocks(m, &mut access, 0..2, &q, &mut Equations, &mut z);
/// assert_eq!(z, [1.0, 1.0, 1.0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockAccess {
    /// Index of the first unknown of each block. The last entry is the number of unknowns.
    starts: Vec<usize>,
    /// Diagonal blocks, stored consecutively, each in row-major order.
    diagonal: Vec<f64>,
    /// Index in `diagonal` of the first entry of each diagonal block.
    first_entry: Vec<usize>,
    /// Transpose of a matrix that is stored by columns, or in blocks whose partition differs from the
    /// partition of the law.
    transposed: Csc,
    /// `true` if the matrix is stored in blocks with the partition of the law.
    blocks_fit: bool,
    b: Vec<f64>,
    w: Vec<f64>,
    old: Vec<f64>,
}

impl BlockAccess {
    /// Fills the data for a square matrix. Must be called before the first sweep over the matrix. `starts`
    /// lists the index of the first unknown of each block; its last entry is the number of unknowns.
    ///
    /// # Panics
    ///
    /// If `starts` does not begin with 0, does not end with the number of rows, or is not sorted.
    #[track_caller]
    pub fn prepare(&mut self, m: MatrixRef<'_>, starts: &[usize]) {
        assert!(starts.first() == Some(&0) && starts.last() == Some(&m.rows()), "starts from 0 to the rows");
        assert!(starts.is_sorted(), "starts that rise");
        self.starts.clear();
        self.starts.extend_from_slice(starts);
        self.first_entry.clear();
        let mut entries = 0;
        for block in 0..self.blocks() {
            self.first_entry.push(entries);
            entries += self.range(block).len().pow(2);
        }
        self.diagonal.clear();
        self.diagonal.resize(entries, 0.0);
        self.blocks_fit = false;
        match m {
            MatrixRef::BlockCsr(a) if a.row_starts() == starts && a.column_starts() == starts => {
                self.blocks_fit = true;
            }
            MatrixRef::BlockCsr(_) => self.transposed.copy_transposed(&Csc::from_matrix(m)),
            MatrixRef::Csc(a) => self.transposed.copy_transposed(a),
            MatrixRef::Dense(_) | MatrixRef::Diagonal(_) => {}
        }
        for block in 0..self.blocks() {
            self.copy_diagonal(m, block);
        }
    }

    fn copy_diagonal(&mut self, m: MatrixRef<'_>, block: usize) {
        let range = self.range(block);
        let d = range.len();
        let first = self.first_entry[block];
        let target = &mut self.diagonal[first..first + d * d];
        match m {
            MatrixRef::Dense(a) => {
                let entries = range.clone().flat_map(|i| range.clone().map(move |j| a[[i, j]]));
                target.iter_mut().zip(entries).for_each(|(target, a)| *target = a);
            }
            MatrixRef::Diagonal(a) => range.enumerate().for_each(|(k, i)| target[k * d + k] = a[i]),
            MatrixRef::BlockCsr(a) if self.blocks_fit => {
                let own = a.block_row(block).blocks().find(|(columns, _)| *columns == range);
                if let Some((_, own)) = own {
                    target.iter_mut().zip(own).for_each(|(target, a)| *target = *a);
                }
            }
            MatrixRef::BlockCsr(_) | MatrixRef::Csc(_) => {
                for i in range.clone() {
                    for (j, a) in self.transposed.column(i).filter(|(j, _)| range.contains(j)) {
                        target[(i - range.start) * d + j - range.start] = a;
                    }
                }
            }
        }
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the indices of the unknowns of a block.
    #[must_use]
    pub fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Returns the entries of $M_{ii}$ of the block i, in row-major order.
    #[must_use]
    pub fn diagonal(&self, block: usize) -> &[f64] {
        let first = self.first_entry[block];
        &self.diagonal[first..first + self.range(block).len().pow(2)]
    }
}

/// Performs one Gauss-Seidel sweep over the blocks in `order`, for a matrix in any storage. `access` must
/// have been prepared for the matrix. Returns the Euclidean norm of the change of `z`.
///
/// # Panics
///
/// If `q` or `z` has fewer entries than the matrix has rows, or if a block does not exist.
#[track_caller]
pub fn sweep_blocks(
    m: MatrixRef<'_>,
    access: &mut BlockAccess,
    order: impl IntoIterator<Item = usize>,
    q: &[f64],
    law: &mut impl BlockLaw,
    z: &mut [f64],
) -> f64 {
    let mut change = 0.0;
    operations::count(|| product(m.reborrow()));
    // The arrays are moved out of `access` during the sweep, because the loop borrows `access`.
    let [mut b, mut w, mut old] = [&mut access.b, &mut access.w, &mut access.old].map(std::mem::take);
    for block in order {
        let range = access.range(block);
        let diagonal = access.diagonal(block);
        w.clear();
        w.resize(range.len(), 0.0);
        row_product(m, access, block, z, &mut w);
        let (q, z) = (&q[range.clone()], &mut z[range]);
        old.clear();
        old.extend_from_slice(z);
        b.clear();
        let rows = diagonal.chunks_exact(old.len().max(1));
        b.extend(q.iter().zip(&w).zip(rows).map(|((q, w), row)| q + (w - dot(row, &old))));
        w.iter_mut().zip(q).for_each(|(w, q)| *w += q);
        law.solve(block, &LocalProblem { diagonal, b: &b, w: &w }, z);
        change += old.iter().zip(&*z).map(|(old, new)| (new - old).powi(2)).sum::<f64>();
    }
    (access.b, access.w, access.old) = (b, w, old);
    change.sqrt()
}

/// Adds $\sum_j M_{ij} z_j$ of one block row i, including the diagonal block, to `product`. `product` must be
/// zero on entry.
fn row_product(m: MatrixRef<'_>, access: &BlockAccess, block: usize, z: &[f64], product: &mut [f64]) {
    if let MatrixRef::BlockCsr(a) = m
        && access.blocks_fit
    {
        return add_block_row(a, block, z, product);
    }
    let rows = access.range(block).zip(product);
    match m {
        MatrixRef::Dense(a) => {
            for (i, product) in rows {
                let row = a.row(i);
                *product = match row.as_slice() {
                    Some(row) => dot(row, z),
                    None => row.iter().zip(z).map(|(a, z)| a * z).sum(),
                };
            }
        }
        MatrixRef::Diagonal(a) => rows.for_each(|(i, product)| *product = a[i] * z[i]),
        MatrixRef::BlockCsr(_) | MatrixRef::Csc(_) => {
            for (i, product) in rows {
                *product = access.transposed.column(i).map(|(j, a)| a * z[j]).sum();
            }
        }
    }
}

fn add_block_row(a: &BlockCsr, block: usize, z: &[f64], product: &mut [f64]) {
    for (columns, entries) in a.block_row(block).blocks() {
        let z = &z[columns];
        for (product, row) in product.iter_mut().zip(entries.rows()) {
            *product += row.iter().zip(z).map(|(a, z)| a * z).sum::<f64>();
        }
    }
}
