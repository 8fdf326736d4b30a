//! Interior-point method with Nesterov-Todd scaling for contacts with friction. De Saxce's shift is either
//! part of the Newton step or fixed.

mod point;
mod reactions;
mod reduction_rule;
mod rows;
mod search;
mod space;

use serde::{Deserialize, Serialize};

use self::reactions::{ReactionWorkspace, Reactions};

pub(super) use self::point::InteriorIterate;
pub(super) use self::rows::ConeRows;
pub(super) use self::search::{Ended, Search};
pub(super) use self::space::{PointErrors, Scaling, Space};

use super::best_iterate::BestIterate;
use super::law::refuse_infinite_friction;
use super::residual::{error_of_point, judge};
use super::units::{ProblemScaling, ScaledSolver, solve_by};
use super::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`InteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InteriorPointSettings {
    /// Maximum [`error`](super::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of steps, each with one factorisation. Default: 400.
    pub max_iterations: usize,
    /// Maximum step length, as a fraction of the step to the boundary of the cones. Default: 0.99. Must be in
    /// (0, 1).
    pub to_boundary: f64,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 400, to_boundary: 0.99 }
    }
}

/// Interior-point method with Nesterov-Todd scaling. It tries Newton steps that contain the shift, then
/// convex programs with a fixed shift, and finally follows the central path.
///
/// **Problem.** [`ContactProblem`] with Coulomb's law or second-order cones, with finite coefficients.
///
/// **Method.** The variables are $x = (r_N, r_T / \mu)$ and $y = (u_N + s(u), \mu u_T)$. Both are kept inside
/// the second-order cone. (1) Compute the scaling V with $V x = V^{-1} y = \lambda$ for each contact. (2)
/// Take the Newton step for $y = W x + q + s(y) e$ and
/// $\lambda \circ (V dx + V^{-1} dy) = \sigma \nu e - \lambda \circ \lambda$. Its matrix is $V^2 + E W$,
/// where $E = I + e_0 t^T$ is the derivative of the shifted velocities. The matrix is therefore not
/// symmetric. The step is first computed with $\sigma = 0$ (the affine step), and then with
/// $\sigma = (\nu_{aff} / \nu)^3$ and the second-order correction (Mehrotra 1992). (3) Take 0.99 of the step
/// to the boundary. If the step is short, try a step without correction and with more centring. (4) If the
/// steps become too short, or if there are more than 400 cones, fix the shift. The problem is then a convex
/// program: minimise $\frac12 r^T W r + (q + s e)^T r$ over the cones. In the first program, s = 0. This
/// program suffices if all bodies come to rest together, because the shift is zero at their velocities. Each
/// further program takes the shift from the velocities of the previous program. Programs follow each other as
/// long as each at least halves the error (Acary, Cadoux, Lemarechal, Malick 2011). (5) Finally, follow the
/// central path of the contact problem, on which all Jordan products $x \circ y$ equal $\nu e$. After each
/// reduction of $\nu$, steps at constant $\nu$ return the iterates to the neighbourhood of the path. If they
/// fail to return, the reduction is undone. (Acary, Armand, Nguyen, Shpakovych 2024, "Second-order cone
/// programming for frictional contact mechanics using interior point algorithm", for the scaling and for the
/// shift as a nonsmooth term inside the Newton step.)
///
/// **Guarantee.** Without the shift and with positive semidefinite W, the method is a primal-dual method for
/// a convex program. Its number of steps hardly depends on the size and rank of W. With friction, no
/// guarantee is known, because $\nu$ need not decrease monotonically along the path. Rounding errors near the
/// boundary of the cones limit the error to about 1e-8; Newton's method on a
/// [contact function](super::ContactFunction) can continue from there.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations` and `Stalled` (the iterates have left the path), r is the best iterate. An initial guess
/// that is a solution is returned. Any other initial guess is ignored, because an interior-point method
/// cannot use it.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, InteriorPoint};
///
/// // Two contacts at one point: only the sum of the reactions is determined.
/// let w = array![[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5, 0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0, -1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
/// let info = InteriorPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] + r[2] - 1.0).abs() < 1e-6 && (r[1] + r[3] + 0.5).abs() < 1e-6);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_IPM (524)")]
#[doc(alias = "SICONOS_FRICTION_3D_IPM_SNM (525)")]
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    units: ProblemScaling,
    settings: InteriorPointSettings,
    rows: ConeRows,
    point: InteriorIterate,
    memory: ReactionWorkspace,
    best: BestIterate,
}

impl InteriorPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: InteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_fraction("to_boundary", settings.to_boundary)?;
        Ok(Self { settings, ..Self::default() })
    }
}

impl Stage for InteriorPoint {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "interior-point",
    siconos: "IPM, IPM_SNM (524, 525), IPM_WR, IPM_SNM_WR (616, 618)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::Words("without the shift")),
    storage: "any",
    reference: "Acary, Armand, Nguyen, Shpakovych (2024)",
};

impl Solver for InteriorPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        match problem.law() {
            ContactLaw::Rolling { .. } => Err(Unsupported {
                solver: DESCRIPTION.name,
                found: "rolling friction",
                takes: "one cone per contact",
            }),
            _ => Ok(()),
        }
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

impl ScaledSolver for InteriorPoint {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        let error = error_of_point(problem, r, u);
        self.best.begin(r, error);
        let mut status = judge(problem, r, error, tolerance);
        let mut iterations = 0;
        if status == Status::Stalled && cancellation::is_over(0, self.settings.max_iterations, error) {
            status = Status::MaxIterations;
        } else if status == Status::Stalled {
            self.rows.prepare(&problem.law());
            let Self { rows, point, memory, best, settings, .. } = self;
            let space = &mut Reactions::new(problem, rows, memory, best, (&mut *r, &mut *u));
            let (most, to_boundary) = (settings.max_iterations, settings.to_boundary);
            let mut search = Search { rows, point, space, tolerance, to_boundary, steps: 0, most, error };
            let ended = search.run();
            let error = search.error;
            iterations = search.steps;
            status = match ended {
                Ended::Solved => judge(problem, r, error, tolerance),
                Ended::OutOfSteps => Status::MaxIterations,
                Ended::AtItsEnd | Ended::Stuck => Status::Stalled,
            };
        }
        Ok(self.best.finish(problem, (r, u), tolerance, Stop { status, iterations }))
    }
}
