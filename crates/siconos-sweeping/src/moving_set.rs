//! Interface of moving sets.

use siconos_numerics::cone::Inequalities;
use siconos_numerics::{SolveInfo, Status};

use super::SweepingError;

/// Result of a projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Status. On success, the point is the nearest point of the set.
    pub status: Status,
    /// Number of iterations; 0 if the projection is computed by a formula.
    pub iterations: usize,
}

impl Projection {
    /// Result of a projection by a formula.
    pub const EXACT: Self = Self { status: Status::Converged, iterations: 0 };
}

impl From<SolveInfo> for Projection {
    fn from(info: SolveInfo) -> Self {
        Self { status: info.status, iterations: info.iterations }
    }
}

/// Closed convex set that moves with time, K(t), or with time and state, K(t, u).
///
/// Implementations are [`FixedSet`](super::FixedSet), [`MovingFrame`](super::MovingFrame) and
/// [`MovingPolyhedron`](super::MovingPolyhedron); [`FunctionSet`](super::FunctionSet) wraps a closure
/// `FnMut(f64, &mut [f64])` that projects. If the set jumps at time t, the methods must use the set after the
/// jump.
///
/// ```
/// use siconos_sweeping::{MovingSet, Projection, SweepingError};
///
/// /// Half-line above a rising level.
/// struct Level;
///
/// impl MovingSet for Level {
///     fn dimension(&self) -> usize {
///         1
///     }
///
///     fn project(&mut self, t: f64, _u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
///         x[0] = x[0].max(t);
///         Ok(Projection::EXACT)
///     }
/// }
/// ```
pub trait MovingSet {
    /// Returns the dimension n of the space that contains the set.
    fn dimension(&self) -> usize;

    /// Overwrites x with the nearest point of the set K(t, u), where t is the time \[s\] and u the state.
    ///
    /// # Errors
    ///
    /// If the set is empty, or if a user function writes a value that is not finite.
    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError>;

    /// Returns the inequalities if the set is a polyhedron, otherwise `None`, which is the default. If there
    /// are inequalities, a step is solved for their multipliers.
    ///
    /// # Errors
    ///
    /// See [`project`](Self::project).
    fn inequalities(&mut self, _t: f64, _u: &[f64]) -> Result<Option<&Inequalities>, SweepingError> {
        Ok(None)
    }

    /// Returns `true` if the set depends on the state u. The default is `false`.
    fn depends_on_state(&self) -> bool {
        false
    }
}
