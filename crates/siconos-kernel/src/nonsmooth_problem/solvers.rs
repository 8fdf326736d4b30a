//! Solvers of the one-step problems of a simulation.

use siconos_linalg::{BlockCsr, MatrixRef, square};
use siconos_numerics::Unsupported;

use super::class::ProblemClass;
use super::solver::{ClassSolver, OneStepSolver};

/// Solver of the user for all problems, or one automatic solver for each class of problem in the islands of a
/// model.
#[derive(Debug, Default)]
pub(super) struct Solvers {
    is_automatic: bool,
    /// Name of the chosen solver.
    name: &'static str,
    /// Tolerance of automatic solvers, if the user has set one.
    tolerance: Option<f64>,
    entries: Vec<SolverEntry>,
}

/// One solver.
#[derive(Debug)]
pub(super) struct SolverEntry {
    class: ProblemClass,
    pub(super) chosen: ClassSolver,
    /// `true` if the solver supports dense matrices; `takes_blocks` is `true` if it supports sparse block
    /// matrices.
    pub(super) takes_dense: bool,
    pub(super) takes_blocks: bool,
}

impl From<OneStepSolver> for Solvers {
    fn from(solver: OneStepSolver) -> Self {
        let class = ProblemClass::Complementarity;
        let (is_automatic, name) = (matches!(solver, OneStepSolver::Automatic), solver.name());
        let chosen = match solver {
            OneStepSolver::Automatic => ClassSolver::automatic(class, None),
            OneStepSolver::Lcp(solver) => ClassSolver::Lcp(solver),
            OneStepSolver::Mlcp(solver) => ClassSolver::Mlcp(solver),
            OneStepSolver::Relay(solver) => ClassSolver::Relay(solver),
            OneStepSolver::Avi(solver) => ClassSolver::Avi(solver),
            OneStepSolver::Contact(solver) => ClassSolver::Contact(solver),
            OneStepSolver::Gmp(solver) => ClassSolver::Gmp(solver),
        };
        Self { is_automatic, name, tolerance: None, entries: vec![SolverEntry::new(chosen, class)] }
    }
}

impl SolverEntry {
    fn new(chosen: ClassSolver, class: ProblemClass) -> Self {
        let mut entry = Self { class, chosen, takes_dense: true, takes_blocks: false };
        // An unsupported class is reported when the solver is fitted to the laws of a model.
        let _refused = entry.fit(class);
        entry
    }

    /// Records the storage formats that the solver supports for a class. Returns an error if it supports
    /// none.
    fn fit(&mut self, class: ProblemClass) -> Result<(), Unsupported> {
        let dense = self.chosen.supports(class, MatrixRef::Dense(square(&[], 0)));
        self.class = class;
        self.takes_dense = dense.is_ok();
        self.takes_blocks = self.chosen.supports(class, MatrixRef::BlockCsr(&BlockCsr::default())).is_ok();
        if self.takes_blocks { Ok(()) } else { dense }
    }
}

impl Solvers {
    /// Returns `true` if the user has chosen a solver that supports only cones.
    pub(super) fn takes_cones(&self) -> bool {
        let is_for_cones =
            |entry: &SolverEntry| matches!(entry.chosen, ClassSolver::Contact(_) | ClassSolver::Cones(_));
        !self.is_automatic && self.entries.iter().any(is_for_cones)
    }

    /// Sets the tolerance of automatic solvers, which must be valid. A solver of the user keeps its
    /// tolerance.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.tolerance = Some(tolerance);
        if self.is_automatic {
            self.entries.clear();
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    /// Returns the largest tolerance of all solvers.
    pub(super) fn loosest_tolerance(&self) -> f64 {
        // Automatic solvers are created on demand. The result must not depend on which of them exist.
        let of_automatic = self.tolerance.filter(|_| self.is_automatic);
        of_automatic
            .unwrap_or_else(|| self.entries.iter().map(|entry| entry.chosen.tolerance()).fold(0.0, f64::max))
    }

    /// Returns `true` if solvers are chosen automatically.
    pub(super) fn is_automatic(&self) -> bool {
        self.is_automatic
    }

    /// Fits the solver of the user to all classes of a model together, or creates the missing automatic
    /// solvers. Existing solvers keep their workspace.
    pub(super) fn adapt(&mut self, classes: impl Iterator<Item = ProblemClass>) -> Result<(), Unsupported> {
        if self.is_automatic {
            for class in classes {
                if self.entries.iter().all(|entry| entry.class != class) {
                    self.entries.push(SolverEntry::new(ClassSolver::automatic(class, self.tolerance), class));
                }
            }
            return Ok(());
        }
        let Some(class) = classes.reduce(ProblemClass::join) else { return Ok(()) };
        for mut entry in std::mem::take(&mut self.entries) {
            entry.chosen = entry.chosen.adapted(class);
            self.entries.push(entry);
        }
        self.entries.iter_mut().try_for_each(|entry| entry.fit(class))
    }

    /// Returns the index of the solver for a class. A missing automatic solver is created.
    pub(super) fn place(&mut self, class: ProblemClass) -> usize {
        let known = self.entries.iter().position(|entry| entry.class == class);
        known.unwrap_or_else(|| match self.is_automatic {
            true => {
                self.entries.push(SolverEntry::new(ClassSolver::automatic(class, self.tolerance), class));
                self.entries.len() - 1
            }
            false => 0,
        })
    }

    /// Creates automatic solvers for the same classes at the same indices as in `other`, with separate
    /// workspaces.
    pub(super) fn take_after(&mut self, other: &Self) {
        let is_like = self.tolerance == other.tolerance && self.entries.len() <= other.entries.len();
        if !is_like {
            self.entries.clear();
        }
        self.tolerance = other.tolerance;
        for entry in &other.entries[self.entries.len()..] {
            self.entries
                .push(SolverEntry::new(ClassSolver::automatic(entry.class, self.tolerance), entry.class));
        }
    }

    pub(super) fn at(&self, place: usize) -> &SolverEntry {
        &self.entries[place]
    }

    pub(super) fn at_mut(&mut self, place: usize) -> &mut SolverEntry {
        &mut self.entries[place]
    }
}
