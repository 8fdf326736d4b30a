//! Methods of the global form for a local problem whose bodies are known.

use super::global::{
    GlobalAdmm, GlobalAdmmSettings, GlobalContact, GlobalInteriorPoint, GlobalInteriorPointSettings,
    GlobalProblem, GlobalProximalPoint, GlobalProximalPointSettings, Mass,
};
use super::law::refuse_infinite_friction;
use super::problem::Motion;
use super::residual::{conclude, error_of_point, judge};
use super::scales::Scales;
use super::{Contact, ContactProblem};
use crate::chain::{Allowance, Link};
use crate::effort::dense_factorisation;
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// A method of the global form as a link of a chain of local methods.
#[derive(Debug)]
pub(super) struct InVelocities<S> {
    name: &'static str,
    tolerance: f64,
    solver: S,
    /// Factorisations that no iteration counts.
    factorisations: f64,
    f: Vec<f64>,
    z: Vec<f64>,
    scales: Scales,
    terms: Vec<f64>,
}

/// How a trace names interior points.
pub(super) const INTERIOR_POINTS: &str = "interior-point in velocities";

/// Operations of LU in an order by nested dissection beside the square of the entries, and of the rest of a
/// step beside the entries, as many as the times of walls and piles of 1000 to 10 000 contacts are worth.
const FILL: f64 = 0.02;
const PASSES: f64 = 1200.0;

/// The part of the tolerance that the global error must be within for proximal points, which make it small
/// in a step or two. Interior points may not come so far, and the local error may still be within the
/// tolerance.
const STRICTER: f64 = 0.1;

/// Passes over the coupled entries in an iteration of alternating directions, with the factors at hand.
const PASSES_OF_ADMM: f64 = 100.0;

impl InVelocities<GlobalInteriorPoint> {
    /// With a tolerance in its range.
    pub(super) fn interior_points(tolerance: f64) -> Self {
        let settings = GlobalInteriorPointSettings {
            tolerance,
            polish_from: 0.0,
            ..GlobalInteriorPointSettings::default()
        };
        Self::around(INTERIOR_POINTS, tolerance, GlobalInteriorPoint::of_checked(settings))
    }
}

impl InVelocities<GlobalAdmm> {
    /// With a tolerance in its range.
    pub(super) fn alternating(tolerance: f64) -> Self {
        let settings = GlobalAdmmSettings { tolerance, ..GlobalAdmmSettings::for_piles() };
        let link = Self::around("admm in velocities", tolerance, GlobalAdmm::of_checked(settings));
        Self { factorisations: 1.0, ..link }
    }
}

impl InVelocities<GlobalProximalPoint> {
    /// With a tolerance in its range.
    pub(super) fn proximal_points(tolerance: f64) -> Self {
        let settings = GlobalProximalPointSettings {
            tolerance: STRICTER * tolerance,
            ..GlobalProximalPointSettings::default()
        };
        Self::around("proximal-point in velocities", tolerance, GlobalProximalPoint::of_checked(settings))
    }
}

impl<S> InVelocities<S> {
    fn around(name: &'static str, tolerance: f64, solver: S) -> Self {
        Self {
            name,
            tolerance,
            solver,
            factorisations: 0.0,
            f: Vec::new(),
            z: Vec::new(),
            scales: Scales::default(),
            terms: Vec::new(),
        }
    }
}

/// The bodies behind a problem, where their equations are fewer than those of the contacts.
pub(super) fn motion<'a>(problem: &'a ContactProblem<'_>) -> Option<Motion<'a>> {
    problem.motion().filter(|motion| motion.m.rows() < problem.size())
}

/// Whether M and H are those that W was made of, but for this part: by the velocities that some impulses
/// make.
pub(super) fn are_of_w(Motion { m, h }: Motion<'_>, problem: &ContactProblem<'_>, part: f64) -> bool {
    let (law, n) = (problem.law(), problem.size());
    let mut impulses = vec![0.0; n];
    // Moments of rolling, and rates of it, have another unit.
    let rows = || (0..law.blocks()).flat_map(|block| law.rows_of_velocity(block));
    rows().for_each(|row| impulses[row] = 1.0 + (row % 7) as f64 / 8.0);
    let (mut of_w, mut of_bodies) = (vec![0.0; n], vec![0.0; n]);
    let (mut v, mut mass) = (vec![0.0; m.rows()], Mass::default());
    h.add_product(1.0, &impulses, &mut v);
    if mass.factor(m).is_err() {
        return false;
    }
    mass.solve(&mut v);
    h.add_transposed_product(1.0, &v, &mut of_bodies);
    problem.w().add_product(1.0, &impulses, &mut of_w);
    let size = rows().map(|row| of_w[row].powi(2)).sum::<f64>().sqrt();
    let difference = rows().map(|row| (of_w[row] - of_bodies[row]).powi(2)).sum::<f64>().sqrt();
    difference <= part * size
}

/// The operations of one step.
pub(super) fn cost(motion: Motion<'_>, contacts: usize) -> f64 {
    let coupled = coupled_entries(motion, contacts);
    (FILL * coupled * coupled + PASSES * coupled).min(dense_factorisation(motion.m.rows()))
}

/// The operations of an iteration of alternating directions.
pub(super) fn cost_of_alternating(motion: Motion<'_>, contacts: usize) -> f64 {
    PASSES_OF_ADMM * coupled_entries(motion, contacts)
}

/// A contact couples the degrees of freedom that its columns of H have entries in, half of them with those
/// of the other body.
fn coupled_entries(Motion { m, h }: Motion<'_>, contacts: usize) -> f64 {
    let per_column = h.non_zeros() as f64 / h.columns().max(1) as f64;
    m.non_zeros() as f64 + 0.5 * contacts as f64 * per_column * per_column
}

impl<S: Link<Class = GlobalContact>> Link for InVelocities<S> {
    fn lend(&mut self, allowance: &Allowance) {
        self.solver.lend(allowance);
    }

    fn effort(&self, problem: &ContactProblem<'_>, info: &SolveInfo, allowance: &Allowance) -> f64 {
        let Some(motion) = problem.motion() else { return 0.0 };
        let global = GlobalProblem::of_checked(motion.m, motion.h, &self.f, problem.q(), problem.law());
        let once = self.factorisations * cost(motion, problem.law().blocks());
        once + self.solver.effort(&global, info, allowance)
    }
}

impl<S: Link<Class = GlobalContact>> Solver for InVelocities<S> {
    type Class = Contact;

    fn name(&self) -> &'static str {
        self.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.solver.limits().max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())?;
        match problem.motion() {
            Some(_) => Ok(()),
            None => Err(Unsupported {
                solver: self.name(),
                found: "a problem whose bodies are not known",
                takes: "problems with their bodies",
            }),
        }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        let Some(Motion { m, h }) = problem.motion() else { unreachable!("it has just been asked for") };
        let n = m.rows();
        self.f.clear();
        self.f.resize(n, 0.0);
        self.z.clear();
        self.z.extend_from_slice(r);
        self.z.resize(r.len() + n, 0.0);
        let (f, q, law) = (&self.f[..], problem.q(), problem.law());
        let global = GlobalProblem::of_checked(m, h, f, q, law);
        let info = self.solver.solve(&global, &mut self.z, u)?;
        r.copy_from_slice(&self.z[..r.len()]);
        // Between bodies that nothing moves there is no reaction.
        self.scales.prepare(problem);
        for &contact in self.scales.immovable() {
            r[problem.law().range(contact)].fill(0.0);
        }
        // The local error decides, also where M and H are not those that W was made of.
        let problem = &problem.with_scales(&self.scales);
        let (tolerance, iterations) = (self.tolerance, info.iterations);
        let error = error_of_point(problem, r, u);
        let status = judge(problem, r, error, tolerance);
        if status != Status::Stalled {
            return Ok(SolveInfo { status, iterations, error });
        }
        let ended = if info.status.is_success() { Status::Stalled } else { info.status };
        Ok(conclude(problem, (r, u), tolerance, (ended, iterations), &mut self.terms))
    }
}
