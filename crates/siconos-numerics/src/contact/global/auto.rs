//! The methods in turn, each from the best point so far.

use serde::{Deserialize, Serialize};

use super::mass::Mass;
use super::residual::Measure;
use super::{
    GlobalAdmm, GlobalAdmmSettings, GlobalContactSolver, GlobalInteriorPoint, GlobalInteriorPointSettings,
    GlobalNewton, GlobalNewtonSettings, GlobalProblem, Reduced, ReducedSettings,
};
use crate::contact::ContactMethod;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status};

/// Settings of [`GlobalAuto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GlobalAutoSettings {
    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations of each first-order method, in its unit. Default 10 000.
    pub max_iterations: usize,
    /// The solver of the local problem. Default that of [`ContactMethod`].
    pub local: ContactMethod,
}

impl Default for GlobalAutoSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, local: ContactMethod::default() }
    }
}

/// The automatic choice: the local problem where it is sparse or small, then Newton, interior point and ADMM.
///
/// **Problem.** [`GlobalProblem`] with any law, in any storage.
///
/// **Method.** (1) [`Reduced`], where M falls apart into small bodies or there are at most 300 contact unknowns, with a tenth
/// of the iterations. (2) [`GlobalNewton`] from there. (3) [`GlobalInteriorPoint`]. (4) [`GlobalAdmm`] and Newton from there. (5) [`Reduced`] with all its iterations. Each starts from the best point so
/// far, and the first success ends it.
///
/// **Guarantee.** That of the methods.
///
/// **Result.** That of the method that succeeded; if none did, the best point, and the status of the method that found it.
/// [`trace`](GlobalContactSolver::trace) tells what was tried.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{GlobalAuto, GlobalContactSolver, GlobalFrictionProblem};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let problem = GlobalFrictionProblem::<2>::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], array![0.5])?;
/// let (mut r, mut v, mut u) = ([0.0; 2], [0.0; 2], [0.0; 2]);
/// let mut solver = GlobalAuto::default();
/// assert!(solver.solve(&problem.view(), &mut r, &mut v, &mut u)?.status.is_success());
/// assert_eq!(r, [1.0, -0.5]);
/// assert_eq!(solver.trace().len(), 1);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct GlobalAuto {
    settings: GlobalAutoSettings,
    mass: Mass,
    measure: Measure,
    quick: Reduced,
    newton: GlobalNewton,
    interior_point: GlobalInteriorPoint,
    admm: GlobalAdmm,
    thorough: Reduced,
    trace: Vec<Attempt>,
    best: Vec<f64>,
}

/// With as many contact unknowns, or fewer, a dense W costs nothing to speak of.
const SMALL: usize = 300;

/// Share of the iterations that the first attempt gets.
const QUICK: usize = 10;

impl Default for GlobalAuto {
    fn default() -> Self {
        Self::of_checked(GlobalAutoSettings::default())
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Quick,
    Newton,
    InteriorPoint,
    Admm,
    Thorough,
}

impl GlobalAuto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0, or from the local method.
    pub fn new(settings: GlobalAutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        settings.local.build()?;
        Ok(Self::of_checked(settings))
    }

    fn of_checked(settings: GlobalAutoSettings) -> Self {
        let GlobalAutoSettings { tolerance, max_iterations, local } = settings.clone();
        let reduced = |max_iterations| {
            Reduced::of_checked(ReducedSettings { tolerance, max_iterations, local: local.clone() })
        };
        Self {
            quick: reduced(max_iterations.div_ceil(QUICK)),
            newton: GlobalNewton::of_checked(GlobalNewtonSettings { tolerance, ..Default::default() }),
            interior_point: GlobalInteriorPoint::of_checked(GlobalInteriorPointSettings {
                tolerance,
                ..Default::default()
            }),
            admm: GlobalAdmm::of_checked(GlobalAdmmSettings {
                tolerance,
                max_iterations,
                ..Default::default()
            }),
            thorough: reduced(max_iterations),
            settings,
            mass: Mass::default(),
            measure: Measure::default(),
            trace: Vec::new(),
            best: Vec::new(),
        }
    }

    fn solver(&mut self, step: Step) -> &mut dyn GlobalContactSolver {
        match step {
            Step::Quick => &mut self.quick,
            Step::Newton => &mut self.newton,
            Step::InteriorPoint => &mut self.interior_point,
            Step::Admm => &mut self.admm,
            Step::Thorough => &mut self.thorough,
        }
    }
}

impl GlobalContactSolver for GlobalAuto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        r: &mut [f64],
        v: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        problem.check_solve(r, v, u)?;
        self.trace.clear();
        let n = v.len();
        let reduces = problem.size() <= SMALL || self.mass.is_block_diagonal(problem.m());
        let plan = [
            (reduces, Step::Quick, "W is sparse or small"),
            (true, Step::Newton, "fast from a good start"),
            (true, Step::InteriorPoint, "convex programs"),
            (true, Step::Admm, "a better start"),
            (true, Step::Newton, "from that start"),
            (reduces, Step::Thorough, "all iterations"),
        ];
        let mut best = None::<SolveInfo>;
        self.best.clear();
        self.best.extend_from_slice(v);
        self.best.extend_from_slice(r);
        for (_, step, why) in plan.into_iter().filter(|(applies, ..)| *applies) {
            v.copy_from_slice(&self.best[..n]);
            r.copy_from_slice(&self.best[n..]);
            let solver = self.solver(step);
            let method = solver.name();
            let info = match solver.solve(problem, r, v, u) {
                Ok(info) => info,
                Err(error) => {
                    tracing::debug!(method, %error, "refused");
                    SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
                }
            };
            self.trace.push(Attempt { method, why, info, effort: 0.0 });
            // A point whose reactions ran off is no start for anything.
            let ran_off = info.status == Status::NotFound && info.error <= self.settings.tolerance;
            let is_better = best.is_none_or(|best| info.error < best.error || best.error.is_nan());
            if info.status.is_success() || (is_better && !ran_off && info.error.is_finite()) {
                best = Some(info);
                self.best[..n].copy_from_slice(v);
                self.best[n..].copy_from_slice(r);
            }
            if info.status.is_success() {
                break;
            }
        }
        v.copy_from_slice(&self.best[..n]);
        r.copy_from_slice(&self.best[n..]);
        let error = self.measure.of(problem, r, v, u);
        let iterations = self.trace.iter().map(|attempt| attempt.info.iterations).sum();
        let status = best.map_or(Status::NotFound, |best| best.status);
        Ok(SolveInfo { status, iterations, error })
    }

    fn trace(&self) -> &[Attempt] {
        &self.trace
    }
}
