//! Local solvers of one contact, chosen at run time.

use siconos_linalg::SmallMatrix;

use super::exact::ExactContact;
use super::exact_plane::solve_plane;
use super::fixed_point::{LocalIteration, project_by_parts, project_once};
use super::local_newton::{Function, LocalNewton, Outcome};
use super::settings::LocalSolver;
use crate::contact::ContactLaw;
use crate::engine::nsgs::LocalProblem;
use crate::method::Limits;

/// Data of the contacts of one problem, for the local solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalData {
    exact: Vec<ExactContact>,
    /// Step length of each contact: the reciprocal of the largest row sum of its diagonal block, or 0 if the
    /// block is zero.
    steps: Vec<f64>,
    /// Multiplier or step length of each contact, which the local solver keeps between sweeps.
    pub(super) states: Vec<f64>,
}

impl LocalData {
    /// Prepares the contacts from their diagonal blocks. The first entry of a block must be positive. It may
    /// be 0 if no reaction can move the contact; the step length of the contact is then 0.
    pub(super) fn prepare<'a>(&mut self, kind: LocalSolverKind, diagonals: impl Iterator<Item = &'a [f64]>) {
        self.exact.clear();
        self.steps.clear();
        self.states.clear();
        for diagonal in diagonals {
            if kind == LocalSolverKind::Space {
                self.exact.push(ExactContact::new(diagonal));
                self.states.push(0.0);
            } else {
                let size = largest_row_sum(diagonal);
                let step = if size == 0.0 { 0.0 } else { 1.0 / size };
                self.steps.push(step);
                self.states.push(step);
            }
        }
    }

    /// Returns the local solver that uses these data, and the stored values of all contacts.
    pub(super) fn solver<'a>(
        &'a mut self,
        kind: LocalSolverKind,
        law: ContactLaw<'a>,
        limits: Limits,
    ) -> (Local<'a>, &'a mut [f64]) {
        let Self { exact, steps, states } = self;
        let Limits { tolerance, max_iterations: iterations } = limits;
        let newton = LocalNewton { law, steps, tolerance, iterations };
        let iteration = LocalIteration { law, tolerance, iterations };
        let local = match (kind, law) {
            (LocalSolverKind::Space, ContactLaw::Coulomb { mu, .. }) => Local::Space { mu, contacts: exact },
            (LocalSolverKind::Plane, ContactLaw::Coulomb { mu, .. }) => Local::Plane { mu },
            (LocalSolverKind::Projection, _) => Local::Projection { law, steps },
            (LocalSolverKind::Iteration, _) => Local::Iteration(iteration),
            (LocalSolverKind::Parts, _) => Local::Parts { law },
            (LocalSolverKind::Newton(function), _) => Local::Newton(newton, function),
            (LocalSolverKind::Space | LocalSolverKind::Plane | LocalSolverKind::Hybrid, _) => {
                let function = if law.has_shift() { Function::AlartCurnier } else { Function::NaturalMap };
                Local::Hybrid(newton, function, iteration)
            }
        };
        (local, states)
    }
}

/// Type of the local solver, determined by the setting and the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalSolverKind {
    Space,
    Plane,
    Projection,
    Iteration,
    Parts,
    Newton(Function),
    Hybrid,
}

impl LocalSolverKind {
    pub(super) fn of(choice: LocalSolver, law: ContactLaw<'_>) -> Self {
        match (choice, law) {
            (LocalSolver::Exact, ContactLaw::Coulomb { dimension: 3, .. }) => Self::Space,
            (LocalSolver::Exact, ContactLaw::Coulomb { .. }) => Self::Plane,
            (LocalSolver::Exact | LocalSolver::Hybrid, _) => Self::Hybrid,
            (LocalSolver::Projection, _) => Self::Projection,
            (LocalSolver::ProjectionWithLocalIteration, _) => Self::Iteration,
            (LocalSolver::ProjectionWithDiagonalization, _) => Self::Parts,
            (LocalSolver::NewtonAlartCurnier, _) => Self::Newton(Function::AlartCurnier),
            (LocalSolver::NewtonJeanMoreau, _) => Self::Newton(Function::JeanMoreau),
            (LocalSolver::NewtonNaturalMap, _) => Self::Newton(Function::NaturalMap),
        }
    }
}

/// Local solver with the data of all contacts. It modifies only its arguments, so that uncoupled contacts can
/// be solved in parallel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local<'a> {
    Space { mu: &'a [f64], contacts: &'a [ExactContact] },
    Plane { mu: &'a [f64] },
    Projection { law: ContactLaw<'a>, steps: &'a [f64] },
    Iteration(LocalIteration<'a>),
    Parts { law: ContactLaw<'a> },
    Newton(LocalNewton<'a>, Function),
    Hybrid(LocalNewton<'a>, Function, LocalIteration<'a>),
}

/// Workspace to solve one contact.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalWorkspace {
    pub(super) newton: super::local_newton::LocalNewtonWorkspace,
    pub(super) iteration: super::fixed_point::LocalIterationWorkspace,
}

impl Local<'_> {
    /// Replaces the old reaction in `z` by the new reaction. `state` is the multiplier or step length that
    /// the solver keeps for this contact between sweeps.
    pub(super) fn solve(
        &self,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        state: &mut f64,
        memory: &mut LocalWorkspace,
    ) {
        match self {
            Self::Projection { law, steps } => project_once(law, contact, steps[contact], local.w, z),
            _ => self.solve_by_steps(contact, local, z, state, memory),
        }
    }

    /// Returns the new reaction of a contact with a number of components that is known at compile time.
    #[inline(always)]
    pub(super) fn solve_fixed<const D: usize>(
        &self,
        contact: usize,
        a: &SmallMatrix<D>,
        (b, w): (&[f64; D], &[f64; D]),
        old: &[f64; D],
        state: &mut f64,
        memory: &mut LocalWorkspace,
    ) -> [f64; D] {
        match self {
            Self::Space { mu, contacts } if D == 3 => {
                let r = contacts[contact].solve(mu[contact], &[b[0], b[1], b[2]], state);
                std::array::from_fn(|k| r[k])
            }
            Self::Plane { mu } if D == 2 => {
                let a = [[a.0[0][0], a.0[0][1]], [a.0[1][0], a.0[1][1]]];
                let r = solve_plane(mu[contact], &a, &[b[0], b[1]], &[old[0], old[1]]);
                std::array::from_fn(|k| r[k])
            }
            Self::Projection { law, steps } => {
                let mut z = *old;
                project_once(law, contact, steps[contact], w, &mut z);
                z
            }
            _ => {
                // Copies of the arrays allow the compiler to keep the originals in registers in the formulas
                // above.
                let (a, b, w, mut z) = (*a, *b, *w, *old);
                let local = LocalProblem { diagonal: a.0.as_flattened(), b: &b, w: &w };
                self.solve_by_steps(contact, &local, &mut z, state, memory);
                z
            }
        }
    }

    /// Solves the contact with one of the local solvers that consist of more than one formula.
    #[inline(never)]
    fn solve_by_steps(
        &self,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        state: &mut f64,
        memory: &mut LocalWorkspace,
    ) {
        match self {
            Self::Parts { law } => project_by_parts(law, contact, local, z),
            Self::Iteration(iteration) => {
                iteration.solve(contact, local, z, state, &mut memory.iteration);
            }
            Self::Newton(newton, function) => {
                if newton.solve(*function, contact, local, z, &mut memory.newton) != Outcome::Failed {
                } else if newton.law.has_infinite_friction() {
                    project_by_parts(&newton.law, contact, local, z);
                } else {
                    project_once(&newton.law, contact, newton.steps[contact], local.w, z);
                }
            }
            Self::Hybrid(newton, function, iteration) => {
                if newton.solve(*function, contact, local, z, &mut memory.newton) == Outcome::Solved {
                } else if newton.law.has_infinite_friction() {
                    project_by_parts(&newton.law, contact, local, z);
                } else {
                    iteration.solve(contact, local, z, state, &mut memory.iteration);
                    newton.solve(*function, contact, local, z, &mut memory.newton);
                }
            }
            Self::Space { .. } | Self::Plane { .. } | Self::Projection { .. } => {}
        }
    }
}

/// Returns the largest row sum of the magnitudes in a block, which is an upper bound of the magnitudes of its
/// eigenvalues.
fn largest_row_sum(a: &[f64]) -> f64 {
    let d = a.len().isqrt().max(1);
    a.chunks_exact(d).map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}
