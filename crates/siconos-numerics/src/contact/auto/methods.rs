//! Methods of the automatic choice, as stages of the solver cascade.

use siconos_linalg::cost::{dense_factorisation, product};

use super::large_friction::LargeFriction;
use super::plan::{Row, StageKind};
use super::sticking::StickingSets;
use crate::cascade::{AttemptSettings, Cascade, Stage, Start};
use crate::contact::plane::UNKNOWNS;
use crate::contact::{
    Admm, AdmmSettings, Contact, ContactFunction, ContactProblem, InteriorPoint, InteriorPointSettings,
    Newton, NewtonSettings, PlaneEnumeration, PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings,
    ProximalPoint, ProximalPointSettings, VelocityAdmm, VelocityAdmmSettings, VelocityInteriorPoint,
    VelocityInteriorPointSettings, VelocityNewton, VelocityNewtonSettings, VelocityProximalPoint,
    VelocityProximalPointSettings,
};
use crate::info::SolveInfo;

/// Methods of the cascade. Each method is created at its first use, because most problems need none of them.
#[derive(Debug)]
pub(super) struct Methods {
    tolerance: f64,
    interior_in_velocities: Option<Box<VelocityInteriorPoint>>,
    admm_in_velocities: Option<Box<VelocityAdmm>>,
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
    interior: Option<Box<InteriorPoint>>,
    proximal: Option<Box<ProximalPoint>>,
    plane: Option<Box<PlaneLemke>>,
}

/// Problem, its current reactions and velocities, and the cascade that records the effort.
pub(super) struct Trial<'a, 'p> {
    pub(super) cascade: &'a mut Cascade,
    pub(super) problem: &'a ContactProblem<'p>,
    /// Number of operations of a step with a factorisation.
    pub(super) step: f64,
    pub(super) r: &'a mut [f64],
    pub(super) u: &'a mut [f64],
}

impl Trial<'_, '_> {
    fn attempt(&mut self, plan: AttemptSettings, link: &mut dyn Stage<Class = Contact>) -> Option<SolveInfo> {
        self.cascade.attempt(plan, link, self.problem, self.r, self.u)
    }

    /// Runs a method that factorises a matrix in each step, starting from the best iterate so far.
    fn steps(&mut self, row: &Row, link: &mut dyn Stage<Class = Contact>) -> Option<SolveInfo> {
        let plan = AttemptSettings { why: row.why, start: Start::Best, cost: self.step, most: row.most };
        self.attempt(plan, link)
    }
}

/// Panic message for settings that cannot be invalid, because the settings of the cascade were checked.
const CHECKED: &str = "the tolerance has been checked, and the other settings are defaults";

/// Creates the proximal point method in velocity space. The tolerance must be valid.
pub(super) fn velocity_proximal_point(tolerance: f64) -> VelocityProximalPoint {
    VelocityProximalPoint::of_checked(VelocityProximalPointSettings { tolerance, ..Default::default() })
}

/// Returns the number of operations of a pivot for contacts in the plane.
fn of_pivot(problem: &ContactProblem<'_>) -> f64 {
    let unknowns = (UNKNOWNS * problem.law().blocks()) as f64;
    8.0 * unknowns * unknowns
}

impl Methods {
    /// Creates the methods. The tolerance must be valid.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self {
            tolerance,
            interior_in_velocities: None,
            admm_in_velocities: None,
            proximal_in_velocities: None,
            interior: None,
            proximal: None,
            plane: None,
        }
    }

    /// Tries a stage whose method works in velocity space. `alternating` is the number of operations of an
    /// ADMM iteration that reuses its factors.
    pub(super) fn in_velocities(
        &mut self,
        row: &Row,
        alternating: f64,
        trial: &mut Trial<'_, '_>,
    ) -> Option<SolveInfo> {
        match row.turn {
            StageKind::Interior => self.interior_in_velocities(row, trial),
            StageKind::Admm => self.admm_in_velocities(row, alternating, trial),
            StageKind::Proximal => self.proximal_in_velocities(row, trial),
            StageKind::Newton | StageKind::InfiniteFriction | StageKind::Plane => None,
            StageKind::LastResorts => self
                .newton_in_velocities(row, trial)
                .or_else(|| self.admm_in_velocities(row, alternating, trial)),
        }
    }

    /// Tries a stage whose method uses W.
    pub(super) fn with_w(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        match row.turn {
            StageKind::Newton => {
                let plan =
                    AttemptSettings { why: row.why, start: Start::Best, cost: trial.step, most: row.most };
                self.newton(plan, NewtonSettings::default().function, trial)
            }
            StageKind::InfiniteFriction => self.infinite_friction(row, trial),
            StageKind::Plane => self.plane(row, trial),
            StageKind::Interior => self.interior(row, trial),
            StageKind::Proximal => self.proximal(row, Start::Best, row.why, trial),
            StageKind::Admm => None,
            StageKind::LastResorts => self.last_resorts(row, trial),
        }
    }

    fn interior_in_velocities(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let tolerance = self.tolerance;
        let interior = self.interior_in_velocities.get_or_insert_with(|| {
            let settings =
                VelocityInteriorPointSettings { tolerance, polish_from: 0.0, ..Default::default() };
            Box::new(VelocityInteriorPoint::of_checked(settings))
        });
        trial.steps(row, &mut **interior)
    }

    /// Tries ADMM in velocity space. ADMM reaches an error of about 1e-4 in a number of iterations that does
    /// not grow with the size of the problem. Below this error, it stalls.
    fn admm_in_velocities(
        &mut self,
        row: &Row,
        alternating: f64,
        trial: &mut Trial<'_, '_>,
    ) -> Option<SolveInfo> {
        let tolerance = self.tolerance;
        let admm = self.admm_in_velocities.get_or_insert_with(|| {
            let settings = VelocityAdmmSettings { tolerance, ..VelocityAdmmSettings::for_piles() };
            Box::new(VelocityAdmm::of_checked(settings))
        });
        let plan = AttemptSettings { why: row.why, start: Start::Best, cost: alternating, most: row.most };
        // The factorisation before the iterations costs as much as one step.
        let Trial { cascade, problem, step, r, u } = trial;
        cascade.attempt_after(*step, plan, &mut **admm, problem, r, u)
    }

    fn proximal_in_velocities(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let new = || Box::new(velocity_proximal_point(self.tolerance));
        trial.steps(row, &mut **self.proximal_in_velocities.get_or_insert_with(new))
    }

    fn newton_in_velocities(&self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let settings = VelocityNewtonSettings { tolerance: self.tolerance, ..Default::default() };
        let most = settings.max_iterations;
        let plan = AttemptSettings { why: row.why, start: Start::Best, cost: trial.step, most };
        trial.attempt(plan, &mut VelocityNewton::of_checked(settings))
    }

    fn interior(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let tolerance = self.tolerance;
        let interior = self.interior.get_or_insert_with(|| {
            let settings = InteriorPointSettings { tolerance, ..InteriorPointSettings::default() };
            Box::new(InteriorPoint::new(settings).expect(CHECKED))
        });
        trial.steps(row, &mut **interior)
    }

    fn proximal(
        &mut self,
        row: &Row,
        start: Start,
        why: &'static str,
        trial: &mut Trial<'_, '_>,
    ) -> Option<SolveInfo> {
        let tolerance = self.tolerance;
        let proximal = self.proximal.get_or_insert_with(|| {
            let settings = ProximalPointSettings { tolerance, ..ProximalPointSettings::default() };
            Box::new(ProximalPoint::new(settings).expect(CHECKED))
        });
        proximal.set_max_iterations(row.most);
        // The budget limits operations, not outer iterations, because each outer iteration takes several
        // steps.
        trial.attempt(AttemptSettings { why, start, cost: trial.step, most: usize::MAX }, &mut **proximal)
    }

    /// Tries all sets of sticking contacts if there are few contacts. If none of the sets is a solution,
    /// tries large friction instead of infinite friction.
    fn infinite_friction(&self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let why = "few contacts, which are open or stick";
        let sets = AttemptSettings { why, start: Start::Zero, cost: trial.step, most: usize::MAX };
        let large =
            AttemptSettings { why: "contacts that stick with large friction", most: row.most, ..sets };
        trial
            .attempt(sets, &mut StickingSets::new(self.tolerance))
            .or_else(|| trial.attempt(large, &mut LargeFriction::new(self.tolerance)))
    }

    fn last_resorts(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let newton = [
            (Start::Best, ContactFunction::NaturalMap, "all equations at once, from the best point of all"),
            (Start::Zero, ContactFunction::NaturalMap, "all equations at once, from zero"),
            (Start::Zero, ContactFunction::JeanMoreau, "another function of the law, from zero"),
        ];
        let proximal = [
            (Start::Best, "from the best point of all"),
            (Start::Zero, "from zero, in case the guess or the sweeps mislead"),
        ];
        // Newton's method can stall at kinks. Another contact function has its kinks elsewhere.
        let found = newton.into_iter().find_map(|(start, function, why)| {
            let most = NewtonSettings::default().newton.max_iterations;
            self.newton(AttemptSettings { why, start, cost: trial.step, most }, function, trial)
        });
        let found = found.or_else(|| self.modes_in_plane(trial)).or_else(|| self.admm(trial));
        found.or_else(|| proximal.into_iter().find_map(|(start, why)| self.proximal(row, start, why, trial)))
    }

    fn newton(
        &self,
        plan: AttemptSettings,
        function: ContactFunction,
        trial: &mut Trial<'_, '_>,
    ) -> Option<SolveInfo> {
        let mut settings = NewtonSettings { function, ..NewtonSettings::default() };
        settings.newton.tolerance = self.tolerance;
        settings.newton.max_iterations = plan.most;
        trial.attempt(plan, &mut Newton::of_checked(settings))
    }

    /// Pivots from zero, for contacts in the plane.
    fn plane(&mut self, row: &Row, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let tolerance = self.tolerance;
        let lemke = self.plane.get_or_insert_with(|| {
            let settings = PlaneLemkeSettings { tolerance, ..PlaneLemkeSettings::default() };
            Box::new(PlaneLemke::new(settings).expect(CHECKED))
        });
        let cost = of_pivot(trial.problem);
        let pivots = AttemptSettings { why: row.why, start: Start::Zero, cost, most: row.most };
        trial.attempt(pivots, &mut **lemke)
    }

    /// Tries all modes of few contacts in the plane.
    fn modes_in_plane(&self, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let settings =
            PlaneEnumerationSettings { tolerance: self.tolerance, ..PlaneEnumerationSettings::default() };
        let contacts = trial.problem.law().blocks();
        if contacts > settings.largest_contacts {
            return None;
        }
        let cost = dense_factorisation(UNKNOWNS * contacts) + of_pivot(trial.problem);
        let why = "few contacts in the plane";
        let modes = AttemptSettings { why, start: Start::Zero, cost, most: usize::MAX };
        trial.attempt(modes, &mut PlaneEnumeration::new(settings).expect(CHECKED))
    }

    fn admm(&self, trial: &mut Trial<'_, '_>) -> Option<SolveInfo> {
        let settings = AdmmSettings { tolerance: self.tolerance, ..AdmmSettings::default() };
        // Each step solves a linear system with existing factors, which have about as many entries as W.
        let cost = 2.0 * product(trial.problem.delassus()?.w());
        let plan =
            AttemptSettings { why: "a last resort", start: Start::Best, cost, most: settings.max_iterations };
        trial.attempt(plan, &mut Admm::new(settings).expect(CHECKED))
    }
}
