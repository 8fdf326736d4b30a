//! Elimination of the velocities: the local problem, and any solver for it.

use serde::{Deserialize, Serialize};

use super::delassus::Delassus;
use super::mass::Mass;
use super::residual::Measure;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::contact::{Contact, ContactMethod, ContactProblem, cost};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, Method, MethodDescription, Solver};

/// Settings of [`Reduced`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReducedSettings {
    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution.
    /// Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations of the local solver, in its unit, at each of its tolerances. Default
    /// 10 000.
    pub max_iterations: usize,
    /// The solver of the local problem; its own tolerance and number of iterations are not used. Default that
    /// of [`ContactMethod`].
    pub local: ContactMethod,
}

impl Default for ReducedSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, local: ContactMethod::default() }
    }
}

/// Each tolerance of the local solver is this times the one before.
const TIGHTENING: f64 = 1e-2;

/// The tolerances that are tried.
const LEVELS: usize = 4;

/// Reduction to the local problem, W = H^T M^-1 H, the `_WR` solvers of Siconos.
///
/// **Problem.** [`GlobalProblem`] with any law that the local solver takes, and a regular M in any storage.
///
/// **Method.** (1) Find the connected components of the pattern of M, the bodies, and factorise each on its
/// own. (2) Assemble $W = H^T M^{-1} H$ in block rows, from the pairs of contacts that share a body, and
/// $q = H^T M^{-1} f + w$. (3) Solve the [local problem](ContactProblem) by the nested method. (4) Set
/// $v = M^{-1}(H r + f)$, with one step of iterative refinement, and measure. While the global error is above
/// the tolerance, go on with a local tolerance that is a hundredth. (Acary and Brogliato 2008, section 13.1.)
///
/// Where a component has more than 64 degrees of freedom, an elastic body, M is factorised as a whole by
/// sparse LU, with one solve for every column of H: W is a dense block for all contacts of the body then,
/// which is affordable for a few hundred contacts and no more. The other methods of the module never form it.
///
/// **Guarantee.** That of the local method.
///
/// **Result.** `Converged`: by the global error. Otherwise the status of the local method at its last
/// tolerance (`Stalled` where that says success), with the best iterate by the global error. `NoSolution`:
/// that of the local method.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalContactData, Reduced};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let info = Reduced::default().solve(&problem.view(), &mut z, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!(z, [1.0, -0.5, 0.0, 0.75]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_NSGS_WR (600)")]
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_ADMM_WR (614)")]
#[derive(Debug, Default)]
pub struct Reduced {
    units: GlobalUnits,
    settings: ReducedSettings,
    mass: Mass,
    delassus: Delassus,
    /// The local solvers for the tolerances used so far.
    local: Vec<Box<dyn Solver<Class = Contact>>>,
    refinement: Vec<f64>,
    error: Measure,
    best: Vec<f64>,
    /// Operations of the local solvers in the last solve.
    spent: f64,
}

impl Reduced {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0, or from the local method.
    pub fn new(settings: ReducedSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        settings.local.build()?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: ReducedSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// The local solver for a tolerance, made when it is asked for first.
    fn local(&mut self, level: usize) -> Result<&mut dyn Solver<Class = Contact>, SettingsError> {
        while self.local.len() <= level {
            let exponent = i32::try_from(self.local.len()).unwrap_or(i32::MAX);
            let tolerance = (self.settings.tolerance * TIGHTENING.powi(exponent)).max(f64::MIN_POSITIVE);
            let mut method = self.settings.local.clone();
            method.set_tolerance(tolerance);
            method.set_max_iterations(self.settings.max_iterations);
            self.local.push(method.build()?);
        }
        Ok(self.local[level].as_mut())
    }

    /// (4)
    fn measure(&mut self, problem: &GlobalProblem<'_>, r: &[f64], v: &mut [f64], u: &mut [f64]) -> f64 {
        velocity(problem, &mut self.mass, r, v, &mut self.refinement);
        self.error.of(problem, r, v, u)
    }
}

/// $v = M^{-1} (H r + f)$ with one step of refinement, for the factors at hand.
pub(super) fn velocity(
    problem: &GlobalProblem<'_>,
    mass: &mut Mass,
    r: &[f64],
    v: &mut [f64],
    residual: &mut Vec<f64>,
) {
    v.copy_from_slice(problem.f());
    problem.h().add_product(1.0, r, v);
    residual.clear();
    residual.extend_from_slice(v);
    mass.solve(v);
    problem.m().add_product(-1.0, v, residual);
    mass.solve(residual);
    v.iter_mut().zip(&*residual).for_each(|(v, x)| *v += x);
}

impl InOwnUnits for Reduced {
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
        let tolerance = self.settings.tolerance;
        // (1), (2)
        let Self { mass, delassus, .. } = self;
        delassus
            .assemble(problem, mass)
            .map_err(|singular| SolverError::Singular { what: "the mass matrix", singular })?;
        self.error.prepare(problem, Some(&mut self.mass));
        let mut error = self.measure(problem, r, v, u);
        let mut least = error;
        self.best.clear();
        self.best.extend_from_slice(r);
        let (mut iterations, mut status) = (0, Status::Stalled);
        self.spent = 0.0;
        for level in 0..LEVELS {
            if error <= tolerance {
                break;
            }
            // (3)
            let (w, q) = (std::mem::take(&mut self.delassus.w), std::mem::take(&mut self.delassus.q));
            let local = ContactProblem::of_checked((&w).into(), &q, problem.law());
            let solver = self.local(level)?;
            let solved = solver.solve(&local, r, u);
            let spent = solved.as_ref().map_or(0.0, |info| operations(&*solver, &local, info));
            (self.delassus.w, self.delassus.q, self.spent) = (w, q, self.spent + spent);
            let info = solved?;
            iterations += info.iterations;
            status = if info.status.is_success() { Status::Stalled } else { info.status };
            // (4)
            error = self.measure(problem, r, v, u);
            if error < least || least.is_nan() {
                least = error;
                self.best.copy_from_slice(r);
            }
            if !info.status.is_success() {
                break;
            }
        }
        if error > tolerance || error.is_nan() {
            r.copy_from_slice(&self.best);
            error = self.measure(problem, r, v, u);
        }
        if error <= tolerance {
            status = self.error.judge(&problem.law(), r, error, tolerance);
        }
        Ok(SolveInfo { status, iterations, error })
    }
}

/// Operations of a local solver on a problem: those of its account, or sweeps where it keeps none.
fn operations(solver: &dyn Solver<Class = Contact>, problem: &ContactProblem<'_>, info: &SolveInfo) -> f64 {
    match solver.trace() {
        [] => cost::of_sweep(problem) * info.iterations as f64,
        attempts => attempts.iter().map(|attempt| attempt.effort).sum(),
    }
}

impl Link for Reduced {
    /// The local method has a limit of its own.
    fn lend(&mut self, _: &Allowance) {}

    fn effort(&self, _: &GlobalProblem<'_>, _: &SolveInfo, _: &Allowance) -> f64 {
        self.spent
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "reduced",
    siconos: "NSGS_WR (600), NSGSV_WR .. IPM_SNM_WR (601 to 618)",
    guarantee: Guarantee::in_words("that of the local method").and("M regular"),
    storage: "any; block-diagonal M preferred",
    reference: "Acary, Brogliato (2008), section 13.1",
};

impl Solver for Reduced {
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
        solve_by(self, problem, z, u)
    }
}
