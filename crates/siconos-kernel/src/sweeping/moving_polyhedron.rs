//! Polyhedra that move.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::cone::{Polyhedron, PolyhedronProjection};

use super::moving_set::Inequalities;
use super::{MovingSet, Projection, SweepError};
use crate::error::{check_positive, check_written};

/// Writes H and k at a time, for a state.
type Motion = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync;

/// The polyhedron $K(t, u) = \lbrace x : H(t, u) x \ge k(t, u) \rbrace$.
///
/// ```
/// use siconos_kernel::sweeping::{CatchingUp, MovingPolyhedron};
///
/// // A piston: x is between t and 2.
/// let piston = MovingPolyhedron::new(1, 2, |t, mut h, k| {
///     (h[[0, 0]], h[[1, 0]]) = (1.0, -1.0);
///     (k[0], k[1]) = (t, -2.0);
/// })?;
/// let (mut sweep, mut x) = (CatchingUp::new(piston), [0.5]);
/// for k in 0..8 {
///     sweep.step(0.125 * f64::from(k), 0.125, &mut x)?;
/// }
/// assert_eq!(x, [1.0]);
/// # Ok::<(), siconos_kernel::sweeping::SweepError>(())
/// ```
pub struct MovingPolyhedron {
    motion: Box<Motion>,
    projection: PolyhedronProjection,
    depends_on_state: bool,
}

impl MovingPolyhedron {
    /// A polyhedron of p inequalities in n unknowns, and the function `(t, H, k)` that writes both; on entry
    /// they are as it left them, at first 0.
    ///
    /// # Errors
    ///
    /// [`SweepError::Settings`] for n = 0 or p = 0.
    pub fn new(
        n: usize,
        p: usize,
        motion: impl Fn(f64, ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, SweepError> {
        let mut polyhedron = Self::of_state(n, p, move |t, _u, h, k| motion(t, h, k))?;
        polyhedron.depends_on_state = false;
        Ok(polyhedron)
    }

    /// A polyhedron that moves with the state as well: the function is `(t, u, H, k)`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_state(
        n: usize,
        p: usize,
        motion: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, SweepError> {
        check_positive("n", n as f64)?;
        check_positive("p", p as f64)?;
        let anything = Polyhedron::new(Array2::ones((p, n)), vec![0.0; p])?;
        let mut projection = PolyhedronProjection::new(&anything);
        projection.move_both(|h, k| {
            h.fill(0.0);
            k.fill(0.0);
        });
        Ok(Self { motion: Box::new(motion), projection, depends_on_state: true })
    }

    /// A polyhedron that stays where it is.
    #[must_use]
    pub fn fixed(polyhedron: &Polyhedron) -> Self {
        let projection = PolyhedronProjection::new(polyhedron);
        Self { motion: Box::new(|_t, _u, _h, _k| ()), projection, depends_on_state: false }
    }

    /// The nonnegative orthant of n numbers.
    ///
    /// # Errors
    ///
    /// [`SweepError::Settings`] for n = 0.
    pub fn orthant(n: usize) -> Result<Self, SweepError> {
        check_positive("n", n as f64)?;
        Ok(Self::fixed(&Polyhedron::new(Array2::eye(n), vec![0.0; n])?))
    }

    /// The multipliers of the inequalities in the last projection, which is in the Euclidean norm.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.projection.multipliers()
    }

    fn move_to(&mut self, t: f64, u: &[f64]) -> Result<(), SweepError> {
        let motion = &self.motion;
        self.projection.move_both(|h, k| motion(t, u, h.view_mut(), k));
        let (h, k) = self.projection.inequalities();
        check_written("H", t, h)?;
        Ok(check_written("k", t, k)?)
    }
}

/// The error that a polyhedron is empty, where that is proved.
pub(super) fn check_not_empty(t: f64, (h, k): Inequalities<'_>) -> Result<(), SweepError> {
    let proof = Polyhedron::new(h.to_owned(), k.to_vec())?.emptiness();
    proof.map_or(Ok(()), |certificate| Err(SweepError::Empty { t, certificate }))
}

impl MovingSet for MovingPolyhedron {
    fn dimension(&self) -> usize {
        self.projection.dimension()
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepError> {
        self.move_to(t, u)?;
        let info = self.projection.project(x).map_err(SweepError::of_solver(t))?;
        if !info.status.is_success() {
            check_not_empty(t, self.projection.inequalities())?;
        }
        Ok(info.into())
    }

    fn inequalities(&mut self, t: f64, u: &[f64]) -> Result<Option<Inequalities<'_>>, SweepError> {
        self.move_to(t, u)?;
        Ok(Some(self.projection.inequalities()))
    }

    fn depends_on_state(&self) -> bool {
        self.depends_on_state
    }
}

impl fmt::Debug for MovingPolyhedron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MovingPolyhedron").field("projection", &self.projection).finish_non_exhaustive()
    }
}
