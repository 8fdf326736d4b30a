//! The methods in turn, each from the best point so far.

use serde::{Deserialize, Serialize};

use super::consistent::{Consistent, Judge};
use super::mass::Mass;
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{
    GlobalAdmm, GlobalAdmmSettings, GlobalContact, GlobalGaussSeidel, GlobalGaussSeidelSettings,
    GlobalInteriorPoint, GlobalInteriorPointSettings, GlobalNewton, GlobalNewtonSettings, GlobalProblem,
    GlobalProximalPoint, GlobalProximalPointSettings, Reduced, ReducedSettings, proximal_factorisations,
};
use crate::chain::{Chain, Link, Plan, Start};
use crate::contact::{ContactMethod, auto::FACTORISATIONS};
use crate::effort::{EffortLimit, dense_factorisation, sparse_factorisation};
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::Csc;
use crate::method::{Guarantee, Limits, Method, MethodDescription, Solver};

/// Settings of [`GlobalAuto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalAutoSettings {
    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution.
    /// Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations of each first-order method, in its unit. Default 10 000.
    pub max_iterations: usize,
    /// The solver of the local problem. Default that of [`ContactMethod`].
    pub local: ContactMethod,
    /// The work that one problem may cost before the chain ends, beside that of the local method, which has a
    /// limit of its own; of that of an automatic choice it gets a quarter in the first attempt and half in
    /// the last. Default 2e9 operations, or 5000 factorisations where that is more.
    pub effort: EffortLimit,
}

impl Default for GlobalAutoSettings {
    fn default() -> Self {
        let effort = EffortLimit { factorisations: FACTORISATIONS, ..EffortLimit::default() };
        Self { tolerance: 1e-10, max_iterations: 10_000, local: ContactMethod::default(), effort }
    }
}

/// The automatic choice: the local problem where it is sparse or small, or sweeps in the velocities, then
/// Newton, interior points, ADMM and proximal points.
///
/// **Problem.** [`GlobalProblem`] with any law, in any storage.
///
/// **Method.** (1) Where M falls apart into small bodies or there are at most 300 contact unknowns:
/// [`Reduced`] with a tenth of the iterations; but where bodies have so many contacts that W would have more
/// than 32 times the entries of M and H, about, a tenth of the sweeps of [`GlobalGaussSeidel`]. (2)
/// [`GlobalInteriorPoint`] and [`GlobalNewton`], up to 300 unknowns in the other order. (3) [`GlobalAdmm`],
/// and from there [`GlobalProximalPoint`] and Newton. (4) [`Reduced`] with all its iterations, where W is
/// sparse or there are at most 4000 contact unknowns, and the rest of the sweeps of (1). Each starts from the
/// best point so far, sweeps go on from where they stood, and the first success ends it: a point that is one
/// with the velocities $M^{-1} (H r + f)$, where M is regular.
///
/// **Guarantee.** That of the methods.
///
/// **Result.** That of the method that succeeded; if none did, the best point, with `NotFound`, or
/// `EffortSpent` where the limit on effort cut a method short. [`trace`](Solver::trace) tells what was tried.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLawData, GlobalAuto, GlobalContactData};
///
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-1.0, 2.0], array![0.0, 0.0], law)?;
/// let (mut z, mut u) = ([0.0; 4], [0.0; 2]);
/// let mut solver = GlobalAuto::default();
/// assert!(solver.solve(&problem.view(), &mut z, &mut u)?.status.is_success());
/// assert_eq!(z, [1.0, -0.5, 0.0, 0.75]);
/// assert_eq!(solver.trace().len(), 1);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct GlobalAuto {
    units: GlobalUnits,
    settings: GlobalAutoSettings,
    mass: Mass,
    quick: Reduced,
    sweeps: GlobalGaussSeidel,
    newton: GlobalNewton,
    interior_point: GlobalInteriorPoint,
    admm: GlobalAdmm,
    proximal_point: GlobalProximalPoint,
    thorough: Reduced,
    judge: Judge,
    chain: Chain,
    h: Csc,
}

/// With as many contact unknowns, or fewer, a dense W costs nothing to speak of.
const LARGEST_DENSE: usize = 300;

/// A W with more than that many times the entries of M and H is not formed but as a last resort.
const FULL: f64 = 32.0;

/// Up to so many contact unknowns there is room for a full W, where nothing else has helped: 128 MB.
const LARGEST_FULL: usize = 4000;

/// Operations of a contact in a sweep beside the product: the law of one alone.
const OF_CONTACT: f64 = 200.0;

/// Share of the iterations that the first attempt gets.
const SHARE_OF_FIRST: usize = 10;

impl Default for GlobalAuto {
    fn default() -> Self {
        Self::of_checked(GlobalAutoSettings::default())
    }
}

/// What the methods cost on one problem, in operations.
#[derive(Clone, Copy, Debug)]
struct Cost {
    entries: f64,
    /// Of the matrix of velocities and reactions together.
    factorisation: f64,
    /// Of a sweep in the velocities.
    sweep: f64,
    /// Unknowns of contacts.
    unknowns: usize,
}

/// Passes over the entries in a step of ADMM.
const PASSES: f64 = 20.0;

impl Cost {
    fn of(problem: &GlobalProblem<'_>) -> Self {
        let contacts =
            (0..problem.law().blocks()).map(|i| problem.law().range(i).len().pow(2)).sum::<usize>();
        let entries = (problem.m().stored_entries() + 2 * problem.h().stored_entries() + contacts) as f64;
        let dense = dense_factorisation(problem.degrees_of_freedom() + problem.size());
        let factorisation = sparse_factorisation(entries).min(dense);
        let sweep = 4.0 * problem.h().stored_entries() as f64 + OF_CONTACT * problem.law().blocks() as f64;
        Self { entries, factorisation, sweep, unknowns: problem.size() }
    }

    /// The cost of one iteration of a step, and how many it wants. The local method keeps an account of its
    /// own: it counts as the share that each of its iterations may take of the limit.
    fn of_step(self, step: Step, max_iterations: usize) -> (f64, usize) {
        match step {
            Step::Quick | Step::Thorough => (self.entries, max_iterations),
            Step::FirstSweeps => (self.sweep, max_iterations.div_ceil(SHARE_OF_FIRST)),
            Step::AllSweeps => (self.sweep, max_iterations),
            Step::Newton => (self.factorisation, GlobalNewtonSettings::default().max_iterations),
            Step::InteriorPoint => {
                (self.factorisation, GlobalInteriorPointSettings::default().max_iterations)
            }
            Step::Admm => (PASSES * self.entries, max_iterations),
            Step::ProximalPoint => (self.factorisation, proximal_factorisations(self.unknowns)),
        }
    }
}

/// This method with a part of its limit on effort, where it has one.
fn with_part_of_effort(mut local: ContactMethod, part: f64) -> ContactMethod {
    if let ContactMethod::Auto(settings) = &mut local {
        settings.effort.operations *= part;
        settings.effort.factorisations *= part;
    }
    local
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Quick,
    FirstSweeps,
    Newton,
    InteriorPoint,
    Admm,
    ProximalPoint,
    Thorough,
    AllSweeps,
}

impl GlobalAuto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range, also of the local method.
    pub fn new(settings: GlobalAutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        settings.effort.check()?;
        settings.local.build()?;
        Ok(Self::of_checked(settings))
    }

    fn of_checked(settings: GlobalAutoSettings) -> Self {
        let GlobalAutoSettings { tolerance, max_iterations, local, .. } = settings.clone();
        let reduced = |max_iterations, part| {
            let local = with_part_of_effort(local.clone(), part);
            Reduced::of_checked(ReducedSettings { tolerance, max_iterations, local })
        };
        Self {
            quick: reduced(max_iterations.div_ceil(SHARE_OF_FIRST), 0.25),
            sweeps: GlobalGaussSeidel::of_checked(GlobalGaussSeidelSettings {
                tolerance,
                ..Default::default()
            }),
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
            proximal_point: GlobalProximalPoint::of_checked(GlobalProximalPointSettings {
                tolerance,
                ..Default::default()
            }),
            thorough: reduced(max_iterations, 0.5),
            settings,
            units: GlobalUnits::default(),
            mass: Mass::default(),
            judge: Judge::default(),
            chain: Chain::default(),
            h: Csc::default(),
        }
    }

    /// Whether the local problem is the first to be tried, and whether sweeps in the velocities are.
    fn first_forms(&mut self, problem: &GlobalProblem<'_>) -> (bool, bool) {
        if problem.size() <= LARGEST_DENSE {
            return (true, false);
        }
        if !self.mass.is_block_diagonal(problem.m()) {
            return (false, false);
        }
        self.h.copy_from(problem.h(), |_, _| false);
        let entries = self.mass.entries() + self.h.entries();
        let is_full = self.mass.entries_of_delassus(&self.h, &problem.law()) > FULL * entries as f64;
        let sweeps = is_full && self.sweeps.supports(problem).is_ok();
        (!sweeps, sweeps)
    }

    fn attempt(
        &mut self,
        (step, why): (Step, &'static str),
        cost: Cost,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let (cost, most) = cost.of_step(step, self.settings.max_iterations);
        let link: &mut dyn Link<Class = GlobalContact> = match step {
            Step::Quick => &mut self.quick,
            Step::FirstSweeps | Step::AllSweeps => &mut self.sweeps,
            Step::Newton => &mut self.newton,
            Step::InteriorPoint => &mut self.interior_point,
            Step::Admm => &mut self.admm,
            Step::ProximalPoint => &mut self.proximal_point,
            Step::Thorough => &mut self.thorough,
        };
        let plan = Plan { why, start: Start::Best, cost, most };
        if matches!(step, Step::Quick | Step::FirstSweeps | Step::AllSweeps | Step::Thorough) {
            return self.chain.attempt(plan, link, problem, z, u);
        }
        let mut link = Consistent { link, judge: &mut self.judge };
        self.chain.attempt(plan, &mut link, problem, z, u)
    }
}

impl InOwnUnits for GlobalAuto {
    fn units(&mut self) -> &mut GlobalUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.chain.begin();
        self.judge.begin();
        let cost = Cost::of(problem);
        self.chain.limit_by(&self.settings.effort, cost.factorisation);
        let is_small = problem.size() <= LARGEST_DENSE;
        let (reduces, sweeps) = self.first_forms(problem);
        let has_room = reduces || problem.size() <= LARGEST_FULL;
        let plan = [
            (reduces, Step::Quick, "W is sparse or small"),
            (sweeps, Step::FirstSweeps, "bodies have many contacts, and W would be full"),
            (is_small, Step::Newton, "fast from a good start"),
            (true, Step::InteriorPoint, "few steps, and no start is needed"),
            (!is_small, Step::Newton, "from the best point so far"),
            (true, Step::Admm, "a better start"),
            (true, Step::ProximalPoint, "from that start"),
            (true, Step::Newton, "from the best point so far"),
            (has_room, Step::Thorough, "the local problem, with all iterations"),
            (sweeps, Step::AllSweeps, "all iterations, from where the sweeps stood"),
        ];
        self.sweeps.set_goes_on(false);
        self.chain.begin_search(z, u, f64::NAN);
        for (_, step, why) in plan.into_iter().filter(|(applies, ..)| *applies) {
            let tried = self.chain.trace().len();
            if let Some(info) = self.attempt((step, why), cost, problem, z, u) {
                return Ok(info);
            }
            if matches!(step, Step::FirstSweeps) && self.chain.trace().len() > tried {
                self.sweeps.set_goes_on(true);
            }
        }
        Ok(self.chain.finish::<GlobalContact>(problem, z, u))
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("that of the methods it tries"),
    storage: "any",
    reference: "",
};

impl Solver for GlobalAuto {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve_by(self, problem, z, u)
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}
