//! Sets that move.

use siconos_numerics::cone::Inequalities;
use siconos_numerics::{SolveInfo, Status};

use super::SweepError;

/// How a projection went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Whether the point is the nearest one.
    pub status: Status,
    /// Iterations; 0 for a formula.
    pub iterations: usize,
}

impl Projection {
    /// A projection by a formula.
    pub const EXACT: Self = Self { status: Status::Converged, iterations: 0 };
}

impl From<SolveInfo> for Projection {
    fn from(info: SolveInfo) -> Self {
        Self { status: info.status, iterations: info.iterations }
    }
}

/// A closed convex set that moves with the time, K(t), or with the state as well, K(t, u).
///
/// [`FixedSet`](super::FixedSet), [`MovingFrame`](super::MovingFrame) and
/// [`MovingPolyhedron`](super::MovingPolyhedron) are such sets; a closure `FnMut(f64, &mut [f64])` that
/// projects makes one by [`FunctionSet`](super::FunctionSet). At a time at which the set jumps, it is that
/// from then on.
///
/// ```
/// use siconos_sweeping::{MovingSet, Projection, SweepError};
///
/// /// What is above a rising level.
/// struct Level;
///
/// impl MovingSet for Level {
///     fn dimension(&self) -> usize {
///         1
///     }
///
///     fn project(&mut self, t: f64, _u: &[f64], x: &mut [f64]) -> Result<Projection, SweepError> {
///         x[0] = x[0].max(t);
///         Ok(Projection::EXACT)
///     }
/// }
/// ```
pub trait MovingSet {
    /// The number n of components of its points.
    fn dimension(&self) -> usize;

    /// Overwrites x with the nearest point of the set at time t \[s\] and the state u.
    ///
    /// # Errors
    ///
    /// [`SweepError`] for an empty set, and for functions of the user that give no numbers.
    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepError>;

    /// The inequalities of the set, where it is a polyhedron: steps are then solved by its multipliers. By
    /// default it is none.
    ///
    /// # Errors
    ///
    /// As [`project`](Self::project).
    fn inequalities(&mut self, _t: f64, _u: &[f64]) -> Result<Option<&Inequalities>, SweepError> {
        Ok(None)
    }

    /// Whether the set moves with the state. By default it does not.
    fn depends_on_state(&self) -> bool {
        false
    }
}
