//! Gauss-Seidel sweeps in colour order. Contacts that are not coupled are solved in parallel.

use serde::{Deserialize, Serialize};

use super::coloured_sweep::{PackedContacts, is_worth_sharing, splits};
use super::colouring::Colouring;
use super::contact_blocks::ContactBlocks;
use super::iteration::iterate;
use super::local::{LocalData, LocalSolverKind};
use super::packed::{MOST_CONTACTS, PackedRows};
use super::settings::{GaussSeidelSettings, LocalSolver};
use super::{check_diagonal, check_local_law};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::problem::Form;
use crate::contact::scales::Scales;
use crate::contact::units::{ProblemScaling, begin};
use crate::contact::{Contact, ContactLaw, ContactProblem, DelassusProblem};
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`ColouredGaussSeidel`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColouredGaussSeidelSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of sweeps. Default: 10 000.
    pub max_iterations: usize,
    /// Number of threads. Default: 0, which means one thread per logical processor of the machine.
    pub threads: usize,
    /// Solver of the one-contact problem. Default: [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// See [`GaussSeidelSettings::local_tolerance`]. Default: 1e-12. Must be positive.
    pub local_tolerance: f64,
    /// See [`GaussSeidelSettings::local_iterations`]. Default: 50. Must be at least 1.
    pub local_iterations: usize,
    /// See [`GaussSeidelSettings::relaxation`]. Default: 1. Must be in (0, 2).
    pub relaxation: f64,
}

impl Default for ColouredGaussSeidelSettings {
    fn default() -> Self {
        let GaussSeidelSettings {
            tolerance,
            max_iterations,
            local,
            local_tolerance,
            local_iterations,
            relaxation,
            ..
        } = GaussSeidelSettings::default();
        Self { tolerance, max_iterations, threads: 0, local, local_tolerance, local_iterations, relaxation }
    }
}

impl ColouredGaussSeidelSettings {
    /// Returns the corresponding settings of the sequential method.
    fn sequential(&self) -> GaussSeidelSettings {
        let Self { tolerance, max_iterations, local, local_tolerance, local_iterations, relaxation, .. } =
            *self;
        GaussSeidelSettings {
            tolerance,
            max_iterations,
            local,
            local_tolerance,
            local_iterations,
            relaxation,
            ..GaussSeidelSettings::default()
        }
    }
}

/// Nonsmooth Gauss-Seidel method on several threads.
///
/// **Problem.** [`ContactProblem`] of any form, with blocks of 2, 3 or 5 components. The first diagonal entry
/// of each block must be positive, except for contacts between bodies that no reaction can move.
///
/// **Method.** (1) Colour the contacts so that no two contacts of one colour are coupled. In ascending order,
/// each contact gets the lowest colour that none of its neighbours has (Welsh and Powell 1967). The colours
/// depend only on the block pattern of W, and are kept until the pattern changes. (2) Copy the rows of W in
/// colour order, so that a sweep reads memory sequentially. (3) Sweep over the colours one after the other.
/// All contacts of a colour are solved in parallel from the same reactions. Because they are not coupled,
/// this is a Gauss-Seidel sweep in colour order. (4) Apply the stopping test of
/// [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel). (Multicolour orderings: Saad 2003, section 12.4.
/// For contacts: Renouf, Dubois, Alart 2004, "A parallel version of the non smooth contact dynamics algorithm
/// applied to the simulation of granular media", who distribute the contacts over threads without colours.)
///
/// **Guarantee.** The method has the guarantee of the sequential method. The reactions are bit-identical on
/// any number of threads, because no contact reads a value that another contact of its colour writes, and
/// because sums are computed over fixed groups of 64 contacts. Results do not depend on earlier solves.
///
/// **Cost.** The solver stores a copy of the blocks of W. Each solve rewrites this copy, at the cost of two
/// or three sweeps. Colours with fewer than 128 contacts are solved on one thread.
///
/// **Memory.** On one thread, a solve does not allocate if an earlier problem was at least as large. On
/// several threads, the queue of the thread pool allocates a block of memory every few dozen solves. For two
/// kinds of W, every solve allocates a copy of W: block matrices whose blocks differ from the contacts, and
/// matrices stored by columns with rolling friction.
///
/// **Result.** The result has the form of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel). The number
/// of sweeps differs, because the contacts are visited in another order. Several threads reduce the time if
/// there are at least a few thousand contacts. A matrix without zeros couples all contacts, so each contact
/// has its own colour, and nothing is solved in parallel.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{
///     ColouredGaussSeidel, ColouredGaussSeidelSettings, ContactLaw, ContactProblem,
/// };
///
/// let settings = ColouredGaussSeidelSettings { threads: 2, ..Default::default() };
/// let w = array![1.0, 1.0, 2.0, 2.0];
/// let w = siconos_linalg::Matrix::from(w);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5, 0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0, -1.0, 0.1], law)?;
/// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
/// let info = ColouredGaussSeidel::new(settings)?.solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!(r, [1.0, -0.5, 0.5, -0.05]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_NSGS_OPENMP (571)")]
#[doc(alias = "SICONOS_FRICTION_3D_NSGS_GRAPH (530)")]
#[derive(Debug, Default)]
pub struct ColouredGaussSeidel {
    settings: ColouredGaussSeidelSettings,
    /// Thread pool. It is created by the first solve of a problem that is large enough for several threads.
    pool: Option<rayon::ThreadPool>,
    blocks: ContactBlocks,
    colouring: Colouring,
    rows: PackedRows,
    contacts: PackedContacts,
    local: LocalData,
    best: BestIterate,
    scales: Scales,
    units: ProblemScaling,
}

impl ColouredGaussSeidel {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: ColouredGaussSeidelSettings) -> Result<Self, SettingsError> {
        settings.sequential().check()?;
        Ok(Self { settings, ..Self::default() })
    }

    fn solve_in_blocks_of<const D: usize>(
        &mut self,
        problem: &DelassusProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let Self { settings, pool, blocks, colouring, rows, contacts, local, best, scales, .. } = self;
        let w = problem.w();
        let blocks = blocks.of::<D>(&w);
        if colouring.prepare(blocks.firsts, blocks.columns) {
            rows.plan(blocks, colouring);
        }
        rows.fill::<D>(blocks.values);
        let (rows, colouring) = (&*rows, &*colouring);
        let diagonal = |contact| &rows.diagonals()[colouring.place(contact) * D * D..][..D * D];
        scales.prepare_from(problem, |row| diagonal(row / D)[row % D * (D + 1)]);
        let problem = &problem.with_scales(scales);
        if let Some(info) = begin(problem, scales.immovable(), r, u) {
            return Ok(info);
        }
        let kind = LocalSolverKind::of(settings.local, problem.law());
        check_diagonal(&problem.law(), scales.immovable(), (0..problem.law().blocks()).map(diagonal))?;
        local.prepare(kind, rows.diagonals().chunks_exact(D * D));
        contacts.take(problem, scales.blocks(), colouring, r);
        let pool = pool_for(settings.threads, colouring, pool);
        let splits = pool.map_or(0, |pool| splits(pool.current_num_threads()));
        let settings = settings.sequential();
        let sweeps = contacts.sweeps::<D>(problem.law(), rows, colouring, splits, |law| {
            (local.solver(kind, law, settings.local_limits()), settings.relaxation)
        });
        let solve = || iterate(problem, settings.limits(), settings.stopping, best, (r, u), sweeps);
        // The pool is entered once for all sweeps, because entering it costs as much as solving a hundred
        // contacts.
        Ok(match pool {
            Some(pool) => pool.install(cancellation::carry(solve)),
            None => solve(),
        })
    }

    /// Solves a problem without scaling it.
    fn solve_as_it_is(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match problem.law().uniform_dimension() {
            Some(2) => self.solve_in_blocks_of::<2>(problem, (r, u)),
            Some(3) => self.solve_in_blocks_of::<3>(problem, (r, u)),
            _ => self.solve_in_blocks_of::<5>(problem, (r, u)),
        }
    }
}

/// Returns the thread pool, or `None` if the problem is too small for several threads.
fn pool_for<'a>(
    threads: usize,
    colouring: &Colouring,
    pool: &'a mut Option<rayon::ThreadPool>,
) -> Option<&'a rayon::ThreadPool> {
    if threads == 1 || !is_worth_sharing(colouring.largest()) {
        return None;
    }
    if pool.is_none() {
        // If no threads can be created, the method runs on the calling thread.
        *pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
    }
    pool.as_ref().filter(|pool| pool.current_num_threads() > 1)
}

impl Stage for ColouredGaussSeidel {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "coloured-gauss-seidel",
    siconos: "NSGS over a coloured graph (530), OpenMP (571)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite])
        .only(Scope::WithoutFriction)
        .and("the same bits on any number of threads"),
    storage: "any",
    reference: "Saad (2003), section 12.4",
};

impl Solver for ColouredGaussSeidel {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        let solver = DESCRIPTION.name;
        check_local_law(solver, self.settings.local, &problem.law())?;
        match problem.law().uniform_dimension() {
            Some(2 | 3 | 5) if problem.law().blocks() <= MOST_CONTACTS => Ok(()),
            Some(2 | 3 | 5) => Err(Unsupported {
                solver,
                found: "this number of contacts",
                takes: "at most 2^32 - 1 contacts",
            }),
            _ if problem.size() == 0 => Ok(()),
            _ => Err(Unsupported {
                solver,
                found: "cones of these sizes",
                takes: "contacts, and cones of 2, 3 or 5 components each",
            }),
        }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), r, u)?;
        if problem.size() == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        self.supports(problem)?;
        if let Form::Delassus(problem) = problem.form()
            && !matches!(problem.law(), ContactLaw::Rolling { .. })
        {
            return self.solve_as_it_is(&problem, r, u);
        }
        let mut units = std::mem::take(&mut self.units);
        let tolerance = self.settings.tolerance;
        let solved =
            units.solve(problem, tolerance, r, u, |problem, r, u| self.solve_as_it_is(problem, r, u));
        self.units = units;
        solved
    }
}
