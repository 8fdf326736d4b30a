//! The problem of one contact, and what solves it: a choice at run time, the data of all contacts, one number
//! of memory each.

use siconos_linalg::SmallMatrix;

use super::exact::ExactContact;
use super::exact_plane::solve_plane;
use super::fixed_point::{LocalIteration, project_by_parts, project_once};
use super::local_newton::{Function, LocalNewton, Outcome};
use super::settings::LocalSolver;
use crate::contact::ContactLaw;
use crate::engine::nsgs::LocalProblem;
use crate::method::Limits;

/// The data of the local solvers of one problem; the memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalData {
    exact: Vec<ExactContact>,
    /// The inverse size of each diagonal block.
    steps: Vec<f64>,
    /// What a local solver remembers of each contact: a multiplier, or a step.
    pub(super) states: Vec<f64>,
}

impl LocalData {
    /// Takes the contacts by their diagonal blocks, whose first entries are positive; or 0, where nothing
    /// moves the contact: it is left with the step 0.
    pub(super) fn prepare<'a>(&mut self, kind: Kind, diagonals: impl Iterator<Item = &'a [f64]>) {
        self.exact.clear();
        self.steps.clear();
        self.states.clear();
        for diagonal in diagonals {
            if kind == Kind::Space {
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

    /// The solver over these data, and the memory of all contacts.
    pub(super) fn solver<'a>(
        &'a mut self,
        kind: Kind,
        law: ContactLaw<'a>,
        limits: Limits,
    ) -> (Local<'a>, &'a mut [f64]) {
        let Self { exact, steps, states } = self;
        let Limits { tolerance, max_iterations: iterations } = limits;
        let newton = LocalNewton { law, steps, tolerance, iterations };
        let iteration = LocalIteration { law, tolerance, iterations };
        let local = match (kind, law) {
            (Kind::Space, ContactLaw::Coulomb { mu, .. }) => Local::Space { mu, contacts: exact },
            (Kind::Plane, ContactLaw::Coulomb { mu, .. }) => Local::Plane { mu },
            (Kind::Projection, _) => Local::Projection { law, steps },
            (Kind::Iteration, _) => Local::Iteration(iteration),
            (Kind::Parts, _) => Local::Parts { law },
            (Kind::Newton(function), _) => Local::Newton(newton, function),
            (Kind::Space | Kind::Plane | Kind::Hybrid, _) => {
                let function = if law.has_shift() { Function::AlartCurnier } else { Function::NaturalMap };
                Local::Hybrid(newton, function, iteration)
            }
        };
        (local, states)
    }
}

/// Which local solver a law gets for a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Space,
    Plane,
    Projection,
    Iteration,
    Parts,
    Newton(Function),
    Hybrid,
}

impl Kind {
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

/// A local solver over the data of all contacts; it changes nothing but what it is lent, so contacts that are
/// not coupled may be solved at the same time.
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

/// Memory for the work on one contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) newton: super::local_newton::Memory,
    pub(super) iteration: super::fixed_point::Memory,
}

impl Local<'_> {
    /// Overwrites `z`, which holds the old reaction, with the new one. `state` is the number that is
    /// remembered of this contact.
    pub(super) fn solve(
        &self,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        state: &mut f64,
        memory: &mut Memory,
    ) {
        match self {
            Self::Projection { law, steps } => project_once(law, contact, steps[contact], local.w, z),
            _ => self.solve_by_steps(contact, local, z, state, memory),
        }
    }

    /// The new reaction of a contact whose size the compiler knows.
    #[inline(always)]
    pub(super) fn solve_fixed<const D: usize>(
        &self,
        contact: usize,
        a: &SmallMatrix<D>,
        (b, w): (&[f64; D], &[f64; D]),
        old: &[f64; D],
        state: &mut f64,
        memory: &mut Memory,
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
                // Copies, so that the arrays of the formulas above may stay in registers.
                let (a, b, w, mut z) = (*a, *b, *w, *old);
                let local = LocalProblem { diagonal: a.0.as_flattened(), b: &b, w: &w };
                self.solve_by_steps(contact, &local, &mut z, state, memory);
                z
            }
        }
    }

    /// What takes more than a formula.
    #[inline(never)]
    fn solve_by_steps(
        &self,
        contact: usize,
        local: &LocalProblem<'_>,
        z: &mut [f64],
        state: &mut f64,
        memory: &mut Memory,
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

/// A bound of the eigenvalues of a block.
fn largest_row_sum(a: &[f64]) -> f64 {
    let d = a.len().isqrt().max(1);
    a.chunks_exact(d).map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}
