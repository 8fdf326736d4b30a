//! The alternating direction method of multipliers in the velocities.

mod iteration;
mod settings;

use self::iteration::extrapolate;
pub use self::settings::GlobalAdmmSettings;
use super::best::Best;
use super::mass::Mass;
use super::matrices::Matrices;
use super::own_velocities::OwnVelocities;
use super::residual::Measure;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::velocity_matrix::VelocityMatrix;
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::contact::law::refuse_infinite_friction;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::watch;

/// The penalty is balanced after this many iterations at first, and after twice as many each time.
const FIRST_BALANCE: usize = 16;

/// The penalty stays within this factor of the first one, up and down: beside larger ones M would be lost in
/// rounding.
const PENALTIES: f64 = 1e4;

/// The full error is computed after this many iterations.
const MEASURE_EVERY: usize = 10;

/// The iterations that patience allows have to reduce the error to this part of it.
const PROGRESS: f64 = 0.75;

/// With the velocities that go with the reactions the error is mostly 10 to 20 percent less than with those
/// of the penalty, which balance momenta at the end only. Where it is more than that many times as large, M
/// is no matrix to divide by.
const NEARLY_AS_GOOD: f64 = 2.0;

/// Share of the combined residual that an extrapolated step must reach (Goldstein et al. 2014).
const ENOUGH_DECREASE: f64 = 0.999;

/// ADMM for the global form; it never forms W.
///
/// **Problem.** [`GlobalProblem`] with any law with finite coefficients, in any storage, with symmetric
/// positive semidefinite M.
///
/// **Method.** With the shift $s$ held, the problem is the convex program: minimise $\frac12 v^T M v - f^T v$
/// subject to $z \in K^{\ast}$, $z = H^T v + w + s e_N$, with the reactions as multipliers. R is a penalty,
/// one number per contact in the proportion of the masses that contacts feel. (1) Solve
///
/// $$ (M + H R H^T) v = f + H (r + R (z - w - s e_N)), $$
///
/// factorised once per penalty (sparse Cholesky, in large problems). (2) With the relaxation $\omega$ and $t
/// = \omega (H^T v + w + s e_N) + (1 - \omega) z - R^{-1} r$, set $r = R P_K(-t)$ and $z = t + P_K(-t)$, so
/// that r lies in K, z in K*, and the two are perpendicular. (3) Extrapolate r and z by Nesterov's rule,
/// unless the combined residual did not decrease: restart then. (4) Set the shift to that of the new
/// velocity. (5) After 16, 48, 112, .. iterations multiply or divide the penalty by the root of the ratio of
/// the residuals, where they are out of balance, and factorise again. Every tenth point is measured, with the
/// velocities $M^{-1} (H r + f)$ where M is regular. (Boyd et al. 2011, sections 3.3 and
/// 3.4; Goldstein, O'Donoghue, Setzer, Baraniuk 2014, algorithm 8; Acary, Bremond, Koziara, Perignon 2014 for
/// the shift in the loop.)
///
/// **Guarantee.** Without a shift (no friction, second-order cones) it converges without momentum for every
/// semidefinite M, provided that there is a solution and the penalty settles (Eckstein and Bertsekas 1992).
/// With friction there is no proof. Convergence is linear, slow where a contact feels very different masses
/// in its directions.
///
/// **Result.** `Converged`, `MaxIterations`, `Breakdown`: the best iterate that was measured, r in the cones.
/// In a chain of methods also `Stalled`, where some hundred iterations have brought little.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalAdmm, GlobalContactData};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let info = GlobalAdmm::default().solve(&problem.view(), &mut z, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-8 && (z[1] + 0.5).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_ADMM (613)")]
#[derive(Clone, Debug, Default)]
pub struct GlobalAdmm {
    units: GlobalUnits,
    settings: GlobalAdmmSettings,
    matrices: Matrices,
    factors: VelocityMatrix,
    mass: Mass,
    measure: Measure,
    /// Masses that the contacts feel, and the memory that these take.
    masses: Vec<f64>,
    inverse_roots: Vec<f64>,
    /// The penalty of each contact, and the same as blocks on the diagonal.
    rho: Vec<f64>,
    penalties: Vec<f64>,
    /// What the reactions of the penalty are, before they act on the bodies.
    reaction: Vec<f64>,
    shift: Vec<f64>,
    solution: Vec<f64>,
    z: Vec<f64>,
    z_extrapolated: Vec<f64>,
    r_extrapolated: Vec<f64>,
    r_new: Vec<f64>,
    z_new: Vec<f64>,
    velocity: Vec<f64>,
    best: Best,
    /// Iterations in which the error has to fall, or the method ends; none where it may take its time.
    patience: Option<usize>,
}

impl GlobalAdmm {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: GlobalAdmmSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("penalty", s.penalty, f64::MIN_POSITIVE, "above 0")?;
        if !(s.imbalance > 1.0 && s.imbalance.is_finite()) {
            let (name, value) = ("imbalance", s.imbalance);
            return Err(SettingsError::OutOfRange { name, value, must_be: "above 1" });
        }
        SettingsError::check_relaxation("relaxation", s.relaxation)?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(in crate::contact) fn of_checked(settings: GlobalAdmmSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Lets the method end where so many iterations bring little, for a chain that has something else to try.
    pub(in crate::contact) fn set_patience(&mut self, iterations: Option<usize>) {
        self.patience = iterations;
    }
}

impl InOwnUnits for GlobalAdmm {
    fn units(&mut self) -> &mut GlobalUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (r, v) = z.split_at_mut(problem.size());
        let law = problem.law();
        let is_regular = super::start(problem, &mut self.mass, r, v);
        self.measure.prepare(problem, is_regular.then_some(&mut self.mass));
        law.project_all(r);
        let mut error = self.measure.of(problem, r, v, u);
        self.best.begin(r, v, error);
        self.prepare(problem);
        let mut penalty = self.settings.penalty;
        let mut factored = self.factor(problem, penalty);
        self.velocity.copy_from_slice(u);
        self.update_shift(problem);
        // z starts at the dual part of u - r / rho, which is u itself at a solution.
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
        let (mut judged_at, mut judged_error) = (0, error);
        let mut goes_with_reactions = is_regular;
        let mut iterations = 0;
        let status = loop {
            if error <= self.settings.tolerance {
                break Status::Converged;
            }
            if !error.is_finite() || !factored {
                break Status::Breakdown;
            }
            if watch::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            iterations += 1;
            // (1), (2)
            let (primal, dual) = self.step(problem);
            // (3)
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
            // (4)
            self.update_shift(problem);
            if iterations % MEASURE_EVERY == 0 || iterations == self.settings.max_iterations {
                v.copy_from_slice(&self.solution);
                if goes_with_reactions {
                    super::velocities_of(problem, &mut self.mass, r, v);
                }
                error = self.measure.of(problem, r, v, u);
                let measures = iterations.div_ceil(MEASURE_EVERY);
                if goes_with_reactions && (error.is_nan() || measures.is_power_of_two()) {
                    let of_solution = self.measure.of(problem, r, &self.solution, u);
                    // Where M is singular, or nearly so.
                    if error.is_nan() || error > NEARLY_AS_GOOD * of_solution {
                        goes_with_reactions = false;
                        error = of_solution;
                        v.copy_from_slice(&self.solution);
                    }
                }
                self.best.offer(r, v, error);
                if self.patience.is_some_and(|patience| iterations >= judged_at + patience) {
                    if self.best.error() > PROGRESS * judged_error {
                        break Status::Stalled;
                    }
                    (judged_at, judged_error) = (iterations, self.best.error());
                }
            }
            // (5)
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
                        // Rounding has made the matrix singular: on with the penalty before, to the end.
                        (penalty, next_balance) = (before, usize::MAX);
                        factored = self.factor(problem, penalty);
                    }
                    self.z_extrapolated.clone_from(&self.z);
                    self.r_extrapolated.copy_from_slice(r);
                    (weight, combined) = (1.0, f64::INFINITY);
                }
            }
        };
        let status = if status == Status::Converged {
            self.measure.judge(&problem.law(), r, error, self.settings.tolerance)
        } else {
            self.best.copy_to(r, v);
            error = self.measure.of(problem, r, v, u);
            status
        };
        Ok(SolveInfo { status, iterations, error })
    }
}

impl OwnVelocities for GlobalAdmm {
    fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.tolerance = tolerance;
    }
}

impl Link for GlobalAdmm {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "admm",
    siconos: "ADMM (613)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Boyd et al. (2011); Goldstein et al. (2014)",
};

impl Solver for GlobalAdmm {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        solve_by(self, problem, z, u)
    }
}
