//! The factors of a sparse matrix: a band, Cholesky or LU, in units that the matrix determines.

use super::banded_ldl::BandedLdl;
use super::pivot_units::PivotUnits;
use super::symmetry::row_units_of_symmetry;
use super::{
    Csc, MatrixRef, SingularMatrix, SparseCholesky, SparseLu, exponent, in_general_position, power_of_two,
};

/// A sparse matrix with the factors that it has.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    pub(super) matrix: Csc,
    /// Which of the factors are those of the matrix.
    pub(super) factors: SparseFactors,
    band: BandedLdl,
    cholesky: SparseCholesky,
    lu: SparseLu,
    /// The matrix in units of its own, and what its rows and columns were multiplied by; nothing where it is
    /// taken as it is.
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

/// Below this estimate of the reciprocal condition sparse factors are noise.
const SMALLEST_CONDITION: f64 = 16.0 * f64::EPSILON;

impl Sparse {
    /// Factorises the matrix, which has so many diagonals below the main one.
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

    /// Puts the rows into units in which the matrix is symmetric, if there are any.
    fn make_symmetric(&mut self) -> bool {
        self.transposed.copy_transposed(&self.matrix);
        let Some(rows) = row_units_of_symmetry(&self.matrix, &self.transposed) else { return false };
        self.scaled.scale_entries(|i, _| rows[i]);
        self.units.rows = rows;
        true
    }

    /// Puts a symmetric matrix into units in which its diagonal is near 1.
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

    /// Puts the matrix into units in which its pivots can be compared.
    fn scale(&mut self) {
        self.units.find_sparse(&self.matrix, &self.transposed);
        let PivotUnits { rows, columns, .. } = &self.units;
        self.scaled.scale_entries(|i, j| rows[i] * columns[j]);
    }

    /// An estimate of the reciprocal condition, in the units of the factors, from above: by the size of the
    /// solution for a vector that no null vector is likely to be orthogonal to.
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

/// Writes units of rows and of columns, powers of two, in which the diagonal of a matrix is near 1 and a
/// symmetric one stays symmetric. In other units of the unknowns, where $A_{ij}$ is $A_{ij} a_i a_j$ with
/// powers of two $a_i$, it comes out with the same bits, provided that no entry of the diagonal is 0.
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
