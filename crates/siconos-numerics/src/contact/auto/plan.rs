//! Stages of the cascade after the first sweeps, with their order, conditions and limits.

use super::costs::Costs;
use super::methods::Trial;
use super::sliding::most_slide;
use super::sweeps::Resumed;
use super::{Auto, ContactProblem};
use crate::cascade::{AttemptSettings, Start};
use crate::contact::{ContactLaw, cost, error_of_point, residual};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};

/// Method of a stage, or group of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StageKind {
    /// Newton's method with W.
    Newton,
    /// Interior-point method, in velocity space if the bodies are used, otherwise with W.
    Interior,
    /// ADMM in velocity space.
    Admm,
    /// Methods for infinite friction, with W.
    InfiniteFriction,
    /// Pivoting for Coulomb friction in the plane, with W.
    Plane,
    /// Proximal point method, with W if a few steps with W are affordable, otherwise in velocity space.
    Proximal,
    /// All other methods, with W if a few steps with W are affordable, otherwise in velocity space.
    LastResorts,
}

/// Stage of the cascade.
pub(super) struct Row {
    pub(super) turn: StageKind,
    /// Maximum number of iterations.
    pub(super) most: usize,
    pub(super) why: &'static str,
    is_due: fn(&Facts) -> bool,
}

/// Maximum number of Newton steps after the first sweeps. If the sweeps have found which contacts stick, one
/// or two Newton steps suffice.
pub(super) const NEWTON_STEPS: usize = 8;

/// Number of interior-point steps that suffice for piles at rest due to friction, whatever the number of
/// bodies. Without this stage, such piles take up to 59 times the operations.
pub(super) const FEW_STEPS: usize = 15;

/// Number of interior-point steps that suffice for most of the central path. With a tight tolerance, sweeps
/// whose predicted cost is at most the cost of these steps resume after the first `FEW_STEPS` interior-point
/// steps. Without this rule, piles of 5000 spheres with friction 0.1 take five times as long.
pub(super) const PATH_STEPS: usize = 50;

/// Maximum number of ADMM iterations. Of 200 test piles that ADMM solves, the slowest takes 2840 iterations.
const ADMM_ITERATIONS: usize = 3000;

/// Maximum number of outer iterations of the proximal point method. With large friction, the maximum number
/// of steps is twice this value. With a limit of 500, one of 376 random problems is not solved. Without a
/// limit, problems without a solution take up to 36 times as long.
const MANY_STEPS: usize = 1000;

/// Tolerances of at least this value are loose. At a loose tolerance, ADMM converges before the
/// interior-point method, so the stages for loose tolerances are used. Without these stages, sliding piles
/// take 2.7 times the operations.
const LOOSE: f64 = 1e-4;

/// Maximum number of unknowns for which the proximal point method is tried directly after the sweeps. For
/// such problems it needs the fewest operations. With the interior-point method first, random problems take
/// 1.18 times the operations.
const SMALL: usize = 100;

/// Maximum number of unknowns for which pivoting is tried in the plane. Without a limit, a pile of 300 discs
/// spends half of its effort on pivots that do not end.
const PIVOTED: usize = 400;

/// Maximum number of pivots. Discs in a drum with 190 unknowns take 519.
const PIVOTS: usize = 2400;

const PLAN: [Row; 9] = [
    Row {
        turn: StageKind::Newton,
        most: NEWTON_STEPS,
        why: "the sweeps may have found the state of most contacts",
        is_due: |facts| facts.is_held,
    },
    Row {
        turn: StageKind::Interior,
        most: FEW_STEPS,
        why: "a few steps may be enough if friction holds the bodies",
        is_due: |facts| {
            facts.has_bodies && if facts.is_loose { !facts.is_sliding } else { facts.has_promise }
        },
    },
    Row {
        turn: StageKind::Admm,
        most: ADMM_ITERATIONS,
        why: "iterations that do not grow with the size, and the bodies are given",
        is_due: |facts| facts.has_bodies && facts.is_loose,
    },
    Row {
        turn: StageKind::InfiniteFriction,
        most: 2 * MANY_STEPS,
        why: "contacts that are open or stick",
        is_due: |facts| facts.has_w && facts.is_infinite,
    },
    Row {
        turn: StageKind::Proximal,
        most: MANY_STEPS,
        why: "the problem is small",
        is_due: |facts| facts.has_w && facts.size <= SMALL,
    },
    Row {
        turn: StageKind::Plane,
        most: PIVOTS,
        why: "contacts in the plane",
        is_due: |facts| facts.has_w && facts.is_plane && facts.size <= PIVOTED,
    },
    Row { turn: StageKind::Interior, most: 400, why: "the sweeps would take too long", is_due: |_| true },
    Row { turn: StageKind::Proximal, most: MANY_STEPS, why: "from the best point so far", is_due: |_| true },
    Row {
        turn: StageKind::LastResorts,
        most: MANY_STEPS,
        why: "a last resort",
        is_due: |facts| facts.has_last_resorts,
    },
];

/// Facts that decide which stages are tried.
#[derive(Clone, Copy, Debug)]
struct Facts {
    size: usize,
    /// `true` if W is given and affordable.
    has_w: bool,
    has_bodies: bool,
    is_infinite: bool,
    /// `true` for finite Coulomb friction in the plane.
    is_plane: bool,
    is_loose: bool,
    /// `true` if the Newton stage follows the first sweeps.
    is_held: bool,
    /// `true` if more than half of the closed contacts slide in the best iterate so far.
    is_sliding: bool,
    has_last_resorts: bool,
    /// `true` if the predicted number of further sweeps costs at most `PATH_STEPS` interior-point steps.
    has_promise: bool,
}

impl Auto {
    /// Tries the stages in order. Before a stage, the sweeps resume if that is worth the effort. Returns
    /// `None` if no stage succeeds.
    pub(super) fn try_plan(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<Option<SolveInfo>, SolverError> {
        for row in &PLAN {
            let facts = self.facts(problem, costs, r);
            let in_velocities = costs.in_velocities.filter(|_| match row.turn {
                StageKind::Newton | StageKind::InfiniteFriction | StageKind::Plane => false,
                StageKind::Interior | StageKind::Admm => true,
                StageKind::Proximal | StageKind::LastResorts => !facts.has_w,
            });
            if !(row.is_due)(&facts) || (in_velocities.is_none() && !facts.has_w) {
                continue;
            }
            let resumed = self.sweeps_before(row, &facts, costs);
            let mut found = resumed.and_then(|resumed| self.sweep_again(resumed, problem, costs, r, u));
            if found.is_none() {
                found = match in_velocities {
                    Some(steps) => {
                        let step = steps.factorising;
                        let mut trial = Trial { cascade: &mut self.cascade, problem, step, r, u };
                        self.methods.in_velocities(row, steps.alternating, &mut trial)
                    }
                    None => self.in_own_units(row, problem, r, u)?,
                };
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        let resumed = self.share_of_sweeps(costs).filter(|_| self.settings.last_resorts);
        Ok(resumed.and_then(|resumed| self.sweep_again(resumed, problem, costs, r, u)))
    }

    fn facts(&self, problem: &ContactProblem<'_>, costs: &Costs, r: &[f64]) -> Facts {
        let (law, has_bodies) = (problem.law(), costs.in_velocities.is_some());
        Facts {
            size: problem.size(),
            has_w: costs.is_w_affordable(self.cascade.left().operations),
            has_bodies,
            is_infinite: law.has_infinite_friction(),
            is_plane: matches!(law, ContactLaw::Coulomb { dimension: 2, .. }) && !law.has_infinite_friction(),
            is_loose: self.settings.tolerance >= LOOSE,
            is_held: self.is_held,
            is_sliding: has_bodies && most_slide(&law, r),
            has_last_resorts: self.settings.last_resorts,
            has_promise: self.sweeps.would_end_within(costs.sweeps_of_a_path()),
        }
    }

    /// Scales the problem, and tries a method that uses W from the best iterate so far.
    fn in_own_units(
        &mut self,
        row: &Row,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<Option<SolveInfo>, SolverError> {
        let Self { cascade, methods, units, settings, .. } = self;
        cascade.place(Start::Best, r, u);
        let ended = units.solve(problem, settings.tolerance, r, u, |problem, r, u| {
            let error = residual::error_of_point(problem, r, u);
            cascade.begin_search(r, u, error);
            let step = cost::of_step(problem);
            let mut trial = Trial { cascade: &mut *cascade, problem: &problem.into(), step, r, u };
            let found = methods.with_w(row, &mut trial);
            Ok(found.unwrap_or_else(|| {
                cascade.place(Start::Best, r, u);
                SolveInfo { status: Status::NotFound, iterations: 0, error }
            }))
        })?;
        if ended.status.is_success() || ended.status == Status::NoSolution {
            return Ok(Some(ended));
        }
        let error = error_of_point(problem, r, u);
        self.cascade.begin_search(r, u, error);
        Ok(None)
    }

    /// Returns the limit of the sweeps before a stage, or `None` if the sweeps do not resume. With a tight
    /// tolerance and with bodies, the sweeps resume before the second interior-point stage if their predicted
    /// cost is at most `PATH_STEPS` steps. Before all other stages, they resume if their error has decreased.
    fn sweeps_before(&self, row: &Row, facts: &Facts, costs: &Costs) -> Option<Resumed> {
        if row.turn == StageKind::Interior && facts.has_bodies && !facts.is_loose {
            let is_due = row.most > FEW_STEPS && facts.has_promise;
            return is_due.then(|| Resumed::Within(costs.sweeps_of_a_path()));
        }
        self.share_of_sweeps(costs)
    }

    /// Returns a limit that allows the sweeps as much effort as the other methods have spent, or `None` if
    /// the error of the sweeps has not decreased.
    fn share_of_sweeps(&self, costs: &Costs) -> Option<Resumed> {
        let share = self.sweeps.left_of_share(self.cascade.spent() / costs.sweep);
        (share > 0.0 && !self.is_held).then_some(Resumed::For(share))
    }

    fn sweep_again(
        &mut self,
        resumed: Resumed,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        self.sweeps.follow(self.cascade.least_error());
        self.sweeps.resume(resumed);
        let why = match resumed {
            Resumed::Within(_) => "they are predicted to converge before the next method",
            Resumed::For(_) => "their error falls, and the other methods have cost as much",
        };
        let plan = AttemptSettings {
            why,
            start: Start::Best,
            cost: costs.sweep,
            most: self.settings.max_iterations,
        };
        self.cascade.attempt(plan, &mut self.sweeps, problem, r, u)
    }
}
