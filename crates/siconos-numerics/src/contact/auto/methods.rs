//! The methods that factorise, as links of the chain.

use siconos_linalg::cost::{dense_factorisation, product};

use super::DelassusProblem;
use super::large_friction::LargeFriction;
use super::reach::Reach;
use super::step_costs::StepCosts;
use super::sticking::StickingSets;
use crate::chain::{Chain, Plan, Start};
use crate::contact::bodies::proximal_factorisations;
use crate::contact::{
    Admm, AdmmSettings, ContactFunction, ContactProblem, InteriorPoint, InteriorPointSettings, Newton,
    NewtonSettings, PlaneEnumeration, PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings,
    ProximalPoint, ProximalPointSettings, VelocityAdmm, VelocityAdmmSettings, VelocityInteriorPoint,
    VelocityInteriorPointSettings, VelocityNewton, VelocityNewtonSettings, VelocityProximalPoint,
    VelocityProximalPointSettings, cost,
};
use crate::info::SolveInfo;

/// Made when they are needed first: most problems never do.
#[derive(Debug)]
pub(super) struct Methods {
    tolerance: f64,
    interior_in_velocities: Option<Box<VelocityInteriorPoint>>,
    admm_in_velocities: Option<Box<VelocityAdmm>>,
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
    interior: Option<Box<InteriorPoint>>,
    proximal: Option<Box<ProximalPoint>>,
}

/// Settings of methods in a chain whose own were checked.
const CHECKED: &str = "the tolerance has been checked, the rest is by default";

/// Iterations of alternating directions in the velocities.
const MOST_ALTERNATING: usize = 3000;

/// Outer iterations of the proximal point method times unknowns: it wanders for long on the worst problems
/// before it arrives, which cannot be waited for when they are large.
const PROXIMAL_EFFORT: usize = 1_500_000;

/// Steps that factorise with large friction. A few hundred are enough where this helps.
const LARGE_FRICTION_STEPS: usize = 2000;

/// Returns the proximal point method in the velocities, with a tolerance in its range.
pub(super) fn velocity_proximal_point(tolerance: f64) -> VelocityProximalPoint {
    VelocityProximalPoint::of_checked(VelocityProximalPointSettings { tolerance, ..Default::default() })
}

impl Methods {
    /// With a tolerance in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self {
            tolerance,
            interior_in_velocities: None,
            admm_in_velocities: None,
            proximal_in_velocities: None,
            interior: None,
            proximal: None,
        }
    }

    /// Interior points in the velocities of the bodies.
    pub(super) fn interior_in_velocities(
        &mut self,
        chain: &mut Chain,
        plan: Plan,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let new = || {
            let settings = VelocityInteriorPointSettings {
                tolerance: self.tolerance,
                polish_from: 0.0,
                ..Default::default()
            };
            Box::new(VelocityInteriorPoint::of_checked(settings))
        };
        let link = self.interior_in_velocities.get_or_insert_with(new);
        chain.attempt(plan, &mut **link, problem, r, u)
    }

    /// ADMM in the velocities of the bodies. Its iterations do not grow with the size, and end at errors of
    /// about 1e-4.
    pub(super) fn admm_in_velocities(
        &mut self,
        chain: &mut Chain,
        steps: StepCosts,
        why: &'static str,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let new = || {
            let settings =
                VelocityAdmmSettings { tolerance: self.tolerance, ..VelocityAdmmSettings::for_piles() };
            Box::new(VelocityAdmm::of_checked(settings))
        };
        let link = self.admm_in_velocities.get_or_insert_with(new);
        let plan = Plan { why, start: Start::Best, cost: steps.alternating, most: MOST_ALTERNATING };
        // Before the first iteration it factorises.
        chain.attempt_after(steps.factorising, plan, &mut **link, problem, r, u)
    }

    /// Proximal points in the velocities of the bodies.
    pub(super) fn proximal_in_velocities(
        &mut self,
        chain: &mut Chain,
        cost: f64,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let new = || Box::new(velocity_proximal_point(self.tolerance));
        let link = self.proximal_in_velocities.get_or_insert_with(new);
        let most = proximal_factorisations(problem.size());
        let why = "from the best point so far, and the bodies are known";
        chain.attempt(Plan { why, start: Start::Best, cost, most }, &mut **link, problem, r, u)
    }

    /// Newton in velocities and reactions, from the best point.
    pub(super) fn newton_in_velocities(
        &mut self,
        chain: &mut Chain,
        cost: f64,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let settings = VelocityNewtonSettings { tolerance: self.tolerance, ..Default::default() };
        let why = "fast near the end, and W is not at hand";
        let plan = Plan { why, start: Start::Best, cost, most: settings.max_iterations };
        chain.attempt(plan, &mut VelocityNewton::of_checked(settings), problem, r, u)
    }

    /// Interior points with W.
    pub(super) fn interior(
        &mut self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let interior = self.interior.get_or_insert_with(|| {
            let settings =
                InteriorPointSettings { tolerance: self.tolerance, ..InteriorPointSettings::default() };
            Box::new(InteriorPoint::new(settings).expect(CHECKED))
        });
        let plan = Plan {
            why: "the sweeps would take too long",
            start: Start::Best,
            cost: cost::of_step(problem),
            most: InteriorPointSettings::default().max_iterations,
        };
        chain.attempt(plan, &mut **interior, &problem.into(), r, u)
    }

    /// Proximal points around Newton's method.
    pub(super) fn proximal(
        &mut self,
        chain: &mut Chain,
        start: Start,
        why: &'static str,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let proximal = self.proximal.get_or_insert_with(|| {
            let settings =
                ProximalPointSettings { tolerance: self.tolerance, ..ProximalPointSettings::default() };
            Box::new(ProximalPoint::new(settings).expect(CHECKED))
        });
        proximal.set_max_iterations((PROXIMAL_EFFORT / problem.size()).clamp(30, 1000));
        let plan = Plan { why, start, cost: cost::of_step(problem), most: usize::MAX };
        chain.attempt(plan, &mut **proximal, &problem.into(), r, u)
    }

    /// Methods for infinite friction: all sets of a few contacts that may stick, then large friction in its
    /// place.
    pub(super) fn infinite_friction(
        &mut self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let sets = Plan {
            why: "few contacts, which are open or stick",
            start: Start::Zero,
            cost: cost::of_step(problem),
            most: usize::MAX,
        };
        let large =
            Plan { why: "contacts that stick with large friction", most: LARGE_FRICTION_STEPS, ..sets };
        chain
            .attempt(sets, &mut StickingSets::new(self.tolerance), &problem.into(), r, u)
            .or_else(|| chain.attempt(large, &mut LargeFriction::new(self.tolerance), &problem.into(), r, u))
    }

    /// What is left when everything else has failed, but for sweeps.
    pub(super) fn last_resorts(
        &mut self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let newton = [
            (
                Start::Best,
                ContactFunction::NaturalMap,
                "the equations themselves, from the best point of all",
            ),
            (Start::Zero, ContactFunction::NaturalMap, "the equations themselves, from zero"),
            (Start::Zero, ContactFunction::JeanMoreau, "another function of the law, from zero"),
        ];
        let proximal = [
            (Start::Best, "from the best point of all"),
            (Start::Zero, "from zero, should the guess or the sweeps have led astray"),
        ];
        // Another function has other kinks, and other points where it stalls.
        let found = newton.into_iter().find_map(|(start, function, why)| {
            let most = NewtonSettings::default().newton.max_iterations;
            let plan = Plan { why, start, cost: cost::of_step(problem), most };
            self.newton(chain, plan, function, problem, r, u)
        });
        let found = found.or_else(|| self.plane(chain, problem, r, u));
        let found = found.or_else(|| self.admm(chain, problem, r, u));
        found.or_else(|| {
            proximal.into_iter().find_map(|(start, why)| self.proximal(chain, start, why, problem, r, u))
        })
    }

    /// A few steps of Newton's method from the best point: if most contacts stick, the first sweeps have
    /// found which ones, and the rest is one linear system or two.
    pub(super) fn first_newton(
        &mut self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let plan = Plan {
            why: "most contacts may have found their state",
            start: Start::Best,
            cost: cost::of_step(problem),
            most: Reach::NEWTON_STEPS,
        };
        self.newton(chain, plan, NewtonSettings::default().function, problem, r, u)
    }

    fn newton(
        &self,
        chain: &mut Chain,
        plan: Plan,
        function: ContactFunction,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let mut settings = NewtonSettings { function, ..NewtonSettings::default() };
        settings.newton.tolerance = self.tolerance;
        settings.newton.max_iterations = plan.most;
        chain.attempt(plan, &mut Newton::of_checked(settings), &problem.into(), r, u)
    }

    /// The methods that are exact for a few contacts in the plane.
    fn plane(
        &self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let enumeration =
            PlaneEnumerationSettings { tolerance: self.tolerance, ..PlaneEnumerationSettings::default() };
        if problem.law().blocks() > enumeration.largest_contacts {
            return None;
        }
        let why = "few contacts in the plane";
        // As linear complementarity problems they have three unknowns per contact.
        let unknowns = 3 * problem.law().blocks();
        let of_pivot = 8.0 * (unknowns * unknowns) as f64;
        let (start, most) = (Start::Zero, usize::MAX);
        let pivots = Plan { why, start, cost: of_pivot, most: PlaneLemkeSettings::default().max_iterations };
        let lemke = PlaneLemkeSettings { tolerance: self.tolerance, ..PlaneLemkeSettings::default() };
        let mut lemke = PlaneLemke::new(lemke).expect(CHECKED);
        let found = chain.attempt(pivots, &mut lemke, &problem.into(), r, u);
        found.or_else(|| {
            let bases = Plan { why, start, cost: dense_factorisation(unknowns) + of_pivot, most };
            let mut enumeration = PlaneEnumeration::new(enumeration).expect(CHECKED);
            chain.attempt(bases, &mut enumeration, &problem.into(), r, u)
        })
    }

    fn admm(
        &self,
        chain: &mut Chain,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let settings = AdmmSettings { tolerance: self.tolerance, ..AdmmSettings::default() };
        // A step solves with the factors at hand, which are about as full as the matrix.
        let (cost, most) = (2.0 * product(problem.w()), settings.max_iterations);
        let plan = Plan { why: "a last resort", start: Start::Best, cost, most };
        chain.attempt(plan, &mut Admm::new(settings).expect(CHECKED), &problem.into(), r, u)
    }
}
