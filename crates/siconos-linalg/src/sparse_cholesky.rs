//! Cholesky factorisation of a sparse symmetric matrix by faer. The symbolic factorisation is reused as long
//! as the pattern does not change.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use faer::perm::PermRef;
use faer::sparse::linalg::amd;

use super::scratch::Scratch;
use super::{Csc, SingularMatrix, first_non_finite, nested_dissection};

/// Factorisation $P A P^T = L L^T$ of a symmetric positive definite matrix, with an ordering that limits the
/// fill-in.
///
/// The ordering is AMD (Amestoy, Davis, Duff 1996), or nested dissection (George 1973) if AMD gives much
/// fill-in and nested dissection gives less. Compared with LU, the factorisation takes half the operations,
/// has less fill-in and needs no pivoting.
///
/// ```
/// use siconos_linalg::{Csc, SparseCholesky};
///
/// let a = Csc::from_triplets(2, 2, [(0, 0, 4.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 5.0)])?;
/// let mut cholesky = SparseCholesky::default();
/// cholesky.factor(&a).unwrap();
/// let mut x = [8.0, 12.0];
/// cholesky.solve(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::MatrixError>(())
/// ```
#[derive(Clone, Default)]
pub struct SparseCholesky {
    /// Pattern of the symbolic factorisation.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    symbolic: Option<Arc<SymbolicCholesky<usize>>>,
    values: Vec<f64>,
    scratch: Scratch,
    n: usize,
    is_factored: bool,
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SparseCholesky")
            .field("n", &self.n)
            .field("factor_entries", &self.factor_entries())
            .finish_non_exhaustive()
    }
}

/// Number of operations per entry of the matrix above which nested dissection is tried. Computing the nested
/// dissection takes as long as about 3000 operations per entry, but the better order also speeds up each
/// solve.
const WORTH_DISSECTION: f64 = 2000.0;

/// Returns the symbolic factorisation for the better one of the two orders.
fn analyse(a: &Csc) -> Option<SymbolicCholesky<usize>> {
    let (by_degree, operations) = by_minimum_degree(a)?;
    if operations < WORTH_DISSECTION * upper_entries(a) as f64 {
        return Some(by_degree);
    }
    let by_dissection = nested_dissection::order(a.compressed())
        .and_then(|order| in_order(a, &order, &nested_dissection::places(&order)));
    std::iter::once(by_degree).chain(by_dissection).min_by_key(SymbolicCholesky::len_val)
}

/// Returns the number of entries on and above the diagonal. The other entries are not used.
fn upper_entries(a: &Csc) -> usize {
    (0..a.columns()).map(|j| a.column(j).filter(|(i, _)| *i <= j).count()).sum()
}

/// Returns the symbolic factorisation for the minimum-degree order, and its number of multiplications.
fn by_minimum_degree(a: &Csc) -> Option<(SymbolicCholesky<usize>, f64)> {
    let (order, places, operations) = minimum_degree(a)?;
    Some((in_order(a, &order, &places)?, operations))
}

/// Returns the unknown at each position in the minimum-degree order, the position of each unknown, and the
/// number of multiplications.
fn minimum_degree(a: &Csc) -> Option<(Vec<usize>, Vec<usize>, f64)> {
    let n = a.columns();
    let (mut order, mut places) = (vec![0; n], vec![0; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, a.entries()));
    let stack = MemStack::new(&mut memory);
    let cost = amd::order(&mut order, &mut places, pattern(a), amd::Control::default(), stack).ok()?;
    Some((order, places, cost.n_mult_subs_ldl))
}

/// Returns the number of multiplications of a factorisation in minimum-degree order, divided by the number of
/// entries on and above the diagonal. The pattern of the matrix must be symmetric.
pub fn multiplications_per_entry(a: &Csc) -> f64 {
    minimum_degree(a).map_or(0.0, |(_, _, operations)| operations / upper_entries(a).max(1) as f64)
}

/// Returns the number of operations of LU without pivoting in minimum-degree order, or `None` if the order
/// cannot be computed. The pattern can be unsymmetric.
pub(super) fn operations_by_minimum_degree(a: &Csc) -> Option<f64> {
    // Each multiplication is followed by a subtraction. LU computes L and U, which takes twice as many of
    // both.
    minimum_degree(a).map(|(_, _, multiplications)| 4.0 * multiplications)
}

fn in_order(a: &Csc, order: &[usize], places: &[usize]) -> Option<SymbolicCholesky<usize>> {
    let ordering = SymmetricOrdering::Custom(PermRef::new_checked(order, places, a.columns()));
    factorize_symbolic_cholesky(pattern(a), Side::Upper, ordering, Default::default()).ok()
}

fn pattern(a: &Csc) -> SymbolicSparseColMatRef<'_, usize> {
    SymbolicSparseColMatRef::new_checked(a.rows(), a.columns(), a.starts(), None, a.row_indices())
}

impl SparseCholesky {
    /// Returns the number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Returns the number of entries allocated for the factor of the last matrix.
    #[must_use]
    pub fn factor_entries(&self) -> usize {
        self.values.len()
    }

    /// Factorises a symmetric matrix. Only the entries on and above the diagonal are read.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if an entry is not finite, or if a pivot is not positive, in which case the matrix
    /// is not positive definite. A matrix that is singular only up to rounding is not always detected, so the
    /// result of [`solve`](Self::solve) must be checked.
    ///
    /// # Panics
    ///
    /// If the matrix is not square.
    #[track_caller]
    pub fn factor(&mut self, a: &Csc) -> Result<(), SingularMatrix> {
        assert_eq!(a.rows(), a.columns(), "a Cholesky factorisation requires a square matrix");
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
        if self.symbolic.is_none() || self.starts != a.starts() || self.row_indices != a.row_indices() {
            self.starts.clear();
            self.starts.extend_from_slice(a.starts());
            self.row_indices.clear();
            self.row_indices.extend_from_slice(a.row_indices());
            self.symbolic = analyse(a).map(Arc::new);
            self.scratch = Scratch::default();
        }
        let Some(symbolic) = &self.symbolic else { return Err(not_positive(0)) };
        self.values.clear();
        self.values.resize(symbolic.len_val(), 0.0);
        let factored = symbolic.factorize_numeric_llt(
            &mut self.values,
            SparseColMatRef::new(pattern(a), a.values()),
            Side::Upper,
            Default::default(),
            Par::Seq,
            self.scratch.for_size(self.n, || need(symbolic)),
            Default::default(),
        );
        if let Err(LltError::NonPositivePivot { index }) = factored.map(|_| ()) {
            // The index is a position in the ordering.
            let column = symbolic.perm().map_or(index, |p| p.arrays().0[index.min(self.n - 1)]);
            return Err(not_positive(column));
        }
        self.is_factored = true;
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
        let (Some(symbolic), true) = (&self.symbolic, self.is_factored) else {
            panic!("no matrix was factorised");
        };
        let b = MatMut::from_column_major_slice_mut(b, self.n, 1);
        LltRef::new(symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            b,
            Par::Seq,
            self.scratch.for_size(self.n, || need(symbolic)),
        );
    }
}

/// Returns the workspace needed to factorise and to solve.
fn need(symbolic: &SymbolicCholesky<usize>) -> StackReq {
    symbolic
        .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
        .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Upper triangle of a matrix on a cube of m^3 points, each coupled with its 26 neighbours.
    fn cube(m: usize) -> Csc {
        let ends = |x: usize| (x.saturating_sub(1), (x + 1).min(m - 1));
        let mut entries = Vec::new();
        for k in 0..m * m * m {
            let [x, y, z] = [k / (m * m), k / m % m, k % m].map(ends);
            let around = (x.0..=x.1).flat_map(|x| (y.0..=y.1).map(move |y| (x * m + y) * m));
            let above = around.flat_map(|row| (z.0..=z.1).map(move |z| row + z)).filter(|&i| i <= k);
            entries.extend(above.map(|i| (i, k, if i == k { 27.0 } else { -1.0 })));
        }
        Csc::from_triplets(m * m * m, m * m * m, entries).expect("inside")
    }

    #[test]
    fn where_much_fill_is_left_dissection_leaves_less_and_the_solution_is_the_same() {
        let a = cube(16);
        let (by_degree, _) = by_minimum_degree(&a).expect("a pattern");
        let mut cholesky = SparseCholesky::default();
        cholesky.factor(&a).expect("definite");
        let found = cholesky.factor_entries();
        assert!(10 * found < 9 * by_degree.len_val(), "{found} beside {}", by_degree.len_val());
        let expected: Vec<f64> = (0..a.columns()).map(|i| (i as f64).sin()).collect();
        let mut x = vec![0.0; a.columns()];
        for (i, j, value) in (0..a.columns()).flat_map(|j| a.column(j).map(move |(i, value)| (i, j, value))) {
            x[i] += value * expected[j];
            if i != j {
                x[j] += value * expected[i];
            }
        }
        cholesky.solve(&mut x);
        assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-12));
    }

    #[test]
    fn small_matrices_are_left_to_minimum_degree() {
        let a = cube(5);
        let (by_degree, operations) = by_minimum_degree(&a).expect("a pattern");
        assert!(operations < WORTH_DISSECTION * upper_entries(&a) as f64);
        assert_eq!(analyse(&a).map(|found| found.len_val()), Some(by_degree.len_val()));
    }
}
