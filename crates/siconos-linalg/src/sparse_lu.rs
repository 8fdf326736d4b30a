//! LU factorisation of a sparse matrix by faer. The symbolic factorisation is reused as long as the pattern
//! does not change.

use faer::dyn_stack::StackReq;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};

use super::scratch::Scratch;
use super::{Csc, SingularMatrix, first_non_finite};

/// Factorisation $P A Q = L U$ with partial pivoting and an ordering that limits the fill-in (COLAMD; Davis,
/// Gilbert, Larimore, Ng 2004).
///
/// ```
/// use siconos_linalg::{Csc, SparseLu};
///
/// let a = Csc::from_triplets(2, 2, [(0, 1, 2.0), (1, 0, 1.0), (1, 1, 1.0)])?;
/// let mut lu = SparseLu::default();
/// lu.factor(&a).unwrap();
/// let mut x = [4.0, 3.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [1.0, 2.0]);
/// # Ok::<(), siconos_linalg::MatrixError>(())
/// ```
#[derive(Clone, Default)]
pub struct SparseLu {
    /// Pattern of the symbolic factorisation.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    symbolic: Option<SymbolicLu<usize>>,
    numeric: Option<NumericLu<usize, f64>>,
    scratch: Scratch,
    n: usize,
    in_blocks: bool,
}

impl std::fmt::Debug for SparseLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseLu")
            .field("n", &self.n)
            .field("entries", &self.row_indices.len())
            .finish_non_exhaustive()
    }
}

impl SparseLu {
    /// Makes every factorisation eliminate columns in groups (supernodal elimination), which is faster if the
    /// matrix consists of dense blocks. For the contacts of a pile, it takes a third of the time of the
    /// column-by-column elimination that faer would choose. This function must be called before the first
    /// factorisation.
    pub fn group_columns(&mut self) {
        self.in_blocks = true;
    }

    /// Returns the number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factorises a square matrix.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if an entry is not finite, or if no pivot can be found. A matrix that is singular
    /// only up to rounding is not always detected, so the result of [`solve`](Self::solve) must be checked.
    ///
    /// # Panics
    ///
    /// If the matrix is not square.
    #[track_caller]
    pub fn factor(&mut self, a: &Csc) -> Result<(), SingularMatrix> {
        assert_eq!(a.rows(), a.columns(), "an LU factorisation requires a square matrix");
        self.n = a.rows();
        if self.n == 0 {
            return Ok(());
        }
        if let Some(k) = first_non_finite(a.values()) {
            let column = a.starts().partition_point(|&start| start <= k) - 1;
            return Err(SingularMatrix::Pivot { column, pivot: a.values()[k] });
        }
        let singular = |column| SingularMatrix::Pivot { column, pivot: 0.0 };
        let pattern = SymbolicSparseColMatRef::new_checked(self.n, self.n, a.starts(), None, a.row_indices());
        if self.symbolic.is_none() || self.starts != a.starts() || self.row_indices != a.row_indices() {
            self.starts.clear();
            self.starts.extend_from_slice(a.starts());
            self.row_indices.clear();
            self.row_indices.extend_from_slice(a.row_indices());
            self.numeric = None;
            let mut parameters = LuSymbolicParams::default();
            if self.in_blocks {
                parameters.supernodal_flop_ratio_threshold = SupernodalThreshold::FORCE_SUPERNODAL;
            }
            self.symbolic = factorize_symbolic_lu(pattern, parameters).ok();
            self.scratch = Scratch::default();
        }
        let Some(symbolic) = &self.symbolic else { return Err(singular(0)) };
        let matrix = SparseColMatRef::new(pattern, a.values());
        let numeric = self.numeric.get_or_insert_with(NumericLu::new);
        let factored = symbolic.factorize_numeric_lu(
            numeric,
            matrix,
            Par::Seq,
            self.scratch.for_size(self.n, || need(symbolic)),
            Default::default(),
        );
        if let Err(error) = factored.map(|_| ()) {
            self.numeric = None;
            return Err(match error {
                faer::sparse::linalg::LuError::SymbolicSingular { index } => singular(index),
                faer::sparse::linalg::LuError::Generic(_) => singular(0),
            });
        }
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$. Entries that are not finite indicate a singular matrix.
    ///
    /// # Panics
    ///
    /// If the length of `b` differs from [`size`](Self::size), or if no matrix was factorised.
    #[track_caller]
    pub fn solve(&mut self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "the length of the right-hand side must be the number of rows");
        if self.n == 0 {
            return;
        }
        let (Some(symbolic), Some(numeric)) = (&self.symbolic, &self.numeric) else {
            panic!("no matrix was factorised");
        };
        let b = MatMut::from_column_major_slice_mut(b, self.n, 1);
        LuRef::new_unchecked(symbolic, numeric).solve_in_place_with_conj(
            Conj::No,
            b,
            Par::Seq,
            self.scratch.for_size(self.n, || need(symbolic)),
        );
    }
}

/// Returns the workspace needed to factorise and to solve.
fn need(symbolic: &SymbolicLu<usize>) -> StackReq {
    symbolic
        .factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default())
        .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))
}
