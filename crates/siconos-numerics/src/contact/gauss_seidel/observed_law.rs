//! Local solver in the form that a sweep calls. It also records the violation and the change of every
//! contact.

use siconos_linalg::SmallMatrix;

use super::iteration::SweepResult;
use super::local::{Local, LocalData, LocalSolverKind, LocalWorkspace};
use super::order::Schedule;
use super::settings::GaussSeidelSettings;
use crate::contact::scales::BlockScale;
use crate::contact::violation::violation_square;
use crate::contact::{ContactLaw, DelassusProblem};
use crate::engine::nsgs::{
    BlockAccess, BlockLaw, LocalLaw, LocalProblem, SweepRows, sweep_blocks, sweep_in_order,
};

/// Local solver with relaxation. It also computes the quantities that the stopping test needs.
pub(in crate::contact) struct ObservedLaw<'a> {
    pub(super) law: ContactLaw<'a>,
    pub(super) scales: &'a [BlockScale],
    pub(super) local: Local<'a>,
    pub(super) states: &'a mut [f64],
    pub(super) memory: &'a mut LocalWorkspace,
    pub(super) relaxation: f64,
    /// `true` if the violations of the law are summed.
    pub(super) estimates: bool,
    /// Sum of the squares of the violations that the sweep finds before it solves each contact. It estimates
    /// the error without a product with the matrix.
    pub(in crate::contact) estimate: f64,
    /// Schedule that records which contacts have changed, and the relative change of a reaction above which
    /// its contact is recorded as changed.
    pub(super) notes: Option<(&'a mut Schedule, f64)>,
}

impl ObservedLaw<'_> {
    /// Records in the schedule whether the contact has changed.
    #[inline]
    fn note(&mut self, contact: usize, old: &[f64], z: &[f64]) {
        if let Some((schedule, part)) = &mut self.notes {
            let change: f64 = old.iter().zip(z).map(|(a, b)| (a - b).powi(2)).sum();
            let size: f64 = z.iter().map(|z| z * z).sum();
            schedule.note(contact, change > part.powi(2) * size);
        }
    }
}

/// Applies relaxation: $r \leftarrow P_K(r_{old} + \omega (r - r_{old}))$.
#[inline(always)]
pub(super) fn relax(law: &ContactLaw<'_>, contact: usize, relaxation: f64, old: &[f64], z: &mut [f64]) {
    if relaxation != 1.0 {
        z.iter_mut().zip(old).for_each(|(z, old)| *z = old + relaxation * (*z - old));
        law.project(contact, z);
    }
}

impl<const D: usize> LocalLaw<D> for ObservedLaw<'_> {
    #[inline]
    fn solve(&mut self, contact: usize, a: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D] {
        let own = a.mul_vector(old);
        let w = std::array::from_fn(|k| own[k] + b[k]);
        self.solve_from(contact, a, (b, &w), old)
    }

    #[inline(always)]
    fn solve_from(
        &mut self,
        contact: usize,
        a: &SmallMatrix<D>,
        (b, w): (&[f64; D], &[f64; D]),
        old: &[f64; D],
    ) -> [f64; D] {
        if self.estimates {
            self.estimate += violation_square(&self.law, contact, self.scales[contact], old, w);
        }
        let state = &mut self.states[contact];
        let mut z = self.local.solve_fixed(contact, a, (b, w), old, state, self.memory);
        relax(&self.law, contact, self.relaxation, old, &mut z);
        self.note(contact, old, &z);
        z
    }
}

/// [`ObservedLaw`] for cones with any number of components.
struct ObservedBlocks<'a> {
    observed: ObservedLaw<'a>,
    old: &'a mut Vec<f64>,
}

impl BlockLaw for ObservedBlocks<'_> {
    fn solve(&mut self, cone: usize, local: &LocalProblem<'_>, z: &mut [f64]) {
        self.old.clear();
        self.old.extend_from_slice(z);
        let observed = &mut self.observed;
        if observed.estimates {
            let scale = observed.scales[cone];
            observed.estimate += violation_square(&observed.law, cone, scale, z, local.w);
        }
        observed.local.solve(cone, local, z, &mut observed.states[cone], observed.memory);
        relax(&observed.law, cone, observed.relaxation, self.old, z);
        observed.note(cone, self.old, z);
    }
}

/// Workspace of the sweeps, which is kept between problems.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct SweepWorkspace {
    local: LocalData,
    memory: LocalWorkspace,
    schedule: Schedule,
}

impl SweepWorkspace {
    /// Starts a solve. `scales` are the scales of the error, and `diagonals` the diagonal blocks of W.
    #[inline]
    pub(in crate::contact) fn begin<'a, 'd>(
        &'a mut self,
        law: ContactLaw<'a>,
        settings: &'a GaussSeidelSettings,
        scales: &'a [BlockScale],
        diagonals: impl Iterator<Item = &'d [f64]>,
    ) -> Sweeps<'a> {
        let Self { local, memory, schedule } = self;
        let kind = LocalSolverKind::of(settings.local, law);
        local.prepare(kind, diagonals);
        schedule.begin(law.blocks(), settings.order, settings.freezing);
        let (local, states) = local.solver(kind, law, settings.local_limits());
        Sweeps { law, scales, settings, local, states, memory, schedule }
    }
}

/// Data of the sweeps of one solve, except the matrix.
pub(in crate::contact) struct Sweeps<'a> {
    law: ContactLaw<'a>,
    scales: &'a [BlockScale],
    settings: &'a GaussSeidelSettings,
    local: Local<'a>,
    states: &'a mut [f64],
    memory: &'a mut LocalWorkspace,
    schedule: &'a mut Schedule,
}

impl Sweeps<'_> {
    pub(super) fn settings(&self) -> &GaussSeidelSettings {
        self.settings
    }

    /// Returns the local law for one sweep. The law estimates the error if `estimates` is `true`.
    pub(in crate::contact) fn observed(&mut self, estimates: bool) -> ObservedLaw<'_> {
        let Self { law, scales, settings, local, states, memory, schedule } = self;
        let (law, relaxation) = (*law, settings.relaxation);
        let notes = settings.freezing.map(|_| (&mut **schedule, 0.1 * settings.tolerance));
        ObservedLaw {
            law,
            scales,
            local: *local,
            states,
            memory,
            relaxation,
            estimates,
            estimate: 0.0,
            notes,
        }
    }

    /// Returns the order of the contacts in the sweep with index `number`. `None` means all contacts in
    /// ascending order. After the sweep, the order must be passed to [`swept`](Self::swept).
    #[inline]
    pub(in crate::contact) fn next_order(&mut self, number: usize) -> Option<Vec<usize>> {
        self.schedule.next(number, self.settings.freezing);
        self.schedule.take()
    }

    /// Takes back the order after a sweep and returns the results of the sweep.
    #[inline]
    pub(in crate::contact) fn swept(
        &mut self,
        order: Option<Vec<usize>>,
        (change, estimate): (f64, f64),
    ) -> SweepResult {
        SweepResult { change, estimate, all: self.schedule.give_back(order) }
    }

    /// Performs the sweep with index `number` over rows with blocks of equal size.
    pub(super) fn sweep_rows<const D: usize>(
        &mut self,
        rows: &impl SweepRows<D>,
        q: &[f64],
        number: usize,
        estimates: bool,
        r: &mut [f64],
    ) -> SweepResult {
        let order = self.next_order(number);
        let mut law = self.observed(estimates);
        let change = match &order {
            None => sweep_in_order(0..rows.blocks(), rows, q, &mut law, r),
            Some(order) => sweep_in_order(order.iter().copied(), rows, q, &mut law, r),
        };
        let estimate = law.estimate;
        self.swept(order, (change, estimate))
    }

    /// Performs the sweep with index `number` over blocks of any sizes. `old` is workspace.
    pub(super) fn sweep_blocks(
        &mut self,
        problem: &DelassusProblem<'_>,
        access: &mut BlockAccess,
        old: &mut Vec<f64>,
        number: usize,
        estimates: bool,
        r: &mut [f64],
    ) -> SweepResult {
        let (w, q, all) = (problem.w(), problem.q(), 0..access.blocks());
        let order = self.next_order(number);
        let mut law = ObservedBlocks { observed: self.observed(estimates), old };
        let change = match &order {
            None => sweep_blocks(w, access, all, q, &mut law, r),
            Some(order) => sweep_blocks(w, access, order.iter().copied(), q, &mut law, r),
        };
        let estimate = law.observed.estimate;
        self.swept(order, (change, estimate))
    }
}
