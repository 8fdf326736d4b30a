//! Nonsmooth Gauss-Seidel method. A sweep solves the contacts one after the other. While a contact is solved,
//! the reactions of the other contacts are fixed.

pub(super) mod coloured;
mod coloured_sweep;
mod colouring;
mod contact_blocks;
mod contact_columns;
mod exact;
mod exact_plane;
mod fixed_point;
mod iteration;
mod local;
mod local_newton;
mod observed_law;
mod one_contact;
mod order;
mod packed;
#[cfg(test)]
mod resume_tests;
pub(super) mod rows;
mod settings;
mod velocity_space;

use siconos_linalg::SingularMatrix;

pub use self::coloured::{ColouredGaussSeidel, ColouredGaussSeidelSettings};
pub use self::settings::{Freezing, GaussSeidelSettings, LocalSolver, StoppingTest, SweepOrder};

pub(crate) use self::exact::ExactContact;
pub(crate) use self::exact_plane::solve_plane;
pub(super) use self::iteration::{Measured, SweepResult, iterate};
pub(super) use self::observed_law::SweepWorkspace;
use self::observed_law::Sweeps;
pub(crate) use self::one_contact::HybridContact;
use self::rows::{ContactRows, RowWork};
use self::velocity_space::VelocitySpaceSweeps;
use super::best_iterate::BestIterate;
use super::bodies::{BodiesProblem, BodiesUnits};
use super::law::refuse_infinite_friction;
use super::problem::Form;
use super::scales::Scales;
use super::units::{ProblemScaling, begin};
use super::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::cascade::{Budget, Stage};
use crate::engine::check_solve;
use crate::engine::nsgs::{BlockAccess, SweepRows};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Nonsmooth Gauss-Seidel method, called NSGS in Siconos and NLGS in LMGC90.
///
/// **Problem.** [`ContactProblem`] of any form, with any law. The first diagonal entry of each block must be
/// positive, except for contacts between bodies that no reaction can move.
///
/// **Method.** (1) Sweep over the contacts in the [order](SweepOrder) of the settings. Solve the law of each
/// contact i for $r_i$ with the latest values of all other reactions, by the [local solver](LocalSolver) of
/// the settings, and relax. The sweep sums the violations of the law that it finds before it solves each
/// contact. This sum estimates the error without a product with the matrix. (2) After 1, 2, 4, 8, .. sweeps,
/// and whenever the estimate is near the tolerance, compute the full [`error`](super::error), and stop if it
/// is within the tolerance. The settings can select another [stopping test](StoppingTest). (3) Contacts that
/// have converged can be [frozen](Freezing). (Jourdan, Alart, Jean 1998, section 4; Acary, Bremond, Huber
/// 2018, section 5.1.)
///
/// **Guarantee.** Without friction and with symmetric positive definite W, the method converges, because it
/// is then block Gauss-Seidel for a convex program. With friction, no proof is known. The method converges in
/// most cases, but slowly if there are more contact unknowns than degrees of freedom.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones.
/// `AtRoundingLevel` is explained in [`Status`](crate::Status). With `NotFound`, the reactions are so large
/// that rounding dominates the velocities. With `MaxIterations`, `Stalled` (a sweep over all contacts changes
/// nothing) and `Breakdown` (a value is not finite), r is the best iterate whose error was computed.
/// `iterations` is the number of sweeps.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, NonsmoothGaussSeidel};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// // The free velocity is 1 towards the contact and 2 sideways. The contact slides, because the friction
/// // impulse is at most 0.5.
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = NonsmoothGaussSeidel::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!((r, u), ([1.0, -0.5], [0.0, 1.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "NSGS")]
#[doc(alias = "NLGS")]
#[doc(alias = "SICONOS_FRICTION_3D_NSGS (500)")]
#[doc(alias = "SICONOS_FRICTION_2D_NSGS (400)")]
#[doc(alias = "SICONOS_SOCLCP_NSGS (1100)")]
#[doc(alias = "SICONOS_ROLLING_FRICTION_3D_NSGS (3000)")]
#[doc(alias = "SICONOS_ROLLING_FRICTION_2D_NSGS (4000)")]
#[derive(Clone, Debug, Default)]
pub struct NonsmoothGaussSeidel {
    settings: GaussSeidelSettings,
    rows: ContactRows,
    blocks: BlockAccess,
    starts: Vec<usize>,
    memory: SweepWorkspace,
    old: Vec<f64>,
    best: BestIterate,
    /// `true` if the next solve resumes from the final iterate of the previous solve.
    resumes: bool,
    scales: Scales,
    units: ProblemScaling,
    units_of_bodies: BodiesUnits,
    in_velocities: VelocitySpaceSweeps,
}

impl NonsmoothGaussSeidel {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: GaussSeidelSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Changes the tolerance of subsequent solves. Called by solvers that contain this solver.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.tolerance = tolerance;
    }

    /// Returns the error of the initial guess of the most recent solve, or NaN if it was not computed.
    pub(super) fn error_of_guess(&self) -> f64 {
        self.best.error_of_first()
    }

    /// Reserves memory for reactions with `size` entries.
    pub(super) fn reserve(&mut self, size: usize) {
        self.best.reserve(size);
    }

    /// Makes the next solve resume from the final iterate of the previous solve, which must have failed on
    /// the same problem. Sweeps do not resume from the best iterate, because they could then repeat iterates
    /// that made no progress.
    pub(super) fn resume(&mut self) {
        self.resumes = true;
    }

    fn solve_in_blocks_of<const D: usize>(
        &mut self,
        problem: &DelassusProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        self.rows.prepare::<D>(problem.w());
        let Self { settings, rows, memory, best, scales, .. } = self;
        scales.prepare_from(problem, |row| rows.diagonals()[row * D + row % D]);
        let problem = &problem.with_scales(scales);
        if let Some(info) = begin(problem, scales.immovable(), r, u) {
            return Ok(info);
        }
        let diagonals = || rows.diagonals().chunks_exact(D * D);
        check_diagonal(&problem.law(), scales.immovable(), diagonals())?;
        let sweeps = memory.begin(problem.law(), settings, scales.blocks(), diagonals());
        Ok(rows.with::<D, _>(problem.w(), SweepsOverRows { problem, sweeps, best, r, u }))
    }

    fn solve_in_any_blocks(
        &mut self,
        problem: &DelassusProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let law = problem.law();
        self.starts.clear();
        self.starts.extend((0..law.blocks()).map(|i| law.range(i).start));
        self.starts.push(law.size());
        self.blocks.prepare(problem.w(), &self.starts);
        let Self { settings, blocks, memory, best, old, scales, .. } = self;
        scales.prepare(problem);
        let problem = &problem.with_scales(scales);
        if let Some(info) = begin(problem, scales.immovable(), r, u) {
            return Ok(info);
        }
        let diagonals = || (0..law.blocks()).map(|i| blocks.diagonal(i));
        check_diagonal(&problem.law(), scales.immovable(), diagonals())?;
        let mut sweeps = memory.begin(law, settings, scales.blocks(), diagonals());
        Ok(iterate(
            problem,
            settings.limits(),
            settings.stopping,
            best,
            (r, u),
            |number: usize, estimates: bool, r: &mut [f64]| {
                sweeps.sweep_blocks(problem, blocks, old, number, estimates, r)
            },
        ))
    }

    /// Solves a problem without scaling it.
    pub(super) fn solve_as_it_is(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match problem.law().uniform_dimension() {
            Some(2) => self.solve_in_blocks_of::<2>(problem, (r, u)),
            Some(3) => self.solve_in_blocks_of::<3>(problem, (r, u)),
            Some(5) => self.solve_in_blocks_of::<5>(problem, (r, u)),
            _ => self.solve_in_any_blocks(problem, (r, u)),
        }
    }
}

impl NonsmoothGaussSeidel {
    /// If `resumes` is `true`, overwrites `r` with the final iterate of the previous solve, in the units of
    /// that solve.
    fn begin_at(&self, resumes: bool, r: &mut [f64]) {
        if resumes && self.best.last().len() == r.len() {
            r.copy_from_slice(self.best.last());
        }
    }

    /// Solves a problem with W without scaling it. Starts from the initial guess or from the final iterate of
    /// the previous solve.
    fn solve_from(
        &mut self,
        problem: &DelassusProblem<'_>,
        resumes: bool,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.begin_at(resumes, r);
        self.solve_as_it_is(problem, r, u)
    }

    /// Solves a problem without W, and without scaling it. Starts from the initial guess or from the final
    /// iterate of the previous solve.
    fn solve_in_velocities(
        &mut self,
        problem: &BodiesProblem<'_>,
        resumes: bool,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.begin_at(resumes, r);
        let Self { settings, memory, best, in_velocities, .. } = self;
        match problem.law().uniform_dimension() {
            Some(2) => in_velocities.solve::<2>(problem, settings, memory, best, (r, u)),
            Some(3) => in_velocities.solve::<3>(problem, settings, memory, best, (r, u)),
            _ => in_velocities.solve::<5>(problem, settings, memory, best, (r, u)),
        }
    }
}

/// Returns an error if the first diagonal entry of a contact is not positive, unless the contact is
/// immovable.
fn check_diagonal<'a>(
    law: &ContactLaw<'_>,
    immovable: &[usize],
    diagonals: impl Iterator<Item = &'a [f64]>,
) -> Result<(), SolverError> {
    for (contact, diagonal) in diagonals.enumerate() {
        let pivot = diagonal[0];
        if (pivot.is_nan() || pivot <= 0.0) && !immovable.contains(&contact) {
            let singular = SingularMatrix::Pivot { column: law.range(contact).start, pivot };
            return Err(SolverError::Singular { what: "the diagonal of W", singular });
        }
    }
    Ok(())
}

/// Returns an error if the law does not satisfy the requirements of the local solver. The local solver can
/// require a law with friction or finite coefficients of friction.
pub(super) fn check_local_law(
    solver: &'static str,
    local: LocalSolver,
    law: &ContactLaw<'_>,
) -> Result<(), Unsupported> {
    if local.needs_friction() && !law.has_shift() {
        let takes = "laws of friction with this local solver";
        return Err(Unsupported { solver, found: "second-order cones", takes });
    }
    if local.needs_finite_friction() { refuse_infinite_friction(solver, law) } else { Ok(()) }
}

impl Stage for NonsmoothGaussSeidel {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "nonsmooth-gauss-seidel",
    siconos: "NSGS (400, 500, 605, 1100, 3000), NSGS_WR, NSGSV_WR (600, 601)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Jourdan, Alart, Jean (1998)",
};

impl Solver for NonsmoothGaussSeidel {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.settings.limits()
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        check_local_law(self.name(), self.settings.local, &problem.law())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let resumes = std::mem::take(&mut self.resumes);
        check_solve(problem.q(), r, u)?;
        if problem.size() == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        self.supports(problem)?;
        let is_rolling = matches!(problem.law(), ContactLaw::Rolling { .. });
        let is_uniform = matches!(problem.law().uniform_dimension(), Some(2 | 3 | 5));
        // Only problems with rolling friction are scaled. For the other laws, no local solver combines values
        // with different units.
        match problem.form() {
            Form::Delassus(problem) if !is_rolling => self.solve_from(&problem, resumes, r, u),
            Form::Bodies(problem) if is_uniform && !is_rolling => {
                self.solve_in_velocities(&problem, resumes, r, u)
            }
            Form::Bodies(problem) if is_uniform => {
                let mut units = std::mem::take(&mut self.units_of_bodies);
                let solved = units
                    .solve(&problem, r, u, |problem, r, u| self.solve_in_velocities(problem, resumes, r, u));
                self.units_of_bodies = units;
                solved
            }
            _ => {
                let mut units = std::mem::take(&mut self.units);
                let tolerance = self.settings.tolerance;
                let solved = units
                    .solve(problem, tolerance, r, u, |problem, r, u| self.solve_from(problem, resumes, r, u));
                self.units = units;
                solved
            }
        }
    }
}

/// Arguments of the sweeps of one solve. The rows of W are passed to `run` separately.
struct SweepsOverRows<'a, 'p> {
    problem: &'a DelassusProblem<'p>,
    sweeps: Sweeps<'a>,
    best: &'a mut BestIterate,
    r: &'a mut [f64],
    u: &'a mut [f64],
}

impl<const D: usize> RowWork<D> for SweepsOverRows<'_, '_> {
    type Result = SolveInfo;

    fn run(self, rows: &impl SweepRows<D>) -> SolveInfo {
        let Self { problem, mut sweeps, best, r, u } = self;
        let (limits, stopping) = (sweeps.settings().limits(), sweeps.settings().stopping);
        iterate(problem, limits, stopping, best, (r, u), |number: usize, estimates: bool, r: &mut [f64]| {
            sweeps.sweep_rows(rows, problem.q(), number, estimates, r)
        })
    }
}
