//! Contact problem for methods that use the Delassus matrix.

use siconos_linalg::MatrixRef;

use super::scales::Scales;
use super::{ContactLaw, ContactProblem};

/// Contact problem with the matrix W: $u = W r + q$ and a contact law. Methods that need W convert a
/// [`ContactProblem`] to this form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DelassusProblem<'a> {
    w: MatrixRef<'a>,
    q: &'a [f64],
    law: ContactLaw<'a>,
    scales: Option<&'a Scales>,
}

impl<'a> DelassusProblem<'a> {
    /// Creates a problem from data whose shapes have been checked.
    pub(crate) fn new(w: MatrixRef<'a>, q: &'a [f64], law: ContactLaw<'a>) -> Self {
        Self { w, q, law, scales: None }
    }

    /// Attaches precomputed scales, which are used to compute the error of this problem.
    pub(super) fn with_scales<'b>(&'b self, scales: &'b Scales) -> DelassusProblem<'b> {
        DelassusProblem { w: self.w.reborrow(), q: self.q, law: self.law, scales: Some(scales) }
    }

    /// Returns the attached scales.
    pub(super) fn scales(&self) -> Option<&'a Scales> {
        self.scales
    }

    /// Returns the number of entries of r.
    pub(crate) fn size(&self) -> usize {
        self.q.len()
    }

    pub(crate) fn w(&self) -> MatrixRef<'a> {
        self.w
    }

    pub(crate) fn q(&self) -> &'a [f64] {
        self.q
    }

    pub(crate) fn law(&self) -> ContactLaw<'a> {
        self.law
    }
}

impl<'a> From<&DelassusProblem<'a>> for ContactProblem<'a> {
    fn from(problem: &DelassusProblem<'a>) -> Self {
        Self::of_checked(problem.w, problem.q, problem.law)
    }
}
