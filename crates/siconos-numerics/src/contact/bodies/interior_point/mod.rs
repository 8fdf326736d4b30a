//! Interior-point method in velocity space.

mod velocities;

use serde::{Deserialize, Serialize};

use self::velocities::{Velocities, VelocityWorkspace};

use super::units::{BodiesUnits, VelocitySpaceMethod, check_bodies, solve_by};
use super::{BodiesError, BodiesProblem, VelocityNewton, VelocityNewtonSettings};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::interior_point::{ConeRows, Ended, InteriorIterate, Search};
use crate::contact::{Contact, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`VelocityInteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityInteriorPointSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of steps, each with one factorisation. Default: 400.
    pub max_iterations: usize,
    /// Maximum error of the best iterate for which the search is followed by Newton steps on the contact law.
    /// 0 disables these Newton steps. Default: 0.1.
    pub polish_from: f64,
}

impl Default for VelocityInteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 400, polish_from: 0.1 }
    }
}

/// Interior-point method in velocity space. It solves convex programs with a fixed shift, and then follows
/// the central path of the contact problem.
///
/// **Problem.** [`ContactProblem`] with bodies, with symmetric positive definite M, and with any law with
/// finite coefficients.
///
/// **Method.** Rows are scaled so that each cone is its own dual. In these rows, the reactions x and the
/// velocities $y = B^T v + q + s e_0$ are inside the cones. (1) Compute the Nesterov-Todd scaling V with
/// $V x = V^{-1} y = \lambda$. (2) Take the Newton step for $M v = B x$ and
/// $\lambda \circ (V dx + V^{-1} dy) = \sigma \nu e - \lambda \circ \lambda$, that is,
///
/// $$ (M + B V^{-2} E B^T) dv = .. , $$
///
/// as plain text (M + B V^-2 E B^T) dv = .. . The matrix is sparse, with one row per degree of freedom and a
/// fixed pattern. (3) With up to 400 cones, first try predictor-corrector steps (Mehrotra 1992) with the
/// shift in the step, as in (4). If these steps fail, or if there are more cones, fix the shift $s$. Then E =
/// I, and the problem is a convex program: minimise $\frac12 v^T M v$ subject to
/// $H^T v + q + s e_N \in K^{\ast}$. Predictor-corrector steps solve it in about ten steps, each with one
/// Cholesky factorisation, whatever the size. In the first program, s = 0. This program suffices if all
/// bodies come to rest together, because the shift is zero at their velocities. Each further program takes
/// the shift from the velocities of the previous program. Programs follow each other as long as each at least
/// halves the error (Acary, Cadoux, Lemarechal, Malick 2011). (4) If the programs do not solve the problem,
/// make the shift part of the step: $E = I + e_0 t^T$ with the direction t of the sliding velocity, and the
/// matrix is not symmetric. The iterates follow the central path, on which all Jordan products $x \circ y$
/// equal $\nu e$. After each reduction of $\nu$, steps at constant $\nu$ return the iterates to the
/// neighbourhood of the path. Without these steps, the step length tends to zero if there are more than a few
/// hundred contacts. (5) Finish with a few steps of [`VelocityNewton`] from the best iterate. (Nesterov, Todd
/// 1997; Acary, Armand, Nguyen, Shpakovych 2024 for the shift in the step. A rolling cone is the intersection
/// of two cones with one additional unknown.)
///
/// **Guarantee.** Without a shift, the method has the guarantee of a primal-dual method for a convex program.
/// With friction, a solution exists if the program is strictly feasible (Acary et al. 2011, theorem 4.3), but
/// it is not proven that the path leads to it. A pile slides apart if its coefficients of friction are small,
/// and stays at rest if they are large. For coefficients between these ranges, $\nu$ need not decrease
/// monotonically along the path; the best iterate is then returned.
///
/// **Result.** With `Converged`, the [`error`](crate::contact::error) is at or below the tolerance. With
/// `MaxIterations`, `Stalled` (the iterates have left the path) and `Breakdown` (a value is not finite), r is
/// the iterate with the smallest error. An initial guess that is a solution is returned. Any other initial
/// guess is ignored.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityInteriorPoint};
///
/// // A particle of 2 kg falls onto the ground with a sideways velocity, and slides.
/// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = VelocityInteriorPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_ACLMFP (612)")]
#[doc(alias = "SICONOS_GLOBAL_FRICTION_3D_IPM (615)")]
#[derive(Clone, Debug)]
pub struct VelocityInteriorPoint {
    units: BodiesUnits,
    settings: VelocityInteriorPointSettings,
    measure: BodiesError,
    rows: ConeRows,
    point: InteriorIterate,
    memory: VelocityWorkspace,
    best: BestIterate,
    polish: VelocityNewton,
}

/// Maximum number of Newton steps in step (5).
const POLISHING_STEPS: usize = 20;

/// Maximum step length, as a fraction of the step to the boundary of the cones.
const TO_BOUNDARY: f64 = 0.99;

impl Default for VelocityInteriorPoint {
    fn default() -> Self {
        Self::of_checked(VelocityInteriorPointSettings::default())
    }
}

impl VelocityInteriorPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: VelocityInteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("polish_from", settings.polish_from, 0.0, "nonnegative")?;
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) would accept.
    pub(in crate::contact) fn of_checked(settings: VelocityInteriorPointSettings) -> Self {
        let tolerance = settings.tolerance;
        let polish =
            VelocityNewtonSettings { tolerance, max_iterations: POLISHING_STEPS, ..Default::default() };
        let polish = VelocityNewton::of_checked(polish);
        Self {
            settings,
            polish,
            units: BodiesUnits::default(),
            measure: BodiesError::default(),
            rows: ConeRows::default(),
            point: InteriorIterate::default(),
            memory: VelocityWorkspace::default(),
            best: BestIterate::default(),
        }
    }

    /// Performs steps (3) and (4). Returns the reason why the search ended and its number of steps.
    fn search(
        &mut self,
        problem: &BodiesProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
        error: f64,
    ) -> (Ended, usize) {
        let Self { rows, point, memory, measure, best, settings, .. } = self;
        rows.prepare(&problem.law());
        let space = &mut Velocities::new(problem, rows, memory, measure, best, (r, u));
        let (tolerance, most) = (settings.tolerance, settings.max_iterations);
        let mut search =
            Search { rows, point, space, tolerance, to_boundary: TO_BOUNDARY, steps: 0, most, error };
        (search.run(), search.steps)
    }

    /// Performs step (5) with at most `most` Newton steps from the best iterate. The result becomes the best
    /// iterate if its error is smaller. Returns the number of Newton steps.
    fn polish(
        &mut self,
        problem: &BodiesProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
        most: usize,
    ) -> usize {
        let Self { measure, best, polish, .. } = self;
        r.copy_from_slice(best.point());
        measure.of(problem, r, u);
        polish.set_budget(&Budget::of(most.min(POLISHING_STEPS), 0.0));
        let info = polish.improve(problem, measure, r);
        best.offer(r, info.error);
        info.iterations
    }
}

impl VelocitySpaceMethod for VelocityInteriorPoint {
    fn units(&mut self) -> &mut BodiesUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        self.measure.prepare(problem)?;
        let error = self.measure.of(problem, r, u);
        self.best.begin(r, error);
        let (mut status, mut iterations) = (self.measure.judge(problem, r, error, tolerance), 0);
        if status == Status::Stalled {
            let most = self.settings.max_iterations;
            let (ended, steps) = match cancellation::is_over(0, most, error) {
                true => (Ended::OutOfSteps, 0),
                false => self.search(problem, (r, u), error),
            };
            iterations = steps;
            let is_near = self.best.error() <= self.settings.polish_from;
            if self.best.error() > tolerance && is_near && ended != Ended::OutOfSteps {
                iterations += self.polish(problem, (r, u), most - steps);
            }
            r.copy_from_slice(self.best.point());
            let error = self.best.error();
            status = match self.measure.judge(problem, r, error, tolerance) {
                Status::Stalled if ended == Ended::OutOfSteps => Status::MaxIterations,
                Status::Stalled if cancellation::is_over(iterations, most, error) => Status::MaxIterations,
                judged => judged,
            };
        }
        let stop = Stop { status, iterations };
        Ok(self.measure.finish(problem, &mut self.best, (r, u), tolerance, stop))
    }
}

impl Stage for VelocityInteriorPoint {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "velocity-interior-point",
    siconos: "ACLMFP (612), IPM (615), IPM_SNM (617)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any, with the bodies",
    reference: "Acary, Cadoux, Lemarechal, Malick (2011)",
};

impl Solver for VelocityInteriorPoint {
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
