//! Costs of products and factorisations in floating-point operations, from the sizes and the pattern of a
//! matrix.

use crate::MatrixRef;
use crate::sparse_cholesky::operations_by_minimum_degree;

/// Operations of a product with the matrix: two per stored entry.
#[must_use]
pub fn product(m: MatrixRef<'_>) -> f64 {
    2.0 * m.stored_entries() as f64
}

/// Operations of the two pieces that most methods for one matrix consist of.
#[derive(Clone, Copy, Debug)]
pub struct MatrixCost {
    /// Operations of a product.
    pub product: f64,
    /// Operations of a factorisation.
    pub factorisation: f64,
}

/// Operations from which on a factorisation is worth the search for an order of elimination that counts them.
const WORTH_ORDERING: f64 = 2e7;

impl MatrixCost {
    /// An estimate that takes no more time than a look at the entries.
    pub fn estimate(m: MatrixRef<'_>) -> Self {
        Self { product: product(m.reborrow()), factorisation: factorisation(m) }
    }

    /// The count of a sparse factorisation in the order of minimum degree, where it may be large: a matrix
    /// whose entries lie anywhere fills in ten times as much as a mesh.
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

/// Operations of LU with all entries.
#[must_use]
pub fn dense_factorisation(n: usize) -> f64 {
    2.0 / 3.0 * (n as f64).powi(3)
}

/// Operations of a factorisation: of LU with all entries, and of a sparse matrix those of the fill that a
/// mesh of surfaces brings (a power of 3/2 of the entries; George 1973), or those of its band. Neither is
/// above the first.
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

/// Operations of LU without fill outside the band, with pivots.
fn band_factorisation(m: MatrixRef<'_>) -> f64 {
    let mut width = 0;
    m.for_each_entry(|i, j, x| width = if x == 0.0 { width } else { width.max(i.abs_diff(j)) });
    let width = 1.0 + width as f64;
    4.0 * m.rows() as f64 * width * width
}

/// Operations of a factorisation of a sparse matrix with that many entries.
#[must_use]
pub fn sparse_factorisation(entries: f64) -> f64 {
    FILL * entries * entries.sqrt()
}

/// Operations of a sparse factorisation per power 3/2 of its number of entries.
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
        // A mesh of 40 x 40 points, numbered at random, and as many entries anywhere.
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
        // Nested dissection takes 9.9 n^(3/2) multiplications on a mesh with diagonals (George 1973); this
        // has none.
        let multiplications = MatrixCost::count((&mesh).into()).factorisation / 4.0;
        let of_power = multiplications / (n as f64).powf(1.5);
        assert!((2.0..10.0).contains(&of_power), "{of_power}");
        assert!(counted(&anywhere) > 5.0 * counted(&mesh), "{} {}", counted(&anywhere), counted(&mesh));
    }
}
