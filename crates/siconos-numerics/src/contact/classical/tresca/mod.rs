//! Tresca fixed-point iteration. Each iteration solves a problem with fixed friction bounds. The normal
//! reactions of its solution determine the bounds of the next iteration.

pub(super) mod alternation;
pub(super) mod cylinder;

use serde::{Deserialize, Serialize};
use siconos_linalg::SingularMatrix;

use self::alternation::Alternation;
use self::cylinder::Cylinders;
use crate::contact::best_iterate::BestIterate;
use crate::contact::gauss_seidel::rows::ContactRows;
use crate::contact::law::refuse_infinite_friction;
use crate::contact::units::{ProblemScaling, ScaledSolver, solve_by};
use crate::contact::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`TrescaFixedPoint`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrescaSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of outer iterations. Default: 5000.
    pub max_iterations: usize,
    /// Maximum number of sweeps in one outer iteration. Default: 1000.
    pub max_sweeps: usize,
    /// Tolerance of the inner problem, in which the friction bounds are fixed, as a fraction of the outer
    /// error. Default: 0.01. Must be in (0, 1).
    pub inner_accuracy: f64,
}

impl Default for TrescaSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 5000, max_sweeps: 1000, inner_accuracy: 0.01 }
    }
}

/// Fixed-point method that iterates on the friction bounds.
///
/// **Problem.** [`ContactProblem`] of any form, with Coulomb or rolling friction. The first entry of each
/// diagonal block of W must be positive.
///
/// **Method.** (1) Fix the bounds $g_i = \mu_i r_{N,i}$. (2) Solve the problem of Tresca, with $r_N \ge 0$
/// and $\lVert r_T \rVert \le g$, which is a convex program if W is symmetric. It is solved by block
/// Gauss-Seidel sweeps, until the norm of the natural map of the problem of Tresca is below `inner_accuracy`
/// times the outer error. Normal reactions are solved exactly, tangential reactions by a projected gradient
/// step. (3) Shorten $r_T$ to the cone, compute the [`error`](crate::contact::error) of the contact problem,
/// and repeat with the new bounds. If several iterations make no progress, the change of the bounds is
/// damped. (Necas, Jarusek, Haslinger 1980; Haslinger, Hlavacek, Necas 1996, chapter 3; Acary, Bremond, Huber
/// 2018, section 4.)
///
/// **Guarantee.** For symmetric positive definite W and small $\mu$, the outer map is a contraction
/// (Haslinger 1983). For large $\mu$, no proof is known, and the bounds can cycle.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (an iteration changes nothing) and `Breakdown` (a value is not finite), r is
/// the best iterate. `iterations` is the number of outer iterations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::TrescaFixedPoint;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = TrescaFixedPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!((r, u), ([1.0, -0.5], [0.0, 1.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_TFP (503)")]
#[derive(Clone, Debug, Default)]
pub struct TrescaFixedPoint {
    units: ProblemScaling,
    settings: TrescaSettings,
    rows: ContactRows,
    cylinders: Cylinders,
    best: BestIterate,
}

impl TrescaFixedPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive, or if the inner accuracy is not in (0, 1).
    pub fn new(settings: TrescaSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_fraction("inner_accuracy", settings.inner_accuracy)?;
        Ok(Self { settings, ..Self::default() })
    }

    fn solve_blocks<const D: usize>(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.rows.prepare::<D>(problem.w());
        check_diagonal::<D>(problem, &self.rows)?;
        self.cylinders.prepare::<D>(&problem.law(), &self.rows, r);
        let (limits, TrescaSettings { max_sweeps, inner_accuracy, .. }) = (self.limits(), self.settings);
        let (cylinders, best, normal) = (&mut self.cylinders, &mut self.best, None);
        let work = Alternation { problem, limits, max_sweeps, inner_accuracy, cylinders, best, normal, r, u };
        self.rows.with::<D, _>(problem.w(), work)
    }
}

/// Returns an error if the first diagonal entry of the block of a contact is not positive.
pub(super) fn check_diagonal<const D: usize>(
    problem: &DelassusProblem<'_>,
    rows: &ContactRows,
) -> Result<(), SolverError> {
    for contact in 0..problem.law().blocks() {
        let pivot = rows.diagonal::<D>(contact).0[0][0];
        if pivot.is_nan() || pivot <= 0.0 {
            let singular = SingularMatrix::Pivot { column: contact * D, pivot };
            return Err(SolverError::Singular { what: "the diagonal of W", singular });
        }
    }
    Ok(())
}

/// Returns an error unless the law is friction with finite coefficients. Second-order cones are rejected,
/// because they have no friction bound that could be fixed.
pub(super) fn takes_friction(solver: &'static str, law: &ContactLaw<'_>) -> Result<(), Unsupported> {
    if law.has_shift() {
        refuse_infinite_friction(solver, law)
    } else {
        Err(Unsupported { solver, found: "second-order cones", takes: "friction and rolling friction" })
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "tresca",
    siconos: "TFP (503), TFP_WR (604)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::SmallFriction),
    storage: "any",
    reference: "Haslinger, Hlavacek, Necas (1996)",
};

impl Solver for TrescaFixedPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        takes_friction(self.name(), &problem.law())
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

impl ScaledSolver for TrescaFixedPoint {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match problem.law().uniform_dimension() {
            Some(2) => self.solve_blocks::<2>(problem, r, u),
            Some(3) => self.solve_blocks::<3>(problem, r, u),
            _ => self.solve_blocks::<5>(problem, r, u),
        }
    }
}
