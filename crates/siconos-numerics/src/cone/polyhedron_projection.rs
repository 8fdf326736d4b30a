//! Projection onto a polyhedron, computed from its multipliers.

use std::fmt;

use ndarray::{Array2, ArrayView2};
use siconos_linalg::DenseCholesky;

use super::error::check_symmetric;
use super::{ConvexSet, ConvexSetError, Inequalities, Polyhedron, PolyhedronActiveSet};
use crate::engine::check_length;
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// Projection onto a polyhedron $\lbrace x : H x \ge k \rbrace$ in the Euclidean norm or another norm. k and
/// H can change from one projection to the next. Each projection starts from the multipliers of the previous
/// projection (warm start).
///
/// The nearest point to y in the norm $\sqrt{x^T P x}$ is
///
/// $$ x = y + P^{-1} H^T l, \qquad 0 \le l \perp H P^{-1} H^T l + H y - k \ge 0, $$
///
/// as plain text x = y + P^-1 H^T l with 0 <= l complementary to H P^-1 H^T l + H y - k >= 0. This is a
/// linear complementarity problem with a positive semidefinite matrix. It has a solution if the polyhedron is
/// not empty; otherwise there is a proof of emptiness. [`PolyhedronActiveSet`] solves this problem.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::{Polyhedron, PolyhedronProjection};
///
/// // x_1 + x_2 >= 5, where x_1 costs four times as much as x_2.
/// let above = Polyhedron::new(array![[1.0, 1.0]], vec![5.0])?;
/// let mut projection = PolyhedronProjection::new(&above).with_metric(array![[4.0, 0.0], [0.0, 1.0]].view())?;
/// let mut x = [0.0, 0.0];
/// assert!(projection.project(&mut x)?.status.is_success());
/// assert_eq!((x, projection.multipliers()), ([1.0, 4.0], &[4.0][..]));
///
/// // The bound moves.
/// projection.k_mut()[0] = 10.0;
/// assert!(projection.project(&mut x)?.status.is_success());
/// assert_eq!(x, [2.0, 8.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PolyhedronProjection {
    h: Array2<f64>,
    k: Vec<f64>,
    metric: Option<DenseCholesky>,
    rows: Inequalities,
    faces: PolyhedronActiveSet,
}

impl PolyhedronProjection {
    /// Creates the projection onto a polyhedron in the Euclidean norm.
    #[must_use]
    pub fn new(polyhedron: &Polyhedron) -> Self {
        let (h, k) = (polyhedron.h().to_owned(), polyhedron.k().to_vec());
        Self { metric: None, rows: Inequalities::new(h.ncols()), faces: PolyhedronActiveSet::default(), h, k }
    }

    /// Selects the norm $\sqrt{x^T P x}$ with a symmetric positive definite `n x n` matrix P.
    ///
    /// # Errors
    ///
    /// If P is not symmetric positive definite ([`ConvexSetError::NotPositiveDefinite`]), or if its shape
    /// differs ([`ConvexSetError::Problem`]).
    pub fn with_metric(mut self, p: ArrayView2<'_, f64>) -> Result<Self, ConvexSetError> {
        self.metric = Some(definite_factors("P", p, self.h.ncols())?);
        self.faces.forget_responses();
        Ok(self)
    }

    /// Returns the number of unknowns, n.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.h.ncols()
    }

    /// Returns a mutable view of the bounds k.
    pub fn k_mut(&mut self) -> &mut [f64] {
        &mut self.k
    }

    /// Calls `change` with mutable views of H and k.
    pub fn move_both(&mut self, change: impl FnOnce(&mut Array2<f64>, &mut [f64])) {
        change(&mut self.h, &mut self.k);
    }

    /// Returns the current H and k.
    #[must_use]
    pub fn inequalities(&self) -> (ArrayView2<'_, f64>, &[f64]) {
        (self.h.view(), &self.k)
    }

    /// Returns the multipliers l of the most recent projection. The slice is empty before any projection.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.faces.multipliers()
    }

    /// Replaces x by the nearest point. If the status is not a success, x is unchanged.
    ///
    /// # Errors
    ///
    /// If the length differs, or if a value is not finite ([`SolverError::Problem`]).
    pub fn project(&mut self, x: &mut [f64]) -> Result<SolveInfo, SolverError> {
        check_length("k", self.h.nrows(), self.k.len())?;
        self.rows.assign(self.h.view(), &self.k);
        let metric = &self.metric;
        let respond = |normal: &mut [f64]| {
            if let Some(metric) = metric {
                metric.solve(normal);
            }
        };
        self.faces.solve(&self.rows, respond, x)
    }
}

impl fmt::Debug for PolyhedronProjection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolyhedronProjection").field("h", &self.h).field("k", &self.k).finish_non_exhaustive()
    }
}

/// Returns the Cholesky factors of a symmetric positive definite `n x n` matrix, for example the matrix P of
/// a norm.
///
/// # Errors
///
/// If the matrix is not symmetric positive definite ([`ConvexSetError::NotPositiveDefinite`]), if its shape
/// differs, or if a value is not finite ([`ConvexSetError::Problem`]).
pub fn definite_factors(
    what: &'static str,
    p: ArrayView2<'_, f64>,
    n: usize,
) -> Result<DenseCholesky, ConvexSetError> {
    check_symmetric(what, p, n)?;
    let mut factors = DenseCholesky::default();
    factors.entries_mut(n).iter_mut().zip(p.iter()).for_each(|(to, from)| *to = *from);
    match factors.factor() {
        Ok(()) => Ok(factors),
        Err(singular) => Err(ConvexSetError::NotPositiveDefinite { what, why: singular.to_string() }),
    }
}

impl ConvexSet for Polyhedron {
    fn project(&self, x: &mut [f64]) {
        // If the projection fails, x remains unchanged.
        let _reported = self.try_project(x);
    }

    fn try_project(&self, x: &mut [f64]) -> Status {
        PolyhedronProjection::new(self).project(x).map_or(Status::Breakdown, |info| info.status)
    }
}
