//! Moving polyhedra.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::Status;
use siconos_numerics::cone::{ConvexSetError, Inequalities, Polyhedron, PolyhedronActiveSet};

use super::{MovingSet, Projection, SweepingError};
use siconos_kernel::engine::{check_positive, check_written};

/// Writes H and k for a time and a state.
type WriteMatrix = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync;
/// Writes the list of inequalities for a time and a state.
type WriteRows = dyn Fn(f64, &[f64], &mut Inequalities) + Send + Sync;

/// Source of the inequalities.
enum Motion {
    Fixed,
    Matrix { write: Box<WriteMatrix>, h: Array2<f64>, k: Vec<f64> },
    Rows(Box<WriteRows>),
}

/// Moving polyhedron $K(t, u) = \lbrace x : H(t, u) x \ge k(t, u) \rbrace$.
///
/// The inequalities are given as a matrix ([`new`](Self::new), [`of_state`](Self::of_state)) or row by row
/// ([`by_rows`](Self::by_rows), [`by_rows_of_state`](Self::by_rows_of_state)). Use rows if the inequalities
/// are sparse, or if their number changes with time. For example, 400 discs have 79 800 pairs, but only pairs
/// of nearby discs need a row.
///
/// ```
/// use siconos_sweeping::{CatchingUp, MovingPolyhedron};
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
/// # Ok::<(), siconos_sweeping::SweepingError>(())
/// ```
pub struct MovingPolyhedron {
    n: usize,
    motion: Motion,
    rows: Inequalities,
    faces: PolyhedronActiveSet,
    depends_on_state: bool,
}

impl MovingPolyhedron {
    /// Creates a polyhedron of p inequalities in n unknowns from a function `(t, H, k)` that writes H and k.
    /// On entry they hold the values of the previous call, and 0 in the first call.
    ///
    /// # Errors
    ///
    /// If n = 0 or p = 0 ([`SweepingError::Settings`]).
    pub fn new(
        n: usize,
        p: usize,
        motion: impl Fn(f64, ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, SweepingError> {
        let polyhedron = Self::of_state(n, p, move |t, _u, h, k| motion(t, h, k))?;
        Ok(Self { depends_on_state: false, ..polyhedron })
    }

    /// Creates a polyhedron that also moves with the state, from a function `(t, u, H, k)`.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn of_state(
        n: usize,
        p: usize,
        motion: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync + 'static,
    ) -> Result<Self, SweepingError> {
        check_positive("p", p as f64)?;
        let motion = Motion::Matrix { write: Box::new(motion), h: Array2::zeros((p, n)), k: vec![0.0; p] };
        Self::moved(n, motion, true)
    }

    /// Creates a polyhedron in n unknowns from a function `(t, rows)` that adds the inequalities at time t to
    /// a list, which is empty on entry. The number of inequalities can change. Rows that have the same label
    /// in successive calls are treated as the same inequality, so the active set of the previous step can be
    /// used as the initial guess of the next step.
    ///
    /// ```
    /// use siconos_sweeping::{CatchingUp, MovingPolyhedron};
    ///
    /// // A rising floor, and a ceiling from t = 1 on.
    /// let room = MovingPolyhedron::by_rows(1, |t, rows| {
    ///     rows.push(0, [(0, 1.0)], 0.5 * t);
    ///     if t >= 1.0 {
    ///         rows.push(1, [(0, -1.0)], -0.75);
    ///     }
    /// })?;
    /// let (mut sweep, mut x) = (CatchingUp::new(room), [1.0]);
    /// sweep.step(0.0, 0.5, &mut x)?;
    /// assert_eq!(x, [1.0]);
    /// sweep.step(0.5, 0.5, &mut x)?;
    /// assert_eq!(x, [0.75]);
    /// # Ok::<(), siconos_sweeping::SweepingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If n = 0 ([`SweepingError::Settings`]).
    pub fn by_rows(
        n: usize,
        motion: impl Fn(f64, &mut Inequalities) + Send + Sync + 'static,
    ) -> Result<Self, SweepingError> {
        Self::moved(n, Motion::Rows(Box::new(move |t, _u, rows| motion(t, rows))), false)
    }

    /// Creates a polyhedron that also moves with the state, from a function `(t, u, rows)`.
    ///
    /// # Errors
    ///
    /// See [`by_rows`](Self::by_rows).
    pub fn by_rows_of_state(
        n: usize,
        motion: impl Fn(f64, &[f64], &mut Inequalities) + Send + Sync + 'static,
    ) -> Result<Self, SweepingError> {
        Self::moved(n, Motion::Rows(Box::new(motion)), true)
    }

    /// Creates a polyhedron that does not move.
    #[must_use]
    pub fn fixed(polyhedron: &Polyhedron) -> Self {
        let n = polyhedron.dimension();
        let mut rows = Inequalities::new(n);
        rows.assign(polyhedron.h(), polyhedron.k());
        Self {
            n,
            motion: Motion::Fixed,
            rows,
            faces: PolyhedronActiveSet::default(),
            depends_on_state: false,
        }
    }

    /// Creates the nonnegative orthant in n dimensions.
    ///
    /// # Errors
    ///
    /// If n = 0 ([`SweepingError::Settings`]).
    pub fn orthant(n: usize) -> Result<Self, SweepingError> {
        check_positive("n", n as f64)?;
        Ok(Self::fixed(&Polyhedron::new(Array2::eye(n), vec![0.0; n])?))
    }

    /// Returns the multipliers of the inequalities in the last [projection](MovingSet::project), which uses
    /// the Euclidean norm; empty before the first projection.
    /// [`CatchingUp::multipliers`](super::CatchingUp::multipliers) returns the multipliers of a step.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.faces.multipliers()
    }

    /// Returns the inequalities at the time and state at which the set was last evaluated.
    #[must_use]
    pub fn rows(&self) -> &Inequalities {
        &self.rows
    }

    fn moved(n: usize, motion: Motion, depends_on_state: bool) -> Result<Self, SweepingError> {
        check_positive("n", n as f64)?;
        Ok(Self {
            n,
            motion,
            rows: Inequalities::new(n),
            faces: PolyhedronActiveSet::default(),
            depends_on_state,
        })
    }

    fn move_to(&mut self, t: f64, u: &[f64]) -> Result<(), SweepingError> {
        match &mut self.motion {
            Motion::Fixed => Ok(()),
            Motion::Matrix { write, h, k } => {
                write(t, u, h.view_mut(), k);
                check_written("H", t, &*h)?;
                check_written("k", t, &*k)?;
                self.rows.assign(h.view(), k);
                Ok(())
            }
            Motion::Rows(write) => {
                self.rows.clear();
                write(t, u, &mut self.rows);
                self.rows.check().map_err(SweepingError::of_problem(t))
            }
        }
    }
}

/// Returns an error if the polyhedron is proved to be empty.
pub(super) fn check_not_empty(
    t: f64,
    rows: &Inequalities,
    faces: &PolyhedronActiveSet,
    status: Status,
) -> Result<(), SweepingError> {
    let certificate = faces.certificate();
    if status != Status::NoSolution || certificate.is_empty() {
        return Ok(());
    }
    let is_zero = |row: usize| rows.entries(row).all(|(_, value)| value == 0.0);
    match certificate.iter().enumerate().position(|(row, y)| *y > 0.0 && is_zero(row)) {
        Some(row) => Err(SweepingError::MovingSet { t, source: ConvexSetError::ZeroRow { what: "H", row } }),
        None => Err(SweepingError::Empty { t, certificate: certificate.to_vec() }),
    }
}

impl MovingSet for MovingPolyhedron {
    fn dimension(&self) -> usize {
        self.n
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepingError> {
        self.move_to(t, u)?;
        let info = self.faces.solve(&self.rows, |_normal| (), x).map_err(SweepingError::of_solver(t))?;
        check_not_empty(t, &self.rows, &self.faces, info.status)?;
        Ok(info.into())
    }

    fn inequalities(&mut self, t: f64, u: &[f64]) -> Result<Option<&Inequalities>, SweepingError> {
        self.move_to(t, u)?;
        Ok(Some(&self.rows))
    }

    fn depends_on_state(&self) -> bool {
        self.depends_on_state
    }
}

impl fmt::Debug for MovingPolyhedron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MovingPolyhedron").field("rows", &self.rows).finish_non_exhaustive()
    }
}
