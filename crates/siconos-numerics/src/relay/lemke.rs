//! Lemke's method for relay problems, written as linear complementarity problems.

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use siconos_linalg::{DenseLu, dot, largest_magnitude, power_of_two_below, square};

use super::{Relay, RelayProblem};
use crate::box_constraints::{AcceptanceTest, Polish, begin};
use crate::convex_set::ConvexSet;
use crate::engine::require_dense;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::lcp::{self, LcpProblem};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response;

/// Settings of [`Lemke`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LemkeSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of pivots. Default: 10 000.
    pub max_iterations: usize,
}

impl Default for LemkeSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000 }
    }
}

/// Lemke's method for relay problems.
///
/// **Problem.** [`RelayProblem`] with a dense matrix. The block of the unknowns without bounds must be
/// regular.
///
/// **Method.** (1) Write $z_i = l_i + x_i$ if there is a lower bound, and $z_i = u_i - x_i$ if there is only
/// an upper bound, with $x_i \ge 0$. Unknowns with $l_i = u_i$ are constants. (2) Eliminate the unknowns
/// without bounds by their own rows (a Schur complement). (3) If both bounds are finite, add the pair
/// $0 \le u_i - l_i - x_i \perp v_i \ge 0$, with $w_i + v_i$ as the complement of $x_i$. Each pair adds one
/// row (Cottle, Pang, Stone 1992, section 1.2, on upper bounds). (4) Solve by [`lcp::Lemke`], which first
/// tries the active set of the initial guess. (5) Transform back to z. If rounding errors of the pivots keep
/// the error above the tolerance, solve again for the active set, with up to 6 steps of refinement.
///
/// **Guarantee.** Ends at a solution for P-matrices and, if all bounds are finite, for semimonotone matrices,
/// which include all positive semidefinite ones (Cottle, Pang, Stone 1992, theorem 4.4.9 and section 4.4,
/// applied with the rows of the upper bounds).
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution. `NoSolution`: proved by [`lcp::Lemke`], which is
/// possible only if a bound is infinite. `RayTermination`: nothing is proved. `MaxIterations`, `Stalled`: the
/// point of the last basis. A singular block of unknowns without bounds results in the error
/// [`SolverError::Singular`].
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{Lemke, RelayProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let problem = RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[f64::INFINITY, 1.0])?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = Lemke::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, w), ([1.0, -1.0], [0.0, 5.0]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_RELAY_LEMKE (303)")]
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    settings: LemkeSettings,
    lcp: lcp::Lemke,
    /// Unknowns without bounds.
    free: Vec<usize>,
    /// Unknowns with one bound or two different bounds.
    bound: Vec<usize>,
    /// Indices in `bound` of the unknowns with two bounds.
    boxed: Vec<usize>,
    block: Vec<f64>,
    lu: DenseLu,
    /// Row k: $M_{FF}^{-1}$ times column `bound[k]` of M. The last row belongs to the right-hand side.
    solved: Vec<f64>,
    /// The point z at x = 0. `rest` holds M z + q at this point.
    origin: Vec<f64>,
    rest: Vec<f64>,
    matrix: Vec<f64>,
    q: Vec<f64>,
    /// Power of two by which x is divided.
    unit_of_x: f64,
    x: Vec<f64>,
    complement: Vec<f64>,
    row_of_free: Vec<f64>,
    test: AcceptanceTest,
    polish: Polish,
}

impl Lemke {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: LemkeSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        let inner =
            lcp::LemkeSettings { max_iterations: settings.max_iterations, ..lcp::LemkeSettings::default() };
        Ok(Self { settings, lcp: lcp::Lemke::new(inner)?, ..Self::default() })
    }

    /// Classifies the unknowns, and computes the origin and M z + q there (step 1).
    fn shift(&mut self, problem: &RelayProblem<'_>) {
        let bounds = || problem.lower().iter().zip(problem.upper()).enumerate();
        self.free.clear();
        self.free.extend(bounds().filter(|(_, (l, u))| l.is_infinite() && u.is_infinite()).map(|(i, _)| i));
        self.bound.clear();
        self.bound
            .extend(bounds().filter(|(_, (l, u))| l < u && (l.is_finite() || u.is_finite())).map(|(i, _)| i));
        self.boxed.clear();
        let is_boxed = |i: usize| problem.lower()[i].is_finite() && problem.upper()[i].is_finite();
        self.boxed.extend(self.bound.iter().enumerate().filter(|(_, i)| is_boxed(**i)).map(|(k, _)| k));
        self.origin.clear();
        self.origin.extend(bounds().map(|(_, (&l, &u))| match (l.is_finite(), u.is_finite()) {
            (true, _) => l,
            (false, true) => u,
            (false, false) => 0.0,
        }));
        self.rest.clear();
        self.rest.extend_from_slice(problem.q());
        problem.m().add_product(1.0, &self.origin, &mut self.rest);
    }

    /// Eliminates the unknowns without bounds (step 2).
    fn eliminate(&mut self, m: ArrayView2<'_, f64>) -> Result<(), SolverError> {
        let f = self.free.len();
        self.solved.clear();
        if f == 0 {
            return Ok(());
        }
        self.block.clear();
        for &i in &self.free {
            self.block.extend(self.free.iter().map(|&j| m[[i, j]]));
        }
        let what = "the block of the unknowns without bounds";
        self.lu
            .factor(square(&self.block, f))
            .map_err(|singular| SolverError::Singular { what, singular })?;
        for &j in &self.bound {
            self.solved.extend(self.free.iter().map(|&i| m[[i, j]]));
        }
        self.solved.extend(self.free.iter().map(|&i| self.rest[i]));
        self.solved.chunks_exact_mut(f).for_each(|column| self.lu.solve(column));
        Ok(())
    }

    /// Returns row k of [`solved`](Self::solved).
    fn solved_column(&self, k: usize) -> &[f64] {
        &self.solved[k * self.free.len()..(k + 1) * self.free.len()]
    }

    /// Forms the complementarity problem (step 3) and its initial guess, in units in which the entries of M
    /// and q are near 1, as are the entries in the rows of the upper bounds.
    fn form(&mut self, problem: &RelayProblem<'_>, m: ArrayView2<'_, f64>, z: &[f64], w: &[f64]) {
        let (lower, upper) = (problem.lower(), problem.upper());
        let (k, b) = (self.bound.len(), self.boxed.len());
        let sign = |i: usize| if lower[i].is_finite() { 1.0 } else { -1.0 };
        let unit = power_of_two_below(own_response::mean(problem.m()));
        let of_m = 1.0 / unit;
        self.matrix.clear();
        self.matrix.resize((k + b) * (k + b), 0.0);
        self.q.clear();
        let mut row_of_free = std::mem::take(&mut self.row_of_free);
        for (row, &i) in self.bound.iter().enumerate() {
            row_of_free.clear();
            row_of_free.extend(self.free.iter().map(|&j| m[[i, j]]));
            let entries = &mut self.matrix[row * (k + b)..][..k];
            for (column, (entry, &j)) in entries.iter_mut().zip(&self.bound).enumerate() {
                let schur = m[[i, j]]
                    - dot(&row_of_free, &self.solved[column * self.free.len()..][..self.free.len()]);
                *entry = sign(i) * sign(j) * schur * of_m;
            }
            let through_free = dot(&row_of_free, self.solved.get(k * self.free.len()..).unwrap_or_default());
            self.q.push(sign(i) * (self.rest[i] - through_free));
        }
        self.row_of_free = row_of_free;
        for (l, &row) in self.boxed.iter().enumerate() {
            self.matrix[row * (k + b) + k + l] = 1.0;
            self.matrix[(k + l) * (k + b) + row] = -1.0;
            let i = self.bound[row];
            self.q.push((upper[i] - lower[i]) * unit);
        }
        let of_w = power_of_two_below(largest_magnitude(&self.q));
        self.q.iter_mut().for_each(|q| *q /= of_w);
        self.unit_of_x = of_w / unit;
        self.x.clear();
        self.x.extend(self.bound.iter().map(|&i| (z[i] - self.origin[i]).abs() / self.unit_of_x));
        let at_upper = |&row: &usize| {
            let i = self.bound[row];
            // Any positive value marks the pair of the upper bound as active.
            if z[i] == upper[i] { (w[i] / of_w).abs().max(1.0) } else { 0.0 }
        };
        self.x.extend(self.boxed.iter().map(at_upper));
        self.complement.clear();
        self.complement.resize(k + b, 0.0);
    }

    /// Transforms the solution back to z (step 5).
    fn go_back(&self, problem: &RelayProblem<'_>, z: &mut [f64]) {
        let k = self.bound.len();
        z.copy_from_slice(&self.origin);
        for (&i, x) in self.bound.iter().zip(&self.x) {
            let x = x * self.unit_of_x;
            z[i] += if problem.lower()[i].is_finite() { x } else { -x };
        }
        for (&row, v) in self.boxed.iter().zip(&self.x[k..]) {
            if *v > 0.0 {
                z[self.bound[row]] = problem.upper()[self.bound[row]];
            }
        }
        problem.bounds().project(z);
        for (l, &i) in self.free.iter().enumerate() {
            let through_bound =
                (0..k).map(|c| self.solved_column(c)[l] * (z[self.bound[c]] - self.origin[self.bound[c]]));
            z[i] = -self.solved_column(k)[l] - through_bound.sum::<f64>();
        }
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "lemke",
    siconos: "LEMKE (303)",
    guarantee: Guarantee::of(&[MatrixClass::PMatrix]).and("semimonotone between finite bounds"),
    storage: "dense",
    reference: "Cottle, Pang, Stone (1992), 1.2, 4.4",
};

impl Solver for Lemke {
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
        let error = self.test.of_point(problem, z, w).error;
        if !error.is_finite() {
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error });
        }
        self.shift(problem);
        self.eliminate(m)?;
        self.form(problem, m, z, w);
        // (4)
        let size = self.q.len();
        if self.q.iter().any(|q| !q.is_finite()) {
            return Ok(SolveInfo { status: Status::Breakdown, iterations: 0, error });
        }
        let reformulated = LcpProblem::new(square(&self.matrix, size), &self.q)?;
        let inner = self.lcp.solve(&reformulated, &mut self.x, &mut self.complement)?;
        self.go_back(problem, z);
        // The error of the relay problem decides; the error of the inner problem has a different unit.
        let tolerance = self.settings.tolerance;
        let mut tested = self.test.of_point(problem, z, w);
        let status = match tested.status(tolerance) {
            Status::Stalled if inner.status.is_success() || inner.status == Status::Stalled => {
                self.polish.prepare(problem.m(), false);
                self.polish.improve(problem, tolerance, z, w);
                tested = self.test.of(problem, z, w);
                tested.status(tolerance)
            }
            Status::Stalled => inner.status,
            status => status,
        };
        Ok(SolveInfo { status, iterations: inner.iterations, error: tested.error })
    }
}
