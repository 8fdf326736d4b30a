//! The methods in turn, each from the best point so far.

mod cost;

use serde::{Deserialize, Serialize};
use siconos_linalg::Csc;

use self::cost::{Cost, Step};
use super::mass::Mass;
use super::own_velocities::{Judged, OwnVelocities, Verdict};
use super::units::{GlobalUnits, InOwnUnits, solve_by};
use super::{
    GlobalAdmm, GlobalAdmmSettings, GlobalContact, GlobalGaussSeidel, GlobalGaussSeidelSettings,
    GlobalInteriorPoint, GlobalInteriorPointSettings, GlobalNewton, GlobalNewtonSettings, GlobalProblem,
    GlobalProximalPoint, GlobalProximalPointSettings, Reduced, ReducedSettings,
};
use crate::chain::{Chain, Plan, Start};
use crate::contact::{AutoSettings, ContactMethod};
use crate::effort::EffortLimit;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status};
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
    /// Largest number of operations for one problem. If the local method is an automatic choice, it may spend
    /// a quarter of this limit in the first attempt and half of it in the last, or of its own limit if that
    /// is lower. Other local methods have only a limit on iterations. Default [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for GlobalAutoSettings {
    fn default() -> Self {
        let effort = EffortLimit::default();
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
/// than 32 times the entries of M and H, about, a tenth of the sweeps of [`GlobalGaussSeidel`], and only a
/// hundred where their decay promises no end. (2) [`GlobalInteriorPoint`] and [`GlobalNewton`], up to 300
/// unknowns in the other order. (3) [`GlobalAdmm`], and from there [`GlobalProximalPoint`] and Newton. (4)
/// The rest of the sweeps, from where they stood, and up to 4000 unknowns [`Reduced`]; or where (1) was that,
/// all its iterations. Each but those sweeps starts from the best point so far, and the first success ends
/// it. Methods of (2) and (3) succeed where the velocities $M^{-1} (H r + f)$ of their reactions are a
/// solution as well, provided that M is regular beyond rounding, or go on to tighter tolerances.
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
    verdict: Verdict,
    chain: Chain,
    h: Csc,
}

/// With as many contact unknowns, or fewer, a dense W costs nothing to speak of.
const LARGEST_DENSE: usize = 300;

/// A W with more than that many times the entries of M and H is formed only as a last resort.
const FULL: f64 = 32.0;

/// Up to so many contact unknowns there is room for a full W, where nothing else has helped: 128 MB for
/// itself.
const LARGEST_FULL: usize = 4000;

/// Sweeps after which the decay of their error is looked at.
const FEW_SWEEPS: usize = 50;

/// Share of the iterations that the first attempt gets.
const SHARE_OF_FIRST: usize = 10;

impl Default for GlobalAuto {
    fn default() -> Self {
        Self::of_checked(GlobalAutoSettings::default())
    }
}

/// This method with a part of a limit on effort, or of its own if that is lower.
fn with_part_of_effort(mut local: ContactMethod, effort: &EffortLimit, part: f64) -> ContactMethod {
    if let ContactMethod::Auto(AutoSettings { effort: own, .. }) = &mut local {
        own.operations = part * own.operations.min(effort.operations);
        own.factorisations = part * own.factorisations.min(effort.factorisations);
    }
    local
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
        let GlobalAutoSettings { tolerance, max_iterations, local, effort } = settings.clone();
        let reduced = |max_iterations, part| {
            let local = with_part_of_effort(local.clone(), &effort, part);
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
            verdict: Verdict::default(),
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
        let plan = Plan { why, start: Start::Best, cost, most };
        let method: &mut dyn OwnVelocities = match step {
            Step::Quick => return self.chain.attempt(plan, &mut self.quick, problem, z, u),
            Step::Thorough => return self.chain.attempt(plan, &mut self.thorough, problem, z, u),
            Step::Sweeps(_) => return self.chain.attempt(plan, &mut self.sweeps, problem, z, u),
            Step::Newton => &mut self.newton,
            Step::InteriorPoint => &mut self.interior_point,
            Step::Admm => &mut self.admm,
            Step::ProximalPoint => &mut self.proximal_point,
        };
        let mut link = Judged::new(method, &mut self.verdict);
        self.chain.attempt(plan, &mut link, problem, z, u)
    }

    /// The first sweeps, as many as a tenth of the iterations: a few, a few more, and the rest where the
    /// decay of the error promises an end within it.
    fn first_sweeps(
        &mut self,
        cost: Cost,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let all = self.settings.max_iterations.div_ceil(SHARE_OF_FIRST);
        let few = FEW_SWEEPS.min(all);
        let (mut before, mut left) = (f64::NAN, all);
        for (most, why) in [
            (few, "bodies have many contacts, and W would be full"),
            (few, "how the error falls"),
            (usize::MAX, "an end is in sight"),
        ] {
            let most = most.min(left);
            if most == 0 {
                return None;
            }
            let tried = self.chain.trace().len();
            let found = self.attempt((Step::Sweeps(most), why), cost, problem, z, u);
            if found.is_some() {
                return found;
            }
            let info = self.chain.trace().get(tried)?.info;
            self.sweeps.set_goes_on(true);
            left -= info.iterations.min(left);
            let made = info.iterations as f64;
            let expected = made * (self.settings.tolerance / info.error).ln() / (info.error / before).ln();
            let promises = expected > 0.0 && expected <= left as f64;
            let is_known = !before.is_nan();
            if info.status != Status::MaxIterations || (is_known && !promises) {
                return None;
            }
            before = info.error;
        }
        None
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
        self.verdict.begin();
        let cost = Cost::of(problem);
        self.chain.limit_by(&self.settings.effort, cost.factorisation);
        let is_small = problem.size() <= LARGEST_DENSE;
        let (reduces, sweeps) = self.first_forms(problem);
        let has_room = reduces || sweeps && problem.size() <= LARGEST_FULL;
        let all = self.settings.max_iterations;
        let rest = all - all.div_ceil(SHARE_OF_FIRST);
        let plan = [
            (reduces, Step::Quick, "W is sparse or small"),
            (is_small, Step::Newton, "fast from a good start"),
            (true, Step::InteriorPoint, "few steps, and no start is needed"),
            (!is_small, Step::Newton, "from the best point so far"),
            (true, Step::Admm, "a better start"),
            (true, Step::ProximalPoint, "from that start"),
            (true, Step::Newton, "from the best point so far"),
            (sweeps && rest > 0, Step::Sweeps(rest), "the rest, from where the sweeps stood"),
            (has_room, Step::Thorough, "the local problem, with all iterations"),
        ];
        self.sweeps.set_goes_on(false);
        self.chain.begin_search(z, u, f64::NAN);
        if sweeps && let Some(info) = self.first_sweeps(cost, problem, z, u) {
            return Ok(info);
        }
        for (_, step, why) in plan.into_iter().filter(|(applies, ..)| *applies) {
            if let Some(info) = self.attempt((step, why), cost, problem, z, u) {
                return Ok(info);
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
