//! The set K of a differential variational inequality.

use std::sync::Arc;

use siconos_numerics::cone::{ConvexSet, Interval, Polyhedron};
use siconos_numerics::{ProblemError, SolverError};

use super::DviError;
use siconos_kernel::ModelError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::check_shape;

/// A closed convex set of u, m numbers.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::DviSet;
/// use siconos_numerics::cone::{Ball, Polyhedron, SetError};
///
/// let saturation = DviSet::Box { lower: vec![-1.0], upper: vec![1.0] };
/// let triangle = Polyhedron::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0])?;
/// let triangle = DviSet::Polyhedron(triangle);
/// let disc = DviSet::convex(Ball::new(vec![0.0; 2], 1.0)?);
/// # Ok::<(), SetError>(())
/// ```
#[derive(Clone, Debug)]
pub enum DviSet {
    /// $u \ge 0$: a complementarity system.
    Orthant,
    /// $l \le u \le \bar u$, where bounds may be infinite: relays, saturations; a component without bounds is
    /// an equation.
    Box {
        /// The lower bounds, m.
        lower: Vec<f64>,
        /// The upper bounds, m.
        upper: Vec<f64>,
    },
    /// $\lbrace u : H u \ge k \rbrace$ in m dimensions. Each inequality has a multiplier.
    Polyhedron(Polyhedron),
    /// A set that is known by its projection; make it with [`DviSet::convex`] or [`DviSet::projection`].
    Projection(SetProjection),
}

/// A function that overwrites a point with the nearest one of a closed convex set.
#[derive(Clone, Debug)]
pub struct SetProjection(Closure<Project>);

type Project = dyn Fn(&mut [f64]) + Send + Sync;

impl SetProjection {
    pub(super) fn apply(&self, u: &mut [f64]) {
        (self.0.0)(u);
    }
}

impl DviSet {
    /// The set whose projection is this: it overwrites a point with the nearest one of the set, in the
    /// Euclidean norm.
    pub fn projection(project: impl Fn(&mut [f64]) + Send + Sync + 'static) -> Self {
        Self::Projection(SetProjection(Closure::new(Arc::new(project))))
    }

    /// A convex set of m dimensions that is known by its projection: a ball, an ellipsoid, a second-order
    /// cone. Polyhedra are solved faster as [`DviSet::Polyhedron`].
    pub fn convex(set: impl ConvexSet + Send + Sync + 'static) -> Self {
        Self::projection(move |u| set.project(u))
    }

    /// The polyhedron, where K is given as one.
    pub(super) fn polyhedron(&self) -> Option<&Polyhedron> {
        match self {
            Self::Polyhedron(polyhedron) => Some(polyhedron),
            _ => None,
        }
    }

    /// The number p of inequalities that have a multiplier of their own.
    pub(super) fn inequalities(&self) -> usize {
        self.polyhedron().map_or(0, |polyhedron| polyhedron.k().len())
    }

    /// The bounds of a component; those of a line where the set is no product of intervals.
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
