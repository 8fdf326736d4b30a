//! Set K of a differential variational inequality.

use std::sync::Arc;

use siconos_numerics::cone::{ConvexSet, Interval, Polyhedron};
use siconos_numerics::{ProblemError, SolverError};

use super::DviError;
use siconos_kernel::ModelError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::check_shape;

/// Closed convex set of u, in m dimensions.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::DviSet;
/// use siconos_numerics::cone::{Ball, Polyhedron, ConvexSetError};
///
/// let saturation = DviSet::Box { lower: vec![-1.0], upper: vec![1.0] };
/// let triangle = Polyhedron::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0])?;
/// let triangle = DviSet::Polyhedron(triangle);
/// let disc = DviSet::convex(Ball::new(vec![0.0; 2], 1.0)?);
/// # Ok::<(), ConvexSetError>(())
/// ```
#[derive(Clone, Debug)]
pub enum DviSet {
    /// $u \ge 0$, as in complementarity systems.
    Orthant,
    /// $l \le u \le \bar u$, as for relays and saturations. Bounds can be infinite. If both bounds of a
    /// component are infinite, the inequality is an equation in this component.
    Box {
        /// Lower bounds, m entries.
        lower: Vec<f64>,
        /// Upper bounds, m entries.
        upper: Vec<f64>,
    },
    /// $\lbrace u : H u \ge k \rbrace$ in m dimensions. Each inequality has a multiplier.
    Polyhedron(Polyhedron),
    /// Set given by its projection; create it with [`DviSet::convex`] or [`DviSet::projection`].
    Projection(SetProjection),
}

/// Function that overwrites a point with the nearest point of a closed convex set.
#[derive(Clone, Debug)]
pub struct SetProjection(Closure<Project>);

type Project = dyn Fn(&mut [f64]) + Send + Sync;

impl SetProjection {
    pub(super) fn apply(&self, u: &mut [f64]) {
        (self.0.0)(u);
    }
}

impl DviSet {
    /// Creates a set from its projection, a function that overwrites a point with the nearest point of the
    /// set in the Euclidean norm.
    pub fn projection(project: impl Fn(&mut [f64]) + Send + Sync + 'static) -> Self {
        Self::Projection(SetProjection(Closure::new(Arc::new(project))))
    }

    /// Creates a set from an m-dimensional convex set, for example a ball, an ellipsoid or a second-order
    /// cone. The solver uses only its projection. For polyhedra, [`DviSet::Polyhedron`] is faster.
    pub fn convex(set: impl ConvexSet + Send + Sync + 'static) -> Self {
        Self::projection(move |u| set.project(u))
    }

    /// Returns the polyhedron, or `None` if K has another type.
    pub(super) fn polyhedron(&self) -> Option<&Polyhedron> {
        match self {
            Self::Polyhedron(polyhedron) => Some(polyhedron),
            _ => None,
        }
    }

    /// Returns p, the number of inequalities that have a multiplier.
    pub(super) fn inequalities(&self) -> usize {
        self.polyhedron().map_or(0, |polyhedron| polyhedron.k().len())
    }

    /// Returns the bounds of component j, which are infinite if the set is not a product of intervals.
    pub(super) fn bounds(&self, j: usize) -> (f64, f64) {
        match self {
            Self::Orthant => (0.0, f64::INFINITY),
            Self::Box { lower, upper } => (lower[j], upper[j]),
            Self::Polyhedron(_) | Self::Projection(_) => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    pub(super) fn check(&self, m: usize) -> Result<(), DviError> {
        match self {
            Self::Orthant | Self::Projection(_) => Ok(()),
            Self::Box { lower, upper } => {
                check_shape("lower bounds", (m, 1), (lower.len(), 1))?;
                check_shape("upper bounds", (m, 1), (upper.len(), 1))?;
                Interval::new(lower, upper).map(drop).map_err(of_bounds)
            }
            Self::Polyhedron(polyhedron) => {
                check_shape("H", (polyhedron.k().len(), m), polyhedron.h().dim())?;
                match polyhedron.emptiness() {
                    None => Ok(()),
                    Some(combination) => Err(DviError::EmptySet { combination }),
                }
            }
        }
    }
}

fn of_bounds(error: ProblemError) -> DviError {
    match error {
        ProblemError::Bounds { index, lower, upper } => ModelError::Bounds { index, lower, upper }.into(),
        other => SolverError::from(other).into(),
    }
}
