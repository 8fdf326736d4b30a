//! Method of Panagiotopoulos, which alternates between two problems: the normal reactions with fixed
//! friction, and the friction with fixed normal reactions.

use serde::{Deserialize, Serialize};
use siconos_linalg::{Csc, MatrixRef, square};

use super::tresca::alternation::{Alternation, NormalStep};
use super::tresca::cylinder::Cylinders;
use super::tresca::{check_diagonal, takes_friction};
use crate::contact::best_iterate::BestIterate;
use crate::contact::gauss_seidel::rows::ContactRows;
use crate::contact::residual::velocity_of_point;
use crate::contact::units::{ProblemScaling, ScaledSolver, solve_by};
use crate::contact::{Contact, ContactProblem, DelassusProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::lcp::{Auto, AutoSettings, LcpProblem, ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Solver of the normal problem, which is a linear complementarity problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NormalSolver {
    /// [`Auto`], the automatic choice of the module [`crate::lcp`].
    #[default]
    Auto,
    /// Projected Gauss-Seidel method with the previous normal reactions as initial guess.
    ProjectedGaussSeidel,
}

/// Settings of [`PanagiotopoulosFixedPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PanagiotopoulosSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of alternations. Default: 1000.
    pub max_iterations: usize,
    /// Maximum number of sweeps for the tangential problem of one alternation. Default: 1000.
    pub max_sweeps: usize,
    /// Tolerance of the tangential problem, as a fraction of the outer error. Default: 0.1. Must be in (0,
    /// 1).
    pub inner_accuracy: f64,
    /// Solver of the normal problem. Default: [`NormalSolver::Auto`].
    pub normal: NormalSolver,
}

impl Default for PanagiotopoulosSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 1000,
            max_sweeps: 1000,
            inner_accuracy: 0.1,
            normal: NormalSolver::default(),
        }
    }
}

/// Method that alternates between a normal problem and a tangential problem.
///
/// **Problem.** [`ContactProblem`] of any form, with Coulomb or rolling friction. The first entry of each
/// diagonal block of W must be positive.
///
/// **Method.** (1) With $r_T$ fixed, solve the normal problem
/// $0 \le r_N \perp W_{NN} r_N + (q_N + W_{NT} r_T) \ge 0$ with a solver of [`crate::lcp`]. (2) With $r_N$
/// fixed, solve the tangential problem: $\lVert r_T \rVert \le \mu r_N$, and $r_T$ is opposed to the
/// tangential velocity. If W is symmetric, this is a convex program over discs. It is solved by Gauss-Seidel
/// sweeps of projected gradient steps, until the norm of the natural map of the tangential problem is below
/// `inner_accuracy` times the outer error. (3) Compute the [`error`](crate::contact::error) of the contact
/// problem, and alternate until it is within the tolerance. If several alternations make no progress, the
/// change of the bounds $\mu r_N$ is damped. (Panagiotopoulos 1975, "A nonlinear programming approach to the
/// unilateral contact- and friction-boundary value problem in the theory of elasticity"; Acary, Bremond,
/// Huber 2018, section 4.)
///
/// **Guarantee.** None in general. For symmetric positive definite W with a weak coupling $W_{NT}$ and small
/// $\mu$, the alternation is a contraction. If $W_{NT} = 0$, the normal problem is solved once, and further
/// alternations only refine the tangential reactions.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (an alternation changes nothing) and `Breakdown` (a value is not finite), r is
/// the best iterate. `iterations` is the number of alternations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::PanagiotopoulosFixedPoint;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = PanagiotopoulosFixedPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!((r, u), ([1.0, -0.5], [0.0, 1.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_PFP (522)")]
#[derive(Debug)]
pub struct PanagiotopoulosFixedPoint {
    units: ProblemScaling,
    settings: PanagiotopoulosSettings,
    rows: ContactRows,
    cylinders: Cylinders,
    best: BestIterate,
    normal: NormalProblem,
}

/// Normal problem, with the solvers for it and their workspace.
#[derive(Debug, Default)]
struct NormalProblem {
    auto: Auto,
    sweeps: ProjectedGaussSeidel,
    entries: Vec<f64>,
    all: Csc,
    sparse: Csc,
    is_sparse: bool,
    q: Vec<f64>,
    z: Vec<f64>,
    old: Vec<f64>,
    velocity: Vec<f64>,
}

/// Tolerance of the normal problem, as a fraction of the tolerance of the outer method.
const NORMAL_ACCURACY: f64 = 1e-2;

impl NormalProblem {
    fn new(settings: &PanagiotopoulosSettings) -> Result<Self, SettingsError> {
        let tolerance = (NORMAL_ACCURACY * settings.tolerance).max(f64::EPSILON);
        Ok(Self {
            auto: Auto::new(AutoSettings { tolerance, ..Default::default() })?,
            sweeps: ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings {
                tolerance,
                max_iterations: settings.max_sweeps,
                ..Default::default()
            })?,
            ..Self::default()
        })
    }

    /// Extracts the normal rows and columns of W, which are every `stride`-th row and column.
    fn prepare(&mut self, w: MatrixRef<'_>, stride: usize) {
        self.is_sparse = !matches!(w, MatrixRef::Dense(_));
        match w {
            MatrixRef::Dense(a) => {
                self.entries.clear();
                let rows = a.rows().into_iter().step_by(stride);
                rows.for_each(|row| self.entries.extend(row.iter().step_by(stride)));
            }
            _ => {
                self.all.copy_from(w, |_, _| false);
                self.sparse.copy_strided(&self.all, stride);
            }
        }
    }

    /// Solves for the normal reactions in `r`, with the tangential reactions fixed. Returns `true` if the
    /// normal reactions changed. `part` is workspace.
    fn solve(
        &mut self,
        problem: &DelassusProblem<'_>,
        stride: usize,
        solver: NormalSolver,
        r: &mut [f64],
        part: &mut [f64],
    ) -> Result<bool, SolverError> {
        self.z.clear();
        self.z.extend(r.iter().step_by(stride));
        self.old.clear();
        self.old.extend_from_slice(&self.z);
        r.iter_mut().step_by(stride).for_each(|r| *r = 0.0);
        velocity_of_point(problem, r, part);
        self.q.clear();
        self.q.extend(part.iter().step_by(stride));
        self.velocity.clear();
        self.velocity.resize(self.q.len(), 0.0);
        let m = if self.is_sparse {
            MatrixRef::Csc(&self.sparse)
        } else {
            MatrixRef::Dense(square(&self.entries, self.q.len()))
        };
        let normal = LcpProblem::new(m, &self.q)?;
        let info = match solver {
            NormalSolver::Auto => self.auto.solve(&normal, &mut self.z, &mut self.velocity)?,
            NormalSolver::ProjectedGaussSeidel => {
                self.sweeps.solve(&normal, &mut self.z, &mut self.velocity)?
            }
        };
        tracing::trace!(status = ?info.status, error = info.error, "normal problem");
        r.iter_mut().step_by(stride).zip(&self.z).for_each(|(r, z)| *r = z.max(0.0));
        Ok(self.z != self.old)
    }
}

impl PanagiotopoulosFixedPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not positive, or if the inner accuracy is not in (0, 1).
    pub fn new(settings: PanagiotopoulosSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_fraction("inner_accuracy", settings.inner_accuracy)?;
        Ok(Self {
            units: ProblemScaling::default(),
            normal: NormalProblem::new(&settings)?,
            settings,
            rows: ContactRows::default(),
            cylinders: Cylinders::default(),
            best: BestIterate::default(),
        })
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
        self.normal.prepare(problem.w(), D);
        let limits = self.limits();
        let Self { settings, rows, cylinders, best, normal, .. } = self;
        let PanagiotopoulosSettings { max_sweeps, inner_accuracy, normal: solver, .. } = *settings;
        let mut solve_normal = |r: &mut [f64], part: &mut [f64]| normal.solve(problem, D, solver, r, part);
        let normal: Option<&mut NormalStep<'_>> = Some(&mut solve_normal);
        let work = Alternation { problem, limits, max_sweeps, inner_accuracy, cylinders, best, normal, r, u };
        rows.with::<D, _>(problem.w(), work)
    }
}

impl Default for PanagiotopoulosFixedPoint {
    fn default() -> Self {
        Self::new(PanagiotopoulosSettings::default()).expect("the default settings are in their ranges")
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "panagiotopoulos",
    siconos: "PFP (522)",
    guarantee: Guarantee::in_words("W without coupling of normal and tangential"),
    storage: "any",
    reference: "Panagiotopoulos (1975)",
};

impl Solver for PanagiotopoulosFixedPoint {
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

impl ScaledSolver for PanagiotopoulosFixedPoint {
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
