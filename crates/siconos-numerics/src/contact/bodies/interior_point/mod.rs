//! Interior points in the velocities of the bodies.

mod velocities;

use serde::{Deserialize, Serialize};

use self::velocities::{Memory, Velocities};

use super::units::{BodiesUnits, InVelocities, check_bodies, solve_by};
use super::{BodiesProblem, Measure, VelocityNewton, VelocityNewtonSettings};
use crate::chain::{Allowance, Link};
use crate::contact::best_iterate::BestIterate;
use crate::contact::interior_point::{ConeRows, Ended, Point, Search};
use crate::contact::{Contact, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::watch;

/// Settings of [`VelocityInteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityInteriorPointSettings {
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of steps, each a factorisation. Default 400.
    pub max_iterations: usize,
    /// Steps of Newton's method on the law itself, from the best point, when its error is at or below this; 0
    /// never. Default 0.1.
    pub polish_from: f64,
}

impl Default for VelocityInteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 400, polish_from: 0.1 }
    }
}

/// Interior points in the velocities of the bodies: convex programs first, then the central path of the
/// contact problem itself.
///
/// **Problem.** [`ContactProblem`] with bodies and any law with finite coefficients, in any storage, with
/// symmetric positive definite M.
///
/// **Method.** In rows where each cone is its own dual, with reactions x and velocities $y = B^T v + q +
/// s e_0$ inside: (1) the scaling V of Nesterov and Todd with $V x = V^{-1} y = \lambda$; (2) Newton's step
/// for $M v = B x$ and $\lambda \circ (V dx + V^{-1} dy) = \sigma \nu e - \lambda \circ \lambda$, that is
///
/// $$ (M + B V^{-2} E B^T) dv = .. , $$
///
/// as plain text (M + B V^-2 E B^T) dv = .., a row per degree of freedom, sparse, whose pattern never
/// changes. (3) Up to 400 cones are tried with the shift in the step, as in (4), by predictor and corrector
/// (Mehrotra 1992) alone. With the shift $s$ held, E = I, and the problem is the convex program: minimise
/// $\frac12 v^T M v$ subject to $H^T v + q + s e_N \in K^{\ast}$. Predictor and corrector take some
/// ten steps, each a Cholesky factorisation, whatever the size. The first program has s = 0: bodies that
/// come to rest together are solved by it, for their velocities have no shift. Others follow with the shift
/// of the velocities of the last one as long as the error falls by half each time (Acary, Cadoux,
/// Lemarechal, Malick 2011). (4) Then the shift becomes a part of the step, $E = I + e_0 t^T$ with the
/// direction t of the sliding velocity, and the matrix is not symmetric. Points are led along the central
/// path, where all $x \circ y = \nu e$: after each reduction of $\nu$ steps at the same $\nu$ bring them
/// back near it, without which the method jams from some hundred contacts on. (5) Last, some steps of
/// [`VelocityNewton`] from the best point. (Nesterov, Todd 1997; Acary, Armand, Nguyen, Shpakovych 2024 for
/// the shift in the step. A rolling cone is the intersection of two cones with one more unknown.)
///
/// **Guarantee.** Without a shift: that of a primal-dual method of a convex program. With friction and a
/// strictly feasible program there is a solution (Acary et al. 2011, theorem 4.3); that the path leads to it
/// is not proved. Between coefficients so small that a pile slides apart and those that hold it at rest the
/// path may turn back, and the best point is returned.
///
/// **Result.** `Converged`, by the [`error`](crate::contact::error); `MaxIterations`, `Stalled` (the path is
/// lost), `Breakdown` (data that are not finite): the iterate with the least error. A guess that is a
/// solution is returned; otherwise it is not used.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityInteriorPoint};
///
/// // A particle of 2 kg that falls on the ground and is pushed sideways; friction gives way.
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
    measure: Measure,
    rows: ConeRows,
    point: Point,
    memory: Memory,
    best: BestIterate,
    polish: VelocityNewton,
}

/// Newton steps of the polish.
const POLISHING_STEPS: usize = 20;

/// Part of the way to the boundary of the cones that a step goes at most.
const TO_BOUNDARY: f64 = 0.99;

impl Default for VelocityInteriorPoint {
    fn default() -> Self {
        Self::of_checked(VelocityInteriorPointSettings::default())
    }
}

impl VelocityInteriorPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: VelocityInteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("polish_from", settings.polish_from, 0.0, "at or above 0")?;
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self::of_checked(settings))
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(in crate::contact) fn of_checked(settings: VelocityInteriorPointSettings) -> Self {
        let tolerance = settings.tolerance;
        let polish =
            VelocityNewtonSettings { tolerance, max_iterations: POLISHING_STEPS, ..Default::default() };
        let polish = VelocityNewton::of_checked(polish);
        Self {
            settings,
            polish,
            units: BodiesUnits::default(),
            measure: Measure::default(),
            rows: ConeRows::default(),
            point: Point::default(),
            memory: Memory::default(),
            best: BestIterate::default(),
        }
    }

    /// (3), (4): how the search has ended, and the steps that it took.
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

    /// (5): so many steps from the best point; what they find is taken if it is better. Returns how many were
    /// made.
    fn polish(
        &mut self,
        problem: &BodiesProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
        most: usize,
    ) -> usize {
        let Self { measure, best, polish, .. } = self;
        r.copy_from_slice(best.point());
        measure.of(problem, r, u);
        polish.lend(&Allowance::of(most.min(POLISHING_STEPS), 0.0));
        let info = polish.improve(problem, measure, r);
        best.offer(r, info.error);
        info.iterations
    }
}

impl InVelocities for VelocityInteriorPoint {
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
            let (ended, steps) = match watch::is_over(0, most, error) {
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
                Status::Stalled if watch::is_over(iterations, most, error) => Status::MaxIterations,
                judged => judged,
            };
        }
        let stop = Stop { status, iterations };
        Ok(self.measure.finish(problem, &mut self.best, (r, u), tolerance, stop))
    }
}

impl Link for VelocityInteriorPoint {
    fn lend(&mut self, allowance: &Allowance) {
        self.settings.max_iterations = allowance.iterations;
    }
}

/// What a table says of the method.
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
