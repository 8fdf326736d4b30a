//! Number of floating-point operations of products and factorisations, computed from the size and the pattern
//! of a matrix.

use crate::MatrixRef;
use crate::sparse_cholesky::operations_by_minimum_degree;

/// Returns the number of operations of a product of the matrix and a vector: two for each stored entry.
#[must_use]
pub fn product(m: MatrixRef<'_>) -> f64 {
    2.0 * m.stored_entries() as f64
}

/// Number of operations of a product with a vector and of a factorisation. The costs of most methods are
/// computed from these two numbers.
#[derive(Clone, Copy, Debug)]
pub struct MatrixCost {
    /// Number of operations of a product with a vector.
    pub product: f64,
    /// Number of operations of a factorisation.
    pub factorisation: f64,
}

/// Estimated number of operations above which an order of elimination is computed and its operations are
/// counted.
const WORTH_ORDERING: f64 = 2e7;

impl MatrixCost {
    /// Estimates the costs, in at most one pass over the entries of the matrix.
    pub fn estimate(m: MatrixRef<'_>) -> Self {
        Self { product: product(m.reborrow()), factorisation: factorisation(m) }
    }

    /// Estimates the costs, and counts the operations of an expensive factorisation.
    ///
    /// If the matrix is stored by sparse columns and both dense LU and band LU take many operations, the
    /// operations of a factorisation in minimum-degree order are counted. [`estimate`](Self::estimate)
    /// assumes the fill-in of a mesh, and a matrix with entries at random positions has ten times as much.
    pub fn count(m: MatrixRef<'_>) -> Self {
        let estimate = Self::estimate(m.reborrow());
        let dense = dense_factorisation(m.rows());
        let MatrixRef::Csc(a) = m else { return estimate };
        if dense <= WORTH_ORDERING || band_factorisation(m) <= WORTH_ORDERING {
            return estimate;
        }
        let counted = operations_by_minimum_degree(a).unwrap_or(dense).min(dense);
        Self { factorisation: counted.max(estimate.product), ..estimate }
    }
}

/// Returns the number of operations of a dense LU factorisation.
#[must_use]
pub fn dense_factorisation(n: usize) -> f64 {
    2.0 / 3.0 * (n as f64).powi(3)
}

/// Returns the estimated number of operations of a factorisation.
///
/// Matrices in dense storage are factorised by dense LU. For sparse storage, the result is the smaller of two
/// values: the operations of dense LU, and the operations of a sparse factorisation with the fill-in of a
/// surface mesh (proportional to the number of entries to the power 3/2; George 1973). For compressed sparse
/// columns, band LU is considered as well.
#[must_use]
pub fn factorisation(m: MatrixRef<'_>) -> f64 {
    let entries = m.stored_entries() as f64;
    let dense = dense_factorisation(m.rows());
    match m {
        MatrixRef::Dense(_) => dense,
        MatrixRef::Diagonal(_) => entries,
        MatrixRef::BlockCsr(_) => sparse_factorisation(entries).min(dense),
        MatrixRef::Csc(_) => sparse_factorisation(entries).min(dense).min(band_factorisation(m)),
    }
}

/// Returns the number of operations of LU with pivoting of a band matrix.
fn band_factorisation(m: MatrixRef<'_>) -> f64 {
    let mut width = 0;
    m.for_each_entry(|i, j, x| width = if x == 0.0 { width } else { width.max(i.abs_diff(j)) });
    let width = 1.0 + width as f64;
    4.0 * m.rows() as f64 * width * width
}

/// Returns the estimated number of operations of a factorisation of a sparse matrix with the given number of
/// entries.
#[must_use]
pub fn sparse_factorisation(entries: f64) -> f64 {
    FILL * entries * entries.sqrt()
}

/// Number of operations of a sparse factorisation, divided by the number of entries to the power 3/2.
const FILL: f64 = 10.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Csc;

    #[test]
    fn sparse_factorisations_are_counted_where_they_fill_in() {
        let n = 1600;
        let mut state = 11_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        // A mesh of 40 x 40 points, numbered at random, and a matrix with as many entries at random
        // positions.
        let mut number: Vec<usize> = (0..n).collect();
        number.sort_by_cached_key(|_| draw());
        let neighbours = |k: usize| [(k % 40 < 39).then_some(k + 1), (k + 40 < n).then_some(k + 40)];
        let edges: Vec<_> =
            (0..n).flat_map(|k| neighbours(k).into_iter().flatten().map(move |l| (k, l))).collect();
        let of = |pairs: &[(usize, usize)]| {
            let entries = pairs.iter().flat_map(|&(i, j)| [(i, j, -1.0), (j, i, -1.0)]);
            Csc::from_triplets(n, n, entries.chain((0..n).map(|i| (i, i, 4.0))))
                .expect("places within the matrix")
        };
        let mesh = of(&edges.iter().map(|&(k, l)| (number[k], number[l])).collect::<Vec<_>>());
        let anywhere = of(&edges.iter().enumerate().map(|(k, _)| (k % n, draw() % n)).collect::<Vec<_>>());
        let counted = |m: &Csc| {
            MatrixCost::count(m.into()).factorisation / MatrixCost::estimate(m.into()).factorisation
        };
        // Nested dissection takes 9.9 n^(3/2) multiplications on a mesh with diagonals (George 1973). This
        // mesh has no diagonals.
        let multiplications = MatrixCost::count((&mesh).into()).factorisation / 4.0;
        let of_power = multiplications / (n as f64).powf(1.5);
        assert!((2.0..10.0).contains(&of_power), "{of_power}");
        assert!(counted(&anywhere) > 5.0 * counted(&mesh), "{} {}", counted(&anywhere), counted(&mesh));
    }
}
