//! Fixed-point iteration of De Saxce, which takes projected steps of constant length.

use serde::{Deserialize, Serialize};

use super::outer_loop::{Continuation, iterate};
use crate::contact::best_iterate::BestIterate;
use crate::contact::law::refuse_infinite_friction;
use crate::contact::spectrum::spectral_norm;
use crate::contact::units::{ProblemScaling, ScaledSolver, solve_by};
use crate::contact::{Contact, ContactProblem, DelassusProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`DeSaxceFixedPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DeSaxceSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Default: 20 000.
    pub max_iterations: usize,
    /// Step length $\rho$, multiplied by the estimated spectral norm of W. Default: 1. Must be in (0, 2).
    pub step: f64,
}

impl Default for DeSaxceSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 20_000, step: 1.0 }
    }
}

/// Fixed-point iteration of De Saxce and Feng with a constant step length.
///
/// **Problem.** [`ContactProblem`] of any form, with any law with finite coefficients.
///
/// **Method.** (1) Estimate the spectral norm of W by the power method; $\rho$ is `step` divided by this
/// norm. (2) Iterate $r \leftarrow P_K\bigl(r - \rho (u + s(u) e_N)\bigr)$ with $u = W r + q$. Each iteration
/// takes one product with W. (3) End when the [`error`](crate::contact::error) is at or below the tolerance.
/// (De Saxce and Feng 1998, "The bipotential method"; Acary, Bremond, Huber 2018, section 4.)
///
/// **Guarantee.** Without friction and with symmetric positive semidefinite W, the method converges if `step`
/// is below 2, because it is then the projected gradient method (Facchinei and Pang 2003, theorem 12.1.8).
/// With friction, no proof is known. The method is slow if W is ill-conditioned. It serves as a reference for
/// other methods.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (no step changes r) and `Breakdown` (a value is not finite), r is the best
/// iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::DeSaxceFixedPoint;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = DeSaxceFixedPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_DSFP (505)")]
#[derive(Clone, Debug, Default)]
pub struct DeSaxceFixedPoint {
    units: ProblemScaling,
    settings: DeSaxceSettings,
    best: BestIterate,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl DeSaxceFixedPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive, or if the step is not in (0, 2).
    pub fn new(settings: DeSaxceSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_relaxation("step", settings.step)?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "de-saxce",
    siconos: "DSFP (505), DSFP_WR (603)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "De Saxce, Feng (1998)",
};

impl Solver for DeSaxceFixedPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        solve_by(self, problem, r, u)
    }
}

impl ScaledSolver for DeSaxceFixedPoint {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (law, tolerance) = (problem.law(), self.settings.tolerance);
        let rho = self.settings.step / spectral_norm(problem.w(), &mut self.x, &mut self.y);
        let limits = Limits { tolerance, max_iterations: self.settings.max_iterations };
        let before = &mut self.x;
        iterate(problem, limits, &mut self.best, (r, u), |_, r, u| {
            before.copy_from_slice(r);
            for block in 0..law.blocks() {
                let range = law.range(block);
                r[range.start] -= rho * law.shift(block, &u[range.clone()]);
                r[range.clone()].iter_mut().zip(&u[range.clone()]).for_each(|(r, u)| *r -= rho * u);
                law.project(block, &mut r[range]);
            }
            Ok(if r == before.as_slice() {
                Continuation::End(Status::Stalled)
            } else {
                Continuation::Continue
            })
        })
    }
}
