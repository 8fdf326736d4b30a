//! Solvers of one block with the other blocks fixed.

use siconos_linalg::{DenseLu, SingularMatrix, square};

use super::{GenericMechanicalProblem, MechanicalLaw};
use crate::contact::{ExactContact, HybridContact, solve_plane};
use crate::effort::EffortLimit;
use crate::engine::nsgs::{BlockAccess, BlockLaw, LocalProblem};
use crate::error::SolverError;
use crate::info::SolveInfo;
use crate::lcp::{self, LcpProblem};
use crate::method::Solver;
use crate::relay::{self, RelayProblem};

/// Solvers of all laws, and the factors that are computed once per problem.
#[derive(Debug)]
pub(super) struct LocalSolvers {
    /// For each block, its index in `factors`, `contacts` or `rolling`. Factors are kept between solves to
    /// reuse their memory.
    number: Vec<usize>,
    factors: Vec<DenseLu>,
    /// Contacts, each with the multiplier of its last sliding solution.
    contacts: Vec<(ExactContact, f64)>,
    /// Contacts with rolling friction, kept between solves to reuse their memory.
    rolling: Vec<HybridContact>,
    complementarity: lcp::Auto,
    relay: relay::Auto,
    /// Number of operations that `complementarity` and `relay` have spent since the count began.
    effort: f64,
    /// Number of local problems without a solution since the last call of
    /// [`take_unsolved`](Self::take_unsolved).
    unsolved: usize,
    trial: Vec<f64>,
    w: Vec<f64>,
}

/// Tolerance of the solvers of one block, which limits the accuracy of the sweeps.
const TOLERANCE: f64 = 1e-14;

/// Maximum error of a point that is accepted although its error is above the tolerance.
const GOOD_ENOUGH: f64 = 1e-6;

impl Default for LocalSolvers {
    fn default() -> Self {
        let for_pairs = lcp::AutoSettings { tolerance: TOLERANCE, ..Default::default() };
        let for_relays = relay::AutoSettings { tolerance: TOLERANCE, ..Default::default() };
        Self {
            number: Vec::new(),
            factors: Vec::new(),
            contacts: Vec::new(),
            rolling: Vec::new(),
            complementarity: lcp::Auto::new(for_pairs).unwrap_or_default(),
            relay: relay::Auto::new(for_relays).unwrap_or_default(),
            effort: 0.0,
            unsolved: 0,
            trial: Vec::new(),
            w: Vec::new(),
        }
    }
}

impl LocalSolvers {
    /// Factorises the diagonal blocks of equalities, and prepares the contacts.
    pub(super) fn prepare(
        &mut self,
        problem: &GenericMechanicalProblem,
        access: &BlockAccess,
    ) -> Result<(), SolverError> {
        self.number.clear();
        self.contacts.clear();
        let (mut factors, mut rolling) = (0, 0);
        for (block, law) in problem.laws().iter().enumerate() {
            let (a, first) = (access.diagonal(block), problem.range(block).start);
            let what = "the diagonal block of a law";
            let pull = SingularMatrix::Pivot { column: first, pivot: a.first().copied().unwrap_or_default() };
            let mut number = 0;
            match law {
                MechanicalLaw::Equality { size } => {
                    number = factors;
                    factors += 1;
                    if self.factors.len() < factors {
                        self.factors.push(DenseLu::default());
                    }
                    self.factors[number]
                        .factor(square(a, *size))
                        .map_err(|singular| SolverError::Singular { what, singular })?;
                }
                law if law.friction().is_some() && (a[0].is_nan() || a[0] <= 0.0) => {
                    return Err(SolverError::Singular { what, singular: pull });
                }
                MechanicalLaw::Friction3 { .. } => {
                    number = self.contacts.len();
                    self.contacts.push((ExactContact::new(a), 0.0));
                }
                MechanicalLaw::Rolling3 { .. } | MechanicalLaw::Rolling5 { .. } => {
                    number = rolling;
                    rolling += 1;
                    if self.rolling.len() < rolling {
                        self.rolling.push(HybridContact::default());
                    }
                    self.rolling[number].begin(a);
                }
                _ => {}
            }
            self.number.push(number);
        }
        Ok(())
    }

    /// Limits the effort of each solve of one block.
    pub(super) fn set_effort(&mut self, limit: EffortLimit) {
        self.complementarity.set_effort(limit);
        self.relay.set_effort(limit);
    }

    /// Returns the number of local problems without a solution since the last call of this function.
    pub(super) fn take_unsolved(&mut self) -> usize {
        std::mem::take(&mut self.unsolved)
    }

    /// Starts the count of [`effort`](Self::effort) at 0.
    pub(super) fn begin_count(&mut self) {
        self.effort = 0.0;
    }

    /// Returns the number of operations for blocks of several complementarity conditions or relays since the
    /// count began.
    pub(super) fn effort(&self) -> f64 {
        self.effort
    }

    /// Returns the laws of the prepared problem.
    pub(super) fn with<'a>(&'a mut self, problem: &'a GenericMechanicalProblem) -> Laws<'a> {
        Laws { problem, solvers: self }
    }
}

/// The laws of a problem with their solvers.
#[derive(Debug)]
pub(super) struct Laws<'a> {
    problem: &'a GenericMechanicalProblem,
    solvers: &'a mut LocalSolvers,
}

impl BlockLaw for Laws<'_> {
    fn solve(&mut self, block: usize, local: &LocalProblem<'_>, z: &mut [f64]) {
        let solvers = &mut *self.solvers;
        let number = solvers.number[block];
        match &self.problem.laws()[block] {
            MechanicalLaw::Equality { .. } => {
                z.iter_mut().zip(local.b).for_each(|(z, b)| *z = -b);
                solvers.factors[number].solve(z);
            }
            MechanicalLaw::Complementarity { size: 1 } if local.diagonal[0] > 0.0 => {
                z[0] = (-local.b[0] / local.diagonal[0]).max(0.0);
            }
            MechanicalLaw::Complementarity { size } => {
                let a = square(local.diagonal, *size);
                solvers.begin(z);
                let LocalSolvers { complementarity, trial, w, .. } = solvers;
                let is_solved = LcpProblem::new(a, local.b)
                    .is_ok_and(|p| complementarity.solve(&p, trial, w).is_ok_and(is_good));
                let spent = complementarity.effort_spent();
                solvers.end(is_solved, spent, z);
            }
            MechanicalLaw::Relay { lower, upper } => {
                let a = square(local.diagonal, lower.len());
                solvers.begin(z);
                let LocalSolvers { relay, trial, w, .. } = solvers;
                let is_solved = RelayProblem::new(a, local.b, lower, upper)
                    .is_ok_and(|p| relay.solve(&p, trial, w).is_ok_and(is_good));
                let spent = relay.effort_spent();
                solvers.end(is_solved, spent, z);
            }
            MechanicalLaw::Friction2 { mu } => {
                let new = solve_plane(*mu, &small(local.diagonal), &entries(local.b), &entries(z));
                z.copy_from_slice(&new);
            }
            MechanicalLaw::Friction3 { mu } => {
                let (contact, multiplier) = &mut solvers.contacts[number];
                z.copy_from_slice(&contact.solve(*mu, &entries(local.b), multiplier));
            }
            law @ (MechanicalLaw::Rolling3 { .. } | MechanicalLaw::Rolling5 { .. }) => {
                if let Some(law) = law.friction() {
                    solvers.rolling[number].solve(law, local, z);
                }
            }
        }
    }
}

impl LocalSolvers {
    /// Copies the old values as an initial guess.
    fn begin(&mut self, z: &[f64]) {
        self.trial.clear();
        self.trial.extend_from_slice(z);
        self.w.clear();
        self.w.resize(z.len(), 0.0);
    }

    /// Copies the solution of a local problem to `z`. If there is none, the old values are kept.
    fn end(&mut self, is_solved: bool, spent: f64, z: &mut [f64]) {
        self.effort += spent;
        if is_solved {
            z.copy_from_slice(&self.trial);
        } else {
            self.unsolved += 1;
        }
    }
}

fn is_good(info: SolveInfo) -> bool {
    info.status.is_success() || info.error <= GOOD_ENOUGH
}

fn small<const D: usize>(a: &[f64]) -> [[f64; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i * D + j]))
}

fn entries<const D: usize>(x: &[f64]) -> [f64; D] {
    std::array::from_fn(|k| x[k])
}
