//! Sets of constant shape, either at rest or carried by a moving frame.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::cone::{ConvexSet, check_orthogonal};

use super::{MovingSet, Projection, SweepingError};
use siconos_kernel::engine::check_written;

/// Set that does not move.
///
/// ```
/// use siconos_sweeping::{FixedSet, MovingSet};
/// use siconos_numerics::cone::Orthant;
///
/// assert_eq!(FixedSet::new(3, Orthant).dimension(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct FixedSet<S> {
    n: usize,
    set: S,
}

impl<S: ConvexSet> FixedSet<S> {
    /// Creates a set in n dimensions.
    pub fn new(n: usize, set: S) -> Self {
        Self { n, set }
    }
}

impl<S: ConvexSet> MovingSet for FixedSet<S> {
    fn dimension(&self) -> usize {
        self.n
    }

    fn project(&mut self, t: f64, _u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        project(&self.set, t, x)
    }
}

/// Projects x onto a fixed set. The time t is used only in error messages.
fn project(set: &impl ConvexSet, t: f64, x: &mut [f64]) -> Result<Projection, SweepingError> {
    let status = set.try_project(x);
    check_written("a projection", t, &*x)?;
    Ok(Projection { status, iterations: 0 })
}

/// Motion of a frame.
enum Motion {
    /// Translation. The function writes the origin, n entries.
    Shift(Box<WriteOrigin>),
    /// Translation and rotation. The function writes the origin, n entries, and an orthogonal n x n matrix.
    /// The columns of the matrix are the axes.
    Turn(Box<WriteFrame>),
}

type WriteOrigin = dyn Fn(f64, &mut [f64]) + Send + Sync;
type WriteFrame = dyn Fn(f64, &mut [f64], ArrayViewMut2<'_, f64>) + Send + Sync;

/// Set carried by a moving frame: $K(t) = \lbrace c(t) + R(t) y : y \in C \rbrace$, where c is the origin of
/// the frame and the columns of the orthogonal matrix R are its axes.
///
/// ```
/// use siconos_sweeping::{CatchingUp, MovingFrame};
/// use siconos_numerics::cone::Ball;
///
/// // A disc of radius 1 moves to the right and carries a point along.
/// let disc = MovingFrame::translated(2, Ball::new(vec![0.0, 0.0], 1.0)?, |t, centre| centre[0] = t);
/// let (mut sweep, mut u) = (CatchingUp::new(disc), [0.0, 0.0]);
/// for k in 0..40 {
///     assert!(sweep.step(0.1 * f64::from(k), 0.1, &mut u)?.status.is_success());
/// }
/// assert!((u[0] - 3.0).abs() < 1e-12 && u[1] == 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MovingFrame<S> {
    set: S,
    motion: Motion,
    origin: Vec<f64>,
    axes: Array2<f64>,
    turned: Vec<f64>,
}

impl<S: ConvexSet> MovingFrame<S> {
    /// Creates a set in n dimensions. The function `(t, c, R)` writes the origin c and the orthogonal matrix
    /// R, the columns of which are the axes. On entry c is 0 and R is the identity.
    pub fn new(
        n: usize,
        set: S,
        motion: impl Fn(f64, &mut [f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        let motion = Motion::Turn(Box::new(motion));
        Self { set, motion, origin: vec![0.0; n], axes: Array2::eye(n), turned: vec![0.0; n] }
    }

    /// Creates a set that is translated but not rotated. The function `(t, c)` writes the translation c,
    /// which is 0 on entry.
    pub fn translated(n: usize, set: S, shift: impl Fn(f64, &mut [f64]) + Send + Sync + 'static) -> Self {
        let motion = Motion::Shift(Box::new(shift));
        Self { set, motion, origin: vec![0.0; n], axes: Array2::zeros((0, 0)), turned: Vec::new() }
    }
}

impl<S: ConvexSet> MovingSet for MovingFrame<S> {
    fn dimension(&self) -> usize {
        self.origin.len()
    }

    fn project(&mut self, t: f64, _u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        let Self { set, motion, origin, axes, turned } = self;
        origin.fill(0.0);
        let turns = match motion {
            Motion::Shift(shift) => {
                shift(t, origin);
                false
            }
            Motion::Turn(motion) => {
                axes.fill(0.0);
                axes.diag_mut().fill(1.0);
                motion(t, origin, axes.view_mut());
                check_written("the axes of a frame", t, &*axes)?;
                check_orthogonal("the axes of a frame", axes.view())?;
                true
            }
        };
        check_written("the origin of a frame", t, &*origin)?;
        x.iter_mut().zip(&*origin).for_each(|(x, origin)| *x -= origin);
        let projection = if turns {
            for (turned, axis) in turned.iter_mut().zip(axes.columns()) {
                *turned = axis.iter().zip(&*x).map(|(axis, x)| axis * x).sum();
            }
            let projection = project(set, t, turned)?;
            for (x, row) in x.iter_mut().zip(axes.rows()) {
                *x = row.iter().zip(&*turned).map(|(axis, y)| axis * y).sum();
            }
            projection
        } else {
            project(set, t, x)?
        };
        x.iter_mut().zip(&*origin).for_each(|(x, origin)| *x += origin);
        Ok(projection)
    }
}

impl<S: fmt::Debug> fmt::Debug for MovingFrame<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MovingFrame").field("set", &self.set).finish_non_exhaustive()
    }
}

/// Set given by its projection: a closure that takes the time \[s\] and a point, and overwrites the point
/// with its projection.
///
/// ```
/// use siconos_sweeping::{FunctionSet, MovingSet};
///
/// let mut rising = FunctionSet::new(1, |t, x: &mut [f64]| x[0] = x[0].max(t));
/// let mut x = [0.0];
/// rising.project(2.0, &[0.0], &mut x)?;
/// assert_eq!(x, [2.0]);
/// # Ok::<(), siconos_sweeping::SweepingError>(())
/// ```
#[derive(Clone)]
pub struct FunctionSet<F> {
    n: usize,
    project: F,
}

impl<F: FnMut(f64, &mut [f64])> FunctionSet<F> {
    /// Creates a set in n dimensions from its projection.
    pub fn new(n: usize, project: F) -> Self {
        Self { n, project }
    }
}

impl<F: FnMut(f64, &mut [f64])> MovingSet for FunctionSet<F> {
    fn dimension(&self) -> usize {
        self.n
    }

    fn project(&mut self, t: f64, _u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        (self.project)(t, x);
        check_written("a projection", t, &*x)?;
        Ok(Projection::EXACT)
    }
}

impl<F> fmt::Debug for FunctionSet<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionSet").field("n", &self.n).finish_non_exhaustive()
    }
}
