//! The sweep over blocks whose sizes the compiler does not know.
//!
//! Cones of different sizes, or blocks with different laws, coupled by one matrix. The method is that of
//! [`sweep`](super::sweep).

use std::ops::Range;

use siconos_linalg::cost::product;
use siconos_linalg::operations;
use siconos_linalg::{BlockCsr, Csc, MatrixRef, dot};

/// The local problem of one block: $w_i = M_{ii} z_i + b$.
#[derive(Clone, Copy, Debug)]
pub struct LocalProblem<'a> {
    /// $M_{ii}$, row by row.
    pub diagonal: &'a [f64],
    /// What does not come from $z_i$.
    pub b: &'a [f64],
    /// $M_{ii} z_i + b$ with the old $z_i$, for laws that start from what is not balanced yet.
    pub w: &'a [f64],
}

/// The law of one block of any size.
pub trait BlockLaw {
    /// Overwrites `z`, which holds the old $z_i$, with the new one.
    fn solve(&mut self, block: usize, local: &LocalProblem<'_>, z: &mut [f64]);
}

/// What [`sweep_blocks`] has to know of a matrix beside its entries, and its memory; prepared once per
/// problem.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::MatrixRef;
/// use siconos_numerics::engine::nsgs::{BlockAccess, BlockLaw, LocalProblem, sweep_blocks};
///
/// /// Equations: the block in front is a number, the second one has a diagonal matrix of its own.
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
    /// First unknown of each block, and the number of unknowns at the end.
    starts: Vec<usize>,
    /// The diagonal blocks, row by row, one after the other.
    diagonal: Vec<f64>,
    /// Where each diagonal block begins.
    first_entry: Vec<usize>,
    /// The rows of a matrix that is stored by columns, or in blocks that are cut elsewhere.
    transposed: Csc,
    /// Whether the blocks of the matrix are cut where the blocks of the law are.
    blocks_fit: bool,
    b: Vec<f64>,
    w: Vec<f64>,
    old: Vec<f64>,
}

impl BlockAccess {
    /// Prepares for a square matrix, and of the first unknown of each block with the number of unknowns at
    /// the end: before the first sweep over it.
    ///
    /// # Panics
    ///
    /// When `starts` does not begin with 0, end with the number of rows, and rise.
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

    /// The number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The unknowns of a block.
    #[must_use]
    pub fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// The diagonal block, row by row.
    #[must_use]
    pub fn diagonal(&self, block: usize) -> &[f64] {
        let first = self.first_entry[block];
        &self.diagonal[first..first + self.range(block).len().pow(2)]
    }
}

/// One Gauss-Seidel sweep over the blocks that `order` names, in that order, over a matrix in any storage for
/// which `access` was prepared; returns the Euclidean norm of the change of `z`.
///
/// # Panics
///
/// When `q` or `z` is shorter than the matrix, or a block does not exist.
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
    // Taken out for the time of the sweep, as the rest of `access` is read meanwhile.
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

/// $\sum_j M_{ij} z_j$ of one block row, the diagonal block included, into `product`, which holds zeros.
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
