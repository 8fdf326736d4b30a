//! Enumeration of the faces of the box.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::{DenseLu, largest_magnitude, square};

use super::{Relay, RelayProblem};
use crate::box_constraints::{AcceptanceTest, begin};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::convex_set::ConvexSet;
use crate::engine::require_dense;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Enumeration`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnumerationSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of faces to visit. Default: 20 000 000, a little more than $3^{15}$.
    pub max_iterations: usize,
    /// Maximum number of unknowns with $l_i < u_i$. For a larger problem, the status is [`Status::NotFound`].
    /// Default: 15. Must be at most 30.
    pub largest_size: usize,
}

impl Default for EnumerationSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 20_000_000, largest_size: 15 }
    }
}

/// Enumeration of all faces of the box: each unknown is at its lower bound, between its bounds, or at its
/// upper bound.
///
/// **Problem.** [`RelayProblem`] with a dense matrix and few unknowns.
///
/// **Method.** (1) For each set F of unknowns between their bounds, in binary order, factorise $M_{FF}$. (2)
/// Let N be the unknowns at a bound, and $S = -M_{FF}^{-1} M_{FN}$. The point of a face is an affine function
/// of $z_N$, with the matrix S. The choices of bounds are visited in the order of a Gray code, in which one
/// choice changes at a time, so each face costs one column of S. (3) A point within the bounds and with the
/// right signs of w is the solution if its [`error`](super::error) is at or below the tolerance. (The
/// principle is described by Murty 1988, section 1.1: complementary cones, here three per unknown.)
///
/// **Guarantee.** Finds a solution if one lies on a face with a regular $M_{FF}$, hence for every P-matrix.
/// There are $3^n$ faces.
///
/// **Result.** `Converged`, `AtRoundingLevel`: the first solution found. `NoSolution`: no face contains a
/// solution, all blocks were regular, and each face was excluded by a margin above rounding errors. The
/// margin is 1e-9 of the largest z for the violation of a bound, and 1e-9 of the largest terms of w for the
/// violation of a sign. `NotFound`: no solution was found, but some face was undecided, or there are more
/// unknowns than `largest_size`. `MaxIterations`: some faces were not tried. In the last three cases `z` is
/// the initial guess, clamped to the bounds.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Status;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{Enumeration, RelayProblem};
///
/// let (m, above) = (array![[-1.0]], [f64::INFINITY]);
/// let mut enumeration = Enumeration::default();
/// // w = -z - 1 is negative for every z >= 0. Without an upper bound, no solution exists.
/// let problem = RelayProblem::new(&m, &[-1.0], &[0.0], &above)?;
/// assert_eq!(enumeration.solve(&problem, &mut [0.0], &mut [0.0])?.status, Status::NoSolution);
/// // At the upper bound 3, a negative w is allowed.
/// let (problem, mut z) = (RelayProblem::new(&m, &[-1.0], &[0.0], &[3.0])?, [0.0]);
/// assert!(enumeration.solve(&problem, &mut z, &mut [0.0])?.status.is_success());
/// assert_eq!(z, [3.0]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_RELAY_ENUM (301)")]
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    settings: EnumerationSettings,
    guess: Vec<f64>,
    /// Unknowns with $l_i < u_i$.
    open: Vec<usize>,
    free: Vec<usize>,
    held: Vec<usize>,
    /// Unknowns at a bound that have two different finite bounds and can be at either of them.
    choices: Vec<usize>,
    block: Vec<f64>,
    lu: DenseLu,
    /// Column k: derivative of $z_F$ with respect to the unknown of the k-th choice.
    columns: Vec<f64>,
    /// Column k: derivative of the w outside F with respect to the unknown of the k-th choice.
    w_columns: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Largest row sum of the magnitudes of M.
    largest_row: f64,
    test: AcceptanceTest,
    column: Vec<f64>,
}

/// Relative violation above which a face is excluded. The violation of a bound is relative to the largest z,
/// and the violation of a sign is relative to the terms of w.
const CLEARLY_OUTSIDE: f64 = 1e-9;

/// Outcome of the search over the faces with one set F.
enum Faces {
    Solved(Status, f64),
    Missed,
    Undecided,
    /// The maximum number of faces was reached.
    Cut,
}

impl Enumeration {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0, or `largest_size` is above 30.
    pub fn new(settings: EnumerationSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        if settings.largest_size > 30 {
            let (name, value) = ("largest_size", settings.largest_size as f64);
            return Err(SettingsError::OutOfRange { name, value, must_be: "at most 30" });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Prepares the set F of [`free`](Self::free), steps (1) and (2). Computes the first point and the
    /// columns. Returns `false` if the block is singular.
    fn prepare(&mut self, problem: &RelayProblem<'_>, m: ArrayView2<'_, f64>) -> bool {
        let (k, lower, upper) = (self.free.len(), problem.lower(), problem.upper());
        self.block.clear();
        for &i in &self.free {
            self.block.extend(self.free.iter().map(|&j| m[[i, j]]));
        }
        if k > 0 && self.lu.factor(square(&self.block, k)).is_err() {
            return false;
        }
        for &j in &self.held {
            self.z[j] = if lower[j].is_finite() { lower[j] } else { upper[j] };
        }
        self.column.clear();
        for &i in &self.free {
            let at_bounds = self.held.iter().map(|&j| m[[i, j]] * self.z[j]).sum::<f64>();
            self.column.push(-problem.q()[i] - at_bounds);
        }
        if k > 0 {
            self.lu.solve(&mut self.column);
        }
        for (&i, &x) in self.free.iter().zip(&self.column) {
            self.z[i] = x;
        }
        for &i in &self.held {
            self.w[i] = problem.q()[i] + m.row(i).iter().zip(&self.z).map(|(m, z)| m * z).sum::<f64>();
        }
        self.columns.clear();
        self.w_columns.clear();
        for &j in &self.choices {
            let start = self.columns.len();
            self.columns.extend(self.free.iter().map(|&i| -m[[i, j]]));
            if k > 0 {
                self.lu.solve(&mut self.columns[start..]);
            }
            let column = &self.columns[start..];
            self.w_columns.extend(self.held.iter().map(|&i| {
                m[[i, j]] + self.free.iter().zip(column).map(|(&l, s)| m[[i, l]] * s).sum::<f64>()
            }));
        }
        true
    }

    /// Checks the bounds and signs of the current face (step 3).
    fn look(&mut self, problem: &RelayProblem<'_>) -> Faces {
        let (lower, upper) = (problem.lower(), problem.upper());
        let largest_z = largest_magnitude(&self.z).max(f64::MIN_POSITIVE);
        let largest_w = (self.largest_row * largest_z).max(largest_magnitude(problem.q()));
        let mut off = f64::NEG_INFINITY;
        for &i in &self.free {
            off = off.max((lower[i] - self.z[i]).max(self.z[i] - upper[i]) / largest_z);
        }
        for &i in self.held.iter().filter(|&&i| lower[i] < upper[i]) {
            let wrong = if self.z[i] == lower[i] { -self.w[i] } else { self.w[i] };
            off = off.max(wrong / largest_w.max(f64::MIN_POSITIVE));
        }
        if off > CLEARLY_OUTSIDE { Faces::Missed } else { Faces::Undecided }
    }

    /// Visits all faces with the current F. `budget` is the remaining number of faces.
    fn walk(
        &mut self,
        problem: &RelayProblem<'_>,
        budget: &mut usize,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Faces {
        let k = self.free.len();
        let held = self.held.len();
        let mut outcome = Faces::Missed;
        for face in 0..1_u64 << self.choices.len() {
            if *budget == 0 || cancellation::is_asked_to_end(self.settings.max_iterations - *budget, f64::NAN)
            {
                return Faces::Cut;
            }
            *budget -= 1;
            if face > 0 {
                // Gray code: the position of the lowest set bit of the counter is the choice that changes.
                let choice = face.trailing_zeros() as usize;
                let j = self.choices[choice];
                let (l, u) = (problem.lower()[j], problem.upper()[j]);
                let step = if self.z[j] == l { u - l } else { l - u };
                self.z[j] = if self.z[j] == l { u } else { l };
                for (&i, s) in self.free.iter().zip(&self.columns[choice * k..]) {
                    self.z[i] += step * s;
                }
                for (&i, s) in self.held.iter().zip(&self.w_columns[choice * held..]) {
                    self.w[i] += step * s;
                }
            }
            if matches!(self.look(problem), Faces::Missed) {
                continue;
            }
            z.copy_from_slice(&self.z);
            problem.bounds().project(z);
            let tested = self.test.of_point(problem, z, w);
            let status = tested.status(self.settings.tolerance);
            if status.is_success() {
                return Faces::Solved(status, tested.error);
            }
            outcome = Faces::Undecided;
        }
        outcome
    }

    /// Visits all faces. Returns the status, the number of visited faces, and the error of a solution.
    fn enumerate(
        &mut self,
        problem: &RelayProblem<'_>,
        m: ArrayView2<'_, f64>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> (Status, usize, f64) {
        let (n, lower, upper) = (problem.size(), problem.lower(), problem.upper());
        self.open.clear();
        self.open.extend((0..n).filter(|&i| lower[i] < upper[i]));
        if self.open.len() > self.settings.largest_size {
            return (Status::NotFound, 0, f64::NAN);
        }
        let mut budget = self.settings.max_iterations;
        let mut decided = true;
        for set in 0..1_u64 << self.open.len() {
            let is_in = |i: usize| self.open.binary_search(&i).is_ok_and(|k| set >> k & 1 == 1);
            if (0..n).any(|i| !is_in(i) && lower[i] == f64::NEG_INFINITY && upper[i] == f64::INFINITY) {
                continue;
            }
            self.free.clear();
            self.free.extend((0..n).filter(|&i| is_in(i)));
            self.held.clear();
            self.held.extend((0..n).filter(|&i| !is_in(i)));
            self.choices.clear();
            let has_choice = |&i: &usize| lower[i] < upper[i] && lower[i].is_finite() && upper[i].is_finite();
            self.choices.extend(self.held.iter().copied().filter(has_choice));
            if !self.prepare(problem, m) {
                decided = false;
                continue;
            }
            match self.walk(problem, &mut budget, z, w) {
                Faces::Solved(status, error) => {
                    return (status, self.settings.max_iterations - budget, error);
                }
                Faces::Missed => {}
                Faces::Undecided => decided = false,
                Faces::Cut => {
                    return (Status::MaxIterations, self.settings.max_iterations - budget, f64::NAN);
                }
            }
        }
        let status = if decided { Status::NoSolution } else { Status::NotFound };
        (status, self.settings.max_iterations - budget, f64::NAN)
    }
}

impl Stage for Enumeration {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "enumeration",
    siconos: "ENUM (301)",
    guarantee: Guarantee::in_words("a solution on a face with a regular block")
        .and("at most 15 unknowns by default"),
    storage: "dense",
    reference: "Murty (1988), 1.1",
};

impl Solver for Enumeration {
    type Class = Relay;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &RelayProblem<'_>) -> Result<(), Unsupported> {
        require_dense(self.name(), problem.m()).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &RelayProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let m = require_dense(self.name(), problem.m())?;
        problem.bounds().project(z);
        let guess_error = self.test.of_point(problem, z, w).error;
        if guess_error.is_nan() {
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error: guess_error });
        }
        self.z.clear();
        self.z.extend_from_slice(z);
        self.w.clear();
        self.w.resize(z.len(), 0.0);
        let row_sums = m.rows().into_iter().map(|row| row.iter().map(|m| m.abs()).sum::<f64>());
        self.largest_row = row_sums.fold(0.0, f64::max);
        self.guess.clear();
        self.guess.extend_from_slice(z);
        let (status, iterations, error) = self.enumerate(problem, m, z, w);
        if status.is_success() {
            return Ok(SolveInfo { status, iterations, error });
        }
        // The initial guess can still be a solution on a face with a singular block.
        z.copy_from_slice(&self.guess);
        let tested = self.test.of_point(problem, z, w);
        let of_guess = tested.status(self.settings.tolerance);
        let status = if of_guess == Status::Converged { of_guess } else { status };
        Ok(SolveInfo { status, iterations, error: tested.error })
    }
}
