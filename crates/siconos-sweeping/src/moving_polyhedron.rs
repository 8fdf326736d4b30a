//! Polyhedra that move.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};
use siconos_numerics::Status;
use siconos_numerics::cone::{BearingFaces, Inequalities, Polyhedron, SetError};

use super::{MovingSet, Projection, SweepError};
use siconos_kernel::engine::{check_positive, check_written};

/// Writes H and k at a time, for a state.
type WriteMatrix = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>, &mut [f64]) + Send + Sync;
/// Writes the rows at a time, for a state.
type WriteRows = dyn Fn(f64, &[f64], &mut Inequalities) + Send + Sync;

/// Where the inequalities come from.
enum Motion {
    Fixed,
    Matrix { write: Box<WriteMatrix>, h: Array2<f64>, k: Vec<f64> },
    Rows(Box<WriteRows>),
}

/// The polyhedron $K(t, u) = \lbrace x : H(t, u) x \ge k(t, u) \rbrace$.
///
/// Its inequalities are given as a matrix ([`new`](Self::new), [`of_state`](Self::of_state)), or row by row
/// ([`by_rows`](Self::by_rows), [`by_rows_of_state`](Self::by_rows_of_state)) where there are many with few
/// entries, or others from time to time: among 400 discs there are 79 800 pairs, of which those near each
/// other are worth a row.
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
/// # Ok::<(), siconos_sweeping::SweepError>(())
/// ```
pub struct MovingPolyhedron {
    n: usize,
    motion: Motion,
    rows: Inequalities,
    faces: BearingFaces,
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
        let polyhedron = Self::of_state(n, p, move |t, _u, h, k| motion(t, h, k))?;
        Ok(Self { depends_on_state: false, ..polyhedron })
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
        check_positive("p", p as f64)?;
        let motion = Motion::Matrix { write: Box::new(motion), h: Array2::zeros((p, n)), k: vec![0.0; p] };
        Self::moved(n, motion, true)
    }

    /// A polyhedron in n unknowns, and the function `(t, rows)` that adds its inequalities to a list, empty
    /// on entry: as many as there are at that time. Labels carry over which of them bear.
    ///
    /// ```
    /// use siconos_sweeping::{CatchingUp, MovingPolyhedron};
    ///
    /// // A floor that rises, and from t = 1 on a ceiling as well.
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
    /// # Ok::<(), siconos_sweeping::SweepError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SweepError::Settings`] for n = 0.
    pub fn by_rows(
        n: usize,
        motion: impl Fn(f64, &mut Inequalities) + Send + Sync + 'static,
    ) -> Result<Self, SweepError> {
        Self::moved(n, Motion::Rows(Box::new(move |t, _u, rows| motion(t, rows))), false)
    }

    /// A polyhedron that moves with the state as well: the function is `(t, u, rows)`.
    ///
    /// # Errors
    ///
    /// As [`by_rows`](Self::by_rows).
    pub fn by_rows_of_state(
        n: usize,
        motion: impl Fn(f64, &[f64], &mut Inequalities) + Send + Sync + 'static,
    ) -> Result<Self, SweepError> {
        Self::moved(n, Motion::Rows(Box::new(motion)), true)
    }

    /// A polyhedron that stays where it is.
    #[must_use]
    pub fn fixed(polyhedron: &Polyhedron) -> Self {
        let n = polyhedron.dimension();
        let mut rows = Inequalities::new(n);
        rows.assign(polyhedron.h(), polyhedron.k());
        Self { n, motion: Motion::Fixed, rows, faces: BearingFaces::default(), depends_on_state: false }
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

    /// The multipliers of the inequalities in the last [projection](MovingSet::project), which is in the
    /// Euclidean norm; before the first there are none. Those of a step are
    /// [`CatchingUp::multipliers`](super::CatchingUp::multipliers).
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        self.faces.multipliers()
    }

    /// The inequalities as they were last asked for.
    #[must_use]
    pub fn rows(&self) -> &Inequalities {
        &self.rows
    }

    fn moved(n: usize, motion: Motion, depends_on_state: bool) -> Result<Self, SweepError> {
        check_positive("n", n as f64)?;
        Ok(Self { n, motion, rows: Inequalities::new(n), faces: BearingFaces::default(), depends_on_state })
    }

    fn move_to(&mut self, t: f64, u: &[f64]) -> Result<(), SweepError> {
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
                self.rows.check().map_err(SweepError::of_problem(t))
            }
        }
    }
}

/// The error that a polyhedron is empty, where that is proved.
pub(super) fn check_not_empty(
    t: f64,
    rows: &Inequalities,
    faces: &BearingFaces,
    status: Status,
) -> Result<(), SweepError> {
    let certificate = faces.certificate();
    if status != Status::NoSolution || certificate.is_empty() {
        return Ok(());
    }
    let is_zero = |row: usize| rows.entries(row).all(|(_, value)| value == 0.0);
    match certificate.iter().enumerate().position(|(row, y)| *y > 0.0 && is_zero(row)) {
        Some(row) => Err(SweepError::MovingSet { t, source: SetError::ZeroRow { what: "H", row } }),
        None => Err(SweepError::Empty { t, certificate: certificate.to_vec() }),
    }
}

impl MovingSet for MovingPolyhedron {
    fn dimension(&self) -> usize {
        self.n
    }

    fn project(&mut self, t: f64, u: &[f64], x: &mut [f64]) -> Result<Projection, SweepError> {
        self.move_to(t, u)?;
        let info = self.faces.solve(&self.rows, |_normal| (), x).map_err(SweepError::of_solver(t))?;
        check_not_empty(t, &self.rows, &self.faces, info.status)?;
        Ok(info.into())
    }

    fn inequalities(&mut self, t: f64, u: &[f64]) -> Result<Option<&Inequalities>, SweepError> {
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
