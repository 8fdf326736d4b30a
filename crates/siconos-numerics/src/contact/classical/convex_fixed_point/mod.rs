//! Fixed-point iteration on the shift. Each iteration solves a convex program over the friction cones.

mod conic_program;

use serde::{Deserialize, Serialize};
use siconos_linalg::norm;

use self::conic_program::ConicProgram;
use super::outer_loop::{Continuation, iterate};
use crate::contact::admm::convex_map_norm;
use crate::contact::best_iterate::{BestIterate, NewtonDamping};
use crate::contact::law::refuse_infinite_friction;
use crate::contact::problem::Form;
use crate::contact::residual::{scale, velocity_of_point};
use crate::contact::spectrum::{mean_diagonal, relative_skewness};
use crate::contact::units::{ProblemScaling, ScaledSolver, solve_by};
use crate::contact::{Admm, AdmmSettings, Contact, ContactProblem, DelassusProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::qp::interior_point::Outcome;

/// Solver of the convex problems.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ConvexSolver {
    /// Interior-point method of the crate `clarabel`, for second-order cones. If its result is not accurate
    /// enough, for example for contacts between sticking and sliding, [`Admm`] continues from this result for
    /// at most 500 steps.
    #[default]
    InteriorPoint,
    /// [`Admm`] with these settings. The tolerance is replaced in each outer iteration.
    Admm(AdmmSettings),
}

/// Settings of [`ConvexFixedPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConvexFixedPointSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of convex problems. Default: 500.
    pub max_iterations: usize,
    /// Tolerance of the convex problem, as a fraction of the outer error. Default: 0.01. Must be in (0, 1).
    pub inner_accuracy: f64,
    /// Solver of the convex problems. Default: [`ConvexSolver::InteriorPoint`].
    pub convex: ConvexSolver,
}

impl Default for ConvexFixedPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 500, inner_accuracy: 0.01, convex: ConvexSolver::default() }
    }
}

/// Fixed-point method of Acary, Cadoux, Lemarechal and Malick.
///
/// **Problem.** [`ContactProblem`] of any form, with any law with finite coefficients. W must be nearly
/// symmetric: if the Frobenius norm of its skew part exceeds 1e-2 times the Frobenius norm of W, the problem
/// is [`Unsupported`]. W may be rank-deficient.
///
/// **Method.** (1) Compute the shift $s_i = \mu_i \lVert u_{T,i} \rVert$ of the current velocity. (2) With
/// this shift fixed, solve the convex problem
///
/// $$ \min_{r \in K} \tfrac12 r^T W r + (q + s e_N)^T r, $$
///
/// as plain text min over r in K of r^T W r / 2 + (q + s e_N)^T r, to an accuracy of `inner_accuracy` times
/// the outer error. The solver is the interior-point method of the crate `clarabel` (Goulart and Chen 2024)
/// or [`Admm`] without shifts. If W is not symmetric, the interior-point method uses the symmetric part of W.
/// The skew part is then applied to the previous reactions: $q + (W - W^T) r / 2$ replaces q. (3) Project r
/// onto the cones, compute the [`error`](crate::contact::error) of the contact problem, and repeat with the
/// new shift. If several iterations make no progress, the change of the shift is damped. (Acary, Cadoux,
/// Lemarechal, Malick 2011, "A formulation of the linear discrete Coulomb friction problem via convex
/// optimization", sections 3 and 4.)
///
/// **Guarantee.** A fixed point exists if some r makes the velocity $W r + q$ lie strictly inside the dual
/// cone (existence theorem of Acary et al.). It is not proven that the iteration finds a fixed point. Without
/// friction, the shift is 0, and further iterations only refine the solution.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `NotFound`, the convex problem has no solution, or the inner solver found none. With `MaxIterations`,
/// `Stalled` (an iteration changes nothing) and `Breakdown` (a value is not finite), r is the best iterate.
/// `iterations` is the number of convex problems.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::ConvexFixedPoint;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = ConvexFixedPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_ACLMFP (516)")]
#[doc(alias = "SICONOS_FRICTION_3D_SOCLCP (517)")]
#[derive(Debug)]
pub struct ConvexFixedPoint {
    units: ProblemScaling,
    settings: ConvexFixedPointSettings,
    program: ConicProgram,
    admm: Admm,
    best: BestIterate,
    shift: Vec<f64>,
    linear: Vec<f64>,
    /// Linear term of the convex problem if the symmetric part of W is used.
    symmetric: Vec<f64>,
    before: Vec<f64>,
    velocity: Vec<f64>,
}

/// Maximum Frobenius norm of the skew part of W, as a fraction of the Frobenius norm of W.
const MOST_SKEW: f64 = 1e-2;

/// Maximum number of ADMM steps to refine a result of the interior-point method.
const MOST_REFINING: usize = 500;

/// W is treated as symmetric if the norm of its skew part is below this fraction of the norm of W.
const ROUNDING: f64 = 1e-15;

/// Minimum tolerance for the interior-point method.
const FINEST: f64 = 1e-15;

/// Maximum tolerance for the interior-point method.
const COARSEST: f64 = 1e-6;

impl ConvexFixedPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range, including the settings of the inner solver.
    pub fn new(settings: ConvexFixedPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_fraction("inner_accuracy", settings.inner_accuracy)?;
        let admm = match &settings.convex {
            ConvexSolver::InteriorPoint => {
                Admm::new(AdmmSettings { max_iterations: MOST_REFINING, ..Default::default() })?
            }
            ConvexSolver::Admm(inner) => Admm::new(inner.clone())?,
        };
        Ok(Self {
            settings,
            admm,
            program: ConicProgram::default(),
            best: BestIterate::default(),
            units: ProblemScaling::default(),
            shift: Vec::new(),
            linear: Vec::new(),
            symmetric: Vec::new(),
            before: Vec::new(),
            velocity: Vec::new(),
        })
    }

    fn check_symmetry(skewness: f64) -> Result<(), Unsupported> {
        if skewness <= MOST_SKEW {
            Ok(())
        } else {
            Err(Unsupported {
                solver: DESCRIPTION.name,
                found: "a matrix that is not nearly symmetric",
                takes: "matrices whose skew-symmetric part is at most 1e-2 of the matrix",
            })
        }
    }

    /// Solves the convex problem for the current linear term. The residual of the result is at most
    /// `accuracy` \[m/s\]. Returns `false` if the solver fails. If `splits` is `true`, the interior-point
    /// method uses the symmetric part of W, and the skew part is applied to the reactions in `r`.
    fn solve_convex(
        &mut self,
        problem: &DelassusProblem<'_>,
        accuracy: f64,
        splits: bool,
        r: &mut [f64],
    ) -> Result<bool, SolverError> {
        let size = norm(&self.linear);
        if size == 0.0 {
            // If the linear term is zero, the minimum of the quadratic form is at 0.
            r.fill(0.0);
            return Ok(true);
        }
        let w = problem.w();
        let convex = DelassusProblem::new(w.reborrow(), &self.linear, problem.law());
        self.velocity.clear();
        self.velocity.resize(r.len(), 0.0);
        if self.settings.convex == ConvexSolver::InteriorPoint {
            // The interior-point method tests the duality gap, which is proportional to the square of the
            // distance from the solution.
            let tolerance = (accuracy / size).powi(2).clamp(FINEST, COARSEST);
            self.before.clear();
            self.before.extend_from_slice(r);
            self.symmetric.clear();
            self.symmetric.extend_from_slice(&self.linear);
            if splits {
                problem.w().add_product(0.5, r, &mut self.symmetric);
                problem.w().add_transposed_product(-0.5, r, &mut self.symmetric);
            }
            let answer = self.program.solve(&self.symmetric, size, tolerance, r);
            if !matches!(answer.outcome, Outcome::Point | Outcome::MaxIterations) {
                r.copy_from_slice(&self.before);
                return Ok(false);
            }
            problem.law().project_all(r);
            velocity_of_point(&convex, r, &mut self.velocity);
            if convex_map_norm(&convex, r, &self.velocity, &mut self.before) <= accuracy {
                return Ok(true);
            }
        }
        self.admm.solve_convex(&convex, accuracy, r, &mut self.velocity)?;
        Ok(true)
    }
}

impl Default for ConvexFixedPoint {
    fn default() -> Self {
        Self::new(ConvexFixedPointSettings::default()).expect("the default settings are in their ranges")
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "convex-fixed-point",
    siconos: "ACLMFP (516)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any, W nearly symmetric",
    reference: "Acary, Cadoux, Lemarechal, Malick (2011)",
};

impl Solver for ConvexFixedPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        // If the bodies are given, W is symmetric if M is symmetric.
        let matrix = match problem.form() {
            Form::Delassus(problem) => problem.w(),
            Form::Bodies(problem) => problem.m(),
        };
        Self::check_symmetry(relative_skewness(matrix))
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

impl ScaledSolver for ConvexFixedPoint {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let skewness = relative_skewness(problem.w());
        Self::check_symmetry(skewness)?;
        let splits = skewness > ROUNDING;
        let (law, tolerance) = (problem.law(), self.settings.tolerance);
        let limits = Limits { tolerance, max_iterations: self.settings.max_iterations };
        if self.settings.convex == ConvexSolver::InteriorPoint {
            let unit = mean_diagonal(problem.w(), &mut self.linear);
            self.program.prepare(problem, unit);
        }
        self.shift.clear();
        let (mut damping, mut best) = (NewtonDamping::default(), std::mem::take(&mut self.best));
        let ended = iterate(problem, limits, &mut best, (r, u), |error, r, u| {
            if self.shift.is_empty() {
                self.shift.extend((0..law.blocks()).map(|block| law.shift(block, &u[law.range(block)])));
            }
            // Step (1): compute the linear term for the current shift.
            let weight = damping.next(error);
            self.linear.clear();
            self.linear.extend_from_slice(problem.q());
            for (block, shift) in self.shift.iter_mut().enumerate() {
                let range = law.range(block);
                *shift += weight * (law.shift(block, &u[range.clone()]) - *shift);
                self.linear[range.start] += *shift;
            }
            // Step (2): solve the convex problem.
            let accuracy = self.settings.inner_accuracy * error.max(tolerance) * scale(problem);
            if !self.solve_convex(problem, accuracy, splits, r)? {
                return Ok(Continuation::End(Status::NotFound));
            }
            // Step (3): project the reactions onto the cones.
            law.project_all(r);
            Ok(if weight == 1.0 { Continuation::ContinueIfChanged } else { Continuation::Continue })
        });
        self.best = best;
        ended
    }
}
