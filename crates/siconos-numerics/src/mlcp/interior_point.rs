//! The infeasible interior-point method for monotone mixed problems.

use serde::{Deserialize, Serialize};

use super::active_set::ActiveSet;
use super::storage::Storage;
use super::{Mlcp, MlcpProblem, MlcpRow, error};
use crate::box_rows::Verdict;
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{MatrixRef, NewtonMatrix, SingularMatrix, largest_magnitude};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::own_response::{self, solve_without_q};

/// Settings of [`InteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InteriorPointSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of steps. Default 100.
    pub max_iterations: usize,
    /// The part of the way to the boundary that a step may go. Default 0.995, in (0, 1).
    pub step_fraction: f64,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 100, step_fraction: 0.995 }
    }
}

/// Mehrotra's predictor-corrector method with free unknowns.
///
/// **Problem.** [`MlcpProblem`] in any storage; made for monotone ones, $x^T M x \ge 0$.
///
/// **Method.** Keep z, w > 0 in the complementarity rows, and drive the residual $r = M z + q - w$ and the products $z_i w_i$ to 0
/// together. (1) Predictor: Newton's step towards $r = 0$, $z_i w_i = 0$, that is, with $r_i = (M z + q)_i$ in equality rows,
///
/// $$ (M \Delta z)_i = -r_i \ (i \in E), \qquad w_i \Delta z_i + z_i (M \Delta z)_i = -z_i w_i - z_i r_i \ (i \notin E). $$
///
/// As plain text: (M dz)_i = -r_i, and w_i dz_i + z_i (M dz)_i = -z_i w_i - z_i r_i. (2) From the length of step that it allows,
/// the centring parameter $\sigma = (\mu_{aff} / \mu)^3$, $\mu$ the mean of the $z_i w_i$. (3) Corrector: the same matrix
/// with $\sigma \mu - \Delta z_i \Delta w_i$ added on the right. (4) Go 0.995 of the way to the boundary, at most 1. (5) When the
/// basis $\lbrace i : d_i z_i > w_i \rbrace$, with the $d$ of [`error`](super::error), solved exactly, or $z$ itself, is at or below the tolerance, stop. (Wright 1997, chapter 8
/// on monotone problems, chapter 10 on Mehrotra's steps; free unknowns enter the system as they are.) Where the matrix
/// of the step is singular, redundant joints say, 1e-10 times the mean of the $d_i$ is added in the equality rows.
///
/// **Guarantee.** For monotone problems with a strictly feasible point the method of chapter 8 converges; the steps of
/// Mehrotra are the practical form of it, without proof. For other matrices a heuristic.
///
/// **Result.** `Converged`: error at or below the tolerance, most often of an exact basis. `MaxIterations`, `Stalled` (steps
/// became too short: there is no solution, or the problem is not monotone): the last iterate. `Breakdown`: a step is not finite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{InteriorPoint, MlcpProblem, MlcpRow};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = MlcpProblem::new(&m, &[2.0, -4.0], &rows)?;
/// let info = InteriorPoint::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-12 && (z[1] - 2.0).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    settings: InteriorPointSettings,
    storage: Storage,
    newton: NewtonMatrix,
    a: Vec<f64>,
    b: Vec<f64>,
    /// What each z does to its own row.
    responses: Vec<f64>,
    /// M z + q, and the positive w.
    image: Vec<f64>,
    slack: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    rhs: Vec<f64>,
    basis: ActiveSet,
    polished: Vec<f64>,
    verdict: Verdict,
}

/// Steps shorter than this, that many times in a row, end the method.
const SHORT: f64 = 1e-6;
const SHORT_STEPS: usize = 5;

/// The part of the mean of the own responses that is added in equality rows of a singular matrix.
const REGULARIZATION: f64 = 1e-10;

impl InteriorPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0 or the step fraction not in (0, 1).
    pub fn new(settings: InteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        let value = settings.step_fraction;
        if !(value > 0.0 && value < 1.0) {
            let must_be = "between 0 and 1, both excluded";
            return Err(SettingsError::OutOfRange { name: "step_fraction", value, must_be });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// A start well inside: z and w at least a part of the largest residual (Mehrotra's heuristic, without its solve).
    fn start(&mut self, problem: &MlcpProblem<'_>, z: &mut [f64]) {
        let n = z.len();
        for list in [&mut self.a, &mut self.b, &mut self.dz, &mut self.dw, &mut self.rhs, &mut self.image] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.polished.clear();
        self.polished.resize(n, 0.0);
        self.slack.clear();
        self.slack.resize(n, 0.0);
        self.image(problem, z);
        own_response::write(problem.m(), &mut self.responses);
        let of_q = largest_magnitude(problem.q());
        let z_size = largest_magnitude(z).max(of_q / own_response::mean(problem.m()));
        let w_size = largest_magnitude(&self.image).max(of_q);
        for (i, row) in problem.rows().iter().enumerate() {
            if *row == MlcpRow::Complementarity {
                z[i] = z[i].max(START * z_size);
                self.slack[i] = self.image[i].max(START * w_size);
            }
        }
    }

    fn image(&mut self, problem: &MlcpProblem<'_>, z: &[f64]) {
        self.image.copy_from_slice(problem.q());
        problem.m().add_product(1.0, z, &mut self.image);
    }

    /// Factorises the matrix of the steps.
    fn factor(
        &mut self,
        problem: &MlcpProblem<'_>,
        m: MatrixRef<'_>,
        z: &[f64],
    ) -> Result<(), SingularMatrix> {
        for (i, row) in problem.rows().iter().enumerate() {
            (self.a[i], self.b[i]) = match row {
                MlcpRow::Equality => (0.0, 1.0),
                // The row over z_i + w_i / d_i, which has one unit.
                MlcpRow::Complementarity => {
                    let sum = self.row_sum(i, z);
                    (self.responses[i] * (self.slack[i] / sum), self.responses[i] * z[i] / sum)
                }
            };
        }
        self.newton.factor(m, &self.a, &self.b).or_else(|_| {
            let shift = REGULARIZATION * own_response::mean(m.reborrow());
            for (a, row) in self.a.iter_mut().zip(problem.rows()) {
                *a += if *row == MlcpRow::Equality { shift } else { 0.0 };
            }
            self.newton.factor(m, &self.a, &self.b)
        })
    }

    /// $d_i z_i + w_i$.
    fn row_sum(&self, i: usize, z: &[f64]) -> f64 {
        self.responses[i] * z[i] + self.slack[i]
    }

    /// The step for the products `target - z_i w_i`; with `correct` the second-order term of the last step is added.
    fn step(
        &mut self,
        problem: &MlcpProblem<'_>,
        m: MatrixRef<'_>,
        z: &[f64],
        target: f64,
        correct: bool,
    ) -> Result<(), SingularMatrix> {
        for (i, row) in problem.rows().iter().enumerate() {
            self.rhs[i] = match row {
                MlcpRow::Equality => -self.image[i],
                MlcpRow::Complementarity => {
                    let second_order = if correct { self.dz[i] * self.dw[i] } else { 0.0 };
                    // z w + z r is z (M z + q).
                    (target - second_order - z[i] * self.image[i]) * (self.responses[i] / self.row_sum(i, z))
                }
            };
        }
        self.dz.copy_from_slice(&self.rhs);
        self.newton.solve(m, &mut self.dz)?;
        // The new w is the image of the new z, as far as the step goes.
        self.dw
            .iter_mut()
            .zip(&self.image)
            .zip(&self.slack)
            .for_each(|((dw, image), slack)| *dw = image - slack);
        problem.m().add_product(1.0, &self.dz, &mut self.dw);
        Ok(())
    }

    /// The largest step that keeps z and w at or above 0; infinite when every step does.
    fn to_boundary(&self, rows: &[MlcpRow], z: &[f64]) -> f64 {
        let mut length = f64::INFINITY;
        for i in (0..z.len()).filter(|&i| rows[i] == MlcpRow::Complementarity) {
            for (x, dx) in [(z[i], self.dz[i]), (self.slack[i], self.dw[i])] {
                if dx < 0.0 {
                    length = length.min(-x / dx);
                }
            }
        }
        length
    }

    /// The mean of the products after a step of this length.
    fn mean_product(&self, rows: &[MlcpRow], z: &[f64], length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for i in (0..z.len()).filter(|&i| rows[i] == MlcpRow::Complementarity) {
            sum += (z[i] + length * self.dz[i]) * (self.slack[i] + length * self.dw[i]);
            count += 1;
        }
        if count == 0 { 0.0 } else { sum / f64::from(count) }
    }
}

/// The part of the size of the data at which z and w begin.
const START: f64 = 0.1;

impl Link for InteriorPoint {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "interior-point",
    siconos: "",
    guarantee: Guarantee::in_words("monotone"),
    storage: "any",
    reference: "Wright (1997), 8, 10",
};

impl Solver for InteriorPoint {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), z, w)?;
        if let Some(solved) = solve_without_q(problem.q(), z, w) {
            return Ok(solved);
        }
        let (rows, tolerance) = (problem.rows(), self.settings.tolerance);
        let (status, error_of_guess) = self.verdict.of(problem, z, w, tolerance);
        if status == Status::Converged {
            return Ok(SolveInfo { status, iterations: 0, error: error_of_guess });
        }
        self.start(problem, z);
        let mut storage = std::mem::take(&mut self.storage);
        let m = storage.of(problem.m());
        self.newton.prepare(m, false);
        let (mut iterations, mut short) = (0, 0);
        let ended = loop {
            self.image(problem, z);
            // (5) a basis is worth its factorisation when the products are small
            let error = error(problem, z, &self.image);
            let mean = self.mean_product(rows, z, 0.0);
            if error <= WORTH_A_BASIS && iterations > 0 {
                let (slack, responses) = (&self.slack, &self.responses);
                let (before, polished) = (&*z, &mut self.polished);
                let is_active = |i: usize| responses[i] * before[i] > slack[i];
                if self.basis.point(problem, is_active, polished, w).is_ok()
                    && self.verdict.of(problem, polished, w, tolerance).0.is_success()
                {
                    z.copy_from_slice(polished);
                    break Status::Converged;
                }
            }
            if error <= tolerance {
                break Status::Converged;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if iterations == self.settings.max_iterations {
                break Status::MaxIterations;
            }
            if short == SHORT_STEPS {
                break Status::Stalled;
            }
            iterations += 1;
            // (1)
            self.dz.fill(0.0);
            self.dw.fill(0.0);
            if self.factor(problem, m, z).and_then(|()| self.step(problem, m, z, 0.0, false)).is_err() {
                break Status::Breakdown;
            }
            // (2), (3)
            let affine = self.mean_product(rows, z, self.to_boundary(rows, z).min(1.0));
            let sigma = if mean > 0.0 { (affine / mean).clamp(0.0, 1.0).powi(3) } else { 0.0 };
            if self.step(problem, m, z, sigma * mean, true).is_err() {
                break Status::Breakdown;
            }
            // (4); a full step where no boundary is in the way, which solves a problem of equations only at once
            let boundary = self.to_boundary(rows, z);
            let length =
                if boundary.is_finite() { (self.settings.step_fraction * boundary).min(1.0) } else { 1.0 };
            short = if length < SHORT { short + 1 } else { 0 };
            for (z, dz) in z.iter_mut().zip(&self.dz) {
                *z += length * dz;
            }
            for (slack, dw) in self.slack.iter_mut().zip(&self.dw) {
                *slack += length * dw;
            }
        };
        self.storage = storage;
        let (judged, error) = self.verdict.of(problem, z, w, tolerance);
        let status = if judged.is_success() || ended == Status::Converged { judged } else { ended };
        Ok(SolveInfo { status, iterations, error })
    }
}

/// The error from which on the basis is tried.
const WORTH_A_BASIS: f64 = 1e-3;
