//! The local laws of the sweep, and the estimate of the error that they leave behind.

use super::exact::ExactContact;
use super::exact_plane::solve_plane;
use crate::contact::ContactLaw;
use crate::linalg::SmallMatrix;
use crate::nsgs::LocalLaw;

/// Sums the squares of the natural map of each contact as the sweep finds it, before it is solved: an estimate of the
/// error that costs no product with the matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched<'a, L> {
    pub(super) law: ContactLaw<'a>,
    pub(super) local: L,
    pub(super) estimate: f64,
}

impl<const D: usize, L: LocalLaw<D>> LocalLaw<D> for Watched<'_, L> {
    #[inline]
    fn solve(&mut self, block: usize, a: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D] {
        let own = a.mul_vector(old);
        let u: [f64; D] = std::array::from_fn(|k| own[k] + b[k]);
        let mut x: [f64; D] = std::array::from_fn(|k| old[k] - u[k]);
        x[0] -= self.law.shift(block, &u);
        self.law.project(block, &mut x);
        self.estimate += old.iter().zip(&x).map(|(r, x)| (r - x).powi(2)).sum::<f64>();
        self.local.solve(block, a, b, old)
    }
}

/// Exact in space.
#[derive(Debug)]
pub(super) struct ExactSpace<'a> {
    pub(super) mu: &'a [f64],
    pub(super) contacts: &'a mut [ExactContact],
}

impl LocalLaw<3> for ExactSpace<'_> {
    #[inline]
    fn solve(&mut self, contact: usize, _: &SmallMatrix<3>, b: &[f64; 3], _: &[f64; 3]) -> [f64; 3] {
        self.contacts[contact].solve(self.mu[contact], b)
    }
}

/// Exact in the plane.
#[derive(Debug)]
pub(super) struct ExactPlane<'a> {
    pub(super) mu: &'a [f64],
}

impl LocalLaw<2> for ExactPlane<'_> {
    #[inline]
    fn solve(&mut self, contact: usize, a: &SmallMatrix<2>, b: &[f64; 2], old: &[f64; 2]) -> [f64; 2] {
        solve_plane(self.mu[contact], a, b, old)
    }
}

/// One projection on the cone, $r \leftarrow P_K(r - \rho (u + s(u) e_N))$, for any law.
#[derive(Debug)]
pub(super) struct Projection<'a> {
    pub(super) law: ContactLaw<'a>,
    /// $\rho$ of each contact.
    pub(super) steps: &'a [f64],
}

impl<const D: usize> LocalLaw<D> for Projection<'_> {
    #[inline]
    fn solve(&mut self, block: usize, a: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D] {
        let own = a.mul_vector(old);
        let mut u: [f64; D] = std::array::from_fn(|k| own[k] + b[k]);
        u[0] += self.law.shift(block, &u);
        let mut r: [f64; D] = std::array::from_fn(|k| old[k] - self.steps[block] * u[k]);
        self.law.project(block, &mut r);
        r
    }
}
