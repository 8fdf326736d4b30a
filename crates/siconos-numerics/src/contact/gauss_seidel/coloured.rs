//! Gauss-Seidel over colours: contacts that are not coupled are solved at the same time.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::colouring::Colouring;
use super::iteration::{Swept, iterate};
use super::local::{Kind, Local, LocalData, Memory};
use super::observed_law::relax;
use super::rows::{ContactRows, RowWork};
use super::settings::{GaussSeidelSettings, LocalSolver};
use super::{check_local, prepare_local};
use crate::contact::best_iterate::BestIterate;
use crate::contact::scales::{BlockScale, Scales};
use crate::contact::units::{OwnUnits, begin};
use crate::contact::violation::violation_square;
use crate::contact::{Contact, ContactLaw, ContactProblem};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::nsgs::SweepRows;

/// Settings of [`ColouredGaussSeidel`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColouredGaussSeidelSettings {
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// Threads; 0 takes as many as the machine has. Default 0.
    pub threads: usize,
    /// The solver of one contact. Default [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// See [`GaussSeidelSettings::local_tolerance`]. Default 1e-12, above 0.
    pub local_tolerance: f64,
    /// See [`GaussSeidelSettings::local_iterations`]. Default 50, at least 1.
    pub local_iterations: usize,
    /// See [`GaussSeidelSettings::relaxation`]. Default 1, in (0, 2).
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
    /// These settings for the sequential method.
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

/// Nonsmooth Gauss-Seidel on several threads.
///
/// **Problem.** [`ContactProblem`] in any storage, with blocks of 2, 3 or 5 components and a positive first
/// diagonal entry in each.
///
/// **Method.** (1) Colour the contacts so that no two of one colour are coupled: each in turn gets the first
/// colour that none of its neighbours has (Welsh and Powell 1967). (2) Sweep: colour after colour, solve all
/// contacts of the colour from the same reactions, on as many threads as there are, then write their new
/// reactions. That is a Gauss-Seidel sweep in the order of the colours. (3) The stopping test of
/// [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel). (Multicolour orderings: Saad 2003, section 12.4;
/// for contacts Renouf, Dubois, Alart 2004, "A parallel version of the non smooth contact dynamics algorithm
/// applied to the simulation of granular media", who divide them among threads without colours.)
///
/// **Guarantee.** That of the sequential method. The reactions are the same to the last bit on any number of
/// threads: no contact reads what another one of its colour writes, and sums are formed in the order of the
/// contacts.
///
/// **Result.** As [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel). It pays from some thousand contacts
/// on; a matrix without zeros couples all contacts, and each has a colour of its own.
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
/// let w = siconos_numerics::linalg::Matrix::from(w);
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
    /// Made at the first solve.
    pool: Option<rayon::ThreadPool>,
    rows: ContactRows,
    colouring: Colouring,
    local: LocalData,
    outcomes: Outcomes,
    best: BestIterate,
    scales: Scales,
    units: OwnUnits,
}

/// The memory for the contacts of one colour, by the size of a block.
#[derive(Debug, Default)]
struct Outcomes {
    plane: Vec<Outcome<2>>,
    space: Vec<Outcome<3>>,
    rolling: Vec<Outcome<5>>,
}

/// What a thread hands over of one contact.
#[derive(Clone, Copy, Debug)]
struct Outcome<const D: usize> {
    r: [f64; D],
    state: f64,
    estimate: f64,
}

/// The fewest contacts that are worth handing to a thread.
const FEWEST: usize = 64;

impl ColouredGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: ColouredGaussSeidelSettings) -> Result<Self, SettingsError> {
        settings.sequential().check()?;
        Ok(Self { settings, ..Self::default() })
    }

    fn solve_in_blocks_of<const D: usize>(
        &mut self,
        problem: &ContactProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
        outcomes: impl FnOnce(&mut Outcomes) -> &mut Vec<Outcome<D>>,
    ) -> Result<SolveInfo, SolverError> {
        let law = problem.law();
        let kind = Kind::of(self.settings.local, law);
        self.rows.prepare::<D>(problem.w());
        let Self { settings, pool, rows, colouring, local, outcomes: memory, best, scales, .. } = self;
        scales.prepare_from(problem, |row| rows.diagonals()[row * D + row % D]);
        let problem = &problem.with_scales(scales);
        if let Some(info) = begin(problem, scales.immovable(), r, u) {
            return Ok(info);
        }
        prepare_local(local, kind, problem, rows.diagonals().chunks_exact(D * D))?;
        colouring.prepare(problem.w(), D);
        // Without threads of its own the method works on the thread that calls.
        let threads = settings.threads;
        if pool.is_none() && threads != 1 {
            *pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        }
        let settings = settings.sequential();
        let (local, states) = local.solver(kind, law, settings.local_limits());
        let outcomes = outcomes(memory);
        let scales = scales.blocks();
        let sweeps =
            ColouredSweeps { problem, scales, settings, colouring, local, states, outcomes, best, r, u };
        let pool = pool.as_ref();
        Ok(rows.with::<D, _>(problem.w(), InPool { pool, sweeps }))
    }

    /// Solves a problem in the units in which it is.
    fn solve_as_it_is(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        match problem.law().uniform_dimension() {
            Some(2) => self.solve_in_blocks_of::<2>(problem, (r, u), |memory| &mut memory.plane),
            Some(3) => self.solve_in_blocks_of::<3>(problem, (r, u), |memory| &mut memory.space),
            _ => self.solve_in_blocks_of::<5>(problem, (r, u), |memory| &mut memory.rolling),
        }
    }
}

/// What a table says of the method.
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
        check_local(solver, self.settings.local, problem)?;
        match problem.law().uniform_dimension() {
            Some(2 | 3 | 5) => Ok(()),
            _ if problem.size() == 0 => Ok(()),
            _ => Err(Unsupported {
                solver,
                found: "cones of other sizes",
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
        if !matches!(problem.law(), ContactLaw::Rolling { .. }) {
            return self.solve_as_it_is(problem, r, u);
        }
        let mut units = std::mem::take(&mut self.units);
        let own = (problem, self.settings.tolerance);
        let solved = units.solve(own, r, u, |problem, r, u| self.solve_as_it_is(problem, r, u));
        self.units = units;
        solved
    }
}

/// The sweeps of one solve.
struct ColouredSweeps<'a, 'p, const D: usize> {
    problem: &'a ContactProblem<'p>,
    scales: &'a [BlockScale],
    settings: GaussSeidelSettings,
    colouring: &'a Colouring,
    local: Local<'a>,
    states: &'a mut [f64],
    outcomes: &'a mut Vec<Outcome<D>>,
    best: &'a mut BestIterate,
    r: &'a mut [f64],
    u: &'a mut [f64],
}

/// A sweep over the colours on the threads of a pool.
struct InPool<'a, 'p, const D: usize> {
    pool: Option<&'a rayon::ThreadPool>,
    sweeps: ColouredSweeps<'a, 'p, D>,
}

impl<const D: usize> RowWork<D> for InPool<'_, '_, D> {
    type Result = SolveInfo;

    fn run(self, rows: &(impl SweepRows<D> + Sync)) -> SolveInfo {
        let ColouredSweeps { problem, scales, settings, colouring, local, states, outcomes, best, r, u } =
            self.sweeps;
        let pool = self.pool;
        iterate(problem, settings.limits(), settings.stopping, best, (r, u), |_, estimates, r| {
            let one = OneContact { problem, scales, relaxation: settings.relaxation, local, estimates };
            let mut swept = Swept { all: true, ..Swept::default() };
            for members in colouring.colours() {
                outcomes.clear();
                outcomes.resize(members.len(), Outcome { r: [0.0; D], state: 0.0, estimate: 0.0 });
                let task = |memory: &mut Memory, (outcome, &contact): (&mut Outcome<D>, &usize)| {
                    *outcome = one.solve(contact, rows, states[contact], r, memory);
                };
                match pool {
                    Some(pool) if members.len() >= 2 * FEWEST => pool.install(|| {
                        let pairs = outcomes.par_iter_mut().with_min_len(FEWEST).zip(members);
                        pairs.for_each_init(Memory::default, task);
                    }),
                    _ => {
                        let mut memory = Memory::default();
                        outcomes.iter_mut().zip(members).for_each(|pair| task(&mut memory, pair));
                    }
                }
                for (outcome, &contact) in outcomes.iter().zip(members) {
                    let old = &mut r[contact * D..(contact + 1) * D];
                    swept.change += old.iter().zip(&outcome.r).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                    swept.estimate += outcome.estimate;
                    old.copy_from_slice(&outcome.r);
                    states[contact] = outcome.state;
                }
            }
            swept.change = swept.change.sqrt();
            swept
        })
    }
}

/// What a thread needs beside the rows to solve a contact.
struct OneContact<'a, 'p> {
    problem: &'a ContactProblem<'p>,
    scales: &'a [BlockScale],
    relaxation: f64,
    local: Local<'a>,
    estimates: bool,
}

impl OneContact<'_, '_> {
    #[inline]
    fn solve<const D: usize>(
        &self,
        contact: usize,
        rows: &impl SweepRows<D>,
        mut state: f64,
        r: &[f64],
        memory: &mut Memory,
    ) -> Outcome<D> {
        let range = contact * D..(contact + 1) * D;
        let old: [f64; D] = std::array::from_fn(|k| r[range.start + k]);
        let (whole, diagonal) = (rows.row_product(contact, r), rows.diagonal(contact));
        let own = diagonal.mul_vector(&old);
        let q = &self.problem.q()[range];
        let b: [f64; D] = std::array::from_fn(|k| q[k] + (whole[k] - own[k]));
        let w: [f64; D] = std::array::from_fn(|k| q[k] + whole[k]);
        let law = self.problem.law();
        let scale = self.scales[contact];
        let estimate = if self.estimates { violation_square(&law, contact, scale, &old, &w) } else { 0.0 };
        let mut z = self.local.solve_fixed(contact, &diagonal, (&b, &w), &old, (&mut state, memory));
        relax(&law, contact, self.relaxation, &old, &mut z);
        Outcome { r: z, state, estimate }
    }
}
