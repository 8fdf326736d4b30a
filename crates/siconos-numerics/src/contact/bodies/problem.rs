//! A contact problem as methods take it that work with the velocities of the bodies.

use siconos_linalg::MatrixRef;

use crate::contact::{ContactLaw, ContactProblem};

/// $M v = H r$, $u = H^T v + q$ and the law, with M and H at hand; v is what reactions add to the velocities
/// of the bodies.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct BodiesProblem<'a> {
    m: MatrixRef<'a>,
    h: MatrixRef<'a>,
    q: &'a [f64],
    law: ContactLaw<'a>,
}

impl<'a> BodiesProblem<'a> {
    /// Puts together data whose shapes fit.
    pub(in crate::contact) fn new(
        m: MatrixRef<'a>,
        h: MatrixRef<'a>,
        q: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Self {
        Self { m, h, q, law }
    }

    /// This problem with the lifetime of the reference.
    pub(in crate::contact) fn reborrow(&self) -> BodiesProblem<'_> {
        BodiesProblem { m: self.m.reborrow(), h: self.h.reborrow(), q: self.q, law: self.law }
    }

    /// The number of degrees of freedom, the entries of v.
    pub(in crate::contact) fn degrees_of_freedom(&self) -> usize {
        self.m.rows()
    }

    /// The number of unknowns, the entries of r and u.
    pub(in crate::contact) fn size(&self) -> usize {
        self.q.len()
    }

    pub(in crate::contact) fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    pub(in crate::contact) fn h(&self) -> MatrixRef<'a> {
        self.h
    }

    pub(in crate::contact) fn q(&self) -> &'a [f64] {
        self.q
    }

    pub(in crate::contact) fn law(&self) -> ContactLaw<'a> {
        self.law
    }
}

impl<'a> From<&BodiesProblem<'a>> for ContactProblem<'a> {
    fn from(problem: &BodiesProblem<'a>) -> Self {
        Self::of_checked_bodies(problem.m, problem.h, problem.q, problem.law)
    }
}
