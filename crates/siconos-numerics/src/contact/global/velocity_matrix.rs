//! The matrix of ADMM in the velocities of the bodies, sparse: what contacts add to the masses.

use super::matrices::Matrices;
use crate::contact::ContactLaw;
use crate::linalg::{Csc, FactoredMatrix, MatrixRef, SingularMatrix};

/// Assembles and factorises
///
/// $$ A = M + H D H^T $$
///
/// (A = M + H D H^T) with D block-diagonal over the contacts. Two degrees of freedom are coupled where they
/// share a contact: a row per degree of freedom, fewer and emptier than the rows of $W = H^T M^{-1} H$, one
/// per contact unknown, where these outnumber the degrees of freedom. The pattern is that of M and H whatever
/// the values of D.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityMatrix {
    matrix: Csc,
    factors: FactoredMatrix,
    /// The column that is being added up, and which of its rows are there.
    column: Vec<f64>,
    is_there: Vec<bool>,
    rows: Vec<usize>,
    product: Vec<f64>,
}

impl VelocityMatrix {
    /// Writes and factorises the matrix; `d` holds the blocks row by row, one after the other.
    pub(super) fn factor(
        &mut self,
        matrices: &Matrices,
        law: &ContactLaw<'_>,
        d: &[f64],
    ) -> Result<(), SingularMatrix> {
        let n = matrices.m.columns();
        self.column.clear();
        self.column.resize(n, 0.0);
        self.is_there.clear();
        self.is_there.resize(n, false);
        self.matrix.begin(n);
        let Self { matrix, column, is_there, rows, product, .. } = self;
        for k in 0..n {
            rows.clear();
            let mut add = |i: usize, x: f64| {
                if !is_there[i] {
                    is_there[i] = true;
                    rows.push(i);
                }
                column[i] += x;
            };
            matrices.m.column(k).for_each(|(i, x)| add(i, x));
            matrices.for_each_contact_of(law, k, d, product, |contact, reaction| {
                for (j, reaction) in law.range(contact).zip(reaction) {
                    matrices.h.column(j).for_each(|(i, x)| add(i, x * reaction));
                }
            });
            rows.sort_unstable();
            for &i in &*rows {
                matrix.push(i, std::mem::take(&mut column[i]));
                is_there[i] = false;
            }
            matrix.close_column();
        }
        self.factors.factor_sum(&[(1.0, MatrixRef::Csc(&self.matrix))])
    }

    /// Overwrites `x` with $A^{-1} x$.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.factors.solve(x);
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::super::GlobalProblem;
    use super::*;

    /// Bodies in a row with two contacts between neighbours, of three and of two unknowns; M couples degrees
    /// of freedom, and no block of D is a multiple of the identity.
    #[test]
    fn the_factors_are_those_of_the_dense_sum() {
        const BODIES: usize = 12;
        let (n, size) = (3 * BODIES, 5 * (BODIES - 1));
        let number = |i: usize, j: usize| ((7 * i + 13 * j) as f64).sin();
        let m = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
            0 => 2.0 + number(i, i),
            _ if i / 3 == j / 3 => 0.25 * number(i + j, i + j),
            _ => 0.0,
        });
        let touches = |i: usize, j: usize| (j / 5..=j / 5 + 1).contains(&(i / 3));
        let h = Array2::from_shape_fn((n, size), |(i, j)| if touches(i, j) { number(i, j) } else { 0.0 });
        let starts: Vec<usize> =
            (0..BODIES - 1).flat_map(|k| [5 * k, 5 * k + 3]).chain(std::iter::once(size)).collect();
        let tau = vec![1.0; starts.len() - 1];
        let law = ContactLaw::SecondOrder { starts: &starts, tau: &tau };
        let (mut blocks, mut d) = (Vec::new(), Array2::zeros((size, size)));
        for range in starts.windows(2).map(|pair| pair[0]..pair[1]) {
            for i in range.clone() {
                for j in range.clone() {
                    d[[i, j]] = if i == j { 3.0 } else { 0.5 * number(i + j, i + j) };
                    blocks.push(d[[i, j]]);
                }
            }
        }
        let (f, w) = (vec![0.0; n], vec![0.0; size]);
        let problem = GlobalProblem::new(&m, &h, &f, &w, law).expect("the parts fit");
        let mut matrices = Matrices::default();
        matrices.prepare(&problem);
        let mut factors = VelocityMatrix::default();
        factors.factor(&matrices, &law, &blocks).expect("regular");
        let expected = Array1::from_shape_fn(n, |i| (i as f64).cos());
        let mut x = (&m + &h.dot(&d).dot(&h.t())).dot(&expected).to_vec();
        factors.solve(&mut x);
        assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10), "{x:?}");
    }
}
