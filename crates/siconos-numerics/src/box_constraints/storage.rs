//! Sparse copies of dense matrices that consist mostly of zeros, as in circuits.

use siconos_linalg::{Csc, MatrixRef};

use super::BoxProblem;

/// Maximum size for which a dense factorisation is as fast as a sparse one.
const LARGEST_DENSE: usize = 48;

/// A matrix counts as sparse if fewer than one in this many entries are nonzero.
const ONE_IN: usize = 8;

/// Sparse copy of a dense matrix with few nonzero entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    copy: Csc,
    is_used: bool,
}

impl Storage {
    /// Returns the matrix in the storage format for its factorisation. A dense matrix of more than 48
    /// unknowns is converted to compressed sparse columns if less than an eighth of its entries are nonzero;
    /// other matrices stay as they are.
    pub(crate) fn of<'a, 'm: 'a>(&'a mut self, m: MatrixRef<'m>) -> MatrixRef<'a> {
        if let MatrixRef::Dense(entries) = m
            && entries.nrows() > LARGEST_DENSE
            && entries.iter().filter(|x| **x != 0.0).count() * ONE_IN < entries.len()
        {
            self.copy.copy_from(m, |_, _| false);
            self.is_used = true;
        } else {
            self.is_used = false;
        }
        self.last(m)
    }

    /// Returns the result of the last call of [`of`](Self::of). `m` must be the matrix of that call.
    pub(crate) fn last<'a, 'm: 'a>(&'a self, m: MatrixRef<'m>) -> MatrixRef<'a> {
        match m {
            _ if self.is_used => MatrixRef::Csc(&self.copy),
            // The views of ndarray get a shorter lifetime only by an explicit reborrow.
            MatrixRef::Dense(m) => MatrixRef::Dense(m.reborrow()),
            MatrixRef::Diagonal(m) => MatrixRef::Diagonal(m.reborrow()),
            MatrixRef::BlockCsr(m) => MatrixRef::BlockCsr(m),
            MatrixRef::Csc(m) => MatrixRef::Csc(m),
        }
    }
}

/// A problem with its matrix in the storage format for factorisation.
pub(super) struct Stored<'a, P> {
    problem: &'a P,
    m: MatrixRef<'a>,
}

impl<'a, P: BoxProblem> Stored<'a, P> {
    pub(super) fn new(problem: &'a P, storage: &'a mut Storage) -> Self {
        Self { problem, m: storage.of(problem.m()) }
    }
}

impl<P: BoxProblem> BoxProblem for Stored<'_, P> {
    fn m(&self) -> MatrixRef<'_> {
        self.m.reborrow()
    }

    fn q(&self) -> &[f64] {
        self.problem.q()
    }

    fn bounds(&self, i: usize) -> (f64, f64) {
        self.problem.bounds(i)
    }
}
