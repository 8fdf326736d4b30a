//! The factors of the block of all equalities, and the equations that they leave over.

use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::{BasicLu, Csc, DenseLu, LeftOver, is_sparse};

use crate::error::SolverError;

/// LU factors as the block asks for: dense ones of a small or well-filled block that is regular, those of
/// [`BasicLu`] of others.
#[derive(Debug, Default)]
pub(super) struct EqualityFactors {
    dense: DenseLu,
    basic: BasicLu,
    is_dense: bool,
    n: usize,
    /// Of equations that repeat others, in increasing order: what is left of their right-hand sides.
    free: Vec<LeftOver>,
    /// Whether more than rounding is left on the left, for an unknown of any law.
    depends: Vec<bool>,
    /// Operations since the last factorisation began.
    operations: f64,
}

/// Beside its terms, the most that is left on the left-hand side of an equation where that is nothing: a
/// tenth of what is no pivot, so that a joint of light bodies that hold heavy ones is in doubt before.
const ROUNDING: f64 = 1e-13;

/// Beside its terms, what is left on the right-hand side, at least, where that is a contradiction.
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

    /// [`respond`](Self::respond) to the right-hand side without other laws.
    pub(super) fn respond_freely(&mut self, b: &mut [f64]) {
        self.respond(b);
        self.free.clear();
        if !self.is_dense {
            self.free.extend_from_slice(self.basic.left_over());
        }
        self.depends.clear();
        self.depends.extend(self.free.iter().map(|left| left.rounding > ROUNDING));
    }

    /// [`respond`](Self::respond) to the column of another law, after the right-hand side.
    pub(super) fn respond_to_law(&mut self, b: &mut [f64]) {
        self.respond(b);
        if !self.is_dense {
            for (depends, left) in self.depends.iter_mut().zip(self.basic.left_over()) {
                *depends |= left.value.abs() > ROUNDING * left.terms;
            }
        }
    }

    /// The equation that contradicts others most, whatever the other laws do: what elimination leaves of it
    /// is nothing on the left and something on the right, each beside its own terms.
    pub(super) fn contradiction(&self) -> Option<usize> {
        let independent = self.free.iter().zip(&self.depends).filter(|(_, depends)| !**depends);
        let parts = independent.map(|(left, _)| (left.row, left.value.abs() / left.terms));
        // The first of equals; where all terms are 0, nothing is left.
        let largest = parts.rev().filter(|(_, part)| *part > SOMETHING).max_by(|a, b| a.1.total_cmp(&b.1));
        largest.map(|(row, _)| row)
    }

    /// The equations that repeat others, up to what other laws do.
    pub(super) fn repeated(&self) -> impl Iterator<Item = usize> {
        self.free.iter().map(|left| left.row)
    }

    pub(super) fn operations(&self) -> f64 {
        self.operations
    }
}
