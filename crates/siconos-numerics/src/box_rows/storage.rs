//! Dense matrices that are mostly zeros, as circuits write them.

use siconos_linalg::{Csc, MatrixRef};

use super::BoxProblem;

/// Up to this size a dense factorisation is as fast as a sparse one.
const LARGEST_DENSE: usize = 48;

/// One entry in so many other than 0 makes a matrix sparse.
const ONE_IN: usize = 8;

/// A sparse copy of a dense matrix, made when it has few entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    copy: Csc,
    is_used: bool,
}

impl Storage {
    /// The matrix in the storage in which it is factorised: sparse columns for a dense one of more than 48
    /// unknowns with less than an eighth of its entries other than 0, else as it is.
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

    /// What [`of`](Self::of) gave last, for the same matrix.
    pub(crate) fn last<'a, 'm: 'a>(&'a self, m: MatrixRef<'m>) -> MatrixRef<'a> {
        match m {
            _ if self.is_used => MatrixRef::Csc(&self.copy),
            // The views of ndarray take a shorter life only when asked to.
            MatrixRef::Dense(m) => MatrixRef::Dense(m.reborrow()),
            MatrixRef::Diagonal(m) => MatrixRef::Diagonal(m.reborrow()),
            MatrixRef::BlockCsr(m) => MatrixRef::BlockCsr(m),
            MatrixRef::Csc(m) => MatrixRef::Csc(m),
        }
    }
}

/// A problem with its matrix in the storage in which it is factorised.
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
