//! Factors of the block of all equalities, and the redundant equations, which have no pivot.

use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::{BasicLu, Csc, DenseLu, LeftOver, is_sparse};

use crate::error::SolverError;

/// LU factors of the block: dense factors if the block is regular and has few rows or few zeros, and
/// otherwise [`BasicLu`].
#[derive(Debug, Default)]
pub(super) struct EqualityFactors {
    dense: DenseLu,
    basic: BasicLu,
    is_dense: bool,
    n: usize,
    /// Remainders of the right-hand sides of the redundant equations, in the order of the equations.
    free: Vec<LeftOver>,
    /// For each of these equations, `true` if the elimination leaves more than rounding error on its
    /// left-hand side, for example because an unknown of another law occurs there.
    depends: Vec<bool>,
    /// Operations since the last factorisation began.
    operations: f64,
}

/// Maximum remainder on the left-hand side of an equation, relative to its terms, that counts as zero. It is
/// a tenth of the pivot tolerance, so that an ill-conditioned joint, for example between light bodies that
/// carry heavy bodies, does not count as a contradiction.
const ROUNDING: f64 = 1e-13;

/// Minimum remainder on the right-hand side of an equation, relative to its terms, that counts as a
/// contradiction.
const SOMETHING: f64 = 1e-8;

impl EqualityFactors {
    pub(super) fn factor(&mut self, ee: &Csc) -> Result<(), SolverError> {
        self.n = ee.columns();
        self.operations = 0.0;
        let mut is_regular = false;
        if !is_sparse(self.n, ee.entries()) {
            is_regular = self.dense.factor(ee.to_dense().view()).is_ok();
            self.operations += dense_factorisation(self.n);
            self.is_dense = is_regular && !self.dense.is_near_singular();
            if self.is_dense {
                return Ok(());
            }
        }
        let what = "the block of all equalities";
        let rank = self.basic.factor(ee).map_err(|singular| SolverError::Singular { what, singular })?;
        self.operations += self.basic.operations().0;
        self.is_dense = is_regular && rank == self.n;
        Ok(())
    }

    /// Overwrites `b` with a solution of $M_{ee} x = b$.
    pub(super) fn respond(&mut self, b: &mut [f64]) {
        if self.is_dense {
            self.operations += 2.0 * (self.n * self.n) as f64;
            self.dense.solve(b);
        } else {
            self.operations += self.basic.operations().1;
            self.basic.solve(b);
        }
    }

    /// Calls [`respond`](Self::respond) for the right-hand side of the equalities alone, and keeps the
    /// remainders of the redundant equations.
    pub(super) fn respond_freely(&mut self, b: &mut [f64]) {
        self.respond(b);
        self.free.clear();
        if !self.is_dense {
            self.free.extend_from_slice(self.basic.left_over());
        }
        self.depends.clear();
        self.depends.extend(self.free.iter().map(|left| left.rounding > ROUNDING));
    }

    /// Calls [`respond`](Self::respond) for a right-hand side that is the column of an unknown of another
    /// law, and records which redundant equations depend on this unknown. Must follow
    /// [`respond_freely`](Self::respond_freely).
    pub(super) fn respond_to_law(&mut self, b: &mut [f64]) {
        self.respond(b);
        if !self.is_dense {
            for (depends, left) in self.depends.iter_mut().zip(self.basic.left_over()) {
                *depends |= left.value.abs() > ROUNDING * left.terms;
            }
        }
    }

    /// Returns the equation that contradicts other equations most, regardless of the other laws. The
    /// elimination leaves zero on the left-hand side of this equation and a nonzero value on its right-hand
    /// side, each relative to its terms.
    pub(super) fn contradiction(&self) -> Option<usize> {
        let independent = self.free.iter().zip(&self.depends).filter(|(_, depends)| !**depends);
        let parts = independent.map(|(left, _)| (left.row, left.value.abs() / left.terms));
        // If ratios are equal, takes the first. If all terms are 0, the ratio is NaN and is filtered out.
        let largest = parts.rev().filter(|(_, part)| *part > SOMETHING).max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map(|(row, _)| row)
    }

    /// Returns the equations that are redundant if their coupling with other laws is ignored.
    pub(super) fn repeated(&self) -> impl Iterator<Item = usize> {
        self.free.iter().map(|left| left.row)
    }

    pub(super) fn operations(&self) -> f64 {
        self.operations
    }
}
