//! ADMM (alternating direction method of multipliers) in velocity space.

mod iteration;
mod settings;

use self::iteration::extrapolate;
pub use self::settings::VelocityAdmmSettings;
use super::matrices::Matrices;
use super::units::{BodiesUnits, VelocitySpaceMethod, check_bodies, solve_by};
use super::velocity_matrix::VelocityMatrix;
use super::{BodiesError, BodiesProblem};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::{Contact, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Number of iterations before the penalty can change. The interval to each further change is twice as long
/// as the previous interval.
const FIRST_BALANCE: usize = 16;

/// Maximum factor by which all changes together multiply or divide the initial penalty. With a larger
/// penalty, M would be lost to rounding.
const PENALTIES: f64 = 1e4;

/// Number of iterations between two computations of the error.
const MEASURE_EVERY: usize = 10;

/// The extrapolation continues if the combined residual is below this multiple of the previous combined
/// residual (Goldstein et al. 2014).
const ENOUGH_DECREASE: f64 = 0.999;

/// ADMM in velocity space. The method does not compute W.
///
/// **Problem.** [`ContactProblem`] with bodies, with symmetric positive definite M, and with any law with
/// finite coefficients.
///
/// **Method.** For a fixed shift $s$, the problem is a convex program: minimise $\frac12 v^T M v$ subject to
/// $z \in K^{\ast}$ and $z = H^T v + q + s e_N$. The reactions are the multipliers. R is the diagonal matrix
/// of the penalties. Each contact has one penalty, proportional to its effective mass. (1) Solve
///
/// $$ (M + H R H^T) v = H (r + R (z - q - s e_N)). $$
///
/// The matrix is factorised once per penalty, by sparse Cholesky in large problems. (2) With the relaxation
/// factor $\omega$ and $t = \omega (H^T v + q + s e_N) + (1 - \omega) z - R^{-1} r$, set $r = R P_K(-t)$ and
/// $z = t + P_K(-t)$. Then r is in K, z is in K*, and r and z are perpendicular. (3) Extrapolate r and z by
/// Nesterov's rule, or restart the extrapolation if the combined residual did not decrease. (4) Compute the
/// shift from the new velocity. (5) After 16, 48, 112, .. iterations, compare the primal and dual residuals.
/// If they differ by more than a factor of `imbalance`, multiply the penalty by the square root of the primal
/// residual divided by the dual residual, and factorise again. The error is computed in every tenth
/// iteration. (Boyd et al. 2011, sections 3.3 and 3.4; Goldstein, O'Donoghue, Setzer, Baraniuk 2014,
/// algorithm 8; Acary, Bremond, Koziara, Perignon 2014 for the shift in the loop.)
///
/// **Guarantee.** Without a shift (no friction, or second-order cones) and without extrapolation, the method
/// converges for every positive definite M, provided that a solution exists and that the penalty eventually
/// stays constant (Eckstein and Bertsekas 1992). With friction, no proof is known. Convergence is linear. It
/// is slow if the effective mass of a contact differs much between directions.
///
/// **Result.** With `Converged`, the error is at or below the tolerance. With `NotFound`, the error is within
/// the tolerance, but the reactions are so large that rounding dominates the velocities. With `MaxIterations`
/// and `Breakdown`, r is the iterate with the smallest error among those whose error was computed. r is
/// always in the cones.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityAdmm};
///
/// // A particle of 2 kg falls onto the ground with a sideways velocity, and slides.
/// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = VelocityAdmm::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_ADMM (613)")]
#[derive(Clone, Debug, Default)]
pub struct VelocityAdmm {
    units: BodiesUnits,
    settings: VelocityAdmmSettings,
    matrices: Matrices,
    factors: VelocityMatrix,
    measure: BodiesError,
    /// Effective masses of the contacts.
    masses: Vec<f64>,
    /// Workspace for the computation of `masses`.
    inverse_roots: Vec<f64>,
    /// Penalty of each contact. `penalties` contains the same values as diagonal blocks.
    rho: Vec<f64>,
    penalties: Vec<f64>,
    /// The vector $r + R (z - q - s e_N)$ of step (1).
    reaction: Vec<f64>,
    shift: Vec<f64>,
    solution: Vec<f64>,
    z: Vec<f64>,
    z_extrapolated: Vec<f64>,
    r_extrapolated: Vec<f64>,
    r_new: Vec<f64>,
    z_new: Vec<f64>,
    velocity: Vec<f64>,
    best: BestIterate,
}

impl VelocityAdmm {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: VelocityAdmmSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("penalty", s.penalty, f64::MIN_POSITIVE, "positive")?;
        if !(s.imbalance > 1.0 && s.imbalance.is_finite()) {
            let (name, value) = ("imbalance", s.imbalance);
            return Err(SettingsError::OutOfRange { name, value, must_be: "above 1" });
        }
        SettingsError::check_relaxation("relaxation", s.relaxation)?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) would accept.
    pub(in crate::contact) fn of_checked(settings: VelocityAdmmSettings) -> Self {
        Self { settings, ..Self::default() }
    }
}

impl VelocitySpaceMethod for VelocityAdmm {
    fn units(&mut self) -> &mut BodiesUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let law = problem.law();
        self.measure.prepare(problem)?;
        let mut error = self.measure.of(problem, r, u);
        self.best.begin(r, error);
        self.prepare(problem);
        let mut penalty = self.settings.penalty;
        let mut factored = self.factor(problem, penalty);
        self.velocity.copy_from_slice(u);
        self.update_shift(problem);
        // The initial z is the projection of u + s - r / rho onto the dual cone. At a solution, it equals u +
        // s.
        for block in 0..law.blocks() {
            let (range, rho) = (law.range(block), self.rho[block]);
            for j in range.clone() {
                self.z[j] = u[j] + self.shift[j] - r[j] / rho;
            }
            let part = &mut self.z_new[range.clone()];
            part.iter_mut().zip(&self.z[range.clone()]).for_each(|(x, z)| *x = -z);
            law.project(block, part);
            range.for_each(|j| self.z[j] += self.z_new[j]);
        }
        self.z_extrapolated.clone_from(&self.z);
        self.r_extrapolated.clear();
        self.r_extrapolated.extend_from_slice(r);
        let (mut weight, mut combined) = (1.0_f64, f64::INFINITY);
        let (mut next_balance, mut interval) = (FIRST_BALANCE, FIRST_BALANCE);
        let mut iterations = 0;
        let status = loop {
            if error <= self.settings.tolerance {
                break Status::Converged;
            }
            if !error.is_finite() || !factored {
                break Status::Breakdown;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            iterations += 1;
            // Steps (1) and (2): solve for v and project.
            let (primal, dual) = self.step(problem);
            // Step (3): extrapolate or restart.
            let accelerate = self.settings.acceleration && primal + dual < ENOUGH_DECREASE * combined;
            combined = primal + dual;
            let next_weight =
                if accelerate { 0.5 * (1.0 + (1.0 + 4.0 * weight * weight).sqrt()) } else { 1.0 };
            let factor = if accelerate { (weight - 1.0) / next_weight } else { 0.0 };
            weight = next_weight;
            extrapolate(&self.r_new, r, factor, &mut self.r_extrapolated);
            extrapolate(&self.z_new, &self.z, factor, &mut self.z_extrapolated);
            r.copy_from_slice(&self.r_new);
            self.z.copy_from_slice(&self.z_new);
            // Step (4): compute the shift.
            self.update_shift(problem);
            if iterations % MEASURE_EVERY == 0 || iterations == self.settings.max_iterations {
                error = self.measure.of(problem, r, u);
                self.best.offer(r, error);
            }
            // Step (5): adapt the penalty.
            if iterations == next_balance {
                interval *= 2;
                next_balance += interval;
                let ratio = (primal / dual).sqrt();
                if ratio.is_finite()
                    && !(1.0 / self.settings.imbalance..self.settings.imbalance).contains(&ratio)
                {
                    let (first, before) = (self.settings.penalty, penalty);
                    penalty =
                        (penalty * ratio.sqrt().clamp(1e-2, 1e2)).clamp(first / PENALTIES, first * PENALTIES);
                    factored = self.factor(problem, penalty);
                    if !factored {
                        // The matrix is singular because of rounding, so the previous penalty is kept for the
                        // rest of the solve.
                        (penalty, next_balance) = (before, usize::MAX);
                        factored = self.factor(problem, penalty);
                    }
                    self.z_extrapolated.clone_from(&self.z);
                    self.r_extrapolated.copy_from_slice(r);
                    (weight, combined) = (1.0, f64::INFINITY);
                }
            }
        };
        let status = match status {
            Status::Converged => self.measure.judge(problem, r, error, self.settings.tolerance),
            status => status,
        };
        let stop = Stop { status, iterations };
        Ok(self.measure.finish(problem, &mut self.best, (r, u), self.settings.tolerance, stop))
    }
}

impl Stage for VelocityAdmm {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "velocity-admm",
    siconos: "ADMM (613)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any, with the bodies",
    reference: "Boyd et al. (2011); Goldstein et al. (2014)",
};

impl Solver for VelocityAdmm {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        check_bodies(self.name(), problem)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve_by(self, problem, r, u)
    }
}
