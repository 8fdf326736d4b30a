//! Cholesky factorisation of a sparse symmetric matrix, by faer; the symbolic part is kept while the pattern
//! stays.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::{Csc, SingularMatrix, first_non_finite};

/// $P A P^T = L L^T$ of a symmetric positive definite matrix, with an ordering that limits the fill (AMD;
/// Amestoy, Davis, Duff 1996). Half the work of an LU factorisation, less fill, and no pivoting.
///
/// ```
/// use siconos_numerics::linalg::{Csc, SparseCholesky};
///
/// let a = Csc::from_triplets(2, 2, [(0, 0, 4.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 5.0)])?;
/// let mut cholesky = SparseCholesky::default();
/// cholesky.factor(&a).unwrap();
/// let mut x = [8.0, 12.0];
/// cholesky.solve(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Default)]
pub struct SparseCholesky {
    /// The pattern of the symbolic factorisation.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    symbolic: Option<SymbolicCholesky<usize>>,
    values: Vec<f64>,
    scratch: Option<MemBuffer>,
    n: usize,
    is_factored: bool,
}

impl Clone for SparseCholesky {
    /// An empty one: factors are memory, not data.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseCholesky")
            .field("n", &self.n)
            .field("factor_entries", &self.values.len())
            .finish_non_exhaustive()
    }
}

impl SparseCholesky {
    /// The number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factorises a symmetric matrix, of which only the entries on and above the diagonal are read.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] when an entry is not finite, or a pivot not positive: the matrix is not positive
    /// definite. One that is singular only up to rounding is not always recognised: check what
    /// [`solve`](Self::solve) gives.
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    #[track_caller]
    pub fn factor(&mut self, a: &Csc) -> Result<(), SingularMatrix> {
        assert_eq!(a.rows(), a.columns(), "only a square matrix has a Cholesky factorisation");
        self.n = a.rows();
        self.is_factored = false;
        if self.n == 0 {
            return Ok(());
        }
        if let Some(k) = first_non_finite(a.values()) {
            let column = a.starts().partition_point(|&start| start <= k) - 1;
            return Err(SingularMatrix::Pivot { column, pivot: a.values()[k] });
        }
        let not_positive = |column| SingularMatrix::Pivot { column, pivot: 0.0 };
        let pattern = SymbolicSparseColMatRef::new_checked(self.n, self.n, a.starts(), None, a.row_indices());
        if self.symbolic.is_none() || self.starts != a.starts() || self.row_indices != a.row_indices() {
            self.starts.clear();
            self.starts.extend_from_slice(a.starts());
            self.row_indices.clear();
            self.row_indices.extend_from_slice(a.row_indices());
            let ordering = SymmetricOrdering::Amd;
            self.symbolic =
                factorize_symbolic_cholesky(pattern, Side::Upper, ordering, Default::default()).ok();
            let Some(symbolic) = &self.symbolic else { return Err(not_positive(0)) };
            let need = symbolic
                .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
                .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
            self.scratch = Some(MemBuffer::new(need));
        }
        let (Some(symbolic), Some(scratch)) = (&self.symbolic, &mut self.scratch) else {
            return Err(not_positive(0));
        };
        self.values.clear();
        self.values.resize(symbolic.len_val(), 0.0);
        let factored = symbolic.factorize_numeric_llt(
            &mut self.values,
            SparseColMatRef::new(pattern, a.values()),
            Side::Upper,
            Default::default(),
            Par::Seq,
            MemStack::new(scratch),
            Default::default(),
        );
        if let Err(LltError::NonPositivePivot { index }) = factored.map(|_| ()) {
            // The index is a place in the ordering.
            let column = symbolic.perm().map_or(index, |p| p.arrays().0[index.min(self.n - 1)]);
            return Err(not_positive(column));
        }
        self.is_factored = true;
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$; entries that are not finite tell that the matrix was singular.
    ///
    /// # Panics
    ///
    /// When `b` has not [`size`](Self::size) entries, or nothing was factorised.
    #[track_caller]
    pub fn solve(&mut self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "the right-hand side must have as many entries as the matrix has rows");
        if self.n == 0 {
            return;
        }
        let (Some(symbolic), Some(scratch), true) = (&self.symbolic, &mut self.scratch, self.is_factored)
        else {
            panic!("no matrix was factorised");
        };
        let b = MatMut::from_column_major_slice_mut(b, self.n, 1);
        LltRef::new(symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            b,
            Par::Seq,
            MemStack::new(scratch),
        );
    }
}
