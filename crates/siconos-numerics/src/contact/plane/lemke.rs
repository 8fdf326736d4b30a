//! Lemke's method for contact problems in the plane.

use serde::{Deserialize, Serialize};

use super::{PlaneWorkspace, UNKNOWNS, coefficients, solve_by};
use crate::cascade::{Budget, Stage};
use crate::contact::{Contact, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::lcp::{Lemke, LemkeSettings};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`PlaneLemke`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlaneLemkeSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of pivots. Default: 10 000.
    pub max_iterations: usize,
}

impl Default for PlaneLemkeSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000 }
    }
}

/// Lemke's method for Coulomb friction in the plane.
///
/// **Problem.** [`ContactProblem`] of any form, with Coulomb's law in the plane. The method itself uses dense
/// matrices.
///
/// **Method.** (1) Write Coulomb's law as a linear complementarity problem with three unknowns per contact:
/// the normal reaction $r_N$, the distance $\mu r_N + r_T$ of the reaction from one edge of the cone, and the
/// velocity of sliding to the left. In the plane, this formulation is exact. (2) Solve this problem by
/// [`Lemke`]. (3) Compute $u = W r + q$ and the [`error`](crate::contact::error). (Klarbring 1986; Glocker
/// and Pfeiffer 1996, section 6.3; Acary and Brogliato 2008, section 13.3.7.)
///
/// **Guarantee.** The method finds a solution for positive semidefinite W if no unbounded direction of the
/// linear complementarity problem decreases $q^T z$. This condition holds if the coefficients of friction are
/// sufficiently small (Stewart and Trinkle 1996; Pang and Trinkle 1996). Otherwise, the method can end on a
/// ray.
///
/// **Result.** With `Converged`, a solution was found. `RayTermination`, `NoSolution` and `MaxIterations` are
/// the statuses of [`Lemke`]; `r` is then the initial guess, projected onto the cones. With `Stalled`,
/// Lemke's method found a solution, but its error is above the tolerance. `iterations` is the number of
/// pivots.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, PlaneLemke};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// assert!(PlaneLemke::default().solve(&problem, &mut r, &mut u)?.status.is_success());
/// assert_eq!((r, u), ([1.0, -0.5], [0.0, 1.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_2D_LEMKE (404)")]
#[derive(Clone, Debug, Default)]
pub struct PlaneLemke {
    settings: PlaneLemkeSettings,
    lemke: Lemke,
    memory: PlaneWorkspace,
}

impl PlaneLemke {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive.
    pub fn new(settings: PlaneLemkeSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        let mut inner = LemkeSettings { max_iterations: settings.max_iterations, ..LemkeSettings::default() };
        inner.tolerance = inner.tolerance.min(settings.tolerance);
        Ok(Self { settings, lemke: Lemke::new(inner)?, memory: PlaneWorkspace::default() })
    }
}

impl Stage for PlaneLemke {
    fn set_budget(&mut self, budget: &Budget) {
        self.lemke.set_budget(budget);
    }

    /// Counts the operations of the pivots, and one for each entry of the complementarity problem.
    fn effort(&self, problem: &ContactProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        let unknowns = (UNKNOWNS * problem.law().blocks()) as f64;
        unknowns * unknowns + self.lemke.operations()
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "plane-lemke",
    siconos: "LEMKE (404)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::SmallFriction),
    storage: "any; Coulomb in the plane",
    reference: "Acary and Brogliato (2008), section 13.3.7",
};

impl Solver for PlaneLemke {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        coefficients(self.name(), problem).map(|_| ())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (name, tolerance) = (self.name(), self.settings.tolerance);
        solve_by(name, &mut self.lemke, &mut self.memory, problem, tolerance, r, u)
    }
}
