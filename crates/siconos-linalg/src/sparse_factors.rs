//! Sparse matrix with its factors: band, Cholesky or LU factors. The scale factors are computed from the
//! matrix.

use super::banded_ldl::BandedLdl;
use super::pivot_units::PivotUnits;
use super::symmetry::row_units_of_symmetry;
use super::{
    Csc, MatrixRef, SingularMatrix, SparseCholesky, SparseLu, exponent, in_general_position, power_of_two,
};

/// Sparse matrix with its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    pub(super) matrix: Csc,
    /// Kind of the factors that are in use.
    pub(super) factors: SparseFactors,
    band: BandedLdl,
    cholesky: SparseCholesky,
    lu: SparseLu,
    /// `scaled` is the scaled matrix, and `units` holds its scale factors. These are empty if the matrix is
    /// not scaled.
    scaled: Csc,
    units: PivotUnits,
    transposed: Csc,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum SparseFactors {
    Band,
    Cholesky,
    #[default]
    Lu,
}

/// If the estimated reciprocal condition number is below this value, rounding errors dominate the factors.
const SMALLEST_CONDITION: f64 = 16.0 * f64::EPSILON;

impl Sparse {
    /// Factorises the matrix, which has `below` diagonals below the main diagonal.
    pub(super) fn factor(&mut self, below: usize) -> Result<(), SingularMatrix> {
        self.scaled.clone_from(&self.matrix);
        self.units.rows.clear();
        self.units.columns.clear();
        let is_symmetric = MatrixRef::Csc(&self.matrix).is_symmetric() || self.make_symmetric();
        let is_band = self.matrix.columns() * (below + 1) <= 2 * self.matrix.entries();
        if is_symmetric && is_band && self.band.factor(&self.scaled, below).is_ok() {
            self.factors = SparseFactors::Band;
            return Ok(());
        }
        if is_symmetric {
            self.scale_symmetrically();
            if self.cholesky.factor(&self.scaled).is_ok() {
                self.factors = SparseFactors::Cholesky;
                if self.estimated_condition() > SMALLEST_CONDITION {
                    return Ok(());
                }
            }
        } else {
            self.scale();
        }
        self.factors = SparseFactors::Lu;
        self.lu.factor(&self.scaled)?;
        match self.estimated_condition() {
            reciprocal if reciprocal > SMALLEST_CONDITION => Ok(()),
            reciprocal => Err(SingularMatrix::Condition { reciprocal }),
        }
    }

    /// Scales the rows so that the matrix becomes symmetric. Returns `false` if this is not possible.
    fn make_symmetric(&mut self) -> bool {
        self.transposed.copy_transposed(&self.matrix);
        let Some(rows) = row_units_of_symmetry(&self.matrix, &self.transposed) else { return false };
        self.scaled.scale_entries(|i, _| rows[i]);
        self.units.rows = rows;
        true
    }

    /// Scales a symmetric matrix so that its diagonal is near 1.
    fn scale_symmetrically(&mut self) {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        units_of_diagonal(&self.scaled, (&mut rows, &mut columns));
        self.scaled.scale_entries(|i, j| rows[i] * columns[j]);
        match &mut self.units.rows[..] {
            [] => self.units.rows = rows,
            units => units.iter_mut().zip(rows).for_each(|(unit, row)| *unit *= row),
        }
        self.units.columns = columns;
    }

    /// Scales the matrix so that its pivots can be compared.
    fn scale(&mut self) {
        self.units.find_sparse(&self.matrix, &self.transposed);
        let PivotUnits { rows, columns, .. } = &self.units;
        self.scaled.scale_entries(|i, j| rows[i] * columns[j]);
    }

    /// Returns an estimate of the reciprocal condition number of the scaled matrix, computed from the
    /// solution for a fixed right-hand side, which is unlikely to be orthogonal to a null vector.
    fn estimated_condition(&mut self) -> f64 {
        let mut x: Vec<_> = (0..self.scaled.columns()).map(in_general_position).collect();
        self.solve_in_units(&mut x);
        let largest =
            |x: &[f64]| x.iter().fold(0.0_f64, |m, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) });
        1.0 / (largest(self.scaled.values()) * largest(&x))
    }

    /// Overwrites `b` with $A^{-1} b$.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        b.iter_mut().zip(&self.units.rows).for_each(|(b, unit)| *b *= unit);
        self.solve_in_units(b);
        b.iter_mut().zip(&self.units.columns).for_each(|(b, unit)| *b *= unit);
    }

    fn solve_in_units(&mut self, b: &mut [f64]) {
        match self.factors {
            SparseFactors::Band => self.band.solve(b),
            SparseFactors::Cholesky => self.cholesky.solve(b),
            SparseFactors::Lu => self.lu.solve(b),
        }
    }
}

/// Computes powers of two by which rows and columns are to be multiplied so that the diagonal of the matrix
/// is near 1. A symmetric matrix stays symmetric up to a common factor.
///
/// If the units of the unknowns change, so that $A_{ij}$ becomes $A_{ij} a_i a_j$ with powers of two $a_i$,
/// the scaled matrix is bit-identical, provided that no diagonal entry is 0.
pub fn units_of_diagonal(a: &Csc, (rows, columns): (&mut Vec<f64>, &mut Vec<f64>)) {
    rows.clear();
    columns.clear();
    let common = (0..a.columns()).find_map(|i| exponent(a.get(i, i))).unwrap_or(0);
    for i in 0..a.columns() {
        let shift = exponent(a.get(i, i)).map_or(0, |e| (common - e).div_euclid(2));
        rows.push(power_of_two(shift));
        columns.push(power_of_two(shift - common));
    }
}
