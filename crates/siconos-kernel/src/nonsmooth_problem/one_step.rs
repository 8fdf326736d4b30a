//! The one-step nonsmooth problem: one problem for each connected set of the model.
//!
//! What nothing connects is solved apart: no body changes the forces of another that it cannot touch, a set
//! of relays beside one of contacts with friction gets the solver of its class, and many small problems are
//! cheaper than one large one.

use ndarray::Array2;
use siconos_numerics::{SolveInfo, SolverError, Status};

use super::assembly::Places;
use super::class::ProblemClass;
use super::delassus::Delassus;
use super::set_problem::SetProblem;
use super::solver::OneStepSolver;
use super::solvers::Solvers;
use super::tables::Tables;
use crate::error::{ModelError, SimulationError};
use crate::model::{At, InteractionId};

/// The problem of a step with everything that lives from step to step. Its rows are those of its members, in
/// their order.
#[derive(Debug)]
pub(crate) struct OneStepNonSmoothProblem {
    solvers: Solvers,
    /// By connected set of the model: its class, and the place of its problem where it has one in the present
    /// index set.
    classes: Vec<Option<ProblemClass>>,
    problem_of_set: Vec<Option<usize>>,
    /// The problems, of which the first so many are in use.
    problems: Vec<SetProblem>,
    in_use: usize,
    places: Places,
    pub(crate) q: Vec<f64>,
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
}

impl OneStepNonSmoothProblem {
    pub(crate) fn new(solver: OneStepSolver) -> Self {
        Self {
            solvers: solver.into(),
            classes: Vec::new(),
            problem_of_set: Vec::new(),
            problems: Vec::new(),
            in_use: 0,
            places: Places::default(),
            q: Vec::new(),
            z: Vec::new(),
            w: Vec::new(),
        }
    }

    /// Fits solvers to the laws of a model.
    pub(crate) fn adapt(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        let classes = tables.classes();
        if classes.contains(&Some(ProblemClass::None)) {
            return Err(SimulationError::NoCommonClass);
        }
        self.solvers.adapt(classes.iter().copied().flatten())?;
        self.classes = classes;
        Ok(())
    }

    /// Whether the user has chosen a solver that takes contacts with friction and nothing else.
    pub(crate) fn takes_cones(&self) -> bool {
        self.solvers.takes_cones()
    }

    /// Fits the solver to linear complementarity problems that are [posed](Self::pose) as matrices.
    pub(crate) fn adapt_to_matrices(&mut self) -> Result<(), SimulationError> {
        Ok(self.solvers.adapt(std::iter::once(ProblemClass::Complementarity))?)
    }

    /// Takes a linear complementarity problem that is not one of interactions, with the guess zero.
    pub(crate) fn pose(&mut self, m: &Array2<f64>, q: &[f64]) {
        self.in_use = 1;
        if self.problems.is_empty() {
            self.problems.push(SetProblem::default());
        }
        let problem = &mut self.problems[0];
        problem.solver = self.solvers.place(ProblemClass::Complementarity);
        problem.pose(m, self.solvers.at(problem.solver));
        self.q.clear();
        self.q.extend_from_slice(q);
        self.begin_unknowns(q.len());
    }

    fn begin_unknowns(&mut self, n: usize) {
        for vector in [&mut self.z, &mut self.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
    }

    /// Lays the problems out for a new index set.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: &[usize]) {
        self.places.clear(tables);
        self.problem_of_set.clear();
        self.problem_of_set.resize(tables.sets.len(), None);
        self.in_use = 0;
        let mut first = 0;
        for &member in members {
            let unitary = &tables.unitary[member];
            let set = tables.interactions[unitary.interaction].set;
            let problem = match self.problem_of_set[set] {
                Some(problem) => problem,
                None => self.begin_problem(set),
            };
            let rows = unitary.rows.len();
            self.places.put(member, self.problems[problem].push(member, first, rows));
            first += rows;
        }
        for problem in &mut self.problems[..self.in_use] {
            problem.lay_out(tables, self.solvers.at(problem.solver));
        }
        self.q.clear();
        self.q.resize(first, 0.0);
        self.begin_unknowns(first);
    }

    fn begin_problem(&mut self, set: usize) -> usize {
        if self.problems.len() == self.in_use {
            self.problems.push(SetProblem::default());
        }
        let class = self.classes[set].unwrap_or(ProblemClass::Complementarity);
        self.problems[self.in_use].begin(set, class, self.solvers.place(class));
        self.problem_of_set[set] = Some(self.in_use);
        self.in_use += 1;
        self.in_use - 1
    }

    /// Writes down the laws of the members in the words of the solvers, for a step of length `h`; does
    /// nothing where that is known already.
    pub(crate) fn describe_laws(
        &mut self,
        tables: &Tables,
        times: (At<'_>, At<'_>, f64),
    ) -> Result<(), (InteractionId, ModelError)> {
        let Self { solvers, problems, in_use, .. } = self;
        let mut problems = problems[..*in_use].iter_mut();
        problems.try_for_each(|problem| problem.describe_laws(tables, solvers.at(problem.solver), times))
    }

    /// The matrix of the last problem.
    pub(crate) fn matrix(&self) -> Array2<f64> {
        let n = self.q.len();
        let mut whole = Array2::zeros((n, n));
        for problem in &self.problems[..self.in_use] {
            problem.add_matrix(&mut whole);
        }
        whole
    }

    /// Gathers the matrices of the sets that are not held.
    pub(crate) fn assemble(&mut self, tables: &Tables, delassus: &Delassus, is_held: impl Fn(usize) -> bool) {
        for problem in self.problems[..self.in_use].iter_mut().filter(|problem| !is_held(problem.set)) {
            problem.assemble(tables, delassus, &self.places, self.solvers.at(problem.solver));
        }
    }

    /// Solves for `z` from the guess in `z`; what belongs to sets that are held stays as it is. Iterations
    /// are counted together, the error is the largest, and the status the first that is no success.
    pub(crate) fn solve(&mut self, is_held: impl Fn(usize) -> bool) -> Result<SolveInfo, SolverError> {
        let mut all = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        for problem in self.problems[..self.in_use].iter_mut().filter(|problem| !is_held(problem.set)) {
            let solver = self.solvers.at_mut(problem.solver);
            let info = problem.solve(solver, &self.q, (&mut self.z, &mut self.w))?;
            if all.status == Status::Converged || (all.status.is_success() && !info.status.is_success()) {
                all.status = info.status;
            }
            all.iterations += info.iterations;
            // A NaN is the largest of all.
            if info.error.is_nan() || info.error > all.error {
                all.error = info.error;
            }
        }
        Ok(all)
    }
}
