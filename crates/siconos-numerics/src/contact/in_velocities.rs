//! Methods of the global form for a local problem whose bodies are known.

use siconos_linalg::MatrixRef;
use siconos_linalg::cost::dense_factorisation;

use super::global::{
    GlobalAdmm, GlobalAdmmSettings, GlobalContact, GlobalInteriorPoint, GlobalInteriorPointSettings,
    GlobalProblem, GlobalProximalPoint, GlobalProximalPointSettings, Mass,
};
use super::law::refuse_infinite_friction;
use super::problem::Motion;
use super::residual::{conclude, error_of_point, judge};
use super::scales::Scales;
use super::{Contact, ContactLaw, ContactProblem};
use crate::chain::{Allowance, Link};
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// A method of the global form as a link of a chain of local methods.
#[derive(Debug)]
pub(super) struct InVelocities<S> {
    name: &'static str,
    tolerance: f64,
    solver: S,
    f: Vec<f64>,
    z: Vec<f64>,
    scales: Scales,
    terms: Vec<f64>,
}

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
        Self::around("interior-point in velocities", tolerance, GlobalInteriorPoint::of_checked(settings))
    }
}

impl InVelocities<GlobalAdmm> {
    /// What a trace calls it.
    pub(super) const ADMM: &str = "admm in velocities";

    /// With a tolerance in its range.
    pub(super) fn alternating(tolerance: f64) -> Self {
        let settings = GlobalAdmmSettings { tolerance, ..GlobalAdmmSettings::for_piles() };
        Self::around(Self::ADMM, tolerance, GlobalAdmm::of_checked(settings))
    }

    /// Lets the method end where so many iterations bring little; none where it may take its time.
    pub(super) fn set_patience(&mut self, iterations: Option<usize>) {
        self.solver.set_patience(iterations);
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

/// The operations of the steps that methods in the velocities take.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCosts {
    /// One that factorises.
    pub(super) factorising: f64,
    /// An iteration of alternating directions, with the factors at hand.
    pub(super) alternating: f64,
}

impl StepCosts {
    pub(super) fn of(motion: Motion<'_>, law: &ContactLaw<'_>) -> Self {
        let factored = coupled_entries(motion, pairs_of_bodies(motion.h, law));
        let written = coupled_entries(motion, law.blocks());
        let factorising = FILL * factored * factored + PASSES * written;
        Self {
            factorising: factorising.min(dense_factorisation(motion.m.rows())),
            alternating: PASSES_OF_ADMM * written,
        }
    }
}

/// A contact couples the degrees of freedom that its columns of H have entries in, half of them with those
/// of the other body.
fn coupled_entries(Motion { m, h }: Motion<'_>, contacts: usize) -> f64 {
    let per_column = h.non_zeros() as f64 / h.columns().max(1) as f64;
    m.non_zeros() as f64 + 0.5 * contacts as f64 * per_column * per_column
}

/// Contacts, those that touch the same rows as the one before counted once: contacts of a face usually come
/// one after the other, and couple the same freedoms.
fn pairs_of_bodies(h: MatrixRef<'_>, law: &ContactLaw<'_>) -> usize {
    let MatrixRef::Csc(h) = h else { return law.blocks() };
    let (mut pairs, mut before) = (0, None);
    for block in 0..law.blocks() {
        let ends = law.range(block).filter_map(|j| h.ends_of_column(j));
        let touched = ends.reduce(|(a, b), (first, last)| (a.min(first), b.max(last)));
        pairs += usize::from(touched != before);
        before = touched;
    }
    pairs
}

impl<S: Link<Class = GlobalContact>> Link for InVelocities<S> {
    fn lend(&mut self, allowance: &Allowance) {
        self.solver.lend(allowance);
    }

    fn effort(&self, problem: &ContactProblem<'_>, info: &SolveInfo, allowance: &Allowance) -> f64 {
        let Some(Motion { m, h }) = problem.motion() else { return 0.0 };
        let global = GlobalProblem::of_checked(m, h, &self.f, problem.q(), problem.law());
        self.solver.effort(&global, info, allowance)
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

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use siconos_linalg::{Csc, Matrix};

    /// Four contacts of a face cost little more than one: what is factorised is the same. How the masses are
    /// stored does not matter.
    #[test]
    fn a_step_costs_what_is_factorised() {
        let (bodies, faces) = (200, 199);
        let step = |contacts: usize, m: &Matrix| {
            let entries = (0..faces * contacts).flat_map(|contact| {
                let first = 6 * (contact / contacts);
                (0..3).flat_map(move |k| (first..first + 12).map(move |row| (row, 3 * contact + k, 1.0)))
            });
            let h = Csc::from_triplets(6 * bodies, 3 * faces * contacts, entries).expect("inside");
            let mu = vec![0.5; faces * contacts];
            let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
            StepCosts::of(Motion { m: m.view(), h: MatrixRef::from(&h) }, &law).factorising
        };
        let diagonal = Matrix::from(ndarray::Array1::ones(6 * bodies));
        let dense = Matrix::from(Array2::<f64>::eye(6 * bodies));
        assert_eq!(step(4, &diagonal), step(4, &dense));
        let (one, four) = (step(1, &diagonal), step(4, &diagonal));
        assert!(one < four && four < 4.0 * one, "{one:e}, {four:e}");
    }
}
