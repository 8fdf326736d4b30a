//! Contact problem in the global formulation. It is the input of the methods in velocity space.

use siconos_linalg::MatrixRef;

use crate::contact::{ContactLaw, ContactProblem};

/// Contact problem with the equations $M v = H r$ and $u = H^T v + q$ and a contact law. v is the change of
/// the velocities of the bodies caused by the reactions.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct BodiesProblem<'a> {
    m: MatrixRef<'a>,
    h: MatrixRef<'a>,
    q: &'a [f64],
    law: ContactLaw<'a>,
}

impl<'a> BodiesProblem<'a> {
    /// Creates a problem from data whose shapes agree.
    pub(in crate::contact) fn new(
        m: MatrixRef<'a>,
        h: MatrixRef<'a>,
        q: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Self {
        Self { m, h, q, law }
    }

    /// Returns a view of the problem that has the lifetime of `&self`.
    pub(in crate::contact) fn reborrow(&self) -> BodiesProblem<'_> {
        BodiesProblem { m: self.m.reborrow(), h: self.h.reborrow(), q: self.q, law: self.law }
    }

    /// Returns the number of degrees of freedom, which is the length of v.
    pub(in crate::contact) fn degrees_of_freedom(&self) -> usize {
        self.m.rows()
    }

    /// Returns the number of contact unknowns, which is the length of r and of u.
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
