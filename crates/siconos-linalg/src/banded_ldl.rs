//! Factorisation of a symmetric band matrix.

use super::{Csc, SingularMatrix};

/// Factorisation $A = L D L^T$ of a symmetric positive definite band matrix, without pivoting and without
/// square roots (Golub and Van Loan 2013, section 4.3).
///
/// Examples are matrices of chains and bars, and matrices with small diagonal blocks. If rows and columns are
/// scaled by powers of two, only the exponents of the factors change.
#[derive(Clone, Debug, Default)]
pub(super) struct BandedLdl {
    n: usize,
    /// Number of diagonals below the main diagonal.
    below: usize,
    /// For each column, the reciprocal of the entry of D, followed by the entries of L.
    columns: Vec<f64>,
}

impl BandedLdl {
    /// Factorises a matrix with `below` diagonals below the main diagonal. Only the lower triangle is read.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix::Pivot`] if a pivot is at most `n` times the machine precision times its diagonal
    /// entry. The matrix is then not positive definite to working precision.
    pub(super) fn factor(&mut self, a: &Csc, below: usize) -> Result<(), SingularMatrix> {
        (self.n, self.below) = (a.columns(), below);
        let width = below + 1;
        self.columns.clear();
        self.columns.resize(self.n * width, 0.0);
        for (j, column) in self.columns.chunks_exact_mut(width).enumerate() {
            a.column(j).filter(|(i, _)| *i >= j).for_each(|(i, value)| column[i - j] = value);
        }
        let smallest = self.n as f64 * f64::EPSILON;
        for j in 0..self.n {
            let (pivot, size) = (self.columns[j * width], a.get(j, j));
            if !(pivot > smallest * size && pivot.is_finite()) {
                return Err(SingularMatrix::Pivot { column: j, pivot });
            }
            let inverse = 1.0 / pivot;
            let (column, rest) = self.columns[j * width..].split_at_mut(width);
            column[0] = inverse;
            for (k, next) in rest.chunks_exact_mut(width).take(below).enumerate() {
                let entry = column[k + 1];
                if entry != 0.0 {
                    let factor = entry * inverse;
                    next.iter_mut().zip(&column[k + 1..]).for_each(|(x, a)| *x -= factor * a);
                }
            }
            column[1..].iter_mut().for_each(|entry| *entry *= inverse);
        }
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let width = self.below + 1;
        for (j, column) in self.columns.chunks_exact(width).enumerate() {
            let x = b[j];
            b[j + 1..].iter_mut().zip(&column[1..]).for_each(|(b, l)| *b -= l * x);
        }
        for (j, column) in self.columns.chunks_exact(width).enumerate().rev() {
            let known: f64 = b[j + 1..].iter().zip(&column[1..]).map(|(b, l)| l * b).sum();
            b[j] = b[j] * column[0] - known;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatrixRef;

    /// Systems with every band width and every small size are solved, and compared with their known
    /// solutions.
    #[test]
    fn the_solution_satisfies_its_equations() {
        for n in 1..12_usize {
            for below in 0..n {
                let entry = |i: usize, j: usize| match i.abs_diff(j) {
                    0 => 10.0 + i as f64,
                    apart if apart <= below => 1.0 / (i + j + apart) as f64,
                    _ => 0.0,
                };
                let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j, entry(i, j))));
                let a = Csc::from_triplets(n, n, places.filter(|(.., x)| *x != 0.0)).expect("entries");
                let mut factors = BandedLdl::default();
                factors.factor(&a, below).expect("positive definite");
                let x: Vec<_> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
                let mut b = vec![0.0; n];
                MatrixRef::Csc(&a).add_product(1.0, &x, &mut b);
                factors.solve(&mut b);
                assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-13), "{n} {below}: {b:?}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let a =
            Csc::from_triplets(2, 2, [(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0)]).expect("entries");
        assert!(BandedLdl::default().factor(&a, 1).is_err());
    }
}
